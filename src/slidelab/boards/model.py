"""The board: cells, and which of them touch.

A `Board` knows coordinates, neighbours and a drawing position for every cell, and nothing about pieces. It is
made by the functions of `hexagons`, `squares`, `graphs` and `sources`, rarely directly.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slidelab.boards.ascii import drawing_of
from slidelab.boards.lattice import Cell, Edge
from slidelab.display import SvgDisplay

if TYPE_CHECKING:
    import networkx as nx

    from slidelab.draw.scene import Picture
    from slidelab.draw.theme import Theme

__all__ = ["Board", "Cell", "Edge", "Position"]

Position = tuple[float, float]


@dataclass(frozen=True, slots=True, repr=False)
class Board(SvgDisplay):
    """Cells numbered in reading order, and the pairs of them that touch.

    Two boards are equal if kind, coordinates, edges and size are; name and positions do not count.

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
        rows: list[list[int]] = [[] for _ in range(self.size)]
        for a, b in self.edges:
            rows[a].append(b)
            rows[b].append(a)
        object.__setattr__(self, "neighbours", tuple(tuple(sorted(row)) for row in rows))
        object.__setattr__(self, "cell_at", {cell: number for number, cell in enumerate(self.cells)})

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"board({self.name!r})"

    def __str__(self) -> str:
        return drawing_of(self)

    def draw(
        self,
        *,
        theme: str | Theme = "light",
        size: float | None = None,
        cells: bool | None = None,
        groups: Mapping[str, Collection[int]] | None = None,
        rings: Collection[int] = (),
        floor: Sequence[str] | None = None,
        cycle: Sequence[int] = (),
        caption: str = "",
    ) -> Picture:
        """Draw the board as a picture; the parameters are those of `slidelab.Puzzle.draw`.

        Examples
        --------
        >>> from slidelab.boards import board
        >>> board("hex F(2)").draw(theme="dark")
        <picture of 'hex F(2)', 238 x 231>
        """
        from slidelab.draw.picture import draw

        return draw(
            self,
            theme=theme,
            size=size,
            cells=cells,
            groups=groups,
            rings=rings,
            floor=floor,
            cycle=cycle,
            caption=caption,
        )

    def adjacent(self, a: int, b: int) -> bool:
        """Return whether cells number `a` and `b` touch; a cell does not touch itself."""
        return b in self.neighbours[a]

    def to_json(self) -> dict[str, Any]:
        """Return the board as a JSON object of plain lists and numbers; `slidelab.board` reads it back.

        Examples
        --------
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
