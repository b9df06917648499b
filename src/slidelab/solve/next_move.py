"""Hints: the next move of a shortest solution, or of the best one known."""

from __future__ import annotations

from functools import lru_cache

from slidelab.budget import Budget
from slidelab.errors import GaveUp, TooLarge, Unsolvable
from slidelab.puzzles import Configuration, ConfigurationLike, Move, Puzzle, Solution, read_move
from slidelab.reach.route import find_route
from slidelab.reach.verdict import solvable
from slidelab.solve.solver import solve

__all__ = ["hint", "hint_solution"]

HINT_SECONDS = 2.0
"""Default time for a hint."""

MAX_CACHED_MOVES = 100_000
"""Moves cached for one goal."""

MAX_CACHED_CELLS = 200_000
"""Pieces times moves of a solution that are cached: of huge boards only its beginning."""


@lru_cache(maxsize=4)
def _next_moves(goal: Configuration) -> dict[Configuration, Move]:
    """Return the cache of next moves on the solutions to a goal that were found so far."""
    return {}


def hint(
    puzzle: Puzzle,
    configuration: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    budget: Budget | None = None,
) -> Move | None:
    """Return the next move towards the goal, or None if it is reached.

    Following hints leads to the goal: the solution that a hint was taken from is cached. It is a shortest
    one if that is found in time, else the best one found.

    Parameters, result and errors are those of `slidelab.Puzzle.hint`.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> hint(p, "1 2 3 4 5 6 7 . 8").text
    '8:8>7'
    >>> hint(p, p.goal) is None
    True
    """
    start = puzzle.configuration(configuration)
    last = puzzle.goal if goal is None else puzzle.configuration(goal)
    if start == last:
        return None
    cached = _next_moves(last)
    if start not in cached:
        moves = hint_solution(start, last, budget or Budget.of(time=HINT_SECONDS)).moves
        if len(cached) > MAX_CACHED_MOVES:
            cached.clear()
        here = start
        for move in moves[: max(1, MAX_CACHED_CELLS // puzzle.piece_count)]:
            cached[here] = move  # a configuration that is passed twice goes on from the last time
            here = here.play(move)
    return cached[start]


def hint_solution(start: Configuration, goal: Configuration, budget: Budget) -> Solution:
    """Return the solution from which a hint is taken: a shortest one, the best one found, or any.

    Raises
    ------
    Unsolvable
        If no sequence of moves leads to the goal.
    TooLarge
        If no solution was found.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(2,2)")
    >>> hint_solution(p.configuration("3 1 . 2"), p.goal, Budget()).optimal
    True
    """
    puzzle = start.puzzle
    try:
        return solve(puzzle, start, goal, budget=budget)
    except TooLarge as error:
        # Far from a shortest solution, but one. Without a deadline, where it takes less than a second.
        if find_route(puzzle, budget).name != "gain graph" or budget.cancelled is not None:
            raise
        limits = None if isinstance(error, GaveUp) else budget
        verdict = solvable(puzzle, start, goal, budget=limits)
        if not verdict:
            raise Unsolvable(verdict.reason) from None
        moves = verdict.certificate.get("moves")
        if not moves:
            raise
        return Solution(start, goal, tuple(read_move(move) for move in moves))
