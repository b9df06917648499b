"""The core of what people do in the studio, in Firefox: the tests of the other files, in another browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from draw.browser import firefox
from studio import test_browser_help, test_browser_play
from studio.pages import Open

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with firefox() as program:
        yield program


@pytest.mark.parametrize(
    "check",
    [
        test_browser_play.test_play_and_win_by_clicking,
        test_browser_play.test_undo_redo_restart,
        test_browser_help.test_hint_and_the_move_itself,
        test_browser_help.test_solve_step_scrub_and_play,
    ],
)
def test_in_firefox(studio: Open, check: Callable[[Open], None]) -> None:
    check(studio)


def test_a_shared_link_in_firefox(studio: Open, browser: Browser) -> None:
    test_browser_play.test_a_shared_link(studio, browser)
