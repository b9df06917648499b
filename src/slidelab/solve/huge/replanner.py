"""Shorten solutions with several holes: plan the paths of a few pieces anew while all others keep theirs.

See docs/design/huge-boards.md.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

from slidelab.budget import Budget

if TYPE_CHECKING:
    from slidelab import _core

__all__ = ["replan"]

MAX_PIECES = 3
"""Pieces that are planned anew at a time; with more of them few trials succeed."""

MAX_WINDOW_MOVES = 8_000
"""Moves of a window, in which pieces keep where they begin and end; shorter solutions are cut in two."""

TRIALS_PER_MOVE = 10
"""Trials for each window of a round and each of its moves, at most."""

ROUND_TRIALS = 2_000
"""Trials of a round, divided among windows of full length: some hundredths of a second for a few windows."""

MIN_TRIALS = 30
"""Trials for each window however many there are."""

FIRST_TEMPERATURE = 2.0
"""Mean number of moves by which a longer solution is kept when a cycle begins; none when it ends."""

FIRST_CYCLE = 16
"""Rounds of the first cycle; each has twice as many as the one before it."""

MAX_ROW_BYTES = 64_000_000
"""Memory of each thread for distances on the empty board."""

GOLDEN_RATIO = 0.618_033_988_749_895
"""Part of a window by which those of the next round begin later, so that the cuts are evenly spread."""


def replan(core: _core.Shortener, budget: Budget, lower_bound: int = 0) -> None:
    """Shorten the moves in a shortener until time is up, they are as few as the bound, or nothing is gained.

    Parameters
    ----------
    core
        Gets the shortest moves that were found, also if the user stops it.
    budget
        With a deadline.
    lower_bound
        Of the moves.
    """
    from slidelab import _core

    seconds = budget.time_left
    if seconds is None:
        raise ValueError("expected a deadline")
    if len(core) <= lower_bound or seconds <= 0:
        return
    try:
        planner = core.replanner(budget.memory // 4)
    except _core.LimitReached:
        return
    with suppress(_core.LimitReached):
        try:
            _run(planner, budget, seconds, lower_bound)
        finally:
            if len(planner) < len(core):
                core.load(planner.moves())


def _run(planner: _core.Replanner, budget: Budget, seconds: float, lower_bound: int) -> None:
    """Work round by round, each with windows that are cut elsewhere."""
    row_bytes = min(MAX_ROW_BYTES, budget.memory // (4 * budget.threads))
    poll = budget.poll("replan")
    number = 0
    for cycle in count():
        before, rounds = len(planner), FIRST_CYCLE << cycle
        for done in range(rounds):
            left = budget.time_left or 0.0
            length = min(len(planner), MAX_WINDOW_MOVES)
            trials = max(MIN_TRIALS, ROUND_TRIALS * length // len(planner))
            number += 1
            finished = planner.run(
                length,
                int(number * GOLDEN_RATIO * length) % length,
                min(TRIALS_PER_MOVE * length, trials),
                MAX_PIECES,
                FIRST_TEMPERATURE * min(1 - done / rounds, left / seconds),
                number,
                row_bytes,
                budget.threads,
                poll,
            )
            if not finished or budget.expired or len(planner) <= lower_bound:
                return
        if len(planner) == before:
            return
