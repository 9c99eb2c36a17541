"""Documents and passages: what goes in comes out, what changes is all that changes, what is removed is gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aira_nb.errors import InputError
from aira_nb.memory import Memory
from aira_nb.types import Document, FileReport, ParsedDocument, Passage, Region, make_id

HOSTILE = [
    "'; DROP TABLE passage; --",
    '" OR 1=1',
    "../../etc/passwd",
    "nul\x00inside",
    "%s {0} {marks} ?",
    "日本語 と spaces\n\t",
    "🙂" * 50,
    "#",
    "a#b#c",
]


def full(source: str = "論文.pdf") -> ParsedDocument:
    """A document that uses every field."""
    id_ = make_id(source)
    document = Document(
        id_,
        source,
        "ab" * 32,
        "pdf",
        "大規模言語モデル",
        "ja",
        page_count=2,
        authors=("山田 太郎", 'O\'Neil, "J"'),
        year=2024,
        doi="10.1/x",
        external_id="0001",
        metadata={"venue": "NLP", "深い": {"b": [1, 2.5, None], "a": True}},
        warnings=("1 of 2 pages has no text layer",),
    )
    regions = (Region(0, 3, 1, 72.02399444580078, 1 / 3, 540.1, 2 / 3), Region(3, 6, 2, 0.0, 1.0, 2.0, 3.0))
    return ParsedDocument(
        document,
        (
            Passage(
                make_id(id_, "機械翻訳です", 0), id_, 0, "機械翻訳です", 0, 6, "ja", ("1 はじめに", "1.1 背景"), regions
            ),
            Passage(make_id(id_, "二つ目", 0), id_, 1, "二つ目", 7, 10, "ja"),
        ),
    )


def test_what_is_stored_is_what_is_read(memory: Memory, path: Path) -> None:
    """load(save(x)) = x for every field of documents and passages, boxes to the last bit, also from a new connection."""
    item = full()
    memory.put_document(item.document, item.passages)
    memory.close()
    with Memory.open(path, mode="ro") as again:
        assert again.documents() == [item.document]
        assert again.document(item.document.id) == item.document
        assert tuple(again.passages()) == item.passages
        assert {p.id: p for p in again.iter_passages()} == {p.id: p for p in item.passages}


@given(texts=st.lists(st.text(st.characters(codec="utf-8"), max_size=30), max_size=4), source=st.text(max_size=20))
@settings(max_examples=25, deadline=None)
def test_any_unicode_comes_back(texts: list[str], source: str) -> None:
    """Any Unicode text, with NUL or whatever else, comes back as it was; half surrogates are refused by name."""
    id_ = make_id(source)
    document = Document(id_, source, "0", "txt", source, "en")
    passages = [Passage(make_id(id_, n), id_, n, text, 0, len(text), "en", (text,)) for n, text in enumerate(texts)]
    with TemporaryDirectory() as folder, Memory.open(Path(folder, "x.aira")) as memory:
        if any("\ud800" <= char <= "\udfff" for char in source):
            with pytest.raises(InputError, match="surrogate"):
                memory.put_document(document, passages)
            assert memory.documents() == []
        else:
            memory.put_document(document, passages)
            assert memory.document_by_source(source) == document
            assert memory.passages() == passages


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_data(small: Memory, make: Any, name: str) -> None:
    """Ids, sources and file names with quotes, SQL, NUL or format marks are stored, found and removed like any other."""
    document = Document(name, name, "0", "md", name, "en", metadata={name: name})
    passage = Passage(f"p{name}", name, 0, name, 0, len(name), "en")
    before = list(small.dump())
    small.put_document(document, [passage])
    small.record_file(FileReport(name, "done", documents=1, passages=1), sha256="0")
    assert small.document(name) == document
    assert small.documents_of_file(name) == [document]
    assert small.passages([f"p{name}"]) == [passage]
    assert small.file(name) == FileReport(name, "done", documents=1, passages=1)
    assert small.check() == []
    small.remove_documents([name])
    assert list(small.dump()) == before


def test_passages_come_in_reading_order(memory: Memory, make: Any) -> None:
    """Passages come by their document's source and their position, whichever are asked for and in whatever order."""
    b, a = make.document("b.md", "3", "4"), make.document("a.md", "1", "2")
    memory.put_documents([b, a])
    assert [p.text for p in memory.passages()] == ["1", "2", "3", "4"]
    assert memory.passage_ids() == [p.id for p in memory.passages()]
    assert [p.text for p in memory.passages(reversed(memory.passage_ids()))] == ["1", "2", "3", "4"]
    assert [p.text for p in memory.passages(document_id=b.document.id)] == ["3", "4"]
    assert memory.passages([]) == []


def test_more_ids_than_a_statement_takes(memory: Memory, make: Any) -> None:
    """Any number of ids can be asked for at once."""
    memory.put_documents([make.document("a.md", *(f"text {n}" for n in range(1234)))])
    assert [p.position for p in memory.passages(memory.passage_ids())] == list(range(1234))
    assert len(list(memory.iter_passages())) == 1234


