"""The page of a solution, without a browser: what is in it, and that nothing else is."""

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
from slidelab.draw.film import player, player_html, save_player
from slidelab.draw.picture.board import cell_size, lay_out_configuration
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.motions import move_motion
from slidelab.draw.theme import LIGHT
from slidelab.errors import NotationError, PuzzleError, TooLarge
from slidelab.puzzles import MoveList, Solution


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)
    assert found is not None
    return dict(json.loads(found[1]))


def shuffled(puzzle: str, rule: str | None = None, seed: int = 1) -> Solution:
    asked = sl.puzzle(puzzle, rule)
    return asked.solve(asked.shuffle(seed=seed))


def long_solution(moves: int) -> Solution:
    """Three tiles that go round and round."""
    start = sl.position("square R(2,2) : 1 2 3 .")
    around, here, rows = (0, 1, 3, 2), {0: 1, 1: 2, 2: 3}, []
    hole = 2
    for _ in range(moves):
        cell = around[hole]
        hole = (hole + 1) % 4
        tile = here.pop(around[hole])
        here[cell] = tile
        rows.append((tile, 0, around[hole], cell))
    listed = MoveList(np.array(rows, dtype=np.int32).reshape(-1, 4))
    return Solution(start, listed.end(start), listed)


class Reader(HTMLParser):
    """All elements of a page, with their attributes, and the text of its headings."""

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
def test_moves_lead_where_configurations_do(puzzle: str, rule: str | None) -> None:
    solution = shuffled(puzzle, rule)
    data = data_of(player_html(solution))
    wide = data["cellsPerPiece"]
    here = solution.start
    for move, number in zip(solution.moves, data["moves"], strict=True):
        way = data["motions"][number]
        assert tuple(way[1 : 1 + wide]) == move.before == here.pieces[move.piece - 1]
        assert tuple(way[1 + wide : 1 + 2 * wide]) == move.after
        verb = {"slide": "slides", "turn": "turns", "pivot": "pivots"}[move.kind]
        assert data["verbs"][way[0]] == verb
        here = here.play(move)
    assert here == solution.goal
    assert data["start"] == [cell for cells in solution.start.pieces for cell in cells]


def test_ways_bend_as_motions_do() -> None:
    bends = {None: {2}, "gourds": {0, 3}, "trimers": {0, 4}}
    for puzzle, rule in KINDS[1:4]:
        solution = shuffled(puzzle, rule)
        data = data_of(player_html(solution))
        here = lay_out_configuration(solution.start)
        board = here.puzzle.board
        canvas = Canvas(board, LIGHT, cell_size(board, None))
        seen = set()
        for move, number in zip(solution.moves, data["moves"], strict=True):
            way, bend = move_motion(move, here), data["motions"][number][1 + 2 * data["cellsPerPiece"] :]
            seen.add(len(bend))
            if way.via is not None:
                assert bend == pytest.approx(canvas.to_pixels(way.via), abs=0.01)
            elif way.centre is not None:
                assert bend[:3] == pytest.approx((*canvas.to_pixels(way.centre), way.angle), abs=0.01)
                assert bend[3:] == ([] if way.swings is None else [way.swings])
            else:
                assert bend == []
            here = here.play(move)
        assert seen >= bends[rule]


def test_a_move_read_from_a_text_is_named_by_the_rule() -> None:
    start = sl.position("hex T(2) gourds : 0-1")
    goal = start.play("1:0-1>0-2")
    page = player_html(Solution(start, goal, (sl.Move(1, (0, 1), (0, 2)),)))
    data = data_of(page)
    assert data["verbs"][data["motions"][0][0]] == "pivots"


def test_coloured_pieces_keep_their_place_on_the_screen() -> None:
    puzzle = sl.puzzle("square R(3,3)", colours=["red"] * 4 + ["blue"] * 4)
    solution = puzzle.solve(puzzle.shuffle(seed=3))
    data = data_of(player_html(solution))
    assert set(data["names"]) == {"red tile", "blue tile"}
    lies = dict(enumerate(data["start"]))
    for number in data["moves"]:
        _, before, after = data["motions"][number][:3]
        (piece,) = [k for k, cell in lies.items() if cell == before]
        assert after not in lies.values()
        lies[piece] = after
    red = {lies[k] for k, name in enumerate(data["names"]) if name == "red tile"}
    words = puzzle.colours
    assert words is not None
    assert red == {
        cells[0] for cells, labels in zip(solution.goal.pieces, words, strict=True) if labels == ("red",)
    }


