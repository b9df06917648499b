"""Nothing depends on Python's recursion limit: many colours, many cells, long numbers, deep nesting."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Run
from slidelab.atlas.conditions import Fillings, _rings
from slidelab.boards import board
from slidelab.place.counting import _choices
from slidelab.place.placement import placements
from slidelab.reach import coloured_components
from slidelab.reach.coloured_components import _selections


def test_more_colours_than_the_recursion_limit(run: Run) -> None:
    colours = " ".join(f"c{k}" for k in range(1599))
    result = run("analyze", f"square R(40,40) : {colours} .", "--no-connection", "--json")
    assert result.code == 0, result.err
    assert result.json["components"] == 2
    swapped = f"square R(40,40) : c1 c0 {colours[6:]} ."
    assert run("solvable", swapped, "--goal", f"{colours} .").code == 1


def test_many_colours_on_many_orbits_are_too_large(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coloured_components, "MAX_LISTED_COLOURS", 1_000_000)  # takes no gigabyte here
    colours = " ".join(f"c{k}" for k in range(1499))
    result = run("analyze", f"path(1500) : {colours} .", "--no-connection")
    assert result.code == 3
    assert len(result.err.splitlines()) == 1


def planted_on_a_cycle(size: int, colours: int) -> dict[str, object]:
    rng = random.Random(1)
    cells = [f"c{rng.randrange(colours)}" for _ in range(size - 1)]
    pairs = [[cells[k], cells[k + 1]] for k in range(0, size - 1, 2)]
    puzzle = {"board": f"cycle({size})", "rule": "gourds", "holes": 1, "colours": pairs}
    return {"puzzle": puzzle, "cells": [*cells, "."]}


def test_coloured_gourds_on_thousands_of_cells(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cycle.json"
    file.write_text(json.dumps(planted_on_a_cycle(2401, 2000)))
    result = run("solve", str(file), "--seed", "1", "--time", "10")
    assert result.code in (0, 1, 3), result.err
    assert len(result.err.splitlines()) <= 1


def test_counts_beyond_floats(run: Run, tmp_path: Path) -> None:
    rng = random.Random(1)
    cells = [f"c{rng.randrange(30)}" for _ in range(2398)]
    pairs = " ".join(f"{cells[k]}-{cells[k + 1]}" for k in range(0, 2398, 2))
    result = run(
        "place", "square R(2,1200)", "--cells", " ".join([*cells, ".", "."]), "--colours", pairs, "--count"
    )
    assert result.code in (0, 1, 3), result.err
    assert len(result.err) < 600


def recursive_selections(items: list[tuple[str, int]], size: int) -> Iterator[Counter[str]]:
    if not items:
        if size == 0:
            yield Counter()
        return
    (colour, number), rest = items[0], items[1:]
    for taken in range(min(number, size) + 1):
        for other in recursive_selections(rest, size - taken):
            yield Counter({colour: taken}) + other if taken else other


def test_selections_of_colours_against_recursion() -> None:
    rng = random.Random(0)
    for _ in range(500):
        items = [(chr(97 + k), rng.randint(1, 3)) for k in range(rng.randint(0, 5))]
        size = rng.randint(0, 8)
        assert list(_selections(items, size)) == list(recursive_selections(items, size))


def test_enumerations_deeper_than_the_recursion_limit() -> None:
    assert Fillings(board("path(4000)"))((1 << 4000) - 1)
    assert len(next(_rings(board("cycle(1201)"), 1201))) == 1201
    assert len(next(_choices([([k, -k], 1) for k in range(3000)]))) == 3000
    assert list(_choices([])) == [()]
    cells, pairs = ["a"] * 2401, [("a", "a")] * 1200
    assert len(next(placements(board("path(2401)"), cells, pairs)).pieces) == 1200


# Input

LONG = "9" * 5000
NESTED = "[" * 100_000


@pytest.mark.parametrize(
    "source",
    [
        f"square R({LONG},2)",
        f"hex P(3,{LONG})",
        f"hex F({LONG})",
        f"theta({LONG},1,2)",
        f"cycle({LONG})",
        f"hex {LONG},0 1,0",
        f"graph 0-{LONG}",
        f"square R(3,3) tiles {LONG}",
        f"square R(2,2) : 1 2 {LONG} .",
        f"hex F(2) gourds : 0-1 2-3 4-{LONG}",
        NESTED,
        '{"puzzle": ' * 5000,
        '{"a":' * 100_000,
        '{"kind": "hex", "cells": ' + NESTED,
        '{"kind": "hex", "cells": [[0, ' + LONG + "]]}",
        '{"board": "square R(2,2)", "holes": ' + LONG + "}",
        '{"board": "square R(2,2)", "colours": ' + "[" * 900 + "]" * 900 + "}",
        '{"puzzle": "square R(2,2)", "start": ' + "[" * 900 + "]" * 900 + "}",
        '{"puzzle": "square R(2,2)", "start": {"tiles": [1, 2, ' + LONG + ", 0]}}",
        '{"puzzle": "square R(2,2)", "start": "1 2 . 3", "moves": ["' + LONG + ':3>2"]}',
        '{"puzzle": "square R(2,2)", "start": "1 2 . 3", "moves": [{"piece": ' + LONG + "}]}",
        '{"puzzle": "square R(2,2)", "start": "1 2 . 3", "moves": ' + "[" * 900 + "]" * 900 + "}",
    ],
    ids=lambda source: source[:40],
)
def test_long_numbers_and_deep_nesting_get_one_line(run: Run, tmp_path: Path, source: str) -> None:
    file = tmp_path / "film.html"
    for command in (
        ("analyze", source),
        ("analyze", "-"),
        ("solve", source),
        ("draw", source, "-o", str(file)),
    ):
        result = run(*command, stdin=source)
        assert result.code in ((0, 2, 3) if '"moves"' in source else (2, 3)), result.err[:300]
        assert len(result.err.splitlines()) == (result.code > 0)
        assert len(result.err) < 600


OPTIONS = [
    ("analyze", "square R(3,3)", "--holes"),
    ("analyze", "square R(3,3)", "--max-shapes"),
    ("analyze", "square R(3,3)", "--time"),
    ("analyze", "square R(3,3)", "--memory"),
    ("god", "square R(2,2)", "--threads"),
    ("god", "square R(2,2)", "--start", "1 2 3 .", "--hardest"),
    ("solve", "square R(2,2) : 1 2 . 3", "--weight"),
    ("solve", "square R(2,2) : 1 2 . 3", "--tables"),
    ("solve", "square R(2,2)", "--seed"),
    ("solve", "square R(2,2) : 1 2 . 3", "--goal"),
    ("hint", "square R(2,2) : 1 2 . 3", "--time"),
    ("shuffle", "square R(2,2)", "--seed"),
    ("shuffle", "square R(2,2)", "--count"),
    ("boards", "--polyhexes"),
    ("atlas", "gourds", "--cells"),
    ("atlas", "gourds", "--cells", "7", "--processes"),
    ("pdb", "build", "square R(3,3)", "--tables"),
    ("place", "hex F(2)", "--cells", "a*7", "--colours"),
    ("place", "hex F(2)", "--colours", "a-a", "--cells"),
    ("draw", "square R(2,2)", "-o", "FILE.png", "--width"),
    ("draw", "square R(2,2)", "-o", "FILE.png", "--size"),
    ("draw", "square R(2,2)", "-o", "FILE.svg", "--seed"),
    ("draw", "square R(2,2)", "-o", "FILE.svg", "--show", "graph", "--limit"),
    ("draw", "square R(2,2) : 1 2 . 3", "-o", "FILE.gif", "--seconds"),
    ("draw", "square R(2,2)", "-o", "FILE.stl", "--cell"),
    ("draw", "square R(2,2)", "-o", "FILE.stl", "--clearance"),
    ("draw", "square R(2,2)", "-o", "FILE.stl", "--bed"),
    ("bench", "papers", "--states"),
]  # fmt: skip


@pytest.mark.parametrize(
    "value", [LONG, f"-{LONG}", "1e400", "nan", "-1", f"{LONG}.5", f"{LONG}x{LONG}", "a*" + LONG, ""]
)
@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: f"{option[0]} {option[-1]}")
def test_huge_numbers_in_options(run: Run, tmp_path: Path, option: tuple[str, ...], value: str) -> None:
    words = [word.replace("FILE", str(tmp_path / "file")) for word in option]
    result = run(*words, value)
    assert result.code in (0, 1, 2, 3), result.err[:400]
    assert len(result.err.splitlines()) == (result.code > 1)
    assert len(result.err) < 700
