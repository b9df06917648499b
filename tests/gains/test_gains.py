"""The gain graph: shapes, edges, slots, loops, and shuffling, against playing the moves."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import plain
import slidelab as sl
from boards.strategies import boards
from reach.test_against_plain import painted_components, painted_twins, thorough
from reach.twins import Case, Twin, pick, twins, twins_with_pairs
from slidelab.boards import Board, polyhexes
from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.gains import Gain, GainGraph, count_shapes, gain_graph, slot_order
from slidelab.permutations import is_even
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.loop_groups import family_group
from slidelab.reach.plain_search import point_map, shape_of
from slidelab.reach.random_configurations import shuffle
from slidelab.rules import RULES

Points = NDArray[np.uint16]

each_rule = pytest.mark.parametrize("rule", plain.RULES)

# One puzzle of some size for every rule, all with loops that do something.
LARGER = [
    "square R(4,4) tiles 1",
    "square R(3,3) tiles 3",
    "theta(1,2,2) tiles 1",
    "graph 0-1 0-2 0-3 3-4 4-5 4-6 tiles 3",
    "hex P(4,4) hextiles 2",
    "hex F(2) hextiles 3",
    "king R(3,3) hextiles 3",
    "hex F(2) gourds 1",
    "hex P(3,3) gourds 3",
    "square R(3,3) gourds 1",
    "theta(1,2,2) gourds 3",
    "hex P(3,3) gourds-sharp 1",
    "hex P(3,3) trimers 3",
    "square R(3,3) trimers 3",
    "hex P(4,4) trimers-bent 10",
    "square R(4,4) trimers-bent 7",
    "square R(3,4) trimers-straight 6",
    "hex P(3,4) trimers-straight 6",
    "hex P(4,4) trimers-triangle 10",
    "hex P(3,4) trimers-triangle 6",
]


# Slots


@given(boards)
@thorough(60)
def test_slot_order_is_a_permutation(board: Board) -> None:
    assert sorted(slot_order(board)) == list(range(board.size))


@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (3, 3), (5, 3), (2, 6), (1, 7)])
def test_slot_order_of_a_rectangle_is_a_snake(columns: int, rows: int) -> None:
    board = sl.board(f"square R({columns},{rows})")
    order = slot_order(board)
    assert all(board.adjacent(a, b) for a, b in pairwise(order))
    assert order[-1] == board.size - 1
    identities = sum(gain.is_identity for _, _, gain, _ in gain_graph(Puzzle(board, RULES["tiles"], 1)))
    assert identities == board.size - 1


@given(st.integers(0, 12), st.integers(0, 12))
@thorough(40)
def test_a_gain_is_one_cycle(first: int, last: int) -> None:
    cycle = Gain(first, last).cycle()
    assert Gain(first, last).is_identity == (first == last) == (cycle == ())
    if cycle:
        # The moved piece jumps; those between move up by one.
        row = list(range(13))
        row.insert(last, row.pop(first))  # row[slot] is the piece that now lies there
        assert all(row[b] == a for a, b in zip(cycle, (*cycle[1:], cycle[0]), strict=True))
        assert all(row[x] == x for x in range(13) if x not in cycle)
        assert is_even(row) == (abs(first - last) % 2 == 0)
    assert not Gain(3, 3, turn=1).is_identity


# Shapes


@each_rule
@given(data=st.data())
@thorough(25)
def test_shapes_are_counted_as_they_are_built(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins((rule,)))
    graph = gain_graph(made.puzzle)
    everything = list(made.plain.all_configurations())
    shapes = {made.plain.shape(config) for config in everything}
    assert count_shapes(made.puzzle) == graph.shapes == len(shapes)
    found = set()
    for shape in range(graph.shapes):
        slots = graph.slots(shape)
        assert len(slots) == made.puzzle.piece_count
        covered = [cell for cells in slots for cell in cells]
        assert sorted((*covered, *graph.holes(shape))) == list(range(made.puzzle.board.size))
        ranks = [min(int(graph.rank[cell]) for cell in cells) for cells in slots]
        assert ranks == sorted(ranks)
        found.add(made.plain.shape(made.config(Configuration(made.puzzle, slots))))
    assert found == shapes


@pytest.mark.parametrize("text", LARGER)
def test_shapes_of_larger_puzzles(text: str) -> None:
    puzzle = sl.puzzle(text)
    graph = GainGraph(puzzle)
    assert count_shapes(puzzle) == graph.shapes
    assert len({frozenset(graph.slots(shape)) for shape in range(graph.shapes)}) == graph.shapes
    sizes = Counter(graph.family_of.tolist())
    assert graph.isolated == sum(count == 1 for count in sizes.values())
    moving = [(root, count) for root, count in sizes.items() if count > 1]
    assert graph.families() == sorted(moving, key=lambda pair: (-pair[1], pair[0]))
    assert sum(count for _, count in graph.families()) + graph.isolated == graph.shapes


def test_counts_of_tilings() -> None:
    """Dominoes on rectangles with one cell left out: known numbers."""
    assert count_shapes(sl.puzzle("square R(3,3) gourds 1")) == 18  # 4 at each of 4 corners, 2 at the middle
    assert count_shapes(sl.puzzle("hex F(3) gourds 1")) == 2288
    assert count_shapes(sl.puzzle("square R(30,30) tiles 3")) == comb(900, 3)
    assert count_shapes(sl.puzzle("square R(9,3) trimers-straight 3"), 3) is None


def test_counting_does_not_need_building() -> None:
    """Dominoes on the 8 by 7 board with none left, but for one domino's place: far too many to build."""
    assert (count_shapes(sl.puzzle("square R(7,7) gourds 1")) or 0) > 10**6
    puzzle = sl.puzzle("square R(2,20) gourds 2")
    by_hand = _dominoes(20, 2)
    assert count_shapes(puzzle) == by_hand


