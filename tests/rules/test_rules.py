"""The rules: what a piece may do, against the words of the papers and against geometry."""

from __future__ import annotations

from collections import Counter
from math import dist

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import plain
import slidelab as sl
from reach.test_against_plain import thorough
from reach.twins import Twin, cell_sets, kinds_of, pick, twin, twins
from slidelab.boards import Board
from slidelab.errors import IllegalMove, NotationError
from slidelab.puzzles import Configuration, Move, Puzzle
from slidelab.rules import RULES, Rule, Step, rule


@st.composite
def boards(draw: st.DrawFn, name: str, most: int = 12) -> Twin:
    """Boards for a rule, larger than those on which everything is enumerated."""
    kind = draw(st.sampled_from(kinds_of(name)))
    least = RULES[name].fewest_holes + RULES[name].cells
    if kind == "graph":
        size = draw(st.integers(least, 7))
        pairs = [(a, b) for a in range(size) for b in range(a + 1, size)]
        return twin(kind, draw(st.frozensets(st.sampled_from(pairs))), name, size - RULES[name].cells, size)
    cells = draw(cell_sets(kind, least, most))
    return twin(kind, cells, name, len(cells) - RULES[name].cells)


def placed(chosen: Rule, board: Board) -> list[tuple[int, ...]]:
    """Return every placement in every reading."""
    return [cells for least in chosen.placements(board) for cells in chosen.readings(least)]


each_rule = pytest.mark.parametrize("name", plain.RULES)


def test_there_are_eight_rules() -> None:
    assert tuple(RULES) == plain.RULES
    for name, chosen in RULES.items():
        assert rule(name) is chosen
        assert chosen.name == name
    with pytest.raises(NotationError, match="expected a rule"):
        rule("dominoes")


@each_rule
@given(data=st.data())
@thorough(25)
def test_placements(name: str, data: st.DataObject) -> None:
    """Every placement comes once, in its least reading, and `fits` accepts it."""
    made = data.draw(boards(name))
    board, chosen = made.puzzle.board, RULES[name]
    least = list(chosen.placements(board))
    assert len(set(least)) == len(least)
    for cells in least:
        readings = chosen.readings(cells)
        assert len(set(readings)) == len(readings) == chosen.turns
        assert readings[0] == cells == min(readings)
        assert len(set(cells)) == chosen.cells
    assert set(placed(chosen, board)) == set(made.plain.placements())
    for cells in made.plain.placements():
        assert chosen.fits(board, cells)
    number = chosen.cells
    others = st.lists(st.integers(0, board.size - 1), min_size=number, max_size=number, unique=True)
    for _ in range(5):
        cells = tuple(data.draw(others))
        assert chosen.fits(board, cells) == (cells in made.plain.placements())


@each_rule
@given(data=st.data())
@thorough(25)
def test_steps_are_reversible(name: str, data: st.DataObject) -> None:
    """Every step has exactly one inverse of the same kind, into the cells that were left."""
    board, chosen = data.draw(boards(name)).puzzle.board, RULES[name]
    for cells in placed(chosen, board):
        for step in chosen.steps(board, cells):
            assert step.before == cells
            assert step.after != cells
            assert chosen.fits(board, step.after)
            assert set(step.holes).isdisjoint(cells)
            assert set(step.after) - set(cells) <= set(step.holes)
            assert len(set(step.holes)) == len(step.holes) >= 1
            left = set(cells) - set(step.after)
            beside = set(step.holes) - set(step.after)
            back = [
                other
                for other in chosen.steps(board, step.after)
                if other.after == cells and set(other.holes) == left | beside
            ]
            assert [other.kind for other in back] == [step.kind]


