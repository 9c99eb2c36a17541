"""Japanese phrases (bunsetsu) out of tokens: content, particle, predicate, and the phrase that each depends on.

Where phrases begin follows from parts of speech alone. Which phrase depends on which is taken from the parser where
there is one (GiNZA), else guessed by the head-final rules of the language (:func:`_guess_heads`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aira_nb.text.parse import Token

__all__ = ["CUTS", "Bunsetsu", "Predicate", "bunsetsu", "is_noun"]

_FUNCTION = ("助詞", "助動詞")
_OPEN, _CLOSE = "「『【〈《“", "」』】〉》”"
# Verbs that are the second half of a particle: について, による, における, に対して, として, という.
_PARTICLE_VERBS = {
    "に": frozenset(
        "向ける 向かう際 かける 掛ける 亘る よる おく おける つく 関する 対する とる つける 当たる あたる 際する わたる 渡る 於く 因る 依る 就く".split()
    ),
    "と": frozenset("する 為る いう 言う".split()),
    "を": frozenset("通じる 通ずる 通す はじめる 始める めぐる 巡る 経る 除く 含める もって 以て".split()),
}
CUTS = frozenset(
    "後 のち ため 為 際 以後 以降 以前 以来 当時 現在 同時 間 直後 直前 途中 上 うえ あと まま ころ 頃".split()
)
"""Nouns of time and manner after which a new phrase begins although no particle stands between (合流した後ハンメ川)."""
_LIGHT = frozenset("する 為る 出来る できる 致す なさる".split())
_PASSIVE = frozenset("れる られる".split())
_CAUSATIVE = frozenset("せる させる しめる".split())
_NEGATIVE = frozenset("ない ぬ ず ん まい 無い なし ません".split())
_MODAL = frozenset("たい う よう らしい べし ようだ みたい そう だろう でしょう ば かもしれる たがる".split())


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a verbal phrase says, without its arguments.

    Attributes
    ----------
    relation : str
        Dictionary form with voice: 開発する, 開発される, 生まれる, 呼ばれる.
    stem : str
        The verbal noun of 開発する, else the verb's dictionary form.
    passive, uncertain, adnominal : bool
        `uncertain`: negated, wished, supposed, asked, caused, or under a condition, so that nothing is stated.
    """

    relation: str
    stem: str
    passive: bool
    uncertain: bool
    adnominal: bool


@dataclass(slots=True)
class Bunsetsu:
    """One phrase. `tokens` index the sentence's tokens; `start`, `end` are characters of the content noun phrase."""

    index: int
    tokens: Sequence[Token]
    nouns: Sequence[Token]
    particle: str
    predicate: Predicate | None
    copula: bool
    comma: bool
    head: int = -1

    @property
    def nominal(self) -> bool:
        """Whether it is a noun phrase and no predicate."""
        return bool(self.nouns) and self.predicate is None

    @property
    def start(self) -> int:
        """First character of its nouns."""
        return self.nouns[0].start

    @property
    def end(self) -> int:
        """One past the last character of its nouns."""
        return self.nouns[-1].end


def is_noun(token: Token) -> bool:
    """Whether a token can stand inside a name: nouns, prefixes, and the ヶ and ノ of place names (灯ヶ崎, 帆ノ浦)."""
    return token.text in ("ヶ", "ケ", "ヵ", "ノ") or token.tag.startswith(
        ("名詞", "代名詞", "接頭辞", "接尾辞-名詞的", "記号", "形状詞")
    )


def bunsetsu(tokens: Sequence[Token]) -> list[Bunsetsu]:
    """Group the tokens of one sentence into phrases with heads."""
    groups = _groups(tokens)
    phrases = [_phrase(i, [tokens[k] for k in group]) for i, group in enumerate(groups)]
    if tokens and tokens[0].head >= 0:
        _parsed_heads(tokens, groups, phrases)
    else:
        _guess_heads(phrases)
    return phrases


def _groups(tokens: Sequence[Token]) -> list[list[int]]:
    groups: list[list[int]] = []
    depth = 0
    for i, token in enumerate(tokens):
        if not groups or (depth == 0 and _begins(tokens, i)):
            groups.append([])
        groups[-1].append(i)
        if token.text in _OPEN:
            depth += 1
        elif token.text in _CLOSE and depth:
            depth -= 1
    return groups


def _begins(tokens: Sequence[Token], i: int) -> bool:
    token, previous = tokens[i], tokens[i - 1]
    tag, before = token.tag, previous.tag
    if (
        tag.startswith((*_FUNCTION, "接尾辞"))
        or tag.startswith(("補助記号-読点", "補助記号-句点", "補助記号-括弧閉"))
        or token.text in _CLOSE
    ):
        return False
    if before.startswith(("補助記号-読点", "補助記号-句点")):
        return True
    if previous.text in CUTS and i > 1 and is_noun(token) and not is_noun(tokens[i - 2]):
        return True
    if before.startswith("接頭辞") or previous.text in _OPEN:
        return False
    if tag.startswith("動詞"):
        if token.lemma in _LIGHT and is_noun(previous):
            return False
        if token.lemma in _PARTICLE_VERBS.get(previous.text, ()) and before.startswith("助詞"):
            return False
        if tag.startswith("動詞-非自立可能") and (
            previous.text in ("て", "で", "ちゃ") or before.startswith(("動詞", "助動詞"))
        ):
            return False
        if before.startswith("動詞") and previous.form.startswith("連用形"):
            return False
        # "では ある", "でも ある" after a nominal predicate.
        return not (token.lemma == "ある" and i > 1 and tokens[i - 2].text == "で" and previous.text in ("は", "も"))
    if tag.startswith("形容詞-非自立可能") and (
        previous.text in ("て", "で", "は", "も") or before.startswith(("動詞", "助動詞"))
    ):
        return False
    noun_before = is_noun(previous) or previous.text in _CLOSE or before.startswith("補助記号")
    return not ((is_noun(token) or tag.startswith("補助記号")) and noun_before)


