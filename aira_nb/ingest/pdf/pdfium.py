"""What pdfium knows better: passwords, page rotation, document information; and a second, lighter text reader."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aira_nb.errors import InputError, MissingDependencyError

__all__ = ["Facts", "inspect", "read_page"]


@dataclass(frozen=True, slots=True)
class Facts:
    """Rotation of each page in degrees, and the document's own information (``Title``, ``Author``)."""

    rotations: tuple[int, ...]
    information: dict[str, str]


def inspect(path: str) -> Facts:
    """Return page rotations and document information.

    Raises
    ------
    InputError
        If the file is encrypted, damaged, or has no page.
    """
    with _document(path) as document:
        rotations = tuple(document[i].get_rotation() for i in range(len(document)))
        if not rotations:
            raise InputError(f"{path}: the PDF has no pages. Replace or remove it.")
        return Facts(rotations, {k: v.strip() for k, v in document.get_metadata_dict().items() if v.strip()})


def read_page(path: str, number: int) -> tuple[float, float, list[tuple[str, float, float, float, float]]]:
    """Return width, height and ``(text, left, top, right, bottom)`` of each line of a page, as the page is shown."""
    with _document(path) as document:
        page = document[number - 1]
        rotation = page.get_rotation()
        left, bottom, right, top = page.get_cropbox()
        width, height = right - left, top - bottom
        text_page = page.get_textpage()
        lines = []
        for i in range(text_page.count_rects()):
            x0, y0, x1, y1 = text_page.get_rect(i)
            text = text_page.get_text_bounded(x0, y0, x1, y1)
            lines.append((text, *_turn(x0 - left, y0 - bottom, x1 - left, y1 - bottom, width, height, rotation)))
        if rotation in (90, 270):
            width, height = height, width
        return width, height, lines


@contextlib.contextmanager
def _document(path: str) -> Iterator[Any]:
    try:
        import pypdfium2
    except ModuleNotFoundError as error:
        raise MissingDependencyError("pypdfium2", extra="", purpose="Reading PDF files") from error
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise InputError(f"{path}: the PDF is encrypted. Save a copy without a password and add that.") from error
        cause = str(error).rstrip(".")
        raise InputError(
            f"{path}: not a readable PDF, it is damaged or incomplete ({cause}). Download or export it again."
        ) from error
    try:
        yield document
    finally:
        document.close()


def _turn(
    x0: float, y0: float, x1: float, y1: float, width: float, height: float, rotation: int
) -> tuple[float, float, float, float]:
    """Turn a box with a bottom-left origin clockwise by `rotation` degrees, into one with a top-left origin."""
    if rotation == 90:
        return y0, x0, y1, x1
    if rotation == 180:
        return width - x1, y0, width - x0, y1
    if rotation == 270:
        return height - y1, width - x1, height - y0, width - x0
    return x0, height - y1, x1, height - y0
