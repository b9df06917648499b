"""One vocabulary: an option of a command and the argument of the Python function have the same name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import Any, get_type_hints

import pytest
from cyclopts import App

import slidelab as sl
from commands import Run, one_line
from slidelab.atlas import check as check_atlas
from slidelab.atlas import compute, lookup, write_atlas
from slidelab.claims import select_claims
from slidelab.cli.app import COMMANDS
from slidelab.draw.sheet import graded_set, puzzle_sheet
from slidelab.place.counting import count_placements
from slidelab.solve.paper_tables import measure

LIMITS = ("time", "memory", "threads", "max_shapes", "progress")
"""What limits and reports every long computation. Commands and functions have the same of these."""

OUTPUT = {"json", "output", "csv", "markdown", "latex"}
"""How a command prints what a function returns."""

PUZZLE = {"board", "boards", *inspect.signature(sl.puzzle).parameters, "puzzle", "puzzles"}
"""Arguments of `sl.puzzle`, whose methods the functions are."""


@dataclass(frozen=True)
class Row:
    """A command, the functions that answer it, and the names that only one side has, with the reason."""

    command: str
    functions: tuple[Callable[..., Any], ...]
    only_command: tuple[str, ...] = ()
    only_python: tuple[str, ...] = ()


P = sl.Puzzle
START = ("seed",)  # `Puzzle.shuffle` makes the start
ROWS = (
    Row("analyze", (P.analyze,)),
    Row("solvable", (P.solvable,), (*START, "moves", "check")),  # Verdict.certificate, Verdict.check
    Row("prove", (sl.prove,), ("check",)),  # `Proof.check`
    Row("shuffle", (P.shuffle,), ("count",)),  # a loop
    Row("topology", (P.topology,)),
    Row(
        "god", (P.gods_number, P.distances, P.goal_distances), ("chart",), ("plan", "comm")
    ),  # `chart` of the result; mpiexec
    Row("plan", (P.plan,), ("calibrate",)),  # `distance.cost_model`
    Row("solve", (P.solve,), (*START, "arrows", "steps", "explain")),  # of `Solution`
    Row("hint", (P.hint,)),
    Row("permutation", (P.permutation,), (*START, "numbering", "moves")),  # of `RequiredPermutation`
    Row("configurations", (P.component,), ("limit",)),  # of `Component.save`
    Row("sweep", (sl.sweep,), (), ("executor",)),
    Row("check", (sl.check,)),
    Row("place", (P.place,), ("count",)),  # `count_placements`
    Row("pdb build", (P.heuristic,), ("again",)),  # writes files
    Row("instances", (sl.instances,), ("number",)),  # InstanceSet.numbered
    Row("export", (sl.pddl, sl.sas_plus), START),
    Row("sheet", (puzzle_sheet, graded_set), ("threads",), ("budget",)),  # threads of the budget
    Row("atlas lookup", (lookup,), (), ("source",)),
    Row("atlas compute", (compute,)),
    Row("atlas check", (check_atlas,)),
    Row("atlas gourds", (write_atlas,), ("progress",), ("path", "budget", "executor")),
    Row("claims", (select_claims,), ("run", "quick", "progress")),  # `run_claims`
    Row("bench papers", (measure,), ("threads", "progress"), ("budget",)),
    Row(
        "draw",
        (P.draw, P.page, P.solid, P.solve, sl.Solution.animate, sl.Picture.save, P.graph),
        (*START, "show", "play"),  # which of these functions is called
    ),
)
WITHOUT_PYTHON = {
    "boards": "lists what is in `slidelab.boards`",
    "play": "starts a server",
    "pdb list": "files of the user",
    "pdb clear": "files of the user",
    "explain": "prints the glossary",
    "atlas list": "prints what is in `slidelab.atlas.tables`",
    "atlas sequences": "prints `slidelab.atlas.sequences`, or writes them",
    "completion": "a script for the shell",
}


def options(function: Callable[..., Any]) -> set[str]:
    """Return the options of a command, also those in dataclasses that several commands share."""
    found: set[str] = set()
    for name, form in get_type_hints(function).items():
        if is_dataclass(form):
            found |= {each.name for each in fields(form) if each.name != "_"}
        elif name != "return":
            found.add(name)
    return found


def arguments(functions: tuple[Callable[..., Any], ...]) -> set[str]:
    return {name for each in functions for name in inspect.signature(each).parameters} - {"self"}


def commands() -> dict[str, Callable[..., Any]]:
    """Return the function of each command; those of commands with subcommands are named after both."""
    found: dict[str, Callable[..., Any]] = {}
    for name, (module, _) in COMMANDS.items():
        own = getattr(import_module(f"slidelab.cli.{module}"), name)
        if not isinstance(own, App):
            found[name] = own
            continue
        for part in own:
            if not part.startswith("-"):
                command = own[part].default_command
                assert callable(command)
                found[f"{name} {part}"] = command
    return found


def test_every_command_is_in_the_table() -> None:
    assert set(commands()) == {row.command for row in ROWS} | set(WITHOUT_PYTHON)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.command)
def test_options_and_arguments_have_the_same_names(row: Row) -> None:
    given, python = options(commands()[row.command]), arguments(row.functions)
    unknown = given - python - PUZZLE - OUTPUT - set(row.only_command)
    assert not unknown, f"options of {row.command} that Python calls otherwise: {unknown}"
    assert set(row.only_command) <= given - python
    assert set(row.only_python) <= python - given
    if row.command != "draw":  # a command for many functions, of which it has the most useful options
        missing = python - given - PUZZLE - set(row.only_python) - {"path"}
        assert not missing, f"arguments that {row.command} has no option for: {missing}"
    assert {name for name in LIMITS if name in given} - set(row.only_command) == {
        name for name in LIMITS if name in python
    } - ({"memory", "threads", "max_shapes"} if row.command == "draw" else set())


def test_arguments_of_the_puzzle() -> None:
    assert {"rule", "holes", "colours"} <= options(commands()["solve"])
    assert {"rule", "holes", "colours"} <= set(inspect.signature(sl.puzzle).parameters)
    assert arguments((sl.Budget.of,)) == {*LIMITS, "cancelled"}
    assert {"board", "cells", "gourds"} < arguments((count_placements,))


def test_former_names_are_accepted() -> None:
    p = sl.puzzle("square R(2,2)")
    start = p.configuration("3 1 . 2")
    assert p.hint(configuration=start) == p.hint(start)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="start or configuration"):
        p.hint(start=start, configuration=start)  # type: ignore[call-arg]
    colours = sl.puzzle("square R(2,2)", colours=["a", "a", "b"])
    assert sl.puzzle("square R(2,2)", colors=["a", "a", "b"]) == colours  # type: ignore[call-arg]
    assert sl.heuristic_for(p.goal, database_bytes=0) == sl.heuristic_for(p.goal, tables=0)  # type: ignore[call-arg]
    goal = p.configuration("1 2 . 3")
    assert p.shuffle(1, goal=goal) == p.shuffle(1, goal)
    with pytest.raises(sl.NotationError, match="a start or a goal"):
        p.shuffle(1, goal, goal=goal)


def test_amounts_of_memory_are_texts_or_numbers() -> None:
    p = sl.puzzle("square R(3,3)")
    start = p.shuffle(seed=1)
    assert (
        p.solve(start, method="ida", tables="10K").nodes == p.solve(start, method="ida", tables=10_000).nodes
    )
    with pytest.raises(sl.NotationError, match="500M or 2G, got 'much' - at tables"):
        p.solve(start, tables="much")


def test_colours_of_cells_instead_of_a_goal() -> None:
    p = sl.puzzle("hex T(2)", "gourds", colours=[["red", "blue"]])
    cells = ["blue", "red", "."]
    start = p.configuration("1-2=red-blue")
    assert p.solvable(start, cells=cells)
    move = p.hint(start, cells=cells)
    assert move is not None
    assert p.place(cells).configuration in {
        start.play(move),
        start.play(move).play(*p.solve(start, cells=cells).moves[1:]),
    }
    with pytest.raises(sl.NotationError, match="got both"):
        p.hint(start, start, cells=cells)
    with pytest.raises(sl.Unsolvable):
        p.solvable(start, cells=["red", "red", "."])


def test_no_progress(run: Run) -> None:
    assert run("solve", "8-puzzle", "--seed", "1", "--no-progress").code == 0
    one_line(run("hint", "2x2 : 3 1 . 2", "--memory", "much"), 2, "at --memory")
