"""Measurements of straight-line drawings: crossings, distances, lengths of edges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from slidelab.boards import Edge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Edge", "Positions", "closest_points", "count_crossings", "edge_lengths", "min_distance"]

Positions: TypeAlias = "NDArray[np.float64]"
"""Array of shape (n, 2) with the position of each vertex, or any other array of floats."""

TOUCHING = 1e-6
"""Distance below which a vertex counts as lying on an edge, in edge lengths."""


def count_crossings(positions: Positions, edges: Sequence[Edge]) -> int:
    """Count pairs of edges without a common end that cross, plus vertices that lie on an edge.

    >>> import numpy as np
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> count_crossings(square, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2), (1, 3)])
    1
    """
    import numpy as np

    if len(edges) < 2:
        return 0
    ends = np.array(edges)
    a, b = positions[ends[:, 0]], positions[ends[:, 1]]
    separated = orientation(a[:, None], b[:, None], a) * orientation(a[:, None], b[:, None], b) < 0
    share_end = (ends[:, None, :, None] == ends[:, None, :]).any(axis=(2, 3))
    touching = int((vertex_edge_distances(positions, edges)[0] < TOUCHING).sum())
    return int((separated & separated.T & ~share_end).sum()) // 2 + touching


def orientation(p: Positions, q: Positions, r: Positions) -> Positions:
    """Return twice the signed area of each triangle p, q, r: positive, negative, or zero if collinear.

    >>> import numpy as np
    >>> orientation(np.array([0.0, 0.0]), np.array([1.0, 0.0]), np.array([[0.0, 2.0], [0.0, -2.0]])).tolist()
    [2.0, -2.0]
    """
    first = (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1])
    area: Positions = first - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])
    return area


def vertex_edge_distances(positions: Positions, edges: Sequence[Edge]) -> tuple[Positions, Positions]:
    """Return the distance of each vertex from each edge (infinite at its ends), and the closest points.

    >>> import numpy as np
    >>> vertex_edge_distances(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 1.5]]), [(0, 1)])[0].tolist()
    [[inf], [inf], [1.5]]
    """
    import numpy as np

    ends = np.array(edges)
    closest = closest_points(positions[:, None], positions[ends[:, 0]], positions[ends[:, 1]])
    distances = np.linalg.norm(positions[:, None] - closest, axis=2)
    rows = np.arange(len(edges))
    distances[ends[:, 0], rows] = distances[ends[:, 1], rows] = np.inf
    return distances, closest


def closest_points(points: Positions, a: Positions, b: Positions) -> Positions:
    """Return the points of the segments from a to b that are closest to the given points."""
    import numpy as np

    along = b - a
    share = ((points - a) * along).sum(axis=-1) / np.maximum((along**2).sum(axis=-1), 1e-18)
    closest: Positions = a + np.clip(share, 0.0, 1.0)[..., None] * along
    return closest


def edge_lengths(positions: Positions, edges: Sequence[Edge]) -> Positions:
    """Return the length of each edge."""
    import numpy as np

    ends = np.array([*edges], dtype=np.int64).reshape(-1, 2)
    along = positions[ends[:, 0]] - positions[ends[:, 1]]
    return np.hypot(along[:, 0], along[:, 1])


def min_distance(positions: Positions) -> float:
    """Return the least distance between two points, or 1 if there are fewer than two.

    The points are sorted along a line in general position; each is compared with the next one, the next but
    one and so on, until those are too far apart along the line.

    >>> import numpy as np
    >>> min_distance(np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]]))
    1.0
    """
    import numpy as np

    if len(positions) < 2:
        return 1.0
    along = positions @ np.array([math.cos(1), math.sin(1)])
    order = np.argsort(along)
    along, ordered = along[order], positions[order]
    least, rows = math.inf, np.arange(len(positions) - 1)
    for step in range(1, len(positions)):
        between = ordered[rows + step] - ordered[rows]
        least = min(least, float(np.hypot(between[:, 0], between[:, 1]).min()))
        rows = rows[rows < len(positions) - step - 1]
        rows = rows[along[rows + step + 1] - along[rows] < least]
        if not len(rows):
            break
    return least
