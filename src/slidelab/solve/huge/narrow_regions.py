"""Tiles with two holes or more on a region with cut vertices: trees, cycles with tails, blocks and hallways.

The region is filled from outside in, so that the rest is always one region for the same number of holes: a
cell at a time where possible, and else an ear, a long path between two cells of the rest. The tile of a cell
is led there by `slidelab.solve.huge.narrow_paths`, where the order comes from, too. An ear is loaded like a
queue: tiles are pushed in at one end while others come out at the other.

Only as many holes work as the region needs; the others are blanks, which are carried about like tiles but
make no moves.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from slidelab.boards import Board
from slidelab.boards.walks import shortest_path
from slidelab.budget import Budget
from slidelab.reach.hole_moves import hole_moves
from slidelab.reach.regions import regions
from slidelab.solve.huge.narrow_paths import Ear, OpenCells, State, grow_region, tile_path
from slidelab.solve.huge.pairs import Pairs
from slidelab.solve.huge.region_solver import Part

__all__ = ["solve_narrow_region"]

HOLE, BLANK = 0, -1

MAX_CENTRES = 40
"""Cells that are tried as the centre around which the region shrinks."""

MAX_CLEANED_MOVES = 400_000
"""Moves up to which those that undo each other are removed: half a second."""


def solve_narrow_region(part: Part, budget: Budget) -> Pairs:
    """Return moves that solve a region with two holes or more on which all tiles mix.

    >>> from slidelab.boards import board
    >>> star = board("graph 0-1 0-2 0-3")
    >>> solve_narrow_region(Part(star, range(4), [0, 1, 2, 0], [0, 2, 1, 0]), Budget()).tolist()
    [[2, 0], [0, 3], [1, 0], [0, 2], [3, 0], [0, 1]]
    """
    board, holes = part.board, part.hole_count
    working = _fewest_holes(board, holes)
    ears = grow_region(board, working, _centre(board))
    inside = [cell for ear in ears for cell in ear.cells]
    goal = list(part.goal)
    at_goal = hole_moves(board, [tile > 0 for tile in goal], inside[:holes])
    for before, to in at_goal:
        goal[to], goal[before] = goal[before], HOLE
    tiles = _Tiles(board, part.start, goal, working)
    while len(inside) > holes:
        ear = ears.pop()
        tiles.settle(ear, inside, budget)
        del inside[-len(ear.cells) :]
        budget.check("tiles", board.size - len(inside), board.size)
    tiles.moves.extend(tiles.code(to, before) for before, to in reversed(at_goal))
    return _pairs(tiles.moves, board.size)


def _fewest_holes(board: Board, holes: int) -> int:
    """Return the least number of holes with which the board is one region."""
    low, high = 2, holes
    while low < high:
        middle = (low + high) // 2
        if any(len(region.cells) == board.size for region in regions(board, middle)):
            high = middle
        else:
            low = middle + 1
    return high


def _centre(board: Board) -> int:
    """Return a cell with three neighbours or more and a small total distance to all others."""
    meeting = [cell for cell, row in enumerate(board.neighbours) if len(row) > 2]
    open_cells = OpenCells(board.neighbours, range(board.size))
    tried = meeting[:: -(-len(meeting) // MAX_CENTRES)]
    return min(tried, key=lambda cell: (sum(open_cells.steps_from(cell)), cell))


def _pairs(moves: Sequence[int], size: int) -> Pairs:
    import numpy as np

    short = _without_returns(moves, size) if len(moves) <= MAX_CLEANED_MOVES else moves
    codes = np.array(short, dtype=np.int32 if size < 1 << 15 else np.int64)
    return np.column_stack((codes // size, codes % size)).astype(np.int32, copy=False)


def _without_returns(moves: Sequence[int], size: int) -> list[int]:
    """Return the moves without those that are undone before anything else happens on their two cells.

    A move is encoded as the cell before times the size of the board plus the cell after.

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


