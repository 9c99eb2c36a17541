"""The layout of a store file: its numbered migrations, and what they add up to."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from importlib import resources

APPLICATION_ID = 0x41495241
"""SQLite's ``application_id`` of a store: "AIRA" in ASCII."""

_MIGRATION_NAME = re.compile(r"\d{4}_\w+\.sql")


def migrations() -> list[str]:
    """Return the SQL scripts in order; script number n brings a store from version n-1 to version n."""
    folder = resources.files(__package__) / "sql"
    scripts = sorted((item for item in folder.iterdir() if _MIGRATION_NAME.fullmatch(item.name)), key=lambda i: i.name)
    return [script.read_text(encoding="utf-8") for script in scripts]


def statements(script: str) -> Iterator[str]:
    """Split a SQL script into statements. A statement, or a trigger's last line, ends its line with ";"."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(pending):
            yield pending
            pending = ""


def expected_layout() -> set[tuple[str, str, str]]:
    """Return type, name and SQL of every table, index and trigger that a store of this version has."""
    raw = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for script in migrations():
            for statement in statements(script):
                raw.execute(statement)
        return set(raw.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall())
    finally:
        raw.close()
