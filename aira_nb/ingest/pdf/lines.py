"""The text lines of a PDF with their boxes: the only module that knows docling-parse.

docling-parse is the parser inside docling's native PDF pipeline. Used directly it gives the same lines, and the
characters below them, without importing docling's converter, which pulls in torch from docling-slim 2.143 on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any, Literal

from aira_nb.errors import MissingDependencyError
from aira_nb.ingest.pdf import pdfium

__all__ = ["Engine", "Line", "Page", "read_pages"]

_BOLD = re.compile(r"bold|black|heavy|semibold|demi|gothic|heros|sansbold|kakugo|-b\b|\+?cmbx|\bmb31\b", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\ufeff]")
_LATIN = re.compile(r"[A-Za-z0-9\u00c0-\u024f,.;:)\]&]")
_CJK = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")
# TeX's older fonts set an accent before its letter: "Cand`es", "Kydl\u00b4\u0131\u02c7cek".
_ACCENT = re.compile(r"([\u00b4\u00a8\u02c6\u02dc\u02c7\u02d8\u02da\u02d9]|(?<=[A-Za-z])[`^~])([A-Za-z\u0131])")
_COMBINING = {
    "\u00b4": "\u0301",
    "\u00a8": "\u0308",
    "\u02c6": "\u0302",
    "\u02dc": "\u0303",
    "\u02c7": "\u030c",
    "\u02d8": "\u0306",
    "\u02da": "\u030a",
    "\u02d9": "\u0307",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
}
# Glyphs named by their number in Adobe-Japan1, whose first 94 are ASCII: "aj53aj80aj81" is "Top".
_GLYPH = re.compile(r"aj(\d{1,2})(?!\d)")
_GAP = 0.15  # of the size; TeX's tightest inter-word space is .22 em, kerning stays below .08 em


@dataclass(slots=True)
class Line:
    """One line of text on a page, in points from the page's top-left corner.

    `size` is the height of its characters, of the Japanese ones where it has any; `bold` the share of its characters
    in a bold or gothic font; `latin` the height of its Latin characters, 0 without any; `opens_bold` tells
    whether its first characters are bold.
    """

    text: str
    page: int
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: float = 0.0
    latin: float = 0.0
    opens_bold: bool = False

    @property
    def width(self) -> float:
        """Width in points."""
        return self.right - self.left

    @property
    def middle(self) -> float:
        """Height of its middle, in points from the top."""
        return (self.top + self.bottom) / 2


@dataclass(slots=True)
class Page:
    """The lines of one page in the parser's order; `turned` counts those that do not run left to right."""

    number: int
    width: float
    height: float
    lines: list[Line] = field(default_factory=list)
    turned: int = 0


Engine = Literal["docling-parse", "pdfium"]


def read_pages(path: str, *, engine: Engine = "docling-parse") -> list[Page]:
    """Return the pages of a PDF file.

    Pages that are turned (``/Rotate``), and files and pages that docling-parse cannot read, are read with pdfium, which
    knows neither fonts nor the size of single characters.

    Raises
    ------
    InputError
        If the file is encrypted, or neither parser can open it.
    """
    facts = pdfium.inspect(path)
    document = _open(path) if engine == "docling-parse" else None
    pages = []
    for number, rotation in enumerate(facts.rotations, start=1):
        if document is None or rotation or number > document.number_of_pages():
            pages.append(_page_from_pdfium(path, number))
        else:
            pages.append(_read_page(path, document, number))
            document.unload_pages((number, number + 1))
    _level_sizes([line for page in pages for line in page.lines])
    return pages


def _level_sizes(lines: Sequence[Line]) -> None:
    """Make the sizes of Latin and Japanese lines comparable: fonts differ in how high their characters' boxes are."""
    mixed = [line.latin / line.size for line in lines if 0 < line.latin != line.size and _CJK.search(line.text)]
    if len(mixed) < 5:
        return
    ratio = median(mixed)
    for line in lines:
        if line.latin and not _CJK.search(line.text):
            line.size /= ratio


def _open(path: str) -> Any:
    try:
        from docling_parse.pdf_parser import DoclingPdfParser
    except ModuleNotFoundError as error:
        raise MissingDependencyError("docling-parse", extra="", purpose="Reading PDF files") from error
    try:
        return DoclingPdfParser(loglevel="fatal").load(path, lazy=True)
    except RuntimeError:
        return None  # pdfium has opened it already, so it is worth reading


