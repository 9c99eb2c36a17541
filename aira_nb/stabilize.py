"""Stabilize: from triples as extracted to entities, schemas and facts, and to what of them is settled.

Stage II of the published algorithm (Wu, Xiang et al., *MemGraphRAG*, arXiv:2606.00610, eq. 4 and 14): a schema, that
is a (head type, relation, tail type), is stable when at least `threshold` distinct passages instantiate it, and all
facts of a stable schema are active. The paper does not say what its "extraction frequency" counts; passages are
counted here, because one chatty passage must not stabilise its own noise.

Everything here is pure: triples and the present state in, a :class:`~aira_nb.types.Plan` out. The target state follows
from the triples alone, whatever their order and whatever was there before, except that a superseded fact stays
superseded. So adding A and B and removing B leaves what adding A leaves, and a second run plans nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol, TypeVar

from aira_nb.errors import InputError
from aira_nb.text import match_key
from aira_nb.types import Entity, Fact, FactState, Plan, Provenance, Schema, Triple, make_id

__all__ = ["CurvePoint", "curve", "plan", "relation_key", "suggest_threshold", "threshold_warning"]

DEFAULT_THRESHOLD = 2
"""The paper publishes no value. 2 is the smallest that asks for a second witness."""

LOW_SHARE = 0.2
"""Below this share of active facts a warning is due."""

# --- names of relations -----------------------------------------------------------------------------------------

_BE = frozenset("am are be been being is was were".split())
_SILENT = frozenset("a an the do does did has have had will would shall should can could may might must".split())
_SPACE = re.compile(r"[\s_]+")
# 設立した, 設立している and 設立する are one relation, and so are their passives. The noun must have two characters,
# because in 示した and 話した the し belongs to the verb.
_SAHEN = r"(?<=[\u3400-\u9fff々ァ-ヶー]{2})"
_SAHEN_PASSIVE = re.compile(_SAHEN + r"され(?:て(?:いる|いた|います|いました)|た|る|ます|ました)$")
_SAHEN_ACTIVE = re.compile(_SAHEN + r"(?:し(?:て(?:いる|いた|います|いました)|た|ます|ました)|する)$")
_COPULA = re.compile(r"(?<=.)(?:である|であった|です|でした|だった)$")


@cache
def relation_key(relation: str) -> str:
    """Return the canonical form of a relation's name.

    NFKC, case, spaces and underscores; English articles, auxiliaries and the copula before something more telling;
    Japanese sahen verbs without tense and politeness, and the copula at the end. The passive survives, because it says
    who did it to whom ("awarded", "be awarded"; 設立する, 設立される). Negation survives.

    Examples
    --------
    >>> relation_key("is the capital of"), relation_key("was_awarded"), relation_key("設立した")
    ('capital of', 'be awarded', '設立する')
    """
    words = _SPACE.sub(" ", unicodedata.normalize("NFKC", relation).casefold()).strip().split(" ")
    telling = [word for word in words if word not in _BE and word not in _SILENT]
    if not telling:
        # "is", "has", "has been" say little, but they are all there is.
        return "be" if _BE.intersection(words) else " ".join(words)
    key = " ".join(telling)
    # "was born in" and "born in" are one relation; "was awarded" and "awarded" point in opposite directions.
    if len(telling) == 1 and _BE.intersection(words):
        return f"be {key}"
    key = _SAHEN_PASSIVE.sub("される", key)
    key = _SAHEN_ACTIVE.sub("する", key)
    return _COPULA.sub("", key)


# --- the target state -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    """A name as one type: the passages that read it so, and how often each surface form stands there."""

    passages: set[str] = field(default_factory=set)
    surfaces: dict[str, int] = field(default_factory=dict)


def _settled_types(readings: Mapping[str, _Reading]) -> dict[str, str]:
    """Map each type that a name was read as to the type that it is taken for.

    Extractors waver between types, and a homonym is rare, so a type must earn its own entity: it needs at least two
    passages, and at least half as many as the most frequent type. Every other type is taken for the most frequent one.
    "other" means "unknown" and never stands beside a type that says something. Ties go to the type that comes first in
    the alphabet.
    """
    best = min(readings, key=lambda type_: (type_ == "other", -len(readings[type_].passages), type_))
    bar = max(2, len(readings[best].passages) / 2)
    return {t: t if t != "other" and len(read.passages) >= bar else best for t, read in readings.items()}


@dataclass(slots=True)
class _Target:
    """Entities, schemas and facts by id, as the triples alone would have them."""

    entities: dict[str, Entity]
    schemas: dict[str, Schema]
    facts: dict[str, Fact]


class _HasId(Protocol):
    @property
    def id(self) -> str: ...


R = TypeVar("R", bound=_HasId)


def plan(
    triples: Iterable[tuple[str, str, str, Triple]],
    current: tuple[Sequence[Entity], Sequence[Schema], Sequence[Fact]],
    *,
    threshold: int = DEFAULT_THRESHOLD,
    canonical: Mapping[str, str] | None = None,
) -> Plan:
    """Return what must change so that the settled part follows from `triples`.

    Parameters
    ----------
    triples : iterable of (passage id, document id, extractor, Triple)
        All triples of the memory, in any order.
    current : (entities, schemas, facts)
        The settled part as it is now.
    threshold : int
        τ: how many distinct passages make a schema stable; at least 1.
    canonical : mapping of str to str, optional
        Names that stand for another name, for example short forms to long forms. Chains are followed; a name with two
        targets is left alone; names that stand for one another become the longest of them.

    Returns
    -------
    Plan
        Empty when nothing must change.

    Raises
    ------
    InputError
        When `threshold` is below 1.

    Notes
    -----
    A triple whose head and tail are one entity, or that has a name without a single letter or digit, says nothing
    about two things and is left out.

    A superseded fact keeps its state by its id, and, when the types of its names have changed and so its id has, by
    the names and the relation it is made of.
    """
    if threshold < 1:
        raise InputError(f"A schema needs at least 1 passage to be stable; the threshold cannot be {threshold}.")
    entities, schemas, facts = current
    target = _target(triples, threshold, _Resolver(canonical or {}), _superseded(entities, facts))
    put_entities, drop_entities = _difference(target.entities, entities)
    put_schemas, drop_schemas = _difference(target.schemas, schemas)
    put_facts, drop_facts = _difference(target.facts, facts)
    return Plan(threshold, put_entities, put_schemas, put_facts, drop_entities, drop_schemas, drop_facts)


def _difference(target: Mapping[str, R], current: Iterable[R]) -> tuple[tuple[R, ...], tuple[str, ...]]:
    present = {item.id: item for item in current}
    put = tuple(target[id_] for id_ in sorted(target) if present.get(id_) != target[id_])
    return put, tuple(sorted(present.keys() - target.keys()))


class _Resolver:
    """Surface form to canonical key, each computed once."""

    def __init__(self, names: Mapping[str, str]) -> None:
        targets: defaultdict[str, set[str]] = defaultdict(set)
        self.display: dict[str, str] = {}
        for short, long in sorted(names.items(), reverse=True):
            targets[match_key(short)].add(match_key(long))
            self.display[match_key(long)] = long
        # A short form with two long forms says nothing about which of them is meant.
        self._next = {short: long for short, (long, *others) in targets.items() if not others}
        self._keys: dict[str, str] = {}

    def __call__(self, surface: str) -> str:
        """Return the key, or the empty string for a name without a letter or digit."""
        key = self._keys.get(surface)
        if key is None:
            key = self._end(match_key(surface)) if any(char.isalnum() for char in surface) else ""
            self._keys[surface] = key
        return key

    def _end(self, key: str) -> str:
        chain = [key]
        while (key := self._next.get(key, "")) and key not in chain:
            chain.append(key)
        if not key:
            return chain[-1]
        # Documents can define two names by one another; the longer one then tells more.
        circle = chain[chain.index(key) :]
        return min(circle, key=lambda name: (-len(name), name))


def _superseded(entities: Iterable[Entity], facts: Iterable[Fact]) -> tuple[set[str], set[tuple[str, str, str]]]:
    keys = {entity.id: entity.key for entity in entities}
    old = [fact for fact in facts if fact.state == "superseded"]
    return {fact.id for fact in old}, {(keys[fact.head_id], fact.relation, keys[fact.tail_id]) for fact in old}


def _target(
    triples: Iterable[tuple[str, str, str, Triple]],
    threshold: int,
    resolve: _Resolver,
    superseded: tuple[set[str], set[tuple[str, str, str]]],
) -> _Target:
    names: defaultdict[str, defaultdict[str, _Reading]] = defaultdict(lambda: defaultdict(_Reading))
    rows: list[tuple[tuple[str, str], str, tuple[str, str], str, tuple[str, int, int, str]]] = []
    for passage_id, document_id, extractor, triple in triples:
        head, tail = resolve(triple.head.text), resolve(triple.tail.text)
        relation = relation_key(triple.relation)
        if not head or not tail or head == tail or not relation:
            continue
        pairs = (head, _type_key(triple.head.type)), (tail, _type_key(triple.tail.type))
        for (key, type_), mention in zip(pairs, (triple.head, triple.tail), strict=True):
            reading = names[key][type_]
            reading.passages.add(passage_id)
            surface = " ".join(mention.text.split())  # a name may run over a line's end
            reading.surfaces[surface] = reading.surfaces.get(surface, 0) + 1
        rows.append((pairs[0], relation, pairs[1], document_id, (passage_id, triple.start, triple.end, extractor)))

    entity_of: dict[tuple[str, str], tuple[str, str]] = {}
    entities: dict[tuple[str, str], Entity] = {}
    for key, readings in names.items():
        settled = _settled_types(readings)
        entity_of.update(((key, read), (key, taken)) for read, taken in settled.items())
        for type_ in set(settled.values()):
            surfaces: Counter[str] = Counter()
            for read, taken in settled.items():
                if taken == type_:
                    surfaces.update(readings[read].surfaces)
            entities[key, type_] = _entity(key, type_, surfaces, resolve)

    provenance_of: defaultdict[tuple[tuple[str, str], str, tuple[str, str]], set[tuple[str, int, int, str]]] = (
        defaultdict(set)
    )
    passages_of: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    documents_of: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    for head_pair, relation, tail_pair, document_id, place in rows:
        h, t = entity_of[head_pair], entity_of[tail_pair]
        provenance_of[h, relation, t].add(place)
        schema = h[1], relation, t[1]
        passages_of[schema].add(place[0])
        documents_of[schema].add(document_id)

    schemas = {
        parts: Schema(
            make_id("schema", *parts),
            *parts,
            frequency=len(passages),
            document_frequency=len(documents_of[parts]),
            state="stable" if len(passages) >= threshold else "pending",
        )
        for parts, passages in passages_of.items()
    }
    facts = {}
    for (h, relation, t), places in provenance_of.items():
        schema_ = schemas[h[1], relation, t[1]]
        fact_id = make_id("fact", entities[h].id, relation, entities[t].id)
        state: FactState = "active" if schema_.state == "stable" else "pending"
        if fact_id in superseded[0] or (h[0], relation, t[0]) in superseded[1]:
            state = "superseded"
        ordered = tuple(Provenance(*place) for place in sorted(places))
        facts[fact_id] = Fact(fact_id, entities[h].id, relation, entities[t].id, schema_.id, state, ordered)
    return _Target({e.id: e for e in entities.values()}, {s.id: s for s in schemas.values()}, facts)


def _entity(key: str, type_: str, surfaces: Mapping[str, int], resolve: _Resolver) -> Entity:
    """Name an entity by its most frequent surface form, the first by code points among equals.

    When other names stand for this one, only its own forms count, so that a long form is not called by its
    abbreviation.
    """
    own = surfaces
    if key in resolve.display:
        own = {surface: n for surface, n in surfaces.items() if match_key(surface) == key}
    shown = min(own, key=lambda surface: (-own[surface], surface)) if own else resolve.display[key]
    aliases = tuple(sorted(surface for surface in surfaces if surface != shown))
    return Entity(make_id("entity", key, type_), key, shown, type_, aliases)


@cache
def _type_key(type_: str) -> str:
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", type_).casefold()).strip() or "other"


# --- choosing the threshold -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What one threshold would do: how many facts would be active, their share of all, and how many schemas stable."""

    threshold: int
    active_facts: int
    share: float
    stable_schemas: int


