"""Tiles with two holes or more on a region with cut cells: trees, polygons with tails, blocks joined by hallways.

The region is taken to pieces from outside in, so that what is left is always one region for the same number of
holes: a cell at a time where that can be, and else an ear, a long path between two cells of what is left. The
tile of a cell is led there by `slidelab.solve.narrow_routes`. An ear is loaded like a queue: tiles are pushed
in at one end while others come out at the other end.

The order is built from its end. It begins with a cell that has three neighbours. A cell may be added if two of its
neighbours are there already, or if the one that is there is at most h - 2 steps from the core: the blocks, the
cells with three neighbours and the hallways between them. If no cell can be added there is an ear: else
a hallway of the region would be too long.

Only as many holes work as the region needs; the others are blanks, which move like tiles but make no moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from slidelab.boards import Board
from slidelab.reach.regions import gather, regions
from slidelab.solve.ears import _outer_ear
from slidelab.solve.narrow_routes import Floor, State, way
from slidelab.solve.outcome import Clock
from slidelab.solve.piecewise import Part, pairs_of

if TYPE_CHECKING:
    from slidelab.solve.piecewise import Pairs

__all__ = ["Ear", "grown", "narrow"]

HOLE, BLANK = 0, -1
CENTRES = 40
"""So many cells are tried as the last one left."""


def narrow(part: Part, clock: Clock) -> Pairs:
    """Moves that put the tiles of a region with two holes or more in order, all of which mix.

    >>> from slidelab.boards import board
    >>> star = board("graph 0-1 0-2 0-3")
    >>> narrow(Part(star, range(4), [0, 1, 2, 0], [0, 2, 1, 0]), Clock(None)).tolist()
    [[2, 0], [0, 3], [1, 0], [0, 2], [3, 0], [0, 1]]
    """
    board, holes = part.board, part.holes
    working = _fewest(board, holes)
    ears = grown(board, working, _centre(board))
    inside = [cell for ear in ears for cell in ear.cells]
    wants = list(part.wants)
    after = gather(board, [tile > 0 for tile in wants], inside[:holes])
    for before, to in after:
        wants[to], wants[before] = wants[before], HOLE
    floor = _Tiles(board, part.lies, wants, working)
    while len(inside) > holes:
        ear = ears.pop()
        floor.settle(ear, inside)
        del inside[-len(ear.cells) :]
        clock.heard("tiles", board.size - len(inside), board.size)
    return pairs_of(_without_returns([*floor.moves, *((to, before) for before, to in reversed(after))]))


def _fewest(board: Board, holes: int) -> int:
    """With how many holes the board is one region."""
    least, most = 2, holes
    while least < most:
        middle = (least + most) // 2
        if any(len(region.cells) == board.size for region in regions(board, middle)):
            most = middle
        else:
            least = middle + 1
    return most


def _centre(board: Board) -> int:
    """A cell with three neighbours or more, near to all others."""
    meeting = [cell for cell, row in enumerate(board.neighbours) if len(row) > 2]
    floor = Floor(board.neighbours, range(board.size))
    tried = meeting[:: -(-len(meeting) // CENTRES)]
    return min(tried, key=lambda cell: (sum(floor.steps_from(cell)), cell))


def _without_returns(moves: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The moves without those that are taken back before anything happens on their two cells.

    >>> _without_returns([(0, 1), (5, 6), (1, 0), (2, 3)])
    [(5, 6), (2, 3)]
    """
    kept: list[tuple[int, int] | None] = []
    last: dict[int, list[int]] = {}  # the kept moves of each cell
    for before, after in moves:
        one, two = last.setdefault(before, []), last.setdefault(after, [])
        if one and two and one[-1] == two[-1] and kept[one[-1]] == (after, before):
            kept[one.pop()] = None
            two.pop()
        else:
            one.append(len(kept))
            two.append(len(kept))
            kept.append((before, after))
    return [move for move in kept if move]


# The order


@dataclass(frozen=True, slots=True)
class Ear:
    """One cell, or a path whose ends touch two different cells `first` and `last` of what is inside."""

    cells: tuple[int, ...]
    first: int = -1
    last: int = -1


