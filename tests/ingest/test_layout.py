"""The optional layout models: what is said when they are missing. They themselves cannot run in the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from aira_nb.errors import InputError, MissingDependencyError
from aira_nb.ingest import layout


def test_without_a_folder_no_models_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layout models are opt-in."""
    monkeypatch.delenv("DOCLING_ARTIFACTS_PATH", raising=False)
    assert layout.find_artifacts(None) is None


def test_a_folder_without_the_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Asking for models that cannot run names the extra; docling's own variable alone does not ask."""
    monkeypatch.setattr(layout.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("DOCLING_ARTIFACTS_PATH", str(tmp_path))
    assert layout.find_artifacts(None) is None
    with pytest.raises(MissingDependencyError, match=r"aira-nb\[layout\]"):
        layout.find_artifacts(str(tmp_path))


def test_a_folder_without_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty folder is an error that says what to download, how large it is, and where to put it."""
    monkeypatch.setattr(layout.importlib.util, "find_spec", lambda name: object())
    with pytest.raises(InputError, match=r"docling-layout.*GB.*docling-tools models download.*artifacts_path"):
        layout.find_artifacts(str(tmp_path))
    (tmp_path / "docling-project--docling-layout-heron").mkdir()
    (tmp_path / "docling-project--docling-models").mkdir()
    assert layout.find_artifacts(str(tmp_path)) == str(tmp_path)
