"""The verbs that the terminal and the notebook share: their arguments and the one call that each makes.

Both doors parse with these tables and differ only in how they show the result, so that a verb, an option or a default
never exists in one of them alone.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aira_nb.errors import InputError, StoreError

if TYPE_CHECKING:
    from aira_nb.corpus import Corpus

STRATEGIES = ("aira", "bm25", "dense", "hybrid", "graph")
DEFAULT_CORPUS = "corpus.aira"


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb.

    Attributes
    ----------
    summary : str
        One line for the help.
    arguments : callable
        Adds the verb's arguments to a parser.
    run : callable
        ``run(corpus, args, options)`` does the work; `options` are keyword arguments for the calls that report
        progress.
    locate : callable
        Turns the corpus that the user named, or None, into the path to open.
    """

    summary: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Corpus, argparse.Namespace, Mapping[str, Any]], Any]
    locate: Callable[[str | None], Path]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What ``index`` did: the reports of the add and of the build."""

    added: Any
    built: Any

    def to_dict(self) -> dict[str, Any]:
        """Return both reports as one JSON-ready dictionary."""
        return {"add": self.added.to_dict(), "build": self.built.to_dict()}

    def __str__(self) -> str:
        return f"{self.added}\n{self.built}"


def existing_corpus(named: str | None) -> Path:
    """Return the corpus to read: the one named, else ``AIRA_CORPUS``, else the only ``*.aira`` file here.

    Raises
    ------
    StoreError
        The file that was named does not exist; reading never creates one.
    InputError
        None was named, and there is not exactly one here.
    """
    path = _named(named) or _only_one_here()
    if path is None:
        raise InputError(
            f"There is no corpus in {Path.cwd()}. Name one (terminal: --corpus my.aira, notebook: %aira open my.aira), "
            "set AIRA_CORPUS, or make one with: aira index --input PAPERS"
        )
    if not path.exists():
        raise StoreError(
            f"There is no corpus at {path}. Check the name, or make it with: aira index --corpus {path} --input PAPERS"
        )
    return path


def corpus_to_fill(named: str | None) -> Path:
    """Return the corpus to write: as :func:`existing_corpus`, but a new one (``corpus.aira`` here) where none is."""
    return _named(named) or _only_one_here() or Path(DEFAULT_CORPUS)


def _named(named: str | None) -> Path | None:
    name = named or os.environ.get("AIRA_CORPUS")
    if not name:
        return None
    path = Path(name).expanduser()
    return path if path.suffix else path.with_suffix(".aira")  # as `aira_nb.open` reads it


def _only_one_here() -> Path | None:
    here = sorted(path for path in Path.cwd().glob("*.aira") if path.is_file())
    if len(here) > 1:
        names = ", ".join(path.name for path in here)
        raise InputError(
            f"There are {len(here)} corpora in {Path.cwd()}: {names}. Say which "
            "(terminal: --corpus NAME, notebook: %aira open NAME), or set AIRA_CORPUS"
        )
    return here[0] if here else None


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text!r}")
    return int(text)


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    """Take only what every verb takes."""


def _open_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", metavar="CORPUS", help="the file NAME.aira; created when it is missing")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    formats = "PDF, DOCX, PPTX, HTML, Markdown, text, JSONL"
    parser.add_argument("paths", nargs="+", metavar="PATH", help=f"files, folders or globs: {formats}")


def _index_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="the same as --input")
    parser.add_argument(
        "--input", nargs="+", action="extend", default=[], metavar="PATH", help="files, folders or globs to add"
    )


def _stabilize_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threshold", type=_count, metavar="N", help="passages that must state a schema before it counts as stable"
    )
    parser.add_argument("--curve", action="store_true", help="change nothing; show what each threshold would activate")


def _search_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", metavar="QUERY", help="what to look for")
    _retrieval_options(parser)


def _ask_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="+", metavar="QUESTION", help="the question, in English or Japanese")
    _retrieval_options(parser)


def _retrieval_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-k", type=_count, metavar="N", help="how many passages; by default the settings say")
    parser.add_argument("--strategy", choices=STRATEGIES, help="how to retrieve; by default the settings say (aira)")


def _retrieval(args: argparse.Namespace) -> dict[str, Any]:
    """Pass on only what the user said, so that the settings decide the rest in every door alike."""
    return {name: value for name in ("k", "strategy") if (value := getattr(args, name)) is not None}


def _remove_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("documents", nargs="+", metavar="DOCUMENT", help="sources or ids, as `documents` lists them")


def _index(corpus: Corpus, args: argparse.Namespace, options: Mapping[str, Any]) -> IndexReport:
    paths = [*args.paths, *args.input]
    if not paths:
        raise InputError("index needs something to read. Say, for example: aira index --input papers/*.pdf")
    return IndexReport(corpus.add(*paths, **options), corpus.build(**options))


VERBS: Mapping[str, Verb] = {
    "open": Verb(
        "open a corpus, and create it when there is none",
        _open_arguments,
        lambda corpus, args, options: corpus,
        corpus_to_fill,
    ),
    "add": Verb(
        "read files into the corpus; unchanged files cost nothing",
        _add_arguments,
        lambda corpus, args, options: corpus.add(*args.paths, **options),
        corpus_to_fill,
    ),
    "build": Verb(
        "extract, stabilize, embed and index what is new",
        _no_arguments,
        lambda corpus, args, options: corpus.build(**options),
        existing_corpus,
    ),
    "index": Verb("add, then build", _index_arguments, _index, corpus_to_fill),
    "stabilize": Verb(
        "promote what enough passages state",
        _stabilize_arguments,
        lambda corpus, args, options: corpus.threshold_curve() if args.curve else corpus.stabilize(args.threshold),
        existing_corpus,
    ),
    "search": Verb(
        "rank passages for a query",
        _search_arguments,
        lambda corpus, args, options: corpus.search(" ".join(args.query), **_retrieval(args)),
        existing_corpus,
    ),
    "ask": Verb(
        "answer a question with checked citations",
        _ask_arguments,
        lambda corpus, args, options: corpus.ask(" ".join(args.question), **_retrieval(args)),
        existing_corpus,
    ),
    "remove": Verb(
        "take documents out, with what only they support",
        _remove_arguments,
        lambda corpus, args, options: corpus.remove(*args.documents),
        existing_corpus,
    ),
    "stats": Verb(
        "counts by layer, and the active share",
        _no_arguments,
        lambda corpus, args, options: corpus.stats(),
        existing_corpus,
    ),
    "health": Verb(
        "what works, what is degraded, and what to do",
        _no_arguments,
        lambda corpus, args, options: corpus.health(),
        existing_corpus,
    ),
    "check": Verb(
        "verify the store's invariants",
        _no_arguments,
        lambda corpus, args, options: corpus.check(),
        existing_corpus,
    ),
    "documents": Verb(
        "list what is in the corpus",
        _no_arguments,
        lambda corpus, args, options: corpus.documents(),
        existing_corpus,
    ),
}
"""Every verb by name, in the order of the help."""
