"""Places of least stress: vertices few steps apart are near, and as far apart as they are steps.

The stress of a drawing is the sum over all pairs of vertices of the square of (distance on paper - steps
between them), divided by the square of the steps, so that near ones matter most (Kamada and Kawai 1989). It
is made smaller by majorization (Gansner, Koren and North 2004): a quadratic function that touches the stress
from above is minimized exactly, which never makes the stress grow. The start is classical scaling on a few
pivots (Brandes and Pich 2007), which already unfolds the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.errors import TooLarge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.float64]

__all__ = [
    "MAX_VERTICES",
    "in_scale",
    "least_stress",
    "parts",
    "relaxed",
    "steps_between",
    "stress",
    "upright",
]

Edge = tuple[int, int]
MAX_VERTICES = 4_000
SINGLE = 400
"""From so many vertices on, half the digits are enough: nobody sees a thousandth of a step."""


def steps_between(size: int, edges: Sequence[Edge]) -> NDArray[np.float64]:
    """How many steps each vertex is from each other one; infinite if there is no way.

    All starts walk at once. Each vertex keeps a row of bits, one for each start that has reached it, and in
    each step takes over the bits of its neighbours: sixty-four starts in one word.

    >>> steps_between(3, [(0, 1), (1, 2)])[0].tolist()
    [0.0, 1.0, 2.0]
    """
    import numpy as np

    ends = np.array([*edges], dtype=np.int64).reshape(-1, 2)
    own = np.arange(size)
    targets = np.concatenate([own, ends[:, 0], ends[:, 1]])
    sources = np.concatenate([own, ends[:, 1], ends[:, 0]])
    around = sources[np.argsort(targets, kind="stable")]
    first = np.searchsorted(np.sort(targets), own)
    reached = np.zeros((size, -(-size // 64)), dtype="<u8")
    reached[own, own // 64] = np.left_shift(np.uint64(1), (own % 64).astype(np.uint64))
    steps = np.full((size, size), np.inf)
    np.fill_diagonal(steps, 0.0)
    far = 0
    while size:
        far += 1
        wider = np.bitwise_or.reduceat(reached[around], first, axis=0)
        fresh = wider & ~reached
        rows, words = np.nonzero(fresh)
        if not len(rows):
            break
        octets = fresh[rows, words].view(np.uint8).reshape(-1, 8)
        found, bits = np.nonzero(np.unpackbits(octets, axis=1, bitorder="little"))
        steps[rows[found], words[found] * 64 + bits] = far
        reached = wider
    return steps


def parts(steps: Places) -> list[list[int]]:
    """The vertices of each part that hangs together, in order of the first ones.

    >>> parts(steps_between(4, [(0, 2), (1, 3)]))
    [[0, 2], [1, 3]]
    """
    import numpy as np

    waiting, out = np.ones(len(steps), dtype=bool), []
    while waiting.any():
        part = np.flatnonzero(np.isfinite(steps[int(np.argmax(waiting))]))
        waiting[part] = False
        out.append([int(vertex) for vertex in part])
    return out


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
    right = 0.0
    for part in parts(steps):
        here = upright(relaxed(steps[np.ix_(part, part)], rounds=rounds))
        places[part] = here - here.min(axis=0) + (right, 0.0)
        right = float(places[part, 0].max()) + 1.5
    return in_scale(places, edges)


def in_scale(places: Places, edges: Sequence[Edge]) -> Places:
    """The same drawing, larger or smaller, so that an edge is usually one long."""
    import numpy as np

    if not len(edges):
        return places
    ends = np.array(edges)
    usual = float(np.median(np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)))
    return places / usual if usual > 0 else places


def stress(steps: Places, places: Places) -> float:
    """The stress of a drawing of a connected graph, each pair counted once.

    >>> import numpy as np
    >>> steps = steps_between(3, [(0, 1), (1, 2)])
    >>> stress(steps, np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]))
    0.0
    """
    import numpy as np

    apart = np.linalg.norm(places[:, None] - places, axis=2)
    wanted = np.where(steps > 0, steps, 1.0)
    return float((np.where(steps > 0, apart - steps, 0.0) ** 2 / wanted**2).sum() / 2)


def relaxed(steps: Places, places: Places | None = None, rounds: int = 200) -> Places:
    """Less and less stress from a start on, for a graph that hangs together.

    Each round solves one system of linear equations, the same each time but for its right side: so its
    matrix is inverted once. Symmetries of the start are kept, for nothing here knows the vertices' numbers.
    """
    import numpy as np

    size = len(steps)
    if size < 3:
        return np.array([[0.0, 0.0], [1.0, 0.0]][:size]).reshape(-1, 2)
    kind = np.float32 if size > SINGLE else np.float64
    here = (_first_places(steps) if places is None else places).astype(kind)
    far: NDArray[np.floating] = np.where(steps > 0, steps, 1.0).astype(kind)
    weights = far**-2
    np.fill_diagonal(weights, 0.0)
    pull = weights * far
    # Adding the same number everywhere makes the matrix invertible and changes no place but the middle.
    matrix = np.diag(weights.sum(axis=1)) - weights + kind(1 / size)
    solve = np.linalg.inv(matrix)
    before, most = np.inf, float(size * (size - 1))
    for _ in range(rounds):
        here = here - here.mean(axis=0)
        squares = (here**2).sum(axis=1)
        apart = squares[:, None] + squares
        apart -= 2 * (here @ here.T)
        np.maximum(apart, kind(1e-9), out=apart)
        np.sqrt(apart, out=apart)
        # The square opened; its last term, steps^2 / steps^2, is one for each pair.
        bent = float(np.vdot(weights, apart * apart)) - 2 * float(np.vdot(pull, apart)) + most
        if before - bent < 1e-4 * bent or bent < 4 * np.finfo(kind).eps * most:
            break
        before = bent
        np.divide(pull, apart, out=apart)
        here = solve @ (here * apart.sum(axis=1)[:, None] - apart @ here)
    return here.astype(np.float64)


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


def upright(places: Places) -> Places:
    """Turned so that the picture is wider than high, the same vertices at the left each time."""
    import numpy as np

    centred = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned = centred @ axes.T
    signs = np.where(turned[0] > 1e-9, -1.0, 1.0)
    return np.asarray(turned * signs)
