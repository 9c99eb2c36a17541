"""The corpus, over real files from first to last."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import networkx
import numpy as np
import pytest

import aira_nb
from aira_nb import sample
from aira_nb.corpus import Corpus
from aira_nb.derived import folder_of
from aira_nb.errors import InputError, ModelError, StoreError
from aira_nb.memory import Memory

FILES = (
    "kelp-clock.md",
    "odile-quenby.md",
    "quaybench.md",
    "personalized-tide-rank.pdf",
    "トウロウゴケ.md",
    "潮汐センサ 入門.md",
)


def papers(folder: Path, names: tuple[str, ...] = FILES) -> Path:
    """Copy a few sample papers, Japanese names and a space among them."""
    target = folder / "論文 papers"
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copy(sample.corpus_path() / name, target / name)
    return target


def dump(path: Path) -> list[str]:
    with Memory.open(path, mode="ro") as memory:
        return list(memory.dump())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole sample corpus, built once."""
    path = tmp_path_factory.mktemp("built") / "sample.aira"
    with aira_nb.open(path) as corpus:
        corpus.add(sample.corpus_path(), progress=None)
        corpus.build(progress=None)
    return path


@pytest.fixture
def corpus(built: Path, tmp_path: Path) -> Corpus:
    """A copy of the built store: one file is the whole of it."""
    shutil.copy(built, tmp_path / "copy.aira")
    return aira_nb.open(tmp_path / "copy.aira")


# --- filling ----------------------------------------------------------------------------------------------------


def test_every_file_ends_in_a_named_state(tmp_path: Path) -> None:
    """Good files are done; an empty, a broken and an unreadable one fail with reasons and stop nobody."""
    folder = papers(tmp_path)
    (folder / "empty.md").write_text("", encoding="utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnot really")
    (folder / "blank.txt").write_text(" \n\n ", encoding="utf-8")
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        report = corpus.add(folder, progress=None)
        states = {Path(file.source).name: file.state for file in report.files}
        assert {states[name] for name in FILES} == {"done"}
        assert states["broken.pdf"] == states["empty.md"] == "failed"
        assert states["blank.txt"] in ("failed", "skipped")
        assert all(file.reason for file in report.files if file.state in ("failed", "skipped"))
        assert len(corpus.documents()) == len(FILES)
        assert "failed" in str(report)
        assert set(report.to_frame()["state"]) >= {"done", "failed"}
        assert any("files failed" in problem for problem in corpus.health().problems)


def test_the_same_bytes_again_change_nothing(corpus: Corpus) -> None:
    """Adding and building again does no work: no passage extracted, no change to the store."""
    before = corpus._memory.sequence
    with corpus:
        again = corpus.add(sample.corpus_path(), progress=None)
        assert {file.state for file in again.files} <= {"unchanged", "skipped"}
        assert corpus.build(progress=None).extracted == 0
        assert corpus._memory.sequence == before


def test_a_changed_file_costs_only_what_changed(tmp_path: Path) -> None:
    """After an edit at the end of a file only the passages that changed are extracted again."""
    folder = papers(tmp_path, ("kelp-clock.md", "quaybench.md"))
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        corpus.add(folder, progress=None)
        corpus.build(progress=None)
        before = set(corpus.passages()["id"])
        file = folder / "kelp-clock.md"
        file.write_text(
            file.read_text(encoding="utf-8") + "\n\n## Afterword\n\nThe clock was retired in 2031.\n", "utf-8"
        )
        assert [f.state for f in corpus.add(folder, progress=None).files].count("done") == 1
        built = corpus.build(progress=None)
        after = set(corpus.passages()["id"])
        assert len(before & after) >= len(before) - 1
        assert 1 <= built.extracted <= 2
        assert corpus.check() == []
        assert "retired in 2031" in corpus.ask("When was the Kelp Clock retired?").text


