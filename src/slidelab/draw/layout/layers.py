"""Layered layout: column k holds the vertices at distance k, in an order with few crossings.

The order within columns comes from barycentre sweeps to and fro [1]_. Then each vertex gets a height as close
as possible to the mean of its neighbours that keeps the order and a distance of one: an isotonic regression,
which pooling adjacent violators solves exactly [2]_.

References
----------
.. [1] K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system structures",
   IEEE Trans. Systems, Man, and Cybernetics 11 (1981).
.. [2] M. Ayer et al., "An empirical distribution function for sampling with incomplete information",
   Ann. Math. Statist. 26 (1955).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from slidelab.draw.glyphs import Point
from slidelab.draw.layout.geometry import Edge

__all__ = ["isotonic_regression", "layered_layout"]

ORDER_SWEEPS = 24
"""Sweeps that reorder the columns; later ones rarely remove a crossing."""

HEIGHT_SWEEPS = 12
"""Sweeps that adjust the heights."""


def layered_layout(distances: Sequence[int], edges: Sequence[Edge]) -> list[Point]:
    """Return positions in columns by distance; neighbours in a column are at least 1 apart.

    >>> [x > 0 for x, y in layered_layout([0, 1, 1, 2], [(0, 1), (0, 2), (1, 3), (2, 3)])]
    [False, True, True, True]
    """
    columns: list[list[int]] = [[] for _ in range(max(distances) + 1)]
    for vertex, distance in enumerate(distances):
        columns[distance].append(vertex)
    before: list[list[int]] = [[] for _ in distances]
    after: list[list[int]] = [[] for _ in distances]
    for a, b in edges:
        for vertex, other in ((a, b), (b, a)):
            if distances[vertex] != distances[other]:
                (before if distances[other] < distances[vertex] else after)[vertex].append(other)
    heights = _assign_heights(_order_columns(columns, before, after), before, after)
    spread = max(heights.values()) - min(heights.values())
    step = max(1.0, 1.5 * spread / max(1, len(columns) - 1))
    return [(distance * step, heights[vertex]) for vertex, distance in enumerate(distances)]


def _order_columns(
    columns: list[list[int]], before: list[list[int]], after: list[list[int]]
) -> list[list[int]]:
    """Return the columns in the order with the fewest crossings that the sweeps find."""
    heights = {vertex: float(k) for column in columns for k, vertex in enumerate(column)}
    best, fewest = [list(column) for column in columns], _count_crossings(columns, after)
    for sweep in range(ORDER_SWEEPS):
        if fewest == 0:
            break
        forward = sweep % 2 == 0
        neighbours = before if forward else after
        for column in columns if forward else columns[::-1]:
            column.sort(key=lambda v: (_mean_height(heights, neighbours[v], heights[v]), heights[v]))
            heights.update(_centred(column))
        crossings = _count_crossings(columns, after)
        if crossings < fewest:
            best, fewest = [list(column) for column in columns], crossings
    return best


def _centred(column: Sequence[int]) -> dict[int, float]:
    return {vertex: k - (len(column) - 1) / 2 for k, vertex in enumerate(column)}


def _mean_height(heights: dict[int, float], vertices: Sequence[int], default: float) -> float:
    return sum(heights[v] for v in vertices) / len(vertices) if vertices else default


def _count_crossings(columns: list[list[int]], after: list[list[int]]) -> int:
    """Count the crossings between neighbouring columns with a Fenwick tree."""
    total = 0
    for column, following in pairwise(columns):
        rank = {vertex: k for k, vertex in enumerate(following)}
        ends = [end for vertex in column for end in sorted(rank[other] for other in after[vertex])]
        sums = [0] * (len(following) + 1)
        for seen, end in enumerate(ends):
            total += seen
            index = end + 1
            while index:  # earlier edges that end no lower do not cross this one
                total -= sums[index]
                index &= index - 1
            index = end + 1
            while index <= len(following):
                sums[index] += 1
                index += index & -index
    return total


def _assign_heights(
    columns: list[list[int]], before: list[list[int]], after: list[list[int]]
) -> dict[int, float]:
    heights = {vertex: height for column in columns for vertex, height in _centred(column).items()}
    for sweep in range(HEIGHT_SWEEPS):
        for column in columns if sweep % 2 == 0 else columns[::-1]:
            ideal = [
                _mean_height(heights, before[v] + after[v], heights[v]) - k for k, v in enumerate(column)
            ]
            for k, (vertex, value) in enumerate(zip(column, isotonic_regression(ideal), strict=True)):
                heights[vertex] = value + k
    return heights


def isotonic_regression(values: Sequence[float]) -> list[float]:
    """Return the closest non-decreasing sequence: decreasing runs are replaced by their mean.

    >>> isotonic_regression([1.0, 3.0, 2.0, 4.0])
    [1.0, 2.5, 2.5, 4.0]
    """
    runs: list[tuple[float, int]] = []
    for value in values:
        mean, length = value, 1
        while runs and runs[-1][0] > mean:
            other, size = runs.pop()
            mean, length = (mean * length + other * size) / (length + size), length + size
        runs.append((mean, length))
    return [mean for mean, length in runs for _ in range(length)]
