"""Searches of one shape of each class under the symmetries of a start, against searches of all shapes."""

from __future__ import annotations

from collections import deque
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from slidelab.budget import Budget
from slidelab.distance import symmetric
from slidelab.distance.component import Component
from slidelab.distance.distances import distances, make_search
from slidelab.distance.gods_number import gods_number
from slidelab.distance.metric import Metric
from slidelab.distance.search import Search
from slidelab.distance.start_symmetry import StartSymmetries, keep_shapes, start_symmetries
from slidelab.distance.starts import in_order, shape_orbits
from slidelab.distance.symmetric import SymmetricSearch, symmetric_search
from slidelab.errors import NotationError, OutOfTime, TooLarge
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration

SMALL = ["king R(2,3)", "theta(1,1,2)", "theta(1,1,3)", "theta(0,1,3)"]
CASES = [
    *SMALL,
    "square R(3,3)",
    "square R(3,3) tiles 2",
    "king R(3,3)",
    "king R(3,3) tiles 2",
    "hex P(3,4) gourds",
]
VARIANTS: list[dict[str, Any]] = [
    {},
    {"two_planes": True},
    {"thin": 1},
    {"thin": 10**9},
    {"thin": 10**9, "two_planes": True, "portable": True},
    {"thin": 5, "portable": True},
]


def symmetric_starts(text: str) -> list[tuple[Component, Configuration, StartSymmetries]]:
    """A start of every orbit of shapes that has symmetries, each as the base of its component."""
    puzzle = sl.puzzle(text)
    graph = gain_graph(puzzle)
    out = []
    for orbit in shape_orbits(graph)[1]:
        start = in_order(puzzle, frozenset(graph.slots(orbit[0])))
        component = Component(start)
        if len(start.moves) and (found := start_symmetries(component, start)):
            out.append((component, start, found))
    return out


def plain_layers(start: Configuration) -> list[int]:
    """Sizes of layers by moving tiles one by one into neighbouring cells."""
    board = start.puzzle.board
    touching = [set(board.neighbours[cell]) for cell in range(board.size)]
    first = tuple(cell for (cell,) in start.pieces)
    distance, queue = {first: 0}, deque([first])
    while queue:
        here = queue.popleft()
        for k, cell in enumerate(here):
            for to in touching[cell] - set(here):
                there = (*here[:k], to, *here[k + 1 :])
                if there not in distance:
                    distance[there] = distance[here] + 1
                    queue.append(there)
    found = list(distance.values())
    return [found.count(d) for d in range(max(found) + 1)]


@pytest.mark.parametrize("text", SMALL)
def test_layers_are_those_of_plain_search(text: str) -> None:
    starts = symmetric_starts(text)
    assert starts
    for component, start, found in starts:
        search = SymmetricSearch(component, found)
        assert search.run(component.known_index(start)) == plain_layers(start)


@pytest.mark.parametrize("text", CASES)
def test_layers_and_farthest_are_those_of_a_search_of_all_shapes(text: str) -> None:
    starts = symmetric_starts(text)
    assert starts
    for number, (component, start, found) in enumerate(starts):
        whole = Search(component)
        place = component.known_index(start)
        layers = whole.run(place)
        farthest = whole.farthest(10**6)
        kept = keep_shapes(found)
        for variant in VARIANTS if number == 0 else VARIANTS[:2]:
            search = SymmetricSearch(
                component, found, Budget(threads=1 + number % 2), kept=kept, limit=10**6, **variant
            )
            assert search.run(place) == layers
            assert search.farthest(10**6) == farthest
            some = search.farthest(3)
            assert len(some) == len(set(some)) == min(3, len(farthest))
            assert set(some) <= set(farthest)


