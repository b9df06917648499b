"""The studio in a browser: a real server, its page, and what tests do there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from draw.browser import ON_SCREEN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., AbstractContextManager["Page"]]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PATIENCE = 90_000
"""Milliseconds that a condition may take on a machine that does much else."""


PATIENT_SERVER = """
import sys
from slidelab.studio.server import bind, make_studio, serve
from studio.serving import PATIENT

listener = bind("127.0.0.1", int(sys.argv[1]))
studio, address = make_studio(listener, "127.0.0.1", None, PATIENT)
serve(listener, studio, lambda: print(address, flush=True))
"""


@contextmanager
def served(port: int = 0) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a server with limits that no test reaches, and end it; yield its address and process."""
    with _server([sys.executable, "-c", PATIENT_SERVER, str(port)]) as found:
        yield found


@contextmanager
def served_by_command(*arguments: str) -> Iterator[str]:
    """Start a server as people do; yield its address."""
    command = [sys.executable, "-m", "slidelab", "play", *arguments, "--port", "0", "--no-browser"]
    with _server(command) as (address, _):
        yield address


@contextmanager
def _server(command: list[str]) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1])
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        assert address.startswith("http://")
        yield address, server
    finally:
        server.terminate()
        server.communicate(timeout=60)


@contextmanager
def opened_studio(
    browser: Browser, address: str, link: str = "", *, allow: tuple[str, ...] = (), **options: Any
) -> Iterator[Page]:
    """Open the studio; assert in the end that there was no error, and nothing came from elsewhere."""
    errors: list[str] = []
    context = browser.new_context(**(options or LAPTOP))
    try:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on(
            "console",
            lambda message: errors.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: _note_stranger(request.url, address, errors))
        page.goto(address + link)
        page.wait_for_selector("html[data-ready]", state="attached")
        yield page
    finally:
        context.close()
    allowed = (*allow, "status of 503")  # the server was busy; the page asks again
    unexpected = [error for error in errors if not any(text in error for text in allowed)]
    assert not unexpected, unexpected


def _note_stranger(url: str, address: str, errors: list[str]) -> None:
    if not url.startswith((address.partition("?")[0], "data:", "blob:")):
        errors.append(url)


def at(position: str, moves: str = "") -> str:
    """Return the fragment of an address."""
    return f"#at={quote(position)}" + (f"&moves={quote(moves)}" if moves else "")


def text_of(page: Page) -> str:
    return str(page.evaluate("slidelab.text"))


def made(page: Page) -> int:
    return int(page.evaluate("document.documentElement.dataset.moves"))


def words(page: Page) -> str:
    return page.inner_text("#words")


def wait_for_words(page: Page, part: str) -> str:
    """Wait until a part of the sentence below the board is this."""
    page.wait_for_function("(part) => document.getElementById('words').textContent.includes(part)", arg=part)
    return words(page)


def wait_for_text(page: Page, selector: str, part: str = "") -> str:
    """Wait until an element has a text with this part."""
    page.wait_for_function(
        "([selector, part]) => { const found = document.querySelector(selector)?.textContent;"
        "return found && found.includes(part); }",
        arg=[selector, part],
    )
    return page.inner_text(selector)


def still(page: Page) -> None:
    """Wait until nothing moves, neither by script nor by style."""
    page.wait_for_function(
        "() => document.documentElement.dataset.gliding === 'false' && !document.getAnimations().length"
    )


def on_screen(page: Page, cell: int) -> tuple[float, float]:
    point = page.evaluate("(cell) => slidelab.session.view.point(cell)", cell)
    x, y = page.evaluate(ON_SCREEN, point)
    return x, y


def click_cell(page: Page, cell: int) -> None:
    page.mouse.click(*on_screen(page, cell))


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for k in range(1, 7):
        page.mouse.move(*(a + (b - a) * k / 6 for a, b in zip(start, end, strict=True)))
    page.mouse.up()


def touch_drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    touch("touchStart", start)
    for k in range(1, 7):
        touch("touchMove", (start[0] + (end[0] - start[0]) * k / 6, start[1] + (end[1] - start[1]) * k / 6))
    touch("touchEnd")


def show_tab(page: Page, name: str) -> None:
    """Show a panel, and wait until it is made."""
    if page.get_attribute(f"#tab-{name}", "aria-selected") != "true":
        page.click(f"#tab-{name}")
    page.wait_for_function("(id) => document.getElementById(id).childElementCount > 0", arg=f"panel-{name}")
