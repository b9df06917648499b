"""Pattern tables: lower bounds that add up, for any board and rule.

The pieces are split into groups that lie together at the goal. For each group a table holds the
exact distance of its pieces to their places, with all other pieces alike and moving for nothing.
Each move moves one piece, so the entries of disjoint groups add up to a lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import perm
from typing import TYPE_CHECKING, Any

from slidelab.distance.search import Means
from slidelab.errors import TooLarge
from slidelab.gains import GainGraph, Limits, Progress, gain_graph
from slidelab.puzzles import Configuration

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Patterns", "patterns", "split"]

MOST_DENSE_CELLS = 64  # the core's masks of cells and slots


class Patterns:
    """The tables of all groups of pieces for one goal.

    >>> import slidelab as sl
    >>> p = Patterns(sl.puzzle("square R(3,3)").goal, budget=10_000)
    >>> p.groups
    ((0, 1, 2, 5), (4, 3, 6, 7))
    >>> p.estimate(p.goal), p.estimate(p.goal.puzzle.configuration("8 6 7 2 5 4 3 . 1"))
    (0, 23)
    """

    def __init__(
        self,
        goal: Configuration,
        budget: int = 20_000_000,
        *,
        limits: Limits | None = None,
        means: Means | None = None,
        progress: Progress | None = None,
    ) -> None:
        from slidelab import _core

        most = MOST_DENSE_CELLS
        if goal.puzzle.pieces > most:
            said = f"{goal.puzzle.pieces:,} pieces, and pattern tables are for {most} at most"
            raise TooLarge(f"{goal.puzzle.text} has {said}")
        self.goal = goal
        self.graph = gain_graph(goal.puzzle, limits, progress)
        means = means or Means()
        self.groups = split(self.graph, goal, min(budget, means.bytes // 6))  # built in more than is kept
        try:
            self.tables = [self._table(group, means, progress) for group in self.groups]
        except _core.LimitReached as error:
            raise TooLarge(f"no pattern tables for {goal.puzzle.text}: {error}") from None
        self.core: Any = _core.Deepening(
            *self.graph.step_arrays(), goal.puzzle.pieces, [list(group) for group in self.groups], self.tables
        )

    @property
    def size(self) -> int:
        """Bytes of all tables."""
        return sum(len(table) for table in self.tables)

    def spots(self, configuration: Configuration) -> list[int]:
        """Where each piece lies, as the core numbers it: placement and which way round."""
        rule, graph = self.graph.puzzle.rule, self.graph
        out = []
        for cells in configuration.pieces:
            least = min(rule.readings(cells))
            out.append(graph.placement_number(least) * rule.turns + rule.readings(least).index(cells))
        return out

    def estimate(self, configuration: Configuration) -> int | None:
        """A number of moves that is needed at least to reach the goal; None if it can't be reached."""
        found: int | None = self.core.estimate(self.spots(configuration))
        return found

    def _table(self, group: Sequence[int], means: Means, progress: Progress | None) -> NDArray[np.uint8]:
        import numpy as np

        from slidelab import _core

        puzzle = self.graph.puzzle
        if puzzle.rule.name == "tiles" and puzzle.holes == 1 and puzzle.board.size <= MOST_DENSE_CELLS:
            around = [sum(1 << other for other in cells) for cells in puzzle.board.neighbours]
            goal = np.array([self.goal.pieces[piece][0] for piece in group], dtype=np.uint8)
            (hole,) = self.goal.holes
            return _core.hole_pattern(
                np.array(around, dtype=np.uint64), goal, hole, means.workers, means.bytes, progress
            )
        turns = puzzle.rule.turns
        shape, arrangement = self.graph.place(self.goal)
        point = {int(name): place for place, name in enumerate(arrangement)}
        points = np.array([point[piece * turns] for piece in group], dtype=np.uint16)
        spots = len(self.graph.placements) * turns
        return _core.label_pattern(
            self.graph.shapes,
            self._edges,
            turns,
            self._placements,
            shape,
            points,
            puzzle.board.size,
            spots,
            puzzle.rule.cells == 1,
            means.bytes,
            progress,
        )

    @cached_property
    def _edges(self) -> NDArray[np.int64]:
        import numpy as np

        return np.ascontiguousarray(self.graph.edge_rows[:, :5])

    @cached_property
    def _placements(self) -> NDArray[np.uint16]:
        import numpy as np

        slots = [self.graph.core.slots(shape) for shape in range(self.graph.shapes)]
        return np.array(slots, dtype=np.uint16).reshape(self.graph.shapes, -1)


def split(graph: GainGraph, goal: Configuration, budget: int) -> tuple[tuple[int, ...], ...]:
    """Groups of pieces (from 0) that lie together at the goal, as large as tables of so many bytes allow.

    Pieces are taken along the line that orders the slots, so that those of a group are neighbours.

    >>> import slidelab as sl
    >>> goal = sl.puzzle("square R(4,4)").goal
    >>> [len(group) for group in split(gain_graph(goal.puzzle), goal, 20_000_000)]
    [6, 6, 3]
    """
    puzzle = graph.puzzle
    rank = graph.rank
    order = sorted(
        range(puzzle.pieces), key=lambda piece: min(int(rank[cell]) for cell in goal.pieces[piece])
    )
    size = 1
    while size < puzzle.pieces and _bytes(graph, size + 1) <= budget:
        size += 1
    return tuple(tuple(order[k : k + size]) for k in range(0, len(order), size))


def _bytes(graph: GainGraph, size: int) -> int:
    """Bytes of all tables, and of building the largest, if groups have that size."""
    puzzle = graph.puzzle
    rule, cells = puzzle.rule, puzzle.board.size
    groups = -(-puzzle.pieces // size)
    if rule.cells == 1 and cells <= MOST_DENSE_CELLS:
        entries = perm(cells, size)
    else:
        entries = (len(graph.placements) * rule.turns) ** size
    if rule.name == "tiles" and puzzle.holes == 1 and cells <= MOST_DENSE_CELLS:
        return entries * groups
    states: int = graph.shapes * perm(puzzle.pieces, size) * rule.turns**size
    return max(entries * groups, states)


@lru_cache(maxsize=4)
def _cached(goal: Configuration, budget: int, limits: Limits, means: Means) -> Patterns:
    return Patterns(goal, budget, limits=limits, means=means)


def patterns(
    goal: Configuration,
    budget: int = 20_000_000,
    *,
    limits: Limits | None = None,
    means: Means | None = None,
    progress: Progress | None = None,
) -> Patterns:
    """The tables for a goal; the last few are kept."""
    limits, means = limits or Limits(), means or Means()
    if progress is None:
        return _cached(goal, budget, limits, means)
    return Patterns(goal, budget, limits=limits, means=means, progress=progress)
