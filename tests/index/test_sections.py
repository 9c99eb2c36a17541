"""Section headings."""

from __future__ import annotations

import pytest

from aira_nb.index.sections import heading_name, is_reference_list


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("3.2 Personalized Tide Rank", "Personalized Tide Rank"),
        ("1 Introduction", ""),
        ("1 はじめに", ""),
        ("2.1 潮汐センサ網", "潮汐センサ網"),
        ("Results", ""),
        ("References", ""),
        ("42", ""),
        ("3D Printing", "3D Printing"),
    ],
)
def test_heading_names(heading: str, name: str) -> None:
    """A heading names something unless every paper has it."""
    assert heading_name(heading) == name


def test_reference_lists() -> None:
    """A reference list is known in both languages, numbered or not."""
    assert is_reference_list(("References",))
    assert is_reference_list(("7 参考文献",))
    assert not is_reference_list(("Reference implementation",))
    assert not is_reference_list(())
