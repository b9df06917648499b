"""The order in which huge boards are filled: the rest stays solvable."""

from __future__ import annotations

import random
from collections.abc import Iterable

import networkx as nx
import pytest

from slidelab.boards import Board, board
from slidelab.solve.huge.ears import Order, core_for_tiles, nearness, order_for_hextiles, order_for_tiles
from solve.huge_boards import KINDS, is_polygon, random_board

# The order


def is_theta0(graph: nx.Graph) -> bool:
    return len(graph) == 7 and nx.is_isomorphic(graph, board("theta(1,2,2)").to_networkx())


def check_order(cells: Board, order: Order, odd: bool) -> None:
    graph = cells.to_networkx()
    assert order.rest == ()
    assert sorted([*order.core, *(cell for ear in order.ears for cell in ear)]) == list(range(cells.size))
    left = set(range(cells.size))
    for ear in order.ears:
        left -= set(ear)
        assert nx.is_path(graph, ear)
        ends = [set(graph[cell]) & left for cell in (ear[0], ear[-1])]
        assert len(ends[0] | ends[1]) >= 2
        assert all(ends)
        part = graph.subgraph(left)
        assert nx.is_biconnected(part)
        assert not is_polygon(part)
        assert not is_theta0(part)
        assert not odd or not nx.is_bipartite(part)
    assert left == set(order.core)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_left_stays_solvable(kind: str) -> None:
    for seed in range(12):
        cells = random_board(kind, seed)
        graph = cells.to_networkx()
        if is_polygon(graph):
            continue
        rng = random.Random(seed)
        centre, size = rng.randrange(cells.size), rng.choice([4, 9, 9, 9, 14])
        for odd in {False, not nx.is_bipartite(graph)}:
            core = core_for_tiles(cells, [centre], odd, size)
            order = order_for_tiles(cells.neighbours, core, nearness(cells, centre))
            assert set(order.core) == set(core)
            inside = graph.subgraph(core)
            assert nx.is_biconnected(inside)
            assert not odd or not nx.is_bipartite(inside)
            check_order(cells, order, odd)


def test_cores_are_small_where_boards_are_wide() -> None:
    for text in ("square R(9,9)", "king R(8,8)"):
        cells = board(text)
        for centre in range(cells.size):
            core = core_for_tiles(cells, [centre], odd=text.startswith("king"), size=9)
            assert 9 <= len(core) <= 10
            assert max(nearness(cells, centre)[cell] for cell in core) <= 3


@pytest.mark.parametrize("text", ["theta(1,2,2)", "theta(0,1,1)", "theta(7,8,9)", "complete(4)"])
def test_a_board_that_is_its_own_core(text: str) -> None:
    cells = board(text)
    core = core_for_tiles(cells, [0], odd=False, size=cells.size)
    assert core == tuple(range(cells.size))
    assert order_for_tiles(cells.neighbours, core, nearness(cells, 0)).ears == ()


ROUND = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]  # the six neighbours of a hexagon, in turn


def is_held(cells: Board, cell: int, there: Iterable[int]) -> bool:
    """Three cells in a row round it."""
    (q, r), places = cells.cells[cell], {cells.cells[other] for other in there}
    full = [(q + dq, r + dr) in places for dq, dr in ROUND]
    return any(full[k] and full[k - 1] and full[k - 2] for k in range(6))


@pytest.mark.parametrize(
    "text", ["hex P(6,4)", "hex P(9,3)", "hex F(4)", "hex T(7)", "hex Ptr(6,6)", "hex Ttr(8)", "hex F(2)"]
)
def test_hexagons_are_held(text: str) -> None:
    cells = board(text)
    for centre in range(cells.size):
        core = {centre, *cells.neighbours[centre]}
        if len(core) < 7:
            continue
        order = order_for_hextiles(cells.neighbours, core, nearness(cells, centre))
        listed = [*order.core, *order.rest, *(cell for ear in order.ears for cell in ear)]
        assert sorted(listed) == list(range(cells.size))
        left = set(listed) - set(order.rest)
        assert not any(is_held(cells, cell, left) for cell in order.rest)
        for ear in order.ears:
            assert all(is_held(cells, cell, left) for cell in ear)
            left -= set(ear)
        assert left == core
