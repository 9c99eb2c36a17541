"""The answer's own words, in the question's language."""

from __future__ import annotations

from aira_nb.types import Language

__all__ = ["empty_note", "not_found_note", "other_language_note", "partial_note", "undecided_note"]

_MISSING = {
    "en": "No retrieved passage mentions {names}.",
    "ja": "検索された文書に{names}への言及がありません。",
}
_UNSUPPORTED = {
    "en": "The retrieved passages do not hold enough of what the question asks about.",
    "ja": "検索された文書には、質問に答えるだけの記述がありません。",
}
_EMPTY = {
    "en": "No passage was retrieved for this question.",
    "ja": "この質問に対して検索された文書はありません。",
}
_OTHER_LANGUAGE = {
    "en": "Most of the retrieved passages are in Japanese, and their words cannot be checked against an English question. "
    "Ask in Japanese too.",
    "ja": "検索された文書の多くは英語で、日本語の質問の言葉と照合できません。英語でも質問してみてください。",
}
_PARTIAL = {
    "en": "These sentences hold only a part of what the question asks about, so no short answer is given.",
    "ja": "以下の文には質問の一部に関わる記述しかないため、短い答えは示しません。",
}
_UNDECIDED = {
    "en": "The passages do not decide the comparison, so no short answer is given.",
    "ja": "文書からは比較の結果を決められないため、短い答えは示しません。",
}


_NO_WORDS = {
    "en": "There is nothing to look for in this question. Ask in words.",
    "ja": "質問に調べる言葉がありません。言葉で質問してください。",
}


def empty_note(language: Language) -> str:
    """Say that the question holds no words."""
    return _NO_WORDS[language]


def not_found_note(language: Language, missing: tuple[str, ...], *, retrieved: int) -> str:
    """Say why nothing was found: no passages, a name that none holds, or too little support."""
    if not retrieved:
        return _EMPTY[language]
    if missing:
        quoted = [f"「{name}」" if language == "ja" else f'"{name}"' for name in missing]
        return _MISSING[language].format(names=("、" if language == "ja" else ", ").join(quoted))
    return _UNSUPPORTED[language]


def partial_note(language: Language) -> str:
    """Say that the sentences cover the question only in part."""
    return _PARTIAL[language]


def undecided_note(language: Language) -> str:
    """Say that a comparison stays open."""
    return _UNDECIDED[language]


def other_language_note(language: Language) -> str:
    """Say that the passages are in the other language than the question."""
    return _OTHER_LANGUAGE[language]
