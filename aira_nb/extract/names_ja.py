"""Names in Japanese text: runs of nouns by Sudachi's tags, and coarse types by obvious rules.

The spans come from parts of speech and not from GiNZA's entity recogniser: on encyclopaedic prose its labels were
mostly wrong (カリフォルニア州: Character; 多国籍テクノロジー企業: Corporation), while Sudachi's dictionary knows
surnames, given names and places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from aira_nb.extract.bunsetsu import CUTS, is_noun
from aira_nb.extract.words_ja import HEAD_ENDINGS, NAME_ENDINGS, VAGUE
from aira_nb.text.parse import Token
from aira_nb.types import Mention

__all__ = ["ending_type", "is_proper", "name_type", "names_in", "trimmed"]

_QUOTES = {"「": "」", "『": "』"}
_QUOTED = re.compile(r"『([^『』\n]{1,60})』|「([^「」『』。\n]{2,24})」")
_HONORIFICS = (
    "さん",
    "氏",
    "様",
    "君",
    "博士",
    "先生",
    "ら",
    "たち",
    "達",
    "等",
    "など",
    "自身",
    "以外",
    "以上",
    "ごと",
    "側",
    "内",
    "的",
    "同士",
    "間",
    "用",
    "向け",
)
_PREFIXES = frozenset("本 同 各 約 当 全 某 両 元 現 旧 新 同じく".split())
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{3,}")
_LATIN = re.compile(r"[A-Z][A-Za-z0-9]|[A-Za-z]{2,}[0-9A-Z]")
_TRANSLITERATED = re.compile(r"[\u30a1-\u30fa\u30fcA-Z.Ａ-Ｚ]+(?:[・＝=][\u30a1-\u30fa\u30fcA-Z.Ａ-Ｚ]+)+")
_COMMON_NOUN = ("名詞-普通名詞", "名詞-固有名詞", "接頭辞", "接尾辞", "形状詞", "記号", "名詞-助動詞語幹")


def names_in(text: str, tokens: Sequence[Token], taken: Iterable[Mention], *, title: str = "") -> list[Mention]:
    """Return the names in one sentence.

    Parameters
    ----------
    text : str
        The whole passage, into which the offsets of tokens and mentions point.
    tokens : sequence of Token
        The sentence's tokens.
    taken : iterable of Mention
        Times, quantities and other mentions that no name may overlap.
    """
    spans = [(m.start, m.end) for m in taken]
    found: list[Mention] = []
    for start, end in _titles(text, tokens, title):
        if not _overlaps(spans, start, end):
            inside = [t for t in tokens if start <= t.start and t.end <= end]
            found.append(Mention(start, end, title, name_type(text, start, end, inside)))
            spans.append((start, end))
    for start, end in _quoted(text, tokens):
        if not _overlaps(spans, start, end):
            kind = "work" if text[start - 1] == "『" else (ending_type(text[start:end], NAME_ENDINGS) or "other")
            found.append(Mention(start, end, text[start:end], kind))
            spans.append((start, end))
    for run in _runs(tokens, spans):
        run = trimmed(run)
        if run and is_proper(run):
            start, end = run[0].start, run[-1].end
            found.append(Mention(start, end, text[start:end], name_type(text, start, end, run)))
    return sorted(found, key=lambda m: m.start)


def _overlaps(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(a < end and start < b for a, b in spans)


def _titles(text: str, tokens: Sequence[Token], title: str) -> Iterable[tuple[int, int]]:
    """The document's title where it stands between token edges: a name, whatever it is made of."""
    if len(title) < 2 or not tokens:
        return
    starts, ends = {t.start for t in tokens}, {t.end for t in tokens}
    position = text.find(title, tokens[0].start, tokens[-1].end)
    while position >= 0:
        if position in starts and position + len(title) in ends:
            yield position, position + len(title)
        position = text.find(title, position + len(title), tokens[-1].end)


def _quoted(text: str, tokens: Sequence[Token]) -> Iterable[tuple[int, int]]:
    """『…』 names a work; 「…」 a name or a coinage when it is short and no sentence."""
    if not tokens:
        return
    for match in _QUOTED.finditer(text, tokens[0].start, tokens[-1].end):
        group = 1 if match.group(1) else 2
        start, end = match.span(group)
        inner = text[start:end]
        if group == 2 and not (
            _KATAKANA.search(inner) or _LATIN.search(inner) or re.fullmatch(r"[\u3400-\u9fff々]{2,12}", inner)
        ):
            continue
        yield start, end


