"""The readable method: its words are what the paper says once corrected, and its walks solve."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations, pairwise, permutations
from typing import Any

import networkx as nx
import pytest

import slidelab as sl
from slidelab.errors import PuzzleError, TooLarge, Unsolvable
from slidelab.puzzles import Passage
from slidelab.solve.wilson.ears import base_theta, other_thetas
from slidelab.solve.wilson.solver import solve_block
from slidelab.solve.wilson.thetas import Theta
from solve.wilson_graphs import (
    Rows,
    check,
    check_random,
    eared,
    grid,
    replayed,
    rows,
    theta,
    thetas,
    wandered,
)

# Whole solutions.


@pytest.mark.parametrize("lengths", thetas(12))
def test_theta_graphs(lengths: tuple[int, int, int]) -> None:
    check_random(theta(*lengths), 6, seed=sum(lengths))


def test_theta0_from_all_states() -> None:
    """With the hole at home, 120 of the 720 states are solved, and the others are told to be unsolvable."""
    graph = theta(1, 2, 2)
    for hole in (0, 2, 3):
        goal = [k + 1 for k in range(7)]
        goal[hole] = 0
        tiles = [tile for tile in goal if tile]
        solved = 0
        for order in permutations(tiles):
            start = list(order)
            start.insert(hole, 0)
            try:
                check(graph, start, goal)
            except Unsolvable:
                continue
            solved += 1
        assert solved == 120


@pytest.mark.parametrize("size", range(3, 10))
def test_polygons(size: int) -> None:
    ring = rows((k, (k + 1) % size) for k in range(size))
    check_random(ring, 20, seed=size)
    goal = list(range(size))
    if size > 3:
        with pytest.raises(Unsolvable, match="order"):
            solve_block(ring, [0, 2, 1, *goal[3:]], goal)


def test_polygons_go_the_shorter_way() -> None:
    ring = rows((k, (k + 1) % 10) for k in range(10))
    goal = list(range(10))
    assert len(solve_block(ring, [0, 9, *range(1, 9)], goal)[0]) == 10
    assert len(solve_block(ring, [0, *range(2, 10), 1], goal)[0]) == 10


FAMOUS: dict[str, Callable[[], nx.Graph]] = {
    "K4": lambda: nx.complete_graph(4),
    "K5": lambda: nx.complete_graph(5),
    "K3,3": lambda: nx.complete_bipartite_graph(3, 3),
    "K2,3": lambda: nx.complete_bipartite_graph(2, 3),
    "K2,5": lambda: nx.complete_bipartite_graph(2, 5),
    "cube": nx.cubical_graph,
    "Petersen": nx.petersen_graph,
    "wheel": lambda: nx.wheel_graph(7),
    "dodecahedron": nx.dodecahedral_graph,
    "ladder": lambda: nx.ladder_graph(9),
}


@pytest.mark.parametrize("name", FAMOUS)
def test_famous_graphs(name: str) -> None:
    check_random(rows(FAMOUS[name]().edges), 10)


@pytest.mark.parametrize(
    ("width", "height", "max_moves"), [(3, 2, 80), (3, 3, 250), (4, 3, 400), (4, 4, 700)]
)
def test_grids(width: int, height: int, max_moves: int) -> None:
    graph = grid(width, height)
    rng = random.Random(width)
    goal = [*range(1, width * height), 0]
    for _ in range(12):
        assert len(check(graph, wandered(graph, goal, rng), goal)[0]) < max_moves


def test_all_small_graphs() -> None:
    """Every 2-connected graph with at most six vertices, and some with seven."""
    rng = random.Random(1)
    graphs = [g for g in nx.graph_atlas_g() if len(g) > 2 and nx.is_biconnected(g)]
    chosen = [g for g in graphs if len(g) < 7] + rng.sample([g for g in graphs if len(g) == 7], 100)
    assert len(chosen) == 70 + 100
    for seed, g in enumerate(chosen):
        check_random(rows(g.edges), 2, seed)


@pytest.mark.parametrize("bipartite", [True, False])
@pytest.mark.parametrize("longest", [1, 2, 4, 9])
def test_random_graphs(longest: int, bipartite: bool) -> None:
    rng = random.Random(longest)
    for seed in range(12):
        graph = eared(rng, rng.randint(5, 16), longest, bipartite)
        assert (
            nx.is_bipartite(nx.Graph([(a, b) for a, row in enumerate(graph) for b in row])) or not bipartite
        )
        check_random(graph, 1, seed)


def test_many_ears() -> None:
    """Two hundred ears, one upon the other: no stack overflows, and the moves do not double with each."""
    graph = rows(nx.ladder_graph(204).edges)
    goal = [*range(1, 408), 0]
    start = list(goal)
    start[0], start[203], start[204] = start[203], start[204], start[0]
    walk, _ = check(graph, start, goal)
    assert len(walk) < 20_000


def test_theta0_is_avoided() -> None:
    """Section 4.4: theta0 with an ear has another theta graph with an odd cycle, with one exception."""
    base = theta(1, 2, 2)
    edges = [(a, b) for a, row in enumerate(base) for b in row if a < b]
    begin = Theta(0, 1, (2,), (3, 4), (5, 6))
    tried, without = 0, []
    for x, y in combinations(range(7), 2):
        for inner in range(13):
            if inner == 0 and y in base[x]:
                continue
            graph = rows([*edges, *pairwise([x, *range(7, 7 + inner), y])])
            others = other_thetas(dict(enumerate(graph)), begin)
            assert others
            for other in others:
                assert not other.is_theta0
                paths = [(other.x, *path, other.y) for path in (other.a, other.b, other.c)]
                assert all(b in graph[a] for path in paths for a, b in pairwise(path))
            if any(other.is_bipartite for other in others):
                without.append((x, y, inner))
            assert not base_theta(dict(enumerate(graph))).is_theta0
            tried += 1
            if inner < 4:
                check_random(graph, 2, seed=inner)
    assert tried == 21 * 13 - 8
    assert without == [(0, 1, 2)]


@pytest.mark.parametrize("paths", [3, 4, 5])
def test_where_theta0_cannot_be_avoided(paths: int) -> None:
    """One path with one inner cell and several with two: even and odd permutations are solved."""
    graph = theta(1, *[2] * paths)
    check_random(graph, 10)
    goal = [*range(1, len(graph)), 0]
    check(graph, [2, 1, *goal[2:]], goal)
    check(graph, [2, 3, 1, *goal[3:]], goal)


def test_other_vertices_are_left_alone() -> None:
    """The graph may be a block of a larger one, with the numbers of that."""
    inside = grid(3, 2)
    graph = [[] if k < 3 else [other + 3 for other in inside[k - 3]] for k in range(9)]
    start, goal = [9, 9, 7, 2, 3, 1, 4, 0, 5], [8, 9, 0, 1, 2, 3, 4, 0, 5]
    walk, text = solve_block(graph, start, goal)
    assert set(walk) <= set(range(3, 9))
    block = [[other - 3 for other in row] for row in graph[3:]]
    assert replayed(block, start[3:], [cell - 3 for cell in walk]) == goal[3:]
    assert text[-1].last == len(walk)


# What cannot be done.


@pytest.mark.parametrize("graph", [grid(3, 3), grid(4, 4), theta(2, 2, 2), theta(0, 2, 4), theta(1, 1, 3)])
def test_odd_permutations_on_two_colours(graph: Rows) -> None:
    goal = [*range(1, len(graph)), 0]
    start = [2, 1, *goal[2:]]
    with pytest.raises(Unsolvable, match="odd"):
        solve_block(graph, start, goal)
    moved = wandered(graph, start, random.Random(0))
    with pytest.raises(Unsolvable, match="odd"):
        solve_block(graph, moved, goal)


def test_other_tiles() -> None:
    with pytest.raises(Unsolvable, match="different tiles"):
        solve_block(grid(2, 2), [1, 2, 4, 0], [1, 2, 3, 0])
    with pytest.raises(PuzzleError, match="one hole"):
        solve_block(grid(2, 2), [1, 2, 2, 0], [1, 2, 3, 0])
    with pytest.raises(PuzzleError, match="one hole"):
        solve_block(grid(2, 2), [1, 2, 3, 4], [1, 2, 3, 0])


@pytest.mark.parametrize(
    "edges",
    [
        [(0, 1), (1, 2), (2, 3)],
        [(1, 0), (0, 2), (2, 3)],
        [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)],
        [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)],
        [*nx.grid_2d_graph(3, 2).edges, ((2, 1), (3, 1))],
    ],
)
def test_graphs_that_are_not_blocks(edges: list[tuple[Any, Any]]) -> None:
    names = {name: k for k, name in enumerate(sorted({end for edge in edges for end in edge}))}
    graph = rows((names[a], names[b]) for a, b in edges)
    goal = list(range(len(graph)))
    with pytest.raises(PuzzleError, match="2-connected"):
        solve_block(graph, [0, *goal[:0:-1]], goal)
    apart = [[1], [0], [3], [2]]
    with pytest.raises(PuzzleError, match="path from 0 to 3"):
        solve_block(apart, [0, 1, 2, 3], [1, 2, 3, 0])


def test_nothing_to_do() -> None:
    assert solve_block(grid(3, 3), range(9), range(9)) == ([], [])
    assert solve_block([[1], [0]], [1, 0], [0, 1])[0] == [0]
    walk, text = solve_block(grid(3, 3), [1, 0, *range(2, 9)], range(9))
    assert walk == [0]
    assert text == [Passage(0, 1, "the hole to cell 0")]


@pytest.mark.parametrize("graph", [grid(3, 3), theta(1, 2, 2), theta(3, 3, 4), rows(nx.cycle_graph(9).edges)])
def test_too_many_moves(graph: Rows) -> None:
    rng = random.Random(2)
    goal = list(range(len(graph)))
    start = wandered(graph, goal, rng)
    walk, text = check(graph, start, goal)
    assert solve_block(graph, start, goal, len(walk)) == (walk, text)
    for max_moves in (0, len(walk) - 1):
        with pytest.raises(TooLarge, match=f"more than {max_moves:,} moves"):
            solve_block(graph, start, goal, max_moves)


def test_too_large_without_much_work() -> None:
    """These would take millions of moves; they are not written down before that is seen."""
    ring = rows(nx.cycle_graph(20_001).edges)
    goal = list(range(20_001))
    with pytest.raises(TooLarge, match="more than 1,000,000 moves"):
        solve_block(ring, [0, *range(10_001, 20_001), *range(1, 10_001)], goal, 1_000_000)
    with pytest.raises(TooLarge, match="at most 1,000 cells, got 1,202"):
        solve_block(theta(400, 400, 400), [0, 2, 3, 1, *range(4, 1202)], range(1202))
    with pytest.raises(TooLarge, match="theta graph of 302 cells needs 28 MB, and the limit is 20 MB"):
        solve_block(
            theta(100, 100, 100), [0, 2, 3, 1, *range(4, 302)], range(302), budget=sl.Budget.of(memory="20M")
        )


def test_what_is_told() -> None:
    graph = grid(3, 3)
    start, goal = [2, 3, 1, 4, 5, 6, 7, 8, 0], [1, 2, 3, 4, 5, 6, 7, 8, 0]
    _, text = check(graph, start, goal)
    top = [each.text for each in text if each.depth == 0]
    assert top[0].startswith("the hole to cell")
    assert "theta graph from x = " in top[0]
    assert any(text.startswith("ear ") and ": tile 3 to cell 2" in text for text in top)
    assert {each.depth for each in text} == {0, 1, 2}
    for each in text:
        if each.depth == 1:
            assert each.text.startswith("3-cycle of tiles ")
            assert len(set(each.text.split()[3:])) == 3
    # With an odd cycle, by transpositions.
    _, text = check(rows([*nx.cycle_graph(6).edges, (0, 2), (1, 4)]), [2, 1, 3, 4, 5, 0], [1, 2, 3, 4, 5, 0])
    assert any(each.text in ("transposition of tiles 1 2", "transposition of tiles 2 1") for each in text)
