"""``NAME.aira.index/``: everything that retrieval reads, derived from the store and disposable.

The folder holds one complete generation and a manifest that names it. A generation is written beside the old one and
the manifest is replaced last, so a reader or a killed writer never meets half an index. No pickle.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import shutil
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aira_nb.graph import Graph, MemoryGraph
from aira_nb.index.dense import DenseIndex
from aira_nb.index.names import NameIndex
from aira_nb.index.sections import heading_name, is_auxiliary
from aira_nb.index.sparse import SparseIndex
from aira_nb.memory import Memory
from aira_nb.retrieve import Indexes
from aira_nb.text import Unit, analyze, search_tokens
from aira_nb.types import Definition, Document, Entity, Fact, Passage, Progress, Schema

__all__ = ["folder_of", "load_or_build"]

Vectors = tuple[list[str], NDArray[np.float32]]
"""Passage ids and their vectors, in one order."""

_DAMAGE = (OSError, EOFError, LookupError, TypeError, ValueError, zipfile.BadZipFile)
"""What reading half a file can raise."""

FORMAT = 6
"""Raised whenever what is stored, or how it is computed, changes."""

AUXILIARY_PRIOR = 0.3
"""Factor on the scores of reference lists and tables of contents: they hold the words of every question and the answer of none."""

_LIBRARIES = ("numpy", "bm25s", "SudachiPy", "SudachiDict-core", "PyStemmer")


def folder_of(store: Path) -> Path:
    """Return the index folder of a store file."""
    return store.with_name(store.name + ".index")


@dataclass(frozen=True, slots=True)
class _State:
    """What the indexes are made of, read in one snapshot: a writer in between would mix two states of the store."""

    documents: Mapping[str, Document]
    passages: Sequence[Passage]
    definitions: Sequence[tuple[str, Definition]]
    entities: Sequence[Entity]
    schemas: Sequence[Schema]
    facts: Sequence[Fact]

    @classmethod
    def read(cls, memory: Memory) -> _State:
        return cls(
            documents={document.id: document for document in memory.documents()},
            passages=memory.passages(),
            definitions=[(passage_id, definition) for passage_id, _, _, definition in memory.definitions()],
            entities=memory.entities(),
            schemas=memory.schemas(),
            facts=memory.facts("active"),
        )


def load_or_build(memory: Memory, *, progress: Progress) -> tuple[str, Indexes]:
    """Return the store's revision and the indexes of just that, from the folder when it has them, else rebuilt.

    Where the folder cannot be written (a read-only disk), the indexes live in memory only.
    """
    folder = folder_of(memory.path)
    found = _read_manifest(folder)
    with memory.snapshot():
        manifest = _manifest(memory)
        revision = memory.revision
        generation = folder / manifest["generation"]
        vectors = memory.vectors("passage")
        if found is not None and found.get("identity") == manifest["identity"]:
            # Derived data may be damaged or half deleted at any time; it is simply made again.
            with contextlib.suppress(*_DAMAGE):
                return revision, _load(folder / found["generation"], vectors)
        state = _State.read(memory)
    indexes = _build(state, vectors, progress=progress, file=generation / "dense.usearch")
    if memory.mode == "rw":
        # Everything works without the folder, only slower the next time.
        with contextlib.suppress(OSError):
            _save(indexes, folder, manifest)
    return revision, indexes


def _build(state: _State, vectors: Vectors, *, progress: Progress, file: Path) -> Indexes:
    documents, passages = state.documents, state.passages
    place = {passage.id: i for i, passage in enumerate(passages)}
    units: list[list[Unit]] = []
    tokens: list[list[str]] = []
    headers: dict[tuple[str, ...], list[str]] = {}
    for i, passage in enumerate(passages):
        header = (documents[passage.document_id].title, *passage.section)
        if header not in headers:
            headers[header] = search_tokens("\n".join(header))
        units.append(list(analyze(passage.text)))
        tokens.append([*headers[header], *(unit.token for unit in units[-1] if unit.token)])
        if i % 100 == 99 or i + 1 == len(passages):
            progress("index", i + 1, len(passages))
    names = NameIndex.build(
        _names(documents, passages),
        weak=[(d.name, place[passage_id]) for passage_id, d in state.definitions if d.source == "definition"],
        synonyms=[(d.name, d.long) for _, d in state.definitions if d.long],
    )
    auxiliary = np.array([is_auxiliary(passage.section) for passage in passages], dtype=bool)
    links = set(names.links((p.text, u) for p, u in zip(passages, units, strict=True)))
    for i, passage in enumerate(passages):
        if passage.position == 0:
            # A byline is text too: "the first author of this paper" must be one step away.
            byline = ", ".join(documents[passage.document_id].authors)
            links.update((i, home) for _, _, key in names.find(byline) for home in names.homes[key] if home != i)
    links = {(namer, home) for namer, home in links if not auxiliary[namer] and not auxiliary[home]}
    graph = MemoryGraph.project(
        [passage.id for passage in passages], entities=state.entities, schemas=state.schemas, facts=state.facts
    )
    return _assemble(
        vectors,
        file,
        sparse=SparseIndex.build(tokens),
        names=names,
        links=Graph.of_links(len(passages), sorted(links)),
        graph=graph,
        prior=np.where(auxiliary, AUXILIARY_PRIOR, 1.0).astype(np.float32),
    )


def _names(documents: Mapping[str, Document], passages: Sequence[Passage]) -> Iterator[tuple[str, int]]:
    """Yield (name, home): a title is at home in all of its document, a heading in all of its section.

    Which part of it a question needs is for the walk to decide, step by step.
    """
    for i, passage in enumerate(passages):
        if is_auxiliary(passage.section):
            continue
        yield documents[passage.document_id].title, i
        yield from ((name, i) for name in map(heading_name, passage.section) if name)


def _assemble(
    vectors: Vectors,
    file: Path,
    *,
    sparse: SparseIndex,
    names: NameIndex,
    links: Graph,
    graph: MemoryGraph,
    prior: NDArray[np.float32],
) -> Indexes:
    ids = graph.labels[: graph.passages]
    return Indexes(
        ids=ids,
        sparse=sparse,
        names=names,
        links=links,
        memory=graph,
        # Short texts, indexed in a moment: not worth files of their own.
        facts=SparseIndex.build(map(search_tokens, graph.fact_texts)),
        schemas=SparseIndex.build(map(search_tokens, graph.schema_texts)),
        prior=prior,
        dense=_dense(vectors, ids, file),
    )


def _dense(vectors: Vectors, ids: tuple[str, ...], file: Path) -> DenseIndex | None:
    found, rows = vectors
    if not found:
        return None
    place = {passage_id: i for i, passage_id in enumerate(ids)}
    # A passage that is not embedded yet stays at zero: similar to nothing, so the other signals decide.
    matrix = np.zeros((len(ids), rows.shape[1]), dtype=np.float32)
    matrix[[place[passage_id] for passage_id in found]] = rows
    return DenseIndex(matrix, file=file)


# --- files ------------------------------------------------------------------------------------------------------


def _manifest(memory: Memory) -> dict[str, Any]:
    identity = {
        "format": FORMAT,
        "revision": memory.revision,
        "python": sys.version_info[0],
        "libraries": {name: importlib.metadata.version(name) for name in _LIBRARIES},
    }
    return {"identity": identity, "generation": f"{memory.sequence}-{os.getpid()}"}


def _read_manifest(folder: Path) -> dict[str, Any] | None:
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    generation = manifest.get("generation") if isinstance(manifest, dict) else None
    # The name becomes part of a path: only what _manifest() writes is accepted.
    if not isinstance(generation, str) or not generation.replace("-", "").isdecimal():
        return None
    return dict(manifest)


def _save(indexes: Indexes, folder: Path, manifest: dict[str, Any]) -> None:
    folder.mkdir(exist_ok=True)
    target = folder / manifest["generation"]
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    indexes.sparse.save(target / "sparse.npz")
    indexes.names.save(target / "names.json")
    indexes.links.save(target / "links.npz")
    indexes.memory.save(target)
    with (target / "prior.npy").open("wb") as file:
        np.save(file, indexes.prior, allow_pickle=False)
    draft = folder / f"manifest-{os.getpid()}.json"
    draft.write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    os.replace(draft, folder / "manifest.json")
    for old in folder.iterdir():
        # Another process may be writing a newer generation beside this one: only older ones go.
        if old.is_dir() and old != target and _sequence(old.name) <= _sequence(target.name):
            shutil.rmtree(old, ignore_errors=True)


def _sequence(generation: str) -> int:
    head = generation.partition("-")[0]
    return int(head) if head.isdecimal() else 0


def _load(generation: Path, vectors: Vectors) -> Indexes:
    return _assemble(
        vectors,
        generation / "dense.usearch",
        sparse=SparseIndex.load(generation / "sparse.npz"),
        names=NameIndex.load(generation / "names.json"),
        links=Graph.load(generation / "links.npz"),
        graph=MemoryGraph.load(generation),
        prior=np.load(generation / "prior.npy", allow_pickle=False),
    )
