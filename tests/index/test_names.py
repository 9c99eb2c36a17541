"""Names and their homes."""

from __future__ import annotations

from pathlib import Path

from aira_nb.index.names import MAX_HOMES, NameIndex, name_variants
from aira_nb.text import analyze


def found(index: NameIndex, text: str) -> list[str]:
    return [text[start:end] for start, end, _ in index.find(text)]


def test_longest_name_wins() -> None:
    """ "New York City" is not also found as "New York"."""
    index = NameIndex.build([("New York", 0), ("New York City", 1)])
    assert found(index, "He left New York City for New York.") == ["New York City", "New York"]


def test_capitalised_names_need_a_capital() -> None:
    """A film called "Friends" is not found in "their friends"."""
    index = NameIndex.build([("Friends", 0)])
    assert found(index, "their friends watched Friends") == ["Friends"]


def test_japanese_names_match_at_morpheme_boundaries() -> None:
    """アメリカ does not hold a リカ, and spelling variants of a name are the name."""
    index = NameIndex.build([("リカ", 0), ("コンピュータ", 1), ("島崎藤村", 2)])
    assert found(index, "アメリカのコンピューターを嶋﨑藤村が使った") == ["コンピューター", "嶋﨑藤村"]


def test_qualifiers_are_optional() -> None:
    """A title's qualifier in brackets need not be said."""
    assert name_variants("Frank Thomas (designated hitter)") == ("Frank Thomas (designated hitter)", "Frank Thomas")
    assert name_variants("若乃花幹士 (2代)") == ("若乃花幹士 (2代)", "若乃花幹士")
    index = NameIndex.build([("Frank Thomas (designated hitter)", 3)])
    assert [index.homes[key] for _, _, key in index.find("Frank Thomas played")] == [(3,)]


def test_abbreviation_and_long_form_share_their_homes() -> None:
    """PPR leads where Personalized PageRank is defined, and the other way round."""
    index = NameIndex.build(
        [("PPR", 0)], weak=[("Personalized PageRank", 4)], synonyms=[("PPR", "Personalized PageRank")]
    )
    assert {homes for homes in index.homes.values()} == {(0, 4)}


def test_abbreviations_make_no_home_by_themselves() -> None:
    """A passage that spells an abbreviation out is no home of it; homes come from titles, headings and definitions."""
    assert NameIndex.build([], synonyms=[("NFL", "National Football League")]).homes == {}


def test_definitions_count_where_no_title_does() -> None:
    """A definition in running text makes a home only for a name that no title or heading has."""
    index = NameIndex.build([("Kelp Clock", 0)], weak=[("Kelp Clock", 7), ("Harbour Gossip", 8)])
    assert sorted(index.homes.values()) == [(0,), (8,)]


def test_ambiguous_abbreviation_shares_with_none() -> None:
    """An abbreviation with two long forms is not evidence that they are one thing."""
    index = NameIndex.build(
        [("ACL", 0), ("access control list", 1), ("Association for Computational Linguistics", 2)],
        synonyms=[("ACL", "access control list"), ("ACL", "Association for Computational Linguistics")],
    )
    assert sorted(index.homes.values()) == [(0,), (1,), (2,)]


def test_links_lead_from_namer_to_home_only() -> None:
    """A passage that names what another one defines is linked to it, never to itself."""
    texts = ["Ada Lovelace was a mathematician.", "The engine was described by Ada Lovelace.", "Nothing here."]
    index = NameIndex.build([("Ada Lovelace", 0)])
    assert index.links((text, list(analyze(text))) for text in texts) == [(1, 0)]


def test_unusable_names_are_left_out() -> None:
    """Single letters, bare numbers and punctuation are no names."""
    assert NameIndex.build([("X", 0), ("1999", 1), ("---", 2), ("", 3)]).homes == {}


def test_many_homes_are_capped() -> None:
    """A name with hundreds of homes keeps the first ones, so that a hub does not fan out without end."""
    index = NameIndex.build([("Ottoman Empire", i) for i in range(300)])
    assert next(iter(index.homes.values())) == tuple(range(MAX_HOMES))


def test_load_of_save_is_the_same(tmp_path: Path) -> None:
    """What was saved is loaded."""
    index = NameIndex.build([("Friends", 0), ("大規模言語モデル", 1)])
    index.save(tmp_path / "names.json")
    again = NameIndex.load(tmp_path / "names.json")
    text = "Friends and friends use 大規模言語モデル"
    assert again.homes == index.homes
    assert again.find(text) == index.find(text)
