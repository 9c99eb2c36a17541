"""Facts from English dependency parses (ClearNLP labels, as spaCy's English pipelines give them).

Used beside the surface rules where a pipeline is installed: it reaches clauses that the rules do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aira_nb.extract.predicates_en import DATED
from aira_nb.text.parse import Token
from aira_nb.types import Mention, Triple

__all__ = ["LABELS", "find_facts"]

LABELS = {
    "PERSON": "person",
    "ORG": "organization",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "EVENT": "event",
    "WORK_OF_ART": "work",
}
"""spaCy's entity labels that our closed list of types has a word for."""

_SUBJECTS = ("nsubj", "nsubjpass")
_HOLLOW = frozenset(
    "be have do say go get make take come call see know include become help report announce describe".split()
)
_PREPOSITIONS = frozenset("in on at from to for with as near into by under against".split())


def find_facts(tokens: Sequence[Token], names: Sequence[Mention], span: tuple[int, int]) -> list[Triple]:
    """Return the facts between names in one parsed sentence.

    Parameters
    ----------
    tokens : sequence of Token
        With offsets into the passage.
    names : sequence of Mention
        The mentions inside the sentence.
    span : (int, int)
        The sentence.
    """
    home = {i: name for name in names for i, t in enumerate(tokens) if name.start <= t.start and t.end <= name.end}
    children: dict[int, list[int]] = {}
    for i, token in enumerate(tokens):
        if token.head != i:
            children.setdefault(token.head, []).append(i)
    facts: list[Triple] = []
    for i, token in enumerate(tokens):
        if token.pos != "VERB" or not _stated(tokens, children, i):
            continue
        subject, passive = _subject(tokens, children, home, i)
        if subject is None or subject.type in ("time", "quantity"):
            continue
        for relation, tail, swapped in _objects(tokens, children, home, i, passive):
            head, end = (tail, subject) if swapped else (subject, tail)
            if head.text != end.text and head.type not in ("time", "quantity"):
                facts.append(Triple(head, relation, end, *span))
    return facts


def _stated(tokens: Sequence[Token], children: dict[int, list[int]], i: int) -> bool:
    below = [tokens[k] for k in children.get(i, ())]
    return (
        not any(t.dep in ("neg", "mark") or t.tag == "MD" for t in below)
        and tokens[i].lemma not in _HOLLOW
        and tokens[i].lemma.isalpha()
    )


def _subject(
    tokens: Sequence[Token], children: dict[int, list[int]], home: dict[int, Mention], i: int
) -> tuple[Mention | None, bool]:
    """The verb's subject, its own or that of the verb it is coordinated with, and whether the verb is passive."""
    passive = any(tokens[k].dep in ("nsubjpass", "auxpass") for k in children.get(i, ()))
    seen = set()
    k = i
    while k not in seen:
        seen.add(k)
        for child in children.get(k, ()):
            if tokens[child].dep in _SUBJECTS:
                return _whole(tokens, children, home, child), passive
        if tokens[k].dep == "conj" and tokens[tokens[k].head].pos in ("VERB", "AUX"):
            k = tokens[k].head
        elif tokens[k].dep == "acl" and tokens[k].tag == "VBN":
            above = tokens[tokens[tokens[k].head].head]
            if tokens[tokens[k].head].dep == "pobj" and above.lemma in ("by", "of"):
                # "a novel by Mark Twain published in 1873": the novel was published.
                return None, passive
            return _whole(tokens, children, home, tokens[k].head), True
        else:
            break
    return None, passive


def _whole(tokens: Sequence[Token], children: dict[int, list[int]], home: dict[int, Mention], i: int) -> Mention | None:
    """The name that the phrase under token `i` is: its head token must be the name's last, and nothing be of it."""
    name = home.get(i)
    if name is None or any(tokens[k].dep == "prep" and tokens[k].lemma == "of" for k in children.get(i, ())):
        return None
    return name if tokens[i].end == name.end or tokens[i].dep in ("pobj", "dobj", *_SUBJECTS, "conj") else None


def _objects(
    tokens: Sequence[Token], children: dict[int, list[int]], home: dict[int, Mention], i: int, passive: bool
) -> Iterator[tuple[str, Mention, bool]]:
    verb = tokens[i]
    direct = False
    for k in children.get(i, ()):
        child = tokens[k]
        if child.dep in ("dobj", "oprd") and not passive:
            direct = True
            for name in _conjoined(tokens, children, home, k):
                if name.type not in ("time", "quantity"):
                    yield verb.lemma, name, False
    for k in children.get(i, ()):
        child = tokens[k]
        if child.dep == "agent":
            for j in children.get(k, ()):
                for name in _conjoined(tokens, children, home, j):
                    yield verb.lemma, name, True
        elif child.dep == "prep" and child.lemma in _PREPOSITIONS and not direct:
            for j in children.get(k, ()):
                for name in _conjoined(tokens, children, home, j) if tokens[j].dep == "pobj" else ():
                    if name.type == "quantity" or (name.type == "time" and not passive and verb.lemma not in DATED):
                        continue
                    preposition = "in" if name.type == "time" and child.lemma in ("on", "at") else child.lemma
                    yield f"{verb.text if passive else verb.lemma} {preposition}", name, False


def _conjoined(
    tokens: Sequence[Token], children: dict[int, list[int]], home: dict[int, Mention], i: int
) -> Iterator[Mention]:
    name = _whole(tokens, children, home, i)
    if name is None:
        return
    yield name
    for k in children.get(i, ()):
        if tokens[k].dep == "conj":
            yield from _conjoined(tokens, children, home, k)
