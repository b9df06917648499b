"""Solutions: what is none is refused; lengths, pushes, text and JSON."""

from __future__ import annotations

import dataclasses
import json
from itertools import pairwise
from typing import Any

import pytest

import slidelab as sl
from slidelab.boards import board
from slidelab.errors import IllegalMove, PuzzleError, TooLarge, Unsolvable
from slidelab.puzzles import (
    Move,
    Solution,
    continues,
)

ROW = "square R(4,1)"


def solution(text: str, *moves: str, **options: object) -> Solution:
    start = sl.position(text)
    end = start.play(*moves)
    played = []
    for source in moves:
        played.append(next(move for move in start.moves if move.text == source))
        start = start.play(source)
    return Solution(sl.position(text), end, tuple(played), **options)  # type: ignore[arg-type]


def test_moves_that_lead_elsewhere_are_refused() -> None:
    start = sl.position("square R(2,2) : 1 2 . 3")
    goal = start.puzzle.goal
    assert Solution(start, goal, (Move(3, (3,), (2,)),)).length == 1
    with pytest.raises(PuzzleError, match=r"lead to 1 2 \. 3, not to the goal 1 2 3 \."):
        Solution(start, goal, ())
    with pytest.raises(PuzzleError, match=r"lead to \. 2 1 3"):
        Solution(start, goal, (Move(1, (0,), (2,)),))


@pytest.mark.parametrize(
    "move",
    [
        Move(3, (3,), (0,)),  # onto another
        Move(2, (1,), (2,)),  # across
        Move(3, (1,), (2,)),  # from where it does not lie
        Move(9, (3,), (2,)),  # no such piece
        Move(0, (3,), (2,)),
        Move(3, (3,), (3,)),  # nowhere
        Move(3, (3,), (4,)),  # off the board
    ],
    ids=lambda move: move.text,
)
def test_illegal_moves_are_refused(move: Move) -> None:
    start = sl.position("square R(2,2) : 1 2 . 3")
    with pytest.raises(IllegalMove) as caught:
        Solution(start, start.puzzle.goal, (move,))
    assert "\n" not in str(caught.value)


def test_the_goal_of_another_puzzle_is_refused() -> None:
    start = sl.position("square R(2,2) : 1 2 3 .")
    with pytest.raises(PuzzleError):
        Solution(start, sl.puzzle("cycle(4)").goal, ())


def test_a_solution_is_frozen() -> None:
    found = solution(f"{ROW} : . 1 2 3", "1:1>0")
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.moves = ()  # type: ignore[misc]


def test_lengths_and_texts() -> None:
    found = solution(f"{ROW} : . 1 2 3", "1:1>0", "2:2>1", "3:3>2", optimal=True)
    assert (found.length, len(found), found.pushes) == (3, 3, 1)
    assert found.text == str(found) == "1:1>0 2:2>1 3:3>2"
    assert repr(found) == "<solution in 3 moves, shortest: 1:1>0 2:2>1 3:3>2>"
    assert found.puzzle == sl.puzzle(ROW)
    assert found.start.play(*found.text.split()) == found.goal
    assert repr(solution(f"{ROW} : . 1 2 3", "1:1>0")) == "<solution in 1 move: 1:1>0>"
    there_and_back = solution(f"{ROW} : . 1 2 3", *["1:1>0", "1:0>1"] * 5)
    assert repr(there_and_back).startswith("<solution in 10 moves: ")
    assert repr(there_and_back).endswith("1:0>1 ...>")
    assert (solution(f"{ROW} : . 1 2 3").length, solution(f"{ROW} : . 1 2 3").pushes) == (0, 0)


PUSHES = [
    ("square R(4,1) : . 1 2 3", "1:1>0 2:2>1", 1),
    ("square R(4,1) : . 1 2 3", "1:1>0 1:0>1", 2),  # back
    ("square R(2,2) : 1 2 3 .", "2:1>3 1:0>1", 2),  # round the corner
    ("square R(3,3) : . 1 2 3 4 5 6 7 8", "1:1>0 2:2>1 5:5>2 8:8>5", 2),
    ("square R(4,1) tiles 2 : . . 1 2", "1:2>1 2:3>2 1:1>0 2:2>1", 2),  # the same row twice
    ("square R(4,1) tiles 2 : . . 1 2", "1:2>1 1:1>0 2:3>2 2:2>1", 4),  # each on its own, twice
    ("square R(4,1) tiles 2 : . 1 . 2", "1:1>0 2:3>2", 2),  # a hole between them
    ("king R(3,3) : . 1 2 3 4 5 6 7 8", "4:4>0 8:8>4", 1),
    ("king R(3,3) : . 1 2 3 4 5 6 7 8", "1:1>0 4:4>1", 2),
    ("hex F(2) tiles 1 : . 1 2 3 4 5 6", "3:3>0 6:6>3", 1),
    ("hex F(2) tiles 1 : . 1 2 3 4 5 6", "3:3>0 5:5>3", 2),
]


@pytest.mark.parametrize(("text", "moves", "number"), PUSHES)
def test_pushes(text: str, moves: str, number: int) -> None:
    found = solution(text, *moves.split())
    assert found.pushes == number
    going_on = [continues(found.puzzle.board, a, b) for a, b in pairwise(found.moves)]
    assert number == len(found.moves) - sum(going_on)


@pytest.mark.parametrize(
    "text", ["hex F(2) : 1 2 3 4 5 . .", "theta(1,2,2) : 1 2 3 4 5 6 .", "cycle(4) : 1 2 3 ."]
)
def test_there_are_no_rows_to_push(text: str) -> None:
    found = solution(text)
    assert found.pushes is None
    assert "pushes" not in found.to_json()
    assert "metric" not in found.to_json()


