"""Regions with cut cells: in which order to fill them, and ways for one tile among others without names.

A tile p on cell u cuts the board into the parts of what is left without u. Inside each part the other tiles
can be moved at will, so all that counts is how many holes each part has. If p then steps into a part with m
holes, what happens next depends on one number alone: how many of them lie beyond p in the part that it enters
next. So there are at most h choices for each cell and each part, however many arms meet at a cell.

The order is built from its end. It begins with a cell that has three neighbours. A cell may be added if two
of its neighbours are there already, or if the one that is there is at most h - 2 steps from the core: the
blocks, the cells with three neighbours and the hallways between them. If no cell can be added there is an
ear: else a hallway of the region would be too long.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from slidelab.boards import Board
from slidelab.boards.walks import distance_list
from slidelab.errors import PuzzleError
from slidelab.solve.huge.ears import outer_ear

__all__ = ["Ear", "Floor", "State", "grown", "way"]

Rows = Sequence[Sequence[int]]
State = tuple[int, int, int]  # the tile's cell, the part it enters next, the holes of this part
Way = list[State]


class Floor:
    """The open cells of a board, and into which parts each of them cuts the others.

    The parts of the board without a cell u are numbered: what hangs below u in a search of the board from one
    of its cells, each by the time at which it was discovered, and -1 for all that is joined above u.

    >>> floor = Floor([(1,), (0, 2, 3), (1,), (1,)], [0, 1, 2, 3])
    >>> floor.parts(1), floor.part(1, 3), floor.around[0]
    ([(2, 1), (3, 1), (-1, 1)], 3, [1])
    """

    def __init__(self, around: Rows, cells: Sequence[int]) -> None:
        open_ = [False] * len(around)
        for cell in cells:
            open_[cell] = True
        self.cells = cells
        self.around = [
            [other for other in row if open_[other]] if open_[cell] else [] for cell, row in enumerate(around)
        ]
        self._seen = [-1] * len(around)
        self._starts: list[list[int]] = [[] for _ in around]
        self._ends: list[list[int]] = [[] for _ in around]
        self._parts: dict[int, list[tuple[int, int]]] = {}
        if cells:
            self._discover(cells[0])

    def _discover(self, root: int) -> None:
        seen, low, time = self._seen, {root: 0}, 1
        seen[root] = 0
        stack = [(root, iter(self.around[root]))]
        while stack:
            cell, rest = stack[-1]
            for other in rest:
                if seen[other] < 0:
                    seen[other] = low[other] = time
                    time += 1
                    stack.append((other, iter(self.around[other])))
                    break
                low[cell] = min(low[cell], seen[other])
            else:
                stack.pop()
                if stack:
                    above = stack[-1][0]
                    low[above] = min(low[above], low[cell])
                    if low[cell] >= seen[above]:
                        self._starts[above].append(seen[cell])
                        self._ends[above].append(time)

    def part(self, cell: int, other: int) -> int:
        """The part of `other` on the board without `cell`."""
        starts, time = self._starts[cell], self._seen[other]
        if not starts:
            return -1
        place = bisect_right(starts, time) - 1
        return starts[place] if place >= 0 and time < self._ends[cell][place] else -1

    def parts(self, cell: int) -> list[tuple[int, int]]:
        """All parts of the board without a cell, and their sizes."""
        found = self._parts.get(cell)
        if found is None:
            pairs = zip(self._starts[cell], self._ends[cell], strict=True)
            found = [(start, end - start) for start, end in pairs]
            above = len(self.cells) - 1 - sum(size for _, size in found)
            if above:
                found.append((-1, above))
            self._parts[cell] = found
        return found

    def size(self, cell: int, part: int) -> int:
        return next(size for number, size in self.parts(cell) if number == part)

    def steps_from(self, start: int) -> list[int]:
        """How many steps each open cell is from a cell; -1 for closed ones."""
        return distance_list(self.around, [start])


def way(
    floor: Floor,
    start: int,
    holes: Sequence[int],
    ends: Callable[[State], bool],
    far: Sequence[int] | None = None,
) -> Way:
    """States that lead the tile on `start` to one that `ends`, the first of them a state of `start`.

    `far` bounds the number of steps still to go from below.

    >>> floor = Floor([(1,), (0, 2, 3), (1,), (1,)], [0, 1, 2, 3])
    >>> way(floor, 0, [1, 2], lambda state: state[0] == 3)
    [(0, 1, 2), (1, 3, 1), (3, -1, 2)]
    """
    counts: dict[int, int] = {}
    for hole in holes:
        part = floor.part(start, hole)
        counts[part] = counts.get(part, 0) + 1
    firsts = [(start, part, counts.get(part, 0)) for part, _ in floor.parts(start)]
    for thorough in (False, True):
        found = _search(floor, firsts, len(holes), ends, far, thorough)
        if found is not None:
            return found
    raise PuzzleError("expected a region whose tiles all mix, got one where a tile can't come to its place")


def _search(
    floor: Floor,
    firsts: Sequence[State],
    holes: int,
    ends: Callable[[State], bool],
    far: Sequence[int] | None,
    thorough: bool,
) -> Way | None:
    """Best first, by the steps made and those still to go."""
    before: dict[State, State | None] = dict.fromkeys(firsts)
    made = dict.fromkeys(firsts, 0)
    heap: list[tuple[int, int, State]] = []
    for state in firsts:
        if ends(state):
            return [state]
        heappush(heap, (far[state[0]] if far else 0, 0, state))
    while heap:
        _, back, state = heappop(heap)
        if -back != made[state]:
            continue
        if ends(state):
            found = [state]
            while (last := before[found[-1]]) is not None:
                found.append(last)
            return found[::-1]
        for onward in _onward(floor, state, holes, thorough):
            if made.get(onward, 1 << 30) > 1 - back:
                made[onward] = 1 - back
                before[onward] = state
                heappush(heap, (1 - back + (far[onward[0]] if far else 0), back - 1, onward))
    return None


def _onward(floor: Floor, state: State, holes: int, thorough: bool) -> list[State]:
    """The states one step of the tile later.

    It is enough to leave as many holes as can be in the part that comes next (to go on there) or just one (to
    step aside and let the others pass); `thorough` looks at everything between.
    """
    cell, part, many = state
    if not many:
        return []
    room = floor.size(cell, part) - 1
    rest = many - 1  # holes of the part besides the one that the tile steps into
    found: list[State] = []
    for step in floor.around[cell]:
        if floor.part(cell, step) != part:
            continue
        behind = floor.part(step, cell)
        parts = floor.parts(step)
        beyond = sum(size for number, size in parts if number != behind)
        for number, size in parts:
            if number == behind:
                least, most = max(0, rest - room + beyond), min(rest, beyond)
                kept = range(least, most + 1) if thorough else (least,)
                found.extend((step, number, holes - left) for left in kept)
            else:
                least, most = max(1, rest - room + size), min(rest, size)
                if most >= least:
                    taken = range(least, most + 1) if thorough else {least, most}
                    found.extend((step, number, left) for left in taken)
    return found


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
            growth.add_ear(outer_ear(board.neighbours, growth.inside, growth.near) or [])
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
        """These cells, those on the way from them to the core, and the one that joins them are core now."""
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
