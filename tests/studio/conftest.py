"""Fixtures for tests of the studio: its server, and its page in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from draw.browser import chromium
from studio.pages import Open, opened_studio, served
from studio.serving import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server with limits that no test reaches."""
    with serving() as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as program:
        yield program


@pytest.fixture(scope="module")
def address(browser: Browser) -> Iterator[str]:
    """The address of a server in a process of its own, once there is a browser for it."""
    with served() as (found, _):
        yield found


@pytest.fixture
def studio(browser: Browser, address: str) -> Open:
    """Return a function that opens the studio with the fragment of an address."""

    def open_page(link: str = "", **options: Any) -> Any:
        return opened_studio(browser, address, link, **options)

    return open_page
