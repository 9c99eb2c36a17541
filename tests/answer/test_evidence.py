from __future__ import annotations

import dataclasses
import string
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aira_nb.answer import evidence_answer
from aira_nb.errors import InputError
from aira_nb.types import Answer, Document, Passage, Ranking, Region, ScoredPassage

Hits = list[tuple[ScoredPassage, Passage, Document]]
MakeHits = Callable[..., Hits]


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("Who designed the Tidewater Lighthouse?", "Edith Fennimore"),
        ("When was Edith Fennimore born?", "8 October 1839"),
        ("How many metres tall is the Tidewater Lighthouse?", "41"),
        ("When was the designer of the Tidewater Lighthouse born?", "8 October 1839"),
        ("Who was born first, Edith Fennimore or Gustav Ollerton?", "Edith Fennimore"),
        ("Between Edith Fennimore and Gustav Ollerton, who is younger?", "Gustav Ollerton"),
        ("Who lived longer, Edith Fennimore or Gustav Ollerton?", "Gustav Ollerton"),
        ("Which is a painter, Edith Fennimore or Gustav Ollerton?", "Gustav Ollerton"),
        ("Are Edith Fennimore and Gustav Ollerton both painters?", "no"),
    ],
)
def test_a_short_answer_is_given_in_english(world: Hits, question: str, span: str) -> None:
    """Who, when, how many, which of two and yes-no questions get their short answer, over one hop and two."""
    answer = evidence_answer(question, world)
    assert answer.status == "answered"
    assert answer.span == span


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("霧島灯台の設計者は誰ですか？", "桐谷蔵人"),
        ("霧島灯台の設計者の出身地はどこですか？", "若狭町"),
        ("霧島灯台の高さは何メートルですか？", "41メートル"),
        ("桐谷蔵人と大槻砥石、先に生まれたのはどちらですか？", "桐谷蔵人"),
        ("桐谷蔵人と大槻砥石で画家なのはどちら？", "大槻砥石"),
        ("桐谷蔵人と大槻砥石はどちらも画家ですか？", "no"),
        ("桐谷蔵人と大槻砥石、年上なのは桐谷蔵人ですか？", "yes"),
    ],
)
def test_a_short_answer_is_given_in_japanese(world_ja: Hits, question: str, span: str) -> None:
    """誰・どこ・何メートル・どちら・ですか are answered, with era years compared by their date."""
    answer = evidence_answer(question, world_ja)
    assert answer.status == "answered"
    assert answer.language == "ja"
    assert answer.span == span


def test_the_short_answer_is_highlighted_in_a_cited_sentence(world: Hits) -> None:
    """The short answer's characters are a highlight of one of the answer's sentences."""
    answer = evidence_answer("Who designed the Tidewater Lighthouse?", world)
    shown = [s.text[start:end] for s in answer.sentences for start, end in s.highlights]
    assert shown == ["Edith Fennimore"]


def test_both_sides_of_a_comparison_are_cited(world: Hits) -> None:
    """A comparison cites the sentence about each side and highlights the value that decided."""
    answer = evidence_answer("Who was born first, Edith Fennimore or Gustav Ollerton?", world)
    assert [citation.title for citation in answer.citations] == ["Edith Fennimore", "Gustav Ollerton"]
    shown = [s.text[start:end] for s in answer.sentences for start, end in s.highlights]
    assert shown == ["8 October 1839", "24 March 1852"]


def test_the_second_hop_follows_the_first(world: Hits) -> None:
    """The passage that the first hop names comes after it, whatever the retrieval order."""
    question = "When was the designer of the Tidewater Lighthouse born?"
    for order in (world, world[::-1]):
        titles = [citation.title for citation in evidence_answer(question, order).citations]
        assert titles.index("Tidewater Lighthouse") < titles.index("Edith Fennimore")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who designed the Zanzibar Obelisk?", 'No retrieved passage mentions "Zanzibar Obelisk".'),
        ("What do whales eat in winter?", "do not hold enough"),
        ("ザモリアスの塔の設計者は誰ですか？", "「ザモリアス」への言及がありません"),
    ],
)
def test_a_question_without_support_is_not_answered(world: Hits, world_ja: Hits, question: str, words: str) -> None:
    """A missing name or too little coverage is "not found", said in the question's language, with what was consulted."""
    answer = evidence_answer(question, world + world_ja)
    assert answer.status == "not_found"
    assert answer.span is None
    assert answer.sentences == ()
    assert answer.citations == ()
    assert len(answer.consulted) == 5
    assert any(words in note for note in answer.notes)


