"""Numbers of the places of a board, in which permutations are written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from slidelab.boards import Board
from slidelab.errors import NotationError
from slidelab.gains.slot_order import slot_order
from slidelab.messages import did_you_mean, quoted

__all__ = ["NUMBERINGS", "Numbering", "cell_numbers", "default_numbering", "product_text"]

Numbering = Literal["reading", "snake", "cells"]
"""How places are numbered: see `cell_numbers`."""

NUMBERINGS: tuple[Numbering, ...] = get_args(Numbering)


def default_numbering(board: Board) -> Numbering:
    """Return ``"cells"`` for graphs, whose vertices have numbers of their own, otherwise ``"reading"``."""
    return "cells" if board.kind == "graph" else "reading"


def cell_numbers(board: Board, numbering: Numbering | None = None) -> tuple[int, ...]:
    """Return the number of each cell in a numbering.

    Parameters
    ----------
    board
    numbering
        ``"reading"``: from 1 in reading order, so that tile k belongs to place k in the usual goal.
        ``"snake"``: from 1 along the line through the board on which most moves pass no tile; for squares
        the snake of the slides. ``"cells"``: from 0, as everywhere else in slidelab. By default ``"reading"``
        on squares and hexagons, ``"cells"`` on graphs, whose vertices have numbers of their own.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> cell_numbers(board("square R(4,4)"), "snake")
    (4, 3, 2, 1, 5, 6, 7, 8, 12, 11, 10, 9, 13, 14, 15, 16)
    """
    numbering = numbering or default_numbering(board)
    if numbering not in NUMBERINGS:
        choices = ", ".join(NUMBERINGS)
        suggestion = did_you_mean(numbering, NUMBERINGS)
        raise NotationError(f"expected a numbering ({choices}), got {quoted(str(numbering))}{suggestion}")
    if numbering == "snake":
        numbers = [0] * board.size
        for number, cell in enumerate(slot_order(board), 1):
            numbers[cell] = number
        return tuple(numbers)
    first = 1 if numbering == "reading" else 0
    return tuple(range(first, first + board.size))


def product_text(factors: Iterable[tuple[int, ...]]) -> str:
    """Return cycles as text; the identity is ``()``.

    Examples
    --------
    >>> product_text([(1, 2, 3), (14, 15)]), product_text([])
    ('(1 2 3)(14 15)', '()')
    """
    return "".join(f"({' '.join(map(str, factor))})" for factor in factors) or "()"
