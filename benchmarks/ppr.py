"""How fast is Personalized PageRank by forward push, and how exact.

Compares it with power iteration (SciPy), igraph and networkx on the same random graph in the same run. The default
size, 206 K nodes and 448 K edges, is that of the largest memory graph published for this method.

    python benchmarks/ppr.py [--nodes 206000] [--edges 448000] [--seeds 20] [--queries 20] [--json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from aira_nb.graph import Graph, forward_push, power_iteration

TOP = 100


def random_graph(nodes: int, edges: int, *, seed: int) -> Graph:
    """Return an undirected graph with hubs: one end uniform, the other by a power law, as names are used.

    The largest hub has about 3,000 edges, as the most used name of 10,787 encyclopaedia passages has.
    """
    random = np.random.default_rng(seed)
    ends = random.integers(0, nodes, edges)
    hubs = random.permutation(nodes)[(nodes * random.random(edges) ** 2.5).astype(np.int64)]
    keep = ends != hubs
    tails = np.concatenate([ends[keep], hubs[keep]])
    heads = np.concatenate([hubs[keep], ends[keep]])
    return Graph.from_edges(nodes, tails, heads)


def timed(call: Callable[[Any], Any], arguments: list[Any]) -> tuple[list[Any], float]:
    """Return the results and the median seconds of a call."""
    results, seconds = [], []
    for argument in arguments:
        start = time.perf_counter()
        results.append(call(argument))
        seconds.append(time.perf_counter() - start)
    return results, statistics.median(seconds)


def top(vector: Any) -> set[int]:
    """The best nodes, ties by position."""
    return set(np.lexsort((np.arange(len(vector)), -np.round(vector, 12)))[:TOP].tolist())


def main() -> None:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=206_000)
    parser.add_argument("--edges", type=int, default=448_000)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--queries", type=int, default=20)
    parser.add_argument("--restart", type=float, default=0.5)
    parser.add_argument("--tolerance", type=float, default=5e-6)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()

    graph = random_graph(args.nodes, args.edges, seed=0)
    random = np.random.default_rng(1)
    queries = []
    for _ in range(args.queries):
        seeds = np.zeros(graph.size)
        seeds[random.choice(graph.size, args.seeds, replace=False)] = 1.0 / (np.arange(args.seeds) + 3)
        queries.append(seeds / seeds.sum())

    push = lambda seeds: forward_push(graph, seeds, restart=args.restart, tolerance=args.tolerance)  # noqa: E731
    push(queries[0])
    pushed, push_seconds = timed(push, queries)
    exact, power_seconds = timed(
        lambda seeds: power_iteration(graph, seeds, restart=args.restart, tolerance=1e-12), queries
    )
    overlaps = [len(top(a) & top(b)) for a, b in zip(pushed, exact, strict=True)]
    errors = [float(np.abs(a - b).max()) for a, b in zip(pushed, exact, strict=True)]

    import networkx

    digraph = graph.to_networkx()
    sample = queries[: max(1, min(3, len(queries)))]
    walked, networkx_seconds = timed(
        lambda seeds: networkx.pagerank(
            digraph,
            alpha=1 - args.restart,
            personalization={int(i): float(seeds[i]) for i in np.flatnonzero(seeds)},
            dangling={int(i): float(seeds[i]) for i in np.flatnonzero(seeds)},
            tol=1e-10,
            max_iter=500,
        ),
        sample,
    )
    agreement = max(
        float(np.abs(np.array([ranks[i] for i in range(graph.size)]) - vector).max())
        for ranks, vector in zip(walked, exact, strict=False)
    )
    igraph_seconds = None
    try:
        import igraph
    except ImportError:
        pass
    else:
        tails = np.repeat(np.arange(graph.size), np.diff(graph.starts))
        other = igraph.Graph(n=graph.size, edges=np.column_stack([tails, graph.targets]), directed=True)
        _, igraph_seconds = timed(
            lambda seeds: other.personalized_pagerank(
                damping=1 - args.restart, reset=seeds.tolist(), weights=graph.weights.tolist()
            ),
            sample,
        )

    result = {
        "nodes": graph.size,
        "edges": len(graph.targets) // 2,
        "queries": len(queries),
        "push_ms": 1e3 * push_seconds,
        "power_ms": 1e3 * power_seconds,
        "igraph_ms": None if igraph_seconds is None else 1e3 * igraph_seconds,
        "networkx_ms": 1e3 * networkx_seconds,
        "speedup_vs_power": power_seconds / push_seconds,
        "speedup_vs_igraph": None if igraph_seconds is None else igraph_seconds / push_seconds,
        "speedup_vs_networkx": networkx_seconds / push_seconds,
        "top100_overlap": min(overlaps),
        "top100_overlap_mean": statistics.mean(overlaps),
        "largest_error": max(errors),
        "networkx_difference": agreement,
    }
    print(f"{graph.size:,} nodes, {result['edges']:,} edges, {len(queries)} queries of {args.seeds} seeds")
    print(f"forward push      {result['push_ms']:9.2f} ms   1")
    for name in ("power", "igraph", "networkx"):
        if result[f"{name}_ms"] is None:
            print(f"{name:<17} not installed")
        else:
            print(f"{name:<17} {result[f'{name}_ms']:9.2f} ms   {result[f'speedup_vs_{name}']:,.0f} times as long")
    print(
        f"top-{TOP} overlap with the exact vector: {min(overlaps)} at worst, {result['top100_overlap_mean']:.1f} on average"
    )
    print(f"largest error at a node {max(errors):.1e}; networkx and power iteration differ by {agreement:.1e}")
    if args.json:
        print(json.dumps(result))


if __name__ == "__main__":
    main()
