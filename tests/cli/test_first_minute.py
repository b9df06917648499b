"""What a newcomer types first: no command at all, everyday names, misspelt words."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import slidelab as sl
from commands import Run, one_line
from slidelab.cli.app import COMMANDS, FIRST_COMMANDS


def test_slidelab_alone_shows_six_commands(run: Run) -> None:
    result = run()
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert len([line for line in lines if line.startswith("slidelab ")]) == 6 + 4
    assert all(len(line) <= 90 for line in lines)
    starts = {line.index(what) for (_, what), line in zip(FIRST_COMMANDS, lines[2:8], strict=True)}
    assert len(starts) == 1
    assert "slidelab --help" in result.out
    for name in COMMANDS:
        assert name in run("--help").out


@pytest.mark.parametrize("command", [command for command, _ in FIRST_COMMANDS])
def test_the_six_commands_work(
    run: Run, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, *arguments = shlex.split(command)
    assert name == "slidelab"
    result = run(*arguments)
    assert (result.code, result.err) == (int("solvable" in command), "")
    assert result.out


def test_the_british_spelling(run: Run) -> None:
    assert run("analyse", "hex T(3)").out == run("analyze", "hex T(3)").out
    assert run("analyse", "2x2", "--colors", "a a b", "--json").json["puzzle"]["colours"] == ["a", "a", "b"]


MEANT = [
    (["slove", "3x3"], "solve"),
    (["anlyze", "3x3"], "analyze"),
    (["analyze", "3x3", "--hole", "2"], "--holes"),
    (["analyze", "3x3", "--colour", "a"], "--colours"),
    (["god", "3x3", "--hole", "2"], "--holes"),
    (["god", "3x3", "--metrik=straight"], "--metric"),
    (["god", "3x3", "--metric", "strait"], "straight"),
    (["solve", "3x3", "--seed", "1", "--method", "idda"], "ida"),
    (["analyze", "hexx P(3,4)"], "hex P(3,4)"),
    (["analyze", "squar R(4,4)"], "square R(4,4)"),
    (["analyze", "hex Q(3,4)"], "hex P(3,4)"),
    (["analyze", "hex P(3,4)", "--rule", "hextile"], "hextiles"),
    (["analyze", "hex F(2)", "--rule", "gourd"], "gourds"),
    (["draw", "3x3", "-o", "x.svg", "--theme", "drak"], "dark"),
    (["draw", "3x3", "-o", "x.svg", "--show", "orbit"], "orbits"),
    (["explain", "god number"], "god's number"),
    (["pdb", "lst"], "list"),
    (["boards", "cylce(7)"], "cycle(7)"),
    (["solve", "3x3", "--start", "strat.txt"], "start.txt"),
    (["place", "hex T(2)", "--cells", "cels.txt"], "cells.txt"),
]


@pytest.mark.parametrize(("arguments", "meant"), MEANT, ids=[" ".join(words) for words, _ in MEANT])
def test_did_you_mean(
    run: Run, arguments: list[str], meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("start.txt", "cells.txt"):
        Path(name).write_text("1 2 3 4 5 6 7 8 .")
    result = run(*arguments)
    one_line(result, 2)
    found = re.search(r"[Dd]id you mean [\"']?(.*?)[\"']?\?(?= |$)", result.err.strip())
    assert found is not None
    assert found[1] == meant


def test_everyday_names_everywhere(run: Run) -> None:
    assert run("shuffle", "15", "--seed", "7").out == run("shuffle", "square R(4,4)", "--seed", "7").out
    assert run("god", "2x3", "3-puzzle").out.count("square R") == 2
    assert run("boards", "3x4", "--json").json["name"] == "square R(4,3)"
    start = "[[1,2,3],[4,5,6],[7,0,8]]"
    assert run("hint", start).out.split()[0] == "8:8>7"
    assert (
        run("hint", "8-puzzle", "--start", start).out
        == run("hint", "3x3", "--start", "1,2,3,4,5,6,7,_,8").out
    )
    assert sl.position(run("shuffle", "fifteen", "--seed", "1").out).puzzle == sl.puzzle("15-puzzle")
