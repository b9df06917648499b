"""Symmetries against brute force, and groups of known order."""

from itertools import permutations
from math import factorial

import networkx as nx
import pytest
from hypothesis import given, settings

from boards.strategies import boards, graphs, lattice_boards
from slidelab.boards import (
    Board,
    Symmetries,
    automorphisms,
    board,
    complete,
    cycle,
    from_edges,
    from_networkx,
    graph_automorphisms,
    symmetries,
)
from slidelab.boards.lattice import DIRECTIONS
from slidelab.boards.lattice import images as lattice_images
from slidelab.errors import TooLarge

ATLAS_UP_TO_6 = [graph for graph in nx.graph_atlas_g() if 0 < graph.number_of_nodes() <= 6]


def brute_force(b: Board) -> set[tuple[int, ...]]:
    edges = set(b.edges)
    return {
        image
        for image in permutations(range(b.size))
        if all((min(image[u], image[v]), max(image[u], image[v])) in edges for u, v in edges)
    }


def orbits_of(elements: set[tuple[int, ...]], size: int) -> list[tuple[int, ...]]:
    return sorted({tuple(sorted({image[v] for image in elements})) for v in range(size)})


def check_against(b: Board, group: Symmetries, expected: set[tuple[int, ...]]) -> None:
    assert group.order == len(expected)
    listed = list(group.elements())
    assert len(listed) == len(expected)
    assert set(listed) == expected
    assert listed[0] == tuple(range(b.size))
    assert list(group.orbits()) == orbits_of(expected, b.size)
    assert tuple(range(b.size)) not in group.generators
    assert len(set(group.generators)) == len(group.generators)


def test_all_graphs_with_up_to_six_vertices() -> None:
    for graph in ATLAS_UP_TO_6:
        b = from_networkx(graph)
        check_against(b, symmetries(b), brute_force(b))


@settings(max_examples=40)
@given(graphs(7))
def test_random_numbering(b: Board) -> None:
    check_against(b, symmetries(b), brute_force(b))


def test_orders_of_all_graphs_with_seven_vertices() -> None:
    # n! / |Aut| is the number of labelled copies of a graph, and together they are all 2^21 graphs.
    graphs7 = [graph for graph in nx.graph_atlas_g() if graph.number_of_nodes() == 7]
    assert sum(factorial(7) // symmetries(from_networkx(graph)).order for graph in graphs7) == 2**21


def isometries(b: Board) -> set[tuple[int, ...]]:
    """All permutations of cells that keep the distances of drawing positions, by extending a few images."""

    def distance(u: int, v: int) -> int:
        (x, y), (s, t) = b.positions[u], b.positions[v]
        return round(1000 * ((x - s) ** 2 + (y - t) ** 2))

    partial: list[tuple[int, ...]] = [()]
    for v in range(b.size):
        partial = [
            (*image, w)
            for image in partial
            for w in range(b.size)
            if w not in image and all(distance(u, v) == distance(image[u], w) for u in range(v))
        ]
    return set(partial)


@settings(max_examples=60)
@given(lattice_boards)
def test_geometric_symmetries_are_the_isometries_of_the_lattice(b: Board) -> None:
    group = symmetries(b)
    elements = set(group.elements())
    assert elements <= isometries(b)
    assert len(elements) == group.order


@pytest.mark.parametrize(
    "text",
    [
        "hex F(3)",
        "hex T(4)",
        "hex P(3,4)",
        "hex P(3,3)",
        "hex star",
        "hex Ttr(5)",
        "hex Ptr(3,5)",
        "hex P(1,4)",
    ]
    + ["square R(4,4)", "square R(3,4)", "square R(1,5)", "king R(3,3)", "square R(1,1)", "hex P(1,1)"]
    + ["hex 0,0 1,0 0,1 0,2 3,3", "square 0,0 1,0 1,1 2,1", "square 0,0 1,0 0,1", "king 5,5 6,6 7,5"],
)
def test_geometric_symmetries_are_all_isometries(text: str) -> None:
    b = board(text)
    check_against(b, symmetries(b), isometries(b))


@given(boards)
def test_generators_are_automorphisms(b: Board) -> None:
    edges = set(b.edges)
    for group in (symmetries(b), graph_automorphisms(b)):
        for image in group.generators:
            assert sorted(image) == list(range(b.size))
            assert {(min(image[u], image[v]), max(image[u], image[v])) for u, v in edges} == edges
    assert graph_automorphisms(b).order % symmetries(b).order == 0


@pytest.mark.parametrize(("kind", "order"), [("hex", 12), ("square", 8), ("king", 8)])
def test_images_are_the_symmetries_of_the_lattice(kind: str, order: int) -> None:
    around = set(DIRECTIONS[kind])
    maps = list(zip(*(lattice_images(kind, x, y) for x, y in sorted(around)), strict=True))
    assert len(set(maps)) == order
    for images in maps:
        image = dict(zip(sorted(around), images, strict=True))
        assert set(images) == around
        # Linear: sums of steps go to sums of images.
        for (x, y), (u, v) in image.items():
            assert image[-x, -y] == (-u, -v)
            assert (x * image[1, 0][0] + y * image[0, 1][0], x * image[1, 0][1] + y * image[0, 1][1]) == (
                u,
                v,
            )


PALEY_29 = nx.Graph([(i, (i + j * j) % 29) for i in range(29) for j in range(1, 29)])


@pytest.mark.parametrize(
    ("b", "order"),
    [
        (complete(30), factorial(30)),
        (from_edges([], 60), factorial(60)),
        (cycle(200), 400),
        (from_networkx(nx.petersen_graph()), 120),
        (from_networkx(nx.grid_2d_graph(10, 10)), 8),
        (from_networkx(nx.grid_2d_graph(9, 10)), 4),
        (from_networkx(nx.grid_2d_graph(6, 6, periodic=True)), 6 * 6 * 8),
        (from_networkx(nx.hypercube_graph(6)), 2**6 * factorial(6)),
        (from_networkx(nx.complete_bipartite_graph(7, 7)), 2 * factorial(7) ** 2),
        (from_networkx(nx.line_graph(nx.complete_bipartite_graph(5, 5))), 2 * factorial(5) ** 2),
        (from_networkx(nx.balanced_tree(2, 5)), 2**31),
        (from_networkx(nx.frucht_graph()), 1),
        (from_networkx(nx.heawood_graph()), 336),
        (from_networkx(nx.tutte_graph()), 3),
        (from_networkx(nx.dodecahedral_graph()), 120),
        (from_networkx(PALEY_29), 29 * 14),
        (board("theta(1,2,2)"), 4),
        (board("theta(2,2,2)"), 12),
        (board("graph 0-1 1-2 2-0 3-4 4-5 5-3 6-7 7-8 8-6"), 6**3 * 6),
        (board("path(20001)"), 2),
    ],
    ids=lambda value: getattr(value, "name", "order")[:20],
)
def test_known_groups(b: Board, order: int) -> None:
    assert symmetries(b).order == order


def test_too_many_to_list() -> None:
    group = symmetries(complete(9))
    assert len(group.orbits()) == 1
    with pytest.raises(TooLarge, match="at most 100000 symmetries to list, got 362880"):
        group.elements()


def test_the_search_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automorphisms, "MAX_SEARCH_STEPS", 1000)
    with pytest.raises(TooLarge, match="within 1000 steps"):
        symmetries(cycle(200))
