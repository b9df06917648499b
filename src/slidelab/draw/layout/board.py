"""Clean drawings of graphs: places so that what is few steps apart is near, and little crosses.

Large graphs get the drawing of least stress (see `stress`). For a small one several drawings are made: of
least stress from several starts, turned into themselves by a symmetry of the graph, without crossings if the
graph is planar (see `planar`). The one with the fewest crossings wins, symmetry making up for some of them;
among equals the one that is least crowded and has the least stress.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from slidelab.boards import Board
from slidelab.boards.graphs import from_edges, graph_board
from slidelab.draw.layout.planar import crossings, faces, gaps, nearest, planar_places, uncrowded
from slidelab.draw.layout.stress import (
    MAX_VERTICES,
    least_stress,
    parts,
    relaxed,
    steps_between,
    stress,
    upright,
)
from slidelab.errors import NotationError, TooLarge
from slidelab.permutations import Permutation, cycles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.float64]

__all__ = ["SMALL", "clean", "drawing"]

Edge = tuple[int, int]
Point = tuple[float, float]
SMALL = 80
"""Graphs of so many vertices are drawn in several ways, of which the best is taken."""
AIR = 1.3
"""How far apart vertices are at least if nobody says where they are; how long edges are if somebody does."""
LEAST = 0.9
"""Vertices nearer than this cover each other."""
GROWTH = 6.0
"""How much larger a drawing becomes at most so that no two vertices cover each other."""
FARTHEST = 100_000
"""Pictures in which vertices are so many edges apart fit on no paper."""
OUTERMOST = 4
"""How many faces of a planar graph are tried as the outermost one."""
SYMMETRIES = 400
"""How many symmetries of a graph are looked at."""


def clean(board: Board) -> Board:
    """The board with good places for its vertices, if it is a graph.

    Where somebody chose the places they stay, in a size in which edges are about as long as cells are wide.

    >>> from slidelab.boards import board
    >>> [x for x, y in clean(board("path(3)")).positions]
    [0.0, 1.3, 2.6]
    """
    if board.kind != "graph" or board.size < 2:
        return board
    if board.size > MAX_VERTICES:
        _within_reach(board, board.positions)
        return board
    places = _given(board) if _chosen(board) else _grown(_usual(board))
    _within_reach(board, places)
    return replace(board, positions=tuple((round(float(x), 4), round(float(y), 4)) for x, y in places))


def _chosen(board: Board) -> bool:
    """Did somebody say where the vertices are? All in one spot says nothing."""
    return board.positions != graph_board(board.size, board.edges).positions and len(set(board.positions)) > 1


def _usual(board: Board) -> Sequence[Point]:
    """Where the vertices go if nobody says where."""
    family = board.name.split("(")[0]
    if family == "path":
        return [(float(cell), 0.0) for cell in range(board.size)]
    if family in ("theta", "cycle") or (family == "complete" and board.size > 4):
        return graph_board(board.size, board.edges).positions
    return drawing(board.size, board.edges)


def _grown(places: Sequence[Point]) -> Places:
    """The places, all larger if some are nearer than they should be, but not much.

    A few vertices that almost meet must not scatter all the others.
    """
    import numpy as np

    spots = np.array(places)
    return np.asarray(spots * min(GROWTH, max(1.0, AIR / max(nearest(spots), 1e-9))))


def _given(board: Board) -> Places:
    """The places that somebody chose, in pixels or whatever: as they are if that is a good size.

    Else so large that an edge is usually as long as in other drawings, and still larger where vertices would
    cover each other.
    """
    import numpy as np

    spots = np.array(board.positions)
    # Everything in a square of side one, by ways on which the largest numbers do not overflow.
    shape = spots / 2 - (spots / 2).min(axis=0)
    span = max(float(shape.max()), math.ulp(0.0))
    shape /= span
    near, edge = nearest(shape), _median_edge(shape, board.edges)
    real = near * span * 2
    if (
        real >= LEAST
        and (edge * span * 2 <= 1.6 or real <= 1.01 * AIR)
        and float(np.abs(spots).max()) <= FARTHEST
    ):
        return spots
    factor = AIR / max(edge, 1e-200)
    return np.asarray(shape * max(factor, min(GROWTH * factor, 1.05 * LEAST / max(near, 1e-300))))


def _median_edge(places: Places, edges: Sequence[Edge]) -> float:
    """How long an edge is usually; without any, how far apart so many vertices in a square can be."""
    import numpy as np

    ends = np.array([*edges], dtype=np.int64).reshape(-1, 2)
    between = places[ends[:, 0]] - places[ends[:, 1]]
    long = np.hypot(between[:, 0], between[:, 1])
    return float(np.median(long[long > 0])) if long.any() else 1 / max(1.0, len(places) ** 0.5 - 1)


def _within_reach(board: Board, places: Sequence[Point] | Places) -> None:
    """Refuse what is too wide."""
    far = max(max(axis) / 2 - min(axis) / 2 for axis in zip(*places, strict=True))
    if far > FARTHEST / 2:
        raise NotationError(
            f"expected positions at most {FARTHEST:,} edges apart, got {2 * float(far):.3g} - "
            f"on {board.name!r:.60}"
        )


def drawing(size: int, edges: Sequence[Edge]) -> tuple[Point, ...]:
    """Good places for the vertices of any graph, neighbours about one apart, its parts side by side.

    >>> triangle = drawing(3, [(0, 1), (1, 2), (0, 2)])
    >>> [round(math.dist(triangle[a], triangle[b]), 3) for a, b in ((0, 1), (1, 2), (0, 2))]
    [1.0, 1.0, 1.0]
    """
    return _drawing(size, tuple((min(edge), max(edge)) for edge in edges))


@lru_cache(maxsize=64)
def _drawing(size: int, edges: tuple[Edge, ...]) -> tuple[Point, ...]:
    import numpy as np

    if size > SMALL:
        return tuple((float(x), float(y)) for x, y in least_stress(size, edges))
    places, right = np.zeros((size, 2)), 0.0
    for part in parts(steps_between(size, edges)):
        number = {vertex: k for k, vertex in enumerate(part)}
        own = sorted({(number[a], number[b]) for a, b in edges if a in number and a != b})
        here = _best(len(part), own)
        places[part] = here - [here[:, 0].min() - right, (here[:, 1].min() + here[:, 1].max()) / 2]
        right = float(places[part, 0].max()) + 1.5
    return tuple((float(x), float(y)) for x, y in places)


def _best(size: int, edges: Sequence[Edge]) -> Places:
    """The best of several drawings of a graph that hangs together."""
    import numpy as np

    steps = steps_between(size, edges)
    if size < 3:
        return relaxed(steps)
    symmetries = _symmetries(size, edges)
    best, least = np.zeros((size, 2)), (math.inf, math.inf)
    for places in _drawings(size, edges, steps, symmetries):
        here = _unit(places - places.mean(axis=0), edges)
        cost = _cost(here, edges, steps, symmetries)
        if cost < least:
            best, least = here, cost
    return _turned(best, symmetries)


def _drawings(
    size: int, edges: Sequence[Edge], steps: Places, symmetries: list[Permutation]
) -> Iterator[Places]:
    """Drawings to choose from, without crossings if there are such."""
    import numpy as np

    plain = relaxed(steps)
    yield plain
    if crossings(plain, edges) == 0:
        if _air(_unit(plain, edges), edges) > 0.35:
            return
        yield uncrowded(plain, edges)
    walks = faces(size, edges)
    if walks is not None:
        for face in sorted(range(len(walks)), key=lambda face: (-len(walks[face]), face))[:OUTERMOST]:
            flat = planar_places(size, walks, face)
            yield flat
            yield uncrowded(flat, edges)
        return
    for around in _rotations(symmetries):
        for seed in range(6):
            yield relaxed(steps, _symmetric_start(steps, around, seed))
    for seed in range(8):
        start = np.random.default_rng(seed).normal(0, float(steps.max()) / 3, (size, 2))
        yield relaxed(steps, start)


def _symmetries(size: int, edges: Sequence[Edge]) -> list[Permutation]:
    """Symmetries of the graph but for the identity: all if they are few, else those that generate them."""
    from itertools import islice

    from slidelab.boards.symmetry import graph_automorphisms

    try:
        group = graph_automorphisms(from_edges(edges))
        found = group.elements() if group.order <= 20_000 else iter(group.generators)
    except TooLarge:
        return []
    identity = tuple(range(size))
    listed = [each for each in islice(found, 5_000) if each != identity]
    # Those of high order first: they are the rotations with many corners.
    listed.sort(key=lambda each: -_order(each))
    return listed[:SYMMETRIES]


def _order(permutation: Permutation) -> int:
    return math.lcm(*(len(loop) for loop in cycles(permutation)))


def _rotations(symmetries: list[Permutation]) -> list[list[tuple[int, ...]]]:
    """Symmetries that could be rotations of a drawing, as their loops: all equally long but for a middle."""
    out: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for each in symmetries:
        loops = cycles(each, fixed=True)
        lengths = sorted(len(loop) for loop in loops)
        if lengths[-1] >= 3 and lengths[lengths[0] == 1] == lengths[-1]:
            # One for each length, and for each number of edges that its loops hold.
            out.setdefault((-lengths[-1], len(loops)), loops)
    return [out[key] for key in sorted(out)][:5]


def _symmetric_start(steps: Places, loops: list[tuple[int, ...]], seed: int) -> Places:
    """Each loop on a circle of its own: in line with the first one or somehow turned, nested or not."""
    import numpy as np

    random = np.random.default_rng(seed)
    places = np.zeros((len(steps), 2))
    rings = sorted((loop for loop in loops if len(loop) > 1), reverse=seed % 2 == 1)
    for number, ring in enumerate(rings):
        radius = float(steps.max()) / 2 * (1.0 if seed > 3 else 1 - number / len(rings))
        # The vertex nearest to the first one of the outermost ring goes beside it.
        beside = min(range(len(ring)), key=lambda place: (steps[rings[0][0], ring[place]], ring[place]))
        first = random.uniform(0, math.tau) if seed > 1 else 0.0
        for place, vertex in enumerate(ring):
            angle = first + math.tau * (place - beside) / len(ring)
            places[vertex] = radius * math.cos(angle), radius * math.sin(angle)
    return places


def _unit(places: Places, edges: Sequence[Edge]) -> Places:
    """In such a size that an edge is one long on average."""
    import numpy as np

    ends = np.array(edges)
    mean = float(np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1).mean())
    return places / max(mean, 1e-9)


def _cost(
    places: Places, edges: Sequence[Edge], steps: Places, symmetries: list[Permutation]
) -> tuple[float, float]:
    """What is wrong with a drawing: crossings, then crowding, stress and want of symmetry."""
    kept = 1 + len(_kept(places, symmetries)[0])
    pairs = len(steps) * (len(steps) - 1) / 2
    bent = _least_scaled(steps, places) / pairs
    even = math.log2(min(kept, 16))
    crossed = crossings(places, edges)
    if crossed:  # a vertex almost on an edge is as bad; but without any crossing the drawing is planar
        crossed += int((gaps(places, edges)[0] < 0.2).sum())
    return round(crossed / (1 + even / 4), 6), bent + max(0.0, 0.35 - _air(places, edges)) / 2 - 0.02 * even


def _least_scaled(steps: Places, places: Places) -> float:
    """The stress at the size that has least of it."""
    import numpy as np

    apart = np.linalg.norm(places[:, None] - places, axis=2)
    far = np.where(steps > 0, steps, 1.0)
    return stress(steps, places * float((apart / far).sum() / max((apart**2 / far**2).sum(), 1e-9)))


def _air(places: Places, edges: Sequence[Edge]) -> float:
    """How near vertices come to each other and to edges."""
    import numpy as np

    apart = np.linalg.norm(places[:, None] - places, axis=2)
    np.fill_diagonal(apart, np.inf)
    return min(float(apart.min()), float(gaps(places, edges)[0].min()))


def _kept(places: Places, symmetries: list[Permutation]) -> tuple[NDArray[np.int64], Places]:
    """The symmetries that are rotations or reflections of this drawing, and which they are.

    The best rotation or reflection for each comes from singular values (Schoenemann 1966).
    """
    import numpy as np

    if not symmetries:
        return np.zeros((0, len(places)), dtype=np.int64), np.zeros((0, 2, 2))
    listed = np.array(symmetries)
    images = places[listed]
    left, _, right = np.linalg.svd(places.T @ images)
    turns = left @ right
    off = np.abs(places @ turns - images).max(axis=(1, 2))
    good = off < 0.02 * max(1.0, float(np.abs(places).max()))
    return listed[good], np.asarray(turns[good])


def _turned(places: Places, symmetries: list[Permutation]) -> Places:
    """Turned to stand well: symmetric from left to right if it can be, else wider than high."""
    import numpy as np

    kept, turns = _kept(places, symmetries)
    # What is nearly symmetric becomes exactly so: the mean of all its images, each turned back.
    images = places[kept] @ turns.transpose(0, 2, 1)
    places = np.concatenate([places[None], images]).mean(axis=0)
    mirrors = [turn for turn in turns if np.linalg.det(turn) < 0]
    around = sum(np.linalg.det(turn) > 0 for turn in turns) + 1
    out = upright(places)
    if around >= 3:
        far = np.linalg.norm(places, axis=1)
        corner = places[int(np.argmax(np.round(far, 3)))]
        now = math.atan2(corner[1], corner[0])
        # A corner at the top if their number is odd, else a side; then on to the next upright mirror.
        angle = -math.pi / 2 + (0.0 if around % 2 else math.pi / around) - now
        tilts = [(math.pi / 2 - _line(mirror) - angle + math.pi / 2) % math.pi for mirror in mirrors]
        out = _rotated(places, angle + min((tilt - math.pi / 2 for tilt in tilts), key=abs, default=0.0))
    elif mirrors:
        line = _line(mirrors[0])
        tall, wide = _rotated(places, -math.pi / 2 - line), _rotated(places, -line)
        out = min(tall, wide, key=lambda each: float(np.ptp(each[:, 1])))
    return np.asarray(out)


def _line(mirror: Places) -> float:
    """The angle of the line that a reflection fixes: half of that by which it turns the first axis."""
    return math.atan2(mirror[0, 1], mirror[0, 0]) / 2


def _rotated(places: Places, angle: float) -> Places:
    import numpy as np

    cos, sin = math.cos(angle), math.sin(angle)
    return np.asarray(places @ np.array([[cos, sin], [-sin, cos]]))
