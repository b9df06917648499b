"""Walks of the holes while a board is peeled: every solution is replayed, and walks make it shorter."""

from __future__ import annotations

import random

import pytest

import slidelab as sl
from slidelab.budget import Budget
from slidelab.errors import OutOfTime
from slidelab.puzzles import Configuration, Solution
from slidelab.solve.huge.peeler import peel
from slidelab.solve.huge.walks import STYLES, Walks, WalkStyle
from solve.huge_boards import as_board, ear_graph, random_board, replay

BOARDS = [
    "square R(12,12)",
    "square R(15,9)",
    "king R(9,9)",
    "square R(10,10) tiles 2",
    "square R(10,10) tiles 30",
    "square R(9,9) tiles 60",
    "hex F(5)",
    "hex P(8,7) hextiles 3",
    "hex F(5) hextiles 12",
    "hex F(5) tiles 1",
    "theta(9,10,11)",
]


def solve(start: Configuration, goal: Configuration, walks: Walks | None) -> Solution:
    moves = peel(start, goal, lambda a, b: a.puzzle.solve(a, b), walks=walks)
    solution = Solution(start, goal, moves, method="peel")
    replay(solution)
    return solution


@pytest.mark.parametrize("text", BOARDS)
def test_solutions_with_walks(text: str) -> None:
    puzzle = sl.puzzle(text)
    for seed in (1, 2):
        start, goal = puzzle.shuffle(seed=seed), puzzle.shuffle(seed=seed + 10)
        solve(start, goal, Walks(Budget()))


@pytest.mark.parametrize("kind", ["square", "hex", "king"])
def test_boards_with_cells_missing(kind: str) -> None:
    for seed in range(3):
        puzzle = sl.puzzle(random_board(kind, seed), "tiles", 1)
        solve(puzzle.shuffle(seed=seed), puzzle.goal, Walks(Budget()))


def test_random_graphs() -> None:
    for seed in range(5):
        puzzle = sl.puzzle(as_board(ear_graph(random.Random(seed), 50, 2)), "tiles", 1)
        start = puzzle.shuffle(seed=seed)
        solve(start, puzzle.goal, Walks(Budget()))


@pytest.mark.parametrize("text", ["square R(16,16)", "square R(20,20)", "hex F(8)"])
def test_walks_make_solutions_shorter(text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(seed=1)
    rough = solve(start, puzzle.goal, None)
    assert 10 * solve(start, puzzle.goal, Walks(Budget())).length < 9 * rough.length


@pytest.mark.parametrize("style", STYLES)
def test_all_styles(style: WalkStyle) -> None:
    puzzle = sl.puzzle("square R(10,9)")
    solve(puzzle.shuffle(seed=3), puzzle.goal, Walks(Budget(), style))


def test_no_time_for_walks_gives_the_moves_without() -> None:
    puzzle = sl.puzzle("square R(12,12)")
    start = puzzle.shuffle(seed=1)
    rough = solve(start, puzzle.goal, None)
    assert solve(start, puzzle.goal, Walks(Budget.of(time=0))).moves == rough.moves


def test_walks_are_reported_and_stopped() -> None:
    puzzle = sl.puzzle("square R(30,30)")
    start = puzzle.shuffle(seed=1)
    phases = set()

    def progress(phase: str, done: int, total: int) -> None:
        phases.add(phase)
        if phase == "walk":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        puzzle.solve(start, method="peel", progress=progress)
    assert isinstance(stopped.value, sl.Stopped)
    assert stopped.value.best is not None
    replay(stopped.value.best)
    assert "walk" in phases


def test_a_deadline_ends_the_whole() -> None:
    puzzle = sl.puzzle("square R(12,12)")
    with pytest.raises(OutOfTime):
        peel(
            puzzle.shuffle(seed=1),
            puzzle.goal,
            lambda a, b: a.puzzle.solve(a, b),
            Budget.of(time=0),
            Walks(Budget()),
        )


def test_not_shortened_means_no_walks() -> None:
    puzzle = sl.puzzle("square R(16,16)")
    start = puzzle.shuffle(seed=1)
    rough = puzzle.solve(start, method="peel", shorten=False)
    assert rough.moves == solve(start, puzzle.goal, None).moves
    assert puzzle.solve(start, method="peel").length < rough.length
