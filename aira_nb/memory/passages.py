"""The passage layer: documents, their passages, and taking them out again."""

# ruff: noqa: S608  only names of this package's own tables and columns are put together; values are always bound.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from aira_nb.errors import InputError
from aira_nb.memory.codec import from_json, pack_regions, to_json, unpack_regions
from aira_nb.memory.files import Files
from aira_nb.memory.store import chunks, upsert
from aira_nb.types import Document, ParsedDocument, Passage

# The columns after the id, in the order of the record's fields.
_DOCUMENT = (
    *("source", "sha256", "format", "title", "language", "page_count", "authors"),
    *("year", "doi", "external_id", "metadata", "warnings"),
)
_PUT_DOCUMENT = upsert("document", "id", _DOCUMENT)
_PUT_PASSAGE = upsert(
    "passage", "id", ("document_no", "position", "text", "begins", "ends", "language", "section", "regions")
)
_SELECT_DOCUMENT = f"SELECT id, {', '.join(_DOCUMENT)} FROM document"
_SELECT_PASSAGE = (
    "SELECT p.id, d.id, p.position, p.text, p.begins, p.ends, p.language, p.section, p.regions, d.source"
    " FROM passage p JOIN document d ON d.no = p.document_no"
)


def _document(row: Sequence[Any]) -> Document:
    authors, metadata, warnings = from_json(row[7]), from_json(row[11]), from_json(row[12])
    return Document(*(*row[:7], tuple(authors), *row[8:11], metadata, tuple(warnings)))


def _passage(row: Sequence[Any]) -> Passage:
    return Passage(*(*row[:7], tuple(from_json(row[7])), unpack_regions(row[8])))


def _passage_row(passage: Passage, document_no: int) -> tuple[Any, ...]:
    p = passage
    section = to_json(list(p.section))
    return (p.id, document_no, p.position, p.text, p.start, p.end, p.language, section, pack_regions(p.regions))


def _setting(passage: Passage) -> tuple[object, ...]:
    """What, besides its text and its document's title, extractors and embedders read of a passage."""
    return passage.section, passage.position == 0


