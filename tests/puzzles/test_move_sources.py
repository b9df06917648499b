"""Moves as people write them lead where the same moves as objects lead."""

from __future__ import annotations

from random import Random

import pytest

import slidelab as sl
from slidelab.errors import IllegalMove, NotationError
from slidelab.puzzles.move_sources import is_moves_text

PUZZLES = [
    "square R(3,3)",
    "king R(3,2)",
    "square R(3,3) tiles 3",
    "hex P(3,3)",
    "theta(1,2,2)",
    "hex F(2) gourds",
    "hex F(3) trimers",
    "square R(3,3) : a a b b c c d d .",
]


def random_walk(start: sl.Configuration, length: int, rng: Random) -> list[sl.Move]:
    moves: list[sl.Move] = []
    for _ in range(length):
        move = rng.choice(list(start.moves))
        moves.append(move)
        start = start.play(move)
    return moves


@pytest.mark.parametrize("text", PUZZLES)
def test_every_form_of_moves_leads_to_the_same_place(text: str) -> None:
    start = sl.puzzle(text).shuffle(seed=3)
    moves = random_walk(start, 30, Random(text))
    end = start
    for move in moves:
        end = end.play(move)
    assert start.play(*moves) == start.play(moves) == end
    assert start.play(*(move.text for move in moves)) == end
    assert start.play(" ".join(move.text for move in moves)) == end
    assert start.play(*(move.to_json() for move in moves)) == end
    assert start.play({"moves": [move.to_json() for move in moves]}) == end
    solution = sl.Solution(start, end, tuple(moves))
    assert start.play(solution) == start.play(solution.text) == start.play(solution.moves) == end
    assert start.play("".join(solution.json_chunks())) == end


@pytest.mark.parametrize("text", PUZZLES[:4])
def test_arrows_are_read_back(text: str) -> None:
    start = sl.puzzle(text).shuffle(seed=4)
    moves = random_walk(start, 40, Random(text))
    end = start.play(moves)
    assert start.play(sl.Solution(start, end, tuple(moves)).arrows) == end


def test_numbers_of_tiles() -> None:
    start = sl.position("square R(3,3) : 1 2 3 4 5 6 . 7 8")
    assert start.play(7, 8).pieces_text == "1 2 3 4 5 6 7 8 ."
    assert start.play("7 8") == start.play("7, 8") == start.play("7", "08") == start.play([7, 8])
    words = sl.position("square R(2,2) : c a t .")
    assert words.play("t c").pieces_text == ". a c t"


@pytest.mark.parametrize(
    ("text", "moves", "message"),
    [
        ("square R(3,3) : 1 2 3 4 5 6 . 7 8", 1, "expected a legal move of tile 1, got none"),
        (
            "square R(3,3) tiles 2 : . 1 . 4 5 6 7 2 3",
            1,
            "a tile with one legal move, got tile 1 with 1:1>0 1:1>2",
        ),
        ("square R(3,3) : 1 2 3 4 5 6 . 7 8", "↑", "expected a tile that can go ↑ .* got the edge"),
        ("square R(3,3) tiles 2 : 1 2 3 4 5 6 7 . .", "7↓", "expected a cell beside tile 7, got the edge"),
        ("square R(3,3) tiles 2 : 1 2 3 4 5 6 7 . .", "9↓", "expected a tile from 1 to 7, got 9 - at 9↓"),
    ],
)
def test_moves_that_cannot_be_made(text: str, moves: str | int, message: str) -> None:
    with pytest.raises(IllegalMove, match=message):
        sl.position(text).play(moves)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("north", "expected a move such as 3:2>5, an arrow, or one of the tiles 1 to 8, got 'north'"),
        (12, "or one of the tiles 1 to 8, got '12'"),
        (True, "got bool"),
        (2.5, "got float"),
        ("↗", "expected arrows →↓←↑, got '↗' - on square boards"),
        ("3:2", "expected a move such as 3:2>5"),
    ],
)
def test_what_is_no_move(moves: object, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        sl.position("square R(3,3) : 1 2 3 4 5 6 . 7 8").play(moves)  # type: ignore[arg-type]


def test_arrows_need_tiles_and_with_several_holes_numbers() -> None:
    with pytest.raises(NotationError, match="expected tiles on squares or hexagons for arrows"):
        sl.puzzle("theta(1,2,2)").goal.play("←")
    with pytest.raises(
        NotationError, match="expected the number of a tile before ←, since there are 2 holes"
    ):
        sl.puzzle("square R(3,3) tiles 2").goal.play("←")


def test_texts_that_consist_of_moves() -> None:
    assert is_moves_text("1:4-5>5-6 3:2>5")
    assert not is_moves_text("31 moves, and no solution is shorter")
    assert not is_moves_text("1 2 3 .")


@pytest.mark.parametrize("text", [*PUZZLES, "hex F(3) trimers-triangle", "graph 0-1 1-2 2-0 2-3 gourds 2"])
def test_a_printed_position_reads_back(text: str) -> None:
    puzzle = sl.puzzle(text)
    for seed in range(20):
        start = puzzle.shuffle(seed)
        assert puzzle.configuration(str(start)) == start


def test_damaged_drawings_are_refused() -> None:
    puzzle = sl.puzzle("hex F(2) gourds")
    for drawing, message in (
        ("1* 1 2* 2 3* . 4", "expected the 2 cells of each gourd from 1 to 3, marked 1[*] 1, got '4'"),
        ("1* 1* 2* 2 3* . 3", "got '1[*]' - at cell 1"),
        ("1* 1 2* 2 3* . .", "expected 2 cells of gourd 3, got 1"),
    ):
        with pytest.raises(NotationError, match=message):
            puzzle.configuration(drawing)
