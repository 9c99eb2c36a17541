"""The parsing process: limits, crashes, and its end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aira_nb.errors import InputError
from aira_nb.ingest import NoTextError, Parser, read_file
from aira_nb.types import ParsedDocument, make_id

posix = pytest.mark.skipif(os.name != "posix", reason="signals and process groups are POSIX")


def wait_for(condition: Callable[[], Any]) -> Any:
    for _ in range(600):
        if value := condition():
            return value
        time.sleep(0.05)
    raise AssertionError("it did not happen")


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    stat = Path(f"/proc/{pid}/stat")
    # Nobody may collect an orphan's exit status in a container: a zombie is gone too.
    return stat.exists() and stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"


@pytest.fixture
def long_pdf(make_pdf: Callable[..., Path]) -> Path:
    """A PDF that takes seconds to read."""

    def draw(sheet: Any) -> None:
        for y in range(60, 780, 12):
            sheet.line(50, y, "many words on a line that is long enough to keep a parser busy for a while")

    return make_pdf("long.pdf", *[draw] * 60)


def test_source_and_id(tmp_path: Path, parser: Parser) -> None:
    """A document calls itself what the caller says, or the path with slashes, and its id follows from that."""
    path = tmp_path / "データ 集" / "論文 1.md"
    path.parent.mkdir()
    path.write_text("# 題名\n\n本文です。\n", encoding="utf-8")
    (default,) = parser.read(path)
    (named,) = parser.read(path, source="論文 1.md")
    assert isinstance(default, ParsedDocument) and isinstance(named, ParsedDocument)
    assert default.document.source == path.as_posix()
    assert default.document.title == "題名"
    assert (named.document.source, named.document.id) == ("論文 1.md", make_id("論文 1.md"))
    assert named.passages[0].id == make_id(named.document.id, "本文です。", 0)


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("empty.pdf", b"", "empty"),
        ("junk.pdf", b"this is no pdf", "damaged"),
        ("junk.docx", b"this is no docx", "damaged"),
        ("junk.pptx", b"PK\x03\x04junk", "damaged"),
        ("bad.txt", b"\x80\x81\xff" * 50, "encoding"),
        ("table.xlsx", b"x", "cannot read"),
    ],
)
def test_bad_files_are_errors_with_file_and_cause(
    tmp_path: Path, parser: Parser, name: str, content: bytes, cause: str
) -> None:
    """An empty, broken, mis-encoded or unknown file is an error that names the file and the cause."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"{name}.*{cause}") as caught:
        list(parser.read(path))
    assert not isinstance(caught.value, NoTextError)
    assert not re.search(r"\.\)+\.|\.\.", str(caught.value)), "one full stop is enough"


def test_a_title_has_a_limit(tmp_path: Path, parser: Parser) -> None:
    """A title longer than 300 characters, from the text or from a .bib, is cut and shows it; the text keeps it whole."""
    path = tmp_path / "a.md"
    path.write_text("# " + "t" * 5_000 + "\n\nBody.\n", encoding="utf-8")
    for bib in ("", "@misc{a, title = {" + "t" * 5_000 + "}}"):
        path.with_suffix(".bib").write_text(bib, encoding="utf-8")
        (parsed,) = parser.read(path)
        assert isinstance(parsed, ParsedDocument)
        assert parsed.document.title == "t" * 299 + "\u2026"


def test_a_missing_file_is_an_error(tmp_path: Path, parser: Parser) -> None:
    """A file that does not exist is an error that names it."""
    with pytest.raises(InputError, match=r"gone\.md: no such file"):
        list(parser.read(tmp_path / "gone.md"))


def test_a_text_file_without_text_is_no_text(tmp_path: Path, parser: Parser) -> None:
    """A file of white space has no text, which callers can tell from a failure."""
    path = tmp_path / "blank.txt"
    path.write_text(" \n\n \u3000\n", encoding="utf-8")
    with pytest.raises(NoTextError, match=r"blank\.txt.*OCR"):
        list(parser.read(path))


