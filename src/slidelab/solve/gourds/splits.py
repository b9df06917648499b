"""Closed ways cut in two, and places where the order of gourds along a way can be changed.

A closed way through all cells of a hexagonal board without a hole inside bounds a polygon that its chords cut
into triangles; seen as nodes, touching along chords, the triangles are a tree (Lemma 3 of the gourds paper).
Take a triangle with one side on the way: it has two chords, and beyond them a and b triangles. If a and b are
even, then the triangle with all beyond its first chord has an odd number of cells round it, and so has the
triangle with all beyond its second. These are the two ways of a split: they share the three corners, and with
the hole on the corner that faces the side, a gourd on that side lies on both.

The paper has a second kind of split, of ways that share one cell, for odd a and b, with one of the ways made
longer by two cells of the other. That longer way is the way round one more triangle, the next one, which is
cut as above: the second kind is the first kind one triangle further. See docs/design/gourds.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from slidelab.boards import Board

__all__ = ["Split", "best_split", "changing_paths", "changing_places", "inner_corners"]

Way = list[int]


@dataclass(frozen=True, slots=True)
class Split:
    """Two closed ways that share the hole and the place of one gourd."""

    hole: int
    place: tuple[int, int]
    first: Way
    second: Way


def inner_corners(board: Board, way: Sequence[int]) -> list[int]:
    """For each step of a closed way, the cell that touches both of its cells on the inner side, -1 if none.

    >>> from slidelab.boards import board
    >>> inner_corners(board("hex P(2,2)"), [0, 1, 3, 2])
    [2, 2, 1, 1]
    """
    points = [board.cells[cell] for cell in way]
    ends = [*points[1:], points[0]]
    area = sum(a * d - b * c for (a, b), (c, d) in zip(points, ends, strict=True))
    out = []
    for (q, r), (x, y) in zip(points, ends, strict=True):
        dq, dr = x - q, y - r
        corner = (q - dr, r + dq + dr) if area > 0 else (q + dq + dr, r - dq)
        out.append(board.cell_at.get(corner, -1))
    return out


def best_split(board: Board, way: Way) -> Split | None:
    """The split into ways of most nearly equal length; None if no triangle has even numbers on both sides.

    >>> from slidelab.boards import board
    >>> best_split(board("hex 0,0 1,0 2,0 3,0 0,1 1,1 2,1"), [0, 1, 2, 3, 6, 5, 4])
    Split(hole=5, place=(1, 2), first=[5, 4, 0, 1, 2], second=[1, 2, 3, 6, 5])
    """
    length = len(way)
    at = {cell: number for number, cell in enumerate(way)}
    best, chosen = 1, None
    for j, corner in enumerate(inner_corners(board, way)):
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
    return Split(way[i], (way[j], way[k]), _arc(way, i, k), _arc(way, j, i))


def _arc(way: Way, first: int, last: int) -> Way:
    return way[first : last + 1] if first <= last else way[first:] + way[: last + 1]


def changing_places(board: Board, way: Way) -> Iterator[tuple[str, Way]]:
    """Where one gourd can pass another: the way, in either direction, beginning there, and how it is done.

    `aside`: four cells a b c d in a row, a touching c and d: a gourd on b c stays aside (substructure (i) of
    Lemma 5). `swap`: five cells a b c d e in a row, a, c and e touching each other: there two gourds change
    places (substructure (ii), the swapping station of the thesis).

    >>> from slidelab.boards import board
    >>> next(changing_places(board("hex P(5,1)"), [0, 1, 2, 3, 4]), None)
    >>> next(changing_places(board("hex 0,0 1,0 2,0 0,1 1,1"), [0, 1, 2, 4, 3]))
    ('aside', [1, 2, 4, 3, 0])
    """
    length, touching = len(way), board.neighbours
    swaps = []
    for turned in (way, way[::-1]):
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


def changing_paths(board: Board) -> list[tuple[int, ...]]:
    """All paths of cells along which a closed way has a place where one gourd can pass another.

    >>> from slidelab.boards import board
    >>> changing_paths(board("hex P(2,2)"))
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
