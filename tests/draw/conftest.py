"""Fixtures for tests in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from draw.browser import Show, chromium, opened
from slidelab.draw.film import player_html
from slidelab.puzzles import Solution

if TYPE_CHECKING:
    from playwright.sync_api import Browser


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
