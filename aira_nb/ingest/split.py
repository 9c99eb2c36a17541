"""Blocks to passages: whole paragraphs where they fit, whole sentences where they do not, never across a heading."""

from __future__ import annotations

import bisect
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from aira_nb.ingest.records import CONTENTS, REFERENCES, Block
from aira_nb.text import count_tokens, detect_language, sentence_spans
from aira_nb.types import Language, Passage, Region, make_id

__all__ = ["MAX_TOKENS", "TARGET_TOKENS", "document_text", "split"]

MAX_TOKENS: dict[Language, int] = {"en": 600, "ja": 400}
"""No passage is longer, in :func:`aira_nb.text.count_tokens`."""

TARGET_TOKENS: dict[Language, int] = {"en": 250, "ja": 170}
"""A passage shorter than this takes in the next paragraph of its section, if the maximum allows."""

# Text without spaces counts as one English word however long it is; so characters bound a passage too. Six characters
# a token is more than English prose has (about 4.7 by our estimate of 1.3 tokens a word).
_CHARACTERS_A_TOKEN = 6
_LONGEST = max(MAX_TOKENS.values()) * _CHARACTERS_A_TOKEN
_MARKS = 32
_LETTER = re.compile(r"[^\W\d_]")
_SOFT_BREAK = re.compile(r"[\s、，,；;：:）)」』]")
_NO_GAP = frozenset({"item", "reference", "contents", "table"})

Span = tuple[int, int]


def document_text(blocks: Sequence[Block]) -> str:
    """Return the document's whole text, which the offsets of its passages index."""
    return _layout(blocks)[0]


def split(blocks: Sequence[Block], *, document_id: str, language: Language) -> tuple[Passage, ...]:
    """Cut a document into passages.

    Every character of the body is in exactly one passage, in order; white space between passages is in none. Headings
    and the title become section paths; one that heads no text at all becomes a passage, so that nothing is lost.
    Consecutive paragraphs share a passage while it is shorter than :data:`TARGET_TOKENS`; tables stay alone.

    Parameters
    ----------
    blocks : sequence of Block
        In reading order.
    document_id : str
    language : {"en", "ja"}
        The document's main language, for passages that have no letters of their own.
    """
    text, starts = _layout(blocks)
    regions = [
        replace(region, start=region.start + start, end=region.end + start)
        for block, start in zip(blocks, starts, strict=True)
        for region in block.regions
    ]
    ends = [region.end for region in regions]
    seen: Counter[str] = Counter()
    passages: list[Passage] = []
    for section, group in _sections(blocks, language):
        units = [(starts[i], starts[i] + len(blocks[i].text), blocks[i].kind == "table") for i in group]
        for start, end in _pack(text, units, language):
            body = text[start:end]
            passages.append(
                Passage(
                    id=make_id(document_id, body, seen[body]),
                    document_id=document_id,
                    position=len(passages),
                    text=body,
                    start=start,
                    end=end,
                    language=_language(body, language),
                    section=section,
                    regions=_clip(regions, ends, start, end),
                )
            )
            seen[body] += 1
    return tuple(passages)


def _layout(blocks: Sequence[Block]) -> tuple[str, list[int]]:
    parts: list[str] = []
    starts: list[int] = []
    length = 0
    previous = None
    for block in blocks:
        if previous is not None:
            gap = "\n" if block.kind == previous and block.kind in _NO_GAP else "\n\n"
            parts.append(gap)
            length += len(gap)
        starts.append(length)
        parts.append(block.text)
        length += len(block.text)
        previous = block.kind
    return "".join(parts), starts


def _sections(blocks: Sequence[Block], language: Language) -> Iterator[tuple[tuple[str, ...], list[int]]]:
    """Yield each section path with the indexes of its body blocks; a heading over nothing is its own body."""
    path: list[tuple[int, int]] = []  # (level, index of the heading)
    used: set[int] = set()
    body: list[int] = []
    special: dict[str, str] = {"reference": REFERENCES[language], "contents": CONTENTS[language]}
    kind = ""

    def flush() -> Iterator[tuple[tuple[str, ...], list[int]]]:
        if body:
            used.update(index for _, index in path)
            yield ((special[kind],) if kind in special else names()), list(body)
            body.clear()

    def names() -> tuple[str, ...]:
        # The document has its own title; repeated in every path it would say nothing.
        return tuple(blocks[index].text for _, index in path if blocks[index].kind == "heading")

    def drop(level: int) -> Iterator[tuple[tuple[str, ...], list[int]]]:
        while path and path[-1][0] >= level:
            _, index = path.pop()
            if index not in used:
                used.update(i for _, i in path)
                yield names(), [index]

    for index, block in enumerate(blocks):
        if not block.text.strip():
            continue
        if block.kind in ("title", "heading"):
            yield from flush()
            level = 0 if block.kind == "title" else block.level
            yield from drop(level)
            path.append((level, index))
            continue
        now = block.kind if block.kind in special else ""
        if now != kind:
            yield from flush()
            if kind == "contents" and path:
                path.pop()  # the heading "Contents" ends with the list
            kind = now
        body.append(index)
    yield from flush()
    yield from drop(0)


