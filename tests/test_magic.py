"""``%aira`` and ``%%aira`` in a real IPython shell, over the stand-in corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from aira_nb import magic
from aira_nb.errors import StoreError
from aira_nb.verbs import VERBS


@pytest.fixture
def shell(stand_in: Any) -> Iterator[InteractiveShell]:
    """Give a shell that has loaded the extension, and keeps no history."""
    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell(config=config)
    shell.run_cell("%load_ext aira_nb")
    yield shell
    magic.unregister(shell)


def value_of(shell: InteractiveShell, cell: str) -> Any:
    outcome = shell.run_cell(cell)
    outcome.raise_error()
    return outcome.result


@pytest.mark.parametrize(
    ("cell", "question"),
    [
        ('%aira ask "Who introduced it?"', "Who introduced it?"),
        ("%aira ask 'Who introduced it?'", "Who introduced it?"),
        ("%aira ask Who introduced it?", "Who introduced it?"),
        ("%aira ask Who introduced it", "Who introduced it"),
        ("%aira ask What is the paper's aim?", "What is the paper's aim?"),
        ("%aira ask What is the paper's aim", "What is the paper's aim"),
        ('%aira ask What does "active" mean?', 'What does "active" mean?'),
        ("%aira ask 誰が導入したのか？", "誰が導入したのか？"),
        ("%aira ask 誰が導入したのか?", "誰が導入したのか?"),
        ('%aira ask "「記憶」とは何か?"', "「記憶」とは何か?"),
        ("%%aira ask\nWho introduced it?\n", "Who introduced it?"),
        ('%%aira ask\nWhat does "τ = {x}" mean -- and $y?', 'What does "τ = {x}" mean -- and $y?'),
        ("%%aira ask\n誰が導入したのか?", "誰が導入したのか?"),
        ('x, y = 1, 2\n%aira ask "Is {x} more than $y?"', "Is {x} more than $y?"),
        ('answer = %aira ask "Who?"\nanswer', "Who?"),
        ("answer = %aira ask Who?\nanswer", "Who?"),
    ],
)
def test_every_form_of_a_question(shell: InteractiveShell, stand_in: Any, cell: str, question: str) -> None:
    """The question reaches the corpus letter by letter, and the answer is the cell's value."""
    answer = value_of(shell, cell)
    assert stand_in.calls == [("ask", question, None, None)]
    assert answer.fields["question"] == question


@pytest.mark.parametrize(
    ("cell", "call"),
    [
        ("%aira ask -k 3 --strategy bm25 Who?", ("ask", "Who?", 3, "bm25")),
        ("%%aira ask -k 3\nWho?", ("ask", "Who?", 3, None)),
        ("%aira search グラフ 検索", ("search", "グラフ 検索", None, None)),
        ('%aira add "論文 集/a b.pdf" C:\\papers\\*.pdf', ("add", "論文 集/a b.pdf", "C:\\papers\\*.pdf")),
        ("%aira build", ("build",)),
        ("%aira stabilize --threshold 3", ("stabilize", 3)),
        ("%aira stats", ("stats",)),
        ("%aira health", ("health",)),
        ("%aira check", ("check",)),
        ("%aira documents", ("documents",)),
        ("%aira remove a.pdf", ("remove", "a.pdf")),
    ],
)
def test_each_verb_is_one_call(shell: InteractiveShell, stand_in: Any, cell: str, call: tuple[Any, ...]) -> None:
    """A verb makes the one call of the same name, and the cell has a value."""
    assert value_of(shell, cell) is not None
    assert stand_in.calls == [call]


def test_open_returns_the_corpus(shell: InteractiveShell, stand_in: Any, tmp_path: Path) -> None:
    """`%aira open` has the corpus as its value, and later verbs use it; it is never closed behind the user's back."""
    assert value_of(shell, 'corpus = %aira open "日本語 の.aira"\ncorpus') is stand_in
    assert stand_in.path == (tmp_path / "日本語 の.aira").resolve()
    value_of(shell, "%aira stats")
    assert stand_in.calls == [("stats",)]


def test_the_same_cell_again_finds_the_same_object(shell: InteractiveShell, stand_in: Any, monkeypatch: Any) -> None:
    """Running the `open` cell again opens nothing anew; another path does."""
    import aira_nb

    opened = []
    monkeypatch.setattr(aira_nb, "open", lambda path: opened.append(path.name) or object())
    first = value_of(shell, "%aira open a.aira")
    assert value_of(shell, "%aira open a.aira") is first
    assert value_of(shell, "%aira open") is first
    assert value_of(shell, "%aira open b.aira") is not first
    assert opened == ["a.aira", "b.aira"]


def test_open_takes_a_corpus_from_a_variable(shell: InteractiveShell, stand_in: Any) -> None:
    """`%aira open NAME` uses the Corpus that the variable holds, and opens nothing."""
    shell.user_ns["mine"] = other = type(stand_in)(stand_in.path)
    assert value_of(shell, "%aira open mine") is other
    value_of(shell, "%aira stats")
    assert other.calls == [("stats",)]


