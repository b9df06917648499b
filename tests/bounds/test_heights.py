"""The tables of docs/heights.md: small rows are computed again, and no row contradicts another."""

from __future__ import annotations

import json
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from slidelab.boards import connected_graphs
from slidelab.bounds import far_pair, upper_bound
from slidelab.library import lookup, tables

ATLAS = Path(__file__).resolve().parents[2] / "docs" / "atlas"


@cache
def rows(name: str) -> list[dict[str, Any]]:
    lines = (ATLAS / name).read_text().splitlines()
    return [row for row in map(json.loads, lines) if "puzzle" in row]


def test_exact_numbers() -> None:
    small = [row for row in rows("heights.jsonl") if row["configurations"] < 2000]
    assert len(small) > 20
    for row in small:
        found = sl.puzzle(row["puzzle"]).gods_number()
        assert (found.number, found.radius) == (row["gods_number"], row["radius"]), row["puzzle"]


@pytest.mark.parametrize("cells", [3, 4, 5])
def test_records_of_all_graphs(cells: int) -> None:
    boards = list(connected_graphs(cells, two_connected=True))
    for row in rows("two-connected-records.jsonl"):
        if row["cells"] == cells:
            found = [sl.puzzle(board, "tiles", row["holes"]).gods_number().number for board in boards]
            assert (len(found), max(found), min(found)) == (row["boards"], row["gods_number"], row["least"])
            assert found.count(max(found)) == row["reach"]


def test_the_pairs_of_the_records() -> None:
    for row in rows("two-connected-records.jsonl"):
        if row["configurations"] < 3000:
            puzzle = sl.puzzle(row["puzzle"])
            assert puzzle.distance(row["start"], row["farthest"]) == row["gods_number"]


def test_one_graph_is_hardest_with_every_number_of_holes() -> None:
    for row in rows("two-connected-records.jsonl"):
        if 4 <= row["cells"] <= 7:
            own = sl.puzzle(f"theta(0,1,{row['cells'] - 3})", "tiles", row["holes"])
            assert own.gods_number().number == row["gods_number"]
            easy = sl.puzzle(f"complete({row['cells']})", "tiles", row["holes"])
            assert easy.gods_number().number == row["least"]


def test_bounds_enclose_what_is_known() -> None:
    exact = {row["puzzle"]: row["gods_number"] for row in rows("heights.jsonl")}
    for row in rows("bounds.jsonl"):
        known = [found for found in sl.known_results(row["puzzle"]) if found.metric == "single"]
        numbers = [found.number for found in known if found.exact]
        numbers += [exact[row["puzzle"]]] if row["puzzle"] in exact else []
        for number in numbers:
            assert row["at_least"] <= number <= row["at_most"]
        for found in known:
            assert found.number <= row["at_most"]
            assert found.at_most is None or row["at_least"] <= found.at_most
        assert row["at_most"] is None or row["at_least"] <= row["at_most"]


def test_the_atlas_has_no_weaker_bounds() -> None:
    proved = {row["puzzle"]: row for row in rows("bounds.jsonl")}
    compared = 0
    for row in tables()["hexagonal-families"].rows:
        if row.puzzle not in proved:
            continue
        best, known = proved[row.puzzle], row["gods_number"]
        least, most = (row["at_least"], row["at_most"] or inf) if known is None else (known, known)
        assert least >= best["at_least"]
        assert best["at_most"] is None or most <= best["at_most"]
        compared += 1
    assert compared


def test_the_bounds_of_a_large_parallelogram() -> None:
    (row,) = lookup("hex P(4,4)")
    pair, upper = far_pair(row.puzzle), upper_bound(row.puzzle, rounds=2, core_states=50_000_000)
    assert pair is not None
    assert upper is not None
    assert (pair.number, row["gods_number"], upper.number) == (35, 86, 117)
