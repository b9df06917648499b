"""Notebooks show pictures of everything, and texts of what is too large."""

from __future__ import annotations

import html
import re

import pytest

import slidelab as sl
from draw.test_scene import parsed
from slidelab.budget import Budget
from slidelab.draw.picture import draw
from slidelab.draw.theme import LIGHT
from slidelab.gains import gain_graph
from slidelab.place.placement import place


@pytest.mark.parametrize("text", ["square R(3,3)", "hex F(3) gourds", "theta(1,2,2)", "king R(3,3)"])
def test_boards_puzzles_and_configurations(text: str) -> None:
    puzzle = sl.puzzle(text)
    for thing in (puzzle, puzzle.board, puzzle.goal):
        parsed(thing._repr_svg_() or "")


def test_too_large_for_a_picture() -> None:
    assert sl.board("square R(60,60)")._repr_svg_() is None
    assert sl.puzzle("square R(60,60)")._repr_svg_() is None


def test_puzzles_without_a_goal() -> None:
    assert sl.puzzle("graph 0 1 2 gourds 1", colours=["a"])._repr_svg_() is None


def test_solutions_are_players_in_a_frame() -> None:
    solution = sl.puzzle("square R(2,2)").solve("3 1 / . 2")
    shown = solution._repr_html_()
    page = re.fullmatch(
        r'<iframe srcdoc="([^"]*)" title="[^"]*" sandbox="allow-scripts" style="[^"]*"></iframe>', shown
    )
    assert page
    assert html.unescape(page[1]).lstrip().lower().startswith("<!doctype html>")


def test_long_solutions_have_no_player() -> None:
    puzzle = sl.puzzle("square R(2,2)")
    there, back = sl.Move(3, (2,), (3,)), sl.Move(3, (3,), (2,))
    long = sl.Solution(puzzle.goal, puzzle.goal, (there, back) * 3000)
    shown = long._repr_html_()
    assert "<iframe" not in shown
    parsed(shown[: shown.index("<pre>")])
    assert "solution in 6,000 moves" in shown


def test_analyses_are_tables_with_a_picture() -> None:
    shown = sl.puzzle("hex P(3,3)").analyze()._repr_html_()
    parsed(shown[shown.index("<svg") : shown.index("</svg>") + 6])
    rows = re.findall(r"<tr><th[^>]*>([^<]*)</th><td[^>]*>([^<]*)</td></tr>", shown)
    assert len(rows) > 5
    assert "1,008" in dict(rows)["components"]


def test_analyses_by_theorem_alone_are_tables() -> None:
    shown = sl.puzzle("square R(20,20) tiles 10").analyze()._repr_html_()
    assert "<svg" not in shown
    assert "<table>" in shown


def test_gain_graphs_are_pictures_unless_too_large() -> None:
    parsed(gain_graph("square R(3,3)")._repr_svg_() or "")
    assert gain_graph("hex F(3) gourds")._repr_svg_() is None  # 2,288 shapes
    assert gain_graph("square R(5,5) tiles 4")._repr_svg_() is None
    few = gain_graph("square R(2,2)", Budget(max_shapes=4))
    assert few._repr_svg_() == gain_graph("square R(2,2)")._repr_svg_()


def test_placements_show_gourds_on_coloured_cells() -> None:
    placement = place(sl.board("path(3)"), ["red", "blue", "."], [("blue", "red")])
    assert placement._repr_svg_() == placement.configuration.draw(floor=["red", "blue", "."]).svg


def test_infeasible_placements_show_the_cells_and_the_reason() -> None:
    cells, gourds = ["red", "red", "blue", "blue"], [("red", "blue")] * 2
    refused = place(sl.board("path(4)"), cells, gourds)
    assert not refused
    shown = refused._repr_svg_()
    assert shown == draw(sl.board("path(4)"), floor=cells, caption=refused.reason).svg
    full = place(sl.board("cycle(4)"), cells, gourds)  # no cell is empty: there is no such puzzle
    assert full._repr_svg_() == draw(sl.board("cycle(4)"), floor=cells, caption=full.text).svg
    many = place(sl.board("square R(60,60)"), ["red"] * 3600, [("blue", "blue")])
    assert many._repr_svg_() is None


def test_pictures_show_themselves() -> None:
    picture = sl.puzzle("square R(2,2)").goal.draw()
    assert picture._repr_svg_() == picture.svg
    assert repr(picture) == "<picture of 'square R(2,2) tiles 1 : 1 2 3 .', 174 x 174>"


def test_verdicts_show_the_pieces_of_the_certificate() -> None:
    start = sl.position("hex P(4,4) : 2 1 3 4 5 6 7 8 9 10 11 12 13 14 . .")
    verdict = start.puzzle.solvable(start)
    shown = verdict._repr_html_()
    picture = shown[: shown.index("<p>")]
    parsed(picture)
    assert verdict.reason in shown
    # in the start and in the goal
    assert picture.count(LIGHT.accent) == 2 * len(verdict.certificate["pieces"])
    assert LIGHT.accent not in start.puzzle.solvable(start.puzzle.goal)._repr_html_()
    large = sl.puzzle("square R(50,50)").goal
    assert large.puzzle.solvable(large)._repr_html_().startswith("<pre>solvable")
