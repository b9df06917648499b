"""Hints: who follows them gets there, on a shortest way if the puzzle is small."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slidelab as sl
from distance.oracle import thorough
from reach.twins import Case, twins_with_pairs
from slidelab.errors import Unsolvable
from slidelab.puzzles import Configuration, Solution
from slidelab.solve import next_move
from slidelab.solve.policy import Policy
from slidelab.solve.solver import solve

pytestmark = pytest.mark.usefixtures("forget")


def followed(start: Configuration, goal: Configuration, limit: int, time: float = 2.0) -> int:
    """The number of hints that lead to the goal."""
    count = 0
    while (move := start.puzzle.hint(start, goal, time=time)) is not None:
        start = start.play(move)
        count += 1
        assert count <= limit
    assert start == goal
    return count


@pytest.mark.parametrize(
    "text",
    [
        "square R(3,3)",
        "theta(1,2,2)",
        "hex F(2)",
        "hex F(2) gourds 1",
        "hex P(3,3) hextiles 3",
        "square R(3,3) trimers 3",
        "square R(2,3) : a a b b c .",
    ],
)
def test_hints_lead_to_the_goal_on_a_shortest_way(text: str) -> None:
    puzzle = sl.puzzle(text)
    for seed in range(6):
        start = puzzle.shuffle(seed)
        exact = puzzle.distance(start)
        assert exact is not None
        assert followed(start, puzzle.goal, exact) == exact


@given(twins_with_pairs(most=300))
@thorough(40)
def test_hints_for_all_rules(case: Case) -> None:
    made, start, goal, reached = case
    first, last = made.configuration(start), made.configuration(goal)
    if goal not in reached:
        with pytest.raises(Unsolvable) as caught:
            made.puzzle.hint(first, last)
        assert str(caught.value) == made.puzzle.solvable(first, last).reason
        return
    exact = made.puzzle.distance(first, last)
    assert exact is not None
    assert followed(first, last, exact) == exact


@given(st.integers(0, 10**6))
@thorough(15)
def test_who_goes_astray_gets_there_too(seed: int) -> None:
    puzzle = sl.puzzle("square R(3,3)")
    dice = random.Random(seed)
    now, steps = puzzle.shuffle(seed), 0
    while (move := puzzle.hint(now)) is not None:
        before = puzzle.distance(now)
        assert before is not None
        if steps < 30 and dice.random() < 0.3:
            now = now.play(dice.choice(list(now.moves)))
        else:
            now = now.play(move)
            assert puzzle.distance(now) == before - 1
        steps += 1
        assert steps < 200
    assert now == puzzle.goal


def test_nothing_left_to_do() -> None:
    for text in ("square R(3,3)", "square R(4,4)", "hex F(2) gourds 1", "square R(2,3) : a a b b c ."):
        puzzle = sl.puzzle(text)
        assert puzzle.hint(puzzle.goal) is None
        start = puzzle.shuffle(3)
        assert puzzle.hint(start, start) is None


def test_unsolvable_with_the_reason() -> None:
    puzzle = sl.puzzle("square R(4,4)")
    with pytest.raises(Unsolvable, match="odd permutation"):
        puzzle.hint("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 .")


def test_a_solution_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """One search for all hints along it; another only for who leaves it."""
    puzzle = sl.puzzle("square R(3,3)")
    start = puzzle.configuration("8 6 7 2 5 4 3 . 1")
    calls: list[Any] = []

    def counted(*arguments: Any, **options: Any) -> Solution:
        calls.append(arguments)
        return solve(*arguments, **options)

    monkeypatch.setattr(next_move, "solve", counted)
    assert followed(start, puzzle.goal, 31) == 31
    assert len(calls) == 1
    other = next(move for move in start.moves if move != puzzle.hint(start))
    assert followed(start.play(other), puzzle.goal, 32) <= 32
    assert len(calls) == 2


def test_little_is_remembered_if_there_is_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(next_move, "MAX_CACHED_MOVES", 3)
    puzzle = sl.puzzle("square R(3,3)")
    for seed in range(4):
        start = puzzle.shuffle(seed)
        exact = puzzle.distance(start)
        assert exact is not None
        assert followed(start, puzzle.goal, exact) == exact


def test_hints_are_good_if_there_is_no_time_for_the_best() -> None:
    """Searches that look for any solution find far better ones than the way of a proof."""
    puzzle = sl.puzzle("square R(4,4)")
    start = puzzle.configuration("11 14 13 1 2 3 12 4 15 7 9 5 10 6 8 .")
    goal = puzzle.configuration([0, *range(1, 16)])
    policy = replace(Policy(), first_search_seconds=1e9)  # a machine too slow to end that in time
    slow = partial(solve, tables=1000, policy=policy)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(next_move, "solve", slow)
        assert followed(start, goal, 2 * 66, time=1.0) >= 66


@pytest.mark.parametrize(
    "text", ["square R(4,4)", "king R(4,4)", "square R(4,4) : a a a a b b b b c c c c d d d ."]
)
def test_large_puzzles_without_time(text: str) -> None:
    """Far from the shortest, perhaps; but hints lead there, from any place on the way and beside it."""
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(5)
    assert followed(start, puzzle.goal, 200_000, time=0.0) > 0
    move = puzzle.hint(start, time=0.0)
    other = next(there for there in start.moves if there != move)
    assert followed(start.play(other), puzzle.goal, 200_000, time=0.0) > 0
