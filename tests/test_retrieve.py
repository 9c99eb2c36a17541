"""Retrieval strategies and rank fusion."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aira_nb.errors import InputError
from aira_nb.graph import Graph, MemoryGraph
from aira_nb.index.dense import DenseIndex
from aira_nb.index.names import NameIndex
from aira_nb.index.sparse import SparseIndex
from aira_nb.retrieve import STRATEGIES, Indexes, Tuning, rank, reciprocal_rank_fusion
from aira_nb.text import analyze, search_tokens
from aira_nb.types import Entity, Fact, Provenance, Schema

# A world of two hops: the lighthouse names its builder, only the builder's own passage has the town.
WORLD = {
    "a-tower": ("Selka Tower", "Selka Tower is a lighthouse. It was built by Oda Renn in 1931."),
    "b-renn": ("Oda Renn", "Oda Renn was an engineer. She was born in the town of Velm."),
    "c-harbour": ("Selka Harbour", "Selka Harbour is a harbour near the lighthouse of the town."),
    "d-moss": ("Moss", "Moss grows on stones. Where was it born? In the builder of rain."),
    "e-list": ("Lighthouses", "A lighthouse is a tower with a light. Many a builder was born on the coast."),
}
QUESTION = "Where was the builder of Selka Tower born?"


def world(*, prior: dict[str, float] | None = None, vectors: np.ndarray | None = None) -> Indexes:
    ids = tuple(WORLD)
    texts = [text for _, text in WORLD.values()]
    names = NameIndex.build((title, i) for i, (title, _) in enumerate(WORLD.values()))
    units = [(text, list(analyze(text))) for text in texts]
    ada, velm = Entity("e1", "oda renn", "Oda Renn", "person"), Entity("e2", "velm", "Velm", "place")
    fact = Fact("f1", "e1", "born in", "e2", "s1", "active", (Provenance("b-renn", 0, 5, "test"),))
    memory = MemoryGraph.project(
        ids, entities=[ada, velm], schemas=[Schema("s1", "person", "born in", "place", 2, 2, "stable")], facts=[fact]
    )
    return Indexes(
        ids=ids,
        sparse=SparseIndex.build(search_tokens(f"{title}\n{text}") for title, text in WORLD.values()),
        names=names,
        links=Graph.of_links(len(ids), names.links(units)),
        memory=memory,
        facts=SparseIndex.build(map(search_tokens, memory.fact_texts)),
        schemas=SparseIndex.build(map(search_tokens, memory.schema_texts)),
        prior=np.array([(prior or {}).get(i, 1.0) for i in ids], dtype=np.float32),
        dense=None if vectors is None else DenseIndex(vectors),
    )


def order(strategy: str, **options: object) -> list[str]:
    return [hit.passage_id for hit in rank(world(), QUESTION, strategy=strategy, k=5, **options).hits]  # type: ignore[arg-type]


def test_fusion_by_hand() -> None:
    """RRF of two rankings with constant 60 gives 1/61 + 1/62 = 0.03252 for ranks 1 and 2, as Cormack et al. define it."""
    fused = dict(reciprocal_rank_fusion([["C1", "C2", "C3", "C4", "C5"], ["C3", "C1", "C6", "C7", "C2"]]))
    assert fused["C1"] == pytest.approx(0.03252, abs=5e-6)
    assert fused["C3"] == pytest.approx(0.03227, abs=5e-6)
    assert fused["C2"] == pytest.approx(1 / 62 + 1 / 65)
    assert list(fused)[:3] == ["C1", "C3", "C2"]


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), max_size=4))
def test_fusion_is_ordered_and_complete(rankings: list[list[str]]) -> None:
    """Fusion returns every id once, best first, ties by id."""
    fused = reciprocal_rank_fusion(rankings)
    assert {i for i, _ in fused} == {i for ranking in rankings for i in ranking}
    assert fused == sorted(fused, key=lambda item: (-item[1], item[0]))


def test_the_second_hop_is_found() -> None:
    """The default strategy ranks both passages of a two-hop question first, where BM25 does not."""
    assert set(order("aira")[:2]) == {"a-tower", "b-renn"}
    assert set(order("bm25")[:2]) != {"a-tower", "b-renn"}


def test_every_strategy_but_dense_works_without_vectors() -> None:
    """Nothing but the dense strategy needs an embedder, and that one says what to do."""
    for strategy in STRATEGIES:
        if strategy != "dense":
            assert order(strategy)
    with pytest.raises(InputError, match=r"aira-nb\[local\]"):
        order("dense")


def test_dense_leg_takes_part() -> None:
    """With vectors, dense and hybrid follow similarity, and the signals say so."""
    vectors = np.eye(5, dtype=np.float32)
    query = np.array([0, 0, 0, 1, 0], dtype=np.float32)
    indexes = world(vectors=vectors)
    assert rank(indexes, QUESTION, strategy="dense", vector=query).hits[0].passage_id == "d-moss"
    ranking = rank(indexes, QUESTION, strategy="hybrid", vector=query, k=5)
    first = next(hit for hit in ranking.hits if hit.passage_id == "d-moss")
    assert {s.name: s.rank for s in first.signals}["dense"] == 1
    assert ranking.trace["dense"] is True


def test_sparse_only_hits_can_be_damped() -> None:
    """Hits that the dense leg does not know count by the given factor in hybrid."""
    indexes = world(vectors=np.eye(5, dtype=np.float32))
    query = np.array([0, 0, 0, 1, 0], dtype=np.float32)
    full = rank(indexes, QUESTION, strategy="hybrid", vector=query, tuning=Tuning(candidates=1)).hits
    damped = rank(
        indexes, QUESTION, strategy="hybrid", vector=query, tuning=Tuning(candidates=1, sparse_only_factor=0.7)
    ).hits
    scores = {hit.passage_id: hit.score for hit in full}
    for hit in damped:
        factor = 1.0 if hit.passage_id == "d-moss" else 0.7
        assert hit.score == pytest.approx(scores[hit.passage_id] * factor)


def test_graph_uses_facts_and_falls_back_without() -> None:
    """The published walk starts from fitting facts, and ranks passages plainly, saying so, when none fits."""
    ranking = rank(world(), "Who was born in Velm?", strategy="graph", k=5)
    assert ranking.hits[0].passage_id == "b-renn"
    assert ranking.trace["facts"] == 1
    assert "plain passage ranking" in rank(world(), "stones", strategy="graph").trace["fallback"]


def test_reference_lists_count_less() -> None:
    """A passage's prior is a factor on its scores."""
    plain = rank(world(), "lighthouse tower light", strategy="bm25").hits[0]
    damped = rank(world(prior={plain.passage_id: 0.3}), "lighthouse tower light", strategy="bm25", k=5)
    score = next(hit.score for hit in damped.hits if hit.passage_id == plain.passage_id)
    assert score == pytest.approx(0.3 * plain.score, rel=1e-5)


