"""Coordinates on the lattices of hexagons and squares: directions, symmetries, edges, reading order.

Hexagons have axial coordinates (q, r), where r is the row and q + r / 2 the horizontal position; squares have
(x, y). Rows are numbered downwards. On ``king`` boards squares also touch at their corners.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from slidelab.arguments import whole_number
from slidelab.boards.limits import MAX_COORDINATE, check_size
from slidelab.errors import NotationError

__all__ = [
    "DIRECTIONS",
    "HEXAGON_DIRECTIONS",
    "Cell",
    "Edge",
    "bounding_box",
    "hexagons_around",
    "images",
    "lattice_edges",
    "listed_name",
    "reading_order",
    "sorted_cells",
]

Cell = tuple[int, int]
Edge = tuple[int, int]

HEXAGON_DIRECTIONS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))

DIRECTIONS: dict[str, tuple[Cell, ...]] = {
    "hex": HEXAGON_DIRECTIONS,
    "square": ((1, 0), (0, 1), (-1, 0), (0, -1)),
    "king": ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)),
}
"""Steps from a cell to its neighbours, clockwise in a drawing from the right one on."""


def hexagons_around(cell: Cell) -> list[Cell]:
    """Return the six hexagons that touch a hexagon, clockwise.

    >>> hexagons_around((0, 0))[:2]
    [(1, 0), (0, 1)]
    """
    q, r = cell
    return [(q + dq, r + dr) for dq, dr in HEXAGON_DIRECTIONS]


def images(kind: str, x: int, y: int) -> tuple[Cell, ...]:
    """Return the images of a cell under the symmetries of its lattice that fix (0, 0), rotations first.

    >>> len(set(images("hex", 2, 1))), len(set(images("square", 2, 1)))
    (12, 8)
    """
    if kind == "hex":
        s = -x - y
        rotated: tuple[Cell, ...] = ((x, y), (-y, -s), (s, x), (-x, -y), (y, s), (-s, -x))
    else:
        rotated = ((x, y), (-y, x), (-x, -y), (y, -x))
    return rotated + tuple((b, a) for a, b in rotated)


def bounding_box(cells: Iterable[Cell]) -> tuple[int, int, int, int]:
    """Return the left column, the top row, the width and the height.

    >>> bounding_box([(0, 3), (2, 4)])
    (0, 3, 3, 2)
    """
    columns, rows = zip(*cells, strict=True)
    left, top = min(columns), min(rows)
    return left, top, max(columns) - left + 1, max(rows) - top + 1


def reading_order(cell: Cell) -> Cell:
    """Return the sort key of a cell: rows from the top, each from left to right."""
    return cell[1], cell[0]


def lattice_edges(kind: str, cells: Sequence[Cell]) -> tuple[Edge, ...]:
    """Return the sorted pairs of indices of touching cells; the cells are in reading order.

    >>> lattice_edges("square", [(0, 0), (1, 0), (0, 1)])
    ((0, 1), (0, 2))
    """
    number = {cell: index for index, cell in enumerate(cells)}
    forward = sorted((step for step in DIRECTIONS[kind] if reading_order(step) > (0, 0)), key=reading_order)
    edges = []
    for index, (x, y) in enumerate(cells):
        for dx, dy in forward:
            other = number.get((x + dx, y + dy))
            if other is not None:
                edges.append((index, other))
    return tuple(edges)


def sorted_cells(cells: Iterable[Sequence[int]], kind: str) -> tuple[Cell, ...]:
    """Check coordinates and return them in reading order.

    >>> sorted_cells([(0, 1), (1, 0)], "square")
    ((1, 0), (0, 1))
    """
    found: set[Cell] = set()
    for number, cell in enumerate(cells):
        check_size(number + 1, 0, f"{kind} board")
        place = f"cell {number} of a {kind} board"
        pair = _coordinates(cell, place)
        if pair in found:
            raise NotationError(f"expected different cells, got {pair[0]},{pair[1]} twice - at {place}")
        found.add(pair)
    if not found:
        raise NotationError(f"expected at least one cell, got none - at {kind} board")
    return tuple(sorted(found, key=reading_order))


def _coordinates(cell: Sequence[int], place: str) -> Cell:
    try:
        first, second = cell
    except (TypeError, ValueError):
        raise NotationError(f"expected two coordinates, got {cell!r} - at {place}") from None
    x = whole_number(first, -MAX_COORDINATE, place)
    y = whole_number(second, -MAX_COORDINATE, place)
    if max(x, y) > MAX_COORDINATE:
        raise NotationError(f"expected coordinates up to {MAX_COORDINATE}, got {max(x, y)} - at {place}")
    return x, y


def listed_name(kind: str, cells: Sequence[Cell]) -> str:
    """Return the one-line text that lists all coordinates, for boards that belong to no family."""
    return " ".join([kind, *(f"{x},{y}" for x, y in cells)])