def _dominoes(columns: int, holes: int) -> int:
    """Ways to cover two rows with dominoes and so many holes, cell by cell, plainly."""
    from functools import cache

    @cache
    def ways(cell: int, covered: int, left: int) -> int:
        if left < 0:
            return 0
        if cell == 2 * columns:
            return int(left == 0)
        if covered & 1:
            return ways(cell + 1, covered >> 1, left)
        total = ways(cell + 1, covered >> 1, left - 1)
        if cell % 2 == 0 and not covered & 2:
            total += ways(cell + 1, (covered | 2) >> 1, left)
        if cell + 2 < 2 * columns:
            total += ways(cell + 1, (covered | 4) >> 1, left)
        return total

    return ways(0, 0, holes)


# Edges


@pytest.mark.parametrize("text", LARGER)
def test_every_edge_does_to_the_pieces_what_its_gain_says(text: str) -> None:
    """Play every edge by the rule from a random arrangement, and compare with the gain."""
    puzzle = sl.puzzle(text)
    graph = gain_graph(puzzle)
    turns = puzzle.rule.turns
    rng = random.Random(text)
    edges = list(graph)
    assert len(edges) == graph.edges
    for source, target, gain, kind in rng.sample(edges, min(len(edges), 300)):
        arrangement = random_arrangement(puzzle, rng)
        here = graph.configuration(source, arrangement)
        wanted = frozenset(graph.slots(target))
        moves = [move for move in here.moves if here.play(move).shape == wanted]
        after = []
        for move in moves:
            shape, reached = graph.place(here.play(move))
            assert shape == target
            assert move.kind in {k for s, t, _, k in edges if (s, t) == (source, target)}
            after.append(reached.tolist())
        assert applied(gain, arrangement, turns) in after
        assert kind in {move.kind for move in moves}
    # Every move is some edge, forwards or backwards.
    between = Counter((s, t) for s, t, _, _ in edges)
    for shape in rng.sample(range(graph.shapes), min(graph.shapes, 60)):
        here = graph.configuration(shape, random_arrangement(puzzle, rng))
        ways = Counter(graph.place(here.play(move))[0] for move in here.moves)
        assert ways == Counter({t: between[shape, t] + between[t, shape] for t in ways})
        assert ways.total() == sum(n for (s, t), n in between.items() if shape in (s, t))


