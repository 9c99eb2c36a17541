"""Comparisons: which of two, and yes or no. Computed from what the sentences say about each side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from aira_nb.answer.comparator import Comparator, comparator_of
from aira_nb.answer.measure import Measured, measure
from aira_nb.answer.nations import nations_in
from aira_nb.answer.options import Option, options_of
from aira_nb.answer.select import Reading
from aira_nb.answer.sources import Sentence
from aira_nb.text import match_key, search_tokens

__all__ = ["Verdict", "compare"]

# Set on the tuning questions: the share of a property's words that a side's sentences must hold to have it.
_HAS = {"en": 0.65, "ja": 0.55}
# The share of the shorter value's words that the other value must hold to be the same.
_ALIKE = 0.6


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a comparison.

    Attributes
    ----------
    span : str or None
        "yes", "no", the winner's name, or None when the sentences do not decide it.
    sentences : tuple of Sentence
        The evidence, one or two for each side, in the question's order.
    highlights : tuple of (Sentence, int, int)
        What decided, as spans in the sentences' texts.
    """

    span: str | None
    sentences: tuple[Sentence, ...]
    highlights: tuple[tuple[Sentence, int, int], ...] = ()


def compare(reading: Reading) -> Verdict | None:
    """Decide a yes-no or a which-of-two question; None when its two sides cannot be told."""
    options = options_of(reading)
    if options is None:
        return None
    if reading.question.kind == "which_of_two":
        outcome = _winner(reading, options)
        return Verdict(outcome.option.name if outcome.option else None, outcome.sentences, outcome.highlights)
    return _yes_no(reading, options)


@dataclass(frozen=True, slots=True)
class _Outcome:
    option: Option | None
    sentences: tuple[Sentence, ...]
    highlights: tuple[tuple[Sentence, int, int], ...] = ()


def _winner(reading: Reading, options: tuple[Option, Option]) -> _Outcome:
    comparator = comparator_of(reading.question)
    if comparator is not None:
        values = tuple(measure(reading, option, comparator, _property(reading, options)) for option in options)
        if values[0] is not None and values[1] is not None:
            return _ranked(options, (values[0], values[1]), comparator)
        fallback = tuple(_best(reading, option, _property(reading, options)) for option in options)
        return _Outcome(None, _unique([*(s for v in values if v for s in v.sentences), *fallback]))
    return _by_property(reading, options)


def _ranked(options: tuple[Option, Option], values: tuple[Measured, Measured], comparator: Comparator) -> _Outcome:
    sentences = _unique([*values[0].sentences, *values[1].sentences])
    highlights = (*values[0].spans, *values[1].spans)
    if values[0].value == values[1].value or _unlike(values[0].unit, values[1].unit):
        return _Outcome(None, sentences, highlights)
    first_wins = (values[0].value > values[1].value) == (comparator.pick == "max")
    return _Outcome(options[0] if first_wins else options[1], sentences, highlights)


_UNITS = frozenset("% km m cm mm kg g ha ft 人 名 円 歳 才 km2 km² ㎢ 年 回 件 個 万 億 ドル".split())


def _unlike(one: str, other: str) -> bool:
    """Whether two numbers cannot be compared: 10 % and 126 people."""
    return one != other and one in _UNITS and other in _UNITS


def _by_property(reading: Reading, options: tuple[Option, Option]) -> _Outcome:
    terms = _property(reading, options)
    best = [_best(reading, option, terms) for option in options]
    held = [
        (_has(reading, [sentence], terms), _has(reading, option.sentences, terms))
        for sentence, option in zip(best, options, strict=True)
    ]
    if held[0] == held[1] or max(held[0][0], held[1][0]) == 0:
        return _Outcome(None, _unique(best))
    winner = int(held[1] > held[0])
    if not options[winner].home and not _is_topic(options[winner], best[winner]):
        return _Outcome(None, _unique(best))
    return _Outcome(options[winner], _unique(best))


