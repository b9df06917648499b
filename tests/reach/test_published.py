"""Numbers from the papers, kept as text in tests/golden with their sources."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial
from pathlib import Path

import pytest

import slidelab as sl
from plain import Config, Piece, Plain, hex_board, rectangle_cells, square_board
from slidelab.boards import is_hole_free, is_two_connected, polyhexes, star
from slidelab.gains import gain_graph
from slidelab.reach.analysis import Analysis

GOLDEN = Path(__file__).parent.parent / "golden"


def lines(name: str) -> Iterator[list[str]]:
    """The fields of every line that is no comment."""
    for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield [field.strip() for field in line.split("|")]


def value(found: Analysis, quantity: str) -> int | str:
    def yes(answer: bool | None) -> str:
        return {True: "yes", False: "no", None: "unknown"}[answer]

    (family,) = found.families
    values: dict[str, int | str | None] = {
        "components": found.components,
        "shapes": found.shapes,
        "isolated": found.isolated,
        "edges": gain_graph(found.puzzle).edges,
        "size": family.size,
        "group": family.group.name,
        "order": family.group.order,
        "weak-parity": yes(found.weak_parity),
        "strong-parity": yes(found.strong_parity),
        "stuck": len(found.stuck),
    }
    answer = values[quantity]
    assert answer is not None
    return answer


COUNTS = [case for name in ("hexagonal-paper.txt", "graph-puzzles.txt", "gourds.txt") for case in lines(name)]


@pytest.mark.parametrize("case", COUNTS, ids=lambda case: case[0])
def test_counts(case: list[str]) -> None:
    text, *facts = case
    puzzle = sl.puzzle(text)
    found = puzzle.analyze(connection=False)
    assert len(facts) >= 1
    for fact in facts:
        quantity, _, expected = fact.partition(" ")
        assert str(value(found, quantity)) == expected, quantity
    # What must hold of any such table: components times size is everything that can move.
    (family,) = found.families
    turns = puzzle.rule.turns**puzzle.piece_count
    assert family.components * family.size == family.shapes * factorial(puzzle.piece_count) * turns
    assert found.shapes == family.shapes + (found.isolated or 0)


def test_the_golden_files_are_all_there() -> None:
    assert len(COUNTS) == len({case[0] for case in COUNTS}) >= 54


# The 15-puzzle, as the slides have it


def test_the_nine_moves_of_the_slides() -> None:
    graph = gain_graph(sl.puzzle("square R(4,4)"))
    rank = {cell: number for number, cell in enumerate(graph.order, 1)}
    expected = {}
    for head, cycle in (case for case in lines("fifteen-slides.txt") if case[0].startswith("move")):
        _, i, j = head.split()
        expected[int(i), int(j)] = tuple(map(int, cycle.split()))
    assert len(expected) == 9

    gains = list(graph)
    assert len(gains) == 24
    assert sum(gain.is_identity for _, _, gain, _ in gains) == 15
    directions = set()
    found = set()
    for source, target, gain, kind in gains:
        assert kind == "slide"
        a, b = (rank[graph.holes(shape)[0]] for shape in (source, target))
        if gain.is_identity:
            assert abs(a - b) == 1  # along the snake
            continue
        moved = [slot + 1 for slot in gain.cycle()]
        ours = dict(zip(moved, moved[1:] + moved[:1], strict=True))
        theirs = expected[min(a, b), max(a, b)]
        forwards = dict(zip(theirs, theirs[1:] + theirs[:1], strict=True))
        backwards = {y: x for x, y in forwards.items()}
        assert ours in (forwards, backwards)
        directions.add((ours == forwards) == (a < b))
        found.add((min(a, b), max(a, b)))
    assert found == set(expected)
    assert len(directions) == 1


VERDICTS = [case for case in lines("fifteen-slides.txt") if case[0].startswith("verdict")]


@pytest.mark.parametrize("case", VERDICTS, ids=" ".join)
def test_the_verdicts_of_the_slides(case: list[str]) -> None:
    answer, start = case[0].split()[1], case[1]
    verdict = sl.puzzle("square R(4,4)").solvable(start)
    assert verdict.solvable == (answer == "yes")
    assert verdict.check()
    assert ("odd" if answer == "no" else "even") in verdict.reason
    assert verdict.certificate["kind"] == ("parity" if answer == "no" else "moves")


def test_moves_that_prove_a_verdict_lead_there() -> None:
    puzzle = sl.puzzle("square R(4,4)")
    start = puzzle.configuration("15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 .")
    verdict = puzzle.solvable(start)
    assert start.play(*verdict.certificate["moves"]) == puzzle.goal


# Gourds


@pytest.mark.parametrize(("size", "boards"), [(3, 1), (5, 1), (7, 4), (9, 16)])
def test_proper_boards_are_connected(size: int, boards: int) -> None:
    proper = [b for b in polyhexes(size) if is_two_connected(b) and is_hole_free(b)]
    assert len(proper) == boards
    for board in proper:
        found = sl.puzzle(board, "gourds").analyze(connection=False)
        assert (found.components, found.isolated, found.maximally_connected) == (1, 0, True), board.name
        assert found.families[0].group.order == 2 ** (size // 2) * factorial(size // 2)


def positions_of_first(plain: Plain, start: Config) -> set[Piece]:
    """Everywhere that the first piece can get, if all others are alike: plain search with one piece named."""

    def named(config: Config) -> Config:
        return (config[0], *sorted(tuple(sorted(piece)) for piece in config[1:]))

    seen, queue = {named(start)}, [named(start)]
    for config in queue:
        for other in map(named, plain.neighbours(config)):
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return {config[0] for config in seen}


def rotated(pieces: Config, k: int) -> Config:
    return pieces[k:] + pieces[:k]


def cells_of(positions: set[Piece]) -> set[frozenset[int]]:
    """Positions without regard to which end is which."""
    return {frozenset(position) for position in positions}


def test_a_gourd_on_the_star_has_three_positions() -> None:
    plain = Plain.on(hex_board(star().cells), "gourds", 1)
    goal = sl.puzzle("hex star", "gourds").goal.pieces
    kept = set()
    for k in range(6):
        reached = cells_of(positions_of_first(plain, rotated(goal, k)))
        assert len(reached) == 3
        (cell,) = frozenset.intersection(*reached)
        kept.add(cell)
    assert len(kept) == 6  # every gourd has its cell, which it never leaves


@pytest.mark.parametrize(("columns", "rows"), [(3, 5), (5, 3), (3, 3)])
def test_a_gourd_on_squares_never_leaves_its_black_cell(columns: int, rows: int) -> None:
    coords = rectangle_cells(columns, rows)
    board = square_board(coords)
    plain = Plain.on(board, "gourds", 1)
    goal = sl.puzzle(f"square R({columns},{rows})", "gourds").goal.pieces
    for k in range(len(goal)):
        (black,) = (cell for cell in goal[k] if sum(coords[cell]) % 2)
        reached = cells_of(positions_of_first(plain, rotated(goal, k)))
        assert reached == {frozenset((black, white)) for white in board[1][black]}


def laid_with(puzzle: sl.Puzzle, first: Piece) -> Config:
    """Pieces of some configuration, one of them on these cells and put first."""
    graph = gain_graph(puzzle)
    slots = next(slots for shape in range(graph.shapes) if first in (slots := graph.slots(shape)))
    return (first, *(cells for cells in slots if cells != first))


def test_the_blue_gourd_of_figure_1() -> None:
    """Three columns and five rows: only so is the top middle cell black, and the blue gourd bound to it."""
    puzzle = sl.puzzle("square R(3,5)", "gourds")
    plain = Plain.on(square_board(rectangle_cells(3, 5)), "gourds", 1)
    three = {frozenset(pair) for pair in ((1, 0), (1, 2), (1, 4))}
    for position in three:
        pieces = laid_with(puzzle, tuple(sorted(position)))
        assert cells_of(positions_of_first(plain, pieces)) == three
        start = sl.Configuration(puzzle, pieces)
        assert {frozenset(puzzle.shuffle(seed, start).pieces[0]) for seed in range(60)} == three
    # On the board lying on its side a gourd at the top middle can go away.
    lying = Plain.on(square_board(rectangle_cells(5, 3)), "gourds", 1)
    reached = positions_of_first(lying, laid_with(sl.puzzle("square R(5,3)", "gourds"), (1, 2)))
    assert cells_of(reached) == {frozenset(pair) for pair in ((1, 0), (1, 2), (1, 6))}


def test_a_turn_of_the_fifteen_puzzle_with_two_holes_reaches_everything() -> None:
    puzzle = sl.puzzle("square R(4,4)", holes=2)
    assert puzzle.solvable("2 1 3 4 5 6 7 8 9 10 11 12 13 14 . .")
    assert puzzle.group().name == "Sym(14)"
