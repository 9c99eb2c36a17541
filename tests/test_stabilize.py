"""Stabilize: names and relations become one, schemas count passages, and a plan is all that must change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aira_nb import stabilize
from aira_nb.errors import InputError
from aira_nb.stabilize import CurvePoint, curve, plan, relation_key, suggest_threshold, threshold_warning
from aira_nb.types import Entity, Fact, Mention, Plan, Provenance, Schema, Triple, make_id

Row = tuple[str, str, str, Triple]
State = tuple[Sequence[Entity], Sequence[Schema], Sequence[Fact]]
EMPTY: State = ((), (), ())


def row(passage: str, head: str, relation: str, tail: str, *, types: str = "term term", at: int = 0) -> Row:
    """One triple of the passage "document/number"."""
    head_type, tail_type = types.split(" ")
    triple = Triple(
        Mention(at, at + len(head), head, head_type), relation, Mention(at + 20, at + 20 + len(tail), tail, tail_type),
        at, at + 40,
    )  # fmt: skip
    return passage, passage.split("/")[0], "rules/1", triple


def applied(rows: Sequence[Row], current: State = EMPTY, **options: Any) -> State:
    """The state after the plan, by the rules that a plan promises."""
    p = plan(rows, current, **options)
    parts: list[Any] = []
    for old, put, drop in zip(
        current,
        (p.put_entities, p.put_schemas, p.put_facts),
        (p.drop_entities, p.drop_schemas, p.drop_facts),
        strict=True,
    ):
        items: dict[str, Any] = {item.id: item for item in old}
        for id_ in drop:
            del items[id_]
        items.update((item.id, item) for item in put)
        parts.append([items[id_] for id_ in sorted(items)])
    return parts[0], parts[1], parts[2]


def names(state: State) -> dict[str, str]:
    return {entity.name: entity.type for entity in state[0]}


# --- relations --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("relation", "key"),
    [
        ("is the capital of", "capital of"),
        ("capital_of", "capital of"),
        ("Was  Born in", "born in"),
        ("ｗａｓ ｂｏｒｎ ｉｎ", "born in"),
        ("has been founded by", "founded by"),
        ("was awarded", "be awarded"),
        ("awarded", "awarded"),
        ("is", "be"),
        ("was", "be"),
        ("has", "has"),
        ("did not win", "not win"),
        ("", ""),
        ("設立した", "設立する"),
        ("設立しています", "設立する"),
        ("設立された", "設立される"),
        ("示した", "示した"),
        ("デザインした", "デザインする"),
        ("の首都である", "の首都"),
        ("である", "である"),
    ],
)
def test_relations_of_one_meaning_have_one_key(relation: str, key: str) -> None:
    """Tense, articles, auxiliaries, width and politeness go; the passive and the negation stay."""
    assert relation_key(relation) == key


@given(st.text(max_size=30))
def test_a_relation_key_is_its_own_key(relation: str) -> None:
    """The canonical form of a canonical form is itself, so a second run cannot drift."""
    assert relation_key(relation_key(relation)) == relation_key(relation)


# --- schemas and states -----------------------------------------------------------------------------------------


def test_a_schema_counts_distinct_passages() -> None:
    """One passage that repeats itself stays pending, however often; a second passage makes the schema stable."""
    chatty = [row("d/1", "Alpha", "cites", name, at=n) for n, name in enumerate(["Beta", "Gamma", "Delta"])]
    _, (schema,), facts = applied(chatty)
    assert (schema.frequency, schema.document_frequency, schema.state) == (1, 1, "pending")
    assert {fact.state for fact in facts} == {"pending"}
    _, (schema,), facts = applied([*chatty, row("d/2", "Rho", "cites", "Tau")])
    assert (schema.frequency, schema.document_frequency, schema.state) == (2, 1, "stable")
    assert [fact.state for fact in facts] == ["active"] * 4


def test_promotion_cascades_and_so_does_demotion() -> None:
    """When a schema becomes stable all its facts become active in the same plan, and back again when support goes."""
    rows = [row("a/1", "Alpha", "cites", "Beta"), row("b/1", "Gamma", "cites", "Delta")]
    before = applied(rows[:1])
    promotion = plan(rows, before)
    assert {fact.state for fact in promotion.put_facts} == {"active"}
    assert len(promotion.put_facts) == 2
    demotion = plan(rows[:1], applied(rows))
    assert [(s.state, s.frequency) for s in demotion.put_schemas] == [("pending", 1)]
    assert [f.state for f in demotion.put_facts] == ["pending"]
    assert len(demotion.drop_facts) == 1
    assert len(demotion.drop_entities) == 2


@pytest.mark.parametrize(("threshold", "active"), [(1, 4), (2, 3), (3, 0), (4, 0)])
def test_the_threshold_decides(threshold: int, active: int) -> None:
    """A schema is stable from exactly `threshold` passages on."""
    rows = [
        row("a/1", "Alpha", "cites", "Beta"),
        row("a/1", "Alpha", "cites", "Rho"),
        row("b/1", "Gamma", "cites", "Delta"),
        row("b/1", "Gamma", "founded", "Delta"),
    ]
    facts = applied(rows, threshold=threshold)[2]
    assert sum(fact.state == "active" for fact in facts) == active


def test_a_threshold_below_one_is_refused() -> None:
    """A schema that no passage supports cannot be stable."""
    with pytest.raises(InputError, match="cannot be 0"):
        plan([], EMPTY, threshold=0)


def test_every_fact_has_all_its_provenance() -> None:
    """A fact that is stated in several places, and in several wordings, is one fact with each place once, in order."""
    rows = [
        row("b/1", "The Knowledge Graphs", "was cited by", "Beta"),
        row("a/1", "knowledge graph", "cited by", "beta", at=5),
        row("a/1", "Knowledge Graph", "is cited by", "Beta", at=5),
    ]
    _, _, (fact,) = applied(rows)
    assert fact.provenance == (Provenance("a/1", 5, 45, "rules/1"), Provenance("b/1", 0, 40, "rules/1"))


def test_ids_are_made_as_the_records_say() -> None:
    """Ids follow from what identifies a thing, so that every machine makes the same."""
    entities, (schema,), (fact,) = applied([row("a/1", "Alpha", "cites", "Beta", types="person work")])
    ids = {entity.name: entity.id for entity in entities}
    assert ids == {"Alpha": make_id("entity", "alpha", "person"), "Beta": make_id("entity", "beta", "work")}
    assert schema.id == fact.schema_id == make_id("schema", "person", "cites", "work")
    assert fact.id == make_id("fact", ids["Alpha"], "cites", ids["Beta"])


# --- names ------------------------------------------------------------------------------------------------------


def test_spellings_of_one_name_are_one_entity() -> None:
    """Case, width, articles, plurals and Japanese long vowels do not make new entities; the commonest form is shown."""
    forms = [
        "Knowledge Graph",
        "knowledge graphs",
        "Knowledge Graph",
        "ｋｎｏｗｌｅｄｇｅ ｇｒａｐｈ",
        "The Knowledge Graph",
    ]
    rows = [row(f"a/{n}", form, "has", "コンピュータ") for n, form in enumerate(forms)]
    rows.append(row("a/9", "Knowledge Graph", "has", "コンピューター"))
    entities, _, facts = applied(rows)
    shown = {entity.name: entity.aliases for entity in entities}
    assert shown == {
        "Knowledge Graph": tuple(sorted(set(forms) - {"Knowledge Graph"})),
        "コンピュータ": ("コンピューター",),
    }
    assert len(facts) == 1


def test_a_name_over_a_line_end_is_shown_in_one_line() -> None:
    """White space in and around a name as it stands in a text is not part of the name that is shown."""
    rows = [row("a/1", " Knowledge\n  Graph", "has", "x1"), row("a/2", "Knowledge Graph", "has", "x1")]
    entities = applied(rows)[0]
    assert [(e.name, e.aliases) for e in entities if e.name != "x1"] == [("Knowledge Graph", ())]


def test_equally_common_forms_are_ordered_by_code_point() -> None:
    """Between equally common forms the first by code point is shown, whatever the order they were read in."""
    rows = [row("a/1", "graph walks", "has", "x1"), row("a/2", "Graph walks", "has", "x1")]
    assert applied(rows) == applied(rows[::-1])
    assert "Graph walks" in names(applied(rows))


def test_nothing_between_two_names_is_no_fact() -> None:
    """A triple about one entity twice, or with a name or relation that says nothing, is left out."""
    rows = [
        row("a/1", "Knowledge graphs", "is", "the knowledge graph"),
        row("a/1", "―", "cites", "Beta"),
        row("a/1", "Alpha", "cites", "…!"),
        row("a/1", "Alpha", "  ", "Beta"),
    ]
    assert not plan(rows, EMPTY)


def test_names_that_stand_for_another_join_it() -> None:
    """A short form joins its long form, through chains, and the long form is shown even when it is the rarer one."""
    rows = [row(f"a/{n}", "PPR", "ranks", "passages") for n in range(3)]
    rows.append(row("b/1", "Personalized PageRanks", "ranks", "passages"))
    state = applied(rows, canonical={"PPR": "ppr walk", "PPR walks": "personalized PageRank"})
    assert set(names(state)) == {"Personalized PageRanks", "passages"}
    assert state[0][0].aliases == ("PPR",) or state[0][1].aliases == ("PPR",)
    alone = applied(rows[:3], canonical={"PPR": "personalized PageRank"})
    assert set(names(alone)) == {"personalized PageRank", "passages"}


def test_ambiguous_and_circular_short_forms_do_no_harm() -> None:
    """A short form with two long forms stays itself; names that stand for one another become the longest of them."""
    rows = [row("a/1", "ML", "uses", "RNN"), row("a/2", "AB", "uses", "abstract base")]
    two = {"ML": "machine learning", "ml": "maximum likelihood"}
    assert "ML" in names(applied(rows[:1], canonical=two))
    circle = {"AB": "abstract base", "abstract base": "AB"}
    assert not plan(rows[1:], EMPTY, canonical=circle)
    joined = applied([row("a/1", "AB", "uses", "RNN")], canonical=circle)
    assert [e.key for e in joined[0] if e.name != "RNN"] == ["abstract base"]


# --- types ------------------------------------------------------------------------------------------------------


def typed(*types: str, name: str = "Mercury") -> list[Row]:
    """One passage for each type in which `name` is read so."""
    return [row(f"p{n}/1", name, "has", f"thing{n}", types=f"{t} term") for n, t in enumerate(types)]


def mercury(rows: Sequence[Row]) -> list[str]:
    return sorted(entity.type for entity in applied(rows)[0] if entity.key == "mercury")


@pytest.mark.parametrize(
    ("types", "kept"),
    [
        (["place", "place", "person"], ["place"]),
        (["place", "person"], ["person"]),
        (["place"] * 5 + ["person"] * 2, ["place"]),
        (["place"] * 4 + ["person"] * 2, ["person", "place"]),
        (["other"] * 9 + ["work"], ["work"]),
        (["other"] * 3, ["other"]),
        (["Place", "ｐｌａｃｅ", ""], ["place"]),
    ],
)
def test_a_type_must_earn_its_own_entity(types: list[str], kept: list[str]) -> None:
    """An extractor's slips do not split a name; a homonym with two passages and half the majority's does."""
    assert mercury(typed(*types)) == kept


def test_homonyms_keep_their_own_facts_and_forms() -> None:
    """Where a name is two things, each keeps the facts and the spellings that were read as its own."""
    rows = [
        *(row(f"a/{n}", "Mercury", "orbits", "Sun", types="place place") for n in range(2)),
        *(row(f"b/{n}", "MERCURY", "is toxic in", "Fish", types="term term") for n in range(2)),
    ]
    entities, _, facts = applied(rows)
    forms = {(e.type, e.name, e.aliases) for e in entities if e.key == "mercury"}
    assert forms == {("place", "Mercury", ()), ("term", "MERCURY", ())}
    assert len(facts) == 2


# --- plans ------------------------------------------------------------------------------------------------------

ROWS = st.lists(
    st.builds(
        lambda n, h, r, t, types: row(f"{n % 3}/{n}", h, r, t, types=types),
        st.integers(0, 8),
        st.sampled_from(["Alpha", "alpha", "ALPHA", "Beta", "ベータ", "ベーター", "!"]),
        st.sampled_from(["cites", "is", "was cited by", "設立した"]),
        st.sampled_from(["Beta", "betas", "Gamma", "ガンマ"]),
        st.sampled_from(["person work", "work work", "other other", "place person"]),
    ),
    max_size=14,
)


@given(first=ROWS, second=ROWS, threshold=st.integers(1, 3), shuffle=st.randoms())
def test_the_plan_depends_on_the_triples_alone(
    first: list[Row], second: list[Row], threshold: int, shuffle: Random
) -> None:
    """Whatever was there before and in whatever order triples come: the same state, and then an empty second plan."""
    shuffled = list(second)
    shuffle.shuffle(shuffled)
    fresh = applied(second, threshold=threshold)
    assert applied(shuffled, applied(first, threshold=2), threshold=threshold) == fresh
    again = plan(shuffled, fresh, threshold=threshold)
    assert not again
    assert again == Plan(threshold)


@given(rows=ROWS, threshold=st.integers(1, 3))
def test_every_plan_keeps_the_invariants(rows: list[Row], threshold: int) -> None:
    """Facts have provenance, exactly one fitting schema and entities that exist; states follow from frequencies."""
    entities, schemas, facts = applied(rows, threshold=threshold)
    of = {entity.id: entity for entity in entities}
    by = {schema.id: schema for schema in schemas}
    for fact in facts:
        schema = by[fact.schema_id]
        assert fact.provenance
        assert (schema.head_type, schema.relation, schema.tail_type) == (
            of[fact.head_id].type,
            fact.relation,
            of[fact.tail_id].type,
        )
        assert fact.state == ("active" if schema.state == "stable" else "pending")
    for schema in schemas:
        passages = {place.passage_id for f in facts if f.schema_id == schema.id for place in f.provenance}
        assert schema.frequency == len(passages)
        assert schema.document_frequency == len({passage.split("/")[0] for passage in passages})
        assert (schema.state == "stable") == (schema.frequency >= threshold)
    assert {id_ for fact in facts for id_ in (fact.head_id, fact.tail_id)} == set(of)
    assert len({(entity.key, entity.type) for entity in entities}) == len(entities)


def test_a_superseded_fact_stays_superseded() -> None:
    """A decision outlives new evidence, demotion, and even a change of its names' types and so of its id."""
    rows = [row("a/1", "Alpha", "cites", "Beta"), row("b/1", "Gamma", "cites", "Delta")]
    entities, schemas, facts = applied(rows)
    decided = [replace(f, state="superseded") if f.provenance[0].passage_id == "a/1" else f for f in facts]
    current: State = (entities, schemas, decided)
    assert not plan(rows, current)
    more = [*rows, row("c/1", "Alpha", "cites", "Beta")]
    (fact,) = [f for f in applied(more, current)[2] if len(f.provenance) == 2]
    assert fact.state == "superseded"
    retyped = [
        *rows,
        row("d/1", "Alpha", "has", "x1", types="work term"),
        row("e/1", "Alpha", "has", "x2", types="work term"),
    ]
    state = applied([*retyped, row("f/1", "Alpha", "has", "x3", types="work term")], current)
    (fact,) = [f for f in state[2] if f.provenance[0].passage_id == "a/1"]
    assert fact.id not in {f.id for f in facts}
    assert fact.state == "superseded"


