"""One passage between its two readings: what the rules found, what a parser should look at, and how both are joined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aira_nb.errors import InputError
from aira_nb.extract import dependencies_en, rules_en
from aira_nb.extract.abbreviations import abbreviations
from aira_nb.extract.bunsetsu import bunsetsu
from aira_nb.extract.names_en import find_names
from aira_nb.extract.names_ja import names_in
from aira_nb.extract.rules_ja import JapaneseReader
from aira_nb.extract.sentence_ja import Sentence
from aira_nb.extract.values import values
from aira_nb.text import sentence_spans
from aira_nb.text.parse import Token, load_morphemes
from aira_nb.types import Language, Mention, Triple

__all__ = ["Draft", "read_english", "read_japanese"]

_PIECE = 2_000
_PARSED = 200
"""Longer sentences are not parsed: what a parser says of them is more often wrong than right."""

Found = tuple[list[Mention], list[Triple], dict[str, str]]
Parses = Sequence[Sequence[Token]]


@dataclass(slots=True)
class Draft:
    """A passage that the rules have read.

    Attributes
    ----------
    wanted : list of str
        Sentences that a parser should read.
    parses : list of lists of Token, or str
        What it made of them, or why it failed; set by the caller.
    join : callable
        Takes the parses and returns mentions, facts and the types that the text defines.
    """

    language: Language
    text: str
    wanted: list[str]
    join: Callable[[Parses], Found]
    parses: Parses | str = field(default_factory=list)

    def finish(self) -> tuple[list[Mention], list[Triple]]:
        """Return the mentions and facts, with the types that the text defines.

        Raises
        ------
        InputError
            When the parser could not read the passage.
        """
        if isinstance(self.parses, str):
            raise InputError(self.parses)
        return _retyped(self.text, *self.join(self.parses))


def read_english(text: str, title: str, parsed: bool) -> Draft:
    """Read an English passage. With `parsed`, a parser is asked for further facts and for the names' types."""
    names = find_names(text, title=title)
    spans = [(a, b) for a, b in sentence_spans(text, "en") if b - a <= 3 * _PARSED] if parsed else []

    def join(parses: Parses) -> Found:
        placed = [_placed(tokens, a) for (a, _), tokens in zip(spans, parses, strict=True)]
        typed = _labelled(names, [t for tokens in placed for t in tokens])
        facts, types = rules_en.find_facts(text, typed, topic=_topic(typed, title))
        known = {_key(f) for f in facts}
        for span, tokens in zip(spans, placed, strict=True):
            inside = [m for m in typed if span[0] <= m.start and m.end <= span[1]]
            for fact in dependencies_en.find_facts(tokens, inside, span):
                if _key(fact) not in known:
                    known.add(_key(fact))
                    facts.append(fact)
        return typed, facts, types

    return Draft("en", text, [text[a:b] for a, b in spans], join)


def read_japanese(text: str, title: str, parsed: bool) -> Draft:
    """Read a Japanese passage. With `parsed`, a parser is asked to confirm what the head-final rule found.

    One predicate takes every argument, so only a sentence with more of them needs a parser, and only one in which
    something was found. There a fact counts when both analyses give it: on encyclopaedic prose about four in five of
    the shared facts were right, and less than half of those that only one side gave.
    """
    measured = values(text, "ja")
    sentences = [Sentence(text, a, b) for a, b in _pieces(text)]
    morphemes = load_morphemes().parse([s.plain for s in sentences])
    tokens: list[Sequence[Token]] = [s.place(t) for s, t in zip(sentences, morphemes, strict=True)]
    names: list[list[Mention]] = []
    for sentence, placed in zip(sentences, tokens, strict=True):
        inside = [m for m in measured if sentence.start <= m.start and m.end <= sentence.end]
        names.append(sorted(inside + names_in(text, placed, inside, title=title), key=lambda m: m.start))
    reader = _japanese_reader(text, title, sentences, tokens, names)
    told = {f.start for f in reader.facts}
    doubtful = [i for i, s in enumerate(sentences) if parsed and s.start in told and _predicates(tokens[i]) >= 2]
    unread = {sentences[i].start for i in doubtful if len(sentences[i].plain) > _PARSED}
    doubtful = [i for i in doubtful if sentences[i].start not in unread]

    def join(parses: Parses) -> Found:
        facts = [f for f in reader.facts if f.start not in unread]
        if doubtful:
            again = list(tokens)
            for i, parse in zip(doubtful, parses, strict=True):
                again[i] = sentences[i].place(parse)
            shared = {_key(f) for f in _japanese_reader(text, title, sentences, again, names).facts}
            facts = [f for f in facts if _key(f) in shared]
        return [m for inside in names for m in inside], facts, reader.types

    return Draft("ja", text, [sentences[i].plain for i in doubtful], join)


