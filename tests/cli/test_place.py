"""`slidelab place`: placements drawn and as positions, reasons, and one line for bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from commands import Run, one_line, refused
from slidelab.boards import board
from slidelab.place.coloured_puzzle import nine_gourds
from slidelab.place.placement import place

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
NINE = str(EXAMPLES / "nine-gourds.json")
FLOWER = ("hex F(2)", "--cells", "red*3 / blue . blue / blue*2", "--colours", "red-blue*2 red-blue")


def test_a_placement_is_drawn_and_is_a_position(run: Run) -> None:
    result = run("place", "hex F(2)", "--cells", "red blue*2 . red*2 / blue", "--colours", "red-blue*3")
    assert (result.code, result.err) == (0, "")
    *picture, _, legend, _, line = result.out.splitlines()
    assert legend == "b blue, r red"
    assert sum(text.count(letter) for text in picture for letter in "rb.") == 7
    found = sl.position(line)
    assert found.holes == (3,)
    assert found.puzzle.colours == (("blue", "red"),) * 3


def test_nine_gourds(run: Run) -> None:
    result = run("place", NINE)
    assert result.code == 0
    assert result.out == (
        "    r   r---r\n"
        "   /\n"
        "  b   r   r   r\n"
        "     /     \\   \\\n"
        "b   b   .   g   g\n"
        " \\\n"
        "  b   b---g   g\n"
        "             /\n"
        "    b---g   g\n"
        "\n"
        "b blue, g green, r red\n"
        "\n"
        "hex F(3) gourds 1 : 7-12=blue-blue 13-14=blue-green 16-17=blue-green 3-0=blue-red 8-4=blue-red "
        "15-18=green-green 10-5=green-red 11-6=green-red 1-2=red-red\n"
    )
    assert json.loads(Path(NINE).read_text()) == nine_gourds().to_json()


def test_json(run: Run) -> None:
    value = run("place", NINE, "--json").json
    assert set(value) == {"feasible", "gourds", "reason", "puzzle"}
    assert value["feasible"] is True
    nine = nine_gourds()
    for (a, b), (first, second) in zip(value["gourds"], nine.gourds, strict=True):
        assert (nine.cells[a], nine.cells[b]) == (first, second)
        assert nine.puzzle.board.adjacent(a, b)


def test_no_placement_has_a_reason(run: Run) -> None:
    result = run("place", "hex F(2)", "--cells", "red*3 . blue*3", "--colours", "red-blue*3")
    assert (result.code, result.err) == (1, "")
    assert result.out == "no placement: 3 blue-red gourds, but blue and red cells touch only in 2 places\n"
    value = run("place", "hex F(2)", "--cells", "red*7", "--colours", "red-blue", "--json")
    assert value.code == 1
    assert value.json == {
        "feasible": False,
        "gourds": [],
        "reason": "there is 1 blue end, but no blue cell",
    }


def test_all_that_a_file_says_may_come_from_options(run: Run, tmp_path: Path) -> None:
    nine = nine_gourds()
    pairs = " ".join("-".join(pair) for pair in nine.gourds)
    (tmp_path / "cells.txt").write_text("\n".join(nine.cells))
    (tmp_path / "cells.json").write_text(json.dumps(nine.cells))
    expected = run("place", NINE).out
    assert run("place", "hex F(3)", "--cells", " ".join(nine.cells), "--colours", pairs).out == expected
    for name in ("cells.txt", "cells.json"):
        assert run("place", nine.start.text, "--cells", str(tmp_path / name)).out == expected
    assert run("place", "-", "--cells", " ".join(nine.cells), stdin=nine.start.text).out == expected
    (tmp_path / "all.json").write_text(
        json.dumps({"puzzle": nine.puzzle.to_json(), "cells": nine.cells, "start": nine.start.to_json()})
    )
    assert run("place", str(tmp_path / "all.json")).out == expected


def test_near(run: Run) -> None:
    base = ("place", "hex F(2)", "--cells", "red*7", "--colours", "red*3", "--json")
    for near in ("0-1 2-5 4-6", "hex F(2) gourds 1 : 5-6=red-red 0-2=red-red 1-4=red-red"):
        value = run(*base, "--near", near).json
        tokens = near.split(":")[-1].split()
        expected = {tuple(sorted(map(int, token.split("=")[0].split("-")))) for token in tokens}
        assert {tuple(sorted(cells)) for cells in value["gourds"]} == expected


def test_other_boards_are_drawn(run: Run) -> None:
    square = run("place", "square R(2,2)", "--cells", "ab c ab c", "--colours", "ab*1 c")
    assert square.out == "a   c\n|   |\na   c\n\na ab\n\n0-2=ab-ab 1-3=c-c\n"
    king = run("place", "king R(2,2)", "--cells", "a c b a", "--colours", "a-a")
    assert king.out.splitlines()[:3] == ["a   .", "  \\", ".   a"]
    graph = run("place", "theta(1,2,2)", "--cells", "a*7", "--colours", "a")
    assert graph.out.splitlines()[0].count(":a") == 2


def test_count(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "slidelab.place.counting.count_placements", lambda board, cells, gourds, budget: len(gourds) - 1
    )
    assert run("place", NINE, "--count").out == "8\n"
    assert run("place", NINE, "--count", "--json").json == {"count": 8}
    none = run("place", "path(2)", "--cells", "a a", "--colours", "a", "--count")
    assert (none.code, none.out) == (1, "0\n")


def test_time_is_up(run: Run) -> None:
    cells = "red*134 green*133 blue*133"
    pairs = "red-red*60 green-green*60 blue-blue*60 red-green*5 green-blue*5"
    result = run("place", "hex P(20,20)", "--cells", cells, "--colours", pairs, "--time", "0")
    one_line(result, 3, "no placement of 190 gourds on 'hex P(20,20)' found in the time given")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["hex F(2)"], ["expected colours of cells, got none - at --cells"]),
        (["hex F(2)", "--cells", "a*7"], ["expected colours of gourds, got none - at --colours"]),
        (["hex F(2)", "--cells", "a*6", "--colours", "a"], ["one for each cell, got 6", "F(2)"]),
        (["hex F(2)", "--cells", "a*6 b?", "--colours", "a"], ["'b?' - at cell 6"]),
        (["hex F(2)", "--cells", "a*x", "--colours", "a"], ["'a*x' - at token 1 of --cells"]),
        (["hex F(2)", "--cells", "a*999999", "--colours", "a"], ["at token 1 of --cells"]),
        (["hex F(2)", "--cells", "*3", "--colours", "a"], ["'*3' - at token 1 of --cells"]),
        (["hex F(2)", "--cells", "a*7", "--colours", "a-b-c"], ["two colours such as red-blue, got 'a-b-c'"]),
        (["hex F(2)", "--cells", "a*7", "--colours", "a-"], ["got 'a-' - at --colours"]),
        (["hex F(2)", "--cells", "a*7", "--colours", "a-."], ["expected a word as a colour, got '.'"]),
        (["hex F(2)", "--cells", "a*7", "--colours", "a*4"], ["at most 3 gourds on the 7 cells", "got 4"]),
        (["hex F(2)", "--cells", "none.txt", "--colours", "a"], ["none.txt", "no such file"]),
        (["hex F(2)", "--cells", '["a", 3]', "--colours", "a"], ["expected"]),
        (["hex G(2)", "--cells", "a*7", "--colours", "a"], ["G(2)"]),
        (["hex F(2) trimers 1", "--cells", "a*7", "--colours", "a"], ["expected gourds, got trimers"]),
        (["none.json", "--cells", "a*7", "--colours", "a"], ["no such file"]),
        ([*FLOWER, "--time", "-1"], ["expected a time in seconds, got -1"]),
        ([*FLOWER, "--near", "0-1 1-2 3-4"], ["one gourd a cell", "at cell 1"]),
        ([*FLOWER, "--near", "0-6 1-2 3-4"], ["0-6"]),
        ([*FLOWER, "--near", "0-1 2-3"], ["expected 3 gourds, got 2"]),
        ([*FLOWER, "--near", "hex F(3)"], ["F(3)"]),
        ([*FLOWER, "--near", "0-1=red-red 2-4=blue-blue 3-5=red-blue"], ["expected the colours"]),
    ],
)
def test_bad_input_gets_one_line(run: Run, arguments: list[str], words: list[str]) -> None:
    one_line(run("place", *arguments), 2, *words)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cells": ["red"]}, ["expected 19 colours, one for each cell, got 1"]),
        ({"cells": 3}, ["`$.cells`"]),
        ({"colours": [["red", "red"]]}, ["expected 9 colours, got 1"]),
        ({"holes": 3}, ["expected 8 colours, got 9"]),
        ({"start": {"gourds": [[0, 1]] * 9}}, ["one gourd a cell"]),
        ({"rule": "tiles"}, ["expected gourds, got tiles"]),
        ({"more": 1}, ["more"]),
    ],
)
def test_bad_files_get_one_line(run: Run, tmp_path: Path, change: dict[str, Any], words: list[str]) -> None:
    path = tmp_path / "bad.json"
    nine = nine_gourds().to_json()
    flat = nine.pop("puzzle") | nine | change  # all in one object is read as well
    path.write_text(json.dumps(flat))
    one_line(run("place", str(path)), 2, *words)


# Solving with colours: the order in which colours are listed is the user's own


COLOURS, CELLS = "red-red red-blue blue-blue", "blue*3 . red*3"


def test_listed_colours_go_with_the_gourds_in_that_order(run: Run, tmp_path: Path) -> None:
    named = "hex F(2) gourds : 0-1=red-red 2-3=red-blue 4-6=blue-blue"
    pairs = [token.split("-") for token in COLOURS.split()]
    start = {"gourds": [[0, 1], [2, 3], [4, 6]]}
    path = tmp_path / "puzzle.json"
    puzzle = {"board": "hex F(2)", "rule": "gourds", "holes": 1, "colours": pairs}
    cells = ["blue"] * 3 + ["."] + ["red"] * 3
    path.write_text(json.dumps({"puzzle": puzzle, "cells": cells, "start": start}))
    answers = [
        run("solve", named, "--cells", CELLS, "--json"),
        run(
            "solve",
            "hex F(2) gourds",
            "--colours",
            COLOURS,
            "--start",
            "0-1 2-3 4-6",
            "--cells",
            CELLS,
            "--json",
        ),
        run("solve", str(path), "--json"),
    ]
    assert [answer.json["length"] for answer in answers] == [7] * 3
    assert len({json.dumps(answer.json["start"]) for answer in answers}) == 1


def test_hint_and_solvable_know_the_colours_of_the_cells(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "nine.json"
    path.write_text(json.dumps(nine_gourds().to_json()))
    first = run("solve", str(path), "--json").json["moves"][0]
    assert run("hint", str(path), "--json").json["to"] == first["to"]
    assert run("solvable", str(path)).code == 0
    none = nine_gourds().to_json()
    none["cells"] = ["green" if colour == "red" else colour for colour in none["cells"]]
    path.write_text(json.dumps(none))
    for command in ("solve", "hint", "solvable"):
        assert run(command, str(path)).code == 1


def test_other_placements_are_tried(run: Run) -> None:
    pieces = "10-9=b-b 4-7=a-a 1-3=c-c 8-6=b-c 0-2=b-a"
    board = f"hex 0,0 1,0 -1,1 1,1 2,1 -1,2 0,2 2,2 -1,3 0,3 1,3 gourds 1 : {pieces}"
    assert run("solve", board, "--cells", "b b b c . c c a b a a", "--json").json["length"] == 23
    only = run(
        "solve",
        "hex 0,0 -1,1 0,1 -2,2 0,2 -2,3 -1,3 gourds 1 : 4-6=c-a 3-5=c-c 1-2=a-b",
        "--cells",
        ". c b a a c c",
    )
    assert only.code == 1
    assert "the one placement cannot be reached" in only.out


def test_colours_from_standard_input(run: Run) -> None:
    found = run(
        "solve", "hex F(2) gourds", "--colours", "a-a*3", "--cells", "-", "--seed", "1", stdin="a*6 ."
    )
    assert found.code == 0
    assert run("solve", "hex F(2) gourds", "--goal", "0-1 2-3 4-6", "--cells", "a*7", "--seed", "1").code == 2


FULL = ("place", "cycle(4)", "--cells", "red*2 blue*2", "--colours", "red-blue*2")


def test_gourds_may_cover_the_whole_board(run: Run) -> None:
    """There is no puzzle without a hole, but there is a placement."""
    result = run(*FULL)
    assert (result.code, result.out.splitlines()[-1]) == (0, "0-3=red-blue 1-2=red-blue")
    assert run(*FULL, "--json").json["gourds"] == [[0, 3], [1, 2]]
    assert run(*FULL, "--count").out == "1\n"
    assert run("place", "cycle(4)", "--cells", "red*4", "--colours", "red-red*2").code == 0
    no = run("place", "path(4)", "--cells", "red*2 blue*2", "--colours", "red-blue*2", "--json")
    assert (no.code, no.json["feasible"]) == (1, False)
    refused(run(*FULL, "--near", "0-1 2-3"), "expected an empty cell", "all 4 cells")


def test_a_full_board_has_no_configuration() -> None:
    colours = ["red", "red", "blue", "blue"]
    found = place(board("cycle(4)"), colours, [("red", "blue")] * 2)
    assert found
    assert found.text == "0-3=red-blue 1-2=red-blue"
    assert str(found).startswith("0:r")
    assert "<svg" in (found._repr_svg_() or "")
    with pytest.raises(sl.NotationError, match=r"expected an empty cell.*, got gourds on all 4 cells"):
        _ = found.configuration