def test_no_hits_is_not_found() -> None:
    """A question for which nothing was retrieved is not found, and says so."""
    answer = evidence_answer("Who designed the lighthouse?", [])
    assert answer.status == "not_found"
    assert answer.notes == ("No passage was retrieved for this question.",)


def test_a_why_question_has_no_short_answer(world: Hits) -> None:
    """A type that allows no short answer gets sentences only."""
    answer = evidence_answer("Why was the Tidewater Lighthouse designed by an engineer?", world)
    assert answer.status == "answered"
    assert answer.span is None


def test_silence_is_not_a_no(make_hits: MakeHits) -> None:
    """A passage that only mentions a side and is silent about the property does not make the answer "no"."""
    hits = make_hits(("Regatta", "Ann Ash and Bea Birch met at the regatta. Ann Ash is a sailor."))
    answer = evidence_answer("Are Ann Ash and Bea Birch both sailors?", hits)
    assert answer.span is None


def test_numbers_of_unlike_things_are_not_compared(make_hits: MakeHits) -> None:
    """Ten per cent and 126 people do not decide which is larger; the answer stays open and says so."""
    hits = make_hits(
        {"title": "赤島", "text": "赤島の人口は126人。", "language": "ja"},
        {"title": "青島", "text": "青島の人口は島全体の10%。", "language": "ja"},
    )
    answer = evidence_answer("赤島と青島、人口が多いのはどちらですか？", hits)
    assert answer.status == "answered"
    assert answer.span is None
    assert any("比較" in note for note in answer.notes)


def test_equal_sentences_are_shown_once(make_hits: MakeHits) -> None:
    """A sentence that two passages share is not repeated."""
    text = "The harbour bell was cast by Otto Quarrie in 1787."
    answer = evidence_answer("Who cast the harbour bell?", make_hits(("Bell", text), ("Chronicle", text)))
    assert [s.text for s in answer.sentences] == [text]


def test_a_sentence_is_preferred_to_a_heading_and_a_table_row(make_hits: MakeHits) -> None:
    """Neither a heading nor a row of figures is chosen while a sentence is there."""
    text = "Harbour bell\n\nHarbour bell | 1787 | 41 | 12 | 9\n\nThe harbour bell was cast by Otto Quarrie."
    hits = make_hits({"title": "Harbour", "text": text, "section": ("Harbour bell",)})
    answer = evidence_answer("Who cast the harbour bell?", hits)
    assert [s.text for s in answer.sentences] == ["The harbour bell was cast by Otto Quarrie."]


def test_a_table_of_contents_is_not_an_answer(make_hits: MakeHits) -> None:
    """The lines of a table of contents are not chosen while another passage states something."""
    contents = {
        "title": "Report",
        "text": "2.1 Who cast the harbour bell of Castleby and when …",
        "section": ("Contents",),
    }
    answer = evidence_answer(
        "Who cast the harbour bell?", make_hits(contents, ("Bells", "The harbour bell was cast by Otto Quarrie."))
    )
    assert [c.title for c in answer.citations] == ["Bells"]


def test_a_language_barrier_is_named(make_hits: MakeHits) -> None:
    """When nothing matches because the passages are in the other language, a note says so."""
    hits = make_hits({"title": "灯台", "text": "灯台の設計者は桐谷蔵人である。", "language": "ja"})
    answer = evidence_answer("Which engineer drew the plans of the tower?", hits)
    assert answer.status == "not_found"
    assert any("Ask in Japanese" in note for note in answer.notes)


def test_a_very_long_sentence_is_cut_to_a_clause(make_hits: MakeHits) -> None:
    """A sentence over 400 characters is cut around the answer, and the quote stays an exact piece of the passage."""
    filler = ", ".join(f"the {word} was painted in the spring of that year by hand" for word in string.ascii_lowercase)
    text = f"In the old days {filler}, the harbour bell was cast by Otto Quarrie, {filler}."
    hits = make_hits(("Harbour", text))
    answer = evidence_answer("Who cast the harbour bell?", hits)
    quote = answer.citations[0].quote
    assert len(quote) <= 400
    assert quote in text
    assert "the harbour bell was cast by Otto Quarrie" in quote


