"""Which gourd of a class goes where, so that all together have the shortest way: minimum-cost assignment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from slidelab.boards import Edge
from slidelab.boards.walks import distance_list
from slidelab.errors import NotationError
from slidelab.messages import quoted
from slidelab.place.question import Pair, Question
from slidelab.puzzles import Configuration

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Costs = NDArray[np.int64]

Chosen = dict[Pair, list[Edge]]

__all__ = ["Chosen", "Journeys", "cheapest_assignment"]


class Journeys:
    """How far it is from where the gourds of each class lie to every edge that they fit on."""

    def __init__(self, question: Question, near: Configuration) -> None:
        _check_near(question, near)
        self._question = question
        self._starts: dict[Pair, list[Edge]] = {pair: [] for pair in question.budget}
        for (head, tail), (first, second) in zip(near.pieces, near.puzzle.colours or (), strict=True):
            self._starts[first, second].append((head, tail))
        board = question.board
        self._from = cache(lambda cell: distance_list(board.neighbours, [cell], unreached=board.size))

    def costs(self, pair: Pair, edges: Sequence[Edge]) -> Costs:
        """From each gourd of the class (a row each) to each edge."""
        import numpy as np

        rows = [[self._best(pair, start, edge)[0] for edge in edges] for start in self._starts[pair]]
        return np.array(rows, dtype=np.int64).reshape(len(rows), len(edges))

    def total(self, chosen: Chosen) -> int:
        """The whole way, if every gourd goes to the right one of the chosen edges."""
        out = 0
        for pair, edges in chosen.items():
            costs = self.costs(pair, edges)
            out += sum(int(costs[row, column]) for row, column in enumerate(cheapest_assignment(costs)))
        return out

    def assigned(self, pair: Pair, edges: Sequence[Edge]) -> list[Edge]:
        """For each gourd of the class, in the order of the configuration, its head and tail cell."""
        columns = cheapest_assignment(self.costs(pair, edges))
        starts = self._starts[pair]
        return [
            self._best(pair, start, edges[column])[1] for start, column in zip(starts, columns, strict=True)
        ]

    def _best(self, pair: Pair, start: Edge, edge: Edge) -> tuple[int, Edge]:
        """The shorter of the ways round in which the gourd may lie there."""
        return min(
            (self._from(start[0])[head] + self._from(start[1])[tail], (head, tail))
            for head, tail in self._question.ways(pair, edge)
        )


def _check_near(question: Question, near: Configuration) -> None:
    if near.puzzle.board != question.board:
        here, there = quoted(question.board.name), quoted(near.puzzle.board.name)
        raise NotationError(f"expected a position on {here}, got one on {there}")
    if near.puzzle.colours != question.puzzle.colours:
        raise NotationError(
            f"expected a position of the gourds {_told(question.puzzle.colours)}, "
            f"got {_told(near.puzzle.colours)}"
        )


def _told(colours: Sequence[Sequence[str]] | None) -> str:
    return "gourds without colours" if colours is None else quoted(" ".join(map("-".join, colours)))


def cheapest_assignment(costs: Costs) -> list[int]:
    """For each row its column in an assignment of the least total cost (the Hungarian algorithm).

    >>> import numpy as np
    >>> cheapest_assignment(np.array([[1, 2], [1, 9]]))
    [1, 0]
    """
    import numpy as np

    size = len(costs)
    # Row and column `size` stand for none: each row in turn starts from that column.
    row_price, column_price = np.zeros(size + 1, np.int64), np.zeros(size + 1, np.int64)
    owner = np.full(size + 1, size)
    for row in range(size):
        owner[size] = row
        column, done = size, np.zeros(size + 1, bool)
        slack = np.full(size, np.iinfo(np.int64).max)
        before = np.full(size, size)
        while owner[column] != size:
            done[column] = True
            here = owner[column]
            reduced = costs[here] - row_price[here] - column_price[:size]
            better = ~done[:size] & (reduced < slack)
            slack[better], before[better] = reduced[better], column
            following = int(np.argmin(np.where(done[:size], np.iinfo(np.int64).max, slack)))
            step = slack[following]
            row_price[owner[done]] += step
            column_price[done] -= step
            slack[~done[:size]] -= step
            column = following
        while column != size:
            owner[column] = owner[before[column]]
            column = int(before[column])
    columns = [0] * size
    for column in range(size):
        columns[int(owner[column])] = column
    return columns
