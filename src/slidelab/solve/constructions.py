"""Solutions that are constructed, not searched for: by peeling, by the papers' algorithms, in the group."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from slidelab.budget import Budget
from slidelab.errors import NotationError, OutOfTime, Stopped, TooLarge
from slidelab.puzzles import Configuration, MoveList, Passage, Solution
from slidelab.reach.frames import pieces_by_cell
from slidelab.reach.verdict import group_moves
from slidelab.solve.assignment import numbered
from slidelab.solve.gourds.cycles import gourd_distance_bound, sort_gourds
from slidelab.solve.gourds.peeler import peel_gourds
from slidelab.solve.huge.pairs import Pairs, moves_of_pairs, pairs_of_walk
from slidelab.solve.huge.peeler import distance_bound, peel
from slidelab.solve.huge.region_solver import Part, solve_by_regions
from slidelab.solve.huge.shortener import shorten
from slidelab.solve.huge.walks import STYLES, Walks
from slidelab.solve.method import MethodName
from slidelab.solve.task import Task
from slidelab.solve.wilson.solver import solve_block

__all__ = ["by_cycle", "by_group", "by_peeling", "by_wilson", "construct", "shorten_best"]

MAX_CUBIC_GOURDS = 800
"""Gourds for the cubic method: five hundred million moves."""


def construct(
    task: Task, names: Sequence[MethodName], *, explain: bool = False, reason: str = ""
) -> Solution:
    """Return the solution of the first method that succeeds, shortened unless its moves are explained.

    Parameters
    ----------
    task
    names
        Constructive methods, tried in this order.
    explain
        Keep the explanation of the moves, unless the task asks for a shortened solution.
    reason
        Why these methods were chosen.

    Raises
    ------
    NotationError, TooLarge
        If no method succeeds: why the first does not, or the first that found the puzzle too large.
    OutOfTime
        If the deadline passes first.
    """
    began = time.monotonic()
    refused: TooLarge | NotationError | None = None
    solution = None
    for name in names:
        try:
            solution = CONSTRUCTIONS[name](task)
            break
        except (TooLarge, NotationError) as error:
            if refused is None or (isinstance(error, TooLarge) and not isinstance(refused, TooLarge)):
                refused = error
    if solution is None:
        raise refused or task.gave_up()
    bound = task.lower_bound if task.lower_bound > 1 else None
    solution = replace(solution, reason=reason, lower_bound=solution.lower_bound or bound)
    task.keep(solution)
    if task.shorten or (task.shorten is None and not explain):
        policy, took = task.policy, time.monotonic() - began
        seconds = min(max(took / 3, policy.min_shorten_seconds), policy.max_shorten_seconds)
        if task.budget.time_left is not None:
            reserved = policy.answer_seconds
            if task.puzzle.rule.cells > 1:
                reserved += solution.length / policy.moves_per_second
            seconds = max(0.0, task.budget.time_left - reserved)
        solution = shorten_best(task, solution, seconds)
    return solution


def shorten_best(task: Task, solution: Solution, seconds: float) -> Solution:
    """Shorten a solution and keep it, also if the user stops it."""
    try:
        budget = task.budget.share(seconds=seconds)
        solution = shorten(solution, budget, replan_share=task.policy.replan_share)
    except Stopped as stopped:
        if stopped.best is not None:
            task.keep(stopped.best)
        raise
    task.keep(solution)
    return solution


def by_peeling(task: Task) -> Solution:
    """Place the pieces one by one on a shrinking board; the last few cells are solved exactly.

    Then once more with walks of the holes as far as time allows, which makes the solution shorter.
    """
    start, goal = task.start, task.goal
    first, last = numbered(start, goal, task.budget)
    if task.puzzle.rule.corner == "pivot":
        moves = peel_gourds(first, last, task.budget)
        bound = gourd_distance_bound(first, last) if task.puzzle.colours is None else None
    else:
        began = time.monotonic()
        moves = peel(first, last, task.exact, task.budget)
        took = time.monotonic() - began
        bound = distance_bound(start, goal, task.budget)
        task.keep(Solution(start, goal, moves, len(moves) == bound, method="peel", lower_bound=bound))
        moves = _with_walks(task, first, last, moves, took)
    return Solution(start, goal, moves, len(moves) == bound, method="peel", lower_bound=bound)


def _with_walks(
    task: Task, start: Configuration, goal: Configuration, moves: MoveList, seconds: float
) -> MoveList:
    """Return the shorter of the moves and of those with walks of the holes, if there is time for them.

    `seconds` is how long it took to find the moves: with walks it takes as long, and the time for the walks.
    """
    policy, left = task.policy, task.budget.time_left
    time_for_walks = max(seconds, policy.max_walk_seconds)
    if left is not None:
        time_for_walks = policy.walk_share * (left - seconds - policy.answer_seconds)
    # With many holes the time is better spent on planning paths anew when the solution is shortened.
    many_holes = task.puzzle.hole_count > policy.max_walk_holes_share * task.puzzle.board.size
    if task.shorten is False or time_for_walks <= 0 or (many_holes and policy.replan_share > 0):
        return moves
    budget = task.budget.share(seconds=time_for_walks)
    # Of small boards many styles are tried; on large ones the first takes all the time.
    enough = budget if left is not None else task.budget.share(seconds=policy.walk_style_seconds)
    for style in STYLES:
        try:
            moves = min(moves, peel(start, goal, task.exact, task.budget, Walks(budget, style)), key=len)
        except (OutOfTime, TooLarge):
            break
        if enough.expired or budget.expired:
            break
    return moves


def by_wilson(task: Task) -> Solution:
    """Solve tiles with one hole block by block, by ears and conjugated exchanges, all explained.

    References
    ----------
    .. [1] R. Wilson, "Graph puzzles, homotopy, and the alternating group", Journal of Combinatorial Theory
       B 16 (1974).
    .. [2] R. Wong, W. Li, A. Chen, "Sliding graph puzzles", section 6.
    """
    first, last = numbered(task.start, task.goal, task.budget)
    solver = partial(_solve_block, task.budget)
    pairs, passages = solve_by_regions(task.puzzle.board, pieces_by_cell(first), pieces_by_cell(last), solver)
    moves = moves_of_pairs(first, pairs)
    bound = distance_bound(task.start, task.goal, task.budget)
    return Solution(
        task.start, task.goal, moves, method="wilson", lower_bound=bound, passages=tuple(passages)
    )


def _solve_block(budget: Budget, part: Part) -> tuple[Pairs, list[Passage]]:
    """Solve one block, with the cell numbers of the whole board so that the explanation names them."""
    size = max(part.names) + 1
    neighbours: list[list[int]] = [[] for _ in range(size)]
    start, goal = [0] * size, [0] * size
    for cell, name in enumerate(part.names):
        neighbours[name] = [part.names[other] for other in part.board.neighbours[cell]]
        start[name], goal[name] = part.start[cell], part.goal[cell]
    walk, passages = solve_block(neighbours, start, goal, budget=budget)
    cell_of = {name: cell for cell, name in enumerate(part.names)}
    return pairs_of_walk(part.start.index(0), [cell_of[name] for name in walk]), passages


def by_cycle(task: Task, *, cubic: bool = False) -> Solution:
    """Sort gourds along a Hamiltonian cycle, explained.

    References
    ----------
    .. [1] J. Hamersma, M. van Kreveld, Y. Uno, T. van der Zanden, "Gourds: a sliding-block puzzle with
       turning", ISAAC 2020.
    """
    puzzle, gourds = task.puzzle, task.puzzle.piece_count
    if cubic and gourds > MAX_CUBIC_GOURDS:
        raise TooLarge(
            f"cycle-cubic would take about {gourds**3:,} moves for {gourds:,} gourds; "
            f"cycle takes about {2 * gourds**2:,}"
        )
    first, last = numbered(task.start, task.goal, task.budget)
    moves, passages = sort_gourds(first, last, task.budget, cubic=cubic)
    bound = gourd_distance_bound(first, last) if puzzle.colours is None else None
    method: MethodName = "cycle-cubic" if cubic else "cycle"
    return Solution(task.start, task.goal, moves, method=method, passages=tuple(passages), lower_bound=bound)


def by_group(task: Task) -> Solution:
    """Multiply loops in the stabiliser chain of the permutation group, with short words for its steps.

    References
    ----------
    .. [1] D. Kornhauser, G. Miller, P. Spirakis, "Coordinating pebble motion on graphs, the diameter of
       permutation groups, and applications", FOCS 1984.
    """
    moves = group_moves(task.start, task.goal, budget=task.budget)
    bound = distance_bound(task.start, task.goal, task.budget)
    return Solution(task.start, task.goal, moves, method="group", lower_bound=bound)


CONSTRUCTIONS: dict[MethodName, Callable[[Task], Solution]] = {
    "peel": by_peeling,
    "wilson": by_wilson,
    "cycle": by_cycle,
    "cycle-cubic": partial(by_cycle, cubic=True),
    "group": by_group,
}
