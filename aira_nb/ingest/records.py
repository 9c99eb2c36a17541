"""What the format readers hand to the splitter, and the one error that means "skipped", not "failed"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from aira_nb.errors import InputError
from aira_nb.types import Region

__all__ = [
    "AUXILIARY_SECTIONS",
    "CONTENTS",
    "REFERENCES",
    "Block",
    "BlockKind",
    "Content",
    "NoTextError",
    "capped_title",
]

BlockKind = Literal["title", "heading", "text", "item", "table", "note", "reference", "contents"]

REFERENCES = {"en": "References", "ja": "参考文献"}
CONTENTS = {"en": "Table of contents", "ja": "目次"}

AUXILIARY_SECTIONS = frozenset({*REFERENCES.values(), *CONTENTS.values()})
"""First section element of passages from reference lists and tables of contents, whatever the paper's own heading."""

_TITLE_LENGTH = 300


def capped_title(title: str) -> str:
    """Return a title of at most 300 characters: a hostile or misread one must not swell every list it is in."""
    return title if len(title) <= _TITLE_LENGTH else title[: _TITLE_LENGTH - 1].rstrip() + "\u2026"


class NoTextError(InputError):
    """The file is sound but has no text that could be read: scanned pages, or a text layer that is not letters."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, table or the like, in reading order.

    Attributes
    ----------
    kind : str
        "title" and "heading" carry the section path; a "table" (also the text inside a figure) is never merged with
        paragraphs; consecutive "item", "reference" and "contents" blocks are joined by one line break.
    text : str
    level : int
        1 for the outermost heading; meaningless for other kinds.
    regions : tuple of Region
        Line boxes, with offsets into `text`.
    """

    kind: BlockKind
    text: str
    level: int = 1
    regions: tuple[Region, ...] = ()


@dataclass(frozen=True, slots=True)
class Content:
    """One parsed file before it is split. Empty fields are unknown."""

    blocks: tuple[Block, ...]
    title: str = ""
    page_count: int = 0
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
