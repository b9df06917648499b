"""Time limits: every question ends soon after its limit, and what it returns is right."""

from __future__ import annotations

import slidelab as sl
from slidelab.errors import NotationError, PuzzleError
from torture.case import Case
from torture.options import CONSTRUCTIVE
from torture.oracle import replay
from torture.requests import LIMIT_ERRORS, ask, draw_request, prepare

__all__ = ["run"]

MAX_OVERRUN_SECONDS = 10.0
"""Seconds beyond a limit that are a failure, even on a busy machine; the table has all overruns."""

REQUESTS = 4
"""Questions of each case."""


def run(case: Case) -> None:
    """Ask questions with random time limits."""
    for _ in range(REQUESTS):
        request, made = draw_request(case.rng)
        limit = round(10 ** case.rng.uniform(-2.5, 0.5), 3)
        subject = {**request, "puzzle": f"{request['puzzle']:.100}", "time": limit}
        case.about(f"{subject}")
        if not prepare(request):
            continue
        allowed: tuple[type[Exception], ...] = LIMIT_ERRORS
        if request.get("method") in CONSTRUCTIVE:
            allowed = (PuzzleError,)
        elif request["question"] in ("god", "distances", "shuffle", "solve", "solvable"):
            allowed = (*LIMIT_ERRORS, NotationError)  # where the pieces of the goal do not fit
        threads = case.rng.choice([None, 1, 2])
        with case.attempt(f"time={limit}", *allowed):
            with case.timed(limit):
                found = ask(request, time=limit, threads=threads)
            if isinstance(found, sl.Solution):
                wrong = replay(made, found.start, found.goal, found.moves)
                case.check(not wrong, wrong)
        beyond = case.report.overruns[-1][1]
        case.check(beyond < MAX_OVERRUN_SECONDS, f"{beyond:.1f} s beyond the limit of {limit} s")
