"""Gourds on boards too large for a gain graph: goals, verdicts and shuffles."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

import slidelab as sl
from proper import comb
from slidelab.boards import (
    Board,
    flower,
    hex_board,
    parallelogram,
    random_hexagons,
    star,
    triangle,
    why_not_proper,
)
from slidelab.errors import TooLarge
from slidelab.reach.random_gourds import _ShapeWalk
from slidelab.reach.route import find_route

BOARDS = {
    "flower": flower(45),
    "triangle": triangle(109),
    "parallelogram": parallelogram(77, 79),
    "strip": parallelogram(3, 2001),
    "comb": hex_board(comb(60, 33)),
    "random": random_hexagons(6001, 1),
    "random, arms": random_hexagons(6001, 1, thin=0.9),
    "random, thin": random_hexagons(6001, 1, thin=1),
}


@pytest.mark.parametrize("name", BOARDS)
def test_large_proper_boards(name: str) -> None:
    puzzle = sl.puzzle(BOARDS[name], "gourds", 1)
    goal = puzzle.goal
    start = puzzle.shuffle(seed=1)
    verdict = puzzle.solvable(start)
    assert verdict
    assert verdict.check()
    assert (
        verdict.reason == "on a proper board every arrangement of gourds can be reached (Gourds, Theorem 9)"
    )
    assert verdict.certificate == {"kind": "theorem", "name": "Gourds, Theorem 9"}
    assert start == puzzle.shuffle(seed=1) != puzzle.shuffle(seed=2)
    assert start.shape != goal.shape
    assert sum(a > b for a, b in start.pieces) in range(puzzle.piece_count // 3, puzzle.piece_count)


def test_colours() -> None:
    colours = [["red", "blue"] if k % 3 else "green" for k in range(135)]
    puzzle = sl.puzzle(flower(10), "gourds", 1, colours=colours)
    start = puzzle.shuffle(seed=3)
    verdict = puzzle.solvable(start)
    assert verdict
    assert verdict.check()


def test_small_boards_are_still_decided_by_the_group() -> None:
    for text in ("hex F(3)", "hex P(5,5)", "hex P(3,9)"):
        puzzle = sl.puzzle(text, "gourds")
        assert find_route(puzzle).name == "gain graph"
        assert puzzle.solvable(puzzle.shuffle(seed=1)).certificate["kind"] == "moves"
    assert find_route(sl.puzzle("hex F(4) gourds")).name == "theorem"


def test_the_theorem_stands_in_where_a_limit_is_too_low() -> None:
    puzzle = sl.puzzle("hex F(3)", "gourds")
    verdict = puzzle.solvable(puzzle.shuffle(seed=1), max_shapes=10)
    assert verdict.certificate["kind"] == "theorem"
    assert verdict.check()


def test_the_certificate_is_refused_where_the_theorem_does_not_hold() -> None:
    for on, rule, holes in ((star(), "gourds", 1), (flower(2), "gourds-sharp", 1), (flower(2), "gourds", 3)):
        goal = sl.puzzle(on, rule, holes).goal
        verdict = sl.puzzle("hex F(4) gourds").solvable(sl.puzzle("hex F(4) gourds").shuffle(seed=1))
        assert not sl.reach.certificate.check(goal, goal, True, verdict.certificate)


# Boards on which no theorem helps


def twice(side: int) -> Board:
    """Two parallelograms that share the cell at a corner."""
    cells = {(q, r) for q in range(side) for r in range(side)}
    return hex_board(cells | {(q + side - 1, r + side - 1) for q, r in cells})


def two_halls(side: int) -> Board:
    """Two parallelograms and two corridors between them: every cycle goes around the hole."""
    halls = {(q + shift, r) for q in range(side) for r in range(side) for shift in (0, 2 * side)}
    corridors = {(q, r) for q in range(side, 2 * side) for r in (0, side - 1)}
    cells = halls | corridors
    return hex_board(cells if len(cells) % 2 else cells - {(0, 0)})


def crossing_rows(rings: int, side: int) -> Board:
    """Rows of cells that cross, so that there is no Hamiltonian cycle."""
    size = rings * side + 1
    return hex_board((q, r) for q in range(size) for r in range(size) if q % side == 0 or r % side == 0)


@pytest.mark.parametrize(
    ("on", "why"),
    [
        (twice(21), "no theorem says what gourds can do there: cell 440 is a cut cell: "),
        (
            crossing_rows(6, 16),
            "what gourds can do on such boards is not known, but conjectured: the board has a hole next to",
        ),
        (sl.board("square R(41,41)"), "no theorem says what gourds can do on a square board"),
    ],
    ids=["cut cell", "hole", "squares"],
)
def test_large_boards_that_are_not_proper(on: Board, why: str) -> None:
    puzzle = sl.puzzle(on, "gourds", 1)
    assert why_not_proper(on) is not None
    goal = puzzle.goal
    turned = sl.Configuration(puzzle, tuple(cells[::-1] for cells in goal.pieces))
    with pytest.raises(TooLarge, match=f"too many shapes to count; {why}"):
        puzzle.solvable(turned)
    with pytest.raises(TooLarge, match=f"too many shapes to count; {why}"):
        puzzle.shuffle(seed=1)


# How close to uniform are the shapes?


def is_level(on: Board, a: int, b: int) -> bool:
    return on.cells[a][1] == on.cells[b][1]


@cache
def level_gourds(on: Board) -> dict[int, float]:
    """How likely each number of gourds that lie in a row is, over all shapes: cell by cell."""
    table: Counter[tuple[int, bool, int]] = Counter({(0, False, 0): 1})
    for cell in range(on.size):
        following: Counter[tuple[int, bool, int]] = Counter()
        for (covered, hole, level), ways in table.items():
            if covered & 1:
                following[covered >> 1, hole, level] += ways
                continue
            if not hole:
                following[covered >> 1, True, level] += ways
            for other in on.neighbours[cell]:
                bit = 1 << max(other - cell, 0)
                if other > cell and not covered & bit:
                    following[(covered | bit) >> 1, hole, level + is_level(on, cell, other)] += ways
        table = following
    found: Counter[int] = Counter()
    for (_, hole, level), ways in table.items():
        found[level] += ways * hole
    return {level: ways / found.total() for level, ways in found.items()}


def drawn_level_gourds(on: Board, rounds: int, samples: int) -> dict[int, float]:
    found: Counter[int] = Counter()
    for seed in range(samples):
        walk = _ShapeWalk(on, random.Random(seed))
        for _ in range(rounds):
            walk.move_hole(4 * on.size)
            walk.rotate_cycles(on.size)
        found[sum(is_level(on, a, b) for a, b in enumerate(walk.partner) if a < b)] += 1
    return {level: count / samples for level, count in found.items()}


def distance(one: dict[int, float], two: dict[int, float]) -> float:
    return sum(abs(one.get(k, 0) - two.get(k, 0)) for k in {*one, *two}) / 2


@pytest.mark.parametrize("side", [3, 4, 5])
def test_the_walk_is_soon_close_to_uniform(side: int) -> None:
    """Total variation distance; the noise of 1,000 exact samples would be about 0.02 to 0.06."""
    on = flower(side)
    assert distance(drawn_level_gourds(on, 0, 300), level_gourds(on)) > 0.3
    assert distance(drawn_level_gourds(on, 8, 1000), level_gourds(on)) < 0.08


def test_on_a_long_strip_it_takes_longer() -> None:
    on = parallelogram(3, 101)
    exact = sum(level * rng for level, rng in level_gourds(on).items())
    mean = sum(level * rng for level, rng in drawn_level_gourds(on, 30, 100).items())
    assert mean == pytest.approx(exact, rel=0.05)


def test_every_shape_is_drawn_about_as_often() -> None:
    on = parallelogram(3, 3)
    found: Counter[tuple[int, ...]] = Counter()
    for seed in range(6000):
        walk = _ShapeWalk(on, random.Random(seed))
        walk.move_hole(100)
        walk.rotate_cycles(9)
        walk.move_hole(100)
        found[tuple(walk.partner)] += 1
    assert len(found) == 30  # see tests/golden/gourds.txt
    assert sum((count - 200) ** 2 / 200 for count in found.values()) < 70  # chi square, 29 degrees of freedom


def test_a_large_board_with_holes_and_a_closed_way_around_none() -> None:
    """The thesis, section 7.2: decided, shuffled and checked without a list of shapes."""
    missing = {(0, 0), (2, -2), (-2, 2), (2, 0), (4, 0), (-4, 0)}
    pierced = sl.puzzle(hex_board(cell for cell in flower(8).cells if cell not in missing), "gourds")
    start, goal = pierced.shuffle(seed=1), pierced.shuffle(seed=2)
    verdict = pierced.solvable(start, goal)
    assert verdict
    assert "7.2" in verdict.reason
    assert verdict.check()


def test_two_halls_have_a_swapping_station(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cycle goes around the hole: the other part of section 7.2."""
    monkeypatch.setattr("slidelab.reach.theorems.CYCLE_SECONDS", 600.0)
    puzzle = sl.puzzle(two_halls(11), "gourds", 1)
    verdict = puzzle.solvable(puzzle.shuffle(seed=1), puzzle.shuffle(seed=2))
    assert verdict
    assert "swapping station" in verdict.reason
    assert verdict.check()
