"""Several holes on any graph: where tiles mix, and which arrangements can be reached.

A tile slides along an edge into a hole; there are h holes on a connected board. Two tiles can
change places only at a *hub*: a 2-connected block of three or more cells, or, with two holes or
more, a cell with three neighbours or more. Hubs are joined by *hallways*, paths of bridges whose
inner cells have two neighbours. If a hallway has at most h - 2 steps, a tile can be led through it
while two holes still wait at its end to store it away: the two hubs work as one *region*. If it is
longer, the tiles of the two regions never mix. A region reaches h - 1 steps into each hallway that
leaves it; tiles that lie further in only move back and forth.

Gather all holes in one region, the root. In this frame every region keeps its tiles on certain
cells: the root on all cells it reaches, less the holes; any other region on the cells it reaches,
less its entry (the cell that faces the root) and the h - 1 cells before it, where the holes would
stand when they come in. Every other cell keeps its tile. The group of the loops is the product
over the regions: all permutations if there are two holes or more (only rotations if the board is
one polygon), and what Wilson's theorem says of each block if there is one hole.

The method is that of Kornhauser, Miller and Spirakis, Coordinating pebble motion on graphs (1984),
and the statement is close to that of Brunck and Kwan, Books, hallways and social butterflies
(2023). docs/design/several-holes.md has the theorem as checked here. Everything takes linear time,
besides the moves that `gather` returns.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial

from slidelab.boards import Board, blocks, components
from slidelab.errors import PuzzleError
from slidelab.puzzles import Configuration, Puzzle

__all__ = [
    "Decision",
    "Orbit",
    "Region",
    "decide",
    "gather",
    "is_large",
    "orbits",
    "region_groups",
    "regions",
    "scatter",
]

Step = tuple[int, int]
Loop = tuple[int, ...]

MANY_TILES = 400
MUCH_WORK = 3_000_000  # shapes times tiles


def is_large(puzzle: Puzzle) -> bool:
    """Are these tiles that the regions settle at once, while a gain graph takes a noticeable time?

    >>> import slidelab as sl
    >>> is_large(sl.puzzle("square R(8,8)")), is_large(sl.puzzle("square R(8,8) tiles 5"))
    (False, True)
    """
    if puzzle.rule.name != "tiles":
        return False
    return puzzle.pieces > MANY_TILES or comb(puzzle.board.size, puzzle.holes) * puzzle.pieces > MUCH_WORK


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the board whose tiles mix when all holes are gathered in it."""

    core: tuple[int, ...]  # cells of its hubs and of the short hallways between them
    cells: tuple[
        int, ...
    ]  # core and arms: where its tiles and all holes are when the holes are gathered in it
    parent: int  # index of the next region towards the root, -1 for the root
    entry: int  # the cell of `core` that faces the parent, -1 for the root
    group: str  # "symmetric", "alternating", "theta0" or "cyclic"
    home: tuple[int, ...]  # where its tiles are when the holes are in the root (for the root: its cells)


@dataclass(frozen=True, slots=True)
class Orbit:
    """Cells that exchange their tiles, and how.

    The cells of a cyclic orbit are listed round the polygon, those of theta0 along its paths, and
    `loops` then lists the 120 permutations that theta0 allows: the tile of ``cells[i]`` can come to
    ``cells[loop[i]]``, all at once.
    """

    cells: tuple[int, ...]
    group: str  # as for regions, or "fixed" (every tile stays), or "line" (on a path: they keep their order)
    loops: tuple[Loop, ...] = ()

    @property
    def order(self) -> int:
        """How many permutations of its tiles there are.

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
    """The regions of a connected board with so many holes, the root first, each after its parent.

    The root is the region with (or nearest to) `root_cell`, by default the largest. A polygon is
    one cyclic region; a path has none.

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
    return _regions(board, blocks(board), parts[0], holes, root_cell)


def region_groups(board: Board, holes: int) -> list[tuple[str, int]]:
    """The group of each region of a connected board and the number of its tiles.

    >>> from slidelab.boards import board
    >>> region_groups(board("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-6 6-3"), 1)
    [('cyclic', 3), ('cyclic', 2)]
    """
    return [(region.group, len(region.cells) - holes) for region in regions(board, holes)]


