"""The invariants of a store. Each check yields readable lines and is silent when all is well."""

# ruff: noqa: S608  only names of this package's own tables and columns are put together; values are always bound.

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from aira_nb.memory.codec import span_error
from aira_nb.memory.layout import expected_layout
from aira_nb.memory.records import CHANGE_KINDS
from aira_nb.memory.report import Report
from aira_nb.memory.vectors import KINDS, NORM_TOLERANCE

_EXAMPLES = 5

# Each query returns what breaks one rule: an id, and for some the numbers that the message names.
_ALWAYS: tuple[tuple[str, str], ...] = (
    (
        "The document {0} has {1} passages, at positions that are not 0 to {1} less one. Add its file again.",
        "SELECT d.id, count(*) FROM document d JOIN passage p ON p.document_no = d.no GROUP BY d.no"
        " HAVING min(p.position) <> 0 OR max(p.position) <> count(*) - 1 OR count(DISTINCT p.position) <> count(*)",
    ),
    (
        "The passage {0} ends at {2}, before it begins at {1}. Add its file again.",
        "SELECT id, begins, ends FROM passage WHERE begins < 0 OR ends < begins",
    ),
    (
        "The fact {0} has no provenance. Run corpus.build().",
        "SELECT id FROM fact f WHERE NOT EXISTS (SELECT 1 FROM provenance WHERE fact_no = f.no)",
    ),
    (
        "The fact {0} and its schema {1} differ in relation or types. Run corpus.build().",
        "SELECT f.id, s.id FROM fact f JOIN schema s ON s.no = f.schema_no JOIN entity h ON h.no = f.head_no"
        " JOIN entity t ON t.no = f.tail_no"
        " WHERE s.relation <> f.relation OR s.head_type <> h.type OR s.tail_type <> t.type",
    ),
    (
        "The fact {0} is {1} although its schema is {2}. Run corpus.build().",
        "SELECT f.id, f.state, s.state FROM fact f JOIN schema s ON s.no = f.schema_no"
        " WHERE f.state = 'active' AND s.state = 'pending' OR f.state = 'pending' AND s.state = 'stable'",
    ),
    (
        "The schema {0} is {1} with frequency {2} at threshold {3}. Run corpus.build().",
        "SELECT s.id, s.state, s.frequency, CAST(m.value AS INTEGER) FROM schema s JOIN meta m ON m.name = 'threshold'"
        " WHERE (s.state = 'stable') <> (s.frequency >= CAST(m.value AS INTEGER))",
    ),
)

# These hold once a plan has been applied to everything that was extracted.
_SETTLED: tuple[tuple[str, str], ...] = (
    (
        "The schema {0} counts {1} passages in {2} documents, its facts stand in {3} and {4}. Run corpus.build().",
        "SELECT s.id, s.frequency, s.document_frequency, count(DISTINCT v.passage_no), count(DISTINCT p.document_no)"
        " FROM schema s LEFT JOIN fact f ON f.schema_no = s.no LEFT JOIN provenance v ON v.fact_no = f.no"
        " LEFT JOIN passage p ON p.no = v.passage_no GROUP BY s.no"
        " HAVING s.frequency <> count(DISTINCT v.passage_no)"
        " OR s.document_frequency <> count(DISTINCT p.document_no)",
    ),
    (
        "The entity {0} is part of no fact. Run corpus.build().",
        "SELECT id FROM entity e WHERE NOT EXISTS (SELECT 1 FROM fact WHERE head_no = e.no)"
        " AND NOT EXISTS (SELECT 1 FROM fact WHERE tail_no = e.no)",
    ),
    (
        "{1} entities share the key and type of {0}. Run corpus.build().",
        "SELECT min(id), count(*) FROM entity GROUP BY match_key, type HAVING count(*) > 1",
    ),
    (
        "The fact {0} is said to be read by {1} in the passage {2}, which was read by {3}. Run corpus.build().",
        "SELECT f.id, v.extractor, p.id, coalesce(e.extractor, 'nobody') FROM provenance v"
        " JOIN fact f ON f.no = v.fact_no JOIN passage p ON p.no = v.passage_no"
        " LEFT JOIN extraction e ON e.passage_id = p.id WHERE e.extractor IS NOT v.extractor",
    ),
)


