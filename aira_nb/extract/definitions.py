"""Names that a passage defines, so that it is their home: few and clean.

A link into a passage that merely mentions a name does more harm than a missing link, so every rule here is strict: the
name stands in the text, and the text says that it is about it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aira_nb.extract.abbreviations import abbreviations
from aira_nb.types import Definition, Language, Mention, Passage, Triple

__all__ = ["definitions"]

_DISAMBIGUATED = re.compile(r"\s*[(（][^()（）]*[)）]$")
_NUMBERED = re.compile(r"^(?:(?:第?\d+(?:\.\d+)*[章節]?|[IVX]+|[A-Z])[.．:：)）]?\s+|第\d+[章節]\s*)")
_REFERS = re.compile(r"\s?(?:\([^()]*\)\s?)?(?:refers to|is defined as|denotes|stands for|is the name of)\b")
_TOWA = re.compile(r"[」』]?(?:[（(][^（）()]{0,120}[)）])?とは")
_COPULAS = ("is a", "である")


def definitions(
    passage: Passage,
    names: Sequence[Mention],
    facts: Sequence[Triple],
    sentences: Sequence[tuple[int, int]],
    *,
    title: str,
) -> list[Definition]:
    """Return what `passage` defines, by title, heading, abbreviation and defining sentence, in order of the text.

    Each definition's span is where the name stands in the passage. A title is defined by its document's first
    passage, a heading by the passages under it; both only when the text itself names them.
    """
    found: list[Definition] = []
    if title and passage.position == 0:
        _named(found, passage.text, _DISAMBIGUATED.sub("", title), "title")
    if passage.section:
        heading = _NUMBERED.sub("", passage.section[-1]).strip()
        spans = {(m.start, m.end) for m in names}
        at = passage.text.find(heading) if len(heading) > 2 else -1
        if at >= 0 and (at, at + len(heading)) in spans:
            _named(found, passage.text, heading, "heading")
    for pair in abbreviations(passage.text):
        _add(found, Definition(pair.short_start, pair.short_end, pair.short, "abbreviation", pair.long))
    for mention in _defined(passage.text, passage.language, names, facts, sentences):
        _add(found, Definition(mention.start, mention.end, mention.text, "definition"))
    return sorted(found, key=lambda d: (d.start, d.end, d.source))


def _named(found: list[Definition], text: str, name: str, source: str) -> None:
    if len(name) < 2:
        return
    edge = r"(?<![\w-])" if name[0].isascii() else ""
    match = re.search(rf"{edge}{re.escape(name)}", text)
    if match:
        _add(found, Definition(match.start(), match.end(), name, "title" if source == "title" else "heading"))


def _add(found: list[Definition], definition: Definition) -> None:
    if not any(d.name == definition.name and d.long == definition.long for d in found):
        found.append(definition)


def _defined(
    text: str,
    language: Language,
    names: Sequence[Mention],
    facts: Sequence[Triple],
    sentences: Sequence[tuple[int, int]],
) -> list[Mention]:
    if not sentences:
        return []
    start, end = sentences[0]
    opening = [m for m in names if m.type not in ("time", "quantity") and _opens(text, start, m.start)]
    defined = [
        fact.head
        for fact in facts
        if fact.relation in _COPULAS
        and fact.start == start
        and _opens(text, start, fact.head.start)
        and fact.head.end <= end
    ]
    defined += [m for m in opening if language == "en" and _REFERS.match(text, m.end)]
    if language == "ja":
        for left, _ in sentences:
            defined += [m for m in names if _opens(text, left, m.start) and _TOWA.match(text, m.end)]
    return defined


def _opens(text: str, start: int, position: int) -> bool:
    """Whether nothing but quotes and an article stands between the sentence's start and `position`."""
    return start <= position <= start + 6 and text[start:position].strip("\"'“”「『*_ ").lower() in (
        "",
        "the",
        "a",
        "an",
    )
