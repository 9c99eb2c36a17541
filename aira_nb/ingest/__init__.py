"""Files in, documents and passages out: the only room that knows docling.

Parsing happens in a child process with a time and a memory limit (:class:`Parser`), except for JSONL corpora, which
are streamed.
"""

from __future__ import annotations

from aira_nb.ingest.files import FORMATS, digest, file_digest, find_files, format_of
from aira_nb.ingest.parser import MEMORY_LIMIT, TIME_LIMIT, Parser, read_file
from aira_nb.ingest.records import AUXILIARY_SECTIONS, NoTextError
from aira_nb.ingest.split import MAX_TOKENS

__all__ = [
    "AUXILIARY_SECTIONS",
    "FORMATS",
    "MAX_TOKENS",
    "MEMORY_LIMIT",
    "TIME_LIMIT",
    "NoTextError",
    "Parser",
    "digest",
    "file_digest",
    "find_files",
    "format_of",
    "read_file",
]