def test_a_gourd_with_two_like_ends_keeps_its_ends() -> None:
    puzzle = sl.puzzle("hex P(3,4)", "gourds", colours=["a", "a", "b", "b", "c"])
    solution = puzzle.solve(puzzle.shuffle(seed=5))
    data = data_of(player_html(solution))
    assert data["names"][0] == "a gourd"
    lies = [tuple(data["start"][2 * k : 2 * k + 2]) for k in range(5)]
    for number in data["moves"]:
        way = data["motions"][number]
        lies[lies.index(tuple(way[1:3]))] = tuple(way[3:5])  # in this order of its ends, or an error
    assert {frozenset(cells) for cells in lies} == {frozenset(cells) for cells in solution.goal.pieces}


def test_the_page_refers_to_nothing_and_has_no_handlers() -> None:
    page = player_html(shuffled("hex P(3,4)", "gourds"))
    assert "@@" not in page
    assert set(re.findall(r"\w+://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}
    reader = Reader(page)
    for tag, attributes in reader.elements:
        assert not [name for name in attributes if name.startswith("on")]
        assert not {"src", "style"} & set(attributes)
        assert tag not in ("iframe", "object", "embed", "form", "img")
        href = attributes.get("href", "data:,")
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


def test_hostile_texts_are_text() -> None:
    hostile = "</script><script>alert(1)</script>\"'&\u2028<!--"
    puzzle = sl.puzzle("square R(2,2)", colours=["a", "b", "c"])
    solution = puzzle.solve(puzzle.shuffle(seed=2))
    # Colours are words, so this can't happen; the page does not rely on it.
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


def test_light_and_dark_are_in_one_page_and_print_alone() -> None:
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


def test_a_size_is_the_largest_and_no_size_lets_the_board_grow() -> None:
    solution = shuffled("square R(2,2)")
    small, free = player_html(solution, size=30), player_html(solution)
    assert f"max-width: {(2 + 2 * 0.36) * 30:g}px" in small
    assert f"max-width: {(2 + 2 * 0.36) * 104:g}px" in free
    with pytest.raises(NotationError, match="size"):
        player_html(solution, size=1)


def test_no_moves_and_graphs_laid_out() -> None:
    goal = sl.puzzle("square R(2,2)").goal
    assert data_of(player_html(Solution(goal, goal, ())))["moves"] == []
    solution = shuffled("graph 0 1 2 3 0 4 2")
    xs = data_of(player_html(solution))["cells"]
    points = list(zip(xs[::2], xs[1::2], strict=True))
    board = lay_out_configuration(solution.start).puzzle.board
    canvas = Canvas(board, LIGHT, cell_size(board, None))
    for cell, at in enumerate(points):
        assert math.dist(at, canvas.centre(cell)) < 0.02


def test_long_solutions_are_short_files() -> None:
    page = player_html(long_solution(20_000))
    assert len(data_of(page)["moves"]) == 20_000
    assert len(page) < 200_000


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "MAX_MOVES", 9)
    with pytest.raises(TooLarge, match=r"^expected at most 9 moves for a player, got 10$"):
        player_html(long_solution(10))
    monkeypatch.setattr(player, "MAX_CELLS", 3)
    with pytest.raises(TooLarge, match=r"^expected a board of at most 3 cells for a player, got 4$"):
        player_html(long_solution(3))
    with pytest.raises(NotationError, match=r"^expected a solution to play, got Puzzle$"):
        player_html(sl.puzzle("square R(2,2)"))  # type: ignore[arg-type]


def test_many_pieces_have_one_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "MAX_THEMED_PIECES", 2)
    assert 'data-other=""' in player_html(long_solution(3))


def test_saving(tmp_path: Path) -> None:
    solution = shuffled("square R(2,2)")
    save_player(solution, tmp_path / "a.html", theme="dark", title="Täst")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == player_html(
        solution, theme="dark", title="Täst"
    )
    with pytest.raises(PuzzleError, match=r"ends in \.html"):
        save_player(solution, tmp_path / "a.png")
