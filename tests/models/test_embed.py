"""Embedders, the bundled one and a real server on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import numpy as np
import pytest

from aira_nb.errors import InputError, ModelError
from aira_nb.models import LocalEmbedder, ServerEmbedder, make_embedder


class _Handler(BaseHTTPRequestHandler):
    """Speaks the /embeddings part of the protocol: a vector that tells texts apart by length."""

    seen: ClassVar[list[dict[str, Any]]] = []
    broken = False
    page = False

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append({**body, "authorization": self.headers.get("Authorization")})
        rows = [[0.0, 0.0] if self.broken else [float(len(text)), 1.0] for text in body["input"]]
        answer = {
            "object": "list",
            "model": body["model"],
            "data": [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }
        payload = b"<html>hello</html>" if self.page else json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.page else "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *args: object) -> None:
        """Keep the test's output quiet."""


@pytest.fixture
def server() -> Iterator[str]:
    _Handler.seen, _Handler.broken, _Handler.page = [], False, False
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as instance:
        threading.Thread(target=instance.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{instance.server_port}/v1"
        instance.shutdown()


def test_bundled_model_brings_both_languages_together() -> None:
    """The bundled model puts a question near its passage across English and Japanese, with rows of norm 1."""
    embedder = LocalEmbedder()
    passages = embedder.embed_passages(["東京は日本の首都である。", "Moss grows on stones."])
    assert passages.shape == (2, embedder.dimension) and passages.dtype == np.float32
    assert np.linalg.norm(passages, axis=1) == pytest.approx([1, 1], abs=1e-5)
    query = embedder.embed_query("What is the capital of Japan?")
    assert query.shape == (embedder.dimension,)
    assert passages[0] @ query > passages[1] @ query
    assert embedder.embed_passages([]).shape == (0, embedder.dimension)


def test_server_is_asked_in_batches_and_in_order(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are sent in small batches and come back in order, L2-normalised; without a key a placeholder is sent."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    embedder = ServerEmbedder(server, "tiny")
    matrix = embedder.embed_passages(["x" * n for n in range(1, 41)])
    assert matrix.shape == (40, 2)
    assert np.all(np.diff(matrix[:, 0]) > 0)
    assert [len(call["input"]) for call in _Handler.seen] == [16, 16, 8]
    assert _Handler.seen[0]["authorization"] == "Bearer none"
    assert embedder.id == "server:tiny"
    assert embedder.dimension == 2


def test_e5_models_get_their_prefixes(server: str) -> None:
    """Models of the e5 family are given the prefixes that they were trained with."""
    embedder = ServerEmbedder(server, "intfloat/multilingual-e5-large")
    embedder.embed_query("why")
    embedder.embed_passages(["because"])
    assert [call["input"] for call in _Handler.seen] == [["query: why"], ["passage: because"]]


def test_unusable_vectors_are_an_error(server: str) -> None:
    """A zero vector is a failure of the model, never stored as if it meant something."""
    _Handler.broken = True
    with pytest.raises(ModelError, match="unusable"):
        ServerEmbedder(server, "tiny").embed_query("x")


def test_a_web_page_is_no_embeddings_server(server: str) -> None:
    """A server that answers with something else is named, with what is usually wrong."""
    _Handler.page = True
    with pytest.raises(ModelError, match=r"end in /v1"):
        ServerEmbedder(server, "tiny").embed_query("x")


def test_a_server_that_is_down_is_named(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that refuses is named with its address and the next step."""
    monkeypatch.setattr("openai._base_client.MAX_RETRY_DELAY", 0.01)
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)
    with pytest.raises(ModelError, match=r"127\.0\.0\.1:9/v1.*Check that it runs"):
        ServerEmbedder("http://127.0.0.1:9/v1", "tiny").embed_query("x")


def test_names() -> None:
    """An embedder is none, local, or a URL with a model; anything else is refused, a key in the URL above all."""
    assert make_embedder("none") is None
    assert isinstance(make_embedder("local"), LocalEmbedder)
    assert isinstance(make_embedder("http://localhost:1/v1#m"), ServerEmbedder)
    for bad in ("remote", "http://localhost:1/v1", "ftp://x#m"):
        with pytest.raises(InputError, match="No embedder"):
            make_embedder(bad)
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        make_embedder("https://user:secret@host/v1#m")
