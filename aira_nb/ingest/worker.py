"""Parsing in a child process that can be stopped: the child's side (``python -m aira_nb.ingest.worker BYTES``).

Requests and answers are one JSON object a line on the standard streams. The process ends at the end of its input.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
from typing import Any, BinaryIO

from aira_nb.errors import InputError, MissingDependencyError
from aira_nb.ingest.records import NoTextError
from aira_nb.ingest.wire import to_json

__all__ = ["main"]


_NO_LIMIT = 2**62


def main() -> None:
    """Answer requests until the input ends."""
    limit = int(sys.argv[1])
    # Native libraries print: their standard output must not be the channel.
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _limit_memory(limit)
    sys.addaudithook(_refuse_network)
    requests: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, requests), daemon=True).start()
    while True:
        answer = _answer(json.loads(requests.get()))
        answer["swollen"] = answer.get("swollen", False) or _peak_memory() > limit / 2
        channel.write(json.dumps(answer).encode("ascii") + b"\n")
        channel.flush()


def _receive(stream: BinaryIO, requests: queue.Queue[bytes]) -> None:
    for line in stream:
        requests.put(line)
    # The parent is gone, perhaps killed: nobody wants what is being parsed.
    os._exit(0)


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    from aira_nb.ingest.parse import parse

    path = request["path"]
    try:
        parsed = parse(
            path, source=request["source"], artifacts_path=request["artifacts_path"], engine=request["engine"]
        )
        return {"document": to_json(parsed)}
    except NoTextError as error:
        return {"error": "no_text", "message": str(error)}
    except MissingDependencyError as error:
        purpose = str(error).partition(" needs the package")[0]
        return {
            "error": "missing",
            "message": str(error),
            "package": error.package,
            "extra": error.extra,
            "purpose": purpose,
        }
    except InputError as error:
        return {"error": "input", "message": str(error)}
    except MemoryError:
        return _out_of_memory(path)
    except Exception as error:
        # other files go on; the error's type and text are all that is known about it.
        if "failed to map segment" in str(error) or "annot allocate memory" in str(error):
            return _out_of_memory(path)
        cause = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return {
            "error": "input",
            "message": f"{path}: cannot be parsed ({cause[:500].rstrip('.')}). Re-save it and try again.",
        }


def _out_of_memory(path: str) -> dict[str, Any]:
    message = f"{path}: parsing it needs more memory than the limit. Raise memory_limit, or split the file."
    return {"error": "input", "message": message, "swollen": True}


def _limit_memory(limit: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit; the parent's time limit still holds.
        return
    if limit == _NO_LIMIT:
        return
    # macOS refuses or ignores it, and a limit below the current hard one cannot be raised.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _peak_memory() -> int:
    """Return the largest resident size so far in bytes; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _refuse_network(event: str, arguments: tuple[Any, ...]) -> None:
    """Documents are hostile: whatever one refers to, nothing is fetched."""
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname"):
        raise PermissionError("a document may not open network connections")


if __name__ == "__main__":
    main()
