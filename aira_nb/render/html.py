"""Answers and rankings as HTML: no scripts, nothing from outside, everything escaped, light and dark by variables."""

from __future__ import annotations

import html
import uuid
from collections.abc import Sequence

from aira_nb.render.clean import visible
from aira_nb.render.plain import (
    EXCERPT_LIMIT,
    HINTS,
    QUOTE_LIMIT,
    TITLE_LIMIT,
    excerpt,
    pages_of,
    places_of,
    signal_names,
    titles_of,
)
from aira_nb.render.words import WORDS, pages_label, range_label, span_text, truncated_label
from aira_nb.types import Answer, AnswerSentence, Citation, Language, Ranking

__all__ = ["answer_html", "ranking_html"]

# JupyterLab's own variables first, then VS Code's, then colours of our own that follow the system's scheme. The
# background is set too: a page without any of these variables must not get light text on its own white. The
# highlight is translucent, so it suits any background.
_STYLE = """\
.aira{--aira-ink0:#1f2328;--aira-soft0:#59636e;--aira-paper0:#fff;--aira-line0:#d1d9e0;--aira-link0:#0969da;--aira-warn0:#9a6700}
@media (prefers-color-scheme:dark){.aira{--aira-ink0:#e6edf3;--aira-soft0:#9da7b1;--aira-paper0:#0d1117;--aira-line0:#3d444d;--aira-link0:#6cb0ff;--aira-warn0:#e3b341}}
.aira{--aira-ink:var(--jp-content-font-color1,var(--vscode-editor-foreground,var(--aira-ink0)));--aira-soft:var(--jp-content-font-color2,var(--vscode-descriptionForeground,var(--aira-soft0)));--aira-line:var(--jp-border-color2,var(--vscode-panel-border,var(--aira-line0)));--aira-link:var(--jp-content-link-color,var(--vscode-textLink-foreground,var(--aira-link0)));
color:var(--aira-ink);background:var(--jp-layout-color0,var(--vscode-editor-background,var(--aira-paper0)));font-family:var(--jp-content-font-family,system-ui,sans-serif);font-size:var(--jp-content-font-size1,14px);line-height:1.6;max-width:52rem;padding:.25rem .5rem;overflow-wrap:anywhere}
.aira p{margin:.35rem 0}.aira a{color:var(--aira-link);text-decoration:none}.aira a:hover{text-decoration:underline}
.aira sup{line-height:0}.aira mark{color:inherit;background:rgba(255,196,0,.32);border-radius:2px;padding:0 .1em}
.aira .aira-span{font-size:1.15em;font-weight:600}.aira .aira-label{color:var(--aira-soft);font-size:.85em;font-weight:600;margin-top:.8rem}
.aira .aira-none{border-left:3px solid var(--aira-warn0);padding-left:.6rem}
.aira ol,.aira ul{list-style:none;margin:.2rem 0;padding:0}.aira cite{font-style:normal;font-weight:600}.aira li{margin:.3rem 0;padding:.1rem .2rem}.aira li:target{outline:2px solid var(--aira-link)}
.aira blockquote{margin:.15rem 0 .15rem 1.4rem;padding:0 .6rem;border-left:3px solid var(--aira-line);color:var(--aira-soft)}
.aira .aira-where{color:var(--aira-soft)}.aira .aira-notes li{list-style:disc;margin-left:1.4rem}
.aira table{border-collapse:collapse;font-size:.92em}.aira th,.aira td{border-bottom:1px solid var(--aira-line);padding:.15rem .6rem;text-align:left;vertical-align:top}.aira td.aira-n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
"""


def answer_html(answer: Answer, *, anchor: str | None = None) -> str:
    """Return an answer as one HTML fragment.

    Parameters
    ----------
    anchor : str, optional
        The prefix of its element ids. Without it each call makes a new one, so that the marks of two answers on one
        page lead to their own quotes.
    """
    prefix = anchor or f"aira-{uuid.uuid4().hex[:10]}"
    words, language = WORDS[answer.language], answer.language
    parts = [f'<div class="aira aira-answer" lang="{language}"><style>{_STYLE}</style>']
    if answer.span is not None:
        parts.append(
            f'<p class="aira-span"><span class="aira-where">{words["answer"]}:</span> {_safe(span_text(answer), 300, language)}</p>'
        )
    if answer.status == "not_found":
        parts.append(f'<p class="aira-none">{html.escape(words["not_found"])}</p>')
    if answer.sentences:
        known = {citation.number for citation in (*answer.citations, *answer.consulted)}
        parts.append(f"<p>{' '.join(_sentence(s, prefix, known, language) for s in answer.sentences)}</p>")
    heading = "consulted" if answer.status == "not_found" else "also consulted"
    parts += _sources(answer.citations, words["sources"], prefix, language)
    parts += _sources(
        answer.consulted[:HINTS] if answer.status == "not_found" else answer.consulted, words[heading], prefix, language
    )
    if answer.notes:
        items = "".join(f"<li>{_safe(note, 500, language)}</li>" for note in answer.notes)
        parts.append(f'<p class="aira-label">{words["notes"]}</p><ul class="aira-notes">{items}</ul>')
    parts.append("</div>")
    return "".join(parts)


