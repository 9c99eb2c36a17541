"""Section headings."""

from __future__ import annotations

import pytest

from aira_nb.index.sections import heading_name, is_auxiliary


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("3.2 Personalized Tide Rank", "Personalized Tide Rank"),
        ("1 Introduction", ""),
        ("1 はじめに", ""),
        ("2.1 潮汐センサ網", "潮汐センサ網"),
        ("Results", ""),
        ("References", ""),
        ("Protocol", ""),
        ("研究", ""),
        ("QuayBench", "QuayBench"),
        ("灯標探索", "灯標探索"),
        ("42", ""),
        ("1.2.1 1.1 Tidal Sensor Motivation", "Tidal Sensor Motivation"),
        ("3D Printing", "3D Printing"),
    ],
)
def test_heading_names(heading: str, name: str) -> None:
    """A heading names something unless every paper has it."""
    assert heading_name(heading) == name


def test_auxiliary_sections() -> None:
    """Lists of references and of contents are known in both languages, numbered or not."""
    assert is_auxiliary(("目次",))
    assert is_auxiliary(("References",))
    assert is_auxiliary(("7 参考文献",))
    assert not is_auxiliary(("Reference implementation",))
    assert not is_auxiliary(())
