"""The board: cells, and which of them touch.

A `Board` knows coordinates, neighbours and a drawing position for every cell, and nothing about pieces. It is
made by the functions of `hexagons`, `squares`, `graphs` and `sources`, rarely directly.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slidelab.boards.ascii import drawing_of
from slidelab.boards.lattice import Cell, Edge
from slidelab.display import SvgDisplay
from slidelab.packages import require

if TYPE_CHECKING:
    import networkx as nx

    from slidelab.draw.scene import Picture
    from slidelab.draw.theme import Theme

__all__ = ["Board", "Cell", "Edge", "Position"]

Position = tuple[float, float]


@dataclass(frozen=True, slots=True, repr=False)
class Board(SvgDisplay):
    """Cells numbered in reading order, and the pairs of them that touch.

    Two boards are equal if kind, coordinates, edges and size are; name, positions and labels do not count.

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
    labels : tuple
        What the vertices of a graph are called where it comes from, if not 0, 1, 2, ...; else empty.
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
    labels: tuple[Hashable, ...] = field(default=(), compare=False)
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
        {'kind': 'square', 'name': 'square R(2,1)', 'cells': [[0, 0], [1, 0]]}
        """
        value: dict[str, Any] = {"kind": self.kind}
        if self.is_named:
            value["name"] = self.name
        if self.kind != "graph":
            return {**value, "cells": [list(cell) for cell in self.cells]}
        value["vertices"] = self.size
        value["edges"] = [list(edge) for edge in self.edges]
        value["positions"] = [list(position) for position in self.positions]
        if self.labels:
            value["labels"] = [self.cell_text(cell) for cell in range(self.size)]
        return value

    @property
    def is_named(self) -> bool:
        """Whether the name is that of a family, such as ``hex P(3,4)``, rather than a list of cells or edges.

        Examples
        --------
        >>> from slidelab.boards import board
        >>> board("hex star").is_named, board("hex 0,0 1,0 3,0").is_named, board("graph 0-1 2").is_named
        (True, False, False)
        """
        return "(" in self.name or self.name == "hex star"

    def cell_text(self, cell: int) -> str:
        """Return what a cell is called: its label, or its number.

        Examples
        --------
        >>> from slidelab.boards import board
        >>> board("graph a-b b-c").cell_text(1), board("path(3)").cell_text(1)
        ('b', '1')
        """
        return str(self.labels[cell]) if self.labels else str(cell)

    def to_networkx(self) -> nx.Graph[Any]:
        """Return a networkx graph, in which each node has its drawing position as ``pos``.

        Nodes are called as in the graph that the board was made from, otherwise 0, 1, 2, ...

        Examples
        --------
        >>> import networkx
        >>> from slidelab.boards import board
        >>> sorted(board(networkx.Graph(["ab", "bc", "ca"])).to_networkx())
        ['a', 'b', 'c']
        """
        require("networkx", "graphs need", "graph")
        import networkx as nx

        names = self.labels or range(self.size)
        graph: nx.Graph[Any] = nx.Graph()
        graph.add_nodes_from((name, {"pos": at}) for name, at in zip(names, self.positions, strict=True))
        graph.add_edges_from((names[a], names[b]) for a, b in self.edges)
        return graph
