"""A browser for tests of pages: Chromium, driven by Playwright.

Without either of them tests are skipped, unless SLIDELAB_NEEDS_BROWSER is 1: then they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
OWN = ("file://", "data:", "about:", "blob:")


def _lacking(what: str) -> None:
    if os.environ.get("SLIDELAB_NEEDS_BROWSER") == "1":
        pytest.fail(f"SLIDELAB_NEEDS_BROWSER is 1, but there is no {what}")
    pytest.skip(f"there is no {what}")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser, closed in the end."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _lacking("playwright")
    program = shutil.which("chromium")
    if program is None:
        _lacking("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Browser, path: Path, link: str = "", **options: Any) -> Iterator[Page]:
    """The page of a file; in the end it must have had no errors, and have asked for no other address."""
    wrong: list[str] = []
    context = browser.new_context(**options)
    try:
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on(
            "console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(OWN) else wrong.append(asked.url))
        page.goto(path.as_uri() + link)
        yield page
    finally:
        context.close()
    assert wrong == []
