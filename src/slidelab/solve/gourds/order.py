"""The order in which pairs of cells can be closed so that gourds on the others can still go everywhere.

The open cells must stay a proper board: without a hole and without a cut vertex. On such boards that depends
only on the cells around the two that are closed. They must form one row, not the whole ring; and the open
neighbours of each of them must again form one row, of at least two cells. Of thirteen cells, the star is not
a proper board, either.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

from slidelab.boards import Board, Cell, Edge, hex_board, is_proper
from slidelab.boards.lattice import HEXAGON_DIRECTIONS, hexagons_around

__all__ = ["ClosingOrder"]

STAR_CELLS = 13
"""Cells of the star, which is not a proper board."""


class ClosingOrder:
    """The open cells of a proper board that loses two at a time, far from its centre first.

    `bonus` is added to the distance of two cells from the centre.

    >>> from slidelab.boards import board
    >>> closing = ClosingOrder(board("hex P(3,3)"), lambda pair: 0.0)
    >>> closing.next(), closing.left
    ((0, 1), 7)
    """

    def __init__(self, board: Board, bonus: Callable[[Edge], float]) -> None:
        self.board, self.bonus = board, bonus
        self.open = set(board.cells)
        count = board.size
        self.centre = (sum(q for q, _ in board.cells) / count, sum(r for _, r in board.cells) / count)
        self.heap = [(-self.far(pair), pair) for pair in board.edges]
        heapq.heapify(self.heap)
        self.waiting: set[Edge] = set()  # checked again when cells near them are closed

    @property
    def left(self) -> int:
        """Number of open cells."""
        return len(self.open)

    def next(self) -> Edge | None:
        """Close the next two cells and return them; None if no two can be closed."""
        while self.heap:
            far, pair = heapq.heappop(self.heap)
            if not self.is_open(pair):
                continue
            if not self.can_close(pair):
                self.waiting.add(pair)
            elif (now := -self.far(pair)) > far:
                heapq.heappush(self.heap, (now, pair))  # it has lost its bonus
            else:
                self.close(pair)
                return pair
        return None

    def far(self, pair: Edge) -> float:
        """Return the distance of two cells from the centre of the board, and their bonus."""
        (aq, ar), (bq, br) = (self.board.cells[cell] for cell in pair)
        q, r = (aq + bq) / 2 - self.centre[0], (ar + br) / 2 - self.centre[1]
        return float((q * q + q * r + r * r) ** 0.5) + self.bonus(pair)

    def is_open(self, pair: Edge) -> bool:
        """Return whether both cells are open."""
        return all(self.board.cells[cell] in self.open for cell in pair)

    def can_close(self, pair: Edge) -> bool:
        """Return whether the open cells stay a proper board without two of them."""
        one, two = (self.board.cells[cell] for cell in pair)
        ring = _ring(one, two)
        present = [cell in self.open for cell in ring]
        if all(present) or _runs(present) != 1:
            return False
        for cell in ring:
            if cell in self.open:
                around = [near in self.open and near not in (one, two) for near in hexagons_around(cell)]
                if sum(around) < 2 or _runs(around) > 1:
                    return False
        return self.left != STAR_CELLS + 2 or is_proper(hex_board(self.open - {one, two}))

    def close(self, pair: Edge) -> None:
        """Close two cells."""
        one, two = (self.board.cells[cell] for cell in pair)
        self.open -= {one, two}
        near = [self.board.cell_at[cell] for cell in _ring(one, two) if cell in self.open]
        near += [other for cell in near for other in self.board.neighbours[cell]]
        for cell in set(near):
            for other in self.board.neighbours[cell]:
                again = (min(cell, other), max(cell, other))
                if again in self.waiting:
                    self.waiting.discard(again)
                    heapq.heappush(self.heap, (-self.far(again), again))


def _ring(one: Cell, two: Cell) -> list[Cell]:
    """Return the eight cells around two that touch, in order."""
    side = HEXAGON_DIRECTIONS.index((two[0] - one[0], two[1] - one[1]))
    first = [hexagons_around(one)[(side + k) % 6] for k in range(1, 6)]
    return first + [hexagons_around(two)[(side + 3 + k) % 6] for k in range(2, 5)]


def _runs(present: list[bool]) -> int:
    """Return the number of runs of True in a cyclic list."""
    return sum(present[k] and not present[k - 1] for k in range(len(present)))
