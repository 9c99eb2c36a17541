"""Stretches of a sentence that could be a short answer: names, quoted titles, dates, numbers, predicates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from aira_nb.answer.names import NAME_PHRASE
from aira_nb.answer.values import moments, quantities
from aira_nb.types import Language

__all__ = ["Candidate", "candidates"]


class Candidate(NamedTuple):
    """``text[start:end]`` of one sentence and what sort of stretch it is."""

    start: int
    end: int
    sort: str


_QUOTED = re.compile(r"[\"\u201c]([^\"\u201d]{2,80})[\"\u201d]|『([^』]{1,60})』|「([^」]{1,60})」")
_NOT_NAMES = frozenset(
    """a an and as at but by for from he her his i if in is it its on or she so that the their there these they this those to
    was we when where which while who with after before during since although however because other some many most both such
    under over between also one two three all each january february march april may june july august september october november
    december""".split()
)
_PLACE_TAIL = re.compile(rf"(?:, {NAME_PHRASE.pattern}){{1,2}}")
_DEMONYM = re.compile(r"\b[A-Z][a-z]+(?:-[A-Z][a-z]+)?(?:ese|ish|ian|ean|can|an|ch|ic|ek|i)\b")
_NOUN_PHRASE = re.compile(
    r"\b(?:is|was|are|were|as|be|became|been|called|named|of|by|in|with|for|from|to|a|an|the)\s+((?:an?|the)\s+)?"
    r"((?:[\w'\u2019/-]+\s+){0,3}[\w'\u2019/-]+)",
)
_STOP = frozenset(
    """is was are were be been being has have had do does did and or but that which who whom whose where when while in on at of for
    from to with by as into over under after before during since until about between through than not also it he she they his her
    their its this these those would could will can may might only known called named located""".split()
)


def candidates(text: str, language: Language) -> list[Candidate]:
    """Return the candidates of one sentence, each stretch once, in order."""
    found: dict[tuple[int, int], Candidate] = {}
    for candidate in _japanese(text) if language == "ja" else _english(text):
        if candidate.end > candidate.start:
            found.setdefault((candidate.start, candidate.end), candidate)
    return sorted(found.values())


def _english(text: str) -> Iterator[Candidate]:
    yield from _dates(text)
    for quantity in quantities(text):
        sign = re.search(
            r"(?:(?<![\w.)])[-\u2212+±])?(?:US|A|C)?[$€£¥]\s?$|(?<![\w.)\s])[-\u2212+±]$|(?<=\s)[-\u2212+±]$",
            text[: quantity.start],
        )
        percent = text[quantity.end :].startswith("%")
        yield Candidate(sign.start() if sign else quantity.start, quantity.end + percent, "number")
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 1
        yield Candidate(*match.span(group), "quoted")
    for match in NAME_PHRASE.finditer(text):
        start, end = _trim(text, *match.span())
        if end <= start:
            continue
        yield Candidate(start, end, "name")
        tail = _PLACE_TAIL.match(text, end)
        if tail:
            yield Candidate(start, tail.end(), "place")
        for joint in re.finditer(r" (?:of|at|for|&|in)(?: the)? |, ", text[start:end]):
            left = start + joint.start()
            right = start + joint.end()
            if left > start:
                yield Candidate(start, left, "name")
            if right < end:
                yield Candidate(right, end, "name")
    for match in _DEMONYM.finditer(text):
        yield Candidate(*match.span(), "demonym")
    for match in _NOUN_PHRASE.finditer(text):
        start = match.start(2)
        words = list(re.finditer(r"\S+", match.group(2)))
        stop = next((i for i, w in enumerate(words) if w.group().casefold().strip(",.;") in _STOP), len(words))
        for size in range(1, min(stop, 3) + 1):
            end = start + words[size - 1].end()
            if text[start].islower() and not text[start:end].rstrip(",.;").isdigit():
                yield Candidate(start, start + len(text[start:end].rstrip(",.;:")), "phrase")
    # The head nouns before a stop, of up to two words: "a pop and jazz singer" -> "jazz singer".
    for match in re.finditer(
        r"(?<![\w-])((?:[a-z][\w-]+ )?[a-z][\w-]{2,})(?=,| and | or | who | which | that | in | from | for | at | of |\.|\))",
        text,
    ):
        if not any(word in _STOP for word in match.group(1).split()):
            yield Candidate(*match.span(1), "phrase")


def _dates(text: str) -> Iterator[Candidate]:
    for moment in moments(text):
        yield Candidate(moment.start, moment.end, "date" if moment.month else "year")
        if moment.month:
            year = re.search(r"[12]\d{3}年?(?!\d)", text[moment.start : moment.end])
            if year:
                yield Candidate(moment.start + year.start(), moment.start + year.end(), "year")


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out opening words that are capitals only because a sentence begins there, and a possessive ending."""
    while start < end:
        word = re.match(r"\S+\s*", text[start:end])
        if word is None or word.group().strip().casefold() not in _NOT_NAMES:
            break
        start += word.end()
    tail = re.search(r"['\u2019]s?$", text[start:end])
    return start, (end - len(tail.group()) if tail else end)


