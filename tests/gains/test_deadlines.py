"""What precedes a search looks at the clock as often as its work demands, and keeps what is in hand."""

from __future__ import annotations

import pytest

import slidelab as sl
from slidelab.budget import Budget
from slidelab.distance.bounds import TooManyStates
from slidelab.distance.component import Component
from slidelab.distance.distances import make_search
from slidelab.errors import OutOfTime
from slidelab.gains import GainGraph, count_shapes, shape_count, steps
from slidelab.gains.steps import Steps
from slidelab.reach import analysis, coloured_components


class Looks:
    """A progress callback that counts its calls."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, phase: str, done: int, total: int) -> None:
        self.count += 1


def test_shapes_are_counted_under_the_eye_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    # One cell of a complete graph has hundreds of options in each of thousands of states.
    monkeypatch.setattr(shape_count, "OPTIONS_PER_CHECK", 100)
    looks, work = Looks(), 20_000
    assert count_shapes(sl.puzzle("complete(40) gourds"), work, budget=Budget(progress=looks)) is None
    assert looks.count > work / 150


def test_steps_are_listed_under_the_eye_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "STEPS_PER_CHECK", 10)
    looks = Looks()
    listed = Steps(sl.puzzle("complete(20)"), Budget(progress=looks))
    assert looks.count >= len(listed.rows) / 10


def test_no_graph_is_built_after_the_deadline() -> None:
    for text in ("complete(30) gourds", "complete(50)"):
        with pytest.raises(OutOfTime):
            GainGraph(sl.puzzle(text), Budget.of(time=0))


def test_the_analysis_survives_a_connection_number_that_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_late(*arguments: object) -> int:
        raise OutOfTime

    puzzle = sl.puzzle("hex P(4,4)")
    expected = puzzle.analyze()
    monkeypatch.setattr(analysis, "count_components", too_late)
    found = puzzle.analyze()
    assert found.components == expected.components == 364
    assert (found.connection_number, found.connection_source) == (3, "theorem")  # Theorem 1.7
    unknown = sl.puzzle("square R(2,3) gourds 2").analyze()
    assert (unknown.connection_number, unknown.connection_source) == (None, "unknown")


def test_a_component_too_large_to_search_reads_no_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_edges(*arguments: object) -> None:
        raise AssertionError("the edges were read")

    monkeypatch.setattr(GainGraph, "read_edges", read_edges)
    budget = Budget.of(memory="1M")
    component = Component(sl.puzzle("square R(5,5) tiles 4").goal, budget=budget)
    with pytest.raises(TooManyStates):
        make_search(component, budget)


def test_edges_of_one_family_are_those_that_touch_its_shapes() -> None:
    component = Component(sl.puzzle("hex P(3,3)").goal)
    members = set(component.family.members.tolist())
    rows = component.graph.edge_rows.tolist()
    assert component.edge_numbers.tolist() == [k for k, row in enumerate(rows) if row[0] in members]
    assert component.edges.tolist() == [row for row in rows if row[0] in members]


def test_counting_shapes_keeps_to_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = sl.puzzle("square R(6,6) gourds 4")
    count = count_shapes(puzzle)
    assert count is not None
    monkeypatch.setattr(shape_count, "MAX_FRONTIER_STATES", 100)
    assert count_shapes(puzzle, budget=Budget(memory=10**9)) is None
    monkeypatch.setattr(shape_count, "MAX_FRONTIER_STATES", 10**7)
    assert count_shapes(puzzle, budget=Budget(memory=10**9)) == count


def test_more_placements_than_a_gain_graph_has_are_not_listed() -> None:
    assert count_shapes(sl.puzzle("complete(80) trimers 2")) is None


def test_whether_anything_moves_is_known_without_listing_all_moves() -> None:
    assert sl.puzzle("complete(300) hextiles 5").goal.moves
    assert not sl.position("hex P(3,3) : . 1 2 3 4 5 6 7 .").moves


def test_colours_are_distributed_under_the_eye_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coloured_components, "WORDS_PER_CHECK", 1)
    for text, least in (
        ("graph 0-1 0-2 0-3 4 5 6 7 8 9 : a a a b b b b c c .", 300),
        ("cycle(8) : a a b b b c c .", 200),
    ):
        looks = Looks()
        puzzle = sl.puzzle(text)
        coloured_components.coloured_components(puzzle, puzzle.group(), 1, Budget(progress=looks))
        assert looks.count > least
