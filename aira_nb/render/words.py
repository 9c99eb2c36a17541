"""The labels of the displays, in both languages."""

from __future__ import annotations

from collections.abc import Iterable

from aira_nb.types import Answer, Citation, Language

__all__ = ["WORDS", "page_label", "pages_label", "range_label", "span_text", "truncated_label"]

WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "answer": "Answer",
        "sources": "Sources",
        "consulted": "Consulted, but no support found",
        "also consulted": "Also consulted",
        "notes": "Notes",
        "not_found": "The corpus does not hold an answer to this question.",
        "yes": "Yes",
        "no": "No",
        "unsupported": "no source",
        "question": "Question",
    },
    "ja": {
        "answer": "答え",
        "sources": "出典",
        "consulted": "参照したが、答えの根拠にならなかった箇所",
        "also consulted": "ほかに参照した箇所",
        "notes": "注記",
        "not_found": "この質問の答えは、コーパスの中に見つかりませんでした。",
        "yes": "はい",
        "no": "いいえ",
        "unsupported": "出典なし",
        "question": "質問",
    },
}


def page_label(page: int | None, language: Language) -> str:
    """Return "p. 3" or 「3ページ」, or the empty string for a format without pages."""
    if page is None:
        return ""
    return f"{page}ページ" if language == "ja" else f"p. {page}"


def pages_label(citation: Citation, language: Language) -> str:
    """Return "pp. 1–2" or 「1〜2ページ」 for a quote that crosses pages, else as :func:`page_label`."""
    return range_label([region.page for region in citation.regions], language) or page_label(citation.page, language)


def range_label(pages: Iterable[int], language: Language) -> str:
    """Return the label of some pages, first to last; the empty string for none."""
    known = sorted(set(pages))
    if not known:
        return ""
    if known[0] == known[-1]:
        return page_label(known[0], language)
    return f"{known[0]}〜{known[-1]}ページ" if language == "ja" else f"pp. {known[0]}–{known[-1]}"


def truncated_label(count: int, language: Language) -> str:
    """Return how many characters were left out."""
    return f"…（残り{count:,}字）" if language == "ja" else f"… (+{count:,} characters)"


def span_text(answer: Answer) -> str:
    """Return the short answer as shown: "yes" and "no" in the question's language, everything else as it is."""
    if answer.span is None:
        return ""
    return WORDS[answer.language].get(answer.span, answer.span) if answer.span in ("yes", "no") else answer.span
