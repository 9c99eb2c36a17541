"""Make hostile strings safe to show: no control characters, no direction tricks, no megabytes."""

from __future__ import annotations

import re
import unicodedata

from aira_nb.render.words import truncated_label
from aira_nb.types import Language

__all__ = ["cut", "one_line", "visible", "width_of", "wrap"]

# C0 and C1 controls without tab and newline (a terminal obeys them), lone surrogates (they cannot be encoded).
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
# Embeddings, overrides and isolates: plain text has no element that could end them.
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f]")


def visible(text: str) -> str:
    """Replace the characters that a terminal or a browser would act on or refuse; the length stays the same."""
    return _CONTROL.sub("\ufffd", text)


def cut(text: str, limit: int, language: Language) -> str:
    """Return `text` in at most `limit` characters, with a count of what was left out."""
    if len(text) <= limit:
        return text
    return text[:limit] + truncated_label(len(text) - limit, language)


def one_line(text: str, limit: int, language: Language) -> str:
    """Return `text` for plain output: one line, no controls, no direction marks, cut to `limit`."""
    # Cut before cleaning so that a megabyte costs nothing.
    head = cut(text, limit, language)
    return " ".join(_DIRECTION.sub("", visible(head)).split())


def width_of(text: str) -> int:
    """Return the columns that `text` takes on a terminal: two for a full-width character."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


_PIECE = re.compile(
    r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+|\s+"
)
_NO_LINE_START = "、。，．」』）】〉》！？ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々"


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Break `text` into lines of at most `width` columns: at spaces, and between Japanese characters."""
    lines: list[str] = []
    line, used = indent, width_of(indent)
    empty = True
    for match in _PIECE.finditer(text):
        piece = match.group()
        if piece.isspace():
            if not empty:
                line, used = line + " ", used + 1
            continue
        size = width_of(piece)
        if not empty and used + size > width and piece not in _NO_LINE_START:
            lines.append(line.rstrip())
            line, used = indent, width_of(indent)
        line, used, empty = line + piece, used + size, False
    lines.append(line.rstrip())
    return lines
