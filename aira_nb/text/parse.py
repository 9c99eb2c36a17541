"""Dependency parses through spaCy pipelines, and Japanese morphemes through Sudachi alone, as plain records.

The only module that knows spaCy. Nothing outside it sees a spaCy object, so the rules that read parses can be tested
on parses written by hand. Texts should be sentences: a parse then costs the same in any batch, and no text comes near
the 49,149 bytes that Sudachi refuses (:func:`aira_nb.text.sentence_spans` cuts; :data:`LONGEST` is enforced here).
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from aira_nb.errors import InputError, MissingDependencyError
from aira_nb.types import Language

__all__ = [
    "BATCH",
    "LONGEST",
    "Morphemes",
    "Pipeline",
    "Token",
    "best_pipeline",
    "installed_pipelines",
    "load_morphemes",
    "load_pipeline",
    "pipeline_version",
]

LONGEST = 8_000
"""Characters of one text at most: 24 kB of UTF-8, half of Sudachi's limit."""

BATCH = 32
"""Texts handed to a pipeline at once. Small, so that an interrupt is answered within a second or two."""

# Best first. Names are the distributions of spaCy's own releases and of GiNZA's; a re-upload under another name is
# never picked by itself, but load_pipeline takes any installed name.
_KNOWN: dict[Language, tuple[str, ...]] = {
    "en": ("en_core_web_trf", "en_core_web_lg", "en_core_web_md", "en_core_web_sm"),
    "ja": ("ja_ginza_electra", "ja_ginza"),
}

# What no rule reads. GiNZA's entity recogniser scores 757 moves a token, half of the whole time, and its labels on
# prose are not to be relied on; its compound splitter is only needed for Sudachi's other split modes.
_UNUSED: dict[Language, tuple[str, ...]] = {
    "en": ("senter",),
    "ja": ("ner", "compound_splitter", "bunsetu_recognizer", "senter"),
}

_lock = threading.RLock()


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a parsed sentence.

    Attributes
    ----------
    start, end : int
        Characters in the text that was given.
    text, lemma : str
    pos : str
        Universal part of speech ("NOUN"); empty where only morphemes were read.
    tag : str
        The pipeline's own tag: Penn for English ("VBN"), UniDic levels joined by "-" for Japanese
        ("名詞-固有名詞-地名-一般").
    form : str
        Japanese inflected form ("連体形-一般"), else empty.
    dep : str
        Dependency label; empty where only morphemes were read.
    head : int
        Index of the head token in the same list; a root is its own head; -1 where only morphemes were read.
    entity : str
        The pipeline's entity label ("PERSON"), else empty.
    known : bool
        Whether the dictionary has the word; always True from a pipeline, which does not say.
    """

    start: int
    end: int
    text: str
    lemma: str
    pos: str = ""
    tag: str = ""
    form: str = ""
    dep: str = ""
    head: int = -1
    entity: str = ""
    known: bool = True


def installed_pipelines(language: Language) -> tuple[str, ...]:
    """Names of the known pipelines of `language` that are installed, best first. Loads nothing."""
    if importlib.util.find_spec("spacy") is None:
        return ()
    return tuple(name for name in _KNOWN[language] if importlib.util.find_spec(name) is not None)


def best_pipeline(language: Language) -> str | None:
    """Name of the best installed pipeline of `language`, or None when there is none."""
    names = installed_pipelines(language)
    return names[0] if names else None


class Pipeline:
    """A loaded spaCy pipeline that turns texts into lists of :class:`Token`."""

    def __init__(self, name: str, language: Language, nlp: Any) -> None:
        self.name = name
        self.language = language
        self._nlp = nlp

    def parse(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
        """Parse each text. One list of tokens per text, in order.

        Raises
        ------
        InputError
            When a text is longer than :data:`LONGEST` or the pipeline cannot read it.
        """
        _check_lengths(texts)
        try:
            # One at a time per process: spaCy's string store and GiNZA's tokenizer are not safe to share.
            with _lock, _one_blas_thread():
                return [self._tokens(doc) for doc in self._nlp.pipe(texts, batch_size=BATCH)]
        # Wide on purpose: the tokenizer (Rust), the layers (NumPy, BLIS, torch) and the components each raise
        # errors of their own, and one unreadable sentence must not end a corpus.
        except Exception as error:
            raise InputError(f"The pipeline {self.name} could not parse a text of this passage: {error}") from error

    def _tokens(self, doc: Any) -> tuple[Token, ...]:
        return tuple(
            Token(
                start=token.idx,
                end=token.idx + len(token.text),
                text=token.text,
                lemma=token.lemma_,
                pos=token.pos_,
                tag=token.tag_,
                form=_inflected_form(token) if self.language == "ja" else "",
                dep=token.dep_,
                head=token.head.i,
                entity=token.ent_type_,
            )
            for token in doc
            if not token.is_space or self.language == "en"
        )


def _one_blas_thread() -> AbstractContextManager[object]:
    """Keep BLAS to one thread: a sentence's matrices are so small that a second one only doubles the CPU time."""
    try:
        limits: AbstractContextManager[object] = importlib.import_module("threadpoolctl").threadpool_limits(
            limits=1, user_api="blas"
        )
    except ImportError:
        return nullcontext()
    return limits