class _Tiles:
    """The tile on each cell now and at the goal, and the moves so far."""

    def __init__(self, board: Board, start: Sequence[int], goal: Sequence[int], working: int) -> None:
        self.board = board
        self.at = [tile or BLANK for tile in start]
        self.goal = [tile or BLANK for tile in goal]
        self.working = working
        self.holes: set[int] = set()
        self.moves = array("i" if board.size < 1 << 15 else "q")  # before * size + after
        self.open_cells = OpenCells((), ())

    def settle(self, ear: Ear, inside: Sequence[int], budget: Budget) -> None:
        """Bring the tiles of an ear to their cells, over the cells inside; the ear is the last of them."""
        if all(self.at[cell] == self.goal[cell] > 0 for cell in ear.cells):
            return
        self.open_cells = OpenCells(self.board.neighbours, inside)
        self._call_holes(ear.cells[-1])
        if len(ear.cells) == 1:
            target = ear.cells[0]
            start = self.at.index(self.goal[target])
            self.lead(start, lambda state: state[0] == target, self.open_cells.steps_from(target))
        else:
            self._clear(ear.cells)
            self.open_cells = OpenCells(self.board.neighbours, inside[: -len(ear.cells)])
            _Queue(self, ear, budget).load()

    def _call_holes(self, cell: int) -> None:
        """Let the holes nearest to a cell be the working ones."""
        for hole in self.holes:
            self.at[hole] = BLANK
        far = self.open_cells.steps_from(cell)
        empty = sorted((far[each], each) for each in self.open_cells.cells if self.at[each] == BLANK)
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
        """Move a tile or a blank into a hole."""
        tile = self.at[before]
        self.at[after], self.at[before] = tile, HOLE
        self.holes.discard(after)
        self.holes.add(before)
        if tile > 0:
            self.moves.append(self.code(before, after))

    def nearest(self, start: int, kept: int, wanted: Callable[[int], bool]) -> int:
        """Return the nearest wanted cell, over paths that avoid the cell `kept`."""
        return self._path(start, kept, wanted)[-1]

    def _path(self, start: int, kept: int, wanted: Callable[[int], bool]) -> list[int]:
        return shortest_path(self.open_cells.neighbours, [start], wanted, kept.__ne__)

    def bring(self, aim: int, kept: int, usable: Callable[[int], bool]) -> None:
        """Bring the nearest usable hole to a cell, without moving the tile on `kept`.

        A nearer blank becomes the hole instead.
        """
        at = self.at
        path = self._path(aim, kept, lambda cell: at[cell] == BLANK or (at[cell] == HOLE and usable(cell)))
        if at[path[-1]] == BLANK:
            spent = self.nearest(path[-1], kept, lambda cell: at[cell] == HOLE and usable(cell))
            self.holes.discard(spent)
            self.holes.add(path[-1])
            at[spent], at[path[-1]] = BLANK, HOLE
        empty = len(path) - 1
        for index in range(len(path) - 2, -1, -1):
            if at[path[index]] != HOLE:
                for here in range(index, empty):
                    self.step(path[here], path[here + 1])
                empty = index

    def lead(self, start: int, ends: Callable[[State], bool], far: Sequence[int] | None = None) -> int:
        """Lead the tile on a cell to where a state `ends`, and return that cell."""
        cell = start
        for state in tile_path(self.open_cells, start, sorted(self.holes), ends, far)[1:]:
            self._lead_step(cell, state)
            cell = state[0]
        return cell

    def _lead_step(self, cell: int, state: State) -> None:
        """Move a tile one step, after distributing the holes of the component it enters as the state says."""
        step, ahead, holes = state
        open_cells, at = self.open_cells, self.at
        part, behind = open_cells.component(cell, step), open_cells.component(step, cell)
        wanted = holes if ahead != behind else len(self.holes) - holes

        def beyond(hole: int) -> bool:
            there = open_cells.component(step, hole)
            return hole != step and (there != behind if ahead == behind else there == ahead)

        def beside(hole: int) -> bool:
            return hole != cell and open_cells.component(cell, hole) == part and not beyond(hole)

        present = sum(map(beyond, self.holes))
        for _ in range(present, wanted):
            self.bring(self.nearest(step, cell, lambda c: beyond(c) and at[c] != HOLE), cell, beside)
        for _ in range(wanted, present):
            aim = step
            if at[step] == HOLE:
                aim = self.nearest(step, cell, lambda c: beside(c) and at[c] != HOLE)
            self.bring(aim, cell, beyond)
        if at[step] != HOLE:
            self.bring(step, cell, beside)
        self.step(cell, step)


