"""How God's number grows: exact numbers, proved bounds, and the hardest graphs. The gallery draws them.

    python benchmarks/heights.py exact      adds rows to docs/atlas/heights.jsonl, those that it has are kept
    python benchmarks/heights.py bounds     adds rows to docs/atlas/bounds.jsonl
    python benchmarks/heights.py single     adds rows to docs/atlas/bounds-single.jsonl: squares, tile by tile
    python benchmarks/heights.py graphs     writes docs/atlas/two-connected-records.jsonl, from the sweeps
                                            of all graphs (N cells, K holes) in build/graphs/god-N-K.jsonl
    python benchmarks/heights.py library    puts the bounds into rows of the atlas that have weaker ones
    python benchmarks/heights.py fits       prints the numbers and polynomials through them

The sweeps: slidelab sweep god "two-connected(8)" --rule tiles --holes 1 -o build/graphs/god-8-1.jsonl
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import slidelab as sl
from slidelab.bounds import far_pair, upper_bound
from slidelab.budget import Budget
from slidelab.files import atomic_write
from slidelab.library import Row as AtlasRow
from slidelab.library import tables
from slidelab.library.files import FOLDER, table_text

ROOT = Path(__file__).resolve().parent.parent
ATLAS = ROOT / "docs" / "atlas"
GRAPHS = ROOT / "build" / "graphs"
SECONDS = 300.0
MEMORY = "3G"

Row = dict[str, Any]


def strip(n: int) -> str:
    """Return the cells of a board of two rows, of n and n + 1 hexagons."""
    return " ".join([*(f"{q},0" for q in range(n)), *(f"{q},1" for q in range(-1, n))])


EXACT: dict[str, list[tuple[int, str]]] = {
    **{
        f"theta(0,1,n-3), {k} holes": [(n, f"theta(0,1,{n - 3}) tiles {k}") for n in range(4, 12)]
        for k in (1, 2)
    },
    **{f"theta(0,n,n), {k} holes": [(n, f"theta(0,{n},{n}) tiles {k}") for n in range(1, 5)] for k in (1, 2)},
    "theta(1,2,n)": [(n, f"theta(1,2,{n}) tiles 1") for n in range(1, 7)],
    "theta(2,2,n)": [(n, f"theta(2,2,{n}) tiles 1") for n in range(1, 6)],
    **{f"R(2,n), {k} holes": [(n, f"square R(2,{n}) tiles {k}") for n in range(2, 8 - k)] for k in (1, 2, 3)},
    **{f"R(3,n), {k} holes": [(n, f"square R(3,{n}) tiles {k}") for n in range(2, 4)] for k in (1, 2, 3)},
    "R(3,3) by holes": [(k, f"square R(3,3) tiles {k}") for k in range(1, 9)],
    "R(4,4) by holes": [(k, f"square R(4,4) tiles {k}") for k in range(15, 10, -1)],
    "P(3,n), 2 holes": [(n, f"hex P(3,{n}) hextiles 2") for n in (3, 4)],
    "P(3,3) by holes": [(k, f"hex P(3,3) hextiles {k}") for k in range(2, 8)],
    "F(2) by holes": [(k, f"hex F(2) hextiles {k}") for k in range(2, 7)],
    "gourd strip": [(n, f"hex {strip(n)} gourds 1") for n in range(2, 7)],
}
"""Families of puzzles, each with a number and a puzzle."""

STEP_STATES = {4: 17_000_000, 5: 9_800_000, 6: 1_700_000, 7: 5_800_000, 9: 540_000, 10: 1_010_000}
"""States of a step on n x n squares: two to five tiles at once. There the core has twelve cells."""

SQUARE_CORE = 300_000_000

MORE_STATES: dict[str, dict[str, int]] = {
    "hex P(4,4) hextiles 2": {"core_states": 50_000_000},
    "hex F(3) gourds 1": {"step_states": 3_000_000},
}
"""Limits other than the default ones."""

BOUNDED = (
    *(f"square R({n},{n}) tiles 1" for n in range(4, 11)),
    *(f"square R({n},{n}) tiles {k}" for n in (4, 5, 6) for k in (2, 3)),
    *(f"hex P(3,{n}) hextiles 2" for n in range(4, 9)),
    *("hex P(4,4) hextiles 2", "hex Ptr(3,5) hextiles 2", "hex Ptr(4,4) hextiles 2", "hex T(5) hextiles 2"),
    *("hex Ttr(5) hextiles 2", "hex T(6) hextiles 2", "hex F(3) hextiles 2", "hex P(5,5) hextiles 2"),
    *("hex F(3) gourds 1", "hex P(3,5) gourds 1"),
)


def read(name: str) -> list[Row]:
    """Return the rows of a file of docs/atlas."""
    file = ATLAS / name
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def add(name: str, row: Row) -> None:
    """Add a row to a file of docs/atlas, and print it."""
    with (ATLAS / name).open("a") as file:
        file.write(json.dumps(row) + "\n")
    print(row, flush=True)


def exact() -> None:
    """Compute God's numbers of all families until one takes too long."""
    known = {row["puzzle"] for row in read("heights.jsonl")}
    for family, puzzles in EXACT.items():
        for number, text in puzzles:
            if text in known:
                continue
            begin = time.process_time()
            try:
                found = sl.puzzle(text).gods_number(time=SECONDS, memory=MEMORY, threads=1)
            except sl.PuzzleError as error:
                print(f"{text}: {error}")
                break
            states = max((s.distances.states for s in found.searches), default=1)
            row = {"family": family, "n": number, "puzzle": text, "gods_number": found.number}
            row |= {"radius": found.radius, "configurations": states}
            add("heights.jsonl", row | {"seconds": round(time.process_time() - begin, 2)})