def test_a_bib_entry_beside_a_file_is_read_when_it_changes(tmp_path: Path) -> None:
    """A BibTeX entry that comes later, or changes, brings the file up to date; nothing else is redone."""
    folder = papers(tmp_path, ("kelp-clock.md",))
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        corpus.add(folder, progress=None)
        corpus.build(progress=None)
        (folder / "kelp-clock.bib").write_text(
            "@article{clock, author = {Marrack, Tobin}, year = {1992}, title = {The Kelp Clock}}", encoding="utf-8"
        )
        assert [f.state for f in corpus.add(folder, progress=None).files] == ["done"]
        assert corpus.documents()["year"].tolist() == [1992]
        assert "Marrack" in corpus.documents()["authors"][0][0]
        assert [f.state for f in corpus.add(folder, progress=None).files] == ["unchanged"]


def test_a_copy_of_a_file_is_not_read_twice(tmp_path: Path) -> None:
    """The same content under another name is skipped, naming the first."""
    folder = papers(tmp_path, ("kelp-clock.md",))
    shutil.copy(folder / "kelp-clock.md", folder / "z-copy.md")
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        states = {Path(f.source).name: f for f in corpus.add(folder, progress=None).files}
        assert states["z-copy.md"].state == "skipped"
        assert "kelp-clock.md" in states["z-copy.md"].reason
        assert len(corpus.documents()) == 1


def test_a_file_that_became_a_copy_loses_its_old_text(tmp_path: Path) -> None:
    """When a file is overwritten with another document's content, nothing of its former text can be cited."""
    folder = papers(tmp_path, ("kelp-clock.md", "quaybench.md"))
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        corpus.add(folder, progress=None)
        corpus.build(progress=None)
        shutil.copy(folder / "kelp-clock.md", folder / "quaybench.md")
        states = {Path(f.source).name: f.state for f in corpus.add(folder, progress=None).files}
        assert states == {"kelp-clock.md": "unchanged", "quaybench.md": "skipped"}
        assert [Path(source).name for source in corpus.documents()["source"]] == ["kelp-clock.md"]
        assert corpus.check() == []
        assert not any("QuayBench is" in text for text in corpus.passages()["text"])


def test_a_moved_file_takes_its_place_along(tmp_path: Path) -> None:
    """A file that was moved is found at its new place, and nothing points to the old one."""
    folder = papers(tmp_path, ("kelp-clock.md",))
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        corpus.add(folder, progress=None)
        (folder / "sub").mkdir()
        (folder / "kelp-clock.md").rename(folder / "sub" / "clock.md")
        assert [f.state for f in corpus.add(folder, progress=None).files] == ["done"]
        (source,) = corpus.documents()["source"]
        assert source.endswith("sub/clock.md")


def test_a_failed_file_can_be_forgotten(tmp_path: Path) -> None:
    """A file that failed is a problem while it is there; deleted or removed from the corpus, it is none."""
    folder = papers(tmp_path, ("kelp-clock.md",))
    for name in ("bad.pdf", "worse.pdf"):
        (folder / name).write_bytes(b"%PDF-1.7\nbroken " + name.encode())
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        corpus.add(folder, progress=None)
        corpus.build(progress=None)
        assert any("2 files failed" in text for text in corpus.health().problems)
        corpus.remove(folder / "bad.pdf")
        (folder / "worse.pdf").unlink()
        assert corpus.health().ok
        assert len(corpus.documents()) == 1


def test_a_changed_file_that_cannot_be_read_keeps_its_text(tmp_path: Path) -> None:
    """When a file breaks, its former text stays, and the report says so."""
    folder = papers(tmp_path, ("kelp-clock.md",))
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        corpus.add(folder, progress=None)
        (folder / "kelp-clock.md").write_bytes(b"")
        (report,) = corpus.add(folder, progress=None).files
        assert report.state == "failed"
        assert "former text stays" in report.reason
        assert len(corpus.documents()) == 1


def test_no_document_is_an_error(tmp_path: Path) -> None:
    """A path that does not exist, and a folder without documents, are named instead of giving an empty corpus."""
    (tmp_path / "nothing").mkdir()
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        with pytest.raises(InputError, match="0 documents"):
            corpus.add(tmp_path / "nothing")
        with pytest.raises(InputError, match=r"missing\.pdf"):
            corpus.add(tmp_path / "missing.pdf")
        with pytest.raises(InputError, match="no passages yet"):
            corpus.ask("Anything?")


