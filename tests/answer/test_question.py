from __future__ import annotations

import pytest

from aira_nb.answer.comparator import comparator_of
from aira_nb.answer.question import analyze_question


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who designed the lighthouse?", "who"),
        ("The lighthouse was designed by whom?", "who"),
        ("Which engineer designed the lighthouse?", "who"),
        ("When was the bridge opened?", "when"),
        ("In what year was the bridge opened?", "when"),
        ("Where was the engineer born?", "where"),
        ("The band who wrote it had their first concert in what city?", "where"),
        ("How many tracks does the bridge carry?", "how_many"),
        ("What is the height of the tower?", "how_many"),
        ("What award did the engineer win?", "what"),
        ("Are Edith Fennimore and Gustav Ollerton both painters?", "yes_no"),
        ("Who was born first, Edith Fennimore or Gustav Ollerton?", "which_of_two"),
        ("Between Edith Fennimore and Gustav Ollerton who was born earlier?", "which_of_two"),
        ("Was Edith Fennimore or Gustav Ollerton born first?", "which_of_two"),
        ("Why was the bridge built?", "other"),
        ("How does the lamp work?", "other"),
        ("灯台の設計者は誰ですか？", "who"),
        ("灯台の設計者は？", "who"),
        ("だれが灯台を設計しましたか？", "who"),
        ("橋はいつ開通しましたか？", "when"),
        ("橋が開通したのは何年ですか？", "when"),
        ("橋の開通年月日は？", "when"),
        ("設計者の出身地はどこですか？", "where"),
        ("設計者は何県出身ですか？", "where"),
        ("船員は何人ですか？", "how_many"),
        ("灯台の高さはいくらですか？", "how_many"),
        ("合格率は何%ですか？", "how_many"),
        ("設計者の血液型は何型ですか？", "what"),
        ("その海岸は何という海岸ですか？", "what"),
        ("桐谷蔵人と大槻砥石はどちらも画家ですか？", "yes_no"),
        ("桐谷蔵人と大槻砥石の職業は同じですか？", "yes_no"),
        ("桐谷蔵人と大槻砥石、先に生まれたのはどちらですか？", "which_of_two"),
        ("赤い橋と青い橋で開通が早かったのはどちら？", "which_of_two"),
        ("赤い橋と青い橋、長いのは？", "which_of_two"),
        ("なぜ橋が建てられたのですか？", "other"),
    ],
)
def test_the_type_of_a_question_is_recognised(question: str, kind: str) -> None:
    """The question words of both languages, at the head or further on, give the question's type."""
    assert analyze_question(question).kind == kind


@pytest.mark.parametrize(
    ("question", "measure", "pick"),
    [
        ("Who is older, Ann Ash or Bea Birch?", "date", "min"),
        ("Which was opened later, Ash Bridge or Birch Bridge?", "date", "max"),
        ("Which has more species, Ash or Birch?", "number", "max"),
        ("Who lived longer, Ann Ash or Bea Birch?", "lifespan", "max"),
        ("赤い橋と青い橋、先に開通したのはどちらですか？", "date", "min"),
        ("甲と乙、若いのはどちらですか？", "date", "max"),
        ("甲市と乙市、人口が少ないのはどちらですか？", "number", "min"),
    ],
)
def test_what_a_comparison_compares_by_is_recognised(question: str, measure: str, pick: str) -> None:
    """The comparing word says whether dates, numbers or lifespans are compared, and which end wins."""
    comparator = comparator_of(analyze_question(question))
    assert comparator is not None
    assert (comparator.measure, comparator.pick) == (measure, pick)


def test_question_words_are_no_content() -> None:
    """The content terms of a question leave out the words that ask."""
    assert analyze_question("What is the name of the lighthouse?").terms == ("lighthous",)
    assert "誰" not in analyze_question("灯台の設計者は誰ですか？").terms


def test_names_in_a_question_are_found() -> None:
    """Quoted titles, capitalised phrases and katakana names are names of a question."""
    english = analyze_question('Who wrote "The Salt Road" with Edith Fennimore?').names
    assert [name.text for name in english] == ["The Salt Road", "Edith Fennimore"]
    japanese = analyze_question("『塩の道』の作者とエディス・フェニモアの関係は？").names
    assert [name.text for name in japanese] == ["塩の道", "エディス・フェニモア"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("正例として何件の日本語 Wikipedia 記事を使いましたか？", "how_many"),
        ("何件の日本語 Wikipedia 記事を、分類器の訓練データの正例として使いましたか？", "how_many"),
        ("使われたのは直近何年間の新聞記事ですか？", "how_many"),
        ("llm-jp-eval-mm は何種類の VLM を評価しましたか？", "how_many"),
    ],
)
def test_counted_things_anywhere_in_a_japanese_question(text: str, kind: str) -> None:
    """何件, 何年間 and 何種類 ask for a number wherever they stand, and are no names that a text must hold."""
    question = analyze_question(text)
    assert question.kind == kind
    assert not [name for name in question.names if name.text.startswith("何")]
