"""Times and quantities as they stand in a text, English and Japanese."""

from __future__ import annotations

import re

from aira_nb.types import Language, Mention

__all__ = ["values"]

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan\.|Feb\.|Mar\.|Apr\.|Jun\.|Jul\.|Aug\.|Sept?\.|Oct\.|Nov\.|Dec\.)"
)
_YEAR = r"(?:1\d{3}|20\d{2})"
_ENGLISH_TIME = re.compile(
    rf"""\b(?:
      {_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s{_YEAR})?\b
    | \d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}(?:,?\s{_YEAR})?\b
    | {_MONTH},?\s(?:of\s)?{_YEAR}\b
    | {_YEAR}s\b
    | {_YEAR}\s?[-–—]\s?(?:{_YEAR}|\d{{2}})\b
    | \d{{1,2}}(?:st|nd|rd|th)(?:\s|-)century\b
    | (?<!\d[.,]){_YEAR}(?![\d%,.]\d|\s?%|\d)(?:\sBCE?|\sAD)?\b
    | \d{{1,4}}\sBCE?\b
    )""",
    re.VERBOSE,
)
# "2000 people" counts, "2000 American film" dates.
_COUNTED = re.compile(
    r"\s(?:people|persons|seats?|students?|members?|words?|tokens?|dimensions?|questions?|passages?|documents?|"
    r"sentences?|examples?|samples?|images?|steps?|epochs?|[A-Z]?[a-z]+ (?:people|seats)|km|m|ft|feet|acres?|miles?|kg|lbs?)\b"
)
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_ENGLISH_QUANTITY = re.compile(
    rf"""(?:
      (?:US|A|C)?[$£€¥]\s?{_NUMBER}(?:\s?(?:million|billion|trillion|thousand|[kKMBm]n?))?\b
    | (?<![\w.,]){_NUMBER}\s?(?:%|percent\b|per\scent\b|percentage\spoints?\b)
    | (?<![\w.,/-]){_NUMBER}(?:\s(?:million|billion|trillion|thousand|hundred))?\s?-?
      (?:nautical\smiles|milliseconds|microseconds|millimet(?:er|re)s|centimet(?:er|re)s|bytes|km2|km²|km/h|km|mm|cm|kg|mg|GB|MB|TB|kB|GHz|MHz|Hz|kW|MW|GW|mph|ms|sq\smi|square\s(?:miles|kilometers|kilometres|feet|meters|metres)|
         miles?|kilomet(?:er|re)s?|met(?:er|re)s?|feet|foot|ft|inch(?:es)?|acres?|hectares?|ha|pounds?|lbs?|kilograms?|
         tons?|tonnes?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|people|inhabitants|residents|students|
         members|seats|copies|episodes|tokens|words|parameters|passages|documents|questions|sentences|points?|
         dollars|euros|yen|times|degrees|passengers|employees|volumes|pages|layers|GPUs?)\b
    | (?<![\w.,/-]){_NUMBER}\s(?:million|billion|trillion|thousand)\b
    )""",
    re.VERBOSE,
)