class Checks(Report):
    """The invariants."""

    def check(self) -> list[str]:
        """Return everything that is wrong with the store, as readable lines; empty when it is healthy.

        Each rule names at most five examples and then says how many more there are.
        """
        with self.snapshot():
            damage = [f"SQLite: {row[0]}" for row in self._rows("PRAGMA integrity_check(5)") if row[0] != "ok"]
            if damage:
                # The other rules would read through the damage.
                return [f"{self.path} is damaged. Put back your last copy of it.", *damage]
            rules: list[Callable[[], Iterator[str]]] = [
                self._check_layout,
                self._check_spans,
                self._check_vectors,
                self._check_log,
            ]
            lines = [line for rule in rules for line in _shortened(rule())]
            settled = self.is_settled(self.threshold or 0)
            if not settled:
                lines.append("Passages were read or removed after the facts were last settled. Run corpus.build().")
            for message, sql in (*_ALWAYS, *_SETTLED) if settled else _ALWAYS:
                lines += _shortened(message.format(*map(_shown, row)) for row in self._rows(sql))
            return lines

    def _check_layout(self) -> Iterator[str]:
        found = set(self._rows("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
        expected = expected_layout()
        for type_, name, _ in sorted(found ^ expected):
            yield f"The {type_} {name!r} is not as this version defines it. Do not trust a store edited by hand."
        for table, row, parent, _ in self._rows("PRAGMA foreign_key_check"):
            yield f"Row {row} of {table} points to a {parent} that is not there. Put back your last copy."

    def _check_spans(self) -> Iterator[str]:
        """Spans lie in their texts, so that every quote is a substring of its passage."""
        lengths: dict[str, int] = {}
        for passage in self.iter_passages():
            lengths[passage.id] = len(passage.text)
            for r in passage.regions:
                if not (
                    0 <= r.start < r.end <= len(passage.text) and r.page >= 1 and r.left < r.right and r.top < r.bottom
                ):
                    yield f"The passage {passage.id!r} has an impossible box: {r}. Add its file again."
        texts = dict(self._rows("SELECT p.id, p.text FROM passage p JOIN extraction e ON e.passage_id = p.id"))
        for extraction in self.extractions():
            if problem := span_error(extraction, texts[extraction.passage_id]):
                yield f"The extraction of {extraction.passage_id!r} does not fit its passage: {problem}."
        for fact_id, passage_id, begins, ends in self._rows(
            "SELECT f.id, p.id, v.begins, v.ends FROM provenance v JOIN fact f ON f.no = v.fact_no"
            " JOIN passage p ON p.no = v.passage_no"
        ):
            if not 0 <= begins < ends <= lengths[passage_id]:
                yield f"The fact {fact_id!r} quotes {begins}:{ends} of {passage_id!r}, outside of its text."

    def _check_vectors(self) -> Iterator[str]:
        spaces = self._spaces()
        if len({row[1:] for row in spaces}) > 1:
            yield f"The vectors come from different models: {spaces}. Run corpus.embed(replace=True)."
        sizes = {kind: dimension for kind, _, dimension in spaces}
        for kind in KINDS:
            rows = self._rows(f"SELECT id, vector FROM {kind}_vector ORDER BY id")
            for id_, blob in rows:
                if len(blob) != 4 * sizes.get(kind, 0):
                    yield f"The vector of {kind} {id_!r} has {len(blob)} bytes. Run corpus.embed(replace=True)."
                    continue
                norm = float(np.linalg.norm(np.frombuffer(blob, dtype="<f4").astype(np.float64)))
                if not abs(norm - 1) <= NORM_TOLERANCE:
                    yield f"The vector of {kind} {id_!r} has norm {norm:g}, not 1. Run corpus.embed(replace=True)."
            if kind in sizes and (missing := self.ids_without_vector(kind)):
                yield f"{len(missing)} {kind} items have no vector ({missing[0]!r} for one). Run corpus.build()."
        for kind, visible in (("fact", "active"), ("schema", "stable")):
            for (id_,) in self._rows(
                f"SELECT v.id FROM {kind}_vector v JOIN {kind} i ON i.id = v.id WHERE i.state <> ?", (visible,)
            ):
                yield f"The {kind} {id_!r} has a vector and is not {visible}. Run corpus.build()."

    def _check_log(self) -> Iterator[str]:
        """The change log knows every record, or indexes that follow it would miss some."""
        for kind in CHANGE_KINDS:
            column = "passage_id" if kind == "extraction" else "id"
            missing = self._scalar(
                f"SELECT count(*) FROM {kind} t WHERE NOT EXISTS"
                f" (SELECT 1 FROM change c WHERE c.kind = ? AND c.id = t.{column} AND c.op = 'put')",
                (kind,),
            )
            extra = self._scalar(
                "SELECT count(*) FROM change c WHERE c.kind = ? AND c.op = 'put'"
                f" AND NOT EXISTS (SELECT 1 FROM {kind} t WHERE t.{column} = c.id)",
                (kind,),
            )
            if missing or extra:
                yield f"The change log misses {missing} of kind {kind} and names {extra} that are gone. Add them anew."


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value)


def _shortened(lines: Iterator[str]) -> list[str]:
    shown = list(islice(lines, _EXAMPLES))
    more = sum(1 for _ in lines)
    return [*shown, f"... and {more} more like this."] if more else shown
