"""Pictures of puzzles: complete, inside the frame, and reproducible."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import slidelab as sl
from draw.test_scene import SVG, parsed, pixels
from rules.test_foreign_rule import Blocks
from slidelab.boards import hamiltonian_cycle, random_hexagons
from slidelab.draw.glyphs import has_glyph
from slidelab.draw.marks import Group, Mark
from slidelab.draw.picture import board as board_module
from slidelab.draw.picture.board import cell_size, draw, lay_out_configuration, orbit_cells, storyboard
from slidelab.draw.picture.bodies import rigid_form
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.motions import move_motion
from slidelab.draw.picture.pieces import (
    PieceStyle,
    _initials,
    all_parts,
    piece_parts,
    piece_styles,
    place_parts,
)
from slidelab.draw.scene import Picture
from slidelab.draw.theme import LIGHT, get_theme, mix, word_colours
from slidelab.errors import IllegalMove, NotationError

BOARDS = ["square R(4,4)", "hex P(3,4)", "king R(3,3)", "theta(2,2,3)", "cycle(5)", "path(4)", "complete(6)"]
BOARDS += ["graph 0-1 1-2 2-0 2-3 3-4", "hex F(3) gourds", "square R(3,3) gourds", "hex F(3) trimers"]
BOARDS += ["hex F(3) trimers-triangle", "hex F(2) tiles 1", "hex F(2) gourds-sharp", "graph 0 1 2 3"]


def titles(tree: ET.Element) -> list[str]:
    return [element.text or "" for element in tree.iter(f"{SVG}title")]


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
@pytest.mark.parametrize("text", BOARDS)
def test_all_cells_and_pieces_are_there(text: str, theme: str) -> None:
    puzzle = sl.puzzle(text)
    tree = parsed(draw(puzzle, theme=theme).svg)
    found = titles(tree)
    assert sum(bool(re.fullmatch(r"cell \d+", title)) for title in found) == puzzle.board.size
    assert sum(title.startswith(f"{puzzle.rule.piece} ") for title in found) == puzzle.piece_count


@pytest.mark.parametrize("text", BOARDS)
def test_nothing_is_cut_off(text: str) -> None:
    """All sides have a margin of about the same width."""
    drawn = pixels(draw(sl.puzzle(text)).png())
    paper = (drawn == 255).all(axis=2)
    rows, columns = np.nonzero(~paper.all(axis=1))[0], np.nonzero(~paper.all(axis=0))[0]
    top, bottom = rows[0], len(paper) - 1 - rows[-1]
    left, right = columns[0], paper.shape[1] - 1 - columns[-1]
    assert min(top, bottom, left, right) >= 4
    assert abs(left - right) <= 3
    assert abs(top - bottom) <= 3


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 40), st.integers(0, 10**6), st.sampled_from(["light", "dark", "print"]))
def test_random_boards(cells: int, seed: int, theme: str) -> None:
    board = random_hexagons(cells, seed)
    picture = draw(board, theme=theme)
    tree = parsed(picture.svg)
    assert sum(title.startswith("cell ") for title in titles(tree)) == cells
    assert picture.svg == draw(board, theme=theme).svg


def test_cells_have_the_positions_of_the_board() -> None:
    board = sl.board("hex F(3)")
    canvas = Canvas(board, LIGHT, 50.0)
    for a, b in board.edges:
        (ax, ay), (bx, by) = canvas.centre(a), canvas.centre(b)
        assert (ax - bx) ** 2 + (ay - by) ** 2 == pytest.approx(2500)


def test_pieces_cover_cells_and_holes_do_not() -> None:
    here = sl.position("square R(2,2) : 1 . 2 3")
    drawn = pixels(draw(here, size=100).png(2 * round(draw(here, size=100).width)))
    canvas = Canvas(here.puzzle.board, LIGHT, 100.0)
    for cell in range(4):
        x, y = canvas.centre(cell)
        colour = "#" + "".join(f"{v:02x}" for v in drawn[round(2 * y + 70), round(2 * x + 70)])
        assert colour == (LIGHT.well if cell == 1 else LIGHT.piece)


def test_numbers_and_colours() -> None:
    plain = piece_styles(sl.puzzle("square R(3,3)"), LIGHT)
    assert [style.texts for style in plain] == [(str(k),) for k in range(1, 9)]
    two = piece_styles(
        sl.puzzle("hex F(2) gourds", colours=[["red", "rose"], ["red", "red"], ["x", "7"]]), LIGHT
    )
    assert {text for style in two for text in style.texts} == {"rd", "ro", "x", "7"}
    assert len({colour for style in two for colour in style.colours}) == 4


@given(
    st.lists(st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=5), max_size=20, unique=True)
)
def test_labels_are_distinct(words: list[str]) -> None:
    words = [word for word in words if not word.isdigit()]
    labels = _initials(words)
    assert len(set(labels.values())) == len(words)
    for label in labels.values():
        assert 1 <= len(label) <= 2
        assert all(map(has_glyph, label))


def test_groups_rings_floor_cycle_and_moves() -> None:
    board = sl.board("hex F(3)")
    cycle = hamiltonian_cycle(board)
    assert cycle is not None
    plain, drawn = draw(board), draw(board, cycle=cycle)
    assert drawn.svg.count(LIGHT.accent) > plain.svg.count(LIGHT.accent) == 0
    here = sl.puzzle("hex P(3,4)").goal
    assert draw(here, rings=[0]).svg != draw(here).svg
    grouped = draw(here, groups={"left": [0, 3], "right": [2]})
    assert grouped.height > draw(here).height
    assert grouped.svg.count(f'fill="{LIGHT.accent}"') == 2 + 1  # two tiles, and the legend
    assert grouped.svg.count(f'fill="{LIGHT.palette[2]}"') == 1 + 1
    assert draw(here, groups={"hole": [11]}).svg.count(f'fill="{LIGHT.accent}"') == 1 + 1
    assert draw(here, floor=["red"] * 12).svg != draw(here, floor=["."] * 12).svg == draw(here).svg
    assert draw(here, moves=here.moves).svg.count(LIGHT.accent) == 3 * len(here.moves)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": {"a": [12]}}, "expected cells 0 to 11, got 12"),
        ({"rings": [-1]}, "expected cells 0 to 11, got -1"),
        ({"cycle": [True]}, "expected cells 0 to 11, got True"),
        ({"floor": ["red"]}, "a colour for each of 12 cells, got 1"),
        ({"size": 0}, "expected a size"),
        ({"size": float("nan")}, "expected a size"),
        ({"theme": "neon"}, "expected a theme"),
        ({"moves": ["3:2"]}, "expected a move such as"),
        ({"caption": 5}, "expected a text for the caption, got int"),
        ({"groups": {1: [0]}}, "expected a text as the name of a group, got int"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        draw(sl.puzzle("hex P(3,4)"), **options)


def test_illegal_moves() -> None:
    with pytest.raises(IllegalMove):
        draw(sl.puzzle("hex P(3,4)"), moves=["1:0>11"])
    with pytest.raises(NotationError, match="got a board"):
        draw(sl.board("hex P(3,4)"), moves=["1:0>11"])
    with pytest.raises(NotationError, match="to draw, got int"):
        draw(3)  # type: ignore[arg-type]


def test_sizes() -> None:
    assert cell_size(sl.board("square R(40,2)"), None) < 64
    assert cell_size(sl.board("square R(40,2)"), 64) == 64


def test_stories() -> None:
    solution = sl.puzzle("square R(3,3)").solve("1 2 3 4 5 6 . 7 8")
    assert solution.length == 2
    tree = parsed(storyboard(solution).svg)
    assert sum(title == "cell 0" for title in titles(tree)) == 3


def captions_of(
    monkeypatch: pytest.MonkeyPatch, solution: sl.Solution, **options: Any
) -> list[tuple[str, str]]:
    """Return the pieces and the caption of each picture of a story."""
    seen: list[tuple[str, str]] = []

    def record(here: sl.Configuration, *, caption: str, **more: Any) -> Picture:
        seen.append((here.pieces_text, caption))
        return draw(here, caption=caption, **more)

    monkeypatch.setattr(board_module, "draw", record)
    storyboard(solution, **options)
    return seen


@pytest.mark.parametrize("most", [2, 3, 7, 10, 24, 31, 32, 33, 100])
def test_long_stories_have_equal_steps(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    solution = sl.puzzle("square R(3,3)").solve("8 6 7 2 5 4 3 . 1")
    assert solution.length == 31
    seen = captions_of(monkeypatch, solution, max_pictures=most, size=8)
    assert len(seen) <= most
    assert (seen[0][1], seen[-1][1]) == ("start", "after 31 of 31: done")
    numbers = [0, *(int(text.split()[1]) for _, text in seen[1:])]
    steps = {b - a for a, b in pairwise(numbers)}
    assert len({b - a for a, b in pairwise(numbers[:-1])}) <= 1
    assert max(steps) == numbers[1]
    here, positions = solution.start, [solution.start.pieces_text]
    for move in solution.moves:
        here = here.play(move)
        positions.append(here.pieces_text)
    assert [text for text, _ in seen] == [positions[number] for number in numbers]


def test_a_story_of_no_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    goal = sl.puzzle("square R(2,2)").goal
    assert captions_of(monkeypatch, sl.Solution(goal, goal, ())) == [("1 2 3 .", "start: done")]


@pytest.mark.parametrize(
    "text",
    [
        "hex P(3,2)",
        "hex F(2)",
        "square R(3,2)",
        "hex T(3) hextiles 2",
        "graph 0-1 1-2 2-0 2-3 3-4",
        "cycle(7) gourds",
        "path(5) gourds",
        "square R(3,3) gourds",
        "hex F(2) gourds",
    ],
)
def test_orbits_against_the_puzzle_graph(text: str) -> None:
    """Two pieces are in one orbit if one can reach the cells of the other without changing the shape."""
    puzzle = sl.puzzle(text)
    goal, graph = puzzle.goal, puzzle.graph()
    reached_by = [set(cells) for cells in goal.pieces]
    for node in nx.node_connected_component(graph, goal.text):
        configuration = sl.position(node)
        if configuration.shape == goal.shape:
            for reached, cells in zip(reached_by, configuration.pieces, strict=True):
                reached.update(cells)
    groups = orbit_cells(puzzle)
    is_fixed = [reached == set(cells) for reached, cells in zip(reached_by, goal.pieces, strict=True)]
    fixed = {cell for cells, alone in zip(goal.pieces, is_fixed, strict=True) if alone for cell in cells}
    assert set(groups.pop("never exchanged", ())) == fixed
    moved = {frozenset(reached) for reached, alone in zip(reached_by, is_fixed, strict=True) if not alone}
    assert {frozenset(cells) for cells in groups.values()} == moved
    assert all(len(cells) == len(set(cells)) for cells in groups.values())


@pytest.mark.parametrize(
    "text", ["theta(0,1,5) gourds", "cycle(7) gourds", "king R(3,3) gourds", "hex F(2) gourds"]
)
def test_pieces_are_connected(text: str) -> None:
    """The pixels of each piece are connected, however far apart its cells are."""
    puzzle = sl.puzzle(text)
    here = lay_out_configuration(puzzle.goal)
    canvas = Canvas(here.puzzle.board, LIGHT, 60.0)
    for style, cells in zip(piece_styles(puzzle, LIGHT), here.pieces, strict=True):
        plain = replace(style, texts=("",) * len(cells), colours=("#000000",) * len(cells))
        points = [canvas.centre(cell) for cell in cells]
        piece = place_parts(piece_parts(here.puzzle, plain, LIGHT, 60.0), points, 60.0)
        picture = Picture(canvas.width, canvas.height, [piece], paper="#ffffff")
        dark = pixels(picture.png(round(canvas.width))).max(axis=2) < 128
        assert component_count(dark) == 1
        for x, y in points:
            assert dark[round(y), round(x)]


def component_count(dark: NDArray[np.bool_]) -> int:
    """Count the connected components of dark pixels."""
    remaining, count = {(int(y), int(x)) for y, x in np.argwhere(dark)}, 0
    while remaining:
        count += 1
        frontier = [remaining.pop()]
        while frontier:
            y, x = frontier.pop()
            neighbours = {(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)} & remaining
            remaining -= neighbours
            frontier += neighbours
    return count


def test_necks_start_inside_their_discs() -> None:
    for text in ("cycle(7) gourds", "king R(3,3) gourds"):
        puzzle = sl.puzzle(text)
        parts = piece_parts(puzzle, piece_styles(puzzle, LIGHT)[0], LIGHT, 100.0)
        disc, neck = parts[0].mark, next(part for part in parts if part.toward is not None).mark
        assert isinstance(disc, Mark)
        assert isinstance(neck, Mark)
        radius = max(x for x, _ in disc.path.points)
        for stretch in (0.8, 1.0, 1.3, 2**0.5, 3.0):
            starts = sorted(neck.path.points)[:2]
            assert all((x * stretch) ** 2 + y**2 < radius**2 for x, y in starts)


def test_floors_have_the_colours_of_the_pieces() -> None:
    puzzle = sl.puzzle("hex T(2) gourds", colours=[["a", "c"]])
    drawn = draw(puzzle, floor=["a", "b", "c"]).svg
    paint = word_colours(["a", "b", "c"], LIGHT)
    for word in "ac":
        assert paint[word] in drawn  # the end of the gourd
    for word in "abc":
        assert mix(paint[word], LIGHT.paper, 0.5) in drawn  # and the cell


def test_legends_need_a_minimum_width() -> None:
    tiny = draw(sl.board("hex P(1,1)"), size=2, caption="hello\nworld")
    assert tiny.width == 150
    assert "scale(-" not in tiny.svg
    assert tiny.height > draw(sl.board("hex P(1,1)"), size=2, caption="hello").height


@pytest.mark.parametrize("options", [{"max_pictures": 0}, {"columns": 0}, {"columns": 1.5}])
def test_bad_stories(options: dict[str, Any]) -> None:
    solution = sl.puzzle("square R(2,2)").solve("3 1 / . 2")
    with pytest.raises(NotationError, match="expected a whole number"):
        storyboard(solution, **options)
    assert storyboard(solution, size=None).svg == storyboard(solution).svg


def test_titles_name_the_position() -> None:
    here = sl.position("square R(2,2) : 3 1 . 2")
    assert titles(parsed(draw(here).svg))[0] == here.text
    assert get_theme("light") is LIGHT


FAMILIES = ["square R(20,20)", "hex F(8) hextiles 2", "hex F(12) gourds", "square R(101,1)", "path(120)"]


@pytest.mark.parametrize("text", FAMILIES)
def test_all_labels_have_one_size(text: str) -> None:
    """The digit 1 has the same outline on piece 1 and on piece 100."""
    puzzle = sl.puzzle(text)
    assert puzzle.piece_count >= 100
    parts = all_parts(lay_out_configuration(puzzle.goal).puzzle, LIGHT, 20.0)
    one, hundred = parts[0][-1].mark, parts[99][-1].mark
    assert isinstance(one, Mark)
    assert isinstance(hundred, Group)
    first = hundred.items[0]
    assert isinstance(first, Group)
    assert first.items == (one,)


def test_numbers_of_cells_have_one_size() -> None:
    board = sl.board("square R(40,3)")
    wells = list(Canvas(board, LIGHT, 30.0).wells({}, {cell: str(cell) for cell in range(120)}))
    heights = set()
    for well in wells:
        assert isinstance(well, Group)
        text = well.items[-1]
        letters = text.items if isinstance(text, Group) else (text,)
        digits = [each.items[0] if isinstance(each, Group) else each for each in letters]
        for mark in digits:
            assert isinstance(mark, Mark)
            ys = [y for _, y in mark.path.points]
            heights.add(round(max(ys) - min(ys), 1))
    assert max(heights) - min(heights) < 0.4  # round digits are a little taller


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
@pytest.mark.parametrize("size", [24.0, 64.0])
def test_king_boards_show_their_diagonals(theme: str, size: float) -> None:
    """At each inner corner the colour of the wells reaches from cell to cell, under the tiles too."""
    look = get_theme(theme)
    well = [int(look.well[k : k + 2], 16) for k in (1, 3, 5)]
    for thing in ("king R(3,3)", "square R(3,3)"):
        board = sl.board(thing)
        canvas = Canvas(board, look, size)
        for drawn in (draw(sl.puzzle(thing), theme=theme, size=size), draw(board, theme=theme, size=size)):
            seen = pixels(drawn.png(4 * round(drawn.width)))
            scale = seen.shape[1] / drawn.width
            x, y = canvas.to_pixels((0.5, 0.5))
            corner = seen[round(y * scale), round(x * scale)]
            assert (np.abs(corner - well).max() < 12) == thing.startswith("king")


CROWDED = [
    "hex P(3,4)",
    "hex F(3) hextiles 4",
    "king R(3,3)",
    "hex F(2) tiles 1",
    "square R(3,3) tiles 2",
    "hex F(3) gourds",
]


@pytest.mark.parametrize("text", CROWDED)
def test_arrow_heads_do_not_overlap(text: str) -> None:
    for seed in range(3):
        here = sl.puzzle(text).shuffle(seed=seed)
        canvas = Canvas(here.puzzle.board, LIGHT, 100.0)
        motions = []
        for move in here.moves:
            leading = next(k for k, cell in enumerate(move.after) if cell in here.holes)
            motions.append((move_motion(move, here), leading))
        marks = [mark for mark in canvas.arrows(motions) if isinstance(mark, Mark)]
        heads = [np.array(mark.path.points) for mark in marks if mark.fill == LIGHT.accent]
        assert len(heads) == len(motions)
        for k, head in enumerate(heads):
            for other in heads[:k]:
                assert not overlap(head, other)


def overlap(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Return whether two convex polygons overlap: no side of either separates them."""
    for corners in (one, other):
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            normal = np.array([b[1] - a[1], a[0] - b[0]])
            p, q = one @ normal, other @ normal
            if p.max() <= q.min() or q.max() <= p.min():
                return False
    return True


