"""Packings: where the pieces of a puzzle lie at the goal."""

from __future__ import annotations

from functools import lru_cache

from slidelab.boards import Board
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import counted, quoted
from slidelab.rules import Cells, Rule

__all__ = ["packing"]

MAX_PACKING_STEPS = 200_000
"""Steps of the exhaustive search for a packing, about a second."""


@lru_cache(maxsize=8)
def packing(board: Board, rule: Rule, holes: int) -> tuple[Cells, ...]:
    """Return cells for as many pieces as leave that number of holes, holes as late as possible.

    Raises
    ------
    NotationError
        If the pieces do not fit on the board.
    TooLarge
        If the search finds neither a packing nor a proof that there is none.
    """
    try:
        return _first_packing(board, rule, holes)
    except TooLarge:
        if rule.corner is None:
            raise
    from slidelab.boards import maximum_matching

    # Any two touching cells hold a gourd: the last pairs of a maximum matching give way to holes.
    count, pairs = (board.size - holes) // 2, maximum_matching(board)
    if len(pairs) < count:
        raise _no_packing(board, rule, holes, f"at most {len(pairs):,} fit")
    return pairs[:count]


def _no_packing(board: Board, rule: Rule, holes: int, reason: str = "") -> NotationError:
    count = (board.size - holes) // rule.cells
    return NotationError(
        f"no way to lay {count} {rule.piece}s and leave {counted(holes, 'hole')} "
        f"on {quoted(board.name)}{reason and f': {reason}'}"
    )


def _first_packing(board: Board, rule: Rule, hole_count: int) -> tuple[Cells, ...]:
    """Search cell by cell with backtracking, trying a piece on each cell before a hole."""
    starting: list[list[Cells]] = [[] for _ in range(board.size)]
    for cells in rule.placements(board):
        starting[min(cells)].append(cells)
    covered: set[int] = set()
    stack: list[tuple[int, int, Cells | None]] = []
    cell, choice, holes = 0, 0, 0
    for _ in range(MAX_PACKING_STEPS):
        while cell < board.size and cell in covered:
            cell, choice = cell + 1, 0
        if cell == board.size and holes == hole_count:
            return tuple(cells for _, _, cells in stack if cells is not None)
        options = starting[cell] if cell < board.size else []
        while choice < len(options) and not covered.isdisjoint(options[choice]):
            choice += 1
        if choice < len(options):
            covered.update(options[choice])
            stack.append((cell, choice, options[choice]))
        elif cell < board.size and choice == len(options) and holes < hole_count:
            holes += 1
            stack.append((cell, choice, None))
        else:
            if not stack:
                raise _no_packing(board, rule, hole_count)
            cell, choice, cells_back = stack.pop()
            if cells_back is None:
                holes -= 1
            else:
                covered.difference_update(cells_back)
            choice += 1
            continue
        cell, choice = cell + 1, 0
    count = (board.size - hole_count) // rule.cells
    raise TooLarge(
        f"found no way to lay {count} {rule.piece}s on {quoted(board.name)} in {MAX_PACKING_STEPS} steps"
    )
