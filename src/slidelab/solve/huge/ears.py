"""In which order to fill a board so that what is left stays solvable.

The order is built from its end: a small core that is solved exactly, then ears. For tiles, an ear is a path
through new cells whose ends touch two different cells of what there is, so that what there is stays
2-connected (Whitney 1932). For hexagonal tiles, a new cell needs three cells in a row round it: then two
working holes can come in at one side and go out at the other. Cells near the core come first; played
backwards, the board shrinks towards the core and stays compact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from slidelab.boards import Board
from slidelab.boards.walks import distance_list

__all__ = ["Order", "core_for_tiles", "nearness", "order_for_hextiles", "order_for_tiles", "outer_ear"]

Around = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Order:
    """The ears in the order in which they are filled, the core, and cells that no ear reaches."""

    ears: tuple[tuple[int, ...], ...]
    core: tuple[int, ...]
    rest: tuple[int, ...]


def nearness(board: Board, centre: int) -> list[int]:
    """How far each cell is from a cell: steps, or on squares the larger of the two differences.

    A board of squares that shrinks by this measure stays a square.

    >>> from slidelab.boards import board
    >>> nearness(board("square R(3,2)"), 0)
    [0, 1, 2, 1, 1, 2]
    """
    if board.kind in ("square", "king"):
        x, y = board.cells[centre]
        return [max(abs(a - x), abs(b - y)) for a, b in board.cells]
    return distance_list(board.neighbours, [centre])


def core_for_tiles(board: Board, centre: int, odd: bool, size: int, least: int = 0) -> tuple[int, ...]:
    """About `size` cells, `least` at least, that are 2-connected and no polygon, with an odd cycle if `odd`.

    The shortest cycle, the shortest ear on it, and then cells with two neighbours in what there is.

    >>> from slidelab.boards import board
    >>> core_for_tiles(board("square R(5,5)"), 24, odd=False, size=6)
    (13, 14, 18, 19, 23, 24)
    >>> len(core_for_tiles(board("theta(3,4,5)"), 0, odd=False, size=9))
    14
    """
    around = board.neighbours
    near = distance_list(around, [centre])
    best: tuple[int, int, frozenset[int]] | None = None
    for tried, start in enumerate(sorted(range(board.size), key=lambda cell: (near[cell], cell))):
        if best is not None and (tried > 400 or best[0] <= 6):
            break
        cycle = _shortest_cycle(around, start, odd)
        if cycle is None or (best is not None and len(cycle) >= best[0]):
            continue
        core = set(cycle)
        while _is_polygon(around, core) or _is_theta0(around, core):
            ear = outer_ear(around, core, near)
            if ear is None:
                break
            core.update(ear)
        if best is None or len(core) < best[0]:
            best = (len(core), tried, frozenset(core))
    if best is None:
        return tuple(range(board.size))
    core = set(best[2])
    for more in reversed(order_for_tiles(around, core, near, size).ears):
        if len(core) >= size or (len(core) >= least and len(core) + len(more) > size + 1):
            break
        core.update(more)
    return tuple(sorted(core))


def _is_polygon(around: Around, core: set[int]) -> bool:
    return all(sum(other in core for other in around[cell]) == 2 for cell in core)


def _is_theta0(around: Around, core: set[int]) -> bool:
    degrees = sorted(sum(other in core for other in around[cell]) for cell in core)
    if degrees != [2, 2, 2, 2, 2, 3, 3]:
        return False
    a, b = (cell for cell in core if sum(other in core for other in around[cell]) == 3)
    # Paths of 1, 2 and 2 cells: one common neighbour, and the ends do not touch.
    common = [cell for cell in around[a] if cell in core and cell in around[b]]
    return len(common) == 1 and b not in around[a]


def _shortest_cycle(around: Around, start: int, odd: bool) -> list[int] | None:
    """A shortest (odd) cycle among those that a search from `start` closes."""
    far, parent = {start: 0}, {start: -1}
    queue = [start]
    best: tuple[int, int, int] | None = None
    for cell in queue:
        if best is not None and 2 * far[cell] >= best[0]:
            break
        for other in around[cell]:
            if other not in far:
                far[other], parent[other] = far[cell] + 1, cell
                queue.append(other)
            elif parent[cell] != other and (not odd or far[other] == far[cell]):
                length = far[cell] + far[other] + 1
                if best is None or length < best[0]:
                    best = (length, cell, other)
    if best is None:
        return None
    ways = []
    for end in best[1:]:
        way = [end]
        while parent[way[-1]] >= 0:
            way.append(parent[way[-1]])
        ways.append(way)
    one, two = ways
    while len(one) > 1 and len(two) > 1 and one[-2:] == two[-2:]:
        one.pop()
        two.pop()
    return one + two[-2::-1]


def outer_ear(around: Around, core: set[int], near: Sequence[int]) -> list[int] | None:
    """The cells of a shortest path between two different cells of the core through others, nearest first."""
    origin: dict[int, int] = {}
    parent: dict[int, int] = {}
    level: list[int] = []
    singles: list[int] = []
    for cell in sorted(core):
        for other in around[cell]:
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
            for other in around[cell]:
                if other in core or parent[cell] == other:
                    continue
                if other not in origin:
                    origin[other], parent[other] = origin[cell], cell
                    following.append(other)
                elif origin[other] != origin[cell] and parent[other] != cell:
                    joints.append((cell, other))
        if joints:
            ways = [_traced(parent, a)[::-1] + _traced(parent, b) for a, b in joints]
            return min(
                ways, key=lambda way: (len(way), max(near[c] for c in way), sum(near[c] for c in way), way)
            )
        level = following
    return None


def _traced(parent: dict[int, int], cell: int) -> list[int]:
    way = [cell]
    while parent[way[-1]] >= 0:
        way.append(parent[way[-1]])
    return way


def order_for_tiles(
    around: Around, core: Iterable[int], near: Sequence[int], most: int | None = None
) -> Order:
    """Ears from the core outwards, filled from outside in: what is left is always 2-connected.

    With `most`, only until there are so many cells.

    >>> from slidelab.boards import board
    >>> b = board("square R(3,3)")
    >>> order_for_tiles(b.neighbours, (4, 5, 7, 8), nearness(b, 8)).ears
    ((6,), (0, 3), (1, 2))
    """
    inside = set(core)
    touching = [sum(other in inside for other in row) for row in around]
    ready: list[tuple[int, int]] = []
    for cell, count in enumerate(touching):
        if cell not in inside and count >= 2:
            heappush(ready, (near[cell], cell))
    ears: list[tuple[int, ...]] = []

    def add(ear: Sequence[int]) -> None:
        ears.append(tuple(ear))
        inside.update(ear)
        for cell in ear:
            for other in around[cell]:
                touching[other] += 1
                if other not in inside and touching[other] >= 2:
                    heappush(ready, (near[other], other))

    most = len(around) if most is None else most
    while len(inside) < most:
        while ready and len(inside) < most:
            _, cell = heappop(ready)
            if cell not in inside:
                add([cell])
        ear = None if len(inside) >= most else outer_ear(around, inside, near)
        if ear is None:
            break
        add(ear)
    rest = tuple(cell for cell in range(len(around)) if cell not in inside)
    return Order(tuple(reversed(ears)), tuple(sorted(core)), rest)


def order_for_hextiles(around: Around, core: Iterable[int], near: Sequence[int]) -> Order:
    """The same for hexagonal tiles: cells with three cells in a row round them, or up to four cells at once.

    >>> from slidelab.boards import board
    >>> b = board("hex F(3)")
    >>> order = order_for_hextiles(b.neighbours, (4, 5, 8, 9, 10, 13, 14), nearness(b, 9))
    >>> [len(ear) for ear in order.ears], order.rest
    ([1, 2, 2, 2, 2, 3], ())
    """
    inside = set(core)
    ears: list[tuple[int, ...]] = []
    while True:
        edge = {other for cell in inside for other in around[cell]} - inside
        nearest = sorted(edge, key=lambda cell: (near[cell], cell))
        ear = next((found for size in range(1, 5) if (found := _chain(around, nearest, inside, size))), None)
        if ear is None:
            break
        ears.append(ear)
        inside.update(ear)
    rest = sorted((cell for cell in range(len(around)) if cell not in inside), key=lambda cell: -near[cell])
    return Order(tuple(reversed(ears)), tuple(sorted(core)), tuple(rest))


def _chain(around: Around, edge: Sequence[int], inside: set[int], size: int) -> tuple[int, ...] | None:
    """New cells, each touching the next, that hold each other: the first found from the nearest cell on."""
    for start in edge:
        chains: list[tuple[int, ...]] = [(start,)]
        for _ in range(size - 1):
            chains = [
                (*chain, other)
                for chain in chains
                for other in around[chain[-1]]
                if other not in inside and other not in chain
            ]
        for chain in chains:
            if all(_is_held(around, cell, inside, chain) for cell in chain):
                return chain
    return None


def _is_held(around: Around, cell: int, inside: set[int], chain: tuple[int, ...]) -> bool:
    """Are there three cells in a row round it?"""
    there = [other for other in around[cell] if other in inside or other in chain]
    return any(sum(other in around[middle] for other in there) >= 2 for middle in there)
