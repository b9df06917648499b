"""Gourds: pieces on two touching cells that slide, turn and pivot.

Hamersma, van Kreveld, Uno and van der Zanden, "Gourds: a sliding-block puzzle with turning".
Whether a move is a slide, a turn or a pivot is a matter of angles, but what it does is a matter
of touching alone: if the hole touches only one end, the gourd follows that end into it; if it
touches both, one end stays and the other swings over (a pivot), or, in the variant with sharp
turns, the gourd follows either end round the corner. So gourds can be played on any board,
squares and graphs included.
"""

from __future__ import annotations

from collections.abc import Iterator

from slidelab.boards import Board
from slidelab.rules.rule import Cells, Corner, Rule, Step

__all__ = ["Gourds", "SharpGourds"]


class Gourds(Rule):
    """Gourds that slide, turn and pivot.

    >>> from slidelab.boards import board
    >>> [(s.after, s.kind) for s in Gourds().steps(board("hex T(2)"), (0, 1))]
    [((0, 2), 'pivot'), ((2, 1), 'pivot')]
    """

    __slots__ = ()

    name = "gourds"
    piece = "gourd"
    cells = 2
    turns = 2
    corner: Corner = "pivot"
    touching_alone = True

    def fits(self, board: Board, cells: Cells) -> bool:
        """Return whether the two cells touch."""
        return board.adjacent(cells[0], cells[1])

    def placements(self, board: Board) -> Iterator[Cells]:
        """Yield every edge of the board."""
        return iter(board.edges)

    def steps(self, board: Board, cells: Cells) -> Iterator[Step]:
        """Yield a slide, turn, pivot or sharp turn into every cell that touches an end."""
        head, tail = cells
        for hole in board.neighbours[tail]:
            if hole != head and not board.adjacent(hole, head):
                yield Step(cells, (tail, hole), (hole,), _bend(board, head, tail, hole))
        for hole in board.neighbours[head]:
            if hole == tail:
                continue
            if board.adjacent(hole, tail):
                yield from self._corner_steps(cells, hole)
            else:
                yield Step(cells, (hole, head), (hole,), _bend(board, tail, head, hole))

    def _corner_steps(self, cells: Cells, hole: int) -> Iterator[Step]:
        """Yield the moves into a hole that touches both ends."""
        head, tail = cells
        yield Step(cells, (head, hole), (hole,), "pivot")
        yield Step(cells, (hole, tail), (hole,), "pivot")


class SharpGourds(Gourds):
    """Gourds with sharp turns of 120 degrees instead of pivots (section 2 of the paper).

    >>> from slidelab.boards import board
    >>> [(s.after, s.kind) for s in SharpGourds().steps(board("hex T(2)"), (0, 1))]
    [((1, 2), 'sharp turn'), ((2, 0), 'sharp turn')]
    """

    __slots__ = ()

    name = "gourds-sharp"
    corner = "sharp turn"

    def _corner_steps(self, cells: Cells, hole: int) -> Iterator[Step]:
        head, tail = cells
        yield Step(cells, (tail, hole), (hole,), "sharp turn")
        yield Step(cells, (hole, head), (hole,), "sharp turn")


def _bend(board: Board, first: int, second: int, third: int) -> str:
    """Return "slide" if the three cells lie in line, else "turn"; on a bare graph nothing bends."""
    if not board.cells:
        return "slide"
    (ax, ay), (bx, by), (cx, cy) = board.cells[first], board.cells[second], board.cells[third]
    return "slide" if (bx - ax, by - ay) == (cx - bx, cy - by) else "turn"
