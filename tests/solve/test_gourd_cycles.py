"""Gourds sorted along Hamiltonian cycles: both methods of the gourds paper, and what they are made of."""

from __future__ import annotations

import random
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from proper import comb
from slidelab.atlas import read_atlas
from slidelab.boards import (
    Board,
    flower,
    hamiltonian_cycle,
    hex_board,
    holes_in_board,
    is_hole_free_cycle,
    random_hexagons,
)
from slidelab.budget import Budget
from slidelab.errors import NotationError
from slidelab.puzzles import Configuration
from slidelab.solve.gourds import cycles as gourd_cycles
from slidelab.solve.gourds.splits import passing_paths, passing_stations
from slidelab.solve.method import MethodName
from solve.gourd_boards import anywhere, gourds_on, laid_along, proper_boards, random_proper, walked

METHODS: tuple[MethodName, ...] = ("cycle", "cycle-cubic")


# Both methods, against the rule (a solution that does not lead to its goal can't be made)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("cells", [3, 5, 7, 9])
def test_every_small_proper_board(cells: int, method: MethodName) -> None:
    for number, board in enumerate(proper_boards(cells)):
        puzzle = gourds_on(board)
        start, goal = anywhere(puzzle, 2 * number), anywhere(puzzle, 2 * number + 1)
        assert puzzle.solve(start, goal, method=method).method in (method, "auto")