def test_what_is_not_there_is_said(small: Memory) -> None:
    """An unknown id is an error that names it, never an empty result; an unknown source or digest is an ordinary no."""
    with pytest.raises(InputError, match="no document 'x'"):
        small.document("x")
    with pytest.raises(InputError, match="no passage 'x'"):
        small.passages(["x", *small.passage_ids()])
    with pytest.raises(InputError, match=r"no document 'x'.*nothing was removed"):
        small.remove_documents([small.documents()[0].id, "x"])
    assert len(small.documents()) == 3
    assert small.document_by_source("x") is None
    assert small.document_by_digest("x") is None


def test_a_twin_is_found_by_its_digest(small: Memory) -> None:
    """The same bytes under another name are recognised; the records of one JSONL file share theirs and do not count."""
    documents = small.documents()
    assert small.document_by_digest(documents[0].sha256) == documents[0]
    assert documents[2].format == "jsonl"
    assert small.document_by_digest(documents[2].sha256) is None


def test_the_same_document_again_changes_nothing(small: Memory, make: Any) -> None:
    """Storing what is stored already leaves the sequence number, and so every index, as it is."""
    sequence, before = small.sequence, list(small.dump())
    small.put_documents([ParsedDocument(d, tuple(small.passages(document_id=d.id))) for d in small.documents()])
    assert small.sequence == sequence
    assert list(small.dump()) == before


def test_an_edit_redoes_only_what_changed(small: Memory, make: Any, build: Callable[..., None]) -> None:
    """A passage that is still there keeps extraction, vector and facts, and moves; one that is gone takes its own along."""
    first, second = small.passages(document_id=make.document("a.md").document.id)
    small.put_vectors("passage", small.passage_ids(), np.eye(4, 4), model="m")
    edited = make.document("a.md", "A new beginning.", "Gamma cites Delta.")
    small.put_document(edited.document, edited.passages)
    moved = small.passages([second.id])[0]
    assert (moved.position, moved.start) == (1, edited.passages[1].start)
    assert small.passages_to_extract(make.extractor) == [edited.passages[0].id]
    assert small.ids_without_vector("passage") == [edited.passages[0].id]
    assert small.extraction(second.id) == make.read(second)
    assert first.id not in {place.passage_id for fact in small.facts() for place in fact.provenance}
    build(small)
    assert [line for line in small.check() if "vector" not in line] == []


def test_ids_must_fit(small: Memory, make: Any) -> None:
    """A passage of another document, a doubled or empty id, another text under a known id: each is refused, none stored."""
    before = list(small.dump())
    new = make.document("d.md", "one", "two")
    taken = small.passages()[0]
    wrong: list[tuple[Document, tuple[Passage, ...]]] = [
        (new.document, (replace(new.passages[0], document_id="other"),)),
        (new.document, (new.passages[0], new.passages[0])),
        (new.document, (replace(new.passages[0], id=""),)),
        (new.document, (replace(new.passages[0], id=taken.id),)),
        (replace(new.document, source="a.md"), ()),
        (replace(new.document, year=10**30), ()),
        (replace(new.document, metadata={"x": object()}), ()),
        (small.document(taken.document_id), (replace(taken, text="another text"),)),
    ]
    for document, passages in wrong:
        with pytest.raises(InputError):
            small.put_document(document, passages)
    assert list(small.dump()) == before


# --- removing ---------------------------------------------------------------------------------------------------


def test_removing_takes_along_what_only_it_supported(small: Memory, make: Any, settle: Callable[..., None]) -> None:
    """No passage, fact, entity or vector that only the removed document supported is left; counts fall, schemas demote."""
    stable = [s for s in small.schemas() if s.state == "stable"]
    assert [(s.relation, s.frequency, s.document_frequency) for s in stable] == [("cites", 3, 2)]
    assert len(small.facts("active")) == 3
    gone = small.document_by_source("a.md")
    assert gone is not None
    with small.transaction():
        assert small.remove_documents([gone.id]) == 2
        settle(small)
    assert {e.name for e in small.entities()} == {"Beta", "Gamma", "Rho"}
    assert {(s.relation, s.frequency, s.state) for s in small.schemas()} == {
        ("cites", 1, "pending"),
        ("founded", 1, "pending"),
    }
    assert [f.state for f in small.facts()] == ["pending", "pending"]
    assert small.check() == []


def test_removing_many_is_one_transaction(small: Memory, settle: Callable[..., None]) -> None:
    """Many documents go in one transaction: another connection sees all of them or none."""
    with Memory.open(small.path, mode="ro") as other:
        with small.transaction():
            assert small.remove_documents(d.id for d in small.documents()) == 4
            settle(small)
            assert len(other.documents()) == 3
        assert other.documents() == []
        assert other.counts().facts == other.counts().entities == other.counts().schemas == 0
        assert other.check() == []


def test_a_fact_never_stands_without_provenance(small: Memory) -> None:
    """Even before the next plan, removing a document leaves no fact that nothing states."""
    small.remove_documents([d.id for d in small.documents()])
    assert small.facts() == []
    assert small.check() == ["Passages were read or removed after the facts were last settled. Run corpus.build()."]


