"""The short answer: candidates of the best sentences, ranked by a small linear model.

The model is a weighted sum of readable features. Its weights (``weights.py``) were fitted on the tuning questions of
HotpotQA and JEMHopQA. The probability that the ranking gives its best candidate decides whether a short answer is shown
at all: no short answer is better than a wrong one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from aira_nb.answer.candidates import Candidate
from aira_nb.answer.features import features_of
from aira_nb.answer.fit import RANGE, asks_range
from aira_nb.answer.gate import gate_of
from aira_nb.answer.select import Reading, joined
from aira_nb.answer.sources import Sentence
from aira_nb.answer.weights import WEIGHTS

__all__ = ["Found", "best_span", "find_spans"]

_SURE = {"en": 0.25, "ja": 0.3}  # below this probability no short answer is given


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate in its sentence; `start`, `end` count from the sentence's first character."""

    sentence: Sentence
    start: int
    end: int
    sort: str
    probability: float

    @property
    def text(self) -> str:
        """The short answer's own characters."""
        return self.sentence.text[self.start : self.end]


def best_span(reading: Reading, chosen: Sequence[Sentence]) -> tuple[Found | None, Sentence | None]:
    """Return the short answer and the sentence that should be shown for it.

    No short answer when the question's type allows none or no candidate is likely enough. A likely candidate's sentence
    that does not say what was asked is still worth reading when it belongs with a chosen one.
    """
    question = reading.question
    if question.expected == "any":
        return None, None
    allowed = gate_of(reading, chosen)
    if asks_range(question.text):
        for sentence in chosen:
            match = RANGE.search(sentence.text)
            if match and allowed(sentence):
                return Found(sentence, *match.span(), "date", 1.0), sentence
        return None, None
    likely = [f for f in find_spans(reading, chosen) if f.probability >= _SURE[question.language]]
    for found in likely:
        if allowed(found.sentence):
            return found, found.sentence
    read_on = next((f.sentence for f in likely if any(joined(reading, f.sentence, s) for s in chosen)), None)
    return None, read_on


def find_spans(reading: Reading, chosen: Sequence[Sentence]) -> list[Found]:
    """Return all candidates, most likely first; equal answers add up, the best sentence stands for them."""
    weights = WEIGHTS[reading.question.language]
    scored = [
        (sum(weights.get(name, 0.0) * value for name, value in features.items()), sentence, candidate, key)
        for sentence, candidate, key, features in features_of(reading, chosen)
    ]
    if not scored:
        return []
    top = max(score for score, *_ in scored)
    total = sum(math.exp(score - top) for score, *_ in scored)
    groups: dict[str, list[tuple[float, Sentence, Candidate]]] = {}
    for score, sentence, candidate, key in scored:
        groups.setdefault(key, []).append((math.exp(score - top) / total, sentence, candidate))
    found = []
    for members in groups.values():
        _, sentence, candidate = max(members, key=lambda m: (m[0], -m[1].source, -m[1].order))
        probability = sum(p for p, _, _ in members)
        found.append(Found(sentence, candidate.start, candidate.end, candidate.sort, probability))
    return sorted(found, key=lambda f: (-f.probability, f.sentence.source, f.sentence.order, f.start, f.end))