def single() -> None:
    """Compute upper bounds of squares with as few pieces at once as possible: values of one formula."""
    known = {row["puzzle"] for row in read("bounds-single.jsonl")}
    for n in range(4, 11):
        text = f"square R({n},{n}) tiles 1"
        if text not in known:
            begin = time.process_time()
            upper = upper_bound(text, rounds=1, step_states=1, core_states=400_000)
            assert upper is not None
            row: Row = {"puzzle": text, "at_most": upper.number, "moves_left": list(upper.peelings[0].worst)}
            add("bounds-single.jsonl", row | {"seconds": round(time.process_time() - begin, 2)})


def bounds() -> None:
    """Compute both bounds of boards whose number is unknown, and of some where it is known."""
    known = {row["puzzle"] for row in read("bounds.jsonl")}
    for text in BOUNDED:
        if text in known:
            continue
        begin = time.process_time()
        budget = Budget.of(time=SECONDS, memory=MEMORY, threads=1)
        upper = upper_bound(text, rounds=2, budget=budget, **MORE_STATES.get(text, {}))
        side = text.removeprefix("square R(").partition(",")[0]
        if text.endswith("tiles 1") and int(side) in STEP_STATES:
            states = STEP_STATES[int(side)]
            upper = upper_bound(text, step_states=states, core_states=SQUARE_CORE, rounds=3, budget=budget)
        pair = far_pair(text)
        row: Row = {"puzzle": text, "at_least": pair and pair.number, "at_most": upper and upper.number}
        row["moves_left"] = upper and list(upper.peelings[0].worst)
        add("bounds.jsonl", row | {"seconds": round(time.process_time() - begin, 2)})


def library() -> None:
    """Put the bounds into the rows of hexagonal families that have weaker ones, or none."""
    file, table = FOLDER / "hexagonal-families.jsonl", tables()["hexagonal-families"]
    better = {row["puzzle"]: row for row in read("bounds.jsonl")}
    rows = tuple(_bounded(row, better.get(row.puzzle, {}), table.columns) for row in table.rows)
    with atomic_write(file) as out:
        out.write(table_text(replace(table, rows=rows)).encode())


