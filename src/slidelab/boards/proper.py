"""Proper boards: those on which all gourd puzzles with one empty cell are solvable.

The hexagons of a proper board are 2-connected and without a hole. All such boards but the star have a
Hamiltonian cycle (Polishchuk, Arkin and Mitchell 2006; Gordon, Orlovich and Werner 2008).
"""

from __future__ import annotations

from slidelab.boards.hexagons import congruent_family
from slidelab.boards.lattice import hexagons_around, reading_order
from slidelab.boards.model import Board
from slidelab.boards.structure import components, cut_cells, holes_in_board
from slidelab.boards.walks import predecessors

__all__ = ["is_proper", "why_no_cycle", "why_not_proper"]


def is_proper(board: Board) -> bool:
    """Return whether the board is proper as in the paper on gourds; `why_not_proper` gives the reason if not.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> is_proper(board("hex F(2)")), is_proper(board("hex star"))
    (True, False)
    """
    return why_not_proper(board) is None


def why_not_proper(board: Board) -> str | None:
    """Return the reason why the board is not proper, None if it is.

    A board is proper if it consists of an odd number of hexagons, is 2-connected, has no hole and is not
    the star [1]_.

    References
    ----------
    .. [1] J. Hamersma, M. van Kreveld, Y. Uno, T. C. van der Zanden, "Gourds: a sliding-block puzzle with
       turning", ISAAC 2020.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> why_not_proper(board("hex P(4,3)"))
    'expected an odd number of cells, so that gourds leave one empty, got 12'
    """
    if board.kind == "hex" and board.size % 2 == 0:
        return f"expected an odd number of cells, so that gourds leave one empty, got {board.size}"
    return why_no_cycle(board)


def why_no_cycle(board: Board) -> str | None:
    """Return the reason why the theorem on hexagonal boards gives no Hamiltonian cycle, None if it does."""
    if board.kind != "hex":
        return f"expected a board of hexagons, got {board.name[:80]!r}"
    if board.size < 3:
        return f"expected at least three cells, got {board.size}"
    if reason := _why_not_two_connected(board):
        return reason
    if holes_in_board(board):
        return f"the board has a hole next to cell {_cell_next_to_hole(board)}"
    if congruent_family(board) == ("star", ()):
        return "the board is the star, the only one of its kind without a Hamiltonian cycle"
    return None


def _why_not_two_connected(board: Board) -> str | None:
    parts = components(board)
    if len(parts) > 1:
        return f"the board has {len(parts)} parts: no path from cell {parts[0][0]} to cell {parts[1][0]}"
    for cell, row in enumerate(board.neighbours):
        if len(row) == 1:
            return f"cell {cell} is a leaf: it touches cell {row[0]} only"
    for cell in cut_cells(board):
        return f"cell {cell} is a cut cell: no cycle and no gourd gets past it from one side to the other"
    return None


def _cell_next_to_hole(board: Board) -> int:
    """Return the first cell that touches a hole of a connected hexagonal board with holes.

    Two missing cells that touch a connected board are connected by such cells if and only if they are in the
    same hole, or both outside. So there is no need to look at others, of which there may be many more.
    """
    rim = {cell for place in board.cells for cell in hexagons_around(place) if cell not in board.cell_at}
    first = min(rim, key=reading_order)
    outside = predecessors({cell: hexagons_around(cell) for cell in rim}, [first], rim.__contains__)
    inside = rim.difference(outside)
    return next(k for k, cell in enumerate(board.cells) if not inside.isdisjoint(hexagons_around(cell)))
