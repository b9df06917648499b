"""Everything that reach computes, against plain search over all labelled configurations."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import plain
from reach.twins import Case, Twin, cell_sets, pick, twin, twins, twins_with_pairs
from slidelab.boards import Board
from slidelab.errors import NotationError
from slidelab.gains import count_shapes
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.families import count_components
from slidelab.reach.puzzle_graph import configurations

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def thorough(examples: int) -> settings:
    """So many examples; SLIDELAB_EXAMPLES=20 makes it twenty times as many, for a night's hunt."""
    factor = int(os.environ.get("SLIDELAB_EXAMPLES", "1"))
    return settings(max_examples=factor * examples, deadline=None, suppress_health_check=QUIET)


def assert_same_boards(a: Board, made: Twin) -> None:
    assert [set(around) for around in a.neighbours] == made.plain.adjacency


@pytest.mark.parametrize("rule", plain.RULES)
@given(data=st.data())
@thorough(25)
def test_families_are_those_of_plain_search(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins((rule,)))
    assert_same_boards(made.puzzle.board, made)
    expected = made.plain.summary()
    found = made.puzzle.analyze(connection=False)
    assert found.shapes == expected["shapes"]
    assert found.isolated == expected["isolated"]
    assert found.components == expected["components"]
    assert sorted((f.shapes, f.components, f.size) for f in found.families) == expected["families"]
    assert count_components(made.puzzle) == expected["components"]
    assert found.maximally_connected == (expected["components"] == 1)
    if rule == "tiles":
        assert found.disagreements == ()


@pytest.mark.parametrize("rule", plain.RULES)
@given(data=st.data())
@thorough(25)
def test_parity_and_stuck_pieces_are_those_of_plain_search(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins((rule,), most=1500))
    found = made.puzzle.analyze(connection=False)
    components = [component for component in made.plain.components() if len(component) > 1]
    weak = all(is_weakly_even(made, component) for component in components)
    assert found.weak_parity == weak
    assert found.strong_parity == (weak and len(components) == 2)
    if not found.families:
        assert found.stuck == ()
        return
    home = found.families[0].slots
    component = made.plain.component(made.config(Configuration(made.puzzle, home)))
    stuck = []
    for k, cells in enumerate(home):
        lies = {made.pieces(c)[k] for c in component if shape_at(made, c) == frozenset(home)}
        visited = {cell for c in component for cell in made.pieces(c)[k]}
        if lies == {cells} and len(visited) < made.puzzle.board.size:
            stuck.append(min(cells))
    assert found.stuck == tuple(sorted(stuck))


def shape_at(made: Twin, config: plain.Config) -> frozenset[tuple[int, ...]]:
    return frozenset(min(made.puzzle.rule.readings(cells)) for cells in made.pieces(config))


def is_weakly_even(made: Twin, component: set[plain.Config]) -> bool:
    """Return whether every closed walk over shapes permutes the pieces evenly."""
    first: dict[frozenset[tuple[int, ...]], bool] = {}
    for config in component:
        least = [min(made.puzzle.rule.readings(cells)) for cells in made.pieces(config)]
        odd = sum(a > b for i, b in enumerate(least) for a in least[:i]) % 2 == 1
        if first.setdefault(frozenset(least), odd) != odd:
            return False
    return True


@pytest.mark.parametrize("rule", plain.RULES)
@given(data=st.data())
@thorough(15)
def test_configurations_are_all_there(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins((rule,), most=800))
    expected = set(made.plain.all_configurations())
    found = [made.config(c) for c in configurations(made.puzzle)]
    assert len(found) == len(set(found))
    assert set(found) == expected
    if expected:
        assert made.config(made.puzzle.goal) in expected
    else:
        assert count_shapes(made.puzzle) == 0
        with pytest.raises(NotationError, match="no way to lay"):
            _ = made.puzzle.goal


@pytest.mark.parametrize("rule", plain.RULES)
@given(data=st.data())
@thorough(30)
def test_moves_are_those_of_plain_search(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins((rule,)))
    everything = list(made.plain.all_configurations())
    assume(everything)
    for _ in range(5):
        config = pick(data.draw, everything)
        here = made.configuration(config)
        moves = list(here.moves)
        reached = [made.config(here.play(move)) for move in moves]
        assert len(set(reached)) == len(reached) == len(here.moves)
        assert set(reached) == made.plain.neighbours(config)
        for move in moves:
            assert move in here.moves
            there = here.play(move)
            assert move.reversed in there.moves
            assert there.play(move.reversed) == here


@given(twins_with_pairs())
@thorough(150)
def test_verdicts_are_those_of_plain_search(case: Case) -> None:
    made, start, goal, reached = case
    verdict = made.puzzle.solvable(made.configuration(start), made.configuration(goal))
    assert verdict.solvable == bool(verdict) == (goal in reached)
    assert verdict.check()
    assert verdict.reason
    assert verdict.reason in str(verdict)


def test_a_board_without_room_has_no_shapes() -> None:
    puzzle = twin("graph", [], "gourds", 1, 3).puzzle
    found = puzzle.analyze()
    assert (found.shapes, found.components, found.families) == (0, 0, ())
    assert not found.maximally_connected
    with pytest.raises(NotationError, match="no way to lay 1 gourds"):
        puzzle.shuffle()
    with pytest.raises(NotationError, match="can lie"):
        puzzle.solvable([[0, 1]])


# Colours: merge the configurations that look alike, and search.


