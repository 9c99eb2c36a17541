"""The settings of a corpus: one frozen record, read from the environment where the caller says nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from aira_nb.errors import InputError

__all__ = ["Settings", "load"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a corpus is built and asked. Never holds a key: those are read from the environment when a call is made.

    Attributes
    ----------
    strategy : str
        Retrieval strategy: "aira" (default), "bm25", "dense", "hybrid" or "graph". Environment: AIRA_STRATEGY.
    k : int
        How many passages `search` returns. AIRA_K.
    threshold : int or None
        τ: the number of distinct passages at which a schema is stable. None (default): as last applied to the corpus,
        2 at first. AIRA_THRESHOLD.
    embedder : str
        "none" (default), "local", or ``http://host/v1#model``. AIRA_EMBEDDER.
    layout : str
        "native" (default): PDF text by rules, without models; "docling": docling's layout models, for which the extra
        [layout] and its model files must be installed. AIRA_LAYOUT.
    artifacts : str
        Folder of docling's model files; empty for docling's own default. DOCLING_ARTIFACTS_PATH.
    time_limit : float
        Seconds that parsing one file may take. AIRA_TIME_LIMIT.
    memory_limit : int
        Megabytes of memory that parsing one file may take, where the platform can limit it. AIRA_MEMORY_LIMIT.
    """

    strategy: str = "aira"
    k: int = 5
    threshold: int | None = None
    embedder: str = "none"
    layout: str = "native"
    artifacts: str = ""
    time_limit: float = 300.0
    memory_limit: int = 4096

    def __post_init__(self) -> None:
        for name, least in (("k", 1), ("threshold", 1), ("time_limit", 1), ("memory_limit", 256)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise InputError(f"The setting {name} must be at least {least}, not {value}.")
        if self.layout not in ("native", "docling"):
            raise InputError(f"The setting layout is 'native' or 'docling', not {self.layout!r}.")


_VARIABLES: dict[str, tuple[str, type]] = {
    "strategy": ("AIRA_STRATEGY", str),
    "k": ("AIRA_K", int),
    "threshold": ("AIRA_THRESHOLD", int),
    "embedder": ("AIRA_EMBEDDER", str),
    "layout": ("AIRA_LAYOUT", str),
    "artifacts": ("DOCLING_ARTIFACTS_PATH", str),
    "time_limit": ("AIRA_TIME_LIMIT", float),
    "memory_limit": ("AIRA_MEMORY_LIMIT", int),
}


def load(environment: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
    """Return the defaults, changed by environment variables, changed by `overrides`.

    Raises
    ------
    InputError
        For a variable that cannot be read, naming it.
    """
    environment = os.environ if environment is None else environment
    found: dict[str, Any] = {}
    for name, (variable, kind) in _VARIABLES.items():
        text = environment.get(variable, "").strip()
        if text:
            try:
                found[name] = kind(text)
            except ValueError as error:
                raise InputError(f"The environment variable {variable} must be a number, not {text!r}.") from error
    return replace(Settings(), **{**found, **overrides})
