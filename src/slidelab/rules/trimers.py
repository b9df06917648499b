"""Trimers: pieces on three cells, flexible or rigid.

The thesis (section 7.3) asks about flexible pieces of length three, the gourds paper (section 5)
about rigid ones: a straight piece, which with one hole can never leave its row, and a triangle,
which can only pivot. Here

- `trimers` are flexible chains: an end creeps into a hole and the rest follows, or an end swings
  round the middle into a hole that touches both;
- `trimers-straight`, `trimers-bent` and `trimers-triangle` are rigid: a piece is shifted by one
  cell or turned by one step (60 degrees on hexagons, 90 on squares) about one of its cells, if
  all the cells it newly covers are holes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from slidelab.boards import Board
from slidelab.boards.lattice import DIRECTIONS
from slidelab.rules.rule import Cells, Rule, Step

__all__ = ["BentTrimers", "StraightTrimers", "TriangleTrimers", "Trimers"]

Vector = tuple[int, int]


class Trimers(Rule):
    """Flexible chains of three cells, read from end to end.

    >>> from slidelab.boards import board
    >>> [(s.after, s.kind) for s in Trimers().steps(board("square R(4,1)"), (0, 1, 2))]
    [((1, 2, 3), 'slide')]
    """

    __slots__ = ()

    name = "trimers"
    piece = "trimer"
    cells = 3
    turns = 2
    touching_alone = True

    def fits(self, board: Board, cells: Cells) -> bool:
        """Return whether the cells are a path."""
        first, middle, last = cells
        return first != last and board.adjacent(first, middle) and board.adjacent(middle, last)

    def placements(self, board: Board) -> Iterator[Cells]:
        """Yield every path of three cells."""
        for middle, around in enumerate(board.neighbours):
            for first in around:
                for last in around:
                    if first < last:
                        yield first, middle, last

    def steps(self, board: Board, cells: Cells) -> Iterator[Step]:
        """Yield the slides of the chain and the pivots of its ends."""
        first, middle, last = cells
        for hole in board.neighbours[last]:
            if hole not in cells:
                yield Step(cells, (middle, last, hole), (hole,), "slide")
                if board.adjacent(hole, middle):
                    yield Step(cells, (first, middle, hole), (hole,), "pivot")
        for hole in board.neighbours[first]:
            if hole not in cells:
                yield Step(cells, (hole, first, middle), (hole,), "slide")
                if board.adjacent(hole, middle):
                    yield Step(cells, (hole, middle, last), (hole,), "pivot")


class _RigidTrimers(Rule):
    """The common part of the rigid trimers."""

    __slots__ = ()

    piece = "trimer"
    cells = 3
    rigid = True
    bend: ClassVar[dict[str, int]]
    """For each kind of board the number of steps by which the second arm turns from the first."""

    def refuses(self, board: Board) -> str | None:
        """Return why rigid pieces cannot be played on a board without a lattice of theirs."""
        if board.kind in self.bend:
            return None
        return f"{self.name} are rigid and can only be played on {' and '.join(self.bend)} boards"

    def fits(self, board: Board, cells: Cells) -> bool:
        """Return whether the cells have the form of the piece, read turning left."""
        return any(cells == other for other in self._from_cell(board, cells[0]))

    def placements(self, board: Board) -> Iterator[Cells]:
        """Yield every shift and turn of the piece on the board."""
        for start in range(board.size):
            for cells in self._from_cell(board, start):
                if cells == min(self.readings(cells)):
                    yield cells

    def _from_cell(self, board: Board, start: int) -> Iterator[Cells]:
        """Yield all pieces whose first cell is `start`, in their proper reading."""
        around, at, bend = DIRECTIONS[board.kind], board.cell_at, self.bend[board.kind]
        x, y = board.cells[start]
        for d, (dx, dy) in enumerate(around):
            ex, ey = around[(d + bend) % len(around)]
            middle = at.get((x + dx, y + dy))
            last = at.get((x + dx + ex, y + dy + ey))
            if middle is not None and last is not None:
                yield start, middle, last

    def steps(self, board: Board, cells: Cells) -> Iterator[Step]:
        """Yield the shifts by one cell and the turns by one step about a cell."""
        places = [board.cells[cell] for cell in cells]
        for dx, dy in DIRECTIONS[board.kind]:
            yield from _if_on_board(board, cells, [(x + dx, y + dy) for x, y in places], "slide")
        for cx, cy in places:
            for turn in _turns(board):
                turned = [turn(x - cx, y - cy) for x, y in places]
                yield from _if_on_board(board, cells, [(cx + x, cy + y) for x, y in turned], "pivot")


class StraightTrimers(_RigidTrimers):
    """Rigid pieces of three cells in line.

    >>> from slidelab.boards import board
    >>> list(StraightTrimers().placements(board("square R(3,2)")))
    [(0, 1, 2), (3, 4, 5)]
    """

    __slots__ = ()

    name = "trimers-straight"
    bend: ClassVar = {"hex": 0, "square": 0}
    turns = 2


class BentTrimers(_RigidTrimers):
    """Rigid pieces with one bend: 120 degrees between the arms on hexagons, 90 on squares.

    Read so that going from end to end turns left in the drawing; a piece can't be turned over.

    >>> from slidelab.boards import board
    >>> list(BentTrimers().placements(board("square R(2,2)")))
    [(0, 2, 3), (1, 0, 2), (2, 3, 1), (3, 1, 0)]
    """

    __slots__ = ()

    name = "trimers-bent"
    bend: ClassVar = {"hex": 5, "square": 3}


class TriangleTrimers(_RigidTrimers):
    """Rigid pieces of three mutually touching hexagons, read turning left.

    >>> from slidelab.boards import board
    >>> list(TriangleTrimers().placements(board("hex T(2)")))
    [(0, 1, 2)]
    """

    __slots__ = ()

    name = "trimers-triangle"
    bend: ClassVar = {"hex": 4}
    turns = 3
    links = ((0, 1), (1, 2), (0, 2))


def _turns(board: Board) -> tuple[Callable[[int, int], Vector], ...]:
    if board.kind == "hex":
        return (lambda q, r: (-r, q + r)), (lambda q, r: (q + r, -q))
    return (lambda x, y: (-y, x)), (lambda x, y: (y, -x))


def _if_on_board(board: Board, cells: Cells, places: list[Vector], kind: str) -> Iterator[Step]:
    after = tuple(board.cell_at.get(place, -1) for place in places)
    if -1 not in after:
        yield Step(cells, after, tuple(cell for cell in after if cell not in cells), kind)
