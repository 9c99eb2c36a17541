"""The retrieval strategies over one memory, and the rank fusion they share.

Every strategy is a function ``(Indexes, Query, Tuning) -> Scored`` in `STRATEGIES`. The default, ``aira``, is a
Personalized PageRank over name links whose every step asks: *what part of the question does this passage leave open,
and does the next one answer it?*
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aira_nb.errors import InputError
from aira_nb.graph import Graph, MemoryGraph, forward_push
from aira_nb.index.dense import DenseIndex
from aira_nb.index.names import NameIndex
from aira_nb.index.sparse import SparseIndex
from aira_nb.text import analyze
from aira_nb.types import Ranking, ScoredPassage, Signal

__all__ = ["STRATEGIES", "Indexes", "Query", "Tuning", "rank", "reciprocal_rank_fusion"]

Scores = NDArray[np.float64]

NEAREST = 1000
"""How many nearest passages an approximate search returns."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """The constants of retrieval, each chosen on tuning queries only (docs/decisions.md has the figures).

    Attributes
    ----------
    candidates : int
        How many passages each leg contributes to a fusion or to the seeds' pool.
    rank_constant : int
        The constant of reciprocal rank fusion (Cormack et al., 2009).
    sparse_only_factor : float
        Factor for hits of `hybrid` that the dense leg does not know; the seed system used 0.7, 1 is off.
    seeds, seed_offset : int
        The top `seeds` passages start the walk with mass ``1 / (rank + seed_offset)``.
    name_mass : float
        Mass of each name that the question contains, spread over the name's homes by their fit.
    pair_bonus : float
        Share of the name mass that is added after the walk when a question names two things or more: it wants them
        both, before what lies between them.
    restart : float
        λ of the `aira` walk. `paper_restart` is the published λ = 0.5, for `graph`.
    lookup_terms, lookup_restart : int, float
        A query of up to `lookup_terms` known terms that names nothing looks something up and asks no second hop: its
        walk restarts with `lookup_restart`, which leaves the order of the seeds nearly as it is.
    floor : float
        Least weight of a step whose target answers nothing of the question, as a share of the best BM25 score.
    answered : float
        How much of a query term's weight a step loses when the passage it leaves already has the term (0 to 1).
    dense_temperature : float
        Scale of ``exp((similarity - best) / temperature)``, by which vectors bias the walk.
    alpha, relevance : float
        The paper's passage weight α, and the least relative similarity at which a fact or schema is kept.
    tolerance : float
        See :func:`aira_nb.graph.forward_push`.
    """

    candidates: int = 100
    rank_constant: int = 60
    sparse_only_factor: float = 1.0
    seeds: int = 20
    seed_offset: int = 3
    name_mass: float = 0.7
    pair_bonus: float = 0.3
    restart: float = 0.3
    lookup_terms: int = 3
    lookup_restart: float = 0.9
    floor: float = 0.02
    answered: float = 1.0
    dense_temperature: float = 0.02
    paper_restart: float = 0.5
    alpha: float = 0.05
    relevance: float = 0.5
    tolerance: float = 1e-3


@dataclass(frozen=True)
class Indexes:
    """Everything that retrieval reads, addressed by passage position; `ids` maps positions back to passages.

    `prior` is a factor on each passage's scores, 1 for all but reference lists.
    """

    ids: tuple[str, ...]
    sparse: SparseIndex
    names: NameIndex
    links: Graph
    memory: MemoryGraph
    facts: SparseIndex
    schemas: SparseIndex
    prior: NDArray[np.float32]
    dense: DenseIndex | None = None

    @cached_property
    def id_order(self) -> NDArray[np.int64]:
        """The rank of each position's id among all ids, for breaking ties."""
        order = np.empty(len(self.ids), dtype=np.int64)
        order[sorted(range(len(self.ids)), key=self.ids.__getitem__)] = np.arange(len(self.ids))
        return order


