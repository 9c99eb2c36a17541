"""Native calls that an interrupt can leave."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from aira_nb.models.background import interruptible


def test_result_and_error_come_through() -> None:
    """A call's result is returned and its error raised, as if it had been called directly."""
    assert interruptible(lambda: 42) == 42
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send to one process")
def test_an_interrupt_is_heard_during_the_call() -> None:
    """Ctrl-C ends the wait while the call itself still runs."""
    release = threading.Event()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(release.wait)
    assert not release.is_set()
    release.set()
    timer.join()
