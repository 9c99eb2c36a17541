"""Dates and numbers as they are written in English and in Japanese, read into comparable values."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Moment", "Quantity", "moments", "quantities"]


class Moment(NamedTuple):
    """A date in a text; month and day are 0 where the text does not give them. `start`, `end` span its characters."""

    start: int
    end: int
    year: int
    month: int = 0
    day: int = 0

    @property
    def date(self) -> tuple[int, int, int]:
        """Year, month and day, for comparing."""
        return self.year, self.month, self.day


class Quantity(NamedTuple):
    """A number in a text with the word or the counter that follows it."""

    start: int
    end: int
    value: float
    unit: str


# Full-width digits and marks, one for one, so that offsets stay those of the verbatim text.
_NARROW = str.maketrans("０１２３４５６７８９，．％：／－", "0123456789,.%:/-")

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_YEAR = r"(?P<year>[12]\d{3})(?![\d,]\d)"
# First year of each era. Source: the era names' enactment dates; the first year is called 元年.
_ERAS = {"明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019}
_ERA = "(?P<era>" + "|".join(_ERAS) + r")\s?(?P<count>\d{1,2}|元)年"

_ENGLISH = (
    re.compile(rf"(?<![\d,.])(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH},? {_YEAR}", re.IGNORECASE),
    re.compile(rf"\b{_MONTH} ?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? {_YEAR}", re.IGNORECASE),
    re.compile(rf"\b{_MONTH},? ?{_YEAR}", re.IGNORECASE),
    re.compile(r"(?<!\d)(?P<year>[12]\d{3})[-/](?P<month>0?[1-9]|1[0-2])[-/](?P<day>[0-3]?\d)(?!\d)"),
    re.compile(
        r"(?<![\d,.$€£¥#])(?P<year>1\d{3}|20\d{2})(?![\d%\u3041-\u9fff]|[,.]\d|\s?(?:km|m|ft|mi|people|metres|meters)\b)"
    ),
)
_JAPANESE = (
    re.compile(
        rf"(?<!\d)(?:(?P<year>\d{{3,4}})年|{_ERA})(?:[（(][^（）()]{{1,12}}[)）])?"
        r"(?:\s?(?P<month>\d{1,2})月(?:\s?(?P<day>\d{1,2})日)?)?"
    ),
)


def moments(text: str) -> list[Moment]:
    """Return the dates of `text` in order, the most complete reading of each; relative dates are not read."""
    narrow = text.translate(_NARROW)
    found: list[Moment] = []
    for pattern in _JAPANESE + _ENGLISH:
        for match in pattern.finditer(narrow):
            if not any(match.start() < other.end and other.start < match.end() for other in found):
                moment = _moment(match)
                if moment is not None:
                    found.append(moment)
    return sorted(found)


def _moment(match: re.Match[str]) -> Moment | None:
    groups = match.groupdict()
    if groups.get("era"):
        count = 1 if groups["count"] == "元" else int(groups["count"])
        year = _ERAS[groups["era"]] + count - 1
    else:
        year = int(groups["year"])
    month = (groups.get("month") or "0").casefold()
    number = int(month) if month.isdigit() else _MONTHS[month]
    day = int(groups.get("day") or 0)
    if number > 12 or day > 31:
        return None
    return Moment(match.start(), match.end(), year, number, day)


_WORDS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:[ -]?(?P<scale>hundred|thousand|million|billion|trillion)\b)?"
    r"(?:[ -]?(?P<unit>%|[A-Za-z]+))?",
    re.IGNORECASE,
)
_WORD_NUMBER = re.compile(
    r"\b(?P<word>" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")(?:-(?P<ones>one|two|three|four|five|six"
    r"|seven|eight|nine))?(?: (?P<scale>hundred|thousand|million|billion|trillion))?\b(?:[ -](?P<unit>[A-Za-z]+))?",
    re.IGNORECASE,
)
_KANJI_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")}
_COUNTER = "(?:人|名|つ|回|度|冊|巻|枚|個|本|台|部|話|歳|才|階|両|頭|匹|校|社|店|件|種|曲|か国|カ国|ヶ国|か所|箇所|ヶ月|か月|世帯|時間|分|秒|点|位)"
_JAPANESE_NUMBER = re.compile(
    r"(?<![\d.,])(?=\d)(?:(?P<oku>\d[\d,]*(?:\.\d+)?)億)?(?:(?P<man>\d[\d,]*(?:\.\d+)?)万)?"
    r"(?:(?P<sen>\d(?:\.\d+)?)千)?(?P<ones>\d[\d,]*(?:\.\d+)?)?(?P<unit>%|[A-Za-z]{1,4}|[^\W\d\sA-Za-zのはがをにでとも]{0,3})"
)
_KANJI_NUMBER = re.compile(rf"(?P<kanji>[一二三四五六七八九十百千]+)(?P<unit>{_COUNTER})")


def quantities(text: str) -> list[Quantity]:
    """Return the numbers of `text` in order, with what they count; the numbers inside dates are left out.

    `unit` is the next English word in lower case, or up to three characters after a Japanese number. The span covers
    the number and, in Japanese, its scale (万, 億), not the unit.
    """
    narrow = text.translate(_NARROW)
    taken: list[tuple[int, int]] = [(m.start, m.end) for m in moments(text)]
    found: list[Quantity] = []
    for pattern, read in (
        (_JAPANESE_NUMBER, _japanese_quantity),
        (_NUMBER, _digit_quantity),
        (_KANJI_NUMBER, _kanji_quantity),
        (_WORD_NUMBER, _word_quantity),
    ):
        for match in pattern.finditer(narrow):
            quantity = read(match)
            if quantity is None or any(quantity.start < end and start < quantity.end for start, end in taken):
                continue
            found.append(quantity)
            taken.append((quantity.start, quantity.end))
    return sorted(found)


def _float(digits: str | None) -> float:
    return float(digits.replace(",", "")) if digits else 0.0


def _japanese_quantity(match: re.Match[str]) -> Quantity | None:
    unit = match["unit"]
    scaled = any(match[group] for group in ("oku", "man", "sen"))
    # Plain digits that no Japanese counter follows are left to the English reading.
    if not scaled and (not unit or unit.isascii()):
        return None
    value = _float(match["oku"]) * 1e8 + _float(match["man"]) * 1e4 + _float(match["sen"]) * 1e3 + _float(match["ones"])
    return Quantity(match.start(), match.start("unit"), value, unit)


def _digit_quantity(match: re.Match[str]) -> Quantity:
    scale = match["scale"]
    value = _float(match["digits"]) * (_SCALES[scale.casefold()] if scale else 1.0)
    end = match.end("scale") if scale else match.end("digits")
    return Quantity(match.start(), end, value, (match["unit"] or "").casefold())


def _word_quantity(match: re.Match[str]) -> Quantity | None:
    if match["word"].casefold() == "one" and (match["unit"] or "").casefold() in {"of", "another", "day", "is", "who"}:
        return None
    value = float(_WORDS[match["word"].casefold()] + _WORDS.get((match["ones"] or "zero").casefold(), 0))
    end = match.end("ones") if match["ones"] else match.end("word")
    if match["scale"]:
        value *= _SCALES[match["scale"].casefold()]
        end = match.end("scale")
    return Quantity(match.start(), end, value, (match["unit"] or "").casefold())


def _kanji_quantity(match: re.Match[str]) -> Quantity:
    total = current = 0
    for character in match["kanji"]:
        if character in _KANJI_DIGITS:
            current = current * 10 + _KANJI_DIGITS[character]
        else:
            total += max(current, 1) * {"十": 10, "百": 100, "千": 1000}[character]
            current = 0
    return Quantity(match.start(), match.start("unit"), float(total + current), match["unit"])
