from __future__ import annotations

import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from aira_nb.render import answer_html, answer_markdown, answer_text, ranking_html, to_dict
from aira_nb.render.clean import width_of
from aira_nb.types import (
    Answer,
    AnswerSentence,
    Citation,
    Mention,
    Ranking,
    Region,
    ScoredPassage,
    Signal,
)

GOLDEN = Path(__file__).parent / "data" / "render"


def citation(number: int = 1, **changes: object) -> Citation:
    base = Citation(
        number=number,
        passage_id="p1",
        document_id="d1",
        title="Tidewater Lighthouse",
        source="papers/lighthouse.pdf",
        section=("2 History", "2.1 Builders"),
        page=3,
        regions=(Region(0, 45, 3, 72.0, 100.5, 300.0, 112.25),),
        quote="It was designed by Edith Fennimore in 1867.",
        start=10,
        end=53,
    )
    return dataclasses.replace(base, **changes)  # type: ignore[arg-type]


ANSWER = Answer(
    question="Who designed the lighthouse?",
    language="en",
    status="answered",
    mode="evidence",
    sentences=(AnswerSentence("It was designed by Edith Fennimore in 1867.", (1,), ((19, 34),)),),
    citations=(citation(),),
    span="Edith Fennimore",
    notes=("The dense leg is off.",),
    ranking=Ranking(
        "Who designed the lighthouse?",
        "aira",
        (ScoredPassage("p1", 0.5, (Signal("bm25", 1, 7.25), Signal("graph", None, 0.0))),),
        {"titles": {"p1": "Tidewater Lighthouse"}},
    ),
)
ANSWER_JA = Answer(
    question="灯台の設計者は誰ですか？",
    language="ja",
    status="answered",
    mode="evidence",
    sentences=(AnswerSentence("設計者は桐谷蔵人である。", (1,), ((4, 8),)),),
    citations=(citation(title="霧島灯台", section=("1 沿革",), quote="設計者は桐谷蔵人である。"),),
    span="桐谷蔵人",
)
NOT_FOUND = Answer(
    question="Who?",
    language="en",
    status="not_found",
    mode="evidence",
    consulted=(citation(page=None, section=()),),
    notes=('No retrieved passage mentions "Zanzibar".',),
)
HOSTILE = "<img src=x onerror=alert(1)>\"'&\u202egnp.exe\x1b[31m\x00\ud800"


class Checker(HTMLParser):
    """Collects what a browser would build."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.styles = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), f"event handler {name}"
            assert name not in ("src", "style"), name
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            self.styles += data


def check(html: str) -> Checker:
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == [], "unbalanced HTML"
    assert not {"script", "img", "iframe", "link", "object", "svg"} & set(checker.tags)
    assert "url(" not in checker.styles
    assert "@import" not in checker.styles
    html.encode("utf-8")
    return checker


@pytest.mark.parametrize(("name", "record"), [("answer", ANSWER), ("citation", citation())])
def test_json_is_the_agreed_form(name: str, record: object) -> None:
    """The JSON of an Answer and of a Citation is the form that the panel and the widgets read."""
    golden = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(to_dict(record))) == golden


def test_to_json_keeps_japanese_readable() -> None:
    """to_json writes Japanese as it is and parses back to to_dict."""
    text = ANSWER_JA.to_json()
    assert "桐谷蔵人" in text
    assert json.loads(text) == ANSWER_JA.to_dict()


def test_to_dict_makes_plain_values() -> None:
    """numpy values become plain ones, NaN becomes None, and a record's own type field does not hide its name."""
    ranking = Ranking(
        "q", "x", (), {"vector": np.array([1.0, 2.0], dtype=np.float32), "n": np.int64(3), "nan": float("nan")}
    )
    assert to_dict(ranking)["trace"] == {"vector": [1.0, 2.0], "n": 3, "nan": None}
    assert to_dict(Mention(0, 3, "Ann", "person")) == {
        "type": "Mention",
        "start": 0,
        "end": 3,
        "text": "Ann",
        "entity_type": "person",
    }
    with pytest.raises(TypeError, match="takes a record"):
        to_dict({"a": 1})
    with pytest.raises(TypeError, match="no JSON form"):
        to_dict(Ranking("q", "x", (), {"bad": object()}))


@pytest.mark.parametrize("answer", [ANSWER, ANSWER_JA, NOT_FOUND], ids=["en", "ja", "not found"])
def test_every_mark_leads_to_a_quote(answer: Answer) -> None:
    """Each [n] links to an element of the same fragment, and each id occurs once."""
    checker = check(answer_html(answer))
    assert len(set(checker.ids)) == len(checker.ids) == len(answer.citations) + len(answer.consulted)
    assert {link.removeprefix("#") for link in checker.links} <= set(checker.ids)
    assert len(checker.links) == sum(len(s.citations) for s in answer.sentences)


