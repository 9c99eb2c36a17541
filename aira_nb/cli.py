"""The command ``aira``: parse, make the one call, show its result, say how it went by the exit code.

Results go to standard output, and with ``--json`` they are exactly one JSON object. Progress, notes and errors go to
standard error. Nothing heavy is imported before the arguments are known to be good.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import traceback
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import aira_nb
from aira_nb.errors import (
    AiraError,
    ConvergenceError,
    IndexStaleError,
    InputError,
    MissingDependencyError,
    ModelError,
    StoreError,
)
from aira_nb.verbs import VERBS, IndexReport

if TYPE_CHECKING:
    from aira_nb.corpus import Corpus
    from aira_nb.types import Ranking

OK = 0
PARTIAL = 1
INTERNAL = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # 128 + SIGINT, as shells say it
_EXCERPT = 240  # characters of a hit: three lines of a terminal
_EXIT_CODES: Mapping[type[AiraError], int] = {
    InputError: 2,  # argparse's own code for bad usage
    StoreError: 3,
    IndexStaleError: 3,
    MissingDependencyError: 4,
    ModelError: 5,
    ConvergenceError: 6,
}
_EXIT_HELP = """\
exit codes:
  0  done, also when the honest answer is "not found in the corpus"
  1  done in part: some file failed, or check or health found a problem
  2  bad usage or unusable input     3  the store cannot be used
  4  a package is missing            5  a model server failed
  6  an iteration did not converge   70 a bug in aira_nb (AIRA_DEBUG=1 shows where)
  130 interrupted; what was finished is kept, the same command goes on from there
"""


class _Parser(argparse.ArgumentParser):
    """Bad usage is an InputError like any other, so that ``--json`` can report it too."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}. See: {self.prog} --help")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command; the tests compare the documentation with it."""
    common = _Parser(add_help=False)
    common.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    common.add_argument("--quiet", action="store_true", help="show no progress")
    located = _Parser(add_help=False)
    located.add_argument(
        "--corpus", metavar="FILE", help="the corpus; by default AIRA_CORPUS, else the only *.aira file here"
    )
    parser = _Parser(
        prog="aira",
        description="Ask your own papers, in English and Japanese, with citations that open on the right page.",
        epilog=_EXIT_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"aira_nb {aira_nb.__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    demo = verbs.add_parser("demo", parents=[common], help="the whole way on the bundled sample corpus, offline")
    demo.add_argument("--keep", metavar="FOLDER", help="keep the corpus in this folder")
    for name, verb in VERBS.items():
        verb.arguments(verbs.add_parser(name, parents=[common, located], help=verb.summary, description=verb.summary))
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments without the program's name; by default those of the process.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        # A locale that lacks a character of the text must cost that character, never the answer.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        args = build_parser().parse_args(words)
        return _demo(args) if args.verb == "demo" else _run(args)
    except KeyboardInterrupt:
        message = "interrupted. What was finished is kept; the same command goes on from there"
        return _fail("KeyboardInterrupt", message, INTERRUPTED, words)
    except BrokenPipeError:
        # The reader (`| head`) has what it wanted; point the stream elsewhere so that the exit does not flush into it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except AiraError as error:
        code = next((code for kind, code in _EXIT_CODES.items() if isinstance(error, kind)), INTERNAL)
        return _fail(type(error).__name__, str(error), code, words)
    except Exception as error:  # the door: a user never meets a traceback unless they ask for it
        if os.environ.get("AIRA_DEBUG"):
            traceback.print_exc()
        message = f"{type(error).__name__}: {error}. This is a bug in aira_nb; AIRA_DEBUG=1 shows where it happened"
        return _fail(type(error).__name__, message, INTERNAL, words)


def _run(args: argparse.Namespace) -> int:
    verb = VERBS[args.verb]
    path = verb.locate(getattr(args, "path", None) or args.corpus)
    if not path.exists():
        _print(f"new corpus: {path}", sys.stderr)
    with aira_nb.open(path) as corpus:
        result = verb.run(corpus, args, _progress(args))
        code = PARTIAL if _problems(result) else OK
        if args.verb == "open":
            result = corpus.health()  # shown, not judged: a new corpus is empty, and that is no failure
        if args.json:
            _print_json({"verb": args.verb, "corpus": str(path), **_to_dict(args.verb, result, corpus)})
        else:
            _print(_to_text(args.verb, result, corpus))
        return code


def _demo(args: argparse.Namespace) -> int:
    from aira_nb import sample

    with ExitStack() as stack:
        if args.keep:
            folder = Path(args.keep).expanduser()
            folder.mkdir(parents=True, exist_ok=True)
        else:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="aira-demo-")))
        corpus = stack.enter_context(aira_nb.open(folder / "demo.aira"))
        options = _progress(args)
        added = corpus.add(sample.corpus_path(), **options)
        built = corpus.build(**options)
        answers = [corpus.ask(question) for question in sample.DEMO_QUESTIONS.values()]
        health = corpus.health()
        if args.json:
            steps = {"add": added.to_dict(), "build": built.to_dict(), "health": health.to_dict()}
            _print_json({"verb": "demo", **steps, "answers": [answer.to_dict() for answer in answers]})
        else:
            rule = "─" * 72
            shown = [str(added), *(f"{rule}\n{answer.question}\n\n{answer}" for answer in answers), rule, health]
            _print("\n".join(map(str, shown)))
            if args.keep:
                _print(f"kept: {folder / 'demo.aira'}", sys.stderr)
        unanswered = any(answer.status != "answered" for answer in answers)
        return PARTIAL if unanswered or _problems(added) or _problems(health) else OK


def _progress(args: argparse.Namespace) -> Mapping[str, Any]:
    return {"progress": None} if args.quiet else {}


def _problems(result: Any) -> bool:
    """Whether a result says that something went wrong: failed files, broken invariants, an unhealthy corpus."""
    if isinstance(result, IndexReport):
        return _problems(result.added) or _problems(result.built)
    if isinstance(result, list):
        return bool(result)
    return bool(getattr(result, "failed", ()) or getattr(result, "problems", ()))


def _fail(kind: str, message: str, code: int, words: Sequence[str]) -> int:
    if "--json" in words:
        _print_json({"error": {"kind": kind, "message": message, "exit_code": code}})
    _print(f"aira: {' '.join(message.split())}", sys.stderr)
    return code


# --- showing ----------------------------------------------------------------------------------------------------


def _print(text: str, stream: TextIO | None = None) -> None:
    print(_printable(text), file=stream or sys.stdout, flush=True)


def _print_json(value: Mapping[str, Any]) -> None:
    # Escaped where the stream cannot carry the letters, so that JSON is never damaged by errors="replace".
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(value, ensure_ascii=not utf8, default=_plain), flush=True)


def _plain(value: Any) -> Any:
    """Turn what json does not know (numpy's numbers and arrays, paths, tuples' relatives) into what it does."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return str(value)


