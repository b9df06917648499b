"""The controls of the player in a browser, and the positions of the pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slidelab as sl
from draw.browser import (
    CLICK,
    FRAMES,
    PARTS,
    Show,
    after,
    assert_face,
    assert_same,
    assert_shows,
    canvas_of,
    cell_points,
    matrices,
    solved,
    state,
    wait_for_move,
    wait_until_still,
)
from draw.test_player import long_solution
from slidelab.draw.picture.board import lay_out_configuration
from slidelab.draw.picture.motions import ease, move_motion
from slidelab.puzzles import Configuration, MoveList, Solution

if TYPE_CHECKING:
    pass


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
