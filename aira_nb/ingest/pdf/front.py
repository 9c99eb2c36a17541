"""Title, authors, year and DOI from a paper's first pages, where they are clearly there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from aira_nb.ingest.pdf.headings import CONTENTS_NAME
from aira_nb.ingest.records import Block

__all__ = ["find_authors", "find_doi", "find_year", "front_blocks", "plausible_title"]

_JUNK_TITLE = re.compile(
    r"untitled|microsoft (word|powerpoint)|latex with|^\W*$|\.(docx?|pptx?|pdf|tex|dvi|indd|rtf)$|^(slide|document|paper) ?\d*$"
    r"|^(無題|名称未設定|タイトル)",
    re.IGNORECASE,
)
_STOP = re.compile(r"abstract|概要|要旨|あらまし|要約|introduction|はじめに|keywords?\b|1[.\s]", re.IGNORECASE)
_AFFILIATION = re.compile(
    r"大学|研究|株式会社|学院|機構|図書館|博物館|協会|学会|センター|高専|学部|学科|@|universit|institut|department|school|college|laborator|inc\.|ltd"
    r"|corp|\bcenter\b|\bcentre\b|faculty|academy|\{",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:authors?|by|written by|著者|筆者|執筆者|発表者)\s*[:：]\s*(?P<names>.+)", re.IGNORECASE)
_MARKS = re.compile(r"[\d¹²³⁴-⁹∗*†‡§¶♣♢♠♡⋆★☆⋄◇◆]+(?:\s*[,，]\s*[\d¹²³⁴-⁹∗*†‡§¶♣♢♠♡⋆★☆⋄◇◆]+)*")
_JA_NAME = re.compile(
    r"[\u3400-\u9fff々〆ヶ\u3041-\u3096\u30a1-\u30fc]{1,5}[ \u3000]?[\u3400-\u9fff々\u3041-\u3096\u30a1-\u30fc]{0,5}"
)
_EN_NAME = re.compile(
    r"[A-Z\u00c0-\u00de][\w\u00c0-\u024f.'’-]*(?: (?:de|van|von|der|den|la|le|di|da|bin|al|el))*"
    r"(?: [A-Z\u00c0-\u00de][\w\u00c0-\u024f.'’-]*){1,3}"
)
_YEAR = re.compile(
    r"((?:19[5-9]|20)\d\d)\s*年|(?:©|\(c\)|copyright)\s*((?:19[5-9]|20)\d\d)"
    r"|(?:jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)\.?\s+(?:\d{1,2},?\s+)?((?:19[5-9]|20)\d\d)"
    r"|\(((?:19[5-9]|20)\d\d)\)|(?:vol|no|pp|proceedings|conference|journal|arxiv)\b.*?\b((?:19[5-9]|20)\d\d)\b",
    re.IGNORECASE,
)
_DOI = re.compile(r"(?:doi\s*[:：]?\s*|doi\.org/)(10\.\d{4,9}/[^\s,;，。)）\]]+)", re.IGNORECASE)


def plausible_title(title: str, text: str) -> bool:
    """Whether a title from the file's metadata is the paper's: not a file name, and its words stand in `text`."""
    if len(title) < 6 or _JUNK_TITLE.search(title) or CONTENTS_NAME.fullmatch(title):
        return False
    return _bare(title) in _bare(text)


def _bare(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def front_blocks(blocks: Sequence[Block], title: int) -> list[Block]:
    """Return the blocks between the title and the abstract or first heading, at most twelve.

    A bold line right below the title ("Working paper, May 2026") is no heading of the text yet.
    """
    front: list[Block] = []
    for number, block in enumerate(blocks[title + 1 : title + 13]):
        if (block.kind in ("heading", "contents") and number > 2) or _STOP.match(block.text):
            break
        front.append(block)
    return front


def find_authors(front: Sequence[Block]) -> tuple[str, ...]:
    """Return the authors if every piece of the author lines reads as a name, else nothing."""
    for block in front:
        if match := _LABEL.match(block.text):
            return _names(re.sub(r"[(（].*?[)）]", "", match.group("names"))) or ()
    authors: list[str] = []
    for block in front:
        for line in _lines(block):
            if _AFFILIATION.search(line) or re.match(_MARKS, line):
                return tuple(authors)
            names = _names(line)
            if not names:
                return tuple(authors)
            authors += names
    return tuple(authors)


def _lines(block: Block) -> list[str]:
    """The block's lines on the page: its text was joined, its boxes were not."""
    return [block.text[r.start : r.end] for r in block.regions] or [block.text]


def _names(line: str) -> tuple[str, ...]:
    pieces = re.split(r"[,，、;；・]|\band\b|&|\u3000", _MARKS.sub(",", line))
    names = [" ".join(piece.split()).strip(" .") for piece in pieces]
    names = [name for name in names if name]
    fits = [bool((_JA_NAME.fullmatch(name) and len(name) > 1) or _EN_NAME.fullmatch(name)) for name in names]
    return tuple(names) if names and all(fits) else ()


def find_year(texts: Sequence[str]) -> int | None:
    """Return the first year of publication named in running heads or between title and abstract."""
    for text in texts:
        if match := _YEAR.search(unicodedata.normalize("NFKC", text)):
            return int(next(group for group in match.groups() if group))
    return None


def find_doi(texts: Sequence[str]) -> str | None:
    """Return the first DOI named in running heads or on the first page."""
    for text in texts:
        if match := _DOI.search(text):
            return match.group(1).rstrip(".")
    return None