def _is_topic(option: Option, sentence: Sentence) -> bool:
    """Whether the sentence is about the option and does not only mention it: 「Xは」, "X is", near the head."""
    at = sentence.text.casefold().find(option.name.casefold())
    if at < 0:
        return False
    after = sentence.text[at + len(option.name) :]
    return at <= _HEAD or after.startswith(("は", "が"))


_HEAD = 12  # characters before a topic: an article, 「一方、」


def _yes_no(reading: Reading, options: tuple[Option, Option]) -> Verdict:
    text = reading.question.text
    terms = _property(reading, options)
    comparator = comparator_of(reading.question)
    claimed = _claimed(text, options)
    if _SAME.search(text) or _DIFFERENT.search(text):
        return _same(reading, options, terms)
    if claimed is not None:
        outcome = _winner(reading, options) if comparator else _by_property(reading, options)
        if outcome.option is None:
            return Verdict(None, outcome.sentences, outcome.highlights)
        return Verdict("yes" if outcome.option is claimed else "no", outcome.sentences, outcome.highlights)
    best = tuple(_best(reading, option, terms) for option in options)
    if not terms:
        return Verdict(None, _unique(best))
    shares = [_share(reading, option, terms) for option in options]
    threshold = _HAS[reading.question.language]
    if any(share < threshold and not option.home for share, option in zip(shares, options, strict=True)):
        # A passage that only mentions a side may be silent about the property; silence is no "no".
        return Verdict(None, _unique(best))
    if "のみ" in text or "だけ" in text:
        return Verdict("yes" if shares[0] >= threshold > shares[1] else "no", _unique(best))
    return Verdict("yes" if min(shares) >= threshold else "no", _unique(best), _shown(reading, best, terms))


_SAME = re.compile(r"\bsame\b|\bshare\b|同じ|一緒|共通")
_DIFFERENT = re.compile(r"\bdifferent\b|違う|異な")


def _claimed(text: str, options: tuple[Option, Option]) -> Option | None:
    """The side that a yes would name: 「…のはAですか」, 「AはBより…」, "Does A have more ... than B"."""
    for match in re.finditer(
        r"は、?[「『]?(?P<name>[^、。「」『』は]+?)[」』]?(?:です|でしょう|でした|だった)か", text
    ):
        key = match_key(match["name"])
        for option in options:
            if match_key(option.name) == key or key.endswith(match_key(option.name)):
                return option
    more = re.search(r"より(?:も)?", text)
    if more:
        # 「AよりBの方が」 claims B; 「AはBより」 claims A.
        before = [o for o in options if o.start < more.start()]
        if len(before) == 2:
            return before[0]
        if len(before) == 1:
            return next(o for o in options if o is not before[0])
    if re.search(r"\bthan\b", text):
        return options[0]
    return None


def _same(reading: Reading, options: tuple[Option, Option], terms: frozenset[str]) -> Verdict:
    text = reading.question.text
    best = tuple(_best(reading, option, terms) for option in options)
    equal: bool | None
    highlights: tuple[tuple[Sentence, int, int], ...] = ()
    if re.search(r"\b(?:nationality|country|nation)\b", text):
        found = [_nation(option) for option in options]
        if found[0] is None or found[1] is None:
            return Verdict(None, _unique(best))
        equal = bool(set(found[0][1]) & set(found[1][1]))
        best = (found[0][0], found[1][0])
        highlights = tuple((s, *next(iter(n.values()))) for s, n in (found[0], found[1]))
    else:
        sides = options[0].tokens | options[1].tokens
        values = [_values(sentence, terms | sides) for sentence in best]
        if not values[0] or not values[1]:
            return Verdict(None, _unique(best))
        shared = values[0] & values[1]
        # One value may be the longer wording of the other, or both may be lists.
        equal = len(shared) >= _ALIKE * min(len(values[0]), len(values[1]))
    if _DIFFERENT.search(text):
        equal = not equal
    return Verdict("yes" if equal else "no", _unique(best), highlights)


