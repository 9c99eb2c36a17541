"""The corpus: one object over one store file, and the only place where the rooms meet."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from aira_nb import frames, retrieve, stabilize
from aira_nb.answer import evidence_answer
from aira_nb.derived import load_or_build
from aira_nb.errors import IndexStaleError, InputError, MissingDependencyError, ModelError
from aira_nb.extract import OfflineExtractor
from aira_nb.ingest import NoTextError, Parser, digest, file_digest, find_files
from aira_nb.memory import Counts, Memory, VectorKind
from aira_nb.models import make_embedder
from aira_nb.progress import shown
from aira_nb.reports import AddReport, BuildReport, Health, RemoveReport, StabilizeReport, Stats
from aira_nb.retrieve import Indexes
from aira_nb.settings import Settings
from aira_nb.settings import load as load_settings
from aira_nb.stabilize import CurvePoint
from aira_nb.text import match_key
from aira_nb.types import (
    Answer,
    Document,
    Embedder,
    Extractor,
    FactState,
    FileReport,
    ParsedDocument,
    Passage,
    Plan,
    Progress,
    Ranking,
)

if TYPE_CHECKING:
    import networkx
    import pandas

__all__ = ["STAGES", "Corpus"]

STAGES = ("extract", "stabilize", "embed", "index")
"""The stages of a build, in order."""

EMBEDDED: tuple[VectorKind, ...] = ("passage", "schema", "fact")
"""What has a vector where an embedder is on, in the order in which it gets one: passages, stable schemas, active facts."""

ANSWER_K = 8
"""Passages that an answer is made from when the caller does not say: both hops of a question, with room for noise."""

_EXTRACT_BATCH = 32
_EMBED_BATCH = 16
_RECORD_BATCH = 500
_ATTEMPTS = 5
_EXCERPT = 400  # characters of a passage that a ranking carries for display
Shown = Progress | Literal["auto"] | None


class Corpus:
    """A pile of papers with its memory. Open one with :func:`aira_nb.open`; use it in a ``with`` statement or close it.

    Every method is synchronous and works inside a running event loop. What is finished is on disk at once: after an
    interrupt or ``kill -9`` the same call goes on and does nothing twice.
    """

    def __init__(self, memory: Memory, options: Settings) -> None:
        self._memory = memory
        self.settings = options
        self._extractor: Extractor | None = None
        self._embedder: Embedder | None = None
        self._closed = False
        self._indexes: tuple[str, Indexes] | None = None

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        settings: Settings | None = None,
        mode: Literal["rw", "ro"] = "rw",
    ) -> Self:
        """Open the store at `path` ("my" means "my.aira"); "rw" creates it when it is missing.

        Raises
        ------
        StoreError
            When the file is not ours, newer than this version, locked, or missing in "ro".
        """
        file = Path(path).expanduser()
        if not file.suffix:
            file = file.with_suffix(".aira")
        return cls(Memory.open(file, mode=mode), settings or load_settings())

    @property
    def path(self) -> Path:
        """The store file."""
        return self._memory.path

    def close(self) -> None:
        """Close the store. Nothing is lost by not calling this."""
        self._indexes = None
        self._closed = True
        self._memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._closed:
            return f"<Corpus {self.path.name}: closed>"
        counts = self._memory.counts()
        return f"<Corpus {self.path.name}: {counts.documents:,} documents, {counts.passages:,} passages>"

    # --- filling -----------------------------------------------------------------------------------------------

    def add(self, *paths: str | os.PathLike[str], progress: Shown = "auto") -> AddReport:
        """Read files into the corpus: PDF, DOCX, PPTX, HTML, Markdown, text, JSONL and BEIR folders.

        Every file ends as done, unchanged, skipped or failed, with a reason; one bad file never stops the others. The
        same bytes again cost nothing; of a changed file only the passages that changed are redone.

        Parameters
        ----------
        *paths
            Files, folders and globs.
        progress : "auto", callable or None
            Bars, your own ``progress(stage, done, total)``, or nothing.

        Raises
        ------
        InputError
            When a path does not exist or nothing among them can be read.
        """
        files = find_files(paths)
        reports = []
        with self._parser() as parser, shown(progress) as advance:
            advance("add", 0, len(files))
            for i, file in enumerate(files, start=1):
                reports.append(self._add_file(parser, file))
                advance("add", i, len(files))
        return AddReport(tuple(reports))

    def build(self, *, stages: Sequence[str] = STAGES, progress: Shown = "auto") -> BuildReport:
        """Bring the memory up to date: extract, stabilize, embed, index. Does only what is missing.

        Parameters
        ----------
        stages : sequence of str
            Which of `STAGES` to run. Retrieval works without "extract"; only the fact layer stays empty then.
        """
        unknown = set(stages) - set(STAGES)
        if unknown:
            raise InputError(f"There is no stage {min(unknown)!r}. The stages are: {', '.join(STAGES)}.")
        seconds: dict[str, float] = {}
        done = {"extracted": 0, "extraction_failures": 0, "changes": 0, "embedded": 0}
        work: Mapping[str, Callable[[Progress], Mapping[str, int]]] = {
            "extract": self._extract,
            "stabilize": lambda advance: {"changes": len(self._settle(None))},
            "embed": self._embed,
            "index": self._refresh,
        }
        with shown(progress) as advance:
            for stage in STAGES:
                if stage in stages:
                    start = time.perf_counter()
                    done.update(work[stage](advance))
                    seconds[stage] = time.perf_counter() - start
        return BuildReport(**done, seconds=seconds, health=self.health())

    def stabilize(self, threshold: int | None = None) -> StabilizeReport:
        """Recompute names, schemas and facts, and promote what `threshold` passages state (τ; kept for later builds)."""
        plan = self._settle(threshold)
        counts = self._memory.counts()
        return StabilizeReport.of(
            plan,
            stable=counts.schemas_stable,
            active=counts.facts_active,
            pending=counts.facts_pending,
            warning=self._threshold_warning(),
        )

    def embed(self, *, replace: bool = False, progress: Shown = "auto") -> int:
        """Embed the passages, stable schemas and active facts that have no vector; return how many were embedded.

        With ``replace=True`` all vectors are dropped first, which is how the embedding model is changed. No language
        model is called.
        """
        if self._make_embedder() is None:
            raise InputError("No embedder is set. Open the corpus with Settings(embedder='local') or a server's URL.")
        if replace:
            # The new model must answer before the old vectors go.
            self._make_embedder().embed_query("?")  # type: ignore[union-attr]
            self._memory.drop_vectors()
        with shown(progress) as advance:
            return self._embed(advance)["embedded"]

    def remove(self, *documents: str | os.PathLike[str]) -> RemoveReport:
        """Remove documents by source or id, with everything that only they support, in one transaction.

        Counts fall and schemas may demote; no model is called. A JSONL file's name stands for all its records; the
        name of a file that failed or was skipped forgets that.
        """
        memory = self._memory
        found = dict(self._resolve(documents))
        before = memory.counts()
        with memory.transaction():
            forgotten = [source for key, source in found.items() if key == source and memory.forget_file(source)]
            passages = memory.remove_documents(key for key, source in found.items() if key != source)
            self._settle(None)
        removed = tuple(source for key, source in found.items() if key != source)
        return RemoveReport((*removed, *forgotten), passages, before.facts - memory.counts().facts)

    # --- asking ------------------------------------------------------------------------------------------------

    def search(self, query: str, *, k: int | None = None, strategy: str | None = None) -> Ranking:
        """Rank passages for `query`; ``.explain()`` of the result shows each signal's rank and score."""
        return self._retrieve(query, self.settings.k if k is None else k, strategy)[0]

    def ask(self, question: str, *, k: int | None = None, strategy: str | None = None) -> Answer:
        """Answer a question from the corpus, every sentence with a citation that can be checked.

        Without support in the corpus the answer says so; it is never guessed.
        """
        ranking, passages, documents = self._retrieve(question, ANSWER_K if k is None else k, strategy)
        hits = [
            (hit, passages[hit.passage_id], documents[passages[hit.passage_id].document_id]) for hit in ranking.hits
        ]
        return evidence_answer(question, hits, ranking=ranking, idf=self._current()[1].sparse.idf)

    def _retrieve(
        self, query: str, k: int, strategy: str | None
    ) -> tuple[Ranking, dict[str, Passage], dict[str, Document]]:
        """Return a ranking with its passages and documents, all of one state of the store."""
        if not isinstance(query, str):
            raise InputError(f"A question is text, not {type(query).__name__}. Ask in words, in English or Japanese.")
        memory = self._memory
        for _ in range(_ATTEMPTS):
            revision, indexes = self._current()
            if not indexes.ids:
                raise InputError(f"{self.path.name} holds no passages yet. Add papers first: corpus.add('papers/').")
            chosen = strategy or self.settings.strategy
            vector, note = (None, "") if chosen == "bm25" else self._query_vector(query, indexes)
            ranking = retrieve.rank(indexes, query, strategy=chosen, k=k, vector=vector)
            with memory.snapshot():
                if memory.revision != revision:
                    # Somebody wrote meanwhile: what was ranked may be gone.
                    continue
                passages = {p.id: p for p in memory.passages([hit.passage_id for hit in ranking.hits])}
                documents = {d: memory.document(d) for d in {p.document_id for p in passages.values()}}
            places = {
                p.id: {
                    "title": documents[p.document_id].title,
                    "source": documents[p.document_id].source,
                    "pages": list(p.pages),
                    "text": p.text[:_EXCERPT],
                }
                for p in passages.values()
            }
            titles = {passage_id: place["title"] for passage_id, place in places.items()}
            trace = {"titles": titles, "places": places, **({"degraded": note} if note else {})}
            return dataclasses.replace(ranking, trace={**ranking.trace, **trace}), passages, documents
        raise IndexStaleError(
            f"{self.path.name} is being changed by another process faster than it can be indexed. Ask again when it is done."
        )

    # --- looking -----------------------------------------------------------------------------------------------

    def stats(self) -> Stats:
        """Return the counts of the three layers, the active share, and the curve for τ from 1 to 5."""
        counts = self._memory.counts()
        curve = {p.threshold: round(p.share, 4) for p in self._curve()}
        names = [name for name in Stats.__slots__ if name not in ("vectors", "threshold", "curve", "active_share")]
        return Stats(
            **{name: getattr(counts, name) for name in names},
            vectors=counts.passage_vectors,
            threshold=self._threshold(),
            active_share=counts.active_share,
            curve=curve,
        )

    def threshold_curve(self) -> pandas.DataFrame:
        """Return what each τ from 1 to 5 would activate: active facts, their share, stable schemas."""
        columns = ("threshold", "active_facts", "active_share", "stable_schemas")
        rows = [(p.threshold, p.active_facts, p.share, p.stable_schemas) for p in self._curve()]
        return frames.table(rows, columns)

    def health(self) -> Health:
        """Say in one line how the corpus is, and below it what is degraded and what needs a hand."""
        counts = self._memory.counts()
        summary = (
            f"{counts.documents:,} documents, {counts.passages:,} passages, {counts.facts_active:,} active and "
            f"{counts.facts_pending:,} pending facts, {counts.passage_vectors:,} vectors"
        )
        return Health(summary, tuple(self._degraded(counts)), tuple(self._problems(counts)))

    def check(self) -> list[str]:
        """Verify the store's invariants and return a line for each that is broken; an empty list is good."""
        return self._memory.check()

    def documents(self) -> pandas.DataFrame:
        """Return one row for each document."""
        return frames.documents_frame(self._memory)

    def files(self) -> pandas.DataFrame:
        """Return one row for each file that was ever added, with the state in which it ended."""
        return frames.files_frame(self._memory.files())

    def passages(self, ids: Iterable[str] | None = None) -> pandas.DataFrame:
        """Return one row for each passage, all or those of `ids` in their order."""
        return frames.passages_frame(self._memory, ids)

    def entities(self) -> pandas.DataFrame:
        """Return one row for each entity."""
        return frames.entities_frame(self._memory)

    def facts(self, state: FactState | None = None) -> pandas.DataFrame:
        """Return one row for each fact, all or those in one state."""
        return frames.facts_frame(self._memory, state)

    def schemas(self) -> pandas.DataFrame:
        """Return one row for each schema, with its frequencies and state."""
        return frames.schemas_frame(self._memory)

    def to_networkx(self) -> networkx.MultiDiGraph[Any]:
        """Return the active memory as a networkx graph; :func:`aira_nb.frames.to_networkx` names its attributes."""
        return frames.to_networkx(self._memory)

    def records(self) -> dict[str, str]:
        """Map each passage's id to its record's own id in a JSONL corpus, or to its document's id elsewhere."""
        external = {document.id: document.external_id or document.id for document in self._memory.documents()}
        return {passage.id: external[passage.document_id] for passage in self._memory.passages()}

    # --- add, file by file -------------------------------------------------------------------------------------

    @contextmanager
    def _parser(self) -> Iterator[Parser]:
        options = self.settings
        with Parser(
            time_limit=options.time_limit,
            memory_limit=options.memory_limit * 2**20,
            artifacts_path=(options.artifacts or None) if options.layout == "docling" else None,
        ) as parser:
            yield parser

    def _add_file(self, parser: Parser, file: Path) -> FileReport:
        start = time.perf_counter()
        source = self._source(file)
        sha256 = ""
        try:
            sha256 = digest(file)
            known = self._known(source, sha256)
            if known is not None:
                return known
            twin = self._twin(source, file)
            if twin is not None:
                # Without a digest, so that it is looked at again when the twin may be gone.
                self._memory.record_file(twin, sha256="")
                return twin
            documents, passages, pages, notes = self._store(parser, file, source)
            report = FileReport(source, "done", "", documents, passages, pages, time.perf_counter() - start, notes)
        except NoTextError as error:
            report = FileReport(source, "skipped", str(error), seconds=time.perf_counter() - start)
        except (InputError, MissingDependencyError) as error:
            reason = str(error)
            if self._memory.documents_of_file(source):
                reason += " Its former text stays in the corpus."
            report = FileReport(source, "failed", reason, seconds=time.perf_counter() - start)
        self._memory.record_file(report, sha256=sha256)
        return report

    def _known(self, source: str, sha256: str) -> FileReport | None:
        """Return the report of a file whose bytes need no reading, because they were read or cannot be."""
        memory = self._memory
        recorded = memory.file(source)
        if recorded is None or memory.file_digest(source) != sha256:
            return None
        if recorded.state == "done":
            return dataclasses.replace(recorded, state="unchanged", seconds=0.0)
        # What failed is tried again: a limit may have been raised. So is a scan, when layout models can read it now.
        return recorded if recorded.state == "skipped" and self.settings.layout == "native" else None

    def _twin(self, source: str, file: Path) -> FileReport | None:
        """Skip a file whose bytes are another document's; take the place of one that was moved here."""
        memory = self._memory
        twin = memory.document_by_digest(file_digest(file))
        if twin is None or twin.source == source or twin.format == "jsonl":
            return None
        home = self._path_of(twin.source)
        own = {document.id for document in memory.documents_of_file(source)}
        moved = not home.is_file() or file_digest(home) != twin.sha256
        if gone := ({twin.id} if moved else own):
            with memory.transaction():
                memory.remove_documents(gone)
                self._settle(None)
        if moved:
            return None
        return FileReport(source, "skipped", f"{source}: the same content as {twin.source}, which is in the corpus.")

    def _store(self, parser: Parser, file: Path, source: str) -> tuple[int, int, int, tuple[str, ...]]:
        """Parse and store one file; return its documents, passages, pages and warnings."""
        memory = self._memory
        before = {document.id for document in memory.documents_of_file(source)}
        batch: list[ParsedDocument] = []
        kept: set[str] = set()
        passages = pages = 0
        notes: list[str] = []
        for item in parser.read(file, source=source):
            if isinstance(item, FileReport):
                notes.append(item.reason)
                continue
            batch.append(item)
            kept.add(item.document.id)
            passages += len(item.passages)
            pages += item.document.page_count
            notes.extend(item.document.warnings)
            if len(batch) >= _RECORD_BATCH:
                memory.put_documents(batch)
                batch = []
        if not kept:
            raise InputError(f"{source}: no document could be read. {notes[0] if notes else 'The file holds none.'}")
        with memory.transaction():
            memory.put_documents(batch)
            if gone := before - kept:
                memory.remove_documents(gone)
            if before:
                # Facts that only the old text supported went with it; counts and states must follow at once.
                self._settle(None)
        return len(kept), passages, pages, tuple(notes)

    def _source(self, file: Path) -> str:
        """Name a file by its place beside the store, so that both can move together; by its full path elsewhere."""
        full = Path(os.path.abspath(file))
        try:
            return full.relative_to(self.path.parent).as_posix()
        except ValueError:
            return full.as_posix()

    def _path_of(self, source: str) -> Path:
        return self.path.parent / source

    def _resolve(self, names: Iterable[str | os.PathLike[str]]) -> Iterator[tuple[str, str]]:
        """Yield (id, source) of the documents that `names` mean; (source, source) of a file that gave none."""
        by_id = {document.id: document for document in self._memory.documents()}
        by_source = {document.source: document for document in by_id.values()}
        for name in names:
            text = os.fspath(name)
            document = by_id.get(text) or by_source.get(text) or by_source.get(self._source(Path(text)))
            if document is not None:
                yield document.id, document.source
                continue
            records = self._memory.documents_of_file(text) or self._memory.documents_of_file(self._source(Path(text)))
            file = next((f for f in (text, self._source(Path(text))) if self._memory.file(f) is not None), None)
            if not records and file is not None:
                # A file without documents stands for itself.
                yield file, file
                continue
            if not records:
                raise InputError(
                    f"{self.path.name} holds no document {text!r}. corpus.documents() lists ids and sources."
                )
            yield from ((record.id, record.source) for record in records)

    # --- build, stage by stage ---------------------------------------------------------------------------------

    def _extract(self, advance: Progress) -> dict[str, int]:
        memory = self._memory
        if self._extractor is None:
            self._extractor = OfflineExtractor()
        waiting = memory.passages_to_extract(self._extractor.id)
        if not waiting:
            return {"extracted": 0, "extraction_failures": 0}
        titles = self._titles()
        failures = 0
        memory.start_stage("extract", len(waiting))
        for start in range(0, len(waiting), _EXTRACT_BATCH):
            advance("extract", start, len(waiting))
            passages = memory.passages(waiting[start : start + _EXTRACT_BATCH])
            results = list(self._extractor.extract(passages, titles=titles))
            with memory.transaction():
                memory.put_extractions(results)
                memory.advance_stage("extract", start + len(results))
            failures += sum(result.status == "failed" for result in results)
        memory.finish_stage("extract", len(waiting))
        advance("extract", len(waiting), len(waiting))
        return {"extracted": len(waiting), "extraction_failures": failures}

    def _settle(self, threshold: int | None) -> Plan:
        """Plan and apply the settled part in one transaction, whether or not the caller has one open."""
        memory = self._memory
        wanted = self._threshold() if threshold is None else threshold
        if threshold is None and memory.is_settled(wanted):
            return Plan(wanted)
        with memory.transaction():
            present = memory.entities(), memory.schemas(), memory.facts()
            plan = stabilize.plan(memory.triples(), present, threshold=wanted, canonical=self._canonical())
            memory.apply(plan)
        return plan

    def _canonical(self) -> dict[str, str]:
        """Map each abbreviation to its long form, where the corpus knows just one and it is no abbreviation itself."""
        longs: dict[str, dict[str, str]] = {}
        for _, _, _, definition in self._memory.definitions():
            if definition.long:
                longs.setdefault(definition.name, {})[match_key(definition.long)] = definition.long
        shorts = {match_key(name) for name in longs}
        return {
            name: next(iter(forms.values()))
            for name, forms in longs.items()
            if len(forms) == 1 and next(iter(forms)) not in shorts
        }

    def _embed(self, advance: Progress) -> dict[str, int]:
        embedder = self._make_embedder()
        if embedder is None:
            return {"embedded": 0}
        memory = self._memory
        if memory.vector_space() is not None:
            memory.require_model(embedder.id, dimension=embedder.dimension)
        # Passages first: they are what search reads. Then what is settled, which conflicts are looked for in.
        waiting = [(kind, id_) for kind in EMBEDDED for id_ in memory.ids_without_vector(kind)]
        if not waiting:
            return {"embedded": 0}
        texts = self._texts()
        memory.start_stage("embed", len(waiting))
        done = 0
        for kind in EMBEDDED:
            ids = [id_ for other, id_ in waiting if other == kind]
            for start in range(0, len(ids), _EMBED_BATCH):
                advance("embed", done, len(waiting))
                batch = ids[start : start + _EMBED_BATCH]
                matrix = embedder.embed_passages(texts[kind](batch))
                done += len(batch)
                with memory.transaction():
                    memory.put_vectors(kind, batch, matrix, model=embedder.id)
                    memory.advance_stage("embed", done)
        memory.finish_stage("embed", done)
        advance("embed", done, done)
        return {"embedded": done}

    def _texts(self) -> Mapping[VectorKind, Callable[[Sequence[str]], list[str]]]:
        """Return what is embedded of items of each kind, by their ids."""
        memory = self._memory
        titles = self._titles()
        names = {entity.id: entity.name for entity in memory.entities()}
        facts = {
            fact.id: f"{names[fact.head_id]} {fact.relation} {names[fact.tail_id]}" for fact in memory.facts("active")
        }
        schemas = {s.id: f"{s.head_type} {s.relation} {s.tail_type}" for s in memory.schemas()}

        def passages(ids: Sequence[str]) -> list[str]:
            found = {passage.id: passage for passage in memory.passages(ids)}
            return [f"{titles[found[id_].document_id]}\n{found[id_].text}" for id_ in ids]

        return {
            "passage": passages,
            "schema": lambda ids: [schemas[id_] for id_ in ids],
            "fact": lambda ids: [facts[id_] for id_ in ids],
        }

    def _refresh(self, advance: Progress) -> dict[str, int]:
        self._current(advance)
        return {}

    # --- parts -------------------------------------------------------------------------------------------------

    def _current(self, advance: Progress = lambda stage, done, total: None) -> tuple[str, Indexes]:
        """Return the store's revision as it is now and its indexes, whoever changed it."""
        if self._indexes is None or self._indexes[0] != self._memory.revision:
            self._indexes = load_or_build(self._memory, progress=advance)
        return self._indexes

    def _make_embedder(self) -> Embedder | None:
        if self._embedder is None:
            self._embedder = make_embedder(self.settings.embedder)
        return self._embedder

    def _query_vector(self, query: str, indexes: Indexes) -> tuple[NDArray[np.float32] | None, str]:
        """Return the question's vector, or None with the reason why there is none."""
        space = self._memory.vector_space()
        if indexes.dense is None or space is None or not query.strip():
            return None, ""
        try:
            embedder = self._make_embedder()
            if embedder is None:
                return None, ""
            self._memory.require_model(embedder.id, dimension=embedder.dimension)
            return embedder.embed_query(query), ""
        except ModelError as error:
            # A server that is down must not take keyword and graph retrieval with it; the reader is told.
            return None, f"the dense leg is off: {error}"

    def _titles(self) -> dict[str, str]:
        return {document.id: document.title for document in self._memory.documents()}

    def _threshold(self) -> int:
        """τ as set, else as last applied: a researcher's choice survives rebuilds."""
        return self.settings.threshold or self._memory.threshold or stabilize.DEFAULT_THRESHOLD

    def _curve(self) -> list[CurvePoint]:
        thresholds = sorted({1, 2, 3, 4, 5, self._threshold()})
        return stabilize.curve(self._memory.schemas(), self._memory.facts(), thresholds=thresholds)

    def _threshold_warning(self) -> str:
        return stabilize.threshold_warning(self._curve(), threshold=self._threshold())

    def _degraded(self, counts: Counts) -> Iterator[str]:
        space = self._memory.vector_space()
        if self.settings.embedder == "none":
            have = f" ({space.model} vectors are stored)" if space else ""
            yield f"the dense leg is off: no embedder is set{have}. pip install 'aira-nb[local]', then AIRA_EMBEDDER=local"
        elif counts.passage_vectors < counts.passages:
            yield f"the dense leg knows {counts.passage_vectors:,} of {counts.passages:,} passages: run corpus.build()"
        yield "answers are evidence, quoted from the papers: no language model is set"
        if warning := self._threshold_warning():
            yield warning

    def _problems(self, counts: Counts) -> Iterator[str]:
        if not counts.passages:
            yield "the corpus is empty: corpus.add('papers/')"
        if counts.extractions_missing:
            yield f"{counts.extractions_missing:,} passages wait for extraction: corpus.build()"
        if counts.extractions_failed:
            yield f"{counts.extractions_failed:,} passages failed in extraction; corpus.build() tries them again"
        space = self._memory.vector_space()
        embedder = self._make_embedder() if space else None
        if space and embedder and embedder.id != space.model:
            yield f"the vectors are of {space.model}, the embedder is {embedder.id}: corpus.embed(replace=True)"
        bad = [file for file in self._memory.files() if file.state == "failed" and self._path_of(file.source).exists()]
        if bad:
            yield f"{len(bad):,} file{'s' * (len(bad) != 1)} failed, the first: {bad[0].reason}"
