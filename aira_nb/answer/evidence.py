"""The evidence answer: the corpus' own sentences, cited, and a short answer where the question allows one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from aira_nb.answer.authors import authors_of
from aira_nb.answer.clause import clause_of
from aira_nb.answer.compare import Verdict, compare
from aira_nb.answer.definition import definition_of
from aira_nb.answer.question import Question, analyze_question, has_content
from aira_nb.answer.select import Reading, choose, read
from aira_nb.answer.sources import Hit, Sentence, Source, read_sources, token_weights
from aira_nb.answer.span import best_span
from aira_nb.answer.support import support_of
from aira_nb.answer.words import empty_note, not_found_note, other_language_note, partial_note, undecided_note
from aira_nb.errors import InputError
from aira_nb.types import Answer, AnswerSentence, Citation, Document, Passage, Ranking

__all__ = ["cite", "evidence_answer"]

_CONSULTED = 5


_SPAN_COVERAGE = 0.65
"""Below this share of the question's terms the sentences are shown, but no short answer is drawn from them."""


def evidence_answer(
    question: str,
    hits: Sequence[Hit],
    *,
    ranking: Ranking | None = None,
    idf: Callable[[str], float] | None = None,
    max_sentences: int = 4,
    max_consulted: int = _CONSULTED,
) -> Answer:
    """Answer `question` with sentences of the retrieved passages, without a model.

    Parameters
    ----------
    question : str
        In English or Japanese; the answer's own words follow its language.
    hits : sequence of (ScoredPassage, Passage, Document)
        The retrieved passages, best first.
    ranking : Ranking, optional
        Carried along in the answer.
    idf : callable, optional
        Inverse document frequency, in the whole corpus, of a token of :func:`aira_nb.text.search_tokens`. Without it
        the weights are estimated on the retrieved sentences.
    max_sentences : int
        The most sentences that the answer may have; at least 1. A comparison needs 2.
    max_consulted : int
        The most passages to list as consulted when nothing is found.

    Returns
    -------
    Answer
        Status "answered" with one citation for each sentence, or "not_found" with the consulted passages and a note
        that says what was missing.

    Raises
    ------
    InputError
        When the question is empty or `max_sentences` is below 1.
    """
    if not isinstance(question, str):
        raise InputError(f"A question is text, not {type(question).__name__}. Ask in words, in English or Japanese.")
    if not question.strip():
        raise InputError("The question is empty. Ask something, in English or Japanese.")
    if max_sentences < 1:
        raise InputError(f"max_sentences is {max_sentences}; it must be at least 1.")
    asked = analyze_question(question)
    if not has_content(question):
        return Answer(
            question=question,
            language=asked.language,
            status="not_found",
            mode="evidence",
            notes=(empty_note(asked.language),),
            ranking=ranking,
        )
    sources = read_sources(hits)
    weight = token_weights(sources, idf)
    reading = read(asked, sources, weight)
    verdict = compare(reading) if asked.kind in ("yes_no", "which_of_two") else None
    written = authors_of(reading)
    if written is not None:
        number, start, end = written
        source = reading.sources[number]
        citation = cite(1, source.passage, source.document, start, end)
        return Answer(
            question=question,
            language=asked.language,
            status="answered",
            mode="evidence",
            sentences=(AnswerSentence(citation.quote, (1,), ((0, len(citation.quote)),)),),
            citations=(citation,),
            span=citation.quote if "\n" not in citation.quote else None,
            ranking=ranking,
        )
    defined = definition_of(reading)
    chosen = _chosen(reading, verdict, max_sentences)
    if defined is not None and defined.sentence is not None:
        chosen = [defined.sentence]
    support = support_of(reading, chosen, weight, known_frequencies=idf is not None)
    if not support.enough and (defined is None or defined.sentence is None):
        return _not_found(question, asked, reading, support.missing, ranking, max_consulted)
    marks: list[tuple[Sentence, int, int]] = []
    span: str | None = None
    notes: tuple[str, ...] = ()
    if verdict is not None:
        span, marks = verdict.span, list(verdict.highlights)
        notes = () if span else (undecided_note(asked.language),)
    elif defined is not None:
        if defined.end > defined.start and defined.sentence is not None:
            span = defined.sentence.text[defined.start : defined.end]
            marks = [(defined.sentence, defined.start, defined.end)]
    elif support.coverage < _SPAN_COVERAGE:
        notes = (partial_note(asked.language),)
    else:
        found, holder = best_span(reading, chosen)
        if found is not None:
            span = found.text
            marks = [(found.sentence, found.start, found.end)]
        if holder is not None:
            chosen = _with(chosen, holder, max_sentences)
    sentences, citations = _cited(reading, _in_order(reading, chosen), marks)
    return Answer(
        question=question,
        language=asked.language,
        status="answered",
        mode="evidence",
        sentences=sentences,
        citations=citations,
        span=span,
        notes=notes,
        ranking=ranking,
    )


