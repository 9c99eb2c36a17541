"""What a question asks for: its type, the thing asked about, its names, its content terms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from aira_nb.answer.cues import Attribute, asked_attributes
from aira_nb.answer.names import Name, names_of
from aira_nb.text import detect_language, search_tokens
from aira_nb.types import Language

__all__ = ["Expected", "Kind", "Question", "analyze_question", "has_content"]

Kind = Literal["who", "when", "where", "how_many", "what", "yes_no", "which_of_two", "other"]
Expected = Literal["person", "date", "place", "number", "nationality", "thing", "any"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, analysed.

    Attributes
    ----------
    kind : str
        Its type; "other" (why, how) allows no short answer.
    expected : str
        What sort of thing a short answer would be.
    focus : str
        The thing asked for in the question's own words ("city", "nationality", 「血液型」); empty when none is named.
    terms : tuple of str
        Search tokens of its content, without question words, each once.
    attributes : tuple of Attribute
        The common attributes it names.
    """

    text: str
    language: Language
    kind: Kind
    expected: Expected
    focus: str
    names: tuple[Name, ...]
    terms: tuple[str, ...]
    attributes: tuple[Attribute, ...]


def analyze_question(text: str) -> Question:
    """Return the analysis of one question in English or Japanese."""
    text = text.strip()
    # A Japanese title inside does not make "Who wrote ...?" a Japanese question.
    language: Language = "en" if _ENGLISH_OPENER.match(text) else detect_language(text)
    kind, focus = _japanese(text) if language == "ja" else _english(text)
    return Question(
        text=text,
        language=language,
        kind=kind,
        expected=_expected(kind, focus, language),
        focus=focus,
        names=tuple(names_of(text, language)),
        terms=_terms(text),
        attributes=asked_attributes(text),
    )


_ENGLISH_OPENER = re.compile(
    r"\W*(?:(?:in|on|at|for|from|by|to|of) )?(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can)"
    r" [A-Za-z]",
    re.IGNORECASE,
)


def has_content(text: str) -> bool:
    """Whether a text holds a word: more than one letter or digit, or one kanji."""
    return len(re.findall(r"[^\W_]", text)) > 1 or re.search(r"[\u3400-\u9fff]", text) is not None


# --- content terms ----------------------------------------------------------------------------------------------

# Words that ask, and say nothing about what is asked.
_ASKING = (
    "what which who whom whose when where why how many much name named called known give tell describe please "
    "both either between among same following one also first many "
    "誰 だれ 何 なに なん いつ どこ どちら どっち どれ どの どんな いくつ いくら なぜ どう どのように ですか ますか でしょうか "
    "どちらも いずれも 二人 ふたり とも ともに 両方 うち ほう 方 年月日 名前 名称 教え 正しい 本当 同じ 違う より 現在 もの"
)


@cache
def _asking() -> frozenset[str]:
    # On the first question, not on import: the tokenizer is loaded then.
    return frozenset(search_tokens(_ASKING))


def _terms(text: str) -> tuple[str, ...]:
    tokens = [token for token in search_tokens(text) if token not in _asking()]
    # A question of nothing but asking words ("What is it called?") still has to be looked for somehow.
    return tuple(dict.fromkeys(tokens or search_tokens(text)))


# --- English ----------------------------------------------------------------------------------------------------

_AUXILIARY = re.compile(r"^(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|should)\b", re.IGNORECASE)
_ASKER = re.compile(
    r"\b(who|whom|whose|when|where|what|which|how (?:many|much|old|long|tall|far|high|big|large)|how|why)\b", re.I
)
# "or" before a name, at most two small words away ("or the band X").
_CHOICE = re.compile(r"(?<!/)\bor +(?:[a-z]+ +){0,2}[\"'\u201c]?[A-Z0-9]")
_AMONG = re.compile(r"^(?:[Ii]n )?(?:[Bb]etween|[Aa]mong|[Oo]f)\b.+\band\b|\b(?:between|of) [A-Z].+ and [A-Z][^?]*\??$")
_LEAD = re.compile(
    r"\W*(?:(?:in|on|at|for|from|by|to|of|with|under|during|within|about|according to)\s+)?(?:about\s+)?", re.IGNORECASE
)
_FOCUS = re.compile(
    r"\b(?:what|which)\s+(?:is|was|are|were)?\s*(?:the\s+)?(?:name\s+of\s+)?(?:the\s+|a\s+|an\s+)?((?:[\w'/-]+\s+){0,5}?[\w'/-]+?)"
    r"(?=\s+(?:is|was|are|were|did|do|does|has|have|had|of|that|which|who|in|on|for|from|with|by|to|at|can|could|would|will|where|"
    r"when|and|after|during|as|located|known|born|won|(?-i:[a-z]+ed))\b|[?,.]|$)",
    re.IGNORECASE,
)
_KIND_OF = re.compile(r"\b(?:kind|type|sort|form)s?\s+of\s+([\w-]+(?:\s[\w-]+)?)", re.IGNORECASE)


