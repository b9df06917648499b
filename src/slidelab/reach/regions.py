"""Several holes on any graph: where tiles mix, and which arrangements can be reached.

A tile slides along an edge into a hole; there are h holes on a connected board. Two tiles can
change places only at a *hub*: a 2-connected block of three or more cells, or, with two holes or
more, a cell with three neighbours or more. Hubs are joined by *hallways*, paths of bridges whose
inner cells have two neighbours. If a hallway has at most h - 2 steps, a tile can be led through it
while two holes still wait at its end to store it away: the two hubs work as one *region*. If it is
longer, the tiles of the two regions never mix. A region reaches h - 1 steps into each hallway that
leaves it; tiles that lie further in only move back and forth.

Gather all holes in one region, the root. In this frame every region keeps its tiles on certain
cells: the root on all cells it reaches, except the holes; any other region on the cells it reaches,
except its entry (the cell that faces the root) and the h - 1 cells before it, where the holes are when
they come in. Every other cell keeps its tile. The group of the loops is the direct product over the
regions: all permutations if there are two holes or more (only rotations if the board is one polygon),
and what Wilson's theorem says of each block if there is one hole.

Everything takes linear time. docs/design/several-holes.md has the theorem as it is checked here.

References
----------
.. [W] R. M. Wilson, "Graph puzzles, homotopy, and the alternating group", J. Combin. Theory B 16 (1974).
.. [KMS] D. Kornhauser, G. Miller, P. Spirakis, "Coordinating pebble motion on graphs", FOCS (1984).
.. [BK] F. Brunck, M. Kwan, "Books, hallways and social butterflies: a note on sliding block puzzles" (2023):
   a statement close to the one used here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial

from slidelab.boards import Board, blocks, components
from slidelab.boards.walks import DisjointSets, distances, reachable, shortest_path, two_coloring
from slidelab.errors import PuzzleError

__all__ = [
    "Orbit",
    "Region",
    "block_regions",
    "nearest_cell",
    "orbits",
    "polygon_order",
    "region_groups",
    "regions",
]

Loop = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the board whose tiles mix when all holes are gathered in it."""

    core: tuple[int, ...]
    """Cells of its hubs and of the short hallways between them."""
    cells: tuple[int, ...]
    """The core and its arms: where its tiles and all holes are when the holes are gathered in it."""
    parent: int
    """Index of the next region towards the root, -1 for the root."""
    entry: int
    """The cell of `core` that faces the parent, -1 for the root."""
    group: str
    """``symmetric``, ``alternating``, ``theta0`` or ``cyclic``."""
    home: tuple[int, ...]
    """Where its tiles are when the holes are in the root; for the root, its cells."""


@dataclass(frozen=True, slots=True)
class Orbit:
    """Cells that exchange their tiles, and how.

    The cells of a cyclic orbit are listed along the polygon, those of theta0 along its paths.
    """

    cells: tuple[int, ...]
    group: str
    """As for regions, or ``fixed`` (every tile stays), or ``line`` (on a path tiles keep their order)."""
    loops: tuple[Loop, ...] = ()
    """The 120 permutations of theta0: the tiles of all ``cells[i]`` come to ``cells[loop[i]]`` at once."""

    @property
    def order(self) -> int:
        """The number of permutations of its tiles that loops make.

        Examples
        --------
        >>> Orbit((0, 1, 2), "alternating").order
        3
        """
        return _order(self.group, len(self.cells))


def _order(group: str, tiles: int) -> int:
    if group in ("fixed", "line"):
        return 1
    if group == "cyclic":
        return max(tiles, 1)
    if group == "theta0":
        return 120
    return factorial(tiles) // (2 if group == "alternating" and tiles > 1 else 1)


# Regions


def regions(board: Board, holes: int, root_cell: int | None = None) -> tuple[Region, ...]:
    """Return the regions of a connected board with so many holes, the root first, each after its parent.

    A polygon is one cyclic region; a path has none.

    Parameters
    ----------
    board, holes
    root_cell
        The root is the region with this cell, or the nearest to it; by default the largest region.

    Raises
    ------
    PuzzleError
        If the board is not connected, or there is no hole.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> h_shape = board("graph 0-1 0-2 0-3 3-4 4-5 4-6")
    >>> [(region.core, region.home) for region in regions(h_shape, 2, root_cell=0)]
    [((0,), (0, 1, 2, 3)), ((4,), (5, 6))]
    >>> [(region.core, region.home) for region in regions(h_shape, 4)]
    [((0, 3, 4), (0, 1, 2, 3, 4, 5, 6))]
    """
    if holes < 1:
        raise PuzzleError(f"expected at least one hole, got {holes}")
    parts = components(board)
    if len(parts) != 1:
        raise PuzzleError(f"expected a connected board, got {len(parts)} parts")
    return block_regions(board, blocks(board), parts[0], holes, root_cell)


