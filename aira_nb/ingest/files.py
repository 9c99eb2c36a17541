"""Which files are documents: paths, folders and globs to a list of files."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from aira_nb.errors import InputError
from aira_nb.ingest.bibtex import entry_for

__all__ = ["FORMATS", "digest", "file_digest", "find_files", "format_of", "require_file"]

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
        files, Office lock files, files of other formats, pipes and devices, and the questions and judgements of a BEIR
        corpus (``queries*.jsonl`` and ``qrels/`` beside ``corpus.jsonl``) are passed over. Download marks
        (``Zone.Identifier``), stores (``*.aira``) and bibliographies (``*.bib``) are always passed over.

    Returns
    -------
    list of Path
        Also named files that cannot be read, such as a spreadsheet, if there is another that can: :meth:`Parser.read`
        says why, and the others go on.

    Raises
    ------
    InputError
        If a path does not exist, or nothing that can be read is left.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found: dict[str, Path] = {}
    for path in given:
        for file in _expand(os.fspath(path)):
            found.setdefault(os.path.normcase(os.path.abspath(file)), file)
    if not found:
        named = ", ".join(repr(os.fspath(p)) for p in given) or "no path"
        raise InputError(f"{named}: 0 documents found. aira_nb reads {_LISTED} files; name a file or a folder of them.")
    files = list(found.values())
    if not any(_is_regular(file) and file.suffix.lower() in FORMATS for file in files):
        format_of(files[0])
        require_file(files[0])
    return files


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
    """Return 64 hex digits that change when anything changes that the file's documents are made from.

    That is the file's bytes, and the entry of a ``.bib`` beside it that describes it. Without such an entry it is
    :func:`file_digest`.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    own = file_digest(path)
    if Path(path).suffix.lower() == ".jsonl":  # its records describe themselves
        return own
    entry, _ = entry_for(Path(path))
    return own if entry is None else hashlib.sha256(f"{own}\n{entry.text}".encode()).hexdigest()


def require_file(path: str | os.PathLike[str]) -> None:
    """Refuse what is there but is no regular file: opening a pipe or a device could wait for ever.

    Raises
    ------
    InputError
        If `path` is a folder, a pipe, a socket or a device.
    """
    if not _is_regular(path):
        raise InputError(f"{os.fspath(path)}: not a regular file (a folder, pipe or device?). Name a document file.")


def file_digest(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file's bytes as 64 hex digits.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    require_file(path)
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
        elif _is_document(match):
            yield Path(match)


def _walk(folder: str) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in sorted(names):
            if _is_document(os.path.join(root, name)):
                yield Path(root, name)


def _is_document(path: str) -> bool:
    folder, name = os.path.split(path)
    hidden = name.startswith((".", "~$"))
    if hidden or _is_refuse(name) or os.path.splitext(name)[1].lower() not in FORMATS:
        return False
    return _is_regular(path) and not _is_of_beir(folder, name)


def _is_of_beir(folder: str, name: str) -> bool:
    """Whether the file holds the questions or judgements of a BEIR corpus, which are not documents."""
    if name.startswith("queries") and name.endswith(".jsonl"):
        return os.path.exists(os.path.join(folder, "corpus.jsonl"))
    return os.path.basename(folder) == "qrels" and os.path.exists(os.path.join(folder, "..", "corpus.jsonl"))


def _is_regular(path: str | os.PathLike[str]) -> bool:
    """Whether it may be opened. What is not there may: opening it says so."""
    return os.path.isfile(path) or not os.path.exists(path)


def _is_refuse(name: str) -> bool:
    return name.endswith(("Zone.Identifier", ".aira")) or name.lower().endswith(".bib")