@each_rule
@given(data=st.data())
@thorough(25)
def test_steps_are_those_of_the_oracle(name: str, data: st.DataObject) -> None:
    """Steps of one piece alone on the board, with all other cells or only those of a step empty."""
    made = data.draw(boards(name))
    board, chosen = made.puzzle.board, RULES[name]
    for cells in made.plain.placements():
        free = frozenset(range(board.size)) - set(cells)
        steps = list(chosen.steps(board, cells))
        if chosen.cells > 1:
            assert {step.after for step in steps} == made.plain._piece_moves(cells, free)
            for step in steps:
                assert step.after in made.plain._piece_moves(cells, frozenset(step.holes))
        for step in steps:
            for hole in step.holes:
                fewer = frozenset(step.holes) - {hole}
                others = [s for s in steps if s.after == step.after and fewer.issuperset(s.holes)]
                assert not others  # every hole of a step is needed


@each_rule
@given(data=st.data())
@thorough(25)
def test_steps_turn_with_the_piece(name: str, data: st.DataObject) -> None:
    """The steps from another reading are the same steps in that reading."""
    board, chosen = data.draw(boards(name)).puzzle.board, RULES[name]
    for cells in chosen.placements(board):
        for turn, reading in enumerate(chosen.readings(cells)):
            turned = Counter(
                (chosen.readings(step.after)[turn], frozenset(step.holes), step.kind)
                for step in chosen.steps(board, cells)
            )
            found = [(step.after, frozenset(step.holes), step.kind) for step in chosen.steps(board, reading)]
            assert Counter(found) == turned


@given(st.data())
@thorough(60)
def test_hexagonal_tiles_need_a_second_hole(data: st.DataObject) -> None:
    board = data.draw(boards("hextiles")).puzzle.board
    for cell in range(board.size):
        for step in RULES["hextiles"].steps(board, (cell,)):
            (to,), (first, beside) = step.after, step.holes
            assert to == first
            assert board.adjacent(cell, to)
            assert board.adjacent(cell, beside)
            assert board.adjacent(to, beside)


# Kinds of moves, by angles

TURN = {(1, 0): 0, (0, 1): 1, (-1, 1): 2, (-1, 0): 3, (0, -1): 4, (1, -1): 5}  # sixths of a full turn


def towards(board: Board, a: int, b: int) -> int:
    (ax, ay), (bx, by) = board.cells[a], board.cells[b]
    return TURN[bx - ax, by - ay]


def angle(board: Board, a: int, b: int, c: int) -> int:
    """Return by how many sixths of a full turn the path a, b, c bends; 0 is straight."""
    bend = (towards(board, b, c) - towards(board, a, b)) % 6
    return min(bend, 6 - bend)


@pytest.mark.parametrize("name", ["gourds", "gourds-sharp"])
def test_gourds_slide_turn_and_pivot_by_angles(name: str) -> None:
    """Section 2 of the paper: slide in line, turn by 60 degrees, and where the angle is sharp pivot."""
    board = sl.board("hex F(3)")
    kinds: Counter[str] = Counter()
    for cells in placed(RULES[name], board):
        for step in RULES[name].steps(board, cells):
            kinds[step.kind] += 1
            (hole,) = step.holes
            if step.kind == "pivot":
                stays = set(cells) & set(step.after)
                assert len(stays) == 1
                (pivot,) = stays
                assert cells.index(pivot) == step.after.index(pivot)
                assert all(board.adjacent(hole, cell) for cell in cells)
                continue
            trail = (*cells, hole) if step.after == (cells[1], hole) else (*cells[::-1], hole)
            assert step.after in ((trail[1], hole), (hole, trail[1]))
            bend = angle(board, *trail)
            assert step.kind == {0: "slide", 1: "turn", 2: "sharp turn"}[bend]
    assert set(kinds) == {"slide", "turn", "pivot" if name == "gourds" else "sharp turn"}
    # In the middle of the board: 2 slides, 4 turns, and 2 cells beside with 2 pivots or sharp turns each.
    middle = board.cell_at[0, 0]
    inner = board.cell_at[1, 0]
    assert Counter(s.kind for s in RULES[name].steps(board, (middle, inner))) == {
        "slide": 2,
        "turn": 4,
        "pivot" if name == "gourds" else "sharp turn": 4,
    }


