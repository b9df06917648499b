"""Solving: the shortest way from a start to a goal.

A puzzle whose configurations can all be listed is solved from the table of all distances. Larger ones
are solved by iterative deepening with pattern tables. Either way the solution is a shortest one, and
known to be.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypedDict

from slidelab.distance.bounds import TooManyStates
from slidelab.distance.search import Means
from slidelab.distance.table import distance_table
from slidelab.errors import NotationError, TooLarge, Unsolvable
from slidelab.gains import Limits, Progress
from slidelab.puzzles import Configuration, Puzzle
from slidelab.solutions import Solution
from slidelab.solve.deepening import GaveUp, deepen
from slidelab.solve.patterns import patterns

if TYPE_CHECKING:
    from slidelab.notation import ConfigurationLike

__all__ = ["METHODS", "solve"]

METHODS = ("auto", "table", "ida")

SMALL_TABLE = 500_000_000
"""A table of so many bytes is made at once: a second or two of work."""

FIRST_TRY = 5.0
"""Seconds for iterative deepening before a larger table is made, if there is memory for it."""


class _Options(TypedDict):
    limits: Limits | None
    progress: Progress | None


def solve(
    puzzle: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    method: str = "auto",
    metric: str = "single",
    seconds: float | None = None,
    limits: Limits | None = None,
    means: Means | None = None,
    progress: Progress | None = None,
) -> Solution:
    """A shortest solution; `Unsolvable` with the reason if there is none, `TooLarge` if it can't be found.

    Parameters
    ----------
    method : str
        `table` (all distances), `ida` (iterative deepening with pattern tables), or `auto`: a table
        if it is small, else iterative deepening, and after five seconds of that a large table if
        there is memory for it.
    metric : str
        `single`, or `straight` to count a straight row of tiles pushed at once as one move (by table only).
    seconds : float, optional
        Give up after about so long, with a lower bound; making a table is not cut short.

    >>> import slidelab as sl
    >>> solve(sl.puzzle("square R(3,3)"), "8 6 7 2 5 4 3 . 1").length
    31
    >>> solve(sl.puzzle("square R(4,4)"), "5 1 3 4 2 6 7 8 9 10 11 12 13 . 14 15").method
    'ida'
    >>> solve(sl.puzzle("square R(3,3)"), "2 1 3 4 5 6 7 8 .")
    Traceback (most recent call last):
    slidelab.errors.Unsolvable: the tiles would need an odd permutation, and every loop here is even
    """
    if method not in METHODS:
        raise NotationError(f"expected auto, table or ida as a method, got {method!r:.40}")
    if seconds is not None and not seconds >= 0:
        raise NotationError(f"expected a time in seconds, got {seconds!r:.40}")
    first = puzzle.configuration(start)
    last = puzzle.goal if goal is None else puzzle.configuration(goal)
    if not (verdict := puzzle.solvable(first, last, limits=limits)):
        raise Unsolvable(verdict.reason)
    means = means or Means()
    options: _Options = {"limits": limits, "progress": progress}
    only_table = metric != "single" or puzzle.colours is not None
    if method == "ida" and only_table:
        raise NotationError("expected numbered pieces and single moves for iterative deepening")
    if method == "table" or only_table:
        return _by_table(first, last, metric, means, **options)
    end = None if seconds is None else time.monotonic() + seconds
    large = 0  # bytes of a table that is not small
    if method == "auto":
        try:
            small = Means(min(means.bytes, SMALL_TABLE), means.threads)
            return _by_table(first, last, metric, small, **options)
        except TooManyStates as error:
            large = error.needs
    tables = patterns(last, means=means, **options)
    left = None if end is None else max(0.0, end - time.monotonic())
    fits = 0 < large <= means.bytes and (left is None or left > FIRST_TRY)
    try:
        return deepen(tables, first, seconds=FIRST_TRY if fits else left, progress=progress)
    except GaveUp:
        if not fits:
            raise
        return _by_table(first, last, metric, means, **options)


def _by_table(
    first: Configuration,
    last: Configuration,
    metric: str,
    means: Means,
    *,
    limits: Limits | None,
    progress: Progress | None,
) -> Solution:
    table = distance_table(last, metric, limits=limits, means=means, progress=progress)
    solution = table.solve(first, last)
    if solution is None:
        raise TooLarge(f"{first.text} is not in the table of its goal; please report this")
    return solution
