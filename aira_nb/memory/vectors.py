"""Vectors of passages, facts and schemas, all from one model."""

# ruff: noqa: S608  only names of this package's own tables and columns are put together; values are always bound.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aira_nb.errors import InputError, StoreError
from aira_nb.memory.records import VectorKind, VectorSpace
from aira_nb.memory.store import Store, chunks, upsert

KINDS: tuple[VectorKind, ...] = ("passage", "fact", "schema")

NORM_TOLERANCE = 1e-3
"""How far from 1 a norm may be: float16 sources round by about 5e-4."""

_FLOAT = np.dtype("<f4")
_ITEMS = {
    "passage": "SELECT p.id FROM passage p JOIN document d ON d.no = p.document_no{where}"
    " ORDER BY d.source, p.position",
    "fact": "SELECT p.id FROM fact p{where} ORDER BY p.id",
    "schema": "SELECT p.id FROM schema p{where} ORDER BY p.id",
}
_VISIBLE = {"passage": "", "fact": "p.state = 'active' AND ", "schema": "p.state = 'stable' AND "}


class Vectors(Store):
    """Vectors, float32 and of norm 1."""

    def put_vectors(self, kind: VectorKind, ids: Sequence[str], matrix: NDArray[Any], *, model: str) -> None:
        """Store one vector for each id, in one transaction.

        Parameters
        ----------
        kind : {"passage", "fact", "schema"}
        ids : sequence of str
            Ids of items of that kind.
        matrix : array of shape (len(ids), dimension)
            One row for each id, of norm 1.
        model : str
            The embedder's id.

        Raises
        ------
        InputError
            When the shapes differ, an id is unknown or comes twice, or a row is not finite or not of norm 1.
        StoreError
            When the store's vectors come from another model or have another dimension.
        """
        self._check_kind(kind)
        rows = np.ascontiguousarray(matrix, dtype=_FLOAT)
        if rows.ndim != 2 or rows.shape[0] != len(ids) or not rows.shape[-1]:
            raise InputError(f"{len(ids)} {kind} ids need a matrix of as many rows, not one of shape {rows.shape}.")
        if len(set(ids)) < len(ids):
            raise InputError(f"Each {kind} has one vector, but an id came twice.")
        if not len(ids):
            return
        norms = np.linalg.norm(rows.astype(np.float64), axis=1)
        # Written so that a NaN is bad too.
        bad = np.flatnonzero(~(np.abs(norms - 1) <= NORM_TOLERANCE))
        if bad.size:
            at = int(bad[0])
            raise InputError(
                f"The vector of {kind} {ids[at]!r} has norm {norms[at]:g}, not 1 ({bad.size} of {len(ids)} rows). "
                f"The embedder {model!r} must return finite, L2-normalised rows; nothing was stored."
            )
        with self.transaction():
            self.require_model(model, dimension=rows.shape[1])
            found = {row[0] for row in self._rows_in(f"SELECT id FROM {kind} WHERE id IN ({{marks}})", ids)}
            if missing := [id_ for id_ in ids if id_ not in found]:
                raise InputError(f"{self.path.name} has no {kind} {missing[0]!r} to store a vector for.")
            if self.vector_space() is None:
                # What is left of a model whose vectors all went with their items.
                self._run("DELETE FROM vector_space")
            self._run(upsert("vector_space", "kind", ("model", "dimension")), (kind, model, rows.shape[1]))
            self._run_many(
                upsert(f"{kind}_vector", "id", ("vector",)), ((i, r.tobytes()) for i, r in zip(ids, rows, strict=True))
            )

    def vectors(self, kind: VectorKind) -> tuple[list[str], NDArray[np.float32]]:
        """Return the ids, ascending, and their vectors, of shape (n, dimension); (0, 0) when there are none."""
        self._check_kind(kind)
        with self.snapshot():
            ids = [row[0] for row in self._rows(f"SELECT id FROM {kind}_vector ORDER BY id")]
            space = self.vector_space()
            matrix = np.empty((len(ids), space.dimension if ids and space else 0), dtype=np.float32)
            at = 0
            # In pieces, so that no second copy of the whole matrix is held.
            for batch in chunks(ids):
                found = dict(self._rows_in(f"SELECT id, vector FROM {kind}_vector WHERE id IN ({{marks}})", batch))
                for id_ in batch:
                    matrix[at] = np.frombuffer(found[id_], dtype=_FLOAT)
                    at += 1
        return ids, matrix

    def ids_without_vector(self, kind: VectorKind) -> list[str]:
        """Return the items that should have a vector and have none: passages, active facts, stable schemas."""
        self._check_kind(kind)
        where = f" WHERE {_VISIBLE[kind]}NOT EXISTS (SELECT 1 FROM {kind}_vector v WHERE v.id = p.id)"
        return [row[0] for row in self._rows(_ITEMS[kind].format(where=where))]

    def vector_space(self) -> VectorSpace | None:
        """Return which model made the vectors; None when there are none, and so the dense leg is off."""
        spaces = self._spaces()
        return VectorSpace(*spaces[0][1:]) if spaces else None

    def _spaces(self) -> list[tuple[str, str, int]]:
        """Return kind, model and dimension of each kind that has vectors, by kind."""
        rows = self._rows("SELECT kind, model, dimension FROM vector_space ORDER BY kind")
        # Vectors go with their items, which may be all of them; their model then binds nobody.
        return [row for row in rows if self._row(f"SELECT 1 FROM {self._check_kind(row[0])}_vector LIMIT 1")]

    def require_model(self, model: str, *, dimension: int) -> None:
        """Raise StoreError unless vectors of this model and dimension fit those that are stored."""
        space = self.vector_space()
        if space is not None and space != VectorSpace(model, dimension):
            raise StoreError(
                f"The vectors in {self.path} were made by {space.model!r} ({space.dimension} numbers each), and the "
                f"embedder is {model!r} ({dimension}). Open the store with the former embedder, or replace all vectors "
                "by running corpus.embed(replace=True); that calls no language model."
            )

    def drop_vectors(self) -> None:
        """Delete all vectors, of every kind, and forget their model."""
        with self.transaction():
            for kind in KINDS:
                self._run(f"DELETE FROM {kind}_vector")
            self._run("DELETE FROM vector_space")

    def _check_kind(self, kind: str) -> str:
        if kind not in KINDS:  # the kind becomes a table's name below, so nothing else may pass
            raise InputError(f"There are vectors of kind {', '.join(KINDS)}, not {kind!r}.")
        return kind
