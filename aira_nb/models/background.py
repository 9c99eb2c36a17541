"""Calls into native code that an interrupt can leave: Ctrl-C must be heard within two seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["interruptible"]

T = TypeVar("T")
_POLL = 0.1  # seconds


def interruptible(call: Callable[[], T]) -> T:
    """Return ``call()``, run in a daemon thread while this one waits where KeyboardInterrupt is heard.

    After an interrupt the call runs on to its end in the background and its result is dropped.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # carried over to the waiting thread, whatever it is
            errors.append(error)

    thread = threading.Thread(target=run, name="aira-model", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_POLL)
    if errors:
        raise errors[0]
    return results[0]