def _runs(tokens: Sequence[Token], spans: list[tuple[int, int]]) -> Iterable[list[Token]]:
    run: list[Token] = []
    for token in tokens:
        if token.text in CUTS:
            if run:
                yield run
            run = []
            continue
        free = not _overlaps(spans, token.start, token.end)
        joins = free and (
            (is_noun(token) and not token.tag.startswith("代名詞"))
            or (token.text in "・＝=-‐–'’.&/:：" and bool(run))
            or (token.tag.startswith("接尾辞") and bool(run))
        )
        if joins:
            run.append(token)
            continue
        if run:
            yield run
        run = []
    if run:
        yield run


def trimmed(run: Sequence[Token]) -> list[Token]:
    """Without the marks, prefixes and honorifics at the edges of a run of nouns."""
    run = list(run)
    if len(run) > 2 and run[0].tag.startswith("名詞-数詞") and run[1].text in ("）", ")"):
        run = run[2:]
    while run and (run[0].tag.startswith("補助記号") or run[0].text in _PREFIXES or run[0].tag.startswith("接尾辞")):
        run = run[1:]
    while run and (
        (run[-1].tag.startswith("補助記号") and run[-1].text not in "」』")
        or run[-1].text in _HONORIFICS
        or (run[-1].text in VAGUE and not run[-1].tag.startswith("接尾辞"))
        or (run[-1].tag.startswith("名詞-普通名詞-副詞可能") and len(run) > 1 and not run[-1].text.isascii())
    ):
        run = run[:-1]
    return run


def is_proper(run: Sequence[Token]) -> bool:
    """Whether a run of nouns names something: a proper noun, katakana, Latin capitals, or a compound of three nouns."""
    surface = "".join(t.text for t in run)
    if len(surface) < 2 or surface in VAGUE or all(t.tag.startswith("名詞-数詞") for t in run):
        return False
    if any(t.tag.startswith("名詞-固有名詞") or t.text in ("ヶ", "ケ", "ヵ", "ノ") for t in run):
        return True
    if len(run) == 1 and run[0].known and not _LATIN.search(surface):
        # モデル, タスク, テキスト are in the dictionary and name nothing; クパチーノ is not.
        return False
    if _KATAKANA.search(surface) or _LATIN.search(surface):
        return True
    nouns = [t for t in run if t.tag.startswith(_COMMON_NOUN)]
    return len(nouns) >= 3 and len(surface) >= 5 and not run[0].tag.startswith("名詞-数詞")


def ending_type(name: str, endings: tuple[tuple[str, str], ...]) -> str | None:
    """Type by the end of a name or of a noun phrase; None when no known ending fits."""
    return next((kind for ending, kind in endings if name.endswith(ending)), None)


def name_type(text: str, start: int, end: int, run: Sequence[Token]) -> str:
    """Type of the name ``text[start:end]``; "other" when unsure."""
    name = text[start:end]
    after = text[end : end + 3]
    if after.startswith(("さん", "氏", "博士", "先生", "容疑者", "監督", "投手", "選手")) and not after.startswith(
        "氏族"
    ):
        return "person"
    if name.startswith(("株式会社", "有限会社", "国立大学法人", "独立行政法人")):
        return "organization"
    kind = ending_type(name, NAME_ENDINGS)
    last = run[-1].tag
    if kind is not None and len(name) > 2 and not last.startswith("名詞-固有名詞-人名"):
        return kind
    if last.startswith("名詞-固有名詞-人名") or (
        _TRANSLITERATED.fullmatch(name) and any(t.tag.startswith("名詞-固有名詞-人名") for t in run)
    ):
        return "person"
    if last.startswith("名詞-固有名詞-地名"):
        return "place"
    if (
        any(t.tag.startswith("名詞-固有名詞-人名-姓") for t in run[:1])
        and len(run) == 2
        and len(name) <= 6
        and _given(run[1])
    ):
        return "person"
    if re.search(r"[a-z][A-Z]|[A-Za-z]-?\d|[A-Z]{2,}[a-z]", name):
        return "term"
    if (
        not any(t.tag.startswith("名詞-固有名詞") for t in run)
        and len(run) >= 2
        and not _TRANSLITERATED.fullmatch(name)
    ):
        return "term"
    return "other"


def _given(token: Token) -> bool:
    """A given name that the dictionary does not know: one to three ideographs or kana that are no common suffix."""
    return re.fullmatch(r"[\u3041-\u309f]{2,4}|[\u3400-\u9fff々]{1,3}", token.text) is not None and not any(
        token.text.endswith(ending) for ending, _ in (*NAME_ENDINGS, *HEAD_ENDINGS)
    )
