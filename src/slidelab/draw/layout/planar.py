"""Drawings of planar graphs in which no two edges cross.

An embedding (networkx finds one, if the graph is planar) says in which order edges leave each vertex. Every
face is filled with triangles, its outermost one is put on a convex polygon, and every other vertex at the
mean of its neighbours: then nothing crosses (Tutte 1963; for triangles with any convex border Floater 2003).
Such drawings crowd in the middle, so they are relaxed by springs, each vertex moving less than half of the
way to any edge: that keeps the embedding (Bertault 2000, Simonetto and others 2011).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.float64]

__all__ = ["crossings", "faces", "gaps", "nearest", "planar_places", "uncrowded", "side"]

Edge = tuple[int, int]
Face = tuple[int, ...]


def crossings(places: Places, edges: Sequence[Edge]) -> int:
    """How many pairs of edges without a common end cross, and how many vertices lie on an edge.

    >>> import numpy as np
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> crossings(square, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2), (1, 3)])
    1
    """
    import numpy as np

    if len(edges) < 2:
        return 0
    ends = np.array(edges)
    a, b = places[ends[:, 0]], places[ends[:, 1]]
    across = side(a[:, None], b[:, None], a) * side(a[:, None], b[:, None], b) < 0
    shared = (ends[:, None, :, None] == ends[:, None, :]).any(axis=(2, 3))
    touching = int((gaps(places, edges)[0] < 1e-6).sum())
    return int((across & across.T & ~shared).sum()) // 2 + touching


def faces(size: int, edges: Sequence[Edge]) -> list[Face] | None:
    """The faces of one way to draw a connected graph in the plane, as walks round each; None if none is.

    >>> sorted(len(face) for face in faces(4, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]))
    [3, 3, 4]
    """
    try:
        import networkx as nx
    except ImportError:
        return None
    graph: Any = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(edges)
    planar, embedding = nx.check_planarity(graph)
    if not planar:
        return None
    seen: set[Edge] = set()
    return [
        tuple(embedding.traverse_face(a, b, mark_half_edges=seen))
        for a, b in sorted(embedding.edges)
        if (a, b) not in seen
    ]


def planar_places(size: int, walks: Sequence[Face], outer: int) -> Places:
    """Places without a crossing, the given face outermost.

    Inside each face runs a ring of helpers, one beside each of its sides, round one more in the middle: so
    all becomes triangles even where a walk passes a vertex twice (at a dead end, say). A face without such
    vertices has the one in the middle only, and the border is the face itself if it can be.
    """
    pairs: list[Edge] = []
    border: list[int] = []
    count = size
    for number, walk in enumerate(walks):
        plain = len(set(walk)) == len(walk)
        if number == outer and plain:
            border = [*walk]
            pairs += [*zip(walk, walk[1:] + walk[:1], strict=True)]
            continue
        pairs += [*zip(walk, walk[1:] + walk[:1], strict=True)]
        ring = [*walk]
        if not plain:
            ring = [*range(count, count + len(walk))]
            count += len(walk)
            pairs += [*zip(ring, walk, strict=True), *zip(ring, walk[1:] + walk[:1], strict=True)]
            pairs += [*zip(ring, ring[1:] + ring[:1], strict=True)]
        if number == outer:
            border = ring
        elif len(ring) > 3 or not plain:
            pairs += [(count, corner) for corner in ring]
            count += 1
    return _barycentric(count, pairs, border)[:size]


def _barycentric(size: int, pairs: Sequence[Edge], border: Sequence[int]) -> Places:
    """The border on a circle, every other vertex at the mean of its neighbours."""
    import numpy as np

    matrix = np.zeros((size, size))
    for a, b in pairs:
        matrix[a, b] = matrix[b, a] = -1.0
    np.fill_diagonal(matrix, -matrix.sum(axis=1))
    right = np.zeros((size, 2))
    for place, vertex in enumerate(border):
        angle = math.tau * place / len(border)
        matrix[vertex] = 0.0
        matrix[vertex, vertex] = 1.0
        right[vertex] = math.cos(angle), math.sin(angle)
    return np.asarray(np.linalg.solve(matrix, right))


def side(p: Places, q: Places, r: Places) -> Places:
    """On which side of the way from p to q each r lies: positive, negative, or zero on it.

    >>> import numpy as np
    >>> side(np.array([0.0, 0.0]), np.array([1.0, 0.0]), np.array([[0.0, 2.0], [0.0, -2.0]])).tolist()
    [2.0, -2.0]
    """
    first = (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1])
    found: Places = first - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])
    return found


def gaps(places: Places, edges: Sequence[Edge]) -> tuple[Places, Places]:
    """For each vertex and edge how far apart they are (infinite at its ends), and the edge's nearest point.

    >>> import numpy as np
    >>> gaps(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 1.5]]), [(0, 1)])[0].tolist()
    [[inf], [inf], [1.5]]
    """
    import numpy as np

    ends = np.array(edges)
    a, along = places[ends[:, 0]], places[ends[:, 1]] - places[ends[:, 0]]
    share = ((places[:, None] - a) * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), 1e-18)
    nearest = a + np.clip(share, 0.0, 1.0)[:, :, None] * along
    far = np.linalg.norm(places[:, None] - nearest, axis=2)
    rows = np.arange(len(edges))
    far[ends[:, 0], rows] = far[ends[:, 1], rows] = np.inf
    return far, nearest


def nearest(places: Places) -> float:
    """How near the two nearest places are; 1 if there are no two.

    They are looked for in their order along a line that is no axis, so that few of them share a place on it:
    each is compared with the next one, the next but one, and so on until that is too far along the line.

    >>> import numpy as np
    >>> nearest(np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]]))
    1.0
    """
    import numpy as np

    if len(places) < 2:
        return 1.0
    along = places @ np.array([math.cos(1), math.sin(1)])
    order = np.argsort(along)
    along, here = along[order], places[order]
    least, rows = math.inf, np.arange(len(places) - 1)
    for step in range(1, len(places)):
        way = here[rows + step] - here[rows]
        least = min(least, float(np.hypot(way[:, 0], way[:, 1]).min()))
        rows = rows[rows < len(places) - step - 1]
        rows = rows[along[rows + step + 1] - along[rows] < least]
        if not len(rows):
            break
    return least


def uncrowded(places: Places, edges: Sequence[Edge], rounds: int = 250) -> Places:
    """The same drawing relaxed: vertices push each other and the edges away, edges pull to length one.

    No vertex and no point of an edge moves half as far as they are apart, so nothing ever crosses. Symmetric
    drawings stay symmetric.
    """
    import numpy as np

    ends = np.array(edges)
    size, rows = len(places), np.arange(len(edges))
    here = places / max(
        float(np.median(np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1))), 1e-6
    )
    for turn in range(rounds):
        between = here[:, None] - here
        apart = np.maximum(np.linalg.norm(between, axis=2), 1e-6)
        np.fill_diagonal(apart, np.inf)
        force = (between / (apart**2)[:, :, None]).sum(axis=1)
        along = here[ends[:, 1]] - here[ends[:, 0]]
        spring = along * np.linalg.norm(along, axis=1)[:, None]
        np.add.at(force, ends[:, 0], spring)
        np.add.at(force, ends[:, 1], -spring)
        far, nearest = gaps(here, edges)
        push = np.where(far < 1, 4 * (1 - np.minimum(far, 1)) ** 2 / np.maximum(far, 1e-6) ** 2, 0.0)
        shove = push[:, :, None] * (here[:, None] - nearest)
        force += shove.sum(axis=1)
        np.add.at(force, ends[:, 0], -shove.sum(axis=0) / 2)
        np.add.at(force, ends[:, 1], -shove.sum(axis=0) / 2)
        room = far.min(axis=1, initial=np.inf)
        near = far.min(axis=0, initial=np.inf)
        np.minimum.at(room, ends[rows, 0], near)
        np.minimum.at(room, ends[rows, 1], near)
        long = np.maximum(np.linalg.norm(force, axis=1), 1e-12)
        cool = 0.3 * (1 - turn / rounds) + 0.01
        step = np.minimum(np.minimum(0.1 * long, cool), 0.4 * room)
        here = here + force * (step / long)[:, None]
        if float(step.max()) < 0.003:
            break
    return np.asarray(here.reshape(size, 2))
