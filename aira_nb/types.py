"""The records that the rooms exchange: frozen, vendor-free, and the same everywhere.

Conventions
-----------
- Character offsets are Python string indices, ``start`` inclusive and ``end`` exclusive, into *verbatim* text.
  Normalised text (NFKC changes lengths) is only ever a match key, never a thing that offsets point into.
- Pages count from 1. Boxes are in PDF points (1/72 inch) with the origin at the page's **top-left** corner.
- Higher scores are better everywhere. ``k`` always means how many to return.
- Ids are stable strings made by :func:`make_id` from what identifies the thing, so that the same input gives the
  same ids on every machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas

Language = Literal["en", "ja"]
FactState = Literal["pending", "active", "superseded"]
SchemaState = Literal["pending", "stable"]
FileState = Literal["done", "unchanged", "skipped", "failed"]
ExtractionStatus = Literal["done", "failed"]
DefinitionSource = Literal["title", "heading", "abbreviation", "definition"]
AnswerStatus = Literal["answered", "not_found"]
AnswerMode = Literal["evidence", "model"]

ENTITY_TYPES: tuple[str, ...] = (
    "person",
    "organization",
    "place",
    "work",
    "event",
    "term",
    "time",
    "quantity",
    "other",
)
"""The closed list of entity types that the offline extractors use; an LLM may add its own."""


def make_id(*parts: object) -> str:
    """Return a stable 16-hex-digit id for the thing that `parts` identify together.

    Parts are joined with the ASCII unit separator, so ``("a", "bc")`` and ``("ab", "c")`` differ.
    """
    return hashlib.blake2b("\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


# --- documents and passages -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Region:
    """Where a stretch of a text stands on a page.

    Attributes
    ----------
    start, end : int
        The characters of the passage's text that this box covers.
    page : int
        Page number, from 1.
    left, top, right, bottom : float
        PDF points from the page's top-left corner; ``left < right`` and ``top < bottom``.
    """

    start: int
    end: int
    page: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Document:
    """One paper, article or record: the unit that is added, cited and removed.

    Attributes
    ----------
    id : str
        ``make_id(source)``.
    source : str
        Where it came from: a path, or ``path#record-id`` for one record of a JSONL corpus.
    sha256 : str
        Digest of the bytes it was parsed from.
    format : str
        "pdf", "docx", "pptx", "html", "md", "txt" or "jsonl".
    title : str
        Never empty: the parser falls back to the first heading, then to the file's name.
    language : {"en", "ja"}
        The main language of its text.
    page_count : int
        Pages of a paged format, 0 for formats without pages.
    authors, year, doi, external_id, metadata
        Bibliographic data where known; `external_id` is the record's own id in a JSONL/BEIR corpus.
    warnings : tuple of str
        What the reader should know about the parse ("2 of 14 pages have no text layer").
    """

    id: str
    source: str
    sha256: str
    format: str
    title: str
    language: Language
    page_count: int = 0
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    external_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A verbatim stretch of a document, the unit of retrieval and citation.

    Attributes
    ----------
    id : str
        ``make_id(document_id, text, n)`` with ``n`` counting equal texts inside the document from 0, so an edit
        elsewhere in the file leaves it alone.
    document_id : str
    position : int
        0-based order inside the document.
    text : str
        Verbatim as a reader sees it: lines joined, English line-end hyphens undone, Japanese joined without spaces.
    start, end : int
        Its characters in the document's whole text (the parser's reading order, passages and headings).
    section : tuple of str
        Headings from the outermost to the innermost.
    regions : tuple of Region
        Line boxes in reading order; empty for formats without pages.
    language : {"en", "ja"}
    """

    id: str
    document_id: str
    position: int
    text: str
    start: int
    end: int
    language: Language
    section: tuple[str, ...] = ()
    regions: tuple[Region, ...] = ()

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages it stands on, ascending; empty for formats without pages."""
        return tuple(sorted({r.page for r in self.regions}))

    def regions_of(self, start: int, end: int) -> tuple[Region, ...]:
        """The line boxes that the characters ``[start, end)`` of the text touch."""
        return tuple(r for r in self.regions if r.start < end and start < r.end)


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What the ingest room returns for one document."""

    document: Document
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class FileReport:
    """How one file (or one JSONL corpus) ended.

    `reason` is empty for "done" and "unchanged"; `documents`, `passages` and `pages` count what is in the store now.
    """

    source: str
    state: FileState
    reason: str = ""
    documents: int = 0
    passages: int = 0
    pages: int = 0
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()


