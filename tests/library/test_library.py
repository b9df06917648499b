"""The atlas as data: every row is consistent, damaged files are named, boards are found in any form."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from slidelab.boards import from_edges, random_hexagons
from slidelab.boards.lattice import images
from slidelab.library import Row, lookup, read_table, tables, why_inconsistent
from slidelab.library.files import FOLDER, table_text
from slidelab.library.lookup import congruent, isomorphic

DOCS = Path(__file__).parents[2] / "docs" / "atlas"
MAX_PACKAGE_BYTES = 800_000


@pytest.mark.parametrize("topic", tables())
def test_every_row_is_a_puzzle_with_consistent_numbers(topic: str) -> None:
    table = tables()[topic]
    assert table.topic == topic
    for row in table.rows:
        assert why_inconsistent(row.values) is None
        assert row["gods_number"] is not None or row["at_least"] is not None
        assert not row.computed or (row.command and row.provenance["date"] and row.provenance["version"])
        assert row.computed or row.command is None
    for row in random.Random(1).sample(table.rows, min(40, len(table.rows))):
        assert sl.puzzle(row.puzzle).text == row.puzzle
        if row["start"] is not None:
            assert sl.puzzle(row.puzzle).configuration(row["start"]).pieces_text == row["start"]


def test_heights_of_the_documents_agree_with_the_atlas() -> None:
    """Rows of docs/atlas/heights.jsonl and of the atlas were computed in separate runs."""
    compared = 0
    for line in (DOCS / "heights.jsonl").read_text(encoding="utf-8").splitlines():
        known = json.loads(line)
        if known.get("gods_number") is None:
            continue
        for row in lookup(known["puzzle"]):
            if row["metric"] not in (None, "moves"):
                continue
            compared += 1
            assert row["gods_number"] == known["gods_number"], known["puzzle"]
            assert row["at_least"] in (None, known["gods_number"]), known["puzzle"]
            assert row["at_most"] in (None, known["gods_number"]), known["puzzle"]
            for column in ("radius", "configurations"):
                assert row[column] in (None, known[column]), known["puzzle"]
    assert compared >= 20


def test_the_package_stays_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MAX_PACKAGE_BYTES


def test_files_are_written_as_they_are_read() -> None:
    for topic, table in tables().items():
        assert table_text(table) == (FOLDER / f"{topic}.jsonl").read_text(encoding="utf-8")


def test_larger_tables_are_beside_the_package() -> None:
    table = read_table(DOCS / "polyhexes-8.jsonl")
    assert len(table.rows) > 6000
    records = [row for row in tables()["polyhex-records"].rows if row["cells"] == 8]
    for record in records:
        same = [row for row in table.rows if row.puzzle.endswith(f"hextiles {record['holes']}")]
        assert max(row["gods_number"] for row in same) == record["gods_number"]
        assert len(same) == record["boards"]


HEADER = {
    "format": "slidelab atlas 1",
    "topic": "t",
    "title": "T",
    "question": "god",
    "columns": dict.fromkeys(("gods_number", "radius", "configurations", "distribution", "at_most"), ""),
    "defaults": {},
}
ROW = {
    "puzzle": "square R(2,2) tiles 1",
    "gods_number": 6,
    "radius": 6,
    "configurations": 12,
    "distribution": [1, 2, 2, 2, 2, 2, 1],
}


def written(path: Path, *values: Any) -> Path:
    path.write_text(
        "".join(f"{value if isinstance(value, str) else json.dumps(value)}\n" for value in values)
    )
    return path


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"gods_number": 7}, "line 2: the distribution ends at distance 6, not 7"),
        ({"gods_number": -6}, "whole number"),
        ({"gods_number": True}, "whole number"),
        ({"gods_number": 6.0}, "whole number"),
        ({"radius": 7}, "radius 7"),
        ({"radius": 2}, "radius 2"),
        ({"configurations": 13}, "12 configurations, not 13"),
        ({"distribution": [1, 2, 2, 2, 2, 2, 2]}, "13 configurations"),
        ({"distribution": [2, 1, 2, 2, 2, 2, 1]}, "begins with one"),
        ({"distribution": [1, 2, 2, 0, 4, 2, 1]}, "begins with one"),
        ({"distribution": 5}, "begins with one"),
        ({"at_most": 5}, "not within its bounds"),
        ({"seconds": "long"}, "at seconds"),
        ({"source": 5}, "at source"),
        ({"moves": 5}, "got 'moves'"),
        ({"puzzle": None}, "JSON object with a puzzle"),
    ],
)
def test_a_damaged_row_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    path = written(tmp_path / "t.jsonl", HEADER, ROW)
    assert read_table(path).rows[0]["gods_number"] == 6
    with pytest.raises(sl.Damaged, match=r"t\.jsonl is damaged at line 2") as caught:
        read_table(written(path, HEADER, ROW | change))
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "no header"),
        (["{"], "line 1: expected a line of JSON"),
        ([5], "expected a header"),
        ([ROW], "expected a header"),
        ([HEADER | {"topic": 5}], "a topic and a title"),
        ([HEADER | {"question": 5}], "the name of a question"),
        ([HEADER | {"columns": ["gods_number"]}], "columns with their meanings"),
        ([HEADER | {"defaults": {"colour": "red"}}], "defaults of"),
        ([HEADER, ROW, ROW], "line 3: a second row"),
        ([HEADER, ROW, "[" * 100_000], "line 3: expected a line of JSON"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, lines: list[Any], words: str) -> None:
    with pytest.raises(sl.Damaged) as caught:
        read_table(written(tmp_path / "t.jsonl", *lines))
    assert words in str(caught.value)
    with pytest.raises(sl.PuzzleError, match="could not read"):
        read_table(tmp_path / "none.jsonl")


def test_rotated_and_moved_boards_are_found() -> None:
    for topic, text in (("hexagonal-families", "hex Ptr(3,4)"), ("rectangles", "square R(4,2)")):
        on = sl.board(text)
        expected = lookup(text, topic=topic)
        assert len(expected) == 1
        for cells in zip(*(images(on.kind, x, y) for x, y in on.cells), strict=True):
            moved = {"kind": on.kind, "cells": [[x - 3, y + 8] for x, y in cells]}
            assert lookup(sl.puzzle(moved), topic=topic) == expected


def test_isomorphic_graphs_are_found_where_only_touching_counts() -> None:
    assert [row.puzzle for row in lookup("cycle(4)", topic="rectangles")] == ["square R(2,2) tiles 1"]
    ladder = "graph a-b b-c c-d e-f f-g g-h a-e b-f c-g d-h"
    assert [row.puzzle for row in lookup(ladder, topic="rectangles")] == ["square R(4,2) tiles 1"]
    assert lookup(ladder, holes=2, topic="rectangles")[0].puzzle == "square R(4,2) tiles 2"
    assert lookup("graph a-b b-c c-d e-f f-g g-h a-e b-f c-g a-h", topic="rectangles") == ()


def test_rigid_pieces_are_found_on_congruent_boards_only() -> None:
    rigid = [row for row in tables()["trimers"].rows if sl.puzzle(row.puzzle).rule.rigid]
    assert rigid
    asked = sl.puzzle(rigid[0].puzzle)
    turned = [[y, x] for x, y in asked.board.cells]
    same = sl.puzzle({"kind": asked.board.kind, "cells": turned}, asked.rule.name, asked.hole_count)
    assert rigid[0] in lookup(same)


def permuted(on: sl.Board, rng: random.Random) -> sl.Board:
    order = list(range(on.size))
    rng.shuffle(order)
    return from_edges([(order[a], order[b]) for a, b in on.edges], on.size)


@pytest.mark.parametrize("seed", range(8))
def test_isomorphism_against_networkx(seed: int) -> None:
    import networkx as nx

    rng = random.Random(seed)
    boards: list[sl.Board] = [random_hexagons(9, seed=rng.randrange(100)) for _ in range(3)]
    edges = [(a, b) for a in range(6) for b in range(a) if rng.random() < 0.4]
    boards += [from_edges(edges, 6), from_edges([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)], 6)]
    boards += [sl.board("cycle(6)")] + [permuted(on, rng) for on in boards]
    for one in boards:
        for other in boards:
            assert isomorphic(one, other) == nx.is_isomorphic(one.to_networkx(), other.to_networkx())
            assert isomorphic(one, other) or not congruent(one, other)


@pytest.mark.parametrize(
    "call", [lambda: lookup("square R(2,2)", topic="rectangle"), lambda: lookup("nothing")]
)
def test_bad_input_is_one_line(call: Callable[[], tuple[Row, ...]]) -> None:
    with pytest.raises(sl.NotationError) as caught:
        call()
    assert len(str(caught.value).splitlines()) == 1


def test_what_is_too_large_is_not_known() -> None:
    assert lookup("square R(40,40)") == ()
    assert lookup("square R(2,2) : a b b .") == ()


def test_unknown_columns_of_a_row_are_refused() -> None:
    row = lookup("15-puzzle")[0]
    assert (row["gods_number"], row["metric"], row["at_least"]) == (80, None, None)
    with pytest.raises(KeyError, match=r"expected a column of literature .*, got 'nosuch'"):
        row["nosuch"]
