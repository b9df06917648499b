"""The page of a graded set in a browser: previous and next, hints, progress that outlives the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import slidelab as sl
from draw.browser import assert_shows, opened
from slidelab.draw.play import play_html
from slidelab.draw.sheet import GradedSet, graded_set

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

COLOURS = [["a", "a"], ["a", "b"], ["b", "b"]]
CELLS = ["a", "b", "a", ".", "b", "a", "b"]
PHONE = {"viewport": {"width": 390, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def graded() -> GradedSet:
    return graded_set(sl.puzzle("hex F(2) gourds", colours=COLOURS), CELLS, 6)


@pytest.fixture(scope="module")
def page_file(graded: GradedSet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("booklet") / "set.html"
    path.write_text(play_html(graded.puzzle, floor=graded.cells, starts=graded.starts), encoding="utf-8")
    return path


def number(page: Page) -> int:
    return int(page.evaluate("slidelab.booklet.current")) + 1


def best(page: Page) -> list[int]:
    return list(page.evaluate("slidelab.booklet.best"))


def still(page: Page) -> None:
    page.wait_for_function(
        "() => document.documentElement.dataset.gliding === 'false' && !document.getAnimations().length"
    )


def play(page: Page, moves: Any) -> None:
    for move in moves:
        assert page.evaluate("(text) => slidelab.play(text)", move.text)


def test_a_set_is_played_through(browser: Browser, page_file: Path, graded: GradedSet) -> None:
    first, second = graded.starts[0], graded.starts[1]
    with opened(browser, page_file) as page:
        still(page)
        assert_shows(page, first.start)
        assert number(page) == 1
        assert f"at least {first.moves} moves, only one solution" in page.inner_text("#aim")
        assert not page.is_visible("#shuffle")
        assert page.get_attribute("#set-previous", "aria-disabled") == "true"
        for _ in range(first.moves):  # a hint, and its move
            page.keyboard.press("h")
            assert "to go" in page.inner_text("#words")
            page.keyboard.press("h")
        assert "the fewest possible" in page.inner_text("#words")
        assert best(page)[0] == first.moves
        assert page.get_attribute("#pips", "aria-label") == "1 of 6 puzzles solved"
        page.click("#set-next")
        still(page)
        assert_shows(page, second.start)
        # A move off the shortest solution: the hint leads back to it.
        best_moves = {move.text for move in second.solution.moves[:1]}
        wrong = next(move for move in second.start.moves if move.text not in best_moves)
        play(page, [wrong])
        page.keyboard.press("h")
        page.wait_for_selector("#words:has-text('known')")
        assert f"{second.moves + 1} moves" in page.inner_text("#words")
        page.wait_for_timeout(500)  # the game is saved after a moment
        page.reload()
        assert (number(page), best(page)[0]) == (2, first.moves)
        assert page.evaluate("slidelab.game.made") == 1
        assert page.evaluate("slidelab.text") == second.start.play(wrong).text
        page.select_option("#set-number", "5")
        assert number(page) == 6
        assert page.get_attribute("#set-next", "aria-disabled") == "true"
        page.keyboard.press("p")
        assert number(page) == 5
        play(page, graded.starts[4].solution.moves)
        assert best(page)[4] == graded.starts[4].moves
        assert "★" in page.inner_text("#set-number option:nth-child(5)")


def test_every_start_is_solved_by_its_moves(browser: Browser, page_file: Path, graded: GradedSet) -> None:
    with opened(browser, page_file, "#3", **PHONE) as page:
        assert number(page) == 3
        for k, each in enumerate(graded.starts):
            page.evaluate("(k) => slidelab.booklet.open(k)", k)
            assert page.evaluate("slidelab.text") == each.start.text
            play(page, each.solution.moves)
            assert page.evaluate("slidelab.game.isSolved")
        assert best(page) == [each.moves for each in graded.starts]
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]  # type: ignore[index]


DAMAGED = (
    '"x"',
    '{"best":[1],"games":[],"current":9}',
    '{"best":[9,"a",-1,0,0,0],"games":[{"moves":["?"]}],"current":"a"}',
)


@pytest.mark.parametrize("value", DAMAGED)
def test_damaged_progress_is_ignored(
    browser: Browser, page_file: Path, graded: GradedSet, value: str
) -> None:
    with opened(browser, page_file) as page:
        page.add_init_script(f"Storage.prototype.getItem = () => {value!r};")
        page.reload()
        assert number(page) == 1
        assert page.evaluate("slidelab.text") == graded.starts[0].start.text
