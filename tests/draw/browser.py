"""Chromium, driven by Playwright, for tests of pages.

Without either, tests are skipped, or fail if SLIDELAB_NEEDS_BROWSER is 1.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

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


def _skip(what: str) -> NoReturn:
    if os.environ.get("SLIDELAB_NEEDS_BROWSER") == "1":
        pytest.fail(f"SLIDELAB_NEEDS_BROWSER is 1, but there is no {what}")
    pytest.skip(f"there is no {what}")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser, and close it in the end."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _skip("playwright")
    program = shutil.which("chromium")
    if program is None:
        _skip("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Browser, path: Path, link: str = "", **options: Any) -> Iterator[Page]:
    """Open the page of a file; assert in the end that it had no errors and loaded nothing else."""
    errors: list[str] = []
    context = browser.new_context(**options)
    try:
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on(
            "console",
            lambda message: errors.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "request", lambda request: None if request.url.startswith(OWN) else errors.append(request.url)
        )
        page.goto(path.as_uri() + link)
        yield page
    finally:
        context.close()
    assert errors == []
