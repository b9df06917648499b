"""Cases that crash, wait, never end or fail, to test the harness itself."""

from __future__ import annotations

import os
import signal
import time

from torture.case import Case, Kind

__all__ = ["SELF_TESTS"]

HARD_SECONDS = 4.0
"""Long enough for the note of where a case hangs, which is written three seconds before."""


def _crash(case: Case) -> None:
    case.about("about to crash")
    os.kill(os.getpid(), signal.SIGSEGV)


def _wait(case: Case) -> None:
    case.about("about to wait")
    time.sleep(3600)


def _compute(case: Case) -> None:
    case.about("about to compute")
    while True:
        pass


def _fail(case: Case) -> None:
    case.about("one and one")
    case.same(1 + 1, 3, "sum")


SELF_TESTS: dict[str, Kind] = {
    "crash": Kind("crash", _crash, HARD_SECONDS),
    "wait": Kind("wait", _wait, HARD_SECONDS),
    "compute": Kind("compute", _compute, HARD_SECONDS),
    "fail": Kind("fail", _fail, HARD_SECONDS),
}
"""Kinds that are not drawn in a run."""
