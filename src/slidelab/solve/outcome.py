"""What searches of the core find, each with the clock that stops it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slidelab.puzzles import Configuration, Solution

if TYPE_CHECKING:
    from slidelab.gains import Progress
    from slidelab.solve.guide import Guide

__all__ = ["Clock", "Outcome", "TimeUp", "best_first", "deepen", "two_sided"]

NEVER = (1 << 64) - 1
ANY_LENGTH = (1 << 32) - 1


class TimeUp(Exception):
    """While something was being made that a search needs."""


class Clock:
    """Tells when time is up, and shows progress meanwhile.

    >>> Clock(None).left is None, Clock(0).is_up
    (True, True)
    """

    def __init__(self, seconds: float | None, progress: Progress | None = None) -> None:
        self.end = None if seconds is None else time.monotonic() + seconds
        self.progress = progress

    @property
    def left(self) -> float | None:
        """Seconds left, None if there is no end to it."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    @property
    def is_up(self) -> bool:
        return self.left is not None and self.left <= 0

    def within(self, seconds: float) -> Clock:
        """A clock for a part of the work."""
        left = self.left
        return Clock(seconds if left is None else min(seconds, left), self.progress)

    def heard(self, phase: str, done: int, total: int) -> None:
        """Progress of what can't be told to stop: `TimeUp` ends it."""
        if self.progress:
            self.progress(phase, done, total)
        if self.is_up:
            raise TimeUp

    def tick(self, name: Callable[[int], str]) -> Callable[[str, int, int], bool]:
        """For the core: is time up?"""

        def heard(_: str, done: int, total: int) -> bool:
            if self.progress:
                self.progress(name(total), done, 0)
            return self.is_up

        return heard


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found: a solution or none, and how many moves every solution has at least."""

    solution: Solution | None
    nodes: int
    at_least: int
    finished: bool


def _outcome(
    guide: Guide, start: Configuration, found: tuple[Any, ...], method: str, hundredths: int = 100
) -> Outcome:
    steps, nodes, at_least, finished = found
    if steps is None:
        return Outcome(None, nodes, at_least, finished)
    moves = guide.moves(start, steps)
    # A solution at most w times too long is itself a bound.
    at_least = min(len(moves), max(at_least, -(-len(moves) * 100 // hundredths)))
    optimal = at_least == len(moves)
    solution = Solution(start, guide.goal, moves, optimal, method, at_least=at_least, nodes=nodes)
    return Outcome(solution, nodes, at_least, finished)


def deepen(
    guide: Guide,
    start: Configuration,
    clock: Clock | None = None,
    *,
    at_least: int = 0,
    below: int | None = None,
) -> Outcome:
    """Iterative deepening (IDA*): a shortest solution, if it is shorter than `below`.

    >>> import slidelab as sl
    >>> from slidelab.solve.guide import guide
    >>> p = sl.puzzle("square R(3,3)")
    >>> deepen(guide(p.goal), p.configuration("8 6 7 2 5 4 3 . 1")).solution.length
    31
    """
    shape, marks = guide.situation(start)
    tick = (clock or Clock(None)).tick(lambda bound: f"bound {bound}")
    found = guide.searches.deepen(
        guide.estimate, shape, marks, at_least, ANY_LENGTH if below is None else below, NEVER, tick
    )
    return _outcome(guide, start, found, "ida")


def best_first(
    guide: Guide,
    start: Configuration,
    clock: Clock | None = None,
    *,
    weight: float = 1.0,
    below: int | None = None,
    memory: int = 1_000_000_000,
    most_nodes: int = NEVER,
) -> Outcome:
    """A*, or weighted A*: the solution has at most `weight` times as many moves as a shortest one.

    >>> import slidelab as sl
    >>> from slidelab.solve.guide import guide
    >>> p = sl.puzzle("square R(3,3)")
    >>> start = p.configuration("8 6 7 2 5 4 3 . 1")
    >>> best_first(guide(p.goal), start).solution.length
    31
    >>> near = best_first(guide(p.goal), start, weight=1.5)
    >>> near.solution.length <= 1.5 * 31, near.at_least <= 31
    (True, True)
    """
    shape, marks = guide.situation(start)
    hundredths = int(weight * 100 + 1e-9)  # rounded down: the promise is kept
    tick = (clock or Clock(None)).tick(lambda _: "states ")
    found = guide.searches.best_first(
        guide.estimate,
        shape,
        marks,
        hundredths,
        ANY_LENGTH if below is None else below,
        memory,
        most_nodes,
        tick,
    )
    return _outcome(guide, start, found, "astar" if hundredths == 100 else "weighted", hundredths)


def two_sided(
    guide: Guide,
    start: Configuration,
    clock: Clock | None = None,
    *,
    memory: int = 1_000_000_000,
    most_nodes: int = NEVER,
    both: bool = True,
) -> Outcome:
    """Breadth-first search from both ends: a shortest solution, without any tables.

    With `both` false from the start alone, which takes far longer: for comparison.

    >>> import slidelab as sl
    >>> from slidelab.solve.guide import guide
    >>> p = sl.puzzle("square R(3,3)")
    >>> two_sided(guide(p.goal), p.configuration("8 6 7 2 5 4 3 . 1")).solution.length
    31
    """
    tick = (clock or Clock(None)).tick(lambda _: "states ")
    found = guide.searches.two_sided(
        *guide.situation(start), *guide.situation(guide.goal), memory, most_nodes, both, tick
    )
    return _outcome(guide, start, found, "bidirectional")