def _phrase(index: int, tokens: list[Token]) -> Bunsetsu:
    comma = False
    while tokens and tokens[-1].tag.startswith(("補助記号-読点", "補助記号-句点")):
        comma = True
        tokens = tokens[:-1]
    split = 0
    depth = 0
    for token in tokens:
        quoted = depth > 0 or token.text in _OPEN
        if token.text in _OPEN:
            depth += 1
        elif token.text in _CLOSE and depth:
            depth -= 1
        if not (quoted or is_noun(token) or token.tag.startswith(("補助記号", "接尾辞"))):
            break
        split += 1
    nouns = tokens[:split]
    while nouns and nouns[-1].tag.startswith("補助記号") and nouns[-1].text not in _CLOSE:
        nouns = nouns[:-1]
    rest = tokens[split:]
    predicate = _predicate(nouns, rest)
    particle = (
        ""
        if predicate
        else "".join(
            t.text for t in rest if t.tag.startswith("助詞") or t.tag.startswith("動詞") or t.text in ("る", "た")
        )
    )
    copula = predicate is None and any(t.lemma in ("だ", "です") and t.tag.startswith("助動詞") for t in rest)
    if predicate is None and nouns and any(t.lemma in _NEGATIVE for t in rest):
        return Bunsetsu(index, tokens, nouns, "否定", None, False, comma)
    if copula:
        particle = ""
        if any(t.lemma in _MODAL or t.text == "か" for t in rest):
            return Bunsetsu(index, tokens, nouns, "否定", None, False, comma)
    return Bunsetsu(index, tokens, nouns, particle, predicate, copula, comma)


def _predicate(nouns: Sequence[Token], rest: Sequence[Token]) -> Predicate | None:
    verb = next((t for t in rest if t.tag.startswith("動詞")), None)
    if verb is None or (nouns and verb is not rest[0]):
        return None
    auxiliaries = rest[rest.index(verb) + 1 :]
    passive = next((t for t in auxiliaries if t.lemma in _PASSIVE and t.tag.startswith("助動詞")), None)
    uncertain = any(
        t.lemma in _NEGATIVE
        or (t.lemma in _MODAL and t.tag.startswith(("助動詞", "助詞", "形状詞")))
        or t.lemma in _CAUSATIVE
        or t.text in ("か", "ば", "なら", "たら")
        for t in auxiliaries
    ) or verb.lemma in ("できる", "出来る")
    if nouns:
        # 「1708年にそれぞれ参戦した」: an adverbial noun is no part of the verb.
        verbal = [t for t in nouns if not t.tag.startswith(("補助記号", "名詞-普通名詞-副詞可能", "代名詞"))]
        stem = "".join(t.text for t in verbal or nouns)
        relation = stem + ("される" if passive else "する")
    else:
        compound = [verb, *(t for t in auxiliaries if t.tag.startswith("動詞-一般"))]
        stem = verb.lemma if len(compound) == 1 else verb.text + compound[-1].lemma
        relation = stem
        if passive is not None:
            between = rest[rest.index(verb) : list(rest).index(passive)]
            relation = "".join(t.text for t in between) + passive.lemma
    last = next((t for t in reversed(rest) if t.form), verb)
    return Predicate(relation, stem, passive is not None, uncertain, last.form.startswith("連体形"))


def _parsed_heads(tokens: Sequence[Token], groups: Sequence[Sequence[int]], phrases: list[Bunsetsu]) -> None:
    home = {k: i for i, group in enumerate(groups) for k in group}
    for i, group in enumerate(groups):
        for k in group:
            target = home.get(tokens[k].head, i)
            if target != i and tokens[k].head != k:
                phrases[i].head = target
                break


def _guess_heads(phrases: list[Bunsetsu]) -> None:
    """Japanese is head-final: a noun modifier depends on the next noun, an argument on the next predicate."""
    for phrase in phrases:
        following = phrases[phrase.index + 1 :]
        adnominal = phrase.predicate is not None and phrase.predicate.adnominal and not phrase.comma
        if phrase.particle in ("の", "という", "における", "による", "に関する", "に対する") or adnominal:
            phrase.head = next((f.index for f in following if f.nouns), -1)
        elif phrase.particle in ("と", "や", "および") and not phrase.comma and following and following[0].nominal:
            phrase.head = following[0].index
        elif phrase.particle == "は":
            # The topic belongs to the clause that closes the sentence.
            phrase.head = next((f.index for f in reversed(following) if f.predicate or f.copula), len(phrases) - 1)
        else:
            phrase.head = next((f.index for f in following if f.predicate or f.copula), len(phrases) - 1)
        if phrase.head == phrase.index:
            phrase.head = -1