def _japanese_reader(
    text: str,
    title: str,
    sentences: Sequence[Sentence],
    tokens: Sequence[Sequence[Token]],
    names: Sequence[Sequence[Mention]],
) -> JapaneseReader:
    reader = JapaneseReader(text, title=title)
    for sentence, placed, inside in zip(sentences, tokens, names, strict=True):
        if sentence.end - sentence.start <= 3 * _PARSED:
            reader.read(sentence, placed, inside)
    return reader


def _predicates(tokens: Sequence[Token]) -> int:
    return sum(p.predicate is not None or p.copula for p in bunsetsu(tokens))


def _key(fact: Triple) -> tuple[str, str, str]:
    return fact.head.text, fact.relation, fact.tail.text


def _placed(tokens: Iterable[Token], offset: int) -> list[Token]:
    return [
        Token(t.start + offset, t.end + offset, t.text, t.lemma, t.pos, t.tag, t.form, t.dep, t.head, t.entity)
        for t in tokens
    ]


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Sentences, and a sentence without end cut where it can be: no piece is longer than :data:`_PIECE`."""
    for start, end in sentence_spans(text, "ja"):
        while end - start > _PIECE:
            cut = max(text.rfind(mark, start + _PIECE // 2, start + _PIECE) for mark in ("、", " ", "\n", "，")) + 1
            cut = cut or start + _PIECE
            yield start, cut
            start = cut
        yield start, end


def _topic(names: Sequence[Mention], title: str) -> Mention | None:
    """The first mention of what the title names."""
    return next((m for m in names if title and m.text == title and m.type not in ("time", "quantity")), None)


def _labelled(names: Sequence[Mention], tokens: Sequence[Token]) -> list[Mention]:
    """Ask the pipeline's entity labels for the type of the names that our rules could not type."""
    labels = {t.end: dependencies_en.LABELS[t.entity] for t in tokens if t.entity in dependencies_en.LABELS}
    return [Mention(m.start, m.end, m.text, labels.get(m.end, m.type)) if m.type == "other" else m for m in names]


def _retyped(
    text: str, mentions: Sequence[Mention], triples: Sequence[Triple], types: Mapping[str, str]
) -> tuple[list[Mention], list[Triple]]:
    """Give names the types that the text defines, and an abbreviation the type of its long form."""
    known = dict(types)
    found = {m.text: m.type for m in mentions if m.type != "other"}
    for pair in abbreviations(text):
        kind = known.get(pair.long) or found.get(pair.long)
        if kind and found.get(pair.short, "term") == "term":
            known.setdefault(pair.short, kind)

    def settled(mention: Mention) -> Mention:
        if mention.type not in ("other", "term") or mention.text not in known:
            return mention
        return Mention(mention.start, mention.end, mention.text, known[mention.text])

    return (
        [settled(m) for m in mentions],
        [Triple(settled(t.head), t.relation, settled(t.tail), t.start, t.end) for t in triples],
    )
