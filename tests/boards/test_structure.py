"""Components, blocks, colourings, corners and holes, against networkx and plain flood fills."""

from itertools import permutations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.strategies import boards, graphs, lattice_boards
from slidelab.boards import (
    Board,
    blocks,
    board,
    components,
    cut_cells,
    from_networkx,
    holes_in_board,
    is_bipartite,
    is_connected,
    is_cycle,
    is_hole_free,
    is_theta0,
    is_two_connected,
    sub_board,
    theta,
    theta_lengths,
    tight_corners,
    trim,
    two_colouring,
)
from slidelab.errors import NotationError, PuzzleError

ATLAS = [graph for graph in nx.graph_atlas_g() if graph.number_of_nodes() > 0]


@given(boards)
def test_components(b: Board) -> None:
    expected = sorted(tuple(sorted(part)) for part in nx.connected_components(b.to_networkx()))
    assert list(components(b)) == expected
    assert is_connected(b) == (len(expected) == 1)


def check_blocks(b: Board) -> None:
    graph = b.to_networkx()
    alone = [(v,) for v in graph if graph.degree(v) == 0]
    expected = sorted([tuple(sorted(block)) for block in nx.biconnected_components(graph)] + alone)
    assert list(blocks(b)) == expected
    assert list(cut_cells(b)) == sorted(nx.articulation_points(graph))
    assert is_two_connected(b) == (b.size >= 3 and nx.is_biconnected(graph))


@given(st.one_of(graphs(20), lattice_boards))
def test_blocks_of_random_boards(b: Board) -> None:
    check_blocks(b)


def test_blocks_of_all_small_graphs() -> None:
    for graph in ATLAS:
        check_blocks(from_networkx(graph))


def test_long_boards_need_no_recursion() -> None:
    b = board("path(100000)")
    assert len(blocks(b)) == 99_999
    assert len(cut_cells(b)) == 99_998
    assert len(components(b)) == 1
    assert is_bipartite(b)
    assert is_two_connected(board("cycle(100000)"))


def test_small_cases_of_two_connected() -> None:
    assert not is_two_connected(board("path(1)"))
    assert not is_two_connected(board("path(2)"))
    assert is_two_connected(board("cycle(3)"))
    assert not is_two_connected(board("graph 0-1 1-2 2-0 3"))


@given(boards)
def test_two_colouring(b: Board) -> None:
    colours = two_colouring(b)
    assert (colours is not None) == nx.is_bipartite(b.to_networkx()) == is_bipartite(b)
    if colours is not None:
        assert all({colours[u], colours[v]} == {0, 1} for u, v in b.edges)
        assert all(colours[part[0]] == 0 for part in components(b))
        assert set(colours) <= {0, 1}


def test_cycles_and_thetas_among_all_small_graphs() -> None:
    lengths = [(a, b, c) for a in range(4) for b in range(max(a, 1), 6) for c in range(b, 6)]
    models = {t: theta(*t).to_networkx() for t in lengths}
    for graph in ATLAS:
        b = from_networkx(graph)
        size = b.size
        assert is_cycle(b) == (size > 2 and nx.is_isomorphic(graph, nx.cycle_graph(size)))
        expected = [t for t, model in models.items() if len(model) == size and nx.is_isomorphic(graph, model)]
        assert ([theta_lengths(b)] if theta_lengths(b) else []) == expected
        assert is_theta0(b) == ((1, 2, 2) in expected)


def test_theta_lengths_of_lookalikes() -> None:
    # Two vertices of degree three, all others of degree two, and yet no theta graph.
    assert theta_lengths(board("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3")) is None  # two triangles, one bridge
    assert theta_lengths(board("graph 0-1 0-2 0-3 1-4 2-4 3-4 5-6 6-7 7-5")) is None  # and a triangle apart


@given(boards)
def test_tight_corners(b: Board) -> None:
    graph = b.to_networkx()
    expected = [v for v in graph if graph.degree(v) == 2 and nx.triangles(graph, v) == 1]
    assert list(tight_corners(b)) == expected


