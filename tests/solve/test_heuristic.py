"""Lower bounds: against plain searches of some pieces, and against exact distances of all."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plain
import slidelab as sl
from distance.oracle import layers_from, painted_twins, thorough
from reach.twins import Twin, pick
from slidelab import _core
from slidelab.budget import Budget
from slidelab.gains import GainGraph, gain_graph
from slidelab.puzzles import Configuration
from slidelab.solve.patterns import databases, heuristic
from slidelab.solve.patterns.databases import build_databases, single_distances
from slidelab.solve.patterns.heuristic import Heuristic, heuristic_for
from slidelab.solve.patterns.symmetry import canonical_shape, symmetries_of_rule
from solve.cases import own_heuristic, painted_distances, plain_pattern, spot_of, twins_with_goals

BUDGETS = (0, 1, 100, 3000, 10**6)


def one_view(goal: Configuration, budget: int, order: Sequence[int] = ()) -> Heuristic:
    """Only what the tables say as they stand; groups as they are chosen, or along the order given."""

    def along(_: object, sizes: Sequence[int], __: int) -> list[tuple[tuple[int, ...], ...]]:
        ends = [*accumulate(sizes, initial=0)]
        return [tuple(tuple(order[a:b]) for a, b in pairwise(ends))]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heuristic, "MAX_LOOKUPS", 1)
        if order:
            patch.setattr(databases, "different_partitions", along)
        return own_heuristic(goal, budget)


def exact_distances(made: Twin, goal: plain.Config) -> dict[plain.Config, int]:
    layers = made.plain.distance_layers(goal)
    return {config: depth for depth, layer in enumerate(layers) for config in layer}


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(10)
def test_a_piece_alone_needs_what_plain_search_says(rule: str, data: st.DataObject) -> None:
    made, goal = data.draw(twins_with_goals(rule))
    puzzle, homes = made.puzzle, made.pieces(goal)
    graph = gain_graph(puzzle)
    shape, _ = graph.place(made.configuration(goal))
    rows = dict(zip(graph.core.slots(shape), single_distances(graph, shape).tolist(), strict=True))
    for piece, home in enumerate(homes):
        found = plain_pattern(made, goal, (piece,))
        numbers = {spot_of(home, cells, puzzle): moves for (cells,), moves in found.items()}
        slot = spot_of(home, home, puzzle)[0]
        expected = [numbers.get((slot, spot), 65535) for spot in range(len(rows[slot]))]
        assert rows[slot] == expected


@pytest.mark.parametrize(
    "text",
    ["square R(3,3)", "square R(4,4)", "king R(3,2)", "theta(2,2,3)", "cycle(6)", "hex P(3,3) tiles 1"],
)
def test_a_tile_alone_goes_straight_home_on_boards_without_cut_cells(text: str) -> None:
    graph = gain_graph(sl.puzzle(text))
    around = graph.puzzle.board.neighbours
    for shape in range(graph.shapes):
        rows = single_distances(graph, shape)
        for (home,), row in zip(graph.slots(shape), rows.tolist(), strict=True):
            layers = layers_from(home, lambda cell: around[cell])
            assert layers is not None
            for distance, layer in enumerate(layers):
                assert {row[cell] for cell in layer} == {distance}


def test_moves_are_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    class Counted(_core.MoveTable):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            made.append(self.shapes)

    monkeypatch.setattr(_core, "MoveTable", Counted)
    graph = GainGraph(sl.puzzle("square R(3,2) tiles 2"))
    assert build_databases(graph, 0).patterns
    assert made == [15]
    first = graph.move_table(Budget())
    assert graph.move_table(Budget()) is first
    searches = _core.Searcher(first, [1] * 4, 100, 4)
    known = ref(first)
    del first
    gc.collect()
    assert graph.move_table(Budget()) is known()  # the searcher keeps it
    assert made == [15, 15]
    del searches
    gc.collect()
    assert known() is None


def test_on_very_large_boards_distances_in_the_graph_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = gain_graph("square R(4,3)")
    exact = single_distances(graph, 5)
    monkeypatch.setattr(databases, "MAX_EXACT_WORK", 0)
    assert single_distances(graph, 5).tolist() == exact.tolist()
    tree = gain_graph("graph 0-1 1-2 2-3 1-4")
    monkeypatch.undo()
    exact = single_distances(tree, 4)
    monkeypatch.setattr(databases, "MAX_EXACT_WORK", 0)
    assert (single_distances(tree, 4) <= exact).all()


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(8)
def test_several_partitions_give_the_largest_of_their_bounds(rule: str, data: st.DataObject) -> None:
    made, goal = data.draw(twins_with_goals(rule))
    last = made.configuration(goal)
    graph = gain_graph(made.puzzle)
    shape = canonical_shape(graph, graph.place(last)[0])
    count, size = data.draw(st.integers(2, 4)), data.draw(st.sampled_from(BUDGETS))
    whole = build_databases(graph, shape, size, partitions=count)
    assert len(whole.partitions) == (count if whole.patterns else 0)
    parts = [
        Heuristic(last, replace(whole, partitions=(partition,))) for partition in whole.partitions or [()]
    ]
    together = Heuristic(last, whole)
    for config, exact in exact_distances(made, goal).items():
        start = made.configuration(config)
        bound = together.lower_bound(start)
        assert bound is not None
        assert bound <= exact
        if together.lookups < heuristic.MAX_LOOKUPS:
            assert bound == max(part.lower_bound(start) or 0 for part in parts)


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(8)
def test_tables_are_those_of_plain_search(rule: str, data: st.DataObject) -> None:
    """What is packed, unpacked and added up is exactly what the groups need, whichever they are."""
    made, goal = data.draw(twins_with_goals(rule))
    last = made.configuration(goal)
    order = data.draw(st.just(()) | st.permutations(range(made.puzzle.piece_count)))
    found = one_view(last, data.draw(st.sampled_from(BUDGETS)), order)
    graph, homes = found.graph, made.pieces(goal)
    readings = made.puzzle.rule.readings
    in_slot = {min(readings(cells)): piece for piece, cells in enumerate(homes)}
    by_slot = [in_slot[cells] for cells in graph.slots(found.shape)]
    groups = [tuple(by_slot[slot] for slot in group) for group in found.databases.patterns]
    grouped = {piece for group in groups for piece in group}
    assert len(grouped) == sum(map(len, groups))
    groups += [(piece,) for piece in range(made.puzzle.piece_count) if piece not in grouped]
    tables = [plain_pattern(made, goal, group) for group in groups]
    cut = any(table.cut for table in found.databases.databases)
    for config in made.plain.component(goal):
        pieces = made.pieces(config)
        needed = sum(
            table[tuple(pieces[k] for k in group)] for group, table in zip(groups, tables, strict=True)
        )
        bound = found.lower_bound(made.configuration(config))
        assert bound is not None
        assert bound <= needed if cut else bound == needed


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(12)
def test_bounds_are_sound_everywhere(rule: str, data: st.DataObject) -> None:
    made, goal = data.draw(twins_with_goals(rule))
    last = made.configuration(goal)
    distances = exact_distances(made, goal)
    budget = data.draw(st.sampled_from(BUDGETS))
    found, single = heuristic_for(last, budget), one_view(last, budget)
    for config, exact in distances.items():
        here = made.configuration(config)
        bound, less = found.lower_bound(here), single.lower_bound(here)
        assert bound is not None
        assert less is not None
        assert less <= exact
        assert bound <= exact
        assert (bound == 0) == (config == goal)


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(4)
def test_where_there_is_no_way_bounds_may_say_so(rule: str, data: st.DataObject) -> None:
    """And with one table for all pieces they always do."""
    made, goal = data.draw(twins_with_goals(rule))
    found = heuristic_for(made.configuration(goal), 10**6)
    whole = any(len(group) == made.puzzle.piece_count for group in found.databases.patterns)
    distances = exact_distances(made, goal)
    for config in made.plain.all_configurations():
        bound = found.lower_bound(made.configuration(config))
        if whole:
            assert bound == distances.get(config)
        else:
            assert config not in distances or bound is not None


@given(st.data())
@thorough(25)
def test_bounds_of_coloured_puzzles_are_sound(data: st.DataObject) -> None:
    made = data.draw(painted_twins(most=400))
    configs = list(made.plain.all_configurations())
    if not configs or not made.puzzle.piece_count:
        return
    goal = pick(data.draw, configs)
    distances = painted_distances(made, goal)
    found = heuristic_for(made.configuration(goal), data.draw(st.sampled_from(BUDGETS)))
    for config in configs:
        exact, bound = distances.get(made.painted(config)), found.lower_bound(made.configuration(config))
        if exact is not None:
            assert bound is not None
            assert bound <= exact
            assert (bound == 0) == (exact == 0)


def test_no_budget_means_no_tables() -> None:
    """Nothing at all fits into no bytes."""
    for text in ("square R(3,3)", "hex F(2)", "hex F(2) gourds 1"):
        goal = sl.puzzle(text).goal
        assert own_heuristic(goal, 0).databases.databases == ()
        assert heuristic_for(goal, 0).databases.databases == ()
        assert heuristic_for(goal, 0).lookups == 0


# Views through symmetries

SYMMETRIC = [
    ("square R(3,3)", "1 2 3 4 . 5 6 7 8"),
    ("square R(3,3)", "1 2 3 4 5 6 7 8 ."),
    ("square R(3,3)", "1 . 3 4 2 5 6 7 8"),
    ("square R(3,3) tiles 2", "1 2 3 . 4 . 5 6 7"),
    ("king R(3,2)", "1 . 2 3 4 5"),
    ("hex F(2)", "1 2 3 . 4 5 ."),
    ("hex F(2)", "1 . 2 3 4 . 5"),
    ("hex F(2)", "1 2 3 4 5 . ."),
    ("theta(1,2,2)", "1 2 3 4 5 6 ."),
    ("theta(1,2,2)", "1 2 . 3 4 5 6"),
    ("cycle(5)", "1 2 3 4 ."),
    ("hex F(2) gourds 1", "1-1 2-2 3-3 ."),
    ("hex F(2) gourds 3", None),
    ("square R(3,3) trimers 3", None),
    ("hex P(3,3) trimers-triangle 3", None),
]


def carried(found: Heuristic, symmetry: tuple[int, ...], at: Configuration) -> Configuration | None:
    """The image of a configuration, pieces named so that the goal is its own image; None if it is not."""
    goal, readings = found.goal, found.graph.puzzle.rule.readings
    homes = {
        reading: (piece, k) for piece, c in enumerate(goal.pieces) for k, reading in enumerate(readings(c))
    }
    pieces: list[tuple[int, ...]] = [()] * len(goal.pieces)
    for home, cells in zip(goal.pieces, at.pieces, strict=True):
        image = tuple(symmetry[cell] for cell in home)
        if image not in homes:
            return None
        piece, turn = homes[image]
        there = readings(tuple(symmetry[cell] for cell in cells))
        pieces[piece] = there[-turn % len(there)]
    return Configuration(goal.puzzle, tuple(pieces))


@pytest.mark.parametrize(("text", "pieces"), SYMMETRIC)
def test_bounds_of_symmetric_goals(text: str, pieces: str | None) -> None:
    puzzle = sl.puzzle(text)
    goal = puzzle.goal
    if pieces is not None and puzzle.rule.cells == 1:
        goal = puzzle.configuration(pieces)
    table = sl.DistanceTable(goal)
    graph = gain_graph(puzzle)
    keeping = [g for g in symmetries_of_rule(graph) if carried(own_heuristic(goal, 0), g, goal) is not None]
    assert tuple(range(puzzle.board.size)) in keeping
    for budget in BUDGETS:
        found, single = heuristic_for(goal, budget), one_view(goal, budget)
        assert found.lookups <= min(len(keeping), heuristic.MAX_LOOKUPS)
        for seed in range(40):
            start = puzzle.shuffle(seed, goal)
            exact, bound, less = table.distance(start), found.lower_bound(start), single.lower_bound(start)
            assert exact is not None
            assert bound is not None
            assert less is not None
            assert max(less, bound) <= exact
            assert (bound == 0) == (start == goal)
            images = [carried(found, g, start) for g in keeping]
            assert {table.distance(image) for image in images if image} == {exact}
            if len(keeping) <= heuristic.MAX_LOOKUPS:
                assert {found.lower_bound(image) for image in images if image} == {bound}


@pytest.mark.parametrize(
    "text", ["square R(3,3)", "hex P(3,3) hextiles 3", "theta(1,2,2)", "hex F(2) gourds 1"]
)
def test_tables_of_one_shape_serve_those_that_look_like_it(text: str) -> None:
    puzzle = sl.puzzle(text)
    graph = gain_graph(puzzle)
    for seed in range(12):
        goal = puzzle.shuffle(seed)
        shape, _ = graph.place(goal)
        like = canonical_shape(graph, shape)
        assert canonical_shape(graph, like) == like
        found = Heuristic(goal, build_databases(graph, like, 3000))
        table = sl.DistanceTable(goal)
        for start in (puzzle.shuffle(100 * seed + k, goal) for k in range(20)):
            exact, bound = table.distance(start), found.lower_bound(start)
            assert exact is not None
            assert bound is not None
            assert bound <= exact
            assert found.lower_bound(goal) == 0


def test_tables_for_another_goal_are_refused() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    patterns = build_databases(gain_graph(puzzle), 8, 100)
    with pytest.raises(sl.PuzzleError, match="another goal"):
        Heuristic(puzzle.configuration("1 2 3 4 . 5 6 7 8"), patterns)


# Packing


@given(st.integers(1, 3), st.integers(1, 4), st.sampled_from([0, 1, 3, 20, 100]), st.data())
@thorough(20)
def test_packed_entries_are_what_is_needed_beyond_pieces_alone(
    pieces: int, step: int, largest: int, data: st.DataObject
) -> None:
    """Any table, not only those that puzzles have: also ones that four bits can't hold."""
    cells = 5
    random = np.random.default_rng(data.draw(st.integers(0, 1000)))
    alone = random.integers(0, 9, (pieces, cells)).astype(np.uint16)
    spots = np.array(list(np.ndindex(*(cells,) * pieces)))
    spots = spots[[len(set(row)) == pieces for row in spots.tolist()]]  # cells in lexicographic order
    base = alone[np.arange(pieces), spots].sum(axis=1)
    more = step * random.integers(0, largest // step + 1, len(spots))
    no_way = random.random(len(spots)) < 0.1
    table = np.where(no_way, 255, np.minimum(base + more, 254)).astype(np.uint8)
    data_, halves, unit, cut = _core.pack_pattern_database(table, alone, cells, True, 2)
    packed = np.asarray(data_)
    entries = np.stack([packed & 15, packed >> 4], axis=1).reshape(-1)[: len(spots)] if halves else packed
    none = 15 if halves else 255
    assert ((entries == none) == no_way).all()
    needed = (table - base)[~no_way]
    got = entries[~no_way].astype(int) * unit
    assert (got <= needed).all()
    assert (got != needed).sum() == cut


def test_larger_databases_must_say_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uneven patterns are kept only if their mean entry exceeds that of far smaller, even ones."""
    graph = gain_graph(sl.puzzle("square R(3,4)"))
    monkeypatch.setattr(databases, "EVEN_FACTOR", 4)
    sizes = {}
    for least in (1.0, 10.0):
        monkeypatch.setattr(databases, "MIN_LARGER_GAIN", least)
        sizes[least] = [len(pattern) for pattern in build_databases(graph, 11, 100_000).patterns]
    assert sizes == {1.0: [5, 5], 10.0: [4, 4, 3]}


def test_mean_gain_is_the_mean_entry() -> None:
    found = build_databases(gain_graph(sl.puzzle("square R(3,3)")), 8, 10_000)
    exact = 0.0
    for database in found.databases:
        entries = np.stack([database.data & 15, database.data >> 4])
        exact += float(entries[entries < 15].mean()) * database.step
    assert abs(found.mean_gain() - exact) < 0.02 * exact


def test_memory_for_building_limits_the_largest_pattern() -> None:
    graph = gain_graph(sl.puzzle("square R(3,4)"))
    for memory, sizes in ((10_000_000, [6, 5]), (1_000_000, [5, 5])):
        found = build_databases(graph, 11, 1_000_000, budget=Budget.of(memory=memory))
        assert [len(pattern) for pattern in found.patterns] == sizes
