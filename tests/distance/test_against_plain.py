"""Distances, God's numbers and shortest solutions, against plain search over labelled configurations."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import plain
import slidelab as sl
from distance.oracle import (
    large_twins,
    layers_from,
    painted_neighbours,
    painted_twins,
    pushes,
    sizes,
    thorough,
)
from reach.twins import Twin, cell_sets, pick, twin, twins, twins_with_pairs
from slidelab import _core
from slidelab.budget import Budget
from slidelab.distance.bounds import depth_lower_bound
from slidelab.distance.component import Component
from slidelab.distance.metric import Metric
from slidelab.distance.search import Search
from slidelab.distance.starts import shape_orbits
from slidelab.errors import Unsolvable
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration

ALL = 10**6


def start_of(data: st.DataObject, made: Twin) -> plain.Config:
    everything = list(made.plain.all_configurations())
    assume(everything)
    return pick(data.draw, everything)


# From one start


@pytest.mark.parametrize("rule", plain.RULES)
@given(data=st.data())
@thorough(12)
def test_distances_are_those_of_plain_search(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins((rule,), most=2500))
    start = start_of(data, made)
    layers = made.plain.distance_layers(start)
    first = made.configuration(start)
    found = made.puzzle.distances(first, hardest=ALL)
    assert found.start == first
    assert found.distribution == sizes(layers)
    assert (found.states, found.depth) == (sum(map(len, layers)), len(layers) - 1)
    assert len(found.hardest) == len(layers[-1])
    assert {made.config(c) for c in found.hardest} == layers[-1]


@given(large_twins())
@thorough(40)
def test_distances_of_larger_puzzles(case: tuple[Twin, plain.Config, list[set[plain.Config]]]) -> None:
    made, start, layers = case
    found = made.puzzle.distances(made.configuration(start), hardest=ALL)
    assert found.distribution == sizes(layers)
    assert {made.config(c) for c in found.hardest} == layers[-1]


@given(large_twins(rules=("tiles",), most=3000), st.integers(1, 40))
@thorough(15)
def test_fewer_hardest_are_some_of_them(
    case: tuple[Twin, plain.Config, list[set[plain.Config]]], number: int
) -> None:
    made, start, layers = case
    found = made.puzzle.distances(made.configuration(start), hardest=number)
    listed = [made.config(c) for c in found.hardest]
    assert len(listed) == len(set(listed)) == min(number, len(layers[-1]))
    assert set(listed) <= layers[-1]


# The kernels: threads, the portable code, and the threshold between thin and full layers


def run_core(component: Component, place: Any, threads: int, **options: Any) -> tuple[list[int], set[Any]]:
    core = _core.LayerSearch(component.code, False, component.lines(), **options)
    core.begin(place)
    while sum(core.layers) < component.states:
        assert core.advance(threads) > 0
    return list(core.layers), set(core.last_layer(ALL))


@given(large_twins(most=20000), st.integers(1, 200), st.booleans())
@thorough(25)
def test_kernels_agree(
    case: tuple[Twin, plain.Config, list[set[plain.Config]]], thin: int, portable: bool
) -> None:
    made, start, layers = case
    component = Component(made.configuration(start))
    place = component.index(component.start)
    expected = run_core(component, place, 1)
    assert tuple(expected[0]) == sizes(layers)
    for threads in (1, 2, 3):
        for option in ({"thin": thin}, {"thin": 1}, {"portable": portable, "thin": 1 << 20}):
            assert run_core(component, place, threads, **option) == expected


@pytest.mark.parametrize(
    "text", ["square R(3,3)", "theta(2,2,3)", "hex F(2) gourds 1", "hex P(3,3) gourds 1"]
)
def test_threads_agree_on_puzzles_of_many_words(text: str) -> None:
    puzzle = sl.puzzle(text)
    one, two, three = (puzzle.distances(threads=n) for n in (1, 2, 3))
    assert one.distribution == two.distribution == three.distribution
    assert set(one.hardest) == set(two.hardest) == set(three.hardest)


@pytest.mark.parametrize("rule", plain.RULES)
@given(data=st.data())
@thorough(8)
def test_places_and_configurations_are_inverse(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins((rule,), most=1500))
    start = start_of(data, made)
    reached = made.plain.component(start)
    component = Component(made.configuration(start))
    assert component.states == len(reached)
    places = {}
    for config in reached:
        place = component.index(made.configuration(config))
        assert place is not None
        places[place] = config
        assert made.config(component.configuration(place)) == config
    assert len(places) == len(reached)
    for config in made.plain.all_configurations():
        if config not in reached:
            assert component.index(made.configuration(config)) is None


@given(large_twins())
@thorough(15)
def test_places_of_larger_puzzles(case: tuple[Twin, plain.Config, list[set[plain.Config]]]) -> None:
    made, start, layers = case
    component = Component(made.configuration(start))
    places = set()
    for config in set().union(*layers):
        place = component.index(made.configuration(config))
        assert place is not None
        places.add(place)
        assert made.config(component.configuration(place)) == config
    assert len(places) == sum(map(len, layers)) == component.states


# God's number


def eccentricities(made: Twin) -> list[tuple[set[Hashable], dict[Hashable, int]]]:
    """For each connected set of shapes that can move, the eccentricity of each shape's configurations."""
    families: list[tuple[set[Hashable], dict[Hashable, int]]] = []
    for start in {made.plain.shape(c): c for c in made.plain.all_configurations()}.values():
        layers = made.plain.distance_layers(start)
        if len(layers) == 1:
            continue
        shapes = {made.plain.shape(c) for layer in layers for c in layer}
        own = next((depths for known, depths in families if known == shapes), None)
        if own is None:
            own = {}
            families.append((shapes, own))
        own[made.plain.shape(start)] = len(layers) - 1
    return families


