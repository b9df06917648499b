"""When the holes walk while a board is peeled: between groups of ears, as long as the walks pay.

A walk (`src/core/huge/hole_walk.hpp`) brings all pieces nearer to their goals, above all those that are
placed soon. It takes far more time than to carry pieces one by one, and saves a quarter of all moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING

from slidelab.budget import Budget

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab import _core

__all__ = ["HoleWalks"]

WIDTH_FACTOR = 6
"""Walks that are kept, times the root of the number of cells: on large boards good moves are far apart."""

MIN_WIDTH = 100
"""Least number of walks that are kept."""

DEPTH = 60
"""Moves by which walks are ahead of the moves that are played; the core keeps at most 64."""

MIN_GAIN = 0.7
"""Least gain of a move, in cells for a piece of weight one: a walk ends when its last moves gained less."""

FIRST_WEIGHT = 8.0
"""Additional weight of the piece that is placed next; it decreases exponentially in the order of placing."""

WEIGHT_REACH = 0.2
"""Part of the open cells after which that weight has decreased to 1/e."""

WEIGHT_UNIT = 16
"""Weight of a piece that is not placed soon, in the unit of the core."""

CELLS_BETWEEN = 2.0
"""Cells that are filled between two walks, times the root of the number of open cells: two rows."""

MIN_WALK_TILES = 12
"""Tiles not yet placed below which no walk is worth its time."""


class HoleWalks:
    """Walks of the holes on one board that is peeled.

    Parameters
    ----------
    ears
        Cells in the order in which they are filled.
    target
        The piece on each cell at the end, 0 for a hole.
    budget
        Time for all walks: when it is up, the board is peeled without them.
    """

    def __init__(self, ears: Sequence[Sequence[int]], target: NDArray[np.int32], budget: Budget) -> None:
        import numpy as np

        cells = [cell for ear in ears for cell in ear]
        self.budget = budget
        self.cells = len(target)
        self.tiles = int((target != 0).sum())
        self.width = max(MIN_WIDTH, int(WIDTH_FACTOR * sqrt(self.cells)))
        rank = np.full(self.cells + 1, self.cells, dtype=np.float64)
        rank[target[cells]] = np.arange(len(cells))
        self.rank = rank
        self.next_walk = 0

    def before(self, peeler: _core.Peeler, done: int) -> None:
        """Let the holes walk before the next ear if it is time for that; `done` cells are filled."""
        import numpy as np

        if done < self.next_walk or self.tiles - done < MIN_WALK_TILES or self.budget.expired:
            return
        left = self.cells - done
        self.next_walk = done + int(CELLS_BETWEEN * sqrt(left))
        ahead = np.maximum(self.rank - done, 0.0)
        weights = WEIGHT_UNIT * (1 + FIRST_WEIGHT * np.exp(-ahead / (WEIGHT_REACH * left)))
        callback = self.budget.poll("walk")
        peeler.walk(weights.astype(np.uint32), self.width, DEPTH, MIN_GAIN, callback)
