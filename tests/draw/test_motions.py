"""Ways of pieces: they end where the move says, and real pieces do not bump into others on them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.boards import board
from slidelab.draw.picture.motions import ease, motion, move_motion, track_motions
from slidelab.rules import RULES, rule

ROW = math.sqrt(3) / 2


def steps(board_, rule_):
    for lies in rule_.placements(board_):
        for cells in rule_.readings(lies):
            yield from rule_.steps(board_, cells)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("where", ["hex F(3)", "square R(4,3)", "king R(3,3)", "theta(1,2,2)"])
def test_ways_begin_and_end_where_the_move_does(where, name):
    on, by = board(where), rule(name)
    if by.refuses(on):
        return
    for step in steps(on, by):
        way = motion(on, by, step.before, step.after, step.holes)
        for time, cells in ((0.0, step.before), (1.0, step.after)):
            for place, cell in zip(way.at(time), cells, strict=True):
                assert math.dist(place, on.positions[cell]) < 1e-9
        assert way.length >= max(math.dist(a, b) for a, b in zip(way.before, way.after, strict=True)) - 1e-9


@pytest.mark.parametrize(("where", "name"), [("hex F(3)", "gourds"), ("square R(4,4)", "gourds")])
def test_gourds_are_stiff(where, name):
    on, by = board(where), rule(name)
    for step in steps(on, by):
        way = motion(on, by, step.before, step.after, step.holes)
        for k in range(11):
            assert math.dist(*way.at(k / 10)) == pytest.approx(1)


def test_kinds_of_gourd_moves():
    on, by = board("hex F(3)"), rule("gourds")
    for step in steps(on, by):
        way = motion(on, by, step.before, step.after, step.holes)
        degrees = abs(math.degrees(way.angle))
        assert degrees == pytest.approx({"slide": 0, "turn": 60, "pivot": 60}[step.kind])
        if step.kind == "pivot":  # round the end that stays
            (stays,) = set(step.before) & set(step.after)
            assert math.dist(way.centre, on.positions[stays]) < 1e-9
        if step.kind == "turn":  # round a cell that touches all three
            three = set(step.before) | set(step.after)
            assert all(math.dist(way.centre, on.positions[cell]) == pytest.approx(1) for cell in three)


def test_ends_of_gourds_come_no_nearer_than_their_size_allows():
    from slidelab.draw.picture.pieces import GOURD_RADIUS

    on, by = board("hex F(4)"), rule("gourds")
    nearest = math.inf
    for step in steps(on, by):
        if 18 not in step.before:
            continue
        way = motion(on, by, step.before, step.after, step.holes)
        others = set(range(on.size)) - set(step.before) - set(step.after)
        for k in range(41):
            for x, y in way.at(k / 40):
                nearest = min(nearest, *(math.dist((x, y), on.positions[cell]) for cell in others))
    assert nearest == pytest.approx(2 * GOURD_RADIUS, abs=1e-6)


def inside_hexagon(point, centre, slack=1e-9):
    """Is a point within the hexagon (flat sides left and right) of that centre?"""
    x, y = point[0] - centre[0], point[1] - centre[1]
    ways = [(math.cos(a), math.sin(a)) for a in (0, math.pi / 3, 2 * math.pi / 3)]
    return all(abs(x * c + y * s) <= 0.5 + slack for c, s in ways)


def test_a_hexagonal_tile_stays_within_the_three_cells():
    """Its corners, at all times, are in the cell it leaves, the one it enters, or the second hole."""
    on, by = board("hex F(3)"), rule("hextiles")
    corners = [
        (math.cos(math.pi / 6 + k * math.pi / 3) / ROW / 2, math.sin(math.pi / 6 + k * math.pi / 3) / ROW / 2)
        for k in range(6)
    ]
    straight = 0
    for step in steps(on, by):
        way = motion(on, by, step.before, step.after, step.holes)
        allowed = [on.positions[cell] for cell in (*step.before, *step.holes)]
        for k in range(21):
            ((x, y),) = way.at(k / 20)
            (ax, ay), (bx, by_) = way.before[0], way.after[0]
            line = (ax + (bx - ax) * k / 20, ay + (by_ - ay) * k / 20)
            for dx, dy in corners:
                assert any(inside_hexagon((x + dx, y + dy), centre) for centre in allowed)
                straight += not any(inside_hexagon((line[0] + dx, line[1] + dy), c) for c in allowed)
    assert straight > 0  # in a straight line it would not fit


def test_a_tile_is_lifted_where_no_second_hole_is_said():
    way = motion(board("hex T(2)"), rule("hextiles"), (0,), (1,))
    assert way.via is None


def test_eases_in_and_out():
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
def test_following_moves(seed, text):
    """Piece by piece as the configurations that the rule makes."""
    import random

    chance = random.Random(seed)
    here = sl.position(text) if ":" in text else sl.puzzle(text).goal
    start, moves, seen = here, [], [here]
    for _ in range(12):
        moves.append(chance.choice(list(here.moves)))
        here = here.play(moves[-1])
        seen.append(here)
    places = list(start.pieces)
    for number, (piece, after, way) in enumerate(track_motions(start, moves), 1):
        assert way.before == tuple(start.puzzle.board.positions[cell] for cell in places[piece])
        places[piece] = after
        assert sl.Configuration(start.puzzle, tuple(places)) == seen[number]


def test_a_move_of_a_configuration():
    here = sl.position("hex P(2,2) : 1 . 2 .")
    move = next(iter(here.moves))
    assert move_motion(move, here).via is not None
