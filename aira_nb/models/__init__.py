"""Models: the only part that talks to a network, and only to the server that the user names."""

from aira_nb.models.embed import LocalEmbedder, ServerEmbedder, make_embedder

__all__ = ["LocalEmbedder", "ServerEmbedder", "make_embedder"]