def test_the_page_is_the_one_on_which_the_quote_begins(make_hits: MakeHits) -> None:
    """Page and boxes come from the passage's regions under the quote, the page from where the quote begins."""
    first = "The harbour is deep. "
    second = "The harbour bell was cast by Otto Quarrie in the old foundry."
    cut = len(first) + 20
    regions = (
        Region(0, cut, 3, 10.0, 20.0, 200.0, 30.0),
        Region(cut, len(first + second), 4, 10.0, 20.0, 200.0, 30.0),
    )
    hits = make_hits({"title": "Harbour", "text": first + second, "regions": regions})
    citation = evidence_answer("Who cast the harbour bell?", hits, max_sentences=1).citations[0]
    assert citation.quote == second
    assert citation.page == 3
    assert [region.page for region in citation.regions] == [3, 4]


def test_a_format_without_pages_has_no_page(world: Hits) -> None:
    """Without regions the page is None, never a guess."""
    answer = evidence_answer("Who designed the Tidewater Lighthouse?", world)
    assert {citation.page for citation in answer.citations} == {None}


def test_the_ranking_is_carried_along(world: Hits) -> None:
    """The ranking that led to the hits is part of the answer."""
    ranking = Ranking("q", "aira", tuple(hit for hit, _, _ in world))
    assert evidence_answer("Who designed the Tidewater Lighthouse?", world, ranking=ranking).ranking is ranking


def test_a_slip_of_the_pen_in_a_name_is_forgiven(world: Hits) -> None:
    """One wrong letter in a name of the question does not make the corpus seem empty."""
    assert evidence_answer("When was Edith Fenimore born?", world).span == "8 October 1839"


@pytest.mark.parametrize(("question", "limit"), [("  ", 4), ("Who?", 0)])
def test_unusable_input_is_refused(world: Hits, question: str, limit: int) -> None:
    """An empty question and a limit below one raise InputError."""
    with pytest.raises(InputError):
        evidence_answer(question, world, max_sentences=limit)


WORDS = st.sampled_from(
    "The lighthouse bell Ann Ash Otto Quarrie cast 1787 8 October 1939 harbour is was born in York . . , ( ) | 41 metres "
    "who ( designed [ 灯台 の 設計者 は 桐谷蔵人 。 である 1939年 若狭町 『塩の道』 ． ー 🗼 \u202e \x00 \n\n".split(
        " "
    )
)
TEXTS = st.lists(WORDS, min_size=1, max_size=60).map(" ".join)
QUESTIONS = st.one_of(
    TEXTS,
    st.sampled_from(
        [
            "Who cast the harbour bell?",
            "Who was born first, Ann Ash or Otto Quarrie?",
            "Are Ann Ash and Otto Quarrie both born in York?",
            "灯台の設計者は誰ですか？",
            "桐谷蔵人と灯台、先に生まれたのはどちらですか？",
        ]
    ),
)


