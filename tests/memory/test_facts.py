"""The settled part changes by plans only, and a plan that breaks a rule changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aira_nb.errors import InputError, StoreError
from aira_nb.memory import Memory
from aira_nb.types import Entity, Fact, Plan, Provenance, Schema


def test_the_settled_part_comes_back(small: Memory, path: Path) -> None:
    """load(save(x)) = x for entities, schemas and facts with many provenances, and each state can be asked for."""
    passages = small.passage_ids()
    plan = Plan(
        3,
        put_entities=(Entity("e1", "key", "名前", "人物", ("a", "b")), Entity("e2", "k2", "n", "place")),
        put_schemas=(Schema("s1", "人物", "住む", "place", 2, 1, "pending"),),
        put_facts=(
            Fact(
                "f1",
                "e1",
                "住む",
                "e2",
                "s1",
                "superseded",
                tuple(sorted((Provenance(p, 0, 5, "x/1") for p in passages[:2]), key=lambda v: v.passage_id)),
            ),
        ),
    )
    small.apply(plan)
    small.close()
    with Memory.open(path, mode="ro") as again:
        assert set(plan.put_entities) <= set(again.entities())
        assert set(plan.put_schemas) <= set(again.schemas())
        assert again.facts("superseded") == list(plan.put_facts)
        assert len(again.facts()) == len(again.facts("active")) + len(again.facts("pending")) + 1
        assert again.threshold == 3


def test_applying_twice_changes_nothing(small: Memory, settle: Callable[..., None]) -> None:
    """The second run is an empty plan, and applying it leaves the sequence number as it is."""
    sequence = small.sequence
    settle(small)
    assert small.sequence == sequence


def test_a_plan_must_fit_the_store(small: Memory) -> None:
    """A fact without provenance, or with an entity, schema or passage that is not there, is refused; nothing changes."""
    fact = small.facts()[0]
    entity, schema = small.entities()[0], small.schemas()[0]
    before = list(small.dump())
    wrong = [
        (Plan(2, put_facts=(replace(fact, provenance=()),)), "fact without provenance"),
        (Plan(2, put_facts=(replace(fact, head_id="nobody"),)), "entity 'nobody'"),
        (Plan(2, put_facts=(replace(fact, schema_id="nothing"),)), "schema 'nothing'"),
        (Plan(2, put_facts=(replace(fact, provenance=(Provenance("gone", 0, 1, "x"),)),)), "passage 'gone'"),
        (Plan(2, drop_entities=(fact.head_id,)), "drops the entity"),
        (Plan(2, drop_schemas=(schema.id,)), "drops the schema"),
    ]
    for plan, message in wrong:
        with pytest.raises(InputError, match=message):
            small.apply(replace(plan, put_entities=(replace(entity, name="changed"),)))
        assert list(small.dump()) == before
    impossible = Plan(2, put_facts=(replace(fact, state="invented"),))  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="inconsistent"):
        small.apply(impossible)
    assert list(small.dump()) == before


def test_provenance_is_part_of_the_fact(small: Memory) -> None:
    """A fact whose provenance alone changes is a changed fact for those who follow the log."""
    fact = small.facts()[0]
    sequence = small.sequence
    more = (*fact.provenance, Provenance(small.passage_ids()[-1], 0, 3, "x/1"))
    more = tuple(sorted(more, key=lambda place: place.passage_id))
    small.apply(Plan(2, put_facts=(replace(fact, provenance=more),)))
    assert [(c.kind, c.id, c.op) for c in small.changes(sequence)] == [("fact", fact.id, "put")]
    assert replace(fact, provenance=more) in small.facts()
    small.apply(Plan(2, put_facts=(fact,)))
    assert fact in small.facts()


def test_only_what_retrieval_sees_has_a_vector(small: Memory, settle: Callable[..., None]) -> None:
    """A fact or schema that is demoted loses its vector, so that no hidden one can be found."""
    for kind in ("fact", "schema"):
        ids = small.ids_without_vector(kind)  # type: ignore[arg-type]
        small.put_vectors(kind, ids, np.eye(len(ids), 4), model="m")  # type: ignore[arg-type]
    assert (small.counts().fact_vectors, small.counts().schema_vectors) == (3, 1)
    settle(small, threshold=4)
    assert (small.counts().fact_vectors, small.counts().schema_vectors) == (0, 0)
    assert small.check() == []
    settle(small, threshold=1)
    assert len(small.ids_without_vector("fact")) == 4


def test_the_memory_knows_whether_it_is_settled(memory: Memory, make: Any, build: Callable[..., None]) -> None:
    """Settled means: the last plan had this threshold, and nothing was extracted or removed since."""
    assert memory.is_settled(2)
    memory.put_documents([make.document("a.md", "A cites B."), make.document("b.md", "B cites C.")])
    memory.put_extractions(make.read(p) for p in memory.passages())
    assert not memory.is_settled(2)
    build(memory)
    assert memory.is_settled(2)
    assert not memory.is_settled(3)
    memory.remove_documents([memory.documents()[0].id])
    assert not memory.is_settled(2)
