"""Division of an outline among the cells of a piece, so that each can have its own colour.

Each cell gets what is closest to it. The regions share their corners, so that solids made from them are
closed without any rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from slidelab.draw.layout.geometry import Positions
from slidelab.draw.picture.bodies import nearest_corners

if TYPE_CHECKING:
    from slidelab.draw.glyphs import Point

__all__ = ["Division", "divide_outline"]

DECIMALS = 6
"""Decimals of a millimetre up to which corners are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """An outline divided among cells.

    Attributes
    ----------
    outline : array of (n, 2)
        The outline, anticlockwise, with a corner wherever the closest cell changes.
    inner : array of (m, 2)
        Corners inside the outline where three or more regions meet; they are numbered from n on.
    regions : list of list of list of int
        For each cell the corners of its regions, anticlockwise.
    owners : list of int
        For each side of the outline, by its first corner, the cell that it belongs to.
    """

    outline: Positions
    inner: Positions
    regions: list[list[list[int]]]
    owners: list[int]


def divide_outline(outline: Positions, centres: Sequence[Point]) -> Division:
    """Divide an anticlockwise outline among the cells at these centres.

    >>> import numpy as np
    >>> bar = np.array([[-1.0, -1.0], [3.0, -1.0], [3.0, 1.0], [-1.0, 1.0]])
    >>> found = divide_outline(bar, [(0.0, 0.0), (2.0, 0.0)])
    >>> found.outline.tolist()
    [[-1.0, -1.0], [1.0, -1.0], [3.0, -1.0], [3.0, 1.0], [1.0, 1.0], [-1.0, 1.0]]
    >>> found.regions
    [[[4, 5, 0, 1]], [[1, 2, 3, 4]]]
    """
    import numpy as np

    corners, owners = _cut_sides([(float(x), float(y)) for x, y in outline], centres)
    inner: dict[Point, int] = {}
    regions: list[list[list[int]]] = [[] for _ in centres]
    runs = _runs(owners)
    if len(runs) == 1:
        regions[owners[0]].append(list(range(len(corners))))
        runs = []
    while runs:
        owner, first = runs[0][0], runs[0]
        row: list[int] = []
        run = first
        while True:
            row += _corner_numbers(run, len(corners))
            runs.remove(run)
            # The next run of the same cell, around the region: the one at the other end of the cut.
            following = _next_run(run, first, [each for each in runs if each[0] == owner], corners, centres)
            row += [
                inner.setdefault(point, len(corners) + len(inner))
                for point in _inner_path(corners[run[2]], corners[following[1]], owner, centres)
            ]
            if following is first:
                break
            run = following
        regions[owner].append(row)
    points = np.array(list(inner) or np.zeros((0, 2)), dtype=float)
    return Division(np.array(corners), points, regions, owners)


Run = tuple[int, int, int]  # the cell, its first corner, the corner where the next cell begins


def _cut_sides(outline: Sequence[Point], centres: Sequence[Point]) -> tuple[list[Point], list[int]]:
    """Return the outline with corners where the closest cell changes, and the cell of each side."""
    corners: list[Point] = []
    for corner, following in pairwise([*outline, outline[0]]):
        corners.append(corner)
        shares = sorted(
            share
            for a in range(len(centres))
            for b in range(a)
            if (share := _crossing(corner, following, centres[a], centres[b])) is not None
        )
        for share in shares:
            point = _between(corner, following, share)
            near = sorted(math.dist(point, centre) for centre in centres)
            is_border = near[1] - near[0] < 1e-9 * max(1.0, near[0])
            if is_border and round(math.dist(point, corners[-1]), DECIMALS) > 0:
                corners.append(point)
    middles = [_between(a, b, 0.5) for a, b in pairwise([*corners, corners[0]])]
    owners = [min(range(len(centres)), key=lambda k: math.dist(middle, centres[k])) for middle in middles]
    return corners, owners


def _crossing(a: Point, b: Point, one: Point, other: Point) -> float | None:
    """Return where a side, without its ends, is as far from one point as from another."""
    here = math.dist(a, one) ** 2 - math.dist(a, other) ** 2
    there = math.dist(b, one) ** 2 - math.dist(b, other) ** 2
    if here * there >= 0:
        return None
    share = here / (here - there)
    return share if 1e-6 < share < 1 - 1e-6 else None


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _runs(owners: Sequence[int]) -> list[Run]:
    """Return the maximal runs of sides that belong to one cell, around the outline."""
    count = len(owners)
    start = next((k for k in range(count) if owners[k] != owners[k - 1]), 0)
    runs: list[Run] = []
    for owner, group in groupby(range(start, start + count), key=lambda k: owners[k % count]):
        sides = list(group)
        runs.append((owner, sides[0] % count, (sides[-1] + 1) % count))
    return runs


def _corner_numbers(run: Run, count: int) -> list[int]:
    _, first, last = run
    return [(first + k) % count for k in range((last - first) % count + 1)]


def _next_run(
    run: Run, first: Run, others: Sequence[Run], corners: Sequence[Point], centres: Sequence[Point]
) -> Run:
    """Return the run that follows around the region of a cell, seen from its centre."""
    x, y = centres[run[0]]

    def turned(candidate: Run) -> float:
        (ax, ay), (bx, by) = corners[run[2]], corners[candidate[1]]
        angle = math.atan2(by - y, bx - x) - math.atan2(ay - y, ax - x)
        return angle % math.tau

    return min([*others, first], key=turned)


def _inner_path(start: Point, end: Point, cell: int, centres: Sequence[Point]) -> list[Point]:
    """Return the corners of a cell's region between two of its borders, anticlockwise."""
    x, y = centres[cell]

    def turned(point: Point) -> float:
        angle = math.atan2(point[1] - y, point[0] - x) - math.atan2(start[1] - y, start[0] - x)
        return angle % math.tau

    limit = turned(end)
    found: dict[Point, float] = {}
    for corner in nearest_corners(centres, cell):
        point = (round(corner[0], DECIMALS) + 0.0, round(corner[1], DECIMALS) + 0.0)
        near = sorted(math.dist(point, centre) for centre in centres)
        is_junction = len(near) > 2 and near[2] - near[0] < 1e-5
        if is_junction and 1e-9 < turned(point) < limit - 1e-9:
            found[point] = turned(point)
    return sorted(found, key=lambda point: found[point])
