"""Whether a candidate can at all be what the question asks for. No short answer is better than a wrong one."""

from __future__ import annotations

import re
import unicodedata

from aira_nb.answer.question import Question
from aira_nb.text import match_key

__all__ = ["RANGE", "asks_range", "fits", "is_interrogative", "unit_asked"]

_INTERROGATIVE = re.compile(r"(?:[?？]|か[。．])[\"'”’」』）)\s]*$")
_TIME = re.compile(
    r"\d{4}|\d(?:st|nd|rd|th)?[ -]centur|時代|世紀|\d月|曜日|[12]\d{2}0s|[A-Z]\w+ (?:Day|Eve)\b|\b(?:[Ss]pring|[Ss]ummer|[Aa]utumn|[Ww]inter)\b"
)
_DIGIT = re.compile(
    r"[0-9０-９一二三四五六七八九十百千]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twice|once)\b",
    re.I,
)
# What a person does is not who the person is.
_OCCUPATION = re.compile(
    r"(?:者|[作画]家|小説家|政治家|作曲家|評論家|芸術家|建築家|写真家|実業家|音楽家|思想家|俳優|女優|声優|歌手|選手|監督|社長|[職社役議委会教]員|[医教技]師|"
    r"タレント|アナウンサー|ミュージシャン|モデル|プロデューサー|ピアニスト)$"
)
# 「問題は、生産性が低いことではなく、…」 names what the answer is not.
_DENIED = re.compile(r"[^、。，．]{0,12}(?:では|じゃ)な[くい]")
_LONGEST_NUMBER = 30  # characters of a number with what it counts
_VERB = re.compile(r"にある|した|する|され|ている|による|として|である")
_NUMERIC = re.compile(r"^[約数第]?\s?[0-9０-９一二三四五六七八九十百千万]+[^\W\d]{0,2}$")
# 「…が必要」 states something; it names nothing.
_CLAUSE = re.compile(
    r"[がをは].*(?:必要|可能|困難|重要|有効|不可欠|ない)$|において|について|に対して|によって|ため|ように|[をが].*[うくすつぬむぐぶるた]$"
)
_LONGEST_THING = 40  # characters of a Japanese name or noun phrase
_MONEY = re.compile(r"\b(?:cost|price|paid|pay|worth|budget|money|expensive|salary)\b", re.I)
_CURRENCY = re.compile(r"[$€£¥円]|\b(?:dollars?|euros?|pounds?|yen)\b", re.I)
_NUMBER_HEAD = re.compile(r"^(?:約|およそ|計|全|合計|最大|[US$€£¥])*\s?[0-9０-９一二三四五六七八九十百千]")

_SAME_UNIT = (
    frozenset(("人", "名")),
    frozenset(("%", "パーセント")),
    frozenset(("歳", "才")),
    frozenset(("m", "メートル")),
    frozenset(("km", "キロ", "キロメートル")),
    frozenset(("台", "基")),
    frozenset(("個", "つ", "種類", "種", "件")),
)
_UNIT_ASKED = re.compile(
    r"何\s?(パーセント|メートル|キロメートル|キロ|文字|ページ|ドル|時間|年間|週間|日間|種類|[か箇ヶカ][所国月]|cm|km|kg|[%％m]|[一-龯])"
)


_RANGE_ASKED = re.compile(
    r"(?:いつ|何年|何月)から(?:いつ|何年|何月)|\bfrom (?:when|what year|which year) (?:to|until|till)\b|\bbetween (?:which|what) (?:years|dates)\b",
    re.I,
)
_YEAR = r"(?:(?:明治|大正|昭和|平成|令和)?\d{1,4}年(?:\d{1,2}月)?(?:\d{1,2}日)?)"
_DATE = r"(?:(?:\d{1,2} )?(?:[A-Z][a-z]+ )?(?:\d{1,2}, )?[12]\d{3})"
RANGE = re.compile(
    rf"{_YEAR}から[、，]?{_YEAR}(?:まで)?|{_YEAR}\s?[-–〜～~]\s?{_YEAR}|(?:from |between )?{_DATE}(?: (?:to|until|and|till) |\s?[-–]\s?){_DATE}"
)
"""A stretch of time with both ends."""


def asks_range(text: str) -> bool:
    """Whether a question asks from when to when."""
    return _RANGE_ASKED.search(text) is not None


def is_interrogative(text: str) -> bool:
    """Whether a sentence asks; what asks does not answer."""
    return _INTERROGATIVE.search(text) is not None


def unit_asked(question: Question) -> tuple[str, ...]:
    """Return the spellings of the unit that a "how many" question names (「何名」: 名, 人); empty when it names none."""
    if question.kind != "how_many" or question.language != "ja":
        return ()
    found = _UNIT_ASKED.search(question.text)
    if found is None:
        return ("円",) if "いくら" in question.text else ()
    unit = unicodedata.normalize("NFKC", found.group(1))
    if unit in ("個", "つ"):
        return ()  # things of every kind are counted so; a text may have 「件」 or 「種類」
    return tuple(sorted(next((group for group in _SAME_UNIT if unit in group), frozenset((unit,)))))


def fits(question: Question, kind: str, sort: str, surface: str, after: str) -> bool:
    """Whether a candidate can answer a question of `kind`; `after` is what follows it in its sentence.

    A "when" wants a time, a "who" a name and no number, a "how many" a number with the unit that the question names.
    Never the question's own words, and never what the sentence denies.
    """
    if _repeats(question, surface) or _DENIED.match(after):
        return False
    japanese = question.language == "ja"
    if kind == "when":
        return (sort in ("date", "year") or _TIME.search(surface) is not None) and len(surface) <= _LONGEST_NUMBER
    if kind == "how_many":
        return _fits_number(question, sort, surface, after)
    if kind in ("who", "where", "nationality"):
        if sort in ("date", "year", "number") or _VERB.search(surface) or _NUMERIC.match(surface):
            return False
        if kind == "who":
            return not _OCCUPATION.search(surface) and (sort != "phrase" or japanese)
        # The one who was born there is not the place.
        return not (kind == "where" and re.match(r" (?:was|were|is|has|had)\b", after) and sort == "name")
    if japanese and kind == "what":
        return len(surface) <= _LONGEST_THING and not _CLAUSE.search(surface) and "？" not in surface
    return True


def _fits_number(question: Question, sort: str, surface: str, after: str) -> bool:
    if sort in ("date", "year") or len(surface) > _LONGEST_NUMBER or not _DIGIT.search(surface):
        return False
    if question.language == "en":
        if _MONEY.search(question.text):
            return _CURRENCY.search(surface + after[:10]) is not None
        return True
    units = unit_asked(question)
    plain = unicodedata.normalize("NFKC", surface)
    if sort == "predicate" and (not _NUMBER_HEAD.match(plain) or re.search("[のでにはが]", plain)):
        return False
    return not units or any(plain.rstrip("。").endswith(unit) for unit in units)


def _repeats(question: Question, surface: str) -> bool:
    key, own = match_key(surface), match_key(question.text)
    if not key:
        return True
    return f" {key} " in f" {own.rstrip('?')} " if key.isascii() else key in own