# --- Japanese ---------------------------------------------------------------------------------------------------

# 「XのRはV。」, 「XはVである。」: the predicate is what the sentence says of its topic.
_PREDICATE = re.compile(
    r"(?<!で)は[、，]?(?P<value>[^は。．]{1,60}?)(?:である|であった|です|でした|だった|だ|とされる|と呼ばれる|という)?(?:[。．]|$)"
)
# A predicate with an object, or in the past, is a clause and no name or value: 「SigLIP を使う」.
_VERBAL = re.compile(
    r"[をがにでと].*[うくすつぬむぐぶるたい]$|(?:する|した|される|れた|ない|ます)$|^[，、．）]|ように|によって|ながら|，|[うくすつぬむぐぶる]$"
)
_RUN = re.compile(
    r"[^\sぁ-ん、。，．,.？?！!（）()「」『』【】〈〉《》\[\]\"“”:：;；/／〜~→|※]+(?:[ 　.&][A-Za-z0-9][^\sぁ-ん、。（）()「」『』]*)*"
)
_ADDRESS = re.compile(
    r"(?P<pref>北海道|東京都|(?:京都|大阪)府|[一-龯]{2,3}県)?(?P<city>[^\s都道府県、。（）()]{1,6}?[市区郡])?(?P<town>[^\s、。（）()市区]{1,6}?[町村区])?"
)
_COUNTED = re.compile(r"^ ?(?:%|％|cm|km|kg|m|人|[^\W\d\sA-Za-zのはがをにでとも、。]{1,2})")


def _japanese(text: str) -> Iterator[Candidate]:
    yield from _dates(text)
    for match in re.finditer(
        r"(?:\d{1,2}|[０-９]{1,2})月(?:\d{1,2}|[０-９]{1,2})日|(?:明治|大正|昭和|平成|令和)(?:\d{1,2}|元)年", text
    ):
        yield Candidate(*match.span(), "date")
    for quantity in quantities(text):
        unit = _COUNTED.match(text[quantity.end :])
        sign = re.search(r"(?<![\w.)）])[-\u2212+±]$", text[: quantity.start])
        yield Candidate(quantity.start - bool(sign), quantity.end + (unit.end() if unit else 0), "number")
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 1
        yield Candidate(*match.span(group), "quoted")
    for match in _PREDICATE.finditer(text):
        if not _VERBAL.search(match["value"]):
            yield Candidate(*match.span("value"), "predicate")
    for match in _RUN.finditer(text):
        start, end = match.span()
        yield Candidate(start, end, "name")
        for address in _ADDRESS.finditer(text, start, end):
            if address.group() and address.lastgroup:
                yield Candidate(*address.span(), "place")
                for part in ("pref", "city", "town"):
                    if address[part]:
                        yield Candidate(*address.span(part), "place")
        for piece in re.finditer(
            r"[\u30a1-\u30fe＝=]{2,}|[\u3005\u3400-\u9fff]{2,}|[A-Za-z][\w.' -]*[\w.]", text[start:end]
        ):
            yield Candidate(start + piece.start(), start + piece.end(), "name")
    # A name that ends in the kana of its kind, or stands between particles: 「つげ義春」「かきふらい」.
    for match in re.finditer(
        r"(?:は|が|を|、|・)([ぁ-ん]{1,6}[\u30a1-\u30fe\u3400-\u9fff]{1,8}|[\u3400-\u9fff]{1,4}(?![がはをにでとも][\u3400-\u9fff])[ぁ-ん]{1,4}[\u3400-\u9fff]{1,4})",
        text,
    ):
        yield Candidate(*match.span(1), "name")
