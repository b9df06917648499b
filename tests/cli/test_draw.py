"""`slidelab draw`: every kind of file, and refusals that leave nothing behind."""

from __future__ import annotations

import json
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

import slidelab as sl
from commands import Run, one_line
from slidelab.cli.pictures import SHOWS

BEGINS = {
    "svg": b"<svg",
    "png": b"\x89PNG",
    "pdf": b"%PDF",
    "gif": b"GIF89a",
    "apng": b"\x89PNG",
    "mp4": b"\0\0\0",
    "html": b"<!doctype html>",
    "stl": b"",
    "3mf": b"PK",
}


@pytest.mark.parametrize("kind", BEGINS)
def test_every_kind_of_file(run: Run, tmp_path: Path, kind: str) -> None:
    target = tmp_path / f"x.{kind}"
    result = run("draw", "square R(2,2)", "--start", "3 1 / . 2", "-o", str(target))
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(str(target))
    data = target.read_bytes()
    assert data.lower().startswith(BEGINS[kind].lower())
    assert kind != "mp4" or data[4:8] == b"ftyp"
    assert kind != "stl" or len(data) == 84 + 50 * int.from_bytes(data[80:84], "little")
    assert len(data) > 200
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@pytest.mark.parametrize("show", SHOWS)
def test_everything_that_can_be_shown(run: Run, tmp_path: Path, show: str) -> None:
    target = tmp_path / "x.png"
    result = run("draw", "hex F(2) : 1 2 3 4 5 . .", "--show", show, "--theme", "dark", "-o", str(target))
    assert (result.code, result.err) == (0, "")
    with Image.open(target) as read:
        assert read.width > 100


def test_positions_are_drawn(run: Run, tmp_path: Path) -> None:
    here = "square R(2,2) tiles 1 : 3 1 . 2"
    for number, words in enumerate(
        [
            ("square R(2,2) : 3 1 . 2",),
            ("square R(2,2)", "--start", "3 1 . 2"),
            ("square R(2,2)", "--seed", "4"),
        ]
    ):
        target = tmp_path / f"{number}.svg"
        assert run("draw", *words, "-o", str(target)).code == 0
        message = target.read_text()
        assert ("<title>" + (here if number < 2 else "square R(2,2)")) in message


def test_a_solution_goes_through_a_pipe(run: Run, tmp_path: Path) -> None:
    solved = run("solve", "square R(3,3)", "--start", "1 2 3 4 . 5 7 8 6", "--json")
    result = run("draw", "-", "-o", str(tmp_path / "x.gif"), "--json", stdin=solved.out)
    assert result.json == {"files": [str(tmp_path / "x.gif")], "length": 2, "optimal": False}
    (tmp_path / "solution.json").write_text(solved.out)
    result = run("draw", str(tmp_path / "solution.json"), "--show", "story", "-o", str(tmp_path / "x.svg"))
    assert result.code == 0
    assert (tmp_path / "x.svg").read_text().count("<title>cell 0</title>") == 3


def test_moves_without_a_goal_lead_where_they_lead(run: Run, tmp_path: Path) -> None:
    given = {
        "puzzle": "square R(2,2)",
        "start": "1 2 3 .",
        "moves": ["2:1>3", {"piece": 1, "from": [0], "to": [1]}],
    }
    result = run("draw", "-", "-o", str(tmp_path / "x.html"), stdin=json.dumps(given))
    assert result.out == f"{tmp_path / 'x.html'}: 2 moves\n"


def test_sizes(run: Run, tmp_path: Path) -> None:
    target = str(tmp_path / "x.png")
    run("draw", "square R(2,2)", "-o", target, "--width", "64")
    with Image.open(target) as read:
        assert read.width == 64
    run("draw", "square R(2,2)", "-o", target, "--size", "100")
    with Image.open(target) as read:
        assert read.width == round(2 * sl.puzzle("square R(2,2)").goal.draw(size=100).width)


