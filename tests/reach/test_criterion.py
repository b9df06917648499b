"""The conditions of the conjecture on boards with holes, against their definitions; and its uses."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import slidelab as sl
from slidelab.boards import Board, board, flower, from_edges, hex_board, is_two_connected
from slidelab.budget import Budget
from slidelab.errors import NotationError, OutOfTime, TooLarge
from slidelab.reach.analysis import analyze
from slidelab.reach.criterion import GourdConditions, check_conditions, conjecture, gourd_conditions
from slidelab.reach.criterion.empty_cells import empty_cells
from slidelab.reach.criterion.free_rings import rings_through_edges
from slidelab.reach.criterion.ring_search import find_ring
from slidelab.reach.theorems import deciding_theorem, gourds_theorem

ATLAS = Path(__file__).parents[2] / "docs" / "atlas"

BEAUTIFUL = "hex 0,0 1,0 2,0 -1,1 2,1 -2,2 -1,2 0,2 1,2 2,2 -2,3 1,3 -2,4 -1,4 0,4"
ONLY_EVEN = "hex 0,0 1,0 -1,1 1,1 2,1 -1,2 0,2 2,2 -1,3 0,3 1,3"
NO_PIVOT = "hex 0,0 1,0 -1,1 1,1 2,1 3,1 -1,2 0,2 3,2 0,3 2,3 0,4 1,4"
STUCK = "hex 0,0 -2,1 -1,1 0,1 1,1 -3,2 -1,2 0,2 -3,3 -2,3 -1,3 0,3 -2,4"


# Plain definitions, written anew


def matchable(graph: nx.Graph[int], without: Iterable[int]) -> bool:
    rest = graph.copy()
    rest.remove_nodes_from(list(without))
    return 2 * len(nx.max_weight_matching(rest, maxcardinality=True)) == len(rest)


def plain_conditions(b: Board) -> dict[str, Any]:
    graph = b.to_networkx()
    rings = [ring for ring in nx.simple_cycles(graph) if len(ring) % 2]
    return {
        "never": tuple(cell for cell in graph if not matchable(graph, [cell])),
        "pivots": any(len(ring) == 3 and matchable(graph, ring) for ring in rings),
        "necklace": any(len(ring) == b.size and keeps_order(b, ring) for ring in rings),
        "even ring": any(len(ring) % 4 == 1 and matchable(graph, ring) for ring in rings),
        "odd ring": any(len(ring) % 4 == 3 and matchable(graph, ring) for ring in rings),
    }


def keeps_order(b: Board, cycle: list[int]) -> bool:
    """Return whether cells touch over one or two steps only, never three times two in a row."""
    size = b.size
    place = {cell: k for k, cell in enumerate(cycle)}
    steps = {frozenset((place[x], place[y])) for x, y in b.edges}
    near = {frozenset((k, (k + d) % size)) for k in range(size) for d in (1, 2)}
    rows = [[frozenset(((k + i) % size, (k + i + 2) % size)) for i in range(3)] for k in range(size)]
    return steps <= near and not any(steps.issuperset(row) for row in rows)


def random_graph(rng: random.Random, cells: int) -> Board:
    """Return a random 2-connected graph: a cycle with ears and chords."""
    graph: nx.Graph[int] = nx.cycle_graph(rng.choice([3, 4, 5, 6, 7]))
    while len(graph) < cells:
        a, b = rng.sample(sorted(graph), 2)
        new = rng.randint(1, min(5, cells - len(graph)))
        nx.add_path(graph, [a, *range(len(graph), len(graph) + new), b])
    for _ in range(rng.randint(0, 3)):
        graph.add_edge(*rng.sample(range(cells), 2))
    names = rng.sample(range(cells), cells)
    return from_edges([(names[a], names[b]) for a, b in graph.edges])


def assert_right(b: Board, found: GourdConditions) -> tuple[int, ...]:
    plain = plain_conditions(b)
    assert found.never_empty == plain["never"], b.name
    assert (found.triangle is not None) == plain["pivots"], b.name
    assert (found.necklace is not None) == plain["necklace"], b.name
    if not set(found.failing) & {1, 2, 3}:
        assert found.even_ring_certain
        assert (found.even_ring is not None) == plain["even ring"], b.name
    for remainder, name in ((1, "even ring"), (3, "odd ring")):
        assert (find_ring(b, remainder=remainder) is not None) == plain[name], b.name
    assert check_conditions(b, found.to_json()) is None
    return found.failing


def test_conditions_of_random_graphs_against_their_definitions() -> None:
    rng = random.Random(1)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(80):
        b = random_graph(rng, rng.choice([7, 9, 11, 13, 15, 17]))
        seen[assert_right(b, gourd_conditions(b))] += 1
    assert {(), (1,), (2,), (1, 2), (4,)} <= set(seen)


@pytest.mark.parametrize("cells", [7, 9, 11, 13])
def test_conditions_of_boards_in_the_atlas(cells: int) -> None:
    lines = (ATLAS / f"gourds-{cells}.jsonl").read_text().splitlines()[1:-1]
    for line in random.Random(2).sample(lines, min(len(lines), 60)):
        stored = json.loads(line)
        b, features = board(stored["board"]), stored["features"]
        found = gourd_conditions(b)
        assert len(found.never_empty) == features["never_empty"]
        assert (found.triangle is not None) == features["pivots"]
        assert (found.necklace is not None) == features["necklace"]
        assert (find_ring(b) is not None) == (features["even_ring"] is not None)
        assert check_conditions(b, found.to_json()) is None
        assert (not found.failing) == stored["solvable"]


def test_rings_through_edges_are_free() -> None:
    rng = random.Random(3)
    lengths: Counter[int] = Counter()
    for _ in range(60):
        b = random_graph(rng, 13)
        empty = empty_cells(b)
        if not empty.never:
            graph = b.to_networkx()
            for ring in rings_through_edges(b, empty):
                assert all(b.adjacent(x, y) for x, y in zip(ring, ring[1:] + ring[:1], strict=True))
                assert len(ring) % 2 == len(set(ring)) % 2 == 1
                assert matchable(graph, ring)
                lengths[len(ring) % 4] += 1
    assert min(lengths[1], lengths[3]) > 50


# Condition 4 in general


def digraph_board(arcs: list[tuple[int, int]]) -> Board:
    """Return the graph of `docs/atlas-gourds.md`: each vertex x is an edge, 0 is in a triangle as well."""
    count = max(max(arc) for arc in arcs) + 1
    edges = [(2 * x, 2 * x + 1) for x in range(count)] + [(2 * x + 1, 2 * y) for x, y in arcs]
    return from_edges([*edges, (0, 2 * count), (1, 2 * count)])


def test_condition_four_tests_for_even_directed_cycles() -> None:
    rng = random.Random(4)
    seen: Counter[bool] = Counter()
    while min(seen[True], seen[False]) < 8:
        count = rng.randint(3, 5)
        arcs = [arc for pair in combinations(range(count), 2) for arc in (pair, pair[::-1])]
        digraph = nx.DiGraph(rng.sample(arcs, min(len(arcs), rng.randint(count, 2 * count))))
        if len(digraph) == count and nx.is_strongly_connected(digraph):
            even = any(len(cycle) % 2 == 0 for cycle in nx.simple_cycles(digraph))
            b = digraph_board(list(digraph.edges))
            assert is_two_connected(b)
            assert not empty_cells(b).never
            assert (find_ring(b) is not None) == even, b.name
            seen[even] += 1


# Certificates


def damaged(claimed: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield claims that are false, or whose certificates do not prove them."""
    ears = claimed["ears"]
    if ears:
        yield {**claimed, "ears": ears[:-1]}
        yield {**claimed, "ears": [*ears[:-1], ears[-1][:-1]]}
        yield {**claimed, "ears": [[*ears[0][:-1], ears[0][1]], *ears[1:]]}
        yield {**claimed, "never_empty": [0], "barrier": [0]}
    else:
        yield {**claimed, "never_empty": []}
        yield {**claimed, "barrier": claimed["barrier"][1:]}
        yield {**claimed, "never_empty": list(range(claimed["cells"]))}
    for name in ("free_triangle", "even_ring"):
        if claimed[name] is not None:
            ring, filling = claimed[name]["ring"], claimed[name]["filling"]
            yield {**claimed, name: {"ring": ring[:-1], "filling": filling}}
            yield {**claimed, name: {"ring": [ring[1], *ring[1:]], "filling": filling}}
            if filling:
                yield {**claimed, name: {"ring": ring, "filling": filling[1:]}}
                crossed = [[filling[0][0], filling[-1][1]], *filling[1:-1], [filling[-1][0], filling[0][1]]]
                yield {**claimed, name: {"ring": ring, "filling": crossed}}
    order = claimed["necklace"] or list(range(claimed["cells"]))
    yield {**claimed, "necklace": [order[2], order[1], order[0], *order[3:]]}
    yield {**claimed, "necklace": order[:-1]}
    yield {**claimed, "cells": claimed["cells"] + 2}
    yield {**claimed, "ears": 3, "barrier": None}
    yield {}


