"""Construct a Hamiltonian cycle of a board of hexagons by letting a cycle grow.

While two cells that follow each other on the cycle both touch a new cell, that cell goes between them. When
no such pair is left, the cycle is rerouted within a small window so that it also visits one more cell there:
on 2-connected boards without holes other than the star every cycle can be extended to one through all of its
cells and one more (Gordon, Orlovich and Werner 2008). Edges are taken last in, first out, since then the
cycle grows as a strip that leaves few cells behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from slidelab.boards.cycle_search import cycle_edges, search_cycles
from slidelab.boards.model import Board, Edge
from slidelab.boards.walks import distances
from slidelab.budget import Budget
from slidelab.errors import TooLarge

__all__ = ["grow_cycle"]

WINDOW_RADII = (2, 3, 4)
"""Steps from a new cell to the border of the window in which the cycle is rerouted, tried in this order."""

GUESS_CHOICES = 100
"""Choices of the search within a window while it is only guessed how the paths outside are joined."""

WINDOW_CHOICES = 2_000
"""Choices of the search within a window once that is known."""

STRIDE_CELLS = 100
"""Cells that a walk outside a window goes before the next walk has its turn."""


def grow_cycle(board: Board, budget: Budget | None = None) -> tuple[int, ...] | None:
    """Return a Hamiltonian cycle of a hexagonal board, or None if it gets stuck or out of time."""
    if board.kind != "hex":
        return None
    triangles = ((a, b, c) for a, b in board.edges for c in board.neighbours[a] if board.adjacent(b, c))
    start = next(triangles, None)
    if start is None:
        return None
    cycle = _GrowingCycle(board, start)
    while cycle.grow():
        if (budget and budget.expired) or not cycle.reroute():
            return None
    return cycle.cells()


class _GrowingCycle:
    """A cycle on a board: for each cell the two cells next to it on the cycle, in any order, or none yet."""

    def __init__(self, board: Board, start: Sequence[int]) -> None:
        self.board = board
        self.links: list[list[int]] = [[] for _ in range(board.size)]
        self.missing = board.size - len(start)
        self.edges = list(cycle_edges(start))  # those that may have a new cell next to them
        self.border = [other for cell in start for other in board.neighbours[cell]]
        for a, b in self.edges:
            self._link(a, b)

    def _link(self, a: int, b: int) -> None:
        self.links[a].append(b)
        self.links[b].append(a)

    def cells(self) -> tuple[int, ...]:
        """Return the cells of the cycle in order."""
        order = [0, min(self.links[0])]
        while len(order) < self.board.size:
            first, second = self.links[order[-1]]
            order.append(second if first == order[-2] else first)
        return tuple(order)

    def grow(self) -> int:
        """Insert new cells into edges of the cycle while possible; return how many are still missing."""
        neighbours, links = self.board.neighbours, self.links
        while self.edges:
            a, b = self.edges.pop()
            if b not in links[a]:
                continue
            for cell in neighbours[a]:
                if not links[cell] and b in neighbours[cell]:
                    self._insert(cell, a, b)
                    break
        return self.missing

    def _insert(self, cell: int, a: int, b: int) -> None:
        self.links[a].remove(b)
        self.links[b].remove(a)
        self._link(a, cell)
        self._link(cell, b)
        self.edges += [(a, cell), (cell, b)]
        self.border.extend(self.board.neighbours[cell])
        self.missing -= 1

    def reroute(self) -> bool:
        """Reroute the cycle somewhere so that it visits one more cell; return whether that is possible."""
        newest_first = dict.fromkeys(cell for cell in reversed(self.border) if not self.links[cell])
        self.border = list(newest_first)[::-1]
        return any(self._reroute_around(cell, radius) for radius in WINDOW_RADII for cell in newest_first)

    def _reroute_around(self, cell: int, radius: int) -> bool:
        inside = self._window(cell, radius)
        inner = self._inner_paths(inside)
        # If new paths inside join the same ends as the old ones, it does not matter how the ends are joined
        # outside. So any guess will do at first, and saves long walks.
        outer = {_edge(a, b) for (_, a), (b, _) in zip(inner, inner[1:] + inner[:1], strict=True)}
        joined = {_edge(*path) for path in inner}
        orders = self._orders(inside, outer, GUESS_CHOICES)
        order = next((order for order in orders if _joined(order, outer) == joined), None)
        if order is None:
            outer = self._outer_paths(inside)
            order = next(self._orders(inside, outer, WINDOW_CHOICES), None)
        if order is not None:
            self._replace(inside, order, outer)
            self.border.extend(self.board.neighbours[cell])
            self.missing -= 1
        return order is not None

    def _orders(self, inside: set[int], outer: set[Edge], max_choices: int) -> Iterator[list[int]]:
        """Yield cycles through a window, with each path outside as one edge."""
        vertices = inside.union(*outer)
        edges = [(a, b) for a in inside for b in self.board.neighbours[a] if b in vertices]
        with suppress(TooLarge):
            yield from search_cycles(sorted(vertices), edges, outer, max_choices)

    def _window(self, cell: int, radius: int) -> set[int]:
        """Return `cell` and the cells of the cycle at most `radius` steps away from it.

        A cell of the cycle between two of these is added, so that each path outside has two different ends.
        """
        near = distances(self.board.neighbours, [cell], radius)
        inside = {place for place in near if place == cell or self.links[place]}
        beside = {end for place in inside for end in self.links[place]}
        return inside.union(end for end in beside if inside.issuperset(self.links[end]))

    def _inner_paths(self, inside: set[int]) -> list[Edge]:
        """Return the ends, just outside a window, of the paths that the cycle consists of inside."""
        paths = []
        entries = [(end, cell) for cell in sorted(inside) for end in self.links[cell] if end not in inside]
        for start, entry in entries:
            previous, cell = start, entry
            while cell in inside:
                first, second = self.links[cell]
                previous, cell = cell, second if first == previous else first
            if start < cell:
                paths.append((start, cell))
        return paths

    def _outer_paths(self, inside: set[int]) -> set[Edge]:
        """Return the ends of the paths that the cycle consists of outside a window.

        Walks start at all ends at once and stop when one path is left, which may be long.
        """
        paths = set()
        walks = {(cell, end): (cell, end) for cell in inside for end in self.links[cell] if end not in inside}
        while len(walks) > 2:
            for start in list(walks):
                if start not in walks:
                    continue
                previous, cell = walks[start] = self._walk(*walks[start], inside)
                if cell in inside:
                    paths.add(_edge(start[1], previous))
                    del walks[start], walks[cell, previous]
        if walks:
            (_, first), (_, last) = walks
            paths.add(_edge(first, last))
        return paths

    def _walk(self, previous: int, cell: int, inside: set[int]) -> Edge:
        """Continue along the cycle until the window is reached, at most `STRIDE_CELLS` steps."""
        for _ in range(STRIDE_CELLS):
            if cell in inside:
                break
            first, second = self.links[cell]
            previous, cell = cell, second if first == previous else first
        return previous, cell

    def _replace(self, inside: set[int], order: list[int], outer: set[Edge]) -> None:
        """Reroute the cycle in the window; `order` has each path outside as one edge."""
        for cell in inside:
            for other in self.links[cell]:
                if other not in inside:
                    self.links[other].remove(cell)
            self.links[cell] = []
        for a, b in cycle_edges(order):
            if _edge(a, b) not in outer:
                self._link(a, b)
                self.edges.append((a, b))


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)


def _joined(order: list[int], outer: set[Edge]) -> set[Edge]:
    """Return which ends a cycle through a window joins inside."""
    ends = [(a, b) for a, b in cycle_edges(order) if _edge(a, b) in outer]
    return {_edge(b, a) for (_, b), (a, _) in zip(ends, ends[1:] + ends[:1], strict=True)}
