"""Extractions: done or failed, never an empty success, and nothing that cannot be cited."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from aira_nb.errors import InputError
from aira_nb.memory import Memory
from aira_nb.types import Definition, Extraction, Mention, Triple


def test_an_extraction_comes_back_whole(small: Memory, make: Any) -> None:
    """load(save(x)) = x for mentions, triples and definitions."""
    passage = small.passages()[0]
    x = Extraction(
        passage.id,
        "llm/3",
        mentions=(Mention(0, 5, "Alpha", "人物"), Mention(12, 16, "Beta", "term")),
        triples=(Triple(Mention(0, 5, "Alpha", "人物"), "引用する", Mention(12, 16, "Beta", "term"), 0, 17),),
        definitions=(Definition(0, 5, "A", "abbreviation", long="Alpha"),),
    )
    small.put_extractions([x])
    assert small.extraction(passage.id) == x
    assert x in list(small.extractions())
    document = passage.document_id
    assert [row for row in small.triples() if row[2] == "llm/3"] == [(passage.id, document, "llm/3", x.triples[0])]
    assert [row[3] for row in small.mentions() if row[2] == "llm/3"] == list(x.mentions)
    assert [row for row in small.definitions() if row[2] == "llm/3"] == [
        (passage.id, document, "llm/3", x.definitions[0])
    ]


def test_what_is_left_to_read(memory: Memory, make: Any) -> None:
    """Left to read are passages that nothing read, that another extractor read, or whose extraction failed, in order."""
    memory.put_documents([make.document("b.md", "B cites C."), make.document("a.md", "A cites B.", "D cites E.")])
    ids = memory.passage_ids()
    assert memory.passages_to_extract(make.extractor) == ids
    read = [make.read(p) for p in memory.passages()]
    memory.put_extractions([read[0], Extraction(ids[1], make.extractor, status="failed", reason="timed out")])
    assert memory.passages_to_extract(make.extractor) == ids[1:]
    assert memory.passages_to_extract("other") == ids
    memory.put_extractions(read)
    assert memory.passages_to_extract(make.extractor) == []
    assert memory.extraction(ids[1]) == read[1]


def test_a_failure_is_a_recorded_status(memory: Memory, make: Any) -> None:
    """A failed extraction is counted as failed, with its reason; a second equal failure changes nothing."""
    memory.put_documents([make.document("a.md", "A cites B.")])
    failed = Extraction(memory.passage_ids()[0], make.extractor, status="failed", reason="timed out after 60 s")
    memory.put_extractions([failed])
    counts, sequence = memory.counts(), memory.sequence
    assert (counts.extractions_failed, counts.extractions_done, counts.extractions_missing) == (1, 0, 0)
    assert memory.extraction(failed.passage_id) == failed
    memory.put_extractions([failed])
    assert memory.sequence == sequence


def wrong(x: Extraction) -> list[Extraction]:
    mention, triple, definition = x.mentions[0], x.triples[0], x.definitions[0]
    return [
        replace(x, mentions=(replace(mention, text="Someone else"),)),
        replace(x, mentions=(replace(mention, start=-5),)),
        replace(x, mentions=(replace(mention, end=mention.start, text=""),)),
        replace(x, triples=(replace(triple, end=10_000),)),
        replace(x, triples=(replace(triple, tail=replace(triple.tail, start=0)),)),
        replace(x, definitions=(replace(definition, start=9, end=3),)),
    ]


def test_a_span_that_does_not_fit_is_a_failure(small: Memory, make: Any) -> None:
    """An extraction whose spans do not fit its passage is stored as failed, and the next passage is stored all the same."""
    first, second = small.passages()[:2]
    for bad in wrong(make.read(first)):
        small.put_extractions([bad, make.read(second)])
        stored = small.extraction(first.id)
        assert stored is not None
        assert (stored.status, stored.mentions, stored.triples) == ("failed", (), ())
        assert stored.reason.startswith(f"{make.extractor}: the ")
        assert small.extraction(second.id) == make.read(second)


def test_an_extraction_needs_its_passage(small: Memory) -> None:
    """An extraction for a passage that is not in the store is an error that names it; its batch is not stored."""
    sequence = small.sequence
    with pytest.raises(InputError, match="no passage 'gone'"):
        small.put_extractions([Extraction(small.passage_ids()[0], "x"), Extraction("gone", "x")])
    assert small.sequence == sequence
    assert small.extraction("gone") is None


def test_writing_while_reading(memory: Memory, make: Any) -> None:
    """Iterating may be mixed with writing: nothing is locked or skipped."""
    memory.put_documents([make.document("a.md", *(f"Name{n} cites Name{n + 1}." for n in range(2500)))])
    memory.put_extractions(make.read(p) for p in memory.passages())
    seen = 0
    for passage_id, _, _, _ in memory.triples():
        if seen % 500 == 0:
            memory.put_extractions([Extraction(passage_id, "other")])
        seen += 1
    assert seen == 2500
