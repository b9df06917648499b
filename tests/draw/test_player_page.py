"""The page of the player in a browser: layout, themes, escaping, frames, explanations."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import slidelab as sl
from draw.browser import Show, opened, solved, state, wait_for_move
from slidelab.draw.film import player_html
from slidelab.puzzles import Solution

if TYPE_CHECKING:
    from playwright.sync_api import Browser


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
