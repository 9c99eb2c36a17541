from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from aira_nb.errors import InputError
from aira_nb.ingest import Parser, digest, file_digest, find_files
from aira_nb.types import ParsedDocument


def touch(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text", encoding="utf-8")


def names(files: list[Path], root: Path) -> list[str]:
    return [file.relative_to(root).as_posix() for file in files]


def test_folders_are_searched_recursively_and_sorted(tmp_path: Path) -> None:
    """A folder stands for the documents in it and below it, in a fixed order."""
    touch(tmp_path, "b.md", "a.pdf", "sub/deep/c.txt", "notes.csv")
    assert names(find_files([tmp_path]), tmp_path) == ["a.pdf", "b.md", "sub/deep/c.txt"]


def test_refuse_is_passed_over(tmp_path: Path) -> None:
    """Hidden files, lock files, download marks and stores are not documents."""
    touch(tmp_path, "a.md", ".hidden.md", ".git/x.md", "~$a.docx", "a.pdf:Zone.Identifier", "a.pdf.Zone.Identifier")
    touch(tmp_path, "my.aira", "__MACOSX/a.md")
    assert names(find_files([tmp_path]), tmp_path) == ["a.md"]


def test_download_marks_named_by_a_shell_pattern_do_not_stop_the_rest(tmp_path: Path) -> None:
    """A Zone.Identifier file beside a paper is no error, even when named."""
    touch(tmp_path, "a.md", "a.md:Zone.Identifier")
    files = find_files([tmp_path / "a.md", tmp_path / "a.md:Zone.Identifier"])
    assert names(files, tmp_path) == ["a.md"]


def test_japanese_names_and_spaces(tmp_path: Path) -> None:
    """Paths with Japanese letters and spaces work as files, folders and patterns."""
    touch(tmp_path, "データ 集/論文 1.md")
    expected = ["データ 集/論文 1.md"]
    for given in ("データ 集/論文 1.md", "データ 集", "データ*/論文*.md", "**/*.md"):
        assert names(find_files([str(tmp_path / given)]), tmp_path) == expected


def test_a_name_with_pattern_signs_is_a_name_first(tmp_path: Path) -> None:
    """An existing file called "paper[1].md" is meant literally."""
    touch(tmp_path, "paper[1].md", "paper1.md")
    assert names(find_files([tmp_path / "paper[1].md"]), tmp_path) == ["paper[1].md"]


def test_each_file_once(tmp_path: Path) -> None:
    """A file that several arguments name is listed once."""
    touch(tmp_path, "a.md")
    assert len(find_files([tmp_path, tmp_path / "a.md", str(tmp_path / "*.md")])) == 1


def test_one_path_may_be_given_bare(tmp_path: Path) -> None:
    """A single string is one path, not a sequence of letters."""
    touch(tmp_path, "a.md")
    assert len(find_files(str(tmp_path))) == 1


def test_beir_folder_is_its_corpus(tmp_path: Path) -> None:
    """Queries and judgements beside corpus.jsonl are not documents; papers and folders beside it are."""
    touch(tmp_path, "set/corpus.jsonl", "set/queries.jsonl", "set/queries.tune.jsonl", "set/qrels/test.txt", "set/R.md")
    touch(tmp_path, "set/more/b.md", "other/a.jsonl", "other/queries.jsonl", "qrels/c.txt")
    expected = ["other/a.jsonl", "other/queries.jsonl", "qrels/c.txt", "set/R.md", "set/corpus.jsonl", "set/more/b.md"]
    assert names(find_files([tmp_path]), tmp_path) == expected
    assert sorted(names(find_files([str(tmp_path / "**")]), tmp_path)) == expected


@pytest.mark.parametrize("missing", ["nowhere", "nowhere/*.pdf"])
def test_a_path_that_does_not_exist_is_named(tmp_path: Path, missing: str) -> None:
    """A missing path is an error that names it."""
    with pytest.raises(InputError, match="nowhere"):
        find_files([tmp_path / missing])


def test_an_unknown_format_given_by_name_is_an_error(tmp_path: Path) -> None:
    """Named files of unknown formats alone are an error that says what can be read."""
    touch(tmp_path, "table.xlsx")
    with pytest.raises(InputError, match=r"table\.xlsx.*pdf"):
        find_files([tmp_path / "table.xlsx"])


def test_zero_documents_is_an_error(tmp_path: Path) -> None:
    """A folder without a document, and no path at all, are errors."""
    touch(tmp_path, "table.xlsx", "old.aira")
    for given in ([tmp_path], []):
        with pytest.raises(InputError, match="0 documents"):
            find_files(given)


def test_an_unknown_format_among_others_fails_alone(tmp_path: Path, parser: Parser) -> None:
    """A named file that cannot be read is listed with the good ones, and reading it says why."""
    touch(tmp_path, "a.md", "table.xlsx")
    files = find_files([tmp_path / "table.xlsx", tmp_path / "a.md"])
    assert names(files, tmp_path) == ["table.xlsx", "a.md"]
    with pytest.raises(InputError, match=r"table\.xlsx.*pdf"):
        list(parser.read(files[0]))


def test_a_named_bibliography_is_passed_over(tmp_path: Path) -> None:
    """A .bib that a shell pattern names is data about its neighbours, no document and no error."""
    touch(tmp_path, "a.md", "refs.bib")
    assert names(find_files([tmp_path / "a.md", tmp_path / "refs.bib"]), tmp_path) == ["a.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_never_opened(tmp_path: Path, parser: Parser) -> None:
    """A named pipe called x.md is passed over in folders and refused by name, without waiting for a writer."""
    touch(tmp_path, "a.md")
    os.mkfifo(tmp_path / "x.md")
    assert names(find_files([tmp_path]), tmp_path) == ["a.md"]
    assert len(find_files([tmp_path / "a.md", tmp_path / "x.md"])) == 2
    for refused in (lambda path: find_files([path]), digest, file_digest, lambda path: list(parser.read(path))):
        with pytest.raises(InputError, match=r"x\.md: not a regular file"):
            refused(tmp_path / "x.md")


def test_digest_follows_the_entry_that_describes_the_file(tmp_path: Path) -> None:
    """Adding, changing or removing a paper's own .bib entry changes its digest; any other entry leaves it alone."""
    paper, bib = tmp_path / "a.md", tmp_path / "all.bib"
    touch(tmp_path, "a.md", "b.md")
    own = "@misc{{a, title = {{{}}}, file = {{a.md}}}}"
    digests = []
    for text in ("@misc{b, file = {b.md}}", own.format("Old"), own.format("New"), "@misc{b, title = {B}}"):
        bib.write_text(text, encoding="utf-8")
        digests.append(digest(paper))
        bib.write_text(text + "\n@misc{c, title = {Other}, file = {c.md}}", encoding="utf-8")
        assert digest(paper) == digests[-1]
    plain = file_digest(paper)
    assert digests[0] == digests[3] == plain
    assert len(set(digests)) == 3


def test_the_document_has_the_digest_of_its_bytes(tmp_path: Path, parser: Parser) -> None:
    """A document's sha256 is that of the file alone, so that equal files are twins whatever describes them."""
    touch(tmp_path, "a.md")
    (tmp_path / "a.bib").write_text("@misc{a, title = {T}}", encoding="utf-8")
    (parsed,) = parser.read(tmp_path / "a.md")
    assert isinstance(parsed, ParsedDocument)
    assert parsed.document.title == "T"
    assert parsed.document.sha256 == file_digest(tmp_path / "a.md") != digest(tmp_path / "a.md")


def test_digest(tmp_path: Path) -> None:
    """The digest is the SHA-256 of the bytes; an unreadable file is an error."""
    (tmp_path / "a.txt").write_bytes(b"abc")
    assert digest(tmp_path / "a.txt") == hashlib.sha256(b"abc").hexdigest()
    with pytest.raises(InputError, match=r"b\.txt"):
        digest(tmp_path / "b.txt")
