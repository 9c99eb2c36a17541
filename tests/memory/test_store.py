"""The store file: opening, refusing, migrating, locking, crashing, copying."""

from __future__ import annotations

import gzip
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aira_nb.errors import InputError, StoreError
from aira_nb.memory import Memory
from aira_nb.memory import layout as layout_module
from aira_nb.memory import store as store_module
from aira_nb.memory.store import Store
from aira_nb.types import Extraction, FileReport, Plan, Region

# --- opening and refusing ---------------------------------------------------------------------------------------


def test_opening_a_missing_file_creates_it(path: Path) -> None:
    """A path without a file becomes an empty, healthy store that says it is ours."""
    with Memory.open(path) as memory:
        assert memory.check() == []
        assert memory.counts().passages == 0
    assert int.from_bytes(path.read_bytes()[68:72], "big") == layout_module.APPLICATION_ID


def test_reading_a_missing_file_is_refused(path: Path) -> None:
    """Opening read-only never creates a file, and says what to do."""
    with pytest.raises(StoreError, match=r"no store at .*aira.*Check the path"):
        Memory.open(path, mode="ro")
    assert not path.exists()


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("CREATE TABLE bookmarks (url TEXT)")
    raw.close()


def numbered(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA application_id = 252006673")  # a GeoPackage, for one
    raw.close()


def newer(path: Path) -> None:
    Memory.open(path).close()
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version = 999")
    raw.close()


def text(path: Path) -> None:
    path.write_text("これはストアではない。" * 300, encoding="utf-8")


def short(path: Path) -> None:
    path.write_bytes(b"hello")


@pytest.mark.parametrize("mode", ["rw", "ro"])
@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (foreign, "another program.*another path"),
        (numbered, "another program.*another path"),
        (newer, r"version 999.*pip install -U"),
        (text, "not a store.*another path"),
        (short, "not a store.*another path"),
    ],
)
def test_a_file_that_is_no_store_of_this_version_is_refused_untouched(
    path: Path, prepare: Callable[[Path], None], message: str, mode: Any
) -> None:
    """A foreign, newer or non-SQLite file is refused with its name, the cause and the next step, and not one byte changes."""
    prepare(path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=message) as caught:
        Memory.open(path, mode=mode)
    assert path.name in str(caught.value)
    assert path.read_bytes() == before


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """The path of a folder, and a path in a folder that is not there, are refused by name."""
    with pytest.raises(StoreError, match="is a folder"):
        Memory.open(tmp_path)
    with pytest.raises(StoreError, match=r"folder .*missing does not exist"):
        Memory.open(tmp_path / "missing" / "x.aira")


def test_an_unknown_mode_is_refused(path: Path) -> None:
    """Only rw and ro are modes."""
    with pytest.raises(InputError, match="'rw' or 'ro'"):
        Memory.open(path, mode="w")  # type: ignore[arg-type]


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    """What a kill at the very first moment leaves, a file of no bytes, is a new store; read-only it says so."""
    path.touch()
    with pytest.raises(StoreError, match="is empty"):
        Memory.open(path, mode="ro")
    with Memory.open(path) as memory:
        assert memory.check() == []


def test_closing_twice_is_allowed_and_use_after_it_is_not(small: Memory) -> None:
    """A closed memory says so and names its file."""
    small.close()
    small.close()
    with pytest.raises(StoreError, match=r"aira was closed. Open it again"):
        small.documents()


def test_read_only_refuses_to_write(small: Memory, path: Path, make: Any) -> None:
    """A store opened read-only answers every question and refuses every change, whoever may write the file."""
    with Memory.open(path, mode="ro") as reader:
        assert list(reader.dump()) == list(small.dump())
        assert reader.check() == []
        with pytest.raises(StoreError, match="opened read-only"):
            reader.put_documents([make.document("d.md", "text")])


# --- migrations -------------------------------------------------------------------------------------------------