@pytest.mark.parametrize("text", [BEAUTIFUL, ONLY_EVEN, NO_PIVOT, STUCK, "hex star", "hex F(3)", "cycle(9)"])
def test_damaged_certificates_are_refused(text: str) -> None:
    b = board(text)
    claimed = gourd_conditions(b).to_json()
    assert check_conditions(b, claimed) is None
    for wrong in damaged(claimed):
        assert check_conditions(b, wrong) is not None, wrong


def test_boards_that_the_conjecture_is_not_about() -> None:
    for text in ("hex P(3,4)", "hex T(2)", "hex P(7,1)"):
        with pytest.raises(NotationError, match="2-connected"):
            gourd_conditions(board(text))
    for text in ("hex F(3) gourds", "hex star gourds", "cycle(9) gourds", "hex P(3,4) hextiles 2"):
        assert conjecture(sl.puzzle(text)) is None
    with pytest.raises(OutOfTime):
        gourd_conditions(board("hex F(20)"), budget=Budget.of(time=0))


# Large boards


def net(rings: int, side: int) -> Board:
    """Return straight rows of cells that cross: `rings` times `rings` rings, with an odd number of cells."""
    length = rings * side
    cells = {(q, r) for q in range(length + 1) for r in range(length + 1) if q % side == 0 or r % side == 0}
    return hex_board(cells if len(cells) % 2 else cells - {(0, 0)})