@settings(max_examples=150, deadline=None)
@given(question=QUESTIONS, texts=st.lists(TEXTS, min_size=0, max_size=4), limit=st.integers(1, 5))
def test_every_citation_is_true(question: str, texts: list[str], limit: int) -> None:
    """Whatever the input: quotes are exact, marks map to citations, numbers run from 1, highlights lie inside."""
    passages = {}
    hits = []
    for i, text in enumerate(texts):
        language: Any = "ja" if i % 2 else "en"
        document = Document(f"d{i}", f"s{i}", "0" * 64, "txt", f"Title {i} (x)", language)
        regions = (Region(0, max(1, len(text) // 2), i + 1, 0.0, 0.0, 9.0, 9.0),)
        passages[f"p{i}"] = Passage(f"p{i}", f"d{i}", 0, text, 0, len(text), language, (), regions)
        hits.append((ScoredPassage(f"p{i}", 1.0), passages[f"p{i}"], document))
    if not question.strip():
        return
    answer: Answer = evidence_answer(question, hits, max_sentences=limit)
    for group in (answer.citations, answer.consulted):
        assert [citation.number for citation in group] == list(range(1, len(group) + 1))
        for citation in group:
            passage = passages[citation.passage_id]
            assert passage.text[citation.start : citation.end] == citation.quote
            assert citation.regions == passage.regions_of(citation.start, citation.end)
    known = {citation.number for citation in answer.citations}
    for sentence in answer.sentences:
        assert sentence.citations
        assert set(sentence.citations) <= known
        assert all(0 <= start < end <= len(sentence.text) for start, end in sentence.highlights)
    assert len(answer.sentences) <= limit
    assert (answer.status == "answered") == bool(answer.sentences)
    assert str(answer)
    assert answer.to_json()
    assert "<script" not in answer._repr_html_()


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("What is Tide Walk?", "a method of ranking gauges"),
        ("What does TW stand for?", "Tide Walk"),
        ("潮歩きとは何ですか？", "検潮所を順位づける手法"),
    ],
)
def test_a_definition_is_taken_from_the_sentence_that_defines(make_hits: MakeHits, question: str, span: str) -> None:
    """What a thing is, or an abbreviation stands for, comes from the sentence that defines it."""
    hits = make_hits(
        ("Tide Walk", "Tide Walk was tested in 1987. Tide Walk (TW) is a method of ranking gauges."),
        {
            "title": "潮歩き",
            "text": "潮歩きは1987年に試された。潮歩きとは、検潮所を順位づける手法である。",
            "language": "ja",
        },
    )
    assert evidence_answer(question, hits).span == span


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("From when to when did Ann Ash live in York?", "from 1978 to 1999"),
        ("秋野葵が若狭町に住んだのは何年から何年までですか？", "1978年から1999年まで"),
        ("From when to when did Bea Birch live in York?", None),
    ],
)
def test_a_stretch_of_time_has_both_ends(make_hits: MakeHits, question: str, span: str | None) -> None:
    """From when to when is answered with both ends or not at all."""
    hits = make_hits(
        ("Ann Ash", "Ann Ash lived in York from 1978 to 1999."),
        ("Bea Birch", "Bea Birch lived in York in 1981."),
        {"title": "秋野葵", "text": "秋野葵は1978年から1999年まで若狭町に住んだ。", "language": "ja"},
    )
    assert evidence_answer(question, hits).span == span


def test_a_question_in_the_text_is_no_answer(make_hits: MakeHits) -> None:
    """No short answer comes from a sentence that asks."""
    hits = make_hits({"title": "鐘", "text": "港の鐘を鋳造したのは桐谷蔵人か。港の鐘は大きい。", "language": "ja"})
    assert evidence_answer("港の鐘を鋳造したのは誰ですか？", hits).span is None


def test_the_authors_are_those_of_the_document(make_hits: MakeHits) -> None:
    """Who wrote a paper is answered with the byline of the document that the question means."""
    (score, text, document), *_ = make_hits(
        ("Tide Walk in Practice", "Tide Walk in Practice\nAnn Ash, Bea Birch\nTides.")
    )
    document = dataclasses.replace(document, authors=("Ann Ash", "Bea Birch"))
    answer = evidence_answer("Who is the author of the paper on Tide Walk?", [(score, text, document)])
    assert answer.citations[0].quote == "Ann Ash, Bea Birch"


@pytest.mark.parametrize("question", ["?", "a", "。"])
def test_a_question_without_words_is_not_found(world: Hits, question: str) -> None:
    """One letter or a mark is no question: nothing is found, and a note says to ask in words."""
    answer = evidence_answer(question, world)
    assert answer.status == "not_found"
    assert len(answer.notes) == 1


def test_a_question_is_text(world: Hits) -> None:
    """Something other than text raises InputError."""
    with pytest.raises(InputError, match="not int"):
        evidence_answer(7, world)  # type: ignore[arg-type]


def test_a_number_is_marked_with_its_sign(make_hits: MakeHits) -> None:
    """The minus of a negative number belongs to the short answer and to its highlight."""
    answer = evidence_answer(
        "How many degrees is the water of the harbour?",
        make_hits(("Harbour", "The water of the harbour is -4 degrees.")),
    )
    assert answer.span is not None
    assert answer.span.startswith("-4")
    start, end = answer.sentences[0].highlights[0]
    assert answer.sentences[0].text[start:end] == answer.span
