"""The store file itself: opening and refusing, migrating, connections, transactions.

Decisions
---------
- The journal is a rollback journal (``journal_mode=DELETE``), not a write-ahead log. Between transactions the store is
  then exactly one complete file, so that copying it is a backup, and it opens on network drives, where a write-ahead
  log does not work. The price is that readers wait while a commit writes; ``cache_spill=OFF`` keeps that to the
  commit itself, because a long transaction stays in memory until then.
- ``temp_store`` stays with files: inside a savepoint, SQLite truncates an in-memory statement journal in time that
  grows with the savepoint, which made the removal of half a store take 48 times as long.
- Each thread gets its own connection: a server's thread reads the last committed state while another one writes.
- A read-only store is an ordinary connection with ``query_only``: opened with SQLite's own read-only mode it could
  not roll back what a killed writer left behind, and so could not be read at all.
- Deleted text is overwritten (``secure_delete``), because a store is handed on by copying it.
"""

# ruff: noqa: S608  only names of this package's own tables and columns are put together; values are always bound.

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NoReturn, Self, TypeVar

from aira_nb.errors import InputError, StoreError
from aira_nb.memory.failures import translated
from aira_nb.memory.layout import APPLICATION_ID, migrations, statements
from aira_nb.memory.steps import RevisedSteps, Steps

T = TypeVar("T")
Mode = Literal["rw", "ro"]

BUSY_SECONDS = 10.0
"""How long a call waits for another writer before it gives up."""

_BATCH = 500


@dataclass(slots=True)
class Handle:
    """One thread's connection. `depth` counts open transactions, the outermost included."""

    raw: sqlite3.Connection
    owner: threading.Thread
    depth: int = 0
    lock: threading.RLock = field(default_factory=threading.RLock)


def _close(handles: list[Handle]) -> None:
    for handle in handles:
        with handle.lock:
            handle.raw.close()
    handles.clear()


def chunks(items: Iterable[T], size: int = _BATCH) -> Iterator[list[T]]:
    """Cut `items` into lists of at most `size`."""
    batch: list[T] = []
    for item in items:
        batch.append(item)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch


def upsert(table: str, key: str, columns: Sequence[str]) -> str:
    """Return SQL that inserts a row or updates the row of the same key, and touches nothing when nothing differs.

    The last part matters: an update that changes nothing would still count in the change log.
    """
    names = ", ".join((key, *columns))
    marks = ", ".join("?" * (len(columns) + 1))
    sets = ", ".join(f"{name} = excluded.{name}" for name in columns)
    differs = " OR ".join(f"{table}.{name} IS NOT excluded.{name}" for name in columns)
    return f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT ({key}) DO UPDATE SET {sets} WHERE {differs}"


_PUT_META = upsert("meta", "name", ("value",))


