"""The configurations at one distance from a goal, from which some are drawn uniformly.

Breadth-first search goes through them layer by layer: over bit arrays of the whole component if these fit
into memory, else over rows of an array, as far as that goes. Ranks within a layer are drawn at random, so
that every configuration of the layer has the same probability.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import log, prod
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.distance.component import Component
from slidelab.distance.search import Search
from slidelab.errors import TooLarge
from slidelab.puzzles import Configuration

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.gains.layout import Batch

__all__ = ["BallLayers", "ComponentLayers", "Layers", "draw_ranks"]

MAX_BALL_BYTES = 100_000_000
"""Bytes of the neighbours of one layer of rows: the 15-puzzle comes as far as 20 moves, in some seconds."""

TREND_LAYERS = 4
"""Layers over which the growth of layers is measured."""

TREND_TOLERANCE = 100
"""How many times too large a layer must be expected to be: layers grow more and more slowly."""


class Layers(ABC):
    """The layers of a search from a goal, one of which is the current one."""

    goal: Configuration
    sizes: list[int]
    """The sizes of the layers up to the current one."""

    @property
    def depth(self) -> int:
        """The distance of the current layer."""
        return len(self.sizes) - 1

    @abstractmethod
    def advance(self) -> bool:
        """Go to the next layer; return False, and stay, if there is none."""

    @abstractmethod
    def restart(self) -> None:
        """Go to the layer of the goal alone."""

    @abstractmethod
    def configurations(self, ranks: Sequence[int]) -> list[Configuration]:
        """Return the configurations of the current layer with these ranks, in the same order."""

    def move_to(self, distance: int) -> bool:
        """Go to the layer at a distance; return False, at the last layer, if there is none.

        Layers in ascending order take one search.
        """
        if distance < self.depth:
            self.restart()
        while self.depth < distance:
            if not self.advance():
                return False
        return True


class ComponentLayers(Layers):
    """Layers as bits in arrays over a whole component.

    Raises
    ------
    TooLarge
        If the arrays exceed the memory of the budget, or the puzzle has too many shapes.

    Examples
    --------
    >>> import slidelab as sl
    >>> layers = ComponentLayers(sl.puzzle("square R(3,3)").goal)
    >>> layers.move_to(31), layers.sizes[-1]
    (True, 2)
    >>> [c.pieces_text for c in layers.configurations([1, 0])]
    ['8 6 7 2 5 4 3 . 1', '6 4 7 8 5 . 3 2 1']
    >>> layers.move_to(32), layers.depth
    (False, 31)
    """

    def __init__(self, goal: Configuration, *, budget: Budget | None = None) -> None:
        self.goal = goal
        self._budget = budget or Budget()
        self.component = Component(goal, budget=self._budget)
        self._search = Search(self.component, self._budget)
        self._start = self.component.known_index(goal)
        self.restart()

    def restart(self) -> None:
        """Go to the layer of the goal alone."""
        self._search.core.begin(self._start)
        self.sizes = [1]

    def advance(self) -> bool:
        """Go to the next layer; return False, and stay, if there is none."""
        if self._search.is_complete:
            return False
        self._search.advance()
        self.sizes = self._search.layers
        return True

    def configurations(self, ranks: Sequence[int]) -> list[Configuration]:
        """Return the configurations of the current layer with these ranks, in the same order."""
        ascending = sorted(set(ranks))
        states = self._search.core.layer_states(ascending, self._budget.check)
        found = dict(zip(ascending, states, strict=True))
        return [self.component.configuration(found[rank]) for rank in ranks]


class BallLayers(Layers):
    """Layers as rows of an array: for puzzles of any size, near the goal.

    `advance` raises `TooLarge` if the next layer may be too large for `MAX_BALL_BYTES` or the budget.

    Examples
    --------
    >>> import slidelab as sl
    >>> layers = BallLayers(sl.puzzle("square R(4,4)").goal)
    >>> layers.move_to(8), layers.sizes
    (True, [1, 2, 4, 10, 24, 54, 107, 212, 446])
    """

    def __init__(self, goal: Configuration, *, budget: Budget | None = None) -> None:
        from slidelab.gains.arrays import ConfigurationArrays

        self.goal = goal
        self._budget = budget or Budget()
        # Sorting takes three times the neighbours again.
        share = self._budget.share(memory=min(MAX_BALL_BYTES, self._budget.memory // 4))
        self._arrays = ConfigurationArrays(goal.puzzle, share)
        self.restart()

    def restart(self) -> None:
        """Go to the layer of the goal alone."""
        import numpy as np

        # Rows that come out name pieces that look alike in the least way; so must the first one.
        first = self._arrays.encode(self._arrays.decode(self._arrays.encode([self.goal])))
        self._now = self._keys(first)
        self._before = np.empty(0, dtype=self._now.dtype)
        self.sizes = [1]

    def move_to(self, distance: int) -> bool:
        """Go to the layer at a distance; return False, at the last layer, if there is none.

        `TooLarge` is raised at once if layers are far from fitting at the rate at which they have grown.
        """
        for near in range(TREND_LAYERS, distance, TREND_LAYERS):
            if not super().move_to(near):
                return False
            growth = (self.sizes[near] / self.sizes[near - TREND_LAYERS]) ** (1 / TREND_LAYERS)
            expected = log(self.sizes[near]) + (distance - near) * log(max(1.0, growth))
            if expected > log(MAX_BALL_BYTES * TREND_TOLERANCE / self._now.itemsize):
                raise TooLarge(f"the layer at {distance:,} moves has too many configurations")
        return super().move_to(distance)

    def advance(self) -> bool:
        """Go to the next layer; return False, and stay, if there is none."""
        import numpy as np

        self._budget.check(f"layer {self.depth + 1}", sum(self.sizes), 0)
        keys = np.unique(self._keys(self._arrays.neighbours(self._rows(self._now)).states))
        keys = _without(_without(keys, self._now), self._before)
        if not len(keys):
            return False
        self._before, self._now = self._now, keys
        self.sizes.append(len(keys))
        return True

    def configurations(self, ranks: Sequence[int]) -> list[Configuration]:
        """Return the configurations of the current layer with these ranks, in the same order."""
        return self._arrays.decode(self._rows(self._now[list(ranks)]))

    def _keys(self, rows: Batch) -> NDArray[np.void]:
        """Return each row as one value, which numpy sorts and compares byte by byte."""
        width = self._arrays.dtype.itemsize * prod(self._arrays.row_shape)
        keys: NDArray[np.void] = rows.reshape(-1).view(f"V{width}")
        return keys

    def _rows(self, keys: NDArray[np.void]) -> Batch:
        """Return the rows of such values."""
        rows: Batch = keys.view(self._arrays.dtype).reshape(-1, *self._arrays.row_shape)
        return rows


def _without(rows: NDArray[np.void], known: NDArray[np.void]) -> NDArray[np.void]:
    """Return the rows that are not among the known ones, which are sorted."""
    import numpy as np

    if not len(known):
        return rows
    at = np.minimum(np.searchsorted(known, rows), len(known) - 1)
    new: NDArray[np.void] = rows[known[at] != rows]
    return new


def draw_ranks(size: int, rngs: Sequence[random.Random]) -> list[int]:
    """Draw a rank below `size` with each generator, different ones while there are any left.

    >>> sorted(draw_ranks(3, [random.Random(seed) for seed in range(3)]))
    [0, 1, 2]
    """
    ranks: list[int] = []
    used: set[int] = set()
    for rng in rngs:
        if len(used) == size:
            used.clear()
        rank = rng.randrange(size)
        while rank in used:
            rank = rng.randrange(size)
        used.add(rank)
        ranks.append(rank)
    return ranks