def _english(text: str) -> tuple[Kind, str]:
    low = text.casefold()
    if _AUXILIARY.match(text):
        comparing = _CHOICE.search(text) and not re.search(r"\bboth\b", low)
        return ("which_of_two" if comparing else "yes_no"), ""
    asker = _asker(text)
    if asker is None:
        return ("what", "") if low.rstrip(" ?").endswith(("what", "named", "called")) else ("other", "")
    word = asker.group(1).casefold()
    if word in ("who", "which", "what", "whose", "whom") and _offers_two(text):
        return "which_of_two", ""
    if word in ("why", "how"):
        return "other", ""
    if word.startswith("how "):
        following = re.match(r"\s+([\w-]+(?:\s[\w-]+)?)", text[asker.end() :])
        return "how_many", f"{word[4:]} {following.group(1)}" if following else word[4:]
    if word in ("who", "whom"):
        return "who", ""
    if word in ("when", "where"):
        return ("when" if word == "when" else "where"), ""
    focus = _focus(text[asker.start() :])
    head = _head(focus)
    if head in _TIMES:
        return "when", focus
    if head in _PLACES:
        return "where", focus
    if head in _PERSONS or _PERSON_ENDING.search(head):
        return "who", focus
    if head in ("number", "population", "percentage", "amount", "age", "height", "length"):
        return "how_many", focus
    return "what", focus


_MORE = re.compile(
    r"\b(?:first|last|later|earlier|older|younger|oldest|youngest|more|most|less|fewer|before|after|longer|shorter|\w+er)\b|\bor\b",
    re.IGNORECASE,
)


def _offers_two(text: str) -> bool:
    """Whether the question names two things to choose from."""
    if _CHOICE.search(text):
        return True
    return bool(_AMONG.search(text) and (_MORE.search(text) or re.match(r"(?:in )?(?:between|among)\b", text, re.I)))


def _asker(text: str) -> re.Match[str] | None:
    """The word that asks: at the head, else the last "what", else a "which", "who" ... that may be a relative clause."""
    found = list(_ASKER.finditer(text))
    head = next((m for m in found if _LEAD.fullmatch(text[: m.start()])), None)
    if head is not None:
        return head
    return max(found, key=lambda m: (_asks(text, m), m.start()), default=None)


def _asks(text: str, match: re.Match[str]) -> int:
    word = match.group(1).casefold()
    if word in ("what", "whom") or word.startswith("how "):
        return 3
    if word == "which":
        # "the film, which was ..." is a relative clause; "by which company" asks.
        relative = text[: match.start()].rstrip().endswith(",") or re.match(
            r"\s+(?:is|was|are|were|has|had)\b", text[match.end() :]
        )
        return 1 if relative else 2
    tail = not text[match.end() :].strip(" ?.")
    return 3 if tail or text[: match.start()].rstrip().endswith(",") else 0


def _focus(clause: str) -> str:
    kind_of = _KIND_OF.match(re.sub(r"^(?:what|which)\s+", "", clause, flags=re.I))
    if kind_of:
        return kind_of.group(1)
    match = _FOCUS.match(clause)
    return match.group(1).strip() if match else ""


def _head(focus: str) -> str:
    words = focus.casefold().split()
    if not words:
        return ""
    last = words[-1]
    return last[:-1] if last.endswith("s") and not last.endswith("ss") and len(last) > 3 else last


_TIMES = frozenset("year date day month decade century time season birthday birthdate".split())
_PLACES = frozenset(
    """city country countrie town state county place location village continent province region river island district borough
    municipality hamlet neighborhood neighbourhood suburb area street mall lake sea ocean mountain venue stadium airport headquarter
    capital hometown birthplace prefecture""".split()
)
_PERSONS = frozenset(
    """actor actress author singer person man woman king queen president wife husband father mother brother sister son daughter
    director writer artist player coach musician poet politician scientist founder host member artist guitarist composer
    drummer producer painter architect engineer philosopher agronomist footballer character celebrity comedian mathematician""".split()
)
_PERSON_ENDING = re.compile(r"(?:ist|ian|eer|wright|maker|player|writer|singer|man|woman|star)$")

# --- Japanese ---------------------------------------------------------------------------------------------------