class Store:
    """An open store file: what the tables of the memory are built on. Open one with :meth:`open`."""

    def __init__(self, path: Path, mode: Mode, timeout: float) -> None:
        self._path = path
        self._mode = mode
        self._timeout = timeout
        self._local = threading.local()
        self._handles: list[Handle] = []
        self._guard = threading.Lock()
        self._closed = False
        weakref.finalize(self, _close, self._handles)

    @classmethod
    def open(cls, path: str | Path, *, mode: Mode = "rw", timeout: float = BUSY_SECONDS) -> Self:
        """Open the store file at `path`.

        Parameters
        ----------
        path : str or Path
            The ``NAME.aira`` file.
        mode : {"rw", "ro"}
            "rw" creates the file when it is missing and brings an older one up to date. "ro" changes nothing.
        timeout : float
            Seconds to wait for another writer before :class:`StoreError`.

        Raises
        ------
        StoreError
            When the file is missing ("ro"), no store, made by a newer version, damaged, or locked.
        """
        if mode not in ("rw", "ro"):
            raise InputError(f"A store opens with mode 'rw' or 'ro', not {mode!r}.")
        store = cls(Path(path).absolute(), mode, timeout)
        try:
            store._prepare()
        except BaseException:
            store.close()
            raise
        return store

    # --- opening -----------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        path = self._path
        if path.is_dir():
            raise StoreError(f"{path} is a folder, not a store. Give the path of a file such as {path / 'my.aira'}.")
        if self._mode == "ro" and not path.exists():
            raise StoreError(f"There is no store at {path}. Check the path, or open it for writing to create it.")
        if not path.parent.is_dir():
            raise StoreError(f"The folder {path.parent} does not exist. Create it, then open {path.name} again.")
        latest = len(migrations())
        version = self._version()
        if version > latest:
            raise StoreError(
                f"{path} has store version {version}; this aira_nb reads versions up to {latest}. "
                "Upgrade aira_nb (pip install -U aira-nb); the file was not touched."
            )
        if version < latest and self._mode == "ro":
            if version == 0:
                raise StoreError(f"{path} is empty. Open it for writing and add documents first.")
            raise StoreError(
                f"{path} has the older store version {version}. Open it once for writing to bring it to version "
                f"{latest}, after making a copy if an older aira_nb must still read it."
            )
        if self._mode == "rw":
            self._migrate(latest)

    def _version(self) -> int:
        """The version of the file, 0 when it holds nothing yet; StoreError when it is somebody else's."""
        application = self._scalar("PRAGMA application_id")
        version: int = self._scalar("PRAGMA user_version")
        if application == APPLICATION_ID and version >= 1:
            return version
        if application == 0 and version == 0 and not self._scalar("SELECT count(*) FROM sqlite_master"):
            return 0
        raise StoreError(
            f"{self._path} is an SQLite file of another program, not a store. Choose another path; "
            "the file was not touched."
        )

    def _migrate(self, latest: int) -> None:
        # Only now is the file known to be ours, so only now may anything be set in it.
        if self._scalar("PRAGMA journal_mode") != "delete":
            self._scalar("PRAGMA journal_mode = DELETE")
        if self._version() == latest:
            return
        with Steps(self, self._handle(), "BEGIN IMMEDIATE", "COMMIT", ["ROLLBACK"]):
            # Asked again inside the lock: another process may have done it meanwhile.
            for number, script in enumerate(migrations()[self._version() :], start=self._version() + 1):
                for statement in statements(script):
                    self._run(statement)
                self._run(f"PRAGMA application_id = {APPLICATION_ID}")
                self._run(f"PRAGMA user_version = {number}")

    def _connect(self) -> Handle:
        try:
            # check_same_thread is off only so that close() can close the connections of other threads.
            raw = sqlite3.connect(
                self._path, timeout=self._timeout, isolation_level=None, check_same_thread=False, cached_statements=256
            )
        except sqlite3.Error as error:
            self._fail(error)
        handle = Handle(raw, threading.current_thread())
        try:
            raw.execute("PRAGMA page_size = 8192")  # for new files: four vectors of 384 numbers fill a page
            raw.execute("PRAGMA trusted_schema = OFF")
            raw.execute("PRAGMA foreign_keys = ON")
            raw.execute("PRAGMA secure_delete = ON")
            raw.execute("PRAGMA cache_spill = OFF")
            raw.execute("PRAGMA cache_size = -65536")
            if self._mode == "ro":
                raw.execute("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            raw.close()
            self._fail(error)
        return handle

    def _handle(self) -> Handle:
        handle: Handle | None = getattr(self._local, "handle", None)
        if handle is not None and not self._closed:
            return handle
        with self._guard:
            if self._closed:
                raise StoreError(f"{self._path} was closed. Open it again.")
            for old in [old for old in self._handles if not old.owner.is_alive()]:
                old.raw.close()
                self._handles.remove(old)
            handle = self._connect()
            self._handles.append(handle)
        self._local.handle = handle
        return handle

    # --- what callers use --------------------------------------------------------------------------------------

    @property
    def path(self) -> Path:
        """The absolute path of the store file."""
        return self._path

    @property
    def mode(self) -> Mode:
        """How it was opened: "rw" or "ro"."""
        return self._mode

    @property
    def sequence(self) -> int:
        """The number of the newest change; it grows with every change of this very file.

        A copy of the file counts on from the same number: what is kept outside of the store follows :attr:`revision`.
        """
        row = self._row("SELECT seq FROM sqlite_sequence WHERE name = 'change'")
        return 0 if row is None else int(row[0])

    @property
    def revision(self) -> str:
        """A name for the present content; equal names mean equal contents, also across copies of the file.

        Every outermost transaction that changed anything that the change log follows ends with a new random one, so
        that two copies that were edited apart never share it. Inside a transaction it still is the former one.
        """
        row = self._row("SELECT value FROM meta WHERE name = 'revision'")
        return "" if row is None else str(row[0])

    def close(self) -> None:
        """Close the file. An open transaction is rolled back. Closing twice is allowed."""
        with self._guard:
            self._closed = True
            _close(self._handles)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def transaction(self) -> AbstractContextManager[None]:
        """Make everything inside one step: all of it happens, or nothing.

        Nests: an inner transaction that fails undoes its own part and raises. In a store opened "ro" it is a
        :meth:`snapshot`.

        Raises
        ------
        StoreError
            When another process keeps the file locked for longer than the timeout.
        """
        handle = self._handle()
        if handle.depth:
            level = f"level{handle.depth}"
            undo = [f"ROLLBACK TO {level}", f"RELEASE {level}"]
            return Steps(self, handle, f"SAVEPOINT {level}", f"RELEASE {level}", undo)
        if self._mode == "ro":
            return Steps(self, handle, "BEGIN", "COMMIT", ["ROLLBACK"])
        return RevisedSteps(self, handle, "BEGIN IMMEDIATE", "COMMIT", ["ROLLBACK"])

    def snapshot(self) -> AbstractContextManager[None]:
        """Read one unchanging state, whatever others write meanwhile. Inside a transaction that is its own state.

        Others can write while a snapshot is read, and commit when it has ended: keep it short.
        """
        handle = self._handle()
        return nullcontext() if handle.depth else Steps(self, handle, "BEGIN", "COMMIT", ["ROLLBACK"])

    # --- what the tables use -----------------------------------------------------------------------------------

    def _execute(self, handle: Handle, sql: str, params: Sequence[Any] = ()) -> sqlite3.Cursor:
        with handle.lock:
            try:
                return handle.raw.execute(sql, params)
            except (sqlite3.Error, UnicodeEncodeError, OverflowError) as error:
                self._fail(error)

    def _run(self, sql: str, params: Sequence[Any] = ()) -> int:
        """Execute one statement and return how many rows it changed."""
        return self._execute(self._handle(), sql, params).rowcount

    def _run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        handle = self._handle()
        with handle.lock:
            try:
                handle.raw.executemany(sql, rows)
            except (sqlite3.Error, UnicodeEncodeError, OverflowError) as error:
                self._fail(error)

    def _put_meta(self, name: str, value: str) -> None:
        self._run(_PUT_META, (name, value))

    def _rows(self, sql: str, params: Sequence[Any] = ()) -> list[Any]:
        """Return all rows. Nothing stays open: a half-read cursor would keep every writer waiting."""
        handle = self._handle()
        with handle.lock:
            try:
                return handle.raw.execute(sql, params).fetchall()
            except (sqlite3.Error, UnicodeEncodeError, OverflowError) as error:
                self._fail(error)

    def _row(self, sql: str, params: Sequence[Any] = ()) -> Any:
        """Return the first row, or None when there is none."""
        rows = self._rows(sql, params)
        return rows[0] if rows else None

    def _scalar(self, sql: str, params: Sequence[Any] = ()) -> Any:
        """Return the only value of the only row."""
        return self._rows(sql, params)[0][0]

    def _rows_in(self, sql: str, values: Iterable[str]) -> Iterator[Any]:
        """Yield the rows of `sql`, whose ``{marks}`` stand for `values`, in as many statements as it takes."""
        for batch in chunks(values):
            yield from self._rows(sql.format(marks=", ".join("?" * len(batch))), batch)

    def _rows_by_id(self, sql: str, size: int = 2_000) -> Iterator[Any]:
        """Yield the rows of `sql` in pages, each starting behind the id (first column) that the last one ended with.

        `sql` has two parameters, the id to start behind and the page's size. Between pages nothing is locked.
        """
        last = ""
        while rows := self._rows(sql, (last, size)):
            yield from rows
            last = rows[-1][0]

    def _fail(self, error: Exception) -> NoReturn:
        """Raise SQLite's `error` as ours."""
        if self._closed:
            raise StoreError(f"{self._path} was closed. Open it again.") from error
        raise translated(error, self._path, mode=self._mode, timeout=self._timeout) from error
