"""The memory's graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from aira_nb.graph import MemoryGraph
from aira_nb.types import Entity, Fact, Provenance, Schema

ADA = Entity("e1", "ada", "Ada", "person")
BABBAGE = Entity("e2", "babbage", "Babbage", "person")
LONDON = Entity("e3", "london", "London", "place")
SCHEMAS = [
    Schema("s1", "person", "met", "person", 2, 2, "stable"),
    Schema("s2", "person", "lived in", "place", 1, 1, "pending"),
]


def fact(id: str, head: Entity, relation: str, tail: Entity, schema: str, state: str, *passages: str) -> Fact:
    provenance = tuple(Provenance(passage, 0, 3, "test") for passage in passages)
    return Fact(id, head.id, relation, tail.id, schema, state, provenance)  # type: ignore[arg-type]


FACTS = [
    fact("f1", ADA, "met", BABBAGE, "s1", "active", "p1", "p2"),
    fact("f2", ADA, "lived in", LONDON, "s2", "pending", "p2"),
]


def project() -> MemoryGraph:
    return MemoryGraph.project(["p1", "p2", "p3"], entities=[ADA, BABBAGE, LONDON], schemas=SCHEMAS, facts=FACTS)


def test_only_settled_memory_is_projected() -> None:
    """Pending facts, pending schemas, and entities that only they use, are not in the graph."""
    memory = project()
    assert memory.labels == ("p1", "p2", "p3", "e1", "e2", "type:person")
    assert memory.fact_texts == ("Ada met Babbage",)
    assert memory.schema_texts == ("person met person",)


def test_entities_of_a_type_meet_at_its_node() -> None:
    """Two persons are two steps apart through their type, and no clique is built."""
    memory = project()
    graph = memory.graph
    person = memory.labels.index("type:person")
    neighbours = graph.targets[graph.starts[person] : graph.starts[person + 1]].tolist()
    assert [memory.labels[i] for i in neighbours] == ["e1", "e2"]


def test_passages_are_joined_to_the_entities_of_their_facts() -> None:
    """Each passage that states an active fact is linked to both ends of it."""
    assert project().mentions.tolist() == [[0, 3], [0, 4], [1, 3], [1, 4]]


def test_empty_memory() -> None:
    """A memory without facts projects to its passages alone."""
    memory = MemoryGraph.project(["p1"], entities=[], schemas=[], facts=[])
    assert memory.graph.size == 1
    assert len(memory.graph.targets) == 0


def test_load_of_save_is_the_same(tmp_path: Path) -> None:
    """What was saved is loaded."""
    memory = project()
    memory.save(tmp_path)
    again = MemoryGraph.load(tmp_path)
    assert again.labels == memory.labels and again.fact_texts == memory.fact_texts
    assert np.array_equal(again.mentions, memory.mentions)
    assert np.array_equal(again.graph.weights, memory.graph.weights)