class Passages(Files):
    """Documents and passages."""

    # --- writing -----------------------------------------------------------------------------------------------

    def put_document(self, document: Document, passages: Sequence[Passage]) -> None:
        """Store a document with all its passages, in place of what was stored under its id.

        A passage whose id is already there keeps its extraction, its vector and the facts read from it, unless the
        document's title, or the passage's section or place at the head of the document, changed: both were made with
        these in view, so that they are dropped and made again. Position, offsets and boxes are only brought up to
        date. Passages that are gone take with them what only they
        supported. Nothing changes when nothing differs.

        Raises
        ------
        InputError
            When a passage belongs to another document, or two passages have one id.
        """
        self.put_documents([ParsedDocument(document, tuple(passages))])

    def put_documents(self, parsed: Iterable[ParsedDocument]) -> None:
        """Store many documents as :meth:`put_document` does, 500 in one transaction.

        `parsed` is consumed outside of the transactions, so that slow parsing keeps nobody waiting.
        """
        for batch in chunks(parsed):
            with self.transaction():
                for item in batch:
                    self._put_document(item.document, item.passages)

    def _put_document(self, document: Document, passages: Sequence[Passage]) -> None:
        d = document
        ids = {passage.id for passage in passages}
        if not d.id or "" in ids:
            raise InputError(f"{d.source!r}: a document or passage without an id cannot be stored. Use make_id().")
        if len(ids) < len(passages) or any(passage.document_id != d.id for passage in passages):
            raise InputError(f"{d.source!r}: each passage needs its own id and the document's id {d.id!r}.")
        other = self._row("SELECT id FROM document WHERE source = ?", (d.source,))
        if other and other[0] != d.id:
            raise InputError(
                f"{d.source!r} is already stored under the id {other[0]!r}, not {d.id!r}. Remove it first."
            )
        former = self._row("SELECT title FROM document WHERE id = ?", (d.id,))
        lists = to_json(list(d.authors)), to_json(dict(d.metadata)), to_json(list(d.warnings))
        self._run(
            _PUT_DOCUMENT,
            (
                *(d.id, d.source, d.sha256, d.format, d.title, d.language, d.page_count, lists[0], d.year, d.doi),
                *(d.external_id, lists[1], lists[2]),
            ),
        )
        number = self._scalar("SELECT no FROM document WHERE id = ?", (d.id,))
        stored = {row[0] for row in self._rows("SELECT id FROM passage WHERE document_no = ?", (number,))}
        if taken := next(self._rows_in("SELECT id FROM passage WHERE id IN ({marks})", ids - stored), None):
            raise InputError(f"{d.source!r}: the passage id {taken[0]!r} belongs to another document already.")
        self._drop_passages(stored - ids)
        self._run_many(
            _PUT_PASSAGE,
            (_passage_row(p, number) for p in passages if p.id not in stored),
        )
        if kept := stored & ids:
            retitled = former is not None and former[0] != d.title
            self._update_passages(number, [p for p in passages if p.id in kept], retitled=retitled)

    def _update_passages(self, number: int, passages: Sequence[Passage], *, retitled: bool) -> None:
        """Bring passages up to date whose text is the stored one, which is what an equal id promises."""
        stored = {row[0]: _passage(row) for row in self._rows(f"{_SELECT_PASSAGE} WHERE p.document_no = ?", (number,))}
        for passage in passages:
            if passage.text != stored[passage.id].text:
                raise InputError(
                    f"The passage {passage.id!r} came with another text than the stored one. "
                    "A passage's id must be made from its text: make_id(document_id, text, n)."
                )
        self._run_many(
            _PUT_PASSAGE,
            (_passage_row(p, number) for p in passages if p != stored[p.id]),
        )
        stale = [p.id for p in passages if retitled or _setting(p) != _setting(stored[p.id])]
        self._run_many("DELETE FROM extraction WHERE passage_id = ?", ((id_,) for id_ in stale))
        self._run_many("DELETE FROM passage_vector WHERE id = ?", ((id_,) for id_ in stale))

    def remove_documents(self, ids: Iterable[str]) -> int:
        """Remove documents, their passages, and what only these supported; return how many passages went.

        Extractions, vectors and provenance go with the passages, and so does a fact that loses its last provenance,
        and the file that brought nothing but these documents. What is left to settle (counts, states, entities that no
        fact uses) is the next plan's work: call this, ``stabilize.plan`` and :meth:`apply` in one :meth:`transaction`.

        Raises
        ------
        InputError
            When an id is not in the store; nothing is removed then.
        """
        wanted = list(dict.fromkeys(ids))
        with self.transaction():
            found = dict(self._rows_in("SELECT id, source FROM document WHERE id IN ({marks})", wanted))
            if missing := [id_ for id_ in wanted if id_ not in found]:
                raise InputError(
                    f"{self.path.name} has no document {missing[0]!r}. "
                    "The ids of its documents are those of documents(); nothing was removed."
                )
            sql = "SELECT p.id FROM passage p JOIN document d ON d.no = p.document_no WHERE d.id IN ({marks})"
            gone = [row[0] for row in self._rows_in(sql, wanted)]
            self._drop_passages(gone)
            self._run_many("DELETE FROM document WHERE id = ?", ((id_,) for id_ in wanted))
            self._recount_files(found.values())
        return len(gone)

    def _drop_passages(self, ids: Iterable[str]) -> None:
        ids = sorted(ids)
        sql = (
            "SELECT DISTINCT v.fact_no FROM provenance v JOIN passage p ON p.no = v.passage_no WHERE p.id IN ({marks})"
        )
        touched = {row[0] for row in self._rows_in(sql, ids)}
        self._run_many("DELETE FROM passage WHERE id = ?", ((id_,) for id_ in ids))
        # A fact without provenance must not exist, not even until the next plan.
        self._run_many(
            "DELETE FROM fact WHERE no = ?1 AND NOT EXISTS (SELECT 1 FROM provenance WHERE fact_no = ?1)",
            ((number,) for number in sorted(touched)),
        )

    # --- reading -----------------------------------------------------------------------------------------------

    def documents(self) -> list[Document]:
        """Return all documents, by source."""
        return [_document(row) for row in self._rows(f"{_SELECT_DOCUMENT} ORDER BY source")]

    def document(self, id: str) -> Document:
        """Return the document with this id; InputError when there is none."""
        row = self._row(f"{_SELECT_DOCUMENT} WHERE id = ?", (id,))
        if row is None:
            raise InputError(f"{self.path.name} has no document {id!r}. Its ids are those of documents().")
        return _document(row)

    def document_by_source(self, source: str) -> Document | None:
        """Return the document that came from `source`, or None when nothing came from there."""
        row = self._row(f"{_SELECT_DOCUMENT} WHERE source = ?", (source,))
        return None if row is None else _document(row)

    def document_by_digest(self, sha256: str) -> Document | None:
        """Return the first document, by source, that was parsed from bytes of this digest, or None.

        Records of a JSONL corpus share its bytes and do not count.
        """
        row = self._row(f"{_SELECT_DOCUMENT} WHERE sha256 = ? AND format <> 'jsonl' ORDER BY source LIMIT 1", (sha256,))
        return None if row is None else _document(row)

    def documents_of_file(self, source: str) -> list[Document]:
        """Return the documents that the file `source` brought: itself, or the records of a JSONL corpus."""
        return [
            _document(row)
            for row in self._rows(
                f"{_SELECT_DOCUMENT} WHERE source = ?1 OR (format = 'jsonl' AND source > ?2 AND source < ?3)"
                " ORDER BY source",
                (source, f"{source}#", f"{source}$"),  # "$" is the character after "#"
            )
        ]

    def passages(self, ids: Iterable[str] | None = None, *, document_id: str | None = None) -> list[Passage]:
        """Return passages in the order of their documents' sources and of their positions.

        Parameters
        ----------
        ids : iterable of str, optional
            Only these. Each must be in the store.
        document_id : str, optional
            Only those of this document.

        Raises
        ------
        InputError
            When one of `ids` is not in the store.
        """
        if ids is None:
            where, params = ("", ()) if document_id is None else (" WHERE d.id = ?", (document_id,))
            rows = self._rows(f"{_SELECT_PASSAGE}{where} ORDER BY d.source, p.position", params)
            return [_passage(row) for row in rows]
        wanted = set(ids)
        rows = list(self._rows_in(f"{_SELECT_PASSAGE} WHERE p.id IN ({{marks}})", wanted))
        if len(rows) < len(wanted):
            missing = min(wanted - {row[0] for row in rows})
            raise InputError(f"{self.path.name} has no passage {missing!r}: it was removed, or is another store's.")
        rows.sort(key=lambda row: (row[9], row[2]))
        return [_passage(row) for row in rows if document_id in (None, row[1])]

    def iter_passages(self) -> Iterator[Passage]:
        """Yield all passages by id, a few at a time, for stores that are larger than memory."""
        yield from map(_passage, self._rows_by_id(f"{_SELECT_PASSAGE} WHERE p.id > ? ORDER BY p.id LIMIT ?"))

    def passage_ids(self) -> list[str]:
        """Return the ids of all passages, in the order of :meth:`passages`."""
        sql = "SELECT p.id FROM passage p JOIN document d ON d.no = p.document_no ORDER BY d.source, p.position"
        return [row[0] for row in self._rows(sql)]
