"""The memory as one graph: passages, entities and types, from stable schemas and active facts only.

Source: stage IV of the paper (algorithm 1). Entities that share a type are joined *through the type's node*, never
pairwise: the clique of 10,000 persons would be 50 million edges and says nothing that the node does not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aira_nb.graph.walk import Graph
from aira_nb.types import Entity, Fact, Schema

__all__ = ["MemoryGraph"]

_ARRAYS = ("fact_heads", "fact_tails", "mentions", "schema_heads", "schema_tails")


@dataclass(frozen=True, slots=True)
class MemoryGraph:
    """Nodes are numbered passages first, then entities, then types.

    Attributes
    ----------
    graph : Graph
    passages, entities, types : int
        How many nodes of each kind.
    fact_heads, fact_tails : array of shape (facts,)
        Entity nodes of each active fact.
    mentions : array of shape (m, 2)
        Distinct (passage node, entity node) pairs.
    schema_heads, schema_tails : array of shape (schemas,)
        Type nodes of each stable schema.
    fact_texts, schema_texts : tuple of str
        What a query is compared with: "head relation tail".
    labels : tuple of str
        Ids of the nodes, in order.
    """

    graph: Graph
    passages: int
    entities: int
    types: int
    fact_heads: NDArray[np.int64]
    fact_tails: NDArray[np.int64]
    mentions: NDArray[np.int64]
    schema_heads: NDArray[np.int64]
    schema_tails: NDArray[np.int64]
    fact_texts: tuple[str, ...]
    schema_texts: tuple[str, ...]
    labels: tuple[str, ...]

    @classmethod
    def project(
        cls,
        passage_ids: Sequence[str],
        *,
        entities: Sequence[Entity],
        schemas: Sequence[Schema],
        facts: Sequence[Fact],
    ) -> MemoryGraph:
        """Project the settled memory; pending schemas and facts are left out, and entities without an active fact."""
        stable = sorted((s for s in schemas if s.state == "stable"), key=lambda s: s.id)
        active = sorted((f for f in facts if f.state == "active"), key=lambda f: f.id)
        by_id = {entity.id: entity for entity in entities}
        used = sorted({f.head_id for f in active} | {f.tail_id for f in active})
        types = sorted({by_id[e].type for e in used} | {t for s in stable for t in (s.head_type, s.tail_type)})
        place: Mapping[str, int] = {passage: i for i, passage in enumerate(passage_ids)}
        node = {entity: len(passage_ids) + i for i, entity in enumerate(used)}
        kind = {name: len(passage_ids) + len(used) + i for i, name in enumerate(types)}
        mentions = sorted(
            {
                (place[p.passage_id], node[end])
                for f in active
                for p in f.provenance
                if p.passage_id in place
                for end in (f.head_id, f.tail_id)
            }
        )
        heads = np.array([node[f.head_id] for f in active], dtype=np.int64)
        tails = np.array([node[f.tail_id] for f in active], dtype=np.int64)
        pairs = {*mentions, *zip(heads.tolist(), tails.tolist(), strict=True)}
        pairs |= {(node[e], kind[by_id[e].type]) for e in used}
        pairs = {(a, b) for a, b in pairs if a != b}
        both = sorted(pairs | {(b, a) for a, b in pairs})
        edges = np.array(both, dtype=np.int64).reshape(-1, 2)
        labels = (*passage_ids, *used, *(f"type:{name}" for name in types))
        return cls(
            graph=Graph.from_edges(len(labels), edges[:, 0], edges[:, 1]),
            passages=len(passage_ids),
            entities=len(used),
            types=len(types),
            fact_heads=heads,
            fact_tails=tails,
            mentions=np.array(mentions, dtype=np.int64).reshape(-1, 2),
            schema_heads=np.array([kind[s.head_type] for s in stable], dtype=np.int64),
            schema_tails=np.array([kind[s.tail_type] for s in stable], dtype=np.int64),
            fact_texts=tuple(f"{by_id[f.head_id].name} {f.relation} {by_id[f.tail_id].name}" for f in active),
            schema_texts=tuple(f"{s.head_type} {s.relation} {s.tail_type}" for s in stable),
            labels=labels,
        )

    def save(self, folder: Path) -> None:
        """Write the arrays and texts into `folder`."""
        self.graph.save(folder / "memory-graph.npz")
        with (folder / "memory.npz").open("wb") as file:
            np.savez(file, **{name: getattr(self, name) for name in _ARRAYS})
        texts = {
            "kinds": [self.passages, self.entities, self.types],
            "facts": self.fact_texts,
            "schemas": self.schema_texts,
            "labels": self.labels,
        }
        (folder / "memory.json").write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> MemoryGraph:
        """Read what :meth:`save` wrote."""
        texts = json.loads((folder / "memory.json").read_text(encoding="utf-8"))
        with (folder / "memory.npz").open("rb") as file, np.load(file, allow_pickle=False) as parts:
            arrays = {name: parts[name] for name in _ARRAYS}
        passages, entities, types = texts["kinds"]
        return cls(
            graph=Graph.load(folder / "memory-graph.npz"),
            passages=passages,
            entities=entities,
            types=types,
            fact_texts=tuple(texts["facts"]),
            schema_texts=tuple(texts["schemas"]),
            labels=tuple(texts["labels"]),
            **arrays,
        )