_BOTH = re.compile(r"どちら(?:とも|も|の[^、。？?]{1,6}も)|どっちも|いずれも|[二2２]人とも|ふたりとも|両方とも|ともに")
_WHICH = re.compile(r"どちら|どっち|どれ|いずれ")
_CHOOSING = re.compile(r"(?:い|た|る|な)(?:の|ほう|方)は[？?。]?$")
_YES_NO_END = re.compile(
    r"(?:です|ます|でした|ました|でしょう|ません|ある|だろう|の|た|る)か[？?。]*$|のみ[？?]$|本当[？?]?$|[すた][？?]$"
)
_WHO = re.compile(r"誰|だれ|どなた|何者|どの(?:人|俳優|選手|監督|知事|歌手)")
_WHEN = re.compile(r"いつ|何年|何月|何日|何世紀|何時代|何曜日|どの年|何歳の時|西暦")
_WHERE = re.compile(
    r"どこ|何処|何県|何市|何区|何町|何村|何国|何州|何駅|どの(?:国|県|市|都市|町|州|場所|大学|地)|何都道府県|どちらの(?:国|県|出身)"
)
_COUNT = re.compile(
    r"何(?:文字|人|名|回|度|個|冊|巻|枚|本|台|部|話|歳|才|階|両|頭|校|社|店|件|種|曲|%|％|パーセント|割|倍|点|位|cm|km|kg|m|メートル|キロ|ページ|円|ドル|時間|年間|[かヶカケ]月|週間|日間|分|秒|カ国|か国)|いくつ|いくら|どのくらい|どれくらい|どれだけ|約何"
)
_WHAT = re.compile(r"何|なに|なん(?:で|と|の|です)|どの|どんな|どういう")
_WHY = re.compile(r"なぜ|どうして|どのように|どうやって|理由|どうすれば")
_JAPANESE_FOCUS = re.compile(
    r"([^\s、。「」『』のがはをにでとも]+)(?:のこと)?(?:は|って|とは|が|を|も)?(?:、)?(?:現在)?(?:何|誰|だれ|どこ|いつ|なに|なん|いくつ|いくら|どの|どれ)"
)
_TAIL_FOCUS = re.compile(r"([^\s、。「」『』のがはをにでと]+)は(?:[？?。]|$)")
_WHAT_SUFFIX = re.compile(r"(?:何|どの)([一-龯]{1,4}|[ァ-ヴー]+)")


_TAIL = 400  # characters at the end of a question that are looked at for what it asks


def _japanese(text: str) -> tuple[Kind, str]:
    text = text[-_TAIL:]
    focus = _japanese_focus(text)
    if _BOTH.search(text) and _YES_NO_END.search(text) and not _WHICH.search(_BOTH.sub("", text)):
        return "yes_no", ""
    choosing = _CHOOSING.search(text) and re.search(r"[とか、]", text)
    if choosing or _WHICH.search(_BOTH.sub("", text)):
        return "which_of_two", ""
    # The question word mostly stands near the end; before it others may belong to a clause. 「何件の記事を…」 has it first.
    for asking in (text[-24:], text):
        if _WHY.search(asking):
            return "other", focus
        for pattern, kind in ((_COUNT, "how_many"), (_WHO, "who"), (_WHERE, "where"), (_WHEN, "when"), (_WHAT, "what")):
            if pattern.search(asking):
                return _by_focus(kind, focus), focus
    if _YES_NO_END.search(text):
        return "yes_no", ""
    return _by_focus("what", focus), focus


def _japanese_focus(text: str) -> str:
    suffix = _WHAT_SUFFIX.search(text)
    if suffix and suffix.group(1) not in ("年月日", "年", "日"):
        return suffix.group(1)
    for pattern in (_JAPANESE_FOCUS, _TAIL_FOCUS):
        found = pattern.findall(text)
        if found:
            return str(found[-1])
    return ""


def _by_focus(kind: str, focus: str) -> Kind:
    if kind == "what":
        if re.search(r"(?:年月日|年|日|月|時期|時代|誕生日)$", focus):
            return "when"
        if re.search(
            r"(?:者|家|優|手|長|監督|夫|妻|父|母|親|兄|弟|姉|妹|社長|選手|知事|人物|プロデューサー|メンバー|オーナー|配偶者|人)$",
            focus,
        ):
            return "who"
        if re.search(r"(?:県|市|区|町|国|州|場所|会場|所在地|出身地|地|都市|首都|府県|駅)$", focus):
            return "where"
        if re.search(r"(?:数|人口|身長|距離|面積|割合|率|値段|価格|年齢|回数|量)$", focus):
            return "how_many"
    return kind  # type: ignore[return-value]


def _expected(kind: Kind, focus: str, language: Language) -> Expected:
    if kind == "what" and (_head(focus) in ("nationality", "nationalitie") or focus.endswith("国籍")):
        return "nationality"
    by_kind: dict[Kind, Expected] = {
        "who": "person",
        "when": "date",
        "where": "place",
        "how_many": "number",
        "what": "thing",
    }
    return by_kind.get(kind, "any")
