"""Check the certificates of the conditions, without the code that finds them.

Nothing is imported but the board. Each check takes time linear in the board and the certificate.
"""

from __future__ import annotations

import itertools
from typing import Any

from slidelab.boards import Board

__all__ = ["check_conditions"]


def check_conditions(board: Board, claimed: dict[str, Any]) -> str | None:
    """Return why the certificates do not prove what is claimed, None if they do.

    That a condition holds is proved by ears (1), a free triangle (2) and a free ring (4); that 1 or 3 fails,
    by a barrier or the order of a necklace. There is no certificate that no triangle is free, that a board is
    no necklace, or that no ring of 4k + 1 cells is free; such claims are not checked.

    Parameters
    ----------
    board
        A board.
    claimed
        The JSON form of `GourdConditions`.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> from slidelab.reach.criterion import gourd_conditions
    >>> on = board("hex F(3)")
    >>> claimed = gourd_conditions(on).to_json()
    >>> check_conditions(on, claimed)
    >>> check_conditions(on, {**claimed, "necklace": list(range(on.size))})
    'the necklace is no Hamiltonian cycle'
    """
    try:
        return _first_problem(board, claimed)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        return f"the claim is not understood: {type(error).__name__}"


def _first_problem(board: Board, claimed: dict[str, Any]) -> str | None:
    if claimed["cells"] != board.size:
        return f"the claim is about {claimed['cells']} cells, and the board has {board.size}"
    if claimed["never_empty"]:
        problem = _barrier_problem(board, claimed["barrier"], claimed["never_empty"])
    else:
        problem = _ears_problem(board, claimed["ears"])
    if problem is None and claimed["free_triangle"] is not None:
        problem = _ring_problem(board, **claimed["free_triangle"], remainder=3)
        if problem is None and len(claimed["free_triangle"]["ring"]) != 3:
            problem = "the triangle has not three cells"
    if problem is None and claimed["necklace"] is not None:
        problem = _necklace_problem(board, claimed["necklace"])
    if problem is None and claimed["even_ring"] is not None:
        problem = _ring_problem(board, **claimed["even_ring"], remainder=1)
    return problem


def _ears_problem(board: Board, ears: list[list[int]]) -> str | None:
    """Every cell can be empty if the board grows from one cell by odd ears (Lovász)."""
    grown = {ears[0][0]}
    for ear in ears:
        inner = ear[1:-1]
        if len(ear) % 2 or not _is_path(board, ear):
            return "an ear is no path of an odd number of steps"
        if ear[0] not in grown or ear[-1] not in grown or not grown.isdisjoint(inner):
            return "an ear does not begin and end, and nowhere else be, on the ears before"
        if len(set(inner)) != len(inner):
            return "an ear meets itself"
        grown.update(inner)
    return None if grown == set(range(board.size)) else "the ears leave cells out"


def _barrier_problem(board: Board, barrier: list[int], never: list[int]) -> str | None:
    """Without a cell of the barrier or of an even part, more odd parts are left than the barrier has cells.

    Each odd part needs a cell of the barrier, or the empty cell.
    """
    removed = set(barrier)
    if not removed <= set(range(board.size)) or len(removed) != len(barrier):
        return "the barrier has cells that are none"
    odd, seen = 0, set(removed)
    locked = set(removed)
    for cell in range(board.size):
        if cell in seen:
            continue
        part, seen = [cell], seen | {cell}
        for each in part:
            new = [other for other in board.neighbours[each] if other not in seen]
            part += new
            seen.update(new)
        odd += len(part) % 2
        if len(part) % 2 == 0:
            locked.update(part)
    if odd > len(removed) + 1:
        return None  # there is no shape at all
    if odd != len(removed) + 1:
        return "the barrier leaves too few odd parts"
    return None if set(never) <= locked else "the barrier does not lock every cell that is claimed"


def _ring_problem(board: Board, ring: list[int], filling: list[list[int]], remainder: int) -> str | None:
    covered = ring + [cell for pair in filling for cell in pair]
    if sorted(covered) != list(range(board.size)):
        return "a ring and its filling do not cover every cell once"
    if len(ring) < 3 or len(ring) % 4 != remainder or not _is_path(board, [*ring, ring[0]]):
        return f"a ring is no cycle of 4k + {remainder} cells"
    if any(len(pair) != 2 or not board.adjacent(*pair) for pair in filling):
        return "a filling has cells that do not touch"
    return None


def _necklace_problem(board: Board, order: list[int]) -> str | None:
    """Return what is wrong with the order of a necklace (argument D)."""
    size = board.size
    if sorted(order) != list(range(size)) or not _is_path(board, [*order, order[0]]):
        return "the necklace is no Hamiltonian cycle"
    place = {cell: k for k, cell in enumerate(order)}
    if any(2 < (place[a] - place[b]) % size < size - 2 for a, b in board.edges):
        return "the necklace has cells that touch, but are too far apart"
    chord = [board.adjacent(order[k], order[(k + 2) % size]) for k in range(size)]
    if any(chord[k - 2] and chord[k - 1] and chord[k] for k in range(size)):
        return "the necklace has three edges of two steps in a row"
    return None


def _is_path(board: Board, cells: list[int]) -> bool:
    return all(board.adjacent(a, b) for a, b in itertools.pairwise(cells))
