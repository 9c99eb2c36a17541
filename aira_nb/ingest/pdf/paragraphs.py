"""Rows to blocks: paragraphs across lines, columns and pages, with tables, captions and footnotes kept out of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from aira_nb.ingest.pdf.columns import Row, Stream
from aira_nb.ingest.pdf.headings import (
    SENTENCE_END,
    Style,
    base_left,
    distance,
    heading_length,
    is_bullet,
    is_caption,
    is_figure_caption,
    is_footnote_start,
    is_item,
    is_reference_name,
    is_reference_start,
    without_leaders,
)
from aira_nb.ingest.pdf.joining import Vocabulary, box, is_japanese, join_rows
from aira_nb.ingest.pdf.lines import Line
from aira_nb.ingest.pdf.roles import Role, find_roles, merge_labels
from aira_nb.ingest.records import Block, BlockKind

__all__ = ["Heading", "build"]


@dataclass(slots=True)
class Heading:
    """A heading found while reading; its level is settled once all are known."""

    index: int
    size: float
    bold: float


@dataclass(slots=True)
class _Paragraph:
    kind: BlockKind
    rows: list[Row]
    streams: list[Stream]

    @property
    def last(self) -> Row:
        return self.rows[-1]


@dataclass(slots=True)
class _Builder:
    style: Style
    vocabulary: Vocabulary
    blocks: list[Block] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    open: _Paragraph | None = None
    waiting: list[Block] = field(default_factory=list)
    in_references: bool = False

    @property
    def entry_size(self) -> float | None:
        """The size of the reference list being read, None outside one."""
        if not self.in_references:
            return None
        return self.open.last.size if self.open is not None else self.style.body

    def close(self) -> None:
        """End the open paragraph; then comes what floated past it."""
        if self.open is not None:
            text, regions = join_rows([row.lines for row in self.open.rows], self.vocabulary)
            # Ornaments of boxes and rules drawn with letters are not text.
            if any(map(str.isalnum, text)):
                self.blocks.append(Block(self.open.kind, text, regions=regions))
            self.open = None
        self.blocks += self.waiting
        self.waiting.clear()

    def float(self, block: Block) -> None:
        """Place a table, caption or footnote: after the paragraph that it interrupts."""
        if self.open is None:
            self.blocks.append(block)
        else:
            self.waiting.append(block)

    def heading(self, rows: Sequence[Row]) -> None:
        self.close()
        text, regions = join_rows([row.lines for row in rows], self.vocabulary)
        self.headings.append(Heading(len(self.blocks), rows[0].size, rows[0].bold))
        self.blocks.append(Block("heading", text, regions=regions))
        self.in_references = is_reference_name(text)

    def flow(self, row: Row, stream: Stream) -> None:
        kind: BlockKind = "reference" if self.in_references else "item" if self._starts_item(row) else "text"
        if self.open is not None and self._continues(self.open, row, stream, kind):
            self.open.rows.append(row)
            self.open.streams.append(stream)
        else:
            self.close()
            self.open = _Paragraph(kind, [row], [stream])

    def _starts_item(self, row: Row) -> bool:
        if is_bullet(row.text):
            return True
        if not is_item(row.text):
            return False
        # "… in figure" / "12) shows" goes on; a list item begins after an end or at another left edge.
        paragraph = self.open
        if paragraph is None or SENTENCE_END.search(paragraph.last.text) or paragraph.kind == "item":
            return True
        return abs(row.left - paragraph.last.left) > 0.5 * self.style.body or paragraph.last.text[-1] in ":："

    def _continues(self, paragraph: _Paragraph, row: Row, stream: Stream, kind: BlockKind) -> bool:
        em = self.style.body
        last = paragraph.last
        if kind == "item" or (kind != "reference" and abs(row.size - last.size) > 0.12 * last.size):
            return False
        front = len(self.headings) <= 1
        if front and row.size > 1.12 * em:
            return False  # authors and affiliations below the title, one line each
        if (kind == "reference") != (paragraph.kind == "reference"):
            return False
        if kind == "reference" and is_reference_start(row.text):
            return False
        if stream is not paragraph.streams[-1]:
            return self._continues_elsewhere(paragraph, row, stream)
        if distance(last, row) > 1.25 * self.style.pitch_of(row):
            return False
        if kind == "reference" and is_reference_start(paragraph.rows[0].text):
            return True
        if _ended_early(last, row, stream, self.style) or (front and _are_centred(last, row)):
            return False
        if row.opens_bold and last.bold < 0.5 and row.bold < 0.8 and SENTENCE_END.search(last.text):
            return False  # a run-in heading
        if len(paragraph.rows) == 1 or paragraph.streams[-2] is not stream:
            hanging = paragraph.kind in ("item", "reference")
            return row.left < last.left + 0.7 * em or hanging
        if kind == "reference":
            return row.left > stream.left + 0.7 * em
        return abs(row.left - last.left) < 0.7 * em

    def _continues_elsewhere(self, paragraph: _Paragraph, row: Row, stream: Stream) -> bool:
        """Whether a paragraph goes on in the next column or on the next page."""
        em = self.style.body
        last, old = paragraph.last, paragraph.streams[-1]
        ended = SENTENCE_END.search(last.text) is not None
        full = last.right > old.right - 2 * em
        inset = row.left - base_left(stream, self.style)
        if len(paragraph.rows) > 1:
            aligned = abs(inset - (last.left - base_left(old, self.style))) < 0.7 * em
        else:
            aligned = inset < 0.7 * em or paragraph.kind == "item"
        if paragraph.kind == "reference":
            return not ended or inset > 0.7 * em
        return aligned and not (ended and (not full or self._is_blockish(stream)))

    def _is_blockish(self, stream: Stream) -> bool:
        """Whether paragraphs are told apart by gaps alone, so that a full line with a full stop may be an end."""
        base = base_left(stream, self.style)
        indented = sum(
            0.7 * self.style.body < row.left - base < 3 * self.style.body and not is_item(row.text)
            for row in stream.rows
        )
        return indented == 0


def build(streams: Sequence[Stream], style: Style, vocabulary: Vocabulary) -> tuple[list[Block], list[Heading]]:
    """Return the blocks of a paper in reading order, and which of them are headings.

    Headings have level 1 for now. Rows of references that follow the reference heading become "reference" blocks until
    the next heading.
    """
    builder = _Builder(style, vocabulary)
    for stream in streams:
        rows = stream.rows
        merge_labels(rows, style)
        roles = find_roles(stream, style, entry_size=builder.entry_size)
        i = 0
        while i < len(rows):
            count = heading_length(rows, i, stream, style) if roles[i] == "flow" else 0
            if count and not (builder.in_references and is_reference_start(rows[i].text)):
                was = builder.in_references
                builder.heading(rows[i : i + count])
                i += count
                if builder.in_references != was:
                    # What looks like footnotes or a table elsewhere is a reference list here.
                    size = rows[i].size if builder.in_references and i < len(rows) else None
                    roles = find_roles(stream, style, entry_size=size)
            elif roles[i] == "flow":
                builder.flow(rows[i], stream)
                i += 1
            else:
                end = i
                while end < len(rows) and (roles[end] == roles[i] or {roles[end], roles[i]} == {"table", "caption"}):
                    end += 1
                _place(builder, roles[i:end], rows[i:end])
                i = end
    builder.close()
    return builder.blocks, builder.headings


def _place(builder: _Builder, roles: Sequence[Role], rows: Sequence[Row]) -> None:
    if roles[0] == "contents":
        builder.close()
        for row in rows:
            line = row.lines[0]
            text = without_leaders(row.text)
            region = box(Line(text, line.page, row.left, row.top, row.right, row.bottom, row.size), 0)
            builder.blocks.append(Block("contents", text, regions=(region,)))
    elif roles[0] == "note":
        for group in _groups(rows, lambda row: is_footnote_start(row.text)):
            text, regions = join_rows([row.lines for row in group], builder.vocabulary)
            builder.float(Block("note", text, regions=regions))
    else:
        for block in _figures(roles, rows, builder):
            builder.float(block)


def _figures(roles: Sequence[Role], rows: Sequence[Row], builder: _Builder) -> list[Block]:
    """Return tables and figures, each with its caption: a figure's stands below it, a table's usually above."""
    parts: list[tuple[Role, Block]] = []
    start = 0
    for end in range(1, len(rows) + 1):
        if (
            end < len(rows)
            and roles[end] == roles[start]
            and not (roles[end] == "caption" and is_caption(rows[end], builder.style))
        ):
            continue
        if roles[start] == "caption":
            text, regions = join_rows([row.lines for row in rows[start:end]], builder.vocabulary)
            parts.append(("caption", Block("table", text, regions=regions)))
        else:
            parts.append(("table", _table(rows[start:end])))
        start = end
    blocks: list[Block] = []
    i = 0
    while i < len(parts):
        role, block = parts[i]
        following = parts[i + 1] if i + 1 < len(parts) else None
        is_pair = following is not None and {role, following[0]} == {"table", "caption"}
        if following is not None and is_pair:
            caption = block if role == "caption" else following[1]
            if is_figure_caption(caption.text) == (role == "table") or len(parts) == 2:
                block = _stack(block, following[1])
                i += 1
        blocks.append(block)
        i += 1
    return blocks


def _stack(above: Block, below: Block) -> Block:
    shift = len(above.text) + 1
    moved = tuple(replace(r, start=r.start + shift, end=r.end + shift) for r in below.regions)
    return Block("table", f"{above.text}\n{below.text}", regions=above.regions + moved)


def _groups(rows: Sequence[Row], starts: Callable[[Row], bool]) -> list[list[Row]]:
    groups: list[list[Row]] = []
    for row in rows:
        if groups and not starts(row):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _table(rows: Sequence[Row]) -> Block:
    """One line of text for each row, its cells parted by tabs."""
    text = ""
    regions = []
    for row in rows:
        text += "\n" if text else ""
        for index, line in enumerate(row.lines):
            text += "\t" if index else ""
            regions.append(box(line, len(text)))
            text += line.text
    return Block("table", text, regions=tuple(regions))


def _ended_early(last: Row, row: Row, stream: Stream, style: Style) -> bool:
    """Whether the first word of `row` had room at the end of `last`, so that a new paragraph was meant."""
    edge = max(row.right, last.right)
    if SENTENCE_END.search(last.text):
        edge = max(edge, stream.right if row.right > stream.right - 6 * style.body else edge)
    line = row.lines[0]
    each = line.width / max(1, len(line.text))
    if is_japanese(line.text[0]):
        return edge - last.right > 3 * max(each, 0.8 * style.body)
    word = line.text.split(maxsplit=1)[0]
    return edge - last.right > (len(word) + 1.5) * each + 0.5 * style.body


def _are_centred(last: Row, row: Row) -> bool:
    """Whether two rows share their middle and neither edge: lines of a title page, each on its own."""
    middles = abs((last.left + last.right) - (row.left + row.right)) / 2
    return middles < 2 and abs(last.left - row.left) > 3