def region_groups(board: Board, holes: int) -> list[tuple[str, int]]:
    """Return the group of each region of a connected board and the number of its tiles.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> region_groups(board("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-6 6-3"), 1)
    [('cyclic', 3), ('cyclic', 2)]
    """
    return [(region.group, len(region.cells) - holes) for region in regions(board, holes)]


def block_regions(
    board: Board,
    part_blocks: Iterable[tuple[int, ...]],
    part: Sequence[int],
    holes: int,
    root_cell: int | None,
) -> tuple[Region, ...]:
    """Return the regions of one connected part whose blocks are given; see `regions`.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> cells = (0, 1, 2, 3)
    >>> [region.core for region in block_regions(board("square R(2,2)"), [cells], cells, 1, None)]
    [(0, 1, 2, 3)]
    """
    big = [block for block in part_blocks if len(block) > 2]
    cores = big if holes == 1 else _merged(board, big, part, holes)
    if not cores:
        return ()
    reached = [tuple(sorted(distances(board.neighbours, core, limit=holes - 1))) for core in cores]
    cores_of: dict[int, list[int]] = {}
    for number, core in enumerate(cores):
        for cell in core:
            cores_of.setdefault(cell, []).append(number)
    if root_cell is None:
        root = max(range(len(cores)), key=lambda number: (len(reached[number]), -number))
    else:
        root = cores_of[nearest_cell(board, root_cell, cores_of)][0]
    if holes == 1:
        groups = [_wilson(board, core) for core in cores]
    else:
        polygon = all(len(board.neighbours[cell]) == 2 for cell in part)
        groups = ["cyclic" if polygon else "symmetric"] * len(cores)
    return _from_root(board, cores, reached, groups, cores_of, root, holes)


def _merged(
    board: Board, big: Sequence[Sequence[int]], part: Sequence[int], holes: int
) -> list[tuple[int, ...]]:
    """Return the connected sets of hubs and of the hallways between them that a tile can be led through."""
    if len(big) == 1 and len(big[0]) == len(part):
        return [tuple(sorted(part))]
    hubs = {cell for cell in part if len(board.neighbours[cell]) > 2}.union(*big)
    joined = DisjointSets(board.size)
    inside = set(hubs)
    for block in big:
        for cell in block:
            joined.union(cell, block[0])
    for cell in hubs:
        for first in board.neighbours[cell]:
            for inner in _hallway(board, hubs, cell, first, holes - 2):
                inside.add(inner)
                joined.union(inner, cell)
    return [tuple(core) for core in joined.sets() if core[0] in inside]


def _hallway(board: Board, hubs: set[int], start: int, first: int, max_length: int) -> list[int]:
    """Return the cells of the hallway from `first` to the hub at its end; none if it is longer."""
    path, before = [first], start
    while path[-1] not in hubs:
        onward = [cell for cell in board.neighbours[path[-1]] if cell != before]
        if not onward or len(path) >= max_length:
            return []
        before = path[-1]
        path.append(onward[0])
    return path if len(path) <= max_length else []


def nearest_cell(board: Board, start: int, goals: Collection[int]) -> int:
    """Return the first of some cells that a breadth-first search from `start` meets.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> nearest_cell(board("path(5)"), 1, [3, 4])
    3
    """
    path = shortest_path(board.neighbours, [start], goals.__contains__)
    if not path:
        raise PuzzleError(f"expected a path from cell {start} to a region, got none")
    return path[-1]


def _wilson(board: Board, block: Sequence[int]) -> str:
    """Return the group of one block with one hole, by Wilson's theorem [W]_."""
    inside = set(block)
    edges = sum(other in inside for cell in block for other in board.neighbours[cell]) // 2
    if edges == len(block):
        return "cyclic"
    if len(block) == 7 and edges == 8 and _theta0_vertices(board, block):
        return "theta0"
    rows = {cell: [other for other in board.neighbours[cell] if other in inside] for cell in block}
    return "symmetric" if two_coloring(rows, block) is None else "alternating"


def _from_root(
    board: Board,
    cores: Sequence[tuple[int, ...]],
    reached: Sequence[tuple[int, ...]],
    groups: Sequence[str],
    cores_of: dict[int, list[int]],
    root: int,
    holes: int,
) -> tuple[Region, ...]:
    """Return the regions in breadth-first order from the root.

    The first cell of another core that the search meets is its entry: all paths there lead through it, since
    cores share only cut vertices.
    """
    found = [Region(cores[root], reached[root], -1, -1, groups[root], reached[root])]
    index = {root: 0}
    last = dict.fromkeys(cores[root], 0)  # cell -> the region entered last on the path to it
    before: dict[int, int] = {}
    queue = list(cores[root])
    for cell in queue:
        for number in cores_of.get(cell, ()):
            if number not in index:
                index[number] = len(found)
                hole, taken = cell, {cell}
                for _ in range(holes - 1):
                    hole = before[hole]
                    taken.add(hole)
                home = tuple(other for other in reached[number] if other not in taken)
                found.append(Region(cores[number], reached[number], last[cell], cell, groups[number], home))
                fresh = [other for other in cores[number] if other not in last]
                last.update(dict.fromkeys(fresh, index[number]))
                queue.extend(fresh)
        for other in board.neighbours[cell]:
            if other not in last:
                last[other], before[other] = last[cell], cell
                queue.append(other)
    return tuple(found)


