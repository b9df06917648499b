"""The board: cells, and which of them touch.

A `Board` knows coordinates, neighbours and a drawing position for every cell, and nothing of pieces.
It is made by the functions of `hexagons`, `squares`, `graphs` and `notation`, hardly ever directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slidelab.display import SvgDisplay
from slidelab.errors import TooLarge

if TYPE_CHECKING:
    import networkx as nx

    from slidelab.draw.scene import Picture

__all__ = ["MAX_CELLS", "MAX_COORDINATE", "MAX_EDGES", "Board", "Cell", "Edge", "Position"]

Cell = tuple[int, int]
Edge = tuple[int, int]
Position = tuple[float, float]

MAX_CELLS = 100_000
MAX_EDGES = 1_000_000
MAX_COORDINATE = 999_999_999
MAX_DRAWING = 1_000_000


@dataclass(frozen=True, slots=True, repr=False)
class Board(SvgDisplay):
    """Cells numbered in reading order, and the pairs of them that touch.

    Two boards are equal when kind, coordinates, edges and size are; name and positions do not count.

    Attributes
    ----------
    kind : str
        ``"hex"``, ``"square"``, ``"king"`` (squares that also touch at corners) or ``"graph"``.
    cells : tuple of (int, int)
        Coordinates of each cell: hex axial ``(q, r)``, square and king ``(x, y)``; empty for graphs.
    edges : tuple of (int, int)
        Pairs ``(a, b)`` of numbers of touching cells, ``a < b``, sorted.
    size : int
        Number of cells.
    name : str
        The canonical one-line text; ``board(name)`` gives an equal board.
    positions : tuple of (float, float)
        Where to draw each cell; y grows downwards, neighbouring cells are about one unit apart.
    neighbours : tuple of tuples of int
        For each cell the sorted numbers of the cells it touches.
    cell_at : dict
        The number of the cell with given coordinates.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> b = board("hex P(3,2)")
    >>> b
    board('hex P(3,2)')
    >>> b.neighbours[0]
    (1, 3)
    >>> print(b)
    hex
    # # #
     # # #
    """

    kind: str
    cells: tuple[Cell, ...]
    edges: tuple[Edge, ...]
    size: int
    name: str = field(compare=False)
    positions: tuple[Position, ...] = field(compare=False)
    neighbours: tuple[tuple[int, ...], ...] = field(init=False, compare=False)
    cell_at: dict[Cell, int] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        lists: list[list[int]] = [[] for _ in range(self.size)]
        for a, b in self.edges:
            lists[a].append(b)
            lists[b].append(a)
        object.__setattr__(self, "neighbours", tuple(tuple(sorted(row)) for row in lists))
        object.__setattr__(self, "cell_at", {cell: number for number, cell in enumerate(self.cells)})

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"board({self.name!r})"

    def __str__(self) -> str:
        if self.kind == "graph" or _drawing_area(self) > MAX_DRAWING:
            return self.name
        return "\n".join([self.kind, *_rows(self)])

    def draw(self, **options: Any) -> Picture:
        """The board as a picture; options are those of `slidelab.draw.picture.draw`.

        >>> from slidelab.boards import board
        >>> board("hex F(2)").draw(theme="dark")
        <picture of 'hex F(2)', 238 x 231>
        """
        from slidelab.draw.picture import draw

        return draw(self, **options)

    def adjacent(self, a: int, b: int) -> bool:
        """Whether cells number `a` and `b` touch (a cell does not touch itself)."""
        return b in self.neighbours[a]

    def to_json(self) -> dict[str, Any]:
        """Return the board as a JSON object of plain lists and numbers; ``board`` reads it back.

        >>> from slidelab.boards import board
        >>> board("square R(2,1)").to_json()
        {'kind': 'square', 'cells': [[0, 0], [1, 0]]}
        """
        if self.kind != "graph":
            return {"kind": self.kind, "cells": [list(cell) for cell in self.cells]}
        return {
            "kind": "graph",
            "vertices": self.size,
            "edges": [list(edge) for edge in self.edges],
            "positions": [list(position) for position in self.positions],
        }

    def to_networkx(self) -> nx.Graph[int]:
        """Return a networkx graph on 0..n-1; each node has its drawing position as ``pos``."""
        import networkx as nx

        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from((v, {"pos": position}) for v, position in enumerate(self.positions))
        graph.add_edges_from(self.edges)
        return graph


def column_and_row(kind: str, cell: Cell) -> Cell:
    """Return where a cell stands in a text drawing: hexagons are two characters apart, rows shifted."""
    return (2 * cell[0] + cell[1], cell[1]) if kind == "hex" else cell


def _drawing_area(board: Board) -> int:
    places = [column_and_row(board.kind, cell) for cell in board.cells]
    columns, rows = [column for column, _ in places], [row for _, row in places]
    return (max(columns) - min(columns) + 1) * (max(rows) - min(rows) + 1)


def _rows(board: Board) -> list[str]:
    places = [column_and_row(board.kind, cell) for cell in board.cells]
    left, top = min(column for column, _ in places), places[0][1]
    width, height = max(column for column, _ in places) - left + 1, places[-1][1] - top + 1
    # Hexagons stand two characters apart, so blanks already show the gaps; squares need a visible one.
    gap = " " if board.kind == "hex" else "."
    rows = [[gap] * width for _ in range(height)]
    for column, row in places:
        rows[row - top][column - left] = "#"
    return ["".join(row).rstrip() or "." for row in rows]


def lay_out(board: Board, texts: Sequence[str]) -> str:
    """Return the texts of all cells, each where its cell is drawn; as a list where that makes no picture.

    >>> from slidelab.boards import board
    >>> print(lay_out(board("hex T(3)"), "abcdef"))
      a
     b c
    d e f
    """
    wide = max(map(len, texts))
    step = wide + 1 if board.kind != "hex" else (wide + 2) // 2
    if board.kind == "graph" or _drawing_area(board) * step > MAX_DRAWING:
        return "  ".join(f"{cell}:{text}" for cell, text in enumerate(texts))
    places = [column_and_row(board.kind, cell) for cell in board.cells]
    left = min(column for column, _ in places)
    lines: dict[int, str] = {}
    for (column, row), text in zip(places, texts, strict=True):
        lines[row] = lines.get(row, "").ljust((column - left) * step) + text.rjust(wide)
    return "\n".join(lines.get(row, "").rstrip() for row in range(min(lines), max(lines) + 1))


def check_size(cells: int, edges: int, name: str) -> None:
    """Raise `TooLarge` if a board of this many cells and edges may not be built.

    >>> check_size(10**9, 0, "cycle(1000000000)")
    Traceback (most recent call last):
    ...
    slidelab.errors.TooLarge: expected at most 100000 cells, got 1000000000 - at 'cycle(1000000000)'
    """
    if cells > MAX_CELLS:
        raise TooLarge(f"expected at most {MAX_CELLS} cells, got {cells} - at {name!r}")
    if edges > MAX_EDGES:
        raise TooLarge(f"expected at most {MAX_EDGES} edges, got {edges} - at {name!r}")
