"""Files, stages and the change log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aira_nb.errors import InputError
from aira_nb.memory import CHANGE_KINDS, Memory
from aira_nb.types import Extraction, FileReport


def test_every_file_has_a_state(memory: Memory, path: Path) -> None:
    """Each state of a file comes back with its reason and its warnings, by source, also after reopening."""
    reports = [
        FileReport("a.pdf", "done", "", 1, 3, 2, 0.5, ("2 of 14 pages have no text layer",)),
        FileReport("b.pdf", "failed", "b.pdf: not a PDF. Convert it."),
        FileReport("スキャン.pdf", "skipped", "no text: try OCR", pages=4),
    ]
    for report in reversed(reports):
        memory.record_file(report, sha256=f"digest of {report.source}")
    memory.close()
    with Memory.open(path, mode="ro") as again:
        assert again.files() == reports
        assert again.file("b.pdf") == reports[1]
        assert again.file_digest("a.pdf") == "digest of a.pdf"
        assert again.file_digest("c.pdf") is None
        assert again.file("c.pdf") is None


def test_unchanged_says_nothing_about_the_file(memory: Memory) -> None:
    """A file that is found unchanged keeps the state it has, so that a skipped one stays skipped."""
    skipped = FileReport("a.pdf", "skipped", "no text")
    memory.record_file(skipped, sha256="1")
    memory.record_file(FileReport("a.pdf", "unchanged"), sha256="1")
    assert memory.files() == [skipped]
    memory.record_file(FileReport("a.pdf", "done", documents=1), sha256="2")
    assert memory.files() == [FileReport("a.pdf", "done", documents=1)]
    assert memory.forget_file("a.pdf")
    assert not memory.forget_file("a.pdf")
    assert memory.files() == []


def test_a_file_name_that_is_not_unicode_gets_a_state_too(memory: Memory) -> None:
    """A name with bytes that are no UTF-8, as Linux allows, is recorded and found again under the same name."""
    name = b"caf\xe9.pdf".decode("utf-8", "surrogateescape")
    memory.record_file(FileReport(name, "failed", "rename it"), sha256="1")
    assert memory.file_digest(name) == "1"
    stored = memory.file(name)
    assert stored is not None
    assert stored.source == "caf\\udce9.pdf"


def test_the_journal_reports_the_stages(memory: Memory) -> None:
    """The journal shows the last run of each stage, and a run that was cut off as unfinished; it is no content."""
    before = list(memory.dump()), memory.sequence
    memory.start_stage("extract", 10)
    memory.advance_stage("extract", 4)
    (run,) = memory.stages()
    assert (run.name, run.done, run.total, run.finished) == ("extract", 4, 10, None)
    memory.start_stage("extract", 6)
    memory.finish_stage("extract", 6)
    (run,) = memory.stages()
    assert (run.done, run.total) == (6, 6)
    assert run.finished is not None
    assert run.started <= run.finished
    with pytest.raises(InputError, match="'embed' was not started"):
        memory.advance_stage("embed", 1)
    assert (list(memory.dump()), memory.sequence) == before


def test_the_log_has_the_newest_change_of_each_record(small: Memory, make: Any) -> None:
    """The log names each record once, in the order of its newest change, and says whether it was put or deleted."""
    assert {c.kind for c in small.changes()} == {"document", "passage", "extraction", "entity", "schema", "fact"}
    sequence = small.sequence
    new = make.document("d.md", "One cites Two.")
    passage = new.passages[0].id
    small.put_documents([new])
    small.put_extractions([Extraction(passage, "x")])
    assert [(c.kind, c.id, c.op) for c in small.changes(sequence)] == [
        ("document", new.document.id, "put"),
        ("passage", passage, "put"),
        ("extraction", passage, "put"),
    ]
    middle = small.sequence
    small.remove_documents([new.document.id])
    assert {(c.kind, c.id, c.op) for c in small.changes(middle)} == {
        ("document", new.document.id, "delete"),
        ("passage", passage, "delete"),
        ("extraction", passage, "delete"),
    }
    numbers = [c.sequence for c in small.changes()]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == small.sequence
    assert small.changes(small.sequence) == []


def test_the_log_never_outgrows_the_data(small: Memory, make: Any) -> None:
    """However often a record changes, it has one row in the log."""
    rows = len(small.changes())
    for title in "abcdefgh":
        item = make.document("a.md", "Alpha cites Beta.", "Gamma cites Delta.")
        document = small.document(item.document.id)
        small.put_document(type(document)(document.id, "a.md", title, "md", title, "en"), item.passages)
    assert len(small.changes()) == rows


def test_a_rolled_back_change_is_not_in_the_log(small: Memory) -> None:
    """What did not happen leaves no trace in the log."""
    sequence = small.sequence
    with pytest.raises(KeyboardInterrupt), small.transaction():
        small.remove_documents([d.id for d in small.documents()])
        raise KeyboardInterrupt
    assert small.sequence == sequence
    assert small.changes(sequence) == []


def test_the_log_knows_its_kinds(small: Memory) -> None:
    """Changes can be asked for by kind; an unknown kind is refused."""
    assert {c.kind for c in small.changes(kinds=["passage", "fact"])} == {"passage", "fact"}
    assert small.changes(kinds=[]) == []
    assert len(small.changes(kinds=CHANGE_KINDS)) == len(small.changes())
    with pytest.raises(InputError, match="not 'passages'"):
        small.changes(kinds=["passages"])


@pytest.mark.parametrize("state", ["failed", "skipped"])
def test_a_file_that_can_no_longer_be_read_keeps_its_counts(memory: Memory, make: Any, state: Any) -> None:
    """A file that failed or was skipped while its former documents are stored is recorded with their counts."""
    memory.put_documents([make.document("a.pdf", "One.", "Two.", pages=2)])
    memory.record_file(FileReport("a.pdf", state, "damaged"), sha256="2")
    assert memory.file("a.pdf") == FileReport("a.pdf", state, "damaged", documents=1, passages=2, pages=2)


def test_a_corpus_that_lost_a_record_is_read_again(memory: Memory, make: Any) -> None:
    """A file of which some documents were removed loses its digest, so that adding it unchanged brings them back."""
    memory.put_documents([make.document(f"c.jsonl#{n}", f"text {n}", format="jsonl") for n in range(2)])
    memory.record_file(FileReport("c.jsonl", "done", documents=2, passages=2), sha256="d")
    memory.remove_documents([memory.documents_of_file("c.jsonl")[0].id])
    assert memory.file_digest("c.jsonl") == ""
