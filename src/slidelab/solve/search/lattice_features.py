"""Features of a state on a lattice, which a linear estimate of the moves left adds up.

Two kinds of features describe a state: for each piece the vector from its cell to its goal, together with how
far both are from the border of the board; and for each two pieces that lie near each other the vector between
their cells with the vector between their goals. Symmetries of the lattice do not change a feature, so few
different ones remain, and they are the same for all boards of one lattice: weights that were fitted on some
boards serve others.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from slidelab.boards import Board
from slidelab.boards.lattice import DIRECTIONS, Cell, images

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "EXCESS",
    "MAX_RING",
    "NEAR",
    "Feature",
    "LatticeFeatures",
    "PairFeature",
    "SingleFeature",
    "border_distances",
    "clipped",
    "lattice_features",
    "steps",
]

NEAR: dict[str, tuple[Cell, ...]] = {
    "square": ((1, 0), (1, 1), (2, 0), (2, 1)),
    "hex": ((1, 0), (1, 1), (2, 0)),
}
"""Vectors between two cells near each other, up to symmetry, for each lattice that has features."""

MAX_VECTOR = 8
"""Coordinates up to which vectors are told apart; longer ones count as their part of this length."""

MAX_RING = 2
"""Steps from the border up to which cells are told apart."""

SingleFeature = tuple[Cell, int, int]
PairFeature = tuple[Cell, Cell]
Feature = SingleFeature | PairFeature | tuple[()]

EXCESS: tuple[()] = ()
"""The feature of what pattern databases add to the distances of single pieces."""


@dataclass(frozen=True, slots=True)
class LatticeFeatures:
    """The features of all states of a board.

    Attributes
    ----------
    keys : list
        What each feature is: ``(vector, ring of the goal, ring of the cell)`` or ``(vector between the cells,
        vector between the goals)``.
    singles : array
        The feature of a piece, by the cell of its goal and its own.
    beyond : array
        By how many steps the vector to the goal is longer than what its feature tells apart, likewise.
    offsets : tuple of (int, int)
        Vectors between cells near each other.
    neighbours : array
        The cell at each offset from a cell, -1 where there is none.
    pairs : array
        The feature of two pieces, by offset and the cells of their goals.
    """

    keys: list[Feature]
    singles: NDArray[np.int32]
    beyond: NDArray[np.int32]
    offsets: tuple[Cell, ...]
    neighbours: NDArray[np.int32]
    pairs: NDArray[np.int32]


@lru_cache(maxsize=4)
def lattice_features(board: Board) -> LatticeFeatures:
    """Return the features of a board of squares or hexagons.

    >>> from slidelab.boards import board
    >>> features = lattice_features(board("square R(4,4)"))
    >>> len(features.offsets), features.keys[features.singles[0, 5]]
    (20, ((-1, -1), 0, 1))
    """
    import numpy as np

    kind, cells, rings = board.kind, board.cells, border_distances(board)
    numbers: dict[Feature, int] = {}

    def number(key: Feature) -> int:
        return numbers.setdefault(key, len(numbers))

    apart = [[clipped(kind, (b[0] - a[0], b[1] - a[1])) for b in cells] for a in cells]
    vectors = sorted({vector for row in apart for vector in row})
    smallest = {vector: min(images(kind, *vector)) for vector in vectors}
    singles = [
        [number((smallest[apart[cell][goal]], rings[goal], rings[cell])) for cell in range(board.size)]
        for goal in range(board.size)
    ]
    whole = [[steps(kind, (b[0] - a[0], b[1] - a[1])) for b in cells] for a in cells]
    told = [[steps(kind, vector) for vector in row] for row in apart]
    offsets = tuple(sorted({image for near in NEAR[kind] for image in images(kind, *near)}))
    neighbours = [[board.cell_at.get((x + dx, y + dy), -1) for dx, dy in offsets] for x, y in cells]
    pairs = []
    for offset in offsets:
        feature = {vector: number(_pair_key(kind, offset, vector)) for vector in vectors}
        pairs.append([[feature[vector] for vector in row] for row in apart])
    return LatticeFeatures(
        list(numbers),
        np.array(singles, dtype=np.int32),
        np.array(whole, dtype=np.int32) - np.array(told, dtype=np.int32),
        offsets,
        np.array(neighbours, dtype=np.int32),
        np.array(pairs, dtype=np.int32),
    )


def norm(kind: str, vector: Cell) -> int:
    """Return the number of steps that a vector is long; on squares the larger coordinate.

    >>> norm("hex", (2, -3)), norm("square", (2, -3))
    (3, 3)
    """
    x, y = vector
    return max(abs(x), abs(y), abs(x + y)) if kind == "hex" else max(abs(x), abs(y))


def steps(kind: str, vector: Cell) -> int:
    """Return the number of moves of a piece along a vector.

    >>> steps("hex", (2, -3)), steps("square", (2, -3))
    (3, 5)
    """
    x, y = vector
    return max(abs(x), abs(y), abs(x + y)) if kind == "hex" else abs(x) + abs(y)


def clipped(kind: str, vector: Cell, most: int = MAX_VECTOR) -> Cell:
    """Return a vector, or its part of the given length if it is longer.

    >>> clipped("square", (2, -12), 6)
    (1, -6)
    """
    length = norm(kind, vector)
    if length <= most:
        return vector
    x, y = (round(each * most / length) for each in vector)
    return x, y


@cache
def _pair_key(kind: str, offset: Cell, vector: Cell) -> PairFeature:
    """Return the smallest image of two vectors under the symmetries of the lattice."""
    return min(zip(images(kind, *offset), images(kind, *vector), strict=True))


def border_distances(board: Board) -> list[int]:
    """Return how many steps each cell is from the border, `MAX_RING` at most.

    >>> from slidelab.boards import board
    >>> border_distances(board("square R(3,3)"))
    [0, 0, 0, 0, 1, 0, 0, 0, 0]
    """
    most = len(DIRECTIONS[board.kind])
    rings = [0 if len(near) < most else MAX_RING for near in board.neighbours]
    queue = deque(cell for cell, ring in enumerate(rings) if ring == 0)
    while queue:
        cell = queue.popleft()
        for near in board.neighbours[cell]:
            if rings[near] > rings[cell] + 1:
                rings[near] = rings[cell] + 1
                queue.append(near)
    return rings
