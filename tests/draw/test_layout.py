"""Layouts of graphs: least stress, planar and symmetric drawings, layers. Against plain second ways."""

from __future__ import annotations

import math
import random
import sys
import tracemalloc
from itertools import combinations

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


def edges_of(graph: nx.Graph) -> list[tuple[int, int]]:
    return sorted((min(edge), max(edge)) for edge in graph.edges)


def side(a, b, c) -> int:
    value = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return int(value > 1e-12) - int(value < -1e-12)


def cross(a, b, c, d) -> bool:
    """Do two lines cross each other's inside? A plain second way."""
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def plain_crossings(places, edges) -> int:
    pairs = [(e, f) for e, f in combinations(edges, 2) if not set(e) & set(f)]
    return sum(cross(*(places[v] for v in (*e, *f))) for e, f in pairs)


@st.composite
def planar_graphs(draw) -> nx.Graph:
    """A random tree and some edges that leave it planar."""
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
def test_planar_graphs_are_drawn_without_crossings(graph):
    edges = edges_of(graph)
    assert plain_crossings(lay_out_graph(len(graph), edges), edges) == 0


@settings(max_examples=40, deadline=None)
@given(planar_graphs(), st.integers(0, 20))
def test_any_face_can_be_outermost_and_relaxing_crosses_nothing(graph, which):
    edges = edges_of(graph)
    walks = planar_faces(len(graph), edges)
    assert len(graph) - len(edges) + len(walks) == 2  # Euler
    flat = tutte_layout(len(graph), walks, which % len(walks))
    assert plain_crossings(flat, edges) == 0
    assert min_distance(flat) > 1e-9
    assert plain_crossings(relax_planar(flat, edges), edges) == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(4, 12), st.integers(0, 10**6))
def test_crossings_against_the_plain_count(size, seed):
    graph = nx.gnm_random_graph(size, 2 * size, seed=seed)
    places = np.random.default_rng(seed).normal(size=(size, 2))
    assert count_crossings(places, edges_of(graph)) == plain_crossings(places, edges_of(graph))


def test_a_vertex_on_an_edge_counts():
    places = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    assert count_crossings(places, [(0, 1), (2, 3)]) == 1
    assert count_crossings(places, [(0, 2), (1, 3)]) == 0


@pytest.mark.parametrize(
    "graph", [nx.complete_graph(5), nx.complete_bipartite_graph(3, 3), nx.petersen_graph()], ids=str
)
def test_other_graphs_have_no_faces(graph):
    assert planar_faces(len(graph), edges_of(graph)) is None


def turned_alike(places, corners: int) -> bool:
    """Does a turn by a part of the circle carry the set of places into itself?"""
    here = np.array(places) - np.mean(places, axis=0)
    angle = 2 * math.pi / corners
    image = here @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return all(np.linalg.norm(here - spot, axis=1).min() < 0.01 for spot in image)


@pytest.mark.parametrize(
    ("graph", "corners", "crossed"),
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
def test_symmetric_graphs_look_symmetric(graph, corners, crossed):
    edges = edges_of(graph)
    places = lay_out_graph(len(graph), edges)
    assert turned_alike(places, corners)
    assert not turned_alike(places, corners + 1)
    assert count_crossings(np.array(places), edges) == crossed


def test_the_same_drawing_each_time():
    edges = edges_of(nx.gnm_random_graph(20, 34, seed=3))
    first = lay_out_graph(20, edges)
    _lay_out.cache_clear()
    assert lay_out_graph(20, edges) == first
    assert lay_out_graph(20, [(b, a) for a, b in edges]) == first


def test_without_networkx_there_is_still_a_drawing(monkeypatch):
    edges = edges_of(nx.cubical_graph())
    monkeypatch.setitem(sys.modules, "networkx", None)
    assert planar_faces(8, edges) is None
    _lay_out.cache_clear()
    places = lay_out_graph(8, edges)
    _lay_out.cache_clear()
    assert min_distance(np.array(places)) > 0.2


def test_parts_lie_side_by_side():
    places = lay_out_graph(7, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5)])
    xs = [[places[v][0] for v in part] for part in ((0, 1, 2), (3, 4, 5), (6,))]
    assert max(xs[0]) + 1 < min(xs[1])
    assert max(xs[1]) + 1 < min(xs[2])


def test_boards_get_their_drawing():
    board = lay_out_board(sl.puzzle("graph 0-1 1-2 2-3 3-0 4-5 5-6 6-7 7-4 0-4 1-5 2-6 3-7").board)
    assert plain_crossings(board.positions, board.edges) == 0
    assert min_distance(np.array(board.positions)) >= 1.299


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 90), st.integers(0, 10**6))
def test_steps_between_against_networkx(size, seed):
    graph = nx.gnm_random_graph(size, size + seed % size, seed=seed)
    plain = np.full((size, size), np.inf)
    for a, row in nx.all_pairs_shortest_path_length(graph):
        for b, steps in row.items():
            plain[a, b] = steps
    assert np.array_equal(all_distances(size, edges_of(graph)), plain)


