"""The loop around the core: progress, plans, limits, and what an interrupted search leaves."""

from __future__ import annotations

import pytest

import slidelab as sl
from slidelab.budget import Budget
from slidelab.distance.component import Component
from slidelab.distance.search import Plan, Search


def test_progress_tells_layers_and_states() -> None:
    seen: list[tuple[str, int, int]] = []
    plans: list[Plan] = []
    puzzle = sl.puzzle("square R(2,6)")
    found = puzzle.distances(threads=1, progress=lambda *what: seen.append(what), plan=plans.append)
    assert found.states == 239_500_800
    layers = [what for what in seen if what[0].startswith("layer ")]
    assert layers
    assert all(0 < done <= total == found.states for _, done, total in layers)
    numbers = [int(phase.split()[1]) for phase, _, _ in layers]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(1, found.depth + 1))
    assert [plan.states for plan in plans] == [found.states]
    # What was announced is what one bit a state comes to, with a little for lists and tables.
    assert found.states / 8 < plans[0].memory < found.states / 6.8


def test_a_search_that_was_stopped_can_begin_again() -> None:
    component = Component(sl.puzzle("square R(2,5)").goal)

    class Enough(Exception):
        pass

    def stop(phase: str, done: int, total: int) -> None:
        if stopping and phase == "layer 20":
            raise Enough

    stopping = True
    search = Search(component, Budget(threads=2, progress=stop))
    place = component.known_index(component.start)
    with pytest.raises(Enough):
        search.run(place)
    stopping = False
    assert len(search.layers) == 20
    again = search.run(place)
    assert (sum(again), len(again) - 1) == (1_814_400, 55)
