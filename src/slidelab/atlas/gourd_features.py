"""What decides whether gourds can be rearranged at will: questions about a board.

A *ring* is a closed walk through different cells. It is *free* if the cells outside it can be filled with
gourds; then, with the hole on it, a ring of 2k + 1 cells lets its k gourds go round while all others rest.
`docs/atlas-gourds.md` says what follows from the answers, what is proved of it and what is conjectured.

The functions are meant for boards of up to about twenty cells: some look at all rings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from slidelab.boards import Board, is_cycle, is_hole_free_cycle, sub_board

__all__ = [
    "SOLVABLE",
    "Features",
    "Fillings",
    "cells_never_empty",
    "even_ring",
    "features",
    "free_triangle",
    "hamiltonian_cycles",
    "has_station",
    "is_factor_critical",
    "is_necklace",
    "triangles",
]

Ring = tuple[int, ...]
SOLVABLE = "solvable"


class Fillings:
    """Answers whether a set of cells (as bits of a number) can be filled with gourds, and remembers.

    The lowest cell of a set is filled first, in all ways. Cells are numbered row by row, so the sets met on
    the way differ only along a frontier, and there are not many of them.

    >>> from slidelab.boards import board
    >>> fills = Fillings(board("hex T(2)"))
    >>> fills(0b011), fills(0b111)
    (True, False)
    """

    def __init__(self, board: Board) -> None:
        self._around = [_bits(row) for row in board.neighbours]
        self._known = {0: True}
        self.everything = (1 << board.size) - 1

    def __call__(self, cells: int) -> bool:
        known = self._known.get(cells)
        if known is None:
            known = self._known[cells] = self._search(cells)
        return known

    def without(self, cells: Ring) -> bool:
        """Whether all cells but these can be filled."""
        return self(self.everything & ~_bits(cells))

    def _search(self, cells: int) -> bool:
        lowest = cells & -cells
        rest = cells ^ lowest
        partners = self._around[lowest.bit_length() - 1] & rest
        while partners:
            partner = partners & -partners
            if self(rest ^ partner):
                return True
            partners ^= partner
        return False


def _bits(cells: Ring) -> int:
    return sum(1 << cell for cell in cells)


def cells_never_empty(board: Board, fillings: Fillings | None = None) -> Ring:
    """Return the cells that no arrangement of gourds leaves empty; the gourd on one stays on it forever.

    >>> from slidelab.boards import board
    >>> len(cells_never_empty(board("hex star")))
    6
    """
    fillings = fillings or Fillings(board)
    return tuple(cell for cell in range(board.size) if not fillings.without((cell,)))


def is_factor_critical(board: Board, fillings: Fillings | None = None) -> bool:
    """Whether every cell can be the empty one: without any one cell, the board can be filled.

    >>> from slidelab.boards import board
    >>> is_factor_critical(board("hex F(2)")), is_factor_critical(board("hex star"))
    (True, False)
    """
    return not cells_never_empty(board, fillings)


def triangles(board: Board) -> tuple[tuple[int, int, int], ...]:
    """Return all triples of cells that touch one another.

    >>> from slidelab.boards import board
    >>> triangles(board("hex P(2,2)"))
    ((0, 1, 2), (1, 2, 3))
    """
    return tuple(
        (a, b, c) for a, b in board.edges for c in board.neighbours[b] if c > b and board.adjacent(a, c)
    )


def free_triangle(board: Board, fillings: Fillings | None = None) -> tuple[int, int, int] | None:
    """Return a triangle whose outside can be filled, so that a gourd can pivot in it; None if there is none.

    >>> from slidelab.boards import board
    >>> free_triangle(board("hex T(2)")), free_triangle(board("hex star"))
    ((0, 1, 2), None)
    """
    fillings = fillings or Fillings(board)
    return next((triangle for triangle in triangles(board) if fillings.without(triangle)), None)


def is_necklace(board: Board) -> bool:
    """Whether the board is a closed chain of edges, triangles and diamonds, each two in turn sharing a cell.

    A triangle hangs in the chain by two of its cells, a diamond (two triangles side by side) by the two cells
    that do not touch. Without the third cell of each triangle and one of the middle cells of each diamond,
    a plain ring remains. On a necklace gourds keep their cyclic order.

    >>> from slidelab.boards import board
    >>> is_necklace(board("hex 1,0 2,0 0,1 2,1 0,2 1,2")), is_necklace(board("hex P(3,2)"))
    (True, False)
    """
    found = triangles(board)
    degree = [len(row) for row in board.neighbours]
    sides = Counter(side for triangle in found for side in combinations(triangle, 2))
    left_out = set()
    for triangle in found:
        shared = [side for side in combinations(triangle, 2) if sides[side] > 1]
        if len(shared) > 1:
            return False
        if shared and all(degree[cell] == 3 for cell in shared[0]):
            left_out.add(shared[0][1])  # one of the two middle cells of a diamond
        elif not shared and any(degree[cell] == 2 for cell in triangle):
            left_out.add(next(cell for cell in triangle if degree[cell] == 2))
        else:
            return False
    rest = sub_board(board, (cell for cell in range(board.size) if cell not in left_out))
    return is_cycle(rest)


def even_ring(board: Board, fillings: Fillings | None = None) -> Ring | None:
    """Return a shortest free ring of 4k + 1 cells, in which an even number of gourds goes round; or None.

    Going round is then an odd permutation of the gourds: a cycle of even length.

    >>> from slidelab.boards import board
    >>> even_ring(board("hex P(3,3)"))
    (0, 1, 2, 4, 3)
    """
    fillings = fillings or Fillings(board)
    for length in range(5, board.size + 1, 4):
        for ring in _rings(board, length):
            if fillings.without(ring):
                return ring
    return None


def _rings(board: Board, length: int) -> Iterator[Ring]:
    """All rings of so many cells, each once, from its smallest cell on towards the smaller neighbour."""
    for first in range(board.size):
        yield from _rings_along(board, [first], length)


def _rings_along(board: Board, path: list[int], length: int) -> Iterator[Ring]:
    if len(path) == length:
        if path[1] < path[-1] and board.adjacent(path[0], path[-1]):
            yield tuple(path)
        return
    for cell in board.neighbours[path[-1]]:
        if cell > path[0] and cell not in path:
            yield from _rings_along(board, [*path, cell], length)


def hamiltonian_cycles(board: Board) -> Iterator[Ring]:
    """Iterate over the rings through all cells, each once.

    >>> from slidelab.boards import board
    >>> sum(1 for _ in hamiltonian_cycles(board("hex F(2)")))
    6
    """
    return _rings_along(board, [0], board.size)


def has_station(board: Board, cycle: Ring) -> bool:
    """Whether the cycle passes five cells a, b, c, d, e in a row with a, c, e touching one another.

    That is the swapping station of the thesis, section 7.2.

    >>> from slidelab.boards import board
    >>> has_station(board("hex T(3)"), (0, 1, 3, 4, 5, 2))
    True
    """
    size = len(cycle)
    fives = ([cycle[(k + i) % size] for i in (0, 2, 4)] for k in range(size))
    return any(board.adjacent(a, c) and board.adjacent(c, e) and board.adjacent(a, e) for a, c, e in fives)


@dataclass(frozen=True, slots=True)
class Features:
    """What a board is like, as far as gourds care."""

    never_empty: int  # how many cells are never empty
    pivots: bool  # some triangle is free
    necklace: bool
    even_ring: int | None  # the length of a shortest one
    hamiltonian: bool
    hole_free_cycle: bool  # some Hamiltonian cycle has no missing cell inside
    station: bool  # some Hamiltonian cycle passes a swapping station

    @property
    def verdict(self) -> str:
        """What the conjecture of the atlas says: solvable, or the first reason why not."""
        if self.never_empty:
            return "a cell is never empty"
        if self.necklace:
            return "necklace: the cyclic order is kept"
        if not self.pivots:
            return "no gourd can pivot"
        return SOLVABLE if self.even_ring else "no even ring: only even permutations"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def features(board: Board) -> Features:
    """Answer all questions about a connected board of hexagons with an odd number of cells.

    >>> from slidelab.boards import board
    >>> features(board("hex star")).verdict, features(board("hex F(2)")).verdict
    ('a cell is never empty', 'solvable')
    """
    fillings = Fillings(board)
    ring = even_ring(board, fillings)
    hamiltonian, hole_free, station = _about_cycles(board)
    return Features(
        len(cells_never_empty(board, fillings)),
        free_triangle(board, fillings) is not None,
        is_necklace(board),
        None if ring is None else len(ring),
        hamiltonian,
        hole_free,
        station,
    )


def _about_cycles(board: Board) -> tuple[bool, bool, bool]:
    """Whether there is a Hamiltonian cycle, one that encloses nothing, and one with a station."""
    hamiltonian = hole_free = station = False
    for cycle in hamiltonian_cycles(board):
        hamiltonian = True
        hole_free = hole_free or is_hole_free_cycle(board, cycle)
        station = station or has_station(board, cycle)
        if hole_free and station:
            break
    return hamiltonian, hole_free, station
