"""What every test stands on: no network, no settings of the machine's user, and the public data sets when named."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import aira_nb
from aira_nb.types import Ranking, ScoredPassage, Signal

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Take away the settings and keys of whoever runs the tests; AIRA_DATA stays, it only names a folder."""
    for name in os.environ:
        if (name.startswith("AIRA_") and name != "AIRA_DATA") or name.startswith("OPENAI_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.getbasetemp() / "no-config"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path_factory.getbasetemp() / "ipython"))


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """Let sockets of this process reach this machine only."""
    connect = socket.socket.connect

    def connect_here(self: socket.socket, address: Any) -> None:
        local = self.family not in (socket.AF_INET, socket.AF_INET6) or address[0] in ("127.0.0.1", "::1", "localhost")
        assert local, f"a test wanted to reach {address}"
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect_here)
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """Give the top of the source tree."""
    return ROOT


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Give the folder of the public data sets; a test that needs it carries the marker ``data``."""
    named = os.environ.get("AIRA_DATA")
    if not named:
        pytest.skip("AIRA_DATA names no folder with the public data sets")
    return Path(named)


class Report:
    """What the stand-in corpus returns: enough of a report for a door to show."""

    def __init__(self, name: str, **fields: Any) -> None:
        self.name = name
        self.fields = fields
        self.failed = fields.get("failed", ())

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return dict(self.fields)

    def __str__(self) -> str:
        return f"{self.name}: {self.fields}"


class StandInCorpus:
    """The surface of Corpus that the doors use, which remembers its calls. A test compares its signatures."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self.path.touch()
        self.calls: list[tuple[str, Any]] = []
        self.failed: tuple[str, ...] = ()
        self.problems: list[str] = []
        self.error: BaseException | None = None

    def _did(self, verb: str, *arguments: Any) -> None:
        if self.error is not None:
            raise self.error
        self.calls.append((verb, *arguments))

    def __enter__(self) -> StandInCorpus:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        self.calls.append(("close",))

    def add(self, *paths: Any, progress: Any = None) -> Report:
        self._did("add", *map(str, paths))
        return Report("added", files=[str(path) for path in paths], failed=self.failed)

    def build(self, *, progress: Any = None) -> Report:
        self._did("build")
        return Report("built", passages=2)

    def stabilize(self, threshold: int | None = None) -> Report:
        self._did("stabilize", threshold)
        return Report("stabilized", threshold=threshold)

    def threshold_curve(self) -> pd.DataFrame:
        self._did("threshold_curve")
        return pd.DataFrame({"threshold": [1, 2], "active share": [1.0, float("nan")]})

    def search(self, query: str, *, k: int | None = None, strategy: str | None = None) -> Ranking:
        self._did("search", query, k, strategy)
        return Ranking(query, strategy or "aira", (ScoredPassage("p1", 0.5, (Signal("bm25", 1, 2.5),)),))

    def passages(self, ids: Any = None) -> pd.DataFrame:
        return pd.DataFrame(
            [{"id": "p1", "title": "論文", "source": "a.pdf", "section": ["1"], "pages": [3], "text": "本文 text"}]
        )

    def ask(self, question: str, *, k: int | None = None, strategy: str | None = None) -> Report:
        self._did("ask", question, k, strategy)
        return Report("answer", question=question, status="answered", text="伊藤が導入した。[1]")

    def remove(self, *documents: str) -> Report:
        self._did("remove", *documents)
        return Report("removed", documents=list(documents))

    def health(self) -> Report:
        self._did("health")
        return Report("health", passages=2)

    def stats(self) -> Report:
        self._did("stats")
        return Report("stats", passages=2)

    def check(self) -> list[str]:
        self._did("check")
        return self.problems

    def documents(self) -> pd.DataFrame:
        self._did("documents")
        return pd.DataFrame({"source": ["a.pdf", "日本語.md"], "year": [2024.0, None]})


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[StandInCorpus]:
    """Give the one corpus that every `aira_nb.open` of this test returns, in an empty current folder."""
    monkeypatch.chdir(tmp_path)
    corpus = StandInCorpus(tmp_path / "my.aira")

    def open_it(path: Any, *, settings: Any = None) -> StandInCorpus:
        corpus.path = Path(path)
        return corpus

    monkeypatch.setattr(aira_nb, "open", open_it)
    monkeypatch.setitem(vars(aira_nb), "Corpus", StandInCorpus)  # the name is lazy: do not load the real one
    yield corpus
