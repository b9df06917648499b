"""The page of the player, without a browser: its data, its texts, its security policy."""

from __future__ import annotations

import json
import math
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import slidelab as sl
from slidelab.draw.film import player, player_html
from slidelab.draw.page import drawing
from slidelab.draw.picture.board import cell_size, lay_out_configuration
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.motions import move_motion
from slidelab.draw.theme import LIGHT
from slidelab.errors import NotationError, TooLarge
from slidelab.puzzles import MoveList, Solution


def data_of(page: str) -> dict[str, Any]:
    match = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)
    assert match is not None
    return dict(json.loads(match[1]))


def shuffled(puzzle: str, rule: str | None = None, seed: int = 1) -> Solution:
    parsed = sl.puzzle(puzzle, rule)
    return parsed.solve(parsed.shuffle(seed=seed))


def long_solution(moves: int) -> Solution:
    """Return a solution in which three tiles move around a square."""
    start = sl.position("square R(2,2) : 1 2 3 .")
    around, tile_on, rows = (0, 1, 3, 2), {0: 1, 1: 2, 2: 3}, []
    hole = 2
    for _ in range(moves):
        cell = around[hole]
        hole = (hole + 1) % 4
        tile = tile_on.pop(around[hole])
        tile_on[cell] = tile
        rows.append((tile, 0, around[hole], cell))
    listed = MoveList(np.array(rows, dtype=np.int32).reshape(-1, 4))
    return Solution(start, listed.end(start), listed)


