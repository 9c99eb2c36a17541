"""Personalized PageRank."""

from __future__ import annotations

from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aira_nb.errors import ConvergenceError, InputError
from aira_nb.graph import Graph, forward_push, power_iteration


def path_of_three() -> Graph:
    """0 - 1 - 2, undirected."""
    return Graph.from_edges(3, [0, 1, 1, 2], [1, 0, 2, 1])


def one_seed(size: int, node: int = 0) -> np.ndarray:
    seeds = np.zeros(size)
    seeds[node] = 1
    return seeds


@pytest.mark.parametrize("pagerank", [forward_push, power_iteration])
def test_path_of_three_by_hand(pagerank: object) -> None:
    """On 0-1-2 with restart 1/2 from 0 the vector is (7/12, 1/3, 1/12).

    v0 = 1/2 + v1/4, v1 = (v0 + v2)/2, v2 = v1/4, so v1 = 1/3.
    """
    vector = pagerank(path_of_three(), one_seed(3), restart=0.5, tolerance=1e-12)  # type: ignore[operator]
    assert vector == pytest.approx([7 / 12, 1 / 3, 1 / 12], abs=1e-9)


@pytest.mark.parametrize("pagerank", [forward_push, power_iteration])
def test_dangling_mass_returns_to_the_seeds(pagerank: object) -> None:
    """In 0 -> 1 with restart 1/2 the mass at 1 goes back to 0: (2/3, 1/3)."""
    vector = pagerank(Graph.from_edges(2, [0], [1]), one_seed(2), restart=0.5, tolerance=1e-12)  # type: ignore[operator]
    assert vector == pytest.approx([2 / 3, 1 / 3], abs=1e-9)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Graph, np.ndarray, float]:
    size = draw(st.integers(1, 12))
    node = st.integers(0, size - 1)
    edges = draw(st.lists(st.tuples(node, node, st.floats(0, 5)), max_size=40))
    seeds = np.array(draw(st.lists(st.floats(0, 1), min_size=size, max_size=size)))
    seeds[draw(node)] += 0.5
    tails, heads, weights = zip(*edges, strict=True) if edges else ((), (), ())
    return Graph.from_edges(size, tails, heads, weights), seeds, draw(st.floats(0.15, 1))


@settings(deadline=None)
@given(worlds())
def test_push_power_and_networkx_agree(world: tuple[Graph, np.ndarray, float]) -> None:
    """Forward push, power iteration and networkx give one vector on any graph."""
    graph, seeds, restart = world
    pushed = forward_push(graph, seeds, restart=restart, tolerance=1e-12)
    exact = power_iteration(graph, seeds, restart=restart, tolerance=1e-12)
    assert pushed == pytest.approx(exact, abs=1e-8)
    assert pushed.sum() == pytest.approx(1, abs=1e-8)
    shares = {i: float(s) for i, s in enumerate(seeds / seeds.sum())}
    # An edge of weight zero is no edge to us; networkx divides by a sum that may be zero.
    digraph = graph.to_networkx()
    digraph.remove_edges_from([(a, b) for a, b, w in digraph.edges(data="weight") if w < 1e-9])
    if all(w >= 1e-9 for w in graph.weights):
        other = networkx.pagerank(
            digraph, alpha=1 - restart, personalization=shares, dangling=shares, tol=1e-12, max_iter=2000
        )
        assert [other[i] for i in range(graph.size)] == pytest.approx(exact, abs=1e-7)


def test_steps_change_the_weights_of_both_twins_alike() -> None:
    """A query's step sees sources, targets and stored weights, and both implementations follow it."""
    graph = Graph.from_edges(4, [0, 0, 1, 2, 3], [1, 2, 3, 3, 0])

    def step(sources: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return weights * np.where((sources == 0) & (targets == 2), 3.0, 1.0)

    pushed = forward_push(graph, one_seed(4), restart=0.3, tolerance=1e-12, step=step)
    assert pushed == pytest.approx(
        power_iteration(graph, one_seed(4), restart=0.3, tolerance=1e-13, step=step), abs=1e-9
    )
    assert pushed[2] == pytest.approx(3 * pushed[1])


def test_too_few_rounds_is_an_error() -> None:
    """An iteration that did not converge is never returned as if it had."""
    with pytest.raises(ConvergenceError, match="residual"):
        forward_push(path_of_three(), one_seed(3), restart=0.01, tolerance=1e-12, max_rounds=3)
    with pytest.raises(ConvergenceError, match="rounds"):
        power_iteration(path_of_three(), one_seed(3), restart=0.01, tolerance=1e-12, max_rounds=3)


@pytest.mark.parametrize("seeds", [np.zeros(3), np.array([1, -1, 0.0]), np.array([np.nan, 0, 0]), np.ones(2)])
def test_seeds_must_be_a_distribution(seeds: np.ndarray) -> None:
    """Seeds that are all zero, negative, not finite or of the wrong length are refused."""
    with pytest.raises(InputError, match="Seeds"):
        forward_push(path_of_three(), seeds)


@pytest.mark.parametrize("restart", [0, -0.1, 1.1])
def test_restart_must_be_a_probability(restart: float) -> None:
    """A restart outside (0, 1] is refused."""
    with pytest.raises(InputError, match="restart"):
        forward_push(path_of_three(), one_seed(3), restart=restart)


def test_edges_outside_the_graph_are_refused() -> None:
    """An edge to a node that does not exist is an error, not a silent wrap-around."""
    with pytest.raises(InputError, match="outside"):
        Graph.from_edges(2, [0], [2])


def test_links_are_collapsed_and_hubs_damped() -> None:
    """A link costs one step, goes back with half its weight, and counts less towards a hub."""
    graph = Graph.of_links(4, [(0, 1), (2, 1), (3, 1), (0, 3)], back=0.5)
    weights = {(0, 1): 1 / np.log(5), (0, 3): 1 / np.log(4)}
    edges = dict(
        zip(
            zip(np.repeat(np.arange(4), np.diff(graph.starts)).tolist(), graph.targets.tolist(), strict=True),
            graph.weights.tolist(),
            strict=True,
        )
    )
    assert edges[0, 1] == pytest.approx(weights[0, 1])
    assert edges[0, 3] == pytest.approx(weights[0, 3])
    assert edges[1, 2] == pytest.approx(0.5 / np.log(3))
    assert len(edges) == 8


def test_mutual_links_keep_the_larger_weight() -> None:
    """Two passages that name each other are linked once each way at full weight."""
    graph = Graph.of_links(2, [(0, 1), (1, 0)])
    assert graph.weights.tolist() == pytest.approx([1 / np.log(3)] * 2)


def test_load_of_save_is_the_same(tmp_path: Path) -> None:
    """What was saved is loaded."""
    graph = path_of_three()
    graph.save(tmp_path / "graph.npz")
    again = Graph.load(tmp_path / "graph.npz")
    assert all(np.array_equal(getattr(graph, name), getattr(again, name)) for name in ("starts", "targets", "weights"))
