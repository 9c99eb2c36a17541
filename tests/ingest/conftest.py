"""Small PDFs drawn in the test, and one parsing process for all tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from aira_nb.ingest import Parser
from aira_nb.types import ParsedDocument

canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="reportlab draws the PDFs")

MINCHO, GOTHIC = "HeiseiMin-W3", "HeiseiKakuGo-W5"
A4 = (595.0, 842.0)


@pytest.fixture(scope="session")
def parser() -> Iterator[Parser]:
    with Parser() as shared:
        yield shared


@pytest.fixture
def parse(parser: Parser) -> Callable[[Path], ParsedDocument]:
    """Parse a file of one document."""

    def parse_one(path: Path) -> ParsedDocument:
        (parsed,) = parser.read(path)
        assert isinstance(parsed, ParsedDocument)
        return parsed

    return parse_one


class Sheet:
    """A page to write lines on, with y counted from the top."""

    def __init__(self, pdf: Any) -> None:
        self.pdf = pdf

    def line(self, x: float, y: float, text: str, *, size: float = 10, font: str = "Times-Roman") -> None:
        self.pdf.setFont(font, size)
        self.pdf.drawString(x, A4[1] - y, text)

    def justified(self, x: float, y: float, text: str, width: float, *, size: float = 10) -> None:
        """Stretch the line's spaces so that it is `width` wide."""
        spare = width - self.pdf.stringWidth(text, "Times-Roman", size)
        written = self.pdf.beginText(x, A4[1] - y)
        written.setFont("Times-Roman", size)
        written.setWordSpace(spare / max(1, text.count(" ")))
        written.textOut(text)
        self.pdf.drawText(written)

    def prose(self, x: float, y: float, text: str, width: float, *, indent: float = 10, pitch: float = 12) -> float:
        """Break a text into justified lines; return the y below them."""
        lines: list[str] = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self.pdf.stringWidth(longer, "Times-Roman", 10) > width - (indent if len(lines) == 1 else 0):
                lines.append(word)
            else:
                lines[-1] = longer
        for i, line in enumerate(lines):
            left = x + (0 if i else indent)
            if i < len(lines) - 1:
                self.justified(left, y, line, width - (left - x))
            else:
                self.line(left, y, line)
            y += pitch
        return y


@pytest.fixture
def make_pdf(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that draws one page for each function given and writes the file."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont

    for font in (MINCHO, GOTHIC):
        pdfmetrics.registerFont(UnicodeCIDFont(font))

    def make(name: str, *pages: Callable[[Sheet], None], encrypt: Any = None) -> Path:
        path = tmp_path / name
        pdf = canvas.Canvas(str(path), pagesize=A4, encrypt=encrypt)
        for draw in pages:
            draw(Sheet(pdf))
            pdf.showPage()
        pdf.save()
        return path

    return make


@pytest.fixture(scope="session")
def papers() -> list[Path]:
    """The PDF papers of the folder that AIRA_PAPERS names, or ``papers`` in the one that AIRA_DATA names."""
    folder = os.environ.get("AIRA_PAPERS") or (
        os.path.join(os.environ["AIRA_DATA"], "papers") if "AIRA_DATA" in os.environ else ""
    )
    found = sorted(Path(folder).glob("*.pdf")) if folder else []
    if not found:
        pytest.skip("set AIRA_PAPERS to a folder of PDF papers")
    return found
