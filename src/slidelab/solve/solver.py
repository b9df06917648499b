"""Solve a puzzle by one of `slidelab.solve.methods`. See docs/design/solving.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from math import perm

from slidelab.arguments import parse_bytes
from slidelab.budget import Budget
from slidelab.distance.metric import Metric
from slidelab.errors import NotationError, OutOfTime, Stopped, TooLarge, Unsolvable
from slidelab.place.placement import placements
from slidelab.puzzles import Configuration, ConfigurationLike, Puzzle, Solution
from slidelab.reach.verdict import reason_unsolvable
from slidelab.solve.method import MethodName
from slidelab.solve.methods import METHODS, parse_method
from slidelab.solve.policy import Policy
from slidelab.solve.task import Task

__all__ = ["solve"]

DEFAULT_WEIGHT = 1.5
"""Of the method `weighted`."""


def solve(
    puzzle: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    cells: Sequence[str] | None = None,
    method: MethodName = "auto",
    metric: Metric = "single",
    weight: float | None = None,
    tables: int | str | None = None,
    shorten: bool | None = None,
    budget: Budget | None = None,
    policy: Policy | None = None,
    on_improvement: Callable[[Solution, int], object] | None = None,
) -> Solution:
    """Find a shortest solution, or the best one that the limits allow.

    Parameters, result and errors are those of `slidelab.Puzzle.solve`. `on_improvement` is called with every
    solution that is better than those before, and the lower bound that is known then; the solution that is
    returned need not be among them.

    References
    ----------
    .. [1] R. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial
       Intelligence 27 (1985).
    .. [2] R. Korf, A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134 (2002).

    Examples
    --------
    >>> import slidelab as sl
    >>> solve(sl.puzzle("square R(3,3)"), "8 6 7 2 5 4 3 . 1").length
    31
    >>> s = solve(sl.puzzle("square R(4,4)"), "2 5 13 12 1 . 9 15 3 7 14 4 8 6 10 11")
    >>> s.length, s.optimal, s.method
    (54, True, 'ida')
    >>> solve(sl.puzzle("square R(3,3)"), "2 1 3 4 5 6 7 8 .")
    Traceback (most recent call last):
    slidelab.errors.Unsolvable: the tiles would need an odd permutation, and every loop here is even
    """
    if method == "auto" and weight is not None:
        method = "weighted"
    _check(method, metric, weight)
    table_bytes = None if tables is None else parse_bytes(tables, "tables", 0)
    chosen = METHODS[method if metric == "single" else "table"]
    budget, policy = budget or Budget(), policy or Policy()
    first = puzzle.configuration(start)
    if cells is None:
        last = puzzle.goal if goal is None else puzzle.configuration(goal)
    elif goal is None:
        last = _nearest_placement(first, cells, budget)
    else:
        raise NotationError("expected a goal or the colours of its cells, got both")
    task = Task(
        first,
        last,
        partial(_solve_core, budget, policy),
        budget,
        metric,
        weight or (DEFAULT_WEIGHT if method == "weighted" else 1.0),
        table_bytes,
        shorten,
        policy,
        on_improvement,
    )
    try:
        if reason := _why_unsolvable(task, method):
            if cells is None:
                raise Unsolvable(reason)
            task.goal = _reachable_placement(task, cells, reason)
        if task.start == task.goal:
            task.lower_bound = 0
        if task.start == task.goal and chosen.name != "table":
            return Solution(task.start, task.goal, (), True, method)
        if refusal := chosen.accepts(puzzle):
            raise NotationError(refusal)
        return chosen.run(task)
    except OutOfTime:
        return task.answer()
    except KeyboardInterrupt:
        raise Stopped(task.best, task.lower_bound) from None
    except Exception as error:
        if task.best is None:
            raise
        return task.answer(f"the search failed after it ({type(error).__name__}: {error})")


def _check(method: str, metric: str, weight: float | None) -> None:
    parse_method(method)
    if weight is not None and not _is_number(weight, 1, 1000):
        raise NotationError(f"expected a weight from 1 to 1000, got {weight!r:.40}")
    if weight is not None and method != "weighted":
        raise NotationError(f"expected no weight with {method}, got {weight!r:.40}")
    if metric != "single" and method not in ("auto", "table"):
        raise NotationError(f"expected single moves for {method}, got {metric!r:.40}")


def _is_number(value: object, least: float, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def _why_unsolvable(task: Task, method: MethodName) -> str:
    """Return why there is no solution; empty if there is one, or if only a search can tell."""
    puzzle, policy = task.puzzle, task.policy
    try:
        return reason_unsolvable(task.start, task.goal, budget=task.budget) or ""
    except TooLarge as error:
        if puzzle.rule.corner == "pivot" and puzzle.hole_count == 1:
            return ""  # there is a solution if a Hamiltonian cycle is found
        few = puzzle.rule.cells > 1 and puzzle.piece_count <= policy.max_board_beam_pieces
        if method != "auto" or not (few and policy.beam and policy.construct):
            raise
        task.doubt = error
        return ""


def _solve_core(budget: Budget, policy: Policy, start: Configuration, goal: Configuration) -> Solution:
    """Solve the last few cells of a huge board exactly."""
    puzzle = start.puzzle
    few = perm(puzzle.board.size, puzzle.piece_count) <= policy.max_core_states
    method: MethodName = "bidirectional" if few else "auto"
    part, search_only = budget.share(policy.core_seconds), replace(policy, construct=False)
    return solve(puzzle, start, goal, method=method, budget=part, policy=search_only)


def _nearest_placement(start: Configuration, cells: Sequence[str], budget: Budget) -> Configuration:
    found = start.puzzle.place(cells, near=start, time=budget.time_left, progress=budget.progress)
    if not found:
        raise Unsolvable(found.reason)
    return Configuration(start.puzzle, found.configuration.pieces)


def _reachable_placement(task: Task, cells: Sequence[str], reason: str) -> Configuration:
    """Return the first placement that can be reached, where the nearest cannot."""
    puzzle, limit = task.puzzle, task.policy.max_placements
    gourds = [(labels[0], labels[1]) for labels in puzzle.colours or ()]
    number = 0
    found = placements(puzzle.board, cells, gourds, budget=task.budget)
    for number, goal in enumerate(islice(found, limit), 1):
        task.budget.check("placements", number, 0)
        placed = Configuration(puzzle, goal.pieces)  # the puzzle may have another rule
        if not reason_unsolvable(task.start, placed, budget=task.budget):
            return placed
    if number < limit:
        none = "the one placement cannot" if number == 1 else f"none of the {number} placements can"
        raise Unsolvable(f"{none} be reached: {reason}")
    raise TooLarge(f"none of {limit:,} placements can be reached ({reason}); perhaps others can")
