"""What each row of a stream is: running text, or something that interrupts it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from aira_nb.ingest.pdf.columns import Row, Stream
from aira_nb.ingest.pdf.headings import (
    CONTENTS_NAME,
    SENTENCE_END,
    Style,
    base_left,
    distance,
    heading_length,
    is_caption,
    is_contents_entry,
    is_figure_caption,
    is_footnote_start,
)
from aira_nb.ingest.pdf.lines import Line

__all__ = ["Role", "find_roles", "merge_labels"]

Role = Literal["flow", "table", "caption", "note", "contents"]


def find_roles(stream: Stream, style: Style, *, entry_size: float | None) -> list[Role]:
    """Tell what each row is; `entry_size` is the size of the reference list that the stream may go on with."""
    rows = stream.rows
    in_references = entry_size is not None
    roles: list[Role] = ["flow"] * len(rows)
    _mark_contents(rows, roles)
    if not in_references:
        _mark_tables(stream, roles, style)
    _mark_captions(rows, roles, style)
    _mark_figures(stream, roles, style, entry_size=entry_size)
    if not in_references:
        _mark_below_captions(stream, roles, style)
        _mark_notes(stream, roles, style)
    return roles


def merge_labels(rows: Sequence[Row], style: Style) -> None:
    """Make one line of a number or bullet and the text that a wide gap parts from it."""
    for row in rows:
        if len(row.lines) == 2:
            label, body = row.lines
            apart = body.left - label.right
            if apart < 3.5 * style.body and re.fullmatch(
                r"\[?[\dA-Z]{1,3}(?:\.\d+)*[\].)]?|[•‣◦▪●○■□–-]|[*∗†‡]", label.text
            ):
                row.lines = [
                    Line(
                        f"{label.text} {body.text}",
                        body.page,
                        label.left,
                        min(label.top, body.top),
                        body.right,
                        max(label.bottom, body.bottom),
                        body.size,
                        body.bold,
                    )
                ]


def _mark_contents(rows: Sequence[Row], roles: list[Role]) -> None:
    entries = [i for i, row in enumerate(rows) if is_contents_entry(row.text)]
    if len(entries) < 3:
        return
    start = entries[0]
    # The first entries may be chapters without leaders, below the heading.
    while start > 0 and not CONTENTS_NAME.fullmatch(rows[start - 1].text) and entries[0] - start < 4:
        start -= 1
    if start == 0 or not CONTENTS_NAME.fullmatch(rows[start - 1].text):
        start = entries[0]
    roles[start : entries[-1] + 1] = ["contents"] * (entries[-1] + 1 - start)


def _mark_tables(stream: Stream, roles: list[Role], style: Style) -> None:
    """Mark runs of rows of cells, with the rows of single cells among them."""
    rows = stream.rows
    cells = [i for i, row in enumerate(rows) if len(row.lines) > 1 and roles[i] == "flow"]
    for first, last in _runs(cells, rows, style):
        if len([i for i in cells if first <= i <= last]) < 2:
            continue
        edges = [line.left for row in rows[first : last + 1] for line in row.lines]
        size = max(row.size for row in rows[first : last + 1])
        base = base_left(stream, style)
        while last + 1 < len(rows) and _is_inside(rows[last + 1], rows[last], edges, size, base, style):
            last += 1
        while first > 0 and _is_inside(rows[first - 1], rows[first], edges, size, base, style):
            first -= 1
        if first > 0 and _is_header(rows, first - 1, stream, style, step=-1):
            first -= 1
        if last + 1 < len(rows) and _is_header(rows, last + 1, stream, style, step=1):
            last += 1
        roles[first : last + 1] = ["table"] * (last + 1 - first)


def _runs(cells: Sequence[int], rows: Sequence[Row], style: Style) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for i in cells:
        if runs:
            between = rows[runs[-1][1] : i + 1]
            close = all(distance(a, b) < 2.2 * style.pitch for a, b in pairwise(between))
            edges = {round(line.left) for row in (between[0], between[-1]) for line in row.lines[1:]}
            single = between[1:-1]
            cells_alone = sum(any(abs(row.left - edge) < 3 for edge in edges) for row in single)
            if close and (len(single) <= 4 or 2 * cells_alone >= len(single)):
                runs[-1] = (runs[-1][0], i)
                continue
        runs.append((i, i))
    return runs


def _is_inside(row: Row, other: Row, edges: Sequence[float], size: float, base: float, style: Style) -> bool:
    """Whether `row`, next to a table's last or first row `other`, is a cell that stands alone in its row."""
    near = abs(distance(row, other)) < 1.3 * style.pitch_of(row)
    aligned = any(abs(row.left - edge) < 2 for edge in edges) and row.size < 1.05 * size
    # Running text begins at the column's edge and in the text's size.
    return near and aligned and (abs(row.left - base) > 0.5 * style.body or row.size < 0.95 * style.body)


