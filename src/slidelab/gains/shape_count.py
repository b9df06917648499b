"""The number of shapes of a puzzle, without building them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb

from slidelab.budget import Budget, CacheNeutral
from slidelab.gains.slot_order import slot_order
from slidelab.gains.steps import MAX_NUMBER
from slidelab.puzzles import Puzzle

__all__ = ["MAX_COUNT_WORK", "count_shapes"]

MAX_COUNT_WORK = 5_000_000
"""Options that are tried before a count is given up: a few seconds."""

PLACEMENTS_PER_CHECK = 4096
"""Placements of a piece between two looks at the clock."""

FRONTIER_STATE_BYTES = 300
"""Bytes of one entry of the dynamic programming: a key of two numbers, a count, and their place."""

MAX_FRONTIER_STATES = 1_000_000
"""Entries that are kept at a time, however much memory there is."""

OPTIONS_PER_CHECK = 50_000
"""Options that are tried between two looks at the clock: some ten milliseconds on boards of any size."""


def count_shapes(
    puzzle: Puzzle, max_work: int = MAX_COUNT_WORK, *, budget: Budget | None = None
) -> int | None:
    """Return the number of shapes of a puzzle, or None if even counting them takes too long.

    For pieces of one cell it is a binomial coefficient. For larger ones the cells are decided one by one
    along the line of slots, keeping for each set of later cells that are already covered, and each number
    of holes so far, only how many ways lead there (dynamic programming over a frontier).

    Parameters
    ----------
    puzzle
    max_work
        Placements, and options (a piece or a hole on one cell), that may be tried.
    budget
        Time and memory that may be used.

    Examples
    --------
    >>> import slidelab as sl
    >>> count_shapes(sl.puzzle("hex F(3) gourds")), count_shapes(sl.puzzle("hex P(4,4)"))
    (2288, 120)
    """
    if puzzle.rule.cells == 1:
        return comb(puzzle.board.size, puzzle.hole_count)
    budget = budget or Budget()
    max_states = min(MAX_FRONTIER_STATES, budget.working_memory // (2 * FRONTIER_STATE_BYTES))
    return _count(puzzle, max_work, max_states, CacheNeutral(budget))


@lru_cache(maxsize=256)
def _count(puzzle: Puzzle, max_work: int, max_states: int, budget: CacheNeutral[Budget]) -> int | None:
    board, rule, hole_count = puzzle.board, puzzle.rule, puzzle.hole_count
    order = slot_order(board)
    rank = {cell: number for number, cell in enumerate(order)}
    masks: list[list[int]] = [[] for _ in order]
    for number, cells in enumerate(rule.placements(board)):
        if number % PLACEMENTS_PER_CHECK == 0:
            budget.value.check("shapes")
        if number > max_work or number > MAX_NUMBER:  # more placements than a gain graph has
            return None
        masks[min(rank[cell] for cell in cells)].append(sum(1 << rank[cell] for cell in cells))
    if puzzle.piece_count == 1:
        return sum(map(len, masks))
    counts = Counter({(0, 0): 1})
    next_check = max_work
    for number, options in enumerate(masks):
        bit, left = 1 << number, board.size - number
        settled = (bit << 1) - 1
        following: Counter[tuple[int, int]] = Counter()
        for (covered, holes), ways in counts.items():
            max_work -= len(options) + 1
            if max_work < 0 or len(counts) + len(following) > max_states:
                return None
            if max_work <= next_check:
                budget.value.check("shapes", number, len(order))
                next_check = max_work - OPTIONS_PER_CHECK
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