@given(boards)
def test_trim_removes_tight_corners_once(b: Board) -> None:
    corners = tight_corners(b)
    if len(corners) == b.size:
        with pytest.raises(PuzzleError, match="tight corners"):
            trim(b)
        return
    kept = [v for v in range(b.size) if v not in corners]
    trimmed = trim(b)
    assert trimmed.cells == tuple(b.cells[v] for v in kept if b.cells)
    assert trimmed.edges == tuple((kept.index(u), kept.index(v)) for u, v in b.edges if {u, v} <= set(kept))
    assert trimmed.positions == tuple(b.positions[v] for v in kept)


def test_trim_is_not_repeated() -> None:
    strip = board("hex P(2,4)")
    assert tight_corners(strip) == (0, 7)
    assert len(trim(strip)) == 6
    assert tight_corners(trim(strip))


@given(st.data(), boards)
def test_sub_board(data: st.DataObject, b: Board) -> None:
    chosen = data.draw(st.lists(st.integers(0, b.size - 1), min_size=1))
    part = sub_board(b, chosen)
    kept = sorted(set(chosen))
    expected = b.to_networkx().subgraph(kept)
    assert sorted((kept[u], kept[v]) for u, v in part.edges) == sorted(
        tuple(sorted(e)) for e in expected.edges
    )
    assert part.kind == b.kind
    assert part.positions == tuple(b.positions[v] for v in kept)


@pytest.mark.parametrize("cells", [[], [4], [-1], [True], [0.0]])
def test_bad_sub_boards(cells: list[int]) -> None:
    for text in ("square R(2,2)", "cycle(4)", "hex P(2,2)", "king R(2,2)"):
        with pytest.raises(NotationError):
            sub_board(board(text), cells)


SIDES = [(1, 0), (0, 1), (-1, 0), (0, -1)]
CORNERS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
MISSING_TOUCH = {"hex": [*SIDES, (1, -1), (-1, 1)], "square": SIDES + CORNERS, "king": SIDES}


def flooded_holes(b: Board) -> int:
    """Fill the missing cells of a frame around the board; every fill but the first is a hole."""
    xs, ys = [x for x, _ in b.cells], [y for _, y in b.cells]
    frame = {(x, y) for x in range(min(xs) - 1, max(xs) + 2) for y in range(min(ys) - 1, max(ys) + 2)}
    missing = frame - set(b.cells)
    count = -1
    while missing:
        count += 1
        # The outside goes first.
        queue = [min(missing)]
        missing.remove(queue[0])
        while queue:
            x, y = queue.pop()
            for dx, dy in MISSING_TOUCH[b.kind]:
                other = (x + dx, y + dy)
                if other in missing:
                    missing.remove(other)
                    queue.append(other)
    return count


@given(lattice_boards)
def test_holes_against_a_flood_fill(b: Board) -> None:
    assert holes_in_board(b) == flooded_holes(b)
    assert is_hole_free(b) == (flooded_holes(b) == 0)


@given(
    st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=15),
    st.sampled_from(list(MISSING_TOUCH)),
)
def test_holes_of_boards_with_few_missing_cells(missing: set[tuple[int, int]], kind: str) -> None:
    cells = [[x, y] for x in range(7) for y in range(7) if (x, y) not in missing]
    b = board({"kind": kind, "cells": cells})
    assert holes_in_board(b) == flooded_holes(b)


def test_holes_of_known_boards() -> None:
    assert [holes_in_board(board(t)) for t in ("hex F(4)", "hex star", "square R(5,4)", "king R(5,4)")] == [
        0
    ] * 4
    assert holes_in_board(board("square\n.#.\n#.#\n.#.")) == 0
    assert holes_in_board(board("king\n.#.\n#.#\n.#.")) == 1
    assert holes_in_board(board("square\n####\n#.##\n##.#\n####")) == 1
    assert holes_in_board(board("king\n####\n#.##\n##.#\n####")) == 2
    assert holes_in_board(board("hex\n # #\n#   #\n # #")) == 1
    assert holes_in_board(board("square 0,0 999999999,999999999")) == 0
    with pytest.raises(PuzzleError, match="hexagons or squares"):
        holes_in_board(board("cycle(6)"))


def test_theta0_in_any_numbering() -> None:
    edges = board("theta(1,2,2)").edges
    for order in list(permutations(range(7)))[::97]:
        assert is_theta0(board([(order[u], order[v]) for u, v in edges]))
    assert not is_theta0(board("theta(1,1,3)"))
    assert not is_theta0(board("theta(0,2,3)"))
