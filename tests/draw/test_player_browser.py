"""The player in a browser: every control, and the positions of the pieces."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slidelab as sl
from draw.browser import chromium, opened
from draw.test_player import long_solution
from slidelab.draw.film import player_html
from slidelab.draw.marks import Group
from slidelab.draw.picture.board import cell_size, lay_out_configuration
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.motions import ease, move_motion
from slidelab.draw.picture.pieces import Part, all_parts, place_parts
from slidelab.draw.theme import LIGHT
from slidelab.puzzles import Configuration, MoveList, Puzzle, Solution

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Show = Callable[..., Any]
Point = tuple[float, float]

# The matrix of each part of each piece, in pixels of the drawing.
PARTS = """() => {
  const layer = document.getElementById('pieces'), back = layer.getCTM().inverse();
  return Array.from({length: layer.children.length}, (_, n) =>
    [...document.getElementById(`p${n + 1}`).querySelectorAll(':scope > :not(title)')].map((part) => {
      const m = back.multiply(part.getCTM());
      return [m.a, m.b, m.c, m.d, m.e, m.f];
    }));
}"""
# The centre of a tile, and of a point of the drawing, in pixels of the screen.
FACE = """(n) => {
  const box = document.getElementById(`p${n}`).querySelectorAll('path, use')[1].getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
ON_SCREEN = """([x, y]) => {
  const at = new DOMPoint(x, y).matrixTransform(document.getElementById('stage').getScreenCTM());
  return [at.x, at.y];
}"""
CLICK = "document.getElementById('next').click();"
FRAMES = """(n) => new Promise((done) => {
  const next = () => (n-- > 0 ? requestAnimationFrame(next) : done());
  next();
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as program:
        yield program


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Show:
    """Return a function that opens the page of a solution."""

    def open_page(solution: Solution, link: str = "", theme: str = "light", **options: Any) -> Any:
        path = tmp_path / "player.html"
        path.write_text(player_html(solution, theme=theme), encoding="utf-8")
        return opened(browser, path, link, **options)

    return open_page


@lru_cache(maxsize=16)
def solved(puzzle: str, rule: str | None = None, seed: int = 1) -> Solution:
    parsed = sl.puzzle(puzzle, rule)
    return parsed.solve(parsed.shuffle(seed=seed))


def canvas_of(here: Configuration) -> Canvas:
    board = here.puzzle.board
    return Canvas(board, LIGHT, cell_size(board, None))


@lru_cache(maxsize=16)
def parts_of(puzzle: Puzzle, size: float) -> list[list[Part]]:
    return all_parts(puzzle, LIGHT, size)


def matrices(here: Configuration, points: list[list[Point]]) -> list[list[list[float]]]:
    """Return the matrices of the parts of each piece with its cells at these points."""
    size, result = canvas_of(here).size, []
    for parts, own in zip(parts_of(here.puzzle, size), points, strict=True):
        rows = []
        for part in place_parts(parts, own, size).items:
            assert isinstance(part, Group)
            cos, sin = math.cos(math.radians(part.angle)), math.sin(math.radians(part.angle))
            rows.append([part.scale_x * cos, part.scale_x * sin, -sin, cos, part.x, part.y])
        result.append(rows)
    return result


def cell_points(here: Configuration) -> list[list[Point]]:
    canvas = canvas_of(here)
    return [[canvas.centre(cell) for cell in cells] for cells in here.pieces]


def after(solution: Solution, moves: int) -> Configuration:
    return lay_out_configuration(solution.start).play(*solution.moves[:moves])


def assert_same(found: list[list[list[float]]], expected: list[list[list[float]]]) -> None:
    assert [len(own) for own in found] == [len(own) for own in expected]
    rows, expected_rows = (np.array([row for own in every for row in own]) for every in (found, expected))
    assert np.abs(rows - expected_rows).max() < 0.03


def assert_shows(page: Page, here: Configuration) -> None:
    assert_same(page.evaluate(PARTS), matrices(here, cell_points(here)))


def assert_face(page: Page, piece: int, here: Configuration) -> None:
    point = page.evaluate(ON_SCREEN, list(cell_points(here)[piece - 1][0]))
    assert page.evaluate(FACE, piece) == pytest.approx(point, abs=0.6)


def state(page: Page) -> tuple[int, bool]:
    move, playing = page.evaluate(
        "[document.documentElement.dataset.move, document.documentElement.dataset.playing]"
    )
    return int(move), playing == "true"


def wait_for_move(page: Page, k: int) -> None:
    page.wait_for_function("(k) => document.documentElement.dataset.move === String(k)", arg=k)


def wait_until_still(page: Page) -> None:
    """Wait until playing and the animation of the last move have ended."""
    page.wait_for_selector('html[data-playing="false"][data-gliding="false"]', state="attached")


def test_the_page_starts_paused_at_the_start(show: Show) -> None:
    solution = solved("square R(3,3)")
    with show(solution) as page:
        assert state(page) == (0, False)
        assert_shows(page, solution.start)
        assert page.inner_text("#words") == "The start"
        assert page.inner_text("#count") == f"0 / {solution.length}"
        assert page.get_attribute("#back", "aria-disabled") == "true"
        assert page.get_attribute("#next", "aria-disabled") == "false"


def test_steps_by_buttons(show: Show) -> None:
    solution = solved("square R(3,3)")
    move = solution.moves[0]
    with show(solution) as page:
        page.select_option("#speed", "4")
        assert_face(page, move.piece, solution.start)
        page.click("#next")
        assert state(page) == (1, False)
        wait_until_still(page)
        assert_face(page, move.piece, after(solution, 1))
        assert_shows(page, after(solution, 1))
        assert page.inner_text("#words") == f"tile {move.piece} slides to cell {move.after[0]}"
        page.click("#next")
        assert state(page) == (2, False)
        page.click("#back")
        page.click("#back")
        assert state(page) == (0, False)
        wait_until_still(page)
        assert_shows(page, solution.start)
        page.click("#back", force=True)
        assert state(page) == (0, False)
        page.click("#last")
        assert state(page) == (solution.length, False)
        assert_shows(page, solution.goal)
        assert page.inner_text("#words").endswith(": done")
        page.click("#first")
        assert_shows(page, solution.start)


def test_a_step_is_finished_by_the_next_one(show: Show) -> None:
    solution = solved("square R(3,3)")
    with show(solution) as page:
        page.evaluate("for (let k = 0; k < 4; k++) document.getElementById('next').click()")
        assert state(page) == (4, False)
        wait_until_still(page)
        assert_shows(page, after(solution, 4))
        # Within one task nothing moves but what an earlier step had left.
        parts = page.evaluate(f"() => {{ {2 * CLICK} return ({PARTS})(); }}")
        assert_same(parts, matrices(solution.start, cell_points(after(solution, 5))))
        page.wait_for_function(
            "(n) => document.getElementById('pieces').lastElementChild.id === `p${n}`",
            arg=solution.moves[5].piece,
        )
        wait_until_still(page)
        assert_shows(page, after(solution, 6))


def test_playing_stops_at_the_end_and_restarts(show: Show) -> None:
    solution = solved("hex P(3,4)", "gourds")
    with show(solution) as page:
        page.select_option("#speed", "32")
        page.click("#play")
        wait_for_move(page, solution.length)
        wait_until_still(page)
        assert state(page) == (solution.length, False)
        assert_shows(page, solution.goal)
        assert page.get_attribute("#play", "aria-label") == "play"
        restarted = page.evaluate("""() => {
          const play = document.getElementById('play'), root = document.documentElement;
          play.click();
          return [root.dataset.move, root.dataset.playing, play.getAttribute('aria-label')];
        }""")
        assert restarted == ["1", "true", "pause"]


def test_pausing(show: Show) -> None:
    solution = long_solution(2_000)
    with show(solution) as page:
        page.select_option("#speed", "8")
        page.click("#play")
        page.wait_for_function("() => Number(document.documentElement.dataset.move) >= 3")
        page.click("#play")
        move, playing = state(page)
        assert not playing
        assert 3 <= move < 2_000
        page.evaluate(FRAMES, 20)  # longer than two moves
        assert state(page) == (move, False)
        wait_until_still(page)
        assert_shows(page, after(solution, move))
        assert page.inner_text("#count") == f"{move} / 2000"


@pytest.mark.parametrize(
    ("puzzle", "rule"),
    [("square R(4,4)", None), ("hex P(3,4)", "gourds"), ("hex P(3,4)", "trimers"), ("theta(1,2,2)", None)],
)
def test_scrubbing(show: Show, puzzle: str, rule: str | None) -> None:
    solution = solved(puzzle, rule)
    with show(solution) as page:
        for k in (solution.length // 2, solution.length, 3, solution.length - 1, 0):
            page.evaluate("slidelab.show(4, 0.5)")  # a moving piece is put back
            page.fill("#scrub", str(k))
            assert state(page) == (k, False)
            assert_shows(page, after(solution, k))
        text = page.get_attribute("#scrub", "aria-valuetext")
        assert text == f"0 of {solution.length}: The start"


def test_twenty_thousand_moves(show: Show) -> None:
    solution = long_solution(20_000)
    with show(solution) as page:
        for k in (20_000, 1, 12_345, 12_346, 11_000, 19_999):
            page.fill("#scrub", str(k))
            assert_shows(page, MoveList.of(solution.moves[:k]).end(solution.start))
        page.click("#first")
        page.select_option("#speed", "128")
        page.click("#play")
        page.wait_for_function("() => Number(document.documentElement.dataset.move) > 100")
        page.click("#play")
        wait_until_still(page)
        move, _ = state(page)
        assert_shows(page, MoveList.of(solution.moves[:move]).end(solution.start))


def test_only_moving_pieces_are_updated(show: Show) -> None:
    solution = solved("square R(4,4)")
    with show(solution, "#5") as page:
        touched = page.evaluate("""() => {
          const seen = new Set();
          const watch = new MutationObserver(() => {});
          watch.observe(document.getElementById('pieces'), {attributes: true, subtree: true});
          slidelab.show(6, 0);
          slidelab.show(6, 0.5);
          for (const record of watch.takeRecords()) seen.add(record.target.closest('.piece').id);
          return [...seen].sort();
        }""")
        assert touched == sorted({f"p{solution.moves[k].piece}" for k in (5, 6)})


def test_keys(show: Show) -> None:
    solution = solved("square R(3,3)")
    with show(solution) as page:
        for key, move in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", solution.length)):
            page.keyboard.press(key)
            assert state(page) == (move, False)
        page.keyboard.press("Home")
        page.keyboard.press("Control+ArrowRight")
        assert state(page) == (0, False)
        page.keyboard.press(" ")
        assert state(page)[1]
        page.keyboard.press(" ")
        assert not state(page)[1]
        page.focus("#scrub")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        assert state(page) == (1, False)
        page.focus("#next")
        page.keyboard.press(" ")  # a focused button is pressed
        assert state(page) == (2, False)
        page.focus("#speed")
        page.keyboard.press("ArrowRight")
        assert state(page) == (2, False)


def test_tab_reaches_every_control_with_a_visible_focus(show: Show) -> None:
    with show(solved("square R(3,3)")) as page:
        seen = []
        for _ in range(8):
            page.keyboard.press("Tab")
            seen.append(page.evaluate("document.activeElement.id"))
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid"
        assert seen == ["scrub", "first", "back", "play", "next", "last", "speed", "theme"]


def test_links(show: Show) -> None:
    solution = solved("square R(4,4)")
    with show(solution, "#12") as page:
        assert state(page) == (12, False)
        assert_shows(page, after(solution, 12))
        pages = page.evaluate("history.length")
        page.click("#next")
        page.wait_for_function("() => location.hash === '#13'")
        assert page.evaluate("history.length") == pages
        for link, move in (("#4", 4), ("#99999", solution.length), ("#0", 0)):
            page.evaluate("(link) => { location.hash = link; }", link)
            wait_for_move(page, move)
        assert_shows(page, solution.start)
    with show(solution, "#12x") as page:
        assert state(page) == (0, False)


MOTIONS = [
    ("square R(4,4)", None),
    ("hex P(3,4)", None),
    ("hex P(3,4)", "gourds"),
    ("square R(3,3)", "gourds"),
    ("theta(1,2,2)", None),
    ("theta(1,2,2)", "gourds"),
    ("hex P(4,4)", "trimers"),
    ("square R(4,4)", "trimers"),
]


def varied_moves(puzzle: str, rule: str | None) -> Solution:
    """Return a few moves of as many kinds as possible."""
    start = here = lay_out_configuration(sl.puzzle(puzzle, rule).goal)
    seen: dict[object, int] = {}
    moves: list[sl.Move] = []
    for _ in range(14):
        options = [move for move in here.moves if not moves or move != moves[-1].reversed] or list(here.moves)
        move = min(options, key=lambda m: (seen.get(_kind(m, here), 0), m.text))
        seen[_kind(move, here)] = seen.get(_kind(move, here), 0) + 1
        moves.append(move)
        here = here.play(move)
    return Solution(start, here, tuple(moves))


def _kind(move: sl.Move, here: Configuration) -> object:
    motion = move_motion(move, here)
    return move.kind, motion.via is None, motion.centre is None, motion.swings


@pytest.mark.parametrize(("puzzle", "rule"), MOTIONS)
def test_pieces_follow_the_motions(show: Show, puzzle: str, rule: str | None) -> None:
    solution = varied_moves(puzzle, rule)
    here = lay_out_configuration(solution.start)
    canvas = canvas_of(here)
    moments = [(k, time) for k in range(solution.length) for time in (0.1, 0.5, 0.73, 1.0)]
    with show(solution) as page:
        seen = page.evaluate(
            f"""(moments) => moments.map(([k, time]) => {{
              slidelab.show(k, time);
              return [({PARTS})(), document.getElementById('pieces').lastElementChild.id];
            }})""",
            moments,
        )
        assert page.evaluate("slidelab.ease(0.3)") == pytest.approx(ease(0.3))
    for (k, time), (parts, top) in zip(moments, seen, strict=True):
        move = solution.moves[k]
        points = cell_points(here)
        points[move.piece - 1] = [canvas.to_pixels(point) for point in move_motion(move, here).at(time)]
        assert_same(parts, matrices(here, points))
        assert top == f"p{move.piece}"
        if time == 1.0:
            here = here.play(move)


def test_reduced_motion(show: Show) -> None:
    solution = solved("square R(3,3)")
    for preference, made in (("reduce", 1), ("no-preference", 0)):
        with show(solution, reduced_motion=preference) as page:
            parts = page.evaluate(f"() => {{ {CLICK} return ({PARTS})(); }}")
            assert_same(parts, matrices(solution.start, cell_points(after(solution, made))))
            if made:
                page.select_option("#speed", "32")
                page.click("#play")
                wait_for_move(page, solution.length)
                wait_until_still(page)
                assert_shows(page, solution.goal)


@pytest.mark.parametrize(("puzzle", "rule"), [("square R(4,4)", None), ("hex P(3,4)", "gourds")])
def test_everything_fits_the_window(show: Show, puzzle: str, rule: str | None) -> None:
    with show(solved(puzzle, rule), "#3") as page:
        for width, height in ((320, 480), (375, 812), (600, 600), (740, 360), (1600, 900)):
            page.set_viewport_size({"width": width, "height": height})
            size = page.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            )
            assert size == [width, height]
            for name in ("stage", "words", "scrub", "first", "play", "last", "count", "speed", "theme"):
                box = page.locator(f"#{name}").bounding_box()
                assert box is not None
                assert box["x"] >= 0 <= box["y"]
                assert box["x"] + box["width"] <= width + 0.5
                assert box["y"] + box["height"] <= height + 0.5
                if name in ("first", "play", "last", "speed", "theme"):
                    assert min(box["width"], box["height"]) >= 44  # as large as a finger
            stage = page.locator("#stage").bounding_box()
            assert stage is not None
            assert stage["height"] >= 0.25 * height


def test_touch(show: Show) -> None:
    solution = solved("square R(3,3)")
    phone = {"viewport": {"width": 375, "height": 700}, "has_touch": True, "is_mobile": True}
    with show(solution, **phone) as page:
        page.tap("#next")
        assert state(page) == (1, False)


def test_hostile_texts_are_escaped(browser: Browser, tmp_path: Path) -> None:
    hostile = "</script><script>document.title='got you'</script><img src=x onerror=alert(1)>\u2028"
    puzzle = sl.puzzle("square R(2,2)", colours=["a", "b", "__proto__"])
    solution = puzzle.solve(puzzle.shuffle(seed=2))
    # Colours are always words, but the page does not rely on it.
    object.__setattr__(solution.puzzle, "colours", ((hostile,), ("b",), ("__proto__",)))
    path = tmp_path / "hostile.html"
    path.write_text(player_html(solution, title=hostile), encoding="utf-8")
    with opened(browser, path) as page:
        assert page.title().strip() == hostile.strip()
        assert page.inner_text("h1").strip() == hostile.strip()
        assert page.locator("img").count() == 0
        for k in range(1, solution.length + 1):
            page.click("#next")
            assert state(page) == (k, False)
        assert page.locator("script").count() == 2


def test_without_scripts_the_start_is_visible(show: Show) -> None:
    with show(solved("square R(3,3)"), java_script_enabled=False) as page:
        assert page.locator("#p1").is_visible()
        assert page.locator("noscript").is_visible()
        assert not page.locator("#controls").is_visible()


def test_inside_a_frame(browser: Browser, tmp_path: Path) -> None:
    solution = solved("square R(3,3)")
    inner = escape(player_html(solution))
    frame = f'<iframe srcdoc="{inner}" width="600" height="600" sandbox="allow-scripts"></iframe>'
    path = tmp_path / "notebook.html"
    path.write_text(
        f"<!doctype html><meta charset=utf-8><title>n</title>{frame}{frame.replace(' sandbox', ' x')}"
    )
    with opened(browser, path) as page:
        for inside in page.frames[1:]:
            inside.click("#next")
            assert inside.get_attribute("html", "data-move") == "1"
            inside.evaluate("new Promise((done) => setTimeout(done, 500))")  # the address does not change
        assert page.evaluate("location.hash") == ""


def test_light_and_dark(show: Show) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    tile = "getComputedStyle(document.querySelectorAll('#p1 path, #p1 use')[1]).fill"
    with show(solved("square R(3,3)")) as page:
        assert page.evaluate(paper) == "rgb(255, 255, 255)"
        assert page.evaluate(tile) == "rgb(68, 119, 170)"
        assert page.get_attribute("#theme", "aria-label") == "dark theme"
        page.click("#theme")
        assert page.evaluate(paper) == "rgb(18, 23, 30)"
        assert page.evaluate(tile) == "rgb(91, 147, 203)"
        assert page.get_attribute("#theme", "aria-label") == "light theme"
        page.click("#theme")
        assert page.evaluate(paper) == "rgb(255, 255, 255)"
    with show(solved("square R(3,3)"), theme="print") as page:
        assert not page.locator("#theme").is_visible()


def test_empty_solutions(show: Show) -> None:
    goal = sl.puzzle("square R(2,2)").goal
    with show(Solution(goal, goal, ())) as page:
        page.click("#play", force=True)
        page.keyboard.press("ArrowRight")
        assert state(page) == (0, False)
        assert page.inner_text("#words") == "There is nothing to do."


def test_explanations(show: Show) -> None:
    """The deepest passage that contains the move is shown."""
    puzzle = sl.puzzle("theta(1,2,2)")
    solution = puzzle.solve(". 1 2 5 3 6 4", method="wilson")
    with show(solution) as page:
        for k in (1, 2, 30, solution.length):
            page.evaluate("(k) => { scrub.value = k; scrub.dispatchEvent(new Event('input')); }", k)
            wait_for_move(page, k)
            passages = [p for p in solution.passages if p.first < k <= p.last]
            expected = max(passages, key=lambda p: (p.depth, p.first)).text
            assert page.text_content("#part") == expected
    with show(solved("square R(3,3)")) as page:
        assert page.is_hidden("#part")