def _inflected_form(token: Any) -> str:
    inflection = token.morph.get("Inflection")
    return str(inflection[0]).partition(";")[2] if inflection else ""


def _check_lengths(texts: Sequence[str]) -> None:
    for text in texts:
        if len(text) > LONGEST:
            raise InputError(
                f"A text of {len(text)} characters is too long to parse ({LONGEST} at most); split it into sentences."
            )


@lru_cache(maxsize=4)
def load_pipeline(name: str) -> Pipeline:
    """Load an installed spaCy pipeline by its name and keep it.

    Raises
    ------
    MissingDependencyError
        When spaCy or the pipeline is not installed, or the two do not fit together.
    """
    try:
        import spacy
        from thinc.api import get_current_ops, use_ops
    except ImportError as error:
        raise MissingDependencyError("spacy", extra="parse", purpose="Parsing sentences") from error
    language: Language = "ja" if name.startswith("ja") else "en"
    with _lock:
        try:
            # The bundled BLIS reads GiNZA at 1,800 characters/s where NumPy's own BLAS reads 4,800 (AMD EPYC).
            # Other back ends (Apple's, a GPU) were chosen by their owner and stay.
            if type(get_current_ops()).__name__ == "NumpyOps":
                with use_ops("numpy", use_blis=False):
                    nlp = spacy.load(name, exclude=list(_UNUSED[language]))
            else:
                nlp = spacy.load(name, exclude=list(_UNUSED[language]))
        except (OSError, ValueError, ImportError) as error:
            raise MissingDependencyError(name, extra="parse", purpose="Parsing sentences") from error
    return Pipeline(f"{name}-{nlp.meta.get('version', '0')}", language, nlp)


def pipeline_version(name: str) -> str:
    """Return ``name-version`` of an installed pipeline without loading it."""
    try:
        return f"{name}-{importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return name


class Morphemes:
    """Sudachi alone: the same tokens as GiNZA's, without heads, at a hundred times its speed."""

    name = "sudachi"
    language: Language = "ja"

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def parse(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
        """Tokenise each text. ``head`` is -1 throughout.

        Raises
        ------
        InputError
            When a text is longer than :data:`LONGEST`.
        """
        _check_lengths(texts)
        with _lock:
            return [self._tokens(text) for text in texts]

    def _tokens(self, text: str) -> tuple[Token, ...]:
        tokens = []
        for morpheme in self._tokenizer.tokenize(text):
            start, end = morpheme.begin(), morpheme.end()
            if start == end or text[start:end].isspace():
                continue
            *levels, _, form = (level if level != "*" else "" for level in morpheme.part_of_speech())
            tokens.append(
                Token(
                    start=start,
                    end=end,
                    text=text[start:end],
                    lemma=morpheme.dictionary_form(),
                    tag="-".join(level for level in levels if level),
                    form=form,
                    known=not morpheme.is_oov(),
                )
            )
        return tuple(tokens)


@lru_cache(maxsize=1)
def load_morphemes() -> Morphemes:
    """Load Sudachi with the split mode that GiNZA uses.

    Raises
    ------
    MissingDependencyError
        When SudachiPy or its dictionary is not installed.
    """
    try:
        from sudachipy import Dictionary, SplitMode
    except ImportError as error:
        raise MissingDependencyError("SudachiPy", extra="", purpose="Japanese text") from error
    dictionary = Dictionary()
    # SudachiPy 0.7 renames create() to tokenizer().
    return Morphemes((getattr(dictionary, "tokenizer", None) or dictionary.create)(mode=SplitMode.C))
