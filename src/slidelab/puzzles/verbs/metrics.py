"""Methods answered by `slidelab.distance`: how far configurations are from each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from slidelab.budget import Budget, ProgressCallback, progress_errors_unchanged

if TYPE_CHECKING:
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.distance.metric import Metric
    from slidelab.distance.search import PlanCallback
    from slidelab.puzzles.configuration import ConfigurationLike
    from slidelab.puzzles.definition import Puzzle
    from slidelab.rules import Cells

__all__ = ["distance", "distances", "gods_number"]


@progress_errors_unchanged
def distances(
    self: Puzzle,
    start: ConfigurationLike | frozenset[Cells] | None = None,
    *,
    metric: Metric = "single",
    hardest: int = 1000,
    checkpoint: str | Path | None = None,
    plan: PlanCallback | None = None,
    time: float | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Distances:
    """Count the configurations at each distance from a start, by breadth-first search of its component.

    Parameters
    ----------
    start
        A configuration, or anything that `Puzzle.configuration` reads; or a shape (`Configuration.shape`)
        in which the pieces lie in order. By default `Puzzle.goal`.
    metric
        ``"single"`` counts each piece that moves, ``"straight"`` a straight row of tiles pushed at once as
        one.
    hardest
        Maximum number of farthest configurations in the result.
    checkpoint
        Folder in which the search is kept, so that it can be continued after it was stopped.
    plan
        Called with the plan of the search before it begins.
    time, memory, threads, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    TooLarge
        If the search does not fit into the memory.
    OutOfTime
        If the time is up.

    References
    ----------
    .. [1] R. Korf, P. Schultze, "Large-scale parallel breadth-first search", AAAI (2005).

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.puzzle("square R(3,2)").distances().distribution
    (1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1)
    """
    from slidelab.distance.distances import distances

    return distances(
        self,
        start,
        metric=metric,
        hardest=hardest,
        checkpoint=checkpoint,
        plan=plan,
        budget=Budget.of(time, memory, threads, max_shapes, progress),
    )


@progress_errors_unchanged
def gods_number(
    self: Puzzle,
    *,
    metric: Metric = "single",
    checkpoint: str | Path | None = None,
    plan: PlanCallback | None = None,
    time: float | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> GodsNumber:
    """Find the largest distance between any two configurations that can become each other.

    One breadth-first search is made from every shape that is not equivalent to another by symmetry.

    Parameters
    ----------
    metric
        ``"single"`` counts each piece that moves, ``"straight"`` a straight row of tiles pushed at once as
        one.
    checkpoint
        Folder in which the searches are kept, so that they can be continued after they were stopped.
    plan
        Called with the plan of each search before it begins.
    time, memory, threads, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    TooLarge
        If a search does not fit into the memory; it carries a lower bound by counting.
    OutOfTime
        If the time is up.

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.puzzle("hex F(2)").gods_number().number
    16
    """
    from slidelab.distance.gods_number import gods_number

    budget = Budget.of(time, memory, threads, max_shapes, progress)
    return gods_number(self, metric=metric, checkpoint=checkpoint, plan=plan, budget=budget)


@progress_errors_unchanged
def distance(
    self: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    metric: Metric = "single",
    time: float | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> int | None:
    """Return the number of moves of a shortest solution, or None if there is none.

    All distances to the goal are computed and cached: for small puzzles and many starts.

    Parameters
    ----------
    start, goal
        Configurations, or anything that `Puzzle.configuration` reads. `goal` defaults to `Puzzle.goal`.
    metric
        ``"single"`` counts each piece that moves, ``"straight"`` a straight row of tiles pushed at once as
        one.
    time, memory, threads, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    TooLarge
        If the table of distances does not fit into the memory.

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.puzzle("square R(2,2)").distance("3 1 / . 2")
    3
    """
    from slidelab.distance.table import distance

    budget = Budget.of(time, memory, threads, max_shapes, progress)
    return distance(self, start, goal, metric=metric, budget=budget)
