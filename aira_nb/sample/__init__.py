"""The bundled sample corpus: short articles and mini-papers from an invented world, half of them in Japanese.

Everything in it was written for aira_nb. No person, place, institute, species, method or figure in it exists. It
carries links that need two articles, names in several spellings, and statements that contradict each other on
purpose, so that it serves the demo, the tests and the study of conflicts alike.
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from aira_nb.errors import InputError

__all__ = ["DEMO_QUESTIONS", "corpus_path", "planted", "questions"]

DEMO_QUESTIONS: dict[str, str] = {
    "en": "Who designed the clock that synchronised the gauges in the Personalized Tide Rank experiments?",
    "ja": "灯野いずみが2009年から2017年まで所属した研究所の職員は何名ですか。",
}
"""One question per language whose answer needs two articles; one of the English question's is a PDF."""


def corpus_path() -> Path:
    """Return the folder of the articles (Markdown, PDF, and one ``.bib``), ready to be added to a corpus.

    Raises
    ------
    InputError
        The installation keeps the package where its data are no plain files (inside a zip archive).
    """
    path = _folder() / "corpus"
    if not path.is_dir():
        raise InputError(
            f"the sample corpus is not a folder at {path}; install aira-nb unpacked (pip does so) instead of from a zip"
        )
    return path


def questions() -> list[dict[str, Any]]:
    """Return the questions about the corpus, in file order.

    Each has ``id``, ``language``, ``type`` (bridge, comparison, who, when, where, how_many, yes_no, definition,
    unanswerable), ``question``, ``answers`` (every accepted spelling; empty when unanswerable) and ``supporting``: a
    list of ``{"file", "sentence"}``, the sentence verbatim.
    """
    return _read("questions.json")


def planted() -> list[dict[str, Any]]:
    """Return the pairs of statements that a conflict detector has to judge.

    Each has ``id``, ``kind`` (exclusive, temporal, granularity, conditions, near_miss), ``language`` ("en", "ja" or
    "mixed"), ``subject``, ``relation``, ``statements`` (two of ``{"file", "sentence", "value"}``) and ``expected``:
    "conflict", "temporal_compatible", "temporal_unresolved", "granularity_compatible" or "no_conflict".
    """
    return _read("planted.json")


def _read(name: str) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = json.loads((_folder() / name).read_text(encoding="utf-8"))
    return content


def _folder() -> Path:
    return Path(str(files(__name__)))
