"""The ontology layer: entities and schemas as they are settled now."""

from __future__ import annotations

from aira_nb.memory.codec import from_json
from aira_nb.memory.files import Files
from aira_nb.types import Entity, Schema


class Ontology(Files):
    """Entities and schemas. Only a plan changes them: see :meth:`aira_nb.memory.facts.Facts.apply`."""

    def entities(self) -> list[Entity]:
        """Return all entities, by id."""
        rows = self._rows("SELECT id, match_key, name, type, aliases FROM entity ORDER BY id")
        return [Entity(*(*row[:4], tuple(from_json(row[4])))) for row in rows]

    def schemas(self) -> list[Schema]:
        """Return all schemas, stable and pending, by id."""
        return [
            Schema(*row)
            for row in self._rows(
                "SELECT id, head_type, relation, tail_type, frequency, document_frequency, state FROM schema"
                " ORDER BY id"
            )
        ]

    @property
    def threshold(self) -> int | None:
        """The schema threshold of the last plan that was applied; None before the first."""
        row = self._row("SELECT value FROM meta WHERE name = 'threshold'")
        return None if row is None else int(row[0])

    def is_settled(self, threshold: int) -> bool:
        """Whether the last plan had this threshold and nothing was extracted or removed since: a new one were empty.

        True also for a store from which nothing was ever extracted. A plan that was made with other canonical names
        is the caller's to know.
        """
        row = self._row("SELECT value FROM meta WHERE name = 'settled'")
        since = 0 if row is None else int(row[0])
        if self._row("SELECT 1 FROM change WHERE sequence > ? AND kind = 'extraction' LIMIT 1", (since,)):
            return False
        return self.threshold in (None, threshold)
