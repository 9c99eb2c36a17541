"""The vector index."""

from __future__ import annotations

import numpy as np
import pytest

from aira_nb.index.dense import DenseIndex


@pytest.fixture
def matrix() -> np.ndarray:
    rows = np.random.default_rng(0).normal(size=(300, 16)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_exact_search_agrees_with_numpy(matrix: np.ndarray) -> None:
    """Exact search returns the k largest inner products in order."""
    query = matrix[7]
    positions, similarities = DenseIndex(matrix).search(query, k=5)
    expected = np.argsort(-(matrix @ query), kind="stable")[:5]
    assert positions.tolist() == expected.tolist()
    assert positions[0] == 7
    assert similarities[0] == pytest.approx(1, abs=1e-5)


def test_approximate_search_finds_nearly_all(matrix: np.ndarray) -> None:
    """Above the stated size an HNSW graph is used, and it finds at least nine of ten true neighbours here."""
    index = DenseIndex(matrix, exact_limit=100)
    assert not index.exact
    found = total = 0
    for query in matrix[:30]:
        truth = set(np.argsort(-(matrix @ query))[:10].tolist())
        found += len(truth & set(index.search(query, k=10)[0].tolist()))
        total += 10
    assert found / total >= 0.9


def test_k_beyond_the_size_returns_all(matrix: np.ndarray) -> None:
    """Asking for more than there is returns what there is."""
    assert len(DenseIndex(matrix[:3]).search(matrix[0], k=10)[0]) == 3


def test_empty_index_returns_nothing() -> None:
    """No vectors, no hits."""
    assert len(DenseIndex(np.zeros((0, 4), np.float32)).search(np.ones(4, np.float32), k=3)[0]) == 0


def test_ties_are_ordered_by_position() -> None:
    """Equal vectors come in the order of their positions."""
    rows = np.tile(np.array([[1, 0]], np.float32), (5, 1))
    assert DenseIndex(rows).search(np.array([1, 0], np.float32), k=5)[0].tolist() == [0, 1, 2, 3, 4]
