"""Splits of a Hamiltonian cycle in two, and stations where the order of gourds along it can be changed.

A Hamiltonian cycle of a hexagonal board without a hole inside bounds a polygon that its chords triangulate;
the dual graph of the triangulation is a tree (Lemma 3 of the gourds paper). Take a triangle with one side on
the cycle: it has two chords, and beyond them a and b triangles. If a and b are even, then the triangle with
all beyond its first chord has an odd number of cells around it, and so has the triangle with all beyond its
second. These are the two cycles of a split: they share the three corners, and with the hole on the corner
that faces the side, a gourd on that side lies on both.

The paper has a second kind of split, of cycles that share one cell, for odd a and b, with one of the cycles
extended by two cells of the other. That extended cycle goes around one more triangle, the next one, which is
split as above: the second kind is the first kind one triangle further. See docs/design/gourds.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from slidelab.boards import Board

__all__ = ["Cycle", "Split", "best_split", "inner_corners", "passing_paths", "passing_stations"]

Cycle = list[int]
"""The cells of a cycle in order."""


@dataclass(frozen=True, slots=True)
class Split:
    """Two cycles that share the hole and the cells of one gourd."""

    hole: int
    place: tuple[int, int]
    first: Cycle
    second: Cycle


def inner_corners(board: Board, cycle: Sequence[int]) -> list[int]:
    """Return, for each step of a cycle, the cell that touches both of its cells inside, -1 if none.

    >>> from slidelab.boards import board
    >>> inner_corners(board("hex P(2,2)"), [0, 1, 3, 2])
    [2, 2, 1, 1]
    """
    points = [board.cells[cell] for cell in cycle]
    ends = [*points[1:], points[0]]
    area = sum(a * d - b * c for (a, b), (c, d) in zip(points, ends, strict=True))
    out = []
    for (q, r), (x, y) in zip(points, ends, strict=True):
        dq, dr = x - q, y - r
        corner = (q - dr, r + dq + dr) if area > 0 else (q + dq + dr, r - dq)
        out.append(board.cell_at.get(corner, -1))
    return out


def best_split(board: Board, cycle: Cycle) -> Split | None:
    """Return the most balanced split; None if no triangle has even numbers on both sides.

    >>> from slidelab.boards import board
    >>> best_split(board("hex 0,0 1,0 2,0 3,0 0,1 1,1 2,1"), [0, 1, 2, 3, 6, 5, 4])
    Split(hole=5, place=(1, 2), first=[5, 4, 0, 1, 2], second=[1, 2, 3, 6, 5])
    """
    length = len(cycle)
    at = {cell: number for number, cell in enumerate(cycle)}
    best, chosen = 1, None
    for j, corner in enumerate(inner_corners(board, cycle)):
        i = at.get(corner)
        if i is None:
            continue
        beyond = (j - i - 1) % length
        smaller = min(beyond, length - 3 - beyond)
        if beyond % 2 == 0 and smaller > best:
            best, chosen = smaller, (i, j)
    if chosen is None:
        return None
    i, j = chosen
    k = (j + 1) % length
    return Split(cycle[i], (cycle[j], cycle[k]), _arc(cycle, i, k), _arc(cycle, j, i))


def _arc(cycle: Cycle, first: int, last: int) -> Cycle:
    return cycle[first : last + 1] if first <= last else cycle[first:] + cycle[: last + 1]


def passing_stations(board: Board, cycle: Cycle) -> Iterator[tuple[str, Cycle]]:
    """Yield where one gourd can pass another: how, and the cycle in either direction, beginning there.

    `aside`: consecutive cells a b c d, a touching c and d: a gourd on b c stays aside (substructure (i) of
    Lemma 5). `swap`: consecutive cells a b c d e, a, c and e touching each other: there two gourds are
    swapped (substructure (ii), the swapping station of the thesis).

    >>> from slidelab.boards import board
    >>> next(passing_stations(board("hex P(5,1)"), [0, 1, 2, 3, 4]), None)
    >>> next(passing_stations(board("hex 0,0 1,0 2,0 0,1 1,1"), [0, 1, 2, 4, 3]))
    ('aside', [1, 2, 4, 3, 0])
    """
    length, touching = len(cycle), board.neighbours
    swaps = []
    for turned in (cycle, cycle[::-1]):
        for i in range(length):
            a, _, c, d, e = (turned[(i + k) % length] for k in range(5))
            if c not in touching[a]:
                continue
            if d in touching[a]:
                yield "aside", turned[i:] + turned[:i]
            elif e in touching[a] and e in touching[c]:
                swaps.append(turned[i:] + turned[:i])
    for turned in swaps:
        yield "swap", turned


def passing_paths(board: Board) -> list[tuple[int, ...]]:
    """Return all paths of cells along which a cycle has a station where one gourd can pass another.

    >>> from slidelab.boards import board
    >>> passing_paths(board("hex P(2,2)"))
    [(1, 0, 2, 3), (1, 3, 2, 0), (2, 0, 1, 3), (2, 3, 1, 0)]
    """
    near = board.neighbours
    aside: list[tuple[int, ...]] = []
    swap: list[tuple[int, ...]] = []
    for a in range(board.size):
        for c in near[a]:
            for b in near[a]:
                if b not in near[c]:
                    continue
                aside += [(a, b, c, d) for d in near[a] if d in near[c] and d != b]
                swap += [
                    (a, b, c, d, e) for e in near[a] for d in near[c] if _is_station(near, a, b, c, d, e)
                ]
    return aside + swap


def _is_station(near: Sequence[Sequence[int]], a: int, b: int, c: int, d: int, e: int) -> bool:
    return e in near[c] and d in near[e] and len({a, b, c, d, e}) == 5
