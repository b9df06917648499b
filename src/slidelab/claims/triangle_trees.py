"""The triangles inside a Hamiltonian cycle of a hexagonal board, and where they split it.

Computed from the definition: a triangle is inside if its centre is inside the polygon of the cycle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from slidelab.atlas.conditions import hamiltonian_cycles
from slidelab.boards import Board, is_hole_free, is_hole_free_cycle, is_two_connected, polyhexes, triangles

__all__ = ["Tree", "compact_boards", "hole_free_cycles", "inner_tree", "one_cell_splits", "splits_at"]

Triangle = frozenset[int]
Tree = dict[Triangle, list[Triangle]]
"""The triangles inside, and for each those with which it shares a chord."""


@lru_cache(maxsize=16)
def _compact(size: int) -> tuple[Board, ...]:
    return tuple(b for b in polyhexes(size) if is_two_connected(b) and is_hole_free(b))


def compact_boards(least: int, most: int, step: int = 1) -> Iterator[Board]:
    """Yield all 2-connected hexagonal boards without holes, up to symmetry."""
    for size in range(least, most + 1, step):
        yield from _compact(size)


def hole_free_cycles(board: Board) -> Iterator[tuple[int, ...]]:
    """Yield the Hamiltonian cycles with no hole of the board inside."""
    return (cycle for cycle in hamiltonian_cycles(board) if is_hole_free_cycle(board, cycle))


def _contains(polygon: Sequence[tuple[int, int]], q3: int, r3: int) -> bool:
    """Return whether a point, in thirds of axial coordinates, is inside: by crossings of a ray."""
    inside = False
    for (aq, ar), (bq, br) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (3 * ar > r3) != (3 * br > r3):
            # The side goes up or down by one row: where does it cross the row of the point?
            cross = 3 * aq * (br - ar) + (r3 - 3 * ar) * (bq - aq)
            inside ^= q3 * (br - ar) < cross if br > ar else q3 * (br - ar) > cross
    return inside


def inner_tree(board: Board, cycle: Sequence[int]) -> Tree:
    """Return the triangles inside a cycle and how they are joined (the graph GTH of the gourds paper)."""
    polygon = [board.cells[cell] for cell in cycle]
    inside = []
    for triangle in triangles(board):
        points = [board.cells[cell] for cell in triangle]
        if _contains(polygon, sum(q for q, _ in points), sum(r for _, r in points)):
            inside.append(frozenset(triangle))
    links = {frozenset(pair) for pair in zip(cycle, [*cycle[1:], cycle[0]], strict=True)}
    return {t: [u for u in inside if len(t & u) == 2 and t & u not in links and t != u] for t in inside}


def one_cell_splits(board: Board, cycle: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the lengths of the two cycles of each split that shares one cell.

    Such a split takes away a link of the cycle that is a side of a triangle with no other link.
    """
    at = {cell: k for k, cell in enumerate(cycle)}
    size = len(cycle)
    for triangle, joined in inner_tree(board, cycle).items():
        if len(joined) != 2:
            continue
        for corner in triangle:
            a, b = sorted(at[cell] for cell in triangle - {corner})
            if b - a in (1, size - 1):
                first = ((a if b - a == 1 else b) - at[corner]) % size + 1
                yield first, size + 1 - first


def splits_at(tree: Tree, triangle: Triangle) -> list[int]:
    """Return how many triangles lie beyond each chord of one."""
    out = []
    for first in tree[triangle]:
        seen, queue = {triangle, first}, [first]
        for here in queue:
            fresh = [t for t in tree[here] if t not in seen]
            seen.update(fresh)
            queue += fresh
        out.append(len(queue))
    return out