def random_arrangement(puzzle: Puzzle, rng: random.Random) -> list[int]:
    """Which piece point lies in which slot point, at random."""
    turns = puzzle.rule.turns
    out = []
    for piece in rng.sample(range(puzzle.piece_count), puzzle.piece_count):
        turn = rng.randrange(turns)
        out += [piece * turns + (mark + turn) % turns for mark in range(turns)]
    return out


def applied(gain: Gain, arrangement: list[int], turns: int) -> list[int]:
    """The piece of slot `first` goes to slot `last`, turned; those between move up."""
    bundles = [arrangement[i : i + turns] for i in range(0, len(arrangement), turns)]
    moved = bundles.pop(gain.first)
    bundles.insert(gain.last, [moved[(mark - gain.turn) % turns] for mark in range(turns)])
    return [x for bundle in bundles for x in bundle]


# Place and configuration


@given(twins(), st.data())
@thorough(60)
def test_place_and_configuration_are_inverse(made: Twin, data: st.DataObject) -> None:
    everything = list(made.plain.all_configurations())
    assume(everything)
    graph = gain_graph(made.puzzle)
    for _ in range(4):
        here = made.configuration(pick(data.draw, everything))
        shape, arrangement = graph.place(here)
        assert graph.configuration(shape, arrangement) == here
        assert sorted(arrangement.tolist()) == list(range(graph.degree))
        assert frozenset(graph.slots(shape)) == here.shape == shape_of(made.puzzle, here.pieces)


@pytest.mark.parametrize("text", LARGER)
def test_place_and_configuration_are_inverse_on_larger_puzzles(text: str) -> None:
    puzzle = sl.puzzle(text)
    graph = gain_graph(puzzle)
    rng = random.Random(text)
    for _ in range(30):
        shape = rng.randrange(graph.shapes)
        arrangement = random_arrangement(puzzle, rng)
        here = graph.configuration(shape, arrangement)
        found, back = graph.place(here)
        assert (found, back.tolist()) == (shape, arrangement)


