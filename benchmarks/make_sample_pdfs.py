"""Make the two PDFs of the bundled sample corpus from their Markdown sources.

Two columns, running heads, page numbers, a table, line-end hyphens in English and kinsoku line breaking in Japanese:
what a reader of papers meets. Run it after an edit of ``aira_nb/sample/sources``; the same input gives the same bytes.

Needs ``pip install fpdf2 pyphen`` and the Debian packages ``fonts-liberation`` and ``fonts-morisawa-bizud-mincho`` and
``-gothic`` (all under the SIL Open Font License, which allows a document to embed a subset).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyphen  # type: ignore[import-untyped]
from fpdf import FPDF

SAMPLE = Path(__file__).resolve().parent.parent / "aira_nb" / "sample"
FONTS = Path("/usr/share/fonts/truetype")

PAGE_WIDTH, PAGE_HEIGHT = 419.53, 595.28  # A5 in points, so that a short paper still fills two pages
SIDE, TOP, BOTTOM, GUTTER = 36.0, 56.0, 50.0, 16.0
COLUMN = (PAGE_WIDTH - 2 * SIDE - GUTTER) / 2

NO_LINE_START = frozenset("、。，．・：；？！」』）】〉》〕ー々％／ぁぃぅぇぉっゃゅょァィゥェォッャュョ")
NO_LINE_END = frozenset("「『（【〈《〔")
MAY_HANG = frozenset("、。")


@dataclass(frozen=True)
class Style:
    """Fonts by role and the body's measures, in points."""

    body: Path
    bold: Path
    size: float
    leading: float
    indent: float


@dataclass(frozen=True)
class Paper:
    """One PDF to make."""

    name: str
    language: str
    author: str
    head: str
    style: Style


@dataclass(frozen=True)
class Line:
    """One set line: its pieces are drawn from `left`, spread to the column's width where `spread` is true."""

    pieces: tuple[str, ...]
    font: str
    size: float
    leading: float
    left: float = 0.0
    before: float = 0.0
    spread: bool = False
    after: float = 0.0
    keep: bool = False


@dataclass(frozen=True)
class Row:
    """One table row; `rule` draws a line under it."""

    cells: tuple[str, ...]
    lefts: tuple[float, ...]
    size: float
    leading: float
    rule: bool
    before: float = 0.0
    after: float = 0.0
    keep: bool = True


PAPERS = (
    Paper(
        "personalized-tide-rank",
        "en",
        "Ilsa Verrane, Halvard Strome",
        "Proceedings of the Slack Water Workshop, 2006",
        Style(
            FONTS / "liberation/LiberationSerif-Regular.ttf",
            FONTS / "liberation/LiberationSerif-Bold.ttf",
            10.0,
            13.0,
            10.0,
        ),
    ),
    Paper(
        "灯標探索",
        "ja",
        "灯野いずみ, 凪原奏",
        "灯ヶ崎情報図書館紀要、2021年",
        Style(
            FONTS / "bizud-mincho/BIZUDMincho-Regular.ttf",
            FONTS / "bizud-gothic/BIZUDGothic-Bold.ttf",
            9.6,
            16.2,
            9.6,
        ),
    ),
)