# --- extraction -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as it stands in a passage: ``passage.text[start:end] == text``."""

    start: int
    end: int
    text: str
    type: str


@dataclass(frozen=True, slots=True)
class Triple:
    """A subject-relation-object statement as extracted, before any canonicalisation.

    `start`, `end` span the sentence or clause that states it, inside the passage.
    """

    head: Mention
    relation: str
    tail: Mention
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that the passage defines, so that the passage is a *home* of the name.

    `long` is the long form when the name is an abbreviation ("PPR": "Personalized PageRank").
    """

    start: int
    end: int
    name: str
    source: DefinitionSource
    long: str = ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything one extractor got out of one passage, or why it failed.

    A failed extraction has ``status="failed"``, a reason, and no content; the next build tries it again.
    """

    passage_id: str
    extractor: str
    status: ExtractionStatus = "done"
    reason: str = ""
    mentions: tuple[Mention, ...] = ()
    triples: tuple[Triple, ...] = ()
    definitions: tuple[Definition, ...] = ()


# --- the memory's settled part ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a fact was stated: passage, span inside it, and who read it."""

    passage_id: str
    start: int
    end: int
    extractor: str


@dataclass(frozen=True, slots=True)
class Entity:
    """A canonical name with its type; `id` is ``make_id("entity", key, type)``; `aliases` are surface forms."""

    id: str
    key: str
    name: str
    type: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Schema:
    """(head type, relation, tail type) with the number of distinct passages that instantiate it."""

    id: str
    head_type: str
    relation: str
    tail_type: str
    frequency: int
    document_frequency: int
    state: SchemaState


