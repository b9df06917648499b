"""Commands of several processes of MPI: `mpiexec -n 8 slidelab god ...`.

Every process reads the command `god` and takes part in the search. Only process 0 prints; the others are
silent unless one of them fails alone, for example because its disk is full. Commands that one process answers
are run by process 0 alone.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from array import array
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.cli.output import BAD_INPUT, DEFECT, DONE, print_error
from slidelab.errors import PuzzleError
from slidelab.mpi import is_launched, launch, local_processes, world

if TYPE_CHECKING:
    from mpi4py.MPI import Intracomm

    from slidelab.cli.options import SearchLimits
    from slidelab.distance.world import World

__all__ = ["connected", "run_alike", "run_first", "together"]

WAIT_SECONDS = 0.01
"""Seconds between two looks at whether another process is done."""

PATIENCE = 5.0
"""Seconds for which a process that failed waits for the others to fail, and for its message to be read."""


def together(budget: Budget, limits: SearchLimits) -> tuple[World | None, Budget]:
    """Return the processes that search together, None for one without a launcher, and the budget of each."""
    found = launch()
    if found is None:
        from slidelab.distance.world import Alone

        return Alone() if is_launched() else None, budget
    from slidelab.distance.mpi_world import MpiWorld

    here = local_processes() or 1
    if limits.threads is None:
        budget = replace(budget, threads=max(1, budget.threads // here))
    if limits.memory is None:
        budget = replace(budget, memory=budget.memory // here)
    return MpiWorld(world(found)), budget


def connected() -> Intracomm | int | None:
    """Return the communicator of all processes, None for one alone, an exit code if they are not joined."""
    found = launch()
    if found is None:
        return None
    try:
        return world(found)
    except PuzzleError as error:
        return print_error(str(error), BAD_INPUT) if found.rank == 0 else BAD_INPUT


def run_alike(command: Callable[[], int]) -> int:
    """Run a command in all processes and return its exit code; end them all if one of them fails alone."""
    comm = connected()
    if comm is None:
        return command()
    if isinstance(comm, int):
        return comm
    if comm.rank == 0:
        code = command()
        output = errors = StringIO()
    else:
        output, errors = StringIO(), StringIO()
        with redirect_stdout(output), redirect_stderr(errors):
            code = command()
    if not _all_end(comm.Ibarrier(), code):
        sys.stdout.write(output.getvalue())  # with --json the error is there
        sys.stderr.write(errors.getvalue())
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            _wait_until_read(stream.fileno())
        comm.Abort(code)
        os._exit(code)  # Abort may return
    return code


def run_first(command: Callable[[], int]) -> int:
    """Run a command in process 0 alone, and return its exit code in all processes."""
    comm = connected()
    if comm is None:
        return command()
    if isinstance(comm, int):
        return comm
    code = [DEFECT]
    if comm.rank == 0:
        try:
            code = [command()]
        except SystemExit as stop:  # by SIGTERM
            code = [stop.code if isinstance(stop.code, int) else DEFECT]
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # process 0 ends the others
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    told = array("i", code)
    request = comm.Ibcast(told)
    while not request.Test():
        time.sleep(WAIT_SECONDS)
    return told[0]


def _all_end(request: Any, code: int) -> bool:
    """Wait for the others; return False if this process failed and they still work."""
    begin = time.monotonic()
    while not request.Test():
        if code != DONE and time.monotonic() - begin > PATIENCE:
            return False
        time.sleep(0.001)
    return True


def _wait_until_read(pipe: int) -> None:
    """Wait until the launcher has read what was written to a pipe: it drops the rest after an abort."""
    import fcntl
    import struct
    import termios

    begin = time.monotonic()
    with suppress(OSError):  # not a pipe
        while struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]:
            if time.monotonic() - begin > PATIENCE:
                return
            time.sleep(0.001)
