"""Cycles split in two, zigzags, stations, and the core's trains of gourds."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab import _core
from slidelab.boards import (
    Board,
    hamiltonian_cycle,
    hex_board,
    is_proper,
    random_hexagons,
)
from slidelab.errors import IllegalMove
from slidelab.puzzles import Configuration, MoveList, Player
from slidelab.puzzles.movelist import MIN_CORE_MOVES
from slidelab.solve.gourds import cycles as gourd_cycles
from slidelab.solve.gourds.splits import best_split, inner_corners, passing_stations
from slidelab.solve.gourds.zigzags import without_zigzags, zigzags
from solve.gourd_boards import anywhere, gourds_on, is_cycle_on, proper_boards, random_proper

# What they are made of


def train(position: Configuration) -> _core.GourdTrain:
    return gourd_cycles.train_of(position)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 60), st.integers(0, 10**6), st.sampled_from([0.0, 0.7]))
def test_aligned_gourds_lie_along_the_way(gourds: int, seed: int, thin: float) -> None:
    board = random_proper(gourds, seed, thin)
    cycle = list(hamiltonian_cycle(board))
    start = anywhere(gourds_on(board), seed, 200)
    core = train(start)
    core.align(cycle, None)
    place = {cell: number for number, cell in enumerate(cycle)}
    ends = core.ends().reshape(-1, 2).tolist()
    assert all((place[a] - place[b]) % len(cycle) in (1, len(cycle) - 1) for a, b in ends)
    assert len(core) <= gourds * (gourds + 1) // 2 + gourds  # Lemma 4


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 60), st.integers(0, 10**6), st.sampled_from([0.0, 0.7, 1.0]))
def test_a_split_shares_one_triangle(gourds: int, seed: int, thin: float) -> None:
    board = random_proper(gourds, seed, thin)
    cycle = list(hamiltonian_cycle(board))
    split = best_split(board, cycle)
    if split is None:
        return
    shared = {split.hole, *split.place}
    for part in (split.first, split.second):
        assert len(part) % 2 == 1
        assert is_cycle_on(board, part)
    assert set(split.first) | set(split.second) == set(cycle)
    assert set(split.first) & set(split.second) == shared
    assert all(b in board.neighbours[a] for a in shared for b in shared - {a})


def triangle_sides(board: Board, cycle: list[int]) -> dict[frozenset[int], int]:
    """The triangles inside, cut off corner by corner, and how many of their sides are on the way: plainly."""
    sides = {frozenset(pair) for pair in zip(cycle, cycle[1:] + cycle[:1], strict=True)}
    left, out = list(cycle), {}
    while len(left) >= 3:
        corners = inner_corners(board, left)
        for k in range(len(left)):
            before, here, after = left[k - 1], left[k], left[(k + 1) % len(left)]
            if corners[k - 1] == after:
                triangle = frozenset((before, here, after))
                out[triangle] = sum(triangle - {cell} in sides for cell in triangle)
                left.pop(k)
                break
        else:
            raise AssertionError("no corner to cut off")
    return out


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 25), st.integers(0, 10**6), st.sampled_from([0.0, 0.7]))
def test_a_split_is_the_best_of_all_even_triangles(gourds: int, seed: int, thin: float) -> None:
    """Against the tree of triangles itself: parts counted by walking it."""
    board = random_proper(gourds, seed, thin)
    cycle = list(hamiltonian_cycle(board))
    sides = triangle_sides(board, cycle)
    assert len(sides) == len(cycle) - 2  # Observation 3
    best = 0
    for triangle, number in sides.items():
        if number == 1:
            parts = sorted(beyond(set(sides), triangle))
            if parts[0] % 2 == 0:
                best = max(best, parts[0])
    split = best_split(board, cycle)
    assert best == (0 if split is None else min(len(split.first), len(split.second)) - 3)


def beyond(triangles: set[frozenset[int]], middle: frozenset[int]) -> list[int]:
    """How many triangles lie beyond each chord of one."""
    left, out = triangles - {middle}, []
    for first in [t for t in left if len(t & middle) == 2]:
        queue, seen = [first], {first}
        for here in queue:
            for there in left - seen:
                if len(there & here) == 2:
                    seen.add(there)
                    queue.append(there)
        out.append(len(seen))
    return out


def toothed_strip(length: int) -> tuple[Board, list[int]]:
    """Two rows with a tooth on every triangle between them, and the way that goes round all teeth."""
    top = [(k, 1) for k in range(length)]
    bottom = [(k - 1, 2) for k in range(length)]
    above = [(k + 1, 0) for k in range(length - 1)]
    below = [(k - 1, 3) for k in range(length - 1)]
    out = [cell for pair in zip(top, above, strict=False) for cell in pair] + [top[-1]]
    back = [cell for pair in zip(bottom, below, strict=False) for cell in pair] + [bottom[-1]]
    board = hex_board([*out, *back])
    return board, [board.cell_at[cell] for cell in out + back[::-1]]


@pytest.mark.parametrize("length", [3, 5, 8, 20, 61])
def test_zigzags_are_broken_up(length: int) -> None:
    board, cycle = toothed_strip(length)
    assert is_cycle_on(board, cycle)
    inner = sum(number == 0 for number in triangle_sides(board, cycle).values())
    assert inner >= 2 * length - 4
    assert bool(list(zigzags(board, cycle))) == (inner > 6)
    smooth = without_zigzags(board, cycle)
    assert is_cycle_on(board, smooth)
    assert sorted(smooth) == sorted(cycle)
    assert not list(zigzags(board, smooth))
    assert len(triangle_sides(board, smooth)) == len(cycle) - 2


def test_places_where_gourds_pass() -> None:
    """Lemma 5: every Hamiltonian cycle without a hole inside has one."""
    for board in (b for n in (5, 7, 9) for b in proper_boards(n)):
        cycle = list(hamiltonian_cycle(board))
        kind, turned = next(passing_stations(board, cycle))
        a, b, c, d, e = turned[:5]
        assert sorted(turned) == sorted(cycle)
        assert is_cycle_on(board, turned)
        assert board.adjacent(a, c)
        assert board.adjacent(a, d) if kind == "aside" else board.adjacent(c, e) and board.adjacent(a, e)
        assert board.adjacent(b, c)


def test_a_way_with_swaps_only() -> None:
    """Five cells where two gourds change places, and none where one can wait aside (substructure (ii))."""
    found = 0
    for seed in range(120):
        board = random_hexagons(11 + 2 * (seed % 4), seed, thin=1.0)
        if not is_proper(board):
            continue
        cycle = list(hamiltonian_cycle(board))
        if next(passing_stations(board, cycle))[0] == "swap":
            found += 1
            puzzle = gourds_on(board)
            puzzle.solve(anywhere(puzzle, found), anywhere(puzzle, found + 1), method="cycle-cubic")
    assert found


def test_the_small_search_finds_the_shortest_ways() -> None:
    """Against breadth-first search by the rule."""
    for board in [*proper_boards(5), *proper_boards(7)[:4]]:
        start = anywhere(gourds_on(board), 3)
        far = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for move in here.moves:
                there = here.play(move)
                if there not in far:
                    far[there] = far[here] + 1
                    queue.append(there)
        chosen = random.Random(1).sample(sorted(far, key=lambda c: c.pieces), min(12, len(far)))
        for goal in chosen:
            path = train(start).search(list(range(board.size)), train(goal))
            assert path is not None
            assert len(path) == far[goal]
            core = train(start)
            core.play(path)
            assert core.ends().tolist() == train(goal).ends().tolist()


def test_the_small_search_knows_when_there_is_no_way() -> None:
    star = gourds_on(sl.board("hex F(2)"))
    start = star.goal
    cells = [0, 1, 2, 3, 4, 5, 6]
    assert train(start).search(cells, train(start)) == []
    ring = sl.puzzle("cycle(5)", "gourds", 1)
    turned = ring.configuration("1-0 2-3")
    assert train(ring.goal).search([0, 1, 2, 3, 4], train(turned)) is None


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.pull([0, 1], 1),
        lambda t: t.pull([0, 1, 2, 3], 1),
        lambda t: t.pull([0, 1, 6], 1),
        lambda t: t.pull([0, 1, 99], 1),
        lambda t: t.pull([0, 1, 0], 1),
        lambda t: t.play([t.hole]),
        lambda t: t.play([-1]),
        lambda t: t.align([0, 1, 3], None),
        lambda t: t.search(list(range(13)), t),
        lambda t: t.search([0, 0, 1], t),
        lambda t: t.sort([0, 1, 3], t, None),
        lambda t: t.exchange([0, 1, 3], [0, 1, 3], t, None),
        lambda t: t.rows(np.array([t.hole], dtype=np.int32), np.zeros(14, dtype=np.int32)),
        lambda t: t.rows(np.array([0], dtype=np.int32), np.zeros(3, dtype=np.int32)),
    ],
)
def test_the_core_refuses_nonsense(call: Callable[[_core.GourdTrain], object]) -> None:
    with pytest.raises(ValueError, match=r"expected|hole|cell"):
        call(train(gourds_on(sl.board("hex F(2)")).goal))


def test_the_core_refuses_gourds_that_are_none() -> None:
    offsets, flat = np.array([0, 2, 4, 6], dtype=np.int32), np.array([1, 2, 0, 2, 0, 1], dtype=np.int32)
    for ends in ([0, 0], [0, 3], [0, -1], [0], [0, 1, 2]):
        with pytest.raises(ValueError, match=r"expected|gourd|cell"):
            _core.GourdTrain(offsets, flat, np.array(ends, dtype=np.int32))
    with pytest.raises(ValueError, match="neighbours"):
        _core.GourdTrain(np.array([0, 2, 4, 7], dtype=np.int32), flat, np.array([0, 1], dtype=np.int32))


# The core's replay, against the player that asks the rule move by move


def long_walk(text: str, steps: int, seed: int) -> tuple[Configuration, MoveList]:
    start, rng, moves = sl.puzzle(text).shuffle(seed), random.Random(seed), []
    player = Player(start)
    for _ in range(steps):
        move = rng.choice(list(player.configuration.moves))
        player.play(move.piece, move.before, move.after)
        moves.append(move)
    return start, MoveList.of(moves)


@pytest.mark.parametrize("text", ["hex F(2) gourds", "hex P(3,3) trimers", "hex T(3) gourds-sharp 2"])
def test_many_moves_are_played_by_the_core(text: str) -> None:
    start, moves = long_walk(text, MIN_CORE_MOVES + 50, 1)
    player = Player(start)
    for move in moves:
        player.play(move.piece, move.before, move.after)
    assert moves.end(start) == player.configuration


def test_a_move_that_is_not_allowed_is_found_among_many() -> None:
    start, moves = long_walk("hex F(2) gourds", MIN_CORE_MOVES + 50, 2)
    for bad in (0, 17, MIN_CORE_MOVES + 20):
        for change in ([0, 99], [2, 1], [5, 3]):
            rows = moves.rows.copy()
            column, value = change
            if rows[bad, column] == value:
                continue
            rows[bad, column] = value
            with pytest.raises(IllegalMove):
                MoveList(rows, moves.kinds).end(start)
