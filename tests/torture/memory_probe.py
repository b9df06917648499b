"""Ask one question with a memory limit, and print how much the resident memory of the process grew.

Run as ``python -m torture.memory_probe`` with a request in JSON on standard input.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import slidelab as sl
from slidelab.errors import PuzzleError
from torture.requests import ask

__all__ = ["main"]

MAX_ADDRESS_BYTES = 10_000_000_000
"""Address space of the process: what grows beyond must not take the machine down."""


def peak_memory() -> int:
    """Return the largest resident memory of this process so far, in bytes.

    `resource.getrusage` would count what the process that started this one had resident before ``exec``, so
    that is used only where the system has nothing better.
    """
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))


def main() -> None:
    """Read a request, ask it, and print the growth and the outcome as JSON."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY:  # a worker of the harness has set it already
        resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_BYTES, MAX_ADDRESS_BYTES))
    request = json.loads(sys.stdin.read())
    limits = request.pop("limits")
    warm_up = sl.puzzle("square R(2,2)")
    warm_up.solve("3 1 . 2", method="ida")
    warm_up.analyze()
    before = peak_memory()
    try:
        outcome = type(ask(request, **limits)).__name__
    except PuzzleError as error:
        outcome = f"{type(error).__name__}: {error}"
    print(json.dumps({"growth": peak_memory() - before, "outcome": outcome}))


if __name__ == "__main__":
    main()
