"""Small documents and what an extractor would read in them, and a memory to put them into."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from aira_nb import stabilize
from aira_nb.memory import Memory
from aira_nb.types import Definition, Document, Extraction, Mention, ParsedDocument, Passage, Region, Triple, make_id

EXTRACTOR = "rules/1"


class Make:
    """Builders of records that keep every rule the records promise."""

    extractor = EXTRACTOR

    @staticmethod
    def document(source: str, *texts: str, format: str = "md", pages: int = 0) -> ParsedDocument:
        """One document with a passage for each text, in order; a line box on its own page when it has pages."""
        id_ = make_id(source)
        digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
        document = Document(id_, source, digest, format, f"title of {source}", "en", page_count=pages)
        passages: list[Passage] = []
        at = 0
        for position, text in enumerate(texts):
            twins = sum(passage.text == text for passage in passages)
            boxes = (Region(0, len(text), position + 1, 72.1, 100.25, 540.0, 112.7),) if pages else ()
            passages.append(
                Passage(make_id(id_, text, twins), id_, position, text, at, at + len(text), "en", ("1 Method",), boxes)
            )
            at += len(text) + 1
        return ParsedDocument(document, tuple(passages))

    @staticmethod
    def extraction(passage: Passage, *statements: tuple[str, str, str], types: str = "term") -> Extraction:
        """What an extractor reads when the passage states these (head, relation, tail)."""
        mentions: dict[str, Mention] = {}
        for head, _, tail in statements:
            for name in (head, tail):
                at = passage.text.index(name)
                mentions[name] = Mention(at, at + len(name), name, types)
        return Extraction(
            passage.id,
            EXTRACTOR,
            mentions=tuple(mentions.values()),
            triples=tuple(Triple(mentions[h], r, mentions[t], 0, len(passage.text)) for h, r, t in statements),
            definitions=tuple(Definition(m.start, m.end, m.text, "title") for m in mentions.values()),
        )

    @classmethod
    def read(cls, passage: Passage) -> Extraction:
        """Read a passage of sentences "Head relation Tail." the way a very simple extractor would."""
        statements = [s.split(" ", 2) for s in passage.text.rstrip(".").split(". ") if s.count(" ") >= 2]
        return cls.extraction(passage, *((h, r, t) for h, r, t in statements))


def build(memory: Memory, *, threshold: int = 2) -> None:
    """Extract what is missing and settle, as the corpus does."""
    passages = memory.passages(memory.passages_to_extract(EXTRACTOR))
    memory.put_extractions(Make.read(passage) for passage in passages)
    settle(memory, threshold=threshold)


def settle(memory: Memory, *, threshold: int = 2) -> None:
    """Plan and apply in one transaction."""
    with memory.transaction():
        current = memory.entities(), memory.schemas(), memory.facts()
        memory.apply(stabilize.plan(memory.triples(), current, threshold=threshold))


@pytest.fixture(name="make", scope="session")
def make_fixture() -> type[Make]:
    """Give the builders."""
    return Make


@pytest.fixture(name="build", scope="session")
def build_fixture() -> Callable[..., None]:
    """Give the function that extracts and settles."""
    return build


@pytest.fixture(name="settle", scope="session")
def settle_fixture() -> Callable[..., None]:
    """Give the function that plans and applies."""
    return settle


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give the path of a store that does not exist yet."""
    return tmp_path / "論文 と notes.aira"


@pytest.fixture
def memory(path: Path) -> Iterator[Memory]:
    """Give an empty memory."""
    with Memory.open(path) as opened:
        yield opened


@pytest.fixture
def small(memory: Memory) -> Memory:
    """Give a settled memory of three documents: one stable schema, and one that only one passage instantiates."""
    memory.put_documents(
        [
            Make.document("a.md", "Alpha cites Beta.", "Gamma cites Delta."),
            Make.document("b.pdf", "Beta cites Gamma. Beta founded Rho.", pages=1),
            Make.document("c.jsonl#1", "Nothing here", format="jsonl"),
        ]
    )
    build(memory)
    return memory


@pytest.fixture
def child(root: Path) -> Iterator[Callable[[str, Sequence[object]], subprocess.Popen[str]]]:
    """Give a function that runs Python code with arguments in a process of its own; it is killed at the end."""
    started: list[subprocess.Popen[str]] = []

    def start(code: str, arguments: Iterable[object]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(root), "PYTHONUTF8": "1"},
        )
        started.append(process)
        return process

    yield start
    for process in started:
        with process:
            process.kill()
