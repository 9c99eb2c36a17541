"""Which sentences answer: score each against the question, then walk from hop to hop until nothing new is covered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from aira_nb.answer.question import Question
from aira_nb.answer.sources import Sentence, Source, names, token_pairs
from aira_nb.text import analyze, match_key, search_tokens

__all__ = ["Reading", "choose", "joined", "read"]

# Our own starting values, set on the tuning questions of HotpotQA and JEMHopQA.
_CONTEXT_SHARE = 0.5  # a term that only the title or the section path holds counts half
_PAIR_SHARE = 0.4  # two terms side by side, as the question has them
_ATTRIBUTE_BONUS = 0.15
_RANK_COST = 0.01
_BRIDGE_BONUS = 0.2
_SPELLING = 0.85  # likeness at which two words count as one, by difflib's ratio
_MIN_GAIN = 0.08
_MIN_GAIN_APART = 0.16  # asked of a sentence in a passage that no chosen sentence leads to
_MIN_VALUE = 0.4
_WHOLE = 0.8  # coverage at which a first sentence answers a question of one hop


@dataclass(frozen=True, slots=True)
class Reading:
    """The question against its sources: the weight of each term and the score of each sentence."""

    question: Question
    sources: tuple[Source, ...]
    weights: dict[str, float]
    total: float
    scores: dict[tuple[int, int], float]
    links: dict[int, frozenset[tuple[int, int]]]
    question_key: str

    def score(self, sentence: Sentence) -> float:
        """How well one sentence alone covers the question, about 0 to 1.2."""
        return self.scores[sentence.source, sentence.order]

    def coverage(self, tokens: Collection[str]) -> float:
        """The weighted share of the question's terms that `tokens` hold."""
        return sum(weight for term, weight in self.weights.items() if term in tokens) / self.total

    def stated(self, sentence: Sentence) -> frozenset[str]:
        """The question's words for the attributes that the sentence states in other words ("born": "(1839–1901)")."""
        question = self.question
        return frozenset(
            token
            for attribute in question.attributes
            if attribute.text.search(sentence.text)
            for match in attribute.question.finditer(question.text)
            for token in search_tokens(match.group())
        )

    def asked_for(self, source: Source) -> bool:
        """Whether the question itself names the passage's title."""
        key = self.question_key
        name = source.name_key
        return len(name) > 1 and (f" {name} " in f" {key} " if name.isascii() else name in key)

    def bridged(self, one: Sentence, other: Sentence) -> bool:
        """Whether one of two sentences names the passage in which the other stands."""
        return one.source != other.source and (
            (one.source, one.order) in self.links[other.source] or (other.source, other.order) in self.links[one.source]
        )


def read(question: Question, sources: Sequence[Source], weight: Callable[[str], float]) -> Reading:
    """Score every sentence of `sources` against `question`."""
    weights = {term: weight(term) for term in _spelled(question.terms, sources)}
    asked_pairs = [p for p in token_pairs(list(analyze(question.text))) if p[0] in weights and p[1] in weights]
    total = sum(weights.values()) or 1.0
    scores: dict[tuple[int, int], float] = {}
    for source in sources:
        for sentence in source.sentences:
            own = sum(w for term, w in weights.items() if term in sentence.tokens)
            around = sum(w for term, w in weights.items() if term in source.context and term not in sentence.tokens)
            asked = question.attributes
            stated = sum(1 for attribute in asked if attribute.text.search(sentence.text))
            beside = sum(min(weights[one], weights[two]) for one, two in asked_pairs if (one, two) in sentence.pairs)
            scores[sentence.source, sentence.order] = (
                (own + _CONTEXT_SHARE * around + _PAIR_SHARE * beside) / total
                + (_ATTRIBUTE_BONUS * stated / len(asked) if asked else 0.0)
                - _RANK_COST * source.index
            )
    return Reading(question, tuple(sources), weights, total, scores, _links(sources), match_key(question.text))


def _spelled(terms: Sequence[str], sources: Sequence[Source]) -> list[str]:
    """The terms, a Latin one that no source holds replaced by the source's word that it is a slip of the pen for."""
    known = frozenset[str]().union(*(s.tokens for source in sources for s in source.sentences))
    spelled = []
    for term in terms:
        near = (
            [] if term in known or len(term) < 5 or not term.isascii() else get_close_matches(term, known, 1, _SPELLING)
        )
        spelled.append(near[0] if near else term)
    return list(dict.fromkeys(spelled))


def _links(sources: Sequence[Source]) -> dict[int, frozenset[tuple[int, int]]]:
    """For each source, the sentences of other documents that name it."""
    links: dict[int, frozenset[tuple[int, int]]] = {}
    for home in sources:
        links[home.index] = frozenset(
            (sentence.source, sentence.order)
            for source in sources
            if source.document.id != home.document.id and len(home.name_key) > 1
            for sentence in source.sentences
            if names(sentence, home.name_key)
        )
    return links


def choose(reading: Reading, *, max_sentences: int, first: Sequence[Sentence] = ()) -> list[Sentence]:
    """Choose up to `max_sentences` sentences, beginning with those in `first`, best first.

    A sentence is worth what it covers that is not covered yet, more when it stands in a passage that a chosen sentence
    names (the next hop), and a little for its own score.
    """
    pool = [s for source in reading.sources for s in source.sentences if s.prose]
    if not pool:
        pool = [s for source in reading.sources for s in source.sentences]
    chosen: list[Sentence] = []
    texts: set[str] = set()
    covered: set[str] = set()
    alone = False

    def take(sentence: Sentence) -> None:
        chosen.append(sentence)
        texts.add(sentence.joined)
        covered.update(sentence.tokens)
        covered.update(reading.sources[sentence.source].context)

    for sentence in first:
        if sentence.joined not in texts and len(chosen) < max_sentences:
            take(sentence)
    while len(chosen) < max_sentences:
        best: tuple[float, Sentence] | None = None
        for sentence in pool:
            if sentence.joined in texts:
                continue
            own = (
                sum(w for t, w in reading.weights.items() if t in sentence.tokens and t not in covered) / reading.total
            )
            value = own + 0.3 * reading.score(sentence)
            if chosen:
                if alone and not any(joined(reading, sentence, other) for other in chosen):
                    continue
                near = any(reading.bridged(sentence, other) or sentence.source == other.source for other in chosen)
                if any(reading.bridged(sentence, other) for other in chosen):
                    value += _BRIDGE_BONUS * min(1.0, own * 5 + reading.score(sentence))
                if own < (_MIN_GAIN if near else _MIN_GAIN_APART) and value < _MIN_VALUE:
                    continue
            if best is None or value > best[0] + 1e-9:
                best = value, sentence
        if best is None:
            break
        take(best[1])
        # One sentence that says it all needs no company from documents that have nothing to do with it.
        alone = alone or (len(chosen) == 1 and reading.coverage(covered) >= _WHOLE)
    return chosen


def joined(reading: Reading, one: Sentence, other: Sentence) -> bool:
    """Whether two sentences are of one document, or one names the passage of the other."""
    documents = {reading.sources[s.source].document.id for s in (one, other)}
    return len(documents) == 1 or reading.bridged(one, other)
