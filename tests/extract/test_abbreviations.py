"""Short forms and their long forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aira_nb.extract import abbreviations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use Personalized PageRank (PPR) here.", [("PPR", "Personalized PageRank")]),
        ("large language models (LLMs)", [("LLMs", "large language models")]),
        ("the British Broadcasting Corporation (BBC)", [("BBC", "British Broadcasting Corporation")]),
        ("the National Hockey League's (NHL) season", [("NHL", "National Hockey League")]),
        ("RAG (retrieval-augmented generation)", [("RAG", "retrieval-augmented generation")]),
        ("パーソナライズドページランク（PPR）を用いる", [("PPR", "パーソナライズドページランク")]),
        ("RAG（検索拡張生成）とは", [("RAG", "検索拡張生成")]),
        (
            "大規模言語モデル（LLM, Large Language Model）",
            [("LLM", "大規模言語モデル"), ("LLM", "Large Language Model")],
        ),
        (
            "検索拡張生成（Retrieval-Augmented Generation; RAG）",
            [("RAG", "検索拡張生成"), ("RAG", "Retrieval-Augmented Generation")],
        ),
        ("条件付き確率場（以下，CRFと呼ぶ）を", [("CRF", "条件付き確率場")]),
        ("真汐潮汐計算研究所（略称：潮計研）は", [("潮計研", "真汐潮汐計算研究所")]),
        ("パーソナライズド潮位ランク（ＰＴＲ）", [("ＰＴＲ", "パーソナライズド潮位ランク")]),
    ],
)
def test_both_directions_and_both_languages(text: str, expected: list[tuple[str, str]]) -> None:
    """A bracket defines a short form after its long form or before it, in English, in Japanese, and in both at once."""
    assert [(a.short, a.long) for a in abbreviations(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "F1 (see Table 2)",
        "NATO（ナトー）は",  # how it is read
        "長友佑都（DF）は",  # a position
        "東京（Tokyo）は",  # a gloss
        "in the year 1923 (AD)",
        "a list (ABC) of letters",
        "",
    ],
)
def test_other_brackets_define_nothing(text: str) -> None:
    """References, readings, glosses, positions and eras in brackets are no abbreviations."""
    assert abbreviations(text) == []


@given(st.text(alphabet="ABCabc （）()、,;「」検索拡張生成ページランクのを以下'’s１Ａ", max_size=60))
def test_spans_are_verbatim_whatever_the_text(text: str) -> None:
    """For any text, both spans of each pair hold exactly the forms that are returned."""
    for short, short_start, short_end, long, long_start, long_end in abbreviations(text):
        assert text[short_start:short_end] == short != ""
        assert text[long_start:long_end] == long != ""
