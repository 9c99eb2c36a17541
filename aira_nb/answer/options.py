"""The two things that a comparison compares, and the sentences about each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from aira_nb.answer.names import names_of
from aira_nb.answer.select import Reading
from aira_nb.answer.sources import Sentence, Source, names
from aira_nb.text import match_key, search_tokens

__all__ = ["Option", "options_of"]


@dataclass(frozen=True, slots=True)
class Option:
    """One side of a comparison.

    Attributes
    ----------
    name : str
        As the question writes it, without quotes.
    start : int
        Where it stands in the question.
    sentences : tuple of Sentence
        The sentences about it: those of its own passages, else those that name it. Best source first.
    home : bool
        Whether they are those of its own passages.
    """

    name: str
    start: int
    sentences: tuple[Sentence, ...]
    tokens: frozenset[str]
    home: bool


def options_of(reading: Reading) -> tuple[Option, Option] | None:
    """Return the two sides, in the question's order, or None when they cannot be told or one has no sentence."""
    spans = _by_title(reading)
    if len(spans) < 2:
        spans = _merge(spans, _by_wording(reading))
    options = [option for start, end in spans if (option := _option(reading, start, end)) is not None]
    if len(options) < 2:
        return None
    return options[0], options[1]


def _by_title(reading: Reading) -> list[tuple[int, int]]:
    """Where the question holds the titles of the retrieved passages, longest first, in question order."""
    text = reading.question.text
    found: list[tuple[int, int]] = []
    for name in sorted({source.name for source in reading.sources}, key=len, reverse=True):
        for start, end in _occurrences(text, name):
            if not any(start < e and s < end for s, e in found):
                found.append((start, end))
                break
    return sorted(found)


def _occurrences(text: str, name: str) -> Iterator[tuple[int, int]]:
    bare = re.sub(r"^(?:the|a|an) ", "", name, flags=re.IGNORECASE)
    if len(bare) < 2:
        return
    pattern = re.escape(bare).replace(r"\ ", r"\s+")
    for match in re.finditer(rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])", text, re.IGNORECASE):
        yield match.span()


_JAPANESE_PAIR = re.compile(
    r"^(?P<a>『[^』]+』|「[^」]+」|[^、。「」『』]+?)(?:と|、|または|か)(?P<b>『[^』]+』|「[^」]+」|[^、。「」『』]+?)(?:、|は|では|で|のうち|の(?:どちら|両方|ほう)|とでは|を比べ)"
)


def _by_wording(reading: Reading) -> list[tuple[int, int]]:
    """The two names around an "or" or "and", or before 「…とでは」."""
    text = reading.question.text
    if reading.question.language == "ja":
        match = _JAPANESE_PAIR.match(text)
        return [_inner(text, *match.span("a")), _inner(text, *match.span("b"))] if match else []
    tail = re.search(r"[,:]\s*(?P<a>[^,:]+?),?\s+or\s+(?P<b>[^,:?]+?)\s*\??$", text)
    if tail:
        return [tail.span("a"), tail.span("b")]
    found = [(n.start, n.end) for n in names_of(text, "en")]
    for word in (" or ", " and "):
        for match in re.finditer(word, text):
            left = [s for s in found if s[1] <= match.start() + 1 and not text[s[1] : match.start()].strip(" ,'\"")]
            right = [s for s in found if s[0] >= match.end() and len(text[match.end() : s[0]].split()) <= 2]
            if left and right:
                return [left[-1], right[0]]
            for start, end in found:
                # "Cold Harbor and Bull Run" may have been read as one name.
                if start < match.start() and match.end() < end:
                    return [(start, match.start()), (match.end(), end)]
    return []


def _inner(text: str, start: int, end: int) -> tuple[int, int]:
    if text[start] in "『「":
        return start + 1, end - 1
    quoted = re.search(r"[『「]([^』」]+)[』」]", text[start:end])
    return (start + quoted.start(1), start + quoted.end(1)) if quoted else (start, end)


def _merge(some: list[tuple[int, int]], others: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged = list(some)
    merged += [(s, e) for s, e in others if not any(s < right and left < e for left, right in some)]
    return sorted(merged)


def _option(reading: Reading, start: int, end: int) -> Option | None:
    name = reading.question.text[start:end].strip(" ,\"'“”")
    key = match_key(name)
    own = [source for source in reading.sources if _is_home(source, key)]
    if own:
        sentences = [s for source in own for s in source.sentences]
    else:
        sentences = [s for source in reading.sources for s in source.sentences if names(s, key)]
    if not sentences:
        return None
    return Option(name, start, tuple(sentences), frozenset(search_tokens(name)), bool(own))


def _is_home(source: Source, key: str) -> bool:
    if source.name_key == key:
        return True
    # "Robert Erskine Childers" is at home in "Robert Erskine Childers DSC", 「明仁陛下」 not in 「明仁」's.
    return len(key) > 3 and f" {key} " in f" {source.name_key} " and key.isascii()
