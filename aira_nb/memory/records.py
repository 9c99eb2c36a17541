"""The memory's own records: what it says about itself. The shared ones are in :mod:`aira_nb.types`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CHANGE_KINDS = (
    "document",
    "passage",
    "extraction",
    "entity",
    "schema",
    "fact",
    "passage_vector",
    "fact_vector",
    "schema_vector",
)

VectorKind = Literal["passage", "fact", "schema"]


@dataclass(frozen=True, slots=True)
class Change:
    """The newest change of one record. An extraction's and a vector's id is that of their passage, fact or schema."""

    sequence: int
    kind: str
    id: str
    op: Literal["put", "delete"]


@dataclass(frozen=True, slots=True)
class StageRun:
    """The last run of a stage; `finished` is None while it runs, and after it was killed. Times are ISO 8601, UTC."""

    name: str
    started: str
    finished: str | None
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """Which model made the vectors, and how many numbers each has. Their norm is always 1."""

    model: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Counts:
    """What is in the store, in raw numbers."""

    documents: int
    passages: int
    pages: int
    extractions_done: int
    extractions_failed: int
    extractions_missing: int
    mentions: int
    triples: int
    definitions: int
    entities: int
    schemas_stable: int
    schemas_pending: int
    facts_active: int
    facts_pending: int
    facts_superseded: int
    passage_vectors: int
    fact_vectors: int
    schema_vectors: int
    threshold: int | None
    file_bytes: int

    @property
    def schemas(self) -> int:
        """All schemas."""
        return self.schemas_stable + self.schemas_pending

    @property
    def facts(self) -> int:
        """All facts."""
        return self.facts_active + self.facts_pending + self.facts_superseded

    @property
    def active_share(self) -> float | None:
        """The share of facts that are active, from 0 to 1; None when there is no fact to have a share of."""
        return self.facts_active / self.facts if self.facts else None
