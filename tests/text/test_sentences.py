"""Sentence spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aira_nb.text import sentence_spans


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Smith et al. proposed PPR. It works.", ["Dr. Smith et al. proposed PPR.", "It works."]),
        (
            "It was used by J. R. Tolkien in Fig. 3. Then left.",
            ["It was used by J. R. Tolkien in Fig. 3.", "Then left."],
        ),
        ("F1 is 95.2 % on A. Others fail!", ["F1 is 95.2 % on A. Others fail!"]),
        ("モデルXを提案する！本当か？次の文。", ["モデルXを提案する！", "本当か？", "次の文。"]),
        ("彼は「すごい。」と述べた。次。", ["彼は「すごい。」と述べた。", "次。"]),
        ("手法を提案する．値は９５．２である．終わり．", ["手法を提案する．", "値は９５．２である．", "終わり．"]),
        ("F1は95.2%である。続く。", ["F1は95.2%である。", "続く。"]),
        ("Heading\n\nBody text here", ["Heading", "Body text here"]),
        ("It ended. 日本語の文。", ["It ended.", "日本語の文。"]),
        ("", []),
    ],
)
def test_splits(text: str, sentences: list[str]) -> None:
    """Sentences end where a reader ends them, in both languages."""
    assert split(text) == sentences


def test_a_long_unbalanced_bracket_does_not_swallow_the_text() -> None:
    """A bracket that never closes stops hiding full stops after 200 characters."""
    text = "前文（" + "あ" * 250 + "。次の文。最後の文。"
    assert len(split(text)) >= 2


@given(st.text(alphabet=st.sampled_from("ab .!?。！」「（）\n語A\u3000"), max_size=80))
def test_spans_cover_everything_but_space(text: str) -> None:
    """Spans are ordered, do not overlap, and leave out nothing but white space."""
    spans = sentence_spans(text)
    covered = set()
    last = 0
    for start, end in spans:
        assert last <= start < end <= len(text)
        assert not text[start].isspace() and not text[end - 1].isspace()
        covered.update(range(start, end))
        last = end
    assert all(text[i].isspace() for i in range(len(text)) if i not in covered)