def test_jsonl_records_are_documents(tmp_path: Path) -> None:
    """Each record of a JSONL corpus is a document; a bad line costs that line; a dropped record goes."""
    file = tmp_path / "corpus.jsonl"
    rows = [
        {"_id": f"r{i}", "title": f"Tower {i}", "text": f"Tower {i} was built in 19{i:02d} by Oda Renn."}
        for i in range(20)
    ]
    lines = [json.dumps(row) for row in rows]
    file.write_text("\n".join([*lines[:5], "{broken", *lines[5:]]), encoding="utf-8")
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        report = corpus.add(file, progress=None)
        assert report.files[0].state == "done"
        assert report.files[0].documents == 20
        assert any("6" in warning for warning in report.files[0].warnings)
        assert sorted(corpus.records().values())[:2] == ["r0", "r1"]
        file.write_text("\n".join(lines[:10]), encoding="utf-8")
        corpus.add(file, progress=None)
        assert len(corpus.documents()) == 10


# --- asking -----------------------------------------------------------------------------------------------------


def test_sample_questions_find_their_support(corpus: Corpus) -> None:
    """Over the sample's answerable questions, the supporting sentences are retrieved for nearly all of them."""
    found = total = 0
    for question in sample.questions():
        if not question["supporting"]:
            continue
        texts = " ".join(
            "".join(text.split())
            for text in corpus.passages([hit.passage_id for hit in corpus.search(question["question"], k=8).hits])[
                "text"
            ]
        )
        total += len(question["supporting"])
        found += sum("".join(s["sentence"].split()) in texts for s in question["supporting"])
    assert total > 60
    assert found / total >= 0.85


def test_citations_can_be_checked(corpus: Corpus) -> None:
    """Every citation's quote stands letter by letter in its passage, and a PDF's citation has page and boxes."""
    pages = 0
    for question in [*sample.DEMO_QUESTIONS.values(), *(q["question"] for q in sample.questions())]:
        answer = corpus.ask(question)
        texts = dict(corpus.passages()[["id", "text"]].itertuples(index=False))
        for citation in (*answer.citations, *answer.consulted):
            assert texts[citation.passage_id][citation.start : citation.end] == citation.quote
            if citation.source.endswith(".pdf"):
                assert citation.page is not None and citation.page >= 1
                assert citation.regions
                pages += 1
    assert pages >= 3


@pytest.mark.parametrize(("language", "gold"), [("en", "Tobin Marrack"), ("ja", "52名")])
def test_demo_questions_are_answered(corpus: Corpus, language: str, gold: str) -> None:
    """Both demo questions, which need two papers each, are answered with the gold fact in a cited sentence."""
    answer = corpus.ask(sample.DEMO_QUESTIONS[language])
    assert answer.status == "answered"
    assert answer.language == language
    assert gold in answer.text
    assert answer.span in (None, gold)
    assert len({citation.document_id for citation in answer.citations}) >= 2


@pytest.mark.parametrize("question", [q["question"] for q in sample.questions() if not q["supporting"]])
def test_unanswerable_questions_get_no_short_answer(corpus: Corpus, question: str) -> None:
    """What the corpus does not hold is said to be not there, or at least to be covered in part only: never guessed."""
    answer = corpus.ask(question)
    assert answer.span is None
    assert answer.notes
    if answer.status == "answered":
        assert "only a part" in answer.notes[0]


def test_most_unanswerable_questions_are_refused(corpus: Corpus) -> None:
    """At least four of the sample's six unanswerable questions get a plain "not found"."""
    asked = [q["question"] for q in sample.questions() if not q["supporting"]]
    assert len(asked) == 6
    assert sum(corpus.ask(question).status == "not_found" for question in asked) >= 4


def test_explain_shows_each_signal(corpus: Corpus) -> None:
    """A ranking explains itself: each signal's rank and score for each hit."""
    text = corpus.search("Kelp Clock").explain()
    assert "bm25" in text and "walk" in text


def test_bad_arguments_are_named(corpus: Corpus) -> None:
    """A question that is no text, and a k of zero, are refused by search and ask alike."""
    for call in (corpus.search, corpus.ask):
        with pytest.raises(InputError, match="NoneType"):
            call(None)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="at least 1"):
            call("clock", k=0)


