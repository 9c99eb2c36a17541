"""What makes a transaction one step, whenever an interrupt comes."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aira_nb.memory.store import Handle, Store


class Steps:
    """Runs `begin`, then the body, then `end`; `undo` instead of `end` when anything in between raises.

    Not a generator: an interrupt between one's ``yield`` and the ``with`` that waits for it would leave the
    transaction open, and the file locked, for as long as somebody keeps the traceback.
    """

    _is_open = False  # on the class: an interrupt can skip __init__ too

    def __init__(self, store: Store, handle: Handle, begin: str, end: str, undo: Sequence[str]) -> None:
        self._store = store
        self._handle = handle
        self._begin = begin
        self._end = end
        self._undo = undo

    def __enter__(self) -> None:
        self._handle.depth += 1
        self._is_open = True
        try:
            self._start()
        except BaseException:
            self._leave()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        done = False
        try:
            if kind is None:
                self._finish()
                done = True
        finally:
            if done:
                self._is_open = False
                self._handle.depth -= 1
            else:
                self._leave()

    def __del__(self) -> None:
        # An interrupt on the very way into __exit__ skips it; then this is the last chance.
        if self._is_open:
            self._leave()

    def _start(self) -> None:
        self._store._execute(self._handle, self._begin)

    def _finish(self) -> None:
        self._store._execute(self._handle, self._end)

    def _leave(self) -> None:
        raw = self._handle.raw
        try:
            with self._handle.lock:
                # A failed COMMIT leaves the transaction open; a full disk may have ended it already.
                if not self._store._closed and raw.in_transaction:
                    # An interrupt may have come before the savepoint was there, or after it was released.
                    with suppress(sqlite3.OperationalError):
                        for statement in self._undo:
                            raw.execute(statement)
        finally:
            self._is_open = False
            self._handle.depth -= 1


class RevisedSteps(Steps):
    """The same, and a new revision when the steps changed what the change log follows."""

    _before = 0

    def _start(self) -> None:
        super()._start()
        self._before = self._store.sequence

    def _finish(self) -> None:
        if self._store.sequence != self._before:
            self._store._put_meta("revision", secrets.token_hex(16))
        super()._finish()
