"""Both bounds of God's number with their reasons, as text and JSON."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from slidelab.bounds.lower import FarPair, far_pair
from slidelab.bounds.orders import Limits
from slidelab.bounds.upper import UpperBound, upper_bound
from slidelab.budget import Budget
from slidelab.errors import OutOfTime, TooLarge
from slidelab.puzzles import PuzzleLike
from slidelab.puzzles import puzzle as as_puzzle

__all__ = ["GodsNumberBounds", "gods_number_bounds"]

MAX_PAIR_PIECES = 400
"""Pieces of the largest puzzle for which a far pair is sought: an assignment takes cubic time."""


@dataclass(frozen=True, slots=True)
class GodsNumberBounds:
    """What is proved about God's number without a search of all configurations.

    Examples
    --------
    >>> bounds = gods_number_bounds("square R(5,5)")
    >>> bounds.at_least, bounds.at_most
    (116, 270)
    >>> bounds.lower_reason
    'by a pair of configurations far apart'
    """

    counted: int | None
    pair: FarPair | None
    upper: UpperBound | None

    @property
    def at_least(self) -> int | None:
        """The best lower bound, None if there is none."""
        known = [self.counted or 0, self.pair.number if self.pair else 0]
        return max(known) or None

    @property
    def at_most(self) -> int | None:
        """The upper bound, None if there is none."""
        return None if self.upper is None else self.upper.number

    @property
    def lower_reason(self) -> str | None:
        """How the lower bound is proved, in a few words."""
        if self.at_least is None:
            return None
        by_pair = self.pair is not None and self.pair.number == self.at_least
        return self.pair.reason if by_pair and self.pair else "by counting walks"

    def __str__(self) -> str:
        parts = []
        if self.at_least is not None:
            parts.append(f"at least {self.at_least:,}, {self.lower_reason}")
        if self.upper is not None:
            parts.append(f"at most {self.upper.number:,}, {self.upper.reason}")
        return "; ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """Return both bounds with their reasons and certificates."""
        return {
            "at_least": self.at_least,
            "at_least_reason": self.lower_reason,
            "at_most": self.at_most,
            "at_most_reason": None if self.upper is None else self.upper.reason,
            "certificates": [found.to_json() for found in (self.pair, self.upper) if found is not None],
        }


def gods_number_bounds(
    source: PuzzleLike,
    *,
    counted: int | None = None,
    lower: bool = True,
    step_states: int = Limits().step_states,
    core_states: int = Limits().core_states,
    rounds: int = 2,
    budget: Budget | None = None,
) -> GodsNumberBounds:
    """Return bounds of God's number in single moves; a bound that takes too long is missing.

    Parameters
    ----------
    source
        A puzzle, or anything that `slidelab.puzzle` reads.
    counted
        A lower bound that is known already, by counting.
    lower
        Whether to look for a lower bound. Where pieces have colours or pushes count, only the upper bound of
        numbered pieces and single moves is valid.
    step_states, core_states, rounds
        As for `upper_bound`.
    budget
        Memory and time.
    """
    puzzle = as_puzzle(source)
    budget = budget or Budget()
    pair: FarPair | None = None
    upper: UpperBound | None = None
    if lower and puzzle.colours is None and puzzle.piece_count <= MAX_PAIR_PIECES:
        with suppress(OutOfTime, TooLarge):
            pair = far_pair(puzzle, budget=budget.part(0.3))
    with suppress(OutOfTime, TooLarge):
        upper = upper_bound(
            puzzle, step_states=step_states, core_states=core_states, rounds=rounds, budget=budget
        )
    return GodsNumberBounds(counted if lower else None, pair, upper)