def test_rankings_carry_what_a_reader_needs(corpus: Corpus) -> None:
    """A ranking names title, pages and an excerpt of each hit, without asking the store again."""
    ranking = corpus.search("Personalized Tide Rank", k=3)
    places = ranking.trace["places"]
    assert set(places) == {hit.passage_id for hit in ranking.hits}
    assert any(place["pages"] for place in places.values())
    assert all(place["text"] and place["title"] for place in places.values())


def test_hostile_and_odd_questions_are_just_text(corpus: Corpus) -> None:
    """Quotes, SQL, HTML, control characters and very long questions are questions like any other."""
    for question in ("'; DROP TABLE passage; --", "<img src=x onerror=alert(1)>", "\x00\u202e?", "灯 " * 3000, "？"):
        assert corpus.ask(question).status in ("answered", "not_found")
    with pytest.raises(InputError, match="empty"):
        corpus.ask("   ")


# --- removing ---------------------------------------------------------------------------------------------------


def test_removed_is_as_never_added(tmp_path: Path) -> None:
    """Add A, add B, remove B leaves the store that adding A alone leaves; nothing of B can be retrieved."""
    folder = papers(tmp_path)
    keep, gone = ("kelp-clock.md", "トウロウゴケ.md"), ("quaybench.md", "personalized-tide-rank.pdf")
    with aira_nb.open(tmp_path / "one.aira") as corpus:
        corpus.add(*(folder / name for name in keep), progress=None)
        corpus.build(progress=None)
    with aira_nb.open(tmp_path / "two.aira") as corpus:
        corpus.add(*(folder / name for name in (*keep, *gone)), progress=None)
        corpus.build(progress=None)
        report = corpus.remove(*(folder / name for name in gone))
        assert len(report.documents) == 2
        assert report.passages > 0
        assert corpus.check() == []
        sources = set(
            corpus.passages([h.passage_id for h in corpus.search("tide rank benchmark", k=20).hits])["source"]
        )
        assert not [source for source in sources if source.endswith(gone)]
    assert dump(tmp_path / "one.aira") == dump(tmp_path / "two.aira")


def test_unknown_documents_are_named(corpus: Corpus) -> None:
    """Removing what is not there is an error that removes nothing."""
    before = len(corpus.documents())
    with pytest.raises(InputError, match="no-such"):
        corpus.remove("no-such.pdf")
    assert len(corpus.documents()) == before


# --- memory -----------------------------------------------------------------------------------------------------


def test_the_three_layers_are_filled(corpus: Corpus) -> None:
    """The sample gives entities, stable schemas and active facts, each with provenance, and a sound store."""
    stats = corpus.stats()
    assert stats.documents == 32
    assert stats.facts_active > 20
    assert stats.schemas_stable > 3
    assert stats.extractions_failed == stats.extractions_missing == 0
    assert list(stats.curve) == [1, 2, 3, 4, 5]
    assert stats.curve[1] == 1.0
    assert corpus.check() == []
    facts = corpus.facts("active")
    assert (facts["passages"] >= 1).all()
    graph = corpus.to_networkx()
    assert {data["kind"] for _, data in graph.nodes(data=True)} == {"entity", "passage"}


def test_threshold_is_kept_and_stabilize_is_idempotent(corpus: Corpus) -> None:
    """A chosen τ survives the next build, and stabilizing again changes nothing."""
    everything = corpus.stabilize(1)
    assert everything.facts_pending == 0
    assert corpus.stabilize().changes == 0
    corpus.build(progress=None)
    assert corpus.stats().threshold == 1
    assert corpus.stabilize(3).facts_active < everything.facts_active
    assert list(corpus.threshold_curve()["threshold"])[:3] == [1, 2, 3]


def test_settings_outrank_the_last_threshold(corpus: Corpus) -> None:
    """A τ that the settings name is used by the next build, whatever was applied before."""
    path = corpus.path
    corpus.stabilize(3)
    corpus.close()
    assert "closed" in repr(corpus)
    with aira_nb.open(path, settings=aira_nb.Settings(threshold=1)) as again:
        again.build(progress=None)
        assert again.stats().threshold == 1
        assert again.stats().facts_pending == 0