@pytest.mark.parametrize("cell", ["%aira", "%aira help", "%aira -h"])
def test_no_verb_shows_the_help(shell: InteractiveShell, capsys: pytest.CaptureFixture[str], cell: str) -> None:
    """Without a verb the magic lists its verbs and the forms of a question."""
    assert value_of(shell, cell) is None
    shown = capsys.readouterr().out
    assert all(f"%aira {verb} " in shown for verb in VERBS)
    assert "%%aira ask" in shown


def test_help_of_a_verb(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    """`%aira help ask` shows that verb's arguments."""
    value_of(shell, "%aira help ask")
    assert "--strategy" in capsys.readouterr().out


def test_a_question_mark_alone_is_still_ipythons_help(
    shell: InteractiveShell, stand_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`%aira?` asks IPython for help as everywhere."""
    pages: list[Any] = []
    monkeypatch.setattr("IPython.core.page.page", lambda text, *rest, **named: pages.append(text))
    value_of(shell, "%aira?")
    assert len(pages) == 1
    assert stand_in.calls == []


@pytest.mark.parametrize("cell", ["%aira serach x", "%aira ask", "%aira search x -k 0", "%aira build now"])
def test_bad_usage_is_ipythons_usage_error(shell: InteractiveShell, stand_in: Any, cell: str) -> None:
    """Bad usage is a UsageError, which IPython shows as one line, and nothing is called."""
    assert isinstance(shell.run_cell(cell).error_in_exec, UsageError)
    assert stand_in.calls == []


def test_an_error_is_one_line_and_still_an_error(
    shell: InteractiveShell, stand_in: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error of ours is shown as its sentence without a traceback, keeps its class, and fails the cell."""
    stand_in.error = StoreError("my.aira is locked by another process. Close it and run the cell again.")
    outcome = shell.run_cell("%aira stats")
    assert isinstance(outcome.error_in_exec, StoreError)
    assert capsys.readouterr().out.strip() == f"StoreError: {stand_in.error}"


def test_an_error_can_be_caught(shell: InteractiveShell, stand_in: Any) -> None:
    """`try: %aira ...` catches the error's own class."""
    stand_in.error = StoreError("locked")
    cell = "import aira_nb\ntry:\n    %aira stats\nexcept aira_nb.StoreError as error:\n    caught = str(error)\ncaught"
    assert value_of(shell, cell) == "locked"


def test_without_a_corpus_it_says_how_to_open_one(shell: InteractiveShell, tmp_path: Path) -> None:
    """Asking before any corpus is open names `%aira open`."""
    (tmp_path / "my.aira").unlink()
    outcome = shell.run_cell("%aira stats")
    assert "%aira open my.aira" in str(outcome.error_in_exec)


# --- completion -------------------------------------------------------------------------------------------------


def completions(shell: InteractiveShell, line: str) -> list[str]:
    with provisionalcompleter():
        return [found.text for found in shell.Completer.completions(line, len(line))]


def test_verbs_complete(shell: InteractiveShell) -> None:
    """After %aira and %%aira the verbs are offered, those that begin as typed."""
    assert set(completions(shell, "%aira ")) >= set(VERBS)
    assert set(completions(shell, "%aira st")) == {"stabilize", "stats"}
    assert "ask" in completions(shell, "%%aira a")


def test_options_complete(shell: InteractiveShell) -> None:
    """After a verb its options are offered, and after --strategy the strategies."""
    assert "--strategy" in completions(shell, "%aira ask --")
    assert "bm25" in completions(shell, "%aira ask --strategy ")


def test_paths_complete(shell: InteractiveShell, tmp_path: Path) -> None:
    """After open, add and index files and folders are offered, in Japanese too."""
    (tmp_path / "論文").mkdir()
    (tmp_path / "論文" / "一.pdf").touch()
    assert "論文/" in completions(shell, "%aira add ")
    assert "論文/一.pdf" in completions(shell, "%aira add 論文/")


def test_documents_complete(shell: InteractiveShell) -> None:
    """After remove what the open corpus holds is offered."""
    value_of(shell, "%aira open")
    assert "日本語.md" in completions(shell, "%aira remove ")


# --- loading ----------------------------------------------------------------------------------------------------


def test_loading_twice_is_harmless_and_unloading_undoes_it(shell: InteractiveShell, stand_in: Any) -> None:
    """%reload_ext leaves one of everything; %unload_ext leaves nothing."""
    shell.run_cell("%reload_ext aira_nb")
    assert shell.input_transformers_cleanup.count(magic.protect_question_marks) == 1
    shell.run_cell("%unload_ext aira_nb")
    assert shell.find_line_magic("aira") is None
    assert shell.find_cell_magic("aira") is None
    assert magic.protect_question_marks not in shell.input_transformers_cleanup
    assert "stats" not in completions(shell, "%aira st")


@pytest.mark.parametrize(
    "line",
    [
        "%aira?\n",
        "%aira ask?\n",
        "len?\n",
        'print("%aira ask who?")\n',
        "# %aira ask who?\n",
        '%aira ask "Who?"\n',
        "%aira add what?\n",
    ],
)
def test_other_lines_are_left_alone(line: str) -> None:
    """Only an unquoted question of ask and search is quoted; every other line passes as it is."""
    assert magic.protect_question_marks([line]) == [line]
