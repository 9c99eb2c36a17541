"""What can be an answer at all."""

from __future__ import annotations

import pytest

from aira_nb.answer.fit import RANGE, asks_range, fits, is_interrogative, unit_asked
from aira_nb.answer.question import analyze_question


@pytest.mark.parametrize(
    ("question", "sort", "surface", "after", "expected"),
    [
        ("日本の停滞の中心的問題は何ですか？", "name", "生産性", "が低いことではなく、賃金である。", False),
        ("日本の停滞の中心的問題は何ですか？", "name", "賃金の伝達", "である。", True),
        ("それは何年に始まりましたか。", "name", "真汐市", "で始まった。", False),
        ("それは何年に始まりましたか。", "year", "2016年", "に始まった。", True),
        ("予算は何円でしたか？", "number", "80", "件であった。", False),
        ("予算は何円でしたか？", "number", "80万円", "であった。", True),
        ("潮汐センサを考案したのは誰ですか。", "number", "36", "台である。", False),
    ],
)
def test_fit(question: str, sort: str, surface: str, after: str, expected: bool) -> None:
    """A candidate must be of the kind and unit that is asked for, and must not be what its sentence denies."""
    asked = analyze_question(question)
    assert fits(asked, asked.kind, sort, surface, after) is expected


def test_units_have_spellings() -> None:
    """何名 is answered by 名 and by 人 alike; いくら asks for money."""
    assert unit_asked(analyze_question("職員は何名ですか。")) == ("人", "名")
    assert unit_asked(analyze_question("値段はいくらですか。")) == ("円",)


def test_ranges_and_questions_are_known() -> None:
    """A question from when to when is known in both languages, a range has both ends, and a question answers nothing."""
    assert asks_range("新聞記事は何年から何年までのものですか。")
    assert asks_range("From when to when did it run?")
    assert RANGE.search("1984年から2024年まで") and not RANGE.search("2013年から集めた")
    assert is_interrogative("どのような恩恵をもたらすのか？")
    assert not is_interrogative("恩恵をもたらした。")
