"""Lower bounds of batches against those of their configurations one by one, and against distances."""

from __future__ import annotations

import numpy as np
import pytest

import slidelab as sl
from slidelab.errors import NotationError, PuzzleError

TEXTS = [
    "square R(3,3)",
    "square R(2,4) tiles 2",
    "hex P(3,3) hextiles 3",
    "theta(1,2,2)",
    "king R(3,2)",
    "graph 0-1 1-2 2-0 3 tiles 2",
    "hex F(2) gourds",
    "square R(3,3) gourds 3",
    "hex P(3,3) trimers 3",
    "hex P(3,3) trimers-triangle 3",
    "hex F(2) hextiles 2 : a a b b c . .",
    "square R(2,3) : a b a b a .",
    "hex F(2) gourds 1 : 0-1=a-a 2-3=a-b 4-6=a-b",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("database_bytes", [0, 10_000])
def test_lower_bounds_are_those_of_the_configurations(text: str, database_bytes: int) -> None:
    puzzle = sl.puzzle(text)
    arrays, goal = puzzle.arrays(), puzzle.goal
    moved = [puzzle.rule.readings(cells)[-1] for cells in goal.pieces]
    starts = [goal, sl.Configuration(puzzle, (*moved[1:], moved[0]))]
    batch = np.repeat(arrays.encode(starts), 50, axis=0)
    batch = arrays.random_walks(batch, np.arange(100) % 50, seed=1).states
    heuristic = sl.heuristic_for(goal, database_bytes)
    one_by_one = [heuristic.lower_bound(configuration) for configuration in arrays.decode(batch)]
    for threads in (1, 2):
        bounds = heuristic.lower_bounds(batch, threads=threads)
        assert [None if bound < 0 else bound for bound in bounds.tolist()] == one_by_one
    distances = sl.distance_table(goal).distances(batch, goal)
    assert (bounds[distances >= 0] <= distances[distances >= 0]).all()
    assert (distances[bounds < 0] == -1).all()
    assert bounds[0] == 0


@pytest.mark.parametrize("text", TEXTS)
def test_heuristics_are_functions(text: str) -> None:
    """Of a configuration, its text or JSON, a row, or a batch; the same numbers in all forms."""
    puzzle = sl.puzzle(text)
    arrays, heuristic = puzzle.arrays(), puzzle.heuristic(tables="10K")
    assert heuristic == sl.heuristic_for(puzzle.goal, 10_000)
    batch = arrays.random_walks(np.repeat(arrays.encode([puzzle.goal]), 20, axis=0), 8, seed=2).states
    bounds = heuristic(batch)
    assert bounds.tolist() == heuristic.lower_bounds(batch).tolist()
    for row, configuration, bound in zip(batch, arrays.decode(batch), bounds.tolist(), strict=True):
        assert heuristic(row) == bound
        for form in (configuration, configuration.text, configuration.pieces_text, configuration.to_json()):
            assert heuristic(form) == bound == heuristic.lower_bound(configuration)
    table = batch.reshape(4, 5, *arrays.row_shape)
    assert np.array_equal(heuristic(table), bounds.reshape(4, 5))
    for wrong in (batch.astype(np.float64), batch[:, :-1], np.zeros((), dtype=arrays.dtype)):
        with pytest.raises(PuzzleError, match="expected an array of"):
            heuristic(wrong)


def test_a_heuristic_of_another_goal() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    goal = puzzle.configuration("8 7 6 5 4 3 2 1 .")
    assert puzzle.heuristic(goal)(goal) == 0
    assert puzzle.heuristic("8 7 6 5 4 3 2 1 .", tables=0).description == "distances of single pieces"
    alone = sl.puzzle("graph 0-1 1-2 2-0 3 tiles 2").heuristic()
    assert alone("2 . . 1") is None  # a tile on a cell that nothing touches


def test_lower_bounds_of_the_fifteen_puzzle() -> None:
    puzzle = sl.puzzle("square R(4,4)")
    arrays, heuristic = puzzle.arrays(), sl.heuristic_for(puzzle.goal)
    start = np.repeat(arrays.encode([puzzle.goal]), 3000, axis=0)
    lengths = np.arange(3000) % 60
    states, _ = arrays.random_walks(start, lengths, seed=2)
    bounds = heuristic.lower_bounds(states)
    assert (bounds <= lengths).all()
    assert (bounds % 2 == lengths % 2).all()
    around, parents, _ = arrays.neighbours(states)
    assert ((heuristic.lower_bounds(around) - bounds[parents]) % 2 == 1).all()


def test_bad_batches() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    heuristic, batch = sl.heuristic_for(puzzle.goal), puzzle.arrays().encode([puzzle.goal] * 3)
    with pytest.raises(PuzzleError, match="expected an array of uint8"):
        heuristic.lower_bounds(batch.astype(np.int64))
    batch[2] = 0
    with pytest.raises(NotationError, match=r"at row 2$"):
        heuristic.lower_bounds(batch)
    assert heuristic.lower_bounds(batch[:0]).shape == (0,)
