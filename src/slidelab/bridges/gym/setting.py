"""What environments of one puzzle and of many share: spaces, starts, goal and distances."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from slidelab.arguments import whole_number
from slidelab.budget import Budget
from slidelab.distance.table import SMALL_TABLE_BYTES, DistanceTable, distance_table
from slidelab.errors import NotationError, OutOfTime, TooLarge
from slidelab.gains.arrays import Batch
from slidelab.puzzles import ConfigurationLike, PuzzleLike, read_document
from slidelab.reach.random_configurations import shuffles

__all__ = ["Setting"]

MAX_TABLE_SHAPES = 10_000
"""Shapes of the largest puzzle of which a table of distances is made without being asked for."""

MAX_DRAWS = 20
"""Times that starts are drawn again because they are at the goal."""


class Setting:
    """A puzzle as environments see it.

    Parameters
    ----------
    puzzle
        Anything that `slidelab.read_document` reads; a position is the goal.
    goal
        The goal; by default that of the puzzle.
    scramble
        Number of random moves from the goal to a start; None for starts that are uniform among all that can
        be reached.
    distances
        Whether there is a table of the distances to the goal; None for one if it takes at most 10 MB.
    one_hot
        Whether observations are one-hot vectors.
    threads
        Threads of the array kernels.
    """

    def __init__(
        self,
        puzzle: PuzzleLike,
        goal: ConfigurationLike | None,
        scramble: int | None,
        distances: bool | None,
        one_hot: bool,
        threads: int | None,
    ) -> None:
        document = read_document(puzzle)
        self.puzzle = document.puzzle
        given = document.goal or document.start or self.puzzle.goal
        self.goal = given if goal is None else document.configuration(goal)
        self.scramble = None if scramble is None else whole_number(scramble, 1, "scramble")
        self.arrays = self.puzzle.arrays(threads=threads)
        self.goal_row: Batch = self.arrays.encode([self.goal])[0]
        self.table = None if distances is False else self._table(distances is True)
        self.one_hot = one_hot
        entries = self.goal_row.size
        self.high = self.puzzle.board.size - 1 if self.puzzle.rule.cells > 1 else int(self.goal_row.max())
        self.observation_space = (
            spaces.Box(0.0, 1.0, (entries * (self.high + 1),), np.float32)
            if one_hot
            else spaces.Box(0, self.high, (entries,), self.arrays.dtype.type)
        )
        self.action_space = spaces.Discrete(self.arrays.move_count)
        self._identity = np.eye(self.high + 1, dtype=np.float32)

    def _table(self, is_wanted: bool) -> DistanceTable | None:
        if is_wanted:
            return distance_table(self.goal)
        with suppress(TooLarge, OutOfTime):
            small = Budget.of(memory=SMALL_TABLE_BYTES, max_shapes=MAX_TABLE_SHAPES)
            return distance_table(self.goal, budget=small)
        return None

    def observe(self, rows: Batch) -> NDArray[Any]:
        """Return the observations of a batch; they share no memory with it."""
        flat = rows.reshape(len(rows), -1)
        return self._identity[flat].reshape(len(rows), -1) if self.one_hot else flat.copy()

    def distances(self, rows: Batch) -> NDArray[np.int32] | None:
        """Return the distances to the goal, None without a table."""
        if self.table is None:
            return None
        return self.table.distances(rows, self.goal, threads=self.arrays.budget.threads)

    def distance(self, row: Batch) -> int | None:
        """Return the distance of one row to the goal, None without a table."""
        found = self.distances(row[None])
        return None if found is None else int(found[0])

    def are_solved(self, rows: Batch) -> NDArray[np.bool_]:
        """Return which rows of a batch are at the goal."""
        flat = np.ascontiguousarray(rows).reshape(len(rows), -1)
        goal = self.goal_row.reshape(1, -1)
        if flat.shape[1] * flat.itemsize % 8 == 0:  # eight bytes at a time
            flat, goal = flat.view(np.uint64), np.ascontiguousarray(goal).view(np.uint64)
        solved: NDArray[np.bool_] = (flat == goal).all(axis=1)
        return solved

    def starts(self, count: int, rng: np.random.Generator, scramble: int | None = None) -> Batch:
        """Return random starts, none of them at the goal unless that is all there is."""
        rows = self._draw(count, rng, scramble)
        for _ in range(MAX_DRAWS):
            solved = np.flatnonzero(self.are_solved(rows))
            if not len(solved):
                break
            rows[solved] = self._draw(len(solved), rng, scramble)
        return rows

    def _draw(self, count: int, rng: np.random.Generator, scramble: int | None) -> Batch:
        seed, length = int(rng.integers(2**63)), self.scramble if scramble is None else scramble
        if length is None:
            return self.arrays.encode(islice(shuffles(self.puzzle, seed, self.goal), count))
        first = np.repeat(self.goal_row[None], count, axis=0)
        return self.arrays.random_walks(first, length, seed=seed, record=False).states

    def chosen_starts(self, count: int, rng: np.random.Generator, options: dict[str, Any] | None) -> Batch:
        """Return the starts that the options of `reset` ask for: ``start`` or ``scramble``."""
        options = options or {}
        if unknown := set(options) - {"start", "scramble", "reset_mask"}:
            raise NotationError(
                f"expected the options 'start' and 'scramble', got {sorted(unknown)[0]!r:.40}"
            )
        if "start" in options:
            return np.repeat(self.arrays.encode([self.puzzle.configuration(options["start"])]), count, axis=0)
        own = options.get("scramble")
        return self.starts(count, rng, None if own is None else whole_number(own, 1, "scramble"))