def test_migrations_run_in_order_from_any_version(path: Path, small: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older store is brought up to date when opened for writing, keeps its content, and is refused read-only."""
    before = list(small.dump())
    small.close()
    scripts = [*layout_module.migrations(), "CREATE TABLE later (x);\nINSERT INTO later VALUES (1);\n"]
    for module in (store_module, layout_module):
        monkeypatch.setattr(module, "migrations", lambda: scripts)
    with pytest.raises(StoreError, match=r"older store version 1\. Open it once for writing"):
        Memory.open(path, mode="ro")
    with Memory.open(path) as memory:
        assert list(memory.dump()) == before
        assert memory.check() == []
    with sqlite3.connect(path) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (len(scripts),)
        assert raw.execute("SELECT x FROM later").fetchall() == [(1,)]
    raw.close()


def test_a_failing_migration_leaves_the_old_store(path: Path, small: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A migration happens completely or not at all."""
    before = list(small.dump())
    small.close()
    good = layout_module.migrations()
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "migrations", lambda: [*good, "DROP TABLE fact_vector;\nDROP TABLE no_such;\n"])
        with pytest.raises(StoreError, match="no_such"):
            Memory.open(path)
    with Memory.open(path, mode="ro") as memory:
        assert list(memory.dump()) == before
        assert memory.check() == []


@pytest.mark.parametrize("version", range(1, len(layout_module.migrations()) + 1))
def test_a_store_of_every_version_still_opens(path: Path, root: Path, version: int) -> None:
    """The stored file of each version opens, is healthy, and holds what was put into it."""
    stored = root / "tests" / "data" / f"store-v{version}.aira.gz"
    path.write_bytes(gzip.decompress(stored.read_bytes()))
    assert int.from_bytes(path.read_bytes()[60:64], "big") == version
    with Memory.open(path) as memory:
        assert memory.check() == []
        assert [d.title for d in memory.documents()] == ["A paper", "論文"]
        assert sorted(len(fact.provenance) for fact in memory.facts("active")) == [1, 2]
        assert memory.counts().passage_vectors == 3
        assert memory.passages()[0].regions == (Region(0, 17, 1, 72.1, 100.25, 540.0, 112.7),)


def test_a_store_edited_by_hand_is_noticed(path: Path) -> None:
    """A missing trigger would let indexes go stale in silence, so check() compares the layout."""
    Memory.open(path).close()
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TRIGGER passage_update")
    raw.close()
    with Memory.open(path) as memory:
        assert memory.check() == [
            "The trigger 'passage_update' is not as this version defines it. Do not trust a store edited by hand."
        ]


# --- locks ------------------------------------------------------------------------------------------------------

WRITES: dict[str, Callable[[Memory, Any], object]] = {
    "put_documents": lambda m, make: m.put_documents([make.document("d.md", "text")]),
    "remove_documents": lambda m, make: m.remove_documents([d.id for d in m.documents()]),
    "put_extractions": lambda m, make: m.put_extractions([Extraction(m.passage_ids()[0], "other")]),
    "apply": lambda m, make: m.apply(Plan(3)),
    "put_vectors": lambda m, make: m.put_vectors("passage", m.passage_ids()[:1], np.eye(1, 4), model="m"),
    "drop_vectors": lambda m, make: m.drop_vectors(),
    "record_file": lambda m, make: m.record_file(FileReport("a.md", "failed", "x"), sha256=""),
    "forget_file": lambda m, make: m.forget_file("a.md"),
    "start_stage": lambda m, make: m.start_stage("embed", 1),
    "advance_stage": lambda m, make: m.advance_stage("embed", 1),
    "finish_stage": lambda m, make: m.finish_stage("embed", 1),
}


@pytest.mark.parametrize("name", WRITES)
def test_every_writing_method_names_a_locked_file(small: Memory, path: Path, make: Any, name: str) -> None:
    """While another writer holds the file, each writing method raises StoreError naming it, and reading still works."""
    before = list(small.dump())
    with Memory.open(path, timeout=0.01) as second, small.transaction():
        with pytest.raises(StoreError, match=r"aira is locked.*call again; nothing was changed"):
            WRITES[name](second, make)
        assert list(second.dump()) == before
        assert second.check() == []
        assert second.counts().documents == 3


