"""Breadth-first search and union-find against networkx."""

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.strategies import boards
from slidelab.boards import Board
from slidelab.boards.lattice import DIRECTIONS, hexagons_around
from slidelab.boards.walks import (
    DisjointSets,
    adjacency,
    connected_components,
    distance_list,
    distances,
    predecessors,
    reachable,
    shortest_path,
    trace,
    two_coloring,
)


@given(boards, st.data())
def test_distances_and_paths(board: Board, data: st.DataObject) -> None:
    graph = board.to_networkx()
    sources = data.draw(st.sets(st.integers(0, board.size - 1), min_size=1, max_size=3))
    expected = nx.multi_source_dijkstra_path_length(graph, sources)
    steps = distances(board.neighbours, sources)
    assert steps == expected
    assert sorted(steps.values()) == list(steps.values())
    assert distance_list(board.neighbours, sources, 99) == [expected.get(v, 99) for v in range(board.size)]
    limit = data.draw(st.integers(0, 4))
    assert distances(board.neighbours, sources, limit) == {v: d for v, d in expected.items() if d <= limit}
    before = predecessors(board.neighbours, sources)
    assert list(before) == list(steps)
    assert list(reachable(board.neighbours.__getitem__, sources)) == list(steps)
    for vertex in before:
        path = trace(before, vertex)
        assert path[0] in sources
        assert path[-1] == vertex
        assert len(path) == steps[vertex] + 1
        assert all(board.adjacent(a, b) for a, b in pairwise(path))


@given(boards, st.data())
def test_shortest_path_within(board: Board, data: st.DataObject) -> None:
    cells = st.integers(0, board.size - 1)
    source, goal = data.draw(cells), data.draw(cells)
    open_cells = data.draw(st.sets(cells)) | {source}
    path = shortest_path(board.neighbours, [source], goal.__eq__, open_cells.__contains__)
    graph = board.to_networkx().subgraph(open_cells)
    if goal in graph and nx.has_path(graph, source, goal):
        assert len(path) == nx.shortest_path_length(graph, source, goal) + 1
        assert (path[0], path[-1]) == (source, goal)
        assert open_cells.issuperset(path)
    else:
        assert path == []
    reached = predecessors(board.neighbours, [source], open_cells.__contains__)
    assert reached.keys() == nx.node_connected_component(graph, source)
    early = predecessors(board.neighbours, [source], open_cells.__contains__, until=[goal])
    assert early.items() <= reached.items()
    assert (goal in early) == (goal in reached)


@given(boards)
def test_components_and_colorings(board: Board) -> None:
    graph = board.to_networkx()
    parts = [set(part) for part in connected_components(board.neighbours, range(board.size))]
    assert parts == sorted(nx.connected_components(graph), key=min)
    sets = DisjointSets(board.size)
    joins = [sets.union(a, b) for a, b in board.edges]
    assert sum(joins) == board.size - len(parts)
    assert sorted(map(set, sets.sets()), key=min) == parts
    assert all(sets.size(min(part)) == len(part) for part in parts)
    color = two_coloring(board.neighbours, range(board.size))
    assert (color is not None) == nx.is_bipartite(graph)
    if color is not None:
        assert all(color[a] != color[b] for a, b in board.edges)
        assert all(color[min(part)] == 0 for part in parts)


@given(boards)
def test_adjacency(board: Board) -> None:
    rows = adjacency(board.edges)
    assert {cell: sorted(row) for cell, row in rows.items()} == {
        cell: list(row) for cell, row in enumerate(board.neighbours) if row
    }


def test_no_goal_and_no_sources() -> None:
    graph: dict[int, list[int]] = {0: [1], 1: [0]}
    assert shortest_path(graph, [0], lambda _: False) == []
    assert shortest_path(graph, [], lambda _: True) == []
    assert predecessors(graph, []) == distances(graph, []) == {}


def test_merge_with_a_permutation() -> None:
    sets = DisjointSets(5)
    assert sets.merge((1, 2, 0, 3, 4))
    assert not sets.merge((2, 0, 1, 3, 4))
    assert sets.sets() == [[0, 1, 2], [3], [4]]


@pytest.mark.parametrize("kind", DIRECTIONS)
def test_directions_go_round(kind: str) -> None:
    steps = DIRECTIONS[kind]
    assert len(set(steps)) == len(steps)
    half = len(steps) // 2
    assert all((x, y) == (-u, -v) for (x, y), (u, v) in zip(steps, steps[half:] + steps[:half], strict=True))
    # Each neighbour touches the next one in the order, or shares a neighbour with it on squares.
    turns = [u * y - x * v for (u, v), (x, y) in zip(steps, steps[1:] + steps[:1], strict=True)]
    assert turns == [1] * len(steps)
    if kind == "hex":
        assert hexagons_around((3, 4)) == [(3 + q, 4 + r) for q, r in steps]
