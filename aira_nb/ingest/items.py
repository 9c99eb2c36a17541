"""A DoclingDocument as blocks, whichever of docling's readers made it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from aira_nb.ingest.records import Block, BlockKind
from aira_nb.types import Region

__all__ = ["blocks_of"]

_REFERENCE_HEADING = re.compile(r"[\d.\s]*(references|bibliography|参考文献|引用文献|文献)", re.IGNORECASE)
_CJK = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
_KINDS: dict[str, BlockKind] = {
    "title": "title",
    "section_header": "heading",
    "list_item": "item",
    "footnote": "note",
    "caption": "table",
}
_DROPPED = frozenset({"page_header", "page_footer"})


def blocks_of(document: Any, *, points: float = 1.0) -> list[Block]:
    """Return the blocks of `document` in docling's reading order.

    Parameters
    ----------
    document : docling_core.types.doc.DoclingDocument
    points : float
        Points in one unit of the document's boxes (slides measure in English Metric Units).
    """
    blocks: list[Block] = []
    in_references = False
    for kind, level, text, regions in _merged(_items(document, points)):
        if not any(map(str.isalnum, text)):
            continue
        if kind in ("title", "heading"):
            in_references = _REFERENCE_HEADING.fullmatch(text) is not None
        elif in_references and kind in ("text", "item"):
            kind = "reference"
        blocks.append(Block(kind, text, level, regions))
    return blocks


_Item = tuple[BlockKind, int, str, tuple[Region, ...], str]
"""kind, level, text, regions, and the inline group it is a run of ("" for none)"""


def _items(document: Any, points: float) -> Iterator[_Item]:
    from docling_core.types import doc as vendor

    # Re-exported, but not in a way that type checkers accept.
    types: Any = vendor
    layers = {types.ContentLayer.BODY, types.ContentLayer.NOTES}
    for item, _ in document.iterate_items(included_content_layers=layers):
        if isinstance(item, types.TableItem):
            yield "table", 0, _table_text(item), (), ""
        elif isinstance(item, types.TextItem) and str(item.label.value) not in _DROPPED:
            kind = _KINDS.get(str(item.label.value), "text")
            parent: Any = item.parent.resolve(document) if item.parent else None
            group = parent.self_ref if isinstance(parent, types.InlineGroup) else ""
            if group and parent.parent:
                # A heading holds the paragraphs below it too; only one without own text is made of these runs.
                holder: Any = parent.parent.resolve(document)
                kind = _KINDS.get(str(getattr(getattr(holder, "label", None), "value", "")), "text")
                kind = "text" if kind in ("title", "heading") and holder.text.strip() else kind
                level = getattr(holder, "level", 1)
            else:
                level = getattr(item, "level", 1)
            text = item.text or getattr(item, "orig", "")
            yield kind, level, text, _regions(document, item, len(text), points), group


def _merged(items: Iterator[_Item]) -> Iterator[tuple[BlockKind, int, str, tuple[Region, ...]]]:
    """Join the runs of one paragraph, which docling keeps apart where the type changes."""
    current: _Item | None = None
    for item in items:
        if current and item[4] and item[4] == current[4]:
            kind, level, text, regions, group = current
            current = (kind, level, text + _gap(text, item[2]) + item[2], regions, group)
            continue
        if current and current[2].strip():
            yield current[:4]
        current = item
    if current and current[2].strip():
        yield current[:4]


def _gap(before: str, after: str) -> str:
    """The space that docling took away between two runs."""
    if not before or not after or before[-1].isspace() or after[0].isspace():
        return ""
    if re.match(r"[.,;:!?)\]}%’”'\"]", after) or before[-1] in "([{“‘$#/":
        return ""
    return "" if _CJK.match(before[-1]) or _CJK.match(after[0]) else " "


def _table_text(table: Any) -> str:
    """One line a row, cells parted by tabs; a cell over several rows or columns is written once."""
    rows = []
    for number, row in enumerate(table.data.grid):
        cells = [
            " ".join(cell.text.split())
            for column, cell in enumerate(row)
            if cell.start_row_offset_idx == number and cell.start_col_offset_idx == column
        ]
        if any(cells):
            rows.append("\t".join(cells).rstrip("\t"))
    return "\n".join(rows)


def _regions(document: Any, item: Any, length: int, points: float) -> tuple[Region, ...]:
    regions = []
    for place in item.prov:
        page = document.pages.get(place.page_no)
        if page is None or page.size is None:
            continue
        box = place.bbox.to_top_left_origin(page.size.height)
        start, end = place.charspan
        if not 0 <= start < end <= length:
            start, end = 0, length
        sides = [round(side * points, 2) for side in (box.l, box.t, box.r, box.b)]
        if start < end and sides[0] < sides[2] and sides[1] < sides[3]:
            regions.append(Region(start, end, place.page_no, *sides))
    return tuple(sorted(regions, key=lambda region: (region.start, region.end)))
