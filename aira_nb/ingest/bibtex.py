"""A small, tolerant BibTeX reader: enough for title, authors, year and DOI of the paper beside the file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aira_nb.errors import InputError
from aira_nb.ingest.encoding import decode

__all__ = ["Entry", "entry_for", "read_entries"]

_ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*[{(]\s*([^,\s}]*)\s*,")
_FIELD = re.compile(r"\s*,?\s*([A-Za-z][\w-]*)\s*=\s*")
_ACCENT = re.compile(r"\\([`'^\"~=.uvHcdbkr])\s*\{?\s*(\\?[A-Za-z])\}?")
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
            entries = read_entries(decode(bib.read_bytes(), name=str(bib)))
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


def _names(value: str, name: str) -> bool:
    """Whether a ``file`` field names the file: "paper.pdf", ":files/paper.pdf:PDF", "a.pdf;b.pdf"."""
    names = {re.split(r"[/\\]", part)[-1] for part in re.split(r"[;:]", value.replace("\\:", ":"))}
    wanted = unicodedata.normalize("NFC", name)
    return wanted in {unicodedata.normalize("NFC", part.strip()) for part in names}


def read_entries(text: str) -> list[Entry]:
    """Return the entries of a BibTeX file; what cannot be understood is passed over."""
    entries = []
    for match in _ENTRY.finditer(text):
        if match.group(1).lower() in _NOT_WORKS:
            continue
        fields = dict(_fields(text, match.end()))
        if fields:
            entries.append(Entry(match.group(2), fields))
    return entries


def _fields(text: str, position: int) -> Iterator[tuple[str, str]]:
    while match := _FIELD.match(text, position):
        name = match.group(1).lower()
        raw, position = _value(text, match.end())
        # A file name is not prose: TeX's escapes and spaces stay as they are.
        yield name, raw.strip('{}" ') if name == "file" else _plain(raw)


def _value(text: str, start: int) -> tuple[str, int]:
    """Return a field's raw value and the position after it; an unclosed one ends with its line."""
    opener = text[start : start + 1]
    if opener not in ("{", '"'):
        match = re.compile(r"[^,}\n]*").match(text, start)
        return (match.group(), match.end()) if match else ("", start)
    depth = 0
    for i in range(start, len(text)):
        character = text[i]
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        if i > start and depth == 0 and (character == '"' if opener == '"' else character == "}"):
            return text[start + 1 : i], i + 1
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