def _nation(option: Option) -> tuple[Sentence, dict[str, tuple[int, int]]] | None:
    for sentence in option.sentences:
        found = nations_in(sentence.text)
        if found:
            return sentence, found
    return None


def _values(sentence: Sentence, asked: frozenset[str]) -> frozenset[str]:
    """The tokens of what a sentence says of its topic, without the words the question asks with."""
    topic = sentence.text.find("は")
    said = [u.token for u in sentence.units if u.token and u.start - sentence.start > topic]
    return frozenset(token for token in said if token not in asked)


# --- helpers ----------------------------------------------------------------------------------------------------

_LIGHT = "both same also either each including locate found consider describe type kind 種別 場合 場所 位置 存在"


@cache
def _light() -> frozenset[str]:
    return frozenset(search_tokens(_LIGHT))


def _property(reading: Reading, options: tuple[Option, Option]) -> frozenset[str]:
    """The question's terms without the names of the two sides."""
    sides = options[0].tokens | options[1].tokens
    rest = frozenset(term for term in reading.weights if term not in sides and term not in _light())
    return rest or frozenset(term for term in reading.weights if term not in sides)


def _held(reading: Reading, terms: frozenset[str], tokens: frozenset[str]) -> float:
    total = sum(reading.weights[t] for t in terms)
    return sum(reading.weights[t] for t in terms if t in tokens) / total if total else 0.0


def _has(reading: Reading, sentences: Sequence[Sentence], terms: frozenset[str]) -> float:
    """The share of the property that sentences hold: in its words, as an attribute, or a country by another name."""
    question = reading.question
    tokens = frozenset[str]().union(*(s.tokens for s in sentences))
    tokens = tokens.union(*(reading.stated(s) for s in sentences))
    stated = {code for s in sentences for code in nations_in(s.text)}
    for code, (start, end) in nations_in(question.text).items():
        if code in stated:
            tokens |= frozenset(search_tokens(question.text[start:end]))
    share = _held(reading, terms, tokens)
    # A number in the property (a year, a count) is the point of it.
    return min(share, 0.4) if any(t.isdigit() and t not in tokens for t in terms) else share


def _share(reading: Reading, option: Option, terms: frozenset[str]) -> float:
    """How much of the property a side has: all of its own passage together, else one sentence that names it."""
    if option.home:
        return _has(reading, option.sentences, terms)
    return max(_has(reading, [sentence], terms) for sentence in option.sentences)


def _best(reading: Reading, option: Option, terms: frozenset[str]) -> Sentence:
    """The side's sentence that says most about the property."""

    def value(sentence: Sentence) -> float:
        stated = sum(1 for a in reading.question.attributes if a.text.search(sentence.text))
        return _held(reading, terms, sentence.tokens) + 0.2 * stated - 0.01 * sentence.order

    prose = [s for s in option.sentences if s.prose] or list(option.sentences)
    return max(prose, key=value)


def _shown(
    reading: Reading, sentences: Sequence[Sentence], terms: frozenset[str]
) -> tuple[tuple[Sentence, int, int], ...]:
    """The property's words in the sentences that state it."""
    shown: list[tuple[Sentence, int, int]] = []
    for sentence in sentences:
        for i, unit in enumerate(sentence.units):
            if unit.token not in terms:
                continue
            # A Japanese morpheme has one unit for each character; the word ends with the unit that closes it.
            last = next((u for u in sentence.units[i:] if u.closes), unit)
            shown.append((sentence, unit.start - sentence.start, last.end - sentence.start))
    return tuple(shown)


def _unique(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    seen: dict[tuple[int, int], Sentence] = {}
    for sentence in sentences:
        seen.setdefault((sentence.source, sentence.order), sentence)
    return tuple(seen.values())
