"""Distances that others have published, kept in tests/golden/distances.json with their sources."""

from __future__ import annotations

import json
from math import factorial
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from slidelab.puzzles import Puzzle

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "golden" / "distances.json").read_text(encoding="utf-8")
)
ROWS: list[dict[str, Any]] = GOLDEN["distributions"]
TABLE_3: list[dict[str, Any]] = GOLDEN["hexagonal paper, table 3, exact"]
HOLES = {"corner": 0, "edge": 1, "centre": 4}


def with_hole_at(puzzle: Puzzle, cell: int) -> list[int]:
    """The tiles in order around one hole."""
    return [*range(1, cell + 1), 0, *range(cell + 1, puzzle.board.size)]


@pytest.mark.parametrize("row", ROWS, ids=[row["sequence"] for row in ROWS])
def test_distributions_of_rectangles(row: dict[str, Any]) -> None:
    puzzle = sl.puzzle(row["board"])
    found = puzzle.distances(with_hole_at(puzzle, HOLES[row["hole"]]))
    assert found.states == factorial(puzzle.board.size) // 2
    assert found.depth == row["depth"]
    assert list(found.distribution[: len(row["terms"])]) == row["terms"]
    assert len(found.hardest) == min(1000, found.distribution[-1])


def test_the_golden_rows_are_whole() -> None:
    assert len(ROWS) == len({row["sequence"] for row in ROWS}) == 8
    assert len(TABLE_3) == 10
    for row in ROWS:
        if row["sequence"] != "A090167":  # of this one only the first terms are known here
            assert len(row["terms"]) == row["depth"] + 1
            assert sum(row["terms"]) == factorial(sl.board(row["board"]).size) // 2


def test_every_corner_is_the_same_and_so_is_a_board_on_its_side() -> None:
    expected = sl.puzzle("square R(4,2)").distances().distribution
    for text, corners in (("square R(4,2)", (0, 3, 4, 7)), ("square R(2,4)", (0, 1, 6, 7))):
        puzzle = sl.puzzle(text)
        for corner in corners:
            assert puzzle.distances(with_hole_at(puzzle, corner)).distribution == expected


@pytest.mark.parametrize(("board", "depth"), GOLDEN["A151944"])
def test_gods_numbers_of_rectangles(board: str, depth: int) -> None:
    """A151944 has the depth from a corner; on these boards no other start is deeper."""
    puzzle = sl.puzzle(board)
    assert puzzle.distances(with_hole_at(puzzle, 0)).depth == depth
    found = puzzle.gods_number()
    assert found.exact
    assert found.number == depth
    assert sum(search.orbit for search in found.searches) == puzzle.board.size


@pytest.mark.parametrize("row", TABLE_3, ids=lambda row: f"{row['board']} {row['holes']}")
def test_table_3_of_the_hexagonal_paper(row: dict[str, Any]) -> None:
    found = sl.puzzle(row["board"], holes=row["holes"]).gods_number()
    assert found.exact
    assert found.number == row["gods_number"]
    low, high = row["bounds"]
    assert low <= found.number <= high == 2 * low
    assert low in {search.depth for search in found.searches}  # the tree that the paper found


GODS = [
    ("hex F(2) gourds 1", 960, 13),
    ("theta(2,2,3)", 362_880, 85),
    ("theta(1,2,2)", 840, 29),
]


@pytest.mark.parametrize(("text", "states", "number"), GODS, ids=[text for text, _, _ in GODS])
def test_gods_numbers_of_gourds_and_graphs(text: str, states: int, number: int) -> None:
    found = sl.puzzle(text).gods_number()
    assert (found.number, found.exact) == (number, True)
    assert {search.distances.states for search in found.searches} == {states}
    assert len(found.distribution) - 1 == number


def test_gourds_on_nine_hexagons() -> None:
    found = sl.puzzle("hex P(3,3) gourds 1").distances()
    assert found.states == 11_520
    assert found.distribution[0] == 1
    assert found.depth > 0


def test_the_8_puzzle_in_straight_pushes() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    found = puzzle.distances(metric="straight")
    assert found.depth == 24
    assert found.states == factorial(9) // 2
    # From a corner: each of the two rows through the hole can be pushed by one tile or two.
    assert found.distribution[:2] == (1, 4)
    assert puzzle.gods_number(metric="straight").number == 24


def test_the_two_hardest_of_the_8_puzzle() -> None:
    """Reinefeld (1993): two configurations take 31 moves."""
    puzzle = sl.puzzle("square R(3,3)")
    hardest = puzzle.distances().hardest
    assert {c.text.partition(" : ")[2] for c in hardest} == {"8 6 7 2 5 4 3 . 1", "6 4 7 8 5 . 3 2 1"}
    for configuration in hardest:
        assert puzzle.distance(configuration) == 31
