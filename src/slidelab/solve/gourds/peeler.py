"""Gourds put in place one by one on a shrinking board: far fewer moves than along closed ways.

Cells near the rim are closed first, two at a time, each time so that those left open are a proper board, on
which the other gourds can still be arranged in every way (Theorem 9 of the gourds paper): so nothing is lost.
Where the goal has no gourd that can be closed, it is changed a little until it has one; these moves are made
backwards at the end. Few gourds are solved by a best-first search; where that takes too long, they are
peeled, too. What is left when nothing more can be closed or carried is sorted along a closed way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from slidelab.boards import Edge, sub_board, why_not_proper
from slidelab.budget import Budget
from slidelab.errors import NotationError
from slidelab.messages import quoted
from slidelab.puzzles import Configuration, MoveList, Puzzle
from slidelab.solve.gourds.cycles import coordinates_of, moves_of_trail, sort_along, train_of, way_for_gourds
from slidelab.solve.gourds.order import Closing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


__all__ = ["peel_gourds"]

FEW = 32
"""Gourds that the best-first search may solve at once."""

FEWEST = 12
"""Gourds that are left to it in any case."""

STATES = 200_000
"""For the best-first search."""

WEIGHTS = (2, 3, 5, 10)
"""Of the best-first searches, the best one first."""

PATIENCE = ((4, 4, False, 20_000), (10, 3, False, 50_000), (4, 4, True, 100_000), (2, 1, True, 200_000))
"""How a gourd is carried: weights, does the hole go round corners, states; one after the other."""

STAYS = 2.5
"""Cells farther out that two cells count if a gourd of the goal lies there already."""


def peel_gourds(start: Configuration, goal: Configuration, budget: Budget) -> MoveList:
    """Moves from `start` to `goal`, both with numbered gourds and one hole.

    The board must be proper, unless the gourds are few.
    """
    board = start.puzzle.board
    few = start.puzzle.piece_count <= FEW and board.kind == "hex"
    trail = _searched(start, goal, budget) if few else None
    if trail is None:
        if reason := why_not_proper(board):
            raise NotationError(f"expected a proper board for peel: {reason} - on {quoted(board.name)}")
        trail = _peeled(start, goal, budget)
    return moves_of_trail(start, trail)


def _peeled(start: Configuration, goal: Configuration, budget: Budget) -> NDArray[np.int32]:
    """Where the hole goes."""
    import numpy as np

    from slidelab import _core

    target, train = train_of(goal), train_of(start)
    coordinates = coordinates_of(start.puzzle.board)
    left = set(range(start.puzzle.piece_count))
    carrier = _core.GourdCarrier(train, coordinates)
    for gourd, head, tail in _plan(goal, target, budget):
        carried = (carrier.carry(gourd, head, tail, *patience, budget.check) for patience in PATIENCE)
        if not any(carried):
            break
        # A single gourd rarely takes long enough for the core to ask.
        budget.check("carry", len(train), 0)
        left.discard(gourd)
    cells, lies, wants = _open_part(start.puzzle, train, target, sorted(left))
    rest = _searched(lies, wants, budget) if len(left) <= FEW else None
    if rest is None:
        rest = _along(lies, wants, budget)
    back = np.concatenate((np.array(goal.holes, dtype=np.int32), target.trail()))[-2::-1]
    trail = np.concatenate((train.trail(), np.array(cells, dtype=np.int32)[rest], back))
    if len(left) > FEW:
        # On very thin boards little can be closed: perhaps a closed way through all cells is shorter.
        trail = min(trail, _along(start, goal, budget), key=len)
    return np.ascontiguousarray(trail)


def _plan(goal: Configuration, target: Any, budget: Budget) -> list[tuple[int, int, int]]:
    """Gourds with the cells of their heads and tails, in the order in which these can be closed.

    `target`, which begins as the goal, is changed where no gourd lies on two cells that can be closed.
    """
    from slidelab import _core

    board = goal.puzzle.board

    def is_gourd(pair: Edge) -> bool:
        end: int = target.at(pair[0])
        return end >= 0 and bool(end ^ 1 == target.at(pair[1]))

    closing = Closing(board, lambda pair: STAYS if is_gourd(pair) else 0.0)
    carrier = _core.GourdCarrier(target, coordinates_of(board))
    plan = []
    while closing.left > 2 * FEWEST + 1 and (pair := closing.next()) is not None:
        filled = (
            carrier.fill(*pair, hole, corners, states, budget.check) for _, hole, corners, states in PATIENCE
        )
        if not any(filled):
            break
        budget.check("carry", len(target), 0)
        one, two = target.at(pair[0]), target.at(pair[1])
        head, tail = pair if one < two else pair[::-1]
        plan.append((one // 2, head, tail))
    return plan


def _along(start: Configuration, goal: Configuration, budget: Budget) -> NDArray[np.int32]:
    way, _ = way_for_gourds(start.puzzle.board)
    return sort_along(start, goal, way, budget)


def _open_part(
    puzzle: Puzzle, train: Any, target: Any, left: Sequence[int]
) -> tuple[list[int], Configuration, Configuration]:
    """The open cells, and how the gourds that are left lie and should lie on the board of these."""
    lies, wants = (position.ends().reshape(-1, 2).tolist() for position in (train, target))
    cells = sorted({cell for number in left for cell in lies[number]} | {train.hole})
    name = {cell: index for index, cell in enumerate(cells)}
    part = Puzzle(sub_board(puzzle.board, cells), puzzle.rule, 1)

    def laid(ends: list[list[int]]) -> Configuration:
        return Configuration(part, tuple((name[ends[k][0]], name[ends[k][1]]) for k in left))

    return cells, laid(lies), laid(wants)


def _searched(start: Configuration, goal: Configuration, budget: Budget) -> NDArray[np.int32] | None:
    """The first that is found, with ever less patience."""
    import numpy as np

    coordinates = coordinates_of(start.puzzle.board)
    for weight in WEIGHTS:
        found = train_of(start).search_any(train_of(goal), coordinates, weight, STATES, budget.check)
        if found is not None:
            return np.array(found, dtype=np.int32)
    return None
