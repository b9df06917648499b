"""Shortest solutions by iterative deepening (IDA*) with pattern tables, for any rule."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from slidelab.errors import TooLarge, Unsolvable
from slidelab.puzzles import Configuration, Move
from slidelab.solutions import Solution

if TYPE_CHECKING:
    from slidelab.gains import Progress
    from slidelab.solve.patterns import Patterns

__all__ = ["GaveUp", "deepen"]


class GaveUp(TooLarge):
    """No solution was found in the time given; `at_least` moves are needed."""

    def __init__(self, start: Configuration, at_least: int) -> None:
        self.at_least = at_least
        super().__init__(f"no solution of {start.text} found in time; it needs at least {at_least} moves")


class _TimeUp(Exception):
    pass


def deepen(
    patterns: Patterns,
    start: Configuration,
    *,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """A shortest solution to the goal of the tables; `GaveUp` with a lower bound when time is up.

    >>> import slidelab as sl
    >>> from slidelab.solve.patterns import patterns
    >>> p = sl.puzzle("square R(3,3)")
    >>> deepen(patterns(p.goal), p.configuration("8 6 7 2 5 4 3 . 1")).length
    31
    """
    began = time.monotonic()
    at_least = patterns.estimate(start)
    if at_least is None:
        raise Unsolvable("some pieces can't come to their places")

    def tick(phase: str, bound: int, total: int) -> None:
        nonlocal at_least
        at_least = bound
        if seconds is not None and time.monotonic() - began > seconds:
            raise _TimeUp
        if progress:
            progress(f"bound {bound}", bound, 0)

    spots, goal = patterns.spots(start), patterns.spots(patterns.goal)
    try:
        steps, _, _ = patterns.core.solve(spots, goal, (1 << 64) - 1, tick)
    except _TimeUp:
        raise GaveUp(start, at_least) from None
    if steps is None:
        raise Unsolvable("all that can be reached was searched")
    return Solution(start, patterns.goal, _moves(patterns, start, steps), True, "ida")


def _moves(patterns: Patterns, start: Configuration, steps: list[tuple[int, int, int]]) -> tuple[Move, ...]:
    rule, placements = start.puzzle.rule, patterns.graph.placements
    kinds: dict[tuple[tuple[int, ...], tuple[int, ...]], str] = {}
    out = []
    for piece, before, after in steps:
        first, last = (
            rule.readings(placements[spot // rule.turns])[spot % rule.turns] for spot in (before, after)
        )
        if (first, last) not in kinds:
            kinds.update(
                {(step.before, step.after): step.kind for step in rule.steps(start.puzzle.board, first)}
            )
        out.append(Move(piece + 1, first, last, kinds[first, last]))
    return tuple(out)
