from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from aira_nb.errors import InputError
from aira_nb.ingest import digest, find_files


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
    """Queries, judgements and notes beside corpus.jsonl are not documents."""
    touch(tmp_path, "set/corpus.jsonl", "set/queries.jsonl", "set/queries.tune.jsonl", "set/qrels/test.tsv", "set/R.md")
    touch(tmp_path, "other/a.jsonl")
    assert names(find_files([tmp_path]), tmp_path) == ["other/a.jsonl", "set/corpus.jsonl"]


@pytest.mark.parametrize("missing", ["nowhere", "nowhere/*.pdf"])
def test_a_path_that_does_not_exist_is_named(tmp_path: Path, missing: str) -> None:
    """A missing path is an error that names it."""
    with pytest.raises(InputError, match="nowhere"):
        find_files([tmp_path / missing])


def test_an_unknown_format_given_by_name_is_an_error(tmp_path: Path) -> None:
    """A named file of an unknown format is an error that says what can be read."""
    touch(tmp_path, "table.xlsx")
    with pytest.raises(InputError, match=r"table\.xlsx.*pdf"):
        find_files([tmp_path / "table.xlsx"])


def test_zero_documents_is_an_error(tmp_path: Path) -> None:
    """A folder without a document, and no path at all, are errors."""
    touch(tmp_path, "table.xlsx", "old.aira")
    for given in ([tmp_path], []):
        with pytest.raises(InputError, match="0 documents"):
            find_files(given)


def test_digest(tmp_path: Path) -> None:
    """The digest is the SHA-256 of the bytes; an unreadable file is an error."""
    (tmp_path / "a.txt").write_bytes(b"abc")
    assert digest(tmp_path / "a.txt") == hashlib.sha256(b"abc").hexdigest()
    with pytest.raises(InputError, match=r"b\.txt"):
        digest(tmp_path / "b.txt")
