"""Vectors: one for each visible item, of norm 1, all from one model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from aira_nb.errors import InputError, StoreError
from aira_nb.memory import Memory, VectorSpace


def unit(rows: int, columns: int, seed: int = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
    matrix = np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def test_vectors_come_back_to_the_last_bit(small: Memory) -> None:
    """Vectors come back as float32, ascending by id, bit by bit, whatever order they came in."""
    ids = small.passage_ids()
    matrix = unit(4, 8)
    small.put_vectors("passage", ids[2:], matrix[2:], model="e5")
    assert small.ids_without_vector("passage") == ids[:2]
    small.put_vectors("passage", ids[:2], matrix[:2].astype(np.float64), model="e5")
    found, stored = small.vectors("passage")
    assert found == sorted(ids)
    assert stored.dtype == np.float32
    np.testing.assert_array_equal(stored, matrix[[ids.index(i) for i in found]])
    assert small.vector_space() == VectorSpace("e5", 8)
    assert small.ids_without_vector("passage") == []
    assert small.check() == []


def test_the_same_vectors_again_change_nothing(small: Memory) -> None:
    """Storing equal vectors leaves the sequence number as it is."""
    small.put_vectors("passage", small.passage_ids(), unit(4, 8), model="e5")
    sequence = small.sequence
    small.put_vectors("passage", small.passage_ids(), unit(4, 8), model="e5")
    assert small.sequence == sequence


def test_no_vectors_is_an_empty_matrix(small: Memory) -> None:
    """Without an embedder there is no model and an array of shape (0, 0), and nothing is wrong with that."""
    ids, matrix = small.vectors("fact")
    assert (ids, matrix.shape, small.vector_space()) == ([], (0, 0), None)
    small.put_vectors("passage", [], np.empty((0, 8)), model="e5")
    assert small.vector_space() is None
    assert small.check() == []


@pytest.mark.parametrize(("model", "columns"), [("other", 8), ("e5", 4)])
def test_another_model_is_refused(small: Memory, model: str, columns: int) -> None:
    """Vectors of another model or dimension are refused with both names and the call that replaces all, for every kind."""
    small.put_vectors("passage", small.passage_ids()[:1], unit(1, 8), model="e5")
    kinds: list[tuple[Any, list[str]]] = [
        ("passage", small.passage_ids()[1:2]),
        ("fact", small.ids_without_vector("fact")[:1]),
    ]
    for kind, ids in kinds:
        with pytest.raises(StoreError, match=rf"'e5' \(8 .*'{model}' \({columns}\).*corpus\.embed\(replace=True\)"):
            small.put_vectors(kind, ids, unit(1, columns), model=model)
    with pytest.raises(StoreError, match="replace=True"):
        small.require_model(model, dimension=columns)
    assert small.counts().passage_vectors == 1
    small.drop_vectors()
    assert small.vector_space() is None
    small.require_model(model, dimension=columns)
    small.put_vectors("passage", small.passage_ids(), unit(4, columns), model=model)
    assert small.check() == []


@pytest.mark.parametrize(
    "row",
    [[0, 0], [1, 1], [0.5, 0.5], [np.nan, 1], [np.inf, 0], [3e38, 3e38]],
    ids=["zero", "long", "short", "nan", "infinite", "overflow"],
)
def test_a_vector_that_is_none_is_refused(small: Memory, row: list[float]) -> None:
    """Zero, non-finite and non-unit rows are refused by the item's id, with everything that came along."""
    ids = small.passage_ids()[:2]
    with pytest.raises(InputError, match=rf"{ids[1]}.*norm.*L2-normalised"):
        small.put_vectors("passage", ids, np.array([[1, 0], row]), model="e5")
    assert small.counts().passage_vectors == 0
    assert small.vector_space() is None


def test_ids_and_rows_must_fit(small: Memory) -> None:
    """Unknown or doubled ids, another number of rows and unknown kinds are refused, and nothing is stored."""
    ids = small.passage_ids()
    with pytest.raises(InputError, match="no passage 'x'"):
        small.put_vectors("passage", [ids[0], "x"], unit(2, 8), model="e5")
    with pytest.raises(InputError, match="twice"):
        small.put_vectors("passage", [ids[0], ids[0]], unit(2, 8), model="e5")
    with pytest.raises(InputError, match=r"shape \(3, 8\)"):
        small.put_vectors("passage", ids[:2], unit(3, 8), model="e5")
    with pytest.raises(InputError, match=r"shape \(8,\)"):
        small.put_vectors("passage", ids[:1], unit(1, 8)[0], model="e5")
    hostile: Any = "passage_vector; DROP TABLE passage; --"
    for call in (small.vectors, small.ids_without_vector):
        with pytest.raises(InputError, match="not 'passage_vector"):
            call(hostile)
    with pytest.raises(InputError, match="kind passage, fact, schema"):
        small.put_vectors(hostile, ids[:1], unit(1, 8), model="e5")
    assert small.counts().passage_vectors == 0


def test_vectors_go_with_their_passages(small: Memory) -> None:
    """Removing a document removes its vectors, and the log says so."""
    small.put_vectors("passage", small.passage_ids(), unit(4, 8), model="e5")
    document = small.documents()[0]
    gone = [p.id for p in small.passages(document_id=document.id)]
    sequence = small.sequence
    small.remove_documents([document.id])
    assert small.vectors("passage")[0] == sorted(small.passage_ids())
    changes = small.changes(sequence, kinds=["passage_vector"])
    assert {(c.id, c.op) for c in changes} == {(id_, "delete") for id_ in gone}


def test_a_model_binds_only_while_its_vectors_are_there(small: Memory, make: Any) -> None:
    """When the last vector went with its document there is no model, and another one may make the next vectors."""
    small.put_vectors("passage", small.passage_ids(), unit(4, 8), model="e5")
    small.remove_documents([document.id for document in small.documents()])
    assert small.vector_space() is None
    small.put_documents([make.document("d.md", "One cites Two.")])
    small.put_vectors("passage", small.passage_ids(), unit(1, 4), model="other")
    assert small.vector_space() == VectorSpace("other", 4)
    assert [line for line in small.check() if "vector" in line] == []