def test_all_writing_methods_are_in_the_lock_test() -> None:
    """A new writing method joins the lock test: every public method that opens a transaction for writing is in it."""
    verbs = ("put_", "drop_", "remove_", "apply", "record_", "forget_", "start_", "advance_", "finish_")
    found = {name for name in dir(Memory) if name.startswith(verbs)} - {"put_document"}
    assert found == set(WRITES)


def test_a_reader_waits_for_a_commit_and_then_goes_on(small: Memory, path: Path, make: Any) -> None:
    """A commit that a reader blocks for too long fails with StoreError, undoes itself, and can be repeated."""
    with Memory.open(path, timeout=0.01) as writer, Memory.open(path, mode="ro") as reader:
        with reader.transaction():
            assert len(reader.documents()) == 3
            with pytest.raises(StoreError, match="is locked"):
                writer.put_documents([make.document("d.md", "text")])
        writer.put_documents([make.document("d.md", "text")])
        assert len(reader.documents()) == 4


# --- transactions -----------------------------------------------------------------------------------------------


def test_transactions_nest(memory: Memory, make: Any) -> None:
    """An inner transaction that fails undoes its own part only; an outer one undoes everything."""
    with memory.transaction():
        memory.put_documents([make.document("a.md", "A")])
        with pytest.raises(InputError), memory.transaction():
            memory.put_documents([make.document("b.md", "B")])
            memory.remove_documents(["no such id"])
        memory.put_documents([make.document("c.md", "C")])
    assert [d.source for d in memory.documents()] == ["a.md", "c.md"]
    with pytest.raises(KeyboardInterrupt), memory.transaction():
        memory.remove_documents([d.id for d in memory.documents()])
        raise KeyboardInterrupt
    assert [d.source for d in memory.documents()] == ["a.md", "c.md"]


def test_closing_in_a_transaction_rolls_back(path: Path, make: Any) -> None:
    """A memory that is closed inside a transaction keeps nothing of it, and the error that led there is not hidden."""
    memory = Memory.open(path)
    with pytest.raises(StoreError, match="was closed"), memory.transaction():
        memory.put_documents([make.document("a.md", "A")])
        memory.close()
    with Memory.open(path) as again:
        assert again.documents() == []


# --- threads and processes --------------------------------------------------------------------------------------


def in_thread(call: Callable[[], Any]) -> Any:
    results: list[Any] = []

    def run() -> None:
        try:
            results.append(call())
        except (InputError, StoreError) as error:
            results.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return results[0]


def test_another_thread_reads_the_last_committed_state(small: Memory, make: Any) -> None:
    """A server's thread reads through the same object while this one writes, and sees no half-done work."""
    with small.transaction():
        small.put_documents([make.document("d.md", "text")])
        assert len(small.documents()) == 4
        assert in_thread(lambda: len(small.documents())) == 3
    assert in_thread(lambda: len(small.documents())) == 4
    small.close()
    assert isinstance(in_thread(small.documents), StoreError)


def test_many_threads_leave_no_connections_behind(small: Memory) -> None:
    """Connections of threads that ended are closed, so a server may use as many threads as it likes."""
    for _ in range(50):
        assert in_thread(lambda: len(small.documents())) == 3
    assert len(small._handles) <= 2


