"""Motions of pieces: they end where the move does, and pieces do not collide with others."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.boards import Board, board
from slidelab.draw.picture.bodies import GOURD_RADIUS
from slidelab.draw.picture.motions import Point, ease, motion, move_motion, track_motions
from slidelab.rules import RULES, Rule, Step, rule

ROW = math.sqrt(3) / 2


def steps(board_: Board, rule_: Rule) -> Iterator[Step]:
    for placement in rule_.placements(board_):
        for cells in rule_.readings(placement):
            yield from rule_.steps(board_, cells)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("where", ["hex F(3)", "square R(4,3)", "king R(3,3)", "theta(1,2,2)"])
def test_motions_start_and_end_with_the_move(where: str, name: str) -> None:
    on, by = board(where), rule(name)
    if by.refuses(on):
        return
    for step in steps(on, by):
        path = motion(on, by, step.before, step.after, step.holes)
        for time, cells in ((0.0, step.before), (1.0, step.after)):
            for point, cell in zip(path.at(time), cells, strict=True):
                assert math.dist(point, on.positions[cell]) < 1e-9
        assert (
            path.length >= max(math.dist(a, b) for a, b in zip(path.before, path.after, strict=True)) - 1e-9
        )


@pytest.mark.parametrize(("where", "name"), [("hex F(3)", "gourds"), ("square R(4,4)", "gourds")])
def test_gourds_are_rigid(where: str, name: str) -> None:
    on, by = board(where), rule(name)
    for step in steps(on, by):
        path = motion(on, by, step.before, step.after, step.holes)
        for k in range(11):
            assert math.dist(*path.at(k / 10)) == pytest.approx(1)


def test_kinds_of_gourd_moves() -> None:
    on, by = board("hex F(3)"), rule("gourds")
    for step in steps(on, by):
        path = motion(on, by, step.before, step.after, step.holes)
        degrees = abs(math.degrees(path.angle))
        assert degrees == pytest.approx({"slide": 0, "turn": 60, "pivot": 60}[step.kind])
        if step.kind == "pivot":  # about the end that stays
            (stays,) = set(step.before) & set(step.after)
            assert path.centre is not None
            assert math.dist(path.centre, on.positions[stays]) < 1e-9
        if step.kind == "turn":  # about a cell that touches all three
            three = set(step.before) | set(step.after)
            assert path.centre is not None
            assert all(math.dist(path.centre, on.positions[cell]) == pytest.approx(1) for cell in three)


def test_ends_of_gourds_touch_at_the_closest_approach() -> None:
    on, by = board("hex F(4)"), rule("gourds")
    closest = math.inf
    for step in steps(on, by):
        if 18 not in step.before:
            continue
        path = motion(on, by, step.before, step.after, step.holes)
        others = set(range(on.size)) - set(step.before) - set(step.after)
        for k in range(41):
            for x, y in path.at(k / 40):
                closest = min(closest, *(math.dist((x, y), on.positions[cell]) for cell in others))
    assert closest == pytest.approx(2 * GOURD_RADIUS, abs=1e-6)


def inside_hexagon(point: Point, centre: Point, tolerance: float = 1e-9) -> bool:
    """Return whether a point is inside the hexagon (flat sides left and right) of that centre."""
    x, y = point[0] - centre[0], point[1] - centre[1]
    normals = [(math.cos(a), math.sin(a)) for a in (0, math.pi / 3, 2 * math.pi / 3)]
    return all(abs(x * c + y * s) <= 0.5 + tolerance for c, s in normals)


def test_a_hexagonal_tile_stays_inside_three_cells() -> None:
    """Its corners are always in the cell it leaves, the one it enters, or the second hole."""
    on, by = board("hex F(3)"), rule("hextiles")
    corners = [
        (math.cos(math.pi / 6 + k * math.pi / 3) / ROW / 2, math.sin(math.pi / 6 + k * math.pi / 3) / ROW / 2)
        for k in range(6)
    ]
    straight = 0
    for step in steps(on, by):
        path = motion(on, by, step.before, step.after, step.holes)
        allowed = [on.positions[cell] for cell in (*step.before, *step.holes)]
        for k in range(21):
            ((x, y),) = path.at(k / 20)
            (ax, ay), (bx, by_) = path.before[0], path.after[0]
            line = (ax + (bx - ax) * k / 20, ay + (by_ - ay) * k / 20)
            for dx, dy in corners:
                assert any(inside_hexagon((x + dx, y + dy), centre) for centre in allowed)
                straight += not any(inside_hexagon((line[0] + dx, line[1] + dy), c) for c in allowed)
    assert straight > 0  # on a straight line it would not fit


def test_without_a_second_hole_the_motion_is_straight() -> None:
    path = motion(board("hex T(2)"), rule("hextiles"), (0,), (1,))
    assert path.via is None


def test_easing() -> None:
    times = [ease(k / 20) for k in range(21)]
    assert times == sorted(times)
    assert times[1] < 1 / 20
    assert 1 - times[-2] < 1 / 20


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 1000),
    st.sampled_from(
        ["hex F(2) gourds", "square R(3,3)", "hex P(3,3)", "hex F(2) gourds 1 : 0-1=a-b 2-3=a-a 5-6=a-b"]
    ),
)
def test_tracked_moves_match_the_configurations(seed: int, text: str) -> None:
    rng = random.Random(seed)
    here = sl.position(text) if ":" in text else sl.puzzle(text).goal
    start, moves, seen = here, [], [here]
    for _ in range(12):
        moves.append(rng.choice(list(here.moves)))
        here = here.play(moves[-1])
        seen.append(here)
    pieces = list(start.pieces)
    for number, (piece, after, path) in enumerate(track_motions(start, moves), 1):
        assert path.before == tuple(start.puzzle.board.positions[cell] for cell in pieces[piece])
        pieces[piece] = after
        assert sl.Configuration(start.puzzle, tuple(pieces)) == seen[number]


def test_a_move_of_a_configuration() -> None:
    here = sl.position("hex P(2,2) : 1 . 2 .")
    move = next(iter(here.moves))
    assert move_motion(move, here).via is not None
