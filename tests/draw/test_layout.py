"""Layouts of graphs, checked against plain independent computations."""

from __future__ import annotations

import math
import random
import sys
import tracemalloc
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.boards.graphs import from_edges, from_networkx
from slidelab.draw.graph.nodes import push_apart
from slidelab.draw.layout.board import lay_out_board
from slidelab.draw.layout.geometry import count_crossings, min_distance
from slidelab.draw.layout.graph import _lay_out, lay_out_graph
from slidelab.draw.layout.layers import _count_crossings, isotonic_regression, layered_layout
from slidelab.draw.layout.planar import planar_faces, relax_planar, tutte_layout
from slidelab.draw.layout.stress import all_distances, minimize_stress, stress, stress_layout
from slidelab.errors import NotationError

Point = Sequence[float]


def edges_of(graph: Any) -> list[tuple[int, int]]:
    return sorted((min(edge), max(edge)) for edge in graph.edges)


def orientation(a: Point, b: Point, c: Point) -> int:
    value = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return int(value > 1e-12) - int(value < -1e-12)


def do_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether the segments ab and cd cross in their interiors."""
    return orientation(a, b, c) * orientation(a, b, d) < 0 and orientation(c, d, a) * orientation(c, d, b) < 0


def plain_crossings(positions: Any, edges: Sequence[tuple[int, int]]) -> int:
    pairs = [(e, f) for e, f in combinations(edges, 2) if not set(e) & set(f)]
    return sum(do_cross(*(positions[v] for v in (*e, *f))) for e, f in pairs)


@st.composite
def planar_graphs(draw: st.DrawFn) -> Any:
    """Draw a random tree with more edges that keep it planar."""
    size = draw(st.integers(3, 14))
    graph = nx.Graph((draw(st.integers(0, vertex - 1)), vertex) for vertex in range(1, size))
    for a, b in draw(st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=30)):
        if a != b and not graph.has_edge(a, b):
            graph.add_edge(a, b)
            if not nx.check_planarity(graph)[0]:
                graph.remove_edge(a, b)
    return graph


@settings(max_examples=25, deadline=None)
@given(planar_graphs())
def test_planar_graphs_are_drawn_without_crossings(graph: Any) -> None:
    edges = edges_of(graph)
    assert plain_crossings(lay_out_graph(len(graph), edges), edges) == 0


@settings(max_examples=40, deadline=None)
@given(planar_graphs(), st.integers(0, 20))
def test_any_face_can_be_outermost_and_relaxing_keeps_it_planar(graph: Any, which: int) -> None:
    edges = edges_of(graph)
    faces = planar_faces(len(graph), edges)
    assert faces is not None
    assert len(graph) - len(edges) + len(faces) == 2  # Euler
    flat = tutte_layout(len(graph), faces, which % len(faces))
    assert plain_crossings(flat, edges) == 0
    assert min_distance(flat) > 1e-9
    assert plain_crossings(relax_planar(flat, edges), edges) == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(4, 12), st.integers(0, 10**6))
def test_crossings_match_the_plain_count(size: int, seed: int) -> None:
    graph = nx.gnm_random_graph(size, 2 * size, seed=seed)
    positions = np.random.default_rng(seed).normal(size=(size, 2))
    assert count_crossings(positions, edges_of(graph)) == plain_crossings(positions, edges_of(graph))


def test_a_vertex_on_an_edge_counts_as_a_crossing() -> None:
    positions = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    assert count_crossings(positions, [(0, 1), (2, 3)]) == 1
    assert count_crossings(positions, [(0, 2), (1, 3)]) == 0


@pytest.mark.parametrize(
    "graph", [nx.complete_graph(5), nx.complete_bipartite_graph(3, 3), nx.petersen_graph()], ids=str
)
def test_nonplanar_graphs_have_no_faces(graph: Any) -> None:
    assert planar_faces(len(graph), edges_of(graph)) is None


def has_rotation(positions: Any, order: int) -> bool:
    """Return whether a rotation of that order maps the set of positions to itself."""
    here = np.array(positions) - np.mean(positions, axis=0)
    angle = 2 * math.pi / order
    image = here @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return all(np.linalg.norm(here - spot, axis=1).min() < 0.01 for spot in image)


@pytest.mark.parametrize(
    ("graph", "order", "crossings"),
    [
        (nx.petersen_graph(), 5, 5),
        (nx.cubical_graph(), 4, 0),
        (nx.dodecahedral_graph(), 5, 0),
        (nx.wheel_graph(9), 8, 0),
        (nx.octahedral_graph(), 3, 0),
        (nx.cycle_graph(7), 7, 0),
    ],
    ids=["petersen", "cube", "dodecahedron", "wheel", "octahedron", "cycle"],
)
def test_symmetric_graphs_look_symmetric(graph: Any, order: int, crossings: int) -> None:
    edges = edges_of(graph)
    positions = lay_out_graph(len(graph), edges)
    assert has_rotation(positions, order)
    assert not has_rotation(positions, order + 1)
    assert count_crossings(np.array(positions), edges) == crossings


def test_layouts_are_reproducible() -> None:
    edges = edges_of(nx.gnm_random_graph(20, 34, seed=3))
    first = lay_out_graph(20, edges)
    _lay_out.cache_clear()
    assert lay_out_graph(20, edges) == first
    assert lay_out_graph(20, [(b, a) for a, b in edges]) == first


def test_layouts_without_networkx(monkeypatch: pytest.MonkeyPatch) -> None:
    edges = edges_of(nx.cubical_graph())
    monkeypatch.setitem(sys.modules, "networkx", None)
    assert planar_faces(8, edges) is None
    _lay_out.cache_clear()
    positions = lay_out_graph(8, edges)
    _lay_out.cache_clear()
    assert min_distance(np.array(positions)) > 0.2


def test_components_are_side_by_side() -> None:
    positions = lay_out_graph(7, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5)])
    xs = [[positions[v][0] for v in part] for part in ((0, 1, 2), (3, 4, 5), (6,))]
    assert max(xs[0]) + 1 < min(xs[1])
    assert max(xs[1]) + 1 < min(xs[2])


def test_boards_are_laid_out() -> None:
    board = lay_out_board(sl.puzzle("graph 0-1 1-2 2-3 3-0 4-5 5-6 6-7 7-4 0-4 1-5 2-6 3-7").board)
    assert plain_crossings(board.positions, board.edges) == 0
    assert min_distance(np.array(board.positions)) >= 1.299


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 90), st.integers(0, 10**6))
def test_distances_match_networkx(size: int, seed: int) -> None:
    graph = nx.gnm_random_graph(size, size + seed % size, seed=seed)
    plain = np.full((size, size), np.inf)
    for a, row in nx.all_pairs_shortest_path_length(graph):
        for b, distance in row.items():
            plain[a, b] = distance
    assert np.array_equal(all_distances(size, edges_of(graph)), plain)


def descend(distances: Any, seed: int) -> float:
    """Return the stress that stochastic gradient descent reaches (Zheng et al. 2019)."""
    rng = random.Random(seed)
    size = len(distances)
    here = np.array([[rng.random(), rng.random()] for _ in range(size)]) * distances.max()
    pairs = [*combinations(range(size), 2)]
    for iteration in range(60):
        rate = float(distances.max()) ** 2 * 0.9**iteration
        rng.shuffle(pairs)
        for a, b in pairs:
            between = here[a] - here[b]
            length = math.hypot(*between) or 1e-9
            step = min(1.0, rate / distances[a, b] ** 2) * (length - distances[a, b]) / 2
            move = step * between / length
            here[a] -= move
            here[b] += move
    return stress(distances, here)


@pytest.mark.parametrize("seed", range(4))
def test_stress_is_about_as_low_as_by_gradient_descent(seed: int) -> None:
    graph = nx.gnm_random_graph(24, 34, seed=seed)
    graph = nx.convert_node_labels_to_integers(graph.subgraph(max(nx.connected_components(graph), key=len)))
    distances = all_distances(len(graph), edges_of(graph))
    best = min(descend(distances, start) for start in range(2))
    assert stress(distances, minimize_stress(distances)) < 1.15 * best


@pytest.mark.parametrize("size", [3, 8, 25])
def test_paths_are_straight_and_cycles_round(size: int) -> None:
    path = stress_layout(size, [(k, k + 1) for k in range(size - 1)])
    for a, b in combinations(range(size), 2):
        assert math.dist(path[a], path[b]) == pytest.approx(b - a, rel=0.01)
    ring = stress_layout(size, [(k, (k + 1) % size) for k in range(size)])
    radii = np.linalg.norm(ring - ring.mean(axis=0), axis=1)
    assert radii == pytest.approx(radii.mean(), rel=0.02)
    for k in range(size):
        assert math.dist(ring[k], ring[k - 1]) == pytest.approx(1, rel=0.05)


def test_large_graphs_in_single_precision() -> None:
    graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(22, 22))
    positions = stress_layout(484, edges_of(graph))
    assert plain_crossings(positions[:60], [e for e in edges_of(graph) if max(e) < 60]) == 0
    lengths = [math.dist(positions[a], positions[b]) for a, b in edges_of(graph)]
    assert max(lengths) < 2 * min(lengths)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=12))
def test_isotonic_regression_matches_the_min_max_formula(values: list[float]) -> None:
    def mean(first: int, last: int) -> float:
        return sum(values[first : last + 1]) / (last + 1 - first)

    size = len(values)
    for place, value in enumerate(isotonic_regression(values)):
        plain = max(min(mean(j, k) for k in range(place, size)) for j in range(place + 1))
        assert value == pytest.approx(plain, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 40), st.integers(0, 10**6))
def test_layers(size: int, seed: int) -> None:
    graph = nx.gnm_random_graph(size, 2 * size, seed=seed)
    graph = nx.convert_node_labels_to_integers(
        graph.subgraph(nx.node_connected_component(graph, 0)), ordering="sorted"
    )
    distance = nx.single_source_shortest_path_length(graph, 0)
    distances = [distance[v] for v in range(len(graph))]
    edges = edges_of(graph)
    positions = layered_layout(distances, edges)
    for a, b in combinations(range(len(graph)), 2):
        assert (positions[a][0] < positions[b][0]) == (distances[a] < distances[b])
        if distances[a] == distances[b]:
            assert abs(positions[a][1] - positions[b][1]) > 0.999
    columns = [
        sorted((v for v in distance if distance[v] == k), key=lambda v: positions[v][1])
        for k in range(max(distances) + 1)
    ]
    after = [[w for w in graph[v] if distance[w] > distance[v]] for v in range(len(graph))]
    between = [edge for edge in edges if distances[edge[0]] != distances[edge[1]]]
    assert _count_crossings(columns, after) == plain_crossings(positions, between)


def test_layers_of_a_tree_have_no_crossings() -> None:
    tree = nx.balanced_tree(3, 3)
    mixed = [*range(1, len(tree))]
    random.Random(1).shuffle(mixed)
    tree = nx.relabel_nodes(tree, dict(enumerate([0, *mixed])))
    distance = nx.single_source_shortest_path_length(tree, 0)
    positions = layered_layout([distance[v] for v in range(len(tree))], edges_of(tree))
    assert plain_crossings(positions, edges_of(tree)) == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 60), st.integers(0, 10**6))
def test_pushing_apart(size: int, seed: int) -> None:
    positions = np.random.default_rng(seed).integers(0, 6, (size, 2)).astype(float)
    assert min_distance(push_apart(positions, 0.3)) >= 0.3 - 1e-9


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=40), st.booleans())
def test_min_distance_matches_all_pairs(points: list[tuple[int, int]], rotated: bool) -> None:
    rotation = np.array([[0.6, 0.8], [-0.8, 0.6]]) if rotated else np.eye(2)
    positions = np.array(points, dtype=float) @ rotation
    assert min_distance(positions) == pytest.approx(
        min(math.dist(a, b) for a, b in combinations(positions, 2))
    )


def test_min_distance_takes_little_memory() -> None:
    columns = np.array([(k // 4_000, k % 4_000) for k in range(20_000)], dtype=float)
    columns[777] += (0.0, 0.25)
    tracemalloc.start()
    try:
        assert min_distance(columns) == 0.75
        assert tracemalloc.get_traced_memory()[1] < 20_000_000  # all pairs would take 3,200 million
    finally:
        tracemalloc.stop()


K33 = [(a, b) for a in range(3) for b in range(3, 6)]
SQUARE = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]


def is_similar(one: Any, other: Any) -> bool:
    """Return whether two drawings differ only in scale and position."""
    here, there = (np.array(each) - np.mean(each, axis=0) for each in (one, other))
    return np.allclose(here / np.abs(here).max(), there / np.abs(there).max(), atol=1e-3)


@pytest.mark.parametrize("radius", [1.0, 2.5])
@pytest.mark.parametrize("first", [0.0, 0.3])
def test_given_polygons_are_kept(radius: float, first: float) -> None:
    # With radius 1 and six vertices it is as large as the default one.
    angles = [first + math.tau * k / 6 for k in range(6)]
    chosen = [(radius * math.cos(t), radius * math.sin(t)) for t in angles]
    assert is_similar(lay_out_board(from_edges(K33, positions=chosen)).positions, chosen)
    assert not is_similar(lay_out_board(from_edges(K33)).positions, chosen)


@pytest.mark.parametrize("text", ["path(6)", "theta(1,2,2)", "cycle(5)", "complete(5)"])
def test_given_positions_of_families_are_kept(text: str) -> None:
    board = sl.puzzle(text).board
    chosen = [(3.0 * k, float(k * k % 7)) for k in range(board.size)]
    assert is_similar(lay_out_board(from_edges(board.edges, positions=chosen)).positions, chosen)


@pytest.mark.parametrize(
    "graph",
    [nx.petersen_graph(), nx.dodecahedral_graph(), nx.gnm_random_graph(30, 50, seed=2), nx.path_graph(9)],
    ids=str,
)
@pytest.mark.parametrize("seed", range(3))
def test_spring_layouts_of_networkx_are_enlarged(graph: Any, seed: int) -> None:
    positions = nx.spring_layout(graph, seed=seed)
    nx.set_node_attributes(graph, positions, "pos")
    board = lay_out_board(from_networkx(graph))
    assert is_similar(board.positions, [positions[v] for v in sorted(positions)])
    assert min_distance(np.array(board.positions)) >= 0.9
    assert lay_out_board(board).positions == board.positions


@pytest.mark.parametrize("scale", [1e-320, 1e-9, 0.2, 40.0, 500.0, 1e300])
def test_given_positions_in_any_unit(scale: float) -> None:
    corners = [(0.0, 0.0), (scale, 0.0), (scale, scale), (0.0, scale)]
    board = lay_out_board(from_edges(SQUARE, positions=corners))
    assert board.positions == ((0.0, 0.0), (1.3, 0.0), (1.3, 1.3), (0.0, 1.3))
    assert lay_out_board(board).positions == board.positions


def test_given_positions_of_good_scale_are_kept_exactly() -> None:
    corners = ((3.0, 1.0), (4.0, 1.0), (4.0, 2.5), (3.0, 2.5))
    assert lay_out_board(from_edges(SQUARE, positions=corners)).positions == corners


def test_given_positions_far_from_the_origin() -> None:
    corners = [(1e15, 0.0), (1e15 + 1, 0.0), (1e15 + 1, 1.0), (1e15, 1.0)]
    assert lay_out_board(from_edges(SQUARE, positions=corners)).positions[2] == (1.3, 1.3)


def test_given_positions_without_edges() -> None:
    board = lay_out_board(from_edges([], vertices=4, positions=[(0, 0), (90, 0), (90, 90), (0, 90)]))
    assert 0.9 <= min_distance(np.array(board.positions)) <= 1.6


def test_equal_positions_are_ignored() -> None:
    board = from_edges(SQUARE, positions=[(5.0, 5.0)] * 4)
    assert lay_out_board(board).positions == lay_out_board(from_edges(SQUARE)).positions


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 2), min_size=4, max_size=4))
def test_any_positions_are_drawn_or_refused(positions: Any) -> None:
    try:
        board = lay_out_board(from_edges(SQUARE, positions=positions))
    except NotationError:
        return
    assert all(abs(value) <= 100_000 for place in board.positions for value in place)


@pytest.mark.parametrize("size", [5, 5_000])
def test_huge_drawings_are_refused(size: int) -> None:
    positions = [(float(k), 0.0) for k in range(size - 1)]
    board = from_edges([(k, k + 1) for k in range(size - 1)], positions=[*positions, (1e300, 0.0)])
    with pytest.raises(
        NotationError, match=r"expected positions at most .* edges apart, got .*e\+"
    ) as caught:
        lay_out_board(board)
    assert "\n" not in str(caught.value)


def test_complete_graphs() -> None:
    four, five = (lay_out_board(sl.puzzle(f"complete({n})").board) for n in (4, 5))
    assert plain_crossings(four.positions, four.edges) == 0
    assert has_rotation(five.positions, 5)
