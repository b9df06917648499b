"""Beams between states of a solution: paths with segments in their place, and solutions that get shorter."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slidelab as sl
from slidelab.budget import Budget
from slidelab.puzzles import Configuration, Move, Solution
from slidelab.solve.patterns.heuristic import heuristic_for
from slidelab.solve.search.segments import Path, improve_by_segments
from slidelab.solve.task import Task


def exact(start: Configuration, goal: Configuration) -> Solution:
    raise AssertionError("no huge board")


def walk(start: Configuration, length: int, rng: Random) -> Solution:
    """Return a random walk as the solution that leads to its end."""
    state, moves = start, list[Move]()
    for _ in range(length):
        move = rng.choice(list(state.moves))
        state = state.play(move)
        moves.append(move)
    return Solution(start, state, tuple(moves))


@given(st.integers(0, 10**6), st.integers(1, 60))
def test_paths_have_no_loops_and_keep_their_ends(seed: int, length: int) -> None:
    puzzle = sl.puzzle("square R(3,2)")
    solution = walk(puzzle.goal, length, Random(seed))
    path = Path(solution)
    assert len(set(path.states)) == len(path.states) == len(path) + 1
    assert (path.states[0], path.states[-1]) == (solution.start, solution.goal)
    Solution(solution.start, solution.goal, tuple(path.moves))  # replayed
    distance = puzzle.distance(solution.start, solution.goal)
    assert distance is not None
    assert distance <= len(path) <= length


@given(st.integers(0, 10**6), st.data())
def test_segments_replace_what_is_not_shorter(seed: int, data: st.DataObject) -> None:
    puzzle = sl.puzzle("square R(3,3)")
    path = Path(walk(puzzle.goal, 60, Random(seed)))
    before = len(path)
    if before < 3:
        return
    first = data.draw(st.integers(0, before - 2))
    last = data.draw(st.integers(first + 2, before))
    start, goal, ends = path.states[first], path.states[last], (path.states[0], path.states[-1])
    segment = puzzle.solve(start, goal)
    assert path.replace(segment)
    assert len(path) <= before - (last - first) + segment.length
    assert (path.states[0], path.states[-1]) == ends
    Solution(*ends, tuple(path.moves))
    longer = walk(start, 80, Random(seed + 1))
    assert not path.replace(longer)  # ends elsewhere, or takes longer


@pytest.mark.parametrize(
    "text",
    [
        "square R(4,4)",
        "hex P(3,4)",
        "king R(3,3)",
        "theta(2,2,3)",
        "square R(3,3) : a a a b b b c c .",
        "hex F(2) gourds",
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_solutions_get_shorter_and_are_replayed(text: str, threads: int) -> None:
    # with pattern databases on two threads, without them on one
    goal = sl.position(text) if ":" in text else sl.puzzle(text).goal
    solution = walk(goal, 120, Random(5))
    budget = Budget.of(time=60, threads=threads)
    task = Task(solution.goal, goal, exact, budget)
    back = tuple(move.reversed for move in reversed(solution.moves))
    task.keep(Solution(solution.goal, goal, back))
    first = len(Path(Solution(solution.goal, goal, back)))
    heuristic = heuristic_for(goal, 10_000 * (threads - 1))
    task.lower_bound = heuristic.lower_bound(solution.goal) or 0
    assert improve_by_segments(task, heuristic, budget.share(1.0)) > 0
    assert task.best is not None
    assert task.lower_bound <= task.best.length <= first
    assert (task.best.start, task.best.goal) == (solution.goal, goal)


def test_nothing_is_done_without_a_solution() -> None:
    goal = sl.puzzle("square R(3,3)").goal
    task = Task(goal.puzzle.shuffle(1), goal, exact)
    assert improve_by_segments(task, heuristic_for(goal, 0), Budget()) == 0
