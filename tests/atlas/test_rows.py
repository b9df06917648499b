"""Rows of the atlas: computed again in another way, and by a plain program written anew."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import plain
import slidelab as sl
from slidelab.atlas import Row, check, compute, lookup, read_table, records, tables
from slidelab.distance.distances import search_from
from slidelab.distance.eccentricities import bound_gods_number

# Boards of the plain program, beside the text that finds the row.
FLOWER = plain.hex_board(plain.flower_cells(2))
FISH = [(0, 0), (-1, 1), (0, 1), (1, 1), (-1, 2), (0, 2), (-1, 3)]
ROWS = [
    ("rectangles", "square R(3,2) tiles 1", plain.square_board(plain.rectangle_cells(3, 2))),
    ("rectangles", "square R(3,3) tiles 6", plain.square_board(plain.rectangle_cells(3, 3))),
    ("rectangles", "square R(4,2) tiles 5", plain.square_board(plain.rectangle_cells(4, 2))),
    ("hexagonal-families", "hex F(2) hextiles 2", FLOWER),
    ("hexagonal-families", "hex F(2) hextiles 3", FLOWER),
    ("hexagonal-families", "hex T(3) hextiles 3", plain.hex_board(plain.triangle_cells(3))),
    ("hexagonal-families", "hex T(4) hextiles 8", plain.hex_board(plain.triangle_cells(4))),
    ("hexagonal-families", "hex P(2,4) hextiles 4", plain.hex_board(plain.rectangle_cells(2, 4))),
    ("polyhexes", "hex 0,0 -1,1 0,1 1,1 -1,2 0,2 -1,3 hextiles 4", plain.hex_board(FISH)),
    ("kings", "king R(3,2) tiles 2", plain.king_board(plain.rectangle_cells(3, 2))),
    ("kings", "king R(3,3) tiles 7", plain.king_board(plain.rectangle_cells(3, 3))),
    ("gourds", "hex F(2) gourds 1", FLOWER),
    ("trimers", "hex F(2) trimers 4", FLOWER),
    ("trimers", "hex F(2) trimers-triangle 4", FLOWER),
    ("trimers", "square R(3,3) trimers-bent 3", plain.square_board(plain.rectangle_cells(3, 3))),
]


def plain_layers(game: plain.Plain, start: plain.Config) -> tuple[list[int], set[Any]]:
    """Count configurations by distance, and collect their shapes."""
    seen = {start}
    layer = [start]
    sizes = []
    while layer:
        sizes.append(len(layer))
        following = []
        for config in layer:
            for other in game.neighbours(config):
                if other not in seen:
                    seen.add(other)
                    following.append(other)
        layer = following
    return sizes, {game.shape(config) for config in seen}


def plain_values(board: plain.Board, rule: str, holes: int) -> dict[str, Any]:
    """Search from one configuration of every shape; all others are its relabellings."""
    game = plain.Plain.on(board, rule, holes)
    starts: dict[Any, plain.Config] = {}
    for config in game.all_configurations():
        starts.setdefault(game.shape(config), config)
    found = [plain_layers(game, start) for start in starts.values() if game.neighbours(start)]
    depth = max(len(layers) for layers, _ in found)
    widest = [shapes for layers, shapes in found if len(layers) == depth]
    radius = min(len(layers) for layers, shapes in found if shapes in widest)
    deepest = [layers for layers, _ in found if len(layers) == depth]
    return {"gods_number": depth - 1, "radius": radius - 1, "distributions": deepest}


@pytest.mark.parametrize(
    ("topic", "text", "board"), ROWS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_plain_program_finds_the_same(topic: str, text: str, board: plain.Board) -> None:
    asked = sl.puzzle(text)
    rows = lookup(asked, topic=topic)
    assert rows, f"no row for {text}"
    value = plain_values(board, asked.rule.name, asked.hole_count)
    for row in rows:
        assert (row["gods_number"], row["radius"]) == (value["gods_number"], value["radius"])
        assert row["configurations"] in map(sum, value["distributions"])
        assert row["distribution"] is None or row["distribution"] in value["distributions"]


@pytest.mark.parametrize("topic", [topic for topic, table in tables().items() if table.question])
def test_quick_rows_are_what_a_search_from_every_start_finds(topic: str) -> None:
    step = max(1, len(tables()[topic].rows) // 20)
    table = tables()[topic]
    sample = type(table)(
        topic, table.title, table.question, table.columns, table.defaults, table.rows[::step]
    )
    checked = list(check(sample, max_seconds=0.02))
    assert checked
    assert [(each.row.puzzle, each.differences) for each in checked if not each.agrees] == []


@pytest.mark.parametrize("text", ["hex F(2) hextiles 3", "hex P(3,3) hextiles 2", "square R(3,2) tiles 3"])
def test_bounds_hold_whenever_the_search_stops(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = sl.puzzle(text).gods_number()
    whole = bound_gods_number(sl.puzzle(text))
    assert (whole.at_least, whole.at_most, whole.radius) == (exact.number, exact.number, exact.radius)
    assert whole.searches <= whole.kinds == len(exact.searches)
    for most in range(whole.searches):
        left = [most]

        def stops(*arguments: Any, left: list[int] = left, **options: Any) -> Any:
            if not left[0]:
                raise sl.OutOfTime
            left[0] -= 1
            return search_from(*arguments, **options)

        monkeypatch.setattr("slidelab.distance.eccentricities.search_from", stops)
        part = bound_gods_number(sl.puzzle(text))
        assert part.searches <= most
        assert part.at_least <= exact.number
        assert part.at_most is None or part.at_most >= exact.number
        assert part.radius is None or part.radius == exact.radius
        assert part.radius_at_least is None or not part.exact or part.radius_at_least <= (exact.radius or 0)


def test_a_stopped_file_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    puzzles = ["square R(2,2)", "hex F(2)", "cycle(5)"]
    whole = list(compute(puzzles, output=path, distribution=True, topic="three"))
    assert read_table(path).rows == tuple(whole)
    data = path.read_bytes()
    for size in (0, 30, data.index(b"\n") + 1, len(data) - 30, len(data)):
        path.write_bytes(data[:size])
        again = list(compute(puzzles, output=path, distribution=True, topic="three"))
        assert [row.values for row in again] == [row.values for row in whole]
        assert len(path.read_bytes().splitlines()) == 4
    more = list(compute(["theta(1,2,2)", *puzzles], output=path, topic="three"))
    assert more[1:] == again
    assert len(read_table(path).rows) == 4


def test_files_of_others_are_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("my diary")
    with pytest.raises(sl.Damaged, match="not a table"):
        list(compute(["cycle(4)"], output=path))
    assert path.read_text() == "my diary"
    path.unlink()
    list(compute(["cycle(4)"], output=path, topic="one"))
    before = path.read_bytes()
    with pytest.raises(sl.PuzzleError, match="has the topic 'one', not 'two'"):
        list(compute(["cycle(5)"], output=path, topic="two"))
    assert path.read_bytes() == before
    with pytest.raises(sl.PuzzleError, match="could not write"):
        list(compute(["cycle(4)"], output=tmp_path / "none" / "x.jsonl"))


def test_rows_with_bounds_are_computed_again(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    puzzles = ["cycle(5)", "hex P(3,3) hextiles 3", "cycle(6)"]
    first = list(compute(puzzles, output=path, memory="1K"))
    assert [row["gods_number"] for row in first] == [None, None, None]
    assert "needs" in first[1].provenance["note"]
    assert "the limit is 1 kB" in first[1].provenance["note"]
    whole = list(compute(puzzles[1:], output=path, title=""))
    assert [row["gods_number"] for row in whole] == [52, sl.puzzle("cycle(6)").gods_number().number]
    assert "note" not in whole[0].provenance
    kept = read_table(path).rows
    assert [row.puzzle for row in kept] == [row.puzzle for row in first]
    assert kept == (first[0], *whole)
    before = path.read_bytes()
    assert list(compute(puzzles[1:], output=path, memory="1K")) == whole
    worse = list(compute(puzzles[0], output=path, memory="1K"))
    assert (worse, path.read_bytes()) == ([first[0]], before)


def test_a_file_stays_whole_and_locked_while_rows_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    puzzles = ["hex F(2)", "hex P(3,3) hextiles 3", "cycle(6)"]
    list(compute(puzzles[:2], output=path, memory="1K"))
    known = [False, False]
    for number, _ in enumerate(compute(puzzles, output=path)):
        known[number : number + 1] = [True]
        assert [row["gods_number"] is not None for row in read_table(path).rows] == known
        with pytest.raises(sl.PuzzleError, match="another run is writing"):
            list(compute("cycle(7)", output=path))
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_distribution_that_is_missing_is_computed(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    (short,) = compute("cycle(5)", output=path)
    assert short["distribution"] is None
    (row,) = compute("cycle(5)", output=path, distribution=True)
    assert sum(row["distribution"]) == row["configurations"]
    assert list(compute("cycle(5)", output=path)) == [row]
    assert read_table(path).rows == (row,)


def test_a_file_that_contradicts_what_is_computed(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    list(compute("hex F(2)", output=path, memory="1K"))
    data = re.sub(rb'"at_least":[0-9]+', b'"at_least":17', path.read_bytes())
    path.write_bytes(data)
    with pytest.raises(sl.PuzzleError, match=r"God's number is at least 17 in .*, but 16 was computed"):
        list(compute("hex F(2)", output=path))
    assert path.read_bytes() == data


def test_a_puzzle_named_twice_is_computed_once(tmp_path: Path) -> None:
    assert len(list(compute(["hex F(2)", "hex F(2)", sl.puzzle("hex F(2)")]))) == 1
    assert len(list(compute(["hex F(2)", "hex F(2)"], output=tmp_path / "rows.jsonl"))) == 1


def test_the_name_and_the_title_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    list(compute("cycle(4)", output=path, title="one"))
    before = path.read_bytes()
    with pytest.raises(sl.PuzzleError, match="has the title 'one', not 'two'"):
        list(compute("cycle(5)", output=path, title="two"))
    assert path.read_bytes() == before
    list(compute("cycle(5)", output=path))
    assert (read_table(path).title, len(read_table(path).rows)) == ("one", 2)
    with pytest.raises(sl.NotationError, match="name of a table"):
        compute("cycle(4)", topic="")


def test_no_promise_about_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(sl.PuzzleError, match="could not write") as caught:
        list(compute("cycle(4)", output=tmp_path / "none" / "x.jsonl"))
    assert "kept" not in str(caught.value)
    with pytest.raises(sl.PuzzleError, match="could not write") as caught:
        list(sl.sweep("god", "cycle(4)", output=tmp_path / "none" / "x.jsonl", processes=1))
    assert "kept" not in str(caught.value)


def test_colours_and_limits() -> None:
    with pytest.raises(sl.NotationError, match="all different"):
        list(compute("square R(2,2) : a a b ."))
    with pytest.raises(sl.NotationError, match="expected a question"):
        compute("square R(2,2)", question="gdo")
    (row,) = compute("15-puzzle", memory="1M")
    assert row["gods_number"] is row["at_most"] is None
    assert 0 < row["at_least"] < 80


def test_a_wrong_row_is_found() -> None:
    table = tables()["rectangles"]
    wrong = [
        Row("t", "square R(2,2) tiles 1", {"gods_number": 5, "radius": 6, "distribution": [1, 2]}),
        Row("t", "square R(2,2) tiles 2", {"at_least": 1, "at_most": 2}),
        Row("t", "nothing", {"gods_number": 5}),
    ]
    checked = list(check(type(table)("t", "", "god", table.columns, {}, tuple(wrong))))
    assert [len(each.differences) for each in checked] == [2, 1, 1]
    assert "gods_number is 6, not 5" in checked[0].differences
    assert "is not between 1 and 2" in checked[1].differences[0]


def test_records_are_the_largest() -> None:
    rows = tables()["polyhexes"].rows
    best = list(records(rows))
    count = Counter(int(row.puzzle.rsplit(" ", 1)[1]) for row in rows if row.puzzle.count(",") == 7)
    for record in best:
        if record["cells"] == 7:
            assert record["boards"] == count[record["holes"]]