def descended(steps, seed: int) -> float:
    """The stress that a plain descent, pair by pair, comes down to (Zheng and others 2019)."""
    order = random.Random(seed)
    size = len(steps)
    here = np.array([[order.random(), order.random()] for _ in range(size)]) * steps.max()
    pairs = [*combinations(range(size), 2)]
    for turn in range(60):
        rate = float(steps.max()) ** 2 * 0.9**turn
        order.shuffle(pairs)
        for a, b in pairs:
            way = here[a] - here[b]
            far = math.hypot(*way) or 1e-9
            move = min(1.0, rate / steps[a, b] ** 2) * (far - steps[a, b]) / 2 * way / far
            here[a] -= move
            here[b] += move
    return stress(steps, here)


@pytest.mark.parametrize("seed", range(4))
def test_the_stress_is_no_more_than_a_plain_descent_finds(seed):
    graph = nx.gnm_random_graph(24, 34, seed=seed)
    graph = nx.convert_node_labels_to_integers(graph.subgraph(max(nx.connected_components(graph), key=len)))
    steps = all_distances(len(graph), edges_of(graph))
    best = min(descended(steps, start) for start in range(2))
    assert stress(steps, minimize_stress(steps)) < 1.15 * best


@pytest.mark.parametrize("size", [3, 8, 25])
def test_a_path_is_straight_and_a_cycle_round(size):
    path = stress_layout(size, [(k, k + 1) for k in range(size - 1)])
    for a, b in combinations(range(size), 2):
        assert math.dist(path[a], path[b]) == pytest.approx(b - a, rel=0.01)
    ring = stress_layout(size, [(k, (k + 1) % size) for k in range(size)])
    radii = np.linalg.norm(ring - ring.mean(axis=0), axis=1)
    assert radii == pytest.approx(radii.mean(), rel=0.02)
    for k in range(size):
        assert math.dist(ring[k], ring[k - 1]) == pytest.approx(1, rel=0.05)


def test_many_vertices_in_half_the_digits():
    graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(22, 22))
    places = stress_layout(484, edges_of(graph))
    assert plain_crossings(places[:60], [e for e in edges_of(graph) if max(e) < 60]) == 0
    long = [math.dist(places[a], places[b]) for a, b in edges_of(graph)]
    assert max(long) < 2 * min(long)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=12))
def test_pooling_against_the_formula_of_maxima_and_minima(values):
    def mean(first: int, last: int) -> float:
        return sum(values[first : last + 1]) / (last + 1 - first)

    size = len(values)
    for place, value in enumerate(isotonic_regression(values)):
        plain = max(min(mean(j, k) for k in range(place, size)) for j in range(place + 1))
        assert value == pytest.approx(plain, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 40), st.integers(0, 10**6))
def test_layers(size, seed):
    graph = nx.gnm_random_graph(size, 2 * size, seed=seed)
    graph = nx.convert_node_labels_to_integers(
        graph.subgraph(nx.node_connected_component(graph, 0)), ordering="sorted"
    )
    far = nx.single_source_shortest_path_length(graph, 0)
    distances = [far[v] for v in range(len(graph))]
    edges = edges_of(graph)
    places = layered_layout(distances, edges)
    for a, b in combinations(range(len(graph)), 2):
        assert (places[a][0] < places[b][0]) == (distances[a] < distances[b])
        if distances[a] == distances[b]:
            assert abs(places[a][1] - places[b][1]) > 0.999
    columns = [
        sorted((v for v in far if far[v] == k), key=lambda v: places[v][1]) for k in range(max(distances) + 1)
    ]
    after = [[w for w in graph[v] if far[w] > far[v]] for v in range(len(graph))]
    between = [edge for edge in edges if distances[edge[0]] != distances[edge[1]]]
    assert _count_crossings(columns, after) == plain_crossings(places, between)


def test_a_tree_in_layers_crosses_nothing():
    tree = nx.balanced_tree(3, 3)
    mixed = [*range(1, len(tree))]
    random.Random(1).shuffle(mixed)
    tree = nx.relabel_nodes(tree, dict(enumerate([0, *mixed])))
    far = nx.single_source_shortest_path_length(tree, 0)
    places = layered_layout([far[v] for v in range(len(tree))], edges_of(tree))
    assert plain_crossings(places, edges_of(tree)) == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 60), st.integers(0, 10**6))
def test_pushed_apart(size, seed):
    places = np.random.default_rng(seed).integers(0, 6, (size, 2)).astype(float)
    assert min_distance(push_apart(places, 0.3)) >= 0.3 - 1e-9


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=40), st.booleans())
def test_the_nearest_two_against_all_pairs(spots, turned):
    places = np.array(spots, dtype=float) @ (np.array([[0.6, 0.8], [-0.8, 0.6]]) if turned else np.eye(2))
    assert min_distance(places) == pytest.approx(min(math.dist(a, b) for a, b in combinations(places, 2)))


