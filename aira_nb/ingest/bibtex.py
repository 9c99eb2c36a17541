"""A small, tolerant BibTeX reader: enough for title, authors, year and DOI of the paper beside the file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from aira_nb.errors import InputError
from aira_nb.ingest.encoding import decode

__all__ = ["Entry", "entry_for", "read_entries"]

# Repetitions are possessive or bounded, so that no file takes time that grows faster than its size.
_ENTRY = re.compile(r"@\s*+([A-Za-z]++)\s*+[{(]\s*+([^,\s}]{0,200}+)\s*+,")
_LINE_ENTRY = re.compile(r"^[ \t]*+@[A-Za-z]++[ \t]*+[{(]", re.MULTILINE)
_FIELD = re.compile(r"\s*+,?\s*+([A-Za-z][\w-]*+)\s*+=\s*+")
_SIGN = re.compile(r"""[{}"]|^[ \t]*+@""", re.MULTILINE)
_BARE = re.compile(r"[^,}\n]*+")
_ACCENT = re.compile(r"\\([`'^\"~=.uvHcdbkr])\s*+\{?\s*+(\\?[A-Za-z])\}?")
_COMBINING = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    '"': "\u0308",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "k": "\u0328",
    "r": "\u030a",
    "d": "\u0323",
    "b": "\u0331",
}
_LETTERS = {r"\ss": "ß", r"\o": "ø", r"\O": "Ø", r"\l": "ł", r"\L": "Ł", r"\ae": "æ", r"\AE": "Æ", r"\aa": "å"}
_NOT_WORKS = frozenset({"comment", "preamble", "string"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One BibTeX entry with its fields' names in lower case and their values without TeX markup."""

    key: str
    fields: dict[str, str]
    text: str = ""
    """The entry as it stands in the file."""

    @property
    def title(self) -> str:
        """Empty when unknown."""
        return self.fields.get("title", "")

    @property
    def authors(self) -> tuple[str, ...]:
        """Names in reading order ("Given Family"), whichever way round the entry has them."""
        names = re.split(r"\s+and\s+", self.fields.get("author", ""))
        return tuple(_turn(name.strip()) for name in names if name.strip() and name.strip() != "others")

    @property
    def year(self) -> int | None:
        """Year of publication."""
        match = re.search(r"\b(1[5-9]|20)\d\d\b", self.fields.get("year", "") or self.fields.get("date", ""))
        return int(match.group()) if match else None

    @property
    def doi(self) -> str | None:
        """DOI without resolver or prefix."""
        value = self.fields.get("doi", "")
        return re.sub(r"^(https?://(dx\.)?doi\.org/|doi:\s*)", "", value, flags=re.IGNORECASE) or None


def entry_for(path: Path) -> tuple[Entry | None, tuple[str, ...]]:
    """Return the entry that describes the file `path`, and warnings about ``.bib`` files that could not be read.

    An entry of ``SAME-STEM.bib`` describes it when it is the only one or names the file; an entry of any other
    ``.bib`` in the folder only when its ``file`` field names the file.
    """
    warnings: list[str] = []
    own = path.with_suffix(".bib")
    for bib in [own, *sorted(p for p in path.parent.glob("*.bib") if p != own)]:
        if not bib.is_file():
            continue
        try:
            entries = _entries(bib.read_bytes(), str(bib))
        except (InputError, OSError) as error:
            # Bibliographic data are welcome, never a reason to lose the paper.
            warnings.append(f"bibliographic data not used: {error}")
            continue
        named = [entry for entry in entries if _names(entry.fields.get("file", ""), path.name)]
        if named:
            return named[0], tuple(warnings)
        if bib == own and len(entries) == 1:
            return entries[0], tuple(warnings)
    return None, tuple(warnings)


@lru_cache(maxsize=8)
def _entries(data: bytes, name: str) -> tuple[Entry, ...]:
    # A library's one .bib is asked for each of its files.
    return tuple(read_entries(decode(data, name=name)))


def _names(value: str, name: str) -> bool:
    """Whether a ``file`` field names the file: "paper.pdf", ":files/paper.pdf:PDF", "a.pdf;b.pdf"."""
    names = {re.split(r"[/\\]", part)[-1] for part in re.split(r"[;:]", value.replace("\\:", ":"))}
    wanted = unicodedata.normalize("NFC", name)
    return wanted in {unicodedata.normalize("NFC", part.strip()) for part in names}


def read_entries(text: str) -> list[Entry]:
    """Return the entries of a BibTeX file; what cannot be understood is passed over."""
    entries = []
    ends = _closings(text)
    position = 0
    while match := _ENTRY.search(text, position):
        position = match.end()
        if match.group(1).lower() in _NOT_WORKS:
            continue
        fields, position = _fields(text, position, ends)
        if fields:
            entries.append(Entry(match.group(2), fields, text[match.start() : position]))
    return entries


def _closings(text: str) -> dict[int, int]:
    """Map each brace and quote that may open a value to what closes it, where anything does.

    A line that begins an entry closes nothing that was open: whoever forgot a brace loses that one field.
    """
    ends: dict[int, int] = {}
    open_braces: list[int] = []
    quotes: dict[int, int] = {}  # depth to the last quote there
    starts = {match.start() for match in _LINE_ENTRY.finditer(text)}
    for match in _SIGN.finditer(text):
        at, sign = match.start(), match.group()
        if sign not in '{}"':
            if at in starts:
                open_braces.clear()
                quotes.clear()
        elif sign == "{":
            open_braces.append(at)
        elif sign == "}":
            quotes.pop(len(open_braces), None)
            if open_braces:
                ends[open_braces.pop()] = at
        else:
            depth = len(open_braces)
            if depth in quotes:
                ends[quotes[depth]] = at
            quotes[depth] = at
    return ends


def _fields(text: str, position: int, ends: Mapping[int, int]) -> tuple[dict[str, str], int]:
    """Return the fields from `position` on, and where they end."""
    fields: dict[str, str] = {}
    while match := _FIELD.match(text, position):
        name = match.group(1).lower()
        raw, position = _value(text, match.end(), ends)
        # A file name is not prose: TeX's escapes and spaces stay as they are.
        fields[name] = raw.strip('{}" ') if name == "file" else _plain(raw)
    return fields, position


def _value(text: str, start: int, ends: Mapping[int, int]) -> tuple[str, int]:
    """Return a field's raw value and the position after it; an unclosed one ends with its line."""
    if text[start : start + 1] not in ("{", '"'):
        match = _BARE.match(text, start)
        return (match.group(), match.end()) if match else ("", start)
    if start in ends:
        return text[start + 1 : ends[start]], ends[start] + 1
    line_end = text.find("\n", start)
    end = len(text) if line_end < 0 else line_end
    return text[start + 1 : end], end


def _plain(value: str) -> str:
    """Undo TeX: accents, letters, braces, ties, dashes."""
    value = _ACCENT.sub(lambda m: m.group(2).lstrip("\\") + _COMBINING[m.group(1)], value)
    for macro, letter in _LETTERS.items():
        value = re.sub(re.escape(macro) + r"(?![A-Za-z])\s*", letter, value)
    value = re.sub(r"\\(textit|textbf|emph|textsc|mathrm|url)\b", "", value)
    value = re.sub(r"\\([&%$#_{}])", r"\1", value).replace("~", " ").replace("---", "\u2014").replace("--", "\u2013")
    return unicodedata.normalize("NFC", " ".join(value.replace("{", "").replace("}", "").split()))


def _turn(name: str) -> str:
    family, comma, given = name.partition(",")
    if not comma:
        return name
    japanese = re.fullmatch(r"[\u3040-\u30ff\u3400-\u9fff々\s]+", family + given)
    return f"{family.strip()} {given.strip()}" if japanese else f"{given.strip()} {family.strip()}".strip()
