"""Answers and rankings as plain text, for a terminal, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from aira_nb.render.clean import one_line, width_of, wrap
from aira_nb.render.words import WORDS, pages_label, range_label, span_text
from aira_nb.types import Answer, AnswerSentence, Citation, Language, Ranking

__all__ = [
    "answer_markdown",
    "answer_text",
    "excerpt",
    "marked_text",
    "pages_of",
    "places_of",
    "ranking_text",
    "signal_names",
    "titles_of",
    "where",
]

QUOTE_LIMIT = 2_000
TITLE_LIMIT = 200
EXCERPT_LIMIT = 200
HINT_LIMIT = 160
HINTS = 2
"""How many consulted passages "not found" shows, and how much of each."""


def marked_text(answer: Answer) -> str:
    """Return the answer's sentences with their [n] marks, or the statement that nothing was found."""
    if answer.status == "not_found":
        return WORDS[answer.language]["not_found"]
    joint = "" if answer.language == "ja" else " "
    return joint.join(_marked(sentence, answer.language) for sentence in answer.sentences)


def _marked(sentence: AnswerSentence, language: Language) -> str:
    text = one_line(sentence.text, QUOTE_LIMIT, language)
    marks = "".join(f"[{number}]" for number in sentence.citations) or f"[{WORDS[language]['unsupported']}]"
    return f"{text} {marks}" if language == "en" else f"{text}{marks}"


def where(citation: Citation, language: Language) -> str:
    """Return title, section path and page of a citation on one line."""
    parts = [one_line(citation.title, TITLE_LIMIT, language)]
    if citation.section:
        parts.append(one_line(" › ".join(citation.section), TITLE_LIMIT, language))
    if citation.page is not None:
        parts.append(pages_label(citation, language))
    return ("、" if language == "ja" else ", ").join(parts)


def answer_text(answer: Answer, *, width: int = 88) -> str:
    """Return an answer for a terminal, at most `width` columns wide, full-width characters counting two."""
    words, language = WORDS[answer.language], answer.language
    lines: list[str] = []
    if answer.span is not None:
        lines += wrap(f"{words['answer']}: {one_line(span_text(answer), 300, language)}", width)
        lines.append("")
    if answer.status == "not_found":
        lines += wrap(words["not_found"], width)
    for sentence in answer.sentences:
        lines += wrap(_marked(sentence, language), width)
    for heading, citations in _lists(answer):
        lines += ["", words[heading]]
        for citation in citations:
            lines += wrap(f"[{citation.number}] {where(citation, language)}", width, "  ")
            lines += wrap(_quoted(citation, language, short=heading == "consulted"), width, "      ")
    if answer.notes:
        lines += ["", words["notes"]]
        for note in answer.notes:
            lines += wrap(f"- {one_line(note, 500, language)}", width, "  ")
    return "\n".join(lines)


def _quoted(citation: Citation, language: Language, *, short: bool) -> str:
    """The quote in quotation marks; one that supports nothing is only hinted at."""
    quote = _bare(citation, language, short=short)
    return f"「{quote}」" if language == "ja" else f'"{quote}"'


def _lists(answer: Answer) -> list[tuple[str, Sequence[Citation]]]:
    missing = answer.status == "not_found"
    also = answer.consulted[:HINTS] if missing else answer.consulted
    heading = "consulted" if missing else "also consulted"
    pairs: list[tuple[str, Sequence[Citation]]] = [("sources", answer.citations), (heading, also)]
    return [(heading, citations) for heading, citations in pairs if citations]


def _bare(citation: Citation, language: Language, *, short: bool) -> str:
    return excerpt(citation.quote, HINT_LIMIT) if short else one_line(citation.quote, QUOTE_LIMIT, language)


def excerpt(text: str, limit: int) -> str:
    """Return the beginning of `text` on one line, with "…" where it goes on."""
    line = one_line(text[: limit * 4], limit * 4, "en")
    return line if len(line) <= limit else line[:limit].rstrip() + "…"


_MARKDOWN = re.compile(r"([\\`*_{}\[\]#|~>!])")


