"""Read one side's value for a comparison out of the sentences about it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from aira_nb.answer.comparator import Comparator
from aira_nb.answer.cues import ATTRIBUTES, Attribute
from aira_nb.answer.options import Option
from aira_nb.answer.select import Reading
from aira_nb.answer.sources import Sentence
from aira_nb.answer.values import Moment, moments, quantities

__all__ = ["Measured", "measure"]

_BY_NAME = {attribute.name: attribute for attribute in ATTRIBUTES}
# A sentence that only mentions a side has to speak of the property before its numbers are taken for it.
_NEEDED = 0.5
_DATED = ("birth", "death", "founding", "release", "opening", "debut")


@dataclass(frozen=True, slots=True)
class Measured:
    """A comparable value with what it counts, the sentences that state it and where in them it stands."""

    value: float
    sentences: tuple[Sentence, ...]
    spans: tuple[tuple[Sentence, int, int], ...]
    unit: str = ""


def measure(reading: Reading, option: Option, comparator: Comparator, terms: frozenset[str]) -> Measured | None:
    """Return the option's value, or None when no sentence about it states one."""
    if comparator.measure == "number":
        return _number(reading, option, terms)
    if comparator.measure == "lifespan":
        return _difference(_dated(reading, option, terms, "death"), _dated(reading, option, terms, "birth"))
    if comparator.measure == "age":
        other = next((a.name for a in reading.question.attributes if a.name in _DATED and a.name != "birth"), "debut")
        stated = _age(option, terms)
        return stated or _difference(_dated(reading, option, terms, other), _dated(reading, option, terms, "birth"))
    asked = [a.name for a in reading.question.attributes if a.name in _DATED]
    # "Which was released first": the release; "which came first": whatever date the text opens with.
    specific = [name for name in asked if name != "birth"] or asked
    return _dated(reading, option, terms, specific[0] if specific else None)


def _difference(later: Measured | None, earlier: Measured | None) -> Measured | None:
    if later is None or earlier is None:
        return None
    return Measured(later.value - earlier.value, (*earlier.sentences, *later.sentences), (*earlier.spans, *later.spans))


def _dated(reading: Reading, option: Option, terms: frozenset[str], name: str | None) -> Measured | None:
    attribute = _BY_NAME[name] if name else None
    best: tuple[float, Sentence, Moment] | None = None
    for position, sentence in enumerate(option.sentences):
        found = moments(sentence.text)
        if not found:
            continue
        cues = [m.span() for m in attribute.text.finditer(sentence.text)] if attribute else []
        held = sum(reading.weights[t] for t in terms if t in sentence.tokens) / (
            sum(reading.weights[t] for t in terms) or 1.0
        )
        if not option.home and held < _NEEDED and not cues:
            continue
        for moment in _eligible(found, sentence, attribute):
            near = max((1 / (1 + _gap(moment, cue) / 15) for cue in cues), default=0.0)
            whole = 0.05 * bool(moment.month)
            value = near + held + whole - 0.03 * position - 0.002 * moment.start
            if best is None or value > best[0] + 1e-9:
                best = value, sentence, moment
    if best is None:
        return None
    _, sentence, moment = best
    year, month, day = moment.date
    return Measured(
        year + (month or 7) / 12.01 + (day or 15) / 400, (sentence,), ((sentence, moment.start, moment.end),)
    )


def _eligible(found: Sequence[Moment], sentence: Sentence, attribute: Attribute | None) -> Sequence[Moment]:
    """In "(8 October 1939 – 12 July 2010)" the first date is the birth, the second the death."""
    if attribute is None or attribute.name not in ("birth", "death"):
        return found
    for one, two in itertools.pairwise(found):
        between = sentence.text[one.end : two.start]
        if re.fullmatch(r"[^\w。、]{0,4}|[^。、]{0,3}[-–—〜～~][^。、]{0,14}", between):
            return [one] if attribute.name == "birth" else [two]
    return found


def _gap(moment: Moment, cue: tuple[int, int]) -> int:
    return max(moment.start - cue[1], cue[0] - moment.end, 0)


def _number(reading: Reading, option: Option, terms: frozenset[str]) -> Measured | None:
    total = sum(reading.weights[t] for t in terms) or 1.0
    best: tuple[float, Sentence, int, int, float, str] | None = None
    for position, sentence in enumerate(option.sentences):
        held = sum(reading.weights[t] for t in terms if t in sentence.tokens) / total
        stated = [a for a in reading.question.attributes if a.text.search(sentence.text)]
        if (not held and not stated) or (not option.home and held < _NEEDED):
            continue
        named = [m.span() for m in re.finditer(re.escape(option.name), sentence.text)]
        for quantity in quantities(sentence.text):
            if any(start < quantity.end and quantity.start < end for start, end in named):
                continue
            near = max(
                (
                    1
                    / (
                        1
                        + max(u.start - sentence.start - quantity.end, quantity.start - (u.end - sentence.start), 0) / 8
                    )
                    for u in sentence.units
                    if u.token in terms
                ),
                default=0.0,
            )
            value = near + held + 0.3 * bool(stated) - 0.03 * position
            if best is None or value > best[0] + 1e-9:
                best = value, sentence, quantity.start, quantity.end, quantity.value, quantity.unit
    if best is None:
        return None
    _, sentence, start, end, number, unit = best
    return Measured(number, (sentence,), ((sentence, start, end),), unit)


def _age(option: Option, terms: frozenset[str]) -> Measured | None:
    """An age that a sentence states outright: 「…年齢は5歳。」."""
    for sentence in option.sentences:
        if not any(t in sentence.tokens for t in terms):
            continue
        for quantity in quantities(sentence.text):
            if quantity.unit.startswith(("歳", "才")):
                return Measured(quantity.value, (sentence,), ((sentence, quantity.start, quantity.end + 1),))
    return None
