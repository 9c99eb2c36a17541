"""How well, and how fast, each strategy retrieves the passages that a question needs.

Reads a folder in the BEIR layout (corpus.jsonl, queries.jsonl or queries.SPLIT.jsonl, qrels/SPLIT.tsv), indexes it in a
temporary store without any language model, and prints recall@2/5/10 and the share of questions with *all* needed
passages in the first five, each with a 95 % bootstrap interval, in all and by source and question type. A question that
a strategy does not answer counts as zero.

    python benchmarks/retrieval.py --data PATH --split test --strategies bm25,aira [--embedder none|local|URL] [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

import aira_nb
from aira_nb.corpus import STAGES
from aira_nb.errors import InputError

MEASURES = ("recall@2", "recall@5", "recall@10", "all_gold@5")
DEPTH = 10
RESAMPLES = 2000


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read a JSONL file."""
    if not path.is_file():
        raise InputError(f"{path} does not exist. --data must name a folder in the BEIR layout.")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def read_qrels(path: Path) -> dict[str, set[str]]:
    """Read which passages each question needs."""
    if not path.is_file():
        raise InputError(f"{path} does not exist. --data must name a folder in the BEIR layout.")
    needed: dict[str, set[str]] = defaultdict(set)
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        if line.strip():
            query, passage, grade = line.split("\t")
            if float(grade) > 0:
                needed[query].add(passage)
    return dict(needed)


def measure(found: list[str], needed: set[str]) -> list[float]:
    """Return `MEASURES` of one ranking."""
    recalls = [len(needed & set(found[:k])) / len(needed) for k in (2, 5, 10)]
    return [*recalls, float(needed <= set(found[:5]))]


def summary(rows: np.ndarray[Any, Any], random: np.random.Generator) -> dict[str, Any]:
    """Return means with 95 % bootstrap intervals over questions."""
    means = rows.mean(axis=0)
    draws = rows[random.integers(0, len(rows), (RESAMPLES, len(rows)))].mean(axis=1)
    low, high = np.quantile(draws, [0.025, 0.975], axis=0)
    result: dict[str, Any] = {"queries": len(rows)}
    for i, name in enumerate(MEASURES):
        result[name] = round(float(means[i]), 4)
        result[f"{name}_interval"] = [round(float(low[i]), 4), round(float(high[i]), 4)]
    return result


def main() -> int:
    """Run the benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--split", default="test", help="test reads queries.jsonl, any other name queries.NAME.jsonl")
    parser.add_argument("--strategies", default="bm25,aira")
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--stages", default="all", help="stages of the build; 'embed,index' leaves the fact layer out")
    parser.add_argument("--limit", type=int, default=0, help="only the first N questions")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()

    name = "queries.jsonl" if args.split == "test" else f"queries.{args.split}.jsonl"
    queries = read_lines(args.data / name)[: args.limit or None]
    needed = read_qrels(args.data / "qrels" / f"{args.split}.tsv")
    strategies = args.strategies.split(",")
    results: dict[str, Any] = {}
    scores: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="aira-bench-") as folder:
        settings = aira_nb.Settings(embedder=args.embedder)
        with aira_nb.open(Path(folder) / "bench.aira", settings=settings) as corpus:
            start = time.perf_counter()
            added = corpus.add(args.data / "corpus.jsonl")
            corpus.build(stages=STAGES if args.stages == "all" else args.stages.split(","))
            seconds = time.perf_counter() - start
            passages = corpus.stats().passages
            # A record may be cut into several passages: a ranking of records keeps the first of each.
            records = corpus.records()
            print(
                f"{passages:,} passages indexed in {seconds:.1f} s; {len(queries):,} questions ({args.split})\n{added}"
            )
            corpus.search(queries[0]["text"])
            for strategy in strategies:
                groups: dict[str, list[list[float]]] = defaultdict(list)
                times = []
                for query in queries:
                    begin = time.perf_counter()
                    ranking = corpus.search(query["text"], k=2 * DEPTH, strategy=strategy)
                    times.append(1e3 * (time.perf_counter() - begin))
                    found = list(dict.fromkeys(records[hit.passage_id] for hit in ranking.hits))[:DEPTH]
                    row = measure(found, needed[query["_id"]])
                    facts = query.get("metadata", {})
                    groups["all"].append(row)
                    groups[f"{facts.get('source', 'queries')}/{facts.get('type', 'any')}"].append(row)
                random = np.random.default_rng(0)
                arrays = {group: np.array(rows) for group, rows in groups.items()}
                scores[strategy] = arrays["all"]
                results[strategy] = {group: summary(rows, random) for group, rows in sorted(arrays.items())}
                results[strategy]["latency_ms"] = {
                    "p50": round(float(np.median(times)), 2),
                    "p95": round(float(np.quantile(times, 0.95)), 2),
                }

    first = strategies[0]
    for strategy in strategies:
        for group, row in results[strategy].items():
            if group == "latency_ms":
                continue
            cells = "  ".join(
                f"{m} {row[m]:.3f} [{row[f'{m}_interval'][0]:.3f}, {row[f'{m}_interval'][1]:.3f}]" for m in MEASURES
            )
            print(f"{strategy:<8} {group:<22} {row['queries']:>4}  {cells}")
        latency = results[strategy]["latency_ms"]
        ratio = latency["p50"] / results[first]["latency_ms"]["p50"]
        print(
            f"{strategy:<8} latency p50 {latency['p50']:.1f} ms, p95 {latency['p95']:.1f} ms ({ratio:.1f} times {first})"
        )
        if strategy != first:
            gains = summary(scores[strategy] - scores[first], np.random.default_rng(0))
            low, high = gains["recall@5_interval"]
            results[strategy]["gain_over_first"] = gains
            print(f"{strategy:<8} recall@5 over {first}: {gains['recall@5']:+.3f} [{low:+.3f}, {high:+.3f}] (paired)")
    if args.json:
        settings_used = {"data": args.data.name, "split": args.split, "embedder": args.embedder, "passages": passages}
        print(
            json.dumps({**settings_used, "index_seconds": round(seconds, 2), "strategies": results}, ensure_ascii=False)
        )
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except InputError as problem:
        sys.exit(f"error: {problem}")
