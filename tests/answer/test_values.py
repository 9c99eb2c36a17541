from __future__ import annotations

import pytest

from aira_nb.answer.values import moments, quantities


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("born 8 October 1939 in York", (1939, 10, 8)),
        ("born October 8, 1939", (1939, 10, 8)),
        ("on the 1st of May 2003", (2003, 5, 1)),
        ("in March 2016", (2016, 3, 0)),
        ("since 1999.", (1999, 0, 0)),
        ("dated 1960-02-03", (1960, 2, 3)),
        ("1939年10月8日に", (1939, 10, 8)),
        ("１９３９年１０月８日に", (1939, 10, 8)),
        ("令和元年5月1日", (2019, 5, 1)),
        ("平成31年", (2019, 0, 0)),
        ("昭和62年1月31日", (1987, 1, 31)),
        ("大正12年9月1日", (1923, 9, 1)),
        ("明治4年", (1871, 0, 0)),
        ("1987年（昭和62年）1月31日", (1987, 1, 31)),
        ("794年", (794, 0, 0)),
    ],
)
def test_a_date_is_read_in_either_language(text: str, date: tuple[int, int, int]) -> None:
    """Dates in English and Japanese, era years too, become year, month and day."""
    found = moments(text)
    assert [moment.date for moment in found] == [date]
    assert text[found[0].start : found[0].end].strip() == text[found[0].start : found[0].end]


@pytest.mark.parametrize("text", ["1047勝", "2500万部", "1,939 people", "version 1.1999", "$1999"])
def test_a_number_that_is_no_year_is_not_a_date(text: str) -> None:
    """A count of four digits is not taken for a year."""
    assert moments(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234,567 people", 1_234_567),
        ("2.5 million copies", 2_500_000),
        ("twenty-one acts", 21),
        ("ten solo albums", 10),
        ("14万4,002人", 144_002),
        ("1億2,000万円", 120_000_000),
        ("3千人", 3_000),
        ("二十三人", 23),
        ("身長は157cm。", 157),
        ("１５７cm", 157),
        ("77％", 77),
    ],
)
def test_a_number_is_read_in_either_language(text: str, value: float) -> None:
    """Thousands separators, English words and scales, 千 万 億 and kanji numerals become numbers."""
    assert [quantity.value for quantity in quantities(text)] == [value]


def test_the_numbers_of_a_date_are_not_quantities() -> None:
    """The digits of a date are the date's alone."""
    assert [q.value for q in quantities("On 8 October 1939 twelve ships sailed")] == [12]
    assert [q.value for q in quantities("1939年10月8日に12隻が出航した")] == [12]
