"""Beam search on the board itself: against plain search for every rule, and its place in `auto`."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plain
import slidelab as sl
from distance.oracle import thorough
from reach.twins import pick
from slidelab.budget import Budget
from slidelab.distance.table import distance_table
from slidelab.errors import TooLarge
from slidelab.puzzles import Configuration, Puzzle
from slidelab.solve import auto
from slidelab.solve.gourds.board_beam import BoardSearch, board_beam, improve_by_windows
from slidelab.solve.method import MethodName
from slidelab.solve.policy import Policy
from slidelab.solve.solver import solve
from slidelab.solve.task import Task
from solve.cases import twins_with_goals

QUICK = replace(Policy(), beam_seconds=0.3)
"""Without a deadline, beams of moments only."""

ALL = 10**5
"""A width that no layer of these small puzzles has."""

PAIRS = (2.0, 0.5, 2.0)
RANKINGS = [(1.0, 0.0, 0.0), (1.5, 1.0, 0.0), PAIRS]


def walked(puzzle: Puzzle, moves: int, seed: int) -> Configuration:
    """Return where a random walk from the goal ends; the puzzle may be too large for a shuffle."""
    rng, here = Random(seed), puzzle.goal
    for _ in range(moves):
        here = here.play(rng.choice(list(here.moves)))
    return here


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(12)
def test_beams_against_plain_search(rule: str, data: st.DataObject) -> None:
    made, goal = data.draw(twins_with_goals(rule))
    layers = made.plain.distance_layers(goal)
    search = BoardSearch(made.configuration(goal))
    ranking = data.draw(st.sampled_from(RANKINGS))
    if ranking == PAIRS:
        assert search.add_pairs(Budget.of(threads=2), 1000)
    exact = data.draw(st.integers(0, len(layers) - 1))
    start = made.configuration(pick(data.draw, layers[exact]))
    width = data.draw(st.sampled_from([1, 3, 20, ALL]))
    bound = search.lower_bound(start)
    assert bound is not None
    assert bound <= exact
    outcome = board_beam(search, start, width=width, below=300, ranking=ranking)
    assert bound <= outcome.lower_bound <= exact
    if outcome.solution is not None:
        assert outcome.solution.length >= exact  # and replayed when it was made
        assert not outcome.finished or outcome.solution.length == exact
    if width == ALL:
        assert outcome.finished
        assert outcome.solution is not None
        assert outcome.solution.optimal
        assert outcome.lower_bound == exact
        if exact:
            none = board_beam(search, start, width=width, below=exact)
            assert (none.solution, none.finished, none.lower_bound) == (None, True, exact)


@pytest.mark.parametrize(
    "text",
    [
        "hex F(2) gourds",
        "hex P(3,3) gourds",
        "hex P(3,3) gourds-sharp",
        "hex F(2) gourds 3",
        "hex P(4,3) trimers 3",
    ],
)
def test_bounds_and_lengths_of_all_starts(text: str) -> None:
    puzzle = sl.puzzle(text)
    table = distance_table(puzzle.goal)
    search = BoardSearch(puzzle.goal)
    for seed in range(20):
        start = walked(puzzle, 5 * seed, seed)
        exact, bound = table.distance(start), search.lower_bound(start)
        assert exact is not None
        assert bound is not None
        assert bound <= exact
        outcome = board_beam(search, start, width=ALL, below=300)
        assert outcome.solution is not None
        assert outcome.solution.length == outcome.lower_bound == exact


@pytest.mark.parametrize(
    "text", ["hex F(3) gourds", "hex F(4) gourds 3", "hex P(5,5) gourds-sharp", "hex P(5,5) trimers 4"]
)
def test_threads_make_no_difference(text: str) -> None:
    puzzle = sl.puzzle(text)
    search = BoardSearch(puzzle.goal)
    assert search.add_pairs(Budget.of(threads=2), 1000)
    start = walked(puzzle, 60, 1)
    first, *others = [
        board_beam(search, start, Budget.of(threads=threads), width=3000, below=200, ranking=PAIRS)
        for threads in (1, 2, 4)
    ]
    assert first.solution is not None
    for other in others:
        assert other.solution is not None
        assert (other.solution.moves, other.nodes) == (first.solution.moves, first.nodes)


def test_memory_is_planned() -> None:
    puzzle = sl.puzzle("hex F(3) gourds")
    search = BoardSearch(puzzle.goal)
    with pytest.raises(TooLarge, match="a beam of 1000000 states"):
        board_beam(search, puzzle.shuffle(0), width=10**6, below=100, memory=10**6)
    assert not search.add_pairs(Budget.of(memory=10_000), 1000)
    assert not search.add_pairs(Budget(), 0)
    with pytest.raises(ValueError, match="a table of pairs expected"):
        board_beam(search, puzzle.shuffle(0), width=10, below=100, ranking=PAIRS)


def test_no_time_is_no_solution() -> None:
    puzzle = sl.puzzle("hex F(4) gourds")
    start = puzzle.shuffle(1)
    outcome = board_beam(BoardSearch(puzzle.goal), start, Budget.of(time=0), width=10**5, below=300)
    assert (outcome.solution, outcome.finished) == (None, False)
    assert outcome.lower_bound > 40


@pytest.mark.parametrize("text", ["hex F(4) gourds", "hex F(5) gourds"])
def test_gourds_get_shorter_solutions(text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(3)
    before = solve(puzzle, start, policy=replace(QUICK, beam=False), shorten=False)
    reports: list[str] = []
    budget = Budget(progress=lambda phase, _done, _total: reports.append(phase))
    after = solve(puzzle, start, policy=QUICK, budget=budget)
    assert after.length <= before.length
    assert before.lower_bound is not None
    assert after.lower_bound is not None
    assert before.lower_bound <= after.lower_bound <= after.length
    if after.method == "beam":  # unless there was no time
        assert "beams of up to" in after.reason
        assert any("gap" in phase for phase in reports)


@pytest.mark.parametrize("text", ["hex F(4) gourds 3", "hex F(4) gourds-sharp 3", "hex P(7,6) trimers 6"])
def test_puzzles_of_which_nothing_is_known_are_tried(text: str) -> None:
    puzzle = sl.puzzle(text)
    start = walked(puzzle, 25, 2)
    solution = puzzle.solve(start, time=60)
    assert solution.method == "beam"
    assert 0 < solution.length <= 25
    with pytest.raises(TooLarge, match="shapes"):
        puzzle.solve(start, method="ida")
    with pytest.raises(TooLarge, match="shapes"):
        solve(puzzle, start, policy=replace(Policy(), beam=False))


def test_windows_shorten_a_long_walk() -> None:
    puzzle = sl.puzzle("hex F(3) gourds")
    start = puzzle.shuffle(1)
    long = puzzle.solve(start, method="cycle", shorten=False)
    policy = replace(Policy(), first_window=(20, 50))
    task = Task(start, puzzle.goal, solve_exactly, policy=policy)
    task.keep(long)
    enough = Event()
    calls = count()

    def stop(phase: str, _done: int, _total: int) -> None:
        if "gap" in phase or next(calls) > 100:
            enough.set()

    improve_by_windows(task, Budget(progress=stop, cancelled=enough))
    assert task.best is not None
    assert task.best.length <= long.length
    assert not task.best.optimal
    improve_by_windows(task, Budget.of(time=0))
    assert task.best.length <= long.length


@pytest.mark.parametrize("method", ["peel", "cycle"])
def test_a_window_of_the_whole_solution_is_a_shortest(method: MethodName) -> None:
    puzzle = sl.puzzle("hex P(3,3) gourds")
    for seed in range(5):
        start = puzzle.shuffle(seed)
        task = Task(start, puzzle.goal, solve_exactly, policy=replace(Policy(), first_window=(10**6, ALL)))
        task.keep(puzzle.solve(start, method=method, shorten=False))
        task.lower_bound = puzzle.solve(start).length
        if not task.is_settled:
            improve_by_windows(task, Budget())  # ends when the bound is reached
        assert task.is_settled
        assert task.answer().optimal


def solve_exactly(start: Configuration, goal: Configuration) -> sl.Solution:
    raise AssertionError("not needed")


def test_coloured_gourds_make_no_claims() -> None:
    plain_puzzle = sl.puzzle("hex F(4) gourds")
    colours = [["a", "b"] if number % 2 else ["c", "c"] for number in range(18)]
    puzzle = sl.puzzle(plain_puzzle.board, "gourds", 1, colours)
    start = Configuration(puzzle, plain_puzzle.shuffle(5).pieces)
    solution = solve(puzzle, start, policy=QUICK)
    assert solution.length > 0
    assert not solution.optimal


@pytest.mark.parametrize("error", [TooLarge("no room"), RuntimeError("a defect")])
def test_a_solution_in_hand_is_never_lost(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(auto, "improve_by_board_beams", fail)
    puzzle = sl.puzzle("hex F(5) gourds")
    assert puzzle.solve(puzzle.shuffle(3), shorten=False).length > 0
