"""Regions with cut vertices: the order in which they are filled, and paths for one tile among others.

A tile p on cell u cuts the board into the components without u. Inside each component the other tiles can be
moved freely, so all that counts is how many holes each one has. If p then steps into a component with m
holes, what happens next depends on one number alone: how many of them lie beyond p in the component that it
enters next. So there are at most h choices for each cell and component, however many arms meet at a cell.

The order is built from its end. It begins with a cell that has three neighbours. A cell may be added if two
of its neighbours are present already, or if its present neighbour is at most h - 2 steps from the core: the
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

__all__ = ["Ear", "OpenCells", "State", "grow_region", "tile_path"]

Rows = Sequence[Sequence[int]]

State = tuple[int, int, int]
"""The cell of the tile, the component that it enters next, and the holes of this component."""


class OpenCells:
    """The open cells of a board, and the components into which each of them cuts the others.

    The components without a cell u are numbered: the subtrees below u in a depth-first search each by the
    time at which it was discovered, and -1 for the component that contains the root.

    >>> cells = OpenCells([(1,), (0, 2, 3), (1,), (1,)], [0, 1, 2, 3])
    >>> cells.components(1), cells.component(1, 3), cells.neighbours[0]
    ([(2, 1), (3, 1), (-1, 1)], 3, [1])
    """

    def __init__(self, neighbours: Rows, cells: Sequence[int]) -> None:
        is_open = [False] * len(neighbours)
        for cell in cells:
            is_open[cell] = True
        self.cells = cells
        self.neighbours = [
            [other for other in row if is_open[other]] if is_open[cell] else []
            for cell, row in enumerate(neighbours)
        ]
        self._seen = [-1] * len(neighbours)
        self._starts: list[list[int]] = [[] for _ in neighbours]
        self._ends: list[list[int]] = [[] for _ in neighbours]
        self._components: dict[int, list[tuple[int, int]]] = {}
        if cells:
            self._discover(cells[0])

    def _discover(self, root: int) -> None:
        seen, low, time = self._seen, {root: 0}, 1
        seen[root] = 0
        stack = [(root, iter(self.neighbours[root]))]
        while stack:
            cell, rest = stack[-1]
            for other in rest:
                if seen[other] < 0:
                    seen[other] = low[other] = time
                    time += 1
                    stack.append((other, iter(self.neighbours[other])))
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

    def component(self, cell: int, other: int) -> int:
        """Return the component of `other` on the board without `cell`."""
        starts, time = self._starts[cell], self._seen[other]
        if not starts:
            return -1
        place = bisect_right(starts, time) - 1
        return starts[place] if place >= 0 and time < self._ends[cell][place] else -1

    def components(self, cell: int) -> list[tuple[int, int]]:
        """Return all components of the board without a cell, and their sizes."""
        found = self._components.get(cell)
        if found is None:
            pairs = zip(self._starts[cell], self._ends[cell], strict=True)
            found = [(start, end - start) for start, end in pairs]
            above = len(self.cells) - 1 - sum(size for _, size in found)
            if above:
                found.append((-1, above))
            self._components[cell] = found
        return found

    def size(self, cell: int, component: int) -> int:
        """Return the number of cells of a component."""
        return next(size for number, size in self.components(cell) if number == component)

    def steps_from(self, start: int) -> list[int]:
        """Return the distance of each open cell from a cell; -1 for closed ones."""
        return distance_list(self.neighbours, [start])


def tile_path(
    open_cells: OpenCells,
    start: int,
    holes: Sequence[int],
    is_goal: Callable[[State], bool],
    distances: Sequence[int] | None = None,
) -> list[State]:
    """Return states that lead the tile on `start` to a goal state, the first of them a state of `start`.

    `distances` is a lower bound on the steps still to go from each cell.

    >>> cells = OpenCells([(1,), (0, 2, 3), (1,), (1,)], [0, 1, 2, 3])
    >>> tile_path(cells, 0, [1, 2], lambda state: state[0] == 3)
    [(0, 1, 2), (1, 3, 1), (3, -1, 2)]
    """
    counts: dict[int, int] = {}
    for hole in holes:
        number = open_cells.component(start, hole)
        counts[number] = counts.get(number, 0) + 1
    firsts = [(start, number, counts.get(number, 0)) for number, _ in open_cells.components(start)]
    for thorough in (False, True):
        found = _search(open_cells, firsts, len(holes), is_goal, distances, thorough)
        if found is not None:
            return found
    raise PuzzleError("expected a region whose tiles all mix, got one where a tile cannot reach its goal")


def _search(
    open_cells: OpenCells,
    firsts: Sequence[State],
    holes: int,
    is_goal: Callable[[State], bool],
    distances: Sequence[int] | None,
    thorough: bool,
) -> list[State] | None:
    """Search by A* with the steps made and those still to go."""
    parent: dict[State, State | None] = dict.fromkeys(firsts)
    cost = dict.fromkeys(firsts, 0)
    heap: list[tuple[int, int, State]] = []
    for state in firsts:
        if is_goal(state):
            return [state]
        heappush(heap, (distances[state[0]] if distances else 0, 0, state))
    while heap:
        _, back, state = heappop(heap)
        if -back != cost[state]:
            continue
        if is_goal(state):
            found = [state]
            while (last := parent[found[-1]]) is not None:
                found.append(last)
            return found[::-1]
        for successor in _successors(open_cells, state, holes, thorough):
            if cost.get(successor, 1 << 30) > 1 - back:
                cost[successor] = 1 - back
                parent[successor] = state
                heappush(
                    heap, (1 - back + (distances[successor[0]] if distances else 0), back - 1, successor)
                )
    return None


def _successors(open_cells: OpenCells, state: State, holes: int, thorough: bool) -> list[State]:
    """Return the states one step of the tile later.

    It is enough to leave as many holes as possible in the component that comes next (to continue there) or
    just one (to step aside and let the others pass); `thorough` tries everything between.
    """
    cell, component, holes_there = state
    if not holes_there:
        return []
    room = open_cells.size(cell, component) - 1
    rest = holes_there - 1  # besides the hole that the tile steps into
    found: list[State] = []
    for step in open_cells.neighbours[cell]:
        if open_cells.component(cell, step) != component:
            continue
        behind = open_cells.component(step, cell)
        components = open_cells.components(step)
        beyond = sum(size for number, size in components if number != behind)
        for number, size in components:
            if number == behind:
                low, high = max(0, rest - room + beyond), min(rest, beyond)
                kept = range(low, high + 1) if thorough else (low,)
                found.extend((step, number, holes - left) for left in kept)
            else:
                low, high = max(1, rest - room + size), min(rest, size)
                if high >= low:
                    taken = range(low, high + 1) if thorough else {low, high}
                    found.extend((step, number, left) for left in taken)
    return found


# The order


@dataclass(frozen=True, slots=True)
class Ear:
    """One cell, or a path whose ends touch two different cells `first` and `last` of the region so far."""

    cells: tuple[int, ...]
    first: int = -1
    last: int = -1


def grow_region(board: Board, holes: int, centre: int) -> list[Ear]:
    """Return cells and ears in an order in which the region grows and so many holes mix it at any time.

    >>> from slidelab.boards import board
    >>> [ear.cells for ear in grow_region(board("graph 0-1 1-2 2-3 3-4 4-5 5-0 0-6"), 2, 0)]
    [(0,), (1,), (5,), (6,), (4, 3, 2)]
    >>> [ear.cells for ear in grow_region(board("graph 0-1 1-2 2-3 3-4 4-5 5-0 0-6"), 3, 0)]
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
        self.neighbours = board.neighbours
        self.reach = reach
        self.near = OpenCells(board.neighbours, range(board.size)).steps_from(centre)
        self.inside = {centre}
        self.depth = {centre: 0}  # steps from the core
        self.ears = [Ear((centre,))]
        self.ready: list[tuple[int, int]] = []
        self._offer(centre)

    def next_cell(self) -> int:
        """Return the nearest cell that can be added, -1 if there is none."""
        while self.ready:
            _, cell = heappop(self.ready)
            if cell not in self.inside:
                return cell
        return -1

    def add(self, cell: int) -> None:
        self.ears.append(Ear((cell,)))
        self._join(cell)

    def add_ear(self, path: Sequence[int]) -> None:
        first = next(other for other in self.neighbours[path[0]] if other in self.inside)
        last = next(other for other in self.neighbours[path[-1]] if other in self.inside and other != first)
        self.ears.append(Ear(tuple(path), first, last))
        self.inside.update(path[:-1])
        for steps, cell in enumerate(path[:-1], self.depth[first] + 1):
            self.depth[cell] = steps
        self._join(path[-1])

    def _join(self, cell: int) -> None:
        touched = [other for other in self.neighbours[cell] if other in self.inside]
        self.inside.add(cell)
        if len(touched) > 1:
            self._to_core(touched, cell)
        else:
            parent = touched[0]
            if sum(other in self.inside for other in self.neighbours[parent]) > 2:
                self._to_core([parent])
            self.depth[cell] = self.depth[parent] + 1
        self._offer(cell)

    def _to_core(self, ends: Sequence[int], closing: int = -1) -> None:
        """Add these cells, those between them and the core, and the one that joins them to the core."""
        core, unreached = [closing] if closing >= 0 else [], len(self.neighbours)
        for end in ends:
            cell = end
            while self.depth[cell]:
                core.append(cell)
                cell = min(self.neighbours[cell], key=lambda other: self.depth.get(other, unreached))
        for cell in core:
            self.depth[cell] = 0
        for cell in core:  # grows
            self._offer(cell)
            for other in self.neighbours[cell]:
                if self.depth.get(other, 0) > self.depth[cell] + 1:
                    self.depth[other] = self.depth[cell] + 1
                    core.append(other)

    def _offer(self, cell: int) -> None:
        """Queue the neighbours of a cell that can be added."""
        for other in self.neighbours[cell]:
            if other not in self.inside:
                touching = sum(each in self.inside for each in self.neighbours[other])
                if touching > 1 or self.depth[cell] <= self.reach:
                    heappush(self.ready, (self.near[other], other))