def _regions(
    board: Board, found: Iterable[tuple[int, ...]], part: Sequence[int], holes: int, root_cell: int | None
) -> tuple[Region, ...]:
    """The regions of one connected part, whose blocks are given."""
    big = [block for block in found if len(block) > 2]
    cores = big if holes == 1 else _merged(board, big, part, holes)
    if not cores:
        return ()
    reached = [tuple(sorted(_within(board, core, holes - 1))) for core in cores]
    cores_of: dict[int, list[int]] = {}
    for number, core in enumerate(cores):
        for cell in core:
            cores_of.setdefault(cell, []).append(number)
    if root_cell is None:
        root = max(range(len(cores)), key=lambda number: (len(reached[number]), -number))
    else:
        root = cores_of[_nearest(board, root_cell, cores_of)][0]
    if holes == 1:
        groups = [_wilson(board, core) for core in cores]
    else:
        polygon = all(len(board.neighbours[cell]) == 2 for cell in part)
        groups = ["cyclic" if polygon else "symmetric"] * len(cores)
    return _from_root(board, cores, reached, groups, cores_of, root, holes)


def _merged(
    board: Board, big: Sequence[Sequence[int]], part: Sequence[int], holes: int
) -> list[tuple[int, ...]]:
    """Hubs and the hallways between them that two holes or more can pass."""
    joined = {cell: cell for cell in part if len(board.neighbours[cell]) > 2}
    for block in big:
        joined.update((cell, cell) for cell in block)
    hubs = set(joined)

    def find(cell: int) -> int:
        while joined[cell] != cell:
            joined[cell] = cell = joined[joined[cell]]
        return cell

    for block in big:
        for cell in block:
            joined[find(cell)] = find(block[0])
    for cell in hubs:
        for first in board.neighbours[cell]:
            for inner in _hallway(board, hubs, cell, first, holes - 2):
                joined.setdefault(inner, inner)
                joined[find(inner)] = find(cell)
    members: dict[int, list[int]] = {}
    for cell in sorted(joined):
        members.setdefault(find(cell), []).append(cell)
    return sorted(tuple(core) for core in members.values())


def _hallway(board: Board, hubs: set[int], start: int, first: int, most: int) -> list[int]:
    """The cells of the hallway that begins with `first`, up to the hub at its end; none if it is longer."""
    way, before = [first], start
    while way[-1] not in hubs:
        onward = [cell for cell in board.neighbours[way[-1]] if cell != before]
        if not onward or len(way) >= most:
            return []
        before = way[-1]
        way.append(onward[0])
    return way if len(way) <= most else []


def _within(board: Board, cells: Sequence[int], steps: int) -> set[int]:
    seen, front = set(cells), list(cells)
    for _ in range(steps):
        if not front:
            break
        following = []
        for cell in front:
            for other in board.neighbours[cell]:
                if other not in seen:
                    seen.add(other)
                    following.append(other)
        front = following
    return seen


def _nearest(board: Board, start: int, wanted: Iterable[int]) -> int:
    aims = set(wanted)
    seen, queue = {start}, [start]
    for cell in queue:
        if cell in aims:
            return cell
        for other in board.neighbours[cell]:
            if other not in seen:
                seen.add(other)
                queue.append(other)
    raise PuzzleError(f"expected a way from cell {start} to a region, got none")


def _wilson(board: Board, block: Sequence[int]) -> str:
    """The group of one block with one hole."""
    inside = set(block)
    edges = sum(other in inside for cell in block for other in board.neighbours[cell]) // 2
    if edges == len(block):
        return "cyclic"
    if len(block) == 7 and edges == 8 and _theta0_places(board, block):
        return "theta0"
    colour = {block[0]: 0}
    queue = [block[0]]
    for cell in queue:
        for other in board.neighbours[cell]:
            if other in inside and other not in colour:
                colour[other] = 1 - colour[cell]
                queue.append(other)
    bipartite = all(
        colour[cell] != colour[other] for cell in block for other in board.neighbours[cell] if other in inside
    )
    return "alternating" if bipartite else "symmetric"


# Walk through the board from the root. Whoever comes to the first cell of another core has found
# its entry, since the way there is through cut cells.


