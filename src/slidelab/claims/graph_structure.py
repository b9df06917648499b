"""Subgraphs, ears and paths that the proofs of Wong, Li and Chen ask for, tried on all small graphs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise

from slidelab.boards import (
    Board,
    connected_graphs,
    cyclomatic_number,
    from_edges,
    is_bipartite,
    is_cycle,
    is_theta0,
    is_two_connected,
    theta0,
)

__all__ = [
    "all_graphs",
    "avoidable_vertices",
    "other_subgraph",
    "separable_complement",
    "theta0_with_ears",
    "two_connected_graphs",
]

Edges = tuple[tuple[int, int], ...]


@lru_cache(maxsize=8)
def _graphs(size: int) -> tuple[Board, ...]:
    return tuple(connected_graphs(size))


def all_graphs(least: int, most: int) -> Iterator[Board]:
    """Yield all connected graphs with so many vertices, up to isomorphism."""
    for size in range(least, most + 1):
        yield from _graphs(size)


def two_connected_graphs(least: int, most: int) -> Iterator[Board]:
    """Yield those that are 2-connected and no cycle."""
    return (g for g in all_graphs(least, most) if is_two_connected(g) and not is_cycle(g))


def _on_edges(edges: Edges) -> Board:
    """Return the graph on these edges, its vertices renumbered."""
    names = sorted({vertex for edge in edges for vertex in edge})
    number = {name: k for k, name in enumerate(names)}
    return from_edges([(number[a], number[b]) for a, b in edges])


def separable_complement(graph: Board) -> Edges | None:
    """Return a subgraph that Theorem 4.11 forbids, or None.

    It is non-separable, one lower in cyclomatic number, and what it leaves is no path between two of its
    vertices.
    """
    beta = cyclomatic_number(graph)
    for left_out in range(1, len(graph.edges)):
        for rest in combinations(graph.edges, left_out):
            kept: Edges = tuple(edge for edge in graph.edges if edge not in rest)
            inside = {vertex for edge in kept for vertex in edge}
            if (
                len(kept) - len(inside) + 1 != beta - 1
                or len(kept) < 3
                or not is_two_connected(_on_edges(kept))
            ):
                continue
            outside = [vertex for vertex in range(graph.size) if vertex not in inside]
            degree = {v: sum(v in edge for edge in rest) for edge in rest for v in edge}
            ends = [v for v in degree if v in inside]
            is_path = len(ends) == 2 and all(degree[v] == 1 for v in ends)
            is_path = is_path and all(degree.get(v) == 2 for v in outside) and len(rest) == len(outside) + 1
            if not is_path:
                return kept
    return None


def avoidable_vertices(graph: Board, x: int, y: int) -> int:
    """Return how many vertices a shortest path from x to y leaves out."""
    far, queue = {x: 0}, [x]
    for vertex in queue:
        for other in graph.neighbours[vertex]:
            if other not in far:
                far[other] = far[vertex] + 1
                queue.append(other)
    return graph.size - far[y] - 1


def theta0_with_ears(most: int) -> Iterator[tuple[str, Board]]:
    """Yield theta0 with one ear of up to so many inner vertices, between any two of its vertices."""
    base = theta0()
    for a, b in combinations(range(base.size), 2):
        for inner in range(most + 1):
            if inner == 0 and base.adjacent(a, b):
                continue
            new = range(base.size, base.size + inner)
            path = [a, *new, b]
            yield f"{a}-{b}, {inner} inner", from_edges([*base.edges, *pairwise(path)])


def other_subgraph(graph: Board) -> bool:
    """Return whether an ear can be taken away such that a non-bipartite graph other than theta0 is left."""
    for rest in _branch_paths(graph):
        kept = tuple(edge for edge in graph.edges if edge not in rest)
        left = _on_edges(kept)
        if is_two_connected(left) and not is_bipartite(left) and not is_theta0(left):
            return True
    return False


def _branch_paths(graph: Board) -> Iterator[set[tuple[int, int]]]:
    """Yield the edges of each path between vertices of degree three and more."""
    branching = [v for v in range(graph.size) if len(graph.neighbours[v]) > 2]
    seen: set[tuple[int, int]] = set()
    for start in branching:
        for first in graph.neighbours[start]:
            path = [start, first]
            while len(graph.neighbours[path[-1]]) == 2:
                path.append(next(v for v in graph.neighbours[path[-1]] if v != path[-2]))
            edges = {(min(a, b), max(a, b)) for a, b in pairwise(path)}
            if not edges & seen:
                seen |= edges
                yield edges
