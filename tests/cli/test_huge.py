"""`slidelab solve` on boards of any size: JSON as a stream, explanations, and one line for all else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from commands import Run, one_line

LARGE = "square R(9,9)"


def replay(columns: int, start: list[int | None], moves: list[dict[str, Any]]) -> list[int | None]:
    """Where the moves lead on a board of squares, each checked here."""
    tiles = list(start)
    for move in moves:
        (here,), (there,) = move["from"], move["to"]
        assert tiles[here] == move["piece"]
        assert tiles[there] is None
        (ax, ay), (bx, by) = divmod(here, columns), divmod(there, columns)
        assert abs(ax - bx) + abs(ay - by) == 1
        tiles[there], tiles[here] = tiles[here], None
    return tiles


def tiles_of(value: dict[str, Any]) -> list[int | None]:
    return [tile or None for tile in value["tiles"]]


def test_a_large_board_as_json(run: Run) -> None:
    result = run("solve", LARGE, "--seed", "1", "--time", "3", "--json")
    assert (result.code, result.err) == (0, "")
    value = result.json
    assert value["method"] in ("peel", "beam")
    assert value["length"] == len(value["moves"]) >= value["at_least"] > 0
    assert replay(9, tiles_of(value["start"]), value["moves"]) == [*range(1, 81), None]
    assert tiles_of(value["goal"]) == [*range(1, 81), None]
    again = sl.puzzle(value["puzzle"])
    assert again == sl.puzzle(LARGE)


def test_a_large_board_as_text(run: Run) -> None:
    result = run("solve", LARGE, "--seed", "1", "--method", "peel", "--no-shorten")
    assert (result.code, result.err) == (0, "")
    start, lengths, moves, *_ = result.out.splitlines()
    assert "; a shortest solution has at least " in lengths
    assert int(lengths.split()[0].replace(",", "")) == len(moves.split())
    steps = [move.replace(":", " ").replace(">", " ").split() for move in moves.split()]
    rows = [{"piece": int(a), "from": [int(b)], "to": [int(c)]} for a, b, c in steps]
    begin = [None if each == "." else int(each) for each in start.split(" : ")[1].split()]
    assert replay(9, begin, rows) == [*range(1, 81), None]
    short = run("solve", LARGE, "--seed", "1", "--method", "peel", "--time", "2", "--json").json
    assert short["length"] < len(rows)


def test_the_papers_way_is_explained(run: Run) -> None:
    result = run("solve", "square R(4,4)", "--seed", "1", "--method", "wilson", "--explain")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert any("transposition" in line or "3-cycle" in line for line in lines)
    assert any(line.lstrip().startswith("1-") for line in lines)
    assert not any(":" in word and ">" in word for line in lines[1:] for word in line.split())  # no moves
    value = run("solve", "square R(4,4)", "--seed", "1", "--method", "wilson", "--json").json
    assert value["method"] == "wilson"
    assert all(0 <= p["from"] <= p["to"] <= value["length"] for p in value["passages"])
    assert replay(4, tiles_of(value["start"]), value["moves"]) == [*range(1, 16), None]


def test_the_papers_way_made_shorter(run: Run) -> None:
    options = ["solve", "square R(4,4)", "--seed", "1", "--method", "wilson", "--json"]
    long, short = run(*options).json, run(*options, "--shorten", "--time", "2").json
    assert short["length"] < long["length"]
    assert "passages" not in short
    assert short["method"] == "wilson"
    assert replay(4, tiles_of(short["start"]), short["moves"]) == [*range(1, 16), None]


def test_gourds_in_the_group(run: Run) -> None:
    for options in ([], ["--no-shorten"]):
        result = run("solve", "hex F(2) gourds 1", "--seed", "3", "--method", "group", "--json", *options)
        assert (result.code, result.err) == (0, "")
        value = result.json
        puzzle = sl.puzzle(value["puzzle"])
        assert value["method"] == "group"
        assert puzzle.configuration(value["start"]).play(*value["moves"]) == puzzle.goal


def swapped_board(columns: int) -> list[int]:
    """All in order but the first two."""
    return [2, 1, *range(3, columns * columns), 0]


PARITY = "odd permutation"


def test_two_tiles_exchanged_on_a_huge_board(run: Run, tmp_path: Path) -> None:
    tiles = swapped_board(100)
    puzzle = {"board": "square R(100,100)", "rule": "tiles", "holes": 1}
    value = json.dumps({"puzzle": puzzle, "start": {"tiles": tiles}})
    file = Path(tmp_path) / "swapped.json"
    file.write_text(value, encoding="utf-8")
    for source, stdin in ((str(file), ""), ("-", value)):
        result = run("solve", source, stdin=stdin)
        assert (result.code, result.err) == (1, "")
        assert result.out.startswith("not solvable: ")
        assert PARITY in result.out
        assert len(result.out.splitlines()) == 1
    no = run("solve", str(file), "--json", "--method", "peel")
    assert no.code == 1
    assert no.json["solvable"] is False
    assert PARITY in no.json["reason"]


def test_what_does_not_suit(run: Run) -> None:
    one_line(run("solve", LARGE, "--seed", "1", "--method", "magic"), 2, "magic", "cycle-cubic or group")
    one_line(run("solve", "square R(9,9) tiles 2", "--seed", "1", "--method", "wilson"), 2, "one hole")
    one_line(run("solve", "hex F(3)", "--seed", "1", "--method", "wilson"), 2, "one hole")
    one_line(run("solve", "hex F(2) gourds-sharp 1", "--seed", "1", "--method", "peel"), 2, "gourds")
    one_line(run("solve", "square R(12,12) tiles 4", "--seed", "1", "--method", "group"), 3, "on 140 tiles")


@pytest.mark.parametrize("seconds", ["0", "0.01"])
def test_hardly_any_time(run: Run, seconds: str) -> None:
    result = run("solve", LARGE, "--seed", "1", "--time", seconds, "--json")
    assert result.code in (0, 3)
    assert ("moves" in result.json) == (result.code == 0)
    assert result.json["at_least"] >= 1