def test_two_displays_do_not_share_ids() -> None:
    """The same answer shown twice has different ids, so that each mark leads to its own quote."""
    one, other = check(answer_html(ANSWER)), check(answer_html(ANSWER))
    assert not set(one.ids) & set(other.ids)
    assert answer_html(ANSWER, anchor="x") == answer_html(ANSWER, anchor="x")


def test_the_html_shows_span_highlight_place_quote_and_notes() -> None:
    """Short answer, highlighted words, title, section path, page, quote and notes are in the HTML."""
    html = answer_html(ANSWER)
    assert '<p class="aira-span"><span class="aira-where">Answer:</span> <bdi>Edith Fennimore</bdi></p>' in html
    assert "<mark>Edith Fennimore</mark>" in html
    assert "2 History › 2.1 Builders" in html
    assert "p. 3" in html
    assert "<blockquote><bdi>It was designed by Edith Fennimore in 1867.</bdi></blockquote>" in html
    assert "The dense leg is off." in html


def test_labels_follow_the_question_language() -> None:
    """A Japanese question gets Japanese labels, in HTML, text and Markdown; yes and no too."""
    for shown in (answer_html(ANSWER_JA), answer_text(ANSWER_JA), answer_markdown(ANSWER_JA)):
        assert "出典" in shown
        assert "3ページ" in shown
        assert "Sources" not in shown
    yes = dataclasses.replace(ANSWER_JA, span="yes")
    assert "はい" in answer_html(yes)
    assert "答え: はい" in answer_text(yes)
    assert "Answer: Yes" in answer_text(dataclasses.replace(ANSWER, span="yes"))
    missing = dataclasses.replace(NOT_FOUND, language="ja")
    assert "コーパスの中に見つかりませんでした" in missing.text
    assert "The corpus does not hold an answer" in NOT_FOUND.text


def hostile_answer() -> Answer:
    bad = citation(title=HOSTILE, section=(HOSTILE,), quote=HOSTILE, source=HOSTILE)
    return dataclasses.replace(
        ANSWER,
        sentences=(AnswerSentence(HOSTILE, (1,), ((0, 4),)),),
        citations=(bad,),
        span=HOSTILE,
        notes=(HOSTILE,),
    )


def test_hostile_strings_are_escaped_and_isolated() -> None:
    """Tags, quotes, direction overrides and control characters in documents do nothing in the HTML."""
    html = answer_html(hostile_answer())
    check(html)
    assert "<img" not in html
    assert "\x1b" not in html
    assert "\x00" not in html
    for match in re.finditer("\u202e", html):
        assert html.rfind("<bdi>", 0, match.start()) > html.rfind("</bdi>", 0, match.start())


def test_hostile_strings_do_not_reach_the_terminal() -> None:
    """Escape sequences and direction overrides are taken out of text; Markdown shows tags instead of making them."""
    for shown in (answer_text(hostile_answer()), answer_markdown(hostile_answer())):
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)
    assert "<img" not in answer_markdown(hostile_answer())


def test_a_megabyte_is_cut_with_a_count() -> None:
    """Very long strings are cut, and the display says how many characters are left out."""
    big = "x" * 1_000_000
    answer = dataclasses.replace(
        ANSWER,
        sentences=(AnswerSentence(big, (1,)),),
        citations=(citation(title=big, quote=big),),
        span=big,
        notes=(big,),
    )
    for shown in (answer_html(answer), answer_text(answer), answer_markdown(answer)):
        assert len(shown) < 30_000
        assert "(+998,000 characters)" in shown.replace("\n", " ").replace("      ", "")


def test_text_keeps_to_the_width_in_both_languages() -> None:
    """No line of the text form is wider than asked, with full-width characters counting two columns."""
    long = dataclasses.replace(
        ANSWER_JA, citations=(citation(title="霧島灯台", quote="設計者は桐谷蔵人である。" * 20),)
    )
    for answer in (ANSWER, long):
        # A line may take one closing mark too many rather than begin a line with it.
        assert max(width_of(line) for line in answer_text(answer, width=60).splitlines()) <= 62


def test_a_sentence_without_source_is_marked() -> None:
    """A sentence that no citation supports says so instead of looking supported."""
    answer = dataclasses.replace(ANSWER, sentences=(AnswerSentence("Unsupported.", ()),))
    assert "Unsupported. [no source]" in answer.text
    assert "[no source]" in answer_html(answer)


def test_a_mark_without_a_citation_is_no_link() -> None:
    """A number that has no citation is shown without a link that would lead nowhere."""
    answer = dataclasses.replace(ANSWER, sentences=(AnswerSentence("Odd.", (7,)),))
    assert check(answer_html(answer)).links == []


def test_text_property_has_marks() -> None:
    """Answer.text is the sentences with their numbers."""
    assert ANSWER.text == "It was designed by Edith Fennimore in 1867. [1]"
    assert ANSWER_JA.text == "設計者は桐谷蔵人である。[1]"


