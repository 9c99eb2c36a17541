"""Sentence spans by rule, for English and Japanese, over verbatim text.

Rules rather than a parser: they run at tens of megabytes a second, never fail on long input, and always give spans of
the text itself.
"""

from __future__ import annotations

import re

from aira_nb.types import Language

__all__ = ["sentence_spans"]

# A full stop, its closing quotes and brackets, then white space and something that can open a sentence.
_ENGLISH_END = re.compile(r"[.!?\u2026]+[\"'\u201d\u2019)\]]*(?=\s)")
# Papers typeset with ，and ．end sentences with the full-width stop; between digits it is a decimal point.
_JAPANESE_END = re.compile(r"(?:[。｡！？!?]|(?<![0-9０-９])．|．(?![0-9０-９]))+[」』）)】〉》”’\"]*")
_BREAK = re.compile(r"\n\s*\n")
_OPENER = re.compile(r"\s+[\"'\u201c\u2018(\[]*([^\s])")
_LAST_WORD = re.compile(r"(\S+)$")

_ABBREVIATIONS = frozenset(
    """al approx art assoc ave bros c ca capt cf ch co col corp dept dr ed eds e.g eq eqs esp est et etc fig figs fl gen
    gov i.e inc jan feb mar apr jun jul aug sep sept oct nov dec jr lt ltd m maj mr mrs ms mt mts n.b no nos op p pp ph
    ph.d prof rep rev sec sect sen sgt sr st ste tab u.k u.s univ v viz vol vols vs w.r.t""".split()
)
"""Words whose full stop rarely ends a sentence. Source: common scholarly and biographical abbreviations."""


def sentence_spans(text: str, language: Language | None = None) -> list[tuple[int, int]]:
    """Return the ``(start, end)`` of each sentence, without surrounding white space.

    A blank line always ends a sentence. Japanese full stops inside 「…」 or （…） do not. With `language` None both
    sets of rules apply, which is right for mixed text; the spans cover all non-space characters in order.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for stop in _ends(text, language):
        _append(spans, text, start, stop)
        start = stop
    _append(spans, text, start, len(text))
    return spans


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def _ends(text: str, language: Language | None) -> list[int]:
    ends = {match.end() for match in _BREAK.finditer(text)}
    for match in _ENGLISH_END.finditer(text):
        if _ends_english(text, match):
            ends.add(match.end())
    if language != "en":
        ends.update(_japanese_ends(text))
    return sorted(ends)


def _ends_english(text: str, match: re.Match[str]) -> bool:
    following = _OPENER.match(text, match.end())
    if following is None:
        return True
    opener = following.group(1)
    if opener.islower():
        return False
    if match.group()[0] != "." or not opener.isascii():
        return True
    word = _LAST_WORD.search(text, max(0, match.start() - 40), match.start())
    if word is None:
        return True
    last = word.group(1).lstrip("\"'(\u201c\u2018[")
    if last.casefold() in _ABBREVIATIONS:
        # "in 2019 etc. The next" ends, "Fig. 3" does not; a number or a name after a title never does.
        return last.casefold() in ("etc", "al", "inc", "ltd", "co", "corp", "jr", "sr") and opener.isupper()
    # An initial ("J. R. R. Tolkien") or a dotted acronym ("U.S. Army") does not end a sentence.
    return not (len(last) == 1 and last.isupper() and last != "I")


def _japanese_ends(text: str) -> list[int]:
    """Ends at 。！？ outside brackets; an unbalanced bracket is forgotten at the next blank line or after 200 letters."""
    ends: list[int] = []
    depth: list[int] = []
    pairs = {"「": "」", "『": "』", "（": "）", "(": ")", "【": "】"}
    closers = set(pairs.values())
    position = 0
    for match in _JAPANESE_END.finditer(text):
        for i in range(position, match.start()):
            character = text[i]
            if character in pairs:
                depth.append(i)
            elif character in closers and depth:
                depth.pop()
            elif character == "\n" and text[i + 1 : i + 2] == "\n":
                depth.clear()
        position = match.end()
        mark = match.group()
        inner = len(mark.rstrip('」』）)】〉》”’"'))
        closing = sum(1 for c in mark[inner:] if c in closers)
        for _ in range(min(closing, len(depth))):
            depth.pop()
        while depth and match.start() - depth[0] > 200:
            depth.pop(0)
        if depth:
            continue
        if mark[0] in "!?":
            # ASCII marks end a Japanese sentence only beside Japanese; the English rule sees to the others.
            before = text[match.start() - 1 : match.start()]
            if not before or before.isascii():
                continue
        # A closing quote that a particle follows (「…。」と述べた) is not the end.
        if closing and text[match.end() : match.end() + 1] in ("と", "、", "の", "は", "が", "を", "に", "で", "も"):
            continue
        ends.append(match.end())
    return ends
