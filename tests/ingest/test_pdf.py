"""PDFs drawn here, so that what a reader sees is known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aira_nb.errors import InputError
from aira_nb.ingest import NoTextError, Parser
from aira_nb.types import ParsedDocument

from .conftest import GOTHIC, MINCHO

Parse = Callable[[Path], ParsedDocument]
MakePdf = Callable[..., Path]

SENTENCES = (
    "Memory graphs keep what agents read. Links between passages carry the walk from one to the next, which is why "
    "a personalised ranking finds the second hop that plain search cannot see. "
)


def two_columns(sheet: Any, number: int) -> None:
    """Draw a page of a paper; the first has a title over both columns."""
    sheet.line(230, 40, "Proceedings of Examples", size=8)
    sheet.line(295, 815, str(number), size=8)
    y = 80.0
    if number == 1:
        sheet.line(150, 90, "Memory Graphs for Reading", size=18)
        sheet.line(200, 120, "Ada Lovelace and Alan M. Turing", size=12)
        sheet.line(200, 135, "University of Examples, May 2024", size=12)
        sheet.line(60, 180, "1 Introduction", size=12)
        y = 200.0
    y = sheet.prose(60, y, f"Left column {number} begins. {SENTENCES * 4}", 220)
    sheet.justified(70, y, "Agents that read long papers need the transmis-", 210)
    sheet.justified(60, y + 12, "sion of what they read, as state-of-the-", 220)
    sheet.line(60, y + 24, "art systems show.")
    sheet.prose(60, y + 36, f"{SENTENCES * 4} Left column {number} ends.", 220)
    y = 180.0 if number == 1 else 80.0
    sheet.line(315, y, f"{number + 1} Method", size=12)
    sheet.prose(315, y + 20, f"Right column {number} begins. {SENTENCES * 8}", 220)


@pytest.fixture
def two_column_paper(make_pdf: MakePdf, parse: Parse) -> ParsedDocument:
    return parse(make_pdf("paper.pdf", lambda s: two_columns(s, 1), lambda s: two_columns(s, 2)))


SIDES = (("Left column", "begins"), ("Left column", "ends"), ("Right column", "begins"))


def text_of(parsed: ParsedDocument) -> str:
    return "\n\n".join(passage.text for passage in parsed.passages)


def test_two_columns_are_read_one_after_the_other(two_column_paper: ParsedDocument) -> None:
    """The left column of a page comes before the right one, and full-width lines before both."""
    text = text_of(two_column_paper)
    marks = ["Ada Lovelace"] + [f"{side} {n} {verb}" for n in (1, 2) for side, verb in SIDES]
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)
    sentence = "carry the walk from one to the next, which is why a personalised ranking finds the second hop"
    assert text.count(sentence) == 32


def test_running_heads_and_page_numbers_are_dropped(two_column_paper: ParsedDocument) -> None:
    """What repeats in the margin, and page numbers, are in no passage."""
    text = text_of(two_column_paper)
    assert "Proceedings" not in text
    assert {line.strip() for line in text.split("\n")}.isdisjoint({"1", "2"})


def test_headings_title_and_authors(two_column_paper: ParsedDocument) -> None:
    """Passages carry their section; the largest line is the title, the names below it are the authors."""
    document = two_column_paper.document
    assert (document.title, document.authors) == ("Memory Graphs for Reading", ("Ada Lovelace", "Alan M. Turing"))
    sections = {p.section for p in two_column_paper.passages}
    assert {("1 Introduction",), ("2 Method",)} <= sections
    assert document.page_count == 2 and document.warnings == ()


def test_hyphens(two_column_paper: ParsedDocument) -> None:
    """A word cut at a line's end is made whole; a real hyphen stays."""
    text = text_of(two_column_paper)
    assert "need the transmission of what" in text
    assert "as state-of-the-art systems" in text


def test_boxes_are_the_lines(two_column_paper: ParsedDocument) -> None:
    """Each line of a passage has a box, in points from the top-left corner of its page."""
    passage = next(p for p in two_column_paper.passages if "Right column 1 begins" in p.text)
    first, second = passage.regions[:2]
    assert passage.text[first.start : first.end].startswith("Right column 1 begins. Memory")
    assert (first.page, first.left, first.right) == (1, pytest.approx(325, abs=2), pytest.approx(535, abs=2))
    assert first.top < 200 < first.bottom + 2 and second.left == pytest.approx(315, abs=2)
    assert second.top - first.top == pytest.approx(12, abs=0.5)


JAPANESE = ["大規模言語モデルの事前学習において新聞記事はどのような恩恵を", "もたらすのか．本研究では LLM", "agents の有用性を調べ",
            "た．"]  # fmt: skip


