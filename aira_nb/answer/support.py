"""Whether the retrieved passages support an answer at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aira_nb.answer.names import share_held
from aira_nb.answer.select import Reading
from aira_nb.answer.sources import Sentence

__all__ = ["Support", "support_of"]

# Set on the tuning questions, with their own passages as positives and other questions' passages as negatives.
_NAME_SHARE = 0.5
_COVERAGE = 0.45
_COVERAGE_ESTIMATED = 0.35


@dataclass(frozen=True, slots=True)
class Support:
    """What the passages hold of the question.

    Attributes
    ----------
    missing : tuple of str
        Names of the question that no passage holds.
    names : float
        The weighted share of the question's decisive names that some passage holds; 1 without names.
    coverage : float
        The weighted share of the question's terms in the chosen sentences and their titles and sections.
    """

    missing: tuple[str, ...]
    names: float
    coverage: float
    enough: bool


def support_of(
    reading: Reading, chosen: Sequence[Sentence], weight: Callable[[str], float], *, known_frequencies: bool = True
) -> Support:
    """Return the support that the sources, and the chosen sentences among them, give the question.

    Without the corpus' own term frequencies the weights are rougher, and less coverage is asked for.
    """
    question = reading.question
    missing: list[str] = []
    lost = 0
    decisive = [name for name in question.names if name.decisive]
    for name in decisive:
        held = max((share_held(name.text, s.keys, s.joined, weight) for s in reading.sources), default=0.0)
        if held < _NAME_SHARE:
            missing.append(name.text)
            lost += 1
    coverage = max((_together(reading, first, chosen) for first in chosen), default=0.0)
    names = 1 - lost / len(decisive) if decisive else 1.0
    enough = bool(chosen) and not missing and coverage >= (_COVERAGE if known_frequencies else _COVERAGE_ESTIMATED)
    return Support(tuple(dict.fromkeys(missing)), names, coverage, enough)


def _together(reading: Reading, first: Sentence, chosen: Sequence[Sentence]) -> float:
    """Coverage by `first` and the chosen sentences of its document or one hop away.

    Words scattered over unrelated documents support nothing.
    """
    document = reading.sources[first.source].document.id
    tokens: set[str] = set()
    for sentence in chosen:
        source = reading.sources[sentence.source]
        if source.document.id == document or reading.bridged(first, sentence) or reading.asked_for(source):
            tokens |= sentence.tokens | source.context | reading.stated(sentence)
    return reading.coverage(tokens)
