"""The order in which a board is filled so that the rest stays solvable: an ear decomposition.

The order is built from its end: a small core that is solved exactly, then ears. For tiles, an ear is a path
through new cells whose ends touch two different cells of the part so far, so that it stays 2-connected
(Whitney 1932). For hexagonal tiles, a new cell needs three consecutive cells around it: then two working
holes can enter at one side and leave at the other. Cells near the core come first; in reverse, the board
shrinks towards the core and stays compact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from slidelab.boards import Board
from slidelab.boards.walks import distance_list

__all__ = ["Order", "core_for_tiles", "nearness", "order_for_hextiles", "order_for_tiles", "outer_ear"]

Neighbours = Sequence[Sequence[int]]

MAX_CYCLE_STARTS = 400
"""Cells from which a short cycle for the core is looked for."""

SMALLEST_CORE = 6
"""Cells of a core than which none is smaller: two squares."""


@dataclass(frozen=True, slots=True)
class Order:
    """Ears in the order in which they are filled, the core, and cells that no ear reaches."""

    ears: tuple[tuple[int, ...], ...]
    core: tuple[int, ...]
    rest: tuple[int, ...]


def nearness(board: Board, *centres: int) -> list[int]:
    """Return the distance of each cell from the nearest of some cells; on squares the Chebyshev distance.

    A board of squares that shrinks by this measure stays a square.

    >>> from slidelab.boards import board
    >>> nearness(board("square R(3,2)"), 0)
    [0, 1, 2, 1, 1, 2]
    """
    if board.kind in ("square", "king"):
        import numpy as np

        cells = np.array(board.cells, dtype=np.int32)
        nearest = np.full(board.size, np.iinfo(np.int32).max)
        for centre in centres:
            np.minimum(nearest, np.abs(cells - cells[centre]).max(axis=1), out=nearest)
        return [int(distance) for distance in nearest]
    return distance_list(board.neighbours, centres)


def core_for_tiles(
    board: Board, centres: Sequence[int], odd: bool, size: int, min_size: int = 0
) -> tuple[int, ...]:
    """Return about `size` cells near some cells, at least `min_size`, that are 2-connected and not a cycle.

    They are a shortest cycle (of odd length if `odd`), a shortest ear on it, and then cells with two
    neighbours among them.

    >>> from slidelab.boards import board
    >>> core_for_tiles(board("square R(5,5)"), [24], odd=False, size=6)
    (13, 14, 18, 19, 23, 24)
    >>> len(core_for_tiles(board("theta(3,4,5)"), [0], odd=False, size=9))
    14
    """
    neighbours = board.neighbours
    near = distance_list(neighbours, centres)
    best: tuple[int, int, frozenset[int]] | None = None
    for tried, start in enumerate(sorted(range(board.size), key=lambda cell: (near[cell], cell))):
        if best is not None and (tried > MAX_CYCLE_STARTS or best[0] <= SMALLEST_CORE):
            break
        cycle = _shortest_cycle(neighbours, start, odd)
        if cycle is None or (best is not None and len(cycle) >= best[0]):
            continue
        core = set(cycle)
        while _is_cycle(neighbours, core) or _is_theta0(neighbours, core):
            ear = outer_ear(neighbours, core, near)
            if ear is None:
                break
            core.update(ear)
        if best is None or len(core) < best[0]:
            best = (len(core), tried, frozenset(core))
    if best is None:
        return tuple(range(board.size))
    core = set(best[2])
    for cells in reversed(order_for_tiles(neighbours, core, near, size).ears):
        if len(core) >= size or (len(core) >= min_size and len(core) + len(cells) > size + 1):
            break
        core.update(cells)
    return tuple(sorted(core))


def _is_cycle(neighbours: Neighbours, core: set[int]) -> bool:
    return all(sum(other in core for other in neighbours[cell]) == 2 for cell in core)


def _is_theta0(neighbours: Neighbours, core: set[int]) -> bool:
    degrees = sorted(sum(other in core for other in neighbours[cell]) for cell in core)
    if degrees != [2, 2, 2, 2, 2, 3, 3]:
        return False
    a, b = (cell for cell in core if sum(other in core for other in neighbours[cell]) == 3)
    # Paths of 1, 2 and 2 cells: one common neighbour, and the ends do not touch.
    common = [cell for cell in neighbours[a] if cell in core and cell in neighbours[b]]
    return len(common) == 1 and b not in neighbours[a]


def _shortest_cycle(neighbours: Neighbours, start: int, odd: bool) -> list[int] | None:
    """Return a shortest (odd) cycle among those that a breadth-first search from `start` closes."""
    far, parent = {start: 0}, {start: -1}
    queue = [start]
    best: tuple[int, int, int] | None = None
    for cell in queue:
        if best is not None and 2 * far[cell] >= best[0]:
            break
        for other in neighbours[cell]:
            if other not in far:
                far[other], parent[other] = far[cell] + 1, cell
                queue.append(other)
            elif parent[cell] != other and (not odd or far[other] == far[cell]):
                length = far[cell] + far[other] + 1
                if best is None or length < best[0]:
                    best = (length, cell, other)
    if best is None:
        return None
    one, two = (_path_to_root(parent, end) for end in best[1:])
    while len(one) > 1 and len(two) > 1 and one[-2:] == two[-2:]:
        one.pop()
        two.pop()
    return one + two[-2::-1]


def outer_ear(neighbours: Neighbours, core: set[int], near: Sequence[int]) -> list[int] | None:
    """Return the inner cells of a shortest path between two different cells of the core, nearest first."""
    origin: dict[int, int] = {}
    parent: dict[int, int] = {}
    level: list[int] = []
    singles: list[int] = []
    for cell in sorted(core):
        for other in neighbours[cell]:
            if other in core:
                continue
            if other not in origin:
                origin[other], parent[other] = cell, -1
                level.append(other)
            elif origin[other] != cell:
                singles.append(other)
    if singles:
        return [min(singles, key=lambda cell: (near[cell], cell))]
    while level:
        joints: list[tuple[int, int]] = []
        following: list[int] = []
        for cell in level:
            for other in neighbours[cell]:
                if other in core or parent[cell] == other:
                    continue
                if other not in origin:
                    origin[other], parent[other] = origin[cell], cell
                    following.append(other)
                elif origin[other] != origin[cell] and parent[other] != cell:
                    joints.append((cell, other))
        if joints:
            paths = [_path_to_root(parent, a)[::-1] + _path_to_root(parent, b) for a, b in joints]
            return min(paths, key=lambda path: (len(path), *_remoteness(near, path), path))
        level = following
    return None


def _remoteness(near: Sequence[int], path: Sequence[int]) -> tuple[int, int]:
    return max(near[cell] for cell in path), sum(near[cell] for cell in path)


def _path_to_root(parent: dict[int, int], cell: int) -> list[int]:
    path = [cell]
    while parent[path[-1]] >= 0:
        path.append(parent[path[-1]])
    return path


def order_for_tiles(
    neighbours: Neighbours, core: Iterable[int], near: Sequence[int], max_size: int | None = None
) -> Order:
    """Return an ear decomposition from the core outwards; the rest is 2-connected at any time.

    With `max_size`, only until there are so many cells.

    >>> from slidelab.boards import board
    >>> b = board("square R(3,3)")
    >>> order_for_tiles(b.neighbours, (4, 5, 7, 8), nearness(b, 8)).ears
    ((6,), (0, 3), (1, 2))
    """
    inside = set(core)
    touching = [sum(other in inside for other in row) for row in neighbours]
    ready: list[tuple[int, int]] = []
    for cell, count in enumerate(touching):
        if cell not in inside and count >= 2:
            heappush(ready, (near[cell], cell))
    ears: list[tuple[int, ...]] = []

    def add(ear: Sequence[int]) -> None:
        ears.append(tuple(ear))
        inside.update(ear)
        for cell in ear:
            for other in neighbours[cell]:
                touching[other] += 1
                if other not in inside and touching[other] >= 2:
                    heappush(ready, (near[other], other))

    max_size = len(neighbours) if max_size is None else max_size
    while len(inside) < max_size:
        while ready and len(inside) < max_size:
            _, cell = heappop(ready)
            if cell not in inside:
                add([cell])
        ear = None if len(inside) >= max_size else outer_ear(neighbours, inside, near)
        if ear is None:
            break
        add(ear)
    rest = tuple(cell for cell in range(len(neighbours)) if cell not in inside)
    return Order(tuple(reversed(ears)), tuple(sorted(core)), rest)


def order_for_hextiles(neighbours: Neighbours, core: Iterable[int], near: Sequence[int]) -> Order:
    """Return the order for hexagonal tiles: chains of up to four cells that can be entered and left.

    >>> from slidelab.boards import board
    >>> b = board("hex F(3)")
    >>> order = order_for_hextiles(b.neighbours, (4, 5, 8, 9, 10, 13, 14), nearness(b, 9))
    >>> [len(ear) for ear in order.ears], order.rest
    ([1, 2, 2, 2, 2, 3], ())
    """
    inside = set(core)
    ears: list[tuple[int, ...]] = []
    while True:
        edge = {other for cell in inside for other in neighbours[cell]} - inside
        nearest = sorted(edge, key=lambda cell: (near[cell], cell))
        ear = next(
            (found for size in range(1, 5) if (found := _chain(neighbours, nearest, inside, size))), None
        )
        if ear is None:
            break
        ears.append(ear)
        inside.update(ear)
    rest = sorted(
        (cell for cell in range(len(neighbours)) if cell not in inside), key=lambda cell: -near[cell]
    )
    return Order(tuple(reversed(ears)), tuple(sorted(core)), tuple(rest))


def _chain(
    neighbours: Neighbours, edge: Sequence[int], inside: set[int], size: int
) -> tuple[int, ...] | None:
    """Return the first chain of new cells, from the nearest cell on, that can all be entered and left."""
    for start in edge:
        chains: list[tuple[int, ...]] = [(start,)]
        for _ in range(size - 1):
            chains = [
                (*chain, other)
                for chain in chains
                for other in neighbours[chain[-1]]
                if other not in inside and other not in chain
            ]
        for chain in chains:
            if all(_can_be_passed(neighbours, cell, inside, chain) for cell in chain):
                return chain
    return None


def _can_be_passed(neighbours: Neighbours, cell: int, inside: set[int], chain: tuple[int, ...]) -> bool:
    """Return whether there are three consecutive cells around a cell."""
    present = [other for other in neighbours[cell] if other in inside or other in chain]
    return any(sum(other in neighbours[middle] for other in present) >= 2 for middle in present)
