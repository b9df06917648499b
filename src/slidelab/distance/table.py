"""Exact distances and shortest solutions from a table of all distances modulo three.

Two bits a configuration are enough: the distances of neighbours differ by at most one, so the residue of a
neighbour shows whether it is nearer, as far, or farther, and a descent to the goal counts the distance.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from slidelab.budget import Budget, CacheNeutral
from slidelab.distance.component import Component, StateIndex
from slidelab.distance.metric import Metric
from slidelab.distance.search import Search
from slidelab.errors import PuzzleError
from slidelab.puzzles import Configuration, Puzzle, Solution

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.gains.layout import Batch
    from slidelab.puzzles import ConfigurationLike

__all__ = ["DistanceTable", "distance", "distance_table"]

CHUNK_ROWS = 65_536
"""Rows of a batch that are looked up at a time, so that intermediate arrays stay small."""


class DistanceTable:
    """All distances to the goals of one shape.

    >>> import slidelab as sl
    >>> goal = sl.puzzle("square R(3,3)").goal
    >>> table = DistanceTable(goal)
    >>> table.distance(goal.puzzle.configuration("8 6 7 2 5 4 3 . 1"))
    31
    """

    def __init__(
        self,
        goal: Configuration,
        metric: Metric = "single",
        *,
        budget: Budget | None = None,
    ) -> None:
        budget = budget or Budget()
        self.goal = goal
        self.metric = metric
        self.component = Component(goal, metric, budget=budget)
        search = Search(self.component, budget, table=True)
        self._end = self.component.known_index(goal)
        self.distribution: tuple[int, ...] = tuple(search.run(self._end))
        search.core.keep_table_only()
        self._core = search.core
        self._previous = {arc: k for k, arc in enumerate(self.component.lines()) if arc >= 0}

    def __reduce__(self) -> tuple[object, ...]:
        return DistanceTable, (self.goal, self.metric)  # the table itself is computed again

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DistanceTable) and (self.goal, self.metric) == (other.goal, other.metric)

    def __hash__(self) -> int:
        return hash((self.goal, self.metric))

    def __repr__(self) -> str:
        return f"<distances to {self.goal.text!r}: {sum(self.distribution):,} configurations>"

    @property
    def depth(self) -> int:
        """The largest distance."""
        return len(self.distribution) - 1

    def distance(self, start: Configuration, goal: Configuration | None = None) -> int | None:
        """Return the number of moves of a shortest solution; None if there is no solution.

        `goal` may be any goal of the table's shape: pieces are renamed.
        """
        index = self.component.index(start, goal)
        if index is None or self._core.residue(index) < 0:
            return None
        return len(self._descent(index))

    def distances(
        self, batch: Batch, goal: Configuration | None = None, *, threads: int | None = None
    ) -> NDArray[np.int32]:
        """Return the distance of each configuration of a batch, -1 where there is no solution.

        Parameters
        ----------
        batch
            Configurations as `Puzzle.arrays` lays them out.
        goal
            Any goal of the table's shape, as for `distance`.
        threads
            Threads to use.

        Examples
        --------
        >>> import slidelab as sl
        >>> p = sl.puzzle("square R(3,3)")
        >>> batch = p.arrays().encode(["1 2 3 4 5 6 7 8 .", "8 6 7 2 5 4 3 . 1", "2 1 3 4 5 6 7 8 ."])
        >>> DistanceTable(p.goal).distances(batch)
        array([ 0, 31, -1], dtype=int32)
        """
        import numpy as np

        from slidelab.gains.arrays import ConfigurationArrays

        budget = Budget.of(threads=threads)
        spots = ConfigurationArrays(self.goal.puzzle, budget).spots(batch)
        out = np.empty(len(spots), dtype=np.int32)
        for first in range(0, len(spots), CHUNK_ROWS):
            part = slice(first, first + CHUNK_ROWS)
            places = self.component.places(spots[part], goal, budget.threads)
            out[part] = self._core.distances(*places, budget.threads)
        return out

    def residues(
        self, spots: NDArray[np.int32], goal: Configuration | None = None, *, threads: int | None = None
    ) -> NDArray[np.int8]:
        """Return the distance modulo three of each configuration, -1 where there is no solution.

        Much faster than `distances`, and enough for a descent to the goal.

        Parameters
        ----------
        spots
            A row for each configuration, as `ConfigurationArrays.spots` returns them.
        goal
            Any goal of the table's shape, as for `distance`.
        threads
            Threads to use.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("square R(3,3)").arrays()
        >>> batch = arrays.encode(["1 2 3 4 5 6 7 8 .", "8 6 7 2 5 4 3 . 1", "2 1 3 4 5 6 7 8 ."])
        >>> DistanceTable(sl.puzzle("square R(3,3)").goal).residues(arrays.spots(batch))
        array([ 0,  1, -1], dtype=int8)
        """
        threads = Budget.of(threads=threads).threads
        return self._core.residues(*self.component.places(spots, goal, threads), threads)

    def solve(self, start: Configuration, goal: Configuration | None = None) -> Solution | None:
        """Return a shortest solution; None if there is none."""
        goal = goal or self.goal
        index = self.component.index(start, goal)
        if index is None or self._core.residue(index) < 0:
            return None
        walk: list[tuple[int, bool]] = []
        for here, arc in self._descent(index):
            walk += [self._edge(a) for a in self._push(here, arc)]
        moves = self.component.family.moves(start, walk)
        return Solution(start, goal, moves, True, "table", self.metric)

    def _descent(self, index: StateIndex) -> list[tuple[StateIndex, int]]:
        """Return the states on a shortest path to the goal, each with the arc to the next one."""
        core, path = self._core, []
        while index != self._end:
            nearer = (core.residue(index) + 2) % 3
            arc, following = next(
                (step for step in core.neighbours(index) if core.residue(step[1]) == nearer), (-1, index)
            )
            if arc < 0:
                raise PuzzleError("the distance table is inconsistent; please report this")
            path.append((index, arc))
            index = following
        return path

    def _push(self, index: StateIndex, arc: int) -> list[int]:
        """Return the single moves of the push from a state whose last one is `arc`."""
        push = [arc]
        while self.component.family.index(self._source(push[-1])) != index[0]:
            push.append(self._previous[push[-1]])
        return push[::-1]

    def _source(self, arc: int) -> int:
        return int(self.component.edges[arc // 2, arc % 2])

    def _edge(self, arc: int) -> tuple[int, bool]:
        return int(self.component.edge_numbers[arc // 2]), bool(arc % 2)


SMALL_TABLE_BYTES = 10_000_000
"""Tables of which several are kept, for positions of several puzzles in turn; of larger ones the last."""


def _table(goal: Configuration, metric: Metric, memory: int, budget: CacheNeutral[Budget]) -> DistanceTable:
    return DistanceTable(goal, metric, budget=budget.value)


_small_table = lru_cache(maxsize=8)(_table)
_large_table = lru_cache(maxsize=1)(_table)


def distance_table(
    goal: Configuration,
    metric: Metric = "single",
    *,
    budget: Budget | None = None,
) -> DistanceTable:
    """Return the table for all goals of one shape (for one goal, if pieces have colours); it is cached.

    Parameters
    ----------
    goal
        The goal of all distances.
    metric
        ``"single"`` counts each piece that moves, ``"straight"`` a straight row of tiles pushed at once as
        one.
    budget
        Limits of the search.

    Raises
    ------
    TooLarge
        If the table does not fit into the memory.

    Examples
    --------
    >>> import slidelab as sl
    >>> distance_table(sl.puzzle("square R(2,2)").goal)
    <distances to 'square R(2,2) tiles 1 : 1 2 3 .': 12 configurations>
    """
    if goal.puzzle.colours is None:  # one table serves all goals of the shape
        goal = Configuration(goal.puzzle, tuple(sorted(goal.shape)))
    budget = budget or Budget()
    cached = _small_table if budget.memory <= SMALL_TABLE_BYTES else _large_table
    return cached(goal, metric, budget.memory, CacheNeutral(budget))


def distance(
    puzzle: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    metric: Metric = "single",
    budget: Budget | None = None,
) -> int | None:
    """Return the number of moves of a shortest solution, or None; see `Puzzle.distance`.

    >>> import slidelab as sl
    >>> distance(sl.puzzle("square R(3,3)"), "8 6 7 2 5 4 3 . 1")
    31
    """
    end = puzzle.goal if goal is None else puzzle.configuration(goal)
    table = distance_table(end, metric, budget=budget)
    return table.distance(puzzle.configuration(start), end)