def _read_page(path: str, document: Any, number: int) -> Page:
    from docling_parse.pdf_parser import ContentConfig, ContentLevel

    content = ContentConfig(
        word_cells_content_level=ContentLevel.SKIP,
        shapes_content_level=ContentLevel.SKIP,
        bitmaps_content_level=ContentLevel.SKIP,
        include_bitmap_bytes=False,
    )
    try:
        native = document.get_page(number, content_config=content)
    except (RuntimeError, ValueError):
        return _page_from_pdfium(path, number)
    box = native.dimension.crop_bbox
    page = Page(number, width=box.r - box.l, height=box.t - box.b)
    characters = _by_row(native.char_cells, page.height)
    for cell in native.textline_cells:
        rect = cell.rect
        text = _CONTROL.sub("", cell.text).strip()
        if not text:
            continue
        if rect.r_x1 - rect.r_x0 <= abs(rect.r_y1 - rect.r_y0):
            page.turned += 1
            continue
        left, right = sorted((rect.r_x0, rect.r_x2))
        top, bottom = sorted((page.height - rect.r_y0, page.height - rect.r_y2))
        line = Line(text, number, left, top, right, bottom, size=bottom - top)
        if right - left > 0.1 and bottom - top > 0.1 and right > 0 and left < page.width:
            _refine(line, characters)
            page.lines.append(line)
    return page


_Character = tuple[float, float, float, float, str, bool]
"""left, right, middle, height, text, bold"""


def _by_row(cells: Any, height: float) -> dict[int, list[_Character]]:
    rows: dict[int, list[_Character]] = {}
    bold: dict[str, bool] = {}
    for cell in cells:
        rect = cell.rect
        font = cell.font_name
        if font not in bold:
            bold[font] = _BOLD.search(font.rpartition("+")[2] or font) is not None
        middle = height - (rect.r_y0 + rect.r_y2) / 2
        character = (rect.r_x0, rect.r_x2, middle, abs(rect.r_y2 - rect.r_y0), cell.text, bold[font])
        rows.setdefault(int(middle // 8), []).append(character)
    return rows


def _characters_of(line: Line, rows: dict[int, list[_Character]]) -> Iterator[_Character]:
    for row in range(int(line.top // 8), int(line.bottom // 8) + 1):
        for character in rows.get(row, ()):
            left, right, middle = character[:3]
            if line.top <= middle <= line.bottom and line.left - 0.5 <= (left + right) / 2 <= line.right + 0.5:
                yield character


def _refine(line: Line, rows: dict[int, list[_Character]]) -> None:
    """Take size and boldness from the line's characters, and put in spaces that the parser missed."""
    characters = sorted(c for c in _characters_of(line, rows) if not c[4].isspace())
    if not characters:
        return
    japanese = [c[3] for c in characters if _CJK.match(c[4])]
    latin = [c[3] for c in characters if c[4][0].isascii() and c[4][0].isalnum()]
    line.size = median(japanese or latin or [c[3] for c in characters])
    line.latin = median(latin) if latin else 0.0
    line.opens_bold = len(characters) > 3 and all(c[5] for c in characters[:3])
    line.bold = sum(c[5] for c in characters) / len(characters)
    if "".join(c[4] for c in characters) == "".join(line.text.split()):
        line.text = _with_spaces(line.text, characters, line.size)
    line.text = _ACCENT.sub(_compose, line.text)
    if "aj" in line.text and not re.search(r"[^\W\d_]", _GLYPH.sub("", line.text)):
        line.text = _GLYPH.sub(lambda m: chr(int(m.group(1)) + 31), line.text).strip() or line.text


def _compose(match: re.Match[str]) -> str:
    letter = match.group(2).replace("\u0131", "i")
    composed = unicodedata.normalize("NFC", letter + _COMBINING[match.group(1)])
    return composed if len(composed) == 1 else match.group()


def _with_spaces(text: str, characters: list[_Character], size: float) -> str:
    """Insert the spaces of tightly set lines ("PengWang"), where two Latin characters stand apart by a word space."""
    gaps = [b[0] - a[1] for a, b in pairwise(characters)]
    usual = median(gaps) if gaps else 0.0
    pieces: list[str] = []
    position = 0
    for i, character in enumerate(characters):
        while text[position].isspace():
            pieces.append(text[position])
            position += 1
        if (
            i
            and pieces
            and not pieces[-1].isspace()
            and gaps[i - 1] - max(usual, 0.0) > _GAP * size
            and _LATIN.match(characters[i - 1][4][-1])
            and character[4][0].isalnum()
            and character[4][0].isascii()
        ):
            pieces.append(" ")
        pieces.append(character[4])
        position += len(character[4])
    return "".join(pieces)


def _page_from_pdfium(path: str, number: int) -> Page:
    width, height, rows = pdfium.read_page(path, number)
    page = Page(number, width, height)
    for text, left, top, right, bottom in rows:
        clean = _CONTROL.sub("", text).strip()
        if not clean:
            continue
        if bottom - top > right - left and len(clean) > 1:
            page.turned += 1
            continue
        if right - left > 0.1 and bottom - top > 0.1:
            page.lines.append(Line(clean, number, left, top, right, bottom, size=bottom - top))
    return page