# --- the curve --------------------------------------------------------------------------------------------------


def test_the_curve_counts_what_each_threshold_would_activate() -> None:
    """Facts, share and schemas for τ 1 to 5, computed by hand: frequencies 1, 2 and 3 with 1, 2 and 3 facts."""
    rows = [row("a/1", "A1", "founded", "B1")]
    rows += [row(f"a/{n}", f"A{n}", "cites", f"B{n}") for n in (1, 2)]
    rows += [row(f"a/{n}", f"A{n}", "extends", f"B{n}") for n in (1, 2, 3)]
    _, schemas, facts = applied(rows)
    assert curve(schemas, facts) == [
        CurvePoint(1, 6, 1.0, 3),
        CurvePoint(2, 5, 5 / 6, 2),
        CurvePoint(3, 3, 0.5, 1),
        CurvePoint(4, 0, 0.0, 0),
        CurvePoint(5, 0, 0.0, 0),
    ]
    assert suggest_threshold(curve(schemas, facts)) == 3
    superseded = [replace(fact, state="superseded") for fact in facts]
    assert [point.active_facts for point in curve(schemas, superseded)] == [0] * 5
    assert curve([], [], thresholds=[2]) == [CurvePoint(2, 0, 0.0, 0)]


def test_a_low_share_warns_and_says_what_would_help() -> None:
    """Below 20 % active the warning names the share and a threshold that helps; at 20 % and above there is none."""
    points = [CurvePoint(1, 1000, 1.0, 90), CurvePoint(2, 412, 0.412, 9), CurvePoint(3, 8, 0.008, 1)]
    assert threshold_warning(points, threshold=3) == (
        "Only 0.8% of the facts are active at threshold 3; the others are hidden from the graph. "
        "Threshold 2 would activate 41.2% (412 facts)."
    )
    assert threshold_warning(points, threshold=2) == ""
    assert threshold_warning([CurvePoint(2, 1, 0.2, 1)], threshold=2) == ""
    assert threshold_warning([CurvePoint(2, 0, 0.0, 0)], threshold=2) == ""
    decided = [CurvePoint(1, 5, 0.05, 2), CurvePoint(2, 5, 0.05, 2)]
    assert "most facts were superseded" in threshold_warning(decided, threshold=2)
    with pytest.raises(InputError, match="no point for the threshold 9"):
        threshold_warning(points, threshold=9)
    with pytest.raises(InputError, match="at least one point"):
        suggest_threshold([])


def test_the_default_threshold_asks_for_a_second_witness() -> None:
    """τ is 2 when nothing else is said."""
    assert stabilize.DEFAULT_THRESHOLD == 2
    assert plan([], EMPTY).threshold == 2