def test_japanese_lines_join_without_spaces(make_pdf: MakePdf, parse: Parse) -> None:
    """Japanese lines are joined without a space, Latin words with one; numbered headings in gothic type are found."""

    def draw(sheet: Any) -> None:
        sheet.line(60, 80, "記憶グラフによる論文読解", size=18, font=GOTHIC)
        sheet.line(60, 130, "1 はじめに", size=13, font=GOTHIC)
        for i, text in enumerate(JAPANESE[:1] * 3 + JAPANESE):
            sheet.line(60 + 10 * (i == 0), 155 + 15 * i, text, font=MINCHO)
        sheet.line(60, 290, "参考文献", size=13, font=GOTHIC)
        sheet.line(60, 315, "[1] 山田太郎. 記憶について. 2020.", font=MINCHO)
        sheet.line(60, 330, "[2] Ada Lovelace. Notes. 1843.", font=MINCHO)

    parsed = parse(make_pdf("和文.pdf", draw))
    body = next(p for p in parsed.passages if p.section == ("1 はじめに",))
    assert parsed.document.language == "ja" and parsed.document.title == "記憶グラフによる論文読解"
    assert "恩恵をもたらすのか．本研究では" in body.text
    assert "LLM agents の有用性を調べた．" in body.text
    references = next(p for p in parsed.passages if p.section == ("参考文献",))
    assert references.text.split("\n") == ["[1] 山田太郎. 記憶について. 2020.", "[2] Ada Lovelace. Notes. 1843."]


def prose(sheet: Any, top: float, times: int, *, begin: str = "", end: str = "") -> float:
    y: float = sheet.prose(60, top, f"{begin} {SENTENCES * times} {end}", 475)
    return y


def test_a_table_stays_out_of_the_paragraph(make_pdf: MakePdf, parse: Parse) -> None:
    """Rows of a table are lines of their own under their caption, and the paragraph around it is not broken by them."""

    def draw(sheet: Any) -> None:
        prose(sheet, 60, 4)
        sheet.line(60, 200, "Table 1: Scores of all models", size=9)
        for row, cells in enumerate([("Model", "R@2", "R@5"), ("bm25", "0.57", "0.75"), ("aira", "0.72", "0.92")]):
            for column, cell in enumerate(cells):
                sheet.line(80 + 120 * column, 216 + 12 * row, cell, size=9)
        prose(sheet, 280, 4)

    parsed = parse(make_pdf("table.pdf", draw))
    table = next(p for p in parsed.passages if "bm25" in p.text)
    assert table.text == "Table 1: Scores of all models\nModel\tR@2\tR@5\nbm25\t0.57\t0.75\naira\t0.72\t0.92"
    assert all("R@5" not in p.text for p in parsed.passages if "walk" in p.text)


def test_a_paragraph_goes_on_over_the_page_and_its_footnote(make_pdf: MakePdf, parse: Parse) -> None:
    """A sentence that a page break and a footnote interrupt is one sentence again."""

    def first(sheet: Any) -> None:
        y = prose(sheet, 60, 22)
        sheet.justified(
            60, y, "A last sentence on this page needs one more line to say all that it wants to say about its own", 475
        )
        sheet.line(60, 780, "1 A footnote says more.", size=7)

    def second(sheet: Any) -> None:
        sheet.line(60, 60, "end, which stands here.")
        prose(sheet, 100, 20)

    text = text_of(parse(make_pdf("break.pdf", first, second)))
    assert "to say about its own end, which stands here." in text
    assert "1 A footnote says more." in text


def test_pages_without_text_are_named(make_pdf: MakePdf, parse: Parse) -> None:
    """A page without a text layer among others is a warning that names the page."""
    parsed = parse(make_pdf("gap.pdf", lambda s: prose(s, 60, 5), lambda s: s.pdf.rect(50, 50, 100, 100)))
    assert parsed.document.page_count == 2
    assert any("1 of 2 pages has no text layer: 2" in warning for warning in parsed.document.warnings)


def test_rotated_text_is_left_out_with_a_warning(make_pdf: MakePdf, parse: Parse) -> None:
    """Vertical lines, such as a stamp in the margin, are left out and counted."""

    def draw(sheet: Any) -> None:
        prose(sheet, 60, 5)
        sheet.pdf.rotate(90)
        sheet.pdf.drawString(300, -30, "arXiv stamp")

    parsed = parse(make_pdf("stamp.pdf", draw))
    assert "stamp" not in text_of(parsed)
    assert "1 vertical or rotated line was left out, on page 1" in parsed.document.warnings


