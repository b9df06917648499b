"""Solving: each method, what is chosen when, limits, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slidelab as sl
from distance.oracle import painted_twins, thorough
from reach.twins import Case, Twin, pick, twins_with_pairs
from slidelab.distance.table import DistanceTable
from slidelab.errors import GaveUp, NotationError, PuzzleError, Stopped, TooLarge, Unsolvable
from slidelab.puzzles import Solution
from slidelab.solve.method import Guarantee, MethodName
from slidelab.solve.methods import METHODS
from slidelab.solve.policy import Policy
from slidelab.solve.solver import solve
from solve.cases import painted_distances

EIGHT = "square R(3,3)"
HARD_EIGHT = "8 6 7 2 5 4 3 . 1"
FIFTEEN = "square R(4,4)"
HARD_FIFTEEN = "11 14 13 1 2 3 12 4 15 7 9 5 10 6 8 ."  # Korf's 60th
HOLE_FIRST = ". 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
NEEDED = 66  # from one to the other


# Those that prove something about the length; the others have tests of their own.
SEARCHES = tuple(each.name for each in METHODS.values() if each.guarantee is not Guarantee.NONE)


@pytest.mark.parametrize("method", SEARCHES)
@pytest.mark.parametrize(
    ("text", "pieces", "length"),
    [
        (EIGHT, HARD_EIGHT, 31),
        (EIGHT, "1 2 3 4 5 6 7 . 8", 1),
        ("square R(2,3) : a a b b c .", "b c a . b a", None),
        ("hex F(2)", "5 4 3 2 1 . .", None),
    ],
)
def test_methods(text: str, pieces: str, length: int | None, method: MethodName) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.configuration(pieces)
    exact = puzzle.distance(start) if length is None else length
    if exact is None:
        with pytest.raises(Unsolvable):
            puzzle.solve(start, method=method)
        return
    solution = puzzle.solve(start, method=method)
    assert (solution.start, solution.goal) == (start, puzzle.goal)
    assert solution.method == ("table" if method == "auto" else method)
    assert solution.lower_bound is not None
    assert solution.lower_bound <= exact <= solution.length
    if method == "weighted":
        assert solution.length <= 1.5 * exact
    else:
        assert (solution.length, solution.optimal, solution.lower_bound) == (exact, True, exact)


@pytest.mark.parametrize("method", METHODS)
def test_nothing_to_do(method: MethodName) -> None:
    for text in (EIGHT, FIFTEEN, "hex F(2) gourds 1", "square R(2,3) : a a b b c ."):
        puzzle = sl.puzzle(text)
        if method == "table" and text == FIFTEEN:
            continue
        solution = puzzle.solve(puzzle.goal, method=method)
        assert (solution.moves, solution.optimal, solution.lower_bound) == ((), True, 0)


@given(twins_with_pairs(most=400), st.sampled_from(SEARCHES), st.sampled_from([None, 0, 100, 3000]))
@thorough(120)
def test_all_methods_on_all_rules(case: Case, method: MethodName, tables: int | None) -> None:
    made, start, goal, reached = case
    first, last = made.configuration(start), made.configuration(goal)
    if goal not in reached:
        with pytest.raises(Unsolvable) as caught:
            made.puzzle.solve(first, last, method=method, tables=tables)
        assert str(caught.value) == made.puzzle.solvable(first, last).reason
        return
    layers = made.plain.distance_layers(start)
    exact = next(depth for depth, layer in enumerate(layers) if goal in layer)
    solution = made.puzzle.solve(first, last, method=method, tables=tables)
    assert solution.lower_bound is not None
    assert solution.lower_bound <= exact <= solution.length
    assert solution.length <= exact * (1.5 if method == "weighted" else 1)
    assert solution.optimal == (solution.lower_bound == solution.length)


@given(painted_twins(most=400), st.sampled_from(SEARCHES), st.data())
@thorough(60)
def test_all_methods_on_coloured_puzzles(made: Twin, method: MethodName, data: st.DataObject) -> None:
    configs = list(made.plain.all_configurations())
    if not configs or not made.puzzle.piece_count:
        return
    goal, start = pick(data.draw, configs), pick(data.draw, configs)
    exact = painted_distances(made, goal).get(made.painted(start))
    first, last = made.configuration(start), made.configuration(goal)
    if exact is None:
        with pytest.raises(Unsolvable):
            made.puzzle.solve(first, last, method=method)
        return
    solution = made.puzzle.solve(first, last, method=method)
    assert exact <= solution.length <= exact * (1.5 if method == "weighted" else 1)


# What is chosen


def test_small_puzzles_are_solved_from_a_table() -> None:
    solution = sl.puzzle(EIGHT).solve(HARD_EIGHT)
    assert solution.method == "table"
    assert "181,440 configurations" in solution.reason


def test_near_starts_are_solved_from_both_ends() -> None:
    puzzle = sl.puzzle(FIFTEEN)
    start = puzzle.goal.play("15:14>15", "11:10>14", "10:9>10", "6:5>9")
    solution = puzzle.solve(start)
    assert (solution.method, solution.length, solution.optimal) == ("bidirectional", 4, True)
    assert "near" in solution.reason


def test_others_are_solved_by_iterative_deepening() -> None:
    solution = sl.puzzle(FIFTEEN).solve("2 5 13 12 1 . 9 15 3 7 14 4 8 6 10 11")
    assert (solution.method, solution.optimal) == ("ida", True)
    assert "would take 5.8 TB" in solution.reason
    assert "pattern databases of" in solution.reason
    assert solution.nodes > 0
    assert solution.lower_bound == solution.length


def test_the_choice_depends_on_the_policy() -> None:
    """The same puzzle by each step of `auto`."""
    puzzle, start = sl.puzzle(EIGHT), HARD_EIGHT
    policy = replace(Policy(), tiny_table_bytes=1)
    assert solve(puzzle, start, policy=policy).method == "bidirectional"
    policy = replace(policy, near_nodes=10)
    assert solve(puzzle, start, policy=policy).method == "table"
    policy = replace(policy, small_table_bytes=1)
    found = solve(puzzle, start, policy=policy)
    assert (found.method, found.length) == ("ida", 31)
    assert "all 181,440 configurations would take" in found.reason
    policy = replace(policy, first_search_seconds=0)
    assert solve(puzzle, start, policy=policy).length == 31


def test_unsolvable_with_the_reason() -> None:
    for method in SEARCHES:
        with pytest.raises(Unsolvable, match="odd permutation"):
            sl.puzzle(EIGHT).solve("2 1 3 4 5 6 7 8 .", method=method)
    with pytest.raises(Unsolvable, match="odd permutation"):
        sl.puzzle(FIFTEEN).solve("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 .", time=0)


def test_boards_too_large_for_pattern_tables() -> None:
    """Single tiles guide the search, and it ends when time is up."""
    puzzle = sl.puzzle("square R(10,10)")
    start = puzzle.goal.play("99:98>99", "89:88>98", "88:87>88")
    assert puzzle.solve(start, method="ida").length == 3
    assert puzzle.solve(start).length == 3
    with pytest.raises(GaveUp) as caught:
        puzzle.solve(puzzle.shuffle(1), method="ida", time=0.2)
    assert caught.value.lower_bound > 100


# Time


@pytest.mark.parametrize("method", SEARCHES)
def test_no_time_at_all(method: MethodName) -> None:
    """What is found or proved by then is true."""
    puzzle = sl.puzzle(FIFTEEN)
    if method == "table":
        with pytest.raises(TooLarge):
            puzzle.solve(HARD_FIFTEEN, HOLE_FIRST, method=method, time=0, memory=10**9)
        return
    try:
        solution = puzzle.solve(HARD_FIFTEEN, HOLE_FIRST, method=method, time=0, tables=0)
    except GaveUp as error:
        assert 1 <= error.lower_bound <= NEEDED  # noqa: PT017
        assert f"at least {error.lower_bound} move" in str(error)  # noqa: PT017
    else:
        assert (solution.lower_bound or 0) <= NEEDED <= solution.length
        assert solution.optimal == (solution.length == NEEDED)


def test_giving_up_says_how_many_moves_are_needed() -> None:
    puzzle = sl.puzzle(FIFTEEN)
    with pytest.raises(GaveUp, match="at least") as caught:
        puzzle.solve(HARD_FIFTEEN, HOLE_FIRST, method="ida", time=0.1, tables=1000)
    assert 40 <= caught.value.lower_bound <= NEEDED
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("method", ["anytime", "auto"])
def test_the_best_that_time_allows(method: MethodName) -> None:
    puzzle = sl.puzzle(FIFTEEN)
    solution = puzzle.solve(HARD_FIFTEEN, HOLE_FIRST, method=method, time=1, tables=1000)
    assert solution.method == "anytime"
    assert solution.lower_bound is not None
    assert 40 <= solution.lower_bound <= NEEDED <= solution.length
    assert solution.optimal == (solution.lower_bound == solution.length)
    assert solution.nodes > 0


def test_anytime_ends_with_a_shortest() -> None:
    for text, budget in ((EIGHT, 600), ("theta(2,2,3)", 3000), ("hex P(3,3) hextiles 3", 3000)):
        puzzle = sl.puzzle(text)
        table = DistanceTable(puzzle.goal)
        for seed in range(5):
            start = puzzle.shuffle(seed, puzzle.goal)
            solution = puzzle.solve(start, method="anytime", tables=budget)
            exact = table.distance(start)
            assert (solution.length, solution.optimal, solution.lower_bound) == (exact, True, exact)


def test_who_stops_it_gets_what_was_known() -> None:
    calls = []

    def reported(phase: str, done: int, total: int) -> None:
        calls.append(phase.split()[0])
        if calls.count("states") + calls.count("beam") == 10:
            raise KeyboardInterrupt

    with pytest.raises(Stopped) as caught:
        sl.puzzle(FIFTEEN).solve(HARD_FIFTEEN, HOLE_FIRST, method="anytime", tables=10**5, progress=reported)
    assert 40 <= caught.value.lower_bound <= NEEDED
    assert caught.value.best is None or caught.value.best.length >= NEEDED


# Coloured puzzles and pushes


def test_coloured_puzzles_beyond_a_table() -> None:
    puzzle = sl.puzzle("square R(4,4) : a a a a b b b b c c c c d d d .")
    start = puzzle.shuffle(0)
    near = puzzle.solve(start, weight=1.5)
    assert near.lower_bound is not None
    assert near.lower_bound <= near.length <= 1.5 * 45
    for method in ("anytime", "auto"):
        solution = puzzle.solve(start, method=method, time=1)
        assert solution.lower_bound is not None
        assert near.lower_bound <= solution.lower_bound <= 45 <= solution.length
    near = puzzle.solve("a a a a b b b b c c c c d . d d")
    assert (near.length, near.optimal) == (2, True)


def test_twins_make_it_shorter() -> None:
    """Two tiles alike on an odd board: solvable now, and never longer than with names."""
    puzzle = sl.puzzle("square R(3,3) : a b c d e f x x .")
    named = sl.puzzle(EIGHT)
    for seed in range(10):
        start = named.shuffle(seed)
        row = ["."] * 9
        for letter, (cell,) in zip("abcdefxx", start.pieces, strict=True):
            row[cell] = letter
        painted = " ".join(row)
        methods: list[MethodName] = ["table", "ida", "astar", "bidirectional"]
        lengths = {puzzle.solve(painted, method=method).length for method in methods}
        assert len(lengths) == 1
        assert lengths.pop() <= (named.distance(start) or 0)


def test_pushes_are_counted_by_table_only() -> None:
    puzzle = sl.puzzle(EIGHT)
    by_table: list[MethodName] = ["auto", "table"]
    for method in by_table:
        solution = puzzle.solve(HARD_EIGHT, method=method, metric="straight")
        assert (solution.method, solution.metric, solution.optimal) == ("table", "straight", True)
        assert solution.pushes == puzzle.distance(HARD_EIGHT, metric="straight")
    for method in [each.name for each in METHODS.values() if each.name not in by_table]:
        with pytest.raises(NotationError, match="single moves"):
            puzzle.solve(HARD_EIGHT, method=method, metric="straight")
    with pytest.raises(TooLarge):
        sl.puzzle(FIFTEEN).solve(HARD_FIFTEEN, HOLE_FIRST, metric="straight", memory=10**9)


# What is refused


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "magic"}, "expected auto, table, ida"),
        ({"method": ""}, "expected auto"),
        ({"method": None}, "expected auto"),
        ({"method": "x" * 5000}, "expected auto"),
        ({"weight": 0.5}, "a weight from 1 to 1000"),
        ({"weight": 1001}, "a weight from 1 to 1000"),
        ({"weight": float("nan")}, "a weight from 1 to 1000"),
        ({"weight": 2, "method": "ida"}, "no weight with ida"),
        ({"weight": 2, "method": "anytime"}, "no weight with anytime"),
        ({"time": -1}, "seconds"),
        ({"time": float("nan")}, "seconds"),
        ({"tables": -1}, "at tables"),
        ({"tables": 1 << 62}, "at tables"),
        ({"metric": "crooked"}, "crooked"),
        ({"metric": "straight", "method": "ida"}, "single moves"),
        ({"time": "soon"}, "seconds"),
        ({"weight": "heavy"}, "weight"),
        ({"tables": "big"}, "tables"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(PuzzleError, match=said) as caught:
        sl.puzzle(EIGHT).solve(HARD_EIGHT, **options)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_weights() -> None:
    puzzle = sl.puzzle(EIGHT)
    assert puzzle.solve(HARD_EIGHT, weight=1).method == "astar"
    for weight in (1.1, 3, 1000):
        solution = puzzle.solve(HARD_EIGHT, weight=weight, tables=600)
        assert solution.method == "weighted"
        assert 31 <= solution.length <= weight * 31
    assert puzzle.solve(HARD_EIGHT, time=float("inf")).length == 31


# JSON and arrows


def test_json_says_what_is_known() -> None:
    puzzle = sl.puzzle(EIGHT)
    value = json.loads(json.dumps(puzzle.solve(HARD_EIGHT, method="ida").to_json()))
    assert (value["at_least"], value["length"], value["method"]) == (31, 31, "ida")
    assert value["nodes"] > 0
    assert "because" not in value
    chosen = json.loads(json.dumps(puzzle.solve(HARD_EIGHT).to_json()))
    assert "181,440" in chosen["because"]
    assert chosen["at_least"] == 31
    weighted = puzzle.solve(HARD_EIGHT, weight=5, tables=600).to_json()
    assert weighted["at_least"] <= 31 <= weighted["length"]
    by_hand = Solution(puzzle.goal, puzzle.goal, ()).to_json()
    assert not {"at_least", "nodes", "because"} & set(by_hand)


def played(text: str, *moves: str) -> Solution:
    start = sl.position(text)
    now, made = start, []
    for source in moves:
        made.append(next(move for move in now.moves if move.text == source))
        now = now.play(source)
    return Solution(start, now, tuple(made))


@pytest.mark.parametrize(
    ("text", "moves", "arrows"),
    [
        ("square R(3,3) : 1 2 3 4 . 5 6 7 8", "", ""),
        ("square R(3,3) : 1 2 3 4 . 5 6 7 8", "4:3>4", "→"),
        ("square R(3,3) : 1 2 3 4 . 5 6 7 8", "5:5>4 3:2>5", "←↓"),
        ("square R(3,3) : 1 2 3 4 . 5 6 7 8", "7:7>4 6:6>7", "↑→"),
        ("square R(2,2) tiles 2 : 1 . 2 .", "1:0>1 2:2>0", "1→ 2↑"),
        ("king R(3,3) : 1 2 3 4 . 5 6 7 8", "1:0>4", "↘"),
        ("king R(3,3) : 1 2 3 4 . 5 6 7 8", "3:2>4", "↙"),
        ("king R(3,3) : 1 2 3 4 . 5 6 7 8", "6:6>4", "↗"),
        ("king R(3,3) : 1 2 3 4 . 5 6 7 8", "8:8>4 5:5>8", "↖↓"),
        ("hex F(2) tiles 1 : 1 2 3 . 4 5 6", "3:2>3", "→"),
        ("hex F(2) tiles 1 : 1 2 3 . 4 5 6", "4:4>3", "←"),
        ("hex F(2) tiles 1 : 1 2 3 . 4 5 6", "1:0>3", "↘"),
        ("hex F(2) tiles 1 : 1 2 3 . 4 5 6", "2:1>3", "↙"),
        ("hex F(2) tiles 1 : 1 2 3 . 4 5 6", "5:5>3", "↗"),
        ("hex F(2) tiles 1 : 1 2 3 . 4 5 6", "6:6>3", "↖"),
        ("hex P(2,2) : 1 . 2 .", "2:2>1", "2↗"),
    ],
)
def test_arrows(text: str, moves: str, arrows: str) -> None:
    assert played(text, *moves.split()).arrows == arrows


@pytest.mark.parametrize("text", ["hex F(2) gourds 1", "theta(1,2,2)", "cycle(4)", "square R(3,3) trimers 3"])
def test_there_are_no_arrows_for_others(text: str) -> None:
    goal = sl.puzzle(text).goal
    with pytest.raises(NotationError, match="for arrows") as caught:
        _ = Solution(goal, goal, ()).arrows
    assert "\n" not in str(caught.value)


def test_a_solved_puzzle_needs_no_moves_also_without_time() -> None:
    """Found by torture: a table that there is no time for proves nothing."""
    puzzle = sl.puzzle("path(4) gourds-sharp 2")
    try:
        assert puzzle.solve(puzzle.goal, method="table", time=0).length == 0
    except GaveUp as error:
        assert error.lower_bound == 0  # noqa: PT017
