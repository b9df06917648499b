"""The errors of slidelab: one base class, and one subclass for each thing that can be wrong.

A message is one line and says expectation, fact and place, as in
``expected two numbers in P(columns,rows), got 'P(3)x' - at token 2 of 'hex P(3)x'``.

>>> issubclass(NotationError, PuzzleError) and issubclass(PuzzleError, ValueError)
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slidelab.puzzles import Solution

__all__ = [
    "Damaged",
    "GaveUp",
    "IllegalMove",
    "NotReached",
    "NotationError",
    "OutOfTime",
    "PuzzleError",
    "Stopped",
    "TooLarge",
    "UnknownWord",
    "Unsolvable",
    "WorkerLost",
]


class PuzzleError(ValueError):
    """Base of all errors that slidelab raises about what it was given."""


class NotationError(PuzzleError):
    """A text, a JSON value or a list of numbers does not describe what was expected."""


class UnknownWord(NotationError):
    """A word of a text is not known, perhaps because it is misspelt.

    Attributes
    ----------
    place : int
        Number of the word in the text, from 0.
    candidates : tuple of str
        What may be meant instead, most likely first.
    length : int
        Number of words that a candidate replaces.
    """

    def __init__(
        self, message: str, place: int = 0, candidates: tuple[str, ...] = (), length: int = 1
    ) -> None:
        super().__init__(message)
        self.place, self.candidates, self.length = place, candidates, length


class IllegalMove(PuzzleError):
    """The rule of the puzzle does not allow this move here."""


class Unsolvable(PuzzleError):
    """No moves lead from the start to the goal; the message says why."""


class TooLarge(PuzzleError):
    """The answer would need more memory or time than the stated limit."""


class GaveUp(TooLarge):
    """No solution was found within the limits; every solution has at least `lower_bound` moves."""

    def __init__(self, what: str, lower_bound: int) -> None:
        super().__init__(what, lower_bound)
        self.lower_bound = lower_bound

    def __str__(self) -> str:
        moves = f"{self.lower_bound:,} move{'s'[: self.lower_bound != 1]}"
        return f"no solution of {self.args[0]} found within the limits; it needs at least {moves}"


class NotReached(TooLarge):
    """No configuration at some distance was found within the limits, and there may be one.

    `farthest` is a shortest solution of the farthest configuration that was found, or None. There are
    configurations at every distance up to `lower_bound`.
    """

    def __init__(self, distance: int, farthest: Solution | None, lower_bound: int = 0) -> None:
        super().__init__(distance, farthest, lower_bound)
        self.distance = distance
        self.farthest = farthest
        self.lower_bound = max(lower_bound, farthest.length if farthest else 0)

    def __str__(self) -> str:
        what = f"no configuration at {self.distance:,} moves was found within the limits"
        if self.farthest is not None:
            return f"{what}; the farthest is at {self.farthest.length:,} moves: {self.farthest.start.text}"
        if self.lower_bound:
            return f"{what}; there are some at every distance up to {self.lower_bound:,}"
        return what


class OutOfTime(PuzzleError):
    """The time limit was reached before there was an answer."""

    def __init__(self, message: str = "the time limit was reached") -> None:
        super().__init__(message)


class Stopped(KeyboardInterrupt):
    """The user stopped a search; carries the best solution and the lower bound known by then."""

    def __init__(self, best: Solution | None, lower_bound: int) -> None:
        super().__init__(best, lower_bound)
        self.best = best
        self.lower_bound = lower_bound


class Damaged(PuzzleError):
    """A stored file exists but its content is not what was once written."""


class WorkerLost(PuzzleError):
    """A process that computed for this one has ended; what was finished before is kept."""