def test_signals_explain_each_hit() -> None:
    """Each hit carries each signal's rank and score, None where a signal does not rank it."""
    hits = rank(world(), QUESTION, strategy="aira", k=5).hits
    signals = {hit.passage_id: {s.name: s.rank for s in hit.signals} for hit in hits}
    assert set(signals["a-tower"]) == {"bm25", "names", "walk"}
    assert signals["a-tower"]["names"] == 1
    assert signals["b-renn"]["names"] is None
    assert sorted(row["walk"] for row in signals.values()) == [1, 2, 3, 4, 5]


def test_ties_are_broken_by_id() -> None:
    """Equal scores come in the order of their ids, whatever their place in the index."""
    ids = ("z", "m", "a")
    empty = MemoryGraph.project(ids, entities=[], schemas=[], facts=[])
    indexes = Indexes(
        ids=ids,
        sparse=SparseIndex.build([["tide"]] * 3),
        names=NameIndex.build([]),
        links=Graph.of_links(3, []),
        memory=empty,
        facts=SparseIndex.build([]),
        schemas=SparseIndex.build([]),
        prior=np.ones(3, dtype=np.float32),
    )
    for strategy in ("bm25", "hybrid", "graph"):
        assert [hit.passage_id for hit in rank(indexes, "tide", strategy=strategy, k=2).hits] == ["a", "m"]
    # The walk's seeds fall with the rank, and ranks of equal scores follow the ids too.
    assert [hit.passage_id for hit in rank(indexes, "tide", k=3).hits] == ["a", "m", "z"]


def test_nothing_known_finds_nothing() -> None:
    """A query without a known word returns no hit instead of arbitrary passages."""
    for strategy in ("bm25", "hybrid", "graph", "aira"):
        assert rank(world(), "xylophone", strategy=strategy).hits == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [({"text": "  "}, "empty"), ({"k": 0}, "at least 1"), ({"strategy": "best"}, "Choose one of")],
)
def test_bad_input_is_named(options: dict[str, object], message: str) -> None:
    """An empty question, a k below 1 and an unknown strategy are refused with the next step."""
    text = str(options.pop("text", "moss"))
    with pytest.raises(InputError, match=message):
        rank(world(), text, **options)  # type: ignore[arg-type]
