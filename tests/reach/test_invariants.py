"""What hexagonal tiles keep, by plain search on all small boards, and on boards too large for any search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import pytest

import slidelab as sl
from plain import Plain, hex_board
from slidelab.boards import Board, flower, parallelogram, polyhexes, tight_corners
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.certificate import check
from slidelab.reach.invariants import find_invariant, strip_order
from slidelab.rules import rule

BOARDS = [board for size in (3, 4, 5, 6) for board in polyhexes(size)]


Pieces = tuple[tuple[int, ...], ...]


def component(puzzle: Puzzle, pieces: Pieces) -> set[Pieces]:
    """Return what plain search reaches, as the cell of each tile."""
    tiles = [0] * puzzle.board.size
    for number, (cell,) in enumerate(pieces, 1):
        tiles[cell] = number
    plain = Plain.on(hex_board(puzzle.board.cells), "hextiles", puzzle.hole_count)
    found = plain.component(tuple(tiles))
    return {tuple((config.index(k),) for k in range(1, len(pieces) + 1)) for config in found}


def hextiles(board: Board, holes: int) -> Puzzle:
    return Puzzle(board, rule("hextiles"), holes)


def laid(puzzle: Puzzle, holes: tuple[int, ...]) -> Pieces:
    return tuple((cell,) for cell in range(puzzle.board.size) if cell not in holes)


def pairs(puzzle: Puzzle, seed: int, count: int) -> Iterator[tuple[Pieces, Pieces]]:
    """Yield random pairs of configurations, half of them with the same holes."""
    rng, size = random.Random(seed), puzzle.board.size
    for number in range(count):
        here = laid(puzzle, tuple(rng.sample(range(size), puzzle.hole_count)))
        there = here if number % 2 else laid(puzzle, tuple(rng.sample(range(size), puzzle.hole_count)))
        yield tuple(rng.sample(here, len(here))), tuple(rng.sample(there, len(there)))


def test_what_is_kept_is_kept_on_all_small_boards() -> None:
    """Whatever the invariants refuse, plain search does not reach; verdicts agree with it throughout."""
    kinds: dict[str, int] = {}
    for number, board in enumerate([*BOARDS, flower(2)]):
        for holes in range(2, board.size - 1):
            puzzle = hextiles(board, holes)
            for here, there in pairs(puzzle, number, 40 if board.size == 7 else 6):
                start, goal = Configuration(puzzle, here), Configuration(puzzle, there)
                reached = there in component(puzzle, here)
                found = find_invariant(start, goal)
                verdict = puzzle.solvable(start, goal)
                assert verdict.solvable == reached
                assert verdict.check()
                if found is not None:
                    assert not reached, (board.name, here, there)
                    assert check(start, goal, False, found[1])
                    if verdict.certificate["kind"] != "shapes":  # the holes cannot get there either
                        assert (verdict.reason, verdict.certificate) == found
                    kinds[found[1]["kind"]] = kinds.get(found[1]["kind"], 0) + 1
    assert set(kinds) == {"order", "corner", "augmented"}
    assert min(kinds.values()) > 5, kinds


@pytest.mark.parametrize(("rows", "holes"), [(2, 2), (3, 2), (3, 3), (3, 4), (4, 4), (4, 5), (4, 6)])
def test_two_rows_name_theorem_1_1(rows: int, holes: int) -> None:
    """Between any two configurations that can move: solvable, or a tile would have to pass another."""
    puzzle = hextiles(parallelogram(2, rows), holes)
    assert strip_order(puzzle) == tuple(range(2 * rows))
    here = laid(puzzle, tuple(range(2 * rows - holes, 2 * rows)))
    start, reached = Configuration(puzzle, here), component(puzzle, here)
    for empty in combinations(range(2 * rows), holes):
        for there in permutations(laid(puzzle, empty)):
            goal = Configuration(puzzle, there)
            if not len(goal.moves):
                continue
            found = find_invariant(start, goal)
            assert (found is None) == (there in reached)
            if found is not None:
                assert found[1]["kind"] == "order"
                assert "Theorem 1.1" in found[0]
                assert check(start, goal, False, found[1])


def test_strips_of_any_length_keep_their_order() -> None:
    """One strip of each size, also with an odd number of cells."""
    found = [board for board in BOARDS if strip_order(hextiles(board, 2)) is not None]
    assert [board.size for board in found] == [3, 4, 5, 6]
    for board in found:
        puzzle = hextiles(board, 2)
        order = strip_order(puzzle)
        assert order is not None
        number = {cell: k for k, cell in enumerate(order)}
        for edge in board.edges:
            here = laid(puzzle, edge)
            expected = sorted(range(len(here)), key=lambda k: number[here[k][0]])
            for pieces in component(puzzle, here):
                assert sorted(range(len(here)), key=lambda k: number[pieces[k][0]]) == expected


def test_lemma_4_1_is_the_reason_in_tight_corners() -> None:
    """With two holes, another tile in the corner at the goal: the reason is the corner, or the strip."""
    seen = 0
    for board in [*BOARDS, *polyhexes(7)]:
        puzzle = hextiles(board, 2)
        for corner in tight_corners(board):
            away = [
                edge
                for edge in board.edges
                if corner not in edge and set.intersection(*(set(board.neighbours[cell]) for cell in edge))
            ]
            if not away or board.size < 5:
                continue
            here = laid(puzzle, away[0])
            there = list(here)
            k = here.index((corner,))
            j = (k + 1) % len(here)
            there[k], there[j] = there[j], there[k]
            start, goal = Configuration(puzzle, here), Configuration(puzzle, tuple(there))
            if not len(start.moves):
                continue
            found = find_invariant(start, goal)
            assert found is not None
            if strip_order(puzzle) is None:
                assert found[1]["kind"] == "corner"
                assert "Lemma 4.1" in found[0]
                seen += 1
    assert seen > 20


def test_odd_permutations_name_theorem_1_5() -> None:
    puzzle = sl.puzzle("hex F(2)")
    here = puzzle.goal.pieces
    odd = 0
    for there in permutations(here):
        goal = Configuration(puzzle, there)
        found = find_invariant(puzzle.goal, goal)
        inversions = sum(a > b for a, b in combinations([cell for (cell,) in there], 2))
        assert (found is not None) == (inversions % 2 == 1)
        if found is not None:
            odd += 1
            assert found[1] == {"kind": "augmented"}
            assert "Theorem 1.5" in found[0]
    assert odd == 60
    assert len(component(puzzle, here)) == 60


def forged(puzzle: Puzzle) -> Iterator[dict[str, Any]]:
    """Yield certificates of all three kinds with every cell and piece."""
    count, size = puzzle.piece_count, puzzle.board.size
    yield {"kind": "augmented"}
    for cell in range(-1, size + 1):
        for piece in range(count + 2):
            yield {"kind": "corner", "cell": cell, "pieces": [piece]}
    for cells in (list(range(size)), list(range(size))[::-1], [0] * size, list(range(size - 1))):
        for a, b in permutations(range(count + 1), 2):
            yield {"kind": "order", "cells": cells, "pieces": [a, b]}
    yield {"kind": "order", "cells": None, "pieces": [1, 2]}
    yield {"kind": "order", "cells": list(range(size)), "pieces": [True, 2]}


@pytest.mark.parametrize(
    "text",
    [
        "hex P(2,3)",
        "hex P(3,2) hextiles 3",
        "hex F(2)",
        "hex P(3,3)",
        "hex T(3)",
        "square R(3,2)",
        "hex F(2) gourds",
    ],
)
def test_nothing_proves_that_the_reachable_is_not(text: str) -> None:
    puzzle = sl.puzzle(text)
    for seed in range(4):
        start = puzzle.shuffle(seed)
        for certificate in forged(puzzle):
            assert not check(start, puzzle.goal, False, certificate), certificate


def test_tampered_certificates_are_refused() -> None:
    p = sl.puzzle("hex P(2,5)")
    start = p.configuration("2 1 3 4 5 6 7 8 . .")
    verdict = p.solvable(start)
    assert verdict.certificate == {"kind": "order", "cells": list(range(10)), "pieces": [2, 1]}
    for change in (
        {"pieces": [1, 2]},
        {"pieces": [3, 4]},
        {"cells": [1, 0, *range(2, 10)]},
        {"cells": [0, *range(10)]},
    ):
        assert not check(start, p.goal, False, {**verdict.certificate, **change})
    corner = sl.puzzle("hex P(3,3)")
    other = corner.configuration("2 1 3 4 5 6 7 . .")
    assert check(other, corner.goal, False, {"kind": "corner", "cell": 0, "pieces": [2]})
    for cell, piece in ((0, 1), (8, 2), (1, 1), (4, 5)):
        assert not check(other, corner.goal, False, {"kind": "corner", "cell": cell, "pieces": [piece]})


def test_three_holes_free_the_corner_and_the_parity() -> None:
    """With one hole more, neither argument may be used."""
    p = sl.puzzle("hex P(3,3) hextiles 3")
    start = p.configuration("2 1 3 4 5 6 . . .")
    assert find_invariant(start, p.goal) is None
    assert p.solvable(start)
    assert not check(start, p.goal, False, {"kind": "augmented"})
    assert not check(start, p.goal, False, {"kind": "corner", "cell": 0, "pieces": [2]})


def test_a_tile_leaves_its_corner_with_three_holes() -> None:
    """With three holes a tile may leave a tight corner for good, though not for every cell."""
    p = sl.puzzle("hex 0,0 -1,1 0,1 1,1 0,2 hextiles 3")
    verdict = p.solvable(p.configuration("2 1 . . ."))
    assert not verdict
    assert "corner" not in verdict.reason
    held = sl.puzzle("hex P(3,3)")
    reason = held.solvable(held.configuration("2 1 3 4 5 6 7 . .")).reason
    assert reason == "tile 2 sits in the tight corner at cell 0 and leaves it only to return (Lemma 4.1)"


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("2 1 3 4 5 6 7 8 . .", "tile 2 stays above tile 1, or left of it in the same row, {} right of it"),
        ("3 1 2 4 5 6 7 8 . .", "tile 3 stays above tile 1, or left of it in the same row, {} below it"),
    ],
)
def test_theorem_1_1_says_where_the_goal_has_the_tile(start: str, said: str) -> None:
    p = sl.puzzle("hex P(2,5)")
    reason = p.solvable(p.configuration(start)).reason
    assert reason == f"{said.format('and the goal has it')} (Theorem 1.1)"


@pytest.mark.parametrize(
    "text",
    ["hex P(2,4) hextiles 3", "hex P(3,2)", "hex trapezoid(4,2) hextiles 4", "hex P(2,3) : a a b b . ."],
)
def test_the_same_order_on_two_rows_is_solvable(text: str) -> None:
    """Without the gain graph: every verdict is that of plain search, and what is drawn can be reached."""
    puzzle = sl.puzzle(text)
    start = puzzle.goal
    answers = set()
    for seed in range(3):
        drawn = puzzle.shuffle(seed, max_shapes=1)
        assert puzzle.solvable(start, drawn)
        for other in permutations(drawn.pieces):
            goal = Configuration(puzzle, other)
            expected = bool(puzzle.solvable(start, goal))
            try:
                verdict = puzzle.solvable(start, goal, max_shapes=1)
            except sl.TooLarge:
                assert puzzle.colours is not None  # another order of colours
                assert not expected
                continue
            assert (bool(verdict), verdict.check()) == (expected, True)
            answers.add(expected)
    assert True in answers


def test_long_strips_are_decided_both_ways() -> None:
    p = sl.puzzle("hex P(2,30)", holes=5)
    start = p.shuffle(seed=3)
    verdict = p.solvable(start)
    assert (
        verdict.reason
        == "every arrangement with the same order of the tiles can be reached on two rows (Theorem 1.1)"
    )
    assert verdict.check()
    pieces = (start.pieces[1], start.pieces[0], *start.pieces[2:])
    assert not p.solvable(Configuration(p, pieces))
    with pytest.raises(sl.TooLarge, match=r"tiles never pass each other \(Theorem 1.1\)"):
        sl.prove(p)


@pytest.mark.parametrize(
    ("text", "theorem"),
    [("hex P(2,400)", "Theorem 1.1"), ("hex P(20,20)", "Lemma 4.1"), ("hex F(30)", "Theorem 1.5")],
)
def test_boards_of_any_size(text: str, theorem: str) -> None:
    """On such boards the gain graph is not needed, and mostly too large."""
    puzzle = sl.puzzle(text)
    pieces = list(puzzle.goal.pieces)
    pieces[0], pieces[1] = pieces[1], pieces[0]
    start = Configuration(puzzle, tuple(pieces))
    verdict = puzzle.solvable(start, max_shapes=10)
    assert not verdict
    assert theorem in verdict.reason
    assert verdict.check()
