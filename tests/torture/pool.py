"""Worker processes that run cases, each with a hard time-out; a hang or a crash ends only its own case."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from torture.case import Kind, Report, run_case
from torture.kinds import KINDS
from torture.kinds.selftest import SELF_TESTS

__all__ = ["run_cases"]

CASES_PER_WORKER = 40
"""Cases after which a worker is replaced, so that caches do not grow for an hour."""

MAX_ADDRESS_BYTES = 10_000_000_000
"""Address space of a worker, so that a case without a memory limit does not take the machine down."""

DUMP_SECONDS = 3.0
"""Seconds before the hard time-out at which a worker writes where it is."""

GRACE_SECONDS = 60.0
"""Seconds that running cases get at the end; what still runs then is not counted."""

IDLE_SHARE = 0.02
"""Part of the time that a hanging case at least computes, unless it waits for something forever."""

_BEGUN = "begun"

_spawn = multiprocessing.get_context("spawn")


@dataclass(slots=True)
class _Worker:
    """A worker process and the case that it runs."""

    process: BaseProcess
    pipe: Connection
    errors: Path
    cases: int = 0
    kind: Kind | None = None
    seed: int = 0
    begun: float = 0.0
    cpu: float = 0.0
    doing: str = field(default="")

    def start(self, kind: Kind, seed: int) -> None:
        """Begin a case."""
        self.kind, self.seed, self.begun, self.doing = kind, seed, time.monotonic(), "starting"
        self.cases += 1
        self.pipe.send((kind.name, seed))

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    def kill(self) -> None:
        """End the worker and all that it started, which are in its session."""
        for pid in _session(self.process.pid or 0):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _work(pipe: Connection, errors: str) -> None:
    """Run cases until the pipe ends: what a worker process does."""
    os.setsid()
    output = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(output, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_BYTES, MAX_ADDRESS_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    with suppress(EOFError):
        while True:
            name, seed = pipe.recv()
            kind = (KINDS | SELF_TESTS)[name]
            pipe.send(_BEGUN)
            os.ftruncate(output, 0)
            faulthandler.dump_traceback_later(kind.hard_seconds - DUMP_SECONDS)
            report = run_case(kind, seed, pipe.send)
            faulthandler.cancel_dump_traceback_later()
            pipe.send(report)


def run_cases(
    draw: Callable[[], tuple[Kind, int] | None], workers: int, deadline: float
) -> Iterator[Report | None]:
    """Run cases in worker processes and yield their reports; None about once a second, for a live line.

    Parameters
    ----------
    draw
        Returns the next kind and seed, or None if there are no more.
    workers
        Number of processes.
    deadline
        On the clock of `time.monotonic`: no case is begun later.
    """
    with tempfile.TemporaryDirectory(prefix="torture-workers-") as folder:
        pool = [_hire(Path(folder), number) for number in range(workers)]
        try:
            yield from _run(pool, draw, deadline, Path(folder))
        finally:
            for worker in pool:
                worker.kill()


def _hire(folder: Path, number: int) -> _Worker:
    here, there = _spawn.Pipe()
    errors = folder / f"worker-{number}"
    process = _spawn.Process(target=_work, args=(there, str(errors)))
    process.start()
    there.close()
    return _Worker(process, here, errors)


def _run(
    pool: list[_Worker], draw: Callable[[], tuple[Kind, int] | None], deadline: float, folder: Path
) -> Iterator[Report | None]:
    finished = False
    while True:
        for number, worker in enumerate(pool):
            if worker.kind is not None:
                continue
            drawn = None if finished or time.monotonic() >= deadline else draw()
            if drawn is None:
                finished = True
                continue
            if worker.cases >= CASES_PER_WORKER or not worker.process.is_alive():
                worker.kill()
                worker = pool[number] = _hire(folder, number)
            worker.start(*drawn)
        busy = [worker for worker in pool if worker.kind is not None]
        if not busy or time.monotonic() > deadline + GRACE_SECONDS:
            return
        ready = wait([worker.pipe for worker in busy], timeout=1.0)
        for worker in busy:
            report = _receive(worker) if worker.pipe in ready else _stop_late(worker)
            if report is not None:
                worker.kind = None
                yield report
        yield None


def _receive(worker: _Worker) -> Report | None:
    """Read what a worker sent; the report of its case if that has ended."""
    try:
        while worker.pipe.poll():
            message = worker.pipe.recv()
            if isinstance(message, Report):
                return message
            worker.doing = str(message)
            if message == _BEGUN:  # the worker has started: only now its time counts
                worker.begun, worker.cpu = time.monotonic(), _cpu_seconds(worker.process.pid or 0)
    except (EOFError, ConnectionError):
        worker.process.join(5)
        code = worker.process.exitcode
        name = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
        return _ended(worker, f"{worker.doing}: the process ended by {name}; {_where(worker.errors)}")
    return None


def _stop_late(worker: _Worker) -> Report | None:
    """Stop a case that is beyond its hard time-out: a failure if it only waits, or has limits of its own."""
    kind = worker.kind
    if kind is None or worker.seconds < kind.hard_seconds:
        return None
    seconds, busy = worker.seconds, _cpu_seconds(worker.process.pid or 0) - worker.cpu
    doing = f"{worker.doing}: stopped after {seconds:.0f} s; {_where(worker.errors)}"
    worker.kill()
    if kind.limited or busy < IDLE_SHARE * seconds:
        return _ended(worker, doing)
    report = _ended(worker, None)
    report.timed_out = " ".join(doing.split())
    return report


def _ended(worker: _Worker, failure: str | None) -> Report:
    """Return the report of a case whose worker is gone."""
    assert worker.kind is not None
    failures = [] if failure is None else [" ".join(failure.split())]
    return Report(worker.kind.name, worker.seed, 1, failures, seconds=worker.seconds)


def _where(errors: Path) -> str:
    """Return the innermost line of slidelab in what `faulthandler` wrote."""
    text = errors.read_text(errors="replace") if errors.exists() else ""
    lines = [line.strip() for line in text.splitlines() if line.lstrip().startswith("File ")]
    own = [line for line in lines if "slidelab/" in line] or lines
    return own[0].partition("slidelab/")[2] or own[0] if own else "no traceback"


def _session(leader: int) -> list[int]:
    """Return the processes of a session, without its leader."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.getsid(int(entry.name)) == leader and int(entry.name) != leader:
                found.append(int(entry.name))
    return found


def _cpu_seconds(leader: int) -> float:
    """Return the processor time of a session, with that of its ended processes."""
    if not sys.platform.startswith("linux"):
        return float("inf")
    ticks = 0
    for pid in [leader, *_session(leader)]:
        with suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")
