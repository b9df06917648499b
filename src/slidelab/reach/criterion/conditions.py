"""The four conditions of the conjecture on boards with holes, for boards of thousands of cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from slidelab.boards import Board, Edge, is_two_connected
from slidelab.budget import Budget
from slidelab.errors import NotationError
from slidelab.messages import quoted
from slidelab.reach.criterion.empty_cells import EmptyCells, empty_cells
from slidelab.reach.criterion.free_rings import FreeRing, even_free_ring, free_triangle_of
from slidelab.reach.criterion.necklaces import necklace_order
from slidelab.reach.criterion.ring_search import MAX_STATES

__all__ = ["MIN_CELLS", "GourdConditions", "gourd_conditions"]

MIN_CELLS = 7
"""Cells of the smallest boards of the conjecture."""


@dataclass(frozen=True, slots=True)
class GourdConditions:
    """Which of the four conditions hold, with certificates.

    Attributes
    ----------
    board : Board
    never_empty : tuple of int
        Condition 1: the cells that are never empty.
    ears, barrier : tuple
        The certificate of condition 1, and that against it; see `EmptyCells`.
    triangle : FreeRing, optional
        Condition 2: a free triangle.
    necklace : tuple of int, optional
        The order of the cells if condition 3 fails.
    even_ring : FreeRing, optional
        Condition 4: a free ring of 4k + 1 cells.
    even_ring_certain : bool
        Whether that ring was found, or it is certain that there is none. It is looked for only where the
        other conditions hold.
    """

    board: Board = field(repr=False)
    never_empty: tuple[int, ...]
    ears: tuple[tuple[int, ...], ...] = field(repr=False)
    barrier: tuple[int, ...]
    triangle: FreeRing | None
    necklace: tuple[int, ...] | None
    even_ring: FreeRing | None
    even_ring_certain: bool

    @property
    def failing(self) -> tuple[int, ...]:
        """The numbers of the conditions that fail; 4 only if that is certain."""
        fails = {
            1: bool(self.never_empty),
            2: self.triangle is None,
            3: self.necklace is not None,
            4: self.even_ring is None and self.even_ring_certain,
        }
        return tuple(number for number, failed in fails.items() if failed)

    def to_json(self) -> dict[str, Any]:
        """Return the conditions and their certificates as a JSON object, for `check_conditions`."""
        return {
            "cells": self.board.size,
            "never_empty": list(self.never_empty),
            "ears": [list(ear) for ear in self.ears],
            "barrier": list(self.barrier),
            "free_triangle": _ring_json(self.triangle),
            "necklace": None if self.necklace is None else list(self.necklace),
            "even_ring": _ring_json(self.even_ring),
            "even_ring_certain": self.even_ring_certain,
            "failing": list(self.failing),
        }


def _ring_json(ring: FreeRing | None) -> dict[str, Any] | None:
    return None if ring is None else {"ring": list(ring.cells), "filling": _lists(ring.filling)}


def _lists(filling: tuple[Edge, ...]) -> list[list[int]]:
    return [list(pair) for pair in filling]


def gourd_conditions(
    board: Board, *, max_states: int = MAX_STATES, budget: Budget | None = None
) -> GourdConditions:
    """Decide the four conditions of `docs/atlas-gourds.md`, with certificates.

    Conditions 1 to 3 take polynomial time, as good as linear on most boards. Condition 4 does, too, where it
    holds for a ring that is soon found, or where the board is narrow; otherwise it can stay undecided.

    Parameters
    ----------
    board
        A 2-connected board with an odd number of cells, at least seven.
    max_states
        Number of states after which the exact search for condition 4 is given up.
    budget
        Its deadline limits the time.

    Raises
    ------
    NotationError
        If the board is none of the conjecture's.
    OutOfTime
        If the deadline passes.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> gourd_conditions(board("hex star")).failing
    (1, 2)
    >>> found = gourd_conditions(board("hex F(9)"))
    >>> found.failing, len(found.even_ring.cells)
    ((), 5)
    """
    if board.size < MIN_CELLS or board.size % 2 == 0 or not is_two_connected(board):
        raise NotationError(
            f"expected a 2-connected board with an odd number of cells, at least {MIN_CELLS}, "
            f"got {quoted(board.name)}"
        )
    empty = empty_cells(board)
    triangle = free_triangle_of(board, empty, budget)
    necklace = necklace_order(board)
    ring, certain = _even_ring(board, empty, triangle, necklace, max_states, budget)
    return GourdConditions(board, empty.never, empty.ears, empty.barrier, triangle, necklace, ring, certain)


def _even_ring(
    board: Board,
    empty: EmptyCells,
    triangle: FreeRing | None,
    necklace: tuple[int, ...] | None,
    max_states: int,
    budget: Budget | None,
) -> tuple[FreeRing | None, bool]:
    if empty.never or triangle is None or necklace is not None:
        return None, False
    return even_free_ring(board, empty, max_states=max_states, budget=budget)
