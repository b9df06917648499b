"""Ear decompositions of a 2-connected graph that begin with a theta graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from slidelab.boards.walks import distances, trace, two_coloring
from slidelab.errors import PuzzleError
from slidelab.solve.wilson.thetas import Theta, best_renaming, effort
from slidelab.solve.wilson.walks import Cells, Graph, join_numbers

__all__ = ["Ear", "base_theta", "ears_upon", "is_bipartite_graph", "other_thetas", "short_cycles"]


@dataclass(frozen=True, slots=True)
class Ear:
    """A path with its ends on the graph so far."""

    x: int
    inner: Cells
    y: int

    def describe(self) -> str:
        """Return the ear in words."""
        return f"ear {join_numbers(self.inner)} between {self.x} and {self.y}"


def _shortest_ear(graph: Graph, depth: Mapping[int, int]) -> Ear | None:
    """Return a shortest path through cells without a depth between two cells that have one, not too deep."""
    root = {cell: cell for cell in depth}
    before = dict(root)
    away = dict.fromkeys(depth, 0)
    queue = [*depth]
    best: tuple[int, int] | None = None
    found = (-1, -1)
    for cell in queue:
        if best and 2 * away[cell] - 1 > best[0]:  # neighbours differ by at most one in how far they are
            break
        for other in graph[cell]:
            if other not in root:
                root[other], before[other], away[other] = root[cell], cell, away[cell] + 1
                queue.append(other)
            elif root[other] != root[cell] and away[cell] + away[other]:
                key = away[cell] + away[other], max(depth[root[cell]], depth[root[other]])
                if best is None or key < best:
                    best, found = key, (cell, other)
    if best is None:
        return None
    a, b = found
    return Ear(root[a], (*trace(before, a)[1:], *trace(before, b)[:0:-1]), root[b])


def ears_upon(graph: Graph, base: Cells) -> list[Ear]:
    """Return ears that extend the base to the graph, short and near ones first; single edges are ignored."""
    depth = dict.fromkeys(base, 0)
    found = []
    while len(depth) < len(graph):
        ear = _shortest_ear(graph, depth)
        if ear is None:
            raise PuzzleError("expected a 2-connected graph, got one of several parts")
        found.append(ear)
        depth.update(dict.fromkeys(ear.inner, 1 + max(depth[ear.x], depth[ear.y])))
    return found


def short_cycles(graph: Graph) -> list[Cells]:
    """Return a short even and a short odd cycle through each cell, as far as they exist; shortest first.

    >>> short_cycles({0: (1, 2, 3), 1: (0, 2), 2: (0, 1, 3), 3: (0, 2)})
    [(0, 1, 2), (3, 0, 2), (1, 2, 3, 0)]
    """
    kinds = 1 if is_bipartite_graph(graph) else 2
    found: dict[frozenset[int], Cells] = {}
    for root in graph:
        before, branch, away = {root: root}, {root: root}, {root: 0}
        best: dict[int, tuple[int, int]] = {}
        queue = [root]
        for cell in queue:
            if len(best) == kinds:
                break
            for other in graph[cell]:
                if other not in before:
                    before[other], away[other] = cell, away[cell] + 1
                    branch[other] = other if cell == root else branch[cell]
                    queue.append(other)
                elif branch[other] != branch[cell] and root not in (cell, other):
                    best.setdefault((away[cell] + away[other]) % 2, (cell, other))
        for a, b in best.values():
            cycle = (*trace(before, a), *trace(before, b)[:0:-1])
            found.setdefault(frozenset(cycle), cycle)
    return sorted(found.values(), key=len)


def _theta(cycle: Cells, ear: Ear) -> Theta:
    """Return the theta graph of a cycle and an ear."""
    x = cycle.index(ear.x)
    rotated = cycle[x:] + cycle[:x]
    y = rotated.index(ear.y)
    return Theta(ear.x, ear.y, rotated[1:y], rotated[:y:-1], ear.inner)


def _theta_choices(graph: Graph) -> Iterator[Theta]:
    cycles = short_cycles(graph)
    for parity in (0, 1):
        for cycle in [cycle for cycle in cycles if len(cycle) % 2 == parity][:30]:
            for ear in _ears_on(graph, cycle):
                yield _theta(cycle, ear)


def _ears_on(graph: Graph, cycle: Cells) -> Iterator[Ear]:
    """Yield the chords of the cycle, and a shortest ear on it."""
    for i, cell in enumerate(cycle):
        for other in cycle[i + 2 : len(cycle) - (i == 0)]:
            if other in graph[cell]:
                yield Ear(cell, (), other)
    ear = _shortest_ear(graph, dict.fromkeys(cycle, 0))
    if ear is not None:
        yield ear


def is_bipartite_graph(graph: Graph) -> bool:
    """Return whether all cycles are even.

    >>> is_bipartite_graph({0: (1, 2), 1: (0, 2), 2: (0, 1)})
    False
    """
    return two_coloring(graph, graph) is not None


def base_theta(graph: Graph) -> Theta:
    """Return a small theta graph to begin with, with an odd cycle if the graph has one.

    It is theta0 only if the graph is. See `other_thetas`.
    """
    odd = not is_bipartite_graph(graph)
    choices = [theta for theta in _theta_choices(graph) if theta.is_bipartite != odd]
    if not choices:
        raise PuzzleError("expected a 2-connected graph, got one without a theta graph")
    good = [theta for theta in choices if not theta.is_theta0] or other_thetas(graph, choices[0])
    if not good:
        return choices[0]
    far = {theta: _remoteness(graph, theta) for theta in good}
    return min(good, key=lambda theta: (effort(best_renaming(theta)) + 4 * far[theta], theta.cells))


def _remoteness(graph: Graph, theta: Theta) -> float:
    """Return the mean distance of a cell from the theta graph."""
    away = distances(graph, theta.cells)
    return sum(away.values()) / len(away)


def other_thetas(graph: Graph, theta0: Theta) -> list[Theta]:
    """Return theta graphs other than theta0 inside theta0 and one more ear, with an odd cycle if possible.

    Section 4.4 says that this is always possible. It is, except for a path with two inner cells between the
    ends of theta0: of the theta graphs in four paths with 1, 2, 2 and 2 inner cells, (1,2,2) is theta0, and
    (2,2,2) has no odd cycle. Then all is done by 3-cycles, after one round of an odd cycle if necessary.
    """
    paths = [(theta0.x, *path, theta0.y) for path in (theta0.a, theta0.b, theta0.c)]
    edges = {frozenset(edge) for path in paths for edge in pairwise(path)}
    inside = set(theta0.cells)
    chords = (frozenset((a, b)) for a in inside for b in graph[a] if b in inside)
    chord = next((edge for edge in chords if edge not in edges), None)
    if chord is not None:
        edges.add(chord)
    elif ear := _shortest_ear(graph, dict.fromkeys(theta0.cells, 0)):
        edges |= {frozenset(edge) for edge in pairwise((ear.x, *ear.inner, ear.y))}
    found = [theta for gone in sorted(edges, key=sorted) if (theta := _theta_of(edges - {gone}))]
    found = [theta for theta in found if not theta.is_theta0]
    return [theta for theta in found if not theta.is_bipartite] or found


def _theta_of(edges: Iterable[frozenset[int]]) -> Theta | None:
    """Return the theta graph that is left when dead ends are removed, if it is one."""
    graph: dict[int, set[int]] = {}
    for a, b in map(tuple, edges):
        graph.setdefault(a, set()).add(b)
        graph.setdefault(b, set()).add(a)
    while dead := [cell for cell, row in graph.items() if len(row) == 1]:
        for cell in dead:
            for other in graph.pop(cell):
                graph[other].discard(cell)
    ends = [cell for cell, row in graph.items() if len(row) != 2]
    if len(ends) != 2 or any(len(graph[end]) != 3 for end in ends):
        return None
    x, y = sorted(ends)
    paths = []
    for first in sorted(graph[x]):
        before, cell, path = x, first, []
        while cell not in ends:
            path.append(cell)
            before, cell = cell, next(other for other in graph[cell] if other != before)
        if cell != y:
            return None
        paths.append(tuple(path))
    return Theta(x, y, *paths)
