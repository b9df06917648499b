"""Matchings among given edges, and matchings that cover given vertices of a graph.

The sets of vertices that a matching can cover form a matroid, so they are covered one by one: a search
from an uncovered one ends at another uncovered vertex, or at one that need not be covered and gives up its
partner. If it ends at neither, the vertices it has seen prove that there is no such matching.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from slidelab.boards.board import Edge
from slidelab.boards.matching import ALONE, Neighbours, Tree, first_pairs, paired

__all__ = ["Deficit", "covering_deficit", "largest_matching"]


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
    partner = paired(rows)
    return [(a, b) for a, b in given if partner[number[a]] == number[b]]


def covering_deficit(neighbours: Neighbours, required: Collection[int]) -> Deficit | None:
    """None if a matching covers all required vertices, else why there is none.

    >>> covering_deficit([(1,), (0, 2), (1,)], [0, 1])
    >>> covering_deficit([(1,), (0, 2), (1,)], [0, 2])
    Deficit(groups=((0,), (2,)), partners=(1,))
    """
    count = len(neighbours)
    partner, settled, needed = first_pairs(neighbours), [False] * count, [False] * count
    for vertex in required:
        needed[vertex] = True
    for root in range(count):
        if needed[root] and partner[root] == ALONE:
            tree = Tree(neighbours, partner, root, settled)
            if not tree.grow(needed):
                return _deficit(tree)
    return None


def _deficit(tree: Tree) -> Deficit:
    groups: dict[int, list[int]] = {}
    for vertex in sorted(tree.outer_cells):
        groups.setdefault(tree.find(vertex), []).append(vertex)
    partners = sorted(vertex for vertex, is_outer in tree.outer.items() if not is_outer)
    return Deficit(tuple(tuple(group) for group in groups.values()), tuple(partners))