def _safe(text: str, limit: int, language: Language) -> str:
    """Escaped, cut, and isolated, so that its writing direction ends where it ends."""
    left = (
        f'<span class="aira-where">{truncated_label(len(text) - limit, language)}</span>' if len(text) > limit else ""
    )
    return f"<bdi>{html.escape(visible(text[:limit]))}</bdi>{left}"


def _sentence(sentence: AnswerSentence, prefix: str, known: set[int], language: Language) -> str:
    text = sentence.text[:QUOTE_LIMIT]
    pieces: list[str] = []
    position = 0
    for start, end in sorted(sentence.highlights):
        start, end = max(position, start), min(end, len(text))
        if start < end:
            pieces.append(html.escape(visible(text[position:start])))
            pieces.append(f"<mark>{html.escape(visible(text[start:end]))}</mark>")
            position = end
    pieces.append(html.escape(visible(text[position:])))
    left = len(sentence.text) - len(text)
    more = f'<span class="aira-where">{truncated_label(left, language)}</span>' if left else ""
    marks = (
        "".join(f'<a href="#{prefix}-{n}">[{n}]</a>' if n in known else f"[{n}]" for n in sentence.citations)
        or f'<span class="aira-where">[{WORDS[language]["unsupported"]}]</span>'
    )
    return f"<bdi>{''.join(pieces)}</bdi>{more} <sup>{marks}</sup>"


def _sources(citations: Sequence[Citation], heading: str, prefix: str, language: Language) -> list[str]:
    if not citations:
        return []
    items = [f'<p class="aira-label">{html.escape(heading)}</p><ol>']
    for citation in citations:
        place = [f"<cite>{_safe(citation.title, TITLE_LIMIT, language)}</cite>"]
        if citation.section:
            place.append(_safe(" › ".join(citation.section), TITLE_LIMIT, language))
        pages = pages_label(citation, language)
        if pages:
            place.append(html.escape(pages))
        items.append(
            f'<li id="{prefix}-{citation.number}">[{citation.number}] {" · ".join(place)}'
            f"<blockquote>{_safe(citation.quote, QUOTE_LIMIT, language)}</blockquote></li>"
        )
    items.append("</ol>")
    return ["".join(items)]


def ranking_html(ranking: Ranking) -> str:
    """Return a ranking as one HTML table: each hit with its score and every signal's rank and score."""
    names = signal_names(ranking)
    titles = titles_of(ranking)
    places = places_of(ranking)
    head = ["rank", *(["title"] if titles else []), *(["page", "text"] if places else []), "passage", "score", *names]
    rows = []
    for rank, hit in enumerate(ranking.hits, start=1):
        signals = {signal.name: signal for signal in hit.signals}
        cells = [f'<td class="aira-n">{rank}</td>']
        if titles:
            cells.append(f"<td>{_safe(titles.get(hit.passage_id, ''), TITLE_LIMIT, 'en')}</td>")
        if places:
            place = places.get(hit.passage_id, {})
            cells.append(f"<td>{html.escape(range_label(pages_of(place), 'en'))}</td>")
            cells.append(f"<td>{_safe(excerpt(str(place.get('text', '')), EXCERPT_LIMIT), QUOTE_LIMIT, 'en')}</td>")
        cells.append(f"<td><code>{_safe(hit.passage_id, 60, 'en')}</code></td>")
        cells.append(f'<td class="aira-n">{hit.score:.4f}</td>')
        for name in names:
            signal = signals.get(name)
            shown = (
                "" if signal is None else f"{'–' if signal.rank is None else f'#{signal.rank}'} ({signal.score:.4f})"
            )
            cells.append(f'<td class="aira-n">{shown}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    header = "".join(f"<th>{_safe(name, 40, 'en')}</th>" for name in head)
    return (
        f'<div class="aira aira-ranking"><style>{_STYLE}</style><p><b>{_safe(ranking.strategy, 40, "en")}</b> '
        f"{_safe(ranking.query, 300, 'en')}</p><table><thead><tr>{header}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )
