"""Which sentences a short answer may come from: they speak of what was asked, and of whom it was asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from aira_nb.answer.select import Reading
from aira_nb.answer.sources import Sentence, names
from aira_nb.text import match_key, search_tokens

__all__ = ["gate_of", "predicate_share"]

_SHARE = 0.8  # of the best chosen sentence's predicate
_ALL = 0.95  # share from which a sentence says the whole predicate
_HOPS = 3  # sentences named by sentences named by the question's name


def predicate_terms(reading: Reading) -> dict[str, float]:
    """Return the question's weighted terms outside its names: what is said and asked of them."""
    named: set[str] = set()
    for name in reading.question.names:
        named.update(search_tokens(name.text))
    for source in reading.sources:
        if reading.asked_for(source):
            named.update(search_tokens(source.name))
    rest = {term: weight for term, weight in reading.weights.items() if term not in named}
    if reading.question.language == "ja":
        # After the topic: 「…の計算サーバーは、何年に稼働を開始しましたか」 asks when something began to run.
        # Without words there, the last ones before it: 「作者が生まれたのは何年」, 「監督の出身地は」.
        before, _, after = reading.question.text.rpartition("は")
        for part in (after, *reversed(re.split(r"[のがを、]", before))):
            asked = set(search_tokens(part))
            main = {term: weight for term, weight in rest.items() if term in asked}
            if main:
                return main
    return rest


def predicate_share(reading: Reading, terms: dict[str, float], sentence: Sentence) -> float:
    """Return the weighted share of `terms` in a sentence; what only its title and section say counts half."""
    total = sum(terms.values())
    if not total:
        return 1.0
    own = sentence.tokens | reading.stated(sentence)
    around = reading.sources[sentence.source].context
    return sum(w * (1.0 if t in own else 0.5 if t in around else 0.0) for t, w in terms.items()) / total


def gate_of(reading: Reading, chosen: Sequence[Sentence]) -> Callable[[Sentence], bool]:
    """Return the test whether a short answer may come from a sentence.

    It must hold the question's predicate nearly as well as the best chosen sentence does, and be about the question's
    names: by naming one, by standing in a passage that is about one, or by being led to from such a sentence.
    """
    terms = predicate_terms(reading)
    direct, about = _about(reading)
    best = max((predicate_share(reading, terms, s) for s in chosen), default=0.0)
    if any(direct(s) and predicate_share(reading, terms, s) >= _ALL for s in chosen):
        # All that is asked is said of the name itself: no detour over what the name's passage names.
        about = direct

    def allowed(sentence: Sentence) -> bool:
        return predicate_share(reading, terms, sentence) >= _SHARE * best - 1e-9 and about(sentence)

    return allowed


def _about(reading: Reading) -> tuple[Callable[[Sentence], bool], Callable[[Sentence], bool]]:
    """The tests whether a sentence is about the question's names itself, and whether it is led to from such a one."""
    keys = [match_key(name.text) for name in reading.question.names if name.decisive]
    if not keys:
        return (lambda _: True), (lambda _: True)
    sentences = [s for source in reading.sources for s in source.sentences]
    home = {source.index for source in reading.sources if _is_home(reading, source.index, keys)}
    reached = {(s.source, s.order) for s in sentences if s.source in home or any(names(s, key) for key in keys)}
    if not reached:
        return (lambda _: True), (lambda _: True)
    own = frozenset(reached)
    for _ in range(_HOPS):
        led = {index for index, links in reading.links.items() if links & reached}
        grown = reached | {(s.source, s.order) for s in sentences if s.source in led}
        if grown == reached:
            break
        reached = grown
    return (lambda s: (s.source, s.order) in own), (lambda s: (s.source, s.order) in reached)


def _is_home(reading: Reading, index: int, keys: Sequence[str]) -> bool:
    source = reading.sources[index]
    title = match_key(source.document.title)
    return reading.asked_for(source) or any(
        f" {key} " in f" {title} " if key.isascii() else key in title for key in keys
    )
