"""What a notebook shows: pictures of everything, texts of what is too large."""

from __future__ import annotations

import html
import re

import pytest

import slidelab as sl
from draw.test_scene import parsed


@pytest.mark.parametrize("text", ["square R(3,3)", "hex F(3) gourds", "theta(1,2,2)", "king R(3,3)"])
def test_boards_puzzles_and_configurations(text):
    puzzle = sl.puzzle(text)
    for thing in (puzzle, puzzle.board, puzzle.goal):
        parsed(thing._repr_svg_())


def test_too_large_for_a_picture():
    assert sl.board("square R(60,60)")._repr_svg_() is None
    assert sl.puzzle("square R(60,60)")._repr_svg_() is None


def test_pieces_that_can_not_be_laid():
    assert sl.puzzle("graph 0 1 2 gourds 1", colours=["a"])._repr_svg_() is None


def test_solutions_are_pages_in_a_frame():
    solution = sl.puzzle("square R(2,2)").solve("3 1 / . 2")
    shown = solution._repr_html_()
    page = re.fullmatch(
        r'<iframe srcdoc="([^"]*)" title="[^"]*" sandbox="allow-scripts" style="[^"]*"></iframe>', shown
    )
    assert page
    assert html.unescape(page[1]).lstrip().lower().startswith("<!doctype html>")


def test_solutions_too_long_to_be_played():
    puzzle = sl.puzzle("square R(2,2)")
    there, back = sl.Move(3, (2,), (3,)), sl.Move(3, (3,), (2,))
    long = sl.Solution(puzzle.goal, puzzle.goal, (there, back) * 3000)
    shown = long._repr_html_()
    assert "<iframe" not in shown
    parsed(shown[: shown.index("<pre>")])
    assert "solution in 6000 moves" in shown


def test_analyses_are_tables_with_a_picture():
    shown = sl.puzzle("hex P(3,3)").analyze()._repr_html_()
    parsed(shown[shown.index("<svg") : shown.index("</svg>") + 6])
    rows = re.findall(r"<tr><th[^>]*>([^<]*)</th><td[^>]*>([^<]*)</td></tr>", shown)
    assert len(rows) > 5
    assert "1,008" in dict(rows)["components"]


def test_analyses_by_theorem_alone_are_tables():
    shown = sl.puzzle("square R(20,20) tiles 10").analyze()._repr_html_()
    assert "<svg" not in shown
    assert "<table>" in shown


def test_pictures_show_themselves():
    picture = sl.puzzle("square R(2,2)").goal.draw()
    assert picture._repr_svg_() == picture.svg
    assert repr(picture) == "<picture of 'square R(2,2) tiles 1 : 1 2 3 .', 174 x 174>"