def test_notebook_bundle() -> None:
    """The MIME bundle offers text, HTML and Markdown and honours include and exclude."""
    assert set(ANSWER._repr_mimebundle_()) == {"text/plain", "text/html", "text/markdown"}
    assert set(ANSWER._repr_mimebundle_(include=["text/html"])) == {"text/html"}
    assert set(ANSWER._repr_mimebundle_(exclude=["text/html"])) == {"text/plain", "text/markdown"}


def test_answer_frame_has_one_row_for_each_citation() -> None:
    """to_frame lists number, title, page, section, quote, source and passage id."""
    frame = ANSWER.to_frame()
    assert frame.loc[0, ["number", "title", "page", "section"]].tolist() == [
        1,
        "Tidewater Lighthouse",
        3,
        "2 History › 2.1 Builders",
    ]
    assert {"quote", "source", "passage_id"} <= set(frame.columns)
    assert NOT_FOUND.to_frame()["role"].tolist() == ["consulted"]
    assert NOT_FOUND.to_frame()["page"].isna().all()
    assert dataclasses.replace(ANSWER, citations=()).to_frame().empty


def test_ranking_explains_each_signal() -> None:
    """explain() shows rank and score of each signal for each hit, and a dash where a signal did not rank it."""
    assert ANSWER.ranking is not None
    head, *lines = ANSWER.ranking.explain().splitlines()
    assert head == "aira: Who designed the lighthouse? (1 hits)"
    assert lines[0].split() == ["rank", "score", "bm25", "graph", "passage", "title"]
    assert lines[1].split() == ["1", "0.5000", "#1", "7.2500", "-", "0.0000", "p1", "Tidewater", "Lighthouse"]
    html = ranking_html(ANSWER.ranking)
    check(html)
    assert "#1 (7.2500)" in html


def test_ranking_frame_and_dict() -> None:
    """A ranking's table has a rank and a score column for each signal; its dictionary names its type."""
    assert ANSWER.ranking is not None
    frame = ANSWER.ranking.to_frame()
    assert frame.columns.tolist() == [
        "rank", "passage_id", "title", "score", "bm25 rank", "bm25 score", "graph rank", "graph score",
    ]  # fmt: skip
    assert frame.loc[0, "bm25 rank"] == 1
    assert frame["graph rank"].isna().all()
    assert ANSWER.ranking.to_dict()["type"] == "Ranking"
    assert Ranking("q", "bm25", ()).to_frame().empty
    assert "(0 hits)" in str(Ranking("q", "bm25", ()))


def test_a_hostile_ranking_is_escaped() -> None:
    """Queries, ids and titles of a ranking are escaped as an answer's strings are."""
    ranking = Ranking(
        HOSTILE, HOSTILE, (ScoredPassage(HOSTILE, 1.0, (Signal(HOSTILE, 1, 1.0),)),), {"titles": {HOSTILE: HOSTILE}}
    )
    check(ranking_html(ranking))
    assert "\x1b" not in ranking.explain()


def test_a_quote_that_crosses_pages_names_them_all() -> None:
    """A quote on two pages says so in text, HTML and the table, and the citation's page stays the first."""
    regions = (Region(0, 5, 1, 0.0, 0.0, 9.0, 9.0), Region(5, 9, 2, 0.0, 0.0, 9.0, 9.0))
    crossing = dataclasses.replace(ANSWER.citations[0], page=1, regions=regions)
    english = dataclasses.replace(ANSWER, citations=(crossing,))
    japanese = dataclasses.replace(ANSWER_JA, citations=(crossing,))
    assert "pp. 1–2" in answer_text(english)
    assert "pp. 1–2" in answer_html(english)
    assert "1〜2ページ" in answer_text(japanese)
    assert "1〜2ページ" in answer_html(japanese)
    frame = english.to_frame()
    assert frame.loc[0, ["page", "pages"]].tolist() == [1, "pp. 1–2"]


def test_not_found_hints_at_two_passages() -> None:
    """What was consulted in vain is hinted at: two passages, a line or two of each."""
    consulted = tuple(
        dataclasses.replace(NOT_FOUND.consulted[0], number=n, quote=f"begin{n} " + "word " * 80) for n in (1, 2, 3)
    )
    shown = answer_text(dataclasses.replace(NOT_FOUND, consulted=consulted))
    assert "begin2" in shown
    assert "begin3" not in shown
    assert shown.count("…") == 2


def test_a_ranking_shows_where_its_hits_stand() -> None:
    """With places in the trace, a ranking shows title, page and the passage's beginning."""
    places = {"p1": {"title": "Tide Walk", "pages": [2, 3], "text": "The walk " * 60, "source": "t.pdf"}}
    ranking = Ranking("q", "aira", (ScoredPassage("p1", 1.0), ScoredPassage("p2", 0.5)), {"places": places})
    for shown in (str(ranking), ranking_html(ranking)):
        assert "Tide Walk" in shown
        assert "pp. 2–3" in shown
        assert "The walk The walk" in shown
        assert "…" in shown
    frame = ranking.to_frame()
    assert frame.loc[0, ["title", "pages"]].tolist() == ["Tide Walk", "pp. 2–3"]
    assert frame.loc[1, "text"] == ""
