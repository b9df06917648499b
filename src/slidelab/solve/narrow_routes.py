"""Ways for one tile over a board with cut cells, while all others count for nothing.

A tile p on cell u cuts the board into the parts of what is left without u. Inside each part the other tiles can
be moved at will, so all that counts is how many holes each part has. If p then steps into a part with m holes,
what happens next depends on one number alone: how many of them lie beyond p in the part that it enters next.
So there are at most h choices for each cell and each part, however many arms meet at a cell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from heapq import heappop, heappush

from slidelab.errors import PuzzleError

__all__ = ["Floor", "Way", "way"]

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
        far = [-1] * len(self.around)
        far[start] = 0
        queue = [start]
        for cell in queue:
            for other in self.around[cell]:
                if far[other] < 0:
                    far[other] = far[cell] + 1
                    queue.append(other)
        return far


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
