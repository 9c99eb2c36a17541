"""Language, tokens and match keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aira_nb.text import analyze, count_tokens, detect_language, key_spans, match_key, search_tokens

ALPHABET = st.text(
    alphabet=st.sampled_from("aB '-.,9９Ａ日本語コンピューターヴァサーバの、。「」（）\n é𠮷﨑"), max_size=60
)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The Knowledge Graphs", "knowledge graph"),
        ("コンピューター", "コンピュータ"),
        ("サーバ", "サーバー"),
        ("ヴァイオリン", "バイオリン"),
        ("ＰＰＲ", "PPR"),
        ("髙嶋屋", "高島屋"),
        ("Tōgō's", "togo"),
        ("附属", "付属"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("10,787", "10787"),
    ],
)
def test_variants_share_a_key(left: str, right: str) -> None:
    """Two spellings of one name have one match key."""
    assert match_key(left) == match_key(right)


@pytest.mark.parametrize(
    ("left", "right"), [("ビール", "ビル"), ("New York", "Newark"), ("95.2", "95.3"), ("東京", "京都")]
)
def test_other_names_keep_apart(left: str, right: str) -> None:
    """Different names have different match keys."""
    assert match_key(left) != match_key(right)


def test_key_of_punctuation_is_itself() -> None:
    """A name of punctuation only still has a key, so that no two of them fall together as empty."""
    assert match_key(" ?! ") == "?!"


def test_decimals_are_one_token() -> None:
    """A figure such as 95.2 is one token, with its unit word beside it."""
    assert search_tokens("F1 is 95.2 points") == ["f1", "95.2", "point"]


def test_japanese_tokens_drop_particles_and_light_verbs() -> None:
    """Japanese search tokens are content morphemes in their normalised form."""
    tokens = search_tokens("東京大学でコンピューターを使って開発されました。")
    assert {"東京", "大学", "コンピュータ", "開発"} <= set(tokens)
    assert not {"で", "を", "た", "れる"} & set(tokens)


def test_english_inside_japanese_is_stemmed_alike() -> None:
    """An English query finds English words inside Japanese text."""
    assert set(search_tokens("knowledge graphs")) <= set(search_tokens("本稿ではknowledge graphを用いる"))


def test_text_beyond_the_tokeniser_limit_passes() -> None:
    """A 200 KB run of Japanese without a full stop is tokenised whole (Sudachi's own limit is 49,149 bytes)."""
    text = "潮汐センサを用いた観測" * 7000
    assert len(text.encode()) > 200_000
    # A run is read in pieces, so a word on a seam may be cut.
    assert search_tokens(text).count("観測") > 6990


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("本稿では LLM を提案する", "ja"),
        ("機械翻訳", "ja"),
        ("We propose a model for 日本語 text and evaluate it on three corpora.", "en"),
        ("", "en"),
        ("2019", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    """Kana make a text Japanese; a quoted word does not."""
    assert detect_language(text) == language


def test_token_estimates() -> None:
    """English counts 1.3 tokens a word, Japanese half a token a character."""
    assert count_tokens("one two three four five six seven eight nine ten", "en") == 13
    assert count_tokens("潮汐センサ網", "ja") == 3


@given(ALPHABET)
def test_units_stay_inside_the_text_in_order(text: str) -> None:
    """Every unit points into the verbatim text, in order, and has a key."""
    last = 0
    for unit in analyze(text):
        assert 0 <= unit.start < unit.end <= len(text)
        assert unit.start >= last or unit.start == last
        assert unit.key
        last = unit.start


@given(ALPHABET)
def test_match_key_is_stable(text: str) -> None:
    """The key of a text does not depend on white space around it."""
    assert match_key(text) == match_key(f"  {text.strip()} \n") or not text.strip()


def test_key_spans_agree_with_the_text() -> None:
    """Key spans of plain words are the words."""
    text = "Ada met 東京."
    assert [text[a:b] for a, b, _ in key_spans(text)][:2] == ["Ada", "met"]
