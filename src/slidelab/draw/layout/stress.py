"""Layout by stress minimization: distances on paper approximate distances in the graph.

The stress of a drawing is the sum over all pairs of vertices of (distance on paper - distance in the
graph)^2, divided by the square of the distance in the graph [1]_. It is reduced by majorization [2]_: a
quadratic function that bounds the stress from above is minimized exactly, so the stress never grows.
Classical scaling on a few pivots [3]_ gives the start.

References
----------
.. [1] T. Kamada, S. Kawai, "An algorithm for drawing general undirected graphs", IPL 31 (1989).
.. [2] E. Gansner, Y. Koren, S. North, "Graph drawing by stress majorization", GD 2004.
.. [3] U. Brandes, C. Pich, "Eigensolver methods for progressive multidimensional scaling", GD 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.draw.layout.geometry import Edge, Positions, edge_lengths
from slidelab.errors import TooLarge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["all_distances", "minimize_stress", "stress", "stress_layout"]

MAX_FORCE_VERTICES = 4_000
"""Number of vertices of the largest layout: a few matrices of 4,000 x 4,000 floats take some 500 MB."""

MIN_SINGLE_PRECISION = 400
"""Number of vertices from which on single precision is used, which is exact enough for a picture."""

MAX_PIVOTS = 50
"""Number of vertices from which the initial positions are scaled."""

MAX_ROUNDS = 200
"""Rounds of majorization."""


def all_distances(size: int, edges: Sequence[Edge]) -> Positions:
    """Return the matrix of distances between all vertices; infinite between components.

    A breadth-first search from all vertices at once: each vertex has a row of bits, one per source that has
    reached it, and in each step takes over the bits of its neighbours.

    >>> all_distances(3, [(0, 1), (1, 2)])[0].tolist()
    [0.0, 1.0, 2.0]
    """
    import numpy as np

    ends = np.array([*edges], dtype=np.int64).reshape(-1, 2)
    vertices = np.arange(size)
    targets = np.concatenate([vertices, ends[:, 0], ends[:, 1]])
    sources = np.concatenate([vertices, ends[:, 1], ends[:, 0]])
    neighbours = sources[np.argsort(targets, kind="stable")]
    first = np.searchsorted(np.sort(targets), vertices)
    reached = np.zeros((size, -(-size // 64)), dtype="<u8")
    reached[vertices, vertices // 64] = np.left_shift(np.uint64(1), (vertices % 64).astype(np.uint64))
    distances = np.full((size, size), np.inf)
    np.fill_diagonal(distances, 0.0)
    depth = 0
    while size:
        depth += 1
        grown = np.bitwise_or.reduceat(reached[neighbours], first, axis=0)
        fresh = grown & ~reached
        rows, words = np.nonzero(fresh)
        if not len(rows):
            break
        octets = fresh[rows, words].view(np.uint8).reshape(-1, 8)
        found, bits = np.nonzero(np.unpackbits(octets, axis=1, bitorder="little"))
        distances[rows[found], words[found] * 64 + bits] = depth
        reached = grown
    return distances


def connected_parts(distances: Positions) -> list[list[int]]:
    """Return the vertices of each connected component, in order of their first vertices.

    >>> connected_parts(all_distances(4, [(0, 2), (1, 3)]))
    [[0, 2], [1, 3]]
    """
    import numpy as np

    remaining, parts = np.ones(len(distances), dtype=bool), []
    while remaining.any():
        part = np.flatnonzero(np.isfinite(distances[int(np.argmax(remaining))]))
        remaining[part] = False
        parts.append([int(vertex) for vertex in part])
    return parts


def stress_layout(size: int, edges: Sequence[Edge]) -> Positions:
    """Return positions of least stress, components side by side, with a median edge length of one.

    >>> square = stress_layout(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    >>> round(float(((square[0] - square[1]) ** 2).sum()), 1)
    1.0
    """
    import numpy as np

    if size > MAX_FORCE_VERTICES:
        raise TooLarge(f"expected at most {MAX_FORCE_VERTICES:,} vertices to be laid out, got {size:,}")
    distances = all_distances(size, edges)
    positions = np.zeros((size, 2))
    right = 0.0
    for part in connected_parts(distances):
        own = align_axes(minimize_stress(distances[np.ix_(part, part)]))
        positions[part] = own - own.min(axis=0) + (right, 0.0)
        right = float(positions[part, 0].max()) + 1.5
    usual = float(np.median(edge_lengths(positions, edges))) if len(edges) else 0.0
    return positions / usual if usual > 0 else positions


def stress(distances: Positions, positions: Positions) -> float:
    """Return the stress of a drawing of a connected graph, each pair counted once.

    >>> import numpy as np
    >>> distances = all_distances(3, [(0, 1), (1, 2)])
    >>> stress(distances, np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]))
    0.0
    """
    import numpy as np

    apart = np.linalg.norm(positions[:, None] - positions, axis=2)
    weights = np.where(distances > 0, distances, 1.0) ** -2
    return float((np.where(distances > 0, apart - distances, 0.0) ** 2 * weights).sum() / 2)


def minimize_stress(distances: Positions, start: Positions | None = None) -> Positions:
    """Return positions of locally least stress for a connected graph.

    Each round solves a system of linear equations whose matrix is always the same, so it is inverted once.
    Symmetries of the start are kept, because the numbering of the vertices plays no part.
    """
    import numpy as np

    size = len(distances)
    if size < 3:
        return np.array([[0.0, 0.0], [1.0, 0.0]][:size]).reshape(-1, 2)
    kind = np.float32 if size > MIN_SINGLE_PRECISION else np.float64
    current = (_pivot_scaling(distances) if start is None else start).astype(kind)
    ideal: NDArray[np.floating] = np.where(distances > 0, distances, 1.0).astype(kind)
    weights = ideal**-2
    np.fill_diagonal(weights, 0.0)
    pull = weights * ideal
    # A constant added everywhere makes the matrix invertible and changes nothing but the centroid.
    matrix = np.diag(weights.sum(axis=1)) - weights + kind(1 / size)
    inverse = np.linalg.inv(matrix)
    previous, pairs = np.inf, float(size * (size - 1))
    for _ in range(MAX_ROUNDS):
        current = current - current.mean(axis=0)
        squares = (current**2).sum(axis=1)
        apart = squares[:, None] + squares
        apart -= 2 * (current @ current.T)
        np.maximum(apart, kind(1e-9), out=apart)
        np.sqrt(apart, out=apart)
        # The square expanded; its last term is one for each pair.
        value = float(np.vdot(weights, apart * apart)) - 2 * float(np.vdot(pull, apart)) + pairs
        if previous - value < 1e-4 * value or value < 4 * np.finfo(kind).eps * pairs:
            break
        previous = value
        np.divide(pull, apart, out=apart)
        current = inverse @ (current * apart.sum(axis=1)[:, None] - apart @ current)
    return current.astype(np.float64)


def _pivot_scaling(distances: Positions) -> Positions:
    """Return classical scaling from a few distant pivots; noise separates vertices that coincide."""
    import numpy as np

    size = len(distances)
    pivots, nearest = [0], distances[0].copy()
    while len(pivots) < min(size, MAX_PIVOTS):
        pivots.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, distances[pivots[-1]])
    squares = distances[:, pivots] ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    left, weights, _ = np.linalg.svd(-centred / 2, full_matrices=False)
    positions = left[:, :2] * np.sqrt(weights[:2])
    positions *= float(distances.mean()) / max(float(np.abs(positions).mean()), 1e-9) / 2
    return np.asarray(positions + np.random.default_rng(1).normal(0, 0.1, positions.shape))


def align_axes(positions: Positions) -> Positions:
    """Rotate a drawing so that it is wider than high, with the first vertex at the left."""
    import numpy as np

    centred = positions - positions.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    rotated = centred @ axes.T
    signs = np.where(rotated[0] > 1e-9, -1.0, 1.0)
    return np.asarray(rotated * signs)