def _escaped(text: str) -> str:
    """Markdown's and HTML's own characters, taken literally."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    return _MARKDOWN.sub(r"\\\1", text)


def answer_markdown(answer: Answer) -> str:
    """Return an answer as Markdown: sentences with their marks, then the sources with their quotes."""
    words, language = WORDS[answer.language], answer.language
    blocks: list[str] = []
    if answer.span is not None:
        blocks.append(f"**{words['answer']}:** {_escaped(one_line(span_text(answer), 300, language))}")
    if answer.status == "not_found":
        blocks.append(f"*{words['not_found']}*")
    if answer.sentences:
        blocks.append(" ".join(_escaped(_marked(sentence, language)) for sentence in answer.sentences))
    for heading, citations in _lists(answer):
        blocks.append(f"**{words[heading]}**")
        for citation in citations:
            quote = _escaped(_bare(citation, language, short=heading == "consulted"))
            blocks.append(f"\\[{citation.number}\\] {_escaped(where(citation, language))}\n\n> {quote}")
    if answer.notes:
        blocks.append(f"**{words['notes']}**")
        blocks.append("\n".join(f"- {_escaped(one_line(note, 500, language))}" for note in answer.notes))
    return "\n\n".join(blocks) + "\n"


# --- rankings ---------------------------------------------------------------------------------------------------


def signal_names(ranking: Ranking) -> list[str]:
    """Return the names of all signals in the ranking, in the order in which they first appear."""
    return list(dict.fromkeys(signal.name for hit in ranking.hits for signal in hit.signals))


def titles_of(ranking: Ranking) -> dict[str, str]:
    """Return passage id to title, where the ranking's trace carries titles."""
    places = places_of(ranking)
    if places:
        return {key: str(place.get("title", "")) for key, place in places.items()}
    titles = ranking.trace.get("titles")
    return {str(key): str(value) for key, value in titles.items()} if isinstance(titles, dict) else {}


def places_of(ranking: Ranking) -> dict[str, Mapping[str, Any]]:
    """Return passage id to its place (title, pages, text, source), where the ranking's trace carries places."""
    places = ranking.trace.get("places")
    if not isinstance(places, Mapping):
        return {}
    return {str(key): place for key, place in places.items() if isinstance(place, Mapping)}


def pages_of(place: Mapping[str, Any]) -> list[int]:
    """Return the page numbers of a place; what is no list of numbers counts as none."""
    pages = place.get("pages")
    return [int(page) for page in pages if isinstance(page, int)] if isinstance(pages, (list, tuple)) else []


def ranking_text(ranking: Ranking) -> str:
    """Return a table with one line for each hit: its score, and each signal's rank and score."""
    names = signal_names(ranking)
    titles = titles_of(ranking)
    head = [
        "rank",
        "score",
        *(part for name in names for part in (one_line(name, 40, "en"), "")),
        "passage",
        *(["title"] if titles else []),
    ]
    rows = [head]
    for rank, hit in enumerate(ranking.hits, start=1):
        signals = {signal.name: signal for signal in hit.signals}
        cells = [str(rank), f"{hit.score:.4f}"]
        for name in names:
            signal = signals.get(name)
            cells.append(f"#{signal.rank}" if signal and signal.rank is not None else "-")
            cells.append(f"{signal.score:.4f}" if signal else "")
        cells.append(one_line(hit.passage_id, 60, "en"))
        if titles:
            cells.append(one_line(titles.get(hit.passage_id, ""), 60, "en"))
        rows.append(cells)
    widths = [max(width_of(row[i]) for row in rows) for i in range(len(head))]
    query = one_line(ranking.query, 200, "en")
    lines = [f"{one_line(ranking.strategy, 40, 'en')}: {query} ({len(ranking.hits)} hits)"]
    places = places_of(ranking)
    for number, row in enumerate(rows):
        lines.append("  ".join(cell + " " * (w - width_of(cell)) for cell, w in zip(row, widths, strict=True)).rstrip())
        place = places.get(ranking.hits[number - 1].passage_id) if number else None
        if place is not None:
            shown = (range_label(pages_of(place), "en"), excerpt(str(place.get("text", "")), EXCERPT_LIMIT))
            lines += wrap(": ".join(part for part in shown if part), 88, "      ")
    return "\n".join(lines)
