"""Sharing from the studio, servers that come and go, sizes of screens, and accessibility."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import slidelab as sl
from studio.pages import (
    LAPTOP,
    PHONE,
    Open,
    at,
    click_cell,
    made,
    opened_studio,
    served,
    served_by_command,
    show_tab,
    still,
    text_of,
    wait_for_text,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EIGHT = "square R(3,3) : 1 2 3 4 . 5 7 8 6"
AXE = Path(__file__).parents[2] / "build" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
TABS = ("puzzles", "solve", "build", "explore", "share")


def test_links_and_files(studio: Open, tmp_path: Path) -> None:
    with studio(at(EIGHT), accept_downloads=True, **LAPTOP) as page:
        click_cell(page, 5)
        show_tab(page, "share")
        assert page.input_value("#share-position") == text_of(page)
        assert "moves=5:5~4" in page.input_value("#share-link")
        assert page.input_value("#share-embed").startswith("<iframe src=")
        for name in ("svg", "json", "html"):
            with page.expect_download() as event:
                page.click(f"[data-format='{name}']")
            path = tmp_path / f"file.{name}"
            event.value.save_as(path)
            wait_for_text(page, "#export-status", f".{name}")
            content = path.read_text(encoding="utf-8")
            if name == "json":
                document = sl.read_document(json.loads(content))
                assert document.puzzle == sl.puzzle("square R(3,3)")
            else:
                assert content.startswith("<svg" if name == "svg" else "<!doctype html>")


MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-1.", "gif": b"GIF89a", "3mf": b"PK\x03\x04"}


def test_pictures_films_and_parts(studio: Open, tmp_path: Path) -> None:
    with studio(at(EIGHT), accept_downloads=True, **LAPTOP) as page:
        click_cell(page, 5)
        show_tab(page, "share")
        for name in (*MAGIC, "mp4"):
            with page.expect_download() as event:
                page.click(f"[data-format='{name}']")
            assert event.value.suggested_filename == f"square-r-3-3-tiles-1.{name}"
            path = tmp_path / f"file.{name}"
            event.value.save_as(path)
            wait_for_text(page, "#export-status", f".{name}")
            content = path.read_bytes()
            assert len(content) > 1000
            assert content[4:8] == b"ftyp" if name == "mp4" else content.startswith(MAGIC[name])


def test_import_by_text_file_and_drop(studio: Open, tmp_path: Path) -> None:
    solution = sl.puzzle("square R(3,3)").solve(EIGHT)
    path = tmp_path / "solution.json"
    path.write_text(json.dumps(solution.to_json()), encoding="utf-8")
    with studio(at("hex F(2)")) as page:
        show_tab(page, "share")
        page.fill("#import-text", "{ not JSON")
        page.click("#import")
        wait_for_text(page, "#import-problem", "no JSON")
        assert text_of(page).startswith("hex F(2)")
        page.set_input_files("#import-file", path)
        page.wait_for_function("() => slidelab.text.startsWith('square R(3,3)')")
        assert page.evaluate("slidelab.session.game.texts") == [move.text for move in solution.moves]
        page.evaluate(
            "(text) => { const data = new DataTransfer(); data.setData('text/plain', text);"
            "const options = { dataTransfer: data, bubbles: true, cancelable: true };"
            "dispatchEvent(new DragEvent('drop', options)); }",
            "cycle(5)",
        )
        page.wait_for_function("() => slidelab.text.startsWith('cycle(5)')")


def test_the_server_goes_and_comes_back(browser: Browser) -> None:
    with served() as (address, first):
        port = int(address.rstrip("/").rpartition(":")[2])
        with opened_studio(
            browser, address, at(EIGHT), allow=("ERR_CONNECTION_REFUSED", "ERR_EMPTY", "ERR_CONNECTION_RESET")
        ) as page:
            first.terminate()
            first.wait(timeout=60)
            click_cell(page, 5)
            assert made(page) == 1
            page.fill("#source", "15-puzzle")
            page.press("#source", "Enter")
            wait_for_text(page, "#connection", "gone")
            assert text_of(page).startswith("square R(3,3)")
            click_cell(page, 2)
            assert made(page) == 2
            with served(port=port) as (again, _):
                assert again == address
                page.wait_for_function("() => document.getElementById('connection').textContent === ''")
                page.fill("#source", "15-puzzle")
                page.press("#source", "Enter")
                page.wait_for_function("() => slidelab.text.startsWith('square R(4,4)')")


def test_what_the_command_line_names(browser: Browser) -> None:
    with served_by_command("hex F(2) gourds") as address, opened_studio(browser, address) as page:
        assert text_of(page) == sl.puzzle("hex F(2) gourds").goal.text


def _axe() -> str:
    if not AXE.exists():
        if os.environ.get("SLIDELAB_NEEDS_BROWSER") == "1":
            pytest.fail("SLIDELAB_NEEDS_BROWSER is 1, but there is no axe-core: run make npm-tools")
        pytest.skip("there is no axe-core: make npm-tools fetches it where there is npm")
    return AXE.read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_no_serious_defect_of_accessibility(studio: Open, device: dict[str, object], theme: str) -> None:
    script = _axe()
    with studio(at("hex P(3,3)"), color_scheme=theme, bypass_csp=True, **device) as page:
        page.evaluate(script)
        for tab in TABS:
            show_tab(page, tab)
            if tab in ("build", "explore"):
                page.wait_for_selector("#facts[aria-busy='false'] .fact")
                still(page)
            found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
            serious = [
                (each["id"], [node["target"] for node in each["nodes"]][:3])
                for each in found["violations"]
                if each["impact"] in ("serious", "critical")
            ]
            assert serious == [], tab


@pytest.mark.parametrize("width", [320, 390, 768, 1280, 1920])
def test_nothing_is_cut_off(studio: Open, width: int) -> None:
    with studio(at("hex F(3) gourds"), viewport={"width": width, "height": 800}) as page:
        for tab in TABS:
            show_tab(page, tab)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            outside = page.evaluate(
                "() => [...document.querySelectorAll('button, select, input')].filter((each) => {"
                "const box = each.getBoundingClientRect();"
                "return each.checkVisibility() && box.width && !each.classList.contains('offscreen')"
                "&& (box.left < -1 || box.right > innerWidth + 1); })"
                ".map((each) => each.id || each.textContent)"
            )
            assert outside == [], tab


def test_reduced_motion(studio: Open) -> None:
    with studio(at(EIGHT), reduced_motion="reduce", **LAPTOP) as page:
        click_cell(page, 5)
        assert page.get_attribute("html", "data-gliding") == "false"
        assert made(page) == 1
