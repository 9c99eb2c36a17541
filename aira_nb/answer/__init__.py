"""Answers from retrieved passages: sentences of the corpus, each with a checkable citation, or an honest "not found"."""

from aira_nb.answer.evidence import cite, evidence_answer
from aira_nb.answer.question import Question, analyze_question

__all__ = ["Question", "analyze_question", "cite", "evidence_answer"]