def pierced(radius: int, seed: int) -> Board:
    """Return a large flower without every tenth cell, none of which touch each other."""
    rng = random.Random(seed)
    cells = set(flower(radius).cells)
    around = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    for q, r in rng.sample(sorted(cells), len(cells) // 5):
        two_steps = {(q + a + c, r + b + d) for a, b in around for c, d in around}
        if two_steps <= cells:
            cells.remove((q, r))
    return hex_board(cells if len(cells) % 2 else cells - {(0, 1 - radius)})


@pytest.mark.parametrize("on", [pierced(40, 1), net(14, 13)], ids=["pierced", "net"])
def test_boards_of_thousands_of_cells(on: Board) -> None:
    assert on.size > 3_000
    found = gourd_conditions(on)
    assert found.failing == ()
    assert found.even_ring is not None
    assert check_conditions(on, found.to_json()) is None


def long_necklace(links: int) -> Board:
    """Return a ring of triangles and one edge."""
    size = 2 * links + 1
    ring = [(cell, (cell + 1) % size) for cell in range(size)]
    return from_edges(ring + [(cell, cell + 2) for cell in range(0, size - 1, 2)])


def test_a_necklace_of_thousands_of_cells() -> None:
    found = gourd_conditions(long_necklace(1000))
    assert found.necklace is not None
    assert not set(found.failing) - {3}


def test_an_undecided_condition_is_no_failing_one() -> None:
    found = gourd_conditions(board(ONLY_EVEN), max_states=10)
    assert (found.failing, found.even_ring, found.even_ring_certain) == ((), None, False)
    assert gourd_conditions(board(ONLY_EVEN)).failing == (4,)
    with pytest.raises(TooLarge, match="more than 10 states"):
        find_ring(board(ONLY_EVEN), max_states=10)


# Analyses


def test_small_analyses_compare_the_conjecture_with_the_computation() -> None:
    for text, group, components in (
        (BEAUTIFUL, "C2 wr Sym(7)", 1),
        (ONLY_EVEN, "C2 wr Alt(5)", 2),
        (NO_PIVOT, None, None),
        (STUCK, None, None),
    ):
        found = sl.puzzle(text, "gourds").analyze(connection=False)
        assert found.conjecture is not None
        assert (found.conjecture.group, found.conjecture.components) == (group, components)
        assert found.conjecture.agrees
        assert found.to_json()["conjecture"]["status"] == "conjecture"
        assert "conjecture, not proved" in str(found)
    assert sl.puzzle("hex F(2)", "gourds").analyze().to_json()["conjecture"] is None


def test_beyond_the_limit_only_the_conjecture_answers_and_proves_nothing() -> None:
    puzzle = sl.puzzle(net(6, 16), "gourds", 1)
    found = analyze(puzzle, connection=False)
    assert found.conjecture is not None
    assert found.conjecture.maximally_connected
    assert found.conjecture.agrees is None
    assert (found.components, found.maximally_connected, found.weak_parity) == (None, None, None)
    assert found.theorems == ()
    assert found.to_json()["by_theorem_alone"] is False
    assert "no theorem answers" in str(found)
    assert "every configuration can be reached" in str(found)
    assert gourds_theorem(puzzle) is None
    start = puzzle.goal
    other = start.play(next(iter(start.moves)))
    assert deciding_theorem(start, other) is None
    with pytest.raises(TooLarge, match="not known, but conjectured"):
        puzzle.solvable(start, other)


def test_beyond_the_limit_the_thesis_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slidelab.reach.theorems.CYCLE_SECONDS", 600.0)
    found = sl.puzzle(pierced(8, 1), "gourds", 1).analyze(connection=False)
    assert "7.2" in found.theorems[0].name
    assert found.maximally_connected
    assert found.to_json()["by_theorem_alone"] is True
    assert found.conjecture is not None
    assert found.conjecture.components == 1


def test_a_swapping_station_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the boards in the atlas, those that section 7.2 of the thesis decides are solvable."""
    monkeypatch.setattr("slidelab.reach.theorems.CYCLE_SECONDS", 600.0)
    names: Counter[str | None] = Counter()
    lines = (ATLAS / "gourds-11.jsonl").read_text().splitlines()[1:-1]
    for stored in map(json.loads, lines):
        features = stored["features"]
        name = gourds_theorem(sl.puzzle(stored["board"], "gourds"))
        names[name and name.split("(")[1]] += 1
        assert (name is not None) == (features["hole_free_cycle"] or features["station"]), stored["board"]
        assert stored["solvable"] or name is None
    assert names[None] == 119
    assert len(names) == 2
