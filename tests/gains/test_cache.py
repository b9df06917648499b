"""Graphs, families and groups are computed once and kept within limits."""

from __future__ import annotations

import gc
import weakref

import pytest

import slidelab as sl
from slidelab.budget import Budget
from slidelab.gains import GainGraph, gain_graph, graph
from slidelab.reach.loop_groups import family_group


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "_CACHE", graph._Cache())


def test_families_and_groups_are_computed_once() -> None:
    found = gain_graph("square R(3,3)")
    assert gain_graph("square R(3,3)") is found
    family = found.family(4)
    assert found.family(4) is family
    assert found.family(5) is not family
    assert family_group(family) is family_group(found.family(4))


def test_only_the_last_graphs_are_kept() -> None:
    texts = ["square R(2,2)", "square R(3,2)", "square R(3,3)"]
    first = gain_graph(texts[0])
    family = first.family(0)
    for text in texts[1:]:
        gain_graph(text).family(0)
    assert gain_graph(texts[0]) is not first
    assert first.family(0) is not family  # it is no longer the graph that is kept


def test_few_families_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = gain_graph("square R(4,4)")
    families = [found.family(shape) for shape in range(16)]
    assert found.family(15) is families[15]
    assert found.family(0) is not families[0]
    monkeypatch.setattr(graph, "MAX_CACHED_FAMILY_BYTES", families[0].nbytes)
    latest = found.family(1)
    assert found.family(1) is latest
    assert found.family(15) is not families[15]


def test_nothing_stays_in_memory_after_its_last_use() -> None:
    gc.disable()
    try:
        found = GainGraph(sl.puzzle("square R(3,3)"))
        family = found.family(0)
        group = weakref.ref(family_group(family))
        seen = weakref.ref(found)
        assert group() is not None
        del found, family
        assert seen() is None
        assert group() is None
    finally:
        gc.enable()


def test_a_group_can_be_named_after_the_deadline() -> None:
    puzzle = sl.puzzle("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3")
    budget = Budget.of(time=60)
    shape, _ = gain_graph(puzzle, budget).place(puzzle.goal)
    group = family_group(gain_graph(puzzle, budget).family(shape, budget), budget)
    assert group._budget.deadline is None
    assert group.name == "C(2) x C(2)"
