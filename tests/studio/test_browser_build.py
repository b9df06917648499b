"""Building and understanding in the studio: families, drawn boards, graphs, goals, facts and charts."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import pytest

import slidelab as sl
from studio.pages import (
    Open,
    at,
    click_cell,
    drag,
    made,
    on_screen,
    show_tab,
    text_of,
    wait_for_text,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

BLUE = "blue blue blue blue blue"
FACTS = "() => document.getElementById('facts')?.getAttribute('aria-busy') === 'false'"


def components(page: Page) -> str:
    """Return the fact about components, when facts are there."""
    page.wait_for_function(FACTS)
    page.wait_for_selector("#facts [data-key='components']")
    return page.inner_text("#facts [data-key='components'] dd").partition("(")[0].strip()


def mode(page: Page, name: str) -> None:
    page.check(f"input[name=mode][value={name}]", force=True)


def cell_point(page: Page, key: str) -> tuple[float, float]:
    box = page.locator(f"[data-cell='{key}']").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_family(studio: Open) -> None:
    with studio(at("square R(3,3)")) as page:
        show_tab(page, "build")
        page.wait_for_selector("#sizes input")
        assert page.input_value("#family").startswith("square R")
        page.select_option("#family", label="hex T(side)")
        page.fill("#sizes input", "4")
        page.wait_for_function("() => slidelab.text.startsWith('hex T(4) hextiles 2 :')")
        page.select_option("#rule", "gourds")
        page.wait_for_function("() => slidelab.text.startsWith('hex T(4) gourds')")
        assert text_of(page) == sl.puzzle("hex T(4) gourds").goal.text


def test_painting_changes_the_facts(studio: Open) -> None:
    with studio(at("square R(3,3)")) as page:
        show_tab(page, "build")
        mode(page, "square")
        page.click("text=Clear")
        for row in (-1, 0):
            drag(page, cell_point(page, f"-1,{row}"), cell_point(page, f"1,{row}"))
        assert page.evaluate("document.querySelectorAll('.paint.on').length") == 6
        (family,) = sl.puzzle("square R(3,2)").analyze().families
        wait_for_text(page, "#drafted", "6 cells")
        found = "document.querySelector('#facts [data-key=components] dd')?.textContent.includes(text)"
        expected = f"{family.components} of {family.size}"
        page.wait_for_function(f"(text) => {found}", arg=expected)
        page.mouse.click(*cell_point(page, "2,0"))
        wait_for_text(page, "#drafted", "7 cells")
        page.wait_for_function(f"(text) => !{found}", arg=expected)
        page.click("[aria-label='undo drawing']")
        wait_for_text(page, "#drafted", "6 cells")
        page.keyboard.press("Control+y")
        wait_for_text(page, "#drafted", "7 cells")
        page.keyboard.press("Control+z")
        page.keyboard.press("ArrowDown")  # moves no tile of the board, which is hidden
        assert made(page) == 0
        page.click("#play-it")
        page.wait_for_function("() => slidelab.session.info.cells === 6")
        assert sl.position(text_of(page)).puzzle.board == sl.board("square R(3,2)")


def test_symmetric_painting_and_keys(studio: Open) -> None:
    with studio(at("square R(3,3)")) as page:
        show_tab(page, "build")
        mode(page, "hex")
        page.click("text=Clear")
        page.select_option("#symmetry", "turn")
        page.mouse.click(*cell_point(page, "1,0"))
        assert page.evaluate("document.querySelectorAll('.paint.on').length") == 6
        page.focus("[data-cell='1,0']")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Space")
        assert page.evaluate("document.querySelectorAll('.paint.on').length") == 7
        page.click("#play-it")
        page.wait_for_function("() => slidelab.session.info.cells === 7")
        assert sl.position(text_of(page)).puzzle.board == sl.board("hex Ptr(3,3)")  # the flower's other name


def test_a_graph(studio: Open) -> None:
    with studio(at("square R(3,3)")) as page:
        show_tab(page, "build")
        mode(page, "graph")
        page.click("text=Clear")
        box = page.locator("#pad").bounding_box()
        assert box is not None
        points = [
            (box["x"] + box["width"] * x, box["y"] + box["height"] * y)
            for x, y in ((0.3, 0.3), (0.7, 0.3), (0.5, 0.7))
        ]
        for point in points:
            page.mouse.click(*point)
        assert page.locator("#pad .vertex").count() == 3
        for k in range(3):
            drag(page, points[k], points[(k + 1) % 3])
        assert page.input_value("#edges") == "0-1 1-2 2-0"
        page.click("#play-it")
        page.wait_for_function("() => slidelab.session.info.kind === 'graph'")
        assert sl.position(text_of(page)).puzzle.board == sl.board("cycle(3)")
        page.wait_for_function("() => location.hash.includes('places=')")
        drawn, link = triangle(page), page.evaluate("location.hash")
    with studio(link) as page:  # somebody else
        assert triangle(page) == pytest.approx(drawn, abs=0.02)
        assert page.evaluate("location.hash") == link
        show_tab(page, "share")
        with page.expect_download() as event:
            page.click("[data-format=json]")
        positions = json.loads(Path(event.value.path()).read_text())["puzzle"]["board"]["positions"]
        assert shape_of(positions) == pytest.approx(drawn, abs=0.02)


def triangle(page: Page) -> list[float]:
    """Return the form of the graph with three vertices on the table."""
    return shape_of(page.evaluate("[0, 1, 2].map((cell) => slidelab.session.view.point(cell))"))


def shape_of(points: list[list[float]]) -> list[float]:
    """Return the lengths of the sides of a triangle, divided by the first."""
    sides = [math.dist(points[k], points[(k + 1) % 3]) for k in range(3)]
    return [side / sides[0] for side in sides]


def test_a_goal_of_ones_own(studio: Open) -> None:
    with studio(at("square R(3,3) : 1 2 3 4 5 6 7 . 8")) as page:
        show_tab(page, "build")
        page.click("#arrange")
        drag(page, on_screen(page, 0), on_screen(page, 1))
        drag(page, on_screen(page, 3), on_screen(page, 4))
        page.click("#use-goal")
        assert page.evaluate("slidelab.session.goalText") == "square R(3,3) tiles 1 : 2 1 3 5 4 6 7 . 8"
        assert text_of(page).endswith(": 1 2 3 4 5 6 7 . 8")
        assert made(page) == 0
        show_tab(page, "solve")
        page.click("#solvable")
        page.wait_for_selector("#verdict[data-solvable='true']")
        page.wait_for_function("() => location.hash.includes('goal=2+1+3')")
        page.reload()
        page.wait_for_selector("html[data-ready]", state="attached")
        assert page.evaluate("slidelab.session.goalText").endswith(": 2 1 3 5 4 6 7 . 8")


def test_facts_are_explained(studio: Open) -> None:
    with studio(at("hex P(4,4)")) as page:
        show_tab(page, "explore")
        page.wait_for_selector("#facts [data-key='tight_corners']")
        page.focus("#facts [data-key='tight_corners']")
        assert "stuck" in page.inner_text("#facts-why")
        assert page.locator("#over .fact-cells circle").count() == 2
        page.click("#facts-why button")
        wait_for_text(page, "#glossary-text", "two neighbours")
        page.keyboard.press("Escape")
        assert not page.evaluate("document.getElementById('glossary').open")


def test_distances_and_the_puzzle_graph(studio: Open) -> None:
    with studio(at("hex F(2)")) as page:
        show_tab(page, "explore")
        distances = sl.puzzle("hex F(2)").distances()
        wait_for_text(page, "#distribution-words", f"{distances.states} positions")
        assert page.locator("#distribution .bar").count() == distances.depth + 1
        assert page.locator("#distribution .bar.here title").text_content() == "0 moves: 1 positions"
        wait_for_text(page, "#puzzle-graph-words", f"{distances.states} positions")
        graph = sl.puzzle("hex F(2)").graph()
        parts = [graph.subgraph(nodes) for nodes in nx.connected_components(graph) if len(nodes) > 1]
        assert {part.number_of_nodes() for part in parts} == {distances.states}
        assert f", {parts[0].number_of_edges()} edges" in page.inner_text("#puzzle-graph-words")
        assert page.evaluate("slidelab.play(slidelab.moves[0])")
        page.wait_for_function(
            "() => document.querySelector('#distribution .here title').textContent.startsWith('1 move:')"
        )


def test_layers(studio: Open) -> None:
    with studio(at("hex T(4)")) as page:
        show_tab(page, "explore")
        page.check("#layer-numbers")
        assert page.locator("#over .number").count() == 10
        page.uncheck("#layer-numbers")
        assert page.locator("#over .number").count() == 0
        page.check("#layer-corners")
        page.wait_for_selector("#over .corners circle", state="attached")
        assert page.locator("#over .corners circle").count() == 3
        page.check("#layer-orbits")
        wait_for_text(page, "#layers-words", "orbit")
        page.check("#layer-home")
        assert page.locator("#over .home circle").count() == 8


def test_colours(studio: Open) -> None:
    with studio(at("square R(3,3)")) as page:
        show_tab(page, "build")
        page.select_option("#colours", "2")
        page.wait_for_function("() => slidelab.text.includes('red')")
        assert sl.position(text_of(page)).puzzle.colours is not None
        assert page.get_attribute("html", "data-solved") == "true"


def test_single_pieces_are_painted(studio: Open) -> None:
    with studio(at("square R(3,3) : 1 2 3 4 5 6 7 . 8")) as page:
        show_tab(page, "build")
        page.click("[data-colour=red]")
        for cell, rest in (
            (0, "blue . blue"),
            (8, "blue . red"),
        ):
            click_cell(page, cell)
            page.wait_for_function("(text) => slidelab.text.endsWith(text)", arg=f": red {BLUE} {rest}")
        assert page.evaluate("slidelab.session.goalText").endswith(
            ": red blue blue blue blue blue blue red ."
        )
        page.click("[data-colour=red]")
        click_cell(page, 8)
        assert page.get_attribute("html", "data-solved") == "true"
    with studio(at("hex F(2) gourds : 0-1 2-3 4-6")) as page:
        show_tab(page, "build")
        page.click("[data-colour=green]")
        click_cell(page, 3)
        page.wait_for_function("() => slidelab.text.includes('green')")
        (green,) = (labels for labels in sl.position(text_of(page)).puzzle.colours or () if "green" in labels)
        assert sorted(green) == ["blue", "green"]
