"""Breadth-first search, connected components and union-find on any graph.

A graph is whatever gives the neighbours of a vertex by index: `Board.neighbours`, a list of rows, a dict.
Vertices are visited in the order of their distance, and at equal distance in the order of the rows, so all
results are reproducible. Everything takes time linear in the part of the graph that is visited.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

__all__ = [
    "Adjacency",
    "DisjointSets",
    "adjacency",
    "component_lists",
    "connected_components",
    "distance_list",
    "distances",
    "predecessors",
    "reachable",
    "shortest_path",
    "trace",
    "two_coloring",
]

V = TypeVar("V", bound=Hashable)


class Adjacency(Protocol[V]):
    """A graph: the neighbours of a vertex by index."""

    def __getitem__(self, vertex: V, /) -> Iterable[V]: ...


def predecessors(
    graph: Adjacency[V],
    sources: Iterable[V],
    within: Callable[[V], bool] | None = None,
    until: Collection[V] = (),
) -> dict[V, V]:
    """Return the predecessor of each vertex that a breadth-first search from the sources reaches.

    Parameters
    ----------
    graph
        The neighbours of each vertex.
    sources
        Where the search starts; a source is its own predecessor.
    within
        Whether a vertex other than a source may be entered; default all.
    until
        The search stops once all of these are reached; default never.

    Returns
    -------
    dict
        In the order of distance. `trace` reads a shortest path from it.

    Examples
    --------
    >>> predecessors({0: [1], 1: [0, 2], 2: [1]}, [1])
    {1: 1, 0: 1, 2: 1}
    """
    before = {source: source for source in sources}
    missing = {*until} - before.keys()
    queue = list(before)
    if within is None and not until:  # the usual case, without their tests in the loop
        for vertex in queue:
            for other in graph[vertex]:
                if other not in before:
                    before[other] = vertex
                    queue.append(other)
        return before
    for vertex in queue:
        for other in graph[vertex]:
            if other not in before and (within is None or within(other)):
                before[other] = vertex
                queue.append(other)
                if missing:
                    missing.discard(other)
        if until and not missing:
            break
    return before


def trace(before: Mapping[V, V], vertex: V) -> list[V]:
    """Return the path from a source to `vertex` in a map of `predecessors`, both included.

    >>> trace({1: 1, 2: 1, 3: 2}, 3)
    [1, 2, 3]
    """
    path = [vertex]
    while (previous := before[vertex]) != vertex:
        path.append(previous)
        vertex = previous
    return path[::-1]


def shortest_path(
    graph: Adjacency[V],
    sources: Iterable[V],
    is_goal: Callable[[V], bool],
    within: Callable[[V], bool] | None = None,
) -> list[V]:
    """Return a shortest path from a source to the nearest goal, both included; empty if there is none.

    >>> shortest_path([(1, 3), (0, 2), (1, 3), (0, 2)], [0], lambda vertex: vertex > 1)
    [0, 3]
    """
    before = {source: source for source in sources}
    for source in before:
        if is_goal(source):
            return [source]
    queue = list(before)
    for vertex in queue:
        for other in graph[vertex]:
            if other not in before and (within is None or within(other)):
                before[other] = vertex
                if is_goal(other):
                    return trace(before, other)
                queue.append(other)
    return []


def distances(graph: Adjacency[V], sources: Iterable[V], limit: int | None = None) -> dict[V, int]:
    """Return the number of steps from the nearest source to each vertex reached in at most `limit` steps.

    >>> distances({0: [1], 1: [0, 2], 2: [1]}, [0])
    {0: 0, 1: 1, 2: 2}
    """
    steps = dict.fromkeys(sources, 0)
    queue = list(steps)
    for vertex in queue:
        following = steps[vertex] + 1
        if limit is not None and following > limit:
            break
        for other in graph[vertex]:
            if other not in steps:
                steps[other] = following
                queue.append(other)
    return steps


def distance_list(rows: Sequence[Sequence[int]], sources: Iterable[int], unreached: int = -1) -> list[int]:
    """Return the number of steps from the nearest source to each of the vertices 0, 1, ...

    >>> distance_list([(1,), (0, 2), (1,), ()], [0])
    [0, 1, 2, -1]
    """
    steps = distances(rows, sources)
    return [steps.get(vertex, unreached) for vertex in range(len(rows))]


def connected_components(graph: Adjacency[V], vertices: Iterable[V]) -> Iterator[dict[V, V]]:
    """Yield the `predecessors` in each connected component, from the first of its vertices on.

    >>> [list(part) for part in connected_components([(2,), (), (0,)], range(3))]
    [[0, 2], [1]]
    """
    seen: set[V] = set()
    for start in vertices:
        if start not in seen:
            part = predecessors(graph, [start])
            seen.update(part)
            yield part


def component_lists(rows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the vertices of each connected component of a graph on 0, 1, ..., in the order of distance.

    Half the time of `connected_components`, for those who need no predecessors.

    >>> list(component_lists([(2,), (), (0,)]))
    [[0, 2], [1]]
    """
    seen = [False] * len(rows)
    for start in range(len(rows)):
        if not seen[start]:
            seen[start] = True
            queue = [start]
            for vertex in queue:
                for other in rows[vertex]:
                    if not seen[other]:
                        seen[other] = True
                        queue.append(other)
            yield queue