def test_what_continues() -> None:
    row = board("square R(4,1)")
    second = Move(2, (1,), (2,))
    assert continues(row, second, Move(1, (0,), (1,)))
    assert not continues(row, second, second.reversed)
    assert not continues(row, Move(1, (0,), (1,)), second)  # not into the hole it left
    assert not continues(row, Move(3, (2,), (3,)), Move(1, (0,), (1,)))  # not the one behind it
    square = board("square R(3,3)")
    assert continues(square, Move(1, (3,), (0,)), Move(2, (6,), (3,)))
    assert not continues(square, Move(1, (3,), (0,)), Move(2, (4,), (3,)))
    assert not continues(square, Move(1, (0,), (1,)), Move(2, (3,), (0,)))
    hexagons = board("hex P(3,3)")
    assert continues(hexagons, Move(1, (4,), (2,)), Move(2, (6,), (4,)))
    assert not continues(hexagons, Move(1, (4,), (2,)), Move(2, (7,), (4,)))


def test_json_has_the_form_of_the_design_and_reads_back() -> None:
    found = sl.puzzle("square R(3,3)").solve("8 6 7 2 5 4 3 . 1")
    value = json.loads(json.dumps(found.to_json()))
    assert {"puzzle", "start", "goal", "moves", "length", "optimal", "method"} <= set(value)
    assert (value["length"], value["optimal"], value["method"]) == (31, True, "table")
    assert (value["pushes"], value["metric"]) == (found.pushes, "single")
    puzzle = sl.puzzle(value["puzzle"])
    assert puzzle == found.puzzle
    start, goal = puzzle.configuration(value["start"]), puzzle.configuration(value["goal"])
    assert (start, goal) == (found.start, found.goal)
    assert start.play(*value["moves"]) == goal
    assert all(set(move) == {"piece", "from", "to"} for move in value["moves"])


def test_json_of_gourds() -> None:
    puzzle = sl.puzzle("hex F(2) gourds 1")
    start = puzzle.shuffle(seed=4)
    value = json.loads(json.dumps(puzzle.solve(start).to_json()))
    assert value["length"] == len(value["moves"]) > 0
    assert all(set(move) == {"piece", "from", "to", "kind"} for move in value["moves"])
    assert puzzle.configuration(value["start"]).play(*value["moves"]) == puzzle.goal


def test_a_solution_is_a_question_again() -> None:
    """A file with a solution is a puzzle with start and goal."""
    found = sl.puzzle("square R(3,2)").solve("1 2 3 . 4 5")
    assert sl.puzzle(json.dumps(found.to_json())) == found.puzzle


# Solving


def test_unsolvable_has_the_reason_of_the_verdict() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    start = "2 1 3 4 5 6 7 8 ."
    with pytest.raises(Unsolvable) as caught:
        puzzle.solve(start)
    assert str(caught.value) == puzzle.solvable(start).reason
    assert puzzle.distance(start) is None


def test_too_large_says_what_it_needs() -> None:
    fifteen = sl.puzzle("square R(4,4)")
    with pytest.raises(TooLarge, match=r"5\.\d TB"):
        fifteen.solve(fifteen.shuffle(seed=1), memory=10**9, method="table")
    with pytest.raises(TooLarge, match="limit is 10 kB"):
        sl.puzzle("square R(3,3)").solve("1 2 3 4 5 6 7 . 8", memory=10_000, method="table")
    assert sl.puzzle("square R(3,3)").solve("1 2 3 4 5 6 7 . 8", memory=10_000).length == 1


def test_any_goal() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    for seed in range(5):
        start, goal = puzzle.shuffle(seed=seed), puzzle.shuffle(seed=seed + 100)
        there, back = puzzle.solve(start, goal), puzzle.solve(goal, start)
        assert there.length == back.length == puzzle.distance(start, goal)
        assert (there.start, there.goal) == (start, goal)


def test_one_table_serves_goals_of_one_shape() -> None:
    """Pieces are renamed; a goal of another shape is refused."""
    puzzle = sl.puzzle("square R(3,2)")
    table = sl.DistanceTable(puzzle.goal)
    start, goal = puzzle.configuration("1 2 3 . 4 5"), puzzle.configuration("2 3 1 4 5 .")
    assert table.distance(start, goal) == puzzle.distance(start, goal)
    with pytest.raises(PuzzleError, match="same shape"):
        table.distance(start, puzzle.configuration(". 1 2 3 4 5"))


def test_wrong_metrics_are_refused() -> None:
    cases: list[tuple[str, Any, str]] = [
        ("square R(3,3)", "crooked", "crooked"),
        ("hex F(2)", "straight", "hextiles"),
        ("theta(1,2,2)", "straight", "theta"),
        ("hex F(2) gourds 1", "straight", "gourds"),
    ]
    for text, metric, named in cases:
        puzzle = sl.puzzle(text)
        for verb in (puzzle.distance, puzzle.solve):
            with pytest.raises(PuzzleError, match=named):
                verb(puzzle.goal, metric=metric)
        for task in (puzzle.distances, puzzle.gods_number):
            with pytest.raises(PuzzleError, match=named):
                task(metric=metric)


def test_wrong_budgets_are_refused() -> None:
    cases: list[dict[str, Any]] = [{"memory": 0}, {"memory": -5}, {"memory": "2X"}]
    cases += [{"threads": count} for count in (0, True, 2000, 1.5)]
    for wrong in cases:
        with pytest.raises(PuzzleError, match="expected"):
            sl.Budget.of(**wrong)
