"""Tiles with two holes or more on a region with cut cells: trees, polygons with tails, blocks and hallways.

The region is taken to pieces from outside in, so that what is left is always one region for the same number
of holes: a cell at a time where that can be, and else an ear, a long path between two cells of what is left.
The tile of a cell is led there by `slidelab.solve.huge.narrow_paths`, where the order comes from too. An ear
is loaded like a queue: tiles are pushed in at one end while others come out at the other.

Only as many holes work as the region needs; the others are blanks, which are carried about like tiles but
make no moves.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from slidelab.boards import Board
from slidelab.boards.walks import shortest_path
from slidelab.budget import Budget
from slidelab.reach.hole_moves import hole_moves
from slidelab.reach.regions import regions
from slidelab.solve.huge.narrow_paths import Ear, Floor, State, grown, way
from slidelab.solve.huge.parts import Part

if TYPE_CHECKING:
    from slidelab.solve.huge.parts import Pairs

__all__ = ["narrow"]

HOLE, BLANK = 0, -1
CENTRES = 40
"""So many cells are tried as the last one left."""

MANY = 400_000
"""More moves are left as they are."""


def narrow(part: Part, budget: Budget) -> Pairs:
    """Moves that put the tiles of a region with two holes or more in order, all of which mix.

    >>> from slidelab.boards import board
    >>> star = board("graph 0-1 0-2 0-3")
    >>> narrow(Part(star, range(4), [0, 1, 2, 0], [0, 2, 1, 0]), Budget()).tolist()
    [[2, 0], [0, 3], [1, 0], [0, 2], [3, 0], [0, 1]]
    """
    board, holes = part.board, part.holes
    working = _fewest(board, holes)
    ears = grown(board, working, _centre(board))
    inside = [cell for ear in ears for cell in ear.cells]
    wants = list(part.wants)
    after = hole_moves(board, [tile > 0 for tile in wants], inside[:holes])
    for before, to in after:
        wants[to], wants[before] = wants[before], HOLE
    floor = _Tiles(board, part.lies, wants, working)
    while len(inside) > holes:
        ear = ears.pop()
        floor.settle(ear, inside, budget)
        del inside[-len(ear.cells) :]
        budget.check("tiles", board.size - len(inside), board.size)
    floor.moves.extend(floor.code(to, before) for before, to in reversed(after))
    return _pairs(floor.moves, board.size)


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


def _pairs(moves: Sequence[int], size: int) -> Pairs:
    import numpy as np

    short = _without_returns(moves, size) if len(moves) <= MANY else moves
    codes = np.array(short, dtype=np.int32 if size < 1 << 15 else np.int64)
    return np.column_stack((codes // size, codes % size)).astype(np.int32, copy=False)


def _without_returns(moves: Sequence[int], size: int) -> list[int]:
    """The moves without those that are taken back before anything happens on their two cells.

    A move is written as one number, the cell before times the size of the board plus the cell after.

    >>> _without_returns([1, 56, 10, 23], size=10)
    [56, 23]
    """
    kept: list[int] = []
    last: list[list[int]] = [[] for _ in range(size)]  # the kept moves of each cell
    for move in moves:
        before, after = divmod(move, size)
        one, two = last[before], last[after]
        if one and two and one[-1] == two[-1] and kept[one[-1]] == after * size + before:
            kept[one.pop()] = -1
            two.pop()
        else:
            one.append(len(kept))
            two.append(len(kept))
            kept.append(move)
    return [move for move in kept if move >= 0]


# Moving


class _Tiles:
    """What lies on each cell, and what should."""

    def __init__(self, board: Board, lies: Sequence[int], wants: Sequence[int], working: int) -> None:
        self.board = board
        self.at = [tile or BLANK for tile in lies]
        self.wants = [tile or BLANK for tile in wants]
        self.working = working
        self.holes: set[int] = set()
        self.moves = array("i" if board.size < 1 << 15 else "q")  # before * size + after
        self.floor = Floor((), ())

    def settle(self, ear: Ear, inside: Sequence[int], budget: Budget) -> None:
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
            _Queue(self, ear, budget).load()

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

    def code(self, before: int, after: int) -> int:
        return before * self.board.size + after

    def step(self, before: int, after: int) -> None:
        """A tile or a blank goes into a hole."""
        tile = self.at[before]
        self.at[after], self.at[before] = tile, HOLE
        self.holes.discard(after)
        self.holes.add(before)
        if tile > 0:
            self.moves.append(self.code(before, after))

    def nearest(self, start: int, kept: int, wanted: Callable[[int], bool]) -> int:
        """The nearest cell of a kind, on ways that do not pass the cell `kept`."""
        return self._path(start, kept, wanted)[-1]

    def _path(self, start: int, kept: int, wanted: Callable[[int], bool]) -> list[int]:
        return shortest_path(self.floor.around, [start], wanted, kept.__ne__)

    def bring(self, aim: int, kept: int, usable: Callable[[int], bool]) -> None:
        """Bring the nearest usable hole to a cell, while what lies on `kept` stays.

        A blank that is nearer takes the place of the hole.
        """
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
        """One step of a tile from a cell, the holes of the part it enters dealt out as the state says."""
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
    """An ear that is loaded like a queue: what is pushed in at one end drives something out at the other.

    What is right already, a run of the tiles wanted, stays in the ear and grows at both ends. To put a tile
    on to the run, the ear is turned until the run is at this end of the ear; meanwhile the tile waits
    outside, where it is not in the way.
    """

    def __init__(self, tiles: _Tiles, ear: Ear, budget: Budget) -> None:
        self.tiles, self.budget = tiles, budget
        self.cells = ear.cells
        self.length = len(ear.cells)
        self.ends = ear.first, ear.last
        self.far = [tiles.floor.steps_from(end) for end in self.ends]
        self.wanted = [tiles.wants[cell] for cell in ear.cells]
        forward = [ear.first, *ear.cells, ear.last]
        self.paths = forward, forward[::-1]
        self.codes = [
            array(tiles.moves.typecode, map(tiles.code, way[-2::-1], way[:0:-1])) for way in self.paths
        ]

    def load(self) -> None:
        """Fill the ear with what is wanted there."""
        self._flush()
        low, high, place = self._longest_run()
        while high - low < self.length:
            gap = self.length - place - (high - low)
            options = []
            if low > 0:
                options.append((*self._cost(self.wanted[low - 1], place, gap, 0), 0))
            if high < self.length:
                options.append((*self._cost(self.wanted[high], gap, place, 1), 1))
            _, inside, side = min(options)
            tile = self.wanted[high] if side else self.wanted[low - 1]
            self._append(tile, inside, gap if side else place, side)
            low, high = (low, high + 1) if side else (low - 1, high)
            place = self.length - (high - low) if side else 0
            self.budget.check("tiles", high - low, self.length)

    def _content(self) -> list[int]:
        return [self.tiles.at[cell] for cell in self.cells]

    def _longest_run(self) -> tuple[int, int, int]:
        """The first wanted tile of the run, the one after its last, and where in the ear it begins."""
        have, wanted = self._content(), self.wanted
        places = {tile: place for place, tile in enumerate(wanted)}
        best = (self.length, self.length, 0)
        start = 0
        while start < self.length:
            low, end = places.get(have[start], self.length), start
            while (
                end < self.length
                and low + end - start < self.length
                and have[end] == wanted[low + end - start]
            ):
                end += 1
            if end - start > best[1] - best[0]:
                best = low, low + end - start, start
            start = max(end, start + 1)
        return best

    def _cost(self, tile: int, near: int, far: int, side: int) -> tuple[int, int]:
        """How often the ear must be turned to append a tile, and its place from this side, -1 for outside.

        There are `near` others between this side and the run, and `far` on the other side of it.
        """
        have = self._content()
        if side:
            have.reverse()
        if tile in have[:near]:
            return near, have.index(tile)
        if any(self.tiles.at[cell] == tile for cell in self.tiles.floor.cells):
            return near, -1
        place = have.index(tile, self.length - far)
        return near + 2 * (self.length - place), place

    def _append(self, tile: int, inside: int, near: int, side: int) -> None:
        """Append a tile to the run, which has `near` others between it and this side."""
        if inside < 0:
            cell = self._outside(lambda each: each == tile, side)
        else:
            out = side if inside < near else 1 - side  # where the tile comes out
            turns = inside + 1 if out == side else self.length - inside
            for _ in range(turns):
                self._turn(out, -1)
            near += -turns if out == side else turns
            cell = self.ends[out]
        if near:
            cell = self.tiles.lead(cell, self._is_parked)
        for _ in range(near):
            self._turn(side, cell)
        self._feed(cell, side)

    def _outside(self, wanted: Callable[[int], bool], side: int) -> int:
        """The cell outside the ear, nearest to an end, whose tile is wanted."""
        cells = [cell for cell in self.tiles.floor.cells if wanted(self.tiles.at[cell])]
        return min(cells, key=lambda cell: (self.far[side][cell], cell))

    def _flush(self) -> None:
        """Put tiles into the ear that do not belong there, if there are enough, for those that do."""
        needed, at = set(self.wanted), self.tiles.at
        others = sum(at[cell] != HOLE and at[cell] not in needed for cell in self.tiles.floor.cells)
        have = self._content()
        if have == self.wanted or others < self.length or sum(tile in needed for tile in have) < 2:
            return
        while needed.intersection(self._content()):
            self._feed(self._outside(lambda tile: tile != HOLE and tile not in needed, 0), 0)

    def _feed(self, cell: int, side: int) -> None:
        """Push what lies on a cell into the ear."""
        tiles, into, out = self.tiles, self.ends[side], self.ends[1 - side]
        part = tiles.floor.part(into, out)
        tiles.lead(cell, lambda state: state[0] == into and state[1] == part and state[2] > 0, self.far[side])
        if tiles.at[out] != HOLE:
            tiles.bring(out, into, lambda hole: tiles.floor.part(into, hole) == part)
        self._push(side)

    def _push(self, side: int) -> None:
        """All tiles of the ear go one step away from a side."""
        path, at = self.paths[side], self.tiles.at
        moved = [at[cell] for cell in path[:-1]]
        for cell, tile in zip(path[1:], moved, strict=True):
            at[cell] = tile
        at[path[0]] = HOLE
        self.tiles.holes.remove(path[-1])
        self.tiles.holes.add(path[0])
        codes = self.codes[side]
        if BLANK in moved:
            codes = array(
                codes.typecode, (code for code, tile in zip(codes, reversed(moved), strict=True) if tile > 0)
            )
        self.tiles.moves.extend(codes)

    def _is_parked(self, state: State) -> bool:
        """Does the tile leave room for the ear to be turned?"""
        floor, (cell, part, holes) = self.tiles.floor, state
        if cell in self.ends or any(floor.part(cell, end) != part for end in self.ends):
            return False
        return 1 <= holes < floor.size(cell, part)

    def _turn(self, side: int, kept: int) -> None:
        """Let something out at a side and put anything in at the other, while what lies on `kept` stays."""
        tiles, (empty, full) = self.tiles, (self.ends[side], self.ends[1 - side])
        part = tiles.floor.part(kept, empty) if kept >= 0 else -1

        def usable(cell: int) -> bool:
            near = cell != kept and (kept < 0 or tiles.floor.part(kept, cell) == part)
            return near and (cell == full or tiles.at[full] != HOLE)

        if tiles.at[empty] != HOLE:
            tiles.bring(empty, kept, usable)
        if tiles.at[full] == HOLE:
            tiles.bring(tiles.nearest(full, kept, lambda cell: tiles.at[cell] != HOLE), kept, full.__eq__)
        self._push(1 - side)
