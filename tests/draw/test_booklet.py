"""Graded sets and what is made of them: booklets, pages, and files that are read again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

import slidelab as sl
from commands import Run, refused
from draw.test_sheet import follow, outlines
from slidelab.distance.goal_table import GoalTable
from slidelab.draw.sheet import GradedSet, booklet, graded_set
from slidelab.draw.sheet.graded import level_of
from slidelab.draw.sheet.page import MARGIN, PAPERS
from slidelab.errors import NotationError, PuzzleError, Unsolvable

COLOURS = [["a", "a"], ["a", "b"], ["b", "b"]]
CELLS = ["a", "b", "a", ".", "b", "a", "b"]
TILES = "square R(3,3) : a a a b b b c c ."
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def graded() -> GradedSet:
    return graded_set(sl.puzzle("hex F(2) gourds", colours=COLOURS), CELLS, 8)


def test_a_set_rises_to_the_hardest_start(graded: GradedSet) -> None:
    table = GoalTable(graded.puzzle, CELLS)
    moves = [each.moves for each in graded.starts]
    assert moves == sorted(moves)
    assert (moves[0], moves[-1]) == (2, len(table.distribution) - 1)
    assert graded.distribution == table.distribution
    assert len({each.start for each in graded.starts}) == 8
    for each in graded.starts:
        assert table.distance(each.start) == each.moves
        found = table.count_solutions(each.start)
        assert (each.solutions, each.chance) == (found.count, found.chance)
        assert each.level == level_of(each.moves, table.distribution)
        # Narrow ones come first: several solutions only where no other start is drawn.
        if each.solutions != 1:
            assert table.unique[each.moves] < moves.count(each.moves)


def test_a_set_is_read_back_and_checked(graded: GradedSet) -> None:
    value = json.loads(json.dumps(graded.to_json()))
    assert GradedSet.from_json(value) == graded

    def changed(**parts: Any) -> dict[str, Any]:
        return {**value, **parts}

    first = value["starts"][0]
    for wrong in (
        changed(starts=[]),
        changed(starts=[{**first, "solution": first["solution"].split()[0]}]),
        changed(starts=[{**first, "solution": "1:0-1>5-6"}]),
        changed(starts=[{**first, "start": "nonsense"}]),
        changed(starts=[{**first, "extra": 1}]),
        changed(cells=["a"]),
        changed(unique=[1]),
        changed(distribution=[0] * 9),
        changed(puzzle={"board": "hex F(2)", "rule": "gourds", "holes": 1}),
    ):
        with pytest.raises(PuzzleError):
            GradedSet.from_json(wrong)


def test_limits_of_sets() -> None:
    puzzle = sl.puzzle("hex F(2) gourds", colours=COLOURS)
    with pytest.raises(NotationError, match="moves from 1 to 8"):
        graded_set(puzzle, CELLS, 3, moves=[5, 9])
    with pytest.raises(NotationError, match="from 1 to 500 starts"):
        graded_set(puzzle, CELLS, 501)
    with pytest.raises(Unsolvable):
        graded_set(puzzle, ["c"] * 7)
    assert [each.moves for each in graded_set(puzzle, CELLS, 3, moves=[3, 5]).starts] == [3, 4, 5]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("text", ["gourds", "tiles", "trimers"])
def test_a_booklet_has_everything_within_the_margins(text: str, paper: str, graded: GradedSet) -> None:
    if text == "tiles":
        puzzle = sl.puzzle(TILES)
        graded = graded_set(puzzle, ["a", "a", "a", "b", "b", "b", "c", "c", "."], 13)
    elif text == "trimers":
        puzzle = sl.puzzle("hex F(2) trimers", colours=[["a", "b", "b"][: sl.RULES["trimers"].turns]] * 2)
        cells = ["."] * 7
        for labels, own in zip(puzzle.colours or (), puzzle.goal.pieces, strict=True):
            for k, cell in enumerate(own):
                cells[cell] = labels[min(k, len(labels) - 1)]
        graded = graded_set(puzzle, cells, 3, moves=[1, 2])
    made = booklet(graded, paper=paper, title="A rather long title for a booklet of puzzles " * 3)
    width, height = PAPERS[paper]
    assert len(made.pages) == 1 + -(-len(graded.starts) // 6) + 1
    for page in made.pages:
        assert (page.width, page.height) == (width, height)
        xs, ys = zip(*outlines(page.items), strict=True)
        assert min(xs) >= MARGIN - 1
        assert max(xs) <= width - MARGIN + 1
        assert min(ys) >= MARGIN - 1
        assert max(ys) <= height - MARGIN + 1
    for each, answer in zip(graded.starts, made.answers, strict=True):
        if text != "trimers":
            assert follow(each.start, answer) == each.solution.goal


def test_the_command_writes_booklet_page_and_set(run: Run, tmp_path: Path) -> None:
    puzzle = {"board": "hex F(2)", "rule": "gourds", "holes": 1, "colours": COLOURS}
    file, made = tmp_path / "puzzle.json", tmp_path / "set.json"
    file.write_text(json.dumps({"puzzle": puzzle, "cells": CELLS}))
    found = run("sheet", str(file), "--count", "4", "-o", str(made), "--json").json
    assert found["moves"] == [2, 4, 6, 8]
    assert GradedSet.from_json(json.loads(made.read_text())).starts[0].moves == 2
    assert run("sheet", str(made), "-o", str(tmp_path / "a.pdf")).code == 0
    assert len(pypdfium2.PdfDocument(tmp_path / "a.pdf")) == 3
    assert run("sheet", str(made), "-o", str(tmp_path / "a.html"), "--title", "Four").code == 0
    assert "<h1>Four</h1>" in (tmp_path / "a.html").read_text()
    refused(run("sheet", str(made), "-o", str(tmp_path / "b.pdf"), "--count", "3"), "--count")
    refused(run("sheet", str(made), "-o", str(tmp_path / "b.pdf"), "--paper", "a9"), "a9")
    refused(run("sheet", str(file), "-o", str(tmp_path / "b.pdf"), "--seed", "3"), "--seed")
    refused(run("sheet", "square R(3,3)", "-o", str(tmp_path / "b.html")), ".pdf")
    none = run("sheet", str(file), "--cells", "c*7", "-o", str(tmp_path / "b.pdf"))
    assert (none.code, none.err) == (1, "")
    assert "no placement" in none.out
    assert not list(tmp_path.glob("b*"))


def test_the_nine_gourds_of_the_paper() -> None:
    """The set in the examples, which a search of all positions made; what can be checked without it."""
    value = json.loads((EXAMPLES / "nine-gourds-starts.json").read_text())
    puzzle = json.loads((EXAMPLES / "nine-gourds.json").read_text())
    assert value["cells"] == puzzle["cells"]
    graded = GradedSet.from_json(value)  # plays all solutions
    assert graded.puzzle == sl.puzzle(puzzle["puzzle"])
    # All positions: 9! orders, equal gourds, two ways round for six of them, 2,288 shapes.
    assert sum(graded.distribution) == 362_880 // 8 * 64 * 2288
    assert (len(graded.distribution) - 1, graded.distribution[-1]) == (47, 1)
    assert [each.moves for each in graded.starts] == sorted({each.moves for each in graded.starts})
    assert len(graded.starts) == 30
    assert (graded.starts[0].moves, graded.starts[-1].moves) == (2, 47)
    assert [each.solutions for each in graded.starts] == [1] * 29 + [87]
    # The first layers again, by plain moves of configurations from the only goal.
    layer, before, sizes = {graded.goal}, set[sl.Configuration](), []
    for _ in range(6):
        sizes.append(len(layer))
        found = {here.play(move) for here in layer for move in here.moves} - layer - before
        layer, before = found, layer
    assert tuple(sizes) == graded.distribution[:6]
    # The worst start looks the same when the board is turned by 120 degrees and the colours go on by one.
    worst, board = graded.starts[-1].start, graded.puzzle.board
    after = {"red": "green", "green": "blue", "blue": "red"}

    def turned(cell: int) -> int:
        q, r = (a - b for a, b in zip(board.cells[cell], board.cells[9], strict=True))
        return board.cell_at[board.cells[9][0] - q - r, board.cells[9][1] + q]

    for here in (worst, graded.goal):
        ends = {
            cell: c
            for own, cs in zip(here.pieces, graded.puzzle.colours or (), strict=True)
            for cell, c in zip(own, cs, strict=True)
        }
        assert all(ends[turned(cell)] == after[colour] for cell, colour in ends.items())
    # Shortest solutions that another method finds, too.
    for each in graded.starts[:7]:
        assert graded.puzzle.solve(each.start, graded.goal, method="bidirectional").length == each.moves
