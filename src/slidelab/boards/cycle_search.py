"""Search for Hamiltonian cycles by backtracking, for small graphs.

Each vertex needs two edges, and what follows from that is concluded at once: a vertex with two edges chosen
loses all others, one with two edges left gets both, and an edge that would close a path too early is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from slidelab.boards.lattice import Edge
from slidelab.errors import TooLarge

__all__ = ["cycle_edges", "search_cycles"]


def cycle_edges(cycle: Sequence[int]) -> Iterator[Edge]:
    """Return the directed edges of a cycle, the one that closes it last."""
    return zip(cycle, [*cycle[1:], cycle[0]], strict=True)


def search_cycles(
    vertices: Sequence[int], edges: Iterable[Edge], fixed: Iterable[Edge], max_choices: int
) -> Iterator[list[int]]:
    """Yield the Hamiltonian cycles on three or more vertices that use all fixed edges.

    `TooLarge` is raised after `max_choices` choices.

    >>> list(search_cycles(range(4), [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)], [], 100))
    [[0, 1, 2, 3]]
    """
    number = {vertex: index for index, vertex in enumerate(vertices)}
    possible = [0] * len(vertices)
    for a, b in chain(edges, fixed):
        possible[number[a]] |= 1 << number[b]
        possible[number[b]] |= 1 << number[a]
    start = _PartialCycle([0] * len(vertices), possible, list(range(len(vertices))), 0)
    stack = [start] if all(start.choose(number[a], number[b]) for a, b in fixed) else []
    while stack:
        partial = stack.pop()
        if not partial.propagate():
            continue
        if partial.count == len(vertices):
            yield [vertices[index] for index in partial.order()]
            continue
        max_choices -= 1
        if max_choices < 0:
            raise TooLarge("expected fewer choices in the search for a Hamiltonian cycle")
        a, b = partial.open_edge()
        other = partial.copy()
        other.refuse(a, b)
        partial.choose(a, b)
        stack += [other, partial]


class _PartialCycle:
    """A Hamiltonian cycle in the making: for each vertex the sets of edges chosen, and chosen or possible."""

    __slots__ = ("chosen", "count", "end", "pending", "possible")

    def __init__(self, chosen: list[int], possible: list[int], end: list[int], count: int) -> None:
        self.chosen = chosen  # bit sets of neighbours
        self.possible = possible
        self.end = end  # for the ends of each path of chosen edges, the other end
        self.count = count
        self.pending = list(range(len(end)))  # vertices whose edges have changed

    def copy(self) -> _PartialCycle:
        other = _PartialCycle(self.chosen[:], self.possible[:], self.end[:], self.count)
        other.pending = []
        return other

    def choose(self, a: int, b: int) -> bool:
        """Take an edge into the cycle; False if it would close the cycle too early or branch."""
        end_a, end_b = self.end[a], self.end[b]
        size = len(self.end)
        if self.chosen[a].bit_count() == 2 or self.chosen[b].bit_count() == 2:
            return False
        if end_a == b and self.count < size - 1:
            return False
        self.chosen[a] |= 1 << b
        self.chosen[b] |= 1 << a
        self.end[end_a], self.end[end_b] = end_b, end_a
        self.count += 1
        self.pending += [a, b]
        if self.count < size - 1 and not self.chosen[end_a] >> end_b & 1:
            self.refuse(end_a, end_b)
        return True

    def refuse(self, a: int, b: int) -> None:
        """Give up an edge that is not chosen."""
        if self.possible[a] >> b & 1:
            self.possible[a] ^= 1 << b
            self.possible[b] ^= 1 << a
            self.pending += [a, b]

    def propagate(self) -> bool:
        """Draw all conclusions; False if there is a contradiction."""
        while self.pending:
            vertex = self.pending.pop()
            possible, chosen = self.possible[vertex], self.chosen[vertex]
            if possible.bit_count() < 2:
                return False
            if chosen.bit_count() == 2:
                for other in _members(possible & ~chosen):
                    self.refuse(vertex, other)
            elif possible.bit_count() == 2 and not all(
                self.choose(vertex, other) for other in _members(possible & ~chosen)
            ):
                return False
        return True

    def open_edge(self) -> Edge:
        """Return a possible edge at a vertex that has few of them, at the end of a path if there is one."""
        open_edges = [possible & ~chosen for possible, chosen in zip(self.possible, self.chosen, strict=True)]
        vertices = [vertex for vertex, edges in enumerate(open_edges) if edges]
        vertex = min(vertices, key=lambda v: (not self.chosen[v], open_edges[v].bit_count()))
        return vertex, next(_members(open_edges[vertex]))

    def order(self) -> list[int]:
        """Return the vertices of a complete cycle in order."""
        order = [0, next(_members(self.chosen[0]))]
        while len(order) < len(self.end):
            order += _members(self.chosen[order[-1]] & ~(1 << order[-2]))
        return order


def _members(bits: int) -> Iterator[int]:
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1
