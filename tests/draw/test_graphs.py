"""Pictures of puzzle graphs and gain graphs, read back from their SVG and compared with networkx."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist
from pathlib import Path
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


def group(picture: Picture, key: str) -> ElementTree.Element:
    found = [g for g in ElementTree.fromstring(picture.svg).iter(f"{SVG}g") if g.get("id") == key]
    assert len(found) == 1
    return found[0]


def outline(picture: Picture, element: ElementTree.Element) -> str:
    """The first path in an element, also if it is written elsewhere and only used there."""
    found = next(child for child in element if child.tag in (f"{SVG}path", f"{SVG}use"))
    if found.tag == f"{SVG}path":
        return found.get("d")
    name = found.get("href").removeprefix("#")
    paths = ElementTree.fromstring(picture.svg).iter(f"{SVG}path")
    return next(path.get("d") for path in paths if path.get("id") == name)


def spot(element: ElementTree.Element) -> tuple[float, float]:
    x, y = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", "")).groups()
    return float(x), float(y)


def dots(picture: Picture) -> dict[str, tuple[tuple[float, float], int]]:
    """Place and distance of each configuration, by its text."""
    out = {}
    for child in group(picture, "configurations"):
        text, moves = re.fullmatch(r"(.*) \((\d+) moves?\)", child.find(f"{SVG}title").text).groups()
        assert text not in out
        out[text] = (spot(child), int(moves))
    return out


def lines(picture: Picture) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    moves = group(picture, "moves")
    found = re.findall(r"M(\S+) (\S+?)L(\S+) ([^M]+)", outline(picture, moves)) if len(moves) else []
    return [((float(a), float(b)), (float(c), float(d))) for a, b, c, d in found]


def short(text: str) -> str:
    return text.split(" : ")[1]


def expected(puzzle: sl.Puzzle) -> tuple[nx.Graph, dict[str, int]]:
    """The component of the goal and the distances in it, by the slow way."""
    graph = nx.relabel_nodes(puzzle.graph(), short)
    start = short(puzzle.goal.text)
    return graph.subgraph(nx.node_connected_component(graph, start)), nx.single_source_shortest_path_length(
        graph, start
    )


@pytest.mark.parametrize("text", PUZZLES)
@pytest.mark.parametrize("layout", ["force", "layers"])
def test_every_configuration_and_every_move_is_drawn_once(text, layout):
    puzzle = sl.puzzle(text)
    graph, distances = expected(puzzle)
    picture = puzzle_graph_picture(puzzle, layout=layout)
    found = dots(picture)
    assert {name: moves for name, (_, moves) in found.items()} == distances
    where = {place: name for name, (place, _) in found.items()}
    assert len(where) == len(found)
    drawn = [frozenset((where[a], where[b])) for a, b in lines(picture)]
    assert len(drawn) == graph.number_of_edges()
    assert set(drawn) == {frozenset(edge) for edge in graph.edges}


def test_coloured_pieces_share_their_dots():
    puzzle = sl.puzzle("square R(3,2)", colours=["a", "a", "b", "b", "b"])
    graph, distances = expected(puzzle)
    found = dots(puzzle_graph_picture(puzzle, miniatures=False))
    assert {name: moves for name, (_, moves) in found.items()} == distances
    assert len(lines(puzzle_graph_picture(puzzle))) == graph.number_of_edges()


def test_the_exceptional_theta_graph():
    here = explore(sl.puzzle("theta(1,2,2)").goal)
    assert (len(here.pieces), len(here.edges), max(here.distances)) == (840, 960, 29)
    picture = puzzle_graph_picture("theta(1,2,2)")
    places = [place for place, _ in dots(picture).values()]
    assert min(dist(a, b) for a, b in combinations(places, 2)) > 6
    assert all(10 < x < picture.width - 10 and 10 < y < picture.height - 10 for x, y in places)


@pytest.mark.parametrize("text", ["square R(3,2)", "hex F(2)", "hex T(3) gourds"])
def test_a_column_for_each_distance(text):
    columns: dict[float, set[int]] = {}
    found = dots(puzzle_graph_picture(text, layout="layers"))
    for (x, _), moves in found.values():
        columns.setdefault(x, set()).add(moves)
    assert all(len(moves) == 1 for moves in columns.values())
    assert [min(columns[x]) for x in sorted(columns)] == list(range(len(columns)))
    places = [place for place, _ in found.values()]
    assert min(dist(a, b) for a, b in combinations(places, 2)) > 5


def test_a_start_of_ones_own():
    start = sl.position("square R(2,2) : 3 1 . 2")
    assert dots(puzzle_graph_picture(start))["3 1 . 2"][1] == 0
    assert dots(puzzle_graph_picture("square R(2,2) : 3 1 . 2"))["3 1 . 2"][1] == 0


def test_all_components_look_alike():
    puzzle = sl.puzzle("square R(2,2)")
    picture = puzzle_graph_picture(puzzle, component="all")
    found = dots(picture)
    assert len(found) == 24
    assert len(lines(picture)) == puzzle.graph().number_of_edges()
    parts = [*nx.connected_components(nx.relabel_nodes(puzzle.graph(), short))]
    outlines = []
    for part in parts:
        places = sorted(found[name][0] for name in part)
        outlines.append([(x - places[0][0], y - places[0][1]) for x, y in places])
        assert sorted(found[name][1] for name in part) == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
    for one, other in zip(*outlines, strict=True):
        assert dist(one, other) < 0.1


def test_configurations_that_can_not_move_are_dots_of_their_own():
    picture = puzzle_graph_picture("hex T(2)", component="all")
    graph = sl.puzzle("hex T(2)").graph()
    assert len(dots(picture)) == len(graph)
    assert len(lines(picture)) == graph.number_of_edges()


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_colours_go_one_way_from_the_paper(theme):
    look = THEMES[theme]
    light = [luminance(distance_colour(look, k / 20)) for k in range(21)]
    falling = theme != "dark"
    assert light == sorted(light, reverse=falling)
    assert abs(light[0] - light[-1]) > 0.6
    for text in ("square R(2,2)", "hex T(3)"):
        ElementTree.fromstring(puzzle_graph_picture(text, theme=theme).svg)
        ElementTree.fromstring(gain_graph_picture(text, theme=theme).svg)


@pytest.mark.parametrize(
    "text", ["square R(4,4)", "hex F(2)", "hex P(4,4)", "hex T(3) gourds", "king R(3,3)"]
)
def test_tree_and_loops_of_the_gain_graph(text):
    graph = gain_graph(text)
    picture = gain_graph_picture(text)
    moving, families = graph.shapes - graph.isolated, len(graph.families())
    assert len(group(picture, "shapes")) == moving
    assert len(group(picture, "tree")) == moving - families
    assert len(group(picture, "loops")) == graph.edges - moving + families
    tree = nx.Graph((edge.source, edge.target) for edge in gain_edges(graph) if edge.in_tree)
    assert nx.is_forest(tree)
    assert sorted(map(len, nx.connected_components(tree)), reverse=True) == [n for _, n in graph.families()]


def test_a_tree_of_identities_if_there_is_one():
    edges = gain_edges(gain_graph("square R(4,4)"))
    assert all(edge.gain.is_identity == edge.in_tree for edge in edges)


def test_the_nine_cycles_of_the_fifteen_puzzle():
    golden = (Path(__file__).parents[1] / "golden" / "fifteen-slides.txt").read_text()
    slides = {frozenset(map(int, row.split())) for row in re.findall(r"^move .*\| (.*)$", golden, re.M)}
    assert len(slides) == 9
    picture = gain_graph_picture("square R(4,4)")
    titles = [g.find(f"{SVG}title").text for g in group(picture, "loops")]
    assert {frozenset(map(int, re.findall(r"\d+", title))) for title in titles} == slides
    assert len(group(picture, "gains")) == 9  # all of them have room


def test_gains_in_words_do_what_the_edge_does():
    for _, _, gain, _ in gain_graph("square R(3,3)"):
        slots = [int(word) - 1 for word in re.findall(r"\d+", format_gain(gain))]
        row = list(range(8))
        moved = row[:]
        moved.insert(gain.last, moved.pop(gain.first))  # the piece goes there, those between move up
        goes = {piece: moved.index(piece) for piece in row if moved.index(piece) != piece}
        assert goes == dict(zip(slots, slots[1:] + slots[:1], strict=True))


def test_a_shape_lies_where_its_hole_is():
    picture = gain_graph_picture("square R(4,4)")
    places = {}
    for shape in group(picture, "shapes"):
        places[int(shape.find(f"{SVG}title").text.removeprefix("holes "))] = spot(shape)
    board = sl.puzzle("square R(4,4)").board
    unit = places[1][0] - places[0][0]
    for cell, (x, y) in places.items():
        right, down = board.positions[cell]
        assert x == pytest.approx(places[0][0] + right * unit, abs=0.02)
        assert y == pytest.approx(places[0][1] + down * unit, abs=0.02)


@pytest.mark.parametrize(
    "text", ["square R(4,4)", "hex F(2)", "hex T(3) gourds", "king R(3,3)", "theta(1,2,2)"]
)
def test_labels_cover_neither_each_other_nor_shapes(text):
    picture = gain_graph_picture(text)
    boxes = []
    for key in ("gains", "shapes"):
        for element in group(picture, key):
            numbers = re.findall(r"-?[\d.]+", outline(picture, element))
            xs, ys = [*map(float, numbers[::2])], [*map(float, numbers[1::2])]
            x, y = spot(element)
            boxes.append(Box(x, y, max(xs), max(ys)))
    assert len(boxes) > 5
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    for box in boxes:
        assert box.half_width <= box.x <= picture.width - box.half_width
        assert box.half_height <= box.y <= picture.height - box.half_height


def test_many_shapes_become_dots():
    picture = gain_graph_picture("hex P(3,3) trimers")
    graph = gain_graph("hex P(3,3) trimers")
    places = [spot(shape) for shape in group(picture, "shapes")]
    assert len(places) == graph.shapes - graph.isolated > 60
    assert min(dist(a, b) for a, b in combinations(places, 2)) > 6


def test_nothing_moves():
    picture = gain_graph_picture("graph 0 1 2")
    assert len(group(picture, "shapes")) == 0
    assert len(dots(puzzle_graph_picture("graph 0 1 2"))) == 1


@pytest.mark.parametrize(
    ("make", "kind", "says"),
    [
        (lambda: puzzle_graph_picture("square R(3,3)"), TooLarge, "at most 2,000 configurations, got more"),
        (lambda: puzzle_graph_picture("square R(2,2)", limit=11), TooLarge, "at most 11 configurations"),
        (lambda: puzzle_graph_picture("theta(1,2,2)", component="all"), TooLarge, "got 5,040"),
        (lambda: puzzle_graph_picture("square R(2,2)", layout="round"), NotationError, "layout"),
        (lambda: puzzle_graph_picture("square R(2,2)", component="some"), NotationError, "component"),
        (lambda: puzzle_graph_picture("square R(2,2)", size=5), NotationError, "100 to 20000 pixels"),
        (lambda: puzzle_graph_picture("square R(2,2)", limit=0), NotationError, "positive"),
        (lambda: puzzle_graph_picture("square R(2,2)", theme="neon"), NotationError, "theme"),
        (lambda: puzzle_graph_picture(7), NotationError, "a puzzle or a configuration, got int"),
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
def test_refusals_are_one_line(make, kind, says):
    with pytest.raises(kind) as caught:
        make()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "--" not in str(caught.value)  # pictures know no command line


def test_what_is_refused_is_not_laid_out(monkeypatch):
    monkeypatch.setattr(nodes, "lay_out_graph", None)
    monkeypatch.setattr(gain_pictures, "gain_edges", None)
    with pytest.raises(TooLarge, match="in layers a larger limit allows more"):
        puzzle_graph_picture("theta(1,2,3)", limit=5_000)
    with pytest.raises(TooLarge, match="a larger limit allows more"):
        gain_graph_picture("hex P(4,4)", limit=10)


def test_layers_show_more_than_force_can():
    picture = puzzle_graph_picture("theta(1,2,2)", layout="layers", component="all", limit=5_040)
    assert len(dots(picture)) == 5_040


def test_a_known_gain_graph_is_not_computed_again(monkeypatch):
    graph, large = gain_graph("square R(3,3)"), gain_graph("hex F(3) gourds")
    expected = gain_graph_picture("square R(3,3)").svg
    monkeypatch.setattr(gain_pictures, "gain_graph", None)
    assert gain_graph_picture(graph).svg == expected
    assert svg(graph) == expected
    monkeypatch.setattr(gain_pictures, "gain_edges", None)
    assert svg(large) is None


def boxes_of(picture: Picture, key: str) -> list[Box]:
    """The room that each vertex takes."""
    out = []
    for element in group(picture, key):
        numbers = [*map(float, re.findall(r"-?[\d.]+", outline(picture, element)))]
        out.append(Box(*spot(element), max(numbers[::2]), max(numbers[1::2])))
    return out


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
def test_there_is_room_for_every_shape(text, options):
    picture = gain_graph_picture(text, **options)
    boxes = boxes_of(picture, "shapes")
    assert len(boxes) == sl.puzzle(text).board.size
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    for box in boxes:
        assert box.half_width <= box.x <= picture.width - box.half_width
        assert box.half_height <= box.y <= picture.height - box.half_height
    # Nothing is mirrored: the first shape is that of the hole at the left.
    if text != "square R(1,60)":
        first, last = (boxes[shape].x for shape in (0, -1))
        assert first < last
    has_cards = len(group(picture, "shapes")[0].findall(f"{SVG}g")) > 0
    assert has_cards == bool(options.get("miniatures"))


def test_configurations_that_must_be_seen_have_room():
    picture = puzzle_graph_picture("square R(3,2)", size=100, miniatures=True, limit=400)
    for one, other in combinations(boxes_of(picture, "configurations"), 2):
        assert not one.overlaps(other)


def test_exactly_the_limit_is_fine():
    assert len(dots(puzzle_graph_picture("square R(2,2)", limit=12))) == 12


def test_arrowheads_show_which_way_a_gain_leads():
    """The nine cycles of the 15-puzzle are no inverses of themselves; each head is nearer to its target."""
    graph = gain_graph("square R(4,4)")
    ways = group(gain_graph_picture(graph), "directions")
    heads = [[float(n) for n in re.findall(r"-?[\d.]+", mark.get("d"))] for mark in ways]
    longer = [edge for edge in gain_edges(graph) if len(edge.gain.cycle()) > 2]
    assert len(heads) == len(longer) == 9
    for edge, (x, y, *back) in zip(longer, heads, strict=True):
        (source,), (target,) = graph.holes(edge.source), graph.holes(edge.target)
        middle = ((back[0] + back[2]) / 2, (back[1] + back[3]) / 2)
        board = graph.puzzle.board
        way = [b - a for a, b in zip(board.positions[source], board.positions[target], strict=True)]
        assert (x - middle[0]) * way[0] + (y - middle[1]) * way[1] > 0