def test_sizes_of_charts_and_renders(run: Run, tmp_path: Path) -> None:
    for show in ("distances", "solid", "graph"):
        target = tmp_path / f"{show}.png"
        assert run("draw", "square R(2,2)", "--show", show, "--width", "300", "-o", str(target)).code == 0
        with Image.open(target) as read:
            assert read.width == 300


@pytest.mark.parametrize("board", ["hex P(2,1)", "hex F(3) gourds", "square R(2,2) : 3 1 . 2"])
@pytest.mark.parametrize("show", ["board", "cut-cells", "tight-corners"])
def test_boards_need_no_puzzle(run: Run, tmp_path: Path, board: str, show: str) -> None:
    target = tmp_path / "x.svg"
    assert run("draw", board, "--show", show, "-o", str(target)).code == 0
    assert target.read_text().count("<title>cell ") == sl.board(board.split(" g")[0].split(" :")[0]).size


def test_cells_of_the_goal_are_where_the_film_ends(run: Run, tmp_path: Path) -> None:
    """The puzzle of the paper: each end on a cell of its colour, not the gourds in order."""
    target = tmp_path / "nine.html"
    result = run("draw", "examples/nine-gourds.json", "-o", str(target), "--json")
    assert result.json["length"] == 28
    plain = tmp_path / "plain.html"
    solved = json.loads(run("solve", "examples/nine-gourds.json", "--json").out)
    run("draw", "-", "-o", str(plain), stdin=json.dumps(solved))
    moves = r'"ways":.*"passages"'
    assert re.findall(moves, target.read_text()) == re.findall(moves, plain.read_text())
    grounds = [
        re.findall(r'<g id="board">.*?<g id="pieces">', page.read_text(), re.DOTALL)[0]
        for page in (target, plain)
    ]
    coloured, bare = (len(set(re.findall(r"var\(--c\d+\)", ground))) for ground in grounds)
    assert coloured == bare + 3  # and the cells show which colour is wanted


def test_large_boards_by_another_method(run: Run, tmp_path: Path) -> None:
    words = ("draw", "square R(6,6)", "--seed", "1", "--method", "peel", "-o", str(tmp_path / "x.html"))
    result = run(*words, "--json")
    assert result.json["length"] > 80
    assert not result.json["optimal"]


def test_another_goal_than_the_file_s(run: Run, tmp_path: Path) -> None:
    solved = run("solve", "square R(2,2)", "--start", "1 2 . 3", "--json").out
    words = ("draw", "-", "-o", str(tmp_path / "x.html"), "--goal", "2 3 1 .", "--json")
    assert run(*words, stdin=solved).json["length"] > 1 == json.loads(solved)["length"]


