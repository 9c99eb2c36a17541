"""The memory as tables and as a networkx graph, for where people expect them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from aira_nb.errors import MissingDependencyError
from aira_nb.types import FactState, FileReport

if TYPE_CHECKING:
    import networkx
    import pandas

    from aira_nb.memory import Memory

__all__ = [
    "documents_frame",
    "entities_frame",
    "facts_frame",
    "files_frame",
    "passages_frame",
    "schemas_frame",
    "table",
    "to_networkx",
]


def table(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> pandas.DataFrame:
    """Return a DataFrame of `rows`; its columns are named even when there are none."""
    import pandas

    return pandas.DataFrame([list(row) for row in rows], columns=list(columns))


def files_frame(files: Iterable[FileReport]) -> pandas.DataFrame:
    """Return one row for each file report."""
    columns = ("source", "state", "reason", "documents", "passages", "pages", "seconds", "warnings")
    return table(([asdict(file)[name] for name in columns] for file in files), columns)


def documents_frame(memory: Memory) -> pandas.DataFrame:
    """Return one row for each document."""
    columns = ("id", "title", "authors", "year", "language", "format", "page_count", "source", "doi")
    frame = table(([getattr(document, name) for name in columns] for document in memory.documents()), columns)
    # A missing year must not turn the others into 2020.0.
    return frame.astype({"year": "Int64"})


def passages_frame(memory: Memory, ids: Iterable[str] | None = None) -> pandas.DataFrame:
    """Return one row for each passage, all or those of `ids` in their order."""
    wanted = None if ids is None else list(ids)
    found = memory.passages(wanted)
    if wanted is not None:
        by_id = {passage.id: passage for passage in found}
        found = [by_id[passage_id] for passage_id in wanted]
    documents = {d: memory.document(d) for d in {passage.document_id for passage in found}}
    rows = (
        (
            passage.id,
            documents[passage.document_id].title,
            " › ".join(passage.section),
            passage.pages,
            passage.text,
            documents[passage.document_id].source,
        )
        for passage in found
    )
    return table(rows, ("id", "title", "section", "pages", "text", "source"))


def entities_frame(memory: Memory) -> pandas.DataFrame:
    """Return one row for each entity."""
    columns = ("id", "name", "type", "aliases")
    return table(([getattr(entity, name) for name in columns] for entity in memory.entities()), columns)


def facts_frame(memory: Memory, state: FactState | None = None) -> pandas.DataFrame:
    """Return one row for each fact, all or those in one state; ``passages`` counts those that state it."""
    names = {entity.id: entity.name for entity in memory.entities()}
    rows = (
        (
            fact.id,
            names[fact.head_id],
            fact.relation,
            names[fact.tail_id],
            fact.state,
            len({provenance.passage_id for provenance in fact.provenance}),
        )
        for fact in memory.facts(state)
    )
    return table(rows, ("id", "head", "relation", "tail", "state", "passages"))


def schemas_frame(memory: Memory) -> pandas.DataFrame:
    """Return one row for each schema, with its frequencies and state."""
    columns = ("head_type", "relation", "tail_type", "frequency", "document_frequency", "state")
    return table(([getattr(schema, name) for name in columns] for schema in memory.schemas()), columns)


_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0, and so GraphML, does not allow."""


def _xml(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def to_networkx(memory: Memory) -> networkx.MultiDiGraph[Any]:
    """Return the active memory as a graph: entities joined by facts, and the passages that state them.

    All attributes are strings, so that every file format of networkx takes them. Nodes: ``kind`` ("entity" or
    "passage"), ``label``, and ``type`` or ``title``. Edges: ``kind`` ("fact" or "states") and ``relation``.
    """
    try:
        import networkx
    except ImportError as error:
        raise MissingDependencyError("networkx", extra="", purpose="Graph export") from error
    graph: networkx.MultiDiGraph[Any] = networkx.MultiDiGraph()
    titles = {document.id: document.title for document in memory.documents()}
    for passage in memory.passages():
        graph.add_node(
            passage.id, kind="passage", label=_xml(passage.text[:80]), title=_xml(titles[passage.document_id])
        )
    active = memory.facts("active")
    used = {end for fact in active for end in (fact.head_id, fact.tail_id)}
    for entity in memory.entities():
        if entity.id in used:
            graph.add_node(entity.id, kind="entity", label=_xml(entity.name), type=entity.type)
    for fact in active:
        graph.add_edge(fact.head_id, fact.tail_id, kind="fact", relation=_xml(fact.relation))
        for passage_id in sorted({provenance.passage_id for provenance in fact.provenance}):
            for end in (fact.head_id, fact.tail_id):
                graph.add_edge(passage_id, end, kind="states", relation="")
    return graph
