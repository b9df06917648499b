"""Solving: the shortest way from a start to a goal.

A puzzle whose configurations can all be listed is solved from the table of all distances, which
is quick and proves that the solution is a shortest one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidelab.distance.search import Means
from slidelab.distance.table import distance_table
from slidelab.errors import Unsolvable
from slidelab.gains import Limits, Progress
from slidelab.puzzles import Puzzle
from slidelab.solutions import Solution

if TYPE_CHECKING:
    from slidelab.notation import ConfigurationLike

__all__ = ["solve"]


def solve(
    puzzle: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    metric: str = "single",
    limits: Limits | None = None,
    means: Means | None = None,
    progress: Progress | None = None,
) -> Solution:
    """A shortest solution; `Unsolvable` with the reason if there is none, `TooLarge` if it can't be found.

    >>> import slidelab as sl
    >>> solve(sl.puzzle("square R(3,3)"), "8 6 7 2 5 4 3 . 1").length
    31
    >>> solve(sl.puzzle("square R(3,3)"), "2 1 3 4 5 6 7 8 .")
    Traceback (most recent call last):
    slidelab.errors.Unsolvable: the tiles would need an odd permutation, and every loop here is even
    """
    first = puzzle.configuration(start)
    last = puzzle.goal if goal is None else puzzle.configuration(goal)
    table = distance_table(last, metric, limits=limits, means=means, progress=progress)
    solution = table.solve(first, last)
    if solution is None:
        raise Unsolvable(puzzle.solvable(first, last, limits=limits).reason)
    return solution