def _printable(text: str) -> str:
    """Take out control characters: a title or file name must not be able to move the cursor or set the colours."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) != "Cc" else "\N{REPLACEMENT CHARACTER}" for c in text)


def _to_dict(verb: str, result: Any, corpus: Corpus) -> dict[str, Any]:
    if verb == "search":
        return {"query": result.query, "strategy": result.strategy, "hits": _hits(result, corpus)}
    if isinstance(result, list):
        return {"problems": result}
    if hasattr(result, "columns"):  # a pandas DataFrame: its own JSON writer turns NaN into null
        return {verb: json.loads(result.to_json(orient="records", force_ascii=False))}
    fields: dict[str, Any] = result.to_dict()
    return fields


def _to_text(verb: str, result: Any, corpus: Corpus) -> str:
    if verb == "search":
        return _search_text(_hits(result, corpus))
    if isinstance(result, list):
        return "\n".join(result) or "every invariant holds"
    if hasattr(result, "columns"):
        return _table(list(result.columns), result.itertuples(index=False))
    return str(result)


def _hits(ranking: Ranking, corpus: Corpus) -> list[dict[str, Any]]:
    """Put each hit beside its passage: what a reader of a ranking wants to see."""
    frame = corpus.passages([hit.passage_id for hit in ranking.hits])
    passages = {row["id"]: row for row in json.loads(frame.to_json(orient="records", force_ascii=False))}
    return [
        {
            "rank": rank,
            "score": hit.score,
            "passage_id": hit.passage_id,
            **{key: passages[hit.passage_id][key] for key in ("title", "source", "section", "pages", "text")},
            "signals": [{"name": signal.name, "rank": signal.rank, "score": signal.score} for signal in hit.signals],
        }
        for rank, hit in enumerate(ranking.hits, start=1)
    ]


def _search_text(hits: Sequence[Mapping[str, Any]]) -> str:
    if not hits:
        return "nothing in the corpus matches"
    lines = []
    for hit in hits:
        pages = ", ".join(map(str, hit["pages"]))
        where = f"{hit['title']}, p. {pages}" if pages else hit["title"]
        text = " ".join(hit["text"].split())
        excerpt = text if len(text) <= _EXCERPT else text[:_EXCERPT].rstrip() + "…"
        lines.append(f"{hit['rank']}. {where}  ({hit['score']:.3f})\n   {excerpt}")
    return "\n".join(lines)


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Lay out a table that lines up in a terminal, where a Japanese letter is two columns wide."""
    lines = [[str(column) for column in columns], *([str(cell) for cell in row] for row in rows)]
    widths = [max(_width(line[i]) for line in lines) for i in range(len(columns))]
    return "\n".join(
        "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
