"""Distances of batches against distances of their configurations one by one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import slidelab as sl
from slidelab.distance.metric import Metric
from slidelab.distance.table import DistanceTable
from slidelab.errors import NotationError, PuzzleError
from slidelab.gains.arrays import Batch
from slidelab.puzzles import Configuration, Puzzle

TEXTS = [
    "square R(3,3)",
    "square R(2,3) tiles 3",
    "hex P(3,3) hextiles 3",
    "theta(1,2,2)",
    "king R(3,2)",
    "cycle(6) tiles 2",
    "graph 0-1 1-2 2-0 3 tiles 2",
    "hex F(2) gourds",
    "square R(3,3) gourds 3",
    "hex P(3,3) trimers 3",
    "hex P(3,3) trimers-triangle 3",
    "hex F(2) hextiles 2 : a a b b c . .",
    "square R(2,3) : a b a b a .",
    "hex F(2) gourds 1 : 0-1=a-a 2-3=a-b 4-6=a-b",
]


def batch_of(puzzle: Puzzle) -> Batch:
    """Configurations near the goal, far from it, and some that may have no solution."""
    arrays = puzzle.arrays()
    goal = puzzle.goal
    swapped = list(goal.pieces)
    swapped[:2] = swapped[1::-1]
    starts = [goal, Configuration(puzzle, tuple(swapped)), Configuration(puzzle, (*swapped[1:], swapped[0]))]
    starts.append(Configuration(puzzle, tuple(puzzle.rule.readings(cells)[-1] for cells in swapped)))
    batch = np.repeat(arrays.encode(starts), 40, axis=0)
    lengths = np.arange(len(batch)) % 40
    return arrays.random_walks(batch, lengths, seed=1).states


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        *((text, "single") for text in TEXTS),
        (TEXTS[0], "straight"),
        (TEXTS[1], "straight"),
        (TEXTS[-2], "straight"),
    ],
)
def test_distances_are_those_of_the_configurations(text: str, metric: Metric) -> None:
    puzzle = sl.puzzle(text)
    table = DistanceTable(puzzle.goal, metric)
    batch = batch_of(puzzle)
    one_by_one = [table.distance(configuration) for configuration in puzzle.arrays().decode(batch)]
    for threads in (1, 2):
        found = table.distances(batch, threads=threads)
        assert found.tolist() == [-1 if distance is None else distance for distance in one_by_one]
        residues = table.residues(puzzle.arrays().spots(batch), threads=threads)
        assert residues.tolist() == [-1 if distance is None else distance % 3 for distance in one_by_one]


def test_distances_to_another_goal_of_the_shape() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    table = DistanceTable(puzzle.goal)
    goal = puzzle.configuration("3 1 2 4 5 6 7 8 .")
    batch = batch_of(puzzle)
    expected = [table.distance(c, goal) for c in puzzle.arrays().decode(batch)]
    assert [d if d >= 0 else None for d in table.distances(batch, goal).tolist()] == expected
    with pytest.raises(PuzzleError, match="same shape"):
        table.distances(batch, puzzle.configuration(". 1 2 3 4 5 6 7 8"))


def test_all_distances_of_the_eight_puzzle() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    table, arrays = DistanceTable(puzzle.goal), puzzle.arrays()
    layer = arrays.encode([puzzle.goal])
    for depth, count in enumerate(table.distribution):
        assert len(layer) == count
        assert (table.distances(layer) == depth).all()
        states = np.unique(arrays.neighbours(layer).states, axis=0)
        layer = states[table.distances(states) == depth + 1]


def test_bad_batches_and_threads() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    table = DistanceTable(puzzle.goal)
    batch = batch_of(puzzle)
    with pytest.raises(PuzzleError, match="expected an array of uint8"):
        table.distances(batch.astype(np.int64))
    bad = batch.copy()
    bad[7] = 1
    with pytest.raises(NotationError, match=r"at row 7$"):
        table.distances(bad)
    assert table.distances(batch[:0]).shape == (0,)
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: table.distances(batch), range(6)))
    assert all((one == found[0]).all() for one in found)
