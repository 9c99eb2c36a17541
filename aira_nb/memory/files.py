"""What was asked of the store and how it went: one state for each file, one row for each stage, the change log."""

# ruff: noqa: S608  only names of this package's own tables and columns are put together; values are always bound.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from aira_nb.errors import InputError
from aira_nb.memory.codec import from_json, to_json
from aira_nb.memory.records import CHANGE_KINDS, Change, StageRun
from aira_nb.memory.store import Store, upsert
from aira_nb.types import FileReport

_FILE = ("sha256", "state", "reason", "documents", "passages", "pages", "seconds", "warnings")
_PUT_FILE = upsert("file", "source", _FILE)
_SELECT_FILE = "SELECT source, state, reason, documents, passages, pages, seconds, warnings FROM file"


def _storable(source: str) -> str:
    """A file name as it can be stored: Linux allows names that are not Unicode, and they too must get a state."""
    return source.encode("utf-8", "backslashreplace").decode("utf-8")


def _report(row: Sequence[Any]) -> FileReport:
    return FileReport(*(*row[:7], tuple(from_json(row[7]))))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Files(Store):
    """Files, stages and changes."""

    # --- files -------------------------------------------------------------------------------------------------

    def record_file(self, report: FileReport, *, sha256: str) -> None:
        """Store how a file ended and the digest of its bytes.

        "unchanged" says something about one call, not about the file: a file that has a state keeps it. A file that
        failed or was skipped while its former documents are still stored is recorded with their counts.
        """
        source = _storable(report.source)
        with self.transaction():
            if report.state == "unchanged" and self._row("SELECT 1 FROM file WHERE source = ?", (source,)):
                return
            r = report
            if r.state in ("failed", "skipped") and (counts := self._count(source))[0]:
                r = replace(r, documents=counts[0], passages=counts[1], pages=counts[2])
            self._run(
                _PUT_FILE,
                (source, sha256, r.state, r.reason, r.documents, r.passages, r.pages, r.seconds, to_json(r.warnings)),
            )

    def files(self) -> list[FileReport]:
        """Return how each file ended, by source."""
        return [_report(row) for row in self._rows(f"{_SELECT_FILE} ORDER BY source")]

    def file(self, source: str) -> FileReport | None:
        """Return how the file `source` ended, or None when it was never recorded."""
        row = self._row(f"{_SELECT_FILE} WHERE source = ?", (_storable(source),))
        return None if row is None else _report(row)

    def file_digest(self, source: str) -> str | None:
        """Return the digest with which `source` was last recorded, or None when it never was."""
        row = self._row("SELECT sha256 FROM file WHERE source = ?", (_storable(source),))
        return None if row is None else str(row[0])

    def forget_file(self, source: str) -> bool:
        """Forget a file's state, so that the next add reads it again; return whether it had one. Its documents stay."""
        with self.transaction():
            return self._run("DELETE FROM file WHERE source = ?", (_storable(source),)) > 0

    def _recount_files(self, sources: Iterable[str]) -> None:
        """Recount the files that brought the documents of these sources, which were removed.

        A file with no document left is forgotten. One that lost only some loses its digest, so that the next add
        reads it again and brings them back.
        """
        known = {row[0] for row in self._rows("SELECT source FROM file")}
        files: set[str] = set()
        for source in sources:
            # A record of a corpus is "path#record", and both parts may hold a "#" of their own.
            cuts = [source[:at] for at, char in enumerate(source) if char == "#"]
            if owners := known.intersection((source, *cuts)):
                files.add(max(owners, key=len))
        for source in sorted(files):
            counts = self._count(source)
            if counts[0]:
                self._run(
                    "UPDATE file SET sha256 = CASE documents WHEN ?1 THEN sha256 ELSE '' END,"
                    " documents = ?1, passages = ?2, pages = ?3 WHERE source = ?4",
                    (*counts, source),
                )
            else:
                self._run("DELETE FROM file WHERE source = ?", (source,))

    def _count(self, source: str) -> tuple[int, int, int]:
        """Count the documents, passages and pages in the store that the file `source` brought."""
        row = self._row(
            "SELECT count(*), coalesce(sum((SELECT count(*) FROM passage p WHERE p.document_no = d.no)), 0),"
            " coalesce(sum(page_count), 0) FROM document d"
            " WHERE source = ?1 OR (format = 'jsonl' AND source > ?2 AND source < ?3)",
            (source, f"{source}#", f"{source}$"),
        )
        return row[0], row[1], row[2]

    # --- stages ------------------------------------------------------------------------------------------------

    def start_stage(self, name: str, total: int) -> None:
        """Note that a stage (parse, extract, stabilize, embed, index) begins with `total` items to do.

        For reports only: what is left to do always follows from the data, never from this journal.
        """
        with self.transaction():
            self._run(upsert("stage", "name", ("started", "finished", "done", "total")), (name, _now(), None, 0, total))

    def advance_stage(self, name: str, done: int) -> None:
        """Note how many items of a started stage are done. Cheap inside the transaction that did them."""
        self._update_stage("UPDATE stage SET done = ? WHERE name = ?", (done, name))

    def finish_stage(self, name: str, done: int) -> None:
        """Note that a started stage came to its end with `done` items done."""
        self._update_stage("UPDATE stage SET finished = ?, done = ? WHERE name = ?", (_now(), done, name))

    def _update_stage(self, sql: str, params: tuple[object, ...]) -> None:
        with self.transaction():
            if not self._run(sql, params):
                raise InputError(f"The stage {params[-1]!r} was not started. Call start_stage() first.")

    def stages(self) -> list[StageRun]:
        """Return the last run of each stage, in the order they were started."""
        return [
            StageRun(*row)
            for row in self._rows("SELECT name, started, finished, done, total FROM stage ORDER BY started, name")
        ]

    # --- changes -----------------------------------------------------------------------------------------------

    def changes(self, since: int = 0, *, kinds: Iterable[str] = CHANGE_KINDS) -> list[Change]:
        """Return what changed after the sequence number `since`, oldest first, once for each record.

        A record that was put and deleted again appears only as deleted. A passage's vector and extraction that went
        together with the passage are listed on their own too.
        """
        wanted = tuple(dict.fromkeys(kinds))
        if unknown := set(wanted) - set(CHANGE_KINDS):
            raise InputError(f"The change log knows {', '.join(CHANGE_KINDS)}, not {min(unknown)!r}.")
        marks = ", ".join("?" * len(wanted))
        sql = f"SELECT sequence, kind, id, op FROM change WHERE sequence > ? AND kind IN ({marks}) ORDER BY sequence"
        return [Change(*row) for row in self._rows(sql, (since, *wanted))]
