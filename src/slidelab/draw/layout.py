"""Clean drawings of graphs: places so that what is few steps apart is near.

The layout is the one of least stress (Kamada and Kawai 1989; majorization by Gansner, Koren and North 2004):
the distance of any two places is to be the number of steps between them, near ones mattering most. Each round
puts every vertex at the mean of where all the others want it, and the stress never grows. It begins with
classical scaling on a few pivots (Brandes and Pich 2007), which already unfolds the graph.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from slidelab.boards import Board
from slidelab.errors import TooLarge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.float64]

__all__ = ["MAX_VERTICES", "clean", "least_stress", "steps_between"]

Edge = tuple[int, int]
Point = tuple[float, float]
MAX_VERTICES = 4_000
AIR = 1.3
"""How far apart vertices are at least if nobody says where they are."""


def clean(board: Board) -> Board:
    """The board with good places for its vertices, if it is a graph for which nobody chose any.

    >>> from slidelab.boards import board
    >>> [x for x, y in clean(board("path(3)")).positions]
    [0.0, 1.3, 2.6]
    """
    if board.kind != "graph" or board.size < 2:
        return board
    family = board.name.split("(")[0]
    if family in ("theta", "cycle", "complete") or not _on_circle(board):
        return _spread(board, board.positions, 1.0 if family == "graph" else AIR)
    if family == "path":
        return _spread(board, [(float(cell), 0.0) for cell in range(board.size)], AIR)
    if board.size > MAX_VERTICES:
        return board
    places = least_stress(board.size, board.edges)
    return _spread(board, [(float(x), float(y)) for x, y in places], AIR)


def _spread(board: Board, places: Sequence[Point], least: float) -> Board:
    """The board with its vertices at these places, all larger if some are nearer than `least`.

    Not more than four times as large: a few vertices that almost meet must not scatter all the others.
    """
    import numpy as np

    if board.size > MAX_VERTICES:
        return board
    spots = np.array(places)
    nearest = np.inf
    for row, spot in enumerate(spots[:-1]):
        nearest = min(nearest, float(((spots[row + 1 :] - spot) ** 2).sum(axis=1).min()))
    factor = min(4.0, max(1.0, least / max(math.sqrt(nearest), 1e-9)))
    larger = tuple((round(float(x) * factor, 4), round(float(y) * factor, 4)) for x, y in spots)
    return replace(board, positions=larger)


def _on_circle(board: Board) -> bool:
    """Are the vertices where they are put if nobody says where?"""
    radius = 0.5 / math.sin(math.pi / board.size) if board.size > 1 else 0.0
    return all(math.isclose(math.hypot(x, y), radius, abs_tol=1e-3) for x, y in board.positions)


def steps_between(size: int, edges: Sequence[Edge]) -> NDArray[np.float64]:
    """How many steps each vertex is from each other one; infinite if there is no way.

    >>> steps_between(3, [(0, 1), (1, 2)])[0].tolist()
    [0.0, 1.0, 2.0]
    """
    import numpy as np

    near: list[list[int]] = [[] for _ in range(size)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    lists = [np.array(row, dtype=np.int64) for row in near]
    steps = np.full((size, size), np.inf)
    for start in range(size):
        row = steps[start]
        row[start] = 0
        layer, far = np.array([start]), 0
        while len(layer):
            far += 1
            found = np.unique(np.concatenate([lists[v] for v in layer.tolist()]))
            layer = found[np.isinf(row[found])]
            row[layer] = far
    return steps


def least_stress(size: int, edges: Sequence[Edge], rounds: int = 200) -> Places:
    """Places of least stress, neighbours about one apart, the longer way across from left to right.

    Parts that hang together are laid out one by one and set side by side.

    >>> square = least_stress(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    >>> round(float(((square[0] - square[1]) ** 2).sum()), 1)
    1.0
    """
    import numpy as np

    if size > MAX_VERTICES:
        raise TooLarge(f"expected at most {MAX_VERTICES:,} vertices to be laid out, got {size:,}")
    steps = steps_between(size, edges)
    places = np.zeros((size, 2))
    waiting, right = np.ones(size, dtype=bool), 0.0
    while waiting.any():
        part = np.flatnonzero(np.isfinite(steps[int(np.argmax(waiting))]))
        waiting[part] = False
        here = _upright(_relaxed(steps[np.ix_(part, part)], rounds))
        places[part] = here - here.min(axis=0) + (right, 0.0)
        right = float(places[part, 0].max()) + 1.5
    return _in_scale(places, edges)


def _in_scale(places: Places, edges: Sequence[Edge]) -> Places:
    import numpy as np

    if not edges:
        return places
    ends = np.array(edges)
    usual = float(np.median(np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)))
    return places / usual if usual > 0 else places


def _relaxed(steps: Places, rounds: int) -> Places:
    """Majorization: each round solves for all vertices by one weighted mean (a localized step)."""
    import numpy as np

    size = len(steps)
    if size == 1:
        return np.zeros((1, 2))
    if size == 2:
        return np.array([[0.0, 0.0], [1.0, 0.0]])
    places = _first_places(steps)
    weights = 1 / np.where(steps > 0, steps, 1.0) ** 2
    np.fill_diagonal(weights, 0.0)
    pull = weights * steps
    total = weights.sum(axis=1)
    before = np.inf
    for _ in range(rounds):
        squares = (places**2).sum(axis=1)
        apart = np.sqrt(np.maximum(squares[:, None] + squares - 2 * places @ places.T, 1e-12))
        stress = float((weights * (apart - steps) ** 2).sum())
        if before - stress < 1e-4 * stress:
            break
        before = stress
        ratio = pull / apart
        places = (weights @ places + places * ratio.sum(axis=1)[:, None] - ratio @ places) / total[:, None]
    return places


def _first_places(steps: Places) -> Places:
    """Classical scaling seen from a few vertices far apart; a little noise parts what falls together."""
    import numpy as np

    size = len(steps)
    pivots, nearest = [0], steps[0].copy()
    while len(pivots) < min(size, 50):
        pivots.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, steps[pivots[-1]])
    squares = steps[:, pivots] ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    across, weights, _ = np.linalg.svd(-centred / 2, full_matrices=False)
    places = across[:, :2] * np.sqrt(weights[:2])
    places *= float(steps.mean()) / max(float(np.abs(places).mean()), 1e-9) / 2
    return np.asarray(places + np.random.default_rng(1).normal(0, 0.1, places.shape))


def _upright(places: Places) -> Places:
    """Turned so that the picture is wider than high, the same vertices at the left each time."""
    import numpy as np

    centred = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned = centred @ axes.T
    signs = np.where(turned[0] > 1e-9, -1.0, 1.0)
    return np.asarray(turned * signs)
