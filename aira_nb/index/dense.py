"""Nearest vectors by inner product. usearch lives only here.

Up to `EXACT_LIMIT` vectors every one is compared (exact); above it an HNSW graph is built. The data type is pinned to
float32, because usearch's default depends on the processor.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aira_nb.errors import MissingDependencyError

__all__ = ["EXACT_LIMIT", "DenseIndex"]

EXACT_LIMIT = 50_000
"""Above this many vectors search is approximate (HNSW). 50,000 × 384 float32 are read in about 10 ms."""


class DenseIndex:
    """Search over L2-normalised float32 rows, addressed by position.

    Parameters
    ----------
    matrix : array of shape (n, dimension)
        Rows of norm 1; inner product is then the cosine.
    file : path, optional
        Where the HNSW graph is kept, so that it is built once.
    exact_limit : int
        Number of rows up to which search is exact.
    """

    def __init__(
        self, matrix: NDArray[np.float32], *, file: Path | None = None, exact_limit: int = EXACT_LIMIT
    ) -> None:
        self.matrix = np.ascontiguousarray(matrix, dtype=np.float32)
        self._file = file
        self._exact_limit = exact_limit

    @property
    def exact(self) -> bool:
        """Whether every vector is compared."""
        return len(self.matrix) <= self._exact_limit

    @cached_property
    def _index(self) -> Any:
        """The HNSW graph, read from its file, else built, at the first search that needs it."""
        size, dimension = self.matrix.shape
        index = _usearch().Index(ndim=dimension, metric="ip", dtype="f32")
        if self._file is not None and self._file.is_file():
            index.load(str(self._file))
            if len(index) == size:
                return index
            index = _usearch().Index(ndim=dimension, metric="ip", dtype="f32")
        index.add(np.arange(size, dtype=np.uint64), self.matrix, threads=1)
        if self._file is not None and self._file.parent.is_dir():
            index.save(str(self._file))
        return index

    def search(self, vector: NDArray[np.float32], *, k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return (positions, similarities) of the `k` most similar rows, best first, ties by position."""
        size = len(self.matrix)
        k = min(k, size)
        if k <= 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        query = np.asarray(vector, dtype=np.float32)
        if self.exact:
            matches = _usearch().search(self.matrix, query, k, "ip", exact=True, threads=1)
        else:
            matches = self._index.search(query, k, threads=1)
        positions = np.asarray(matches.keys, dtype=np.int64)
        # The engine's own rounding differs between its exact and approximate paths: score from the rows themselves.
        similarities = self.matrix[positions] @ query
        order = np.lexsort((positions, -similarities))
        return positions[order], similarities[order]


def _usearch() -> Any:
    try:
        import usearch.index as engine
    except ImportError as error:
        raise MissingDependencyError("usearch", extra="", purpose="Vector search") from error
    return engine
