"""Plain measurements of outlines, independent of the package."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def segment_distances(points: Array, first: Array, last: Array) -> Array:
    """Return the least distance of each point from any of the segments."""
    along = last - first
    share = ((points[:, None] - first) * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), 1e-12)
    closest = first + np.clip(share, 0, 1)[..., None] * along
    distances: Array = np.linalg.norm(points[:, None] - closest, axis=2).min(axis=1)
    return distances


def inside(points: Array, first: Array, last: Array) -> NDArray[np.bool_]:
    """Return whether each point is inside the outline made of these segments (even-odd rule)."""
    x, y = points[:, 0, None], points[:, 1, None]
    crosses = (first[:, 1] > y) != (last[:, 1] > y)
    rise = np.where(first[:, 1] == last[:, 1], 1.0, last[:, 1] - first[:, 1])
    crossing = first[:, 0] + (y - first[:, 1]) / rise * (last[:, 0] - first[:, 0])
    result: NDArray[np.bool_] = (crosses & (crossing > x)).sum(axis=1) % 2 == 1
    return result


def sides(corners: Array) -> tuple[Array, Array]:
    """Return the first and the last points of the sides of a polygon."""
    return corners, np.roll(corners, -1, axis=0)


def gap(one: Array, other: Array, limit: float = 2.0) -> float:
    """Return the distance of two outlines: negative if they overlap, infinite if above the limit."""
    least = np.inf
    for these, those in ((one, other), (other, one)):
        is_near = ((these > those.min(axis=0) - limit) & (these < those.max(axis=0) + limit)).all(axis=1)
        if is_near.any():
            distances = segment_distances(these[is_near], *sides(those))
            distances[inside(these[is_near], *sides(those))] *= -1
            least = min(least, float(distances.min()))
    return least


def polygon_area(corners: Array) -> float:
    """Return the signed area of a polygon (shoelace formula)."""
    x, y = corners.T
    return 0.5 * float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