@pytest.mark.parametrize("text", CASES)
def test_shapes_that_are_kept_stand_for_all(text: str) -> None:
    for component, _, found in symmetric_starts(text):
        kept = keep_shapes(found)
        shapes = range(component.family.shapes)
        orbits = [{int(image[s]) for image in found.images} for s in kept.shapes]
        assert sorted(s for orbit in orbits for s in orbit) == list(shapes)
        assert kept.weights == [len(orbit) for orbit in orbits]
        # Symmetries take edges to edges, with their slots.
        turns = component.puzzle.rule.turns
        edges = [tuple(row[:4]) for row in component.edges.tolist()]
        ends = component.edge_ends.tolist()
        known = {(a, b, i, j) for (a, b), (_, _, i, j) in zip(ends, edges, strict=True)}
        known |= {(b, a, j, i) for a, b, i, j in known}
        for k, s in product(range(len(found)), shapes):
            points = found.points(k, s).tolist()
            assert sorted(points) == list(range(component.graph.degree))
            for a, b, i, j in [edge for edge in known if edge[0] == s]:
                to = found.points(k, b).tolist()
                image = (int(found.images[k][a]), int(found.images[k][b]))
                assert (*image, points[i * turns] // turns, to[j * turns] // turns) in known


def test_the_start_comes_back_to_itself() -> None:
    for component, start, found in symmetric_starts("hex P(3,4) gourds"):
        place = component.known_index(start)
        assert found.orbit([place]) == [place]


def test_puzzles_without_such_symmetries() -> None:
    def none(text: str, *, colours: str = "", pieces: str = "", metric: Metric = "single") -> bool:
        puzzle = sl.puzzle(text, colours=list(colours) or None)
        start = sl.position(f"{text} : {pieces}") if pieces else puzzle.goal
        component = Component(start, metric)
        return start_symmetries(component, start) is None

    assert not none("square R(3,3)")
    assert not none("square R(3,3)", pieces="1 2 3 4 5 6 7 . 8")
    assert none("square R(2,3)")  # no symmetry keeps the corner
    assert none("square R(3,3)", metric="straight")
    assert none("square R(3,3)", colours="aabbccdd")
    assert none("theta(1,2,2)")  # its group of order 120 is listed


def test_distances_and_gods_number_use_it_where_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[int] = []
    run = SymmetricSearch.run

    def counted(self: SymmetricSearch, *arguments: object) -> list[int]:
        used.append(len(self.symmetries))
        return run(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(SymmetricSearch, "run", counted)
    puzzle = sl.puzzle("king R(3,3)")
    assert distances(puzzle).states == 362_880
    assert not used  # too small to be worth the preparation
    monkeypatch.setattr(symmetric, "MIN_STATES", 0)
    monkeypatch.setattr(symmetric, "RENAMING_COST", 0.0)
    found, expected = distances(puzzle), distances(puzzle, use_symmetry=False)
    assert found == expected
    assert used == [2]
    used.clear()
    number, same = gods_number(puzzle), gods_number(puzzle, use_symmetry=False)
    assert [(s.orbit, s.start, s.distances.distribution) for s in number.searches] == [
        (s.orbit, s.start, s.distances.distribution) for s in same.searches
    ]
    assert sorted(used) == [2, 2, 8]
    assert number.hardest is not None
    a, b = number.hardest
    assert distances(puzzle, a, use_symmetry=False).distribution == number.distribution
    assert b in distances(puzzle, a, hardest=10**6, use_symmetry=False).hardest
    monkeypatch.setattr(symmetric, "RENAMING_COST", 10.0**6)
    used.clear()
    assert distances(puzzle) == expected
    assert not used


def test_what_fits_only_by_symmetry_is_searched() -> None:
    puzzle = sl.puzzle("square R(3,4)")
    budget = Budget(memory=29_000_000, threads=1)
    with pytest.raises(TooLarge, match="needs 37 MB"):
        distances(puzzle, frozenset((c,) for c in range(12) if c != 4), use_symmetry=False, budget=budget)
    component = Component(in_order(puzzle, frozenset((c,) for c in range(12) if c != 4)), budget=budget)
    search = symmetric_search(component, budget, component.start)
    assert search is not None
    assert search.needed_bytes < 24_000_000
    assert search.plan(1).memory == search.needed_bytes
    layers = search.run(component.known_index(component.start))
    assert sum(layers) == 239_500_800


def test_it_stops_in_time_and_begins_again(tmp_path: Path) -> None:
    component, start, found = symmetric_starts("king R(3,3)")[0]
    stopped = Budget(progress=lambda phase, done, total: 1 / 0 if phase == "layer 9" else None)
    search = SymmetricSearch(component, found, stopped)
    place = component.known_index(start)
    with pytest.raises(ZeroDivisionError):
        search.run(place)
    search.budget = Budget()
    assert search.run(place) == Search(component).run(place)
    with pytest.raises(OutOfTime):
        SymmetricSearch(component, found, Budget(deadline=0.0)).run(place)
    with pytest.raises(NotationError, match="without a folder"):
        search.open_folder(tmp_path, {})
    assert not isinstance(make_search(component, Budget(), folders=[tmp_path]), SymmetricSearch)
