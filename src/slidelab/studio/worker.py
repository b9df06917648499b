"""A worker: a process that answers one call after another, read from standard input.

It ends when its standard input does, so it never outlives the server, whatever kills that. A thread reads the
input while the main thread computes; the core releases the interpreter lock, so a cancelled call is noticed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from shutil import rmtree
from typing import Any, BinaryIO

import msgspec

from slidelab.budget import Budget
from slidelab.errors import OutOfTime, TooLarge
from slidelab.studio.protocol import (
    HEADER_BYTES,
    Call,
    FileAnswer,
    Refusal,
    Reply,
    encode,
    error_refusal,
    to_json,
)

__all__ = ["main"]

_FOLDER_NAME = "slidelab-studio-"
"""How the name of the folder begins that the server made for this process."""

PROGRESS_SECONDS = 0.1
"""Time between two reports of progress."""

Reporter = Callable[[str, Any], None]
"""Called with the name of an event and its data, which becomes JSON."""


class Worker:
    """Reads calls, runs tasks and writes replies."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self._source, self._target = source, target
        self._calls: SimpleQueue[Call] = SimpleQueue()
        self._cancelled: dict[int, threading.Event] = {}
        self._lock = threading.Lock()

    def run(self, niceness: int = 0) -> None:
        """Answer calls until the process ends; others are preferred by `niceness` once it has started."""
        threading.Thread(target=self._read, daemon=True).start()
        _warm_up()
        os.nice(niceness)
        self._send(Reply(0, "result", b"null", resident_bytes=resident_bytes()))
        while True:
            call = self._calls.get()
            self._send(Reply(call.number, "begun", b"null"))
            self._send(self._answer(call, self._cancelled[call.number]))
            del self._cancelled[call.number]

    def _read(self) -> None:
        """Queue calls and pass cancellations on; end the process at the end of the input."""
        decoder = msgspec.msgpack.Decoder(Call)
        while True:
            header = self._source.read(HEADER_BYTES)
            body = self._source.read(int.from_bytes(header, "big")) if len(header) == HEADER_BYTES else b""
            if not body:
                _end()
            call = decoder.decode(body)
            if call.task:
                self._cancelled[call.number] = threading.Event()
                self._calls.put(call)
            elif cancelled := self._cancelled.get(call.number):
                cancelled.set()

    def _send(self, reply: Reply) -> None:
        with self._lock:
            try:
                self._target.write(encode(reply))
                self._target.flush()
            except OSError:
                _end()  # the server is gone

    def _answer(self, call: Call, cancelled: threading.Event) -> Reply:
        """Return the last event of a call."""
        _limit_memory(call.memory)
        _limit_files(MAX_FILM_BYTES if call.task in WRITING_TASKS else 0)
        media_type = ""
        try:
            answer = self._run(call, cancelled)
            event, data = "result", answer
            if isinstance(answer, FileAnswer):
                event, data, media_type = "file", answer.content, answer.media_type
            else:
                data = to_json(answer)
        except Exception as error:
            event, data = "error", msgspec.json.encode(_refusal(error))
        return Reply(call.number, event, data, media_type, resident_bytes())

    def _run(self, call: Call, cancelled: threading.Event) -> Any:
        from slidelab.studio.registry import TASKS

        last = 0.0

        def report(event: str, data: Any) -> None:
            self._send(Reply(call.number, event, to_json(data)))

        def progress(text: str, done: int, total: int) -> None:
            nonlocal last
            if (now := time.monotonic()) - last >= PROGRESS_SECONDS:
                last = now
                report("progress", {"text": text, "done": done, "total": total})

        budget = Budget(
            deadline=time.monotonic() + call.seconds,
            memory=call.memory,
            threads=call.threads,
            progress=progress if call.reports else None,
            cancelled=cancelled,
        )
        return TASKS[call.task](call, budget, report)


def _end() -> None:
    """Remove temporary files and end the process, whatever its main thread does."""
    if _FOLDER_NAME in (folder := os.environ.get("TMPDIR", "")):
        rmtree(folder, ignore_errors=True)
    os._exit(0)


def _refusal(error: Exception) -> Refusal:
    """Return what is said about an error; a defect is printed for the person who runs the server."""
    found = error_refusal(error)
    if found is not None:
        return found
    if os.environ.get("SLIDELAB_DEBUG"):
        from traceback import print_exception

        print_exception(error)
    return Refusal(f"internal error ({type(error).__name__}); please report it", 4, 500)


def _warm_up() -> None:
    """Import what most calls need, so that their time is not spent on it."""
    from slidelab.studio.registry import warm_up

    with suppress(OutOfTime, TooLarge):
        warm_up()


def resident_bytes() -> int:
    """Return the memory of this process; 0 where it is not known."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


DATA_SLACK = 300_000_000
"""Bytes beyond the limit of a call that the system grants: stacks of threads and what the Budget does not
count. The Budget refuses large things with a message; this limit is for what escapes it."""


def _limit_memory(memory: int) -> None:
    """Let the system refuse memory beyond what the process has now, the limit of a call and some slack."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_DATA, getrlimit, setrlimit
    except ImportError:  # not a Unix
        return
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/self/status").read_text().splitlines()
        used = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData"))
        hard = getrlimit(RLIMIT_DATA)[1]
        most = used + memory + DATA_SLACK
        setrlimit(RLIMIT_DATA, (most if hard == RLIM_INFINITY else min(most, hard), hard))


WRITING_TASKS = ("export",)
"""Tasks that need temporary files."""

MAX_FILM_BYTES = 200_000_000
"""Size of the largest temporary file."""


def _limit_files(size: int) -> None:
    """Let the system refuse files longer than this.

    What strangers ask for must not fill the disk: searches would save large pattern databases in the user's
    cache. They go on without saving them.
    """
    with suppress(ImportError, OSError, ValueError):
        from resource import RLIMIT_FSIZE, getrlimit, setrlimit

        setrlimit(RLIMIT_FSIZE, (size, getrlimit(RLIMIT_FSIZE)[1]))


def main() -> None:
    """Run a worker on standard input and output; what libraries print goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when workers end
    sys.set_int_max_str_digits(0)  # orders of groups have thousands of digits
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    Worker(sys.stdin.buffer, target).run(int(sys.argv[1]) if len(sys.argv) > 1 else 0)


if __name__ == "__main__":
    main()
