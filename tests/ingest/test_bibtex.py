from __future__ import annotations

from pathlib import Path

import pytest

from aira_nb.ingest.bibtex import entry_for, read_entries

BIB = r"""
@comment{ignored}
@string{acl = "Association"}
@article{muller2020,
  title = {The {M}emory \& {Graph} of G{\"o}del: {\'E}tude},
  author = {M{\"u}ller, J{\"o}rg and Jane van Doe and 山田, 太郎},
  year = 2020, month = jan,
  doi = {https://doi.org/10.1000/xyz.1},
  file = {:papers/memory graph.pdf:PDF},
}
@inproceedings{second, title = "Quoted {Title}", author = "Only One", date = {2019-05-01}
}
"""


def test_fields_without_tex() -> None:
    """Title, authors in reading order, year and DOI come out as a reader writes them."""
    first, second = read_entries(BIB)
    assert first.title == "The Memory & Graph of Gödel: Étude"
    assert first.authors == ("Jörg Müller", "Jane van Doe", "山田 太郎")
    assert (first.year, first.doi) == (2020, "10.1000/xyz.1")
    assert (second.title, second.authors, second.year, second.doi) == ("Quoted Title", ("Only One",), 2019, None)


def test_a_broken_entry_does_not_hide_the_next() -> None:
    """An entry with an unclosed brace is read as far as it goes."""
    entries = read_entries("@article{a, title = {Never closed\n}\n@book{b, title = {Fine}}")
    assert entries[-1].title == "Fine"


def test_which_entry_describes_the_file(tmp_path: Path) -> None:
    """A .bib of the same stem counts when it has one entry; any .bib counts when it names the file."""
    (tmp_path / "all.bib").write_text(BIB, encoding="utf-8")
    (tmp_path / "own.bib").write_text("@misc{own, title = {Own}}", encoding="utf-8")
    named, _ = entry_for(tmp_path / "memory graph.pdf")
    own, _ = entry_for(tmp_path / "own.pdf")
    other, warnings = entry_for(tmp_path / "other.pdf")
    assert named is not None and named.key == "muller2020"
    assert own is not None and own.key == "own"
    assert other is None and warnings == ()


def test_an_unreadable_bib_is_a_warning(tmp_path: Path) -> None:
    """A .bib that cannot be read never costs the paper."""
    (tmp_path / "a.bib").write_bytes(b"\x00\x00")
    entry, warnings = entry_for(tmp_path / "a.pdf")
    assert entry is None
    assert "a.bib" in warnings[0]


@pytest.mark.parametrize(
    "piece",
    ["@a{b, title = {", '@a{b, title = "', "@a{", "@a{b,\n", "{", "@a{b, c = {d}}\n@e{f, g = {", "@a{b, \\'", '"{'],
)
def test_a_hostile_bib_is_read_in_linear_time(piece: str) -> None:
    """Half a megabyte of unclosed or nested entries is read to its end, each character as part of one value at most."""
    entries = read_entries(piece * (500_000 // len(piece)) + "\n@misc{last, title = {Fine}}")
    assert entries[-1].title.endswith("Fine")
    assert sum(len(value) for entry in entries for value in entry.fields.values()) <= 500_100


@pytest.mark.parametrize("text", ["@a{" + " " * 500_000, "@a{b," + "\n" * 500_000, "@a{b, c = {\\'" + " " * 500_000])
def test_white_space_is_no_attack(text: str) -> None:
    """Half a megabyte of white space where any amount may stand is passed once."""
    assert len(read_entries(text)) <= 1


def test_a_forgotten_brace_costs_its_field_only() -> None:
    """An unclosed value ends with its line, even when the next entry closes more than it opens."""
    entries = read_entries("@book{a, title = {Lost {x\n year = {1999}\n}\n@book{b, title = {Fine}}}}\n")
    assert [(entry.key, entry.title) for entry in entries] == [("a", "Lost x"), ("b", "Fine")]
    assert entries[1].text.startswith("@book{b")
