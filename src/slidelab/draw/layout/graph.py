"""Layout of any graph: the best of several drawings, or least stress if it is large.

For small graphs several drawings are compared: of least stress from several starts, some of them symmetric,
and without crossings if the graph is planar. The one with the fewest crossings wins, where symmetry outweighs
some crossings; among equals the one with more free space and less stress.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from slidelab.boards.graphs import from_edges
from slidelab.draw.glyphs import Point
from slidelab.draw.layout.geometry import (
    Edge,
    Positions,
    count_crossings,
    edge_lengths,
    vertex_edge_distances,
)
from slidelab.draw.layout.planar import planar_faces, relax_planar, tutte_layout
from slidelab.draw.layout.stress import (
    align_axes,
    all_distances,
    connected_parts,
    minimize_stress,
    stress,
    stress_layout,
)
from slidelab.errors import TooLarge
from slidelab.permutations import Permutation, cycles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MAX_COMPARED", "lay_out_graph"]

MAX_COMPARED = 80
"""Number of vertices up to which several drawings are compared; that takes up to a second."""

MAX_OUTER_FACES = 4
"""Number of faces of a planar graph that are tried as the outer one, the largest first."""

MAX_SYMMETRIES = 400
"""Number of automorphisms against which drawings are checked."""

MAX_GROUP_ORDER = 20_000
"""Order of the automorphism group above which only its generators are used."""

MAX_ROTATIONS = 5
"""Number of rotations from which symmetric starts are made."""

SYMMETRIC_SEEDS, RANDOM_SEEDS = 6, 8
"""Number of symmetric starts per rotation, and of random ones."""

FREE_SPACE = 0.35
"""Distance between vertices, and from vertices to edges, in edge lengths, that is enough."""

CLOSE = 0.2
"""Distance between a vertex and an edge, in edge lengths, that is as bad as a crossing."""


def lay_out_graph(size: int, edges: Sequence[Edge]) -> tuple[Point, ...]:
    """Return positions for the vertices of a graph, edges about one long, components side by side.

    >>> triangle = lay_out_graph(3, [(0, 1), (1, 2), (0, 2)])
    >>> [round(math.dist(triangle[a], triangle[b]), 3) for a, b in ((0, 1), (1, 2), (0, 2))]
    [1.0, 1.0, 1.0]
    """
    return _lay_out(size, tuple((min(edge), max(edge)) for edge in edges))


@lru_cache(maxsize=64)
def _lay_out(size: int, edges: tuple[Edge, ...]) -> tuple[Point, ...]:
    import numpy as np

    if size > MAX_COMPARED:
        return tuple((float(x), float(y)) for x, y in stress_layout(size, edges))
    positions, right = np.zeros((size, 2)), 0.0
    for part in connected_parts(all_distances(size, edges)):
        number = {vertex: k for k, vertex in enumerate(part)}
        own_edges = sorted({(number[a], number[b]) for a, b in edges if a in number and a != b})
        own = _best_drawing(len(part), own_edges)
        positions[part] = own - [own[:, 0].min() - right, (own[:, 1].min() + own[:, 1].max()) / 2]
        right = float(positions[part, 0].max()) + 1.5
    return tuple((float(x), float(y)) for x, y in positions)


def _best_drawing(size: int, edges: Sequence[Edge]) -> Positions:
    """Return the best of several drawings of a connected graph."""
    import numpy as np

    distances = all_distances(size, edges)
    if size < 3:
        return minimize_stress(distances)
    symmetries = _symmetries(size, edges)
    best, least = np.zeros((size, 2)), (math.inf, math.inf)
    for positions in _drawings(size, edges, distances, symmetries):
        drawing = _normalize(positions - positions.mean(axis=0), edges)
        cost = _cost(drawing, edges, distances, symmetries)
        if cost < least:
            best, least = drawing, cost
    return _align(best, symmetries)


def _drawings(
    size: int, edges: Sequence[Edge], distances: Positions, symmetries: list[Permutation]
) -> Iterator[Positions]:
    """Yield drawings to choose from, without crossings if the graph is planar."""
    import numpy as np

    plain = minimize_stress(distances)
    yield plain
    if count_crossings(plain, edges) == 0:
        if _free_space(_normalize(plain, edges), edges) > FREE_SPACE:
            return
        yield relax_planar(plain, edges)
    faces = planar_faces(size, edges)
    if faces is not None:
        largest = sorted(range(len(faces)), key=lambda face: (-len(faces[face]), face))
        for outer in largest[:MAX_OUTER_FACES]:
            planar = tutte_layout(size, faces, outer)
            yield planar
            yield relax_planar(planar, edges)
        return
    for rotation in _rotations(symmetries):
        for seed in range(SYMMETRIC_SEEDS):
            yield minimize_stress(distances, _symmetric_start(distances, rotation, seed))
    for seed in range(RANDOM_SEEDS):
        start = np.random.default_rng(seed).normal(0, float(distances.max()) / 3, (size, 2))
        yield minimize_stress(distances, start)


def _symmetries(size: int, edges: Sequence[Edge]) -> list[Permutation]:
    """Return automorphisms other than the identity: all if they are few, else generators."""
    from slidelab.boards.symmetry import graph_automorphisms

    try:
        group = graph_automorphisms(from_edges(edges))
        elements = group.elements() if group.order <= MAX_GROUP_ORDER else iter(group.generators)
    except TooLarge:
        return []
    identity = tuple(range(size))
    listed = [element for element in islice(elements, 5_000) if element != identity]
    # Those of high order first: they are rotations with many corners.
    listed.sort(key=lambda element: -math.lcm(*(len(cycle) for cycle in cycles(element))))
    return listed[:MAX_SYMMETRIES]


def _rotations(symmetries: list[Permutation]) -> list[list[tuple[int, ...]]]:
    """Return the cycles of symmetries that could be rotations: of equal length but for a fixed centre."""
    found: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for element in symmetries:
        orbits = cycles(element, fixed=True)
        lengths = sorted(len(orbit) for orbit in orbits)
        if lengths[-1] >= 3 and lengths[lengths[0] == 1] == lengths[-1]:
            found.setdefault((-lengths[-1], len(orbits)), orbits)
    return [found[key] for key in sorted(found)][:MAX_ROTATIONS]


def _symmetric_start(distances: Positions, rotation: list[tuple[int, ...]], seed: int) -> Positions:
    """Return each cycle of a rotation on a circle; the seed decides the order, the phases and the radii."""
    import numpy as np

    rng = np.random.default_rng(seed)
    positions = np.zeros((len(distances), 2))
    rings = sorted((cycle for cycle in rotation if len(cycle) > 1), reverse=seed % 2 == 1)
    for number, ring in enumerate(rings):
        radius = float(distances.max()) / 2 * (1.0 if seed > 3 else 1 - number / len(rings))
        # The vertex closest to the first one of the outermost ring is put next to it.
        first = min(range(len(ring)), key=lambda k: (distances[rings[0][0], ring[k]], ring[k]))
        phase = rng.uniform(0, math.tau) if seed > 1 else 0.0
        for k, vertex in enumerate(ring):
            angle = phase + math.tau * (k - first) / len(ring)
            positions[vertex] = radius * math.cos(angle), radius * math.sin(angle)
    return positions


def _normalize(positions: Positions, edges: Sequence[Edge]) -> Positions:
    """Scale a drawing to a mean edge length of one."""
    return positions / max(float(edge_lengths(positions, edges).mean()), 1e-9)


def _cost(
    positions: Positions, edges: Sequence[Edge], distances: Positions, symmetries: list[Permutation]
) -> tuple[float, float]:
    """Rate a drawing: first by crossings, then by stress, crowding and lack of symmetry."""
    kept = 1 + len(_kept_symmetries(positions, symmetries)[0])
    pairs = len(distances) * (len(distances) - 1) / 2
    strain = _scaled_stress(distances, positions) / pairs
    symmetry = math.log2(min(kept, 16))
    crossings = count_crossings(positions, edges)
    if crossings:  # a drawing without crossings is kept even if a vertex is close to an edge
        crossings += int((vertex_edge_distances(positions, edges)[0] < CLOSE).sum())
    crowding = max(0.0, FREE_SPACE - _free_space(positions, edges)) / 2
    return round(crossings / (1 + symmetry / 4), 6), strain + crowding - 0.02 * symmetry


def _scaled_stress(distances: Positions, positions: Positions) -> float:
    """Return the stress of a drawing at the scale that has the least."""
    import numpy as np

    apart = np.linalg.norm(positions[:, None] - positions, axis=2)
    ideal = np.where(distances > 0, distances, 1.0)
    scale = float((apart / ideal).sum() / max((apart**2 / ideal**2).sum(), 1e-9))
    return stress(distances, positions * scale)


def _free_space(positions: Positions, edges: Sequence[Edge]) -> float:
    """Return the least distance of a vertex from another vertex or an edge."""
    import numpy as np

    apart = np.linalg.norm(positions[:, None] - positions, axis=2)
    np.fill_diagonal(apart, np.inf)
    return min(float(apart.min()), float(vertex_edge_distances(positions, edges)[0].min()))


def _kept_symmetries(
    positions: Positions, symmetries: list[Permutation]
) -> tuple[NDArray[np.int64], Positions]:
    """Return the symmetries that are rotations or reflections of a drawing, and their matrices.

    The closest rotation or reflection is the orthogonal Procrustes solution (Schönemann 1966).
    """
    import numpy as np

    if not symmetries:
        return np.zeros((0, len(positions)), dtype=np.int64), np.zeros((0, 2, 2))
    elements = np.array(symmetries)
    images = positions[elements]
    left, _, right = np.linalg.svd(positions.T @ images)
    matrices = left @ right
    error = np.abs(positions @ matrices - images).max(axis=(1, 2))
    kept = error < 0.02 * max(1.0, float(np.abs(positions).max()))
    return elements[kept], np.asarray(matrices[kept])


def _align(positions: Positions, symmetries: list[Permutation]) -> Positions:
    """Rotate a drawing to be symmetric left to right if possible, else wider than high."""
    import numpy as np

    kept, matrices = _kept_symmetries(positions, symmetries)
    # The mean of all images, each rotated back, is exactly symmetric.
    images = positions[kept] @ matrices.transpose(0, 2, 1)
    positions = np.concatenate([positions[None], images]).mean(axis=0)
    mirrors = [matrix for matrix in matrices if np.linalg.det(matrix) < 0]
    order = len(matrices) - len(mirrors) + 1
    if order >= 3:
        radii = np.linalg.norm(positions, axis=1)
        corner = positions[int(np.argmax(np.round(radii, 3)))]
        # A corner at the top if the order is odd, else a side; then on to the closest vertical mirror.
        angle = -math.pi / 2 + (0.0 if order % 2 else math.pi / order) - math.atan2(corner[1], corner[0])
        tilts = [(math.pi / 2 - _axis(mirror) - angle + math.pi / 2) % math.pi for mirror in mirrors]
        return _rotate(positions, angle + min((tilt - math.pi / 2 for tilt in tilts), key=abs, default=0.0))
    if mirrors:
        axis = _axis(mirrors[0])
        upright, lying = _rotate(positions, -math.pi / 2 - axis), _rotate(positions, -axis)
        return min(upright, lying, key=lambda each: float(np.ptp(each[:, 1])))
    return align_axes(positions)


def _axis(mirror: Positions) -> float:
    """Return the angle of the axis of a reflection: half the angle of the image of the x axis."""
    return math.atan2(mirror[0, 1], mirror[0, 0]) / 2


def _rotate(positions: Positions, angle: float) -> Positions:
    import numpy as np

    cos, sin = math.cos(angle), math.sin(angle)
    return np.asarray(positions @ np.array([[cos, sin], [-sin, cos]]))
