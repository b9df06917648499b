"""Necklaces: boards on which gourds keep their cyclic order."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

from slidelab.boards import Board, triangles

__all__ = ["is_necklace", "necklace_order"]


def is_necklace(board: Board) -> bool:
    """Return whether the board is a closed chain of edges, triangles and diamonds that share cells.

    A triangle hangs in the chain by two of its cells, a diamond (two triangles side by side) by the two cells
    that do not touch. On a necklace gourds keep their cyclic order.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> is_necklace(board("hex 1,0 2,0 0,1 2,1 0,2 1,2")), is_necklace(board("hex P(3,2)"))
    (True, False)
    """
    return necklace_order(board) is not None


def necklace_order(board: Board) -> tuple[int, ...] | None:
    """Return the cells of a necklace in cyclic order, None if the board is none.

    Cells of the board touch only if they are one or two steps apart in this order, and no three edges of two
    steps follow each other. Without the third cell of each triangle and one of the two middle cells of each
    diamond, a necklace is a ring; those cells are then put back beside their neighbours.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> necklace_order(board("hex 1,0 2,0 0,1 2,1 0,2 1,2"))
    (0, 1, 3, 5, 4, 2)
    """
    removed = _third_cells(board)
    if removed is None:
        return None
    near = {
        cell: [other for other in row if other not in removed]
        for cell, row in enumerate(board.neighbours)
        if cell not in removed
    }
    if not near or any(len(row) != 2 for row in near.values()):
        return None
    first = min(near)
    ring = [first, min(near[first])]
    while ring[-1] != first:
        a, b = near[ring[-1]]
        ring.append(b if a == ring[-2] else a)
    if len(ring) != len(near) + 1:
        return None
    between = {frozenset(sides): cell for cell, sides in removed.items()}
    order: list[int] = []
    for a, b in pairwise(ring):
        order.append(a)
        if frozenset((a, b)) in between:
            order.append(between[frozenset((a, b))])
    return tuple(order)


def _third_cells(board: Board) -> dict[int, tuple[int, int]] | None:
    """Return the cells to remove, and the neighbours between which each goes; None if it is no necklace."""
    found = triangles(board)
    degree = [len(row) for row in board.neighbours]
    sides = Counter(side for triangle in found for side in combinations(triangle, 2))
    removed: dict[int, tuple[int, int]] = {}
    for triangle in found:
        shared = [side for side in combinations(triangle, 2) if sides[side] > 1]
        if len(shared) > 1:
            return None
        if shared:
            kept, other = shared[0]
            if degree[kept] != 3 or degree[other] != 3:
                return None
            (end,) = set(triangle) - set(shared[0])
            removed.setdefault(other, (kept, end))
        else:
            cell = next((cell for cell in triangle if degree[cell] == 2), None)
            if cell is None:
                return None
            a, b = (other for other in triangle if other != cell)
            removed[cell] = (a, b)
    return removed