def test_crop_box(make_pdf: MakePdf, parse: Parse) -> None:
    """Boxes count from the corner of the page as it is shown, not of the sheet it was cut from."""

    def draw(sheet: Any) -> None:
        sheet.pdf.setCropBox((50, 142, 545, 742))
        sheet.line(100, 200, "A line on a cropped page.")

    region = parse(make_pdf("crop.pdf", draw)).passages[0].regions[0]
    assert region.left == pytest.approx(50, abs=1)
    assert region.bottom == pytest.approx(102, abs=2)


def test_an_image_only_pdf_is_no_text(make_pdf: MakePdf, parser: Parser) -> None:
    """A scan is an error of its own kind that suggests OCR."""
    path = make_pdf("scan.pdf", lambda s: s.pdf.rect(50, 50, 200, 300, fill=1))
    with pytest.raises(NoTextError, match=r"scan\.pdf.*OCR"):
        list(parser.read(path))


def test_a_text_layer_of_signs_is_no_text(make_pdf: MakePdf, parser: Parser) -> None:
    """A text layer with hardly any letters is reported like a scan."""
    path = make_pdf("signs.pdf", lambda s: [s.line(60, 60 + 12 * i, "#%&* +=~^ <>|{} $@!? ;:., 0") for i in range(20)])
    with pytest.raises(NoTextError, match=r"signs\.pdf.*OCR"):
        list(parser.read(path))


def test_an_encrypted_pdf_is_an_error(make_pdf: MakePdf, parser: Parser) -> None:
    """A PDF that needs a password is an error that says so; one that only forbids printing is read."""
    from reportlab.lib.pdfencrypt import StandardEncryption

    locked = make_pdf("locked.pdf", lambda s: prose(s, 60, 3), encrypt=StandardEncryption("secret", "owner"))
    with pytest.raises(InputError, match=r"locked\.pdf.*encrypted.*password"):
        list(parser.read(locked))
    restricted = make_pdf("restricted.pdf", lambda s: prose(s, 60, 3), encrypt=StandardEncryption("", "owner"))
    assert len(list(parser.read(restricted))) == 1


def test_a_truncated_pdf_is_an_error(make_pdf: MakePdf, parser: Parser) -> None:
    """A PDF cut off in the middle is an error, not an empty document."""
    whole = make_pdf("whole.pdf", *[lambda s: prose(s, 60, 20)] * 3)
    cut = whole.with_name("cut.pdf")
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with pytest.raises(InputError, match=r"cut\.pdf.*damaged"):
        list(parser.read(cut))


def test_a_bib_beside_the_paper_overrides(make_pdf: MakePdf, parse: Parse) -> None:
    """Title, authors, year and DOI of the .bib beside the file win over what the pages seem to say."""
    path = make_pdf("paper.pdf", lambda s: two_columns(s, 1))
    path.with_suffix(".bib").write_text(
        "@article{k, title={Real Title}, author={Roe, Jane}, year={1999}, doi={10.1/z}}", encoding="utf-8"
    )
    document = parse(path).document
    assert (document.title, document.authors, document.year, document.doi) == (
        "Real Title",
        ("Jane Roe",),
        1999,
        "10.1/z",
    )


def test_contents_are_marked(make_pdf: MakePdf, parse: Parse) -> None:
    """A table of contents is kept apart under a section of fixed name, without its dot leaders."""

    def draw(sheet: Any) -> None:
        sheet.line(60, 60, "Contents", size=14, font="Times-Bold")
        for i in range(5):
            sheet.line(60, 90 + 14 * i, f"{i + 1} Chapter . . . . . . . . . . . . . . {i + 2}")
        prose(sheet, 250, 10)

    parsed = parse(make_pdf("toc.pdf", draw))
    (contents,) = [p for p in parsed.passages if p.section == ("Table of contents",)]
    assert contents.text.split("\n")[0] == "1 Chapter \u2026 2"


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("the transmis-", "sion of", "the transmission of"),
        ("state-of-the-", "art systems", "state-of-the-art systems"),
        ("country-", "specific shift", "country-specific shift"),
        ("COVID-", "19 cases", "COVID-19 cases"),
        ("Llama-3-", "EvoVLM", "Llama-3-EvoVLM"),
        ("XL-", "sum data", "XL-sum data"),
        ("wage -", "not price", "wage - not price"),
        ("新聞記事から", "LLM を学習", "新聞記事からLLM を学習"),
        ("恩恵をもたらす", "のか", "恩恵をもたらすのか"),
        ("see https://example.org/a-", "b/c", "see https://example.org/a-b/c"),
        ("soft\u00ad", "ware", "software"),
    ],
)
def test_joins(before: str, after: str, joined: str) -> None:
    """Two lines become one text the way a reader would copy them."""
    from aira_nb.ingest.pdf.joining import Vocabulary, join

    vocabulary = Vocabulary(["a shift of the transmission in a country that is specific to"])
    kept, gap = join(before, after, vocabulary)
    assert kept + gap + after == joined
