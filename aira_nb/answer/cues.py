"""What questions ask about and how texts say it: pairs of patterns for the attributes that every corpus has.

Each attribute has one pattern for the question and one for the text, because the two rarely use the same word ("Who is
older?" is answered by "born"; 「年上」 by 「生年月日」). Closed lists of common words, no names.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["ATTRIBUTES", "Attribute", "asked_attributes"]


class Attribute(NamedTuple):
    """One attribute: how a question names it, how a text states it."""

    name: str
    question: re.Pattern[str]
    text: re.Pattern[str]


def _attribute(name: str, question: str, text: str = "") -> Attribute:
    return Attribute(name, re.compile(question, re.IGNORECASE), re.compile(text or question, re.IGNORECASE))


_LIFE = r"\((?:[^()]*?[^()\w])?(?:\d{1,2} )?(?:[A-Z][a-z]+ ?)?(?:\d{1,2}, )?[12]\d{3}\b"

ATTRIBUTES: tuple[Attribute, ...] = (
    _attribute(
        "birth",
        r"\bborn\b|\bbirth|\bolder\b|\byounger\b|\bold(?:er|est)\b|\bage\b|生まれ|うまれ|誕生|生年|年上|年下|年齢|若い|出生",
        rf"\bborn\b|\bbirth|\b(?:b|né)\. |{_LIFE}|生まれ|誕生日|生年|生没年|出生|（\d{{3,4}}年",
    ),
    _attribute(
        "death",
        r"\bdied\b|\bdeath\b|\bdies?\b|passed away|亡くな|死没|没年|死去|逝去|没し",
        r"\bdied\b|\bdeath\b|passed away|[\u2013-] ?(?:\d{1,2} )?(?:[A-Z][a-z]+ )?(?:\d{1,2}, )?[12]\d{3}\)|亡くな|死没|没年|死亡|死去|逝去|没",
    ),
    _attribute(
        "founding",
        r"\b(?:found|establish|form|creat|start|incorporat|launch|organi[sz])(?:ed|ing|ation|ment)?\b|in service|"
        r"設立|創立|創業|設置|開校|結成|開設|創設|発足|創刊|建立|築城",
        r"\b(?:found|establish|form|creat|start|incorporat|launch|organi[sz])ed\b|\b(?:began|since|chartered|opened)\b|"
        r"設立|創立|創業|設置|開校|結成|開設|創設|発足|創刊|建立|築城|前身|活動開始",
    ),
    _attribute(
        "release",
        r"\b(?:releas|publish|premier|issu|air|writ|film|shot|mak)(?:e|ed|es|ing|ten)?\b|came? out|to market|"
        r"発売|公開|放送|放映|リリース|上映|制作|製作|発表|連載|刊行|出版|創刊",
        r"\b(?:releas|publish|premier|issu|air)(?:e|ed|es)\b|\bis an? (?:\w+ )?[12]\d{3}\b|\b[12]\d{3} (?:\w+ ){0,4}(?:film|"
        r"album|song|single|novel|series|game)|発売|公開|放送開始|放映|リリース|上映|制作|製作|発表|連載|刊行|出版|創刊",
    ),
    _attribute(
        "opening",
        r"\bopen(?:ed|ing|s)?\b|開業|開通|供用開始|開園|開館|開港|全通",
        r"\bopen(?:ed|ing)\b|開業|開通|供用|開園|開館|開港|全通",
    ),
    _attribute(
        "debut",
        r"\bdebut|\bcareer|デビュー|活動を?(?:始め|開始)",
        r"\bdebut|\bsince\b|\bbegan\b|デビュー|活動開始|活動期間",
    ),
    _attribute(
        "population", r"\bpopulation|\bpopulous|inhabitants|residents|人口", r"\bpopulation|inhabitants|residents|人口"
    ),
    _attribute("area", r"\barea\b|広い|面積|狭い", r"\barea\b|square|km2|km²|sq mi|面積|平方"),
    _attribute(
        "height",
        r"\btall|\bheight|\bhigher?\b|身長|標高|背が|高さ",
        r"\btall|\bheight|elevation|\bfeet\b|\bmet(?:re|er)s\b|身長|標高|高さ",
    ),
    _attribute(
        "length",
        r"\blong(?:er|est)?\b|\blength|長い|長さ|距離|全長",
        r"\blong\b|\blength|\bmiles?\b|\bkm\b|長さ|距離|全長|延長",
    ),
    _attribute(
        "parent", r"\b(?:father|mother|parents?|son|daughter|child(?:ren)?)\b|父|母|親|息子|娘|長男|次男|長女|子供"
    ),
    _attribute("sibling", r"\b(?:brother|sister|sibling|twin)s?\b|兄|弟|姉|妹"),
    _attribute("spouse", r"\b(?:wife|husband|spouse|marri|wed)|妻|夫|配偶者|結婚|嫁"),
    _attribute("author", r"\b(?:author|wrot?e|written|writer|creator)|作者|原作|著者|書いた|執筆|作家"),
    _attribute("director", r"\bdirect(?:ed|or|s)|監督"),
    _attribute("singer", r"\b(?:sang|sing|singer|record|song)|歌手|アーティスト|歌った|歌唱"),
    _attribute("membership", r"\b(?:member|signed|plays? for|belong)|所属|在籍|メンバー"),
    _attribute("origin", r"\b(?:native|from|hometown|birthplace|nationality)\b|出身|出生地|生まれた場所|国籍"),
    _attribute("headquarters", r"\bheadquarter|\bbased\b|本社|本店|本部|所在地"),
    _attribute("location", r"\b(?:located|situated|lies?|where)\b|位置|所在|ある場所|どこ"),
)
"""Source: the attributes that the tuning questions of HotpotQA and JEMHopQA ask for, in words of common use."""


def asked_attributes(question: str) -> tuple[Attribute, ...]:
    """Return the attributes that `question` names."""
    return tuple(attribute for attribute in ATTRIBUTES if attribute.question.search(question))
