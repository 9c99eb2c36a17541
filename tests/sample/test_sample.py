from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from aira_nb import sample
from aira_nb.text import detect_language, sentence_spans

SOURCES = sample.corpus_path().parent / "sources"
FILES = sorted(path.name for path in sample.corpus_path().iterdir() if path.suffix in {".md", ".pdf"})
PDFS = [name for name in FILES if name.endswith(".pdf")]
HEADS = {
    "personalized-tide-rank.pdf": "Proceedings of the Slack Water Workshop, 2006",
    "灯標探索.pdf": "灯ヶ崎情報図書館紀要、2021年",
}
QUESTION_TYPES = {"bridge", "comparison", "who", "when", "where", "how_many", "yes_no", "definition", "unanswerable"}
EXPECTED = {
    "exclusive": {"conflict"},
    "temporal": {"temporal_compatible", "temporal_unresolved"},
    "granularity": {"granularity_compatible"},
    "conditions": {"no_conflict"},
    "near_miss": {"no_conflict"},
}


@cache
def source_of(name: str) -> str:
    """The Markdown of an article, also of one that is ingested as PDF."""
    folder = SOURCES if name.endswith(".pdf") else sample.corpus_path()
    return (folder / Path(name).with_suffix(".md").name).read_text(encoding="utf-8")


@cache
def pages_of(name: str) -> tuple[str, ...]:
    with pypdfium2.PdfDocument(sample.corpus_path() / name) as pdf:
        return tuple(page.get_textpage().get_text_bounded() for page in pdf)


def body_of(name: str) -> str:
    """The text of a PDF without running heads and page numbers."""
    lines = [line for page in pages_of(name) for line in page.splitlines()]
    return "\n".join(line for line in lines if not line.startswith(HEADS[name]) and not line.strip().isdigit())


def bare(text: str) -> str:
    """Letters without white space and hyphens (pdfium marks a line-end hyphen by U+FFFE or U+0002)."""
    return re.sub(r"[\s\-\u00ad\ufffe\x02]", "", text)


def title_of(name: str) -> str:
    return source_of(name).splitlines()[0].removeprefix("# ")


def supporting() -> list[tuple[str, str, str]]:
    pairs = [(entry["id"], support) for entry in sample.questions() for support in entry["supporting"]]
    pairs += [(entry["id"], statement) for entry in sample.planted() for statement in entry["statements"]]
    return [(name, support["file"], support["sentence"]) for name, support in pairs]


@pytest.mark.parametrize(("name", "file", "sentence"), supporting())
def test_each_supporting_or_planted_sentence_stands_verbatim_in_its_article(
    name: str, file: str, sentence: str
) -> None:
    """Each supporting and each planted sentence stands verbatim, and as whole sentences, in the article it names."""
    assert file in FILES, name
    text = source_of(file)
    assert sentence in text, name
    sentences = {text[start:end] for start, end in sentence_spans(text)}
    assert sentence in sentences, name


def test_about_thirty_articles_half_of_them_in_japanese() -> None:
    """The corpus holds about 30 articles, as many in Japanese as in English, at least two of them PDFs."""
    languages = Counter(detect_language(source_of(name)) for name in FILES)
    assert languages["en"] == languages["ja"]
    assert 28 <= languages.total() <= 36
    assert {detect_language(source_of(name)) for name in PDFS} == {"en", "ja"}


@pytest.mark.parametrize("name", FILES)
def test_each_article_is_a_short_paper_with_title_and_sections(name: str) -> None:
    """Each article has one title, at least three sections, and a length that is read in a few minutes."""
    text = source_of(name)
    assert text.startswith("# ")
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
    assert len(re.findall(r"^## ", text, re.MULTILINE)) >= 3
    if detect_language(text) == "en":
        assert 250 <= len(re.findall(r"[\w.,%'\u2019-]*\w[\w.,%'\u2019-]*", text)) <= 700
    else:
        assert 600 <= len("".join(text.split())) <= 1500


def test_no_two_articles_share_a_title() -> None:
    """No two articles have the same title, and none is ingested both as Markdown and as PDF."""
    titles = [unicodedata.normalize("NFKC", title_of(name)).casefold() for name in FILES]
    assert len(set(titles)) == len(titles)
    stems = [Path(name).stem for name in FILES]
    assert len(set(stems)) == len(stems)


