"""SQLite's errors in words: the file, the cause, the next step."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from aira_nb.errors import AiraError, InputError, StoreError


def translated(error: Exception, path: Path, *, mode: str, timeout: float) -> AiraError:
    """Return our error for one that sqlite3 raised on the store at `path`.

    A value that SQLite cannot hold is the caller's to change (:class:`InputError`); all else is about the file.
    """
    if isinstance(error, UnicodeEncodeError):
        text = error.object[max(0, error.start - 10) : error.end + 10]
        return InputError(
            f"{path} stores Unicode text only, and {text!r} holds half of a surrogate pair. "
            "Rename the file, or repair the text, and add it again."
        )
    if isinstance(error, OverflowError):
        return InputError(f"{path} stores integers of 64 bits: {error}. Correct the number and call again.")
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the primary code, without SQLite's extensions
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(
            f"{path} is locked: another process or thread has been using it for {timeout:g} s. "
            "Wait until its call ends, or close the other notebook or program, and call again; nothing was changed."
        )
    if code == sqlite3.SQLITE_READONLY:
        reason = "was opened read-only" if mode == "ro" else "is write-protected"
        return StoreError(f"{path} {reason}. Open it with mode 'rw', from a place where you may write, to change it.")
    if code == sqlite3.SQLITE_NOTADB:
        return StoreError(f"{path} is not a store (not an SQLite file). Choose another path; the file was not touched.")
    if code == sqlite3.SQLITE_CORRUPT:
        return StoreError(
            f"{path} is damaged ({error}). Put back your last copy of it, or build it again from the documents."
        )
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"The disk that holds {path} is full. Free some space and call again; nothing was changed.")
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreError(
            f"{path} cannot be opened ({error}). Check that you may read and write the file and its folder."
        )
    if code == sqlite3.SQLITE_CONSTRAINT:
        return StoreError(f"{path} refuses a change that would make it inconsistent ({error}); nothing was changed.")
    return StoreError(f"{path} could not be used ({type(error).__name__}: {error}). Copy the file, then call again.")