class Setter:
    """Breaks the blocks of one Markdown paper into lines and draws them column by column."""

    def __init__(self, paper: Paper, title: str) -> None:
        self.paper = paper
        self.title = title
        self.style = paper.style
        self.pdf = FPDF(unit="pt", format=(PAGE_WIDTH, PAGE_HEIGHT))
        self.pdf.set_auto_page_break(False)
        self.pdf.set_margin(0)
        self.pdf.add_font("body", fname=str(paper.style.body))
        self.pdf.add_font("bold", fname=str(paper.style.bold))
        self.pdf.set_title(title)
        self.pdf.set_author(paper.author)
        self.pdf.set_lang(paper.language)
        self.pdf.set_creation_date(datetime(2024, 1, 1, tzinfo=UTC))
        self.pdf.set_producer("make_sample_pdfs.py")
        self.hyphenator = pyphen.Pyphen(lang="en_GB")
        self.column = 0
        self.y = TOP
        self.column_top = TOP

    def compose(self, blocks: Sequence[str]) -> None:
        """Draw the title, what stands before the first section across both columns, then the sections."""
        first_section = next(i for i, block in enumerate(blocks) if block.startswith("## "))
        self._new_page()
        self._title_block(blocks[:first_section])
        items: list[Line | Row] = []
        for block in blocks[first_section:]:
            if block.startswith("#"):
                marks, _, heading = block.partition(" ")
                items += self._heading(heading, len(marks))
            elif block.startswith("|"):
                rows = [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in block.splitlines()]
                items += self._table([row for row in rows if not set("".join(row)) <= set("-:")])
            else:
                items += self._paragraph(block)
        self._place(items)

    # --- measuring and breaking -----------------------------------------------------------------------------------

    def _width(self, text: str, font: str, size: float) -> float:
        self.pdf.set_font(font, size=size)
        return float(self.pdf.get_string_width(text))

    def _break_lines(self, text: str, font: str, size: float, room: float, first: float = 0.0) -> list[tuple[str, ...]]:
        """Break `text` into lines of at most `room` points, the first one shorter by `first`."""
        if self.paper.language == "ja":
            return [(line,) for line in self._break_japanese(text, font, size, room, first)]
        return self._break_english(text, font, size, room, first)

    def _break_english(self, text: str, font: str, size: float, room: float, first: float) -> list[tuple[str, ...]]:
        lines: list[tuple[str, ...]] = []
        line: list[str] = []
        for word in text.split():
            limit = room - (0.0 if lines else first)
            if self._width(" ".join([*line, word]), font, size) <= limit:
                line.append(word)
                continue
            head, tail = self._hyphenate(word, line, font, size, limit) if font == "body" else ("", word)
            lines.append(tuple([*line, head] if head else line))
            line = [tail]
        return [*lines, tuple(line)]

    def _hyphenate(self, word: str, line: list[str], font: str, size: float, limit: float) -> tuple[str, str]:
        if not word.rstrip(".,;:").isalpha():
            return "", word
        for head, tail in self.hyphenator.iterate(word):
            if min(len(head), len(tail)) > 2 and self._width(" ".join([*line, head + "-"]), font, size) <= limit:
                return head + "-", tail
        return "", word

    def _break_japanese(self, text: str, font: str, size: float, room: float, first: float) -> list[str]:
        lines: list[str] = []
        line: list[str] = []
        for unit in re.findall(r"[!-~]+|.", text):
            limit = room - (0.0 if lines else first)
            if not line and unit == " ":
                continue
            hangs = unit in MAY_HANG and self._width("".join(line), font, size) <= limit
            if hangs or self._width("".join([*line, unit]), font, size) <= limit:
                line.append(unit)
                continue
            carried = [unit]
            while len(line) > 1 and (carried[0] in NO_LINE_START or line[-1] in NO_LINE_END):
                carried.insert(0, line.pop())
            lines.append("".join(line).rstrip())
            line = [] if carried == [" "] else carried
        return [*lines, "".join(line)]

    # --- blocks ---------------------------------------------------------------------------------------------------

    def _heading(self, text: str, level: int) -> Iterator[Line]:
        size = self.style.size + (1.0 if level == 2 else 0.0)
        for number, pieces in enumerate(self._break_lines(text, "bold", size, COLUMN)):
            before = (9.0 if level == 2 else 5.0) if number == 0 else 0.0
            yield Line(pieces, "bold", size, self.style.leading + 1.0, before=before, keep=True)

    def _paragraph(self, text: str) -> Iterator[Line]:
        reference = re.match(r"\[\d+\] ", text) is not None
        caption = re.match(r"(Table \d+\.|表\d+ )", text) is not None
        size = self.style.size - (1.0 if reference or caption else 0.0)
        leading = self.style.leading - (1.6 if reference or caption else 0.0)
        indent = 0.0 if reference or caption else self.style.indent
        broken = self._break_lines(text, "body", size, COLUMN, indent)
        for number, pieces in enumerate(broken):
            last = number == len(broken) - 1
            yield Line(
                pieces,
                "body",
                size,
                leading,
                left=indent if number == 0 else 0.0,
                before=4.0 if caption and number == 0 else 0.0,
                after=6.0 if caption and last else 0.0,
                spread=self.paper.language == "en" and not last and not reference,
            )

    def _table(self, rows: Sequence[tuple[str, ...]]) -> Iterator[Row]:
        size = self.style.size - 1.0
        widths = [max(self._width(cell, "body", size) for cell in column) for column in zip(*rows, strict=True)]
        gap = (COLUMN - sum(widths)) / max(1, len(widths) - 1)
        lefts = tuple(sum(widths[:i]) + gap * i for i in range(len(widths)))
        for number, cells in enumerate(rows):
            rule = number in (0, len(rows) - 1)
            yield Row(cells, lefts, size, self.style.leading, rule, before=7.0 if number == 0 else 0.0)

    # --- drawing --------------------------------------------------------------------------------------------------

    def _new_page(self) -> None:
        self.pdf.add_page()
        number = self.pdf.page_no()
        self.pdf.set_font("body", size=7.5)
        self.pdf.text(SIDE, 30, self.paper.head)
        names = self.paper.author.replace(", ", "・" if self.paper.language == "ja" else " and ")
        self.pdf.text(PAGE_WIDTH - SIDE - self._width(names, "body", 7.5), 30, names)
        self.pdf.set_line_width(0.4)
        self.pdf.line(SIDE, 35, PAGE_WIDTH - SIDE, 35)
        self.pdf.text((PAGE_WIDTH - self._width(str(number), "body", 7.5)) / 2, PAGE_HEIGHT - 24, str(number))
        self.column, self.y, self.column_top = 0, TOP, TOP

    def _title_block(self, below: Sequence[str]) -> None:
        y = TOP + 10
        titles = [(part, "bold", 14.0, 19.0) for part in re.split("(?<=：)", self.title)]
        for text, font, size, leading in [*titles, *((line, "body", 9.5, 15.0) for line in below)]:
            for pieces in self._break_lines(text, font, size, PAGE_WIDTH - 2 * SIDE - 20):
                line = " ".join(pieces)
                self.pdf.set_font(font, size=size)
                self.pdf.text((PAGE_WIDTH - self._width(line, font, size)) / 2, y, line)
                y += leading
        self.y = self.column_top = y + 6

    def _place(self, items: Sequence[Line | Row]) -> None:
        for position, item in enumerate(items):
            block = item.before + item.leading
            following = position + 1
            while following < len(items) and items[following - 1].keep:
                block += items[following].before + items[following].leading
                following += 1
            if self.y + block > PAGE_HEIGHT - BOTTOM:
                self._next_column()
            self.y += (item.before if self.y > self.column_top else 0.0) + item.leading
            if isinstance(item, Line):
                self._draw_line(item)
            else:
                self._draw_row(item)
            self.y += item.after

    def _next_column(self) -> None:
        if self.column == 0:
            self.column, self.y = 1, self.column_top
        else:
            self._new_page()

    @property
    def _left(self) -> float:
        return SIDE + self.column * (COLUMN + GUTTER)

    def _draw_line(self, line: Line) -> None:
        x = self._left + line.left
        gap = self._width(" ", line.font, line.size)
        if line.spread and len(line.pieces) > 1:
            free = COLUMN - line.left - sum(self._width(piece, line.font, line.size) for piece in line.pieces)
            gap = free / (len(line.pieces) - 1)
        self.pdf.set_font(line.font, size=line.size)
        for number, piece in enumerate(line.pieces):
            last = number == len(line.pieces) - 1
            self.pdf.text(x, self.y, piece if last else piece + " ")
            x += self._width(piece, line.font, line.size) + gap

    def _draw_row(self, row: Row) -> None:
        self.pdf.set_font("body", size=row.size)
        for cell, left in zip(row.cells, row.lefts, strict=True):
            self.pdf.text(self._left + left, self.y, cell)
        if row.rule:
            self.pdf.line(self._left, self.y + 3.5, self._left + COLUMN, self.y + 3.5)


def make(paper: Paper) -> Path:
    """Set one paper and return the path of its PDF."""
    text = (SAMPLE / "sources" / f"{paper.name}.md").read_text(encoding="utf-8")
    title, *blocks = [block.strip() for block in text.split("\n\n") if block.strip()]
    setter = Setter(paper, title.removeprefix("# "))
    setter.compose(blocks)
    target = SAMPLE / "corpus" / f"{paper.name}.pdf"
    setter.pdf.output(str(target))
    return target


def main() -> None:
    """Make every PDF and print its size."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for paper in PAPERS:
        target = make(paper)
        print(f"{target.name}: {target.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    main()
