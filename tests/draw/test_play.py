"""The page that can be played, as text: its data, hints, limits and escaping."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import slidelab as sl
from slidelab.budget import Budget
from slidelab.draw.page import drawing
from slidelab.draw.play import data, hints, page, play_html
from slidelab.draw.play.hints import hint_table
from slidelab.errors import NotationError, OutOfTime, PuzzleError, TooLarge


def data_of(page: str) -> dict[str, Any]:
    text = re.findall(r'<script id="data" type="application/json">(.*?)</script>', page)[0]
    found: dict[str, Any] = json.loads(text)
    return found


def test_steps_are_those_of_the_rule() -> None:
    puzzle = sl.puzzle("hex P(3,4) gourds")
    found = data_of(play_html(puzzle, hints=False))["puzzle"]
    rule, board = puzzle.rule, puzzle.board
    assert [tuple(cells) for cells in found["placements"]] == list(rule.placements(board))
    for cells, rows in zip(found["placements"], found["steps"], strict=True):
        expected = {(step.after, frozenset(step.holes)) for step in rule.steps(board, tuple(cells))}
        readings = [rule.readings(tuple(found["placements"][row[0]])) for row in rows]
        assert {(own[row[1]], frozenset(row[3])) for own, row in zip(readings, rows, strict=True)} == expected


def test_residues_are_plain_distances() -> None:
    """Numbering and distances of the 2x3 puzzle, both computed without the package."""
    goal = sl.puzzle("square R(3,2)").goal
    table = hint_table(goal)
    packed = np.frombuffer(b64decode(table.data["bytes"]), dtype=np.uint8)
    neighbours = [[1, 3], [0, 2, 4], [1, 5], [0, 4], [1, 3, 5], [2, 4]]
    distance: dict[tuple[int, ...], int] = {(1, 2, 3, 4, 5, 0): 0}
    queue = list(distance)
    for state in queue:
        hole = state.index(0)
        for cell in neighbours[hole]:
            other = list(state)
            other[hole], other[cell] = other[cell], 0
            if tuple(other) not in distance:
                distance[tuple(other)] = distance[state] + 1
                queue.append(tuple(other))
    assert table.states == len(distance) == 360
    for shape, cells in enumerate(table.shapes):
        for rank, order in enumerate(permutations(range(5))):
            tiles = dict(zip(cells, order, strict=True))
            here = tuple(tiles.get(cell, -1) + 1 for cell in range(6))
            index = shape * 120 + rank
            residue = int(packed[index // 4]) >> 2 * (index % 4) & 3
            assert residue == (distance[here] % 3 if here in distance else 3)


def test_hints_of_every_kind_of_piece_are_counted() -> None:
    gourds = hint_table(sl.puzzle("hex F(2) gourds").goal)
    assert (gourds.words, gourds.codes, len(gourds.residues)) == (6, 8, 20 * 48)
    colours = hint_table(sl.puzzle("square R(3,3)", colours=["a"] * 4 + ["b"] * 4).goal)
    assert (colours.words, colours.codes, colours.states) == (70, 1, 630)
    ends = hint_table(sl.puzzle("hex F(2) gourds", colours=[["a", "a"], ["a", "b"], ["a", "a"]]).goal)
    assert (ends.words, ends.codes) == (3, 2)


def test_limits_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    fifteen = sl.puzzle("square R(4,4)")
    assert data_of(play_html(fifteen))["hints"] is None
    with pytest.raises(TooLarge, match=r"^expected at most 12,000,000 entries in a table of hints, got "):
        play_html(fifteen, hints=True)
    eight = sl.puzzle("square R(3,3)")
    assert data_of(play_html(eight, hints=False))["hints"] is None
    assert data_of(play_html(eight, budget=Budget.of(time=0)))["hints"] is None
    with pytest.raises(OutOfTime):
        play_html(eight, hints=True, budget=Budget.of(time=0))
    with pytest.raises(TooLarge):
        hint_table(sl.puzzle("square R(60,60)", holes=3598).goal)  # six million shapes
    monkeypatch.setattr(hints, "MAX_ENTRIES", 362_879)
    with pytest.raises(TooLarge, match=r"got 362,880 or more"):
        hint_table(eight.goal)


def test_pages_without_a_table_say_why() -> None:
    lines: list[str] = []
    fifteen = sl.puzzle("square R(4,4)")
    data = data_of(play_html(fifteen, "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 .", report=lines.append))
    assert (data["searches"], data["isSolvable"]) == (True, False)
    assert data["obstacle"] == "the tiles would need an odd permutation, and every loop here is even"
    assert data_of(play_html(fifteen, fifteen.shuffle(seed=1)))["isSolvable"] is True
    assert lines == [
        "no table of hints: expected at most 12,000,000 entries in a table of hints, "
        "got 1,307,674,368,000 or more - for 'square R(4,4) tiles 1'; hints come from a search in the page"
    ]
    eight = sl.puzzle("square R(3,3)")
    data = data_of(play_html(eight, report=lines.append))
    assert data["hints"] is not None
    assert not data["searches"]
    play_html(eight, hints=False, report=lines.append)
    assert len(lines) == 1
    play_html(eight, budget=Budget.of(time=0), report=lines.append)
    assert (
        lines.pop() == "no table of hints: the time limit was reached; hints come from a search in the page"
    )
    coloured = sl.puzzle("square R(2,2)", colours=["a", "a", "b"])
    data = data_of(play_html(coloured, floor=["a", "b", "a", "."], report=lines.append))
    assert (data["searches"], data["isSolvable"]) == (True, None)
    assert lines.pop().startswith("no table of hints: every position that matches the colours")


def test_limits_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    puzzle = sl.puzzle("square R(4,4)")
    monkeypatch.setattr(page, "MAX_SEARCH_BOUNDS", 16 * 15 - 1)
    assert not data_of(play_html(puzzle, report=lines.append))["searches"]
    assert lines[0].endswith("; the page has no hints")
    monkeypatch.setattr(page, "MAX_SEARCH_BOUNDS", 16 * 15)
    monkeypatch.setattr(page, "MAX_SEARCH_SPOTS", 16)
    assert data_of(play_html(puzzle))["searches"]
    monkeypatch.setattr(page, "MAX_SEARCH_SPOTS", 15)
    assert not data_of(play_html(puzzle))["searches"]


def test_limits_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = sl.puzzle("square R(2,2)")
    monkeypatch.setattr(data, "MAX_STEPS", 7)
    message = r"^expected at most 7 placements and steps for a page, got more - of tiles on 'square R"
    with pytest.raises(TooLarge, match=message):
        play_html(puzzle)
    monkeypatch.setattr(drawing, "MAX_CELLS", 3)
    with pytest.raises(TooLarge, match=r"^expected a board of at most 3 cells for a page, got 4$"):
        play_html(puzzle)
    with pytest.raises(NotationError, match=r"^expected a puzzle to play, got str$"):
        play_html("square R(2,2)")  # type: ignore[arg-type]


def test_start_and_goal() -> None:
    puzzle = sl.puzzle("square R(2,2)")
    found = data_of(play_html(puzzle, "3 1 . 2", ". 1 2 3"))["puzzle"]
    assert (found["start"], found["goal"]) == ([1, 3, 0], [1, 2, 3])
    assert data_of(play_html(puzzle))["puzzle"]["start"] == [0, 1, 2]
    coloured = sl.puzzle("square R(2,2)", colours=["a", "a", "b"])
    floor = data_of(play_html(coloured, floor=["a", "b", "a", "."]))["puzzle"]
    assert (floor["goal"], floor["floor"]) == (None, ["a", "b", "a", "."])
    both = data_of(play_html(coloured, None, "a b a .", floor=["a", "b", "a", "."]))
    assert both["puzzle"]["floor"] is None
    assert both["hints"] is not None
    with pytest.raises(NotationError, match="expected a colour for each of 4 cells"):
        play_html(coloured, floor=["a"])


def test_the_page_is_self_contained_and_escaped() -> None:
    hostile = "</script><script>alert(1)</script>\"'&\u2028<!--"
    page = play_html(sl.puzzle("hex F(2) gourds"), title=hostile)
    assert "@@" not in page
    assert page.count("<script") == 2
    assert not re.search(r"^(import|export) ", page, re.MULTILINE)
    assert set(re.findall(r"\w+://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page
    assert not re.search(r"<[a-z]+[^>]* (on\w+|style|src)=", page)
    assert "&lt;/script&gt;" in page


def test_saving(tmp_path: Path) -> None:
    puzzle = sl.puzzle("square R(2,2)")
    puzzle.page(tmp_path / "a.html", "3 1 . 2", theme="dark", title="Three")
    page = play_html(puzzle, "3 1 . 2", theme="dark", title="Three")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == page
    with pytest.raises(PuzzleError, match=r"ends in \.html, got 'a.svg'"):
        puzzle.page("a.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]


def test_files_are_small() -> None:
    assert len(play_html(sl.puzzle("square R(30,30)"))) < 1_000_000
