"""What the calls of a corpus return: small frozen records that print well everywhere."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from aira_nb.frames import files_frame
from aira_nb.types import FileReport, Plan

if TYPE_CHECKING:
    import pandas

__all__ = ["AddReport", "BuildReport", "Health", "RemoveReport", "Report", "StabilizeReport", "Stats"]


class Report:
    """Base of the reports: a dictionary for machines, a text for people, and the text in a box for notebooks."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary."""
        return asdict(self)  # type: ignore[call-overload,no-any-return]  # every subclass is a dataclass

    def _repr_html_(self) -> str:
        return f"<pre style='margin:0;white-space:pre-wrap'>{html.escape(str(self))}</pre>"


@dataclass(frozen=True, slots=True)
class AddReport(Report):
    """How each file of one `add` ended."""

    files: tuple[FileReport, ...]

    @property
    def failed(self) -> tuple[FileReport, ...]:
        """The files that could not be read, with their reasons."""
        return tuple(file for file in self.files if file.state == "failed")

    def to_frame(self) -> pandas.DataFrame:
        """Return one row for each file."""
        return files_frame(self.files)

    def __str__(self) -> str:
        counts = Counter(file.state for file in self.files)
        states = ", ".join(
            f"{counts[state]:,} {state}" for state in ("done", "unchanged", "skipped", "failed") if counts[state]
        )
        new = [file for file in self.files if file.state == "done"]
        head = f"{len(self.files):,} file{'s' * (len(self.files) != 1)}: {states}"
        if new:
            pages, passages = sum(f.pages for f in new), sum(f.passages for f in new)
            head += f" ({f'{pages:,} pages, ' if pages else ''}{passages:,} passages)"
        lines = [f"  {file.state}: {file.reason}" for file in self.files if file.reason]
        lines += [f"  warning: {file.source}: {text}" for file in self.files for text in file.warnings]
        shown = lines if len(lines) <= 20 else [*lines[:20], f"  … and {len(lines) - 20:,} more; see .to_frame()"]
        return "\n".join([head, *shown])

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class Stats(Report):
    """The counts of the three layers, and what is hidden.

    `active_share` is the share of facts that are active (0 to 1), None without facts. `curve` maps each threshold from
    1 to 5 to the share that it would activate.
    """

    documents: int
    pages: int
    passages: int
    entities: int
    schemas_stable: int
    schemas_pending: int
    facts_active: int
    facts_pending: int
    facts_superseded: int
    mentions: int
    triples: int
    definitions: int
    extractions_done: int
    extractions_failed: int
    extractions_missing: int
    vectors: int
    threshold: int
    active_share: float | None
    curve: Mapping[int, float]
    file_bytes: int

    def __str__(self) -> str:
        share = "no facts yet" if self.active_share is None else f"{self.active_share:.1%} active"
        curve = ", ".join(f"τ={threshold}: {part:.0%}" for threshold, part in self.curve.items())
        rows = [
            ("passages", f"{self.passages:,} in {self.documents:,} documents, {self.pages:,} pages"),
            (
                "facts",
                f"{self.facts_active:,} active, {self.facts_pending:,} pending, {self.facts_superseded:,} superseded "
                f"({share} at τ={self.threshold})",
            ),
            (
                "ontology",
                f"{self.schemas_stable:,} stable and {self.schemas_pending:,} pending schemas, {self.entities:,} entities",
            ),
            ("extracted", f"{self.triples:,} triples, {self.mentions:,} mentions, {self.definitions:,} definitions"),
            ("vectors", f"{self.vectors:,}"),
            ("active by τ", curve),
            ("store", f"{self.file_bytes / 1e6:,.1f} MB"),
        ]
        return "\n".join(f"{name:<12} {text}" for name, text in rows)

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class Health(Report):
    """One line on how the corpus is, what is degraded, and what is wrong with its next step.

    `degraded` is what works less well than it could, by choice or configuration; `problems` need a hand.
    """

    summary: str
    degraded: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing needs a hand."""
        return not self.problems

    def __str__(self) -> str:
        state = "healthy" if self.ok else f"{len(self.problems)} problem{'s' * (len(self.problems) != 1)}"
        lines = [f"{state} · {self.summary}"]
        lines += [f"  degraded: {text}" for text in self.degraded]
        lines += [f"  problem: {text}" for text in self.problems]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class StabilizeReport(Report):
    """What a stabilization changed. `changes` is 0 when the memory was settled already."""

    threshold: int
    changes: int
    schemas_stable: int
    facts_active: int
    facts_pending: int
    warning: str

    @classmethod
    def of(cls, plan: Plan, *, stable: int, active: int, pending: int, warning: str) -> StabilizeReport:
        """Summarise an applied plan."""
        return cls(plan.threshold, len(plan), stable, active, pending, warning)

    def __str__(self) -> str:
        text = (
            f"τ={self.threshold}: {self.schemas_stable:,} stable schemas, {self.facts_active:,} active and "
            f"{self.facts_pending:,} pending facts ({self.changes:,} changes)"
        )
        return f"{text}\n  {self.warning}" if self.warning else text

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class BuildReport(Report):
    """What a build did, and the health of the corpus after it."""

    extracted: int
    extraction_failures: int
    changes: int
    embedded: int
    seconds: Mapping[str, float]
    health: Health

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems that the health line names."""
        return self.health.problems

    def __str__(self) -> str:
        times = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in self.seconds.items())
        failures = f" ({self.extraction_failures:,} failed)" if self.extraction_failures else ""
        return (
            f"{self.extracted:,} passages extracted{failures}, {self.changes:,} changes to the memory, "
            f"{self.embedded:,} embedded ({times})\n{self.health}"
        )

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class RemoveReport(Report):
    """What a removal took out: the documents, their passages, and the facts that only they supported."""

    documents: tuple[str, ...]
    passages: int
    facts: int

    def __str__(self) -> str:
        names = ", ".join(self.documents[:5]) + (" …" if len(self.documents) > 5 else "")
        return f"removed {len(self.documents):,} documents ({names}): {self.passages:,} passages, {self.facts:,} facts"

    def __repr__(self) -> str:
        return str(self)
