"""Rows of the atlas: computed again in another way, and by a plain program written anew."""

from __future__ import annotations

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
    with pytest.raises(sl.PuzzleError, match="about the topic 'one', not 'two'"):
        list(compute(["cycle(5)"], output=path, topic="two"))
    assert path.read_bytes() == before
    with pytest.raises(sl.PuzzleError, match="could not write"):
        list(compute(["cycle(4)"], output=tmp_path / "none" / "x.jsonl"))


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