def reachable(successors: Callable[[V], Iterable[V]], sources: Iterable[V]) -> Iterator[V]:
    """Yield everything that repeated steps from the sources reach, once each, in the order of distance.

    >>> list(reachable(lambda n: (2 * n % 7, 3 * n % 7), [1]))
    [1, 2, 3, 4, 6, 5]
    """
    queue = list(dict.fromkeys(sources))
    seen = set(queue)
    for vertex in queue:
        yield vertex
        for other in successors(vertex):
            if other not in seen:
                seen.add(other)
                queue.append(other)


def adjacency(edges: Iterable[tuple[V, V]]) -> dict[V, list[V]]:
    """Return the neighbours of each vertex that has an edge.

    >>> adjacency([(0, 2), (2, 1)])
    {0: [2], 2: [0, 1], 1: [2]}
    """
    graph: dict[V, list[V]] = {}
    for a, b in edges:
        graph.setdefault(a, []).append(b)
        graph.setdefault(b, []).append(a)
    return graph


def two_coloring(graph: Adjacency[V], vertices: Iterable[V]) -> dict[V, int] | None:
    """Return a color 0 or 1 for each vertex such that neighbours differ, or None if there is none.

    The first vertex of each connected component has color 0.

    >>> two_coloring([(1, 2), (0, 3), (0, 3), (1, 2)], range(4))
    {0: 0, 1: 1, 2: 1, 3: 0}
    >>> two_coloring([(1, 2), (0, 2), (0, 1)], range(3)) is None
    True
    """
    color: dict[V, int] = {}
    for start in vertices:
        if start in color:
            continue
        color[start] = 0
        queue = [start]
        for vertex in queue:
            opposite = 1 - color[vertex]
            for other in graph[vertex]:
                if other not in color:
                    color[other] = opposite
                    queue.append(other)
                elif color[other] != opposite:
                    return None
    return color


class DisjointSets:
    """Disjoint sets of the numbers 0, 1, ..., that merge (union-find with path halving, union by size).

    >>> sets = DisjointSets(4)
    >>> sets.union(0, 3), sets.union(3, 0), sets.size(3)
    (True, False, 2)
    >>> sets.sets()
    [[0, 3], [1], [2]]
    """

    __slots__ = ("_parent", "_size")

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))
        self._size = [1] * count

    def find(self, element: int) -> int:
        """Return the number that represents the set of `element`."""
        parent = self._parent
        while parent[element] != element:
            parent[element] = element = parent[parent[element]]
        return element

    def union(self, a: int, b: int) -> bool:
        """Merge the sets of `a` and `b`; return whether they were different."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self._size[a] < self._size[b]:
            a, b = b, a
        self._parent[b] = a
        self._size[a] += self._size[b]
        return True

    def merge(self, permutation: Iterable[int]) -> bool:
        """Merge each element with its image; return whether any sets were different."""
        merged = [self.union(element, image) for element, image in enumerate(permutation)]
        return any(merged)

    def size(self, element: int) -> int:
        """Return the number of elements in the set of `element`."""
        return self._size[self.find(element)]

    def sets(self) -> list[list[int]]:
        """Return the sets, each sorted, in the order of their first elements."""
        members: dict[int, list[int]] = {}
        for element in range(len(self._parent)):
            members.setdefault(self.find(element), []).append(element)
        return list(members.values())
