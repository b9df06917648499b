"""Playing in the studio: mouse, touch and keyboard, undo, shuffles, won games, memory and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slidelab as sl
from draw.browser import assert_shows
from slidelab.draw.picture.board import lay_out_configuration
from studio.pages import (
    PHONE,
    Open,
    at,
    click_cell,
    drag,
    made,
    on_screen,
    still,
    text_of,
    touch_drag,
    wait_for_words,
    words,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EIGHT = "square R(3,3) : 1 2 3 4 . 5 7 8 6"
PIVOTS = "hex F(2) gourds : 0-1 2-3 4-6"


def test_play_and_win_by_clicking(studio: Open) -> None:
    with studio(at(EIGHT)) as page:
        assert page.inner_text("#title") == "square R(3,3) tiles 1"
        click_cell(page, 5)
        assert text_of(page) == "square R(3,3) tiles 1 : 1 2 3 4 5 . 7 8 6"
        assert page.inner_text("#moves") == "1"
        click_cell(page, 0)
        assert words(page) == "tile 1 cannot move"
        click_cell(page, 8)
        assert page.get_attribute("html", "data-solved") == "true"
        assert wait_for_words(page, "No shorter way exists!").startswith("Solved in 2 moves, in ")
        still(page)
        assert_shows(page, sl.puzzle("square R(3,3)").goal)


def test_the_optimum_is_beside_ones_own_count(studio: Open) -> None:
    with studio(at(EIGHT)) as page:
        for cell in (3, 4, 5, 8):  # a detour of two moves
            click_cell(page, cell)
        assert made(page) == 4
        assert wait_for_words(page, "The fewest possible: 2.").startswith("Solved in 4 moves")


def test_undo_redo_restart(studio: Open) -> None:
    with studio(at(EIGHT)) as page:
        start = text_of(page)
        assert page.get_attribute("#undo", "aria-disabled") == "true"
        click_cell(page, 5)
        after = text_of(page)
        page.click("#undo")
        assert (text_of(page), made(page)) == (start, 0)
        page.click("#redo")
        assert (text_of(page), made(page)) == (after, 1)
        page.keyboard.press("Control+z")
        assert made(page) == 0
        page.keyboard.press("Control+y")
        page.keyboard.press("r")
        assert text_of(page) == start
        assert page.get_attribute("#redo", "aria-disabled") == "false"
        still(page)
        assert_shows(page, sl.position(start))


def test_touch(studio: Open) -> None:
    with studio(at(EIGHT), **PHONE) as page:
        touch_drag(page, on_screen(page, 5), on_screen(page, 4))
        assert made(page) == 1
        page.touchscreen.tap(*on_screen(page, 8))
        assert page.get_attribute("html", "data-solved") == "true"
        page.tap("#undo")
        assert made(page) == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_gourd_pivots(studio: Open) -> None:
    here = sl.position(PIVOTS)
    move = next(move for move in here.moves if move.kind == "pivot")
    with studio(at(PIVOTS)) as page:
        before, after = next(pair for pair in zip(move.before, move.after, strict=True) if pair[0] != pair[1])
        drag(page, on_screen(page, before), on_screen(page, after))
        assert page.evaluate("slidelab.session.game.texts") == [move.text]
        assert text_of(page) == here.play(move).text
        still(page)
        assert_shows(page, lay_out_configuration(here.play(move)))


def test_keyboard_only(studio: Open) -> None:
    with studio(at("hex F(2) gourds : 0-1 2-3 4-6")) as page:
        page.keyboard.press("Tab")  # to the link that skips to the board
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.activeElement.id === 'box'")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.activeElement.classList.contains('piece')")
        page.keyboard.press("Enter")
        if page.locator(".handle").count():
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
        assert made(page) == 1
        page.keyboard.press("u")
        assert made(page) == 0
        page.keyboard.press("s")
        assert page.get_attribute("html", "data-solved") == "false"
    with studio(at(EIGHT)) as page:
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowUp")
        assert page.get_attribute("html", "data-solved") == "true"


def test_tabs_by_keyboard(studio: Open) -> None:
    with studio(at(EIGHT)) as page:
        page.focus("#tab-puzzles")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.id") == "tab-solve"
        page.wait_for_selector("#engine")
        page.keyboard.press("End")
        assert page.get_attribute("#tab-share", "aria-selected") == "true"
        assert made(page) == 0  # arrow keys in tabs move no tile


def test_the_same_seed_shuffles_alike(studio: Open) -> None:
    with studio(at("hex P(3,4) gourds")) as page:
        page.click("#shuffling")
        page.fill("#seed", "7")
        page.select_option("#length", "walk 30")
        page.click("#shuffle")
        first = text_of(page)
        assert words(page).startswith("Shuffled by ")
        page.keyboard.press("s")
        assert text_of(page) == first
        page.fill("#seed", "8")
        page.click("#shuffle-options button")
        assert text_of(page) != first
        assert sl.position(first).puzzle == sl.puzzle("hex P(3,4) gourds")


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_shuffle_by_difficulty(studio: Open, level: str) -> None:
    with studio(at("square R(3,3)")) as page:
        page.click("#shuffling")
        page.select_option("#length", level)
        page.click("#shuffle")
        said = wait_for_words(page, "from the goal")
        distance = int(said.split()[1])
        puzzle = sl.puzzle("square R(3,3)")
        assert puzzle.solve(sl.position(text_of(page))).length == distance


def test_a_reload_loses_nothing(studio: Open) -> None:
    """Also if the address, which follows with a delay, is still that of another position."""
    with studio(at(EIGHT)) as page:
        click_cell(page, 5)
        click_cell(page, 2)
        page.click("#undo")
        here = text_of(page)
        page.reload()
        page.wait_for_selector("html[data-ready]", state="attached")
        assert text_of(page) == here
        assert page.evaluate("[slidelab.session.game.made, slidelab.session.game.texts.length]") == [1, 2]
        page.click("#redo")
        assert made(page) == 2


def test_a_shared_link(studio: Open, browser: Browser) -> None:
    with studio(at(EIGHT)) as page:
        click_cell(page, 5)
        page.wait_for_function("() => location.hash.includes('moves=5')")
        link, here = page.evaluate("location.hash"), text_of(page)
    with studio(link) as page:  # another browser context: nothing is stored there
        assert text_of(page) == here
        assert made(page) == 1
        page.click("#undo")
        assert text_of(page) == sl.position(EIGHT).text


def test_the_gallery(studio: Open) -> None:
    with studio() as page:
        page.wait_for_selector(".card")
        page.click(".card:has-text('Petersen')")
        page.wait_for_function("() => slidelab.text.startsWith('graph ')")
        assert page.inner_text("#title") == "Petersen"
        page.click(".card:has-text('Nine gourds')")
        page.wait_for_function("() => slidelab.text.includes('=')")
        assert page.locator("#pieces > .piece").count() == 9
        page.wait_for_function(
            "() => [...document.querySelectorAll('.card img')].slice(0, 4).every((each) => each.naturalWidth)"
        )


def test_bad_input_keeps_the_board(studio: Open) -> None:
    with studio(at(EIGHT), allow=("status of 400",)) as page:
        click_cell(page, 5)
        here = text_of(page)
        for text, part in [
            ('{"puzzle": ', "no JSON"),
            ('{"puzzle": 7}', "expected"),
            ("hex Q(9)", "expected"),
        ]:
            page.fill("#source", text)
            page.press("#source", "Enter")
            page.wait_for_function(
                "(part) => { const box = document.getElementById('source-error');"
                "return !box.hidden && box.textContent.toLowerCase().includes(part.toLowerCase()); }",
                arg=part,
            )
            assert (text_of(page), made(page)) == (here, 1)
        page.press("#source", "Escape")
        assert page.is_hidden("#source-error")
        click_cell(page, 8)
        assert page.get_attribute("html", "data-solved") == "true"


def test_any_puzzle_by_text(studio: Open) -> None:
    with studio(at(EIGHT)) as page:
        for text in ("15-puzzle", "theta(1,2,2)", "king 3x3", "hex F(3) trimers", "square R(2,2) : a b . b"):
            page.fill("#source", text)
            page.click("#open button")
            expected = sl.position(text).text if ":" in text else sl.puzzle(text).goal.text
            page.wait_for_function("(text) => slidelab.text === text", arg=expected)


def test_a_large_board_answers_at_once(studio: Open) -> None:
    with studio(at("square R(20,20)")) as page:
        click_cell(page, 398)
        assert made(page) == 1
        assert page.evaluate("slidelab.session.game.texts") == ["399:398>399"]
        still(page)


def test_the_first_page_is_small(studio: Open) -> None:
    sizes: list[int] = []

    def note(page: Page) -> None:
        entries = page.evaluate(
            "performance.getEntriesByType('resource').filter((entry) => !entry.name.includes('/api/picture'))"
            ".map((entry) => entry.decodedBodySize)"
        )
        sizes.extend(entries)

    with studio() as page:
        page.wait_for_selector(".card")
        note(page)
    assert 20_000 < sum(sizes) < 300_000
