"""The output of every command is input for the others, and several sources are answered in order."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

import slidelab as sl
from commands import Run
from slidelab.cli.batch import split_sources
from slidelab.reach.random_configurations import shuffles

THREE = "square R(2,2) : 3 1 . 2\nsquare R(2,2) : 1 2 3\nsquare R(2,2) : 2 1 3 .\n"
"""A position that can be solved, one that is no position, and one that cannot be solved."""


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_shuffles_are_solved(run: Run, options: list[str]) -> None:
    drawn = run("shuffle", "hex P(3,3)", "--count", "4", "--seed", "5", *options)
    lines = run("solve", "-", "--json", stdin=drawn.out).out.splitlines()
    puzzle = sl.puzzle("hex P(3,3)")
    expected = list(islice(shuffles(puzzle, 5), 4))
    for start, line in zip(expected, lines, strict=True):
        value = json.loads(line)
        assert puzzle.configuration(value["start"]) == start
        assert start.play(value) == puzzle.goal
    texts = run("solve", "-", stdin=drawn.out).out.splitlines()
    assert [int(line.split()[0]) for line in texts] == [json.loads(line)["length"] for line in lines]


def test_errors_have_their_line_and_the_worst_exit_code(run: Run) -> None:
    result = run("solve", "-", stdin=THREE)
    assert (result.code, result.err) == (2, "")
    first, second, third = result.out.splitlines()
    assert first == "3 moves, shortest: 3:0>2 1:1>0 2:3>1"
    assert second.startswith("error: expected 4 entries, one a cell, got 3")
    assert third.startswith("not solvable: ")
    values = [json.loads(line) for line in run("solve", "-", "--json", stdin=THREE).out.splitlines()]
    assert values[0]["length"] == 3
    assert values[1]["exit_code"] == 2
    assert values[2]["solvable"] is False
    worse = run("solvable", "-", stdin=THREE.replace("square R(2,2) : 1 2 3\n", ""))
    assert worse.code == 1
    assert [line.split(":")[0] for line in worse.out.splitlines()] == ["solvable", "not solvable"]


def test_a_file_may_hold_many(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "three.txt"
    file.write_text(THREE, encoding="utf-8")
    assert run("solve", str(file)).out == run("solve", "-", stdin=THREE).out


def test_all_polyhexes_in_one_pipe(run: Run) -> None:
    for options in ([], ["--json"]):
        listed = run("boards", "--polyhexes", "5", *options).out
        numbers = run("god", "-", "--json", stdin=listed).out.splitlines()
        assert len(numbers) == 22
        for line, source in zip(numbers, listed.splitlines(), strict=True):
            board = sl.board(json.loads(source) if options else source)
            assert json.loads(line)["gods_number"] == sl.puzzle(board).gods_number().number
        lines = run("god", "-", stdin=listed).out.splitlines()
        assert [line.rpartition("number ")[2].split(",")[0] for line in lines] == [
            str(json.loads(line)["gods_number"]) for line in numbers
        ]


def test_analyses_placements_hints_and_boards_are_one_line_each(run: Run) -> None:
    two = "hex F(2)\nsquare R(3,3)\n"
    assert run("analyze", "-", stdin=two).out.splitlines() == [
        "hex F(2) hextiles 2: 24 components of 60 configurations each, C(5)",
        "square R(3,3) tiles 1: 2 components of 181,440 configurations each, Alt(8)",
    ]
    assert len(run("boards", "-", stdin=two).out.splitlines()) == 2
    hints = run("hint", "-", stdin="square R(2,2) : 3 1 . 2\nsquare R(2,2) : 1 2 . 3\n")
    assert [line.split()[0] for line in hints.out.splitlines()] == ["3:0>2", "3:3>2"]
    task = {"puzzle": {"board": "hex T(2)", "rule": "gourds", "colours": [["a", "b"]]}}
    tasks = "\n".join(json.dumps({**task, "cells": cells}) for cells in (["a", "b", "."], ["a", "a", "."]))
    placed = run("place", "-", stdin=tasks)
    assert placed.code == 1
    assert placed.out.splitlines()[0] == "hex T(2) gourds 1 : 0-1=a-b"
    assert placed.out.splitlines()[1].startswith("no placement: ")


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_placement_is_a_position(run: Run, options: list[str]) -> None:
    placed = run("place", "hex F(2)", "--cells", "a*3 b*3 .", "--colours", "a-b*2 a-b", *options)
    position = sl.position(json.loads(placed.out)) if options else sl.position(placed.out.splitlines()[-1])
    value = run("solve", "-", "--json", stdin=placed.out).json
    assert position.puzzle.configuration(value["start"]) == position


def test_reports_are_read_by_their_first_line(run: Run) -> None:
    report = run("analyze", "hex F(2)").out
    assert run("god", "-", stdin=report).out == run("god", "hex F(2)").out
    assert run("analyze", "-", stdin=run("god", "hex F(2)").out).out == report
    assert run("analyze", "-", stdin=run("boards", "hex F(2)").out).out == report
    again = run("boards", "-", stdin=run("boards", "hex F(2)", "--json").out)
    assert again.out == run("boards", "hex F(2)").out


@pytest.mark.parametrize("options", [["--json"], ["--arrows"], []])
def test_a_printed_solution_is_a_solution(run: Run, tmp_path: Path, options: list[str]) -> None:
    printed = run("solve", "square R(3,3)", "--seed", "4", *options).out
    film = run("draw", "-", "-o", str(tmp_path / "x.html"), "--json", stdin=printed)
    assert (
        film.json["length"] == sl.puzzle("square R(3,3)").solve(sl.puzzle("square R(3,3)").shuffle(4)).length
    )


def test_pictures_of_many_are_numbered(run: Run, tmp_path: Path) -> None:
    result = run("draw", "-", "-o", str(tmp_path / "x.svg"), stdin="hex F(2)\nsquare R(2,2)\n")
    assert result.out.splitlines() == [str(tmp_path / "x-1.svg"), str(tmp_path / "x-2.svg")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x-1.svg", "x-2.svg"]


def test_what_looks_like_an_option_is_none(run: Run) -> None:
    for text in ("--help\n", "-o x.svg\n", "hex F(2)\n--json\n"):
        result = run("analyze", "-", stdin=text)
        assert result.code == 2 or text.startswith("hex")
        assert "Usage" not in result.out


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("hex\n # #\n# # #\n # #\n", 1),
        ("#.#\n###\n", 1),
        ("square R(2,2) :\n3 1\n. 2", 1),
        ("[[0, 1], [1, 2]]", 1),
        ('{"board": "hex F(2)"}\n{"board": "hex T(3)"}', 2),
        ('["hex F(2)", "hex T(3)", {"board": "cycle(5)"}]', 3),
        ("hex F(2)\n\ntheta(1,2,2)\n\n", 2),
        ("nonsense\nmore of it", 1),
    ],
)
def test_what_counts_as_several(text: str, count: int) -> None:
    assert len(split_sources(text)) == count


def test_a_position_with_a_seed_is_the_goal_everywhere(run: Run, tmp_path: Path) -> None:
    odd = "square R(3,3) : 1 2 3 4 5 6 8 7 ."
    goal = sl.position(odd)
    value = run("solve", odd, "--seed", "1", "--json").json
    assert goal.puzzle.configuration(value["goal"]) == goal
    assert goal.puzzle.configuration(value["start"]).play(value) == goal
    start = goal.puzzle.shuffle(1, goal)
    assert goal.puzzle.configuration(value["start"]) == start
    assert run("shuffle", odd, "--seed", "1").out.strip() == start.text
    assert run("solvable", odd, "--seed", "1").out.splitlines()[0] == start.text
    assert run("solvable", odd, "--seed", "1").code == 0
    film = run("draw", odd, "--seed", "1", "-o", str(tmp_path / "x.html"), "--json")
    assert film.json["length"] == value["length"]


def test_a_word_is_its_own_goal(run: Run) -> None:
    word = "square R(3,3) : h e l l o y o u ."
    value = run("solve", word, "--seed", "1", "--json").json
    assert value["goal"] == {"tiles": ["h", "e", "l", "l", "o", "y", "o", "u", 0]}
    assert sl.puzzle(word).goal.pieces_text == "h e l l o y o u ."
    again = sl.puzzle(sl.puzzle(word).to_json())
    assert again.goal == sl.puzzle(word).goal
    moved = run("solve", word, "--start", "h e l l o y o . u", "--json").json
    assert (moved["length"], moved["goal"]) == (1, value["goal"])


def test_a_start_and_a_seed_are_refused_in_one_line(run: Run) -> None:
    given = json.dumps({"puzzle": "square R(2,2)", "start": "3 1 . 2"})
    for command in ("solve", "solvable", "draw"):
        more = ["-o", "x.svg"] if command == "draw" else []
        result = run(command, given, "--seed", "1", *more)
        assert result.code == 2
        assert "expected a start or --seed for 'square R(2,2) tiles 1', got both" in result.err
        both = run(command, "square R(2,2)", "--start", "3 1 . 2", "--seed", "1", *more)
        assert (both.code, both.err) == (2, result.err)
    position = run("solve", "square R(2,2) : 3 1 . 2", "--goal", "1 2 3 .", "--seed", "1")
    assert "expected a position or --goal with --seed, got both" in position.err


def test_a_flag_and_an_option_of_the_same_name(run: Run) -> None:
    """--moves of `solvable` is a flag, that of `check` has a value: what follows it is a source, or not."""
    lines = "2x2 : 3 1 . 2\n2x2 : 1 2 . 3\n"
    assert len(run("solvable", "--moves", "-", "--json", stdin=lines).out.splitlines()) == 2
    assert run("check", "2x2 : 1 2 . 3", "--moves", "-", stdin="←").out == "1 legal move to the goal\n"
    solved = run("solve", "-", "--json", stdin=lines)
    assert run("check", "-", stdin=solved.out).out == "3 legal moves to the goal\n1 legal move to the goal\n"