class _Queue:
    """An ear that is loaded like a queue: a tile pushed in at one end drives another out at the other end.

    A run of tiles that is right already stays in the ear and grows at both ends. To append a tile to the
    run, the ear is shifted until the run is at this end of the ear; meanwhile the tile waits outside, where
    it is not in the way.
    """

    def __init__(self, tiles: _Tiles, ear: Ear, budget: Budget) -> None:
        self.tiles, self.budget = tiles, budget
        self.cells = ear.cells
        self.length = len(ear.cells)
        self.ends = ear.first, ear.last
        self.far = [tiles.open_cells.steps_from(end) for end in self.ends]
        self.wanted = [tiles.goal[cell] for cell in ear.cells]
        forward = [ear.first, *ear.cells, ear.last]
        self.paths = forward, forward[::-1]
        self.codes = [
            array(tiles.moves.typecode, map(tiles.code, path[-2::-1], path[:0:-1])) for path in self.paths
        ]

    def load(self) -> None:
        """Fill the ear with the tiles of the goal."""
        self._flush()
        low, high, index = self._longest_run()
        while high - low < self.length:
            gap = self.length - index - (high - low)
            options = []
            if low > 0:
                options.append((*self._cost(self.wanted[low - 1], index, gap, 0), 0))
            if high < self.length:
                options.append((*self._cost(self.wanted[high], gap, index, 1), 1))
            _, inside, side = min(options)
            tile = self.wanted[high] if side else self.wanted[low - 1]
            self._append(tile, inside, gap if side else index, side)
            low, high = (low, high + 1) if side else (low - 1, high)
            index = self.length - (high - low) if side else 0
            self.budget.check("tiles", high - low, self.length)

    def _content(self) -> list[int]:
        return [self.tiles.at[cell] for cell in self.cells]

    def _longest_run(self) -> tuple[int, int, int]:
        """Return where the longest run begins and ends in the goal, and where it begins in the ear."""
        have, wanted = self._content(), self.wanted
        index_of = {tile: index for index, tile in enumerate(wanted)}
        best = (self.length, self.length, 0)
        start = 0
        while start < self.length:
            low, end = index_of.get(have[start], self.length), start
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
        """Return how often the ear is shifted to append a tile, and its index from this side, -1 if outside.

        There are `near` others between this side and the run, and `far` on the other side of it.
        """
        have = self._content()
        if side:
            have.reverse()
        if tile in have[:near]:
            return near, have.index(tile)
        if any(self.tiles.at[cell] == tile for cell in self.tiles.open_cells.cells):
            return near, -1
        index = have.index(tile, self.length - far)
        return near + 2 * (self.length - index), index

    def _append(self, tile: int, inside: int, near: int, side: int) -> None:
        """Append a tile to the run, which has `near` others between it and this side."""
        if inside < 0:
            cell = self._outside(lambda each: each == tile, side)
        else:
            out = side if inside < near else 1 - side  # where the tile comes out
            shifts = inside + 1 if out == side else self.length - inside
            for _ in range(shifts):
                self._shift(out, -1)
            near += -shifts if out == side else shifts
            cell = self.ends[out]
        if near:
            cell = self.tiles.lead(cell, self._is_parked)
        for _ in range(near):
            self._shift(side, cell)
        self._feed(cell, side)

    def _outside(self, wanted: Callable[[int], bool], side: int) -> int:
        """Return the cell outside the ear, nearest to an end, whose tile is wanted."""
        cells = [cell for cell in self.tiles.open_cells.cells if wanted(self.tiles.at[cell])]
        return min(cells, key=lambda cell: (self.far[side][cell], cell))

    def _flush(self) -> None:
        """Replace the tiles of the ear by ones that do not belong there, if there are enough."""
        needed, at = set(self.wanted), self.tiles.at
        others = sum(at[cell] != HOLE and at[cell] not in needed for cell in self.tiles.open_cells.cells)
        have = self._content()
        if have == self.wanted or others < self.length or sum(tile in needed for tile in have) < 2:
            return
        while needed.intersection(self._content()):
            self._feed(self._outside(lambda tile: tile != HOLE and tile not in needed, 0), 0)

    def _feed(self, cell: int, side: int) -> None:
        """Push the tile on a cell into the ear."""
        tiles, into, out = self.tiles, self.ends[side], self.ends[1 - side]
        part = tiles.open_cells.component(into, out)
        tiles.lead(cell, lambda state: state[0] == into and state[1] == part and state[2] > 0, self.far[side])
        if tiles.at[out] != HOLE:
            tiles.bring(out, into, lambda hole: tiles.open_cells.component(into, hole) == part)
        self._push(side)

    def _push(self, side: int) -> None:
        """Move all tiles of the ear one step away from a side."""
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
        """Return whether the tile leaves room for the ear to be shifted."""
        open_cells, (cell, part, holes) = self.tiles.open_cells, state
        if cell in self.ends or any(open_cells.component(cell, end) != part for end in self.ends):
            return False
        return 1 <= holes < open_cells.size(cell, part)

    def _shift(self, side: int, kept: int) -> None:
        """Let a tile out at a side and any other in at the other, without moving the tile on `kept`."""
        tiles, (empty, full) = self.tiles, (self.ends[side], self.ends[1 - side])
        part = tiles.open_cells.component(kept, empty) if kept >= 0 else -1

        def usable(cell: int) -> bool:
            near = cell != kept and (kept < 0 or tiles.open_cells.component(kept, cell) == part)
            return near and (cell == full or tiles.at[full] != HOLE)

        if tiles.at[empty] != HOLE:
            tiles.bring(empty, kept, usable)
        if tiles.at[full] == HOLE:
            tiles.bring(tiles.nearest(full, kept, lambda cell: tiles.at[cell] != HOLE), kept, full.__eq__)
        self._push(1 - side)