_THETA0 = ((1, 3, 5), (0, 2), (1, 4, 6), (0, 4), (3, 2), (0, 6), (5, 2))
"""Neighbours in theta0: vertices 0 and 2 joined by paths over 1, over 3 and 4, and over 5 and 6.

With one hole, loops make 120 of the 720 permutations of six tiles: the group PGL(2,5) [W]_.
"""


def _theta0_vertices(board: Board, block: Sequence[int]) -> tuple[int, ...]:
    """Return the cells of a block at the vertices of theta0, or nothing if it is another graph."""
    inside = set(block)
    around = {cell: [other for other in board.neighbours[cell] if other in inside] for cell in block}
    ends = [cell for cell in block if len(around[cell]) == 3]
    if len(ends) != 2:
        return ()
    paths = []
    for first in around[ends[0]]:
        path, before = [first], ends[0]
        while path[-1] not in ends:
            onward = next(cell for cell in around[path[-1]] if cell != before)
            before = path[-1]
            path.append(onward)
        paths.append(path[:-1])
    one, two, other = sorted(paths, key=len)
    if (len(one), len(two), len(other)) != (1, 2, 2):
        return ()
    return (ends[0], one[0], ends[1], *two, *other)


@lru_cache(maxsize=7)
def _theta0_loops(hole: int) -> tuple[Loop, ...]:
    """Return to which vertices loops take the tiles on the six others, with the hole back at its vertex."""
    start = tuple(vertex for vertex in range(7) if vertex != hole)

    def moves(state: tuple[int, tuple[int, ...]]) -> Iterator[tuple[int, tuple[int, ...]]]:
        empty, tiles = state  # tiles: the vertices of the six tiles
        for vertex in _THETA0[empty]:
            yield vertex, tuple(empty if at == vertex else at for at in tiles)

    index = {vertex: number for number, vertex in enumerate(start)}
    loops = (
        tuple(index[vertex] for vertex in tiles)
        for empty, tiles in reachable(moves, [(hole, start)])
        if empty == hole
    )
    return tuple(sorted(loops))


# Orbits


def orbits(board: Board, found: Sequence[Region], holes: Sequence[int]) -> tuple[Orbit, ...]:
    """Return the orbits of cells while the holes are at these cells of the root region, the first of `found`.

    There is one for each region, in the same order. Loops move no tile on any other cell.

    Raises
    ------
    PuzzleError
        If a hole is outside the root region.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> b = board("graph 0-1 1-2 2-3 3-0 3-4 4-5 5-6 6-3")
    >>> [orbit.cells for orbit in orbits(b, regions(b, 1, root_cell=0), [0])]
    [(1, 2, 3), (4, 5, 6)]
    """
    if not found:
        return ()
    if not set(holes) <= set(found[0].cells):
        raise PuzzleError("expected the holes at cells of the root region, got one elsewhere")
    root, *others = found
    homes = [set(root.home).difference(holes), *(set(region.home) for region in others)]
    return tuple(_orbit(board, region, home) for region, home in zip(found, homes, strict=True))


def _orbit(board: Board, region: Region, home: set[int]) -> Orbit:
    if region.group == "cyclic":
        order = polygon_order(board, region.core)
        return Orbit(tuple(cell for cell in order if cell in home), "cyclic")
    if region.group == "theta0":
        order = _theta0_vertices(board, region.core)
        hole = next(vertex for vertex, cell in enumerate(order) if cell not in home)
        return Orbit(tuple(cell for cell in order if cell in home), "theta0", _theta0_loops(hole))
    return Orbit(tuple(sorted(home)), region.group)


def polygon_order(board: Board, polygon: Sequence[int]) -> tuple[int, ...]:
    """Return the cells of a polygon one after the other, from the first on.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> polygon_order(board("square R(2,2)"), (0, 1, 2, 3))
    (0, 1, 3, 2)
    """
    inside = set(polygon)
    order, before = [polygon[0]], -1
    while True:
        onward = [cell for cell in board.neighbours[order[-1]] if cell in inside and cell != before]
        before = order[-1]
        if onward[0] == order[0]:
            return tuple(order)
        order.append(onward[0])
