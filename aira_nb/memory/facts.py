"""The fact layer, and the one place where the settled part changes: applying a plan."""

# ruff: noqa: S608  only names of this package's own tables and columns are put together; values are always bound.

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from aira_nb.errors import InputError
from aira_nb.memory.codec import to_json
from aira_nb.memory.ontology import Ontology
from aira_nb.memory.store import upsert
from aira_nb.types import Fact, FactState, Plan, Provenance

_PUT_ENTITY = upsert("entity", "id", ("match_key", "name", "type", "aliases"))
_PUT_SCHEMA = upsert("schema", "id", ("head_type", "relation", "tail_type", "frequency", "document_frequency", "state"))
_PUT_FACT = upsert("fact", "id", ("head_no", "relation", "tail_no", "schema_no", "state"))


class Facts(Ontology):
    """Facts with their provenance, and :meth:`apply`."""

    def facts(self, state: FactState | None = None) -> list[Fact]:
        """Return facts by id, all or those in one state. Their provenance is in order of passage id and span."""
        where, params = ("", ()) if state is None else (" WHERE f.state = ?", (state,))
        provenance: defaultdict[str, list[Provenance]] = defaultdict(list)
        with self.snapshot():
            places = self._rows(
                "SELECT f.id, p.id, v.begins, v.ends, v.extractor FROM provenance v"
                f" JOIN fact f ON f.no = v.fact_no JOIN passage p ON p.no = v.passage_no{where}",
                params,
            )
            rows = self._rows(
                "SELECT f.id, h.id, f.relation, t.id, s.id, f.state FROM fact f JOIN entity h ON h.no = f.head_no"
                f" JOIN entity t ON t.no = f.tail_no JOIN schema s ON s.no = f.schema_no{where} ORDER BY f.id",
                params,
            )
        for fact_id, *place in places:
            provenance[fact_id].append(Provenance(*place))
        return [Fact(*(*row, tuple(sorted(provenance[row[0]], key=_place)))) for row in rows]

    def apply(self, plan: Plan) -> None:
        """Bring the settled part to what `plan` says, in one transaction.

        Vectors of facts that are no longer active, and of schemas that are no longer stable, go: exactly what retrieval
        can see has a vector.

        Raises
        ------
        InputError
            When the plan does not fit this store: a fact without provenance, or one that names an entity, a schema or
            a passage that is not there; an entity or schema dropped while a fact needs it. Nothing is changed then.
        """
        with self.transaction():
            self._run_many(
                _PUT_ENTITY, ((e.id, e.key, e.name, e.type, to_json(list(e.aliases))) for e in plan.put_entities)
            )
            self._run_many(
                _PUT_SCHEMA,
                (
                    (s.id, s.head_type, s.relation, s.tail_type, s.frequency, s.document_frequency, s.state)
                    for s in plan.put_schemas
                ),
            )
            self._run_many("DELETE FROM fact WHERE id = ?", ((id_,) for id_ in plan.drop_facts))
            self._put_facts(plan.put_facts)
            self._drop_unused("schema", plan.drop_schemas, "schema_no = ?1")
            self._drop_unused("entity", plan.drop_entities, "head_no = ?1 OR tail_no = ?1")
            self._put_meta("threshold", str(plan.threshold))
            self._put_meta("settled", str(self.sequence))
            self._run("DELETE FROM fact_vector WHERE id IN (SELECT id FROM fact WHERE state <> 'active')")
            self._run("DELETE FROM schema_vector WHERE id IN (SELECT id FROM schema WHERE state <> 'stable')")

    def _put_facts(self, facts: Iterable[Fact]) -> None:
        facts = list(facts)
        if not facts:
            return
        entities = self._numbers("entity", {i for fact in facts for i in (fact.head_id, fact.tail_id)})
        schemas = self._numbers("schema", {fact.schema_id for fact in facts})
        passages = self._numbers("passage", {place.passage_id for fact in facts for place in fact.provenance})
        if bare := [fact.id for fact in facts if not fact.provenance]:
            raise InputError(f"The plan has a fact without provenance: {bare[0]!r}. Make a new plan from the triples.")
        self._run_many(
            _PUT_FACT,
            (
                (f.id, entities[f.head_id], f.relation, entities[f.tail_id], schemas[f.schema_id], f.state)
                for f in facts
            ),
        )
        numbers = self._numbers("fact", {fact.id for fact in facts})
        stored: defaultdict[int, set[tuple[int, int, int, str]]] = defaultdict(set)
        sql = (
            "SELECT v.fact_no, v.passage_no, v.begins, v.ends, v.extractor FROM fact f"
            " JOIN provenance v ON v.fact_no = f.no WHERE f.id IN ({marks})"
        )
        for number, *row in self._rows_in(sql, numbers):
            stored[number].add((row[0], row[1], row[2], row[3]))
        gone: list[tuple[int, int, int, int, str]] = []
        new: list[tuple[int, int, int, int, str]] = []
        for fact in facts:
            number = numbers[fact.id]
            places = {(passages[v.passage_id], v.start, v.end, v.extractor) for v in fact.provenance}
            gone.extend((number, *place) for place in sorted(stored[number] - places))
            new.extend((number, *place) for place in sorted(places - stored[number]))
        self._run_many(
            "DELETE FROM provenance WHERE fact_no = ? AND passage_no = ? AND begins = ? AND ends = ? AND extractor = ?",
            gone,
        )
        self._run_many(
            "INSERT INTO provenance (fact_no, passage_no, begins, ends, extractor) VALUES (?, ?, ?, ?, ?)", new
        )

    def _numbers(self, table: str, ids: Iterable[str]) -> dict[str, int]:
        """Map ids to row numbers; InputError when one is missing."""
        wanted = sorted(ids)
        found = dict(self._rows_in(f"SELECT id, no FROM {table} WHERE id IN ({{marks}})", wanted))
        if len(found) < len(wanted):
            missing = next(id_ for id_ in wanted if id_ not in found)
            raise InputError(
                f"The plan names the {table} {missing!r}, which is not in {self.path.name}. "
                "It was made for another state of the store: make a new plan."
            )
        return found

    def _drop_unused(self, table: str, ids: Iterable[str], use: str) -> None:
        for id_ in ids:
            row = self._row(f"SELECT no FROM {table} WHERE id = ?", (id_,))
            if row is None:
                continue
            if self._row(f"SELECT 1 FROM fact WHERE {use}", row):
                raise InputError(f"The plan drops the {table} {id_!r}, which a fact needs. Make a new plan.")
            self._run(f"DELETE FROM {table} WHERE no = ?", row)


def _place(provenance: Provenance) -> tuple[str, int, int, str]:
    return provenance.passage_id, provenance.start, provenance.end, provenance.extractor
