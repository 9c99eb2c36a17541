"""One file to one document with its passages; runs in the parsing process."""

from __future__ import annotations

import re
from pathlib import Path

from aira_nb.ingest import bibtex
from aira_nb.ingest.files import file_digest, format_of
from aira_nb.ingest.pdf.lines import Engine
from aira_nb.ingest.records import Content, NoTextError, capped_title
from aira_nb.ingest.split import split
from aira_nb.text import detect_language
from aira_nb.types import Document, ParsedDocument, make_id

__all__ = ["parse"]

_SECTION = re.compile(r"\d|第\d|abstract|introduction|contents|概要|要旨|はじめに|目次", re.IGNORECASE)


def parse(
    path: str, *, source: str, artifacts_path: str | None = None, engine: Engine = "docling-parse"
) -> ParsedDocument:
    """Parse one file in this process, without limits; :class:`aira_nb.ingest.Parser` is the safe way.

    Raises
    ------
    NoTextError, InputError, MissingDependencyError
        As :meth:`aira_nb.ingest.Parser.read` does; a parser's own exceptions come through as they are.
    """
    form = format_of(path)
    sha256 = file_digest(path)
    content = _read(path, form, artifacts_path, engine)
    if not content.blocks:
        raise NoTextError(f"{path}: no text in the file. If its pages are images, run OCR on it first.")
    entry, warnings = bibtex.entry_for(Path(path))
    prose = "".join(block.text for block in content.blocks if block.kind not in ("reference", "contents", "table"))
    document = Document(
        id=make_id(source),
        source=source,
        sha256=sha256,
        format=form,
        title=capped_title((entry.title if entry else "") or _title(content, path)),
        language=detect_language(prose or content.blocks[0].text),
        page_count=content.page_count,
        authors=(entry.authors if entry else ()) or content.authors,
        year=(entry.year if entry else None) or content.year,
        doi=(entry.doi if entry else None) or content.doi,
        metadata=({"bibtex": entry.key} if entry else {}) | dict(content.metadata),
        warnings=content.warnings + warnings,
    )
    return ParsedDocument(document, split(content.blocks, document_id=document.id, language=document.language))


def _read(path: str, form: str, artifacts_path: str | None, engine: Engine) -> Content:
    if form == "pdf":
        from aira_nb.ingest.layout import find_artifacts, read_pdf_with_layout
        from aira_nb.ingest.pdf import read_pdf

        artifacts = find_artifacts(artifacts_path)
        return read_pdf(path, engine=engine) if artifacts is None else read_pdf_with_layout(path, artifacts)
    if form == "txt":
        from aira_nb.ingest.plain import read_text

        return read_text(path)
    from aira_nb.ingest import office

    readers = {"docx": office.read_docx, "pptx": office.read_pptx, "html": office.read_html, "md": office.read_markdown}
    return readers[form](path)


def _title(content: Content, path: str) -> str:
    titles = [block.text for block in content.blocks if block.kind == "title"]
    headings = [block.text for block in content.blocks if block.kind == "heading"]
    # "1 Introduction" heads every paper and names none.
    headings = [text for text in headings[:1] if not _SECTION.match(text)]
    text = content.title or next(iter(titles + headings), "")
    return " ".join(text.split()) or Path(path).stem
