"""The BM25 index."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from aira_nb.index.sparse import SparseIndex

TEXTS = [["cat", "sat"], ["cat", "cat", "dog"], ["bird"]]


def test_scores_are_bm25() -> None:
    """A term's score is idf · tf / (tf + k1 (1 - b + b · length / mean length)), Lucene's BM25, computed by hand."""
    index = SparseIndex.build(TEXTS)
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = [idf * tf / (tf + 1.2 * (0.25 + 0.75 * size / 2)) for tf, size in ((1, 2), (2, 3))]
    scores = index.term_scores(["cat"])[0]
    assert scores[:2] == pytest.approx(expected, rel=1e-5)
    assert scores[2] == 0


def test_unknown_terms_score_nothing() -> None:
    """A query without a known term ranks nothing, instead of arbitrary passages."""
    assert SparseIndex.build(TEXTS).term_scores(["zebra"]).shape == (0, 3)


def test_empty_corpus() -> None:
    """An index over nothing answers with nothing."""
    index = SparseIndex.build([[], []])
    assert index.term_scores(["cat"]).shape == (0, 2)
    assert index.size == 2


def test_idf_of_rare_and_unknown_terms_is_higher() -> None:
    """The rarer a token, the higher its idf; an unseen one has the highest."""
    index = SparseIndex.build(TEXTS)
    assert index.idf("cat") < index.idf("dog") < index.idf("zebra")


def test_load_of_save_is_the_same(tmp_path: Path) -> None:
    """What was saved is loaded, Japanese tokens included."""
    index = SparseIndex.build([["潮汐", "センサ"], ["cat"]])
    index.save(tmp_path / "sparse.npz")
    again = SparseIndex.load(tmp_path / "sparse.npz")
    assert np.array_equal(index.term_scores(["潮汐", "cat"]), again.term_scores(["潮汐", "cat"]))
    assert again.size == 2
