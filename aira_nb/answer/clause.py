"""Cut a very long sentence to the clauses that matter; what is left is still an exact piece of the passage."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection

from aira_nb.answer.sources import Sentence

__all__ = ["LONGEST", "clause_of"]

LONGEST = 400  # characters
_BOUNDARY = re.compile(r"[;；:：、，。．！？]\s*|,\s+|\s[\u2013\u2014-]\s")


def clause_of(
    sentence: Sentence, weights: dict[str, float], keep: Collection[tuple[int, int]] = (), *, longest: int = LONGEST
) -> tuple[int, int]:
    """Return the span, inside ``sentence.text``, of its best clauses in at most `longest` characters.

    The clauses with the most of the question's weight are kept, and those that hold a span of `keep` before them. A
    short sentence is returned whole.
    """
    text = sentence.text
    if len(text) <= longest:
        return 0, len(text)
    cuts = sorted({0, len(text), *(m.end() for m in _BOUNDARY.finditer(text))})
    pieces = [piece for left, right in itertools.pairwise(cuts) for piece in _short(text, left, right, longest)]
    values = [_value(sentence, piece, weights, keep) for piece in pieces]
    first = last = max(range(len(pieces)), key=lambda i: values[i])
    while True:
        grown = [
            (values[i], -i, i)
            for i in (first - 1, last + 1)
            if 0 <= i < len(pieces)
            and max(pieces[last][1], pieces[i][1]) - min(pieces[first][0], pieces[i][0]) <= longest
        ]
        if not grown:
            break
        added = max(grown)[2]
        first, last = min(first, added), max(last, added)
    start, end = pieces[first][0], pieces[last][1]
    while start < end and (text[start].isspace() or text[start] in ",;:、，；："):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;:、，；："):
        end -= 1
    return start, end


def _short(text: str, left: int, right: int, longest: int) -> list[tuple[int, int]]:
    """Pieces no longer than `longest`, cut at spaces where there are any."""
    pieces = []
    while right - left > longest:
        space = text.rfind(" ", left + longest // 2, left + longest)
        stop = space + 1 if space > 0 else left + longest
        pieces.append((left, stop))
        left = stop
    pieces.append((left, right))
    return pieces


def _value(
    sentence: Sentence, piece: tuple[int, int], weights: dict[str, float], keep: Collection[tuple[int, int]]
) -> float:
    start, end = sentence.start + piece[0], sentence.start + piece[1]
    tokens = {unit.token for unit in sentence.units if start <= unit.start < end}
    wanted = sum(1 for left, right in keep if piece[0] <= left and right <= piece[1])
    return sum(weight for token, weight in weights.items() if token in tokens) + 1000.0 * wanted
