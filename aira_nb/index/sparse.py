"""BM25 over our own tokens. bm25s lives only here.

bm25s precomputes each term's score in each passage, so a query is a sum of a few sparse rows; those rows are also what
the graph walk biases its steps with (:meth:`SparseIndex.term_scores`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aira_nb.errors import MissingDependencyError

__all__ = ["SparseIndex"]

K1, B = 1.2, 0.75
"""Robertson's usual constants; the tuning queries showed no gain from others."""


class SparseIndex:
    """A BM25 index over a fixed sequence of token lists, addressed by position.

    Scores follow Lucene's variant (Kamphuis et al., 2020), as computed by bm25s.
    """

    def __init__(
        self, vocabulary: dict[str, int], starts: NDArray[Any], rows: NDArray[Any], scores: NDArray[Any], size: int
    ) -> None:
        self._vocabulary = vocabulary
        self._starts = starts
        self._rows = rows
        self._scores = scores
        self.size = size

    @classmethod
    def build(cls, texts: Iterable[Sequence[str]]) -> SparseIndex:
        """Index token lists, one for each passage, in order."""
        lists = [list(tokens) for tokens in texts]
        # Sorted, because bm25s' own numbering follows the hash seed and the same corpus must give the same bytes.
        vocabulary = {token: i for i, token in enumerate(sorted({token for tokens in lists for token in tokens}))}
        if not vocabulary:
            nothing = np.zeros(0, dtype=np.int64)
            return cls({}, np.zeros(1, dtype=np.int64), nothing, np.zeros(0, dtype=np.float32), len(lists))
        try:
            import bm25s
        except ImportError as error:
            raise MissingDependencyError("bm25s", extra="", purpose="Keyword search") from error
        ids = [[vocabulary[token] for token in tokens] for tokens in lists]
        engine = bm25s.BM25(k1=K1, b=B, method="lucene")
        engine.index(
            bm25s.tokenization.Tokenized(ids=ids, vocab=vocabulary), create_empty_token=False, show_progress=False
        )
        parts = engine.scores
        return cls(
            vocabulary,
            np.asarray(parts["indptr"], dtype=np.int64),
            np.asarray(parts["indices"], dtype=np.int64),
            np.asarray(parts["data"], dtype=np.float32),
            len(lists),
        )

    def term_scores(self, tokens: Iterable[str]) -> NDArray[np.float32]:
        """Return an array of shape (distinct known tokens, size): each term's BM25 score in each passage."""
        known = sorted({self._vocabulary[token] for token in tokens if token in self._vocabulary})
        scores = np.zeros((len(known), self.size), dtype=np.float32)
        for row, term in enumerate(known):
            stretch = slice(self._starts[term], self._starts[term + 1])
            scores[row, self._rows[stretch]] = self._scores[stretch]
        return scores

    def idf(self, token: str) -> float:
        """Return ln(1 + (N - df + ½) / (df + ½)) of a token; that of an unseen token for an unknown one."""
        term = self._vocabulary.get(token)
        frequency = 0 if term is None else int(self._starts[term + 1] - self._starts[term])
        return float(np.log1p((self.size - frequency + 0.5) / (frequency + 0.5)))

    def save(self, path: Path) -> None:
        """Write everything to one ``.npz`` file at `path`; numbers and one UTF-8 blob, no pickle."""
        words = np.frombuffer("\n".join(self._vocabulary).encode("utf-8"), dtype=np.uint8)
        with path.open("wb") as file:
            np.savez(
                file, words=words, starts=self._starts, rows=self._rows, scores=self._scores, size=np.int64(self.size)
            )

    @classmethod
    def load(cls, path: Path) -> SparseIndex:
        """Read what :meth:`save` wrote."""
        with path.open("rb") as file, np.load(file, allow_pickle=False) as parts:
            blob = parts["words"].tobytes().decode("utf-8")
            vocabulary = {word: i for i, word in enumerate(blob.split("\n"))} if blob else {}
            return cls(vocabulary, parts["starts"], parts["rows"], parts["scores"], int(parts["size"]))