class Query:
    """A question as the strategies see it; each view is computed once, when first asked for."""

    def __init__(self, text: str, indexes: Indexes, vector: NDArray[np.float32] | None = None) -> None:
        self.text = text
        self.indexes = indexes
        self.vector = vector
        self.units = list(analyze(text))
        self.tokens = [unit.token for unit in self.units if unit.token]

    @cached_property
    def term_scores(self) -> NDArray[np.float32]:
        """Array of shape (known terms, passages)."""
        return self.indexes.sparse.term_scores(self.tokens) * self.indexes.prior

    @cached_property
    def sparse(self) -> Scores:
        """BM25 score of each passage."""
        total: Scores = self.term_scores.sum(axis=0, dtype=np.float64)
        return total

    @cached_property
    def dense(self) -> Scores | None:
        """Cosine of each passage, or None without an embedder or vectors.

        In a store too large for exact search only the nearest `NEAREST` have one; the others are similar to nothing.
        """
        index = self.indexes.dense
        if index is None or self.vector is None:
            return None
        cosine = np.zeros(len(self.indexes.ids))
        if index.exact:
            cosine += index.matrix @ self.vector
        else:
            positions, similarities = index.search(self.vector, k=NEAREST)
            cosine[positions] = similarities
        return cosine * self.indexes.prior

    @cached_property
    def named(self) -> dict[str, tuple[int, ...]]:
        """The names that the question contains, with their homes."""
        found = self.indexes.names.find(self.text, self.units)
        return {self.text[start:end]: self.indexes.names.homes[key] for start, end, key in found}


@dataclass(frozen=True)
class Scored:
    """What a strategy returns: a score for each passage, the signals behind it, and words for the trace."""

    scores: Scores
    signals: Mapping[str, Scores] = field(default_factory=dict)
    trace: Mapping[str, Any] = field(default_factory=dict)


def rank(
    indexes: Indexes,
    text: str,
    *,
    strategy: str = "aira",
    k: int = 5,
    vector: NDArray[np.float32] | None = None,
    tuning: Tuning | None = None,
) -> Ranking:
    """Rank passages for a question.

    Parameters
    ----------
    indexes : Indexes
    text : str
        The question.
    strategy : str
        A key of `STRATEGIES`.
    k : int
        How many passages to return, at least 1; fewer come back when fewer score above zero.
    vector : array of shape (dimension,), optional
        The question's embedding; without it the dense leg is off.

    Raises
    ------
    InputError
        For an empty question, an unknown strategy, ``k < 1``, or ``dense`` without vectors.
    """
    if not text.strip():
        raise InputError("The question is empty. Ask in words, in English or Japanese.")
    if strategy not in STRATEGIES:
        raise InputError(f"There is no strategy {strategy!r}. Choose one of: {', '.join(STRATEGIES)}.")
    if k < 1:
        raise InputError(f"k is how many passages to return and must be at least 1, not {k}.")
    tuning = tuning or Tuning()
    query = Query(text, indexes, vector)
    scored = STRATEGIES[strategy](query, tuning)
    chosen = _top(scored.scores, k, indexes.id_order)
    signals = [
        tuple(
            Signal(name, _rank_of(scores, i, indexes.id_order), float(scores[i]))
            for name, scores in scored.signals.items()
        )
        for i in chosen.tolist()
    ]
    hits = tuple(
        ScoredPassage(indexes.ids[i], float(scored.scores[i]), row)
        for i, row in zip(chosen.tolist(), signals, strict=True)
    )
    return Ranking(
        text, strategy, hits, {"names": sorted(query.named), "dense": query.dense is not None, **scored.trace}
    )


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[str]], *, rank_constant: int = 60, weights: Sequence[float] | None = None
) -> list[tuple[str, float]]:
    """Fuse rankings of ids: each id scores the sum of ``weight / (rank_constant + rank)``, rank counting from 1.

    Best first, ties broken by id. Source: Cormack, Clarke, Büttcher (2009), "Reciprocal rank fusion outperforms
    Condorcet and individual rank learning methods".

    Examples
    --------
    >>> reciprocal_rank_fusion([["a", "b"], ["b"]])[0][0]
    'b'
    """
    if rank_constant < 0:
        raise InputError(f"rank_constant must not be negative, not {rank_constant}.")
    factors = [1.0] * len(rankings) if weights is None else list(weights)
    scores: dict[str, float] = {}
    for ranking, factor in zip(rankings, factors, strict=True):
        for position, identity in enumerate(dict.fromkeys(ranking), start=1):
            scores[identity] = scores.get(identity, 0.0) + factor / (rank_constant + position)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


# --- strategies -------------------------------------------------------------------------------------------------


def _bm25(query: Query, tuning: Tuning) -> Scored:
    return Scored(query.sparse, {"bm25": query.sparse})


def _dense(query: Query, tuning: Tuning) -> Scored:
    if query.dense is None:
        raise InputError(
            "The strategy 'dense' needs vectors and an embedder. Open the corpus with an embedder "
            "(pip install 'aira-nb[local]', or set an embeddings server) and run corpus.build()."
        )
    # Cosines may be negative; a passage is returned only for a score above zero.
    return Scored(query.dense + 1.0, {"dense": query.dense + 1.0})


