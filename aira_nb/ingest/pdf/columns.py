"""Reading order: the lines of a page as streams, each one column of one horizontal band, in the order to be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from aira_nb.ingest.pdf.lines import Line, Page

__all__ = ["Row", "Stream", "find_gutter", "streams"]


@dataclass(slots=True)
class Row:
    """Lines that stand side by side, from left to right: one for running text, several for a table."""

    lines: list[Line]

    @property
    def text(self) -> str:
        """Its cells, parted by tabs."""
        return "\t".join(line.text for line in self.lines)

    @property
    def left(self) -> float:
        """Left edge in points."""
        return self.lines[0].left

    @property
    def right(self) -> float:
        """Right edge in points."""
        return max(line.right for line in self.lines)

    @property
    def top(self) -> float:
        """Top edge in points."""
        return min(line.top for line in self.lines)

    @property
    def bottom(self) -> float:
        """Bottom edge in points."""
        return max(line.bottom for line in self.lines)

    @property
    def size(self) -> float:
        """The size of its longest line."""
        return max(self.lines, key=lambda line: len(line.text)).size

    @property
    def opens_bold(self) -> bool:
        """Whether its first characters are bold."""
        return self.lines[0].opens_bold

    @property
    def bold(self) -> float:
        """The share of its characters that are bold."""
        total = sum(len(line.text) for line in self.lines)
        return sum(line.bold * len(line.text) for line in self.lines) / total


@dataclass(slots=True)
class Stream:
    """Rows from top to bottom between two vertical edges of one page."""

    page: int
    left: float
    right: float
    rows: list[Row] = field(default_factory=list)
    is_last: bool = False
    """Whether nothing on the page stands below it in its column: footnotes can only be here."""

    @property
    def width(self) -> float:
        """Width in points."""
        return self.right - self.left


def find_gutter(pages: Sequence[Page]) -> float | None:
    """Return the x of the white strip between the two columns of a paper, or None for one column."""
    gutters = [gutter for gutter in map(_gutter, pages) if gutter is not None]
    # References or an appendix alone in two columns would need 30 % of the pages to count.
    if len(gutters) < max(1, 0.3 * sum(len(page.lines) > 10 for page in pages)):
        return None
    return sorted(gutters)[len(gutters) // 2]


def _gutter(page: Page) -> float | None:
    """Return the x of a page's own gutter: a strip that few lines cross, between two sets of justified lines."""
    lines = [line for line in page.lines if line.width > 0.15 * page.width]
    if len(lines) < 10:
        return None
    best, fewest = 0.0, len(lines)
    for step in range(35, 66):
        x = page.width * step / 100
        crossing = sum(line.left < x - 2 and line.right > x + 2 for line in lines)
        if crossing < fewest or (crossing == fewest and abs(x - page.width / 2) < abs(best - page.width / 2)):
            best, fewest = x, crossing
    sides = ([x for x in lines if x.right <= best + 2], [x for x in lines if x.left >= best - 2])
    if fewest > 0.5 * len(lines) or min(map(len, sides)) < 5:
        return None
    shares = []
    for side in sides:
        edge = Counter(round(line.right / 6) for line in side).most_common(1)[0][0]
        shares.append(sum(abs(line.right - edge * 6) <= 9 for line in side) / len(side))
    # A table has columns too, but its cells end where their words do.
    justified = sum(len(side) * share for side, share in zip(sides, shares, strict=True)) / sum(map(len, sides))
    return best if justified > 0.5 and max(shares) > 0.6 else None


def streams(page: Page, gutter: float | None) -> list[Stream]:
    """Return the page's streams in reading order.

    Full-width lines (title, abstract, wide tables) cut the page into bands; within a band the left column comes first.
    """
    if not page.lines:
        return []
    rows = _rows(page.lines)
    left, right = min(line.left for line in page.lines), max(line.right for line in page.lines)
    if gutter is None:
        return [Stream(page.number, left, right, rows, is_last=True)]
    wide = _wide_rows(rows, gutter, right - left)
    result: list[Stream] = []
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) and wide[end] == wide[start]:
            end += 1
        band = rows[start:end]
        if wide[start]:
            result.append(Stream(page.number, left, right, band))
        else:
            lines = [line for row in band for line in row.lines]
            edges = _column_edges(page, gutter, left, right)
            for (start_x, end_x), column in zip(edges, _columns(lines, gutter), strict=True):
                if column:
                    result.append(Stream(page.number, start_x, end_x, _rows(column), is_last=end == len(rows)))
        start = end
    return result


def _columns(lines: Sequence[Line], gutter: float) -> tuple[list[Line], list[Line]]:
    left = [line for line in lines if (line.left + line.right) / 2 < gutter]
    right = [line for line in lines if (line.left + line.right) / 2 >= gutter]
    return left, right


def _column_edges(page: Page, gutter: float, left: float, right: float) -> list[tuple[float, float]]:
    inner = [line for line in page.lines if not _crosses(line, gutter)]
    lefts, rights = _columns(inner, gutter)
    first = max((line.right for line in lefts), default=gutter)
    second = min((line.left for line in rights), default=gutter)
    return [(left, first), (second, right)]


def _crosses(line: Line, gutter: float) -> bool:
    return line.left < gutter - 6 and line.right > gutter + 6


def _rows(lines: Sequence[Line]) -> list[Row]:
    """Group lines whose vertical extents overlap by half and that do not overlap sideways."""
    rows: list[Row] = []
    for line in sorted(lines, key=lambda x: (x.middle, x.left)):
        for row in reversed(rows[-4:]):
            other = row.lines[-1]
            overlap = min(line.bottom, other.bottom) - max(line.top, other.top)
            beside = all(line.left >= x.right - 1 or line.right <= x.left + 1 for x in row.lines)
            if overlap > 0.5 * min(line.bottom - line.top, other.bottom - other.top) and beside:
                row.lines.append(line)
                break
        else:
            rows.append(Row([line]))
    for row in rows:
        row.lines.sort(key=lambda x: x.left)
    return sorted(rows, key=lambda row: row.lines[0].middle)


def _wide_rows(rows: Sequence[Row], gutter: float, width: float) -> list[bool]:
    """Tell which rows stand across both columns.

    A row with a line across the gutter does. So do its neighbours, up and down, as long as they are rows of short
    cells on both sides, such as a table's under its caption.
    """
    wide = [any(_crosses(line, gutter) for line in row.lines) for row in rows]
    for order in (range(len(rows)), range(len(rows) - 1, -1, -1)):
        previous: int | None = None
        for i in order:
            if not wide[i] and previous is not None and wide[previous]:
                near = max(rows[i].top - rows[previous].bottom, rows[previous].top - rows[i].bottom)
                cells = rows[i].lines
                short = all(line.width < 0.45 * width for line in cells)
                spread = cells[0].left < gutter < cells[-1].right
                wide[i] = len(cells) >= 3 and short and spread and near < 2.5 * rows[i].size
            previous = i
    # The last, short line of a full-width paragraph crosses nothing.
    for i in range(1, len(rows)):
        below = next((j for j in range(i, len(rows)) if wide[j] or rows[j].lines[-1].right > gutter), len(rows))
        if not wide[i] and wide[i - 1] and below - i <= 2 and (below == len(rows) or wide[below]):
            wide[i] = True
    return wide
