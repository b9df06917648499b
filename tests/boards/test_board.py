"""The Board itself: numbering, equality, text, limits."""

import math
import pickle
from itertools import count

import networkx as nx
import pytest
from hypothesis import given

from boards.strategies import boards, lattice_boards
from slidelab.boards import Board, board, from_edges, hex_board, parallelogram, square_board
from slidelab.errors import NotationError, TooLarge


def test_cells_are_numbered_in_reading_order() -> None:
    b = hex_board([(2, 1), (0, 0), (-1, 1), (5, -1)])
    assert b.cells == ((5, -1), (0, 0), (-1, 1), (2, 1))


def test_hexagons_touch_in_six_directions() -> None:
    centre = hex_board([(q, r) for q in range(-2, 3) for r in range(-2, 3)])
    middle = centre.cells.index((0, 0))
    touching = {centre.cells[n] for n in centre.neighbours[middle]}
    assert touching == {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}


@given(lattice_boards)
def test_touching_cells_are_drawn_one_apart(b: Board) -> None:
    edges = set(b.edges)
    reach = math.sqrt(2) if b.kind == "king" else 1
    for a in range(b.size):
        for c in range(a + 1, b.size):
            assert (math.dist(b.positions[a], b.positions[c]) < reach + 1e-6) == ((a, c) in edges)


@given(boards)
def test_edges_and_neighbours_agree(b: Board) -> None:
    assert list(b.edges) == sorted({(a, c) for a in range(b.size) for c in b.neighbours[a] if a < c})
    assert all(b.adjacent(a, c) and b.adjacent(c, a) for a, c in b.edges)
    assert not any(b.adjacent(a, a) for a in range(b.size))
    assert len(b) == b.size == len(b.positions) == len(b.neighbours)


def test_equality_is_about_cells_and_edges_not_names() -> None:
    assert from_edges([(0, 1)], 2) != from_edges([(0, 1)], 3)
    placed = from_edges([(0, 1)], 2, positions=[(0, 0), (0, 9)])
    assert placed == board("graph 0-1")
    assert hash(placed) == hash(board("graph 0-1"))
    assert board("square R(2,1)") != board("king R(2,1)")
    assert hex_board([(0, 0)]) != hex_board([(1, 0)])


def test_repr_and_str() -> None:
    b = parallelogram(3, 4)
    assert repr(b) == "board('hex P(3,4)')"
    assert str(b) == "hex\n# # #\n # # #\n  # # #\n   # # #"
    assert str(board("square 0,0 2,0 2,2")) == "square\n#.#\n...\n..#"
    assert str(board("hex 0,0 0,2")) == "hex\n#\n.\n  #"
    assert str(board("theta(1,2,2)")) == "theta(1,2,2)"


def test_far_cells_are_not_drawn() -> None:
    assert str(square_board([(0, 0), (10**8, 10**8)])) == "square 0,0 100000000,100000000"


@given(boards)
def test_networkx_keeps_cells_edges_and_positions(b: Board) -> None:
    graph = b.to_networkx()
    assert list(graph.nodes) == list(range(b.size))
    assert sorted(tuple(sorted(edge)) for edge in graph.edges) == list(b.edges)
    assert nx.get_node_attributes(graph, "pos") == dict(enumerate(b.positions))


@given(boards)
def test_pickle(b: Board) -> None:
    copy = pickle.loads(pickle.dumps(b))
    assert (copy, copy.name, copy.neighbours) == (b, b.name, b.neighbours)


def test_the_largest_board() -> None:
    assert len(board("square R(1000,100)")) == 100_000
    with pytest.raises(TooLarge, match="at most 100000 cells, got 100100"):
        board("square R(1001,100)")


@pytest.mark.parametrize(
    "text",
    ["hex F(100000)", "hex P(999999999,999999999)", "hex T(447)", "king R(999999999)", "cycle(100001)"]
    + ["theta(99999,1,1)", "path(999999999)", "complete(1500)", "hex Ttr(99999999)", "hex Ptr(99999999)"],
)
def test_too_large_boards_are_refused_at_once(text: str) -> None:
    with pytest.raises(TooLarge, match="expected at most"):
        board(text)


def test_too_many_cells_of_an_endless_source() -> None:
    with pytest.raises(TooLarge):
        square_board((x, 0) for x in count())


@pytest.mark.parametrize(
    "cells",
    [
        [],
        [(0, 0), (0, 0)],
        [(True, 0)],
        [(0.0, 0)],
        [(1, 2, 3)],
        [3],
        [("1", 0)],
        [(10**10, 0)],
        [(0, -(10**10))],
    ],
)
def test_bad_cells(cells: list[tuple[int, int]]) -> None:
    for make in (hex_board, square_board):
        with pytest.raises(NotationError, match=r"^expected .*got .* - at "):
            make(cells)
