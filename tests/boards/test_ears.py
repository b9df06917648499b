"""Ear decompositions and cyclomatic numbers, against networkx and the definition."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest

import slidelab as sl
from slidelab.boards import (
    Board,
    blocks,
    connected_graphs,
    cyclomatic_number,
    ear_decomposition,
    is_two_connected,
)

BOARDS = [
    "square R(4,4)",
    "hex F(3)",
    "king R(3,3)",
    "graph 0-1 1-2 2-0 3-4 4-5 5-3 6",
    "path(4)",
    "complete(6)",
]


def check(board: Board) -> None:
    graph = nx.Graph(board.edges)
    graph.add_nodes_from(range(board.size))
    assert cyclomatic_number(board) == len(nx.cycle_basis(graph))
    ears = ear_decomposition(board)
    assert len(ears) == cyclomatic_number(board)
    used: set[frozenset[int]] = set()
    reached: set[int] = set()
    cycles = 0
    for ear in ears:
        steps = [frozenset(pair) for pair in pairwise(ear)]
        assert all(tuple(sorted(step)) in board.edges for step in steps)
        assert len(set(steps)) == len(steps)
        assert not used.intersection(steps)
        inner = ear[1:-1]
        assert not reached.intersection(inner)
        assert len(set(inner)) == len(inner)
        if ear[0] == ear[-1]:
            cycles += 1
        else:
            assert {ear[0], ear[-1]} <= reached
        used.update(steps)
        reached.update(ear)
    # Exactly the edges on no cycle are left out, and each block with a cycle has one that begins it.
    bridges = {frozenset(bridge) for bridge in nx.bridges(graph)}
    assert used == {frozenset(edge) for edge in board.edges} - bridges
    assert cycles == sum(len(block) > 2 for block in blocks(board))
    assert is_two_connected(board) == (cycles == 1 and not bridges and len(reached) == board.size > 2) or (
        board.size <= 2
    )


@pytest.mark.parametrize("text", BOARDS)
def test_ears(text: str) -> None:
    check(sl.board(text))


def test_ears_of_all_connected_graphs_with_six_vertices() -> None:
    for board in connected_graphs(6):
        check(board)


def test_a_long_path_needs_no_recursion() -> None:
    assert ear_decomposition(sl.board("path(5000)")) == ()
    assert len(ear_decomposition(sl.board("square R(60,60)"))) == 59 * 59