@pytest.mark.parametrize("text", ["hex F(3) trimers-triangle", "square R(5,4) blocks 4"])
@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_cells_linked_in_a_cycle_are_one_body(known_rules: None, text: str, theme: str) -> None:
    """One body without a hole, in which each point has the colour of the closest cell."""
    sl.register_rule(Blocks())
    puzzle, look = sl.puzzle(text), get_theme(theme)
    cells, names = puzzle.rule.cells, ["#cc0000", "#00cc00", "#0000cc", "#cccc00"]
    style = PieceStyle(tuple(names[:cells]), ("",) * cells)
    form = rigid_form(puzzle.board, puzzle.rule)
    assert form is not None
    parts = piece_parts(puzzle, style, look, 40.0)
    for angle in (0.0, 0.4, 2.0):
        cos, sin = math.cos(angle), math.sin(angle)
        points = [(80 + 40 * (x * cos - y * sin), 80 + 40 * (x * sin + y * cos)) for x, y in form]
        seen = pixels(Picture(160, 160, [place_parts(parts, points, 40.0)], paper="#ffffff").png(160))
        body = (seen != 255).any(axis=2)
        assert component_count(body) == 1
        assert component_count(~body) == 1
        for p, q in product(points, repeat=2):
            x, y = (p[0] * 0.7 + q[0] * 0.3, p[1] * 0.7 + q[1] * 0.3)
            closest = min(range(cells), key=lambda k: math.dist(points[k], (x, y)))
            expected = [int(names[closest][k : k + 2], 16) for k in (1, 3, 5)]
            assert seen[round(y), round(x)].tolist() == expected
