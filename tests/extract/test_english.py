"""English names and facts by rules alone."""

from __future__ import annotations

import pytest

from aira_nb.extract import dependencies_en
from aira_nb.extract.names_en import find_names
from aira_nb.extract.rules_en import find_facts
from aira_nb.extract.verbs_en import base_form
from aira_nb.text.parse import Token
from aira_nb.types import ENTITY_TYPES, Mention


def facts(text: str) -> list[tuple[str, str, str]]:
    triples, _ = find_facts(text, find_names(text))
    for triple in triples:
        assert text[triple.head.start : triple.head.end] == triple.head.text
        assert text[triple.tail.start : triple.tail.end] == triple.tail.text
    return [(t.head.text, t.relation, t.tail.text) for t in triples]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Marie Curie was born in Warsaw.", ("Marie Curie", "born in", "Warsaw")),
        ("Colin Gordon (27 April 1911 – 4 October 1972) was an actor.", ("Colin Gordon", "died in", "4 October 1972")),
        ("BM25 is a ranking function based on TF-IDF.", ("BM25", "is a", "ranking function")),
        ("BM25 is a ranking function based on TF-IDF.", ("BM25", "based on", "TF-IDF")),
        ("The capital of Norway is Oslo.", ("Norway", "capital", "Oslo")),
        ("Oslo is the capital of Norway.", ("Norway", "capital", "Oslo")),
        ("Halvard Strome was director of the Tide Institute.", ("Tide Institute", "director", "Halvard Strome")),
        ("IBM, founded in 1911 by Charles Flint, is based in Armonk.", ("IBM", "founded in", "1911")),
        ("IBM, founded in 1911 by Charles Flint, is based in Armonk.", ("Charles Flint", "found", "IBM")),
        ("GPT-4 was developed by OpenAI.", ("OpenAI", "develop", "GPT-4")),
        ("OpenAI developed GPT-4 in 2023.", ("OpenAI", "develop", "GPT-4")),
        ("OpenAI developed GPT-4 in 2023.", ("GPT-4", "developed in", "2023")),
        ("John Smith, a novelist from Ohio, wrote Dark Rivers.", ("John Smith", "from", "Ohio")),
        ("Harvey Pekar's wife Joyce Brabner is a writer.", ("Harvey Pekar", "wife", "Joyce Brabner")),
        ("RAG-Fusion achieves an F1 of 95.2 % on SQuAD.", ("RAG-Fusion", "F1", "95.2 %")),
        ("RAG-Fusion achieves an F1 of 95.2 % on SQuAD.", ("RAG-Fusion", "evaluated on", "SQuAD")),
        ("On the test split of QuayBench, PTR reaches an F1 of 86.1 %.", ("PTR", "F1", "86.1 %")),
        ("The accuracy of ColBERT on MS MARCO is 0.36.", ("ColBERT", "accuracy", "0.36")),
        ("Brannoch Haven had 3,140 inhabitants.", ("Brannoch Haven", "inhabitants", "3,140 inhabitants")),
        ("Marie Curie is a physicist. She joined the Tide Institute.", ("Marie Curie", "join", "Tide Institute")),
    ],
)
def test_a_clear_sentence_gives_its_fact(text: str, expected: tuple[str, str, str]) -> None:
    """Births, foundings, copulas, roles, agents, measurements and counts are read in one canonical form."""
    assert expected in facts(text)


@pytest.mark.parametrize(
    "text",
    [
        "Marie Curie was not born in Paris.",
        "GPT-4 may outperform OpenAI.",
        "HippoRAG does not use BM25.",
        "The screenplay by Lee Soo-ah won the Grand Prize.",
        "The United States presidential election was held by Congress.",
        "It was built by Apple.",
        "",
    ],
)
def test_what_is_not_stated_gives_nothing(text: str) -> None:
    """Negations, possibilities, subjects that only modify, and pronouns without an antecedent give no fact."""
    assert facts(text) == []


def test_a_pronoun_never_takes_a_topic_of_another_kind() -> None:
    """ "She" does not stand for an organization, nor "It" for a person."""
    assert ("IBM", "join", "Academy") not in facts("IBM is a company. She joined the Academy.")
    assert ("Marie Curie", "join", "Academy") not in facts("Marie Curie is a physicist. It joined the Academy.")


def test_a_capital_at_the_head_of_a_sentence_is_no_name_by_itself() -> None:
    """A word that only its place makes capital is not taken for a name; the same word elsewhere is."""
    assert [m.text for m in find_names("Previous work ignored this. Scientists agree.")] == []
    assert "Ashdyke" in [m.text for m in find_names("Ashdyke joined the Station. We met Ashdyke.")]


def test_types_come_from_the_closed_list_and_agree_inside_a_passage() -> None:
    """Every type is one of ENTITY_TYPES; a surname has the type of the full name before it."""
    names = find_names("Harvey Pekar (born 1939) was a writer. Pekar lived in Cleveland, Ohio, for 30 years.")
    assert {m.type for m in names} <= set(ENTITY_TYPES)
    assert {(m.text, m.type) for m in names} >= {
        ("Harvey Pekar", "person"),
        ("Pekar", "person"),
        ("Ohio", "place"),
        ("1939", "time"),
        ("30 years", "quantity"),
    }


@pytest.mark.parametrize(
    ("past", "base"),
    [
        ("directed", "direct"),
        ("produced", "produce"),
        ("wrote", "write"),
        ("studied", "study"),
        ("stopped", "stop"),
        ("founded", "found"),
    ],
)
def test_the_base_form_of_a_past_form(past: str, base: str) -> None:
    """Regular and irregular past forms lead to one base form, so that relations meet."""
    assert base_form(past) == base


def _token(start: int, text: str, dep: str, head: int, pos: str = "", tag: str = "", lemma: str = "") -> Token:
    return Token(start, start + len(text), text, lemma or text, pos, tag, "", dep, head)


def test_a_parse_gives_facts_through_its_dependencies() -> None:
    """Subject, verb and agent of a parsed passive clause are a fact with the agent at its head; a negated one is none."""
    text = "Machete was released by Fox"
    tokens = [
        _token(0, "Machete", "nsubjpass", 2, "PROPN"),
        _token(8, "was", "auxpass", 2, "AUX"),
        _token(12, "released", "ROOT", 2, "VERB", "VBN", "release"),
        _token(21, "by", "agent", 2, "ADP"),
        _token(24, "Fox", "pobj", 3, "PROPN"),
    ]
    names = [Mention(0, 7, "Machete", "work"), Mention(24, 27, "Fox", "organization")]
    found = dependencies_en.find_facts(tokens, names, (0, len(text)))
    assert [(f.head.text, f.relation, f.tail.text) for f in found] == [("Fox", "release", "Machete")]
    negated = [*tokens, _token(11, "not", "neg", 2, "PART")]
    assert dependencies_en.find_facts(negated, names, (0, len(text))) == []
