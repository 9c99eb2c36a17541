"""English (and other Latin-script) words: keys, stems and stop words."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from aira_nb.errors import MissingDependencyError

__all__ = ["STOP_WORDS", "search_token", "words"]

# A number keeps its decimal point and thousands separators: "95.2" is one word, not two.
_WORD = re.compile(r"\d+(?:[.,]\d+)+(?![^\W_])|[^\W_]+(?:['\u2019](?=[^\W_])[^\W_]+)*", re.UNICODE)
_POSSESSIVE = re.compile(r"['\u2019]s?$")

STOP_WORDS = frozenset(
    """a an and are as at be been but by did do does for from had has have he her his how i in into is it its of on or
    she so such than that the their them then there these they this to was we were what when where which while who
    whom whose why will with would you your""".split()
)
"""Function words that carry no search token. Source: closed classes of English, kept short on purpose."""

_local = threading.local()


def words(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield ``(start, end, key)`` of each word of ``text[start:end]``."""
    for match in _WORD.finditer(text, start, end):
        key = _key(match.group())
        if key:
            yield match.start(), match.end(), key


@lru_cache(maxsize=200_000)
def _key(word: str) -> str:
    """Case, width, diacritics, possessive and plural folded away."""
    folded = unicodedata.normalize("NFKC", word).casefold()
    folded = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    folded = _POSSESSIVE.sub("", folded) if folded[-2:] in ("'s", "\u2019s") else folded
    folded = folded.replace("'", "").replace("\u2019", "").replace(",", "")
    return _singular(folded)


def _singular(word: str) -> str:
    """Undo a regular plural; a word that only looks plural ("James") changes on both sides alike, which is enough."""
    if len(word) < 4 or not word.isascii() or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=200_000)
def search_token(key: str) -> str:
    """Return the stemmed search token of a word key, or the empty string for a stop word."""
    return "" if key in STOP_WORDS else str(_stemmer().stemWord(key))


def _stemmer() -> Any:
    # One stemmer a thread: PyStemmer's objects are not safe to share.
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        try:
            import Stemmer
        except ImportError as error:
            raise MissingDependencyError("PyStemmer", extra="", purpose="English search") from error
        stemmer = _local.stemmer = Stemmer.Stemmer("english")
    return stemmer