def test_one_worker_reads_many_files(tmp_path: Path) -> None:
    """Files are read one after the other by the same process, also after a bad one."""
    good, bad = tmp_path / "a.md", tmp_path / "b.docx"
    good.write_text("text", encoding="utf-8")
    bad.write_bytes(b"junk")
    with Parser() as own:
        list(own.read(good))
        assert own._process is not None
        first = own._process.pid
        with pytest.raises(InputError):
            list(own.read(bad))
        list(own.read(good))
        assert own._process is not None and own._process.pid == first


def test_time_limit_stops_a_file_and_the_next_is_read(tmp_path: Path, long_pdf: Path) -> None:
    """A file over the time limit is an error, its process is killed, and the parser goes on."""
    good = tmp_path / "a.md"
    good.write_text("text", encoding="utf-8")
    with Parser(time_limit=0.2) as own:
        with pytest.raises(InputError, match=r"long\.pdf: not parsed within 0\.2 s.*time_limit"):
            list(own.read(long_pdf))
        assert own._process is None
        own.time_limit = 120
        assert len(list(own.read(good))) == 1


@posix
def test_a_killed_worker_is_replaced(tmp_path: Path, long_pdf: Path) -> None:
    """When its process dies in the middle of a PDF, the file is read by the lighter parser in a new process."""
    with Parser() as own:
        warm = tmp_path / "a.md"
        warm.write_text("text", encoding="utf-8")
        list(own.read(warm))
        assert own._process is not None
        victim = own._process.pid
        killer = threading.Timer(0.3, os.kill, (victim, signal.SIGKILL))
        killer.start()
        (parsed,) = own.read(long_pdf)
        killer.join()
        assert isinstance(parsed, ParsedDocument)
        assert is_gone(victim) and own._process is not None and own._process.pid != victim
        assert parsed.document.page_count == 60
        assert any("lighter parser" in warning for warning in parsed.document.warnings)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux enforces the limit of address space")
def test_memory_limit(long_pdf: Path) -> None:
    """A file that needs more memory than allowed is an error that says so."""
    with pytest.raises(InputError, match=r"long\.pdf.*memory"):
        list(read_file(long_pdf, memory_limit=150 * 2**20))


def test_limits_must_be_positive() -> None:
    """A limit of nothing is refused at once."""
    with pytest.raises(InputError, match="time_limit"):
        Parser(time_limit=0)


CHILD = """
    import sys
    from aira_nb.ingest import Parser

    with Parser() as parser:
        process = parser._start()
        print(process.pid, flush=True)
        try:
            list(parser.read(sys.argv[1]))
        except KeyboardInterrupt:
            print("interrupted", flush=True)
"""


def start_child(path: Path) -> tuple[subprocess.Popen[str], int]:
    root = Path(__file__).resolve().parents[2]
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CHILD), str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ, PYTHONPATH=str(root)),
        start_new_session=True,
    )
    assert child.stdout is not None
    return child, int(child.stdout.readline())


@posix
def test_worker_ends_with_a_killed_parent(long_pdf: Path) -> None:
    """Kill -9 of the caller ends the parsing process too, even in the middle of a file."""
    child, worker = start_child(long_pdf)
    time.sleep(0.5)
    with child:
        child.kill()
    assert wait_for(lambda: is_gone(worker))


@posix
def test_interrupt_kills_the_worker(long_pdf: Path) -> None:
    """Ctrl-C in the caller is noticed while a file is being parsed, and ends the parsing process."""
    child, worker = start_child(long_pdf)
    time.sleep(0.5)
    with child:
        child.send_signal(signal.SIGINT)
        assert child.stdout is not None
        assert child.stdout.read().strip() == "interrupted"
    assert wait_for(lambda: is_gone(worker))


def test_no_torch_and_no_converter() -> None:
    """Reading a PDF and office files imports neither torch nor docling's converter."""
    code = """
        import sys
        from aira_nb.ingest import office
        from aira_nb.ingest.pdf import lines
        lines._open("nothing.pdf")
        for form in ("DOCX", "PPTX", "HTML", "MD"):
            office._backend(form)
        print([name for name in ("torch", "docling.document_converter") if name in sys.modules])
    """
    result = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_import_is_light() -> None:
    """Importing the room loads no vendor."""
    code = (
        "import sys, aira_nb.ingest; print([m for m in ('docling', 'docling_parse', 'pypdfium2') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
