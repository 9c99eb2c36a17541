"""Japanese morphemes through Sudachi: tokens, and characters that names can be matched on.

Sudachi refuses more than 49,149 bytes at a time, so a run of Japanese is cut into pieces before it is read. GiNZA's
parser, which is a hundred times slower, lives elsewhere and is only used where facts are extracted.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from aira_nb.errors import MissingDependencyError

__all__ = ["RUN", "units"]

RUN = re.compile(
    r"[\u3005-\u3007\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    r"\U00020000-\U0002fa1f]+"
)
"""A run of kana and ideographs, with 々〆〇 and the prolonged sound mark; half-width kana too."""

_PIECE = 8_000  # characters; 24 kB of UTF-8, half of Sudachi's limit

# What a morpheme must be to carry a search token. 接尾辞 (人, 年, 県 ...) stay: they mark what a number or name is.
_CONTENT = frozenset({"名詞", "動詞", "形容詞", "形状詞", "副詞", "接頭辞", "接尾辞", "代名詞", "連体詞", "感動詞"})
_LIGHT = frozenset(
    {"する", "為る", "有る", "ある", "居る", "いる", "成る", "なる", "出来る", "此れ", "其れ", "の", "こと", "事"}
)
_VU = {"ヴァ": "バ", "ヴィ": "ビ", "ヴェ": "ベ", "ヴォ": "ボ", "ヴュ": "ビュ", "ヴ": "ブ"}
_VU_PATTERN = re.compile("ヴ[ァィェォュ]?")
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]")
_LONG_ENDING = re.compile(
    r"(?<=[\u30a1-\u30fa][\u30a1-\u30fa\u30fc][\u30a1-\u30fa\u30fc])ー$|(?<=[\u30a1-\u30fa][\u30a1-\u30fa])ー$"
)
# Name kanji that Sudachi keeps apart. Source: the variant pairs of the Ministry of Justice's family-register table.
_VARIANTS = str.maketrans(
    "髙﨑嶋嶌濵濱邊邉齋齊澤廣國學櫻惠壽瀨瀧龍眞圓榮彌德增穗條將縣亞佛壹貳參寫劍",
    "高崎島島浜浜辺辺斎斉沢広国学桜恵寿瀬滝竜真円栄弥徳増穂条将県亜仏一二三写剣",
)

_local = threading.local()


def units(text: str, start: int, end: int) -> Iterator[tuple[int, int, str, bool, bool, str]]:
    """Yield ``(start, end, key, opens, closes, token)`` of each character of the Japanese run ``text[start:end]``."""
    for left in range(start, end, _PIECE):
        yield from _piece(text[left : min(end, left + _PIECE)], left)


def _piece(text: str, offset: int) -> Iterator[tuple[int, int, str, bool, bool, str]]:
    for morpheme in _tokenizer().tokenize(text):
        start, end = offset + morpheme.begin(), offset + morpheme.end()
        surface = morpheme.surface()
        form, token = _forms(surface, morpheme.normalized_form(), morpheme.part_of_speech_id())
        if form == "":
            continue
        last = len(form) - 1
        # Where the normalised form is as long as the text, each character keeps its own place.
        exact = len(form) == end - start
        for i, character in enumerate(form):
            yield (
                start + i if exact else start,
                start + i + 1 if exact else end,
                character,
                i == 0,
                i == last,
                token if i == 0 else "",
            )


@lru_cache(maxsize=200_000)
def _forms(surface: str, normalized: str, part_of_speech: int) -> tuple[str, str]:
    """Return (match form, search token) of one morpheme."""
    if surface == "":
        return "", ""
    form = fold(normalized)
    content = _part_of_speech(part_of_speech) in _CONTENT and normalized not in _LIGHT
    return form, form if content else ""


def fold(form: str) -> str:
    """Fold width, case, ヴ, word-final long vowels and name-kanji variants of one morpheme."""
    form = unicodedata.normalize("NFKC", form).casefold().translate(_VARIANTS)
    if _KATAKANA.search(form):
        form = _VU_PATTERN.sub(lambda m: _VU[m.group()], form)
        form = _LONG_ENDING.sub("", form)
    return form


def _part_of_speech(number: int) -> str:
    return str(_local.dictionary.pos_of(number)[0])


def _tokenizer() -> Any:
    tokenizer = getattr(_local, "tokenizer", None)
    if tokenizer is None:
        try:
            from sudachipy import Dictionary, SplitMode
        except ImportError as error:
            raise MissingDependencyError("SudachiPy", extra="", purpose="Japanese text") from error
        _local.dictionary = Dictionary()
        # Mode A, the shortest units: boundaries are dense, so that names can be found inside compounds.
        # SudachiPy 0.7 renames create() to tokenizer().
        create = getattr(_local.dictionary, "tokenizer", None) or _local.dictionary.create
        tokenizer = _local.tokenizer = create(mode=SplitMode.A)
    return tokenizer
