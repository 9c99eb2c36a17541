"""Plain text files."""

from __future__ import annotations

import re

from aira_nb.ingest.encoding import decode
from aira_nb.ingest.pdf.joining import Vocabulary, is_japanese, join
from aira_nb.ingest.records import Block, Content

__all__ = ["read_text"]


def read_text(path: str) -> Content:
    """Return the paragraphs of a text file; lines that were wrapped to a width are joined, others stay apart."""
    with open(path, "rb") as file:
        text = decode(file.read(), name=path)
    vocabulary = Vocabulary(text.split("\n"))
    paragraphs = (part.strip("\n") for part in re.split(r"\n[ \t\u3000]*\n", text))
    blocks = [Block("text", _unwrap(part, vocabulary).strip()) for part in paragraphs if part.strip()]
    first = blocks[0].text if blocks else ""
    is_title = "\n" not in first and len(first) <= 80 and not re.search(r"[。．.!?！？、,]$", first) and len(blocks) > 1
    if is_title:
        blocks[0] = Block("title", first)
    return Content(tuple(blocks), title=first if is_title else "")


def _unwrap(paragraph: str, vocabulary: Vocabulary) -> str:
    lines = [line.strip() for line in paragraph.split("\n")]
    longest = max(map(len, lines))
    wide = is_japanese(lines[0][:1] or " ")
    # Wrapped text fills its lines; verse, addresses and lists do not.
    full = all(len(line) > (0.9 if wide else 0.75) * longest for line in lines[:-1])
    if len(lines) == 1 or not full or longest < (20 if wide else 40):
        return paragraph
    joined = ""
    for line in lines:
        joined, gap = join(joined, line, vocabulary)
        joined += gap + line
    return joined
