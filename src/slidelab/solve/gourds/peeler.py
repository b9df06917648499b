"""Place gourds one by one on a shrinking board: far fewer moves than along a Hamiltonian cycle.

Cells near the rim are closed first, two at a time, so that the open cells stay a proper board, on which the
other gourds can still be arranged arbitrarily (Theorem 9 of the gourds paper): so nothing is lost. Where the
goal has no gourd on two cells that can be closed, it is changed a little until it has one; these moves are
undone at the end. Few gourds are solved by a best-first search; where that takes too long, they are placed
one by one, too. What is left when nothing more can be closed or carried is sorted along a Hamiltonian cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.boards import Edge, sub_board, why_not_proper
from slidelab.budget import Budget
from slidelab.errors import NotationError
from slidelab.messages import quoted
from slidelab.puzzles import Configuration, MoveList, Puzzle
from slidelab.solve.gourds.cycles import (
    coordinates_of,
    gourd_cycle,
    moves_of_path,
    path_back,
    sort_along,
    train_of,
)
from slidelab.solve.gourds.order import ClosingOrder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab import _core

__all__ = ["peel_gourds"]

MAX_SEARCHED_GOURDS = 32
"""Gourds up to which a best-first search solves what is left."""

MIN_SEARCHED_GOURDS = 12
"""Gourds that are always left to it."""

MAX_SEARCH_STATES = 200_000
"""States of one best-first search."""

SEARCH_WEIGHTS = (2, 3, 5, 10)
"""Weights of the best-first searches, tried in this order: short solutions first."""

CARRY_SEARCHES = ((4, 4, False, 20_000), (10, 3, False, 50_000), (4, 4, True, 100_000), (2, 1, True, 200_000))
"""Searches that carry a gourd, tried in this order: weights of gourd and hole, corners allowed, states."""

GOAL_BONUS = 2.5
"""Cells by which two cells count as farther out if a gourd of the goal lies there already."""


def peel_gourds(start: Configuration, goal: Configuration, budget: Budget) -> MoveList:
    """Return moves that place the gourds one by one on a shrinking board.

    Parameters
    ----------
    start, goal
        Configurations of numbered gourds with one hole.
    budget

    Raises
    ------
    NotationError
        If the board is not proper, and the gourds are too many for a search.
    """
    board = start.puzzle.board
    few = start.puzzle.piece_count <= MAX_SEARCHED_GOURDS and board.kind == "hex"
    path = _search(start, goal, budget) if few else None
    if path is None:
        if reason := why_not_proper(board):
            raise NotationError(f"expected a proper board for peel: {reason} - on {quoted(board.name)}")
        path = _peel(start, goal, budget)
    return moves_of_path(start, path)


def _peel(start: Configuration, goal: Configuration, budget: Budget) -> NDArray[np.int32]:
    """Return the hole path."""
    import numpy as np

    from slidelab import _core

    target, train = train_of(goal), train_of(start)
    coordinates = coordinates_of(start.puzzle.board)
    left = set(range(start.puzzle.piece_count))
    carrier = _core.GourdCarrier(train, coordinates)
    for gourd, head, tail in _plan(goal, target, budget):
        carried = (carrier.carry(gourd, head, tail, *search, budget.check) for search in CARRY_SEARCHES)
        if not any(carried):
            break
        # A single gourd rarely takes long enough for the core to check the deadline.
        budget.check("carry", len(train), 0)
        left.discard(gourd)
    cells, first, last = _open_part(start.puzzle, train, target, sorted(left))
    rest = _search(first, last, budget) if len(left) <= MAX_SEARCHED_GOURDS else None
    if rest is None:
        rest = _sort(first, last, budget)
    rest = np.array(cells, dtype=np.int32)[rest]
    path = np.concatenate((train.path(), rest, path_back(goal, target)))
    if len(left) > MAX_SEARCHED_GOURDS:
        # On very thin boards few cells can be closed: sorting along a Hamiltonian cycle may be shorter.
        path = min(path, _sort(start, goal, budget), key=len)
    return np.ascontiguousarray(path)


def _plan(goal: Configuration, target: _core.GourdTrain, budget: Budget) -> list[tuple[int, int, int]]:
    """Return gourds with the cells of their heads and tails, in the order in which these can be closed.

    `target`, which starts as the goal, is changed where no gourd lies on two cells that can be closed.
    """
    from slidelab import _core

    board = goal.puzzle.board

    def is_gourd(pair: Edge) -> bool:
        end: int = target.at(pair[0])
        return end >= 0 and bool(end ^ 1 == target.at(pair[1]))

    closing = ClosingOrder(board, lambda pair: GOAL_BONUS if is_gourd(pair) else 0.0)
    carrier = _core.GourdCarrier(target, coordinates_of(board))
    plan = []
    while closing.left > 2 * MIN_SEARCHED_GOURDS + 1 and (pair := closing.next()) is not None:
        filled = (
            carrier.fill(*pair, hole, corners, states, budget.check)
            for _, hole, corners, states in CARRY_SEARCHES
        )
        if not any(filled):
            break
        budget.check("carry", len(target), 0)
        one, two = target.at(pair[0]), target.at(pair[1])
        head, tail = pair if one < two else pair[::-1]
        plan.append((one // 2, head, tail))
    return plan


def _sort(start: Configuration, goal: Configuration, budget: Budget) -> NDArray[np.int32]:
    cycle, _ = gourd_cycle(start.puzzle.board)
    return sort_along(start, goal, cycle, budget)


def _open_part(
    puzzle: Puzzle, train: _core.GourdTrain, target: _core.GourdTrain, left: Sequence[int]
) -> tuple[list[int], Configuration, Configuration]:
    """Return the open cells, and start and goal of the gourds that are left on the board of these."""
    start, goal = (position.ends().reshape(-1, 2).tolist() for position in (train, target))
    cells = sorted({cell for number in left for cell in start[number]} | {train.hole})
    name = {cell: index for index, cell in enumerate(cells)}
    part = Puzzle(sub_board(puzzle.board, cells), puzzle.rule, 1)

    def configuration(ends: list[list[int]]) -> Configuration:
        return Configuration(part, tuple((name[ends[k][0]], name[ends[k][1]]) for k in left))

    return cells, configuration(start), configuration(goal)


def _search(start: Configuration, goal: Configuration, budget: Budget) -> NDArray[np.int32] | None:
    """Return the hole path of the first solution found, with larger weights on each retry."""
    import numpy as np

    coordinates = coordinates_of(start.puzzle.board)
    for weight in SEARCH_WEIGHTS:
        found = train_of(start).best_first(
            train_of(goal), coordinates, weight, MAX_SEARCH_STATES, budget.check
        )
        if found is not None:
            return np.array(found, dtype=np.int32)
    return None
