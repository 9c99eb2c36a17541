"""Abbreviations and the long forms that a text itself gives for them, in English and Japanese.

The Latin half is the algorithm of Schwartz and Hearst (2003), "A simple algorithm for identifying abbreviation
definitions in biomedical text", Pacific Symposium on Biocomputing 8, 451-462: the letters of the short form are found
from right to left in the words before the bracket, and the first one must begin a word. Japanese has no letters to
align, so there the long form is the unbroken run of nouns (kanji, katakana, Latin) that touches the bracket.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Abbreviation", "abbreviations"]


class Abbreviation(NamedTuple):
    """A short form, its long form, and the spans of both in the text."""

    short: str
    short_start: int
    short_end: int
    long: str
    long_start: int
    long_end: int


_BRACKETS = re.compile(r"[(（]([^()（）]{2,160})[)）]")
_PART = re.compile(r"[^,;/、，；／]+")
_SHORT = re.compile(r"[A-Za-z0-9][A-Za-z0-9&.\-]{0,8}[A-Za-z0-9+]|[A-Z]{2,10}")
_LAST_WORD = re.compile(r"([A-Za-z0-9][\w&.\-]*)\s*$", re.ASCII)
_KANJI = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_KATAKANA = "\u30a1-\u30fa\u30fc"
# Nouns carry hiragana only as the ending inside a compound (条件付き確率場, 重み付け), never before a particle.
_NOUN_RUN = rf"(?:[{_KANJI}{_KATAKANA}A-Za-z0-9\-・]|(?<=[{_KANJI}])[きけみりえめ](?=[{_KANJI}]))+"
_JAPANESE_LONG = re.compile(rf"{_NOUN_RUN}$")
_JAPANESE_WHOLE = re.compile(rf"{_NOUN_RUN}")
_JAPANESE = re.compile(rf"[{_KANJI}{_KATAKANA}]")
_KATAKANA_ONLY = re.compile(rf"[{_KATAKANA}・]+")
_LEAD = re.compile(
    r"\s*(?:以下(?:では)?[、,，]?|略称[はが:：、]?|略して|通称[は:：、]?|英[:：]?|英語[:：]|hereafter|henceforth|abbreviated(?: as| to)?|"
    r"abbr\.?|short for|also called|or)\s*[「『\"“]?",
    re.IGNORECASE,
)
_TRAIL = re.compile(r"[」』\"”]?\s*(?:と(?:略す|略記|する|呼ぶ|いう|表記)(?:する)?)?\s*$")
_DECLARED = re.compile(r"\s*(?:以下|略称|略して|通称)")
# Marks of a role, a medium or an era that stand in brackets after a name without abbreviating it.
_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_NEVER = frozenset("FW MF DF GK CD DVD TV OVA BC AD CE BCE PDF URL ISBN DOI ID USA UK US EN JA JP JPN ENG".split())


def abbreviations(text: str) -> list[Abbreviation]:
    """Return each ``(short, start, end, long, start, end)`` that `text` defines, in order of the bracket.

    Both directions: "long (SHORT)" and "SHORT (long)", with ASCII or full-width brackets, and both forms inside one
    bracket: 「大規模言語モデル（LLM, Large Language Model）」 gives LLM with the Japanese and with the English long form.

    Examples
    --------
    >>> [a.long for a in abbreviations("personalized PageRank (PPR)")]
    ['personalized PageRank']
    """
    # Full-width letters and brackets, one for one, so that the offsets hold.
    plain = text.translate(_WIDTH)
    found: list[Abbreviation] = []
    seen: set[tuple[int, int]] = set()
    for bracket in _BRACKETS.finditer(plain):
        for pair in _of_bracket(plain, bracket):
            if (pair.short_start, pair.long_start) not in seen:
                seen.add((pair.short_start, pair.long_start))
                found.append(_pair(text, (pair.short_start, pair.short_end), (pair.long_start, pair.long_end)))
    return found


def _of_bracket(text: str, bracket: re.Match[str]) -> Iterator[Abbreviation]:
    before_end = len(text[: bracket.start()].rstrip(" \u3000\t\n\"'”’」』"))
    if text[max(0, before_end - 2) : before_end] in ("'s", "’s"):
        before_end -= 2
    declared = _DECLARED.match(bracket.group(1)) is not None
    parts = list(_parts(text, bracket.start(1), bracket.end(1)))
    shorts = [(a, b) for a, b in parts if _is_short(text[a:b])]
    for start, end in shorts:
        long = _latin_long(text, start, end, before_end) or _japanese_long(text, start, end, before_end)
        if long is not None:
            yield _pair(text, (start, end), long)
        for left, right in parts:
            if (left, right) != (start, end):
                aligned = _align(text[start:end], text, left, right)
                if aligned == left:
                    yield _pair(text, (start, end), (left, right))
    if shorts:
        return
    if declared and parts:
        long = _japanese_long(text, *parts[0], before_end, declared=True)
        if long is not None:
            yield _pair(text, parts[0], long)
        return
    yield from _short_before(text, before_end, parts)


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    lead = _LEAD.match(text, start, end)
    start = lead.end() if lead else start
    trail = _TRAIL.search(text, start, end)
    end = trail.start() if trail else end
    for match in _PART.finditer(text, start, end):
        left, right = match.span()
        while left < right and text[left].isspace():
            left += 1
        while right > left and text[right - 1].isspace():
            right -= 1
        if left < right:
            yield left, right


def _is_short(form: str) -> bool:
    """Two to ten characters, at least two of them capitals (digits help): a word in brackets is not a short form."""
    if not _SHORT.fullmatch(form) or form.upper() in _NEVER:
        return False
    capitals = sum(c.isupper() for c in form)
    return capitals >= 2 or (capitals >= 1 and any(c.isdigit() for c in form) and form[0].isupper() and len(form) <= 5)


def _latin_long(text: str, start: int, end: int, before_end: int) -> tuple[int, int] | None:
    short = text[start:end]
    # At most min(|A| + 5, 2|A|) words, as published.
    words = list(re.finditer(r"\S+", text[max(0, before_end - 200) : before_end]))
    limit = min(len(short) + 5, 2 * len(short))
    if not words:
        return None
    left = max(0, before_end - 200) + words[max(0, len(words) - limit)].start()
    begin = _align(short, text, left, before_end)
    if begin is None and short.endswith("s"):
        begin = _align(short[:-1], text, left, before_end)
    return None if begin is None else (begin, before_end)


def _align(short: str, text: str, left: int, right: int) -> int | None:
    """Start of the shortest long form inside ``text[left:right]`` that ends at `right`, or None."""
    position = right - 1
    for index in range(len(short) - 1, -1, -1):
        letter = short[index].lower()
        if not letter.isalnum():
            continue
        while position >= left and (
            text[position].lower() != letter or (index == 0 and position > left and text[position - 1].isalnum())
        ):
            position -= 1
        if position < left:
            return None
        position -= 1
    begin = position + 1
    long = text[begin:right].rstrip("\"'”’»」』")
    if (
        len(long) <= len(short)
        or long.lower().startswith(short.lower())
        or short in re.findall(r"\w+", long)
        or any(c in long for c in "()[]{};:。、")
    ):
        return None
    return begin


def _japanese_long(
    text: str, start: int, end: int, before_end: int, *, declared: bool = False
) -> tuple[int, int] | None:
    window = max(0, before_end - 40)
    match = _JAPANESE_LONG.search(text[window:before_end])
    if match is None:
        return None
    left = window + _list_item(match.group()) + match.start()
    while left < before_end and text[left] in "・-":
        left += 1
    if not declared and text[left] in "対各約":
        left += 1
    long = text[left:before_end]
    if text[start:end] in long:
        return None
    japanese = len(_JAPANESE.findall(long))
    if text[start].isdigit():
        return None
    if japanese < (2 if declared else 3) or len(long) <= len(text[start:end]) or long[-1] in "年月日回人円等":
        return None
    return left, before_end


def _list_item(run: str) -> int:
    """Where the last item of a list (改変・乱獲・汚染) begins; ・ between other letters joins one name."""
    begin = 0
    for match in re.finditer("・", run):
        sides = run[match.start() - 1 : match.start()] + run[match.end() : match.end() + 1]
        if re.fullmatch(f"[{_KANJI}]{{2}}", sides):
            begin = match.end()
    return begin


def _short_before(text: str, before_end: int, parts: list[tuple[int, int]]) -> Iterator[Abbreviation]:
    """Yield the pairs of "SHORT (long)": the word before the bracket is the short form of a part inside."""
    word = _LAST_WORD.search(text, max(0, before_end - 12), before_end)
    if word is None or not parts or not _is_short(word.group(1)):
        return
    if word.start(1) > 0 and re.match(r"[A-Za-z0-9\-]", text[word.start(1) - 1]):
        return
    short = word.group(1)
    if len(short) > 7:
        return
    for left, right in parts:
        long = text[left:right]
        japanese = _JAPANESE.search(long) and _JAPANESE_WHOLE.fullmatch(long) and not _is_reading(long)
        singular = short.removesuffix("s")
        if japanese or left in (_align(short, text, left, right), _align(singular, text, left, right)):
            yield _pair(text, word.span(1), (left, right))


def _is_reading(long: str) -> bool:
    """Whether a bracket says how the letters are read (NATO（ナトー）) and not what they stand for."""
    return len(long) < 4 or (_KATAKANA_ONLY.fullmatch(long) is not None and len(long) < 8)


def _pair(text: str, short: tuple[int, int], long: tuple[int, int]) -> Abbreviation:
    return Abbreviation(text[slice(*short)], *short, text[slice(*long)], *long)