def _chosen(reading: Reading, verdict: Verdict | None, max_sentences: int) -> list[Sentence]:
    if verdict is None:
        return choose(reading, max_sentences=max_sentences)
    if verdict.span is not None:
        return list(verdict.sentences[:max_sentences])
    return choose(reading, max_sentences=max_sentences, first=verdict.sentences)


def _with(chosen: list[Sentence], holder: Sentence, max_sentences: int) -> list[Sentence]:
    """The chosen sentences with the one that holds the short answer, in the place of the last when there is no room."""
    return chosen if holder in chosen else [*chosen[: max_sentences - 1], holder]


def _in_order(reading: Reading, chosen: Sequence[Sentence]) -> list[Sentence]:
    """Hop by hop, in reading order inside a passage: a passage that another one names comes after it."""
    question_key = {source.index for source in reading.sources if reading.asked_for(source)}
    named = {
        sentence.source
        for sentence in chosen
        for other in chosen
        if other.source != sentence.source
        and (other.source, other.order) in reading.links[sentence.source]
        and sentence.source not in question_key
    }
    first: dict[int, int] = {}
    for position, sentence in enumerate(chosen):
        first.setdefault(sentence.source, position)
    return sorted(chosen, key=lambda s: (s.source in named, first[s.source], s.start))


def _cited(
    reading: Reading, chosen: Sequence[Sentence], marks: Sequence[tuple[Sentence, int, int]]
) -> tuple[tuple[AnswerSentence, ...], tuple[Citation, ...]]:
    sentences: list[AnswerSentence] = []
    citations: list[Citation] = []
    for number, sentence in enumerate(chosen, start=1):
        own = [(_with_sign(sentence.text, left), right) for marked, left, right in marks if marked is sentence]
        start, end = clause_of(sentence, reading.weights, own)
        source = reading.sources[sentence.source]
        citation = cite(number, source.passage, source.document, sentence.start + start, sentence.start + end)
        highlights = _merged((max(left, start) - start, min(right, end) - start) for left, right in own)
        sentences.append(AnswerSentence(citation.quote, (number,), highlights))
        citations.append(citation)
    return tuple(sentences), tuple(citations)


_SIGN = re.compile(r"(?<![\w.)）])[-\u2212+±]$")


def _with_sign(text: str, start: int) -> int:
    """A number is marked with its sign."""
    signed = text[start : start + 1].isdigit() and _SIGN.search(text[max(0, start - 2) : start])
    return start - 1 if signed else start


def _merged(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for left, right in sorted(span for span in spans if span[0] < span[1]):
        if merged and left <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], right)
        else:
            merged.append((left, right))
    return tuple(merged)


def cite(number: int, passage: Passage, document: Document, start: int, end: int) -> Citation:
    """Return the citation of ``passage.text[start:end]``; page and boxes are the parser's."""
    regions = passage.regions_of(start, end)
    return Citation(
        number=number,
        passage_id=passage.id,
        document_id=document.id,
        title=document.title,
        source=document.source,
        section=passage.section,
        page=min(regions, key=lambda region: region.start).page if regions else None,
        regions=regions,
        quote=passage.text[start:end],
        start=start,
        end=end,
    )


def _not_found(
    question: str,
    asked: Question,
    reading: Reading,
    missing: tuple[str, ...],
    ranking: Ranking | None,
    max_consulted: int,
) -> Answer:
    consulted: list[Citation] = []
    for source in reading.sources:
        best = _best_of(reading, source)
        if best is not None and len(consulted) < max_consulted:
            start, end = clause_of(best, reading.weights)
            consulted.append(
                cite(len(consulted) + 1, source.passage, source.document, best.start + start, best.start + end)
            )
    notes: tuple[str, ...] = (not_found_note(asked.language, missing, retrieved=len(reading.sources)),)
    foreign = sum(1 for source in reading.sources if source.passage.language != asked.language)
    if foreign * 2 > len(reading.sources):
        notes = (*notes, other_language_note(asked.language))
    return Answer(
        question=question,
        language=asked.language,
        status="not_found",
        mode="evidence",
        consulted=tuple(consulted),
        notes=notes,
        ranking=ranking,
    )


def _best_of(reading: Reading, source: Source) -> Sentence | None:
    prose = [s for s in source.sentences if s.prose] or list(source.sentences)
    return max(prose, key=reading.score, default=None)
