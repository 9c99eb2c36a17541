"""An English sentence with each name as one character, and the phrases that can be read off it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aira_nb.extract.verbs_en import is_past
from aira_nb.extract.words_en import MEASURES, PREPOSITIONS
from aira_nb.types import Mention

__all__ = ["AND_NAME", "ARGUMENT", "MEASURE", "NAME", "STOPS", "Masked", "arguments", "modifies", "noun_phrase"]

_FIRST = 0xE000
NAME = "[\ue000-\uf8ff]"
"""Any name, in a pattern over a masked sentence."""
_PARENTHESIS = re.compile(r"\s*(?:[(（][^()（）]*[)）]|\[\d+(?:[,;\s–-]+\d+)*\])")
MEASURE = re.compile(MEASURES)
STOPS = frozenset("not never no nor may might could would should will can must cannot unless if".split())
"""Words after which nothing is stated: negations, modals, conditions."""
ARGUMENT = re.compile(
    rf"(?:,? (?P<prep>in|on|at|from|to|for|with|as|near|into|by|of|under|against|alongside|between|after|until|since))?"
    rf" (?P<determiner>the |an? |his |her |its |their )?(?P<words>(?:[A-Za-z-]+ ){{0,3}}?)(?P<name>{NAME})"
)
AND_NAME = re.compile(rf"(?:, and |, | and | & )(?:the )?(?P<name>{NAME})(?![a-zA-Z'’]| (?:is|was|are|were|has|had)\b)")


class Masked:
    """A sentence with each name as one character, brackets left out, and the way back to the text."""

    def __init__(self, text: str, start: int, end: int, names: Sequence[Mention]) -> None:
        self.names = names
        skipped = [m.span() for m in _PARENTHESIS.finditer(text, start, end)]
        letters: list[str] = []
        self.origin: list[tuple[int, int]] = []
        starts = {m.start: i for i, m in enumerate(names) if not MEASURE.fullmatch(m.text)}
        position = start
        while position < end:
            gap = next((b for a, b in skipped if a <= position < b), None)
            if gap is not None:
                position = gap
            elif position in starts and names[starts[position]].end <= end:
                name = names[starts[position]]
                letters.append(chr(_FIRST + starts[position]))
                self.origin.append((name.start, name.end))
                position = name.end
            else:
                if text[position] not in '"“”':
                    # A private-use letter of the text itself would pass for a name.
                    plain = not text[position].isspace() and not "\ue000" <= text[position] <= "\uf8ff"
                    letters.append(text[position] if plain else " ")
                    self.origin.append((position, position + 1))
                position += 1
        self.text = "".join(letters)

    def name(self, letter: str) -> Mention:
        """Return the mention that a name character stands for."""
        return self.names[ord(letter) - _FIRST]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the text of ``self.text[start:end]``."""
        return self.origin[start][0], self.origin[end - 1][1]


def arguments(masked: Masked, position: int) -> Iterator[tuple[str, list[Mention], int]]:
    """Yield (preposition, tails, end) of the phrases that follow a verb; the first may have no preposition."""
    for number in range(4):
        match = ARGUMENT.match(masked.text, position)
        if match is None or (number and not match["prep"]):
            return
        words = match["words"].split()
        if any(
            w in PREPOSITIONS
            or w in STOPS
            or w in ("and", "or", "to", "that", "who", "which", "where", "when")
            or is_past(w)
            for w in words
        ):
            return
        if modifies(masked.text, match.end()):
            return
        prep = match["prep"] or ""
        if len(words) > (2 if prep != "by" else 3):
            return
        tails = [masked.name(match["name"])]
        position = match.end()
        while (more := AND_NAME.match(masked.text, position)) is not None:
            following = masked.name(more["name"])
            joined = masked.text[position : more.start("name")]
            if joined == ", " and prep in ("in", "at", "from", "near", "to"):
                # "in Cleveland, Ohio", "at University College School, Hampstead": the second says where the first is.
                position = more.end()
                continue
            if following.type in ("time", "quantity"):
                break
            tails.append(following)
            position = more.end()
        yield prep, tails, position


def modifies(text: str, position: int) -> bool:
    """Whether the name that ends at `position` only modifies what follows ("a Grammy nominated album", "the NBA team")."""
    following = re.match(r"(?:['’-]| (?P<word>[a-z]+))", text[position:])
    if following is None:
        return False
    word = following["word"]
    return word is None or not (
        word in PREPOSITIONS
        or word in STOPS
        or word.endswith("ly")
        or word
        in "and or but who whom which that where when while as is was are were has had because so then also alone again".split()
    )


def noun_phrase(text: str, position: int) -> tuple[int, int]:
    """Span of the simple noun phrase that begins at `position`: up to a preposition, a relative, a comma or a participle."""
    end = position
    last = ""
    for match in re.finditer(
        rf" ?((?:[A-Za-z0-9$À-ÿ{NAME[1:-1]}][\w.'’&/{NAME[1:-1]}-]*)|[^ ])", text[position : position + 160]
    ):
        word = match.group(1).rstrip(".")
        plain = word.lower()
        if (
            match.start() != end - position
            or not re.match(rf"[\w{NAME[1:-1]}]", word)
            or plain in PREPOSITIONS
            or plain
            in (
                "who",
                "that",
                "which",
                "whose",
                "where",
                "when",
                "and",
                "or",
                "but",
                "is",
                "was",
                "best",
                "ca",
                "than",
                "set",
                "also",
            )
            or (
                end > position
                and plain.endswith("ing")
                and plain in ("starring", "featuring", "living", "including", "using")
            )
        ):
            break
        end = position + match.start(1) + len(word)
        last = word
        if match.group(1) != word:
            break
    while (
        end > position
        and last
        and (is_past(last) or last.endswith("ly") or last in ("shown", "sung", "based"))
        and " " in text[position:end]
    ):
        end = position + text[position:end].rindex(" ")
        last = text[position:end].rsplit(" ", 1)[-1]
    return position, end