def _from_root(
    board: Board,
    cores: Sequence[tuple[int, ...]],
    reached: Sequence[tuple[int, ...]],
    groups: Sequence[str],
    cores_of: dict[int, list[int]],
    root: int,
    holes: int,
) -> tuple[Region, ...]:
    out = [Region(cores[root], reached[root], -1, -1, groups[root], reached[root])]
    index = {root: 0}
    last = dict.fromkeys(cores[root], 0)  # cell -> the region met last on the way to it
    before: dict[int, int] = {}
    queue = list(cores[root])
    for cell in queue:
        for number in cores_of.get(cell, ()):
            if number not in index:
                index[number] = len(out)
                hole, taken = cell, {cell}
                for _ in range(holes - 1):
                    hole = before[hole]
                    taken.add(hole)
                home = tuple(other for other in reached[number] if other not in taken)
                out.append(Region(cores[number], reached[number], last[cell], cell, groups[number], home))
                fresh = [other for other in cores[number] if other not in last]
                last.update(dict.fromkeys(fresh, index[number]))
                queue.extend(fresh)
        for other in board.neighbours[cell]:
            if other not in last:
                last[other], before[other] = last[cell], cell
                queue.append(other)
    return tuple(out)


# Theta0 is two cells joined by three paths with 1, 2 and 2 cells between: places 0 and 2, joined over
# 1, over 3 and 4, and over 5 and 6. One hole on it allows 120 permutations of six tiles, PGL(2,5).

_THETA0 = ((1, 3, 5), (0, 2), (1, 4, 6), (0, 4), (3, 2), (0, 6), (5, 2))


def _theta0_places(board: Board, block: Sequence[int]) -> tuple[int, ...]:
    """The cells of the block at the places of theta0; nothing if it is another graph."""
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
    """Where the tiles at the other six places can come to lie, with the hole back at its place."""
    start = tuple(place for place in range(7) if place != hole)
    seen, queue = {(hole, start)}, [(hole, start)]
    for empty, tiles in queue:  # tiles: the places of the six tiles
        for place in _THETA0[empty]:
            state = place, tuple(empty if at == place else at for at in tiles)
            if state not in seen:
                seen.add(state)
                queue.append(state)
    number = {place: index for index, place in enumerate(start)}
    loops = (tuple(number[place] for place in tiles) for empty, tiles in seen if empty == hole)
    return tuple(sorted(loops))


# Orbits


def orbits(board: Board, found: Sequence[Region], holes: Sequence[int]) -> tuple[Orbit, ...]:
    """The orbits of cells while the holes are at these cells of the root region, the first of `found`.

    There is one for each region, in the same order. Tiles on all other cells stay where they are,
    whatever loop of moves is made.

    >>> from slidelab.boards import board
    >>> b = board("graph 0-1 1-2 2-3 3-0 3-4 4-5 5-6 6-3")
    >>> [orbit.cells for orbit in orbits(b, regions(b, 1, root_cell=0), [0])]
    [(1, 2, 3), (4, 5, 6)]
    """
    if not found:
        return ()
    if not set(holes) <= set(found[0].cells):
        raise PuzzleError("expected the holes at cells of the root region, got one elsewhere")
    out = []
    for number, region in enumerate(found):
        home = set(region.home).difference(holes) if number == 0 else set(region.home)
        out.append(_orbit(board, region, home))
    return tuple(out)


def _orbit(board: Board, region: Region, home: set[int]) -> Orbit:
    if region.group == "cyclic":
        order = _round(board, region.core)
        return Orbit(tuple(cell for cell in order if cell in home), "cyclic")
    if region.group == "theta0":
        order = _theta0_places(board, region.core)
        hole = next(place for place, cell in enumerate(order) if cell not in home)
        return Orbit(tuple(cell for cell in order if cell in home), "theta0", _theta0_loops(hole))
    return Orbit(tuple(sorted(home)), region.group)


def _round(board: Board, polygon: Sequence[int]) -> tuple[int, ...]:
    """The cells of a polygon one after the other."""
    inside = set(polygon)
    order, before = [polygon[0]], -1
    while True:
        onward = [cell for cell in board.neighbours[order[-1]] if cell in inside and cell != before]
        before = order[-1]
        if onward[0] == order[0]:
            return tuple(order)
        order.append(onward[0])


