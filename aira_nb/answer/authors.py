"""Who wrote it: a document's authors are known from its parse; the byline that names them is cited."""

from __future__ import annotations

import re

from aira_nb.answer.select import Reading
from aira_nb.answer.sources import Source
from aira_nb.text import match_key, search_tokens

__all__ = ["authors_of"]

# "The first author of the paper" in a longer question is a step on the way, not what is asked.
_ASKED = re.compile(
    r"^\W*who (?:wrote|authored|co-authored|(?:is|are|was|were) the (?:co-?)?authors?)\b|^\W*(?:what|which) (?:is|are) the authors?\b|"
    r"(?<!筆頭)(?:著者|筆者|執筆者)(?:は|って|を)[、，]?(?:誰|だれ|どなた|教え|[?？]?$)|(?:書いた|執筆した)(?:の|人)は[、，]?(?:誰|だれ)|(?:誰|だれ)が(?:書|執筆)",
    re.IGNORECASE,
)
# Words of the question that say nothing about which document is meant.
_ROLE = "who wrote write written author authored the paper article report study work on about of called titled 著者 筆者 執筆者 論文 報告 書いた 誰 だれ の は"
_HELD = 0.6  # share of the question's other words that the title must hold
_BETWEEN = 60  # characters between two authors of one byline: numbers, affiliations' marks
_LONGEST = 300


def authors_of(reading: Reading) -> tuple[int, int, int] | None:
    """Return source index, start and end of the byline in a passage; None when no byline answers the question.

    Only a document that the question means, by its title or its words, and whose authors the parse knows.
    """
    if not _ASKED.search(reading.question.text):
        return None
    role = set(search_tokens(_ROLE))
    words = [term for term in reading.question.terms if term not in role]
    if not words:
        return None
    for source in reading.sources:
        if source.document.authors and _is_meant(reading, source, words):
            found = _byline(source)
            if found:
                return (source.index, *found)
    return None


def _is_meant(reading: Reading, source: Source, words: list[str]) -> bool:
    title = match_key(source.document.title)
    if any(n.decisive and match_key(n.text) in title for n in reading.question.names):
        return True
    held = set(search_tokens(source.document.title))
    return sum(word in held for word in words) >= _HELD * len(words)


def _byline(source: Source) -> tuple[int, int] | None:
    text = source.passage.text
    spans = []
    for author in source.document.authors:
        pattern = r"\s*".join(re.escape(part) for part in author.split())
        match = re.search(rf"(?<![A-Za-z]){pattern}(?![A-Za-z])", text) if pattern else None
        if match:
            spans.append(match.span())
    if not spans:
        return None
    spans.sort()
    start, end = spans[0]
    for left, right in spans[1:]:
        if left - end > _BETWEEN or right - start > _LONGEST:
            break
        end = max(end, right)
    return start, end
