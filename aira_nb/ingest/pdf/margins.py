"""Running heads, running feet and page numbers: what stands in the margin and is not the text."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from aira_nb.ingest.pdf.lines import Line, Page

__all__ = ["strip_margins"]

_ZONE = 0.12  # of the page's height, at either end
_PAGE_NUMBER = re.compile(
    r"[-\u2010-\u2015\s]*(?:p(?:age|\.)?\s*)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:/|of)\s*\d{1,4})?[-\u2010-\u2015\s]*",
    re.IGNORECASE,
)
_LEADING_NUMBER = re.compile(
    r"^[-\u2010-\u2015\s]*\d{1,4}[-\u2010-\u2015\s]+|[-\u2010-\u2015\s]+\d{1,4}[-\u2010-\u2015\s]*$"
)


def strip_margins(pages: Sequence[Page], *, body_size: float) -> list[Line]:
    """Take margin lines out of `pages`, in place, and return those of the first two pages.

    A line is a margin line if white space parts it from the text and it is a page number, or comes again on another
    page at the same height, or is a lone small line at the very edge of the page.
    """
    outer = {page.number: _outer_rows(page) for page in pages}
    seen: Counter[str] = Counter()
    for number, rows in outer.items():
        height = pages[number - 1].height
        seen.update({_key(line, height) for row in rows for line in row})
    first: list[Line] = []
    for page in pages:
        dropped = []
        for row in outer[page.number]:
            lone = len(row) == 1 and row[0].size < 0.9 * body_size
            edge = min(row[0].top, page.height - row[0].bottom) < 0.07 * page.height
            for line in row:
                if _PAGE_NUMBER.fullmatch(line.text) or _repeats(line, page.height, seen) or (lone and edge):
                    dropped.append(line)
        gone = {id(line) for line in dropped}
        page.lines = [line for line in page.lines if id(line) not in gone]
        if page.number <= 2:
            first += dropped
    return first


def _outer_rows(page: Page) -> list[list[Line]]:
    """Return the rows at the top and the bottom of a page that a gap wider than a line parts from the text."""
    down = sorted(page.lines, key=lambda line: line.top)
    up = sorted(page.lines, key=lambda line: -line.bottom)
    rows: list[list[Line]] = []
    for lines, is_top in ((down, True), (up, False)):
        zone: list[list[Line]] = []
        parted = 0
        for line in lines:
            depth = line.bottom if is_top else page.height - line.top
            if zone:
                gap = (
                    line.top - max(x.bottom for x in zone[-1]) if is_top else min(x.top for x in zone[-1]) - line.bottom
                )
                if gap > 0.9 * max(line.size, 8.0):
                    parted = len(zone)
                if gap < -0.3 * line.size:
                    zone[-1].append(line)
                    continue
            if depth > _ZONE * page.height:
                break
            zone.append([line])
        else:
            parted = 0 if len(zone) > 2 else parted  # a page of nothing but margin: not a margin
        rows += zone[:parted]
    return rows


def _key(line: Line, height: float) -> str:
    text = unicodedata.normalize("NFKC", line.text)
    text = _LEADING_NUMBER.sub("", text)
    text = re.sub(r"\d+", "#", "".join(text.split())).casefold()
    return f"{math.floor(line.middle / height * 50)}|{text}"


def _repeats(line: Line, height: float, seen: Counter[str]) -> bool:
    key = _key(line, height)
    place, _, text = key.partition("|")
    # Two neighbouring bands, because the same head may fall on either side of a band's edge.
    return any(seen[f"{int(place) + step}|{text}"] + seen[key] * (step != 0) >= 2 for step in (-1, 0, 1))
