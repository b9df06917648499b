"""Boards of squares: rectangles, the classical 15- and 8-puzzle, and any set of squares.

Squares touch along their sides (kind ``square``) or also at their corners (kind ``king``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from slidelab.arguments import whole_number
from slidelab.boards.lattice import Cell, bounding_box, lattice_edges, listed_name, sorted_cells
from slidelab.boards.limits import check_size
from slidelab.boards.model import Board

__all__ = ["eight", "fifteen", "king_rectangle", "rectangle", "square_board"]


def square_board(cells: Iterable[Sequence[int]], *, king: bool = False) -> Board:
    """Return the board of these squares.

    Parameters
    ----------
    cells
        Coordinates (x, y), in any order.
    king
        Whether squares also touch at their corners.

    Examples
    --------
    >>> square_board([(0, 1), (0, 0), (5, 5)]).edges
    ((0, 1),)
    >>> square_board([(0, 0), (1, 1)], king=True).edges
    ((0, 1),)
    """
    kind = "king" if king else "square"
    ordered = sorted_cells(cells, kind)
    return Board(
        kind=kind,
        cells=ordered,
        edges=lattice_edges(kind, ordered),
        size=len(ordered),
        name=_name(kind, ordered),
        positions=tuple((float(x), float(y)) for x, y in ordered),
    )


def rectangle(columns: int, rows: int | None = None) -> Board:
    """Return the rectangle R(columns, rows); R(n) is R(n, n).

    Examples
    --------
    >>> rectangle(4, 3).neighbours[5]
    (1, 4, 6, 9)
    """
    return _rectangle("square", columns, columns if rows is None else rows)


def king_rectangle(columns: int, rows: int | None = None) -> Board:
    """Return the rectangle on which a tile may also move diagonally, as the king in chess.

    Examples
    --------
    >>> king_rectangle(2)
    board('king R(2,2)')
    >>> len(king_rectangle(2).edges)
    6
    """
    return _rectangle("king", columns, columns if rows is None else rows)


def fifteen() -> Board:
    """Return the board of the 15-puzzle.

    Examples
    --------
    >>> fifteen()
    board('square R(4,4)')
    """
    return rectangle(4, 4)


def eight() -> Board:
    """Return the board of the 8-puzzle.

    Examples
    --------
    >>> len(eight())
    9
    """
    return rectangle(3, 3)


def _rectangle(kind: str, columns: int, rows: int) -> Board:
    columns = whole_number(columns, 1, "number 1 of R")
    rows = whole_number(rows, 1, "number 2 of R")
    check_size(columns * rows, 0, f"{kind} R({columns},{rows})")
    return square_board(((x, y) for y in range(rows) for x in range(columns)), king=kind == "king")


def _name(kind: str, cells: tuple[Cell, ...]) -> str:
    left, top, columns, rows = bounding_box(cells)
    if (left, top) == (0, 0) and columns * rows == len(cells):
        return f"{kind} R({columns},{rows})"
    return listed_name(kind, cells)