def test_graph_exports_to_graphml(tmp_path: Path) -> None:
    """The exported graph is valid GraphML even when a text has control characters."""
    file = tmp_path / "notes.txt"
    file.write_text("Ada Lovelace was born in London.\x0c\x01 She met Charles Babbage in 1833.\n", encoding="utf-8")
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        corpus.add(file, progress=None)
        corpus.build(progress=None)
        corpus.stabilize(1)
        networkx.write_graphml(corpus.to_networkx(), tmp_path / "graph.graphml")
        assert networkx.read_graphml(tmp_path / "graph.graphml").number_of_nodes() >= 1


def test_a_restored_backup_is_searched_as_it_is(tmp_path: Path) -> None:
    """After a copy was put back and edited otherwise, search finds the new branch and not the one thrown away."""
    file, store, backup = tmp_path / "animal.md", tmp_path / "c.aira", tmp_path / "backup.aira"
    file.write_text("# Okapi\n\nThe animal lives in a forest.\n", encoding="utf-8")
    with aira_nb.open(store) as corpus:
        corpus.add(file, progress=None)
    shutil.copy(store, backup)
    for name in ("Zebra", "Giraffe"):
        shutil.copy(backup, store)
        file.write_text(f"# {name}\n\nThe animal lives in a forest.\n", encoding="utf-8")
        with aira_nb.open(store) as corpus:
            corpus.add(file, progress=None)
            assert corpus.search(name).hits
    with aira_nb.open(store) as corpus:
        assert not corpus.search("Zebra").hits


def test_searches_go_on_while_another_process_writes(tmp_path: Path) -> None:
    """A search beside a writer gives a ranking of one state of the store, never a crash."""
    folder = papers(tmp_path)
    store = tmp_path / "c.aira"
    with aira_nb.open(store) as corpus:
        corpus.add(folder / "kelp-clock.md", progress=None)
        corpus.build(progress=None)
        writer = subprocess.Popen([sys.executable, "-c", _SCRIPT, store, folder])
        searches = 0
        while writer.poll() is None:
            assert corpus.ask("Who designed the Kelp Clock?").status == "answered"
            searches += 1
        assert writer.returncode == 0
        assert searches > 0
        assert corpus.search("QuayBench").hits


def test_index_folder_is_disposable(corpus: Corpus) -> None:
    """The same answer comes from the index folder, without it, and after it was damaged."""
    first = corpus.search("Kelp Clock", k=5)
    folder = folder_of(corpus.path)
    assert (folder / "manifest.json").exists()
    corpus._indexes = None
    assert corpus.search("Kelp Clock", k=5) == first
    shutil.rmtree(folder)
    corpus._indexes = None
    assert corpus.search("Kelp Clock", k=5) == first
    for file in folder.rglob("*.npz"):
        file.write_bytes(b"PK\x03\x04 damaged")
    corpus._indexes = None
    assert corpus.search("Kelp Clock", k=5) == first
    for file in folder.rglob("*.np?"):
        file.write_bytes(b"")
    corpus._indexes = None
    assert corpus.search("Kelp Clock", k=5) == first
    (folder / "manifest.json").write_text('{"generation": "../../etc", "identity": 1}', encoding="utf-8")
    corpus._indexes = None
    assert corpus.search("Kelp Clock", k=5) == first


def test_another_process_sees_the_change(corpus: Corpus) -> None:
    """A corpus that is open elsewhere follows what this one removes, without being opened again."""
    with aira_nb.open(corpus.path) as other:
        source = next(s for s in corpus.documents()["source"] if s.endswith("kelp-clock.md"))
        assert source in set(other.passages([h.passage_id for h in other.search("Kelp Clock", k=10).hits])["source"])
        corpus.remove(source)
        assert source not in set(
            other.passages([h.passage_id for h in other.search("Kelp Clock", k=10).hits])["source"]
        )