def test_a_pace_for_pages(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "x.html"
    run("draw", "square R(2,2) : 3 1 . 2", "-o", str(target), "--seconds", "2")
    assert '"beat":2000' in target.read_text()


def test_limits_of_graphs(run: Run, tmp_path: Path) -> None:
    words = ("draw", "square R(3,2)", "-o", str(tmp_path / "x.svg"), "--show")
    for show in ("graph", "gain-graph"):
        one_line(run(*words, show, "--limit", "5"), 3, "expected at most 5")
        assert run(*words, show, "--limit", "400").code == 0


def test_coloured_floors(run: Run, tmp_path: Path) -> None:
    plain, floor = tmp_path / "plain.svg", tmp_path / "floor.svg"
    given = {"puzzle": "hex T(2) gourds : =red-blue", "start": "0-1=red-blue"}
    run("draw", "-", "-o", str(plain), stdin=json.dumps(given))
    run("draw", "-", "-o", str(floor), stdin=json.dumps({**given, "cells": ["red", "blue", "."]}))
    assert plain.read_text() != floor.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "x.bmp"], "expected a file name that ends in .svg, .png"),
        (["-o", "x"], "expected a file name that ends in"),
        ([], "expected a file to write, such as -o puzzle.svg"),
        (["-o", "nowhere/x.svg"], "expected a folder that exists"),
        (["-o", "x.svg", "--start", "1 2 3"], "expected 4 entries"),
        (["-o", "x.svg", "--start", "1 2 3 4"], "expected"),
        (["-o", "x.gif"], "expected --start or --seed"),
        (["-o", "x.gif", "--start", "1 2 3 .", "--seed", "1"], "expected a start or --seed for"),
        (["-o", "x.svg", "--show", "everything"], "expected something to show (position, board"),
        (["-o", "x.gif", "--show", "board"], "expected --show with .svg, .png, .pdf or .tex, got .gif"),
        (["-o", "x.svg", "--theme", "neon"], "expected a theme"),
        (["-o", "x.svg", "--size", "0"], "expected a size"),
        (["-o", "x.png", "--width", "0"], "expected a width in pixels"),
        (["-o", "x.png", "--width", "0", "--show", "solid"], "expected a width in pixels"),
        (["-o", "x.svg", "--show", "story", "--start", "3 1 . 2", "--size", "0"], "expected a size"),
        (["-o", "x.gif", "--start", "3 1 . 2", "--seconds", "inf"], "at most 60 seconds a move, got inf"),
        (["-o", "x.gif", "--start", "3 1 . 2", "--seconds", "nan"], "expected a time in seconds, got nan"),
        (["-o", "x.stl", "--bed", "big"], "expected a print bed such as 220x220, got 'big'"),
        (["-o", "x.stl", "--cell", "-4"], "expected"),
        (["-o", "x.3mf", "--clearance", "nan"], "expected"),
        (["-o", "x.stl", "--numbers", "golden"], "expected"),
        (["-o", "x.svg", "--show", "solid"], "expected a file name that ends in .png"),
        (["-o", "x.svg", "--width", "9"], "expected --width with a .png only"),
        (["-o", "x.svg", "--seconds", "2"], "expected --seconds with a film"),
        (["-o", "x.svg", "--limit", "2"], "expected --limit with --show graph"),
        (["-o", "x.html", "--bed", "1x1"], "expected --bed with a printable puzzle"),
        (["-o", "x.gif", "--start", "3 1 . 2", "--method", "magic"], "expected"),
    ],
)
def test_refusals_leave_nothing_behind(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    one_line(run("draw", "square R(2,2)", *words), 2, message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", BEGINS)
def test_a_file_that_can_not_be_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """An older file stays as it was."""
    target = tmp_path / f"x.{kind}"
    target.write_text("older")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    one_line(run("draw", "square R(2,2) : 3 1 . 2", "-o", str(target)), 2, "could not write", "No space left")
    assert target.read_text() == "older"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_can_not_be_written(run: Run, tmp_path: Path) -> None:
    import os

    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
    if os.access(closed, os.W_OK):
        pytest.skip("the system's administrator may write anywhere")
    one_line(run("draw", "square R(2,2)", "-o", str(closed / "x.svg")), 2, "can be written to")


@pytest.mark.parametrize("show", ["cycle", "closed-way"])  # the second is its former name
def test_no_hamiltonian_cycle(run: Run, tmp_path: Path, show: str) -> None:
    words = ("draw", "path(3)", "--show", show, "-o", str(tmp_path / "x.svg"))
    assert run(*words).out == "'path(3)' has no Hamiltonian cycle\n"
    assert run(*words, "--json").json == {"board": "path(3)", "closed_way": None}
    assert run(*words).code == 1
    assert list(tmp_path.iterdir()) == []


def test_unsolvable_starts_make_no_film(run: Run, tmp_path: Path) -> None:
    result = run("draw", "square R(2,2) : 2 1 3 .", "-o", str(tmp_path / "x.gif"))
    assert result.code == 1
    assert result.out.startswith("not solvable: ")
    result = run("draw", "square R(2,2) : 2 1 3 .", "-o", str(tmp_path / "x.gif"), "--json")
    assert (result.code, result.json["solvable"]) == (1, False)
    assert list(tmp_path.iterdir()) == []


def test_an_end_from_outside_leaves_nothing_behind(tmp_path: Path) -> None:
    words = ["draw", "square R(3,3)", "--seed", "1", "--seconds", "60", "-o", str(tmp_path / "slow.gif")]
    child = subprocess.Popen([sys.executable, "-m", "slidelab.cli", *words], stderr=subprocess.PIPE)
    while not list(tmp_path.iterdir()):  # until the file is begun
        assert child.poll() is None
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=60)
    assert child.returncode == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


DETOUR = {
    "puzzle": "square R(2,2)",
    "start": "1 2 . 3",
    "moves": ["1:0>2", "1:2>0", "3:3>2"],
    "length": 1,
    "optimal": True,
    "at_least": 3,
    "method": "ida",
    "metric": "single",
    "pushes": 1,
    "nodes": 7,
    "because": "a file says so",
    "passages": [{"from": 0, "to": 3, "text": "a shortest way", "depth": 0}],
}


@pytest.mark.parametrize("form", ["html", "gif"])
def test_claims_of_a_file_are_not_repeated(run: Run, tmp_path: Path, form: str) -> None:
    file, film = tmp_path / "detour.json", tmp_path / f"film.{form}"
    file.write_text(json.dumps(DETOUR))
    result = run("draw", str(file), "-o", str(film))
    assert (result.code, result.out) == (0, f"{film}: 3 moves\n")
    assert run("draw", str(file), "-o", str(film), "--json").json["optimal"] is False
    if form == "html":
        page = film.read_text()
        assert "the fewest possible" not in page
        assert "a file says so" not in page
    solution = sl.read_document(DETOUR).solution()
    assert solution is not None
    assert (solution.optimal, solution.lower_bound, solution.method, solution.passages) == (
        False,
        None,
        "",
        (),
    )
    assert "shortest" not in repr(solution)
    assert "fewest" not in solution._repr_html_()
    assert "at_least" not in solution.to_json()


def test_pages_to_play(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "x.html"
    result = run("draw", "square R(2,2)", "--play", "-o", str(target), "--json")
    assert (result.code, json.loads(result.out)) == (0, {"files": [str(target)]})
    assert 'id="shuffle"' in target.read_text()
    data = {}
    for words in (("--start", "3 1 / . 2"), ("--seed", "2"), ()):
        assert run("draw", "square R(2,2)", "--play", "-o", str(target), *words).code == 0
        data[words[:1]] = json.loads(target.read_text().split('type="application/json">')[1].split("<")[0])
    assert data[("--start",)]["puzzle"]["start"] == [1, 3, 0]
    seeded = sl.puzzle("square R(2,2)").shuffle(2)
    assert data[("--seed",)]["puzzle"]["start"] == [cells[0] for cells in seeded.pieces]
    assert data[()]["puzzle"]["start"] == data[()]["puzzle"]["goal"] == [0, 1, 2]
    result = run("draw", "square R(4,4)", "--play", "-o", str(target))
    assert (result.code, result.out) == (0, f"{target}\n")
    assert result.err.startswith("slidelab: no table of hints: expected at most 12,000,000 entries")
    assert result.err.endswith("; hints come from a search in the page\n")
    target.unlink()
    for bad, message in (
        (("--play", "-o", str(tmp_path / "x.svg")), "expected --play with .html, got .svg"),
        (("--play", "-o", str(target), "--seconds", "1"), "expected --seconds with a film"),
        (("--play", "-o", str(target), "--show", "moves"), "expected --show with .svg, .png, .pdf or .tex"),
    ):
        one_line(run("draw", "square R(2,2)", *bad), 2, message)
    assert list(tmp_path.iterdir()) == []
