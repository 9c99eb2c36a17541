"""Answers and rankings as pandas tables. pandas is imported here only, when a table is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aira_nb.errors import MissingDependencyError
from aira_nb.render.plain import pages_of, places_of, signal_names, titles_of
from aira_nb.render.words import pages_label, range_label
from aira_nb.types import Answer, Ranking

if TYPE_CHECKING:
    import pandas

__all__ = ["answer_frame", "ranking_frame"]


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise MissingDependencyError("pandas", extra="", purpose="a table") from error
    return pandas


def answer_frame(answer: Answer) -> pandas.DataFrame:
    """Return one row for each citation, then for each consulted passage: number, role, title, page, pages ..."""
    columns = ["number", "role", "title", "page", "pages", "section", "quote", "source", "passage_id", "document_id"]
    rows = [
        (
            c.number,
            role,
            c.title,
            c.page,
            pages_label(c, answer.language),
            " › ".join(c.section),
            c.quote,
            c.source,
            c.passage_id,
            c.document_id,
        )
        for role, citations in (("cited", answer.citations), ("consulted", answer.consulted))
        for c in citations
    ]
    frame = _pandas().DataFrame(rows, columns=columns)
    # A page is a whole number or missing; plain integers cannot be missing and floats would print as 3.0.
    return frame.astype({"number": "int64", "page": "Int64"})


def ranking_frame(ranking: Ranking) -> pandas.DataFrame:
    """Return one row for each hit: rank, passage_id, title, pages and text where known, score, and each signal's rank and score."""
    names, titles = signal_names(ranking), titles_of(ranking)
    data: dict[str, list[Any]] = {
        "rank": list(range(1, len(ranking.hits) + 1)),
        "passage_id": [hit.passage_id for hit in ranking.hits],
    }
    if titles:
        data["title"] = [titles.get(hit.passage_id, "") for hit in ranking.hits]
    places = places_of(ranking)
    if places:
        found_places = [places.get(hit.passage_id, {}) for hit in ranking.hits]
        data["pages"] = [range_label(pages_of(place), "en") for place in found_places]
        data["text"] = [str(place.get("text", "")) for place in found_places]
    data["score"] = [hit.score for hit in ranking.hits]
    for name in names:
        found = [next((s for s in hit.signals if s.name == name), None) for hit in ranking.hits]
        data[f"{name} rank"] = [signal.rank if signal else None for signal in found]
        data[f"{name} score"] = [signal.score if signal else None for signal in found]
    frame = _pandas().DataFrame(data)
    return frame.astype({f"{name} rank": "Int64" for name in names} | {f"{name} score": "float64" for name in names})
