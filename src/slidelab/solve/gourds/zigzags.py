"""Closed ways without long zig-zags of triangles that touch no side of the way.

The quadratic method wants a triangle with one side on the way that cuts the polygon into parts of like
size. Only a long row of triangles without any such side can be in its way. Such a row is a straight strip
with a tooth on every triangle (Lemma 7 of the gourds paper), and there the way is led otherwise: of four
triangles in a row the second is opened, so that its tip is reached from the other side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from slidelab.boards import Board
from slidelab.boards.walks import predecessors, trace
from slidelab.solve.gourds.splits import Way, inner_corners

__all__ = ["without_zigzags", "zigzags"]

LONGEST = 6
"""A zig-zag of more triangles is broken up (Lemma 7)."""

Triangle = frozenset[int]


def without_zigzags(board: Board, way: Way) -> Way:
    """A closed way through the same cells with no more than six inner triangles in a row.

    >>> from slidelab.boards import board
    >>> without_zigzags(board("hex P(3,2)"), [0, 1, 2, 5, 4, 3])
    [0, 1, 2, 5, 4, 3]
    """
    while rows := list(zigzags(board, way)):
        link = _Links(way)
        for row in rows:
            for first in range(1, len(row) - LONGEST + 1, LONGEST + 1):
                _open(board, link, row[first : first + 4])
        way = link.way()
    return way


def zigzags(board: Board, way: Way) -> Iterator[list[Triangle]]:
    """Rows of more than six triangles that have no side on the way, each as long as it can be."""
    around = _inner_triangles(board, way)
    left = set(around)
    while left:
        ends = _farthest(around, _farthest(around, next(iter(left)))[-1])
        left -= predecessors(around, ends[:1]).keys()
        if len(ends) > LONGEST:
            yield ends


def _inner_triangles(board: Board, way: Way) -> dict[Triangle, list[Triangle]]:
    """The triangles without a side on the way, and which of them touch along a chord."""
    corner = inner_corners(board, way)
    sides = {frozenset((a, b)) for a, b in zip(way, [*way[1:], way[0]], strict=True)}
    begin = frozenset((way[0], way[1], corner[0]))
    chords: dict[frozenset[int], list[Triangle]] = defaultdict(list)
    seen, queue, inner = {begin}, [begin], []
    for triangle in queue:
        found = [frozenset(triangle - {cell}) for cell in triangle]
        if not any(side in sides for side in found):
            inner.append(triangle)
            for side in found:
                chords[side].append(triangle)
        for side in found:
            if side not in sides:
                across = side | {_across(board, side, triangle)}
                if across not in seen:
                    seen.add(across)
                    queue.append(across)
    around: dict[Triangle, list[Triangle]] = {triangle: [] for triangle in inner}
    for pair in chords.values():
        if len(pair) == 2:
            around[pair[0]].append(pair[1])
            around[pair[1]].append(pair[0])
    return around


def _across(board: Board, side: frozenset[int], triangle: Triangle) -> int:
    """The cell that touches both ends of the side, but is not of the triangle."""
    (a, b), (third,) = side, triangle - side
    (aq, ar), (bq, br), (q, r) = (board.cells[cell] for cell in (a, b, third))
    return board.cell_at[aq + bq - q, ar + br - r]


def _farthest(around: dict[Triangle, list[Triangle]], start: Triangle) -> list[Triangle]:
    """The longest path from there; in a tree, from the end of one such path it is the longest of all."""
    before = predecessors(around, [start])
    return trace(before, next(reversed(before)))


class _Links:
    """A closed way that cells can be taken out of and put into."""

    def __init__(self, way: Way) -> None:
        self.next = dict(zip(way, [*way[1:], way[0]], strict=True))
        self.last = {b: a for a, b in self.next.items()}

    def take_out(self, cell: int) -> None:
        before, after = self.last.pop(cell), self.next.pop(cell)
        self.next[before], self.last[after] = after, before

    def put_between(self, cell: int, one: int, other: int) -> None:
        before, after = (one, other) if self.next[one] == other else (other, one)
        self.next[before], self.last[after] = cell, cell
        self.last[cell], self.next[cell] = before, after

    def way(self) -> Way:
        out = [next(iter(self.next))]
        while (then := self.next[out[-1]]) != out[0]:
            out.append(then)
        return out


def _open(board: Board, link: _Links, row: list[Triangle]) -> None:
    """Four triangles in a row, each with a tooth.

    The corner that the first three share is taken from between the teeth of the first and the third, and the
    tooth of the second from its place; the corner goes where that tooth was, and the tooth beside that of the
    fourth.
    """
    first, second, third, fourth = row
    (corner,) = first & second & third
    (other,) = second & third & fourth
    side = second - {corner}
    tooth = _across(board, side, second)
    far = _across(board, frozenset(fourth - third | {other}), fourth)
    link.take_out(corner)
    link.take_out(tooth)
    one, two = side
    link.put_between(corner, one, two)
    link.put_between(tooth, other, far)
