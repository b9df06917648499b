"""Tasks for planners: solved by a plain planner and by Fast Downward, their plans replayed by the rule."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import slidelab as sl
from bridges.plain_planner import pddl_plan, sas_plan
from commands import Run, refused

PUZZLES = (
    "square R(3,2)",
    "square R(2,2) tiles 2",
    "theta(1,2,2)",
    "hex P(3,2) hextiles 3",
    "hex F(2) gourds",
    "hex F(2) gourds-sharp",
    "square R(3,2) gourds 2",
    "square R(3,3) trimers 3",
    "hex P(3,3) trimers-triangle 3",
    "square R(4,2) trimers-straight 2",
    "graph 0-1 1-2 2-0 2-3 tiles 2",
    "square R(3,2) : a a b b c .",
    "hex P(2,3) hextiles 3 : x y x . . .",
    "hex F(2) gourds : 0-1=red-red 2-3=red-blue 4-6=blue-blue",
    "hex F(2) gourds : 0-1=red-red 2-3=red-red 4-6=blue-Blue",
    "hex P(3,3) trimers-triangle 3 : 0-3-1=a-a-a 2-4-5=a-b-c",
)


def start_of(text: str, seed: int) -> sl.Configuration:
    return sl.puzzle(text).shuffle(seed=seed)


@pytest.mark.parametrize("text", PUZZLES)
@pytest.mark.parametrize("seed", [1, 2])
def test_plain_planner(text: str, seed: int) -> None:
    """Both files describe the puzzle: a shortest plan has the length of a shortest solution."""
    start = start_of(text, seed)
    length = start.puzzle.solve(start).length
    task = sl.pddl(start)
    plans = [pddl_plan(task.domain, task.problem), sas_plan(sl.sas_plus(start).text)]
    for plan in plans:
        assert plan is not None
        solution = sl.read_plan(start, "\n".join(plan))
        assert solution.length == length
        assert sl.check(start.puzzle, start, "\n".join(plan))


@pytest.mark.parametrize("text", ["square R(2,2)", "hex T(2) gourds", "hex F(2) hextiles 2"])
def test_no_plan_where_there_is_no_solution(text: str) -> None:
    p = sl.puzzle(text)
    pieces = list(p.goal.pieces)
    if p.rule.cells == 1:
        pieces[0], pieces[1] = pieces[1], pieces[0]
        start = sl.Configuration(p, tuple(pieces))
        assert not p.solvable(start)
        task = sl.pddl(start)
        assert pddl_plan(task.domain, task.problem) is None
        assert sas_plan(sl.sas_plus(start).text) is None
    plan = sas_plan(sl.sas_plus(p.goal).text)
    assert plan == []
    assert sl.read_plan(p.goal, "").length == 0


FAST_DOWNWARD = importlib.util.find_spec("up_fast_downward")


def fast_downward(*parts: str) -> Path:
    assert FAST_DOWNWARD is not None
    assert FAST_DOWNWARD.origin is not None
    return Path(FAST_DOWNWARD.origin).parent.joinpath("downward", *parts)


@pytest.mark.skipif(FAST_DOWNWARD is None, reason="Fast Downward is not here: pip install slidelab[planners]")
@pytest.mark.parametrize(
    "text", ["square R(3,3)", "hex P(3,3) hextiles 3", "hex F(2) gourds", *PUZZLES[7:8], *PUZZLES[-2:]]
)
def test_fast_downward(text: str, tmp_path: Path, run: Run) -> None:
    """A command writes, a real planner solves, a command checks: PDDL by the driver, SAS+ by the search."""
    start = start_of(text, 3)
    goal = start.puzzle.goal
    length = start.puzzle.solve(start, goal).length
    position = ["--start", start.pieces_text]
    board = start.puzzle.text
    for kind in ("pddl", "sas"):
        file, plan = tmp_path / f"task.{kind}", tmp_path / f"{kind}.plan"
        assert run("export", board, *position, "-o", str(file)).code == 0
        search: list[str | Path] = ["--search", "astar(lmcut())"]
        command: list[str | Path]
        if kind == "pddl":
            command = [sys.executable, fast_downward("fast-downward.py"), "--plan-file", plan, file, *search]
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        else:
            command = [
                fast_downward("builds", "release", "bin", "downward"),
                *search,
                "--internal-plan-file",
                plan,
            ]
            with file.open() as task:
                done = subprocess.run(
                    command, cwd=tmp_path, stdin=task, capture_output=True, text=True, check=False
                )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        assert sl.read_plan(start, plan, goal).length == length
        assert (
            run("check", board, *position, "--moves", str(plan)).out == f"{length} legal moves to the goal\n"
        )


def test_plans_of_other_planners() -> None:
    start = "square R(2,2) : 3 1 . 2"
    plan = "0.000: (SLIDE TILE3 C0 C2) [1.0]\nslide(tile1, c1, c0)\n(slide tile2 c3 c1)\n"
    assert sl.read_plan(start, plan).length == 3
    assert sl.position(start).play(plan) == sl.puzzle("square R(2,2)").goal


def test_plans_that_are_wrong(tmp_path: Path) -> None:
    start = "square R(2,2) : 3 1 . 2"
    with pytest.raises(sl.IllegalMove, match="expected tile 1 there, got 3"):
        sl.read_plan(start, "(slide tile1 c0 c2)")
    with pytest.raises(sl.IllegalMove, match="expected a tile there, got none"):
        sl.read_plan(start, "(slide tile1 c2 c0)")
    with pytest.raises(sl.IllegalMove):
        sl.read_plan(start, "(slide tile3 c0 c3)")
    with pytest.raises(sl.NotationError, match="such as"):
        sl.read_plan(start, "(slide tile3 here there)")
    with pytest.raises(sl.NotationError, match="spots of 1 cells"):
        sl.read_plan(start, "(slide tile3 s0-1 s1-2)")
    with pytest.raises(sl.PuzzleError, match="not to the goal"):
        sl.read_plan(start, "(slide tile3 c0 c2)")
    with pytest.raises(sl.NotationError, match="a plan such as"):
        sl.read_plan(start, tmp_path / "no-such-plan")
    found = sl.check("square R(2,2)", "3 1 . 2", "(slide tile3 c0 c2)\n(slide tile1 c0 c1)")
    assert found.failed == 2


def test_files(tmp_path: Path) -> None:
    task = sl.pddl("hex F(2) gourds : 0-1 2-3 4-6", "0-1 2-3 6-5")
    domain, problem = task.save(tmp_path / "x.pddl")
    assert (domain.name, problem.name) == ("x-domain.pddl", "x.pddl")
    assert domain.read_text() == task.domain
    assert "(at gourd3 s6-5)" in problem.read_text().partition(":goal")[2]
    sas = sl.sas_plus("square R(3,3) : 1 2 3 4 5 6 . 7 8")
    assert sas.save(tmp_path / "x.sas").read_text() == sas.text
    assert (sas.variables, sas.operators) == (8 + 9, 8 * 24)
    for save in (task.save, sas.save):
        with pytest.raises(sl.PuzzleError, match="expected a file name that ends in"):
            save(tmp_path / "x.txt")
    with pytest.raises(sl.TooLarge, match="at most 2,000,000 moves"):
        sl.pddl(sl.puzzle("square R(40,40)").goal)


def test_the_command(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.pddl"
    assert run("export", "8-puzzle", "--seed", "1", "-o", str(file)).out.splitlines() == [
        str(tmp_path / "x-domain.pddl"),
        str(file),
    ]
    assert run("export", "2x2 : 3 1 . 2", "-o", str(tmp_path / "x.sas"), "--json").json["files"] == [
        str(tmp_path / "x.sas")
    ]
    refused(run("export", "8-puzzle", "-o", str(file)), "expected --start or --seed")
    refused(run("export", "8-puzzle", "--seed", "1"), "such as -o puzzle.pddl")
    refused(run("export", "8-puzzle", "--seed", "1", "-o", "x.doc"), ".doc")
