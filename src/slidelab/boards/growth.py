"""Random boards of hexagons without a hole and without a cut cell."""

from __future__ import annotations

import random

from slidelab.arguments import whole_number
from slidelab.boards.board import Board, Cell, check_size
from slidelab.boards.hexagons import hex_board
from slidelab.boards.lattice import hexagons_around
from slidelab.errors import NotationError

__all__ = ["random_hexagons"]


def random_hexagons(cells: int, seed: int | None = None, *, thin: float = 0.0) -> Board:
    """A 2-connected board without holes, grown cell by cell from a triangle.

    A cell is added only if those of its neighbours that are there already form one arc of two or more: so it
    closes no hole and hangs on no single cell. The nearer `thin` is to one, the more rarely a cell is added
    that touches more than two others: the board becomes a tangle of arms. The same seed gives the same board.

    >>> random_hexagons(9, seed=1).size
    9
    """
    count = whole_number(cells, 3, "cells of a random board")
    check_size(count, 0, f"random board of {count} cells")
    if not isinstance(thin, int | float) or not 0 <= thin <= 1:
        raise NotationError(f"expected a number from 0 to 1, got {thin!r:.40} - at thin")
    chance = random.Random(seed)
    grown = {(0, 0), (1, 0), (0, 1)}
    # Places beside the board; one that does not fit comes up again when another neighbour is added.
    edge = [beside for cell in sorted(grown) for beside in hexagons_around(cell)]
    while len(grown) < count:
        number = chance.randrange(len(edge))
        edge[number], edge[-1] = edge[-1], edge[number]
        place = edge.pop()
        touching = _arc(grown, place)
        if place in grown or touching < 2:
            continue
        if touching > 2 and chance.random() < thin:
            edge.append(place)
            continue
        grown.add(place)
        edge.extend(hexagons_around(place))
    return hex_board(grown)


def _arc(grown: set[Cell], place: Cell) -> int:
    """How many neighbours are there, if they follow each other round the place; else none."""
    there = [beside in grown for beside in hexagons_around(place)]
    arcs = sum(there[k] and not there[k - 1] for k in range(6))
    return sum(there) if arcs == 1 else 0
