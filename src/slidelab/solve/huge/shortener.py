"""Shorter solutions: loops cut out, and stretches of moves replaced by the shortest that do the same.

Never longer, whatever the solution and the rule; ever longer stretches are tried until time is up. See
docs/design/huge-boards.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.gains import Steps
from slidelab.puzzles import Configuration, MoveList, Solution, row_lists
from slidelab.solve.huge.parts import moves_of_pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Interrupted", "shorten"]

LENGTHS = (10, 14, 18, 22, 26, 30, 36, 42, 50, 60, 75, 90, 110)
"""Moves of the stretches that are tried, one length after the other."""

SHORTEN_SECONDS = 1.0
"""Default time for `shorten`."""

NODES = 3_000
"""States for a stretch of the first length; four times as many for each that follows."""

MOST_NODES = 50_000_000


class Interrupted(KeyboardInterrupt):
    """Stopped by the user, with what was found by then."""

    def __init__(self, best: Solution) -> None:
        super().__init__(best)
        self.best = best


def shorten(solution: Solution, budget: Budget | None = None) -> Solution:
    """The same solution made shorter, as far as time allows; the same object if nothing is gained.

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
    core = _loaded(steps, solution)
    core.cut_loops()
    try:
        _improve(core, budget)
    except KeyboardInterrupt:
        raise Interrupted(_result(steps, solution, core)) from None
    return _result(steps, solution, core)


def _improve(core: Any, budget: Budget) -> None:
    """Ever longer stretches, as long as time allows; what is shorter stays so if someone stops it."""
    nodes = NODES
    for length in LENGTHS:
        repeat = True
        while repeat:
            before = len(core)
            if not core.run(length, nodes, budget.poll("shorten")):
                break
            repeat = before - len(core) > before // 200  # once more if it was worth it
        if budget.expired or length >= len(core):
            break
        nodes = min(4 * nodes, MOST_NODES)


def _result(steps: Steps, solution: Solution, core: Any) -> Solution:
    core.cut_loops()
    if len(core) >= solution.length:
        return solution
    moves = made_moves(steps, solution.start, core.moves())
    optimal = solution.metric == "single" and len(moves) == solution.lower_bound
    return replace(solution, moves=moves, passages=(), optimal=optimal)


def _loaded(steps: Steps, solution: Solution) -> Any:
    """The core's copy of the solution."""
    import numpy as np

    from slidelab import _core

    board, rule = steps.puzzle.board, steps.puzzle.rule
    pieces = [steps.spot(cells) for cells in solution.start.pieces]
    core = _core.Shortener(*steps.arrays(np.arange(board.size, dtype=np.int32)), pieces)
    rows = MoveList.of(solution.moves).rows
    moves = np.zeros((len(rows), 3), dtype=np.int32)
    if rule.cells == 1:
        moves[:, :2] = rows[:, 2:]
    else:
        cells = 2 + rule.cells
        for number, row in enumerate(rows.tolist()):
            (first, before), (last, after) = steps.spot(tuple(row[2:cells])), steps.spot(tuple(row[cells:]))
            moves[number] = first, last, (after - before) % rule.turns
    core.load(moves)
    return core


def made_moves(steps: Steps, start: Configuration, rows: NDArray[np.int32]) -> MoveList:
    """Moves from `start`, given as rows of placement before, placement after and turn."""
    import numpy as np

    rule = steps.puzzle.rule
    if rule.cells == 1:
        return moves_of_pairs(start, rows[:, :2])
    spots = [steps.spot(cells) for cells in start.pieces]
    at = {placement: piece for piece, (placement, _) in enumerate(spots)}
    turned = [turn for _, turn in spots]
    names = tuple(dict.fromkeys(steps.kinds))
    kind = {row[:3]: names.index(name) for row, name in zip(steps.rows, steps.kinds, strict=True)}
    out = np.empty((len(rows), 2 + 2 * rule.cells), dtype=np.int32)
    for number, (first, last, turn) in enumerate(row_lists(rows)):
        piece = at[last] = at.pop(first)
        before = rule.readings(steps.placements[first])[turned[piece]]
        turned[piece] = (turned[piece] + turn) % rule.turns
        after = rule.readings(steps.placements[last])[turned[piece]]
        out[number] = (piece + 1, kind[first, last, turn], *before, *after)
    return MoveList(out, names)
