"""Parsed documents as JSON, between the parsing process and its parent."""

from __future__ import annotations

import dataclasses
from typing import Any

from aira_nb.types import Document, ParsedDocument, Passage, Region

__all__ = ["from_json", "to_json"]


def to_json(parsed: ParsedDocument) -> dict[str, Any]:
    """Return a JSON-serialisable form of `parsed`."""
    return {
        "document": {f.name: getattr(parsed.document, f.name) for f in dataclasses.fields(Document)}
        | {"metadata": dict(parsed.document.metadata)},
        "passages": [
            {f.name: getattr(p, f.name) for f in dataclasses.fields(Passage)}
            | {"regions": [dataclasses.astuple(r) for r in p.regions]}
            for p in parsed.passages
        ],
    }


def from_json(data: dict[str, Any]) -> ParsedDocument:
    """Return what :func:`to_json` was given."""
    document = dict(data["document"])
    document["authors"] = tuple(document["authors"])
    document["warnings"] = tuple(document["warnings"])
    passages = []
    for item in data["passages"]:
        fields = dict(item)
        fields["section"] = tuple(fields["section"])
        fields["regions"] = tuple(Region(*r) for r in fields["regions"])
        passages.append(Passage(**fields))
    return ParsedDocument(Document(**document), tuple(passages))