def test_the_two_points_of_a_gourd() -> None:
    """Point 2k is a head: it lies where the slot's first cell is, if the piece is read as its slot is."""
    puzzle = sl.puzzle("hex F(2)", "gourds")
    graph = gain_graph(puzzle)
    shape, arrangement = graph.place(puzzle.goal)
    for slot, cells in enumerate(graph.slots(shape)):
        head, tail = arrangement[2 * slot : 2 * slot + 2]
        assert (head // 2, abs(int(head) - int(tail))) == (tail // 2, 1)
        placed = puzzle.goal.pieces[head // 2]
        assert placed == (cells if head % 2 == 0 else cells[::-1])


# Families: trees, paths, loops


@pytest.mark.parametrize("text", LARGER)
def test_paths_and_loops_play_as_they_say(text: str) -> None:
    """Every path leads to its shape, every loop back home with just its generator's permutation."""
    puzzle = sl.puzzle(text)
    graph = gain_graph(puzzle)
    rng = random.Random(text)
    moved = 0
    for root, count in graph.families()[:3]:
        base = rng.choice([s for s in range(graph.shapes) if graph.family_of[s] == root])
        family = graph.family(base)
        assert family.shapes == count == len(set(family.members.tolist()))
        assert family.base == base
        assert family.path(base) == []
        start = graph.configuration(base, random_arrangement(puzzle, rng))
        _, at_start = graph.place(start)
        for shape in rng.sample(family.members.tolist(), min(count, 25)):
            end = start.play(*family.moves(start, family.path(shape)))
            found, arrangement = graph.place(end)
            assert found == shape
            assert (family.to_base(shape, arrangement) == at_start).all()
            assert (family.from_base(shape, at_start) == arrangement).all()
        for number in rng.sample(range(len(family.generators)), min(len(family.generators), 25)):
            moves = family.moves(start, family.loop(number))
            end = start.play(*moves)
            shape, arrangement = graph.place(end)
            assert shape == base
            generator = family.generators[number]
            # A generator takes slot points to slot points: what lay at x lies at generator[x] afterwards.
            assert (arrangement[generator] == at_start).all()
            places = point_map(puzzle, start.pieces, end.pieces)
            assert places == home_places(at_start, generator)
            moved += len(moves) > 0
            back = [(edge, not way) for edge, way in reversed(family.loop(number))]
            assert end.play(*family.moves(end, back)) == start
    assert moved


def home_places(at_start: Points, generator: Points) -> tuple[int, ...]:
    """The generator in terms of piece points: where each lies afterwards, named by what lay there before."""
    slot = {int(point): x for x, point in enumerate(at_start)}
    return tuple(int(at_start[generator[slot[point]]]) for point in range(len(at_start)))


@given(twins_with_pairs(most=1500))
@thorough(60)
def test_the_group_is_that_of_all_loops(case: Case) -> None:
    """What plain search finds at the start's shape are the elements, and there are no more."""
    made, start, _, reached = case
    graph = gain_graph(made.puzzle)
    shape, at_start = graph.place(made.configuration(start))
    group = family_group(graph.family(shape))
    home = [c for c in reached if made.plain.shape(c) == made.plain.shape(start)]
    assert group.order == len(home)
    for config in home[:40]:
        _, arrangement = graph.place(made.configuration(config))
        where = {int(point): x for x, point in enumerate(arrangement)}
        assert tuple(where[int(point)] for point in at_start) in group


def test_identical_loops_are_left_out() -> None:
    family = gain_graph(sl.puzzle("square R(4,4)")).family(15)
    identity = list(range(15))
    assert all(row != identity for row in family.generators.tolist())
    assert len(family.generators) == len(family.generator_edge) == 9


# Limits


@each_rule
def test_too_many_shapes_are_refused_before_building(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from slidelab import _core

    def build(*_: object) -> None:
        raise AssertionError("built")

    monkeypatch.setattr(_core, "GainGraph", build)
    puzzle = sl.puzzle("hex P(4,4)", rule, 16 - 3 * RULES[rule].cells)
    shapes = count_shapes(puzzle)
    assert shapes is not None
    with pytest.raises(TooLarge, match=f"{shapes:,} shapes, and the limit is {shapes - 1:,}"):
        GainGraph(puzzle, Budget(max_shapes=shapes - 1))
    with pytest.raises(AssertionError, match="built"):
        GainGraph(puzzle, Budget(max_shapes=shapes))


def test_limits_are_obeyed_by_every_verb() -> None:
    puzzle = sl.puzzle("hex star", "gourds")
    tight = Budget(max_shapes=10)
    with pytest.raises(TooLarge, match="38 shapes"):
        puzzle.solvable(puzzle.goal, puzzle.goal.play(next(iter(puzzle.goal.moves))), max_shapes=10)
    with pytest.raises(TooLarge, match="38 shapes"):
        shuffle(puzzle, 1, budget=tight)
    found = puzzle.analyze(max_shapes=10)
    assert found.too_large
    assert found.maximally_connected is False  # that much the paper knows


def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slidelab.budget.WORKING_BYTES", 0)

    def whole(limits: Budget) -> int:
        graph = GainGraph(sl.puzzle("hex P(8,8)"), limits)
        return graph.family(graph.families()[0][0]).shapes

    assert whole(Budget()) > 100
    with pytest.raises(TooLarge, match=r"hex P\(8,8\)"):
        whole(Budget(memory=1000))


def test_progress_is_reports() -> None:
    reports: list[tuple[str, int, int]] = []
    budget = Budget(progress=lambda *news: reports.append(news))
    graph = gain_graph(sl.puzzle("hex P(12,12)"), budget)
    graph.family(graph.families()[0][0], budget)
    assert all(isinstance(phase, str) and done >= 0 for phase, done, _ in reports)
    assert all(done <= total for _, done, total in reports if total)


# Shuffling


@given(twins_with_pairs(), st.integers(0, 10**9))
@thorough(80)
def test_a_shuffle_stays_in_the_component(case: Case, seed: int) -> None:
    made, start, _, reached = case
    first = made.configuration(start)
    there = made.puzzle.shuffle(seed, first)
    assert made.config(there) in reached
    assert made.puzzle.shuffle(seed, first) == there
    assert made.puzzle.solvable(first, there)
    assert made.puzzle.solvable(there, first)


@given(painted_twins(), st.integers(0, 10**9), st.data())
@thorough(60)
def test_a_coloured_shuffle_stays_in_the_component(made: Twin, seed: int, data: st.DataObject) -> None:
    everything = list(made.plain.all_configurations())
    assume(everything)
    start = pick(data.draw, everything)
    component = painted_components(made)
    there = made.puzzle.shuffle(seed, made.configuration(start))
    assert there.puzzle == made.puzzle
    assert component[made.painted(made.config(there))] == component[made.painted(start)]


@pytest.mark.parametrize(
    ("start", "size"),
    [
        ("square R(2,2) : 1 2 3 .", 12),
        ("hex T(3) : 1 2 3 4 . .", 9),
        ("hex F(2) : 3 1 4 2 5 . .", 60),
        ("hex T(2) gourds : 0-1", 6),
        ("hex T(2) gourds-sharp : 0-1", 3),
        ("graph 0-1 1-2 2-3 3-0 3-4 tiles 2 : 1 2 3 . .", 60),
        ("square R(3,2) : a a b b b .", 60),
        ("hex P(2,2) gourds 2 : 0-1", 10),
    ],
)
def test_a_shuffle_is_equally_likely_to_give_anything(start: str, size: int) -> None:
    first = sl.position(start)
    draws = 60 * size
    counts = Counter(first.puzzle.shuffle(seed, first).text for seed in range(draws))
    assert len(counts) == size
    chi_square = sum((count - 60) ** 2 / 60 for count in counts.values())
    freedom = size - 1
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5 + 6  # far less often wrong than once in a thousand


def test_a_shuffle_starts_from_the_goal_and_differs_by_seed() -> None:
    puzzle = sl.puzzle("square R(4,4)")
    seen = {puzzle.shuffle(seed).text for seed in range(20)}
    assert len(seen) == 20
    assert all(puzzle.solvable(text) for text in seen)
    assert puzzle.shuffle(3) == puzzle.shuffle(3, puzzle.goal) == shuffle(sl.puzzle("square R(4,4)"), 3)
    assert puzzle.shuffle() != puzzle.shuffle()


@pytest.mark.parametrize("text", ["square R(70,70) tiles 2", "square R(71,70) tiles 3"])
def test_boards_too_big_to_build_are_shuffled_all_the_same(text: str) -> None:
    puzzle = sl.puzzle(text)
    there = puzzle.shuffle(seed=1)
    assert there == puzzle.shuffle(seed=1)
    assert there != puzzle.shuffle(seed=2)
    assert puzzle.solvable(there)
    with pytest.raises(TooLarge):
        sl.puzzle("hex ring(9,2) hextiles 6").shuffle(seed=1)


def test_a_big_shuffle_has_the_right_parity() -> None:
    """One hole and a limit that forbids the gain graph: the theorem decides, by parity."""
    puzzle = sl.puzzle("square R(5,4)")
    parities = set()
    for seed in range(20):
        there = shuffle(puzzle, seed, budget=Budget(max_shapes=3))
        assert puzzle.solvable(there)
        parities.add(sum(puzzle.board.cells[there.holes[0]]) % 2)
    assert parities == {0, 1}


@pytest.mark.parametrize("size", [4, 5])
def test_shuffles_on_all_small_polyhexes(size: int) -> None:
    for board in polyhexes(size):
        for holes in range(2, size):
            puzzle = Puzzle(board, RULES["hextiles"], holes)
            there = puzzle.shuffle(seed=holes)
            assert puzzle.solvable(there)
            assert puzzle.solvable(puzzle.goal, there).check()
