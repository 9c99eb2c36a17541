"""What a comparison compares by: a date, a number, an age, a lifespan; and whether the smaller or the larger wins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from aira_nb.answer.question import Question

__all__ = ["Comparator", "comparator_of"]


@dataclass(frozen=True, slots=True)
class Comparator:
    """`measure` names the value to read for each side; `pick` says which of the two values wins."""

    measure: Literal["date", "number", "age", "lifespan"]
    pick: Literal["min", "max"]


_ENGLISH = (
    (r"\blived longer\b|\blonger life\b|\bdied older\b", Comparator("lifespan", "max")),
    (r"\b(?:earlier|first|older|oldest|earliest|before)\b", Comparator("date", "min")),
    (r"\b(?:later|younger|youngest|newer|newest|recently|recent|latest|last)\b|\brecent", Comparator("date", "max")),
    (
        r"\b(?:more|most|larger|largest|bigger|biggest|higher|highest|longer|longest|taller|tallest|greater|wider)\b",
        Comparator("number", "max"),
    ),
    (r"\b(?:fewer|fewest|less|least|smaller|smallest|lower|lowest|shorter|shortest)\b", Comparator("number", "min")),
)
_JAPANESE = (
    (r"長生き|長く生き", Comparator("lifespan", "max")),
    (
        r"(?:開始|始め|デビュー|受賞|就任|取得|習い).{0,12}(?:年齢|歳).{0,3}(?:低|若|早)|若い年齢で",
        Comparator("age", "min"),
    ),
    (r"(?:開始|始め|デビュー|受賞|就任|取得|習い).{0,12}(?:年齢|歳).{0,3}(?:高|遅)", Comparator("age", "max")),
    (r"年上|歳上|年齢が?(?:上|高)|年長", Comparator("date", "min")),
    (r"年下|歳下|年齢が?(?:下|低)|若い|若く|若か", Comparator("date", "max")),
    (r"先に|先で|先な|先だ|早い|早く|早か|古い|古く|古か|より前", Comparator("date", "min")),
    (r"後に|後で|後から|遅い|遅く|遅か|新しい|新しく|最近", Comparator("date", "max")),
    (
        r"多い|多く|多か|高い|高く|高か|大きい|大きく|広い|広く|広か|長い|長く|長か|重い|上回",
        Comparator("number", "max"),
    ),
    (r"少ない|少なく|少なか|低い|低く|小さい|小さく|狭い|狭く|短い|短く|短か|軽い|下回", Comparator("number", "min")),
)
_COMPILED = {
    "en": tuple((re.compile(pattern, re.IGNORECASE), comparator) for pattern, comparator in _ENGLISH),
    "ja": tuple((re.compile(pattern), comparator) for pattern, comparator in _JAPANESE),
}


def comparator_of(question: Question) -> Comparator | None:
    """Return what the question compares by, or None when it asks for a property that one side has."""
    text = re.sub(r"[「『\"\u201c][^「」『』\"\u201c\u201d]*[」』\"\u201d]", "", question.text)
    if re.search(r"\bmore than (?:\d|one|two|ten|a )", text):
        return None
    for pattern, comparator in _COMPILED[question.language]:
        if pattern.search(text):
            return comparator
    return None
