"""Commands that many processes of MPI answer together: `mpiexec -n 8 slidelab sweep ...`.

Process 0 reads the command, prints and writes; the others compute for it and read nothing. A command finds
them as an executor (`executor`), and is otherwise the same as alone.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any
from weakref import WeakSet

from slidelab.cli.output import DEFECT, DONE
from slidelab.cli.processes import connected
from slidelab.errors import NotationError

__all__ = ["executor", "run_together"]

_pool: _Pool | None = None


def executor(processes: int | None) -> Executor | None:
    """Return the other processes of MPI as an executor, None if this process was started alone."""
    if _pool is not None and processes is not None:
        raise NotationError(
            f"expected mpiexec -n to say how many processes, got also --processes {processes}"
        )
    return _pool


def run_together(command: Callable[[], int]) -> int:
    """Run a command and return its exit code; with others of MPI, compute for process 0 instead."""
    global _pool
    comm = connected()
    if comm is None:
        return command()
    if isinstance(comm, int):
        return comm
    from mpi4py.futures import MPICommExecutor

    if comm.rank != 0:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # process 0 ends the others
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with MPICommExecutor(comm, root=0) as workers:
        if workers is None:
            return DONE
        _pool = _Pool(workers)
        try:
            code = command()
        except SystemExit as stop:  # by SIGTERM
            code = stop.code if isinstance(stop.code, int) else DEFECT
        stuck, _pool = _pool.busy, None
        if stuck:  # after Ctrl-C or an error: what they compute may take hours and is not wanted
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError, AttributeError):
                    stream.flush()
            comm.Abort(code)
    return code


class _Pool(Executor):
    """An executor that knows whether any of its calls is still running."""

    def __init__(self, workers: Any) -> None:
        self._workers = workers
        self._futures: WeakSet[Future[Any]] = WeakSet()

    @property
    def num_workers(self) -> int:
        return int(self._workers.num_workers)

    @property
    def busy(self) -> bool:
        return any(future.running() for future in self._futures)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = self._workers.submit(fn, *args, **kwargs)
        self._futures.add(future)
        return future