@st.composite
def painted_twins(draw: st.DrawFn) -> Twin:
    made = draw(twins(most=2000))
    rule = made.puzzle.rule
    letters = st.sampled_from(draw(st.sampled_from(["ab", "abc", "abcdefgh"])))
    ends = st.lists(letters, min_size=rule.turns, max_size=rule.turns).map(tuple)
    pieces = made.puzzle.piece_count
    colours = tuple(sorted(draw(st.lists(ends, min_size=pieces, max_size=pieces))))
    return Twin(Puzzle(made.puzzle.board, rule, made.puzzle.hole_count, colours), made.plain)


def painted_components(made: Twin) -> dict[Hashable, int]:
    """The number of the component of every coloured configuration."""
    edges: dict[Hashable, set[Hashable]] = {}
    for config in made.plain.all_configurations():
        edges.setdefault(made.painted(config), set()).update(map(made.painted, made.plain.neighbours(config)))
    number: dict[Hashable, int] = {}
    for start in edges:
        if start in number:
            continue
        number[start] = len(number)
        queue = [start]
        for here in queue:
            for there in edges[here]:
                if there not in number:
                    number[there] = number[start]
                    queue.append(there)
    return number


@given(painted_twins())
@thorough(80)
def test_coloured_components_are_those_of_plain_search(made: Twin) -> None:
    sizes = Counter(Counter(painted_components(made).values()).values())
    del sizes[1]  # configurations in which nothing can move
    found = made.puzzle.analyze(connection=False)
    assert found.components == sum(sizes.values())
    counted: Counter[int] = Counter()
    for family in found.families:
        assert family.colours is not None
        assert family.components == family.colours.count == sum(many for _, many in family.colours.sizes)
        assert family.size == max(size for size, _ in family.colours.sizes)
        counted.update(dict(family.colours.sizes))
    assert counted == sizes
    assert found.theorems == ()


RINGS = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 4), (4, 5), (5, 6), (0, 6)]
DIAMONDS = [*RINGS, (1, 3), (4, 6)]
BOOKS = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4), (4, 5), (5, 6), (4, 6)]


@pytest.mark.parametrize("edges", [RINGS, DIAMONDS, BOOKS], ids=["rings", "diamonds", "books"])
@pytest.mark.parametrize(
    ("colours", "holes"), [("aabbcd", 1), ("abcabc", 1), ("abcdef", 1), ("aaabc", 2), ("abcde", 2)]
)
def test_coloured_components_of_several_orbits(
    edges: list[tuple[int, int]], colours: str, holes: int
) -> None:
    """Boards of two blocks, on which colours can be used up by one of them."""
    plain_twin = twin("graph", edges, "tiles", holes, 7)
    labels = tuple((letter,) for letter in sorted(colours))
    made = Twin(Puzzle(plain_twin.puzzle.board, plain_twin.puzzle.rule, holes, labels), plain_twin.plain)
    component = painted_components(made)
    sizes = Counter(Counter(component.values()).values())
    (family,) = made.puzzle.analyze(connection=False).families
    assert family.colours is not None
    assert dict(family.colours.sizes) == sizes
    assert family.components == sizes.total()
    everything = list(made.plain.all_configurations())
    for number in range(0, len(everything), len(everything) // 6):
        start, goal = everything[0], everything[number]
        verdict = made.puzzle.solvable(made.configuration(start), made.configuration(goal))
        assert verdict.solvable == (component[made.painted(start)] == component[made.painted(goal)])
        assert verdict.check()


@given(painted_twins(), st.data())
@thorough(120)
def test_coloured_verdicts_are_those_of_plain_search(made: Twin, data: st.DataObject) -> None:
    everything = list(made.plain.all_configurations())
    assume(everything)
    component = painted_components(made)
    for _ in range(3):
        start, goal = pick(data.draw, everything), pick(data.draw, everything)
        if data.draw(st.booleans()):
            shape = made.plain.shape(start)
            goal = pick(data.draw, (c for c in everything if made.plain.shape(c) == shape))
        first, last = made.configuration(start), made.configuration(goal)
        assert (first == last) == (made.painted(start) == made.painted(goal))
        verdict = made.puzzle.solvable(first, last)
        assert verdict.solvable == (component[made.painted(start)] == component[made.painted(goal)])
        assert verdict.check()


@given(painted_twins(), st.data())
@thorough(40)
def test_coloured_configurations_look_as_they_are(made: Twin, data: st.DataObject) -> None:
    """The names that equal pieces get in a `Configuration` do not change what is seen."""
    everything = list(made.plain.all_configurations())
    assume(everything)
    config = pick(data.draw, everything)
    here = made.configuration(config)
    assert made.painted(made.config(here)) == made.painted(config)
    moved = {made.painted(made.config(here.play(move))) for move in here.moves}
    assert moved == {made.painted(other) for other in made.plain.neighbours(config)}


@given(cell_sets("hex", 4, 7))
@thorough(20)
def test_the_puzzle_graph_is_that_of_plain_search(cells: frozenset[tuple[int, int]]) -> None:
    made = twin("hex", cells, "hextiles", len(cells) - 2)
    graph = made.puzzle.graph()
    expected = {}
    for config in made.plain.all_configurations():
        expected[made.configuration(config).text] = {
            made.configuration(other).text for other in made.plain.neighbours(config)
        }
    assert {node: set(graph[node]) for node in graph} == expected
    for a, b, move in graph.edges(data="move"):
        here, there = made.puzzle.configuration(a), made.puzzle.configuration(b)
        assert here.play(move) == there if move in {m.text for m in here.moves} else there.play(move) == here


def test_unplayed_moves_leave_the_configuration_alone() -> None:
    made = twin("square", [(x, y) for x in range(3) for y in range(2)], "tiles", 1)
    start = made.puzzle.goal
    assert isinstance(start, Configuration)
    before = start.text
    list(start.moves)
    start.play(next(iter(start.moves)))
    assert start.text == before
