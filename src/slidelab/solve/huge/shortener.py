"""Shorten solutions: cut loops, plan paths of pieces anew, and replace subpaths by shortest ones.

The result is never longer, whatever the solution and the rule; longer and longer subpaths are tried until
time is up. See docs/design/huge-boards.md.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import OutOfTime, Stopped
from slidelab.gains import Steps
from slidelab.puzzles import MoveList, Solution, row_lists
from slidelab.solve.huge.pairs import moves_of_pairs
from slidelab.solve.huge.replanner import replan

if TYPE_CHECKING:
    from slidelab import _core

__all__ = ["shorten"]

SUBPATH_LENGTHS = (10, 14, 18, 22, 26, 30, 36, 42, 50, 60, 75, 90, 110)
"""Moves of the subpaths that are replaced, one length after the other."""

SHORTEN_SECONDS = 1.0
"""Default time for `shorten`."""

FIRST_NODES = 3_000
"""Node limit for a subpath of the first length; four times as many for each that follows."""

MAX_NODES = 50_000_000
"""Node limit for the longest subpaths: some hundred megabytes."""


def shorten(solution: Solution, budget: Budget | None = None, *, replan_share: float = 0.8) -> Solution:
    """Return a solution that is no longer, and shorter as far as time allows.

    Parameters
    ----------
    solution
    budget
        By default one second.
    replan_share
        Part of the time in which, with several holes, the paths of a few pieces at a time are planned anew.

    Returns
    -------
    Solution
        The same object if it cannot be shortened.

    Raises
    ------
    Stopped
        If the user stopped it. Carries the best solution.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> long = p.solve("8 6 7 2 5 4 3 . 1", method="peel", shorten=False)
    >>> short = shorten(long)
    >>> 31 <= short.length <= long.length
    True
    """
    budget = budget or Budget.of(time=SHORTEN_SECONDS)
    if solution.length < 2 or budget.expired:
        return solution
    puzzle = solution.puzzle.uncoloured
    steps = Steps(puzzle)
    try:
        core = _load(steps, solution, budget)
        core.cut_loops(budget.check)
    except OutOfTime:
        return solution
    try:
        if puzzle.hole_count > 1 and replan_share > 0:
            left = SHORTEN_SECONDS if budget.time_left is None else budget.time_left
            bound = solution.lower_bound if solution.metric == "single" else None
            replan(core, budget.share(replan_share * left), bound or 0)
        _improve(core, budget)
    except KeyboardInterrupt:
        raise Stopped(_result(steps, solution, core, budget), solution.lower_bound or 0) from None
    return _result(steps, solution, core, budget)


def _improve(core: _core.Shortener, budget: Budget) -> None:
    nodes = FIRST_NODES
    for length in SUBPATH_LENGTHS:
        repeat = True
        while repeat:
            before = len(core)
            if not core.run(length, nodes, budget.poll("shorten")):
                break
            repeat = before - len(core) > before // 200  # once more if it was worthwhile
        if budget.expired or length >= len(core):
            break
        nodes = min(4 * nodes, MAX_NODES)


def _result(steps: Steps, solution: Solution, core: _core.Shortener, budget: Budget) -> Solution:
    with suppress(OutOfTime):  # then all that was shortened stays, with its loops
        core.cut_loops(budget.check)
    if len(core) >= solution.length:
        return solution
    rows = core.moves()
    if set(steps.kinds) == {"slide"} and steps.puzzle.rule.cells == 1:
        moves = moves_of_pairs(solution.start, rows[:, :2])  # three times as fast, for a million moves
    else:
        moves = steps.moves(solution.start, row_lists(rows))
    optimal = solution.metric == "single" and len(moves) == solution.lower_bound
    return replace(solution, moves=moves, passages=(), optimal=optimal)


def _load(steps: Steps, solution: Solution, budget: Budget) -> _core.Shortener:
    """Return the core's copy of the solution."""
    import numpy as np

    from slidelab import _core

    board, rule = steps.puzzle.board, steps.puzzle.rule
    pieces = [steps.locate(cells) for cells in solution.start.pieces]
    core = _core.Shortener(*steps.arrays(np.arange(board.size, dtype=np.int32)), pieces, budget.check)
    rows = MoveList.of(solution.moves).rows
    moves = np.zeros((len(rows), 3), dtype=np.int32)
    if rule.cells == 1:
        moves[:, :2] = rows[:, 2:]
    else:
        cells = 2 + rule.cells
        for number, row in enumerate(rows.tolist()):
            first, before = steps.locate(tuple(row[2:cells]))
            last, after = steps.locate(tuple(row[cells:]))
            moves[number] = first, last, (after - before) % rule.turns
    core.load(moves, budget.check)
    return core
