from __future__ import annotations

import json
from pathlib import Path

import pytest

from aira_nb.errors import InputError
from aira_nb.ingest import read_file
from aira_nb.types import FileReport, ParsedDocument, make_id


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines), encoding="utf-8")
    return path


def test_one_document_a_record(tmp_path: Path) -> None:
    """A record becomes a document with its own id, source, title and bibliographic data."""
    path = write(
        tmp_path / "corpus.jsonl",
        {"_id": "d1", "title": "PPR", "text": "A walk.", "authors": ["A B"], "year": 2020, "doi": "10.1/x"},
        {"id": 7, "text": "個人化された歩行。", "metadata": {"kind": "card"}, "lang": "ja"},
    )
    first, second = list(read_file(path, source="set"))
    assert isinstance(first, ParsedDocument) and isinstance(second, ParsedDocument)
    document = first.document
    assert (document.source, document.external_id, document.title) == ("set#d1", "d1", "PPR")
    assert (document.authors, document.year, document.doi) == (("A B",), 2020, "10.1/x")
    assert (document.id, document.format, document.language) == (make_id("set#d1"), "jsonl", "en")
    assert [p.text for p in first.passages] == ["A walk."]
    assert first.passages[0].id == make_id(document.id, "A walk.", 0)
    assert (second.document.title, second.document.language) == ("個人化された歩行。", "ja")
    assert second.document.metadata == {"kind": "card", "lang": "ja"}


def test_a_bad_line_fails_alone(tmp_path: Path) -> None:
    """A broken record is reported with its line number and reason, and the others go on."""
    path = write(
        tmp_path / "c.jsonl",
        {"_id": "a", "text": "fine"},
        "{not json",
        "[1]",
        {"_id": "a", "text": "again"},
        {"_id": "b", "text": 5},
        '{"_id": "c", "text": "half \\ud800"}',
        {"_id": "d", "text": "  "},
        "[" * 100_000,
        '{"_id": "n", "text": "x", "count": ' + "1" * 5_000 + "}",
        r'{"_id": "\ud800", "text": "x"}',
        r'{"_id": "s", "text": "x", "authors": ["\udc00"]}',
        r'{"_id": "s", "text": "x", "doi": "\ud800"}',
        r'{"_id": "s", "text": "x", "metadata": {"a": [{"\uDFFF": 1}]}}',
        r'{"_id": "s", "text": "x", "\ud800": 1}',
        {"_id": "e", "text": "also fine"},
    )
    results = list(read_file(path, source="c"))
    reports = [r for r in results if isinstance(r, FileReport)]
    assert [type(r).__name__ for r in (results[0], results[-1])] == ["ParsedDocument"] * 2
    assert [r.state for r in reports] == ["failed"] * 5 + ["skipped"] + ["failed"] * 7
    assert all(f"line {number}" in report.reason for number, report in enumerate(reports, start=2))
    assert "repeats the id" in reports[2].reason and "line 1" in reports[2].reason
    assert "digits" in reports[7].reason
    assert all("half a surrogate pair" in report.reason for report in (reports[4], *reports[8:]))


def test_a_whole_surrogate_pair_is_a_character(tmp_path: Path) -> None:
    """An emoji that JSON escapes as two halves is read as the character it is."""
    (parsed,) = read_file(write(tmp_path / "c.jsonl", r'{"_id": "a", "text": "fine \ud83d\ude00"}'))
    assert isinstance(parsed, ParsedDocument)
    assert parsed.passages[0].text == "fine \U0001f600"


def test_a_title_has_a_limit(tmp_path: Path) -> None:
    """A title longer than 300 characters is cut and shows it."""
    (parsed,) = read_file(write(tmp_path / "c.jsonl", {"_id": "a", "title": "t" * 5_000, "text": "x"}))
    assert isinstance(parsed, ParsedDocument)
    assert parsed.document.title == "t" * 299 + "\u2026"


def test_a_file_without_a_record_is_an_error(tmp_path: Path) -> None:
    """A JSONL file with no usable record at all is an error."""
    with pytest.raises(InputError, match="no usable record"):
        list(read_file(write(tmp_path / "c.jsonl", "", "")))


def test_bytes_of_the_record_are_its_digest(tmp_path: Path) -> None:
    """An edit of one record changes the digest of that record only."""

    def digests(text: str) -> list[str]:
        records = read_file(write(tmp_path / "c.jsonl", {"_id": "a", "text": "same"}, {"_id": "b", "text": text}))
        return [r.document.sha256 for r in records if isinstance(r, ParsedDocument)]

    before, after = digests("one"), digests("two")
    assert before[0] == after[0] and before[1] != after[1]
