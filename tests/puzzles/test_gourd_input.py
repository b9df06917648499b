"""Gourds that can't be: one sentence each that says what is wrong and where."""

from __future__ import annotations

import json

import pytest

import slidelab as sl
from slidelab.boards import from_edges, random_hexagons
from slidelab.cli import main
from slidelab.errors import NotationError

PUZZLES = [
    (
        "hex P(3,4) gourds 1",
        "expected a number of holes that leaves whole gourds of 2 cells, got 1 of 12 cells - "
        "on 'hex P(3,4)': 2 would do",
    ),
    (
        "hex P(2,1) gourds 1",
        "expected a number of holes that leaves whole gourds of 2 cells, got 1 of 2 cells - on 'hex P(2,1)'",
    ),
    ("hex F(2) gourds 1 : =a-b =c", "expected 3 colours, got 2 - on 'hex F(2)'"),
    ("hex F(2) gourds 1 : =a =b =a-b-c", "expected 2 colours a gourd, got 3 - at gourd 3"),
]

POSITIONS = [
    ("0-1 1-2 4-5", "expected one gourd a cell, got gourds 1 and 2 - at cell 1 of 'hex F(2)'"),
    (
        "0-1 2-6 4-5",
        "expected 2 cells on which a piece of gourds can lie, got '2-6' - at gourd 2 on 'hex F(2)': "
        "cells 2 and 6 do not touch",
    ),
    (
        "0-1 2-3 4-4",
        "expected 2 cells on which a piece of gourds can lie, got '4-4' - at gourd 3 on 'hex F(2)': "
        "cell 4 is named twice",
    ),
    ("0-1 2-3 4-9", "expected cells 0 to 6, got 9 - at gourd 3 on 'hex F(2)'"),
    ("0-1 2-3", "expected 3 gourds, got 2 in '0-1 2-3' - on 'hex F(2)'"),
    ("0-1=a 2-3=b 5-6", "expected colours at every gourd or at none, got '5-6' - at gourd 3"),
]


@pytest.mark.parametrize(("text", "message"), PUZZLES)
def test_puzzles(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        sl.puzzle(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(("pieces", "message"), POSITIONS)
def test_positions(pieces: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        sl.puzzle("hex F(2) gourds 1").configuration(pieces)
    assert str(caught.value) == message
    with pytest.raises(NotationError) as caught:
        sl.position(f"hex F(2) gourds 1 : {pieces}")
    assert str(caught.value) == message


def test_colours_that_are_not_those_of_the_puzzle() -> None:
    puzzle = sl.puzzle("hex F(2) gourds 1", colours=["a", ["a", "b"], "c"])
    with pytest.raises(NotationError) as caught:
        puzzle.configuration("0-1=a 2-3=b 5-6=c")
    assert str(caught.value) == "expected the colours 'a-a a-b c-c', got '2-3=b' - at gourd 2 of 'hex F(2)'"


def test_the_command_line_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["solve", PUZZLES[0][0]])
    assert stopped.value.code not in (0, None)
    assert capsys.readouterr().err.strip() == f"slidelab: {PUZZLES[0][1]}"


# Boards without room for the gourds


def test_no_room_is_proved_by_a_matching() -> None:
    """A path with two leaves at each of two cells: backtracking would try every place of the hole."""
    leaves = [(0, 601), (0, 602), (300, 603), (300, 604)]
    board = from_edges([*((k, k + 1) for k in range(600)), *leaves])
    with pytest.raises(
        NotationError, match=r"^no way to lay 302 gourds and leave 1 hole on .*: at most 301 fit$"
    ):
        _ = sl.puzzle(board, "gourds", 1).goal
    goal = sl.puzzle(board, "gourds", 3).goal
    assert len(goal.pieces) == 301


# Large boards


@pytest.fixture(scope="module")
def large() -> sl.Puzzle:
    return sl.puzzle(random_hexagons(6001, seed=4, thin=0.5), "gourds", 1)


def test_three_thousand_gourds_as_text_and_json(large: sl.Puzzle) -> None:
    goal = large.goal
    assert large.configuration(goal.pieces_text) == goal
    assert sl.position(goal.text) == goal
    assert large.configuration(json.dumps(goal.to_json())) == goal
    assert sl.puzzle(json.dumps(large.to_json())) == large


def test_a_gourd_among_three_thousand_that_is_wrong(large: sl.Puzzle) -> None:
    pieces = [*large.goal.pieces]
    (one, two), (three, _) = pieces[1000], pieces[2000]
    pieces[1000] = (one, three)
    with pytest.raises(NotationError) as caught:
        sl.Configuration(large, tuple(pieces))
    assert f"at gourd 1001 on '{large.board.name[:20]}" in str(caught.value)
    assert str(caught.value).endswith(f"cells {one} and {three} do not touch")
    pieces[1000], pieces[2000] = (one, two), (one, two)
    with pytest.raises(NotationError, match=f"got gourds 1001 and 2001 - at cell {one} of"):
        sl.Configuration(large, tuple(pieces))