def test_a_file_is_forgotten_with_its_last_document(memory: Memory, make: Any) -> None:
    """A file whose documents were all removed is forgotten, so that adding it again reads it; else its counts fall."""
    memory.put_documents([make.document(f"c#1.jsonl#{n}", f"text {n}", format="jsonl") for n in range(3)])
    memory.put_documents([make.document("c", "text"), make.document("c#1.jsonl#x.pdf", "text", pages=1)])
    memory.record_file(FileReport("c#1.jsonl", "done", documents=3, passages=3), sha256="d")
    memory.record_file(FileReport("c", "done", documents=1, passages=1), sha256="e")
    records = memory.documents_of_file("c#1.jsonl")
    assert [d.source for d in records] == ["c#1.jsonl#0", "c#1.jsonl#1", "c#1.jsonl#2"]
    memory.remove_documents([records[0].id])
    assert memory.file("c#1.jsonl") == FileReport("c#1.jsonl", "done", documents=2, passages=2)
    memory.remove_documents([record.id for record in records[1:]])
    assert memory.file("c#1.jsonl") is None
    assert memory.file_digest("c") == "e"


WORDS = st.sampled_from(["Alpha", "Beta", "Gamma", "Delta", "alpha", "ベータ", "ベーター"])
SENTENCE = st.tuples(WORDS, st.sampled_from(["cites", "is", "設立した"]), WORDS).map(" ".join)
PASSAGE = st.lists(SENTENCE, max_size=3).map(lambda sentences: ". ".join(sentences) + ".")
CORPUS = st.dictionaries(st.sampled_from("abcdef"), st.lists(PASSAGE, max_size=3), max_size=4)


@given(first=CORPUS, second=CORPUS, threshold=st.integers(1, 3), together=st.booleans())
@settings(max_examples=25, deadline=None)
def test_add_a_add_b_remove_b_is_add_a(
    make: Any,
    build: Callable[..., None],
    settle: Callable[..., None],
    first: dict[str, list[str]],
    second: dict[str, list[str]],
    threshold: int,
    together: bool,
) -> None:
    """Adding A and B and removing B leaves exactly what adding A leaves, and planning again changes nothing."""

    def items(corpus: dict[str, list[str]], prefix: str) -> list[ParsedDocument]:
        return [make.document(f"{prefix}{name}.md", *texts) for name, texts in corpus.items()]

    def embed(memory: Memory) -> None:
        for kind in ("passage", "fact", "schema"):
            ids = memory.ids_without_vector(kind)  # type: ignore[arg-type]
            rows = np.array([[int(i, 16) % 7 + 1, int(i, 16) % 5] for i in ids], dtype=float).reshape(-1, 2)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            memory.put_vectors(kind, ids, rows, model="m")  # type: ignore[arg-type]

    a, b = items(first, "a"), items(second, "b")
    with TemporaryDirectory() as folder, Memory.open(Path(folder, "x")) as both, Memory.open(Path(folder, "y")) as one:
        one.put_documents(a)
        build(one, threshold=threshold)
        embed(one)
        both.put_documents([*b, *a] if together else a)
        if not together:
            build(both, threshold=threshold)
            both.put_documents(b)
        build(both, threshold=threshold)
        embed(both)
        with both.transaction():
            both.remove_documents(item.document.id for item in b)
            settle(both, threshold=threshold)
        embed(both)
        assert list(both.dump()) == list(one.dump())
        assert both.check() == one.check() == []
        sequence = both.sequence
        build(both, threshold=threshold)
        assert both.sequence == sequence


@pytest.mark.parametrize("edit", ["title", "section", "order"])
def test_an_edit_around_a_passage_reads_it_again(
    small: Memory, path: Path, make: Any, build: Callable[..., None], edit: str
) -> None:
    """What was made with a title, a section or the first place in view is made again when that changes."""
    texts = ["Alpha cites Beta.", "Gamma cites Delta.", "Rho cites Beta."]
    small.put_documents([make.document("a.md", *texts)])
    build(small)
    ids = small.passage_ids()
    small.put_vectors("passage", ids, np.eye(len(ids), dtype=np.float32), model="e5")
    parsed = make.document("a.md", *(reversed(texts) if edit == "order" else texts))
    document, passages = parsed.document, list(parsed.passages)
    if edit == "title":
        document = replace(document, title="another")
    if edit == "section":
        passages[1] = replace(passages[1], section=("2 Results",))
    small.put_document(document, passages)
    stale = {"title": {0, 1, 2}, "section": {1}, "order": {0, 2}}[edit]
    expected = {passages[i].id for i in stale}
    assert set(small.passages_to_extract(make.extractor)) == expected
    assert set(small.ids_without_vector("passage")) == expected
    build(small)
    small.drop_vectors()
    with Memory.open(path.with_name("fresh.aira")) as fresh:
        fresh.put_documents(ParsedDocument(d, tuple(small.passages(document_id=d.id))) for d in small.documents())
        build(fresh)
        assert list(fresh.dump()) == list(small.dump())
