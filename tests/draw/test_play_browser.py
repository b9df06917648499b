"""The page that can be played, in a browser: mouse, touch, keyboard, win, undo, hints, links and memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import slidelab as sl
from draw.browser import ON_SCREEN, assert_shows, opened
from slidelab.draw.picture.board import lay_out_configuration
from slidelab.draw.play import play_html
from slidelab.puzzles import Configuration, Puzzle

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., Any]
PHONE = {"viewport": {"width": 390, "height": 740}, "has_touch": True, "is_mobile": True}
IS_KNOWN = "() => document.getElementById('words').textContent.includes('known')"
COLOURS = [["a", "b"], ["a", "a"], ["a", "b"], ["b", "b"], ["a", "a"]]
NO_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"


@pytest.fixture
def play(browser: Browser, tmp_path: Path) -> Open:
    """Return a function that opens the page of a puzzle."""

    def open_page(puzzle: Puzzle, *arguments: Any, link: str = "", device: Any = None, **options: Any) -> Any:
        path = tmp_path / "puzzle.html"
        path.write_text(play_html(puzzle, *arguments, **options), encoding="utf-8")
        return opened(browser, path, link, **(device or {}))

    return open_page


def text_of(page: Page) -> str:
    return str(page.evaluate("slidelab.text"))


def made(page: Page) -> int:
    return int(page.evaluate("document.documentElement.dataset.moves"))


def words(page: Page) -> str:
    return page.inner_text("#words")


def still(page: Page) -> None:
    """Wait until nothing moves, neither by script nor by style."""
    page.wait_for_function(
        "() => document.documentElement.dataset.gliding === 'false' && !document.getAnimations().length"
    )


def on_screen(page: Page, cell: int) -> tuple[float, float]:
    data = "JSON.parse(document.getElementById('data').textContent).cells"
    point = page.evaluate(f"(cell) => {data}.slice(2 * cell, 2 * cell + 2)", cell)
    x, y = page.evaluate(ON_SCREEN, point)
    return x, y


def click_cell(page: Page, cell: int) -> None:
    page.mouse.click(*on_screen(page, cell))


def drag(page: Page, cell: int, to: int, share: float = 1.0) -> None:
    x, y = on_screen(page, cell)
    ax, ay = on_screen(page, to)
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(1, 6):
        page.mouse.move(x + (ax - x) * share * k / 5, y + (ay - y) * share * k / 5)
    page.mouse.up()


def test_tiles_by_mouse(play: Open) -> None:
    puzzle = sl.puzzle("square R(3,3)")
    with play(puzzle, "1 2 3 4 . 5 7 8 6") as page:
        assert page.inner_text("#moves") == "0"
        click_cell(page, 5)
        assert text_of(page) == "square R(3,3) tiles 1 : 1 2 3 4 5 . 7 8 6"
        assert words(page) == "tile 5 slides to cell 4"
        click_cell(page, 0)  # no row with the hole
        assert words(page) == "tile 1 cannot move"
        still(page)
        assert_shows(page, sl.position(text_of(page)))
        assert page.get_attribute("html", "data-solved") == "false"
        click_cell(page, 8)
        assert page.get_attribute("html", "data-solved") == "true"
        assert words(page).startswith("Solved in 2 moves, the fewest possible, in ")
        still(page)
        assert_shows(page, puzzle.goal)


def test_a_row_is_pushed(play: Open) -> None:
    with play(sl.puzzle("square R(4,4)")) as page:
        assert words(page) == "This is the goal. Shuffle to play."
        click_cell(page, 12)
        assert page.evaluate("slidelab.game.texts") == ["15:14>15", "14:13>14", "13:12>13"]
        assert words(page) == "3 tiles moved"
        still(page)
        assert_shows(page, sl.position(text_of(page)))
        click_cell(page, 0)
        assert made(page) == 6
        assert sl.position(text_of(page)).holes == (0,)


def test_tiles_are_dragged(play: Open) -> None:
    with play(sl.puzzle("square R(3,3)")) as page:
        drag(page, 5, 8, 0.2)  # not far enough
        assert made(page) == 0
        still(page)
        assert_shows(page, sl.puzzle("square R(3,3)").goal)
        drag(page, 5, 8, 0.7)
        assert page.evaluate("slidelab.game.texts") == ["6:5>8"]
        drag(page, 0, 1)
        assert made(page) == 1
        still(page)
        assert_shows(page, sl.position(text_of(page)))


def targets(page: Page, move: str) -> tuple[float, float]:
    """Return where the target of a move of the picked piece is on the screen."""
    k = page.evaluate(
        "(text) => { const { puzzle, game } = slidelab, piece = Number(text.split(':')[0]) - 1;"
        "return puzzle.movesOf(game.state, piece).map((m) => puzzle.moveText(m)).indexOf(text); }",
        move,
    )
    box = page.locator(".handle").nth(k).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def with_choice(puzzle: Puzzle, seed: int = 1) -> tuple[Configuration, list[sl.Move]]:
    """Return a configuration in which a piece has several moves, and these."""
    for k in range(seed, seed + 50):
        here = puzzle.shuffle(seed=k)
        for piece in range(1, puzzle.piece_count + 1):
            own = [move for move in here.moves if move.piece == piece]
            if len(own) > 1:
                return here, own
    raise AssertionError("no piece has several moves")


@pytest.mark.parametrize("text", ["hex P(3,4) gourds", "hex P(3,4) trimers 3", "hex P(3,3) hextiles 4"])
def test_a_piece_with_several_moves_shows_its_targets(play: Open, text: str) -> None:
    puzzle = sl.puzzle(text)
    here, moves = with_choice(puzzle)
    cell = moves[0].before[0]
    with play(puzzle, here, hints=False) as page:
        for move in moves:
            click_cell(page, cell)
            assert page.locator(".handle").count() == len(moves)
            assert words(page).endswith("choose where it goes")
            page.mouse.click(*targets(page, move.text))
            assert page.evaluate("slidelab.game.texts[0]") == move.text
            assert text_of(page) == here.play(move).text
            still(page)
            assert_shows(page, lay_out_configuration(here.play(move)))
            page.keyboard.press("u")
            assert text_of(page) == here.text
            still(page)
        click_cell(page, cell)
        click_cell(page, cell)  # again: no longer picked
        assert page.locator(".handle").count() == 0


def test_touch(play: Open) -> None:
    with play(sl.puzzle("square R(3,3)"), "1 2 3 4 . 5 7 8 6", device=PHONE) as page:
        page.touchscreen.tap(*on_screen(page, 5))
        assert made(page) == 1
        page.tap("#undo")
        assert made(page) == 0
        page.tap("#redo")
        page.touchscreen.tap(*on_screen(page, 8))
        assert words(page).startswith("Solved in 2 moves")
        page.tap("#shuffle")
        assert made(page) == 0
        assert page.get_attribute("html", "data-solved") == "false"
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_swipes(play: Open) -> None:
    puzzle = sl.puzzle("hex F(2) gourds")
    here, moves = with_choice(puzzle)
    with play(puzzle, here, device=PHONE) as page:
        session = page.context.new_cdp_session(page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            touches = [{"x": x, "y": y} for x, y in points]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

        for move in moves:
            # The end that moves is drawn into the hole.
            pairs = zip(move.before, move.after, strict=True)
            start, end = next((before, after) for before, after in pairs if before != after)
            (x, y), (ax, ay) = on_screen(page, start), on_screen(page, end)
            touch("touchStart", (x, y))
            for k in range(1, 6):
                touch("touchMove", (x + (ax - x) * k / 5, y + (ay - y) * k / 5))
            touch("touchEnd")
            page.wait_for_function("() => slidelab.game.made === 1")
            assert page.evaluate("slidelab.game.texts") == [move.text]
            page.keyboard.press("u")  # browsers ignore a tap right after a swipe
            still(page)


def test_arrow_keys_move_tiles_of_square_boards(play: Open) -> None:
    with play(sl.puzzle("square R(3,3)")) as page:
        for key, move in (("Right", "8:7>8"), ("Down", "5:4>7"), ("Left", "6:5>4"), ("Up", None)):
            page.keyboard.press(f"Arrow{key}")
            if move:
                assert page.evaluate("slidelab.game.texts.at(-1)") == move
        assert page.evaluate("slidelab.game.texts.at(-1)") == "8:8>5"
        assert made(page) == 4


def test_pieces_and_targets_by_keyboard(play: Open) -> None:
    puzzle = sl.puzzle("hex P(3,4) gourds")
    here, moves = with_choice(puzzle)
    with play(puzzle, here, hints=False) as page:
        page.keyboard.press("Tab")
        first = page.evaluate("document.activeElement.id")
        assert first == f"p{min(move.piece for move in here.moves)}"
        assert page.evaluate("getComputedStyle(document.activeElement).filter") != "none"
        seen = {first}
        for key in ("Right", "Down", "Left", "Up") * 3:
            page.keyboard.press(f"Arrow{key}")
            seen.add(page.evaluate("document.activeElement.id"))
        assert len(seen) > 1
        assert seen <= {f"p{move.piece}" for move in here.moves}
        page.focus(f"#p{moves[0].piece}")
        page.keyboard.press("Enter")
        reached = set()
        for key in ("Right", "Down", "Left", "Up") * 2:
            page.keyboard.press(f"Arrow{key}")
            if page.locator(".handle.active").count():
                reached.add(words(page))
        assert len(reached) == len(moves)
        page.keyboard.press("Escape")
        assert page.locator(".handle").count() == 0
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
        if not page.locator(".handle.active").count():
            page.keyboard.press("ArrowLeft")
        page.keyboard.press(" ")
        assert page.evaluate("slidelab.game.texts[0]") in {move.text for move in moves}


def test_undo_redo_and_restart(play: Open) -> None:
    puzzle = sl.puzzle("hex P(3,4)")
    with play(puzzle, hints=False) as page:
        page.evaluate("slidelab.shuffle(40, 5)")
        start = text_of(page)
        assert made(page) == 0
        here = sl.position(start)
        texts = [start]
        for _ in range(6):
            move = next(iter(here.moves))
            assert page.evaluate("(text) => slidelab.play(text)", move.text)
            here = here.play(move)
            assert text_of(page) == here.text
            texts.append(here.text)
        assert not page.evaluate("slidelab.play('1:0>0')")
        for key, at in (
            ("Control+z", 5),
            ("u", 4),
            ("Control+y", 5),
            ("Shift+U", 6),
            ("Shift+U", 6),
            ("r", 0),
        ):
            page.keyboard.press(key)
            assert (made(page), text_of(page)) == (at, texts[at])
        page.keyboard.press("Shift+U")  # moves survive a restart
        assert text_of(page) == texts[1]
        assert page.get_attribute("#redo", "aria-disabled") == "false"
        still(page)
        assert_shows(page, sl.position(text_of(page)))
        page.wait_for_function("Object.values(localStorage).some((text) => text.includes('\"made\":1'))")
        page.reload()  # and the game survives
        assert (made(page), text_of(page)) == (1, texts[1])
        page.click("#redo")
        assert text_of(page) == texts[2]


def test_hints_lead_to_the_goal(play: Open) -> None:
    puzzle = sl.puzzle("square R(3,2)")
    with play(puzzle, puzzle.shuffle(seed=2)) as page:
        distance = puzzle.distance(puzzle.shuffle(seed=2))
        assert distance is not None
        page.keyboard.press("h")
        assert words(page).endswith(f"; {distance} moves to go")
        assert page.locator(".handle.active").count() == 1
        hinted = page.evaluate("slidelab.puzzle.moveText(slidelab.table.hint(slidelab.game.state))")
        click_cell(page, int(hinted.split(">")[1]))  # the target
        assert page.evaluate("slidelab.game.texts") == [hinted]
        for _ in range(2 * distance - 2):
            page.keyboard.press("h")
        assert words(page).startswith(f"Solved in {distance} moves, the fewest possible")
        assert page.get_attribute("#hint", "aria-disabled") == "true"


def test_hints_say_what_cannot_be_reached(play: Open) -> None:
    with play(sl.puzzle("square R(2,2)"), "2 1 3 .") as page:
        page.click("#hint")
        assert words(page) == "The goal cannot be reached from here."


def test_pages_without_a_table_tell_unsolvable_from_far(play: Open) -> None:
    fifteen = sl.puzzle("square R(4,4)")
    swapped = "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 ."
    obstacle = fifteen.solvable(swapped).reason
    with play(fifteen, swapped, hints=False) as page:
        page.click("#hint")
        assert words(page) == f"The goal cannot be reached from here: {obstacle}."
        page.evaluate("slidelab.shuffle(3, 1)")
        page.click("#hint")
        page.wait_for_function(IS_KNOWN)
    large = sl.puzzle("square R(10,10)")
    with play(large, large.shuffle(seed=1), hints=False) as page:
        page.evaluate("slidelab.search.run = async () => 'limit'")  # the search itself takes long
        page.click("#hint")
        assert words(page) == (
            "No hint found: the goal can be reached, but is too far away for a search in this page."
        )
        far = large.shuffle(seed=2).text.split(" : ")[1]
        page.evaluate("(text) => { location.hash = text.replaceAll(' ', '+') }", far)
        page.wait_for_function("() => document.getElementById('words').textContent.includes('address')")
        page.click("#hint")
        assert words(page).endswith("is too far away for a search in this page, or out of reach.")


def test_a_search_of_all_states_says_what_cannot_be_reached(play: Open) -> None:
    with play(sl.puzzle("square R(2,2)"), hints=False, link="#2+1+3+.") as page:
        page.click("#hint")
        page.wait_for_function("() => !document.getElementById('words').textContent.includes('Searching')")
        assert words(page) == "The goal cannot be reached from here."
        assert page.evaluate("slidelab.search.run(slidelab.puzzle.goal, async () => true)") == "found"


@pytest.mark.parametrize("text", ["square R(4,4)", "hex F(3) gourds"])
def test_hints_by_search(play: Open, text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(seed=1)
    with play(puzzle, start) as page:
        assert page.evaluate("slidelab.table") is None
        page.click("#hint")
        page.wait_for_function(IS_KNOWN, timeout=60_000)
        plan = page.evaluate("slidelab.search.plan")
        assert start.play(*plan) == puzzle.goal
        page.click("#hint")
        assert page.evaluate("slidelab.game.texts") == plan[:1]
        page.click("#hint")  # at once, from the plan
        assert words(page).endswith(f"{len(plan) - 1} moves is known")


def test_coloured_pieces_match_the_floor(play: Open) -> None:
    document = sl.puzzle("square R(2,2)", colours=["red", "red", "blue"])
    with play(document, "blue red red .", floor=["red", "red", "blue", "."]) as page:
        assert page.get_attribute("html", "data-solved") == "false"
        assert page.is_hidden("#goal")
        page.click("#hint")
        page.wait_for_function(IS_KNOWN)
        for move in page.evaluate("slidelab.search.plan"):
            page.evaluate("(text) => slidelab.play(text)", move)
        assert page.get_attribute("html", "data-solved") == "true"
        assert text_of(page).endswith(": red red blue .")


def test_equal_pieces_keep_their_elements(play: Open) -> None:
    puzzle = sl.puzzle("square R(2,2)", colours=["red", "red", "blue"])
    with play(puzzle) as page:
        cell_of = "() => [1, 2, 3].map((n) => document.getElementById(`p${n}`).getAttribute('aria-label'))"
        before = page.evaluate(cell_of)
        page.keyboard.press("ArrowDown")
        after = page.evaluate(cell_of)
        assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


def test_shuffles_are_solvable_and_reproducible(play: Open) -> None:
    puzzle = sl.puzzle("square R(3,3)")
    with play(puzzle) as page:
        seen = []
        for seed in (1, 2, 1):
            page.evaluate("(seed) => slidelab.shuffle(25, seed)", seed)
            seen.append(text_of(page))
            assert puzzle.solvable(sl.position(seen[-1]))
        assert seen[0] == seen[2] != seen[1]
        page.select_option("#length", "10")
        page.click("#shuffle")
        distance = puzzle.distance(sl.position(text_of(page)))
        assert distance is not None
        assert 0 < distance <= 10
        page.evaluate("slidelab.shuffle(0, 1)")  # never the goal itself
        assert page.get_attribute("html", "data-solved") == "false"


def test_the_goal_is_shown(play: Open) -> None:
    puzzle = sl.puzzle("square R(3,3)")
    start = puzzle.shuffle(seed=3)
    with play(puzzle, start) as page:
        page.keyboard.press("g")
        still(page)
        assert_shows(page, puzzle.goal)
        assert page.get_attribute("#goal", "aria-pressed") == "true"
        page.click("#goal")
        still(page)
        assert_shows(page, start)
        assert text_of(page) == start.text


def test_positions_in_the_address(play: Open) -> None:
    puzzle = sl.puzzle("square R(3,3)")
    here = puzzle.configuration("1 2 3 4 5 6 7 . 8")
    with play(puzzle, link="#1+2+3+4+5+6+7+.+8") as page:
        assert text_of(page) == here.text
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => location.hash === '#1+2+3+4+5+6+7+8+.'")
        page.evaluate("location.hash = '#1+2+3+4+.+5+7+8+6'")
        page.wait_for_function("() => slidelab.text.endsWith('4 . 5 7 8 6')")
        for bad in ("#1+2", "#%", "#1+1+2+3+4+5+6+7+.", "#<script>", "#9+1+2+3+4+5+6+7+.", "#" + "1+" * 9000):
            page.evaluate("(link) => { location.hash = link; }", bad)
        page.evaluate("new Promise((done) => setTimeout(done, 30))")
        assert text_of(page).endswith("4 . 5 7 8 6")
    with play(puzzle, link="#%3Cscript%3E") as page:
        assert text_of(page) == puzzle.goal.text


def test_the_position_as_text(play: Open) -> None:
    puzzle = sl.puzzle(
        "hex P(3,4) gourds", colours=[["a", "b"], ["a", "a"], ["a", "b"], ["b", "b"], ["a", "a"]]
    )
    start = puzzle.shuffle(seed=2)
    with play(puzzle, hints=False) as page:
        page.click("#text")
        assert page.input_value("#position") == puzzle.goal.text
        page.fill("#position", start.text)
        page.press("#position", "Enter")
        assert text_of(page) == start.text
        page.fill("#position", "nonsense")
        page.press("#position", "Enter")
        assert words(page) == "Expected 5 gourds."
        assert text_of(page) == start.text
        page.press("#position", "u")  # typing is not playing
        page.click("#copy")


def test_reduced_motion_and_themes(play: Open) -> None:
    puzzle = sl.puzzle("hex F(2) gourds")
    with play(puzzle, device={"reduced_motion": "reduce"}) as page:
        move = next(iter(puzzle.goal.moves))
        parts = page.evaluate(
            "(text) => { slidelab.play(text); return document.documentElement.dataset.gliding; }", move.text
        )
        assert parts == "false"
        assert_shows(page, puzzle.goal.play(move))
        page.click("#theme")
        assert page.get_attribute("html", "data-theme") == "dark"


def test_a_page_without_memory(play: Open) -> None:
    puzzle = sl.puzzle("square R(2,2)")
    with play(puzzle) as page:
        page.add_init_script(
            "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"
        )
        page.reload()
        page.keyboard.press("ArrowDown")
        assert made(page) == 1
        assert page.get_attribute("#words", "aria-live") == "polite"


def test_the_clock_runs_from_the_first_move_to_the_last(play: Open) -> None:
    with play(sl.puzzle("square R(2,2)")) as page:
        assert page.inner_text("#time") == "0:00"
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.getElementById('time').textContent !== '0:00'")
        page.keyboard.press("ArrowLeft")
        assert "Solved" in words(page)
        shown = page.inner_text("#time")
        page.evaluate("new Promise((done) => setTimeout(done, 600))")
        assert page.inner_text("#time") == shown


def test_large_boards(play: Open) -> None:
    with play(sl.puzzle("square R(20,20)")) as page:
        page.evaluate("slidelab.shuffle(200, 1)")
        here = sl.position(text_of(page))
        move = next(iter(here.moves))
        click_cell(page, move.before[0])
        assert text_of(page) == here.play(move).text