def test_threads_write_one_after_the_other(small: Memory, make: Any) -> None:
    """Writers in several threads wait for one another and lose nothing."""
    threads = [
        threading.Thread(target=lambda n=n: small.put_documents([make.document(f"t{n}.md", f"text {n}")]))
        for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(small.documents()) == 9
    assert small.check() == []


WRITER = """
import sys
from aira_nb.memory import Memory
from aira_nb.types import Document, Passage, ParsedDocument, make_id

def parsed(n):
    source = f"w{n}.md"
    id_ = make_id(source)
    return ParsedDocument(
        Document(id_, source, "0", "md", source, "en"),
        tuple(Passage(make_id(id_, i), id_, i, f"text {i} of {n} " * 20, i, i + 1, "en") for i in range(5)),
    )

memory = Memory.open(sys.argv[1])
if "spill" in sys.argv:  # write into the file before the commit, as a kill inside a commit would leave it
    memory._run("PRAGMA cache_size = 10")
    memory._run("PRAGMA cache_spill = ON")
with memory.transaction():
    memory.remove_documents([d.id for d in memory.documents()])
    memory.put_documents(map(parsed, range(200)))
    print("written", flush=True)
    sys.stdin.readline()
print("committed", flush=True)
"""


def test_reading_goes_on_while_another_process_writes(small: Memory, path: Path, child: Any) -> None:
    """A reader sees the old state during another process's long transaction, and the new one after its commit."""
    before = list(small.dump())
    writer = child(WRITER, [path])
    assert writer.stdout.readline() == "written\n"
    with Memory.open(path, mode="ro", timeout=0.01) as reader:
        assert list(reader.dump()) == before
        writer.stdin.write("\n")
        writer.stdin.flush()
        assert writer.stdout.readline() == "committed\n"
        assert len(reader.documents()) == 200


@pytest.mark.parametrize("mode", ["rw", "ro"])
def test_kill_9_in_a_transaction_leaves_the_old_store(small: Memory, path: Path, child: Any, mode: Any) -> None:
    """A writer killed with half of its pages in the file leaves a store that the next open, even read-only, repairs."""
    before = list(small.dump())
    small.close()
    writer = child(WRITER, [path, "spill"])
    assert writer.stdout.readline() == "written\n"
    writer.kill()
    writer.wait()
    journal = path.parent / f"{path.name}-journal"
    assert journal.read_bytes()[:1] != b"\0"  # SQLite marks a journal that must be rolled back
    with Memory.open(path, mode=mode) as memory:
        assert list(memory.dump()) == before
        assert memory.check() == []
    assert not journal.exists()


BUILDER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from conftest import Make, settle
from aira_nb.memory import Memory

calls = Path(sys.argv[3])
with Memory.open(sys.argv[1]) as memory:
    for n in range(12):
        source = f"d{n}.md"
        if memory.document_by_source(source) is None:
            item = Make.document(source, f"Alpha cites Name{n}.", f"Name{n} extends Name{n + 1}.")
            memory.put_document(item.document, item.passages)
            print("step", flush=True)
    for passage in memory.passages(memory.passages_to_extract(Make.extractor)):
        with calls.open("a", encoding="utf-8") as log:
            log.write(passage.id + "\\n")
        memory.put_extractions([Make.read(passage)])
        print("step", flush=True)
    settle(memory)
    print("step", flush=True)
"""


@pytest.mark.parametrize("steps", [0, 3, 12, 20, 35])
def test_kill_9_and_the_same_call_again_end_in_the_same_store(tmp_path: Path, child: Any, steps: int) -> None:
    """Killed at any point, the same call goes on, pays at most the interrupted passage twice, and ends the same."""
    here = Path(__file__).parent

    def run(name: str, kill_after: int | None) -> None:
        process = child(BUILDER, [tmp_path / f"{name}.aira", here, tmp_path / f"{name}.calls"])
        if kill_after is None:
            assert process.wait(60) == 0
        else:
            for _ in range(kill_after):
                process.stdout.readline()
            process.kill()
            process.wait()

    run("whole", None)
    run("killed", steps)
    run("killed", None)
    with Memory.open(tmp_path / "whole.aira") as whole, Memory.open(tmp_path / "killed.aira") as killed:
        assert list(killed.dump()) == list(whole.dump())
        assert killed.check() == []
        assert killed.counts().facts_active == 24
    calls = (tmp_path / "killed.calls").read_text(encoding="utf-8").split()
    assert len(set(calls)) == 24
    assert len(calls) <= 25


# --- backup and privacy -----------------------------------------------------------------------------------------


def test_a_copy_of_the_one_file_is_a_backup(small: Memory, path: Path, tmp_path: Path, make: Any) -> None:
    """Copied while open with no transaction running, or closed, the one file holds everything; there is no second one."""
    small.put_documents([make.document("d.md", "just committed")])
    assert [item.name for item in path.parent.iterdir()] == [path.name]
    while_open = shutil.copyfile(path, tmp_path / "open.aira")
    expected = list(small.dump())
    small.close()
    while_closed = shutil.copyfile(path, tmp_path / "closed.aira")
    for copy in (while_open, while_closed):
        with Memory.open(copy, mode="ro") as memory:
            assert list(memory.dump()) == expected
            assert memory.check() == []


def test_removed_text_is_gone_from_the_file(memory: Memory, path: Path, make: Any) -> None:
    """After a document is removed its words are in no byte of the file, because files are handed on."""
    memory.put_documents([make.document("secret.md", "unrepeatable confidential sentence " * 400)])
    assert b"unrepeatable confidential" in path.read_bytes()
    memory.remove_documents([memory.documents()[0].id])
    memory.close()
    assert b"unrepeatable confidential" not in path.read_bytes()


@pytest.mark.parametrize("nested", [False, True])
def test_an_interrupt_right_behind_the_begin_ends_the_transaction(
    memory: Memory, make: Any, monkeypatch: pytest.MonkeyPatch, nested: bool
) -> None:
    """An interrupt at any point of starting a transaction leaves the session outside of it, with the lock given back."""
    execute = Store._execute
    word = "SAVEPOINT" if nested else "BEGIN"

    for late in (False, True):

        def interrupted(self: Any, handle: Any, sql: str, params: Any = (), late: bool = late) -> Any:
            if sql.startswith(word) and not late:
                raise KeyboardInterrupt
            result = execute(self, handle, sql, params)
            if sql.startswith(word):
                raise KeyboardInterrupt
            return result

        with monkeypatch.context() as patch, ExitStack() as outer:
            if nested:
                outer.enter_context(memory.transaction())
            patch.setattr(Store, "_execute", interrupted)
            with pytest.raises(KeyboardInterrupt):
                memory.put_documents([make.document("a.md", "One.")])
        memory.put_documents([make.document("b.md", "One.")])
        with Memory.open(memory.path, timeout=0.01) as other:
            other.forget_file("a.md")
        assert [document.source for document in memory.documents()] == ["b.md"]


def test_copies_that_were_edited_apart_have_different_revisions(
    small: Memory, path: Path, tmp_path: Path, make: Any
) -> None:
    """Equal revisions mean equal contents: a copy shares it until either is changed, even by equally many changes."""
    copy = tmp_path / "copy.aira"
    shutil.copyfile(path, copy)
    with Memory.open(copy) as other:
        assert other.revision == small.revision
        small.put_documents([make.document("d.md", "One.")])
        other.put_documents([make.document("d.md", "Two.")])
        assert other.sequence == small.sequence
        assert len({other.revision, small.revision, ""}) == 3


def test_the_revision_stays_while_the_content_does(small: Memory, path: Path, make: Any) -> None:
    """Journals, repeated calls, failed transactions and reopening keep the revision; it is no part of the content."""
    revision, lines = small.revision, list(small.dump())
    small.record_file(FileReport("x.md", "failed", "x"), sha256="")
    small.forget_file("x.md")
    small.start_stage("embed", 1)
    small.put_documents([make.document("c.jsonl#1", "Nothing here", format="jsonl")])
    with pytest.raises(KeyboardInterrupt), small.transaction():
        small.remove_documents([d.id for d in small.documents()])
        raise KeyboardInterrupt
    with Memory.open(path, mode="ro") as again:
        assert again.revision == small.revision == revision
    with small.transaction():
        small.remove_documents([small.documents()[0].id])
        small.put_documents([make.document("e.md", "One.")])
        assert small.revision == revision
    assert small.revision != revision
    assert revision not in "".join(lines)
