"""How fast a corpus is built, stage by stage, how much memory it takes, and how large the store becomes.

Each stage's passages per second stand beside what SQLite's own full-text index (FTS5, trigram tokens, which serve both
languages) needs for the same passages in the same run: the least that any searchable store costs.

    python benchmarks/index.py [--data PATH ...] [--limit N] [--embedder none|local|URL] [--stages extract,...] [--json]

Without --data the bundled sample corpus is built. PATH is a folder, a file or a JSONL corpus.
"""

from __future__ import annotations

import argparse
import json
import resource
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import aira_nb
from aira_nb import sample
from aira_nb.corpus import STAGES


def peak_megabytes() -> float:
    """Return the largest resident size of this process so far; Linux counts in kilobytes, macOS in bytes."""
    usage = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return usage / (2**20 if sys.platform == "darwin" else 2**10)


def full_text_index(texts: list[str], folder: Path) -> tuple[float, int]:
    """Index the texts with FTS5; return seconds and bytes."""
    file = folder / "fts.sqlite"
    start = time.perf_counter()
    database = sqlite3.connect(file)
    database.execute("CREATE VIRTUAL TABLE passage USING fts5(text, tokenize = 'trigram')")
    database.executemany("INSERT INTO passage VALUES (?)", ((text,) for text in texts))
    database.commit()
    database.close()
    return time.perf_counter() - start, file.stat().st_size


def shortened(paths: list[Path], limit: int, folder: Path) -> list[Path]:
    """Cut each JSONL corpus to its first `limit` records."""
    if not limit:
        return paths
    short = []
    for i, path in enumerate(paths):
        file = path / "corpus.jsonl" if path.is_dir() and (path / "corpus.jsonl").is_file() else path
        if file.suffix != ".jsonl":
            short.append(path)
            continue
        lines = file.read_text(encoding="utf-8").splitlines()[:limit]
        short.append(folder / f"{i}.jsonl")
        short[-1].write_text("\n".join(lines), encoding="utf-8")
    return short


def main() -> None:
    """Build and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", default=[sample.corpus_path()])
    parser.add_argument("--limit", type=int, default=0, help="only the first N records of a JSONL corpus")
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--stages", default=",".join(STAGES))
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="aira-bench-") as name:
        folder = Path(name)
        data = shortened(args.data, args.limit, folder)
        with aira_nb.open(folder / "bench.aira", settings=aira_nb.Settings(embedder=args.embedder)) as corpus:
            start = time.perf_counter()
            added = corpus.add(*data, progress=None)
            seconds = {"add": time.perf_counter() - start}
            built = corpus.build(stages=args.stages.split(","), progress=None)
            # A stage that had nothing to do has no rate.
            seconds.update({stage: value for stage, value in built.seconds.items() if value > 1e-3})
            stats = corpus.stats()
            texts = corpus.passages()["text"].tolist()
            peak = peak_megabytes()
            fts_seconds, fts_bytes = full_text_index(texts, folder)
            derived = sum(file.stat().st_size for file in (folder / "bench.aira.index").rglob("*") if file.is_file())
    characters = sum(map(len, texts))
    result: dict[str, Any] = {
        "files": len(added.files),
        "failed": len(added.failed),
        "pages": stats.pages,
        "passages": stats.passages,
        "characters": characters,
        "seconds": {stage: round(value, 3) for stage, value in seconds.items()},
        "passages_per_second": {
            stage: round(stats.passages / value, 1) for stage, value in seconds.items() if value > 0
        },
        "times_fts5": {stage: round(value / fts_seconds, 2) for stage, value in seconds.items()},
        "peak_megabytes": round(peak, 1),
        "store_megabytes": round(stats.file_bytes / 1e6, 2),
        "index_megabytes": round(derived / 1e6, 2),
        "store_times_fts5": round(stats.file_bytes / fts_bytes, 2),
        "fts5_seconds": round(fts_seconds, 3),
        "facts": stats.facts_active + stats.facts_pending,
    }
    print(f"{stats.passages:,} passages, {characters:,} characters, {stats.pages:,} pages; {result['facts']:,} facts")
    for stage, value in seconds.items():
        print(
            f"{stage:<10} {value:8.2f} s  {stats.passages / value:10,.0f} passages/s  {value / fts_seconds:8.1f} times FTS5"
        )
    print(f"total      {sum(seconds.values()):8.2f} s; FTS5 (trigram) {fts_seconds:.2f} s")
    print(
        f"peak memory {peak:,.0f} MB; store {result['store_megabytes']:.1f} MB, {result['store_times_fts5']:.1f} times FTS5;",
        end=" ",
    )
    print(f"index folder {result['index_megabytes']:.1f} MB")
    if args.json:
        print(json.dumps(result))


if __name__ == "__main__":
    main()
