"""Tiles: a tile slides along an edge into a hole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from slidelab.boards import Board
from slidelab.rules.rule import Cells, Step, T

__all__ = ["Tiles"]


@dataclass(frozen=True, slots=True)
class Tiles:
    """The rule of the 15-puzzle, on any graph and with any number of holes.

    >>> from slidelab.boards import board
    >>> [step.after for step in Tiles().steps(board("square R(2,2)"), (0,))]
    [(1,), (2,)]
    """

    name: str = "tiles"
    piece: str = "tile"
    cells: int = 1
    turns: int = 1
    fewest_holes: int = 1

    def refuses(self, board: Board) -> str | None:
        return None

    def readings(self, cells: tuple[T, ...]) -> tuple[tuple[T, ...], ...]:
        return (cells,)

    def fits(self, board: Board, cells: Cells) -> bool:
        return True

    def placements(self, board: Board) -> Iterator[Cells]:
        return ((cell,) for cell in range(board.size))

    def steps(self, board: Board, cells: Cells) -> Iterator[Step]:
        for to in board.neighbours[cells[0]]:
            yield Step(cells, (to,), (to,), "slide")
