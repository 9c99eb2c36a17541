from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aira_nb.ingest.records import Block
from aira_nb.ingest.split import MAX_TOKENS, document_text, split
from aira_nb.text import count_tokens
from aira_nb.types import Language, Passage, Region, make_id

WORDS = st.sampled_from(
    ["graph", "memory.", "The", "e.g.", "歩行", "記憶。", "グラフ", "\n", "「引用。」", "x" * 50, "é", "が\u3099"]
)
TEXT = st.builds(lambda words, glue: glue.join(words), st.lists(WORDS, max_size=400), st.sampled_from([" ", ""]))
KINDS = st.sampled_from(["title", "heading", "text", "text", "text", "item", "table", "note", "reference", "contents"])


@st.composite
def block_lists(draw: st.DrawFn) -> list[Block]:
    blocks = []
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(KINDS)
        text = draw(TEXT) if kind not in ("title", "heading") else draw(st.sampled_from(["A", "1 はじめに", "B c"]))
        cuts = sorted(draw(st.sets(st.integers(0, max(0, len(text))), max_size=6)) | {0, len(text)})
        regions = tuple(Region(a, b, n + 1, 10, 10 * n, 90, 10 * n + 9) for n, (a, b) in enumerate(pairwise(cuts)))
        blocks.append(Block(kind, text, draw(st.integers(1, 3)), regions))
    return blocks


def plain(text: str) -> str:
    return "".join(text.split())


def cut(text: str, language: Language) -> tuple[Passage, ...]:
    return split([Block("text", text)], document_id="d", language=language)


@settings(max_examples=150, deadline=None)
@given(block_lists(), st.sampled_from(["en", "ja"]))
def test_invariants(blocks: list[Block], language: Language) -> None:
    """Passages are verbatim, in order, apart, no longer than the maximum, and cover the whole body."""
    text = document_text(blocks)
    passages = split(blocks, document_id="d", language=language)
    position = 0
    for number, passage in enumerate(passages):
        assert text[passage.start : passage.end] == passage.text
        assert passage.text.strip()
        assert passage.start >= position and passage.position == number
        position = passage.end
        assert count_tokens(passage.text, passage.language) <= MAX_TOKENS[passage.language]
        for region in passage.regions:
            assert 0 <= region.start < region.end <= len(passage.text)
    body = "".join(block.text for block in blocks if block.kind not in ("title", "heading"))
    covered = "".join(passage.text for passage in passages)
    headings = [block.text for block in blocks if block.kind in ("title", "heading")]
    without_headings = plain(covered)
    if not headings:
        assert without_headings == plain(body)
    assert len(without_headings) >= len(plain(body))
    assert len({passage.id for passage in passages}) == len(passages)


@settings(max_examples=100, deadline=None)
@given(block_lists(), st.sampled_from(["en", "ja"]))
def test_regions_follow_their_text(blocks: list[Block], language: Language) -> None:
    """The text under each box is the text that the parser read there."""
    read = {text for block in blocks for r in block.regions if (text := block.text[r.start : r.end])}
    for passage in split(blocks, document_id="d", language=language):
        for region in passage.regions:
            piece = passage.text[region.start : region.end]
            assert any(piece in text for text in read)


def test_a_huge_paragraph_without_a_full_stop() -> None:
    """200 KB without a sentence end, with or without spaces, become many passages and lose nothing."""
    for text, language in (
        ("記憶" * 35_000, "ja"),
        ("x" * 200_000, "en"),
        ("word " * 40_000, "en"),
        ("記憶、" * 23_000, "ja"),
    ):
        passages = cut(text, language)  # type: ignore[arg-type]
        assert plain("".join(p.text for p in passages)) == plain(text)
        assert len(passages) > 50


@pytest.mark.parametrize("text", ["1" * 4_000_000, "e" + "\u0301" * 500_000, "。" * 500_000, "\u3099" * 500_000])
def test_half_a_megabyte_of_anything_is_cut(text: str) -> None:
    """Digits or combining marks without end are cut into pieces of a useful size, and lose nothing."""
    for language in ("en", "ja"):
        passages = cut(text, language)  # type: ignore[arg-type]
        assert "".join(p.text for p in passages) == text
        assert len(passages) <= len(text) // 400


def test_hard_cuts_prefer_spaces_and_commas() -> None:
    """Where a sentence alone is too long, it is cut between words or at a comma."""
    assert all(p.text.endswith("word") for p in cut("word " * 3_000, "en"))
    assert all(p.text.endswith("、") for p in cut("長い文、" * 1_000, "ja"))


@given(st.integers(300, 1_500))
@example(401)
@settings(max_examples=20, deadline=None)
def test_sentences_stay_whole(count: int) -> None:
    """A long paragraph is cut between sentences in both languages, also without any line break."""
    for sentence, language in (("これは一つの文である。", "ja"), ("This is one short sentence. ", "en")):
        passages = cut((sentence * count).strip(), language)  # type: ignore[arg-type]
        assert len(passages) > 1
        assert all(p.text.startswith(sentence[:4]) and p.text.endswith(sentence.strip()[-3:]) for p in passages)


def test_short_neighbours_share_a_passage_within_their_section_only() -> None:
    """Short paragraphs are merged, but never across a heading, and tables stay alone."""
    blocks = [
        Block("heading", "1 One"),
        Block("text", "First."),
        Block("text", "Second."),
        Block("table", "a\tb"),
        Block("text", "Third."),
        Block("heading", "1.1 Deep", 2),
        Block("text", "Fourth."),
        Block("heading", "2 Two"),
        Block("text", "Fifth."),
    ]
    passages = split(blocks, document_id="d", language="en")
    assert [(p.section, p.text) for p in passages] == [
        (("1 One",), "First.\n\nSecond."),
        (("1 One",), "a\tb"),
        (("1 One",), "Third."),
        (("1 One", "1.1 Deep"), "Fourth."),
        (("2 Two",), "Fifth."),
    ]


def test_a_heading_over_nothing_is_kept() -> None:
    """A heading without text below it becomes a passage, so that no words of the document are lost."""
    blocks = [Block("title", "Deck"), Block("heading", "Thanks"), Block("heading", "Questions?")]
    assert [p.text for p in split(blocks, document_id="d", language="en")] == ["Thanks", "Questions?"]
    assert [p.text for p in split(blocks[:1], document_id="d", language="en")] == ["Deck"]


def test_references_and_contents_are_marked() -> None:
    """Reference lists and tables of contents carry a section of fixed name in the document's language."""
    blocks = [Block("contents", "1 A … 2"), Block("heading", "5. Literature"), Block("reference", "[1] X.")]
    for language, names in (("en", ["Table of contents", "References"]), ("ja", ["目次", "参考文献"])):
        passages = split(blocks, document_id="d", language=language)  # type: ignore[arg-type]
        assert [p.section for p in passages] == [(name,) for name in names]


def test_ids_survive_edits_elsewhere() -> None:
    """A passage keeps its id when other parts change; equal texts are told apart by their count."""
    before = split(
        [Block("table", "same"), Block("table", "x"), Block("table", "same")], document_id="d", language="en"
    )
    after = split(
        [Block("table", "same"), Block("table", "new"), Block("table", "same")], document_id="d", language="en"
    )
    assert [p.id for p in before][::2] == [p.id for p in after][::2]
    assert before[2].id == make_id("d", "same", 1)
