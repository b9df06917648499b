"""Tiles: a tile slides along an edge into a hole."""

from __future__ import annotations

from collections.abc import Iterator

from slidelab.boards import Board
from slidelab.rules.rule import Cells, Rule, Step

__all__ = ["Tiles"]


class Tiles(Rule):
    """The rule of the 15-puzzle, on any graph and with any number of holes.

    >>> from slidelab.boards import board
    >>> [step.after for step in Tiles().steps(board("square R(2,2)"), (0,))]
    [(1,), (2,)]
    """

    __slots__ = ()

    name = "tiles"
    piece = "tile"
    cells = 1
    slides_along_edges = True
    touching_alone = True

    def fits(self, board: Board, cells: Cells) -> bool:
        """Return True: a tile fits on every cell."""
        return True

    def placements(self, board: Board) -> Iterator[Cells]:
        """Yield every cell."""
        return ((cell,) for cell in range(board.size))

    def steps(self, board: Board, cells: Cells) -> Iterator[Step]:
        """Yield a step along every edge of the cell."""
        for to in board.neighbours[cells[0]]:
            yield Step(cells, (to,), (to,), "slide")

    def swept_polygons(self, board: Board) -> tuple[tuple[Cells, ...], ...] | None:
        """Return the blocks of two by two squares, in which a square tile moves freely.

        >>> from slidelab.boards import board
        >>> Tiles().swept_polygons(board("square R(2,2)"))
        (((0,), (1,), (3,), (2,)),)
        """
        if board.kind != "square":
            return None
        at = board.cell_at
        blocks = ([at.get((x + dx, y + dy)) for dx, dy in _UNIT_SQUARE] for x, y in board.cells)
        found = ([(cell,) for cell in block if cell is not None] for block in blocks)
        return tuple(tuple(block) for block in found if len(block) == len(_UNIT_SQUARE))


_UNIT_SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))