def test_mini_papers_have_abstract_table_and_references() -> None:
    """At least three articles per language are mini-papers with abstract, numbered sections, table and references."""
    papers: Counter[str] = Counter()
    for name in FILES:
        text = source_of(name)
        abstract = re.search(r"^## (Abstract|概要)$", text, re.MULTILINE)
        references = re.search(r"^## (References|参考文献)$", text, re.MULTILINE)
        numbered = re.search(r"^## 1 ", text, re.MULTILINE)
        if abstract and references and numbered and "\n|---" in text:
            papers[detect_language(text)] += 1
    assert papers["en"] >= 3
    assert papers["ja"] >= 3


@pytest.mark.parametrize("name", PDFS)
def test_each_pdf_says_what_its_source_says(name: str) -> None:
    """Each PDF contains every sentence of its Markdown source, white space and line-end hyphens aside."""
    printed = bare(body_of(name))
    blocks = [block for block in source_of(name).split("\n\n") if not block.startswith("|")]
    sentences = [re.sub(r"^#+ ", "", block[start:end]) for block in blocks for start, end in sentence_spans(block)]
    assert len(sentences) > 30
    assert [sentence for sentence in sentences if bare(sentence) not in printed] == []


@pytest.mark.parametrize("name", PDFS)
def test_each_pdf_looks_like_a_paper(name: str) -> None:
    """Each PDF is small, has two pages or more, and bears a running head and a page number on each."""
    pages = pages_of(name)
    assert len(pages) >= 2
    assert (sample.corpus_path() / name).stat().st_size < 300 * 1024
    for number, page in enumerate(pages, start=1):
        lines = [line.strip() for line in page.splitlines()]
        assert any(line.startswith(HEADS[name]) for line in lines)
        assert str(number) in lines


@pytest.mark.parametrize("name", PDFS)
def test_each_pdf_embeds_its_fonts_and_has_two_columns(name: str) -> None:
    """Each PDF embeds a subset of every font that it uses, and its body is set in two columns."""
    content = (sample.corpus_path() / name).read_bytes()
    fonts = re.findall(rb"/BaseFont /(\S+)", content)
    assert fonts
    assert all(re.match(rb"[A-Z]{6}\+", font) for font in fonts)
    assert b"/FontFile" in content
    with pypdfium2.PdfDocument(sample.corpus_path() / name) as pdf:
        page = pdf[0]
        middle = page.get_width() / 2
        textpage = page.get_textpage()
        boxes = [textpage.get_rect(index) for index in range(textpage.count_rects())]
    lower = [box for box in boxes if box[3] < page_half_height(boxes)]
    assert sum(box[2] <= middle for box in lower) > 5
    assert sum(box[0] >= middle for box in lower) > 5


def page_half_height(boxes: list[tuple[float, float, float, float]]) -> float:
    return max(box[3] for box in boxes) * 0.7


def test_questions_cover_both_languages_and_all_types() -> None:
    """Each language has at least 20 answerable questions of every type and 3 that the corpus cannot answer."""
    questions = sample.questions()
    assert len({entry["id"] for entry in questions}) == len(questions)
    assert len({entry["question"] for entry in questions}) == len(questions)
    for language in ("en", "ja"):
        types = Counter(entry["type"] for entry in questions if entry["language"] == language)
        assert set(types) == QUESTION_TYPES
        assert types.total() - types["unanswerable"] >= 20
        assert types["unanswerable"] == 3
        assert types["bridge"] >= 8


def test_questions_carry_answers_and_support_exactly_when_answerable() -> None:
    """A question has answers and supporting sentences when it is answerable, and neither when it is not."""
    for entry in sample.questions():
        assert detect_language(entry["question"]) == entry["language"], entry["id"]
        answerable = entry["type"] != "unanswerable"
        assert bool(entry["answers"]) is answerable, entry["id"]
        assert bool(entry["supporting"]) is answerable, entry["id"]


def test_an_answer_stands_in_the_support_unless_it_is_a_judgement() -> None:
    """One of the accepted answers is found in the supporting sentences, except for yes-no and comparison."""
    for entry in sample.questions():
        if entry["type"] in {"yes_no", "comparison", "unanswerable"}:
            continue
        support = " ".join(support["sentence"] for support in entry["supporting"])
        assert any(answer in support for answer in entry["answers"]), entry["id"]


def test_multi_hop_questions_need_two_articles() -> None:
    """Bridge and comparison questions draw on two articles, and some of each language cross into the other."""
    crossing: Counter[str] = Counter()
    for entry in sample.questions():
        files = {support["file"] for support in entry["supporting"]}
        if entry["type"] in {"bridge", "comparison"}:
            assert len(files) == 2, entry["id"]
        if len({detect_language(source_of(file)) for file in files}) == 2:
            crossing[entry["language"]] += 1
    assert crossing["en"] >= 2
    assert crossing["ja"] >= 2


