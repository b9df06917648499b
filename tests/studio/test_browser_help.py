"""Help in the studio: hints, the engine, solutions, and whether a position can be solved."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import slidelab as sl
from studio.pages import (
    Open,
    at,
    click_cell,
    made,
    show_tab,
    text_of,
    wait_for_text,
    wait_for_words,
    words,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

EIGHT = "square R(3,3) : 1 2 3 7 4 6 5 . 8"
FIFTEEN = "square R(4,4) : 1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 ."


def distance_of(text: str) -> int:
    here = sl.position(text)
    return here.puzzle.solve(here).length


def test_hint_and_the_move_itself(studio: Open) -> None:
    with studio(at(EIGHT)) as page:
        left = distance_of(EIGHT)
        page.click("#hint")
        said = wait_for_words(page, "to go")
        assert f"{left} moves to go" in said
        assert page.locator("#over .arrow.hint").count() == 1
        page.click("#hint")
        assert made(page) == 1
        assert page.locator("#over .arrow").count() == 0
        assert distance_of(text_of(page)) == left - 1
        page.keyboard.press("h")
        wait_for_words(page, f"{left - 1} moves to go")


def test_hints_without_the_server(studio: Open) -> None:
    here = sl.puzzle("hex P(3,4)").goal
    for number in (0, 1, 1, 0, 1, 1):
        here = here.play(list(here.moves)[number])
    with studio(at(here.text), allow=("ERR_FAILED",)) as page:
        page.route("**/api/**", lambda route: route.abort())
        while page.get_attribute("html", "data-solved") == "false":
            before = made(page)
            page.click("#hint")
            page.wait_for_function("() => slidelab.session.playing.hinted")
            page.click("#hint")
            assert made(page) == before + 1
        assert words(page).startswith("Solved in ")
        assert "gone" in page.inner_text("#connection")
        page.unroute("**/api/**")
        page.wait_for_function("() => document.getElementById('connection').textContent === ''")


def test_hints_that_take_longer_than_a_request(studio: Open) -> None:
    start = "square R(4,4) : 5 1 2 4 9 6 3 8 13 10 7 12 14 11 15 ."
    refusal = json.dumps({"error": "the time limit was reached", "exit_code": 3})
    with studio(at(start)) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        page.route("**/api/hint", lambda route: route.fulfill(status=503, body=refusal))
        for number in range(3):
            page.click("#hint")
            page.wait_for_function("() => slidelab.session.playing.hinted")
            page.click("#hint")
            assert made(page) == number + 1
        assert asked.count("hint") == asked.count("jobs") == 1  # the solution of the first hint is followed
        assert distance_of(text_of(page)) < distance_of(start)


def engine_number(page: Page) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", page.inner_text("#engine-number"))]


def test_the_engine_follows_the_game(studio: Open) -> None:
    with studio(at(EIGHT)) as page:
        show_tab(page, "solve")
        page.click("#engine")
        for _ in range(2):
            left = distance_of(text_of(page))
            wait_for_text(page, "#engine-number", f"{left} to go")
            assert page.locator("#over .arrow.best").count() >= 1
            assert page.inner_text("#distance") == f"{left} to go"
            page.locator("#engine-moves button").first.click()
            assert distance_of(text_of(page)) == left - 1
        page.click("#engine")
        assert page.is_hidden("#distance")
        assert page.locator("#over .arrow").count() == 0


def test_the_engine_on_the_server_gives_bounds(studio: Open) -> None:
    start = "square R(4,4) : 5 1 2 4 9 6 3 8 13 10 7 12 14 11 15 ."
    with studio(at(start)) as page:
        show_tab(page, "solve")
        page.click("#engine")
        wait_for_text(page, "#engine-number", "to go")
        exact = distance_of(start)
        numbers = engine_number(page)
        assert numbers[0] <= exact <= numbers[-1] or numbers == [exact]
        page.locator("#engine-moves button").first.wait_for()
        page.locator("#engine-moves button").first.click()
        assert made(page) == 1


def test_solve_step_scrub_and_play(studio: Open) -> None:
    with studio(at(EIGHT)) as page:
        show_tab(page, "solve")
        page.click("#solve")
        status = wait_for_text(page, "#solve-status", "optimal")
        length = distance_of(EIGHT)
        assert status.startswith(f"{length} moves")
        moves = page.locator("#solution-moves button")
        assert moves.count() == length
        texts = page.evaluate("slidelab.session.game.texts")
        assert sl.position(EIGHT).play(*texts) == sl.puzzle("square R(3,3)").goal
        page.click("#solution-next")
        assert made(page) == 1
        page.click("#solution-back")
        assert made(page) == 0
        page.focus("#solution-scrub")
        page.keyboard.press("End")
        assert made(page) == length
        assert page.get_attribute("html", "data-solved") == "true"
        assert words(page).startswith("Solved by a shortest solution")
        moves.nth(1).click()
        assert made(page) == 2
        assert moves.nth(1).get_attribute("aria-current") == "step"
        page.select_option("#solution-speed", "at once")
        page.click("#solution-play")
        page.wait_for_selector("html[data-playing='false'][data-solved='true']", state="attached")
        assert made(page) == length


def test_leaving_the_solution_ends_it(studio: Open) -> None:
    with studio(at(EIGHT)) as page:
        show_tab(page, "solve")
        page.click("#solve")
        page.wait_for_selector("#solution-play")
        first = page.evaluate("slidelab.session.game.texts[0]")
        other = next(text for text in page.evaluate("slidelab.moves") if text != first)
        page.evaluate("(text) => slidelab.play(text)", other)
        page.wait_for_selector("#solution-play", state="hidden")
        assert page.evaluate("slidelab.session.game.texts") == [other]


def test_why_not(studio: Open) -> None:
    with studio(at(FIFTEEN)) as page:
        show_tab(page, "solve")
        page.click("#solvable")
        assert "odd permutation" in wait_for_text(page, "#verdict[data-solvable='false']")
        assert page.locator("#over .swap .ring.bad").count() == 2
        click_cell(page, 14)  # the picture is of the position before
        assert page.locator("#over .swap").count() == 0
        assert page.inner_text("#verdict") == ""


def test_stuck_corner_and_cycles(studio: Open) -> None:
    with studio(at("hex T(5) : 2 1 3 4 5 6 7 8 9 10 11 12 13 . .")) as page:
        show_tab(page, "solve")
        page.click("#solvable")
        assert "tight corner" in wait_for_text(page, "#verdict[data-solvable='false']")
        assert page.locator("#over .ring.stuck").count() == 1
    with studio(at("square R(3,3) : 2 3 1 4 5 6 7 8 .")) as page:
        show_tab(page, "solve")
        page.click("#solvable")
        assert wait_for_text(page, "#verdict[data-solvable='true']").startswith("Yes.")
        assert page.locator("#over .cycle").count() == 3
        assert "1 cycle of 3 pieces" in page.inner_text("#verdict-legend")
