"""Which files are documents: paths, folders and globs to a list of files."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from aira_nb.errors import InputError

__all__ = ["FORMATS", "digest", "find_files", "format_of"]

FORMATS = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".pptx": "pptx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "md",
    ".markdown": "md",
    ".txt": "txt",
    ".text": "txt",
    ".jsonl": "jsonl",
}
"""Suffix to format name."""

_LISTED = "pdf, docx, pptx, html, md, txt and jsonl"


def find_files(paths: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """Return the document files that `paths` name, each once, in the order given and sorted inside folders.

    Parameters
    ----------
    paths : iterable of path
        Files, folders (searched recursively) and glob patterns (``**`` descends). Inside folders and patterns, hidden
        files, Office lock files and files of other formats are passed over. Download marks (``Zone.Identifier``) and
        stores (``*.aira``) are always passed over. Of a BEIR folder only ``corpus.jsonl`` is a document file.

    Raises
    ------
    InputError
        If a path does not exist, a named file has an unknown format, or nothing usable is left.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found: dict[str, Path] = {}
    for path in given:
        for file in _expand(os.fspath(path)):
            found.setdefault(os.path.normcase(os.path.abspath(file)), file)
    if not found:
        named = ", ".join(repr(os.fspath(p)) for p in given) or "no path"
        raise InputError(f"{named}: 0 documents found. aira_nb reads {_LISTED} files; name a file or a folder of them.")
    return list(found.values())


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format name of a file by its suffix.

    Raises
    ------
    InputError
        If the suffix is not one of :data:`FORMATS`.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        shown = f"the format {suffix!r}" if suffix else "a file without a suffix"
        raise InputError(f"{os.fspath(path)}: cannot read {shown}. Convert it to one of {_LISTED}.")
    return FORMATS[suffix]


def digest(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file's bytes as 64 hex digits.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{os.fspath(path)}: cannot be read ({error.strerror}). Check the path and its rights.") from (
            error
        )


def _expand(path: str) -> Iterator[Path]:
    expanded = os.path.expanduser(path)
    if os.path.isdir(expanded):
        yield from _walk(expanded)
    elif os.path.exists(expanded):
        if not _is_refuse(os.path.basename(expanded)):
            format_of(expanded)
            yield Path(expanded)
    elif glob.has_magic(expanded):
        yield from _match(path, expanded)
    else:
        raise InputError(f"{path}: no such file or folder. Check the spelling; relative paths start at {os.getcwd()}.")


def _match(path: str, pattern: str) -> Iterator[Path]:
    matches = sorted(glob.glob(pattern, recursive=True))
    if not matches:
        raise InputError(f"{path}: no file matches this pattern. Relative patterns start at {os.getcwd()}.")
    for match in matches:
        if os.path.isdir(match):
            # With "**" the files below are matches of their own.
            if "**" not in pattern:
                yield from _walk(match)
        elif _is_document(os.path.basename(match)):
            yield Path(match)


def _walk(folder: str) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        if "corpus.jsonl" in names:
            # A BEIR folder: queries and judgements beside it are not documents.
            folders[:] = []
            yield Path(root, "corpus.jsonl")
            continue
        for name in sorted(names):
            if _is_document(name):
                yield Path(root, name)


def _is_document(name: str) -> bool:
    hidden = name.startswith((".", "~$"))
    return not hidden and not _is_refuse(name) and os.path.splitext(name)[1].lower() in FORMATS


def _is_refuse(name: str) -> bool:
    return name.endswith(("Zone.Identifier", ".aira"))
