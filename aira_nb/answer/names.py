"""The names in a question, and whether a text holds them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from difflib import get_close_matches
from typing import NamedTuple

from aira_nb.answer.nations import nations_in
from aira_nb.text import key_spans, match_key, search_tokens
from aira_nb.types import Language

__all__ = ["NAME_PHRASE", "Name", "names_of", "share_held"]

_CAPITAL = r"(?:[A-Z\u00c0-\u00de\u0141\u015a\u017b][\w'\u2019.&-]*[\w]|[A-Z]\.?(?=[\s,?.)]|$)|[a-z]+[A-Z]\w*)"
_JOIN = r"(?:of|the|de|del|da|di|du|la|le|el|von|van|der|den|al|y|and the|of the|in the|for|&|at)"
NAME_PHRASE = re.compile(
    rf"(?<![\w'\u2019])(?:\d+(?:st|nd|rd|th)? )?{_CAPITAL}(?:,? (?:Jr|Sr)\.|(?: |-){_CAPITAL}| {_JOIN}(?: the)? {_CAPITAL}| [IVX]+\b| \d+\b)*"
)
"""An English capitalised phrase, with the small words that names hold together."""

_QUOTED = re.compile(
    r"[\"\u201c]([^\"\u201d]{2,80})[\"\u201d]|(?<!\w)['\u2018]([^'\u2019]{2,60})['\u2019](?!\w)|『([^』]{1,60})』|「([^」]{1,60})」"
)
_OPENERS = frozenset(
    """a an and are as at be between among both by can could did do does for from had has have how i if in is it of on or since the
    that this these those to was were what when where which who whom whose why will with would""".split()
)
# Words for a text and who wrote it: a paper does not call its authors so.
_ROLES = frozenset("author authors paper 著者 筆者 作者 執筆者 筆頭著者 論文 本論文".split())
_KATAKANA = re.compile(r"[\u30a1-\u30fa][\u30a1-\u30fe]{2,}(?:[・＝=][\u30a1-\u30fa\u30fc]+)*")
_LATIN = re.compile(r"[A-Za-z\uff21-\uff5a][A-Za-z0-9\uff10-\uff5a.&×+'-]*(?: [A-Z0-9][A-Za-z0-9.&×+'-]*)*")
# A question's topic at its head (not its question word, 「何件の記事を…」): the run before the first particle or honorific, without kana.
_TOPIC = re.compile(r"^[^\sぁ-ん、。？?「」『』()（）]{2,30}(?=(?:さん|氏)?(?:の|が|は|と|を|で|に|、))")
# Words that a katakana run is when it is no name: kinds of things, which a text may call otherwise.
_DECISIVE_KATAKANA = 5
_SPELLING = 0.85  # likeness at which two words count as one, by difflib's ratio


class Name(NamedTuple):
    """A name in a text; `decisive` when an answer cannot do without it."""

    start: int
    end: int
    text: str
    decisive: bool


def names_of(text: str, language: Language) -> list[Name]:
    """Return the names in a question: quoted titles, capitalised phrases, katakana and Latin runs, the topic kanji."""
    found: list[Name] = []

    def add(start: int, end: int, decisive: bool) -> None:
        decisive = decisive and text[start:end].casefold() not in _ROLES
        if end > start and not any(start < other.end and other.start < end for other in found):
            found.append(Name(start, end, text[start:end], decisive))

    for match in _QUOTED.finditer(text):
        group = match.lastindex or 0
        if language == "ja" or match[group][:1].isupper() or match[group][:1].isdigit():
            add(match.start(group), match.end(group), True)
    if language == "en":
        for match in NAME_PHRASE.finditer(text):
            start, end = match.span()
            while start < end and text[start:end].split(maxsplit=1)[0].casefold() in _OPENERS:
                word = text[start:end].split(maxsplit=1)[0]
                start += len(word)
                start += len(text[start:end]) - len(text[start:end].lstrip())
            add(start, end, _is_decisive(text, start, end))
        for match in _KATAKANA.finditer(text):
            add(*match.span(), True)
        return sorted(found)
    topic = _TOPIC.match(text)
    if topic and not topic.group().startswith("何"):
        add(*topic.span(), True)
    for match in _KATAKANA.finditer(text):
        add(*match.span(), "・" in match.group() or len(match.group()) > _DECISIVE_KATAKANA)
    for match in _LATIN.finditer(text):
        if len(match.group()) > 1 and match.group().casefold() not in _OPENERS:
            add(*match.span(), match.group()[:1].isupper() or match.group()[:1].isdigit())
    return sorted(found)


def _is_decisive(text: str, start: int, end: int) -> bool:
    """Not a country (texts say "Paris", not "France"), not TV or UK, not a capital that only opens the sentence."""
    name = text[start:end]
    if len(name) < 3 or (nations_in(name) and len(name.split()) == 1):
        return False
    return bool(start) or " " in name or any(c.isupper() or c.isdigit() for c in name[1:])


def share_held(name: str, keys: Collection[str], joined: str, weight: Callable[[str], float]) -> float:
    """Return how much of `name` a text holds, 0 to 1.

    Parameters
    ----------
    name : str
        Surface form.
    keys : set of str
        The unit keys of the text.
    joined : str
        The text's match key: 1 when it contains the name's whole key.
    weight : callable
        Weight of a search token; a rare word ("Levertov") decides more than a common one ("University").
    """
    key = match_key(name)
    if key.isascii():
        if f" {key} " in f" {joined} ":
            return 1.0
    elif key in joined:
        return 1.0
    total = held = 0.0
    for start, end, unit in key_spans(name):
        tokens = search_tokens(name[start:end])
        value = max((weight(token) for token in tokens), default=0.0)
        total += value
        # A slip of one letter in a question ("Dogers") should not make the corpus seem empty.
        if unit in keys or (len(unit) > 4 and get_close_matches(unit, keys, 1, _SPELLING)):
            held += value
    return held / total if total else 0.0