def grown(board: Board, holes: int, centre: int) -> list[Ear]:
    """Cells and ears in the order in which the region grows round a cell; so many holes mix it at any time.

    >>> from slidelab.boards import board
    >>> [ear.cells for ear in grown(board("graph 0-1 1-2 2-3 3-4 4-5 5-0 0-6"), 2, 0)]
    [(0,), (1,), (5,), (6,), (4, 3, 2)]
    >>> [ear.cells for ear in grown(board("graph 0-1 1-2 2-3 3-4 4-5 5-0 0-6"), 3, 0)]
    [(0,), (1,), (5,), (6,), (2,), (4,), (3,)]
    """
    growth = _Growth(board, holes - 2, centre)
    for cell in board.neighbours[centre][:3]:
        growth.add(cell)
    while len(growth.inside) < board.size:
        cell = growth.next_cell()
        if cell >= 0:
            growth.add(cell)
        else:
            growth.add_ear(_outer_ear(board.neighbours, growth.inside, growth.near) or [])
    return growth.ears


class _Growth:
    def __init__(self, board: Board, reach: int, centre: int) -> None:
        self.around = board.neighbours
        self.reach = reach
        self.near = Floor(board.neighbours, range(board.size)).steps_from(centre)
        self.inside = {centre}
        self.far = {centre: 0}  # steps from the core
        self.ears = [Ear((centre,))]
        self.ready: list[tuple[int, int]] = []
        self._offer(centre)

    def next_cell(self) -> int:
        """The nearest cell that can be added, -1 if there is none."""
        while self.ready:
            _, cell = heappop(self.ready)
            if cell not in self.inside:
                return cell
        return -1

    def add(self, cell: int) -> None:
        self.ears.append(Ear((cell,)))
        self._join(cell)

    def add_ear(self, path: Sequence[int]) -> None:
        first = next(other for other in self.around[path[0]] if other in self.inside)
        last = next(other for other in self.around[path[-1]] if other in self.inside and other != first)
        self.ears.append(Ear(tuple(path), first, last))
        self.inside.update(path[:-1])
        for steps, cell in enumerate(path[:-1], self.far[first] + 1):
            self.far[cell] = steps
        self._join(path[-1])

    def _join(self, cell: int) -> None:
        touched = [other for other in self.around[cell] if other in self.inside]
        self.inside.add(cell)
        if len(touched) > 1:
            self._to_core(touched, cell)
        else:
            before = touched[0]
            if sum(other in self.inside for other in self.around[before]) > 2:
                self._to_core([before])
            self.far[cell] = self.far[before] + 1
        self._offer(cell)

    def _to_core(self, ends: Sequence[int], closing: int = -1) -> None:
        """These cells, all on the way from them to the core, and the one that closes it belong to the core now."""
        core = [closing] if closing >= 0 else []
        for end in ends:
            cell = end
            while self.far[cell]:
                core.append(cell)
                cell = min(self.around[cell], key=lambda other: self.far.get(other, len(self.around)))
        for cell in core:
            self.far[cell] = 0
        for cell in core:  # grows
            self._offer(cell)
            for other in self.around[cell]:
                if self.far.get(other, 0) > self.far[cell] + 1:
                    self.far[other] = self.far[cell] + 1
                    core.append(other)

    def _offer(self, cell: int) -> None:
        """Cells beside this one that can be added."""
        for other in self.around[cell]:
            if other not in self.inside:
                many = sum(each in self.inside for each in self.around[other])
                if many > 1 or self.far[cell] <= self.reach:
                    heappush(self.ready, (self.near[other], other))


# Moving