def test_the_nearest_two_of_many_take_little_memory():
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


def same_shape(one, other) -> bool:
    """Is one drawing the other, larger or smaller and elsewhere?"""
    here, there = (np.array(each) - np.mean(each, axis=0) for each in (one, other))
    return np.allclose(here / np.abs(here).max(), there / np.abs(there).max(), atol=1e-3)


@pytest.mark.parametrize("radius", [1.0, 2.5])
@pytest.mark.parametrize("first", [0.0, 0.3])
def test_a_polygon_that_somebody_chose_stays_one(radius, first):
    # With radius 1 and six vertices it is as large as the one that nobody chose.
    angles = [first + math.tau * k / 6 for k in range(6)]
    chosen = [(radius * math.cos(t), radius * math.sin(t)) for t in angles]
    assert same_shape(lay_out_board(from_edges(K33, positions=chosen)).positions, chosen)
    assert not same_shape(lay_out_board(from_edges(K33)).positions, chosen)


@pytest.mark.parametrize("text", ["path(6)", "theta(1,2,2)", "cycle(5)", "complete(5)"])
def test_places_that_somebody_chose_for_a_family_stay(text):
    board = sl.puzzle(text).board
    chosen = [(3.0 * k, float(k * k % 7)) for k in range(board.size)]
    assert same_shape(lay_out_board(from_edges(board.edges, positions=chosen)).positions, chosen)


@pytest.mark.parametrize(
    "graph",
    [nx.petersen_graph(), nx.dodecahedral_graph(), nx.gnm_random_graph(30, 50, seed=2), nx.path_graph(9)],
    ids=str,
)
@pytest.mark.parametrize("seed", range(3))
def test_springs_of_networkx_are_large_enough(graph, seed):
    places = nx.spring_layout(graph, seed=seed)
    nx.set_node_attributes(graph, places, "pos")
    board = lay_out_board(from_networkx(graph))
    assert same_shape(board.positions, [places[v] for v in sorted(places)])
    assert min_distance(np.array(board.positions)) >= 0.9
    assert lay_out_board(board).positions == board.positions


@pytest.mark.parametrize("scale", [1e-320, 1e-9, 0.2, 40.0, 500.0, 1e300])
def test_places_in_any_unit(scale):
    corners = [(0.0, 0.0), (scale, 0.0), (scale, scale), (0.0, scale)]
    board = lay_out_board(from_edges(SQUARE, positions=corners))
    assert board.positions == ((0.0, 0.0), (1.3, 0.0), (1.3, 1.3), (0.0, 1.3))
    assert lay_out_board(board).positions == board.positions


def test_places_of_a_good_size_stay_exactly():
    corners = ((3.0, 1.0), (4.0, 1.0), (4.0, 2.5), (3.0, 2.5))
    assert lay_out_board(from_edges(SQUARE, positions=corners)).positions == corners


def test_places_far_from_the_origin_come_near():
    corners = [(1e15, 0.0), (1e15 + 1, 0.0), (1e15 + 1, 1.0), (1e15, 1.0)]
    assert lay_out_board(from_edges(SQUARE, positions=corners)).positions[2] == (1.3, 1.3)


def test_without_edges_places_get_a_size_too():
    board = lay_out_board(from_edges([], vertices=4, positions=[(0, 0), (90, 0), (90, 90), (0, 90)]))
    assert 0.9 <= min_distance(np.array(board.positions)) <= 1.6


def test_all_in_one_spot_is_no_choice():
    board = from_edges(SQUARE, positions=[(5.0, 5.0)] * 4)
    assert lay_out_board(board).positions == lay_out_board(from_edges(SQUARE)).positions


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 2), min_size=4, max_size=4))
def test_any_numbers_are_drawn_or_refused(places):
    try:
        board = lay_out_board(from_edges(SQUARE, positions=places))
    except NotationError:
        return
    assert all(abs(value) <= 100_000 for place in board.positions for value in place)


@pytest.mark.parametrize("size", [5, 5_000])
def test_places_that_fit_on_no_paper_are_refused(size):
    places = [(float(k), 0.0) for k in range(size - 1)]
    board = from_edges([(k, k + 1) for k in range(size - 1)], positions=[*places, (1e300, 0.0)])
    with pytest.raises(
        NotationError, match=r"expected positions at most .* edges apart, got .*e\+"
    ) as caught:
        lay_out_board(board)
    assert "\n" not in str(caught.value)


def test_four_vertices_joined_in_all_ways_cross_nothing():
    four, five = (lay_out_board(sl.puzzle(f"complete({n})").board) for n in (4, 5))
    assert plain_crossings(four.positions, four.edges) == 0
    assert turned_alike(five.positions, 5)
