"""JSONL and BEIR corpora: one record a line, one document a record, read as a stream."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from aira_nb.errors import InputError
from aira_nb.ingest.records import Block, capped_title
from aira_nb.ingest.split import split
from aira_nb.text import detect_language
from aira_nb.types import Document, FileReport, ParsedDocument, make_id

__all__ = ["read_records"]

_KNOWN = frozenset({"_id", "id", "title", "text", "metadata", "authors", "author", "year", "doi"})

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def read_records(path: str | os.PathLike[str], *, source: str) -> Iterator[ParsedDocument | FileReport]:
    """Yield each record of a JSONL file as a document, or a report saying why that record is none.

    A record has ``text`` and, optionally, ``_id`` (or ``id``), ``title``, ``authors``, ``year``, ``doi`` and
    ``metadata``; further fields are kept in the document's metadata. Without an id the line number is one.

    Raises
    ------
    InputError
        If the file cannot be opened, is not UTF-8, or has no record at all.
    """
    lines_of: dict[str, int] = {}
    try:
        with open(path, "rb") as file:
            for number, raw in enumerate(file, start=1):
                line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
                if line.strip():
                    yield _read(line.strip(), number, source, lines_of)
    except OSError as error:
        raise InputError(f"{os.fspath(path)}: cannot be read ({error.strerror}). Check the path and its rights.") from (
            error
        )
    if not lines_of:
        raise InputError(f"{os.fspath(path)}: no usable record. Each line must be a JSON object with a 'text' field.")


def _read(line: bytes, number: int, source: str, lines_of: dict[str, int]) -> ParsedDocument | FileReport:
    """Turn one line into a document; what is wrong with it becomes its report."""
    name = f"{source}#line-{number}"
    try:
        record = _record(line)
        external = _identifier(record, number)
        name = f"{source}#{external}"
        if external in lines_of:
            raise InputError(f"repeats the id {external!r} of line {lines_of[external]}")
        text = _string(record, "text")
        if not text.strip():
            return FileReport(name, "skipped", f"line {number}: the record has no text")
        parsed = _parse(record, text, external, name, hashlib.sha256(line).hexdigest())
    except UnicodeDecodeError as error:
        return FileReport(name, "failed", f"line {number}: not UTF-8 ({error.reason} at byte {error.start})")
    except RecursionError:
        return FileReport(name, "failed", f"line {number}: nested too deeply")
    except InputError as error:
        return FileReport(name, "failed", f"line {number}: {error}")
    lines_of[external] = number
    return parsed


def _record(line: bytes) -> dict[str, Any]:
    text = line.decode("utf-8")
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not valid JSON ({error.msg} at column {error.colno})") from error
    except ValueError as error:
        raise InputError("holds an integer with more digits than Python reads") from error
    if not isinstance(record, dict):
        raise InputError("not a JSON object")
    if _SURROGATE.search(line):
        for item in record.items():
            _require_unicode(item)
    return record


def _require_unicode(item: tuple[str, Any]) -> None:
    r"""Refuse half a character ("\ud800"), which JSON can smuggle in and no file or database takes."""
    try:
        json.dumps(item, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(f"{item[0]!a} has half a surrogate pair") from error


def _parse(record: Mapping[str, Any], text: str, external: str, name: str, sha256: str) -> ParsedDocument:
    title = _string(record, "title").strip()
    metadata = record.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise InputError("'metadata' is not a JSON object")
    extra = {key: value for key, value in record.items() if key not in _KNOWN}
    language = detect_language(f"{title} {text}")
    document = Document(
        id=make_id(name),
        source=name,
        sha256=sha256,
        format="jsonl",
        title=capped_title(title) or _headline(text),
        language=language,
        authors=_authors(record),
        year=_year(record, metadata),
        doi=str(record.get("doi") or metadata.get("doi") or "") or None,
        external_id=external,
        metadata=extra | metadata,
    )
    blocks = [Block("text", part.strip()) for part in re.split(r"\n[ \t]*\n", text) if part.strip()]
    return ParsedDocument(document, split(blocks, document_id=document.id, language=language))


def _identifier(record: Mapping[str, Any], number: int) -> str:
    value = record.get("_id", record.get("id"))
    if value is None:
        return f"line-{number}"
    if not isinstance(value, str | int) or not str(value).strip():
        raise InputError("the id is neither a string nor an integer")
    return str(value)


def _string(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(f"{key!r} is not a string")
    return value


def _headline(text: str) -> str:
    first = text.strip().split("\n", 1)[0].strip()
    return first if len(first) <= 60 else first[:59] + "\u2026"


def _authors(record: Mapping[str, Any]) -> tuple[str, ...]:
    value = record.get("authors", record.get("author")) or ()
    names = re.split(r"\s*;\s*|\s+and\s+", value) if isinstance(value, str) else value
    if not isinstance(names, list | tuple):
        return ()
    return tuple(str(name).strip() for name in names if str(name).strip())


def _year(record: Mapping[str, Any], metadata: Mapping[str, Any]) -> int | None:
    match = re.search(r"\b(1[5-9]|20)\d\d\b", str(record.get("year") or metadata.get("year") or ""))
    return int(match.group()) if match else None
