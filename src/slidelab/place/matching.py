"""Matchings that cover given vertices of a graph: Edmonds' blossom algorithm.

The sets of vertices that a matching can cover form a matroid, so they are covered one by one: a search
from an uncovered one ends at another uncovered vertex, or at one that need not be covered and gives up its
partner. If it ends at neither, the vertices it has seen prove that there is no such matching.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Deficit", "covering_deficit", "largest_matching"]

Edge = tuple[int, int]

Neighbours = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Deficit:
    """Groups of vertices, each odd in number, that touch only `partners` outside: one group too many."""

    groups: tuple[tuple[int, ...], ...]
    partners: tuple[int, ...]


def largest_matching(edges: Iterable[Edge]) -> list[Edge]:
    """As many edges as possible of which no two share a vertex.

    >>> largest_matching([(3, 7), (7, 8), (3, 8)])
    [(3, 7)]
    """
    given = list(edges)
    # Numbers of their own, so that a few edges of a large board are a small graph.
    number = {vertex: k for k, vertex in enumerate(dict.fromkeys(v for edge in given for v in edge))}
    rows: list[list[int]] = [[] for _ in number]
    for a, b in given:
        rows[number[a]].append(number[b])
        rows[number[b]].append(number[a])
    search = _Search(rows, range(len(rows)))
    for root in search.uncovered():
        search.cover(root)
    return [(a, b) for a, b in given if search.partner[number[a]] == number[b]]


def covering_deficit(neighbours: Neighbours, required: Collection[int]) -> Deficit | None:
    """None if a matching covers all required vertices, else why there is none.

    >>> covering_deficit([(1,), (0, 2), (1,)], [0, 1])
    >>> covering_deficit([(1,), (0, 2), (1,)], [0, 2])
    Deficit(groups=((0,), (2,)), partners=(1,))
    """
    search = _Search(neighbours, required)
    for root in search.uncovered():
        if deficit := search.cover(root):
            return deficit
    return None


class _Search:
    """A matching that grows; `partner` is -1 where there is none."""

    def __init__(self, neighbours: Neighbours, required: Collection[int]) -> None:
        self.neighbours = neighbours
        self.partner = [-1] * len(neighbours)
        self.required = [False] * len(neighbours)
        for vertex in required:
            self.required[vertex] = True
        self._begin()

    def _begin(self) -> None:
        """Most vertices find a partner without any search."""
        for vertex, row in enumerate(self.neighbours):
            free = [other for other in row if self.partner[other] < 0]
            if self.partner[vertex] < 0 and free:
                # Vertices with few neighbours first: they have the least choice.
                other = min(free, key=lambda cell: len(self.neighbours[cell]))
                self.partner[vertex], self.partner[other] = other, vertex

    def uncovered(self) -> list[int]:
        return [v for v, needs in enumerate(self.required) if needs and self.partner[v] < 0]

    def cover(self, root: int) -> Deficit | None:
        """Cover one more vertex, and keep all required ones that are covered."""
        if self.partner[root] >= 0:
            return None
        count = len(self.neighbours)
        self.base = list(range(count))
        self.parent = [-1] * count
        self.outer = [False] * count
        self.outer[root] = True
        self.queue = deque([root])
        while self.queue:
            vertex = self.queue.popleft()
            for other in self.neighbours[vertex]:
                if self._visit(root, vertex, other):
                    return None
        return self._deficit()

    def _visit(self, root: int, vertex: int, other: int) -> bool:
        """Look along one edge from an outer vertex; True if that ended the search."""
        if self.base[vertex] == self.base[other] or self.partner[vertex] == other:
            return False
        if other == root or (self.partner[other] >= 0 and self.parent[self.partner[other]] >= 0):
            return self._shrink(vertex, other)
        if self.parent[other] >= 0:
            return False
        self.parent[other] = vertex
        if self.partner[other] < 0:
            self._flip(other)
            return True
        return self._reach(self.partner[other])

    def _reach(self, vertex: int) -> bool:
        """A vertex at even distance may be left uncovered, unless it is required."""
        self.outer[vertex] = True
        self.queue.append(vertex)
        if self.required[vertex]:
            return False
        before = self.partner[vertex]
        self.partner[vertex] = -1
        self._flip(before)
        return True

    def _flip(self, vertex: int) -> None:
        while vertex >= 0:
            above = self.parent[vertex]
            following = self.partner[above]
            self.partner[vertex], self.partner[above] = above, vertex
            vertex = following

    def _shrink(self, a: int, b: int) -> bool:
        """An odd cycle becomes one vertex, all of it at even distance."""
        top = self._common_base(a, b)
        inside: set[int] = set()
        self._mark(a, top, b, inside)
        self._mark(b, top, a, inside)
        for vertex, base in enumerate(self.base):
            if base in inside:
                self.base[vertex] = top
                if not self.outer[vertex] and self._reach(vertex):
                    return True
        return False

    def _common_base(self, a: int, b: int) -> int:
        seen = set()
        while True:
            a = self.base[a]
            seen.add(a)
            if self.partner[a] < 0:
                break
            a = self.parent[self.partner[a]]
        while (b := self.base[b]) not in seen:
            b = self.parent[self.partner[b]]
        return b

    def _mark(self, vertex: int, top: int, child: int, inside: set[int]) -> None:
        while self.base[vertex] != top:
            inside |= {self.base[vertex], self.base[self.partner[vertex]]}
            self.parent[vertex] = child
            child = self.partner[vertex]
            vertex = self.parent[child]

    def _deficit(self) -> Deficit:
        groups: dict[int, list[int]] = {}
        for vertex, outer in enumerate(self.outer):
            if outer:
                groups.setdefault(self.base[vertex], []).append(vertex)
        partners = [v for v, above in enumerate(self.parent) if above >= 0 and not self.outer[v]]
        return Deficit(tuple(tuple(group) for group in groups.values()), tuple(partners))