def _pack(text: str, units: Sequence[tuple[int, int, bool]], language: Language) -> Iterator[Span]:
    """Join short units, cut long ones."""
    current: Span | None = None
    for start, end, alone in units:
        if alone or not _fits(text, start, end, language):
            if current:
                yield current
                current = None
            yield from _cut(text, start, end, language)
        elif current is None:
            current = (start, end)
        elif _is_short(text[current[0] : current[1]], language) and _fits(text, current[0], end, language):
            current = (current[0], end)
        else:
            yield current
            current = (start, end)
    if current:
        yield current


def _cut(text: str, start: int, end: int, language: Language) -> Iterator[Span]:
    """Cut one block: at table rows and sentences first, inside a sentence only when it alone is too long."""
    own = _language(text[start:end], language)
    current: Span | None = None
    for left, right in _sentences(text, start, end, own):
        if current and _fits(text, current[0], right, own):
            current = (current[0], right)
            continue
        if current:
            yield current
        current = None
        *full, rest = _hard_cuts(text, left, right, own)
        yield from full
        current = rest
    if current:
        yield current


def _sentences(text: str, start: int, end: int, language: Language) -> Iterator[Span]:
    offset = start
    for line in text[start:end].split("\n"):
        for left, right in sentence_spans(line, None if language == "ja" else language):
            yield offset + left, offset + right
        offset += len(line) + 1


def _hard_cuts(text: str, start: int, end: int, language: Language) -> list[Span]:
    """Cut ``text[start:end]`` into pieces that fit, at a comma or space where there is one in the last third."""
    pieces: list[Span] = []
    limit = MAX_TOKENS[language] * (2 if language == "ja" else _CHARACTERS_A_TOKEN)
    while not _fits(text, start, end, language):
        stop = min(start + limit, end)
        while not _fits(text, start, stop, language):
            stop = start + (stop - start) * 9 // 10
        soft = (i for i in range(stop, start + (stop - start) * 2 // 3, -1) if _SOFT_BREAK.match(text, i - 1))
        stop = next(soft, stop)
        stop = _before_marks(text, max(start + 1, stop - _MARKS), stop) if stop < end else stop
        _append(pieces, text, start, stop)
        start = stop
    _append(pieces, text, start, end)
    return pieces


def _before_marks(text: str, first: int, stop: int) -> int:
    """Return the place from `first` to `stop` that parts no mark from its letter; `stop` when all of them do."""
    return next((i for i in range(stop, first - 1, -1) if unicodedata.category(text[i])[0] != "M"), stop)


def _append(pieces: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        pieces.append((start, end))


def _language(text: str, fallback: Language) -> Language:
    return detect_language(text) if _LETTER.search(text) else fallback


def _fits(text: str, start: int, end: int, language: Language) -> bool:
    if end - start > _LONGEST:
        # Known without a look: the rest of a huge block is asked about once for each of its pieces.
        return False
    body = text[start:end]
    language = _language(body, language)
    limit = MAX_TOKENS[language]
    return len(body) <= limit * _CHARACTERS_A_TOKEN and count_tokens(body, language) <= limit


def _is_short(text: str, language: Language) -> bool:
    language = _language(text, language)
    return count_tokens(text, language) < TARGET_TOKENS[language]


def _clip(regions: Sequence[Region], ends: Sequence[int], start: int, end: int) -> tuple[Region, ...]:
    """Return the regions that ``[start, end)`` touches, with offsets from `start`."""
    clipped = []
    for region in regions[bisect.bisect_right(ends, start) :]:
        if region.start >= end:
            break
        clipped.append(
            replace(region, start=max(region.start, start) - start, end=min(region.end, end) - start),
        )
    return tuple(clipped)