@pytest.mark.parametrize("language", ["en", "ja"])
def test_each_demo_question_needs_two_articles(language: str) -> None:
    """Each demo question is a bridge question over two articles, one of the English question's being a PDF."""
    (entry,) = [entry for entry in sample.questions() if entry["question"] == sample.DEMO_QUESTIONS[language]]
    assert entry["language"] == language
    assert entry["type"] == "bridge"
    suffixes = sorted(Path(support["file"]).suffix for support in entry["supporting"])
    assert suffixes == ([".md", ".pdf"] if language == "en" else [".md", ".md"])


def test_planted_pairs_are_complete_and_half_japanese() -> None:
    """The planted pairs reach the counts that a study of conflicts needs, as many in Japanese as in English."""
    planted = sample.planted()
    kinds = Counter(entry["kind"] for entry in planted)
    languages = Counter(entry["language"] for entry in planted)
    assert len({entry["id"] for entry in planted}) == len(planted)
    assert kinds["exclusive"] >= 6
    assert kinds["temporal"] >= 4
    assert kinds["granularity"] >= 4
    assert kinds["conditions"] + kinds["near_miss"] >= 10
    assert languages["en"] == languages["ja"]
    assert languages["mixed"] >= 1


def test_each_planted_pair_states_two_values_in_two_articles() -> None:
    """Each planted pair quotes two articles, names the value that each states, and says what a detector should find."""
    for entry in sample.planted():
        first, second = entry["statements"]
        assert first["file"] != second["file"], entry["id"]
        assert first["value"] in first["sentence"], entry["id"]
        assert second["value"] in second["sentence"], entry["id"]
        assert first["value"] != second["value"], entry["id"]
        assert entry["expected"] in EXPECTED[entry["kind"]], entry["id"]


@pytest.mark.parametrize(
    "spellings",
    [
        ("Personalized Tide Rank (PTR)", "Ebb Walk", "パーソナライズド潮位ランク（ＰＴＲ）", "引き潮ウォーク"),
        ("Twin-Anchor Retrieval (TAR)", "double-moored search", "ツインアンカー検索（TAR）"),
        ("Harbour Gossip Protocol (HGP)", "quay talk", "ハーバー・ゴシップ・プロトコル（HGP）"),
        ("コンピューターで", "コンピュータだけ"),
        ("計算サーバー", "計算サーバ「"),
        ("キャッシュ", "カシュ"),
        ("イルサ・ヴェラン", "イルサ・ベラン"),
        ("ブラノックヘイヴン", "ブラノックヘイブン"),
        ("汐嶋冴子", "汐島冴子"),
        ("帆﨑透馬", "帆崎透馬"),
        ("セオリ1号", "ｾｵﾘ1号"),
        ("令和元年", "2019年"),
        ("昭和33年", "1958年"),
    ],
    ids=lambda spellings: spellings[0],
)
def test_names_occur_in_several_spellings(spellings: tuple[str, ...]) -> None:
    """Names occur in the spellings that a lexicon has to bring together."""
    corpus = "\n".join(source_of(name) for name in FILES)
    assert [spelling for spelling in spellings if spelling not in corpus] == []


def test_the_bibliography_names_articles_of_the_corpus() -> None:
    """Each entry of the bibliography names a file of the corpus and repeats its title."""
    bibliography = (sample.corpus_path() / "sample.bib").read_text(encoding="utf-8")
    entries = re.findall(r"title\s*=\s*\{(.+?)\},.*?file\s*=\s*\{(.+?)\}", bibliography, re.DOTALL)
    assert len(entries) >= 8
    for title, file in entries:
        assert title_of(file) == title


def test_a_file_name_with_japanese_letters_and_a_space_is_there() -> None:
    """One article's file name has Japanese letters and a space, so that paths of that kind are always tried."""
    assert "潮汐センサ 入門.md" in FILES


def test_returned_questions_are_the_callers_own() -> None:
    """A caller who changes the returned questions does not change them for the next caller."""
    first: list[dict[str, Any]] = sample.questions()
    first[0]["answers"].clear()
    first.pop()
    assert json.dumps(first) != json.dumps(sample.questions())
    assert sample.questions()[0]["answers"]


def test_the_wheel_takes_the_whole_package() -> None:
    """The build takes the whole package folder, data files included."""
    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    build = tomllib.loads(pyproject.read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["packages"] == ["aira_nb"]
    assert not {"exclude", "only-include"} & set(build["targets"]["wheel"])
