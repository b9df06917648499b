"""Pictures of puzzle graphs and gain graphs, read from their SVG and compared with networkx."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest

import slidelab as sl
from slidelab.draw.graph import gain_graph as gain_pictures
from slidelab.draw.graph import nodes
from slidelab.draw.graph.exploration import explore
from slidelab.draw.graph.gain_graph import format_gain, gain_edges, gain_graph_picture
from slidelab.draw.graph.nodes import Box
from slidelab.draw.graph.puzzle_graph import distance_colour, puzzle_graph_picture
from slidelab.draw.notebook import svg
from slidelab.draw.scene import Picture
from slidelab.draw.theme import THEMES, luminance
from slidelab.errors import NotationError, TooLarge
from slidelab.gains import gain_graph

SVG = "{http://www.w3.org/2000/svg}"
PUZZLES = [
    "square R(2,2)",
    "square R(3,2)",
    "hex F(2)",
    "hex T(3)",
    "hex T(3) gourds",
    "theta(1,1,2)",
    "path(4)",
]


def group(picture: Picture, name: str) -> ElementTree.Element:
    found = [g for g in ElementTree.fromstring(picture.svg).iter(f"{SVG}g") if g.get("id") == name]
    assert len(found) == 1
    return found[0]


def outline(picture: Picture, element: ElementTree.Element) -> str:
    """Return the data of the first path in an element, also if it is defined elsewhere."""
    first = next(child for child in element if child.tag in (f"{SVG}path", f"{SVG}use"))
    if first.tag == f"{SVG}path":
        return first.get("d", "")
    name = first.get("href", "").removeprefix("#")
    paths = ElementTree.fromstring(picture.svg).iter(f"{SVG}path")
    return next(path.get("d", "") for path in paths if path.get("id") == name)


def centre(element: ElementTree.Element) -> tuple[float, float]:
    ((x, y),) = re.findall(r"^translate\((\S+) (\S+)\)", element.get("transform", ""))
    return float(x), float(y)


def title(element: ElementTree.Element) -> str:
    return element.findtext(f"{SVG}title", "")


def dots(picture: Picture) -> dict[str, tuple[tuple[float, float], int]]:
    """Return position and distance of each configuration, by its text."""
    found = {}
    for child in group(picture, "configurations"):
        ((text, moves),) = re.findall(r"^(.*) \((\d+) moves?\)$", title(child))
        assert text not in found
        found[text] = (centre(child), int(moves))
    return found


def lines(picture: Picture) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    moves = group(picture, "moves")
    found = re.findall(r"M(\S+) (\S+?)L(\S+) ([^M]+)", outline(picture, moves)) if len(moves) else []
    return [((float(a), float(b)), (float(c), float(d))) for a, b, c, d in found]


def short(text: str) -> str:
    return text.split(" : ")[1]


def expected(puzzle: sl.Puzzle) -> tuple[Any, dict[str, int]]:
    """Return the component of the goal and the distances in it, computed by networkx."""
    graph = nx.relabel_nodes(puzzle.graph(), short)
    start = short(puzzle.goal.text)
    component = graph.subgraph(nx.node_connected_component(graph, start))
    return component, dict(nx.single_source_shortest_path_length(graph, start))


@pytest.mark.parametrize("text", PUZZLES)
@pytest.mark.parametrize("layout", ["force", "layers"])
def test_every_configuration_and_every_move_is_drawn_once(text: str, layout: Any) -> None:
    puzzle = sl.puzzle(text)
    graph, distances = expected(puzzle)
    picture = puzzle_graph_picture(puzzle, layout=layout)
    found = dots(picture)
    assert {name: moves for name, (_, moves) in found.items()} == distances
    name_at = {position: name for name, (position, _) in found.items()}
    assert len(name_at) == len(found)
    drawn = [frozenset((name_at[a], name_at[b])) for a, b in lines(picture)]
    assert len(drawn) == graph.number_of_edges()
    assert set(drawn) == {frozenset(edge) for edge in graph.edges}


def test_coloured_pieces_share_their_dots() -> None:
    puzzle = sl.puzzle("square R(3,2)", colours=["a", "a", "b", "b", "b"])
    graph, distances = expected(puzzle)
    found = dots(puzzle_graph_picture(puzzle, miniatures=False))
    assert {name: moves for name, (_, moves) in found.items()} == distances
    assert len(lines(puzzle_graph_picture(puzzle))) == graph.number_of_edges()


def test_the_exceptional_theta_graph() -> None:
    component = explore(sl.puzzle("theta(1,2,2)").goal)
    sizes = len(component.configurations), len(component.edges), max(component.distances)
    assert sizes == (840, 960, 29)
    picture = puzzle_graph_picture("theta(1,2,2)")
    positions = [position for position, _ in dots(picture).values()]
    assert min(dist(a, b) for a, b in combinations(positions, 2)) > 6
    assert all(10 < x < picture.width - 10 and 10 < y < picture.height - 10 for x, y in positions)


@pytest.mark.parametrize("text", ["square R(3,2)", "hex F(2)", "hex T(3) gourds"])
def test_a_column_for_each_distance(text: str) -> None:
    columns: dict[float, set[int]] = {}
    found = dots(puzzle_graph_picture(text, layout="layers"))
    for (x, _), moves in found.values():
        columns.setdefault(x, set()).add(moves)
    assert all(len(moves) == 1 for moves in columns.values())
    assert [min(columns[x]) for x in sorted(columns)] == list(range(len(columns)))
    positions = [position for position, _ in found.values()]
    assert min(dist(a, b) for a, b in combinations(positions, 2)) > 5


def test_other_starts() -> None:
    start = sl.position("square R(2,2) : 3 1 . 2")
    assert dots(puzzle_graph_picture(start))["3 1 . 2"][1] == 0
    assert dots(puzzle_graph_picture("square R(2,2) : 3 1 . 2"))["3 1 . 2"][1] == 0


def test_all_components_look_alike() -> None:
    puzzle = sl.puzzle("square R(2,2)")
    picture = puzzle_graph_picture(puzzle, component="all")
    found = dots(picture)
    assert len(found) == 24
    assert len(lines(picture)) == puzzle.graph().number_of_edges()
    parts = [*nx.connected_components(nx.relabel_nodes(puzzle.graph(), short))]
    outlines = []
    for part in parts:
        positions = sorted(found[name][0] for name in part)
        outlines.append([(x - positions[0][0], y - positions[0][1]) for x, y in positions])
        assert sorted(found[name][1] for name in part) == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
    for one, other in zip(*outlines, strict=True):
        assert dist(one, other) < 0.1


def test_isolated_configurations_are_drawn() -> None:
    picture = puzzle_graph_picture("hex T(2)", component="all")
    graph = sl.puzzle("hex T(2)").graph()
    assert len(dots(picture)) == len(graph)
    assert len(lines(picture)) == graph.number_of_edges()


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_colours_are_monotone_in_luminance(theme: str) -> None:
    values = [luminance(distance_colour(THEMES[theme], k / 20)) for k in range(21)]
    assert values == sorted(values, reverse=theme != "dark")
    assert abs(values[0] - values[-1]) > 0.6
    for text in ("square R(2,2)", "hex T(3)"):
        ElementTree.fromstring(puzzle_graph_picture(text, theme=theme).svg)
        ElementTree.fromstring(gain_graph_picture(text, theme=theme).svg)


@pytest.mark.parametrize(
    "text", ["square R(4,4)", "hex F(2)", "hex P(4,4)", "hex T(3) gourds", "king R(3,3)"]
)
def test_tree_and_loops_of_the_gain_graph(text: str) -> None:
    graph = gain_graph(text)
    picture = gain_graph_picture(text)
    moving, families = graph.shapes - graph.isolated, len(graph.families())
    assert len(group(picture, "shapes")) == moving
    assert len(group(picture, "tree")) == moving - families
    assert len(group(picture, "loops")) == graph.edges - moving + families
    tree = nx.Graph((edge.source, edge.target) for edge in gain_edges(graph) if edge.in_tree)
    assert nx.is_forest(tree)
    assert sorted(map(len, nx.connected_components(tree)), reverse=True) == [n for _, n in graph.families()]


def test_trees_prefer_identity_gains() -> None:
    edges = gain_edges(gain_graph("square R(4,4)"))
    assert all(edge.gain.is_identity == edge.in_tree for edge in edges)


def test_the_nine_cycles_of_the_fifteen_puzzle() -> None:
    golden = (Path(__file__).parents[1] / "golden" / "fifteen-slides.txt").read_text()
    slides = {frozenset(map(int, row.split())) for row in re.findall(r"^move .*\| (.*)$", golden, re.M)}
    assert len(slides) == 9
    picture = gain_graph_picture("square R(4,4)")
    titles = [title(element) for element in group(picture, "loops")]
    assert {frozenset(map(int, re.findall(r"\d+", text))) for text in titles} == slides
    assert len(group(picture, "gains")) == 9  # all of them have room


def test_formatted_gains_match_the_edges() -> None:
    for _, _, gain, _ in gain_graph("square R(3,3)"):
        slots = [int(word) - 1 for word in re.findall(r"\d+", format_gain(gain))]
        row = list(range(8))
        moved = row[:]
        moved.insert(gain.last, moved.pop(gain.first))  # the pieces in between move up
        image = {piece: moved.index(piece) for piece in row if moved.index(piece) != piece}
        assert image == dict(zip(slots, slots[1:] + slots[:1], strict=True))


def test_shapes_are_drawn_at_their_holes() -> None:
    picture = gain_graph_picture("square R(4,4)")
    positions = {}
    for shape in group(picture, "shapes"):
        positions[int(title(shape).removeprefix("holes "))] = centre(shape)
    board = sl.puzzle("square R(4,4)").board
    unit = positions[1][0] - positions[0][0]
    for cell, (x, y) in positions.items():
        right, down = board.positions[cell]
        assert x == pytest.approx(positions[0][0] + right * unit, abs=0.02)
        assert y == pytest.approx(positions[0][1] + down * unit, abs=0.02)


@pytest.mark.parametrize(
    "text", ["square R(4,4)", "hex F(2)", "hex T(3) gourds", "king R(3,3)", "theta(1,2,2)"]
)
def test_labels_and_shapes_do_not_overlap(text: str) -> None:
    picture = gain_graph_picture(text)
    boxes = [*boxes_of(picture, "gains"), *boxes_of(picture, "shapes")]
    assert len(boxes) > 5
    assert_separate(boxes, picture)


def test_many_shapes_become_dots() -> None:
    picture = gain_graph_picture("hex P(3,3) trimers")
    graph = gain_graph("hex P(3,3) trimers")
    positions = [centre(shape) for shape in group(picture, "shapes")]
    assert len(positions) == graph.shapes - graph.isolated > 60
    assert min(dist(a, b) for a, b in combinations(positions, 2)) > 6


def test_puzzles_without_moves() -> None:
    picture = gain_graph_picture("graph 0 1 2")
    assert len(group(picture, "shapes")) == 0
    assert len(dots(puzzle_graph_picture("graph 0 1 2"))) == 1


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: puzzle_graph_picture("square R(3,3)"), TooLarge, "at most 2,000 configurations, got more"),
        (lambda: puzzle_graph_picture("square R(2,2)", limit=11), TooLarge, "at most 11 configurations"),
        (lambda: puzzle_graph_picture("theta(1,2,2)", component="all"), TooLarge, "got 5,040"),
        (lambda: puzzle_graph_picture("square R(2,2)", layout="round"), NotationError, "layout"),  # type: ignore[arg-type]
        (lambda: puzzle_graph_picture("square R(2,2)", component="some"), NotationError, "component"),  # type: ignore[arg-type]
        (lambda: puzzle_graph_picture("square R(2,2)", size=5), NotationError, "100 to 20000 pixels"),
        (lambda: puzzle_graph_picture("square R(2,2)", limit=0), NotationError, "positive"),
        (lambda: puzzle_graph_picture("square R(2,2)", theme="neon"), NotationError, "theme"),
        (lambda: puzzle_graph_picture(7), NotationError, "a configuration, got int"),  # type: ignore[arg-type]
        (
            lambda: gain_graph_picture("hex F(3) gourds"),
            TooLarge,
            "at most 400 shapes that can move, got 2,288",
        ),
        (lambda: gain_graph_picture("square R(2,2)", limit=True), NotationError, "positive"),
        (
            lambda: gain_graph_picture("square R(2,2)", limit=20_001),
            NotationError,
            "at most 20,000, got 20,001",
        ),
        (
            lambda: puzzle_graph_picture("theta(1,2,3)", layout="layers", limit=50_000),
            NotationError,
            "a limit of at most 20,000, got 50,000",
        ),
        (
            lambda: puzzle_graph_picture("theta(1,2,3)", limit=20_000),
            TooLarge,
            "at most 4,000 configurations, got more",
        ),
        (
            lambda: puzzle_graph_picture("theta(1,2,2)", component="all", limit=20_000),
            TooLarge,
            "at most 4,000 configurations, got 5,040",
        ),
    ],
)
def test_errors_are_one_line(make: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "--" not in str(caught.value)  # no options of the command line


def test_limits_are_checked_before_the_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "lay_out_graph", None)
    monkeypatch.setattr(gain_pictures, "gain_edges", None)
    with pytest.raises(TooLarge, match="in layers a larger limit allows more"):
        puzzle_graph_picture("theta(1,2,3)", limit=5_000)
    with pytest.raises(TooLarge, match="a larger limit allows more"):
        gain_graph_picture("hex P(4,4)", limit=10)


def test_layers_have_a_larger_limit() -> None:
    picture = puzzle_graph_picture("theta(1,2,2)", layout="layers", component="all", limit=5_040)
    assert len(dots(picture)) == 5_040


def test_a_given_gain_graph_is_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, large = gain_graph("square R(3,3)"), gain_graph("hex F(3) gourds")
    expected = gain_graph_picture("square R(3,3)").svg
    monkeypatch.setattr(gain_pictures, "gain_graph", None)
    assert gain_graph_picture(graph).svg == expected
    assert svg(graph) == expected
    monkeypatch.setattr(gain_pictures, "gain_edges", None)
    assert svg(large) is None


def boxes_of(picture: Picture, name: str) -> list[Box]:
    """Return the box of each element of a group."""
    boxes = []
    for element in group(picture, name):
        numbers = [*map(float, re.findall(r"-?[\d.]+", outline(picture, element)))]
        boxes.append(Box(*centre(element), max(numbers[::2]), max(numbers[1::2])))
    return boxes


def assert_separate(boxes: list[Box], picture: Picture) -> None:
    """Assert that boxes neither overlap nor leave the picture."""
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    for box in boxes:
        assert box.half_width <= box.x <= picture.width - box.half_width
        assert box.half_height <= box.y <= picture.height - box.half_height


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("square R(10,2)", {"size": 100}),
        ("square R(10,2)", {"size": 100, "miniatures": True}),
        ("square R(60,1)", {}),
        ("square R(1,60)", {}),
        ("square R(12,1)", {"miniatures": True}),
        ("square R(5,5)", {"size": 150}),
    ],
)
def test_shapes_do_not_overlap(text: str, options: dict[str, Any]) -> None:
    picture = gain_graph_picture(text, **options)
    boxes = boxes_of(picture, "shapes")
    assert len(boxes) == sl.puzzle(text).board.size
    assert_separate(boxes, picture)
    # Nothing is mirrored: the first shape is that of the hole at the left.
    if text != "square R(1,60)":
        first, last = (boxes[shape].x for shape in (0, -1))
        assert first < last
    has_cards = len(group(picture, "shapes")[0].findall(f"{SVG}g")) > 0
    assert has_cards == bool(options.get("miniatures"))


def test_required_miniatures_do_not_overlap() -> None:
    picture = puzzle_graph_picture("square R(3,2)", size=100, miniatures=True, limit=400)
    assert_separate(boxes_of(picture, "configurations"), picture)


def test_the_limit_is_inclusive() -> None:
    assert len(dots(puzzle_graph_picture("square R(2,2)", limit=12))) == 12


def test_arrowheads_point_to_the_target() -> None:
    """Each of the nine cycles of the 15-puzzle has a head that points along its edge."""
    graph = gain_graph("square R(4,4)")
    marks = group(gain_graph_picture(graph), "directions")
    heads = [[float(n) for n in re.findall(r"-?[\d.]+", mark.get("d", ""))] for mark in marks]
    longer = [edge for edge in gain_edges(graph) if len(edge.gain.cycle()) > 2]
    assert len(heads) == len(longer) == 9
    for edge, (x, y, *back) in zip(longer, heads, strict=True):
        (source,), (target,) = graph.holes(edge.source), graph.holes(edge.target)
        middle = ((back[0] + back[2]) / 2, (back[1] + back[3]) / 2)
        board = graph.puzzle.board
        dx, dy = (b - a for a, b in zip(board.positions[source], board.positions[target], strict=True))
        assert (x - middle[0]) * dx + (y - middle[1]) * dy > 0
