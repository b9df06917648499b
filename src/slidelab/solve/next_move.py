"""Hints: the next move of a shortest solution, or of the best one known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import TooLarge, Unsolvable
from slidelab.puzzles import Configuration, Move, Puzzle, read_move
from slidelab.reach.verdict import solvable
from slidelab.solve.solver import solve

if TYPE_CHECKING:
    from slidelab.puzzles import ConfigurationLike

__all__ = ["hint"]

HINT_SECONDS = 2.0
"""Default time for a hint."""

MOST_KEPT = 100_000

MOST_WORK = 1_000_000
"""Cells looked at to remember a way: on huge boards only its beginning is remembered."""


@lru_cache(maxsize=4)
def _plan(goal: Configuration) -> dict[Configuration, Move]:
    """The next move of each configuration on the ways to a goal that were found so far."""
    return {}


def hint(
    puzzle: Puzzle,
    configuration: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    budget: Budget | None = None,
) -> Move | None:
    """The next move towards the goal; None if it is reached. `Unsolvable` if it can't be.

    Who follows hints gets there: the way that one was taken from is remembered, and gone on with. It is a
    shortest one if that is found in the time given, else the best found.

    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> p.hint("1 2 3 4 5 6 7 . 8").text
    '8:8>7'
    >>> p.hint(p.goal) is None
    True
    """
    now = puzzle.configuration(configuration)
    last = puzzle.goal if goal is None else puzzle.configuration(goal)
    if now == last:
        return None
    plan = _plan(last)
    if now not in plan:
        moves = _way(puzzle, now, last, budget or Budget.of(time=HINT_SECONDS))
        if len(plan) > MOST_KEPT:
            plan.clear()
        at = now
        for move in moves[: max(1, MOST_WORK // puzzle.piece_count)]:
            plan[at] = move  # a way that comes by twice goes on from the last time
            at = at.play(move)
    return plan[now]


def _way(
    puzzle: Puzzle,
    start: Configuration,
    goal: Configuration,
    budget: Budget,
) -> Sequence[Move]:
    try:
        return solve(puzzle, start, goal, budget=budget).moves
    except TooLarge:
        # Far from the shortest, but it leads there.
        verdict = solvable(puzzle, start, goal)
        if not verdict:
            raise Unsolvable(verdict.reason) from None
        moves = verdict.certificate.get("moves")
        if not moves:
            raise
        return tuple(read_move(move) for move in moves)
