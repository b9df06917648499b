"""A lower bound for any rule on a board of any size: the moves that each piece needs alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.gains.steps import Steps
from slidelab.messages import quoted
from slidelab.puzzles import Configuration

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SinglePieces"]

MAX_ARC_VISITS = 100_000_000
"""Steps of one piece, times pieces, whose distances are computed: some seconds."""


class SinglePieces:
    """The sum of the moves that the pieces need to a goal, each as if it were alone on the board.

    Unlike `slidelab.solve.patterns.heuristic.Heuristic` it needs no gain graph.

    Raises
    ------
    TooLarge
        If the board has too many cells and pieces.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> SinglePieces(p.goal).lower_bound(p.configuration("8 6 7 2 5 4 3 . 1"))
    21
    """

    def __init__(self, goal: Configuration, *, budget: Budget | None = None) -> None:
        import numpy as np

        budget = budget or Budget()
        puzzle, turns = goal.puzzle, goal.puzzle.rule.turns
        self._steps = Steps(puzzle.uncoloured, budget)
        self._arcs = _arcs(self._steps, turns)
        targets = self._targets(goal)
        if len(targets) * self._arcs.shape[1] > MAX_ARC_VISITS:
            raise TooLarge(f"{quoted(puzzle.text)} is too large for a lower bound on its distances")
        rows = []
        for number, spots in enumerate(targets):
            budget.check("distances of single pieces", number, len(targets))
            rows.append(self._distances(spots))
        self._moves = np.array(rows, dtype=np.int32).reshape(len(rows), -1)

    def _targets(self, goal: Configuration) -> list[list[int]]:
        """Return for each piece the spots where it may end."""
        turns, spots = goal.puzzle.rule.turns, self._steps.spots(goal).tolist()
        colours = goal.puzzle.colours
        self._row = list(range(len(spots)))
        if colours is None:
            return [[spot] for spot in spots]
        kinds = list(dict.fromkeys(colours))
        self._row = [kinds.index(labels) for labels in colours]
        ends: list[list[int]] = [[] for _ in kinds]
        for kind, spot in zip(self._row, spots, strict=True):
            first = (
                spot - spot % turns
            )  # pieces of one colour may look alike in several readings: all will do
            ends[kind] += range(first, first + turns)
        return ends

    def _distances(self, targets: list[int]) -> NDArray[np.int32]:
        import numpy as np

        sources, ends = self._arcs
        moves = np.full(len(self._steps.placements) * self._steps.puzzle.rule.turns, -1, dtype=np.int32)
        moves[targets] = 0
        distance = 0
        while True:
            reached = ends[(moves[sources] == distance) & (moves[ends] < 0)]
            if not len(reached):
                return moves
            distance += 1
            moves[reached] = distance

    def lower_bound(self, configuration: Configuration) -> int:
        """Return a lower bound on the moves to the goal."""
        return int(self._moves[self._row, self._steps.spots(configuration)].clip(0).sum())


def _arcs(steps: Steps, turns: int) -> NDArray[np.int64]:
    """Return the spots before and after every step in every reading; moves can be undone."""
    import numpy as np

    before, after, turn = (steps.rows[:, k].astype(np.int64) for k in range(3))
    pairs = [(before * turns + t, after * turns + (t + turn) % turns) for t in range(turns)]
    return np.concatenate([np.stack(pair) for pair in pairs], axis=1)
