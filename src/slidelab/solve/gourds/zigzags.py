"""Cycles without long zigzags of triangles that have no side on the cycle.

The quadratic method needs a triangle with one side on the cycle that splits the polygon into parts of
similar size. Only a long row of triangles without such a side can prevent that. Such a row is a straight
strip with a tooth on every triangle (Lemma 7 of the gourds paper), and there the cycle is rerouted: of four
consecutive triangles the second is opened, so that its tip is reached from the other side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from slidelab.boards import Board
from slidelab.boards.walks import predecessors, trace
from slidelab.solve.gourds.splits import Cycle, inner_corners

__all__ = ["without_zigzags", "zigzags"]

MAX_ZIGZAG = 6
"""Triangles of the longest zigzag that is left (Lemma 7)."""

Triangle = frozenset[int]


def without_zigzags(board: Board, cycle: Cycle) -> Cycle:
    """Return a cycle through the same cells with at most six inner triangles in a row.

    >>> from slidelab.boards import board
    >>> without_zigzags(board("hex P(3,2)"), [0, 1, 2, 5, 4, 3])
    [0, 1, 2, 5, 4, 3]
    """
    while rows := list(zigzags(board, cycle)):
        link = _Links(cycle)
        for row in rows:
            for first in range(1, len(row) - MAX_ZIGZAG + 1, MAX_ZIGZAG + 1):
                _open(board, link, row[first : first + 4])
        cycle = link.cycle()
    return cycle


def zigzags(board: Board, cycle: Cycle) -> Iterator[list[Triangle]]:
    """Yield maximal rows of more than six triangles that have no side on the cycle."""
    around = _inner_triangles(board, cycle)
    left = set(around)
    while left:
        ends = _farthest(around, _farthest(around, next(iter(left)))[-1])
        left -= predecessors(around, ends[:1]).keys()
        if len(ends) > MAX_ZIGZAG:
            yield ends


def _inner_triangles(board: Board, cycle: Cycle) -> dict[Triangle, list[Triangle]]:
    """Return the triangles without a side on the cycle, and which of them share a chord."""
    corner = inner_corners(board, cycle)
    sides = {frozenset((a, b)) for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True)}
    begin = frozenset((cycle[0], cycle[1], corner[0]))
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
    """Return the cell beyond a side of a triangle."""
    (a, b), (third,) = side, triangle - side
    (aq, ar), (bq, br), (q, r) = (board.cells[cell] for cell in (a, b, third))
    return board.cell_at[aq + bq - q, ar + br - r]


def _farthest(around: dict[Triangle, list[Triangle]], start: Triangle) -> list[Triangle]:
    """Return a longest path from a triangle; from the end of such a path, a longest path of the tree."""
    before = predecessors(around, [start])
    return trace(before, next(reversed(before)))


class _Links:
    """A cycle that cells can be removed from and inserted into."""

    def __init__(self, cycle: Cycle) -> None:
        self.next = dict(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        self.last = {b: a for a, b in self.next.items()}

    def remove(self, cell: int) -> None:
        before, after = self.last.pop(cell), self.next.pop(cell)
        self.next[before], self.last[after] = after, before

    def insert(self, cell: int, one: int, other: int) -> None:
        before, after = (one, other) if self.next[one] == other else (other, one)
        self.next[before], self.last[after] = cell, cell
        self.last[cell], self.next[cell] = before, after

    def cycle(self) -> Cycle:
        out = [next(iter(self.next))]
        while (then := self.next[out[-1]]) != out[0]:
            out.append(then)
        return out


def _open(board: Board, link: _Links, row: list[Triangle]) -> None:
    """Open four consecutive triangles, each with a tooth.

    The corner that the first three share is removed from between the teeth of the first and the third, and
    so is the tooth of the second; the corner is inserted where that tooth was, and the tooth beside that of
    the fourth.
    """
    first, second, third, fourth = row
    (corner,) = first & second & third
    (other,) = second & third & fourth
    side = second - {corner}
    tooth = _across(board, side, second)
    far = _across(board, frozenset(fourth - third | {other}), fourth)
    link.remove(corner)
    link.remove(tooth)
    one, two = side
    link.insert(corner, one, two)
    link.insert(tooth, other, far)
