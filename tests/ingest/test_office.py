"""DOCX, PPTX, HTML, Markdown and plain text, written here and read back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aira_nb.types import ParsedDocument

Parse = Callable[[Path], ParsedDocument]


def shape(parsed: ParsedDocument) -> list[tuple[tuple[str, ...], str]]:
    return [(p.section, p.text) for p in parsed.passages]


def test_docx(tmp_path: Path, parse: Parse) -> None:
    """Headings, paragraphs, lists and tables of a Word file come out in order, in both languages."""
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("Memory and 記憶", 0)
    document.add_heading("Background", 1)
    run = document.add_paragraph("Plain and ")
    run.add_run("bold").bold = True
    run.add_run(" text.")
    document.add_paragraph("one", style="List Bullet")
    document.add_paragraph("two", style="List Bullet")
    table = document.add_table(2, 2)
    for cell, text in zip(table._cells, ("a", "b", "1", "値"), strict=True):
        cell.text = text
    document.add_heading("小節", 2)
    document.add_paragraph("日本語の文である。")
    document.save(tmp_path / "論文.docx")
    parsed = parse(tmp_path / "論文.docx")
    assert (parsed.document.title, parsed.document.format, parsed.document.page_count) == ("Memory and 記憶", "docx", 0)
    assert shape(parsed) == [
        (("Background",), "Plain and bold text.\n\none\ntwo"),
        (("Background",), "a\tb\n1\t値"),
        (("Background", "小節"), "日本語の文である。"),
    ]


def test_pptx(tmp_path: Path, parse: Parse) -> None:
    """Each slide is a page, its title a section; notes are read; boxes are in points."""
    pptx = pytest.importorskip("pptx")
    deck = pptx.Presentation()
    for title, body in (("目的", "記憶を測る"), ("Result", "It works")):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
        slide.notes_slide.notes_text_frame.text = f"note on {title}"
    deck.save(tmp_path / "talk.pptx")
    parsed = parse(tmp_path / "talk.pptx")
    assert (parsed.document.title, parsed.document.page_count) == ("目的", 2)
    first, second = parsed.passages
    assert (first.section, first.pages, second.pages) == (("目的",), (1,), (2,))
    assert first.text == "記憶を測る\n\nnote on 目的"
    assert 0 < first.regions[0].left < first.regions[0].right <= 720


HTML = """<html><head><title>Page title</title>
<meta name="citation_author" content="Ada Lovelace"><meta name="citation_doi" content="10.1/x">
<meta name="citation_publication_date" content="2021/05/01">
<script>var leak1 = "leaked";</script><style>.leak2 {}</style></head>
<body><h1>Big title</h1><p>A <b>bold</b> word, <a href="file:///etc/passwd">here</a>.</p>
<script>document.write("leak3")</script><noscript>leak4</noscript><template>leak5</template>
<img src="file:///etc/passwd"><img src="http://localhost:9/x.png"><iframe src="http://localhost:9/"></iframe>
<object data="file:///etc/passwd"></object><link rel="stylesheet" href="http://localhost:9/s.css">
<p style="display:none">leak6</p>
<h2>小節</h2><p>日本語の<ruby>漢字<rt>かんじ</rt></ruby>を
読む。</p><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></body></html>"""


def test_html(tmp_path: Path, parse: Parse) -> None:
    """Hostile HTML gives its visible text only; nothing is fetched and no script leaks."""
    (tmp_path / "page.html").write_text(HTML, encoding="utf-8")
    parsed = parse(tmp_path / "page.html")
    assert shape(parsed) == [
        ((), "A bold word, here."),
        (("小節",), "日本語の漢字を読む。"),
        (("小節",), "a\tb\n1\t2"),
    ]
    document = parsed.document
    assert (document.title, document.authors) == ("Page title", ("Ada Lovelace",))
    assert (document.year, document.doi) == (2021, "10.1/x")
    assert "leak" not in repr(parsed) and "root:" not in repr(parsed)


@pytest.mark.parametrize("encoding", ["shift_jis", "euc_jp"])
@pytest.mark.parametrize("declared", [True, False])
def test_html_in_japanese_encodings(tmp_path: Path, parse: Parse, encoding: str, declared: bool) -> None:
    """HTML in Shift_JIS or EUC-JP is read, whether it says so or not."""
    meta = f'<meta charset="{encoding.replace("_", "-")}">' if declared else ""
    text = f"<html><head>{meta}<title>題名</title></head><body><p>これは日本語の段落です。</p></body></html>"
    (tmp_path / "page.htm").write_bytes(text.encode(encoding))
    parsed = parse(tmp_path / "page.htm")
    assert (parsed.document.title, parsed.passages[0].text) == ("題名", "これは日本語の段落です。")


MARKDOWN = """---
title: "記憶グラフ"
authors: [山田 太郎, Ada Lovelace]
year: 2024
doi: 10.1234/abc
---

# A heading of the file

Some *emphasis*, `code_x` and [a link](http://localhost:9/a_b_c).

これは途中で
改行された段落である。

<script>alert("leak")</script><!-- leak -->

## Part two

- one
- two

```html
<script>kept in code</script>
```

![alt](file:///etc/passwd)
"""


def test_markdown(tmp_path: Path, parse: Parse) -> None:
    """Markdown gives front matter as bibliographic data, headings as sections, and no script outside of code."""
    (tmp_path / "論文 1.md").write_text(MARKDOWN, encoding="utf-8")
    parsed = parse(tmp_path / "論文 1.md")
    document = parsed.document
    assert (document.title, document.authors) == ("記憶グラフ", ("山田 太郎", "Ada Lovelace"))
    assert (document.year, document.doi, document.format) == (2024, "10.1234/abc", "md")
    (first, second) = parsed.passages
    assert first.text == "Some emphasis, code_x and a link.\n\nこれは途中で改行された段落である。"
    assert second.section == ("Part two",)
    assert second.text.startswith("one\ntwo") and "<script>kept in code</script>" in second.text
    assert "leak" not in repr(parsed)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp932", "euc_jp"])
def test_plain_text(tmp_path: Path, parse: Parse, encoding: str) -> None:
    """Plain text in the usual encodings is read; wrapped lines are joined, a short first line is the title."""
    wrapped = "\n".join(
        ["吾輩は猫である。名前はまだ無い。どこで生れ", "たか頓と見当がつかぬ。何でも薄暗いじめじめ", "した所であった。"]
    )
    (tmp_path / "猫.txt").write_bytes(f"吾輩は猫である\n\n{wrapped}\n\n一つ目\n二つ目\n".encode(encoding))
    parsed = parse(tmp_path / "猫.txt")
    assert (parsed.document.title, parsed.document.language) == ("吾輩は猫である", "ja")
    assert parsed.passages[0].text.startswith("吾輩は猫である。名前はまだ無い。どこで生れたか頓と見当がつかぬ。何でも")
    assert parsed.passages[0].text.endswith("\n\n一つ目\n二つ目")


def test_a_huge_text_file(tmp_path: Path, parse: Parse) -> None:
    """A 200 KB paragraph without a full stop passes."""
    (tmp_path / "huge.txt").write_text("記憶" * 35_000, encoding="utf-8")
    parsed = parse(tmp_path / "huge.txt")
    assert sum(len(p.text) for p in parsed.passages) == 70_000