class _Tiles:
    """What lies on each cell, and what should."""

    def __init__(self, board: Board, lies: Sequence[int], wants: Sequence[int], working: int) -> None:
        self.board = board
        self.at = [tile or BLANK for tile in lies]
        self.wants = [tile or BLANK for tile in wants]
        self.working = working
        self.holes: set[int] = set()
        self.moves: list[tuple[int, int]] = []
        self.floor = Floor((), ())

    def settle(self, ear: Ear, inside: Sequence[int]) -> None:
        """Bring the tiles of an ear to their places, on the cells inside; the ear is the last of them."""
        if all(self.at[cell] == self.wants[cell] > 0 for cell in ear.cells):
            return
        self.floor = Floor(self.board.neighbours, inside)
        self._call_holes(ear.cells[-1])
        if len(ear.cells) == 1:
            target = ear.cells[0]
            start = self.at.index(self.wants[target])
            self.lead(start, lambda state: state[0] == target, self.floor.steps_from(target))
        else:
            self._clear(ear.cells)
            self.floor = Floor(self.board.neighbours, inside[: -len(ear.cells)])
            _Queue(self, ear).load()

    def _call_holes(self, cell: int) -> None:
        """The holes nearest to a cell work."""
        for hole in self.holes:
            self.at[hole] = BLANK
        far = self.floor.steps_from(cell)
        empty = sorted((far[each], each) for each in self.floor.cells if self.at[each] == BLANK)
        self.holes = {each for _, each in empty[: self.working]}
        for hole in self.holes:
            self.at[hole] = HOLE

    def _clear(self, cells: Sequence[int]) -> None:
        """Bring the working holes out of these cells."""
        closed = set(cells)
        for hole in [cell for cell in cells if cell in self.holes]:
            aim = self.nearest(hole, -1, lambda cell: cell not in closed and self.at[cell] != HOLE)
            self.bring(aim, -1, closed.__contains__)

    def step(self, before: int, after: int) -> None:
        """A tile or a blank goes into a hole."""
        tile = self.at[before]
        self.at[after], self.at[before] = tile, HOLE
        self.holes.discard(after)
        self.holes.add(before)
        if tile > 0:
            self.moves.append((before, after))

    def nearest(self, start: int, kept: int, wanted: Callable[[int], bool]) -> int:
        """The nearest cell of a kind, on ways that do not pass the cell `kept`."""
        return self._path(start, kept, wanted)[-1]

    def _path(self, start: int, kept: int, wanted: Callable[[int], bool]) -> list[int]:
        before = {start: -1, kept: -1}
        queue = [start]
        for cell in queue:
            if wanted(cell):
                path = [cell]
                while before[path[-1]] >= 0:
                    path.append(before[path[-1]])
                return path[::-1]
            for other in self.floor.around[cell]:
                if other not in before:
                    before[other] = cell
                    queue.append(other)
        return []

    def bring(self, aim: int, kept: int, usable: Callable[[int], bool]) -> None:
        """Bring the nearest usable hole to a cell, while what lies on `kept` stays; a blank may take its turn."""
        at = self.at
        path = self._path(aim, kept, lambda cell: at[cell] == BLANK or (at[cell] == HOLE and usable(cell)))
        if at[path[-1]] == BLANK:
            spent = self.nearest(path[-1], kept, lambda cell: at[cell] == HOLE and usable(cell))
            self.holes.discard(spent)
            self.holes.add(path[-1])
            at[spent], at[path[-1]] = BLANK, HOLE
        empty = len(path) - 1
        for place in range(len(path) - 2, -1, -1):
            if at[path[place]] != HOLE:
                for here in range(place, empty):
                    self.step(path[here], path[here + 1])
                empty = place

    def lead(self, start: int, ends: Callable[[State], bool], far: Sequence[int] | None = None) -> int:
        """Lead what lies on a cell to where a state `ends`, and return its cell."""
        cell = start
        for state in way(self.floor, start, sorted(self.holes), ends, far)[1:]:
            self._lead_step(cell, state)
            cell = state[0]
        return cell

    def _lead_step(self, cell: int, state: State) -> None:
        """One step of a tile from a cell, with the holes of the part around it dealt out as the state says."""
        step, ahead, many = state
        floor, at = self.floor, self.at
        part, behind = floor.part(cell, step), floor.part(step, cell)
        aims = many if ahead != behind else len(self.holes) - many

        def beyond(hole: int) -> bool:
            there = floor.part(step, hole)
            return hole != step and (there != behind if ahead == behind else there == ahead)

        def beside(hole: int) -> bool:
            return hole != cell and floor.part(cell, hole) == part and not beyond(hole)

        has = sum(map(beyond, self.holes))
        for _ in range(has, aims):
            self.bring(self.nearest(step, cell, lambda c: beyond(c) and at[c] != HOLE), cell, beside)
        for _ in range(aims, has):
            aim = step
            if at[step] == HOLE:
                aim = self.nearest(step, cell, lambda c: beside(c) and at[c] != HOLE)
            self.bring(aim, cell, beyond)
        if at[step] != HOLE:
            self.bring(step, cell, beside)
        self.step(cell, step)


