"""Moves as arrows and directions in words, on boards of squares and hexagons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidelab.boards import Board
from slidelab.boards.lattice import DIRECTIONS, Cell
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.puzzles.definition import Puzzle

__all__ = ["DIRECTION_WORDS", "arrow_between", "arrows_of", "directions_of"]

_ARROWS = {
    kind: dict(zip(DIRECTIONS[kind], arrows, strict=True))
    for kind, arrows in (("hex", "→↘↙←↖↗"), ("square", "→↓←↑"), ("king", "→↘↓↙←↖↑↗"))
}

DIRECTION_WORDS = {
    "→": "right",
    "↘": "down-right",
    "↓": "down",
    "↙": "down-left",
    "←": "left",
    "↖": "up-left",
    "↑": "up",
    "↗": "up-right",
}


def arrows_of(puzzle: Puzzle) -> dict[Cell, str]:
    """Return the arrow for each direction in which tiles of a puzzle slide.

    Raises
    ------
    NotationError
        If the pieces are no tiles, or the board has no directions.

    Examples
    --------
    >>> import slidelab as sl
    >>> arrows_of(sl.puzzle("square R(2,2)"))
    {(1, 0): '→', (0, 1): '↓', (-1, 0): '←', (0, -1): '↑'}
    """
    arrows = _ARROWS.get(puzzle.board.kind)
    if arrows is None or not (puzzle.rule.slides_along_edges or puzzle.rule.needs_companion):
        raise NotationError(f"expected tiles on squares or hexagons for arrows, got {puzzle.text}")
    return arrows


def directions_of(puzzle: Puzzle) -> dict[str, Cell]:
    """Return the direction of each arrow; the inverse of `arrows_of`.

    Examples
    --------
    >>> import slidelab as sl
    >>> directions_of(sl.puzzle("square R(2,2)"))["↓"]
    (0, 1)
    """
    return {arrow: direction for direction, arrow in arrows_of(puzzle).items()}


def arrow_between(board: Board, before: int, after: int) -> str | None:
    """Return the arrow from a cell to a neighbour; None on graphs, and if the cells do not touch.

    >>> from slidelab.boards import board
    >>> arrow_between(board("square R(3,3)"), 4, 1), arrow_between(board("square R(3,3)"), 4, 0)
    ('↑', None)
    """
    if board.kind not in _ARROWS:
        return None
    (ax, ay), (bx, by) = board.cells[before], board.cells[after]
    return _ARROWS[board.kind].get((bx - ax, by - ay))