# Moving holes about. Holes have no names, so a hole that goes along a path through other holes is the
# same as each of them going on to the next: one step of some tile for each step of the path.

MOST_LOOKING = 1_000_000


def gather(board: Board, occupied: Sequence[bool], wanted: Sequence[int]) -> list[Step]:
    """Moves (from, to) of tiles into neighbouring holes that bring the holes to the cells `wanted`.

    The cells that are not occupied are the holes; each connected part must have as many of them as
    are wanted there. Holes go to the nearest cells first; if there are very many, they go along
    one spanning tree, which is quicker to find and may take more moves.

    >>> from slidelab.boards import board
    >>> gather(board("path(4)"), [True, False, True, False], [0, 1])
    [(2, 3), (0, 1), (1, 2)]
    """
    full = list(occupied)
    return [step for path in _paths(board, occupied, wanted) for step in _shift(path, full)]


def _paths(board: Board, occupied: Sequence[bool], wanted: Sequence[int]) -> Iterator[list[int]]:
    """Paths from a cell where a hole is wanted to a hole that is not, to be shifted one after the other."""
    aims = set(wanted)
    if len(aims) != len(wanted) or len(occupied) != board.size or not aims <= set(range(board.size)):
        raise PuzzleError("expected different cells of the board as wanted holes")
    spare = {cell for cell in range(board.size) if not occupied[cell] and cell not in aims}
    missing = {cell for cell in aims if occupied[cell]}
    if len(spare) != len(missing):
        raise PuzzleError(f"expected {len(spare) - len(missing) + len(aims)} wanted holes, got {len(aims)}")
    if len(spare) * board.size <= MOST_LOOKING:
        return _nearest_paths(board, spare, missing)
    return _tree_paths(board, spare, missing)


def _shift(path: Sequence[int], full: list[bool]) -> Iterator[Step]:
    """Bring the hole at the end of the path to its beginning, past any holes between."""
    empty = len(path) - 1
    for place in range(len(path) - 2, -1, -1):
        if full[path[place]]:
            for step in range(place, empty):
                yield path[step], path[step + 1]
            empty = place
    full[path[0]], full[path[-1]] = False, True


def _nearest_paths(board: Board, spare: set[int], missing: set[int]) -> Iterator[list[int]]:
    """Always the shortest way from a cell where a hole is missing to one where it is not wanted."""
    while missing:
        before = dict.fromkeys(sorted(missing), -1)
        queue = list(before)
        path: list[int] = []
        for cell in queue:
            if cell in spare:
                path = [cell]
                break
            for other in board.neighbours[cell]:
                if other not in before:
                    before[other] = cell
                    queue.append(other)
        if not path:
            raise PuzzleError("expected as many holes as are wanted in each part of the board")
        while before[path[-1]] >= 0:
            path.append(before[path[-1]])
        spare.discard(path[0])
        missing.discard(path[-1])
        yield path[::-1]


def _tree_paths(board: Board, spare: set[int], missing: set[int]) -> Iterator[list[int]]:
    """On a spanning tree it is known how many holes have to pass each edge, so just follow them."""
    order, above = _forest(board)
    excess = [(cell in spare) - (cell in missing) for cell in range(board.size)]
    onward: list[list[list[int]]] = [[] for _ in range(board.size)]  # [to, how many holes], for each cell
    for cell in reversed(order):
        if above[cell] >= 0:
            excess[above[cell]] += excess[cell]
            if excess[cell] > 0:
                onward[cell].append([above[cell], excess[cell]])
            elif excess[cell] < 0:
                onward[above[cell]].append([cell, -excess[cell]])
        elif excess[cell]:
            raise PuzzleError("expected as many holes as are wanted in each part of the board")
    for start in sorted(spare):
        path = [start]
        while path[-1] not in missing:
            edges = onward[path[-1]]
            path.append(edges[-1][0])
            edges[-1][1] -= 1
            if not edges[-1][1]:
                edges.pop()
        missing.discard(path[-1])
        yield path[::-1]


