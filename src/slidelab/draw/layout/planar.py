"""Straight-line drawings of planar graphs without crossings.

networkx finds an embedding. Every face is triangulated, the outer face is put on a circle, and every other
vertex at the mean of its neighbours: then nothing crosses [1]_ [2]_. Such drawings are crowded in the middle,
so they are relaxed by springs, each vertex moving less than half of its distance from any edge, which keeps
the embedding [3]_.

References
----------
.. [1] W. T. Tutte, "How to draw a graph", Proc. London Math. Soc. 13 (1963).
.. [2] M. S. Floater, "One-to-one piecewise linear mappings over triangulations", Math. Comp. 72 (2003).
.. [3] P. Simonetto et al., "ImPrEd: an improved force-directed algorithm that prevents nodes from crossing
   edges", Computer Graphics Forum 30 (2011).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from slidelab.draw.layout.geometry import Edge, Positions, edge_lengths, vertex_edge_distances

__all__ = ["planar_faces", "relax_planar", "tutte_layout"]

Face = tuple[int, ...]

MAX_ROUNDS = 250
"""Rounds of relaxation; drawings of up to 80 vertices settle before."""

SETTLED = 0.003
"""Largest step of a vertex, in edge lengths, at which relaxation ends."""


def planar_faces(size: int, edges: Sequence[Edge]) -> list[Face] | None:
    """Return the faces of a planar embedding of a connected graph, as closed walks, or None if there is none.

    >>> sorted(len(face) for face in planar_faces(4, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]))
    [3, 3, 4]
    """
    try:
        import networkx as nx
    except ImportError:
        return None
    graph: Any = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(edges)
    is_planar, embedding = nx.check_planarity(graph)
    if not is_planar:
        return None
    seen: set[Edge] = set()
    return [
        tuple(embedding.traverse_face(a, b, mark_half_edges=seen))
        for a, b in sorted(embedding.edges)
        if (a, b) not in seen
    ]


def tutte_layout(size: int, faces: Sequence[Face], outer: int) -> Positions:
    """Return positions without crossings, with the given face outermost.

    A face whose walk repeats a vertex (at a dead end, say) gets a ring of auxiliary vertices, one per side;
    every inner face with more than three sides gets one in its middle. So all faces become triangles.
    """
    pairs: list[Edge] = []
    border: list[int] = []
    count = size
    for number, face in enumerate(faces):
        is_simple = len(set(face)) == len(face)
        pairs += _sides(face)
        ring = face
        if not is_simple:
            ring = tuple(range(count, count + len(face)))
            count += len(face)
            pairs += [*zip(ring, face, strict=True), *zip(ring, face[1:] + face[:1], strict=True)]
            pairs += _sides(ring)
        if number == outer:
            border = [*ring]
        elif len(ring) > 3 or not is_simple:
            pairs += [(count, corner) for corner in ring]
            count += 1
    return _barycentric(count, pairs, border)[:size]


def _sides(face: Face) -> list[Edge]:
    return [*zip(face, face[1:] + face[:1], strict=True)]


def _barycentric(size: int, pairs: Sequence[Edge], border: Sequence[int]) -> Positions:
    """Return the border on a circle and every other vertex at the mean of its neighbours."""
    import numpy as np

    matrix = np.zeros((size, size))
    for a, b in pairs:
        matrix[a, b] = matrix[b, a] = -1.0
    np.fill_diagonal(matrix, -matrix.sum(axis=1))
    right = np.zeros((size, 2))
    for k, vertex in enumerate(border):
        angle = math.tau * k / len(border)
        matrix[vertex] = 0.0
        matrix[vertex, vertex] = 1.0
        right[vertex] = math.cos(angle), math.sin(angle)
    return np.asarray(np.linalg.solve(matrix, right))


def relax_planar(positions: Positions, edges: Sequence[Edge]) -> Positions:
    """Spread the vertices of a planar drawing without introducing crossings.

    Vertices repel each other and the edges, edges pull to length one. No vertex moves half of its distance
    from an edge, so nothing ever crosses. Symmetric drawings stay symmetric.
    """
    import numpy as np

    ends = np.array(edges)
    rows = np.arange(len(edges))
    current = positions / max(float(np.median(edge_lengths(positions, edges))), 1e-6)
    for iteration in range(MAX_ROUNDS):
        between = current[:, None] - current
        apart = np.maximum(np.linalg.norm(between, axis=2), 1e-6)
        np.fill_diagonal(apart, np.inf)
        force = (between / (apart**2)[:, :, None]).sum(axis=1)
        along = current[ends[:, 1]] - current[ends[:, 0]]
        spring = along * np.linalg.norm(along, axis=1)[:, None]
        np.add.at(force, ends[:, 0], spring)
        np.add.at(force, ends[:, 1], -spring)
        distances, closest = vertex_edge_distances(current, edges)
        strength = 4 * (1 - np.minimum(distances, 1)) ** 2 / np.maximum(distances, 1e-6) ** 2
        push = np.where(distances < 1, strength, 0.0)[:, :, None] * (current[:, None] - closest)
        force += push.sum(axis=1)
        np.add.at(force, ends[:, 0], -push.sum(axis=0) / 2)
        np.add.at(force, ends[:, 1], -push.sum(axis=0) / 2)
        free = distances.min(axis=1, initial=np.inf)
        edge_free = distances.min(axis=0, initial=np.inf)
        np.minimum.at(free, ends[rows, 0], edge_free)
        np.minimum.at(free, ends[rows, 1], edge_free)
        size = np.maximum(np.linalg.norm(force, axis=1), 1e-12)
        max_step = 0.3 * (1 - iteration / MAX_ROUNDS) + 0.01
        step = np.minimum(np.minimum(0.1 * size, max_step), 0.4 * free)
        current = current + force * (step / size)[:, None]
        if float(step.max()) < SETTLED:
            break
    return np.asarray(current)
