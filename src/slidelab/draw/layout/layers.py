"""Graphs in columns: column k holds what is k steps away, in an order with few crossings.

The order within a column is found by barycentres, there and back (Sugiyama, Tagawa and Toda 1981): each
vertex wants to be at the mean of its neighbours in the column before. Then the places: as near to those
means as they can be without changing the order or coming nearer than one to each other. That is a monotone
regression, and pooling neighbours that violate the order solves it exactly (Ayer and others 1955).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

__all__ = ["layered", "pooled"]

Edge = tuple[int, int]
Point = tuple[float, float]


def layered(distances: Sequence[int], edges: Sequence[Edge], sweeps: int = 24) -> list[Point]:
    """A place for each vertex: the column of its distance, and a height; neighbours in a column 1 apart.

    The columns are as far apart as makes the whole half as wide again as high.

    >>> [x > 0 for x, y in layered([0, 1, 1, 2], [(0, 1), (0, 2), (1, 3), (2, 3)])]
    [False, True, True, True]
    """
    columns: list[list[int]] = [[] for _ in range(max(distances) + 1)]
    for vertex, far in enumerate(distances):
        columns[far].append(vertex)
    before: list[list[int]] = [[] for _ in distances]
    after: list[list[int]] = [[] for _ in distances]
    for a, b in edges:
        for one, other in ((a, b), (b, a)):
            if distances[one] != distances[other]:
                (before if distances[other] < distances[one] else after)[one].append(other)
    height = _ordered(columns, before, after, sweeps)
    tall = max(height.values()) - min(height.values())
    step = max(1.0, 1.5 * tall / max(1, len(columns) - 1))
    return [(far * step, height[vertex]) for vertex, far in enumerate(distances)]


def _ordered(
    columns: list[list[int]], before: list[list[int]], after: list[list[int]], sweeps: int
) -> dict[int, float]:
    """Sweeps from left to right and back; the order with the fewest crossings is kept, then settled."""
    height = {vertex: float(k) for column in columns for k, vertex in enumerate(column)}
    best, least = [list(column) for column in columns], _crossed(columns, after)
    for sweep in range(sweeps):
        if least == 0:
            break
        forward = sweep % 2 == 0
        for column in columns if forward else columns[::-1]:
            near = before if forward else after
            column.sort(key=lambda vertex: (_mean(height, near[vertex], height[vertex]), height[vertex]))
            middle = (len(column) - 1) / 2
            for k, vertex in enumerate(column):
                height[vertex] = k - middle
        crossed = _crossed(columns, after)
        if crossed < least:
            best, least = [list(column) for column in columns], crossed
    return _settled(best, before, after)


def _mean(height: dict[int, float], vertices: Sequence[int], otherwise: float) -> float:
    return sum(height[v] for v in vertices) / len(vertices) if vertices else otherwise


def _crossed(columns: list[list[int]], after: list[list[int]]) -> int:
    """How many lines cross between neighbouring columns, counted by a tree of sums."""
    total = 0
    for column, following in pairwise(columns):
        place = {vertex: k for k, vertex in enumerate(following)}
        ends = [end for vertex in column for end in sorted(place[other] for other in after[vertex])]
        sums = [0] * (len(following) + 1)
        for seen, end in enumerate(ends):
            total += seen
            at = end + 1
            while at:  # those seen that end no lower do not cross this one
                total -= sums[at]
                at &= at - 1
            at = end + 1
            while at <= len(following):
                sums[at] += 1
                at += at & -at
    return total


def _settled(columns: list[list[int]], before: list[list[int]], after: list[list[int]]) -> dict[int, float]:
    height = {}
    for column in columns:
        for k, vertex in enumerate(column):
            height[vertex] = k - (len(column) - 1) / 2
    for sweep in range(12):
        for column in columns if sweep % 2 == 0 else columns[::-1]:
            wanted = [_mean(height, before[v] + after[v], height[v]) - k for k, v in enumerate(column)]
            for k, (vertex, value) in enumerate(zip(column, pooled(wanted), strict=True)):
                height[vertex] = value + k
    return height


def pooled(values: Sequence[float]) -> list[float]:
    """The nearest sequence that never falls: runs that fall are replaced by their mean.

    >>> pooled([1.0, 3.0, 2.0, 4.0])
    [1.0, 2.5, 2.5, 4.0]
    """
    runs: list[tuple[float, int]] = []
    for value in values:
        mean, long = value, 1
        while runs and runs[-1][0] > mean:
            other, size = runs.pop()
            mean, long = (mean * long + other * size) / (long + size), long + size
        runs.append((mean, long))
    return [mean for mean, long in runs for _ in range(long)]