@pytest.mark.parametrize("rule", plain.RULES)
@given(data=st.data())
@thorough(12)
def test_gods_numbers_are_those_of_plain_search(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins((rule,), most=1000))
    assume(next(made.plain.all_configurations(), None) is not None)
    families = eccentricities(made)
    found = made.puzzle.gods_number()
    assert found.exact
    assert found.number == found.at_most == int(found) == made.plain.gods_number()
    deepest = [depths for _, depths in families if max(depths.values()) == found.number]
    assert found.radius == min((min(depths.values()) for depths in deepest), default=0)
    # Every shape that can move is covered once.
    assert sum(s.orbit for s in found.searches) == sum(len(shapes) for shapes, _ in families)
    for search in found.searches:
        layers = made.plain.distance_layers(made.config(search.start))
        assert search.depth == len(layers) - 1
        assert search.distances.distribution == sizes(layers)
        assert len(search.distances.hardest) == 1
        assert made.config(search.distances.hardest[0]) in layers[-1]
    if found.hardest:
        one, other = map(made.config, found.hardest)
        layers = made.plain.distance_layers(one)
        assert len(layers) - 1 == found.number
        assert other in layers[-1]
        assert found.distribution == sizes(layers)
    else:
        assert (families, found.distribution) == ([], (1,))


def test_the_radius_is_the_least_of_all_components_with_that_diameter() -> None:
    """Two kinds of components are 6 across; the eccentricities begin with 4 in one, with 3 in the other."""
    made = twin("graph", [(0, 1), (1, 2), (0, 2), (3, 4), (1, 5)], "tiles", 2, 6)
    spans = sorted((min(d.values()), max(d.values())) for _, d in eccentricities(made))
    assert [span for span in spans if span[1] == 6] == [(3, 6), (4, 6)]
    found = made.puzzle.gods_number()
    assert (found.number, found.radius) == (6, 3)


@pytest.mark.parametrize("rule", plain.RULES)
@given(data=st.data())
@thorough(8)
def test_shapes_of_one_orbit_have_one_eccentricity(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins((rule,), most=1000))
    graph = gain_graph(made.puzzle)
    depth = {made.plain.shape(c): 0 for c in made.plain.all_configurations()}
    for _, depths in eccentricities(made):
        depth |= depths
    used, orbits = shape_orbits(graph)
    assert used >= 1
    assert sorted(shape for orbit in orbits for shape in orbit) == list(range(graph.shapes))
    assert len(depth) == graph.shapes
    for orbit in orbits:
        shapes = [
            made.plain.shape(made.config(Configuration(made.puzzle, tuple(graph.slots(shape)))))
            for shape in orbit
        ]
        assert len({depth[shape] for shape in shapes}) == 1


