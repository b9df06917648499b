"""Every placement of a piece and every step between placements, numbered as the core takes them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.puzzles import Configuration, MoveList, Puzzle
from slidelab.rules import Cells

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MAX_NUMBER", "StepArrays", "Steps", "advice"]

StepArrays: TypeAlias = "tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], int]"
"""Ranks of the cells, cells of the placements, steps, and turns of a piece: how the core takes a rule."""

MAX_NUMBER = 65_535
"""Largest number of cells, placements or points: the core numbers them with sixteen bits."""


STEPS_PER_CHECK = 4096
"""Steps that are listed between two looks at the clock: some ten milliseconds."""


class Steps:
    """All placements of a piece on the board of a puzzle, and all steps from one to another.

    Attributes
    ----------
    placements : tuple of Cells
        The placements, each in the least of its readings.
    number : dict
        The number of each placement.
    rows : list of tuple
        For each step the placement before, the placement after, the turn, and the cells that must be
        empty, filled up with -1 to `_core.MAX_STEP_HOLES`.
    kinds : list of str
        The kind of move of each step.

    Examples
    --------
    >>> import slidelab as sl
    >>> steps = Steps(sl.puzzle("hex F(2) gourds"))
    >>> len(steps.placements), len(steps.rows)
    (12, 66)
    """

    def __init__(self, puzzle: Puzzle, budget: Budget | None = None) -> None:
        import numpy as np

        from slidelab import _core

        budget = budget or Budget()
        self.puzzle = puzzle
        board, rule = puzzle.board, puzzle.rule
        self.placements = tuple(islice(rule.placements(board), MAX_NUMBER + 1))
        if len(self.placements) > MAX_NUMBER:
            limit = f"more than {MAX_NUMBER:,} placements of a {rule.piece}, and that is the limit"
            raise TooLarge(f"{puzzle.text} has {limit}; {advice(puzzle)}")
        self.number = {cells: number for number, cells in enumerate(self.placements)}
        numbers = array("i")  # complete graphs have millions of steps, so these are not tuples
        self.kinds: list[str] = []
        for number, cells in enumerate(self.placements):
            for step in rule.steps(board, cells):
                if len(self.kinds) % STEPS_PER_CHECK == 0:
                    budget.check("steps", number, len(self.placements))
                after, turn = self.locate(step.after)
                unused = _core.MAX_STEP_HOLES - len(step.holes)
                numbers.extend((number, after, turn, *step.holes, *(-1,) * unused))
                self.kinds.append(step.kind)
        self.rows: NDArray[np.int32] = np.array(numbers, dtype=np.int32).reshape(-1, 3 + _core.MAX_STEP_HOLES)

    def __repr__(self) -> str:
        return f"<{len(self.rows):,} steps of {self.puzzle.text}>"

    def locate(self, cells: Cells) -> tuple[int, int]:
        """Return the number of the placement on these cells, and by how much their reading is turned.

        Examples
        --------
        >>> import slidelab as sl
        >>> Steps(sl.puzzle("hex F(2) gourds")).locate((1, 0))
        (0, 1)
        """
        readings = self.puzzle.rule.readings
        least = min(readings(cells))
        return self.number[least], readings(least).index(cells)

    def spots(self, configuration: Configuration) -> NDArray[np.int32]:
        """Return where each piece lies, as one number: its placement times the turns, plus the turn.

        Examples
        --------
        >>> import slidelab as sl
        >>> Steps(sl.puzzle("hex F(2) gourds")).spots(sl.position("hex F(2) gourds : 1-0 2-3 4-6"))
        array([ 1, 10, 20], dtype=int32)
        """
        import numpy as np

        turns = self.puzzle.rule.turns
        located = map(self.locate, configuration.pieces)
        return np.array([placement * turns + turn for placement, turn in located], dtype=np.int32)

    def arrays(self, rank: NDArray[np.int32]) -> StepArrays:
        """Return the board and the rule as the core takes them, for cells ranked along a line."""
        import numpy as np

        rule = self.puzzle.rule
        placements = np.array(self.placements, dtype=np.int32).reshape(-1, rule.cells)
        return rank, placements, self.rows, rule.turns

    @cached_property
    def _readings(self) -> list[tuple[Cells, ...]]:
        return [self.puzzle.rule.readings(cells) for cells in self.placements]

    @cached_property
    def _kind_numbers(self) -> tuple[tuple[str, ...], dict[tuple[int, ...], int]]:
        """Return the kinds of moves, and the number of the kind of each (before, after, turn)."""
        names = tuple(dict.fromkeys(self.kinds))
        pairs = zip(self.rows[:, :3].tolist(), self.kinds, strict=True)
        return names, {tuple(row): names.index(kind) for row, kind in pairs}

    def moves(self, start: Configuration, rows: Iterable[Sequence[int]]) -> MoveList:
        """Return the moves of steps that the core found, as played from `start`.

        This is the one place where what the core returns becomes moves.

        Parameters
        ----------
        start
            Where the first step is made. Its pieces give the moves their numbers and readings.
        rows
            For each step the placement before, the placement after and the turn.

        Examples
        --------
        >>> import slidelab as sl
        >>> start = sl.position("square R(2,2) : 1 2 . 3")
        >>> Steps(start.puzzle).moves(start, [(3, 2, 0)])
        <1 moves: 3:3>2>
        """
        import numpy as np

        turns, readings = self.puzzle.rule.turns, self._readings
        names, kinds = self._kind_numbers
        located = [self.locate(cells) for cells in start.pieces]
        piece_on = {placement: piece for piece, (placement, _) in enumerate(located)}
        turned = [turn for _, turn in located]
        moves = []
        for first, last, turn in rows:
            piece = piece_on[last] = piece_on.pop(first)
            before = readings[first][turned[piece]]
            turned[piece] = (turned[piece] + turn) % turns
            after = readings[last][turned[piece]]
            moves.append((piece + 1, kinds[first, last, turn], *before, *after))
        width = 2 + 2 * self.puzzle.rule.cells
        return MoveList(np.array(moves, dtype=np.int32).reshape(-1, width), names)


def advice(puzzle: Puzzle) -> str:
    """Return what to change about a puzzle that is too large.

    Examples
    --------
    >>> import slidelab as sl
    >>> advice(sl.puzzle("square R(9,9)"))
    'what would work: a smaller board'
    """
    if puzzle.rule.cells == 1 and puzzle.hole_count > puzzle.rule.fewest_holes:
        return "what would work: fewer holes, a smaller board"
    return "what would work: a smaller board"
