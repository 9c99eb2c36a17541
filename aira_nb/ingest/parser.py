"""Parsing in a child process that can be stopped: the parent's side.

PDF libraries are native code that hostile or broken files can crash, hang or swell. One worker process reads one file
after the other (starting it costs seconds) and is killed and replaced when a file takes too long, too much memory, or
the process with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from aira_nb.errors import InputError, MissingDependencyError
from aira_nb.ingest.files import format_of, require_file
from aira_nb.ingest.jsonl import read_records
from aira_nb.ingest.records import NoTextError
from aira_nb.ingest.wire import from_json
from aira_nb.types import FileReport, ParsedDocument

__all__ = ["MEMORY_LIMIT", "TIME_LIMIT", "Parser", "read_file"]

TIME_LIMIT = 300.0
"""Seconds for one file."""

MEMORY_LIMIT = 4 * 2**30
"""Bytes of address space of the parsing process (Linux; other systems have no such limit, see :class:`Parser`)."""

_NO_LIMIT = 2**62
_FILES_A_WORKER = 200
_POLL = 0.1  # seconds; Ctrl-C is noticed within this even where waiting itself cannot be interrupted (Windows)
_END = object()


class _CrashError(InputError):
    """The worker died on a file."""


class Parser:
    """Reads files into documents. Use it as a context manager; one object keeps one worker process alive.

    Parameters
    ----------
    time_limit : float
        Seconds for one file.
    memory_limit : int
        Bytes that the worker may map (``RLIMIT_AS``). Enforced on Linux. macOS accepts the limit without enforcing
        it, and Windows has none: there, and with layout models, only the time limit holds.
    artifacts_path : path, optional
        Folder of docling's layout models; PDFs are then read with them. See :mod:`aira_nb.ingest.layout`.

    Notes
    -----
    The worker ends by itself when this process does, even by ``kill -9``. It has no network.
    """

    def __init__(
        self,
        *,
        time_limit: float = TIME_LIMIT,
        memory_limit: int = MEMORY_LIMIT,
        artifacts_path: str | os.PathLike[str] | None = None,
    ) -> None:
        if time_limit <= 0 or memory_limit <= 0:
            raise InputError("time_limit (seconds) and memory_limit (bytes) must be positive.")
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.artifacts_path = None if artifacts_path is None else os.fspath(artifacts_path)
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[Any] = queue.Queue()
        self._files = 0

    def __enter__(self) -> Parser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def read(self, path: str | os.PathLike[str], *, source: str | None = None) -> Iterator[ParsedDocument | FileReport]:
        """Yield the documents of one file: one, or one for each record of a JSONL corpus.

        A record that is no document yields a :class:`FileReport` with its reason; the others go on.

        Parameters
        ----------
        path : path
        source : str, optional
            What the document calls itself and its id is made from; by default `path` as given, with ``/``.

        Raises
        ------
        NoTextError
            If the file has no text that could be read, so that OCR is the next step.
        InputError
            If it is missing, corrupt, encrypted, empty, of an unknown format or encoding, or over a limit.
        MissingDependencyError
            If the package that reads this format is not installed.
        """
        name = Path(path).as_posix() if source is None else source
        try:
            name.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(f"{name!a}: the file's name is not valid text. Rename the file.") from error
        form = format_of(path)
        require_file(path)
        if not os.path.isfile(path):
            raise InputError(f"{os.fspath(path)}: no such file. Check the path.")
        if os.path.getsize(path) == 0:
            raise InputError(f"{os.fspath(path)}: the file is empty (0 bytes). Replace or remove it.")
        if form == "jsonl":
            yield from read_records(path, source=name)
            return
        yield self._parse(os.fspath(path), name)

    def close(self) -> None:
        """End the worker process. A later read starts another one."""
        process, self._process = self._process, None
        if process is None:
            return
        _kill(process)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                # What is still buffered for a dead worker cannot be delivered.
                with contextlib.suppress(OSError):
                    stream.close()

    def _parse(self, path: str, source: str) -> ParsedDocument:
        try:
            return self._parse_with("docling-parse", path, source)
        except _CrashError:
            if not path.lower().endswith(".pdf"):
                raise
            return self._parse_with("pdfium", path, source)

    def _parse_with(self, engine: str, path: str, source: str) -> ParsedDocument:
        request = {
            "path": os.path.abspath(path),
            "source": source,
            "artifacts_path": self.artifacts_path,
            "engine": engine,
        }
        answered = False
        try:
            answer = self._ask(request, path)
            answered = True
        finally:
            # After a time-out, a crash or Ctrl-C the worker is in the middle of something: never speak to it again.
            if not answered:
                self.close()
        if answer.get("swollen") or self._files >= _FILES_A_WORKER:
            # Native memory is not given back; a fresh process is the only cure (docling#2788).
            self.close()
        if "error" in answer:
            raise _error(answer, os.path.abspath(path), path)
        return from_json(answer["document"])

    def _ask(self, request: dict[str, Any], path: str) -> dict[str, Any]:
        process = self._start()
        try:
            _pipe(process.stdin).write(json.dumps(request).encode("ascii") + b"\n")
            _pipe(process.stdin).flush()
        except OSError:
            return self._ended(process, path)
        self._files += 1
        deadline = time.monotonic() + self.time_limit
        while True:
            try:
                answer = self._answers.get(timeout=_POLL)
            except queue.Empty:
                if time.monotonic() > deadline:
                    raise InputError(
                        f"{path}: not parsed within {self.time_limit:g} s, so parsing was stopped. "
                        "Raise time_limit, or split the file."
                    ) from None
                continue
            if answer is _END:
                return self._ended(process, path)
            return dict(answer)

    def _ended(self, process: subprocess.Popen[bytes], path: str) -> dict[str, Any]:
        code = process.wait()
        cause = f"exit code {code}"
        if code < 0:
            with contextlib.suppress(ValueError):
                cause = signal.Signals(-code).name
        raise _CrashError(
            f"{path}: the parser crashed on this file ({cause}). It may be damaged, or need more memory than "
            f"memory_limit ({self.memory_limit / 2**30:.2g} GB). Re-save or print it to a new PDF and try again."
        )

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        answers: queue.Queue[Any] = queue.Queue()
        environment = dict(os.environ, PYTHONUTF8="1", HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TQDM_DISABLE="1")
        # The worker must import this very package, and nothing from the notebook's folder (-P).
        home = str(Path(__file__).resolve().parents[2])
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [home, environment.get("PYTHONPATH", "")]))
        # torch maps far more address space than it uses, so with layout models only the time limit holds.
        layout = self.artifacts_path or environment.get("DOCLING_ARTIFACTS_PATH")
        process = subprocess.Popen(  # noqa: S603 - this interpreter, with our own arguments
            [sys.executable, "-P", "-m", "aira_nb.ingest.worker", str(_NO_LIMIT if layout else self.memory_limit)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            # Own session or group: Ctrl-C belongs to the parent, which then kills the worker.
            start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        threading.Thread(target=_listen, args=(process, answers), name="aira-parser", daemon=True).start()
        self._process, self._answers, self._files = process, answers, 0
        return process


def read_file(
    path: str | os.PathLike[str],
    *,
    source: str | None = None,
    time_limit: float = TIME_LIMIT,
    memory_limit: int = MEMORY_LIMIT,
    artifacts_path: str | os.PathLike[str] | None = None,
) -> Iterator[ParsedDocument | FileReport]:
    """Yield the documents of one file; see :meth:`Parser.read`, which is the better choice for many files."""
    with Parser(time_limit=time_limit, memory_limit=memory_limit, artifacts_path=artifacts_path) as parser:
        yield from parser.read(path, source=source)


def _listen(process: subprocess.Popen[bytes], answers: queue.Queue[Any]) -> None:
    # A worker killed in the middle of a line leaves half of one: that is an end too.
    with contextlib.suppress(ValueError, OSError):
        for line in _pipe(process.stdout):
            answers.put(json.loads(line))
    answers.put(_END)


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:  # pragma: no cover - both ends were asked for
        raise ValueError("the worker has no pipe")
    return stream


def _kill(process: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _error(answer: dict[str, Any], absolute: str, path: str) -> Exception:
    """Return the worker's error with the path as the caller knows it."""
    message = str(answer["message"]).replace(absolute, path)
    if answer["error"] == "no_text":
        return NoTextError(message)
    if answer["error"] == "missing":
        return MissingDependencyError(answer["package"], extra=answer["extra"], purpose=answer["purpose"])
    return InputError(message if path in message else f"{path}: {message}")