def test_orbits_do_their_work() -> None:
    """Without symmetries used there would be one orbit a shape, and the test above would say nothing."""
    made = twin("hex", plain.flower_cells(2), "hextiles", 3)
    used, orbits = shape_orbits(gain_graph(made.puzzle))
    assert (used, len(orbits)) == (12, 6)  # one of them can't move
    depths = sorted(s.depth for s in made.puzzle.gods_number().searches)
    assert len(depths) == 5
    assert (depths[0], depths[-1]) == (12, 13)


@given(large_twins(rules=("tiles", "hextiles", "gourds"), most=20000))
@thorough(25)
def test_counting_never_claims_too_much(
    case: tuple[Twin, plain.Config, list[set[plain.Config]]],
) -> None:
    made, start, layers = case
    bound = depth_lower_bound(Component(made.configuration(start)))
    assert bound is None or 0 < bound <= len(layers) - 1


# Coloured pieces


@given(painted_twins(), st.data())
@thorough(60)
def test_coloured_distances_are_those_of_plain_search(made: Twin, data: st.DataObject) -> None:
    start = start_of(data, made)
    edges = painted_neighbours(made)
    layers = layers_from(made.painted(start), edges.__getitem__)
    assert layers is not None
    found = made.puzzle.distances(made.configuration(start), hardest=ALL)
    assert found.distribution == sizes(layers)
    assert [made.painted(made.config(c)) for c in found.hardest if c.puzzle != made.puzzle] == []
    assert len(found.hardest) == len(layers[-1])
    assert {made.painted(made.config(c)) for c in found.hardest} == layers[-1]


@given(painted_twins(most=400))
@thorough(40)
def test_coloured_gods_numbers_are_those_of_plain_search(made: Twin) -> None:
    assume(next(made.plain.all_configurations(), None) is not None)
    edges = painted_neighbours(made)
    depth, home = {}, {}
    for start in edges:
        layers = layers_from(start, edges.__getitem__)
        assert layers is not None
        depth[start] = len(layers) - 1
        home[start] = frozenset().union(*layers)
    found = made.puzzle.gods_number()
    assert found.exact
    widest = {home[c] for c in depth if depth[c] == max(depth.values())}
    least = min(depth[c] for c in depth if home[c] in widest)
    assert (found.number, found.radius) == (max(depth.values()), least)
    # A component over one shape may be that of a shape from which nothing moves: those are not searched.
    moving = sorted(d for d in depth.values() if d)
    assert sorted(s.depth for s in found.searches if s.depth for _ in range(s.orbit)) == moving


@given(painted_twins(), st.data())
@thorough(40)
def test_coloured_solutions_are_shortest(made: Twin, data: st.DataObject) -> None:
    edges = painted_neighbours(made)
    start, goal = start_of(data, made), start_of(data, made)
    if data.draw(st.booleans()):
        goal = pick(data.draw, made.plain.component(start))
    layers = layers_from(made.painted(start), edges.__getitem__)
    assert layers is not None
    expected = next((d for d, layer in enumerate(layers) if made.painted(goal) in layer), None)
    check_pair(made, made.configuration(start), made.configuration(goal), expected)


@given(painted_twins(), st.data())
@thorough(15)
def test_coloured_places_and_configurations_are_inverse(made: Twin, data: st.DataObject) -> None:
    start = start_of(data, made)
    component = Component(made.configuration(start))
    reached = {made.painted(c): c for c in made.plain.component(start)}
    assert component.states == len(reached)
    places = set()
    for config in reached.values():
        here = made.configuration(config)
        place = component.index(here)
        assert place is not None
        places.add(place)
        assert component.configuration(place) == here
    assert len(places) == len(reached)


def test_a_shape_is_a_start_with_its_pieces_in_order() -> None:
    puzzle = sl.puzzle("square R(3,2)")
    start = puzzle.configuration("1 2 . 3 4 5")
    found = puzzle.distances(start.shape)
    assert found.start == start
    assert found == puzzle.distances(start)


def test_a_shape_of_a_coloured_puzzle_keeps_the_colours() -> None:
    puzzle = sl.puzzle("square R(3,2)", colours=list("aabbc"))
    found = puzzle.distances(puzzle.goal.shape)
    assert found.start == puzzle.goal
    assert found == puzzle.distances()


