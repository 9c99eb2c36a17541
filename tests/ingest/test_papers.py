"""Real papers, when a folder of them is named."""

from __future__ import annotations

from pathlib import Path

from aira_nb.ingest import AUXILIARY_SECTIONS, Parser
from aira_nb.types import ParsedDocument


def test_pages_in_are_pages_out(papers: list[Path], parser: Parser) -> None:
    """Every page of every paper has a passage, every box its text, and there is body text outside the references."""
    for path in papers:
        (parsed,) = parser.read(path)
        assert isinstance(parsed, ParsedDocument)
        document, passages = parsed.document, parsed.passages
        assert {page for p in passages for page in p.pages} == set(range(1, document.page_count + 1)), path
        assert all(p.text[r.start : r.end].strip() for p in passages for r in p.regions)
        assert sum(p.section[:1] not in [(name,) for name in AUXILIARY_SECTIONS] for p in passages) > 10
        assert len(document.title) > 10 and document.authors and document.year
        assert any("References" in p.section or "参考文献" in p.section for p in passages)
