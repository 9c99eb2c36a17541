"""Ask your own papers, in English and Japanese, with citations that open on the right page.

>>> import aira_nb
>>> corpus = aira_nb.open("my.aira")  # doctest: +SKIP
>>> corpus.add("papers/")  # doctest: +SKIP
>>> corpus.build()  # doctest: +SKIP
>>> corpus.ask("Who introduced the method?")  # doctest: +SKIP

Importing the package loads nothing heavy: every name below but the errors arrives on first use.
"""

from __future__ import annotations

import importlib
from os import PathLike
from typing import TYPE_CHECKING, Any

from aira_nb.errors import (
    AiraError,
    ConvergenceError,
    IndexStaleError,
    InputError,
    MissingDependencyError,
    ModelError,
    StoreError,
)

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from aira_nb.corpus import Corpus
    from aira_nb.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "AiraError",
    "ConvergenceError",
    "Corpus",
    "IndexStaleError",
    "InputError",
    "MissingDependencyError",
    "ModelError",
    "Settings",
    "StoreError",
    "__version__",
    "load_ipython_extension",
    "open",
    "unload_ipython_extension",
]

_LAZY = {"Corpus": "aira_nb.corpus", "Settings": "aira_nb.settings"}


def open(path: str | PathLike[str], *, settings: Settings | None = None) -> Corpus:
    """Open the corpus in the file `path`, and create it when there is none.

    Parameters
    ----------
    path : str or path-like
        The store; ``my`` means ``my.aira``. It is one SQLite file and the whole truth; ``NAME.aira.index/`` beside it
        can be deleted at any time.
    settings : Settings, optional
        By default they are read from the environment (``AIRA_...``).

    Raises
    ------
    StoreError
        The file is not a store of aira_nb, was written by a newer version, or is locked.
    """
    corpus: Corpus = importlib.import_module("aira_nb.corpus").Corpus.open(path, settings=settings)
    return corpus


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register ``%aira`` and ``%%aira``; IPython calls this for ``%load_ext aira_nb``."""
    importlib.import_module("aira_nb.magic").register(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Take ``%aira`` away again; IPython calls this for ``%unload_ext aira_nb``."""
    importlib.import_module("aira_nb.magic").unregister(shell)


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_LAZY[name]), name)
    globals()[name] = value  # the second access is a plain look-up
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
