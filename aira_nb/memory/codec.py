"""How the records' lists, mappings and boxes are written into columns. Text codecs only; nothing is ever executed."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable
from typing import Any

from aira_nb.errors import InputError
from aira_nb.types import Definition, Extraction, Mention, Region, Triple

_REGION = struct.Struct("<IIIdddd")


def to_json(value: Any) -> str:
    """Return compact JSON with sorted keys, so that equal values are equal texts."""
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"This value cannot be stored as JSON ({error}): {value!r:.200}") from error


def from_json(text: str) -> Any:
    """Read what :func:`to_json` wrote."""
    return json.loads(text)


def pack_regions(regions: Iterable[Region]) -> bytes:
    """Pack line boxes: 44 bytes each, compressed; the empty bytes for none."""
    try:
        packed = b"".join(_REGION.pack(r.start, r.end, r.page, r.left, r.top, r.right, r.bottom) for r in regions)
    except struct.error as error:
        raise InputError(f"A region has offsets or a page out of range ({error}).") from error
    return zlib.compress(packed) if packed else b""


def unpack_regions(blob: bytes) -> tuple[Region, ...]:
    """Read what :func:`pack_regions` wrote."""
    return tuple(Region(*values) for values in _REGION.iter_unpack(zlib.decompress(blob))) if blob else ()


def span_error(extraction: Extraction, text: str) -> str:
    """Say which span of `extraction` does not fit its passage's `text`; the empty string when all fit."""
    names = [*extraction.mentions, *(m for t in extraction.triples for m in (t.head, t.tail))]
    for mention in names:
        if not 0 <= mention.start < mention.end <= len(text) or text[mention.start : mention.end] != mention.text:
            return f"the mention {mention.text!r} does not stand at {mention.start}:{mention.end}"
    spans: list[Triple | Definition] = [*extraction.triples, *extraction.definitions]
    for span in spans:
        if not 0 <= span.start < span.end <= len(text):
            return f"the span {span.start}:{span.end} lies outside the passage's {len(text)} characters"
    return ""


def pack_content(extraction: Extraction) -> str:
    """Write mentions, triples and definitions as JSON; the text of a mention stays with the passage."""
    return to_json(
        [
            [[m.start, m.end, m.type] for m in extraction.mentions],
            [
                [
                    t.head.start,
                    t.head.end,
                    t.head.type,
                    t.relation,
                    t.tail.start,
                    t.tail.end,
                    t.tail.type,
                    t.start,
                    t.end,
                ]
                for t in extraction.triples
            ],
            [[d.start, d.end, d.name, d.source, d.long] for d in extraction.definitions],
        ]
    )


def unpack_mentions(content: str, text: str) -> list[Mention]:
    """Read the mentions that :func:`pack_content` wrote, given the passage's text."""
    return [Mention(start, end, text[start:end], type_) for start, end, type_ in from_json(content)[0]]


def unpack_triples(content: str, text: str) -> list[Triple]:
    """Read the triples that :func:`pack_content` wrote, given the passage's text."""
    return [
        Triple(Mention(hs, he, text[hs:he], ht), relation, Mention(ts, te, text[ts:te], tt), start, end)
        for hs, he, ht, relation, ts, te, tt, start, end in from_json(content)[1]
    ]


def unpack_definitions(content: str) -> list[Definition]:
    """Read the definitions that :func:`pack_content` wrote."""
    return [Definition(*values) for values in from_json(content)[2]]
