"""DOCX, PPTX, HTML and Markdown through docling's readers.

The readers are called directly: docling's converter, which would choose them, pulls in torch from docling-slim 2.143
on and is not needed for formats that no model reads.
"""

from __future__ import annotations

import html
import re
from io import BytesIO
from typing import Any

from aira_nb.errors import InputError, MissingDependencyError
from aira_nb.ingest.encoding import decode
from aira_nb.ingest.items import blocks_of
from aira_nb.ingest.records import Block, Content

__all__ = ["read_docx", "read_html", "read_markdown", "read_pptx"]

_EMU = 1 / 12_700  # points; ECMA-376 part 1, 20.1.2.1
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_META = re.compile(r"<meta\s[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(name|property|content)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)
_HTML_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FENCE = re.compile(r"^(?: {0,3})(```+|~~~+)")
_HIDDEN = re.compile(
    r"<(script|style|template|iframe|noscript)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.I | re.DOTALL
)
_READING = re.compile(
    r"<(rt|rp)\b[^>]*>.*?(?:</\1\s*>|(?=<(?:rt|rp|/ruby)\b))|</?(?:ruby|rb)\b[^>]*>", re.IGNORECASE | re.DOTALL
)
_CJK = "\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_SOFT_BREAK = re.compile(f"(?<=[{_CJK}])\n(?=[{_CJK}])(?!・)")


def read_docx(path: str) -> Content:
    """Return the content of a Word file."""
    return Content(tuple(blocks_of(_convert(_bytes(path), path, "DOCX"))))


def read_pptx(path: str) -> Content:
    """Return the content of a PowerPoint file: slides are pages, their titles are headings."""
    document = _convert(_bytes(path), path, "PPTX")
    blocks = [
        Block("heading", block.text, 1, block.regions) if block.kind == "title" else block
        for block in blocks_of(document, points=_EMU)
    ]
    title = next((block.text for block in blocks if block.kind == "heading"), "")
    pages = len(document.pages)
    silent = sorted(set(range(1, pages + 1)) - {r.page for block in blocks for r in block.regions})
    warnings = (f"slides without text: {', '.join(map(str, silent))}",) if silent else ()
    return Content(tuple(blocks), title, page_count=pages, warnings=warnings)


def read_html(path: str) -> Content:
    """Return the content of an HTML file. Nothing that it refers to is fetched; scripts and styles are no text."""
    text = _decode_html(_bytes(path), path)
    # Ruby repeats a word's reading beside it. The byte-order mark outranks the encoding that the page declares.
    shown = _READING.sub("", text)
    if "<pre" not in shown.lower():
        shown = _SOFT_BREAK.sub("", shown)
    document = _convert(shown.encode("utf-8-sig", "replace"), path, "HTML")
    meta = _meta(text)
    title = meta.get("citation_title") or meta.get("dc.title") or [""]
    tag = _HTML_TITLE.search(text)
    return Content(
        tuple(blocks_of(document)),
        title=title[0] or (" ".join(html.unescape(tag.group(1)).split()) if tag else ""),
        authors=tuple(meta.get("citation_author") or meta.get("dc.creator") or ()),
        year=_year(" ".join(meta.get("citation_publication_date") or meta.get("citation_date") or ())),
        doi=next(iter(meta.get("citation_doi", ())), None),
    )


def read_markdown(path: str) -> Content:
    """Return the content of a Markdown file, with title, authors, year and DOI from its YAML front matter."""
    text = decode(_bytes(path), name=path)
    fields: dict[str, list[str]] = {}
    if match := _FRONT_MATTER.match(text):
        fields = _front_matter(match.group(1))
        text = text[match.end() :]
    blocks = blocks_of(_convert(_prepare_markdown(text).encode("utf-8", "replace"), path, "MD")) if text.strip() else []
    return Content(
        tuple(blocks),
        title=(fields.get("title") or [""])[0],
        authors=tuple(fields.get("authors") or fields.get("author") or ()),
        year=_year(" ".join(fields.get("year") or fields.get("date") or ())),
        doi=next(iter(fields.get("doi", ())), None),
    )


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _convert(data: bytes, path: str, form: str) -> Any:
    try:
        from docling.datamodel.base_models import InputFormat
        from docling.datamodel.document import InputDocument

        backend = _backend(form)
    except ModuleNotFoundError as error:
        raise MissingDependencyError("docling-slim", extra="", purpose=f"Reading {form} files") from error
    document = InputDocument(
        path_or_stream=BytesIO(data), filename=f"document.{form.lower()}", format=InputFormat[form], backend=backend
    )
    if not document.valid:
        raise InputError(
            f"{path}: not a readable {form} file, it is damaged, encrypted or of another format. Save it again and retry."
        )
    # Set by docling only where the file is valid; there is no public way to reach it without the converter.
    reader: Any = document._backend
    return reader.convert()


def _backend(form: str) -> Any:
    if form == "DOCX":
        from docling.backend.msword_backend import MsWordDocumentBackend

        return MsWordDocumentBackend
    if form == "PPTX":
        from docling.backend.mspowerpoint_backend import MsPowerpointDocumentBackend

        return MsPowerpointDocumentBackend
    if form == "HTML":
        from docling.backend.html_backend import HTMLDocumentBackend

        return HTMLDocumentBackend
    from docling.backend.md_backend import MarkdownDocumentBackend

    return MarkdownDocumentBackend


def _decode_html(data: bytes, path: str) -> str:
    declared = _CHARSET.search(data[:4096])
    if declared and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        name = declared.group(1).decode("ascii").lower()
        try:
            # Browsers, too, read Shift_JIS as Microsoft's superset of it.
            return data.decode("cp932" if name in ("shift_jis", "x-sjis", "sjis") else name)
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data, name=path)


