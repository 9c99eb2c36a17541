"""The retrieved passages, read once: sentences, tokens, keys, and which passage names which."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from aira_nb.text import Unit, analyze, match_key, sentence_spans
from aira_nb.types import Document, Passage, ScoredPassage

__all__ = ["Hit", "Sentence", "Source", "join_keys", "names", "read_sources", "token_pairs", "token_weights"]

Hit = tuple[ScoredPassage, Passage, Document]

_PARENTHESIS = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
# Sections that list and do not state.
_LISTS = frozenset(("content", "table of content", "目次", "reference", "bibliography", "参考文献", "引用文献"))
_TERMINAL = re.compile(r"[.!?\u2026。！？｡][\"'\u201d\u2019)\]」』）]*$")
_LEADER = re.compile(r"\s(?:\.{2,}|…|・{3,})\s*\d*$|(?:\. ){3,}")  # a line of a table of contents
_LETTERS = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True, eq=False)  # one object for each sentence: identity is equality, and cheap
class Sentence:
    """One sentence of a source: ``source.passage.text[start:end]``, with its units and tokens."""

    source: int
    order: int
    start: int
    end: int
    text: str
    units: tuple[Unit, ...]
    tokens: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    joined: str
    prose: bool


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One retrieved passage, read.

    Attributes
    ----------
    name : str
        The title without a closing parenthesis: what other passages call it.
    name_key : str
        Its match key.
    context : frozenset of str
        Tokens of title and section path: what its sentences are about without saying so.
    keys, joined
        Unit keys of title, section and text, as a set and as one string, for finding names.
    """

    index: int
    passage: Passage
    document: Document
    name: str
    name_key: str
    context: frozenset[str]
    keys: frozenset[str]
    joined: str
    sentences: tuple[Sentence, ...] = field(repr=False)


def read_sources(hits: Sequence[Hit]) -> list[Source]:
    """Read each hit once, in order."""
    return [_read(index, passage, document) for index, (_, passage, document) in enumerate(hits)]


def _read(index: int, passage: Passage, document: Document) -> Source:
    name = _PARENTHESIS.sub("", document.title) or document.title
    heading = " ".join((document.title, *passage.section))
    heading_units = list(analyze(heading))
    units = list(analyze(passage.text))
    sentences: list[Sentence] = []
    cursor = 0
    headings = {match_key(document.title), *map(match_key, passage.section)}
    listing = any(match_key(heading) in _LISTS for heading in passage.section)
    for order, (start, end) in enumerate(sentence_spans(passage.text, passage.language)):
        while cursor < len(units) and units[cursor].start < start:
            cursor += 1
        stop = cursor
        while stop < len(units) and units[stop].end <= end:
            stop += 1
        own = tuple(units[cursor:stop])
        cursor = stop
        text = passage.text[start:end]
        joined = join_keys(own)
        sentences.append(
            Sentence(
                index, order, start, end, text, own, frozenset(u.token for u in own if u.token), token_pairs(own), joined,
                _is_prose(text, own) and joined not in headings and not listing,
            )
        )  # fmt: skip
    return Source(
        index=index,
        passage=passage,
        document=document,
        name=name,
        name_key=match_key(name),
        context=frozenset(u.token for u in heading_units if u.token),
        keys=frozenset(u.key for u in (*heading_units, *units)),
        joined=f"{join_keys(heading_units)} | {join_keys(units)}",
        sentences=tuple(sentences),
    )


def join_keys(units: Sequence[Unit]) -> str:
    """The keys as one string, a space between Latin words only, so that names are found as substrings."""
    parts: list[str] = []
    latin = False
    for unit in units:
        now = unit.key.isascii() or not _is_japanese(unit.key)
        if parts and now and latin:
            parts.append(" ")
        parts.append(unit.key)
        latin = now
    return "".join(parts)


def token_pairs(units: Sequence[Unit]) -> frozenset[tuple[str, str]]:
    """Each two tokens that stand side by side: 「模倣学習」 is more than 模倣 here and 学習 there."""
    pairs: set[tuple[str, str]] = set()
    last, end = "", -9
    for unit in units:
        if unit.token:
            if last and unit.start - end <= 1:
                pairs.add((last, unit.token))
            last, end = unit.token, unit.end
        elif not unit.opens:
            end = unit.end  # a further character of the same morpheme
        else:
            last = ""
    return frozenset(pairs)


def _is_japanese(key: str) -> bool:
    return any("\u3005" <= c <= "\u9fff" or "\uf900" <= c <= "\ufaff" for c in key)


def _is_prose(text: str, units: Sequence[Unit]) -> bool:
    """Whether a stretch states something: it ends like a sentence, is long enough, no row of figures, no question."""
    letters = len(_LETTERS.findall(text))
    if letters < 4 or letters * 2 < len(text.replace(" ", "")):
        return False
    if _LEADER.search(text) or text.rstrip("\"'」』）) ").endswith(("?", "？")):
        return False
    if text.count("|") > 2 or text.count("\t") > 2:
        return False
    return bool(_TERMINAL.search(text)) or len(units) >= 12


def names(sentence: Sentence, key: str) -> bool:
    """Whether the sentence holds the name with this match key."""
    if not key:
        return False
    if key.isascii():
        return f" {key} " in f" {sentence.joined} "
    return key in sentence.joined


def token_weights(sources: Sequence[Source], idf: Callable[[str], float] | None) -> Callable[[str], float]:
    """Return the weight of a token: the corpus' idf when given, else one estimated on the retrieved sentences.

    A token that the corpus does not know is as telling as the rarest one it knows, so a weight of 0 from `idf` becomes
    the largest weight among the sources' tokens.
    """
    if idf is None:
        count = Counter(token for source in sources for sentence in source.sentences for token in sentence.tokens)
        total = sum(len(source.sentences) for source in sources)

        def local(token: str) -> float:
            return math.log(1 + (total + 1) / (count[token] + 0.5))

        return local
    ceiling = max((idf(t) for source in sources for s in source.sentences for t in s.tokens), default=1.0)

    def given(token: str) -> float:
        value = idf(token)
        return value if value > 0 else max(ceiling, 1.0)

    return given
