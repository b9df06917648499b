"""A graded set: starts of one puzzle with coloured cells, from easy to the hardest there is.

Starts are drawn at distances from the nearest goal that rise evenly to the largest one. Of those drawn at one
distance the narrowest is chosen: with the fewest shortest solutions, and then the least likely to be solved
by luck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import msgspec

from slidelab.arguments import whole_number
from slidelab.budget import Budget
from slidelab.distance.goal_table import GoalTable
from slidelab.draw.sheet.selection import rising_distances
from slidelab.errors import NotationError, TooLarge
from slidelab.files import convert_json
from slidelab.puzzles import Configuration, Puzzle, Solution, read_document

__all__ = ["LEVELS", "GradedSet", "GradedStart", "choose_starts", "graded_set", "level_of"]

LEVELS = ("easy", "medium", "hard", "very hard", "hardest")
"""Names of the levels: thirds of the way to the median distance, beyond it, and the largest distance."""

MAX_STARTS = 500
"""Most starts of a set: more than anybody solves."""

MIN_SAMPLES = 64
"""Configurations of each distance that are drawn, with one shortest solution and with several."""

EASIEST_MOVES = 2
"""Moves of the first start by default."""


@dataclass(frozen=True, slots=True)
class GradedStart:
    """One start.

    Attributes
    ----------
    solution : Solution
        A shortest solution; it ends at a nearest goal.
    solutions : int or None
        How many shortest solutions there are; None if they are too many to count.
    chance : float or None
        The probability that random moves, none of which takes the last one back, are one of them.
    level : int
        From 1 to 5, as named in `LEVELS`.
    """

    solution: Solution
    solutions: int | None
    chance: float | None
    level: int

    @property
    def start(self) -> Configuration:
        """The configuration to be solved."""
        return self.solution.start

    @property
    def moves(self) -> int:
        """The number of moves of a shortest solution."""
        return self.solution.length


@dataclass(frozen=True, slots=True, repr=False)
class GradedSet:
    """Starts of one puzzle from easy to hard; made by `graded_set`.

    Attributes
    ----------
    puzzle : Puzzle
    cells : tuple of str
        The colour of each cell, ``.`` for one that stays empty.
    distribution, unique : tuple of int
        How many configurations there are at each distance from the nearest goal, and how many of them have
        only one shortest solution.
    starts : tuple of GradedStart
    """

    puzzle: Puzzle
    cells: tuple[str, ...]
    distribution: tuple[int, ...]
    unique: tuple[int, ...]
    starts: tuple[GradedStart, ...]

    def __repr__(self) -> str:
        moves = [start.moves for start in self.starts]
        return f"<{len(moves)} starts of {self.puzzle.uncoloured.text} in {moves[0]} to {moves[-1]} moves>"

    @property
    def goal(self) -> Configuration:
        """The goal of the hardest start."""
        return self.starts[-1].solution.goal

    def to_json(self) -> dict[str, Any]:
        """Return the set as a JSON object; `GradedSet.from_json` reads it back."""
        return {
            "puzzle": self.puzzle.to_json(),
            "cells": list(self.cells),
            "distribution": list(self.distribution),
            "unique": list(self.unique),
            "starts": [
                {
                    "start": each.start.pieces_text,
                    "solution": each.solution.text,
                    "solutions": each.solutions,
                    "chance": each.chance,
                }
                for each in self.starts
            ],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> GradedSet:
        """Return the set of a JSON object; every solution is played, and must end on cells of its colours.

        Raises
        ------
        PuzzleError
            If the object is not a graded set, or a solution does not solve its start.
        """
        form = convert_json(dict(value), _SetForm)
        document = read_document({"puzzle": form.puzzle, "cells": form.cells}, files=False)
        puzzle, cells = document.puzzle, document.cells
        counts = form.distribution
        if puzzle.colours is None or cells is None or len(cells) != puzzle.board.size:
            raise NotationError("expected a puzzle with coloured pieces and cells - at `$.puzzle`")
        if not counts or min(counts) < 1 or len(form.unique) != len(counts):
            raise NotationError("expected how many configurations there are at each distance - at `$`")
        if not form.starts or len(form.starts) > MAX_STARTS:
            raise NotationError(f"expected from 1 to {MAX_STARTS} starts - at `$.starts`")
        starts = []
        for number, each in enumerate(form.starts):
            start = puzzle.configuration(each.start, files=False)
            goal = start.play(each.solution)
            solution = Solution(start, goal, _moves(start, each.solution), optimal=True, method="table")
            if not _matches(goal, cells) or not 0 < solution.length < len(counts):
                raise NotationError(
                    f"expected moves to cells of the right colours - at `$.starts[{number}].solution`"
                )
            level = level_of(solution.length, counts)
            starts.append(GradedStart(solution, each.solutions, each.chance, level))
        return cls(puzzle, tuple(cells), tuple(counts), tuple(form.unique), tuple(starts))


class _StartForm(msgspec.Struct, forbid_unknown_fields=True):
    start: str
    solution: str
    solutions: int | None = None
    chance: float | None = None


class _SetForm(msgspec.Struct, forbid_unknown_fields=True):
    puzzle: Any
    cells: list[str]
    distribution: list[int]
    unique: list[int]
    starts: list[_StartForm]


def graded_set(
    puzzle: Puzzle,
    cells: Sequence[str],
    count: int = 30,
    *,
    moves: Sequence[int] | None = None,
    budget: Budget | None = None,
) -> GradedSet:
    """Choose starts of rising difficulty, up to the hardest there is.

    Parameters
    ----------
    puzzle
        A puzzle with coloured pieces.
    cells
        The colour of each cell, ``.`` for one that stays empty.
    count
        How many; fewer if there are not so many.
    moves
        Number of moves of the first and of the last start; by default from two to the largest distance.
    budget
        Limits of the search, which goes through all configurations.

    Raises
    ------
    Unsolvable
        If the pieces cannot be placed on cells of their colours.
    TooLarge
        If the search does not fit into the memory.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("hex F(2) gourds", colours=[["a", "a"], ["a", "b"], ["b", "b"]])
    >>> graded = graded_set(p, ["a", "b", "a", ".", "b", "a", "b"], 4)
    >>> [(each.moves, each.solutions, LEVELS[each.level - 1]) for each in graded.starts]
    [(2, 1, 'medium'), (4, 1, 'hard'), (6, 1, 'very hard'), (8, 3, 'hardest')]
    """
    number = whole_number(count, 1, "count")
    if number > MAX_STARTS:
        raise NotationError(f"expected from 1 to {MAX_STARTS} starts, got {number} - at count")
    table = GoalTable(puzzle, cells, samples=max(MIN_SAMPLES, number), budget=budget)
    return choose_starts(table, number, moves=moves)


def choose_starts(table: GoalTable, count: int, *, moves: Sequence[int] | None = None) -> GradedSet:
    """Choose starts from a table, which draws at least `count` configurations of each distance.

    The arguments are those of `graded_set`.
    """
    puzzle = table.puzzle
    depth = len(table.distribution) - 1
    if not depth:
        raise NotationError(f"expected a puzzle in which something can move, got {puzzle.text!r:.80}")
    first, last = (min(EASIEST_MOVES, depth), depth) if moves is None else (moves[0], moves[-1])
    if not 1 <= first <= last <= depth:
        raise NotationError(
            f"expected moves from 1 to {depth}, the largest distance, got {first} to {last} - at moves"
        )
    distances = rising_distances(first, last, count)
    starts: list[GradedStart] = []
    for distance in dict.fromkeys(distances):
        narrowest = _narrowest(table, distance, distances.count(distance))
        # Of starts with as many moves, those that luck solves sooner come first.
        starts += sorted(narrowest, key=lambda each: -(each.chance or 0.0))
    return GradedSet(puzzle, table.cells, table.distribution, table.unique, tuple(starts))


def level_of(moves: int, distribution: Sequence[int]) -> int:
    """Return the level of a start from 1 to 5, given how many configurations there are at each distance.

    >>> [level_of(moves, [1, 2, 4, 8, 16, 32, 32, 8, 2]) for moves in range(1, 9)]
    [1, 2, 2, 3, 3, 4, 4, 5]
    """
    if moves >= len(distribution) - 1:
        return 5
    median = next(d for d, n in enumerate(accumulate(distribution)) if 2 * n >= sum(distribution))
    return next((level for level in (1, 2, 3) if 3 * moves <= level * median), 4)


def _narrowest(table: GoalTable, distance: int, count: int) -> list[GradedStart]:
    """Return the narrowest of the starts drawn at a distance: unique solutions if there are enough."""
    drawn = table.sample(distance)
    unique = [start for start, is_unique in drawn if is_unique]
    starts = unique if len(unique) >= count else [start for start, _ in drawn]
    measured: list[tuple[Configuration, int | None, float | None]] = []
    for start in starts:
        try:
            found = table.count_solutions(start)
        except TooLarge:
            measured.append((start, None, None))
        else:
            measured.append((start, found.count, found.chance))
    many = 1 << 64
    measured.sort(key=lambda each: (each[1] or many, each[2] or 0.0, each[0].pieces_text))
    level = level_of(distance, table.distribution)
    return [
        GradedStart(table.solve(start), solutions, chance, level)
        for start, solutions, chance in measured[:count]
    ]


def _moves(start: Configuration, text: str) -> list[Any]:
    """Return the moves of a text."""
    from slidelab.puzzles import read_move

    return [read_move(word) for word in text.split()]


def _matches(goal: Configuration, cells: Sequence[str]) -> bool:
    """Return whether every part of a piece is on a cell of its colour."""
    return all(
        cells[cell] == labels[min(k, len(labels) - 1)]
        for labels, own in zip(goal.puzzle.colours or (), goal.pieces, strict=True)
        for k, cell in enumerate(own)
    )
