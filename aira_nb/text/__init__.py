"""Language, sentences, tokens and match keys, for text that mixes English and Japanese.

One pass over a text (:func:`analyze`) yields :class:`Unit` records from which both the sparse index and the name
matcher are fed. A text is cut into runs by *script*, not by a declared language, because a Japanese paper is half
English and a query in one language must find the Latin names in the other.

All offsets index the verbatim text. Normalised strings (NFKC and more) are match keys only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from aira_nb.text import en, ja
from aira_nb.text.sentences import sentence_spans
from aira_nb.types import Language

__all__ = [
    "Unit",
    "analyze",
    "count_tokens",
    "detect_language",
    "key_spans",
    "match_key",
    "search_tokens",
    "sentence_spans",
]

_KANA = re.compile(r"[\u3041-\u309f\u30a1-\u30ff\uff66-\uff9f]")
_LETTER = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u04ff]")


class Unit(NamedTuple):
    """The smallest piece that a name can begin or end at: an English word, or one character of a Japanese morpheme.

    Attributes
    ----------
    start, end : int
        Its characters in the verbatim text. The characters of a morpheme whose normalised form has another length
        share the span of the whole morpheme.
    key : str
        Normalised form, for comparing.
    opens, closes : bool
        Whether a name may begin, or end, here.
    token : str
        The sparse-index token that this unit carries; empty when it carries none (function words, inner characters).
    """

    start: int
    end: int
    key: str
    opens: bool
    closes: bool
    token: str


def detect_language(text: str) -> Language:
    """Return "ja" or "en" for a text: Japanese when kana are more than a trace of its letters.

    Kana decide, because kanji alone may be Chinese or a quoted name; a text of ideographs without any letters (a
    title such as 「機械翻訳」) counts as Japanese.
    """
    sample = text[:20_000]
    kana = len(_KANA.findall(sample))
    letters = len(_LETTER.findall(sample))
    if kana:
        # An English paper that quotes a Japanese example stays English.
        return "ja" if kana * 12 >= letters else "en"
    ideographs = sum(len(run) for run in ja.RUN.findall(sample))
    return "ja" if ideographs * 4 > letters else "en"


def analyze(text: str) -> Iterator[Unit]:
    """Yield the units of `text` in order."""
    position = 0
    for run in ja.RUN.finditer(text):
        yield from _latin(text, position, run.start())
        for start, end, key, opens, closes, token in ja.units(text, run.start(), run.end()):
            yield Unit(start, end, key, opens, closes, token)
        position = run.end()
    yield from _latin(text, position, len(text))


def _latin(text: str, start: int, end: int) -> Iterator[Unit]:
    for left, right, key in en.words(text, start, end):
        yield Unit(left, right, key, True, True, en.search_token(key))


def search_tokens(text: str) -> list[str]:
    """Return the sparse-index tokens of `text`: stemmed English words and normalised Japanese content morphemes."""
    return [unit.token for unit in analyze(text) if unit.token]


def key_spans(text: str) -> list[tuple[int, int, str]]:
    """Return ``(start, end, key)`` of each unit; see :class:`Unit`."""
    return [(unit.start, unit.end, unit.key) for unit in analyze(text)]


def match_key(text: str) -> str:
    """Return the key under which two spellings of one name are the same.

    NFKC and case folding, diacritics, a leading "the", possessive and plural endings; full and half width, word-final
    long vowels (コンピューター, コンピュータ), ヴ and ブ, kanji variants through Sudachi's normalised form. Punctuation
    is dropped and words are joined by one space. A text with nothing but punctuation is its own key.

    Examples
    --------
    >>> match_key("The Knowledge Graphs"), match_key("knowledge graph")
    ('knowledge graph', 'knowledge graph')
    """
    return join_keys(analyze(text)) or text.strip()


def join_keys(units: Iterator[Unit] | list[Unit]) -> str:
    """Join the keys of `units` as :func:`match_key` does: a space between Latin words, none around Japanese."""
    parts: list[str] = []
    was_latin = False
    for unit in units:
        latin = ja.RUN.match(unit.key) is None
        if not parts and unit.key == "the":
            continue
        if parts and latin and was_latin:
            parts.append(" ")
        parts.append(unit.key)
        was_latin = latin
    return "".join(parts)


def count_tokens(text: str, language: Language) -> int:
    """Estimate model tokens: 1.3 for each English word, half a token for each Japanese character.

    An estimate for splitting and budgets, not any model's own count. Source of the Japanese rule: the seed system's
    public documentation (tokens ≈ characters × 0.5).
    """
    if language == "ja":
        return round(len(text) * 0.5)
    return round(len(text.split()) * 1.3)