class Reader(HTMLParser):
    """Collect all elements of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def named(self, key: str) -> dict[str, str | None]:
        return next(attributes for _, attributes in self.elements if attributes.get("id") == key)


KINDS = [
    ("square R(3,3)", None),
    ("hex P(3,4)", None),
    ("hex P(3,4)", "gourds"),
    ("hex P(3,4)", "trimers"),
    ("theta(1,2,2)", None),
]


@pytest.mark.parametrize(("puzzle", "rule"), KINDS)
def test_motions_match_the_moves(puzzle: str, rule: str | None) -> None:
    solution = shuffled(puzzle, rule)
    data = data_of(player_html(solution))
    count = data["cellsPerPiece"]
    here = solution.start
    for move, number in zip(solution.moves, data["moves"], strict=True):
        row = data["motions"][number]
        assert tuple(row[1 : 1 + count]) == move.before == here.pieces[move.piece - 1]
        assert tuple(row[1 + count : 1 + 2 * count]) == move.after
        verb = {"slide": "slides", "turn": "turns", "pivot": "pivots"}[move.kind]
        assert data["verbs"][row[0]] == verb
        here = here.play(move)
    assert here == solution.goal
    assert data["start"] == [cell for cells in solution.start.pieces for cell in cells]


def test_curves_match_the_motions() -> None:
    lengths = {None: {2}, "gourds": {0, 3}, "trimers": {0, 4}}
    for puzzle, rule in KINDS[1:4]:
        solution = shuffled(puzzle, rule)
        data = data_of(player_html(solution))
        here = lay_out_configuration(solution.start)
        board = here.puzzle.board
        canvas = Canvas(board, LIGHT, cell_size(board, None))
        seen = set()
        for move, number in zip(solution.moves, data["moves"], strict=True):
            motion = move_motion(move, here)
            curve = data["motions"][number][1 + 2 * data["cellsPerPiece"] :]
            seen.add(len(curve))
            if motion.via is not None:
                assert curve == pytest.approx(canvas.to_pixels(motion.via), abs=0.01)
            elif motion.centre is not None:
                rotation = (*canvas.to_pixels(motion.centre), motion.angle)
                assert curve[:3] == pytest.approx(rotation, abs=0.01)
                assert curve[3:] == ([] if motion.swings is None else [motion.swings])
            else:
                assert curve == []
            here = here.play(move)
        assert seen >= lengths[rule]


def test_verbs_of_moves_read_from_text_come_from_the_rule() -> None:
    start = sl.position("hex T(2) gourds : 0-1")
    goal = start.play("1:0-1>0-2")
    page = player_html(Solution(start, goal, (sl.Move(1, (0, 1), (0, 2)),)))
    data = data_of(page)
    assert data["verbs"][data["motions"][0][0]] == "pivots"


def test_pieces_of_one_colour_keep_their_identity() -> None:
    puzzle = sl.puzzle("square R(3,3)", colours=["red"] * 4 + ["blue"] * 4)
    solution = puzzle.solve(puzzle.shuffle(seed=3))
    data = data_of(player_html(solution))
    assert set(data["names"]) == {"red tile", "blue tile"}
    cell_of = dict(enumerate(data["start"]))
    for number in data["moves"]:
        _, before, after = data["motions"][number][:3]
        (piece,) = [k for k, cell in cell_of.items() if cell == before]
        assert after not in cell_of.values()
        cell_of[piece] = after
    red = {cell_of[k] for k, name in enumerate(data["names"]) if name == "red tile"}
    assert puzzle.colours is not None
    assert red == {
        cells[0]
        for cells, labels in zip(solution.goal.pieces, puzzle.colours, strict=True)
        if labels == ("red",)
    }


def test_equal_ends_of_a_gourd_keep_their_identity() -> None:
    puzzle = sl.puzzle("hex P(3,4)", "gourds", colours=["a", "a", "b", "b", "c"])
    solution = puzzle.solve(puzzle.shuffle(seed=5))
    data = data_of(player_html(solution))
    assert data["names"][0] == "a gourd"
    placements = [tuple(data["start"][2 * k : 2 * k + 2]) for k in range(5)]
    for number in data["moves"]:
        row = data["motions"][number]
        placements[placements.index(tuple(row[1:3]))] = tuple(row[3:5])  # fails if the ends are swapped
    assert {frozenset(cells) for cells in placements} == {frozenset(cells) for cells in solution.goal.pieces}


def test_the_page_is_self_contained() -> None:
    page = player_html(shuffled("hex P(3,4)", "gourds"))
    assert "@@" not in page
    assert set(re.findall(r"\w+://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}
    reader = Reader(page)
    for tag, attributes in reader.elements:
        assert not [name for name in attributes if name.startswith("on")]
        assert not {"src", "style"} & set(attributes)
        assert tag not in ("iframe", "object", "embed", "form", "img")
        href = attributes.get("href") or "data:,"
        assert href == "data:," or (tag == "use" and href.startswith("#o"))
    policy = [a["content"] for _, a in reader.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy[0] is not None
    rules = policy[0].split("; ")
    assert {"default-src 'none'", "img-src data:"} < set(rules)
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in rules


def test_controls_have_names() -> None:
    reader = Reader(player_html(shuffled("square R(2,2)")))
    for tag, attributes in reader.elements:
        if tag in ("button", "input", "select"):
            assert attributes["aria-label"]
    scrub = reader.named("scrub")
    assert (scrub["type"], scrub["min"]) == ("range", "0")
    assert "hidden" in reader.named("controls")  # until the script runs


def test_hostile_texts_are_escaped() -> None:
    hostile = "</script><script>alert(1)</script>\"'&\u2028<!--"
    puzzle = sl.puzzle("square R(2,2)", colours=["a", "b", "c"])
    solution = puzzle.solve(puzzle.shuffle(seed=2))
    # Colours are always words, but the page does not rely on it.
    object.__setattr__(solution.puzzle, "colours", ((hostile,), ("b",), ("c",)))
    page = player_html(solution, title=hostile)
    assert page.count("<script") == 2
    assert "alert(1)</script>" not in page.replace("&lt;", "<<")
    assert "\u2028" not in page.split('type="application/json">')[1].split("</script>")[0]
    assert data_of(page)["names"][0] == f"{hostile} tile"
    assert page.count("&lt;/script&gt;&lt;script&gt;") >= 3


def test_titles() -> None:
    solution = shuffled("square R(2,2)")
    assert "<h1>square R(2,2) tiles 1</h1>" in player_html(solution)
    assert "<h1>@@data@@ \\1</h1>" in player_html(solution, title="@@data@@ \\1")
    assert "<h1>half ?</h1>" in player_html(solution, title="half \ud800")
    assert len(re.findall("x+", player_html(solution, title="x" * 9_999))[0]) < 200
    with pytest.raises(NotationError, match="expected a text for the title, got int"):
        player_html(solution, title=3)  # type: ignore[arg-type]


def test_pages_switch_between_light_and_dark() -> None:
    solution = shuffled("hex P(3,4)", "gourds")
    light, dark, paper = (player_html(solution, theme=name) for name in ("light", "dark", "print"))
    assert ':root[data-theme="dark"]{color-scheme:dark' in light
    assert ':root[data-theme="light"]{color-scheme:light' in dark
    assert 'data-other="dark"' in light
    assert 'data-other=""' in paper
    assert 'fill="var(--c0)"' in light
    assert not re.search(r'="#[0-9a-f]{6}"', light)
    assert "var(--c0)" not in paper
    with pytest.raises(NotationError, match="expected a theme"):
        player_html(solution, theme="neon")


def test_a_given_size_limits_the_board() -> None:
    solution = shuffled("square R(2,2)")
    small, free = player_html(solution, size=30), player_html(solution)
    assert f"max-width: {(2 + 2 * 0.36) * 30:g}px" in small
    assert f"max-width: {(2 + 2 * 0.36) * 104:g}px" in free
    with pytest.raises(NotationError, match="size"):
        player_html(solution, size=1)


def test_no_moves_and_graphs() -> None:
    goal = sl.puzzle("square R(2,2)").goal
    assert data_of(player_html(Solution(goal, goal, ())))["moves"] == []
    solution = shuffled("graph 0 1 2 3 0 4 2")
    xs = data_of(player_html(solution))["cells"]
    points = list(zip(xs[::2], xs[1::2], strict=True))
    board = lay_out_configuration(solution.start).puzzle.board
    canvas = Canvas(board, LIGHT, cell_size(board, None))
    for cell, point in enumerate(points):
        assert math.dist(point, canvas.centre(cell)) < 0.02


def test_files_of_long_solutions_are_small() -> None:
    page = player_html(long_solution(20_000))
    assert len(data_of(page)["moves"]) == 20_000
    assert len(page) < 200_000


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "MAX_MOVES", 9)
    with pytest.raises(TooLarge, match=r"^expected at most 9 moves for a player, got 10$"):
        player_html(long_solution(10))
    monkeypatch.setattr(drawing, "MAX_CELLS", 3)
    with pytest.raises(TooLarge, match=r"^expected a board of at most 3 cells for a player, got 4$"):
        player_html(long_solution(3))
    with pytest.raises(NotationError, match=r"^expected a solution to play, got Puzzle$"):
        player_html(sl.puzzle("square R(2,2)"))  # type: ignore[arg-type]


def test_many_pieces_have_one_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MAX_THEMED_PIECES", 2)
    assert 'data-other=""' in player_html(long_solution(3))


def test_saving(tmp_path: Path) -> None:
    solution = shuffled("square R(2,2)")
    solution.animate(tmp_path / "a.html", theme="dark", seconds=2.0)
    page = player_html(solution, theme="dark", seconds=2.0)
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == page
