"""How far gourds travel to a placement, and which gourd of a class goes where."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from slidelab.boards import Edge
from slidelab.boards.walks import distance_list
from slidelab.errors import NotationError
from slidelab.messages import quoted
from slidelab.place.assignment import minimum_cost_assignment
from slidelab.place.problem import ColourPair, PlacementProblem
from slidelab.puzzles import Configuration

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ChosenEdges", "TravelCosts"]

ChosenEdges = dict[ColourPair, list[Edge]]


class TravelCosts:
    """The distances from the gourds of each class in a configuration to the edges on which they fit."""

    def __init__(self, problem: PlacementProblem, near: Configuration) -> None:
        _check_near(problem, near)
        self._problem = problem
        self._starts: ChosenEdges = {pair: [] for pair in problem.counts}
        for (head, tail), (first, second) in zip(near.pieces, near.puzzle.colours or (), strict=True):
            self._starts[first, second].append((head, tail))
        board = problem.board
        self._from = cache(lambda cell: distance_list(board.neighbours, [cell], unreached=board.size))

    def matrix(self, pair: ColourPair, edges: Sequence[Edge]) -> NDArray[np.int64]:
        """Return the distance from each gourd of the class (a row each) to each edge."""
        import numpy as np

        rows = [[self._nearest(pair, start, edge)[0] for edge in edges] for start in self._starts[pair]]
        return np.array(rows, dtype=np.int64).reshape(len(rows), len(edges))

    def total(self, chosen: ChosenEdges) -> int:
        """Return the sum of all distances, if the gourds are assigned to the chosen edges optimally."""
        matrices = [self.matrix(pair, edges) for pair, edges in chosen.items()]
        return sum(
            int(costs[row, column])
            for costs in matrices
            for row, column in enumerate(minimum_cost_assignment(costs))
        )

    def assigned(self, pair: ColourPair, edges: Sequence[Edge]) -> list[Edge]:
        """Return head and tail cell of each gourd of the class, in the order of the configuration."""
        columns = minimum_cost_assignment(self.matrix(pair, edges))
        return [
            self._nearest(pair, start, edges[column])[1]
            for start, column in zip(self._starts[pair], columns, strict=True)
        ]

    def _nearest(self, pair: ColourPair, start: Edge, edge: Edge) -> tuple[int, Edge]:
        """Return the distance to the edge and the better one of the orientations of the gourd there."""
        return min(
            (self._from(start[0])[head] + self._from(start[1])[tail], (head, tail))
            for head, tail in self._problem.orientations(pair, edge)
        )


def _check_near(problem: PlacementProblem, near: Configuration) -> None:
    if near.puzzle.board != problem.board:
        here, there = quoted(problem.board.name), quoted(near.puzzle.board.name)
        raise NotationError(f"expected a position on {here}, got one on {there}")
    if near.puzzle.colours != problem.puzzle.colours:
        raise NotationError(
            f"expected a position of the gourds {_listed(problem.puzzle.colours)}, "
            f"got {_listed(near.puzzle.colours)}"
        )


def _listed(colours: Sequence[Sequence[str]] | None) -> str:
    return "gourds without colours" if colours is None else quoted(" ".join(map("-".join, colours)))
