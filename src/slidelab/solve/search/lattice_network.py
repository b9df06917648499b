"""A small convolutional network that ranks states on squares and hexagons by what lies near each cell.

The linear estimate of `lattice_features` cannot tell that two pieces are in each other's way only if a third
one is. The network looks at a window of cells around each cell: nine on squares, seven on hexagons. What lies
in a cell of the window is one of some hundred *contents*: a piece with the vector to its goal and how far the
goal is from the border, a hole, or the outside of the board. Contents and windows are the same for all boards
of a lattice, so one set of weights, fitted once by ``benchmarks/fit_network.py``, serves all of them.
See docs/design/solving.md, and ``core/search/local_network.hpp`` for how it is added up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from slidelab.boards import Board
from slidelab.boards.lattice import Cell
from slidelab.solve.search.lattice_features import MAX_RING, border_distances, clipped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "CONTENTS",
    "MAX_WAY",
    "WINDOWS",
    "BoardWindows",
    "Network",
    "board_windows",
    "load_networks",
    "save_network",
]

MAX_WAY = 5
"""Length up to which the vectors from pieces to their goals are told apart.

All contents must occur on the boards that the network is fitted on. With 7 those of far pieces inside the
board did not, had weights by chance, and beams on 9 x 9 cells never ended."""

SIDE = 2 * MAX_WAY + 1
CONTENTS = SIDE * SIDE * (MAX_RING + 1) + 2
"""Number of contents: vectors with the distance of the goal from the border; hole and outside come last."""

WINDOWS: dict[str, tuple[Cell, ...]] = {
    "square": tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)),
    "hex": tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if abs(x + y) <= 1),
}
"""Offsets of the cells of a window, for each lattice that has a network."""

FILE = Path(__file__).with_name("ranking_networks.npz")


@dataclass(frozen=True, slots=True)
class BoardWindows:
    """What a network sees on a board.

    Attributes
    ----------
    near : array
        The cells of the window of each cell, -1 for the outside.
    contents : array
        What a piece is in a window, by the cell of its goal and its own.
    """

    near: NDArray[np.int32]
    contents: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Network:
    """Weights by position in the window, content and channel, and a bias for each channel.

    They are in sixteenths of a move.
    """

    weights: NDArray[np.int16]
    bias: NDArray[np.int16]

    def scaled(self, factor: float) -> Network:
        """Return a network that counts so many times as much.

        >>> network = load_networks()["square"]
        >>> bool((network.scaled(2).bias == 2 * network.bias).all())
        True
        """
        import numpy as np

        if factor == 1:
            return self
        weights, bias = (np.round(factor * each).astype(np.int16) for each in (self.weights, self.bias))
        return Network(weights, bias)


@lru_cache(maxsize=4)
def board_windows(board: Board) -> BoardWindows:
    """Return the windows and contents of a board of squares or hexagons.

    >>> from slidelab.boards import board
    >>> windows = board_windows(board("square R(3,3)"))
    >>> windows.near[0].tolist()
    [-1, -1, -1, -1, 0, 1, -1, 3, 4]
    >>> windows.contents.shape
    (9, 9)
    """
    import numpy as np

    kind, cells, rings = board.kind, board.cells, border_distances(board)
    near = [[board.cell_at.get((x + dx, y + dy), -1) for dx, dy in WINDOWS[kind]] for x, y in cells]

    def content(goal: int, cell: int) -> int:
        (a, b), (x, y) = cells[goal], cells[cell]
        dx, dy = clipped(kind, (a - x, b - y), MAX_WAY)
        return ((dy + MAX_WAY) * SIDE + dx + MAX_WAY) * (MAX_RING + 1) + rings[goal]

    contents = [[content(goal, cell) for cell in range(board.size)] for goal in range(board.size)]
    return BoardWindows(np.array(near, dtype=np.int32), np.array(contents, dtype=np.uint16))


@cache
def load_networks() -> dict[str, Network]:
    """Return the network of each lattice.

    >>> sorted(load_networks())
    ['hex', 'square']
    """
    import numpy as np

    with np.load(FILE, allow_pickle=False) as file:
        kinds = [kind for kind in WINDOWS if f"{kind}_weights" in file.files]
        return {kind: Network(file[f"{kind}_weights"], file[f"{kind}_bias"]) for kind in kinds}


def save_network(path: Path, kind: str, network: Network) -> None:
    """Write the network of a lattice to a file, beside others that it has."""
    import numpy as np

    arrays: dict[str, NDArray[np.int16]] = {}
    if path.exists():
        with np.load(path, allow_pickle=False) as file:
            arrays.update({name: file[name] for name in file.files})
    arrays |= {f"{kind}_weights": network.weights, f"{kind}_bias": network.bias}
    np.savez_compressed(path, allow_pickle=False, **arrays)
