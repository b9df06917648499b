"""Distances to the nearest goal on coloured cells: their distribution, and which solutions are unique."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from slidelab.budget import Budget
from slidelab.display import SvgDisplay, chart
from slidelab.distance.goal_table import GoalTable
from slidelab.errors import NotationError
from slidelab.puzzles import Configuration, Puzzle

__all__ = ["GoalDistances", "goal_distances"]

MAX_HARDEST_COUNT = 10_000
"""Largest number of farthest configurations in a result; as many are kept of every layer."""


@dataclass(frozen=True, slots=True, repr=False)
class GoalDistances(SvgDisplay):
    """The number of configurations at each distance from the nearest goal, and the farthest ones.

    Attributes
    ----------
    puzzle : Puzzle
    cells : tuple of str
        The colour of each cell; a goal has every part of a piece on a cell of its colour.
    goals : int
        The number of goals.
    configurations : int
        The number of all configurations, also of those from which no goal can be reached.
    distribution : tuple of int
        Entry d is the number of configurations whose shortest solution has d moves.
    unique : tuple of int
        How many of these have only one shortest solution. Pieces that look alike are not told apart.
    hardest : tuple of Configuration
        Those at the largest distance, as many as were asked for, with a unique solution first.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("hex F(2) gourds", colours=[["a", "a"], ["a", "b"], ["b", "b"]])
    >>> d = p.goal_distances(["a", "b", "a", ".", "b", "a", "b"])
    >>> d
    <distances of 240 configurations to 2 goals of hex F(2) gourds 1: depth 8>
    >>> d.distribution, d.unique
    ((2, 12, 16, 26, 48, 46, 44, 40, 6), (2, 12, 16, 24, 36, 24, 12, 8, 0))
    """

    puzzle: Puzzle
    cells: tuple[str, ...]
    goals: int
    configurations: int
    distribution: tuple[int, ...]
    unique: tuple[int, ...]
    hardest: tuple[Configuration, ...]

    @property
    def states(self) -> int:
        """The number of configurations from which a goal can be reached."""
        return sum(self.distribution)

    @property
    def depth(self) -> int:
        """The largest distance."""
        return len(self.distribution) - 1

    @property
    def mean(self) -> float:
        """The mean distance."""
        return sum(d * n for d, n in enumerate(self.distribution)) / self.states

    chart = chart

    def __repr__(self) -> str:
        kind = self.puzzle.uncoloured.text
        goals = f"{self.goals:,} goal{'s' if self.goals > 1 else ''}"
        return f"<distances of {self.states:,} configurations to {goals} of {kind}: depth {self.depth}>"

    def __str__(self) -> str:
        from slidelab.distance.report import goal_distances_text

        return goal_distances_text(self)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "puzzle": self.puzzle.to_json(),
            "cells": list(self.cells),
            "goals": self.goals,
            "configurations": self.configurations,
            "states": self.states,
            "depth": self.depth,
            "distribution": list(self.distribution),
            "unique": list(self.unique),
            "hardest": [c.to_json() for c in self.hardest],
        }


def goal_distances(
    puzzle: Puzzle, cells: Sequence[str], *, hardest: int = 1, budget: Budget | None = None
) -> GoalDistances:
    """Count the configurations at each distance from the nearest goal; see `Puzzle.goal_distances`.

    Examples
    --------
    >>> import slidelab as sl
    >>> d = goal_distances(sl.puzzle("square R(3,2) : a a a b b ."), ["a", "b", "a", "b", "a", "."])
    >>> d.states, d.depth, d.hardest[0].pieces_text
    (60, 12, 'a a b . a b')
    """
    if isinstance(hardest, bool) or not isinstance(hardest, int) or not 0 <= hardest <= MAX_HARDEST_COUNT:
        raise NotationError(
            f"expected from 0 to {MAX_HARDEST_COUNT} hardest configurations, got {hardest!r:.40}"
        )
    table = GoalTable(puzzle, cells, samples=hardest, budget=budget)
    farthest = [configuration for configuration, _ in table.sample(len(table.distribution) - 1)][:hardest]
    return GoalDistances(
        puzzle,
        table.cells,
        len(table.goals),
        table.configurations,
        table.distribution,
        table.unique,
        tuple(farthest),
    )