def test_gourds_on_squares_slide_and_turn() -> None:
    board = sl.board("square R(5,5)")
    middle = board.cell_at[2, 2]
    steps = list(RULES["gourds"].steps(board, (middle, middle + 1)))
    assert Counter(step.kind for step in steps) == {"slide": 2, "turn": 4}


@pytest.mark.parametrize(
    ("name", "text", "cells", "kinds"),
    [
        # In the open: a shift in each direction, and a turn either way about each cell.
        ("trimers-straight", "hex F(5)", ((0, 0), (1, 0), (2, 0)), {"slide": 6, "pivot": 6}),
        ("trimers-straight", "square R(9,9)", ((3, 4), (4, 4), (5, 4)), {"slide": 4, "pivot": 6}),
        ("trimers-triangle", "hex F(5)", ((0, 0), (0, 1), (1, 0)), {"slide": 6, "pivot": 6}),
        ("trimers-bent", "square R(9,9)", ((4, 4), (4, 5), (5, 5)), {"slide": 4, "pivot": 6}),
        ("trimers-bent", "hex F(5)", ((0, 0), (0, 1), (1, 1)), {"slide": 6, "pivot": 6}),
    ],
)
def test_rigid_trimers_in_the_open(
    name: str, text: str, cells: tuple[tuple[int, int], ...], kinds: dict[str, int]
) -> None:
    board, chosen = sl.board(text), RULES[name]
    at = tuple(board.cell_at[place] for place in cells)
    if not chosen.fits(board, at):
        at = at[::-1]
    assert chosen.fits(board, at)
    steps = list(chosen.steps(board, at))
    assert Counter(step.kind for step in steps) == kinds
    for step in steps:
        stays = [cell for cell, after in zip(at, step.after, strict=True) if cell == after]
        assert len(stays) == (1 if step.kind == "pivot" else 0)
        where = [board.positions[cell] for cell in at]
        there = [board.positions[cell] for cell in step.after]
        for i in range(3):
            for j in range(3):  # rigid: all distances stay
                assert dist(where[i], where[j]) == pytest.approx(dist(there[i], there[j]))


@pytest.mark.parametrize("name", ["trimers-bent", "trimers-triangle"])
def test_bent_pieces_turn_left_in_the_drawing(name: str) -> None:
    for text in ["hex F(3)"] + ["square R(4,4)"] * (name == "trimers-bent"):
        board = sl.board(text)
        found = 0
        for cells in placed(RULES[name], board):
            (ax, ay), (bx, by), (cx, cy) = (board.positions[cell] for cell in cells)
            # Down is positive in a drawing, so a left turn has a negative product.
            assert (bx - ax) * (cy - by) - (by - ay) * (cx - bx) < 0
            found += 1
        assert found > 10


@pytest.mark.parametrize("name", plain.RIGID_RULES)
@pytest.mark.parametrize("text", ["theta(1,2,2)", "king R(3,3)", "cycle(6)"])
def test_rigid_pieces_need_a_lattice(name: str, text: str) -> None:
    with pytest.raises(NotationError, match="rigid"):
        sl.puzzle(text, name)


def test_triangles_need_hexagons() -> None:
    assert RULES["trimers-triangle"].refuses(sl.board("square R(3,3)"))
    assert RULES["trimers-triangle"].refuses(sl.board("hex F(2)")) is None


def test_papers_on_three_cells() -> None:
    """Section 5 of the paper: with one hole a straight piece stays in its row, a triangle only pivots."""
    board = sl.board("hex F(4)")
    for cells in placed(RULES["trimers-straight"], board):
        for step in RULES["trimers-straight"].steps(board, cells):
            if len(step.holes) == 1:
                assert step.kind == "slide"
                ends = {*cells, *step.after}
                assert len(ends) == 4
                touching = [(a, b) for a in ends for b in ends if board.adjacent(a, b)]
                assert len({towards(board, a, b) % 3 for a, b in touching}) == 1
    for cells in placed(RULES["trimers-triangle"], board):
        one = [step for step in RULES["trimers-triangle"].steps(board, cells) if len(step.holes) == 1]
        assert {step.kind for step in one} <= {"pivot"}


