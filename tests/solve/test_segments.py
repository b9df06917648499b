"""Beams between states of a solution: paths with segments in their place, and solutions that get shorter."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.budget import Budget
from slidelab.puzzles import Configuration, Move, Solution
from slidelab.solve import auto
from slidelab.solve.constructions import construct
from slidelab.solve.method import MethodName
from slidelab.solve.patterns.heuristic import heuristic_for
from slidelab.solve.search.beam import find_by_beam
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
@settings(deadline=None)
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
@settings(deadline=None)
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


@pytest.mark.parametrize("text", ["square R(6,6)", "hex F(3)"])
def test_a_narrow_beam_finds_the_first_solution_and_tells_its_speed(text: str) -> None:
    puzzle = sl.puzzle(text)
    task = Task(puzzle.shuffle(3, puzzle.goal), puzzle.goal, exact)
    heuristic = heuristic_for(puzzle.goal, 0)
    width, speed = find_by_beam(task, heuristic, Budget.of(time=600))
    assert task.best is not None
    assert (task.best.start, task.best.goal, task.best.method) == (task.start, task.goal, "beam")
    assert width in (125, 500)
    assert speed > 0
    known = task.best
    assert find_by_beam(task, heuristic, Budget.of(time=600)) == (0, 0.0)  # there is one by a beam already
    assert task.best is known


def test_beams_between_states_are_narrow_if_there_is_little_time() -> None:
    puzzle = sl.puzzle("square R(6,6)")
    task = Task(puzzle.shuffle(3, puzzle.goal), puzzle.goal, exact)
    heuristic = heuristic_for(puzzle.goal, 0)
    find_by_beam(task, heuristic, Budget.of(time=600))
    assert task.best is not None
    before = task.best.length
    slow = improve_by_segments(task, heuristic, Budget.of(time=0.5, threads=2), speed=1.0)
    assert slow % task.policy.min_segment_width == 0  # perhaps doubled
    assert slow < task.policy.segment_width
    fast = improve_by_segments(task, heuristic, Budget.of(time=0.5, threads=2), speed=1e12)
    assert fast >= task.policy.segment_width
    assert task.best.length <= before


def test_what_was_constructed_gets_its_time_if_no_beam_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "find_by_beam", lambda *_: (125, 1e5))
    constructed = list[Solution]()

    def recorded(task: Task, names: Sequence[MethodName], *, reason: str = "") -> Solution:
        constructed.append(construct(task, names, reason=reason))
        return constructed[-1]

    monkeypatch.setattr(auto, "construct", recorded)
    puzzle = sl.puzzle("square R(7,7)")
    start = puzzle.shuffle(1, puzzle.goal)
    solution = puzzle.solve(start, time=3)
    assert len(constructed) == 2  # first quickly, then with all that makes it shorter
    assert solution.length <= min(each.length for each in constructed)