def _is_header(rows: Sequence[Row], i: int, stream: Stream, style: Style, *, step: int) -> bool:
    """Whether row `i`, outside a table's edge, belongs to it though its cells were run together: a gap lies beyond."""
    row, inner = rows[i], rows[i - step]
    beyond = rows[i + step] if 0 <= i + step < len(rows) else None
    gap = beyond is None or abs(distance(row, beyond)) > 1.3 * style.pitch_of(row)
    near = abs(distance(row, inner)) < (1.6 if step < 0 else 1.2) * style.pitch_of(row)
    open_end = not SENTENCE_END.search(row.text) and row.text[-1] not in ":：" and row.right < stream.right - style.body
    return gap and near and open_end and not is_caption(row, style) and not heading_length(rows, i, stream, style)


def _mark_captions(rows: Sequence[Row], roles: list[Role], style: Style) -> None:
    for i, row in enumerate(rows):
        if roles[i] == "contents" or not is_caption(row, style):
            continue
        roles[i] = "caption"
        for j in range(i + 1, min(i + 8, len(rows))):
            below, above = rows[j], rows[j - 1]
            if (
                len(below.lines) > 1
                or distance(above, below) > 1.2 * style.pitch_of(below)
                or abs(below.size - row.size) > 0.08 * row.size
                or is_caption(below, style)
                or (SENTENCE_END.search(above.text) and above.right < row.right - 3 * style.body)
            ):
                break
            roles[j] = "caption"


def _mark_figures(stream: Stream, roles: list[Role], style: Style, *, entry_size: float | None) -> None:
    """Mark the words inside figures: the rows over a figure's caption that are not running text."""
    rows = stream.rows
    base = base_left(stream, style)
    for i, row in enumerate(rows):
        if roles[i] != "caption" or not is_figure_caption(row.text):
            continue
        j = i - 1
        while j >= 0 and roles[j] in ("flow", "table"):
            above = rows[j]
            if entry_size is None:
                is_text = abs(above.left - base) < 1.3 * style.body and 0.9 < above.size / style.body < 1.15
            else:
                is_text = abs(above.size - entry_size) < 0.05 * entry_size
            if roles[j] == "flow" and (is_text or (above.bold > 0.8 and above.size > 1.1 * style.body)):
                break
            roles[j] = "table"
            j -= 1


def _mark_below_captions(stream: Stream, roles: list[Role], style: Style) -> None:
    """Mark the rows under a table's caption whose cells the parser ran together: ragged, up to the first gap."""
    rows = stream.rows
    for i in range(1, len(rows)):
        if roles[i - 1] not in ("caption", "table") or roles[i] != "flow":
            continue
        above = next((j for j in range(i - 1, -1, -1) if roles[j] != "table"), 0)
        above_first = above
        while above_first > 0 and roles[above_first - 1] == "caption" and not is_caption(rows[above_first], style):
            above_first -= 1
        if roles[above] != "caption" or is_figure_caption(rows[above_first].text):
            continue
        step = distance(rows[i - 1], rows[i])
        numeric = any(map(_is_numeric, rows[i : i + 2]))
        is_text = rows[i].right > stream.right - 3 * style.body and not numeric
        heading = heading_length(rows, i, stream, style) > 0
        if step < (2.2 if i - 1 == above else 1.5) * style.pitch and not is_text and not heading:
            roles[i] = "table"


def _is_numeric(row: Row) -> bool:
    tokens = row.text.split()
    return sum(any(map(str.isdigit, token)) for token in tokens) >= max(3, 0.4 * len(tokens))


def _mark_notes(stream: Stream, roles: list[Role], style: Style) -> None:
    """Mark the footnotes: small rows at the foot of the column from the first footnote mark on."""
    if not stream.is_last:
        return
    rows = stream.rows
    start = len(rows)
    while start > 0 and rows[start - 1].size < 0.93 * style.body and roles[start - 1] in ("flow", "table"):
        start -= 1
    while start < len(rows) and not is_footnote_start(rows[start].text):
        start += 1
    if 0 < start < len(rows) and distance(rows[start - 1], rows[start]) < 0.9 * style.pitch:
        return
    roles[start:] = ["note"] * (len(rows) - start)
