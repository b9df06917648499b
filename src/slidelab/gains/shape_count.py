"""The number of shapes of a puzzle, without building them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb

from slidelab.gains.slot_order import slot_order
from slidelab.puzzles import Puzzle

__all__ = ["MAX_COUNT_WORK", "count_shapes"]

MAX_COUNT_WORK = 5_000_000
"""Options that are tried before a count is given up: a few seconds."""


@lru_cache(maxsize=256)
def count_shapes(puzzle: Puzzle, max_work: int = MAX_COUNT_WORK) -> int | None:
    """Return the number of shapes of a puzzle, or None if even counting them takes too long.

    For pieces of one cell it is a binomial coefficient. For larger ones the cells are decided one by one
    along the line of slots, keeping for each set of later cells that are already covered, and each number
    of holes so far, only how many ways lead there (dynamic programming over a frontier).

    Parameters
    ----------
    puzzle
    max_work
        Options (a piece or a hole on one cell) that may be tried.

    Examples
    --------
    >>> import slidelab as sl
    >>> count_shapes(sl.puzzle("hex F(3) gourds")), count_shapes(sl.puzzle("hex P(4,4)"))
    (2288, 120)
    """
    board, rule, hole_count = puzzle.board, puzzle.rule, puzzle.hole_count
    if rule.cells == 1:
        return comb(board.size, hole_count)
    if puzzle.piece_count == 1:
        return sum(1 for _ in rule.placements(board))
    order = slot_order(board)
    rank = {cell: number for number, cell in enumerate(order)}
    masks: list[list[int]] = [[] for _ in order]
    for cells in rule.placements(board):
        masks[min(rank[cell] for cell in cells)].append(sum(1 << rank[cell] for cell in cells))
    counts = Counter({(0, 0): 1})
    for number, options in enumerate(masks):
        bit, left = 1 << number, board.size - number
        settled = (bit << 1) - 1
        following: Counter[tuple[int, int]] = Counter()
        for (covered, holes), ways in counts.items():
            max_work -= len(options) + 1
            if max_work < 0:
                return None
            if holes + left - (covered >> number).bit_count() < hole_count:
                continue  # so many cells are covered that too few holes remain
            if covered & bit:
                following[covered & ~settled, holes] += ways
                continue
            if holes < hole_count:
                following[covered & ~settled, holes + 1] += ways
            for mask in options:
                if not covered & mask:
                    following[(covered | mask) & ~settled, holes] += ways
        counts = following
    return sum(ways for (_, holes), ways in counts.items() if holes == hole_count)
