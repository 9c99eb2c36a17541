"""What the memory says about itself: counts, its canonical text, and everything that is wrong with it."""

# ruff: noqa: S608  only names of this package's own tables and columns are put together; values are always bound.

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from aira_nb.memory.extractions import Extractions
from aira_nb.memory.facts import Facts
from aira_nb.memory.passages import Passages
from aira_nb.memory.records import Counts
from aira_nb.memory.vectors import KINDS, Vectors


class Report(Passages, Extractions, Facts, Vectors):
    """Counts and dump."""

    def counts(self) -> Counts:
        """Return what is in the store, in raw numbers."""

        def count(table: str, where: str = "1") -> int:
            return int(self._scalar(f"SELECT count(*) FROM {table} WHERE {where}"))

        with self.snapshot():
            pages = self._scalar("SELECT coalesce(sum(page_count), 0) FROM document")
            read = self._row(
                "SELECT coalesce(sum(mentions), 0), coalesce(sum(triples), 0), coalesce(sum(definitions), 0)"
                " FROM extraction"
            )
            return Counts(
                documents=count("document"),
                passages=count("passage"),
                pages=pages,
                extractions_done=count("extraction", "status = 'done'"),
                extractions_failed=count("extraction", "status = 'failed'"),
                extractions_missing=count("passage") - count("extraction"),
                mentions=read[0],
                triples=read[1],
                definitions=read[2],
                entities=count("entity"),
                schemas_stable=count("schema", "state = 'stable'"),
                schemas_pending=count("schema", "state = 'pending'"),
                facts_active=count("fact", "state = 'active'"),
                facts_pending=count("fact", "state = 'pending'"),
                facts_superseded=count("fact", "state = 'superseded'"),
                passage_vectors=count("passage_vector"),
                fact_vectors=count("fact_vector"),
                schema_vectors=count("schema_vector"),
                threshold=self.threshold,
                file_bytes=self.path.stat().st_size,
            )

    def dump(self) -> Iterator[str]:
        """Yield the store's whole content as lines of JSON, the same for equal contents however they came about.

        Row numbers, the change log, times and durations are left out. Vectors appear as digests of their bytes.
        """
        with self.snapshot():
            yield _line("threshold", self.threshold)
            for report in self.files():
                yield _line("file", self.file_digest(report.source), replace(report, seconds=0.0))
            for document in self.documents():
                yield _line("document", document)
            for passage in self.iter_passages():
                yield _line("passage", passage)
            for row in self._rows_by_id(
                "SELECT passage_id, extractor, status, reason, content FROM extraction"
                " WHERE passage_id > ? ORDER BY passage_id LIMIT ?"
            ):
                yield _line("extraction", *row)
            for name, items in (("entity", self.entities()), ("schema", self.schemas()), ("fact", self.facts())):
                for item in items:
                    yield _line(name, item)
            space = self.vector_space()
            for kind in KINDS:
                for id_, vector in zip(*self.vectors(kind), strict=True):
                    digest = hashlib.sha256(vector.astype("<f4").tobytes()).hexdigest()
                    yield _line(f"{kind}_vector", id_, space and space.model, digest)


def _line(*parts: Any) -> str:
    return json.dumps(parts, ensure_ascii=False, sort_keys=True, default=_as_mapping)


def _as_mapping(record: Any) -> dict[str, Any]:
    return {item.name: getattr(record, item.name) for item in fields(record)}
