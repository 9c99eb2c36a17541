"""Records made visible: HTML for notebooks, text for terminals, Markdown, JSON-ready dictionaries, tables."""

from aira_nb.render.frames import answer_frame, ranking_frame
from aira_nb.render.html import answer_html, ranking_html
from aira_nb.render.plain import answer_markdown, answer_text, marked_text, ranking_text
from aira_nb.render.records import to_dict

__all__ = [
    "answer_frame",
    "answer_html",
    "answer_markdown",
    "answer_text",
    "marked_text",
    "ranking_frame",
    "ranking_html",
    "ranking_text",
    "to_dict",
]
