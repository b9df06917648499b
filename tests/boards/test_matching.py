"""Maximum matchings, against networkx and by what they are."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import networkx as nx
import pytest

from proper import comb
from slidelab.boards import (
    Board,
    Edge,
    board,
    flower,
    from_edges,
    hex_board,
    maximum_matching,
    random_hexagons,
)
from slidelab.boards.graphs import graph_board
from slidelab.errors import NotationError


def size_by_networkx(graph: nx.Graph) -> int:
    return len(nx.max_weight_matching(graph, maxcardinality=True))


def check(on: Board, without: tuple[int, ...] = ()) -> None:
    pairs = maximum_matching(on, without)
    covered = {cell for pair in pairs for cell in pair}
    assert len(covered) == 2 * len(pairs)
    assert covered.isdisjoint(without)
    assert set(pairs) <= set(on.edges)
    assert list(pairs) == sorted(pairs)
    graph = on.to_networkx()
    graph.remove_nodes_from(without)
    assert len(pairs) == size_by_networkx(graph)
    left = set(range(on.size)) - covered - set(without)
    if len(left) == 1:
        later = (cell for cell in range(max(left) + 1, on.size) if cell not in without)
        for cell in later:
            assert size_by_networkx(graph.subgraph(set(graph) - {cell})) < len(pairs)


@pytest.mark.parametrize("seed", range(6))
def test_small_graphs(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        n, density = rng.randint(1, 16), rng.choice([0.1, 0.2, 0.3, 0.5])
        pairs = ((a, b) for a in range(n) for b in range(a + 1, n))
        edges = [pair for pair in pairs if rng.random() < density]
        check(graph_board(n, edges), tuple(cell for cell in range(n) if rng.random() < 0.1))


@pytest.mark.parametrize("seed", range(6))
def test_trees_of_triangles(seed: int) -> None:
    """Many blossoms, one inside the other, far from the root."""
    rng = random.Random(seed)
    for _ in range(20):
        edges: set[Edge] = set()
        n = 1
        while n < 40:
            at, more = rng.randrange(n), rng.choice([1, 2, 2, 4])
            ring = [at, *range(n, n + more)]
            edges.update(pairwise(ring))
            if more > 1:
                edges.add((at, ring[-1]))
            n += more
        order = rng.sample(range(n), n)
        check(from_edges([tuple(sorted((order[a], order[b]))) for a, b in edges]))


@pytest.mark.parametrize("thin", [0, 0.5, 1])
def test_random_boards(thin: float) -> None:
    for seed in range(4):
        check(random_hexagons(101 + seed, seed, thin=thin))


@pytest.mark.parametrize(
    "on",
    [
        flower(45),
        hex_board(comb(60, 33)),
        hex_board(comb(9, 300)),
        *(random_hexagons(6001, 2, thin=t) for t in (0, 1)),
    ],
    ids=lambda on: f"{on.size} cells",
)
def test_large_proper_boards_have_one_cell_left_over(on: Board) -> None:
    began = time.process_time()
    assert len(maximum_matching(on)) == on.size // 2
    for hole in (0, on.size // 2):  # a Hamiltonian cycle leaves out any cell
        assert len(maximum_matching(on, without=(hole,))) == on.size // 2
    assert time.process_time() - began < 5


def test_many_cells_left_over() -> None:
    """A star of 20,000 rays: every ray fails, and none looks at all others."""
    began = time.process_time()
    assert maximum_matching(from_edges([(0, ray) for ray in range(1, 20_001)])) == ((0, 1),)
    assert time.process_time() - began < 5


def test_cells_that_are_not_there() -> None:
    with pytest.raises(NotationError, match="expected cells below 3, got 7"):
        maximum_matching(board("hex T(2)"), without=(7,))
    with pytest.raises(NotationError, match="expected a whole number of at least 0, got -1"):
        maximum_matching(board("hex T(2)"), without=(-1,))