def _bounded(row: AtlasRow, found: Row, columns: Iterable[str]) -> AtlasRow:
    """Return a row of the atlas, with the bounds that were found if it has only weaker ones."""
    if row["gods_number"] is not None or found.get("at_least", 0) <= row["at_least"]:
        return row
    values = dict(row.values) | {"at_least": found["at_least"], "at_most": found["at_most"]}
    order = [name for name in columns if values.get(name) is not None]
    provenance = dict(row.provenance) | {
        "seconds": found["seconds"],
        "command": "python benchmarks/heights.py bounds",
        "note": "two configurations far apart, and the pieces placed in an order: see docs/heights.md",
    }
    return replace(row, values={name: values[name] for name in order}, provenance=provenance)


# Graphs


def graph_records() -> Iterator[Row]:
    """Yield, for each number of cells and holes, the hardest of all two-connected graphs."""
    for file in sorted(GRAPHS.glob("god-*-*.jsonl")):
        cells, holes = map(int, file.stem.split("-")[1:])
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        most, least = (choose(row["gods_number"] for row in rows) for choose in (max, min))
        hardest = [row for row in rows if row["gods_number"] == most]
        best = hardest[0]
        yield {
            "puzzle": best["puzzle"], "cells": cells, "holes": holes, "boards": len(rows),
            "reach": len(hardest), "gods_number": most, "radius": best["radius"],
            "configurations": best["configurations"], "least": least,
            "start": best["start"], "farthest": best["farthest"],
        }  # fmt: skip


def graphs() -> None:
    """Write the records of all graphs, and draw the hardest ones with one hole."""
    columns = {
        "cells": "cells of the boards",
        "holes": "number of holes",
        "boards": "how many boards of this size there are",
        "reach": "how many of them reach this number; the row is the first of these",
        "gods_number": "the largest distance between configurations that can reach each other",
        "radius": "the smallest eccentricity",
        "configurations": "how many of them there are in a component",
        "least": "the smallest God's number of a board of this size",
        "start": "one of two configurations at the largest distance",
        "farthest": "the other one",
    }
    header = {
        "format": "slidelab atlas 1",
        "topic": "two-connected-records",
        "title": "of all two-connected graphs of a size, the first with the largest God's number",
        "question": "god",
        "columns": columns,
        "defaults": {"command": "slidelab god {puzzle}", "version": sl.__version__, "source": "computed"},
    }
    lines = [json.dumps(row) for row in (header, *graph_records())]
    with atomic_write(ATLAS / "two-connected-records.jsonl") as file:
        file.write(("\n".join(lines) + "\n").encode())


def fit(points: list[tuple[int, int]], degree: int) -> str:
    """Return the polynomial of least squares as text."""
    xs, ys = zip(*points, strict=True)
    terms = np.polyfit(xs, ys, min(degree, len(points) - 1))
    powers = range(len(terms) - 1, -1, -1)
    return " ".join(f"{c:+.2f} n^{p}" for c, p in zip(terms, powers, strict=True))


def fits() -> None:
    """Print the numbers of each family, and the polynomials of degree two and three that fit best."""
    families: dict[str, list[tuple[int, int]]] = {}
    for row in read("heights.jsonl"):
        families.setdefault(row["family"], []).append((row["n"], row["gods_number"]))
    for row in read("bounds-single.jsonl"):
        n = int(row["puzzle"].split("(")[1].split(",")[0])
        families.setdefault("R(n,n), at most", []).append((n, row["at_most"]))
    for family, points in families.items():
        numbers = " ".join(f"{n}:{value}" for n, value in sorted(points))
        print(f"{family:26}{numbers}\n{'':26}{fit(points, 2)}\n{'':26}{fit(points, 3)}")


PARTS = {
    "exact": exact,
    "bounds": bounds,
    "library": library,
    "single": single,
    "graphs": graphs,
    "fits": fits,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
