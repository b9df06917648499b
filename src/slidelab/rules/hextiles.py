"""Hexagonal tiles: too wide to pass between two others, they need a second hole beside their path."""

from __future__ import annotations

from collections.abc import Iterator

from slidelab.boards import Board
from slidelab.rules.rule import Cells, Step
from slidelab.rules.tiles import Tiles

__all__ = ["HexTiles"]


class HexTiles(Tiles):
    """A tile slides into a neighbouring hole only if a second hole touches both.

    Karpman and Roldan, "Parity property of hexagonal sliding puzzles", figure 3. Only touching
    matters, so the rule makes sense on every board that has triangles.

    >>> from slidelab.boards import board
    >>> [(s.after, s.holes) for s in HexTiles().steps(board("hex T(2)"), (0,))]
    [((1,), (1, 2)), ((2,), (2, 1))]
    """

    __slots__ = ()

    name = "hextiles"
    fewest_holes = 2
    slides_along_edges = False
    needs_companion = True

    def steps(self, board: Board, cells: Cells) -> Iterator[Step]:
        """Yield a step along every edge for every second hole that touches both cells."""
        around = board.neighbours[cells[0]]
        for to in around:
            touching = set(board.neighbours[to])
            for beside in around:
                if beside in touching:
                    yield Step(cells, (to,), (to, beside), "slide")

    def swept_polygons(self, board: Board) -> tuple[tuple[Cells, ...], ...] | None:
        """Return the triangles of touching hexagons: a tile gets from each to each over their corner.

        >>> from slidelab.boards import board
        >>> HexTiles().swept_polygons(board("hex T(2)"))
        (((0,), (1,), (2,)),)
        """
        if board.kind != "hex":
            return None
        return tuple(
            ((a,), (b,), (c,))
            for a, b in board.edges
            for c in board.neighbours[b]
            if b < c and board.adjacent(a, c)
        )
