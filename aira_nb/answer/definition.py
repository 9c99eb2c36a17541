"""Questions for what a thing is or what an abbreviation stands for: the sentence that defines it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from aira_nb.answer.fit import is_interrogative
from aira_nb.answer.select import Reading
from aira_nb.answer.sources import Sentence

__all__ = ["Defined", "definition_of"]


class Defined(NamedTuple):
    """The defining sentence and the stretch of it that says what the thing is; no sentence when none defines it."""

    sentence: Sentence | None = None
    start: int = 0
    end: int = 0


_STANDS = (
    re.compile(r"^what (?:does|do|is) (?:the )?(?:abbreviation |acronym )?(?P<x>.+?) (?:stand|short) for\W*$", re.I),
    re.compile(r"^「?(?P<x>[^、「」]+?)」?(?:は|とは)、?何の略"),
)
_WHAT = (
    # An article and one plain word ("the capital") asks for an attribute, not for a definition.
    re.compile(
        r"^what (?:is|are) (?:an? |(?:the (?=[\w-]+ [\w-])))?(?P<x>(?!the )[\w-]+(?: [\w-]+){0,3})\s*\?*$", re.I
    ),
    re.compile(r"(?:^|[、，])「?(?P<x>[^、，「」]{1,30}?)」?(?:とは|って)、?(?:何|なに|なん|どういう|どんな)"),
)
_RELATION = re.compile(r" (?:of|in|for|at|by|from|to|on|with) ", re.I)
_LONGEST = 160


def definition_of(reading: Reading) -> Defined | None:
    """Return the definition that the question asks for; None when it asks for something else."""
    text = reading.question.text.strip()
    for patterns, finders in ((_STANDS, _long_forms), (_WHAT, _definitions)):
        for pattern in patterns:
            match = pattern.search(text)
            if match and not _RELATION.search(match["x"]):
                sentences = (s for source in reading.sources for s in source.sentences if not is_interrogative(s.text))
                for sentence in sentences:
                    for start, end in finders(sentence.text, match["x"].strip()):
                        if 0 < end - start <= _LONGEST:
                            return Defined(sentence, start, end)
                return Defined()
    return None


def _definitions(text: str, name: str) -> Iterator[tuple[int, int]]:
    x = re.escape(name).replace(r"\ ", r"\s+")
    bracket = r"(?:\s?[(（][^()（）]*[)）])?"
    if name.isascii() and not re.search(r"[\u3041-\u30fe]", text):
        patterns = [
            rf"^(?:The |An? )?{x}{bracket},? (?:is|are|was|refers to|means|denotes) (?P<v>(?:an?|the|any|one)\b[^.:;]+)",
            rf"^(?:The |An? )?{x}{bracket}, (?P<v>an? [^,.;:]+)[,.]",
        ]
    else:
        patterns = [
            rf"^(?:[^。]{{1,20}}[、，])?「?{x}」?{bracket}(?:とは|は)[、，]?(?P<v>[^。．]+?)(?:のこと)?(?:である|であり|です|を指す|をいう|を意味する)[。．、，]",
            rf"(?:^|[、，])(?P<v>[^、，。．]+?)を「?{x}」?{bracket}と(?:呼|い[いう]|称)",
        ]
    for pattern in patterns:
        match = re.search(pattern, text, re.I)
        if match:
            yield match.start("v"), match.start("v") + len(match["v"].rstrip())


def _long_forms(text: str, short: str) -> Iterator[tuple[int, int]]:
    """Find "long form (SHORT)", "SHORT (long form)", "SHORT stands for long form"; the initials must agree."""
    x = re.escape(short)
    said = re.search(rf"(?<!\w){x} (?:stands for|is short for) (?P<v>[^,.;()]+)", text)
    if said:
        yield said.span("v")
    after = re.search(rf"(?<!\w){x}\s?[(（](?P<v>[A-Za-z][^()（）、,;]+)[)）]", text)
    if after and _agrees(short, after["v"]):
        yield after.span("v")
    for match in re.finditer(rf"[(（]{x}(?=[)）,、;])", text):
        words = list(re.finditer(r"[A-Za-z][\w'-]*", text[: match.start()]))
        for word in reversed(words[-len(short) - 2 :]):
            long = text[word.start() : match.start()].rstrip()
            if _agrees(short, long):
                yield word.start(), word.start() + len(long)
                break


def _agrees(short: str, long: str) -> bool:
    """Whether the letters of `short` stand in `long` in order, the first of them first."""
    letters = [c for c in short.casefold() if c.isalnum()]
    low = long.casefold()
    if not letters or not low or low[0] != letters[0]:
        return False
    initials = [w[0] for w in re.findall(r"[a-z0-9]+", low)]
    rest = iter(initials)
    if all(letter in rest for letter in letters):
        return True
    every = iter(low)
    return len(initials) >= 2 and initials[-1] in letters and all(letter in every for letter in letters)
