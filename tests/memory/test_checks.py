"""check() finds every way in which a store can be wrong; counts() says what is in it."""

from __future__ import annotations

import sqlite3
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aira_nb.memory import Memory

CORRUPTIONS = {
    "UPDATE passage SET position = 7 WHERE position = 1": "at positions that are not",
    "UPDATE passage SET begins = 9, ends = 3 WHERE position = 1": "before it begins",
    "UPDATE passage SET text = 'x' WHERE position = 0": "does not fit its passage",
    "DELETE FROM provenance": "has no provenance",
    "UPDATE fact SET relation = 'other'": "differ in relation or types",
    "UPDATE entity SET type = 'other'": "differ in relation or types",
    "UPDATE fact SET state = 'pending'": "although its schema is 'stable'",
    "UPDATE schema SET state = 'pending'": "is 'pending' with frequency 3 at threshold 2",
    "UPDATE schema SET frequency = 40": "counts 40 passages in",
    "UPDATE schema SET document_frequency = 1 WHERE frequency = 3": "counts 3 passages in 1 documents",
    "INSERT INTO entity (id, match_key, name, type, aliases) VALUES ('x', 'x', 'x', 'x', '[]')": "part of no fact",
    "UPDATE entity SET match_key = 'same'": "share the key and type",
    "UPDATE extraction SET extractor = 'other'": "after the facts were last settled",
    "UPDATE provenance SET extractor = 'other'": "read by 'other' in the passage",
    "UPDATE provenance SET ends = 5000": "outside of its text",
    "UPDATE passage_vector SET vector = zeroblob(16)": "has norm 0, not 1",
    "UPDATE passage_vector SET vector = zeroblob(12)": "has 12 bytes",
    "DELETE FROM passage_vector WHERE rowid = 1": "1 passage items have no vector",
    "UPDATE vector_space SET model = 'other' WHERE kind = 'fact'": "come from different models",
    "DELETE FROM change WHERE kind = 'fact'": "misses 4 of kind fact",
    "INSERT INTO change (kind, id, op) VALUES ('schema', 'x', 'put')": "names 1 that are gone",
    "DROP INDEX passage_order": "The index 'passage_order' is not as this version defines it",
}
"""SQL that breaks one rule, and what check() must say. Foreign keys are off while it runs."""


@pytest.fixture
def whole(small: Memory, path: Path) -> Path:
    """Give the path of a closed, healthy store with vectors of every kind."""
    kinds: list[Any] = ["passage", "fact", "schema"]
    for kind in kinds:
        ids = small.ids_without_vector(kind)
        small.put_vectors(kind, ids, np.eye(len(ids), 4), model="m")
    assert small.check() == []
    small.close()
    return path


@pytest.mark.parametrize("sql", CORRUPTIONS)
def test_check_finds_what_is_wrong(whole: Path, sql: str) -> None:
    """Each broken rule gives a readable line that names the item and the next step."""
    with sqlite3.connect(whole) as raw:
        raw.execute(sql)
    raw.close()
    with Memory.open(whole, mode="ro") as memory:
        lines = memory.check()
    assert any(CORRUPTIONS[sql] in line for line in lines), lines


def test_check_finds_dangling_rows(whole: Path) -> None:
    """A row that points to nothing is named."""
    with sqlite3.connect(whole) as raw:
        raw.execute("DELETE FROM passage WHERE position = 1")
    raw.close()
    with Memory.open(whole, mode="ro") as memory:
        assert any("points to a passage that is not there" in line for line in memory.check())


def test_check_finds_damage(whole: Path) -> None:
    """Overwritten bytes are reported as damage, or opening says so, and the advice is the last copy."""
    content = bytearray(whole.read_bytes())
    content[8192 * 3 : 8192 * 9] = b"\xff" * (8192 * 6)
    whole.write_bytes(content)
    with Memory.open(whole, mode="ro") as memory:
        lines = memory.check()
    assert "is damaged. Put back your last copy" in lines[0]


def test_check_names_few_examples(memory: Memory, make: Any) -> None:
    """A rule that is broken a thousand times gives a handful of lines and a number."""
    memory.put_documents([make.document("a.md", *(f"text {n}" for n in range(100)))])
    with sqlite3.connect(memory.path) as raw:
        raw.execute("UPDATE passage SET ends = -1")
    raw.close()
    lines = memory.check()
    assert len(lines) == 6
    assert lines[-1] == "... and 95 more like this."


def test_counts_are_what_is_there(small: Memory) -> None:
    """Every number of counts() is the length of what the store returns."""
    counts = small.counts()
    assert asdict(counts) == {
        "documents": 3,
        "passages": 4,
        "pages": 1,
        "extractions_done": 4,
        "extractions_failed": 0,
        "extractions_missing": 0,
        "mentions": len(list(small.mentions())),
        "triples": 4,
        "definitions": len(list(small.definitions())),
        "entities": 5,
        "schemas_stable": 1,
        "schemas_pending": 1,
        "facts_active": 3,
        "facts_pending": 1,
        "facts_superseded": 0,
        "passage_vectors": 0,
        "fact_vectors": 0,
        "schema_vectors": 0,
        "threshold": 2,
        "file_bytes": small.path.stat().st_size,
    }
    assert (counts.schemas, counts.facts, counts.active_share) == (2, 4, 0.75)


def test_no_facts_have_no_active_share(memory: Memory) -> None:
    """Nothing scanned is not nothing found: without facts there is no share."""
    assert memory.counts().active_share is None
