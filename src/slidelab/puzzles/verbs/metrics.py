"""Methods answered by `slidelab.distance`: how far configurations are from each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from slidelab.budget import Budget, ProgressCallback, progress_errors_unchanged

if TYPE_CHECKING:
    from mpi4py.MPI import Intracomm

    from slidelab.distance.cluster_plan import ClusterPlan
    from slidelab.distance.distances import Distances
    from slidelab.distance.goal_distances import GoalDistances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.distance.metric import Metric
    from slidelab.distance.search import PlanCallback
    from slidelab.puzzles.configuration import ConfigurationLike
    from slidelab.puzzles.definition import Puzzle
    from slidelab.rules import Cells

__all__ = ["distance", "distances", "goal_distances", "gods_number", "plan"]


@progress_errors_unchanged
def distances(
    self: Puzzle,
    start: ConfigurationLike | frozenset[Cells] | None = None,
    *,
    metric: Metric = "single",
    hardest: int = 1000,
    checkpoint: str | Path | None = None,
    disk: str | Path | None = None,
    comm: Intracomm | None = None,
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
    disk
        Folder for a search that does not fit into the memory: one part after another is read and written
        there. It can be continued after it was stopped, too.
    comm
        Communicator of mpi4py: its processes, all of which must make this call, search together. All get
        the result.
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
    from slidelab.distance.mpi_world import MpiWorld

    return distances(
        self,
        start,
        metric=metric,
        hardest=hardest,
        checkpoint=checkpoint,
        disk=disk,
        world=None if comm is None else MpiWorld(comm),
        plan=plan,
        budget=Budget.of(time, memory, threads, max_shapes, progress),
    )


@progress_errors_unchanged
def goal_distances(
    self: Puzzle,
    cells: Sequence[str],
    *,
    hardest: int = 1,
    time: float | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> GoalDistances:
    """Count the configurations at each distance from the nearest goal, if the goal is coloured cells.

    One breadth-first search begins at all goals at once. It also finds which configurations have only one
    shortest solution.

    Parameters
    ----------
    cells
        The colour of each cell, ``.`` for one that stays empty. A goal is any configuration in which every
        part of a piece is on a cell of its colour.
    hardest
        Maximum number of farthest configurations in the result, up to 10,000.
    time, memory, threads, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    Unsolvable
        If the pieces cannot be placed on cells of their colours.
    TooLarge
        If the search does not fit into the memory: it takes three bits for each configuration.
    OutOfTime
        If the time is up.

    Examples
    --------
    >>> import slidelab as sl
    >>> d = sl.puzzle("square R(2,2) : a a b .").goal_distances(["a", "b", "a", "b"])
    >>> d.goals, d.distribution, d.unique
    (2, (2, 2, 2, 2, 2, 2), (2, 2, 2, 2, 2, 2))
    """
    from slidelab.distance.goal_distances import goal_distances

    budget = Budget.of(time, memory, threads, max_shapes, progress)
    return goal_distances(self, cells, hardest=hardest, budget=budget)


@progress_errors_unchanged
def gods_number(
    self: Puzzle,
    *,
    metric: Metric = "single",
    checkpoint: str | Path | None = None,
    disk: str | Path | None = None,
    comm: Intracomm | None = None,
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
    disk, comm
        A folder for searches larger than the memory, and processes that search together, as in `distances`.
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
    from slidelab.distance.mpi_world import MpiWorld

    budget = Budget.of(time, memory, threads, max_shapes, progress)
    return gods_number(
        self,
        metric=metric,
        checkpoint=checkpoint,
        disk=disk,
        world=None if comm is None else MpiWorld(comm),
        plan=plan,
        budget=budget,
    )


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


@progress_errors_unchanged
def plan(
    self: Puzzle,
    start: ConfigurationLike | None = None,
    *,
    nodes: int = 1,
    cores: int | None = None,
    memory: int | str | None = None,
    network: int | str = "10G",
    disk_speed: int | str = "1G",
    time: float | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> ClusterPlan:
    """Plan an exhaustive search: what it takes on so many machines, and on one with a disk.

    Sizes are exact, and found without numbering a single state; times are a model.

    Parameters
    ----------
    start
        A configuration, or anything that `Puzzle.configuration` reads. By default `Puzzle.goal`.
    nodes, cores, memory
        Number of machines, cores and memory of each; by default they are like this machine.
    network, disk_speed
        Bits a second of the network of a machine, and bytes a second of its disk.
    time, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    TooLarge
        If the puzzle has too many shapes, or more configurations than shards can number.

    Examples
    --------
    >>> import slidelab as sl
    >>> plan = sl.puzzle("15-puzzle").plan(nodes=64, cores=2, memory="24G")
    >>> plan.cluster.fits, plan.cluster.least_nodes
    (False, 72)
    """
    from slidelab.distance.cluster_plan import Machines, cluster_plan

    machines = Machines.of(nodes, cores, memory, network, disk_speed)
    budget = Budget.of(time, None, None, max_shapes, progress)
    return cluster_plan(self, machines, start, budget=budget)
