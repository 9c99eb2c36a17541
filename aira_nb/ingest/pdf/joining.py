"""Lines to running text: hyphens undone in English, no spaces inside Japanese, boxes kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from aira_nb.ingest.pdf.lines import Line
from aira_nb.types import Region

__all__ = ["Vocabulary", "box", "is_japanese", "join", "join_rows"]

_CJK = re.compile(
    "[\u2e80-\u2fdf\u3000-\u303f\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\u2460-\u2473]"
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LAST_TOKEN = re.compile(r"\S+$")
_BROKEN = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_KEEPING = frozenset(
    """all cross ex half non quasi self well twenty thirty forty fifty sixty seventy eighty ninety""".split()
)
"""Prefixes that keep their hyphen unless the paper itself writes the word without one."""


_COMPOUNDING = frozenset(
    """art augmented aware based by centric dependent driven end free friendly generated grained guided hop induced level
    like only oriented related rich scale shot source specific supervised the to trained tuned up way wide wise""".split()
)
"""Second parts that follow a hyphen unless the paper itself writes the word without one."""


class Vocabulary:
    """The words that a paper uses inside its lines, as evidence for how a word cut at a line's end is spelt."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: set[str] = set()
        for text in lines:
            # The last word may be half a word, and so may the first.
            words = [match.group().casefold() for match in _WORD.finditer(text)]
            self._words.update(words[1:-1])
            self._words.update(part for word in words[1:-1] for part in word.split("-"))

    def keeps_hyphen(self, before: str, after: str) -> bool:
        """Whether ``before-after`` is a compound, and not one word cut in two."""
        left, right = before.casefold(), after.casefold()
        if left + right in self._words:
            return False
        if f"{left}-{right}" in self._words or left in _KEEPING or right in _COMPOUNDING:
            return True
        return len(left) > 2 and len(right) > 2 and left in self._words and right in self._words


def is_japanese(character: str) -> bool:
    """Whether a character is Japanese or full-width, so that no space belongs beside it at a line's end."""
    return _CJK.match(character) is not None


def join(before: str, after: str, vocabulary: Vocabulary) -> tuple[str, str]:
    """Return what `before` becomes when `after` follows it on the next line, and the separator between the two."""
    if not before or not after:
        return before, ""
    token = _LAST_TOKEN.search(before)
    if token and re.search(r"://|^www\.|doi\.org|^10\.\d{4}", token.group()) and token.group()[-1] in "/-._=&?%~#":
        return before, ""
    if before[-1] == "\u00ad":
        return before[:-1], ""
    if before[-1] in "-\u2010" and len(before) > 1 and not before[-2].isspace():
        return _join_hyphen(before, after, token.group() if token else "", vocabulary)
    if is_japanese(before[-1]) or is_japanese(after[0]):
        return before, ""
    return before, " "


def _join_hyphen(before: str, after: str, token: str, vocabulary: Vocabulary) -> tuple[str, str]:
    broken = _BROKEN.search(before)
    following = _FIRST_WORD.match(after)
    if broken is None or following is None or not following.group()[0].islower():
        return before, ""  # "Llama-3-" / "EvoVLM", "COVID-" / "19"
    if len(broken.group(1)) > 1 and broken.group(1).isupper():
        return before, ""  # "XL-" / "sum"
    if "-" in token[:-1] or "/" in token:
        return before, ""  # "state-of-the-" / "art"
    if vocabulary.keeps_hyphen(broken.group(1), following.group()):
        return before, ""
    return before[:-1], ""


def join_rows(rows: Sequence[Sequence[Line]], vocabulary: Vocabulary) -> tuple[str, tuple[Region, ...]]:
    """Return the running text of `rows` and the box of each line in it; cells of one row are parted by a space."""
    parts: list[str] = []
    regions: list[Region] = []
    length = 0
    for number, row in enumerate(rows):
        for index, line in enumerate(row):
            if parts:
                # Only the end of the line before matters; a paragraph can have thousands of them.
                last, gap = join(parts[-1], line.text, vocabulary) if index == 0 and number else (parts[-1], " ")
                if len(last) < len(parts[-1]):
                    length -= len(parts[-1]) - len(last)
                    parts[-1] = last
                    regions[-1] = _until(regions[-1], length)
                parts.append(gap)
                length += len(gap)
            regions.append(box(line, length))
            parts.append(line.text)
            length += len(line.text)
    return "".join(parts), tuple(region for region in regions if region.end > region.start)


def box(line: Line, start: int) -> Region:
    """Return the region of a whole line whose text begins at `start`."""
    return Region(
        start,
        start + len(line.text),
        line.page,
        round(line.left, 2),
        round(line.top, 2),
        round(line.right, 2),
        round(line.bottom, 2),
    )


def _until(region: Region, end: int) -> Region:
    return Region(region.start, end, region.page, region.left, region.top, region.right, region.bottom)