def _hybrid(query: Query, tuning: Tuning) -> Scored:
    scores, signals = _fused(query, tuning, sparse_only_factor=tuning.sparse_only_factor)
    return Scored(scores, signals)


def _graph(query: Query, tuning: Tuning) -> Scored:
    """PPR as published (algorithm 2), with the under-specified points decided as docs/decisions.md says.

    Facts and schemas are compared with the question by BM25 relative to the best, passages likewise or by vector.
    """
    indexes, memory = query.indexes, query.indexes.memory
    raw, signals = _fused(query, tuning)
    fact_scores = _relative(indexes.facts.term_scores(query.tokens).sum(axis=0, dtype=np.float64))
    schema_scores = _relative(indexes.schemas.term_scores(query.tokens).sum(axis=0, dtype=np.float64))
    facts = _kept(fact_scores, tuning)
    schemas = _kept(schema_scores, tuning)
    trace = {"facts": len(facts), "schemas": len(schemas)}
    if not len(facts) and not len(schemas):
        return Scored(
            raw, signals, {**trace, "fallback": "no active fact or stable schema fits: plain passage ranking"}
        )
    size, first_type = memory.graph.size, memory.passages + memory.entities
    seeds = np.zeros(size)
    # Equation 6: an entity weighs the mean similarity of the kept facts that contain it.
    ends = np.concatenate([memory.fact_heads[facts], memory.fact_tails[facts]])
    counts = np.bincount(ends, minlength=size)
    sums = np.bincount(ends, weights=np.tile(fact_scores[facts], 2), minlength=size)
    seeds += np.divide(sums, counts, out=np.zeros(size), where=counts > 0)
    # Equation 7 with 1 / max(1, log(degree + 1)), since log 1 = 0.
    kinds = np.concatenate([memory.schema_heads[schemas], memory.schema_tails[schemas]])
    counts = np.bincount(kinds, minlength=size)
    sums = np.bincount(kinds, weights=np.tile(schema_scores[schemas], 2), minlength=size)
    degree = np.diff(memory.graph.starts)
    hub = 1.0 / np.maximum(1.0, np.log(degree + 1.0))
    seeds[first_type:] += (np.divide(sums, counts, out=np.zeros(size), where=counts > 0) * hub)[first_type:]
    # Equation 8 on the retrieved passages only: σ of the summed IDF of a passage's entities over log(|E| + 1).
    pool = _top(raw, tuning.candidates, indexes.id_order)
    density = _density(memory)
    seeds[pool] += _relative(raw)[pool] * tuning.alpha * density[pool]
    walk = forward_push(memory.graph, seeds, restart=tuning.paper_restart, tolerance=tuning.tolerance)[
        : memory.passages
    ]
    # Passages that the walk never meets follow in plain order, below every passage that it does.
    reached = walk > 0
    tail = _relative(raw) * (walk[reached].min() * 0.5 if reached.any() else 1.0)
    scores = np.where(reached, walk, tail)
    return Scored(scores, {**signals, "walk": walk}, trace)


def _aira(query: Query, tuning: Tuning) -> Scored:
    """Hybrid seeds, homes of named entities, and PPR over name links with steps biased by the open question."""
    indexes = query.indexes
    pool, signals = _fused(query, tuning)
    seeds = np.zeros(len(indexes.ids))
    for position, passage in enumerate(_top(pool, tuning.seeds, indexes.id_order).tolist(), start=1):
        seeds[passage] += 1.0 / (position + tuning.seed_offset - 1)
    fit = _fit(query, tuning)
    names = np.zeros(len(indexes.ids))
    for homes in query.named.values():
        positions = list(homes)
        names[positions] += tuning.name_mass * fit[positions] / fit[positions].sum()
    seeds += names
    if not seeds.any():
        return Scored(seeds, signals)
    lookup = len(query.term_scores) <= tuning.lookup_terms and not query.named
    walk = forward_push(
        indexes.links,
        seeds,
        restart=tuning.lookup_restart if lookup else tuning.restart,
        tolerance=tuning.tolerance,
        step=_open_question(query, tuning),
    )
    paired = tuning.pair_bonus if len(set(query.named.values())) > 1 else 0.0
    return Scored(walk + paired * names / seeds.sum(), {**signals, "names": names, "walk": walk})


STRATEGIES: Mapping[str, Callable[[Query, Tuning], Scored]] = {
    "bm25": _bm25,
    "dense": _dense,
    "hybrid": _hybrid,
    "graph": _graph,
    "aira": _aira,
}


