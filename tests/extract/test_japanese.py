"""Japanese names and facts, with GiNZA where it is installed and with Sudachi alone."""

from __future__ import annotations

import pytest

from aira_nb.extract import OfflineExtractor
from aira_nb.extract.values import values
from aira_nb.text.parse import installed_pipelines
from aira_nb.types import ENTITY_TYPES, Extraction, Passage

READERS = ["rules", *(name for name in installed_pipelines("ja") if name == "ja_ginza")]


def read(text: str, reader: str, *, title: str = "") -> Extraction:
    passage = Passage("p", "d", 0, text, 0, len(text), "ja")
    (extraction,) = OfflineExtractor(japanese=reader).extract([passage], titles={"d": title})
    assert extraction.status == "done", extraction.reason
    for mention in (*extraction.mentions, *(m for t in extraction.triples for m in (t.head, t.tail))):
        assert text[mention.start : mention.end] == mention.text != ""
        assert mention.type in ENTITY_TYPES
    return extraction


def facts(text: str, reader: str, *, title: str = "") -> list[tuple[str, str, str]]:
    return [(t.head.text, t.relation, t.tail.text) for t in read(text, reader, title=title).triples]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("シャムレイの職業は漫画家。", ("シャムレイ", "職業", "漫画家")),
        ("提案手法のF1は95.2%であった。", ("提案手法", "F1", "95.2%")),
        ("提案手法はJSQuADで95.2%のF1を達成した。", ("提案手法", "F1", "95.2%")),
        ("提案手法はJSQuADで95.2%のF1を達成した。", ("提案手法", "で評価される", "JSQuAD")),
        ("真汐湾における引き潮ウォークのＦ１は82.7％である。", ("引き潮ウォーク", "F1", "82.7％")),
        ("真汐研究所は1923年に設立された。", ("真汐研究所", "に設立される", "1923年")),
        ("真汐研究所は汐嶋冴子が1987年に設立した。", ("汐嶋冴子", "設立する", "真汐研究所")),
        ("真汐研究所は汐嶋冴子が1987年に設立した。", ("真汐研究所", "に設立される", "1987年")),
        ("BERTは2018年にGoogleによって開発された。", ("Google", "開発する", "BERT")),
        ("日本の首都は東京である。", ("日本", "首都", "東京")),
        ("東京は日本の首都である。", ("日本", "首都", "東京")),
        ("夏目漱石（1867年2月9日 - 1916年12月9日）は、日本の小説家。", ("夏目漱石", "没年月日", "1916年12月9日")),
        ("夏目漱石（1867年2月9日 - 1916年12月9日）は、日本の小説家。", ("夏目漱石", "である", "日本の小説家")),
        ("帆﨑透馬は1971年に苔森町で生まれた。", ("帆﨑透馬", "で生まれる", "苔森町")),
        ("Appleは、東京都に本社を置く日本の企業である。", ("Apple", "に本社を置く", "東京都")),
        ("夏目漱石は東京都出身の小説家である。", ("夏目漱石", "出身地", "東京都")),
        ("蘚田蘭は苔森センターの所長を務めた。", ("苔森センター", "所長", "蘚田蘭")),
        ("夏目漱石は小説家である。東京帝国大学で英文学を学んだ。", ("夏目漱石", "で英文学を学ぶ", "東京帝国大学")),
    ],
)
def test_a_clear_sentence_gives_its_fact(text: str, expected: tuple[str, str, str], reader: str) -> None:
    """Attributes, scores, foundings, agents, lives, origins and roles are read in one canonical form."""
    title = "帆﨑透馬" if "帆﨑" in text else "蘚田蘭" if "蘚田蘭" in text else ""
    assert expected in facts(text, reader, title=title)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "text",
    [
        "GiNZAは東京で開発されなかった。",
        "BERTは検索手法ではない。",
        "夏目漱石は東京で生まれたい。",
        "彼は東京で生まれた。",
        "1967年にA社、1972年にB社が実施された。",
    ],
)
def test_what_is_not_stated_gives_nothing(text: str, reader: str) -> None:
    """Negations, wishes, pronouns without an antecedent and lists of dates give no fact."""
    assert facts(text, reader) == []


@pytest.mark.parametrize("reader", READERS)
def test_a_card_is_read_by_its_title(reader: str) -> None:
    """「<title>のRはV。」 is read whole, whatever particles the title is made of."""
    title = "ダンガンロンパ 希望の学園と絶望の高校生"
    assert facts(f"{title}の発売日は2010年11月25日。", reader, title=title) == [(title, "発売日", "2010年11月25日")]


@pytest.mark.parametrize("reader", READERS)
def test_names_keep_the_script_of_the_source(reader: str) -> None:
    """At least 95 in 100 names of a Japanese text hold Japanese letters when the source does."""
    text = "東京大学は本郷にある。夏目漱石は『こころ』を書き、ロンドンに留学した。株式会社カラーは庵野秀明が設立した。"
    names = [m for m in read(text, reader).mentions if m.type not in ("time", "quantity")]
    japanese = [m for m in names if any("\u3041" <= c <= "\u9fff" for c in m.text)]
    assert len(names) >= 6
    assert len(japanese) >= 0.95 * len(names)


def test_types_follow_the_ends_of_names() -> None:
    """Companies, schools, places, persons and works are typed by their ends, marks and Sudachi's dictionary."""
    text = "株式会社カラー、東京大学、長野県、田中さん、『こころ』、第二次世界大戦を調べた。"
    types = {m.text: m.type for m in read(text, "rules").mentions}
    assert types == {
        "株式会社カラー": "organization",
        "東京大学": "organization",
        "長野県": "place",
        "田中": "person",
        "こころ": "work",
        "第二次世界大戦": "event",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2010年11月25日に", [("2010年11月25日", "time")]),
        ("1869年(明治2年)8月12日、34歳で", [("1869年(明治2年)8月12日", "time"), ("34歳", "quantity")]),
        ("平成15年度の", [("平成15年度", "time")]),
        ("紀元前283年から19世紀後半まで", [("紀元前283年", "time"), ("19世紀後半", "time")]),
        ("約3,500人が10年間", [("約3,500人", "quantity"), ("10年間", "quantity")]),
        ("21万冊と95.2％", [("21万冊", "quantity"), ("95.2％", "quantity")]),
    ],
)
def test_times_and_quantities(text: str, expected: list[tuple[str, str]]) -> None:
    """Dates, eras, centuries, counts and percentages are found as they stand."""
    assert [(m.text, m.type) for m in values(text, "ja")] == expected
