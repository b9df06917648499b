"""Conditions on a board that decide whether gourds can be rearranged freely.

A *ring* is a cycle of the board. It is *free* if the cells outside it can be filled with gourds; then, with
the hole on it, the k gourds on a ring of 2k + 1 cells can rotate while all others rest. `docs/atlas-
gourds.md` states what follows from the conditions, what is proved and what is conjectured.

The functions are meant for boards of up to about twenty cells: they follow the definitions, and some
enumerate all rings. `slidelab.reach.criterion` decides the conditions on boards of thousands of cells.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from slidelab.boards import Board, is_hole_free_cycle, triangles
from slidelab.boards.cycle_search import search_cycles
from slidelab.reach.criterion.necklaces import is_necklace

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
]

Ring = tuple[int, ...]
SOLVABLE = "solvable"


class Fillings:
    """Whether a set of cells, as bits of a number, can be filled with gourds; answers are kept.

    The lowest cell of a set is filled first, in all ways. Cells are numbered row by row, so the sets that
    arise differ only along a frontier, and there are not many of them.

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
        """Return whether the cells can be filled."""
        stack = [cells]
        while stack:
            answer = self._known.get(stack[-1])
            if answer is None:
                answer = self._look(stack)
            if answer is not None:
                self._known[stack.pop()] = answer
        return self._known[cells]

    def without(self, cells: Ring) -> bool:
        """Return whether all cells but these can be filled."""
        return self(self.everything & ~_bits(cells))

    def _look(self, stack: list[int]) -> bool | None:
        """Return whether the last set can be filled; if that is unknown, push a smaller set to try first."""
        cells = stack[-1]
        lowest = cells & -cells
        rest = cells ^ lowest
        partners = self._around[lowest.bit_length() - 1] & rest
        while partners:
            partner = partners & -partners
            known = self._known.get(rest ^ partner)
            if known:
                return True
            if known is None:
                stack.append(rest ^ partner)
                return None
            partners ^= partner
        return False


def _bits(cells: Ring) -> int:
    return sum(1 << cell for cell in cells)


def cells_never_empty(board: Board, fillings: Fillings | None = None) -> Ring:
    """Return the cells that no arrangement of gourds leaves empty; a gourd on such a cell never leaves it.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> len(cells_never_empty(board("hex star")))
    6
    """
    fillings = fillings or Fillings(board)
    return tuple(cell for cell in range(board.size) if not fillings.without((cell,)))


def is_factor_critical(board: Board, fillings: Fillings | None = None) -> bool:
    """Return whether every cell can be the empty one: without any one cell, the board can be filled.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> is_factor_critical(board("hex F(2)")), is_factor_critical(board("hex star"))
    (True, False)
    """
    return not cells_never_empty(board, fillings)


def free_triangle(board: Board, fillings: Fillings | None = None) -> tuple[int, int, int] | None:
    """Return a triangle whose outside can be filled, so that a gourd can pivot in it; None if there is none.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> free_triangle(board("hex T(2)")), free_triangle(board("hex star"))
    ((0, 1, 2), None)
    """
    fillings = fillings or Fillings(board)
    return next((triangle for triangle in triangles(board) if fillings.without(triangle)), None)


def even_ring(board: Board, fillings: Fillings | None = None) -> Ring | None:
    """Return a shortest free ring of 4k + 1 cells, on which an even number of gourds rotate; None if none.

    The rotation is then an odd permutation of the gourds: a cycle of even length.

    Examples
    --------
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
    """Yield all rings of a length, each once, from its smallest cell on towards the smaller neighbour."""
    for first in range(board.size):
        path = [first]
        stack = [iter(board.neighbours[first])]
        while stack:
            cell = next(stack[-1], None)
            del path[len(stack) :]
            if cell is None:
                stack.pop()
            elif cell > first and cell not in path:
                path.append(cell)
                if len(path) < length:
                    stack.append(iter(board.neighbours[cell]))
                elif path[1] < cell and board.adjacent(first, cell):
                    yield tuple(path)


def hamiltonian_cycles(board: Board) -> Iterator[Ring]:
    """Iterate over the Hamiltonian cycles, each once.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> sum(1 for _ in hamiltonian_cycles(board("hex F(2)")))
    6
    """
    return map(tuple, search_cycles(range(board.size), board.edges, (), sys.maxsize))


def has_station(board: Board, cycle: Ring) -> bool:
    """Return whether the cycle has five consecutive cells a, b, c, d, e with a, c, e touching one another.

    That is the swapping station of Hamersma's thesis, section 7.2.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> has_station(board("hex T(3)"), (0, 1, 3, 4, 5, 2))
    True
    """
    size = len(cycle)
    fives = ([cycle[(k + i) % size] for i in (0, 2, 4)] for k in range(size))
    return any(board.adjacent(a, c) and board.adjacent(c, e) and board.adjacent(a, e) for a, c, e in fives)


@dataclass(frozen=True, slots=True)
class Features:
    """The conditions of a board.

    Attributes
    ----------
    never_empty : int
        Number of cells that are never empty.
    pivots : bool
        Whether some triangle is free.
    necklace : bool
    even_ring : int, optional
        The length of a shortest one, None if there is none.
    hamiltonian : bool
        Whether there is a Hamiltonian cycle.
    hole_free_cycle : bool
        Whether some Hamiltonian cycle has no missing cell inside.
    station : bool
        Whether some Hamiltonian cycle has a swapping station.
    """

    never_empty: int
    pivots: bool
    necklace: bool
    even_ring: int | None
    hamiltonian: bool
    hole_free_cycle: bool
    station: bool

    @property
    def verdict(self) -> str:
        """What the conjecture predicts: solvable, or the first reason why not."""
        if self.never_empty:
            return "a cell is never empty"
        if self.necklace:
            return "necklace: the cyclic order is kept"
        if not self.pivots:
            return "no gourd can pivot"
        return SOLVABLE if self.even_ring else "no even ring: only even permutations"

    def to_json(self) -> dict[str, Any]:
        """Return the conditions as a JSON object."""
        return asdict(self)


def features(board: Board) -> Features:
    """Return the conditions of a connected board of hexagons with an odd number of cells.

    Examples
    --------
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
    """Return whether there is a Hamiltonian cycle, one that encloses nothing, and one with a station."""
    hamiltonian = hole_free = station = False
    for cycle in hamiltonian_cycles(board):
        hamiltonian = True
        hole_free = hole_free or is_hole_free_cycle(board, cycle)
        station = station or has_station(board, cycle)
        if hole_free and station:
            break
    return hamiltonian, hole_free, station
