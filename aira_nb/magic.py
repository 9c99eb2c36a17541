"""``%aira`` and ``%%aira``: the same verbs as the terminal, with the result as the cell's value."""

from __future__ import annotations

import contextlib
import glob
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from IPython.core.error import TryNext, UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import MagicArgumentParser

import aira_nb
from aira_nb.errors import AiraError
from aira_nb.verbs import STRATEGIES, VERBS

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from aira_nb.corpus import Corpus

_FORMS = """\
Forms of a question:

    %aira ask "Who introduced it?"     quoted: always right
    %aira ask 誰が導入したのか？          a full-width question mark needs no quotes
    %aira ask Who introduced it?       a question mark at the end is no request for help
    %%aira ask -k 8                    the question is the cell's text, of any length and with any letter in it
    answer = %aira ask "Who?"          the value can be kept

Which corpus:

    %aira open my.aira                 a file, created when there is none
    %aira open corpus                  the Corpus in the variable `corpus`
                                       without `open`: AIRA_CORPUS, or the only *.aira file here

{x} and $y in a question stay as they are typed.
"""
_TOKEN = re.compile(r"""\s*(?:"([^"]*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+))""")
_BARE_QUESTION = re.compile(
    r"^(\s*(?:[\w, ]+=\s*)?%aira\s+(?:ask|search)\s+(?:(?:-k|--strategy)[ =]\S+\s+)*)([^\s-].*\?)\s*$"
)
_TAKES_PATHS = ("open", "add", "index")


def split_line(line: str) -> list[str]:
    """Split a magic's line into words; quotes around words group them and are dropped.

    Unlike in a shell, a quote inside a word is a letter (``the paper's``), and so is a backslash (Windows paths).
    """
    return [next(part for part in match.groups() if part is not None) for match in _TOKEN.finditer(line)]


def protect_question_marks(lines: list[str]) -> list[str]:
    """Quote a bare question that ends in ``?``, which IPython would take for a request for help.

    Registered as an input transformer, for ``%aira ask`` and ``%aira search`` lines only; ``%aira?`` stays help. A
    question that holds both kinds of quotes is left as it is: ``%%aira ask`` takes any text.
    """
    return [_BARE_QUESTION.sub(_quoted, line) for line in lines]


def _quoted(match: re.Match[str]) -> str:
    command, question = match.groups()
    quote = next((quote for quote in "\"'" if quote not in question), "")
    return f"{command}{quote}{question}{quote}\n"


@magics_class
class AiraMagics(Magics):
    """The magic's state: which corpus is open."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self._namespace = shell.user_ns
        self.corpus: Corpus | None = None
        self.path: Path | None = None

    @no_var_expand
    @line_cell_magic
    def aira(self, line: str, cell: str | None = None) -> Any:
        """Ask your own papers. ``%aira VERB ...``, or ``%%aira ask`` with the question as the cell's text."""
        words = split_line(line)
        if not words or words[0] in ("help", "-h", "--help"):
            print(usage(words[1] if len(words) > 1 else None))
            return None
        verb, *rest = words
        if verb not in VERBS:
            raise UsageError(f"%aira has no verb {verb!r}. Its verbs: {', '.join(VERBS)}")
        if cell is not None:
            rest += ["--", cell.strip()]
        args = parsers()[verb].parse_args(rest)
        try:
            return VERBS[verb].run(self._corpus(verb, getattr(args, "path", None)), args, {})
        except AiraError as error:
            raise _one_line(error) from None

    def _corpus(self, verb: str, named: str | None) -> Corpus:
        """Return the open corpus; open the one that is named, or else the one that the terminal would take."""
        held = self._namespace.get(named) if named is not None else None
        if held is not None and isinstance(held, aira_nb.Corpus):
            self.corpus, self.path = held, None
        elif self.corpus is None or named is not None:
            path = VERBS[verb].locate(named).resolve()
            # The same cell run again must find the same object: a variable of the user's may hold it.
            if self.corpus is None or path != self.path:
                self.corpus, self.path = aira_nb.open(path), path
        return self.corpus


def parsers() -> Mapping[str, MagicArgumentParser]:
    """Return one argument parser for each verb."""
    made = {}
    for name, verb in VERBS.items():
        made[name] = MagicArgumentParser(f"aira {name}", description=verb.summary)
        verb.arguments(made[name])
    return made


def usage(verb: str | None) -> str:
    """Return the help of one verb, or of the magic as a whole."""
    if verb is not None and verb in VERBS:
        return str(parsers()[verb].format_help())
    verbs = "\n".join(f"  %aira {name:<10} {verb.summary}" for name, verb in VERBS.items())
    return f"{verbs}\n\n  %aira help VERB   the arguments of one verb\n\n{_FORMS}"


def complete(shell: InteractiveShell, event: Any) -> list[str]:
    """Complete verbs, options, paths and, after ``remove``, what is in the corpus (IPython's completer hook)."""
    if shell.find_line_magic("aira") is None:  # unloaded since; IPython has no call that takes a hook away
        raise TryNext
    before = event.text_until_cursor.split()
    finished = before if event.text_until_cursor[-1:].isspace() else before[:-1]
    symbol = event.symbol
    if len(finished) < 2:
        return [name for name in VERBS if name.startswith(symbol)]
    verb = finished[1]
    if verb == "help":
        return list(VERBS)
    if verb not in VERBS:
        return []
    if symbol.startswith("-"):
        return [option for action in parsers()[verb]._actions for option in action.option_strings]
    if finished[-1] == "--strategy":
        return list(STRATEGIES)
    if verb in _TAKES_PATHS:
        return [found + "/" * Path(found).is_dir() for found in sorted(glob.glob(glob.escape(symbol) + "*"))]
    magics = shell.magics_manager.registry["AiraMagics"]
    if verb == "remove" and magics.corpus is not None:
        return [str(source) for source in magics.corpus.documents()["source"]]
    return []


def register(shell: InteractiveShell) -> None:
    """Put ``%aira``, its completions and its treatment of question marks into a shell; doing it twice is harmless."""
    shell.register_magics(AiraMagics(shell))
    for command in ("%aira", "%%aira"):
        shell.set_hook("complete_command", complete, str_key=command)
    if protect_question_marks not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(protect_question_marks)


def unregister(shell: InteractiveShell) -> None:
    """Undo :func:`register`."""
    for magics in shell.magics_manager.magics.values():
        magics.pop("aira", None)
    with contextlib.suppress(ValueError):
        shell.input_transformers_cleanup.remove(protect_question_marks)


def _one_line(error: AiraError) -> AiraError:
    """Have IPython show an error of ours as its one sentence: it names the cause and the next step already.

    It stays an error: the cell fails, "run all" stops, and a notebook under test fails.
    """
    error._render_traceback_ = lambda: [f"{type(error).__name__}: {error}"]  # type: ignore[attr-defined]
    return error
