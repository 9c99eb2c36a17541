"""A Japanese sentence without its brackets, and the way back into the passage."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aira_nb.text.parse import Token

__all__ = ["Sentence"]

# Citations ([4, 5]) and the marks of footnotes (" 5）").
_MARKS = re.compile(
    r"\s?\[\d+(?:[,，、\s\-–]+\d+)*\]|(?<=[^\d（(.．,，、〜~–-])\s?(?<![（(])\d{1,2}[)）](?=\s|[をがはにでのとも、，。．（])"
)


class Sentence:
    """One sentence, without its brackets, with tokens whose offsets lead back to the passage.

    `offsets` has, for each character of `plain` and one past it, its place in the passage's text.
    """

    __slots__ = ("end", "offsets", "plain", "start")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.start, self.end = start, end
        letters: list[str] = []
        offsets: list[int] = []
        depth = 0
        marks = [m.span() for m in _MARKS.finditer(text, start, end)]
        for i in range(start, end):
            character = text[i]
            if depth == 0 and any(a <= i < b for a, b in marks):
                continue
            # Unbalanced brackets hide nothing: a closing one must follow within the sentence.
            if character in "（(" and (depth or _closes(text, i, end)):
                depth += 1
            elif character in "）)" and depth:
                depth -= 1
            elif not depth:
                letters.append(" " if character.isspace() else character)
                offsets.append(i)
        self.plain = "".join(letters)
        self.offsets = [*offsets, offsets[-1] + 1 if offsets else start]

    def place(self, tokens: Sequence[Token]) -> list[Token]:
        """Return the tokens of `plain` with offsets into the passage's text."""
        return [
            Token(
                self.offsets[t.start],
                self.offsets[t.end - 1] + 1,
                t.text,
                t.lemma,
                t.pos,
                t.tag,
                t.form,
                t.dep,
                t.head,
                t.entity,
                t.known,
            )
            for t in tokens
        ]


def _closes(text: str, i: int, end: int) -> bool:
    depth = 0
    for character in text[i : min(end, i + 200)]:
        depth += (character in "（(") - (character in "）)")
        if depth == 0:
            return True
    return False
