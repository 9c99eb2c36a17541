"""What the extractors read: one extraction for each passage, done or failed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from aira_nb.errors import InputError
from aira_nb.memory.codec import (
    pack_content,
    span_error,
    unpack_definitions,
    unpack_mentions,
    unpack_triples,
)
from aira_nb.memory.store import Store, chunks, upsert
from aira_nb.types import Definition, Extraction, Mention, Triple

_PUT = upsert(
    "extraction", "passage_id", ("extractor", "status", "reason", "mentions", "triples", "definitions", "content")
)
_SELECT = (
    "SELECT p.id, d.id, e.extractor, p.text, e.content, e.status, e.reason"
    " FROM extraction e JOIN passage p ON p.id = e.passage_id JOIN document d ON d.no = p.document_no"
)


class Extractions(Store):
    """Mentions, triples and definitions as extracted."""

    def put_extractions(self, extractions: Iterable[Extraction]) -> None:
        """Store extractions, each in place of its passage's former one, 500 in one transaction.

        An extraction with a span that does not fit its passage is stored as failed, with the reason: one bad passage
        never stops the others, and nothing that cannot be cited gets in.

        Raises
        ------
        InputError
            When a passage is not in the store.
        """
        for batch in chunks(extractions):
            with self.transaction():
                wanted = {extraction.passage_id for extraction in batch}
                texts = dict(self._rows_in("SELECT id, text FROM passage WHERE id IN ({marks})", wanted))
                if missing := wanted - texts.keys():
                    raise InputError(f"{self.path.name} has no passage {min(missing)!r} to store an extraction for.")
                self._run_many(_PUT, (_row(e, texts[e.passage_id]) for e in batch))

    def passages_to_extract(self, extractor: str) -> list[str]:
        """Return the ids of passages that `extractor` has yet to read, in reading order.

        These are the passages that nothing has read, that another extractor has read, or whose extraction failed.
        """
        sql = (
            "SELECT p.id FROM passage p JOIN document d ON d.no = p.document_no"
            " LEFT JOIN extraction e ON e.passage_id = p.id"
            " WHERE e.passage_id IS NULL OR e.status = 'failed' OR e.extractor <> ? ORDER BY d.source, p.position"
        )
        return [row[0] for row in self._rows(sql, (extractor,))]

    def extraction(self, passage_id: str) -> Extraction | None:
        """Return what was extracted from a passage, or None when nothing has read it yet."""
        row = self._row(f"{_SELECT} WHERE e.passage_id = ?", (passage_id,))
        return None if row is None else _extraction(row)

    def extractions(self) -> Iterator[Extraction]:
        """Yield all extractions, by passage id."""
        yield from map(_extraction, self._rows_by_id(f"{_SELECT} WHERE p.id > ? ORDER BY p.id LIMIT ?"))

    def triples(self) -> Iterator[tuple[str, str, str, Triple]]:
        """Yield ``(passage_id, document_id, extractor, triple)``, by passage id."""
        for passage_id, document_id, extractor, text, content in self._contents("triples"):
            for triple in unpack_triples(content, text):
                yield passage_id, document_id, extractor, triple

    def mentions(self) -> Iterator[tuple[str, str, str, Mention]]:
        """Yield ``(passage_id, document_id, extractor, mention)``, by passage id."""
        for passage_id, document_id, extractor, text, content in self._contents("mentions"):
            for mention in unpack_mentions(content, text):
                yield passage_id, document_id, extractor, mention

    def definitions(self) -> Iterator[tuple[str, str, str, Definition]]:
        """Yield ``(passage_id, document_id, extractor, definition)``, by passage id."""
        for passage_id, document_id, extractor, _, content in self._contents("definitions"):
            for definition in unpack_definitions(content):
                yield passage_id, document_id, extractor, definition

    def _contents(self, column: str) -> Iterator[tuple[str, str, str, str, str]]:
        for row in self._rows_by_id(f"{_SELECT} WHERE p.id > ? AND e.{column} ORDER BY p.id LIMIT ?"):
            yield row[:5]


def _row(extraction: Extraction, text: str) -> tuple[Any, ...]:
    e = extraction
    if e.status == "done" and (problem := span_error(e, text)):
        e = Extraction(e.passage_id, e.extractor, status="failed", reason=f"{e.extractor}: {problem}")
    elif e.status == "failed":
        e = Extraction(e.passage_id, e.extractor, status="failed", reason=e.reason or "no reason given")
    counts = len(e.mentions), len(e.triples), len(e.definitions)
    return (e.passage_id, e.extractor, e.status, e.reason, *counts, pack_content(e))


def _extraction(row: Any) -> Extraction:
    passage_id, _, extractor, text, content, status, reason = row
    return Extraction(
        passage_id,
        extractor,
        status,
        reason,
        tuple(unpack_mentions(content, text)),
        tuple(unpack_triples(content, text)),
        tuple(unpack_definitions(content)),
    )