def _meta(text: str) -> dict[str, list[str]]:
    meta: dict[str, list[str]] = {}
    for tag in _META.findall(text[:200_000]):
        values = {m.group(1).lower(): m.group(2) or m.group(3) or m.group(4) or "" for m in _ATTRIBUTE.finditer(tag)}
        name = values.get("name") or values.get("property")
        if name and values.get("content", "").strip():
            meta.setdefault(name.lower(), []).append(html.unescape(values["content"]).strip())
    return meta


def _front_matter(text: str) -> dict[str, list[str]]:
    """Read the simple part of YAML: ``key: value``, ``key: [a, b]`` and lists of ``- item`` lines."""
    fields: dict[str, list[str]] = {}
    key = ""
    for line in text.split("\n"):
        if match := re.match(r"([A-Za-z_]\w*)\s*:\s*(.*)$", line):
            key, value = match.group(1).lower(), match.group(2).strip()
            listed = value.startswith("[") and value.endswith("]")
            values = value[1:-1].split(",") if listed else [value]
            fields[key] = [v for v in (part.strip().strip("\"'") for part in values) if v]
        elif key and (match := re.match(r"\s*-\s+(?:name\s*:\s*)?(.+)$", line)):
            fields[key].append(match.group(1).strip().strip("\"'"))
    return fields


def _prepare_markdown(text: str) -> str:
    """Outside code, drop what a browser would not show and join lines that break inside a Japanese sentence."""
    parts: list[str] = []
    prose: list[str] = []
    fence = ""

    def flush() -> None:
        parts.append(_tidy("".join(prose)))
        prose.clear()

    for line in text.splitlines(keepends=True):
        match = _FENCE.match(line)
        if fence:
            parts.append(line)
            if match and match.group(1).startswith(fence) and line.strip() == match.group(1):
                fence = ""
        elif match:
            flush()
            fence = match.group(1)
            parts.append(line)
        else:
            prose.append(line)
    flush()
    return "".join(parts)


def _tidy(prose: str) -> str:
    prose = _HIDDEN.sub("", prose)
    pieces: list[str] = []
    for paragraph in re.split(r"(\n[ \t]*\n)", prose):
        # A heading ends with its line.
        lines = re.split(r"(?m)(^ {0,3}#{1,6}[^\n]*\n)", paragraph)
        pieces += [part if part.lstrip().startswith("#") else _SOFT_BREAK.sub("", part) for part in lines]
    return "".join(pieces)


def _year(text: str) -> int | None:
    match = re.search(r"\b(1[5-9]|20)\d\d\b", text)
    return int(match.group()) if match else None