# Pairs


def check_pair(
    made: Twin, start: Configuration, goal: Configuration, expected: int | None, metric: Metric = "single"
) -> None:
    assert made.puzzle.distance(start, goal, metric=metric) == expected
    if expected is None:
        with pytest.raises(Unsolvable) as caught:
            made.puzzle.solve(start, goal, metric=metric)
        assert str(caught.value)
        return
    solution = made.puzzle.solve(start, goal, metric=metric)
    assert (solution.start, solution.goal) == (start, goal)
    assert start.play(*(move.text for move in solution.moves)) == goal
    assert solution.optimal
    if metric == "single":
        assert solution.length == len(solution) == expected
    else:
        assert solution.pushes == expected
        assert solution.length >= expected


@given(twins_with_pairs(most=2500))
@thorough(120)
def test_solutions_are_shortest(case: tuple[Twin, plain.Config, plain.Config, frozenset[object]]) -> None:
    made, start, goal, _ = case
    layers = made.plain.distance_layers(start)
    expected = next((d for d, layer in enumerate(layers) if goal in layer), None)
    check_pair(made, made.configuration(start), made.configuration(goal), expected)


@given(large_twins(), st.data())
@thorough(20)
def test_solutions_of_larger_puzzles_are_shortest(
    case: tuple[Twin, plain.Config, list[set[plain.Config]]], data: st.DataObject
) -> None:
    made, start, layers = case
    for _ in range(3):
        depth = data.draw(st.integers(0, len(layers) - 1))
        goal = pick(data.draw, layers[depth])
        check_pair(made, made.configuration(start), made.configuration(goal), depth)


# Straight pushes


@st.composite
def push_twins(draw: st.DrawFn) -> Twin:
    kind = draw(st.sampled_from(["square", "square", "hex", "king"]))
    holes = draw(st.integers(1, 4))
    most = {1: 7, 2: 7, 3: 8, 4: 8}[holes]
    return twin(kind, draw(cell_sets(kind, holes + 1, most)), "tiles", holes)


@given(push_twins(), st.data())
@thorough(60)
def test_straight_pushes_are_those_of_plain_search(made: Twin, data: st.DataObject) -> None:
    start = start_of(data, made)
    layers = layers_from(start, lambda c: pushes(made.plain, c))
    assert layers is not None
    found = made.puzzle.distances(made.configuration(start), metric="straight", hardest=ALL)
    assert found.metric == "straight"
    assert found.distribution == sizes(layers)
    assert {made.config(c) for c in found.hardest} == layers[-1]
    for _ in range(3):
        depth = data.draw(st.integers(0, len(layers) - 1))
        goal = pick(data.draw, layers[depth])
        check_pair(made, made.configuration(start), made.configuration(goal), depth, "straight")


@given(push_twins())
@thorough(15)
def test_gods_numbers_in_straight_pushes(made: Twin) -> None:
    everything = {made.plain.shape(c): c for c in made.plain.all_configurations()}
    assume(len(everything) <= 30)
    depths = []
    for start in everything.values():
        layers = layers_from(start, lambda c: pushes(made.plain, c))
        assert layers is not None
        depths.append(len(layers) - 1)
    assert made.puzzle.gods_number(metric="straight").number == max(depths)


@given(push_twins(), st.data())
@thorough(15)
def test_kernels_agree_on_pushes(made: Twin, data: st.DataObject) -> None:
    start = start_of(data, made)
    component = Component(made.configuration(start), "straight")
    place = component.index(component.start)
    expected = run_core(component, place, 1)
    for threads in (1, 2):
        for thin in (1, 3, 1 << 20):
            for portable in (False, True):
                assert run_core(component, place, threads, thin=thin, portable=portable) == expected


def test_a_search_may_begin_again_elsewhere() -> None:
    made = twin("square", plain.rectangle_cells(3, 2), "tiles", 1)
    component = Component(made.puzzle.goal)
    search = Search(component, Budget(threads=1))
    for config in list(made.plain.component(made.config(made.puzzle.goal)))[::40]:
        place = component.index(made.configuration(config))
        assert place is not None
        assert tuple(search.run(place)) == sizes(made.plain.distance_layers(config))