# Puzzles and configurations


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hex P(3,3) hextiles 1", "at least 2 holes"),
        ("square R(2,2) tiles 0", "at least 1 hole "),
        ("square R(2,2) tiles 4", "fewer holes"),
        ("hex F(2) gourds 2", "whole gourds"),
        ("hex F(2) trimers 2", "whole trimers"),
    ],
)
def test_numbers_of_holes_that_do_not_fit(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        sl.puzzle(text)


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        (((0, 1),), "expected 3 gourds"),
        (((0, 1), (1, 2), (3, 4)), "gourds 1 and 2"),
        (((0, 1), (2, 5), (3, 9)), "cells 0 to 6"),
        (((0, 1), (2, 5), (3, -1)), "cells 0 to 6"),
        (((0, 6), (1, 2), (3, 4)), "can lie"),
        (((0, 1, 2), (3, 4), (5, 6)), "can lie"),
    ],
)
def test_invalid_configurations(pieces: tuple[tuple[int, ...], ...], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Configuration(sl.puzzle("hex F(2)", "gourds"), pieces)


@given(twins(), st.data())
@thorough(80)
def test_illegal_moves_are_refused(made: Twin, data: st.DataObject) -> None:
    everything = list(made.plain.all_configurations())
    assume(everything)
    here = made.configuration(pick(data.draw, everything))
    legal = {(move.piece, move.before, move.after) for move in here.moves}
    cells = st.integers(0, made.puzzle.board.size - 1)
    number = made.puzzle.rule.cells
    for _ in range(5):
        piece = data.draw(st.integers(1, made.puzzle.piece_count))
        before = here.pieces[piece - 1]
        after = tuple(data.draw(st.lists(cells, min_size=number, max_size=number)))
        move = Move(piece, before, after)
        assert (move in here.moves) == ((piece, before, after) in legal)
        if move not in here.moves:
            with pytest.raises(IllegalMove):
                here.play(move)
    with pytest.raises(IllegalMove, match="expected a piece"):
        here.play(Move(made.puzzle.piece_count + 1, here.pieces[0], here.pieces[0]))
    assert Move(0, here.pieces[0], here.pieces[0]) not in here.moves
    assert "nothing" not in here.moves


def test_a_move_from_elsewhere_is_refused() -> None:
    start = sl.position("square R(2,2) : 1 2 3 .")
    with pytest.raises(IllegalMove, match="piece 2 "):
        start.play("2:0>3")


@given(twins(), st.data())
@thorough(60)
def test_colours_of_the_puzzle_are_kept(made: Twin, data: st.DataObject) -> None:
    everything = list(made.plain.all_configurations())
    assume(everything)
    labels = st.lists(st.sampled_from("ab"), min_size=made.puzzle.rule.turns, max_size=made.puzzle.rule.turns)
    colours = tuple(sorted(tuple(data.draw(labels)) for _ in range(made.puzzle.piece_count)))
    painted = Puzzle(made.puzzle.board, made.puzzle.rule, made.puzzle.hole_count, colours)
    assert painted.uncoloured == made.puzzle
    here = Configuration(painted, made.pieces(pick(data.draw, everything)))
    assert Configuration(painted, here.pieces) == here  # naming the least pieces again changes nothing
    assert sl.position(here.text) == here
    for move in here.moves:
        there = here.play(move)
        assert there.puzzle == painted
        assert set(there.holes) != set(here.holes)


def test_a_step_is_a_plain_record() -> None:
    (first, *_) = RULES["tiles"].steps(sl.board("square R(2,2)"), (0,))
    assert first == Step((0,), (1,), (1,), "slide")
