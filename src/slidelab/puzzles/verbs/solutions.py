"""Methods answered by `slidelab.solve` and `slidelab.place`: moves that lead to a goal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.arguments import renamed
from slidelab.budget import Budget, ProgressCallback, progress_errors_unchanged
from slidelab.errors import NotationError
from slidelab.messages import quoted

if TYPE_CHECKING:
    from slidelab.distance.metric import Metric
    from slidelab.place.placement import Placement
    from slidelab.puzzles.configuration import Configuration, ConfigurationLike
    from slidelab.puzzles.definition import Puzzle
    from slidelab.puzzles.moves import Move
    from slidelab.puzzles.solution import Solution
    from slidelab.solve.method import MethodName
    from slidelab.solve.patterns.heuristic import Heuristic

__all__ = ["goal_on_cells", "heuristic", "hint", "place", "shorten", "solve"]


@progress_errors_unchanged
def solve(
    self: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    cells: Sequence[str] | None = None,
    method: MethodName = "auto",
    metric: Metric = "single",
    weight: float | None = None,
    tables: int | str | None = None,
    shorten: bool | None = None,
    time: float | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Solution:
    """Find a shortest solution, or the best one that the limits allow.

    Parameters
    ----------
    start, goal
        Configurations, or anything that `Puzzle.configuration` reads. `goal` defaults to `Puzzle.goal`.
    cells
        Instead of a goal, for coloured gourds: the colour of each cell, ``.`` for one that stays empty.
        The gourds end on cells of their colours, in a placement near the start (`Puzzle.place`).
    method
        One of `slidelab.METHODS`. ``"auto"`` picks by the size of the puzzle; `Solution.reason` says why.
        Shortest solutions:
        ``"table"`` (all distances), ``"bidirectional"`` (breadth-first from both ends), ``"astar"`` and
        ``"ida"`` (A* and iterative deepening with pattern databases). At most `weight` times as long:
        ``"weighted"``. Better solutions until the time is up: ``"anytime"``, or ``"beam"``
        without proofs. For boards of any size:
        ``"peel"`` (piece by piece on a shrinking board), ``"wilson"`` (as in the papers, explained),
        ``"cycle"`` and ``"cycle-cubic"`` (gourds along a Hamiltonian cycle, explained), ``"group"``
        (a product of loops, for every rule).
    metric
        ``"single"`` counts each piece that moves, ``"straight"`` (by table only) a straight row of tiles
        pushed at once as one.
    weight
        Factor by which a solution may be longer than a shortest one; implies ``method="weighted"``.
    tables
        Size of the pattern databases in bytes, or a text such as ``"100M"``; by default those that are stored
        for this puzzle, or 20 MB.
    shorten
        Whether the solution of a method for boards of any size is shortened afterwards; by default if that
        loses no explanation.
    time, memory, threads, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Returns
    -------
    Solution
        `Solution.optimal` says whether it is a shortest, `Solution.lower_bound` how long every solution is
        at least.

    Raises
    ------
    Unsolvable
        If no sequence of moves leads to the goal. The message is the reason of the verdict.
    GaveUp
        If no solution was found within the limits. Carries the best lower bound.
    Stopped
        If the user stopped the search. Carries the best solution and lower bound.

    References
    ----------
    .. [1] R. Korf, A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134 (2002).
    .. [2] R. M. Wilson, "Graph puzzles, homotopy, and the alternating group", J. Comb. Theory B 16 (1974).
    .. [3] J. Hamersma, M. van Kreveld, Y. Uno, T. van der Zanden, "Gourds: a sliding-block puzzle with
       turning", ISAAC (2020).

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.puzzle("square R(2,2)").solve("3 1 / . 2").text
    '3:0>2 1:1>0 2:3>1'
    """
    from slidelab.solve.solver import solve

    return solve(
        self,
        start,
        goal,
        cells=cells,
        method=method,
        metric=metric,
        weight=weight,
        tables=tables,
        shorten=shorten,
        budget=Budget.of(time, memory, threads, max_shapes, progress),
    )


@renamed(configuration="start")
@progress_errors_unchanged
def hint(
    self: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    cells: Sequence[str] | None = None,
    time: float | None = 2.0,
    memory: int | str | None = None,
    threads: int | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Move | None:
    """Return the next move of a shortest, or the best known, solution; None at the goal.

    The solution is remembered: who follows hints reaches the goal.

    Parameters
    ----------
    start, goal
        Configurations, or anything that `Puzzle.configuration` reads. `goal` defaults to `Puzzle.goal`.
    cells
        Instead of a goal, for coloured gourds: the colour of each cell, as in `Puzzle.solve`.
    time, memory, threads, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    Unsolvable
        If no sequence of moves leads to the goal.
    TooLarge
        If no solution was found.

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.puzzle("square R(2,2)").hint("3 1 / . 2").text
    '3:0>2'
    """
    from slidelab.solve.next_move import hint

    budget = Budget.of(time, memory, threads, max_shapes, progress)
    return hint(self, start, goal_on_cells(self, start, goal, cells, budget), budget=budget)


@progress_errors_unchanged
def heuristic(
    self: Puzzle,
    goal: ConfigurationLike | None = None,
    *,
    tables: int | str | None = None,
    partitions: int = 1,
    time: float | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Heuristic:
    """Return an admissible lower bound on the moves to a goal, which can be called like a function.

    It is the one that the searches use: pattern databases, looked up through the symmetries of the board.

    Parameters
    ----------
    goal
        A configuration, or anything that `Puzzle.configuration` reads; by default `Puzzle.goal`.
    tables
        Size of the pattern databases in bytes, or a text such as ``"100M"``; by default the largest that are
        stored, or 20 MB. 0 for the sum of the distances of single pieces: for tiles on squares, Manhattan
        distance.
    partitions
        Partitions of the pieces if databases are built now; the bound is the largest of all.
    time, memory, threads, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    TooLarge
        If the puzzle has too many shapes.

    References
    ----------
    .. [1] R. Korf, A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134 (2002).

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(4,4)")
    >>> manhattan, h = p.heuristic(tables=0), p.heuristic(tables="6M")
    >>> start = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 ."
    >>> manhattan(start), h(start)
    (48, 54)
    >>> h(p.arrays().encode([start, p.goal]))
    array([54,  0], dtype=int32)
    """
    from slidelab.solve.patterns.heuristic import heuristic_for

    last = self.goal if goal is None else self.configuration(goal)
    budget = Budget.of(time, memory, threads, max_shapes, progress)
    return heuristic_for(last, tables, partitions=partitions, budget=budget)


@progress_errors_unchanged
def place(
    self: Puzzle,
    cells: Sequence[str],
    near: ConfigurationLike | None = None,
    *,
    time: float | None = None,
    memory: int | str | None = None,
    progress: ProgressCallback | None = None,
) -> Placement:
    """Place the coloured gourds so that each end lies on a cell of its colour.

    Parameters
    ----------
    cells
        The colour of each cell, ``.`` for one that stays empty.
    near
        A configuration, or anything that `Puzzle.configuration` reads: prefer a placement near it.
    time, memory, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Returns
    -------
    Placement
        Whether there is one, where the gourds lie, and the reason.

    Raises
    ------
    NotationError
        If this is not a puzzle of coloured gourds.
    OutOfTime
        If the time is up before the answer is known.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("hex T(2)", "gourds", colours=[["red", "blue"]])
    >>> p.place(["blue", "red", "red"], near="0-1=blue-red").gourds
    ((0, 1),)
    """
    from slidelab.place.placement import place

    if self.colours is None or self.rule.corner is None:
        raise NotationError(f"expected coloured gourds to be placed, got {quoted(self.text)}")
    budget = Budget.of(time, memory, progress=progress)
    start = None if near is None else self.configuration(near)
    gourds = [(labels[0], labels[1]) for labels in self.colours]
    return place(self.board, cells, gourds, near=start, budget=budget)


def goal_on_cells(
    puzzle: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None,
    cells: Sequence[str] | None,
    budget: Budget,
) -> Configuration | None:
    """Return the goal; if the colours of its cells are given instead, a placement near the start."""
    if cells is None:
        return None if goal is None else puzzle.configuration(goal)
    if goal is not None:
        raise NotationError("expected a goal or the colours of its cells, got both")
    return place(puzzle, cells, start, time=budget.time_left, progress=budget.progress).configuration


@progress_errors_unchanged
def shorten(
    self: Solution, time: float | None = 1.0, *, progress: ProgressCallback | None = None
) -> Solution:
    """Return a shorter solution, found by searching for shortcuts, or this one if none is found.

    Parameters
    ----------
    time
        Seconds that the search may take; None for as long as it finds something.
    progress
        Callback for progress, as in `slidelab.Budget.of`.

    Examples
    --------
    >>> import slidelab as sl
    >>> s = sl.puzzle("square R(3,3)").solve("8 6 7 2 5 4 3 . 1", method="wilson")
    >>> s.shorten(5.0).length < s.length
    True
    """
    from slidelab.solve.huge.shortener import shorten

    return shorten(self, Budget.of(time=time, progress=progress))
