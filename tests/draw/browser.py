"""Chromium and Firefox, driven by Playwright, for tests of pages.

Without them, tests are skipped, or fail if SLIDELAB_NEEDS_BROWSER is 1.
"""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import pytest

import slidelab as sl
from slidelab.draw.marks import Group
from slidelab.draw.picture.board import cell_size, lay_out_configuration
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.pieces import Part, all_parts, place_parts
from slidelab.draw.theme import LIGHT
from slidelab.puzzles import Configuration, Puzzle, Solution

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
def firefox() -> Iterator[Browser]:
    """Start an unchanged Firefox, through WebDriver BiDi, and close it in the end."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _skip("playwright")
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        _skip("firefox")
    with sync_playwright() as playwright:
        browser = playwright.firefox.launch(executable_path=program, channel="moz-firefox")
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


Show = Callable[..., Any]
Point = tuple[float, float]

# The matrix of each part of each piece, in pixels of the drawing.
PARTS = """() => {
  const layer = document.getElementById('pieces'), back = layer.getCTM().inverse();
  return Array.from({length: layer.children.length}, (_, n) =>
    [...document.getElementById(`p${n + 1}`).querySelectorAll(':scope > :not(title)')].map((part) => {
      const m = back.multiply(part.getCTM());
      return [m.a, m.b, m.c, m.d, m.e, m.f];
    }));
}"""
# The centre of a tile, and of a point of the drawing, in pixels of the screen.
FACE = """(n) => {
  const box = document.getElementById(`p${n}`).querySelectorAll('path, use')[1].getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
ON_SCREEN = """([x, y]) => {
  const at = new DOMPoint(x, y).matrixTransform(document.getElementById('stage').getScreenCTM());
  return [at.x, at.y];
}"""
CLICK = "document.getElementById('next').click();"
FRAMES = """(n) => new Promise((done) => {
  const next = () => (n-- > 0 ? requestAnimationFrame(next) : done());
  next();
})"""


@lru_cache(maxsize=16)
def solved(puzzle: str, rule: str | None = None, seed: int = 1) -> Solution:
    parsed = sl.puzzle(puzzle, rule)
    return parsed.solve(parsed.shuffle(seed=seed))


def canvas_of(here: Configuration) -> Canvas:
    board = here.puzzle.board
    return Canvas(board, LIGHT, cell_size(board, None))


@lru_cache(maxsize=16)
def parts_of(puzzle: Puzzle, size: float) -> list[list[Part]]:
    return all_parts(puzzle, LIGHT, size)


def matrices(here: Configuration, points: list[list[Point]]) -> list[list[list[float]]]:
    """Return the matrices of the parts of each piece with its cells at these points."""
    size, result = canvas_of(here).size, []
    for parts, own in zip(parts_of(here.puzzle, size), points, strict=True):
        rows = []
        for part in place_parts(parts, own, size).items:
            assert isinstance(part, Group)
            cos, sin = math.cos(math.radians(part.angle)), math.sin(math.radians(part.angle))
            rows.append([part.scale_x * cos, part.scale_x * sin, -sin, cos, part.x, part.y])
        result.append(rows)
    return result


def cell_points(here: Configuration) -> list[list[Point]]:
    canvas = canvas_of(here)
    return [[canvas.centre(cell) for cell in cells] for cells in here.pieces]


def after(solution: Solution, moves: int) -> Configuration:
    return lay_out_configuration(solution.start).play(*solution.moves[:moves])


def assert_same(found: list[list[list[float]]], expected: list[list[list[float]]]) -> None:
    assert [len(own) for own in found] == [len(own) for own in expected]
    rows, expected_rows = (np.array([row for own in every for row in own]) for every in (found, expected))
    assert np.abs(rows - expected_rows).max() < 0.03


def assert_shows(page: Page, here: Configuration) -> None:
    assert_same(page.evaluate(PARTS), matrices(here, cell_points(here)))


def assert_face(page: Page, piece: int, here: Configuration) -> None:
    point = page.evaluate(ON_SCREEN, list(cell_points(here)[piece - 1][0]))
    assert page.evaluate(FACE, piece) == pytest.approx(point, abs=0.6)


def state(page: Page) -> tuple[int, bool]:
    move, playing = page.evaluate(
        "[document.documentElement.dataset.move, document.documentElement.dataset.playing]"
    )
    return int(move), playing == "true"


def wait_for_move(page: Page, k: int) -> None:
    page.wait_for_function("(k) => document.documentElement.dataset.move === String(k)", arg=k)


def wait_until_still(page: Page) -> None:
    """Wait until playing and the animation of the last move have ended."""
    page.wait_for_selector('html[data-playing="false"][data-gliding="false"]', state="attached")
