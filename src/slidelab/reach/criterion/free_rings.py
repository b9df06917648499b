"""Free rings: cycles of a board outside which gourds can fill all other cells.

A free triangle is found by one matching for each triangle. A free ring of 4k + 1 cells is looked for in three
steps.

1. Where every cell can be empty, two shapes that leave the ends of an edge empty differ by an even path
   between them, and by rings. With the edge, the path is a free ring. This gives a ring through every edge in
   polynomial time, and on most boards one of the first has 4k + 1 cells.
2. If all of them have 4k + 3 cells, all free rings are searched at once, across the board
   (`slidelab.reach.criterion.ring_search`). That is exact, and quick on narrow boards.
3. Where this takes too many states, step 1 is repeated with other matchings. If that finds nothing either,
   the question stays undecided.

Nothing better can be expected for graphs in general: `docs/atlas-gourds.md` shows that a test for free rings
of 4k + 1 cells also tests whether a directed graph has a directed cycle of even length.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from slidelab.boards import Board, Edge, triangles
from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.reach.criterion.empty_cells import EmptyCells, empty_cells, fill, pairs
from slidelab.reach.criterion.ring_search import MAX_STATES, find_ring

__all__ = ["FreeRing", "even_free_ring", "free_ring_of", "free_triangle_of"]

MAX_PATH_CELLS = 5_000_000
"""Cells of all alternating paths that are followed for one matching: some seconds."""

OTHER_MATCHINGS = 8
"""How often step 1 is repeated with another matching."""


@dataclass(frozen=True, slots=True)
class FreeRing:
    """A free ring, in cyclic order, and pairs of touching cells that fill the rest of the board."""

    cells: tuple[int, ...]
    filling: tuple[Edge, ...]


def free_ring_of(board: Board, cells: tuple[int, ...], empty: EmptyCells) -> FreeRing | None:
    """Return a ring with a filling of the rest of the board, None if there is no filling.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> on = board("hex P(3,3)")
    >>> free_ring_of(on, (0, 1, 3), empty_cells(on))
    FreeRing(cells=(0, 1, 3), filling=((2, 4), (5, 8), (6, 7)))
    """
    partner = fill(board.neighbours, empty.partner, cells)
    return None if partner is None else FreeRing(cells, pairs(partner))


def free_triangle_of(board: Board, empty: EmptyCells, budget: Budget | None = None) -> FreeRing | None:
    """Return a free triangle, None if there is none.

    Parameters
    ----------
    board
        A board with an odd number of cells.
    empty
        Its `empty_cells`.
    budget
        Its deadline limits the search.
    """
    found = triangles(board)
    for done, triangle in enumerate(found):
        if budget is not None:
            budget.check("free triangles", done, len(found))
        ring = free_ring_of(board, triangle, empty)
        if ring is not None:
            return ring
    return None


def even_free_ring(
    board: Board, empty: EmptyCells, *, max_states: int = MAX_STATES, budget: Budget | None = None
) -> tuple[FreeRing | None, bool]:
    """Return a free ring of 4k + 1 cells, k >= 1, or None; and whether that is certain.

    Parameters
    ----------
    board
        A 2-connected board on which every cell can be empty.
    empty
        Its `empty_cells`.
    max_states
        States of the exact search after which it is given up.
    budget
        Its deadline limits the search.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> on = board("hex P(3,3)")
    >>> ring, certain = even_free_ring(on, empty_cells(on))
    >>> len(ring.cells) if ring else 0, certain
    (5, True)
    >>> even_free_ring(board("cycle(7)"), empty_cells(board("cycle(7)")))
    (None, True)
    """
    ring = _even_ring_through_an_edge(board, empty, budget)
    if ring is not None:
        return ring, True
    try:
        cells = find_ring(board, max_states=max_states, budget=budget)
    except TooLarge:
        cells = ()
    if cells is None:
        return None, True
    if cells:
        return free_ring_of(board, cells, empty), True
    rng = random.Random(0)
    for _ in range(OTHER_MATCHINGS):
        rows = [rng.sample(row, len(row)) for row in board.neighbours]
        ring = _even_ring_through_an_edge(board, empty_cells(board, rows), budget)
        if ring is not None:
            return ring, True
    return None, False


def _even_ring_through_an_edge(board: Board, empty: EmptyCells, budget: Budget | None) -> FreeRing | None:
    work = 0
    for cells in rings_through_edges(board, empty):
        work += len(cells)
        if len(cells) % 4 == 1:
            return free_ring_of(board, cells, empty)
        if work > MAX_PATH_CELLS:
            return None
        if budget is not None:
            budget.check("free rings", work)
    return None


def rings_through_edges(board: Board, empty: EmptyCells) -> Iterator[tuple[int, ...]]:
    """Yield a free ring for each edge that is in no alternating path, from one of its ends to the other.

    Parameters
    ----------
    board
        A board on which every cell can be empty.
    empty
        Its `empty_cells`.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> on = board("cycle(5)")
    >>> list(rings_through_edges(on, empty_cells(on)))
    [(4, 3, 2, 1, 0)]
    """
    closing: list[Edge] = []
    for ear in empty.ears:  # those found first are short
        closing.append((ear[0], ear[1]))
    ends = set(closing)
    inner = {frozenset(edge) for ear in empty.ears for edge in itertools.pairwise(ear)}
    closing += [edge for edge in board.edges if frozenset(edge) not in inner and edge not in ends]
    for a, b in closing:
        yield _even_path(empty, a, b)


def _even_path(empty: EmptyCells, a: int, b: int) -> tuple[int, ...]:
    """Return the path between two cells in the difference of two shapes that leave them empty.

    Each shape is the given matching, changed along the alternating path from the cell. So their difference
    is the edges in just one of the two paths.
    """
    odd: dict[int, list[int]] = {}
    for path in (empty.path(a), empty.path(b)):
        for one, two in itertools.pairwise(path):
            for cell, other in ((one, two), (two, one)):
                row = odd.setdefault(cell, [])
                if other in row:
                    row.remove(other)
                else:
                    row.append(other)
    found = [a]
    before = -1
    while found[-1] != b:
        before, following = found[-1], next(cell for cell in odd[found[-1]] if cell != before)
        found.append(following)
    return tuple(found)