class _Queue:
    """An ear that is loaded at the end beside `first`, while tiles come out at the end beside `last`."""

    def __init__(self, tiles: _Tiles, ear: Ear) -> None:
        self.tiles = tiles
        self.cells = ear.cells
        self.first, self.last = ear.first, ear.last
        self.far = tiles.floor.steps_from(ear.first)
        self.wanted = [tiles.wants[cell] for cell in ear.cells]

    def content(self) -> list[int]:
        return [self.tiles.at[cell] for cell in self.cells]

    def load(self) -> None:
        wanted, length = self.wanted, len(self.cells)
        have = self.content()
        right = next(many for many in range(length, -1, -1) if have[:many] == wanted[length - many :])
        if right < length and self._flush(right):
            right = 0
        while right < length:
            right += 1
            tile = wanted[length - right]
            cell = self._outside(lambda each, tile=tile: each == tile)  # type: ignore[misc]
            self._feed(self._taken_out(tile, right - 1) if cell < 0 else cell)

    def _outside(self, wanted: Callable[[int], bool]) -> int:
        """The nearest cell outside the ear whose tile is wanted; -1 if there is none."""
        cells = [cell for cell in self.tiles.floor.cells if wanted(self.tiles.at[cell])]
        return min(cells, key=lambda cell: (self.far[cell], cell), default=-1)

    def _flush(self, right: int) -> bool:
        """If there are tiles enough that do not belong into the ear, put them there instead of those that do."""
        needed = set(self.wanted)
        length = len(self.cells)
        have = self.content()
        inside = sum(tile in needed for tile in have[right:])
        others = [
            tile for tile in (self.tiles.at[c] for c in self.tiles.floor.cells) if tile and tile not in needed
        ]
        if inside < 2 or len(others) < length:
            return False
        while needed.intersection(self.content()):
            self._feed(self._outside(lambda tile: tile != HOLE and tile not in needed))
        return True

    def _feed(self, cell: int) -> None:
        """Push what lies on a cell into the ear."""
        tiles, first, last = self.tiles, self.first, self.last
        part = tiles.floor.part(first, last)
        tiles.lead(cell, lambda state: state[0] == first and state[1] == part and state[2] > 0, self.far)
        if tiles.at[last] != HOLE:
            tiles.bring(last, first, lambda hole: tiles.floor.part(first, hole) == part)
        self._turn(True)

    def _turn(self, forward: bool) -> None:
        path = [self.first, *self.cells, self.last]
        if not forward:
            path.reverse()
        for place in range(len(path) - 2, -1, -1):
            self.tiles.step(path[place], path[place + 1])

    def _taken_out(self, tile: int, right: int) -> int:
        """Take a tile out of the ear, with all others there as they were; where it is then."""
        tiles, first, last = self.tiles, self.first, self.last
        place = self.content().index(tile, right)
        turns = len(self.cells) - place
        for _ in range(turns):
            self._ready(last, first, -1)
            self._turn(True)

        def parked(state: State) -> bool:
            cell, part, holes = state
            if cell in (first, last) or not part == tiles.floor.part(cell, first) == tiles.floor.part(
                cell, last
            ):
                return False
            return 1 <= holes < tiles.floor.size(cell, part)

        cell = tiles.lead(last, parked)
        for _ in range(turns):
            self._ready(first, last, cell)
            self._turn(False)
        return cell

    def _ready(self, empty: int, full: int, kept: int) -> None:
        """A hole beside one end of the ear and something else beside the other, while what lies on `kept` stays."""
        tiles = self.tiles
        part = tiles.floor.part(kept, empty) if kept >= 0 else -1

        def near(cell: int) -> bool:
            return cell != kept and (kept < 0 or tiles.floor.part(kept, cell) == part)

        if tiles.at[empty] != HOLE:
            tiles.bring(empty, kept, lambda cell: near(cell) and (cell == full or tiles.at[full] != HOLE))
        if tiles.at[full] == HOLE:
            aim = tiles.nearest(full, kept, lambda cell: tiles.at[cell] != HOLE)
            tiles.bring(aim, kept, full.__eq__)
