"""Random configurations at a distance: exactly there, uniformly where promised, and by every method."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slidelab as sl
from distance.oracle import layers_from, painted_neighbours, painted_twins, thorough
from plain import RULES
from reach.twins import Twin, twins
from slidelab.budget import Budget
from slidelab.distance import layers as layers_module
from slidelab.distance.layers import BallLayers, ComponentLayers, Layers, draw_ranks
from slidelab.errors import NotationError, NotReached, TooLarge
from slidelab.solve import random_walks
from slidelab.solve.difficulty import DIFFICULTIES, Instances, generators, level_distance, random_instances
from slidelab.solve.random_walks import WalkLimits, WalkSampler
from slidelab.solve.single_pieces import SinglePieces

TWENTY = {
    "tiles": "square R(3,3)",
    "hextiles": "hex P(3,4)",
    "gourds": "hex P(3,3) gourds",
    "trimers": "hex P(3,4) trimers 3",
    "king": "king R(3,3) tiles 1",
    "theta": "theta(2,2,2)",
    "coloured tiles": "square R(4,3) : a a a a b b b b c c c .",
    "coloured gourds": "hex P(3,3) gourds : 0-1=a-b 2-5=a-a 3-6=b-b 4-7=a-b",
}
"""Puzzles of every kind; in some the largest distance is less than twenty."""


def puzzle_of(text: str) -> sl.Puzzle:
    return sl.position(text).puzzle if ":" in text else sl.puzzle(text)


@pytest.mark.parametrize("text", TWENTY.values(), ids=TWENTY)
def test_twenty_moves_are_twenty_moves(text: str) -> None:
    puzzle = puzzle_of(text)
    table = sl.distance_table(puzzle.goal)
    moves = min(20, table.depth)
    found = list(random_instances(puzzle, 1, moves=moves, count=5))
    assert [table.distance(each.configuration, puzzle.goal) for each in found] == [moves] * 5
    assert all(each.proved and each.among == table.distribution[moves] for each in found)
    assert found[0].configuration == puzzle.shuffle(1, moves=moves)
    if table.distribution[moves] >= 5:
        assert len({each.configuration for each in found}) == 5
    with pytest.raises(NotationError, match=f"^expected at most {table.depth} moves?, the largest distance"):
        puzzle.shuffle(1, moves=table.depth + 1)


@pytest.mark.parametrize("text", TWENTY.values(), ids=TWENTY)
def test_walks_end_at_the_distance_that_they_prove(text: str) -> None:
    puzzle = puzzle_of(text)
    table = sl.distance_table(puzzle.goal)
    sampler = WalkSampler(puzzle.goal)
    for seed, moves in enumerate((1, table.depth // 3, table.depth * 2 // 3)):
        solution = sampler.draw(moves, random.Random(seed))
        assert solution.optimal
        assert solution.length == moves == table.distance(solution.start, puzzle.goal)
        assert solution.goal == puzzle.goal
        assert sampler.draw(moves, random.Random(seed)).start == solution.start
        assert SinglePieces(puzzle.goal).lower_bound(solution.start) <= moves


@pytest.mark.parametrize("rule", RULES)
@given(data=st.data())
@thorough(4)
def test_layers_are_those_of_plain_search(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins((rule,), most=1500))
    start = next(iter(made.plain.all_configurations()), None)
    if start is None:
        return
    goal = made.configuration(start)
    expected = made.plain.distance_layers(start)
    for layers in (ComponentLayers(goal), BallLayers(goal)):
        check_layers(layers, made, [set(layer) for layer in expected])


@given(made=painted_twins(most=800))
@thorough(8)
def test_coloured_layers_are_those_of_plain_search(made: Twin) -> None:
    start = next(iter(made.plain.all_configurations()), None)
    if start is None:
        return
    goal, edges = made.configuration(start), painted_neighbours(made)
    expected = layers_from(made.painted(start), lambda here: edges[here])
    assert expected is not None
    for layers in (ComponentLayers(goal), BallLayers(goal)):
        for distance, layer in enumerate(expected):
            assert layers.move_to(distance)
            found = layers.configurations(range(len(layer)))
            assert {made.painted(made.config(each)) for each in found} == layer
        assert not layers.move_to(len(expected))


def check_layers(layers: Layers, made: Twin, expected: list[set[object]]) -> None:
    for distance, layer in enumerate(expected):
        assert layers.move_to(distance)
        found = layers.configurations(range(len(layer)))
        assert {made.config(each) for each in found} == layer
    assert not layers.move_to(len(expected))
    assert layers.sizes == [len(layer) for layer in expected]
    assert layers.move_to(0)
    assert layers.configurations([0]) == [layers.goal]


@pytest.mark.parametrize("text", ["square R(2,3)", "square R(3,2) : a a b b c ."])
def test_draws_are_uniform(text: str) -> None:
    puzzle = puzzle_of(text)
    size = sl.distance_table(puzzle.goal).distribution[9]
    draws = 5 * size
    counts = Counter(each.text for seed in range(draws) for each in random_instances(puzzle, seed, moves=9))
    assert len(counts) <= size
    # Chi squared has size - 1 degrees of freedom; six standard deviations above is one in a billion.
    expected = sum(counts.values()) / size
    chi = sum((n - expected) ** 2 / expected for n in counts.values()) + (size - len(counts)) * expected
    assert chi < size - 1 + 6 * (2 * (size - 1)) ** 0.5


def test_ranks_differ_while_there_are_any_left() -> None:
    for count in (1, 5, 7, 12):
        ranks = draw_ranks(5, generators(3, count))
        assert len(set(ranks)) == min(5, count)
        assert set(ranks) <= set(range(5))
    assert draw_ranks(10**18, generators(1, 2)) == draw_ranks(10**18, generators(1, 2))


def test_levels_rise_and_the_hardest_is_the_largest_distance() -> None:
    for text in ("square R(3,3)", "hex F(2)", "square R(2,2)", "theta(1,2,2)", "hex F(2) gourds"):
        puzzle = sl.puzzle(text)
        table = sl.distance_table(puzzle.goal)
        instances = Instances(puzzle)
        easy, medium, hard, hardest = (level_distance(instances, level) for level in DIFFICULTIES)
        assert 1 <= easy <= medium <= hard <= hardest == table.depth
        assert sum(table.distribution[: hard + 1]) >= sum(table.distribution) / 2
        assert sum(table.distribution[:hard]) < sum(table.distribution) / 2
        for level in DIFFICULTIES:
            drawn = puzzle.shuffle(1, difficulty=level)
            assert table.distance(drawn) == level_distance(instances, level)


def test_a_position_may_be_the_goal() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    goal = puzzle.configuration("8 6 7 2 5 4 3 . 1")
    drawn = puzzle.shuffle(2, goal, moves=11)
    assert sl.distance_table(goal).distance(drawn, goal) == 11
    assert puzzle.solve(drawn, goal).length == 11


def test_large_puzzles_are_proved_without_a_table() -> None:
    puzzle = sl.puzzle("square R(4,4)")
    [near] = random_instances(puzzle, 5, moves=9)
    assert (near.among, puzzle.solve(near.configuration).length) == (946, 9)
    [far] = random_instances(puzzle, 5, moves=34)
    assert far.among is None
    assert far.solution is not None
    assert far.proved
    solution = puzzle.solve(far.configuration)
    assert (solution.length, solution.optimal) == (34, True)
    assert puzzle.shuffle(5, moves=34) == far.configuration
    [level] = random_instances(puzzle, 5, difficulty="easy")
    assert puzzle.solve(level.configuration).length == level.distance


def test_gourds_without_a_gain_graph() -> None:
    puzzle = sl.puzzle("hex F(4) gourds")
    solution = WalkSampler(puzzle.goal).draw(6, random.Random(2))
    assert (solution.length, solution.optimal) == (6, True)
    near = BallLayers(puzzle.goal)
    assert near.move_to(6)
    assert solution.start in near.configurations(range(near.sizes[6]))


def test_what_is_not_proved_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_walks, "NEAR_NODES", 10)
    monkeypatch.setattr(random_walks, "MAX_NODES", 10)
    puzzle = sl.puzzle("square R(4,4)")
    [found] = random_instances(puzzle, 3, difficulty="hard")
    assert not found.proved
    assert found.to_json()["at_least"] == found.distance
    assert "estimated" in found.description
    assert WalkSampler(puzzle.goal).lower_bound(found.configuration) == found.distance
    assert puzzle.solve(found.configuration).length >= found.distance
    with pytest.raises(NotReached, match="no configuration at 60 moves was found within the limits"):
        puzzle.shuffle(3, moves=60)


def test_the_farthest_comes_with_the_refusal() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    with pytest.raises(NotReached) as refused:
        WalkSampler(puzzle.goal).draw(40, random.Random(1), WalkLimits(near=12))
    farthest = refused.value.farthest
    assert farthest is not None
    assert (
        farthest.length
        == sl.distance_table(puzzle.goal).distance(farthest.start)
        == refused.value.lower_bound
    )
    assert farthest.start.text in str(refused.value)


def test_limits() -> None:
    puzzle = sl.puzzle("square R(4,4)")
    with pytest.raises(NotReached):
        puzzle.shuffle(1, moves=20, time=0)
    with pytest.raises(NotReached, match="60 moves"):
        puzzle.shuffle(1, moves=60, time=0)
    with pytest.raises(TooLarge, match=r"needs .* TB"):
        puzzle.shuffle(1, difficulty="hardest")
    with pytest.raises(TooLarge):
        BallLayers(puzzle.goal, budget=Budget.of(memory="1M")).move_to(30)
    with pytest.raises(NotationError, match="expected a number of moves or a difficulty, got both"):
        puzzle.shuffle(1, moves=3, difficulty="easy")
    with pytest.raises(NotationError, match="expected a difficulty"):
        puzzle.shuffle(1, difficulty="insane")  # type: ignore[arg-type]
    for bad in (-1, True, 2.5):
        with pytest.raises(NotationError, match="at moves"):
            puzzle.shuffle(1, moves=bad)  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="at most"):
        next(random_instances(puzzle, 1, moves=3, count=10**7))


def test_a_hopeless_layer_is_refused_early() -> None:
    layers = BallLayers(sl.puzzle("square R(4,4)").goal)
    with pytest.raises(TooLarge, match="too many configurations"):
        layers.move_to(50)
    assert layers.depth <= 2 * layers_module.TREND_LAYERS


def test_a_goal_that_cannot_move() -> None:
    stuck = sl.position("hex P(3,3) : 1 . 2 3 4 5 6 7 .")
    assert stuck.puzzle.shuffle(1, stuck, moves=0) == stuck
    with pytest.raises(NotationError, match="expected at most 0 moves"):
        stuck.puzzle.shuffle(1, stuck, moves=1)