@pytest.mark.parametrize("max_searched", [3, 5, 7])
def test_parts_of_any_size(max_searched: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the parts that are left to the search, the same is reached."""
    monkeypatch.setattr(gourd_cycles, "MAX_SEARCHED_CELLS", max_searched)
    for number, board in enumerate(
        [*proper_boards(9)[::7], random_hexagons(31, 1), random_hexagons(45, 2, thin=0.9)]
    ):
        puzzle = gourds_on(board)
        start, goal = anywhere(puzzle, number), anywhere(puzzle, number + 100)
        puzzle.solve(start, goal, method="cycle")


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 40), st.integers(0, 10**6), st.sampled_from([0.0, 0.5, 0.95]), st.sampled_from(METHODS))
def test_random_boards(gourds: int, seed: int, thin: float, method: MethodName) -> None:
    puzzle = gourds_on(random_proper(gourds, seed, thin))
    start, goal = anywhere(puzzle, seed), anywhere(puzzle, seed + 1)
    solution = puzzle.solve(start, goal, method=method)
    assert solution.passages[-1].last == solution.length


@pytest.mark.parametrize("text", ["hex F(12)", "hex P(31,33)", "hex T(33)", "comb", "thin", "thick"])
def test_large_boards(text: str) -> None:
    made = {
        "comb": lambda: hex_board(comb(20, 9)),
        "thin": lambda: random_hexagons(801, 3, thin=0.98),
        "thick": lambda: random_hexagons(1201, 4),
    }
    board = made[text]() if text in made else sl.board(text)
    puzzle = gourds_on(board)
    rng = random.Random(5)
    cycle = list(hamiltonian_cycle(board))
    start, goal = (laid_along(puzzle, cycle, rng) for _ in range(2))
    solution = puzzle.solve(start, goal, method="cycle")
    assert solution.length < 4 * puzzle.piece_count**2


def test_coloured_gourds() -> None:
    pairs = [tuple(pair) for pair in ("ab", "aa", "ab", "bb", "cc", "ca", "ab", "aa", "cb")]
    puzzle = sl.puzzle("hex F(3)", "gourds", 1, pairs)
    start, goal = (Configuration(puzzle, anywhere(gourds_on(puzzle.board), seed).pieces) for seed in (1, 2))
    for method in METHODS:
        assert puzzle.solve(start, goal, method=method).goal == goal


def test_the_same_position() -> None:
    start = anywhere(gourds_on(sl.board("hex F(3)")), 1)
    assert start.puzzle.solve(start, start, method="cycle").length == 0


def test_the_explanation_covers_every_move() -> None:
    puzzle = gourds_on(sl.board("hex P(7,9)"))
    solution = puzzle.solve(anywhere(puzzle, 1), anywhere(puzzle, 2), method="cycle")
    phases = [p for p in solution.passages if p.text.startswith("phase")]
    assert [p.text[:7] for p in phases] == ["phase 1", "phase 2", "phase 3"]
    assert [p.first for p in phases] == [0, *(p.last for p in phases[:2])]
    inner = [p for p in solution.passages if p.depth]
    assert inner[0].first == phases[1].first
    assert all(a.last == b.first for a, b in pairwise(inner))
    assert inner[-1].last == phases[1].last
    assert "split at the triangle" in inner[0].text
    shown = solution.explain(depth=0)
    assert "phase 2" in shown
    assert "triangle" not in shown


def test_shorter_solutions_are_no_longer() -> None:
    puzzle = gourds_on(sl.board("hex F(4)"))
    start, goal = anywhere(puzzle, 1), anywhere(puzzle, 2)
    long = puzzle.solve(start, goal, method="cycle")
    assert long.shorten(1.0).length < long.length
    assert puzzle.solve(start, goal, method="cycle", shorten=True).length < long.length


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hex P(3,4) gourds 2", "one hole"),
        ("hex F(2) hextiles", "gourds with one hole"),
        ("hex P(5,1) gourds", "cell 1"),
        ("hex star gourds", "star"),
        ("square R(3,3) gourds", "Hamiltonian cycle"),
        ("hex F(2) gourds-sharp", "gourds with one hole"),
    ],
)
def test_boards_that_are_refused(text: str, says: str) -> None:
    puzzle = sl.puzzle(text)
    start = next(iter(puzzle.goal.moves), None)
    position = puzzle.goal.play(start) if start else puzzle.goal
    for method in METHODS:
        with pytest.raises(NotationError, match=says):
            puzzle.solve(position, method=method)


# Boards with holes


def pierced(side: int, *missing: tuple[int, int]) -> Board:
    """A flower without some cells, with an odd number of them."""
    cells = [cell for cell in flower(side).cells if cell not in missing]
    return hex_board(cells if len(cells) % 2 else cells[1:])


@pytest.mark.parametrize(
    ("board", "can_be_cut"),
    [
        (pierced(3, (0, 0), (1, 1)), True),
        (pierced(4, (0, 0), (2, -2)), False),
        (pierced(5, (0, 0), (2, -2), (-2, 2), (2, 0)), True),
        (pierced(8, (0, 0), (2, -2), (-2, 2), (2, 0), (4, 0), (-4, 0)), True),
    ],
    ids=["17 cells", "35 cells", "57 cells", "163 cells"],
)
def test_boards_with_holes(board: Board, can_be_cut: bool) -> None:
    assert holes_in_board(board)
    cycle, found = gourd_cycles.gourd_cycle(board, Budget.of(time=20))
    assert found == can_be_cut
    assert found == is_hole_free_cycle(board, cycle)
    assert found or next(passing_stations(board, cycle))
    puzzle = gourds_on(board)
    rng = random.Random(1)
    start, goal = (walked(laid_along(puzzle, cycle, rng), 40, rng) for _ in range(2))
    for method in METHODS:
        assert puzzle.solve(start, goal, method=method).method == method
    assert puzzle.solve(start, goal, shorten=False).length


def test_every_board_with_eleven_cells_and_a_hole() -> None:
    """Where a Hamiltonian cycle with a passing station is found, the group is the whole one."""
    sorted_, others = 0, 0
    for entry in read_atlas(Path(__file__).parents[2] / "docs/atlas/gourds-11.jsonl").entries:
        try:
            gourd_cycles.gourd_cycle(sl.board(entry.board))
        except NotationError:
            others += 1
            continue
        sorted_ += 1
        assert entry.solvable
    assert (sorted_, others) == (101, 36)


def test_paths_to_pass_are_found_by_definition() -> None:
    for text in ("hex F(2)", "hex P(3,3)", "king R(3,3)", "complete(5)"):
        board = sl.board(text)
        near = board.neighbours
        found = set(passing_paths(board))
        for path in permutations(range(board.size), 4):
            a, b, c, d = path
            joined = b in near[a] and c in near[b] and d in near[c]
            assert (path in found) == (joined and c in near[a] and d in near[a])
    ring = sl.board("cycle(7)")
    assert passing_paths(ring) == []
