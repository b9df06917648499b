"""Boards in quantity: all hexagonal boards or graphs of a given size, and random boards."""

from __future__ import annotations

import random
from collections.abc import Iterator

from slidelab.arguments import whole_number
from slidelab.boards.graphs import from_edges
from slidelab.boards.hexagons import hex_board
from slidelab.boards.lattice import Cell, hexagons_around
from slidelab.boards.limits import check_size
from slidelab.boards.model import Board
from slidelab.errors import NotationError, TooLarge

__all__ = ["connected_graphs", "polyhexes", "random_hexagons"]

MAX_GRAPH_VERTICES = 11
"""Largest size that is enumerated; there are a billion connected graphs of 11 vertices, a matter of days."""

MAX_POLYHEX_CELLS = 18
"""Largest size that is enumerated; there are about nine billion polyhexes of 18 cells, a matter of days."""

BATCH_BOARDS = 1000
"""How many boards the core returns at a time, few enough that the first ones come at once."""


def polyhexes(n: int) -> Iterator[Board]:
    """Iterate over all connected boards of `n` hexagons, one for each class of congruent boards.

    There are 1, 1, 3, 7, 22, 82, 333, 1448, ... of them [1]_. They come one by one and none is kept, so the
    first boards of 18 cells come at once. The first cell of each board is (0, 0).

    Parameters
    ----------
    n
        Number of hexagons, at most 18.

    Raises
    ------
    TooLarge
        If there are more than 18 hexagons.

    References
    ----------
    .. [1] OEIS A000228, https://oeis.org/A000228

    Examples
    --------
    >>> len(list(polyhexes(4)))
    7
    """
    n = whole_number(n, 1, "number of hexagons")
    if n > MAX_POLYHEX_CELLS:
        raise TooLarge(f"expected at most {MAX_POLYHEX_CELLS} hexagons, got {n}")
    return _stream(n)


def _stream(n: int) -> Iterator[Board]:
    from slidelab._core import PolyhexStream

    stream = PolyhexStream(n)
    while batch := stream.next_batch(BATCH_BOARDS):
        yield from map(hex_board, batch)


def connected_graphs(n: int, *, two_connected: bool = False) -> Iterator[Board]:
    """Iterate over all connected graphs with `n` vertices, one for each isomorphism class.

    There are 1, 1, 2, 6, 21, 112, 853, 11117, ... of them [1]_, and from three vertices on 1, 3, 10, 56, 468,
    7123, ... without a cut vertex [2]_. They come one by one and none is kept: canonical augmentation [3]_.

    Parameters
    ----------
    n
        Number of vertices, at most 11.
    two_connected
        Only graphs with three or more vertices and without a cut vertex.

    Raises
    ------
    TooLarge
        If there are more than 11 vertices.

    References
    ----------
    .. [1] OEIS A001349, https://oeis.org/A001349
    .. [2] OEIS A002218, https://oeis.org/A002218
    .. [3] B. McKay, "Isomorph-free exhaustive generation", J. Algorithms 26 (1998).

    Examples
    --------
    >>> [len(list(connected_graphs(n))) for n in range(1, 7)]
    [1, 1, 2, 6, 21, 112]
    >>> [graph.name for graph in connected_graphs(4, two_connected=True)]
    ['cycle(4)', 'graph 0-1 0-3 1-2 1-3 2-3', 'complete(4)']
    """
    n = whole_number(n, 1, "number of vertices")
    if n > MAX_GRAPH_VERTICES:
        raise TooLarge(f"expected at most {MAX_GRAPH_VERTICES} vertices, got {n}")
    return _graph_stream(n, two_connected)


def _graph_stream(n: int, two_connected: bool) -> Iterator[Board]:
    from slidelab._core import GraphStream

    stream = GraphStream(n, two_connected)
    while batch := stream.next_batch(BATCH_BOARDS):
        yield from (from_edges(edges, n) for edges in batch)


def random_hexagons(cells: int, seed: int | None = None, *, thin: float = 0.0) -> Board:
    """Return a random 2-connected board of hexagons without holes.

    The board grows cell by cell from a triangle. A cell is added only if its neighbours on the board form one
    arc of two or more, so it neither closes a hole nor touches the board at a single cell.

    Parameters
    ----------
    cells
        Number of cells, at least 3.
    seed
        The same seed gives the same board.
    thin
        The probability with which a cell that touches more than two others is put off. The nearer it is to
        one, the more the board is a tangle of arms.

    Examples
    --------
    >>> random_hexagons(9, seed=1).size
    9
    """
    count = whole_number(cells, 3, "cells of a random board")
    check_size(count, 0, f"random board of {count} cells")
    if not isinstance(thin, int | float) or not 0 <= thin <= 1:
        raise NotationError(f"expected a number from 0 to 1, got {thin!r:.40} - at thin")
    rng = random.Random(seed)
    grown = {(0, 0), (1, 0), (0, 1)}
    # Cells beside the board; one that does not fit comes up again when another neighbour is added.
    border = [beside for cell in sorted(grown) for beside in hexagons_around(cell)]
    while len(grown) < count:
        number = rng.randrange(len(border))
        border[number], border[-1] = border[-1], border[number]
        cell = border.pop()
        touching = _arc_length(grown, cell)
        if cell in grown or touching < 2:
            continue
        if touching > 2 and rng.random() < thin:
            border.append(cell)
            continue
        grown.add(cell)
        border.extend(hexagons_around(cell))
    return hex_board(grown)


def _arc_length(grown: set[Cell], cell: Cell) -> int:
    """Return how many neighbours of the cell are on the board if they form one arc around it, else 0."""
    present = [beside in grown for beside in hexagons_around(cell)]
    arcs = sum(present[k] and not present[k - 1] for k in range(6))
    return sum(present) if arcs == 1 else 0
