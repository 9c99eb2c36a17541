"""The memory: one SQLite file, ``NAME.aira``, that holds everything true about a corpus.

Three layers (ontology: entities and schemas; facts; passages), what the extractors read, the vectors, one state for
each file, and a change log that derived indexes follow. A backup is a copy of the file.

Documents and extractions are written by their own methods; the settled part changes only by :meth:`Memory.apply`.
"""

from __future__ import annotations

from aira_nb.memory.checks import Checks
from aira_nb.memory.records import CHANGE_KINDS, Change, Counts, StageRun, VectorKind, VectorSpace

__all__ = ["CHANGE_KINDS", "Change", "Counts", "Memory", "StageRun", "VectorKind", "VectorSpace"]


class Memory(Checks):
    """An open store file. Open one with :meth:`Memory.open`; close it, or use it in a ``with`` statement.

    One object may be used from several threads: each sees the last committed state, and its own transaction.
    """
