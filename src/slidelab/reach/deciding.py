"""Can these tiles be brought there? Decided by the regions of the board, without a list of shapes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from slidelab.boards import Board, blocks, components
from slidelab.boards.walks import reachable
from slidelab.errors import PuzzleError
from slidelab.permutations import is_even
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.gathering import paths
from slidelab.reach.regions import Orbit, Region, block_regions, nearest_cell, orbits, round_polygon

__all__ = ["Decision", "by_cell", "decide", "scatter"]

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
    if not puzzle.rule.slides_along_edges:
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
    full = [
        orbit.group for orbit, (have, _) in zip(every, tiles, strict=True) if len(have) == puzzle.piece_count
    ]
    return Decision(True, theorem, group=full[0] if full else "")


def _theorem(puzzle: Puzzle) -> str:
    return (
        "Wilson, block by block" if puzzle.hole_count == 1 else "Kornhauser, Miller, Spirakis; Brunck, Kwan"
    )


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
            return _Frame(part, (Orbit(round_polygon(board, part), "cyclic"),), None)
        end = part[degrees.index(1)]
        return _Frame(part, (Orbit(_along(board, end), "line"),), None)
    made = block_regions(board, found, part, len(holes), min(holes))
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
    first = [cell for cell in holes if cell in inside] or [nearest_cell(board, min(holes), inside)]
    near = reachable(lambda cell: [other for other in board.neighbours[cell] if other in inside], first)
    return tuple(sorted(islice(near, len(holes))))


def _carried(configuration: Configuration, frames: Sequence[_Frame]) -> list[int]:
    """The tile on each cell (from 1; 0 for a hole) once the holes are where the frames want them."""
    board = configuration.puzzle.board
    tiles = by_cell(configuration)
    wanted: list[int] = []
    for frame in frames:
        wanted += [cell for cell in frame.part if not tiles[cell]] if frame.holes is None else frame.holes
    _carry(board, tiles, wanted)
    return tiles


def by_cell(configuration: Configuration) -> list[int]:
    """The piece (from 1) on each cell, 0 for a hole; pieces of one cell.

    >>> import slidelab as sl
    >>> by_cell(sl.position("square R(2,2) : 3 1 . 2"))
    [3, 1, 0, 2]
    """
    tiles = [0] * configuration.puzzle.board.size
    for number, (cell,) in enumerate(configuration.pieces, 1):
        tiles[cell] = number
    return tiles


def _carry(board: Board, tiles: list[int], wanted: Sequence[int]) -> None:
    """What the moves of `gather` do to the tiles, without listing them."""
    for path in paths(board, [tile > 0 for tile in tiles], wanted):
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
        looks = list(range(puzzle.piece_count + 1))
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
    """Return whether the permutation that turns one list of different things into the other is odd."""
    place = {look: number for number, look in enumerate(want)}
    return not is_even([place[look] for look in have])


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
    return Configuration(puzzle, tuple(pieces[number] for number in range(1, puzzle.piece_count + 1)))


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