def _forest(board: Board) -> tuple[list[int], list[int]]:
    """All cells, each after the one above it in a spanning tree of its part."""
    above = [-2] * board.size
    order: list[int] = []
    for start in range(board.size):
        if above[start] != -2:
            continue
        above[start] = -1
        queue = [start]
        for cell in queue:
            for other in board.neighbours[cell]:
                if above[other] == -2:
                    above[other] = cell
                    queue.append(other)
        order += queue
    return order, above


# Deciding. Each connected part of the board is put into its frame; then orbit after orbit is compared.
# On a path, on a polygon and where everything mixes, the holes need not be carried anywhere: it is
# enough to read the tiles in order.


@dataclass(frozen=True, slots=True)
class _Frame:
    """One connected part of the board, in the frame in which it is compared."""

    part: tuple[int, ...]
    orbits: tuple[Orbit, ...]  # all cells of the part; some may be holes if `holes` is None
    holes: tuple[int, ...] | None  # where the holes are gathered; None: they may be anywhere


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the goal can be reached and, if not, what is in the way.

    `why` is empty for "yes". Otherwise it is "holes" (a part of the board would need other holes),
    "place" (a tile belongs to cells from which it cannot get to its goal), "order" (two tiles on
    a path cannot pass each other), "parity", "cycle" (a cyclic order that is kept), "theta0" or
    "colours"; `pieces` names the tiles concerned, from 1, and `theorem` what is believed.
    """

    solvable: bool
    theorem: str
    why: str = ""
    pieces: tuple[int, ...] = ()
    group: str = ""  # the only group at work, if there is only one


def decide(start: Configuration, goal: Configuration) -> Decision:
    """Can tiles be brought from `start` to `goal`? Linear time and the moves of `gather`.

    >>> import slidelab as sl
    >>> p = sl.puzzle("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3")
    >>> decide(p.configuration("1 2 3 4 5 ."), p.configuration("3 2 1 4 5 ."))
    Decision(solvable=False, theorem='Wilson, block by block', why='place', pieces=(1, 3), group='')
    """
    puzzle, board = start.puzzle, start.puzzle.board
    if puzzle.rule.name != "tiles":
        raise PuzzleError(f"expected the rule tiles, got {puzzle.rule.name}")
    theorem = _theorem(puzzle)
    parts = components(board)
    if _dealt(parts, start.holes) != _dealt(parts, goal.holes):
        return Decision(False, theorem, "holes")
    frames = _frames(board, parts, goal.holes)
    here, there = _carried(start, frames), _carried(goal, frames)
    every = [orbit for frame in frames for orbit in frame.orbits]
    tiles = [([here[c] for c in o.cells if here[c]], [there[c] for c in o.cells if there[c]]) for o in every]
    why, pieces = _obstacle(puzzle, every, tiles)
    if why:
        return Decision(False, theorem, why, pieces)
    full = [orbit.group for orbit, (have, _) in zip(every, tiles, strict=True) if len(have) == puzzle.pieces]
    return Decision(True, theorem, group=full[0] if full else "")


def _theorem(puzzle: Puzzle) -> str:
    return "Wilson, block by block" if puzzle.holes == 1 else "Kornhauser, Miller, Spirakis; Brunck, Kwan"


def _dealt(parts: Sequence[tuple[int, ...]], holes: Iterable[int]) -> list[int]:
    """How many holes each part has."""
    empty = set(holes)
    return [sum(cell in empty for cell in part) for part in parts]


def _frames(board: Board, parts: Sequence[tuple[int, ...]], holes: Sequence[int]) -> list[_Frame]:
    """A frame for each part, with the holes near to where they are given."""
    part_of = {cell: number for number, part in enumerate(parts) for cell in part}
    found: list[list[tuple[int, ...]]] = [[] for _ in parts]
    for block in blocks(board):
        found[part_of[block[0]]].append(block)
    own: list[list[int]] = [[] for _ in parts]
    for cell in holes:
        own[part_of[cell]].append(cell)
    return [_frame(board, *each) for each in zip(parts, found, own, strict=True)]


def _frame(board: Board, part: tuple[int, ...], found: list[tuple[int, ...]], holes: list[int]) -> _Frame:
    if not 0 < len(holes) < len(part):
        return _Frame(part, (Orbit(part, "fixed"),), tuple(holes))
    degrees = [len(board.neighbours[cell]) for cell in part]
    if max(degrees) <= 2:
        if min(degrees) == 2:
            return _Frame(part, (Orbit(_round(board, part), "cyclic"),), None)
        end = part[degrees.index(1)]
        return _Frame(part, (Orbit(_along(board, end), "line"),), None)
    made = _regions(board, found, part, len(holes), min(holes))
    if made and made[0].group == "symmetric" and len(made[0].cells) == len(part) and len(holes) > 1:
        return _Frame(part, (Orbit(part, "symmetric"),), None)
    at = _stand(board, made, holes) if made else tuple(holes)
    mixed = orbits(board, made, at)
    moving = {cell for orbit in mixed for cell in orbit.cells}.union(at)
    rest = tuple(cell for cell in part if cell not in moving)
    return _Frame(part, (*mixed, Orbit(rest, "fixed")), at)


def _along(board: Board, end: int) -> tuple[int, ...]:
    """The cells of a path from one end on."""
    order, before = [end], -1
    while onward := [cell for cell in board.neighbours[order[-1]] if cell != before]:
        before = order[-1]
        order.append(onward[0])
    return tuple(order)


def _stand(board: Board, found: Sequence[Region], holes: Sequence[int]) -> tuple[int, ...]:
    """Cells of the root region where the holes may stand: where they are, or near to them."""
    inside = set(found[0].cells)
    first = [cell for cell in holes if cell in inside] or [_nearest(board, min(holes), inside)]
    seen, queue = set(first), list(first)
    for cell in queue:
        if len(queue) >= len(holes):
            break
        for other in board.neighbours[cell]:
            if other in inside and other not in seen:
                seen.add(other)
                queue.append(other)
    return tuple(sorted(queue[: len(holes)]))


def _carried(configuration: Configuration, frames: Sequence[_Frame]) -> list[int]:
    """The tile on each cell (from 1; 0 for a hole) once the holes are where the frames want them."""
    board = configuration.puzzle.board
    tiles = _by_cell(configuration)
    wanted: list[int] = []
    for frame in frames:
        wanted += [cell for cell in frame.part if not tiles[cell]] if frame.holes is None else frame.holes
    _carry(board, tiles, wanted)
    return tiles


def _by_cell(configuration: Configuration) -> list[int]:
    tiles = [0] * configuration.puzzle.board.size
    for number, (cell,) in enumerate(configuration.pieces, 1):
        tiles[cell] = number
    return tiles


def _carry(board: Board, tiles: list[int], wanted: Sequence[int]) -> None:
    """What the moves of `gather` do to the tiles, without listing them."""
    for path in _paths(board, [tile > 0 for tile in tiles], wanted):
        empty = path[-1]
        for cell in reversed(path):
            if tiles[cell]:
                tiles[empty], empty = tiles[cell], cell
        tiles[empty] = 0


# What is in the way


Pair = tuple[list[int], list[int]]  # the tiles of an orbit, cell by cell, at the start and at the goal


def _obstacle(puzzle: Puzzle, every: Sequence[Orbit], tiles: Sequence[Pair]) -> tuple[str, tuple[int, ...]]:
    """What is in the way, and the tiles concerned."""
    colours = puzzle.colours
    if colours is None:
        looks = list(range(puzzle.pieces + 1))
        lost = _lost(every, tiles)
        if lost:
            return "place", lost
    else:
        kinds = {labels: number for number, labels in enumerate(sorted(set(colours)))}
        looks = [-1, *(kinds[labels] for labels in colours)]
    for orbit, (have, want) in zip(every, tiles, strict=True):
        why = _difference(orbit, [looks[tile] for tile in have], [looks[tile] for tile in want])
        if why == "order":
            return why, next((a, b) for a, b in zip(have, want, strict=True) if looks[a] != looks[b])
        if why == "colours" and orbit.group == "fixed":
            return why, next((a,) for a, b in zip(have, want, strict=True) if looks[a] != looks[b])
        if why:
            return why, tuple(have if why == "cycle" else sorted(have))
    return "", ()


def _lost(every: Sequence[Orbit], tiles: Sequence[Pair]) -> tuple[int, ...]:
    """Tiles that belong to one orbit at the start and to another at the goal."""
    at: dict[int, tuple[int, int]] = {}
    lost = []
    for side in (0, 1):
        for number, (orbit, pair) in enumerate(zip(every, tiles, strict=True)):
            for place, tile in enumerate(pair[side]):
                key = (number, place if orbit.group == "fixed" else -1)
                if at.setdefault(tile, key) != key:
                    lost.append(tile)
    return tuple(sorted(lost))


def _difference(orbit: Orbit, have: list[int], want: list[int]) -> str:
    """Why looks `have` cannot be turned into looks `want` on this orbit; empty if they can."""
    if orbit.group == "fixed":
        return "" if have == want else "colours"
    if Counter(have) != Counter(want):
        return "colours"
    if orbit.group == "line":
        return "" if have == want else "order"
    if orbit.group == "alternating":
        return "parity" if len(set(have)) == len(have) and _is_odd(have, want) else ""
    if orbit.group == "cyclic":
        return "" if _turned(have, want) else "cycle"
    if orbit.group == "theta0":
        fits = any(all(want[to] == look for to, look in zip(loop, have, strict=True)) for loop in orbit.loops)
        return "" if fits else "theta0"
    return ""


def _is_odd(have: Sequence[int], want: Sequence[int]) -> bool:
    """Is the permutation that turns one list of different things into the other odd?"""
    place = {look: number for number, look in enumerate(want)}
    to = [place[look] for look in have]
    odd = False
    for start in range(len(to)):
        while to[start] != start:
            other = to[start]
            to[start], to[other] = to[other], other
            odd = not odd
    return odd


def _turned(have: Sequence[int], want: Sequence[int]) -> bool:
    """Is one list the other, read from elsewhere on? (Knuth, Morris and Pratt.)

    >>> _turned([1, 2, 1, 3], [1, 3, 1, 2]), _turned([1, 2, 3], [1, 3, 2])
    (True, False)
    """
    n, back, length = len(have), [0], 0
    for number in range(1, n):
        while length and have[number] != have[length]:
            length = back[length - 1]
        length += have[number] == have[length]
        back.append(length)
    length = 0
    for number in range(2 * n):
        while length and want[number % n] != have[length]:
            length = back[length - 1]
        length += want[number % n] == have[length]
        if length == n:
            return True
    return n == 0


# Drawing at random


def scatter(start: Configuration, chance: random.Random) -> Configuration:
    """A configuration that can be reached from `start`, all equally likely.

    In the frame each orbit gets a random element of its group; then the holes go to cells drawn at
    random, by a way that depends on nothing else, so that no arrangement is favoured.

    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(100,100)")
    >>> decide(scatter(p.goal, random.Random(1)), p.goal).solvable
    True
    """
    puzzle, board = start.puzzle, start.puzzle.board
    frames = _frames(board, components(board), start.holes)
    tiles = _carried(start, frames)
    wanted: list[int] = []
    for frame in frames:
        count = sum(not tiles[cell] for cell in frame.part)
        drawn = chance.sample(frame.part, count)
        wanted += drawn
        for orbit in frame.orbits:
            mixed = _mixed(orbit, [tiles[cell] for cell in orbit.cells if tiles[cell]], chance)
            empty = set(drawn if frame.holes is None else frame.holes)
            for cell in orbit.cells:
                tiles[cell] = 0 if cell in empty else mixed.pop()
    _carry(board, tiles, wanted)
    pieces = {tile: (cell,) for cell, tile in enumerate(tiles) if tile}
    return Configuration(puzzle, tuple(pieces[number] for number in range(1, puzzle.pieces + 1)))


def _mixed(orbit: Orbit, tiles: list[int], chance: random.Random) -> list[int]:
    """The tiles after a random element of the orbit's group, last one first."""
    out = list(tiles)
    if orbit.group == "cyclic" and tiles:
        turn = chance.randrange(len(tiles))
        out = tiles[turn:] + tiles[:turn]
    elif orbit.group == "theta0":
        for to, tile in zip(chance.choice(orbit.loops), tiles, strict=True):
            out[to] = tile
    elif orbit.group in ("symmetric", "alternating"):
        chance.shuffle(out)
        if orbit.group == "alternating" and _is_odd(tiles, out):
            out[0], out[1] = out[1], out[0]  # matches odd with even ones, so all stay equally likely
    return out[::-1]
