"""When the holes walk while a board is peeled: between groups of ears, as long as the walks pay.

A walk (`src/core/huge/hole_walk.hpp`) brings all pieces nearer to their goals, above all those that are
placed soon. It takes far more time than to carry pieces one by one, and saves a quarter of all moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from slidelab.budget import Budget

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab import _core

__all__ = ["STYLES", "HoleWalks", "WalkStyle", "Walks"]

WIDTH_FACTOR, WIDE_FACTOR = 6, 60
"""Walks that are kept, times the root of the number of cells, for one working hole and for two.

On large boards good moves are far apart, and two holes have many shapes in the same place."""

MIN_WIDTH = 100
"""Least number of walks that are kept."""

DEPTH = 60
"""Moves by which walks are ahead of the moves that are played; the core keeps at most 64."""

WEIGHT_REACH = 0.2
"""Part of the open cells after which the additional weight has decreased to 1/e."""

WEIGHT_UNIT = 16
"""Weight of a piece that is not placed soon, in the unit of the core."""

MIN_WALK_TILES = 12
"""Tiles not yet placed below which no walk is worth its time."""


class WalkStyle(NamedTuple):
    """How much is left to walks, and how much to placing pieces one by one."""

    first_weight: float
    """Additional weight of the piece that is placed next; for later ones it decreases exponentially."""
    min_gain: float
    """Least gain of a move, in cells for a piece of weight one: a walk ends when its moves gain less."""
    cells_between: float
    """Cells that are filled between two walks, times the root of the number of open cells."""


STYLES = (
    WalkStyle(8.0, 0.8, 2.0),
    WalkStyle(3.0, 0.7, 2.0),
    WalkStyle(8.0, 1.0, 3.0),
    WalkStyle(3.0, 1.0, 4.0),
    WalkStyle(12.0, 1.2, 2.5),
    WalkStyle(5.0, 0.8, 3.0),
    WalkStyle(8.0, 1.0, 2.0),
    WalkStyle(2.0, 0.8, 1.5),
)
"""The first is the best on large boards, where there is time for one only; on small ones lengths vary."""


class Walks(NamedTuple):
    """What `peel` needs for walks: the time for all of them, and their style."""

    budget: Budget
    style: WalkStyle = STYLES[0]


class HoleWalks:
    """Walks of the holes on one board that is peeled.

    Parameters
    ----------
    style
    ears
        Cells in the order in which they are filled.
    target
        The piece on each cell at the end, 0 for a hole.
    budget
        Time for all walks: when it is up, the board is peeled without them.
    wide
        Whether two holes work together.
    """

    def __init__(
        self,
        style: WalkStyle,
        ears: Sequence[Sequence[int]],
        target: NDArray[np.int32],
        budget: Budget,
        *,
        wide: bool = False,
    ) -> None:
        import numpy as np

        cells = [cell for ear in ears for cell in ear]
        self.style = style
        self.budget = budget
        self.cells = len(target)
        self.tiles = int((target != 0).sum())
        self.width = max(MIN_WIDTH, int((WIDE_FACTOR if wide else WIDTH_FACTOR) * sqrt(self.cells)))
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
        self.next_walk = done + int(self.style.cells_between * sqrt(left))
        ahead = np.maximum(self.rank - done, 0.0)
        weights = WEIGHT_UNIT * (1 + self.style.first_weight * np.exp(-ahead / (WEIGHT_REACH * left)))
        callback = self.budget.poll("walk")
        peeler.walk(weights.astype(np.uint32), self.width, DEPTH, self.style.min_gain, callback)