_ERA = r"(?:明治|大正|昭和|平成|令和|慶応|元治|文久|万延|安政|嘉永|弘化|天保|文政|文化|享和|寛政|天明|安永|明和|宝暦|寛延|延享|寛保|元文|享保|元禄|慶長|寛永|天正|永禄|応仁|文禄|貞享|天和|延宝|寛文)"
_DIGITS = r"[0-9０-９]"
_KANJI_DIGITS = r"[〇一二三四五六七八九十]"
_JAPANESE_TIME = re.compile(
    rf"""(?:
      (?:紀元前|(?<![\u3400-\u9fff])前|西暦|皇紀)?(?<!{_DIGITS})(?:{_DIGITS}{{1,4}}|{_KANJI_DIGITS}{{4}})年(?!間|前|後|生|連続|以上|ぶり|目|余|近く)
        (?:[（(](?:{_ERA}|皇紀)[^（）()]{{1,6}}年[)）])?(?:度|代)?
        (?:{_DIGITS}{{1,2}}月(?:{_DIGITS}{{1,2}}日)?(?:[（(][月火水木金土日祝・]+[)）])?|[春夏秋冬](?=に|、|の))?
        (?:(?:頃|ごろ|初頭|前半|後半|末|半ば))?
    | {_ERA}(?:元|{_DIGITS}{{1,2}}|{_KANJI_DIGITS}{{1,3}})年(?:[（(](?:西暦)?{_DIGITS}{{3,4}}年[)）])?(?:度|代)?
        (?:{_DIGITS}{{1,2}}月(?:{_DIGITS}{{1,2}}日)?)?
    | (?:紀元前)?{_DIGITS}{{1,2}}世紀(?:(?:初頭|前半|後半|末|半ば|中頃))?
    | (?<!{_DIGITS}){_DIGITS}{{1,2}}月{_DIGITS}{{1,2}}日
    | (?<!{_DIGITS}){_DIGITS}{{1,2}}月(?=に|、|の|から|まで|下旬|上旬|中旬)
    | (?<!{_DIGITS}){_DIGITS}{{4}}年代
    )""",
    re.VERBOSE,
)
_JAPANESE_NUMBER = r"(?:[0-9０-９][0-9０-９,，]*(?:[.．][0-9０-９]+)?(?:[百千]?[万億兆](?:[0-9０-９][0-9０-９,，]*)?)*)"
_JAPANESE_QUANTITY = re.compile(
    rf"""(?<![0-9０-９.．,，A-Za-z])(?:約|およそ)?{_JAPANESE_NUMBER}\s?
      (?:%|％|パーセント|ポイント|人以上|人|名|万人|世帯|個|件|枚|冊|本|曲|回|位|点|歳|才|円|ドル|ユーロ|ポンド|
         平方キロメートル|平方メートル|キロメートル|センチメートル|センチ|バイト|ミリメートル|メートル|km²|km2|㎢|㎞|km|cm|mm|m²|m2|m(?![A-Za-z])|ヘクタール|ha|
         キログラム|kg|トン|t(?![A-Za-z])|グラム|g(?![A-Za-z])|リットル|kW|MW|GHz|MHz|GB|MB|TB|馬力|
         年間|年ぶり|年以上|か月|ヶ月|カ月|箇月|週間|日間|時間|分間|分(?!の)|秒間|秒|代目|番目|期目|試合|勝|敗|本塁打|打点|
         トークン|単語|語|文字|文(?!字)|層|次元|倍|割|校|社|店|台|機|隻|両|棟|階建て|階|戸|種類|種|作品|話|巻|章|部|チーム|か国|ヶ国|カ国|度)
      (?:以上|以下|未満)?(?![0-9０-９])
    | [一二三四五六七八九十百千万]+(?:メートル|キロメートル|キロ|センチ|トン|円|歳|年間|か月|ヶ月|時間|分間|秒|倍|パーセント)""",
    re.VERBOSE,
)


def values(text: str, language: Language) -> list[Mention]:
    """Return the times and quantities of `text` as mentions, in order and without overlaps."""
    found: list[Mention] = []
    if language == "ja":
        _add(found, text, _JAPANESE_TIME, "time")
        _add(found, text, _JAPANESE_QUANTITY, "quantity")
    _add(found, text, _ENGLISH_QUANTITY, "quantity")
    _add(found, text, _ENGLISH_TIME, "time")
    return sorted(found, key=lambda m: m.start)


def _add(found: list[Mention], text: str, pattern: re.Pattern[str], kind: str) -> None:
    for match in pattern.finditer(text):
        start, end = match.span()
        if any(m.start < end and start < m.end for m in found):
            continue
        if kind == "time" and match.group().isdigit() and _COUNTED.match(text, end):
            continue
        found.append(Mention(start, end, match.group(), kind))
