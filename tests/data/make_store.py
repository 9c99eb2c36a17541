"""Write the example store of the present version: ``python tests/data/make_store.py``.

Run it once when a migration is added, and keep every file it ever wrote: a store of any version must open for ever.
"""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import numpy as np

from aira_nb import stabilize
from aira_nb.memory import Memory
from aira_nb.memory.layout import migrations
from aira_nb.types import Definition, Document, Extraction, FileReport, Mention, Passage, Region, Triple, make_id


def fill(memory: Memory) -> None:
    """Put in one of everything."""
    reader = "rules/1"
    for source, title, language, texts in (
        ("paper.pdf", "A paper", "en", ("Alpha cites Beta.", "Beta cites Gamma.")),
        ("論文.md", "論文", "ja", ("Alpha cites Beta.",)),
    ):
        id_ = make_id(source)
        pages = len(texts) if source.endswith(".pdf") else 0
        document = Document(
            id_,
            source,
            "00" * 32,
            source.split(".")[1],
            title,
            language,
            pages,
            ("山田 太郎",),
            2024,
            metadata={"a": [1]},
        )
        passages = [
            Passage(
                make_id(id_, text, 0),
                id_,
                n,
                text,
                18 * n,
                18 * n + 17,
                language,
                ("1 Method",),
                (Region(0, 17, n + 1, 72.1, 100.25, 540.0, 112.7),) if pages else (),
            )
            for n, text in enumerate(texts)
        ]
        memory.put_document(document, passages)
        memory.record_file(FileReport(source, "done", "", 1, len(texts), pages), sha256="00" * 32)
        for passage in passages:
            head, tail = passage.text[:-1].split(" cites ")
            at = passage.text.index(tail)
            first, second = Mention(0, len(head), head, "term"), Mention(at, at + len(tail), tail, "term")
            memory.put_extractions(
                [
                    Extraction(
                        passage.id,
                        reader,
                        mentions=(first, second),
                        triples=(Triple(first, "cites", second, 0, 17),),
                        definitions=(Definition(0, len(head), head, "title"),),
                    )
                ]
            )
    memory.apply(stabilize.plan(memory.triples(), ([], [], [])))
    for kind in ("passage", "fact", "schema"):
        ids = memory.ids_without_vector(kind)
        memory.put_vectors(kind, ids, np.eye(len(ids), 4), model="example/1")


def main() -> None:
    """Write ``store-vN.aira.gz`` beside this file."""
    version = len(migrations())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.aira")
        with Memory.open(path) as memory:
            fill(memory)
        target = Path(__file__).with_name(f"store-v{version}.aira.gz")
        target.write_bytes(gzip.compress(path.read_bytes(), mtime=0))


if __name__ == "__main__":
    main()