# --- parts ------------------------------------------------------------------------------------------------------


def _fused(query: Query, tuning: Tuning, *, sparse_only_factor: float = 1.0) -> tuple[Scores, dict[str, Scores]]:
    """Return RRF scores of the BM25 and dense legs (BM25's own where there is no dense leg) and the signals."""
    signals = {"bm25": query.sparse}
    if query.dense is None:
        return query.sparse, signals
    signals["dense"] = query.dense + 1.0
    order = query.indexes.id_order
    fused = np.zeros(len(query.sparse))
    legs = {name: _top(scores, tuning.candidates, order) for name, scores in signals.items()}
    for leg in legs.values():
        fused[leg] += 1.0 / (tuning.rank_constant + np.arange(1, len(leg) + 1))
    fused[np.setdiff1d(legs["bm25"], legs["dense"])] *= sparse_only_factor
    return fused, signals


def _fit(query: Query, tuning: Tuning) -> Scores:
    """How well each passage fits the whole question, from `floor` to ``1 + floor``."""
    sparse = _relative(query.sparse)
    if query.dense is None:
        return sparse + tuning.floor
    near: Scores = np.exp((query.dense - query.dense.max()) / tuning.dense_temperature)
    return 0.5 * sparse + 0.5 * near + tuning.floor


def _open_question(query: Query, tuning: Tuning) -> Callable[[NDArray[Any], NDArray[Any], Scores], Scores]:
    """Return the step that weights an edge by what its target answers of the terms that its source leaves open."""
    # One row for each passage, so that an edge reads two short stretches of memory.
    terms = np.ascontiguousarray(query.term_scores.T)
    present = (terms > 0).astype(np.float32)
    best = float(query.sparse.max()) or 1.0
    sparse = query.sparse / best
    vectors = None
    if query.dense is not None:
        vectors = np.exp((query.dense - query.dense.max()) / tuning.dense_temperature)

    def step(sources: NDArray[np.int64], targets: NDArray[np.int64], weights: Scores) -> Scores:
        bias = sparse[targets]
        if tuning.answered:
            # Terms that both ends have are what the source already answered.
            repeated = np.einsum("et,et->e", present[sources], terms[targets], dtype=np.float64)
            bias = np.maximum(bias - tuning.answered * repeated / best, 0.0)
        if vectors is not None:
            bias = 0.5 * bias + 0.5 * vectors[targets]
        return weights * (bias + tuning.floor)

    return step


def _density(memory: MemoryGraph) -> Scores:
    """σ(Σ IDF(e) / log(|E_p| + 1)) of each passage; σ(0) = ½ for one without entities. Natural logarithms."""
    passages, entities = memory.mentions[:, 0], memory.mentions[:, 1]
    frequency = np.bincount(entities, minlength=memory.graph.size)
    idf = np.log(max(memory.passages, 1) / np.maximum(frequency, 1))
    total = np.bincount(passages, weights=idf[entities], minlength=memory.passages)
    count = np.bincount(passages, minlength=memory.passages)
    exponent = np.divide(total, np.log(count + 1.0), out=np.zeros(memory.passages), where=count > 0)
    density: Scores = 1.0 / (1.0 + np.exp(-exponent))
    return density


def _kept(scores: Scores, tuning: Tuning) -> NDArray[np.int64]:
    """Positions of the best `candidates` scores that reach `relevance`."""
    chosen = np.argsort(-scores, kind="stable")[: tuning.candidates]
    return chosen[scores[chosen] >= tuning.relevance].astype(np.int64)


def _relative(scores: Scores) -> Scores:
    best = float(scores.max()) if len(scores) else 0.0
    return scores / best if best > 0 else np.zeros(len(scores))


def _top(scores: Scores, k: int, id_order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions of the `k` best scores above zero, best first, ties by id."""
    if k < len(scores):
        # All that tie with the k-th must compete, or the cut would depend on positions.
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        pool = np.flatnonzero((scores >= least) & (scores > 0))
    else:
        pool = np.flatnonzero(scores > 0)
    return np.asarray(pool[np.lexsort((id_order[pool], -scores[pool]))][:k], dtype=np.int64)


def _rank_of(scores: Scores, position: int, id_order: NDArray[np.int64]) -> int | None:
    """1-based rank of one position, ties by id; None for one that the signal does not rank."""
    score = scores[position]
    if score <= 0:
        return None
    tied = (scores == score) & (id_order < id_order[position])
    return int(np.count_nonzero(scores > score) + np.count_nonzero(tied)) + 1