def test_vectors_are_built_checked_and_refused(tmp_path: Path) -> None:
    """With an embedder every passage, stable schema and active fact has one vector; another model's are refused."""
    folder = papers(tmp_path, ("kelp-clock.md",))
    local = aira_nb.Settings(embedder="local")
    with aira_nb.open(tmp_path / "c.aira", settings=local) as corpus:
        corpus.add(folder, progress=None)
        corpus.build(stages=("extract",), progress=None)
        corpus.stabilize(1)
        counts = corpus.stats()
        settled = counts.facts_active + counts.schemas_stable
        assert settled > 0
        assert corpus.build(progress=None).embedded == len(corpus.passages()) + settled
        assert corpus.search("Who made the timepiece?", strategy="dense").hits
        assert not any("dense" in text for text in corpus.health().degraded)
        assert corpus.check() == []
    with aira_nb.open(tmp_path / "c.aira") as corpus:
        assert any("vectors are stored" in text for text in corpus.health().degraded)
        assert corpus.search("timepiece clock").hits
    with aira_nb.open(tmp_path / "c.aira", settings=local) as corpus:
        corpus._embedder = _Other()
        with pytest.raises(StoreError, match=r"corpus\.embed\(replace=True\)"):
            corpus.search("clock")
        assert any("corpus.embed(replace=True)" in text for text in corpus.health().problems)
        assert corpus.search("clock", strategy="bm25").hits
        corpus._embedder = _Down()
        with pytest.raises(ModelError):
            corpus.embed(replace=True, progress=None)
        assert corpus.stats().vectors == len(corpus.passages())
        corpus._embedder = _Other()
        assert corpus.embed(replace=True, progress=None) == len(corpus.passages()) + settled
        assert corpus.check() == []
        assert corpus.search("clock", strategy="dense").hits


class _Other:
    id = "other-model"
    dimension = 3

    def embed_passages(self, texts: list[str]) -> np.ndarray:
        return np.tile(np.array([[1, 0, 0]], np.float32), (len(texts), 1))

    def embed_query(self, text: str) -> np.ndarray:
        return np.array([1, 0, 0], np.float32)


class _Down(_Other):
    def embed_query(self, text: str) -> np.ndarray:
        raise ModelError("down")


# --- interruption -----------------------------------------------------------------------------------------------

_SCRIPT = """
import sys, aira_nb
with aira_nb.open(sys.argv[1]) as corpus:
    corpus.add(sys.argv[2], progress=None)
    corpus.build(progress=None)
"""


def test_killed_at_ten_random_points_the_same_call_goes_on(tmp_path: Path) -> None:
    """After kill -9 at each of ten random moments of add and build, the same call gives the store of an unbroken run."""
    folder = papers(tmp_path, ("quaybench.md", "personalized-tide-rank.pdf", "トウロウゴケ.md"))
    whole = tmp_path / "whole.aira"
    start = time.monotonic()
    subprocess.run([sys.executable, "-c", _SCRIPT, whole, folder], check=True)
    usual = time.monotonic() - start
    expected = dump(whole)
    moments = random.Random(20)  # noqa: S311  moments to kill at, no secrets
    kills = 0
    for trial in range(10):
        broken = tmp_path / f"broken-{trial}.aira"
        process = subprocess.Popen([sys.executable, "-c", _SCRIPT, broken, folder])
        try:
            process.wait(timeout=moments.uniform(0.2, 0.95) * usual)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
            with aira_nb.open(broken) as corpus:
                corpus.add(folder, progress=None)
                corpus.build(progress=None)
                assert corpus.check() == []
        assert dump(broken) == expected
    # A machine that is faster in the trials than in the first run may finish some of them before their moment.
    assert kills >= 5


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send to one process")
def test_ctrl_c_stops_soon_and_leaves_a_resumable_store(tmp_path: Path) -> None:
    """An interrupt in the middle of a build ends it with KeyboardInterrupt, and the same call finishes the rest."""
    folder = papers(tmp_path)
    heard = threading.Event()

    def interrupt(stage: str, done: int, total: int) -> None:
        if stage == "extract" and not heard.is_set():
            heard.set()
            signal.raise_signal(signal.SIGINT)

    with aira_nb.open(tmp_path / "c.aira") as corpus:
        corpus.add(folder, progress=None)
        with pytest.raises(KeyboardInterrupt):
            corpus.build(progress=interrupt)
        assert corpus.check() == []
        assert corpus.build(progress=None).extracted > 0
        assert corpus.health().ok


def test_works_in_a_running_event_loop(corpus: Corpus) -> None:
    """The synchronous calls work where an event loop is already running, as in every notebook."""

    async def cell() -> str:
        return corpus.ask(sample.DEMO_QUESTIONS["en"]).status

    assert asyncio.run(cell()) == "answered"
