"""PDF to blocks: lines with boxes in, what a reader sees out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from aira_nb.ingest.pdf.columns import find_gutter, streams
from aira_nb.ingest.pdf.front import find_authors, find_doi, find_year, front_blocks, plausible_title
from aira_nb.ingest.pdf.headings import (
    CONTENTS_NAME,
    Style,
    heading_level,
    is_appendix_name,
    is_lettered,
    is_named,
    number_depth,
    without_number,
)
from aira_nb.ingest.pdf.joining import Vocabulary
from aira_nb.ingest.pdf.lines import Engine, Page, read_pages
from aira_nb.ingest.pdf.margins import strip_margins
from aira_nb.ingest.pdf.paragraphs import Heading, build
from aira_nb.ingest.pdf.pdfium import inspect
from aira_nb.ingest.records import Block, Content, NoTextError

__all__ = ["read_pdf"]

_LETTERS = 0.35
"""A page of prose is about 80 % letters, a table of numbers about 40 %; below this the text layer is not text."""


def read_pdf(path: str, *, engine: Engine = "docling-parse") -> Content:
    """Return the content of a PDF file in reading order.

    Raises
    ------
    NoTextError
        If no page has a text layer, or it is not readable text.
    InputError
        If the file is encrypted or damaged.
    """
    pages = read_pages(path, engine=engine)
    warnings = _check_text(path, pages, engine)
    size = Style.of([s for page in pages for s in streams(page, None)]).body
    margin = strip_margins(pages, body_size=size)
    gutter = find_gutter(pages)
    ordered = [stream for page in pages for stream in streams(page, gutter)]
    style = Style.of(ordered)
    vocabulary = Vocabulary(line.text for page in pages for line in page.lines)
    blocks, headings = build(ordered, style, vocabulary)
    title = _title(blocks, headings, style)
    blocks = _with_levels(blocks, _without_affiliations(blocks, headings, title), title)
    front = front_blocks(blocks, title) if title is not None else []
    texts = [line.text for line in margin] + [block.text for block in front]
    lost = {page.number for page in pages if page.lines} - {r.page for block in blocks for r in block.regions}
    if lost:
        warnings.append(f"text but no passage on {_pages(lost)}")
    return Content(
        blocks=tuple(blocks),
        title=_title_text(blocks, title, path),
        page_count=len(pages),
        authors=find_authors(front),
        year=find_year(texts),
        doi=find_doi(texts + [block.text for block in blocks[:30]]),
        warnings=tuple(warnings),
    )


def _check_text(path: str, pages: Sequence[Page], engine: Engine) -> list[str]:
    """Raise if there is no text; return warnings about pages that have none or have it turned."""
    total = len(pages)
    turned = [page.number for page in pages if page.turned]
    empty = [page.number for page in pages if not page.lines and not page.turned]
    if not any(page.lines for page in pages):
        cause = "its text runs only vertically, which is not read" if turned else "no page has a text layer (a scan?)"
        raise NoTextError(f"{path}: no text, {cause}. Run OCR on it first, for example with ocrmypdf.")
    unreadable = [page.number for page in pages if page.lines and _letters(page) < _LETTERS]
    if len(unreadable) == sum(bool(page.lines) for page in pages):
        raise NoTextError(
            f"{path}: the text layer is not readable text (fonts without character codes?). Run OCR on it first, for "
            "example with ocrmypdf --force-ocr."
        )
    warnings = []
    if empty:
        have = "has" if len(empty) == 1 else "have"
        warnings.append(f"{len(empty)} of {total} pages {have} no text layer: {_list(empty)}; OCR would read them")
    if unreadable:
        warnings.append(f"few letters in the text of {_pages(unreadable)}; if that is no table, OCR may help")
    if engine == "pdfium":
        warnings.append("read with the lighter parser, because the usual one failed: headings may be missed")
    if turned:
        lines = sum(page.turned for page in pages)
        counted = "1 vertical or rotated line was" if lines == 1 else f"{lines} vertical or rotated lines were"
        warnings.append(f"{counted} left out, on {_pages(turned)}")
    return warnings


def _letters(page: Page) -> float:
    # The leaders of a table of contents are no sign of a broken font.
    text = re.sub(r"(?:[.．・…]\s*){4,}", "", "".join(line.text for line in page.lines))
    broken = re.findall(r"GLYPH<[^>]*>|\(cid:\d+\)|[\ufffd\ue000-\uf8ff]", text)
    visible = len("".join(text.split()))
    return (sum(map(str.isalpha, text)) - 2 * sum(map(len, broken))) / max(1, visible)


def _pages(numbers: Sequence[int] | set[int]) -> str:
    return f"{'page' if len(numbers) == 1 else 'pages'} {_list(numbers)}"


def _list(numbers: Sequence[int] | set[int]) -> str:
    shown = sorted(numbers)
    return ", ".join(map(str, shown[:10])) + (f" and {len(shown) - 10} more" if len(shown) > 10 else "")


def _title(blocks: Sequence[Block], headings: Sequence[Heading], style: Style) -> int | None:
    """Return the index of the title block: the largest heading of the first three pages that have text."""
    sizes = {heading.index: heading.size for heading in headings}
    first = min((r.page for block in blocks for r in block.regions), default=1)
    early = [i for i in sizes if blocks[i].regions[0].page <= first + 2 and not CONTENTS_NAME.fullmatch(blocks[i].text)]
    best = max(early, key=lambda i: (round(sizes[i], 1), -i), default=None)
    if best is None or sizes[best] < 1.2 * style.body:
        return None
    return best


def _without_affiliations(blocks: list[Block], headings: Sequence[Heading], title: int | None) -> list[Heading]:
    """Make text of the large lines right below the title: authors and affiliations ("1 University of X")."""
    kept: list[Heading] = []
    for heading in headings:
        block = blocks[heading.index]
        below_title = title is not None and heading.index > title and not any(h.index > title for h in kept)
        if below_title and heading.bold < 0.5 and not is_named(without_number(block.text)):
            blocks[heading.index] = replace(block, kind="text")
        else:
            kept.append(heading)
    return kept


def _with_levels(blocks: list[Block], headings: Sequence[Heading], title: int | None) -> list[Block]:
    others = [heading for heading in headings if heading.index != title]
    numbered = [(number_depth(blocks[h.index].text), h.size) for h in others if number_depth(blocks[h.index].text)]
    leveled = list(blocks)
    in_appendix = False
    for heading in others:
        block = blocks[heading.index]
        in_appendix = is_appendix_name(block.text) or (in_appendix and is_lettered(block.text))
        deeper = in_appendix and is_lettered(block.text)
        level = heading_level(block.text, heading.size, numbered) + deeper
        leveled[heading.index] = replace(block, level=level)
    if title is not None:
        leveled[title] = replace(blocks[title], kind="title", level=0)
    return leveled


def _title_text(blocks: Sequence[Block], title: int | None, path: str) -> str:
    information = inspect(path).information.get("Title", "")
    beginning = "\n".join(block.text for block in blocks[:40])
    if title is None:
        return information if plausible_title(information, beginning) else ""
    text = blocks[title].text
    numbers = {block.text.split(maxsplit=1)[0] for block in blocks if block.kind == "heading"}
    number, _, rest = text.partition(" ")
    # A whole paper can be chapter 1 of its file: "1 Title", "1.1 Abstract".
    return rest.strip() if rest and f"{number}.1" in numbers else text