@dataclass(frozen=True, slots=True)
class Fact:
    """A canonical triple. Every fact instantiates exactly one schema and has at least one provenance."""

    id: str
    head_id: str
    relation: str
    tail_id: str
    schema_id: str
    state: FactState
    provenance: tuple[Provenance, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The difference between the memory as it is and as it should be. Pure data; only the memory applies it.

    ``put_*`` are inserted or replaced by id; ``drop_*`` are deleted by id. An empty plan changes nothing.
    """

    threshold: int
    put_entities: tuple[Entity, ...] = ()
    put_schemas: tuple[Schema, ...] = ()
    put_facts: tuple[Fact, ...] = ()
    drop_entities: tuple[str, ...] = ()
    drop_schemas: tuple[str, ...] = ()
    drop_facts: tuple[str, ...] = ()

    def __len__(self) -> int:
        """How many records it changes; an empty plan is false."""
        return sum(
            map(
                len,
                (
                    self.put_entities,
                    self.put_schemas,
                    self.put_facts,
                    self.drop_entities,
                    self.drop_schemas,
                    self.drop_facts,
                ),
            )
        )


# --- retrieval --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Signal:
    """One signal's word on one passage: its 1-based rank there, or None when it did not rank it, and its score."""

    name: str
    rank: int | None
    score: float


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage in a ranking; `signals` say why."""

    passage_id: str
    score: float
    signals: tuple[Signal, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """The result of one strategy for one query, best first, ties broken by passage id."""

    query: str
    strategy: str
    hits: tuple[ScoredPassage, ...]
    trace: Mapping[str, Any] = field(default_factory=dict)

    # How a record looks is aira_nb.render's business, imported only when somebody looks.

    def __str__(self) -> str:
        return self.explain()

    def explain(self) -> str:
        """Return a text table: each hit with every signal's rank and score."""
        from aira_nb.render import ranking_text

        return ranking_text(self)

    def to_frame(self) -> pandas.DataFrame:
        """Return a table with one row for each hit: rank, passage_id, score, and each signal's rank and score."""
        from aira_nb.render import ranking_frame

        return ranking_frame(self)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary with ``"type": "Ranking"``."""
        from aira_nb.render import to_dict

        return to_dict(self)

    def _repr_html_(self) -> str:
        from aira_nb.render import ranking_html

        return ranking_html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text("Ranking(...)" if cycle else str(self))


# --- answers ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Citation:
    """A checkable pointer from an answer into a document.

    ``passage.text[start:end] == quote`` always holds; page and boxes come from the parser.

    Attributes
    ----------
    number : int
        1-based, as printed in brackets in the answer.
    page : int or None
        The page on which the quote begins; None for formats without pages.
    """

    number: int
    passage_id: str
    document_id: str
    title: str
    source: str
    section: tuple[str, ...]
    page: int | None
    regions: tuple[Region, ...]
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One sentence of an answer, the numbers of the citations that support it, and spans to highlight in it."""

    text: str
    citations: tuple[int, ...]
    highlights: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question got: sentences with checked citations, or an honest "not found in the corpus".

    Attributes
    ----------
    span : str or None
        The short answer ("1923", "yes", "Denise Levertov") when the question's type allows one.
    mode : {"evidence", "model"}
        Whether the sentences are the corpus' own ("evidence") or a model's, checked against the passages.
    consulted : tuple of Citation
        Passages that were read but support no sentence.
    notes : tuple of str
        What the reader must know: what is degraded, what was removed, where papers disagree.
    """

    question: str
    language: Language
    status: AnswerStatus
    mode: AnswerMode
    sentences: tuple[AnswerSentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    span: str | None = None
    consulted: tuple[Citation, ...] = ()
    notes: tuple[str, ...] = ()
    ranking: Ranking | None = None

    def __str__(self) -> str:
        from aira_nb.render import answer_text

        return answer_text(self)

    @property
    def text(self) -> str:
        """The sentences with their [n] marks on one line; for "not_found" the statement that nothing was found."""
        from aira_nb.render import marked_text

        return marked_text(self)

    def to_frame(self) -> pandas.DataFrame:
        """Return a table with one row for each citation, cited ones first, then the consulted."""
        from aira_nb.render import answer_frame

        return answer_frame(self)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary with ``"type": "Answer"``; citations and ranking inside it have theirs."""
        from aira_nb.render import to_dict

        return to_dict(self)

    def to_json(self) -> str:
        """Return :meth:`to_dict` as JSON text, Japanese left as it is."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def _repr_html_(self) -> str:
        from aira_nb.render import answer_html

        return answer_html(self)

    def _repr_markdown_(self) -> str:
        from aira_nb.render import answer_markdown

        return answer_markdown(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text("Answer(...)" if cycle else str(self))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        bundle = {"text/plain": str(self), "text/html": self._repr_html_(), "text/markdown": self._repr_markdown_()}
        wanted = set(include) if include else set(bundle)
        return {mime: data for mime, data in bundle.items() if mime in wanted - set(exclude or ())}


# --- protocols --------------------------------------------------------------------------------------------------


@runtime_checkable
class Extractor(Protocol):
    """Reads passages into mentions, triples and definitions. One Extraction per passage, in order."""

    @property
    def id(self) -> str:
        """Name and version; a passage extracted under another id is extracted again."""
        ...

    def extract(self, passages: Sequence[Passage], *, titles: Mapping[str, str] | None = None) -> Iterable[Extraction]:
        """Yield one Extraction for each passage. One bad passage yields a failed Extraction, never an exception.

        `titles` maps document ids to titles, for who "he" and "the film" are.
        """
        ...


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into L2-normalised float32 row vectors."""

    @property
    def id(self) -> str:
        """Model name as stored beside the vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (len(texts), dimension), each row of norm 1."""
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return an array of shape (dimension,) and norm 1."""
        ...


Progress = Callable[[str, int, int], None]
"""Called as ``progress(stage, done, total)``."""
