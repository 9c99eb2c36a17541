"""Progress bars with count, rate and time left, in a terminal and in a notebook alike."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from aira_nb.types import Progress

__all__ = ["shown"]

_UNITS = {"add": "file", "extract": "passage", "embed": "passage", "index": "passage"}


@contextmanager
def shown(progress: Progress | Literal["auto"] | None) -> Iterator[Progress]:
    """Yield a callable ``(stage, done, total)``: the caller's own, bars for "auto", or one that shows nothing."""
    if progress is None:
        yield lambda stage, done, total: None
    elif progress == "auto":
        bars: dict[str, Any] = {}

        def advance(stage: str, done: int, total: int) -> None:
            if stage not in bars:
                # One stage at a time: an earlier bar that stays open would push the next one down the screen.
                for bar in bars.values():
                    bar.close()
                bars[stage] = _bar()(total=total, desc=stage, unit=_UNITS.get(stage, "item"), leave=False)
            bar = bars[stage]
            bar.total = total
            bar.update(done - bar.n)

        try:
            yield advance
        finally:
            for bar in bars.values():
                bar.close()
    else:
        yield progress


def _bar() -> Any:
    # tqdm.auto warns on every call in a notebook without ipywidgets; plain text bars do there what they should.
    if importlib.util.find_spec("ipywidgets") is None:
        from tqdm import tqdm
    else:
        from tqdm.auto import tqdm
    return tqdm
