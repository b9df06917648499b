"""A* written plainly, with the conventions under which one may count its nodes.

Tables 3 and 4 of Wong, Li and Chen have mean numbers of "expanded nodes". What is counted, and in which
order nodes of the same value are taken, is not said. Whatever the order, A* with a consistent heuristic
expands at most the states whose value is not above the length of a shortest solution, and at least those
below it. Taking the farthest from the goal first expands the most, taking the nearest first nearly the
least: between the two lies every convention.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import sqrt
from random import Random
from statistics import fmean, stdev

from slidelab.boards import Board, board, is_bipartite
from slidelab.permutations import is_even

__all__ = ["Counts", "PAPER_STARTS", "Mean", "distance_ratio", "mean_counts"]

State = tuple[int, ...]

PAPER_STARTS = 500
"""Random states over which the paper takes its means."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over random starts."""

    value: float
    deviation: float
    """Standard deviation of a single start."""

    def difference_error(self, starts: int) -> float:
        """Return the standard error of the difference of this mean, of so many starts, and the paper's."""
        return self.deviation * sqrt(1 / starts + 1 / PAPER_STARTS)


@dataclass(frozen=True, slots=True)
class Counts:
    """Mean numbers of nodes of a search, and the mean length of its solutions."""

    expanded: Mean
    generated: Mean
    """Different states that were put on the open list."""
    length: float


class _Puzzle:
    def __init__(self, graph: Board, hole: int) -> None:
        self.neighbours, self.size, self.hole = graph.neighbours, graph.size, hole
        self.bipartite = is_bipartite(graph)
        self.goal: State = (*range(1, hole + 1), 0, *range(hole + 1, graph.size))
        home = {tile: cell for cell, tile in enumerate(self.goal)}
        far = [_distances(graph, cell) for cell in range(graph.size)]
        self.far = [
            [far[cell][home[tile]] if tile else 0 for tile in range(graph.size)] for cell in range(graph.size)
        ]

    def heuristic(self, state: State) -> int:
        return sum(self.far[cell][tile] for cell, tile in enumerate(state))

    def random_state(self, rng: Random) -> State:
        """Return a uniformly random state from which the goal can be reached."""
        while True:
            state = list(self.goal)
            rng.shuffle(state)
            if not self.bipartite or self._is_even(state):
                return tuple(state)

    def _is_even(self, state: Sequence[int]) -> bool:
        home = {tile: cell for cell, tile in enumerate(self.goal)}
        steps = _steps(self.neighbours, self.hole)[state.index(0)]
        return is_even([home[tile] for tile in state]) == (steps % 2 == 0)

    def search(self, start: State, weight: float, nearest_first: bool) -> tuple[int, int, int]:
        """Return the numbers of expanded and of generated states, and the length of the solution."""
        order = 1 if nearest_first else -1
        estimate = self.heuristic(start)
        best, closed, expanded = {start: 0}, set(), 0
        heap = [(weight * estimate, order * estimate, start, start.index(0), estimate)]
        while heap:
            _, _, state, hole, estimate = heappop(heap)
            if state in closed:
                continue
            steps = best[state]
            if state == self.goal:
                return expanded, len(best), steps
            closed.add(state)
            expanded += 1
            for cell in self.neighbours[hole]:
                tile = state[cell]
                after = list(state)
                after[hole], after[cell] = tile, 0
                reached = tuple(after)
                if steps + 1 < best.get(reached, 1 << 30):
                    best[reached] = steps + 1
                    closed.discard(reached)
                    h = estimate - self.far[cell][tile] + self.far[hole][tile]
                    heappush(heap, (steps + 1 + weight * h, order * h, reached, cell, h))
        raise AssertionError("the goal cannot be reached")


def _distances(graph: Board, source: int) -> list[int]:
    return _steps(graph.neighbours, source)


def _steps(neighbours: Sequence[Sequence[int]], source: int) -> list[int]:
    far, queue = {source: 0}, [source]
    for cell in queue:
        for other in neighbours[cell]:
            if other not in far:
                far[other] = far[cell] + 1
                queue.append(other)
    return [far[cell] for cell in range(len(neighbours))]


def mean_counts(
    text: str, hole: int, starts: int, *, weight: float = 1.0, nearest_first: bool = True, seed: int = 1
) -> Counts:
    """Return mean counts of A* over random starts.

    Parameters
    ----------
    text
        A board.
    hole
        Where the goal has its hole.
    starts
        Number of random starts.
    weight
        The weight of the heuristic.
    nearest_first
        Which of the nodes with the same value are taken first: those with the least heuristic, or the most.
    seed

    Examples
    --------
    >>> counts = mean_counts("square R(3,2)", 5, 20)
    >>> counts.expanded.value < counts.generated.value
    True
    """
    puzzle, rng = _Puzzle(board(text), hole), Random(seed)
    rows = [puzzle.search(puzzle.random_state(rng), weight, nearest_first) for _ in range(starts)]
    expanded, generated, lengths = (list(column) for column in zip(*rows, strict=True))
    return Counts(
        Mean(fmean(expanded), stdev(expanded)), Mean(fmean(generated), stdev(generated)), fmean(lengths)
    )


def distance_ratio(text: str, hole: int, starts: int, seed: int = 1) -> float:
    """Return the mean ratio of the length of a shortest solution to the sum of distances.

    Examples
    --------
    >>> distance_ratio("square R(3,2)", 5, 50) > 1
    True
    """
    puzzle, rng = _Puzzle(board(text), hole), Random(seed)
    states = [state for _ in range(starts) if (state := puzzle.random_state(rng)) != puzzle.goal]
    sums = [(puzzle.search(state, 1.0, True)[2], puzzle.heuristic(state)) for state in states]
    return fmean(length / estimate for length, estimate in sums if estimate)