def curve(
    schemas: Iterable[Schema], facts: Iterable[Fact], *, thresholds: Iterable[int] = range(1, 6)
) -> list[CurvePoint]:
    """Return what each threshold would activate. Superseded facts count as facts and never as active ones.

    The share is 0 when there are no facts.
    """
    frequency = {schema.id: schema.frequency for schema in schemas}
    facts = list(facts)
    ranks = [frequency[fact.schema_id] for fact in facts if fact.state != "superseded"]
    points = []
    for threshold in thresholds:
        active = sum(rank >= threshold for rank in ranks)
        stable = sum(count >= threshold for count in frequency.values())
        points.append(CurvePoint(threshold, active, active / len(facts) if facts else 0.0, stable))
    return points


def suggest_threshold(points: Sequence[CurvePoint]) -> int:
    """Return the highest threshold that leaves at least 20 % of the facts active; the lowest when none does."""
    if not points:
        raise InputError("A threshold is suggested from a curve of at least one point.")
    enough = [point.threshold for point in points if point.share >= LOW_SHARE]
    return max(enough) if enough else min(point.threshold for point in points)


def threshold_warning(points: Sequence[CurvePoint], *, threshold: int) -> str:
    """Say that too few facts are active at `threshold`, and what to do; the empty string when all is well.

    `points` must hold the point of `threshold`. A memory without facts gets no warning about its threshold.
    """
    now = next((point for point in points if point.threshold == threshold), None)
    if now is None:
        raise InputError(f"The curve has no point for the threshold {threshold}. Compute it with thresholds=...")
    most = max(points, key=lambda point: point.active_facts)
    if now.share >= LOW_SHARE or not most.active_facts:
        return ""
    text = (
        f"Only {now.share:.1%} of the facts are active at threshold {threshold}; the others are hidden from the graph."
    )
    better = suggest_threshold(points)
    chosen = next(point for point in points if point.threshold == better)
    if chosen.active_facts <= now.active_facts:
        return f"{text} A lower threshold does not help: most facts were superseded."
    return f"{text} Threshold {better} would activate {chosen.share:.1%} ({chosen.active_facts:,} facts)."
