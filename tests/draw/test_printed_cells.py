"""Printed trays show the colours of their cells: patches and letters on the floor, and materials in 3MF."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import slidelab as sl
from commands import Run
from draw.test_model import checked, flat_area, read_3mf
from slidelab.draw.picture.pieces import piece_styles, word_initials
from slidelab.draw.print import Solid, solid
from slidelab.draw.theme import LIGHT, word_colours
from slidelab.errors import PuzzleError
from slidelab.place.coloured_puzzle import nine_gourds

CASES: dict[str, tuple[sl.Puzzle, list[str]]] = {
    "tiles": (sl.puzzle("square R(3,2)", colours=["a", "a", "b", "b", "b"]), ["a", "b", "b", "a", "b", "."]),
    "hextiles": (
        sl.puzzle("hex F(2)", colours=["x", "x", "y", "y", "z"]),
        ["x", "x", "y", ".", "y", "z", "z"],
    ),
    "graph": (sl.puzzle("cycle(5)", colours=["a", "a", "b", "b"]), ["a", "b", "a", "b", "other"]),
}


@lru_cache
def made_of(name: str) -> tuple[Solid, list[str]]:
    if name == "nine gourds":
        nine = nine_gourds()
        return solid(nine.puzzle, cells=nine.cells), list(nine.cells)
    puzzle, cells = CASES[name]
    return solid(puzzle, cells=cells), cells


@pytest.mark.parametrize("name", [*CASES, "nine gourds"])
def test_the_floor_has_the_colour_of_each_cell(name: str, tmp_path: Path) -> None:
    made, cells = made_of(name)
    (tray,) = made.trays
    checked(tray)
    words = {word for labels in made.puzzle.colours or () for word in labels} | {*cells}
    paint = word_colours(sorted(words - {"."}))
    faces = tray.vertices[tray.triangles]
    is_up = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])[:, 2] > 1e-9
    for (x, y), word in zip(made.puzzle.board.positions, cells, strict=True):
        centre = np.array([x, -y]) * made.footprint.cell
        is_near = np.linalg.norm(faces[..., :2] - centre, axis=2).max(axis=1) < 0.86 * made.footprint.radius
        colours = {tray.colours[k] for k in tray.sources[is_near & is_up]}
        expected = {paint[word]} if word != "." else set()
        assert colours & set(paint.values()) == expected
        # Patches are one layer deep, letters deeper.
        depths = sorted({round(z, 3) for z in faces[is_near & is_up][..., 2].ravel().tolist()})
        assert depths == ([] if word == "." else [1.4, 1.8])
    (path,) = made.save(tmp_path / "x.3mf")
    found = next(colours for name, colours, *_ in read_3mf(path.read_bytes()) if name == "tray")
    assert {paint[word].upper() + "FF" for word in set(cells) - {"."}} <= found
    (path,) = made.save(tmp_path / "x.stl")
    assert path.stat().st_size > 10_000


def test_patches_are_smaller_than_pieces() -> None:
    made, _ = made_of("nine gourds")
    without = solid(made.puzzle)
    (tray,), (plain,) = made.trays, without.trays
    patches = flat_area(tray, made.floor - 0.2)
    assert 0 < patches < 19 * np.pi * (0.86 * made.footprint.radius) ** 2
    assert tray.volume < plain.volume
    assert [piece.volume for piece in made.pieces] == [piece.volume for piece in without.pieces]


def test_floor_and_pieces_have_the_same_letters() -> None:
    puzzle = sl.puzzle("hex T(2)", "gourds", colours=[["blue", "black"]])
    texts = {text for style in piece_styles(puzzle, LIGHT) for text in style.texts}
    labels = word_initials(puzzle, ["blue", "brown", "."])
    assert labels["blue"] in texts
    assert labels["brown"] not in texts


def test_the_rendering_shows_the_floor() -> None:
    made, _ = made_of("graph")
    assert made.render(width=200) != solid(made.puzzle).render(width=200)
    assert made.render(width=200, theme="dark")[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cells": ["a"]}, "expected a colour for each of 6 cells, got 1"),
        ({"cells": "aabbb."}, "expected a colour for each of 6 cells"),
        ({"cells": CASES["tiles"][1], "goal_on_floor": True}, "expected the goal or the colours of cells"),
    ],
)
def test_bad_cells(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        CASES["tiles"][0].solid(**options)


def test_the_command_prints_the_cells_of_the_file(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "nine.3mf"
    assert run("draw", "examples/nine-gourds.json", "-o", str(target)).code == 0
    made, _ = made_of("nine gourds")
    expected = {made.trays[0].colours[k].upper() + "FF" for k in set(made.trays[0].sources.tolist())}
    assert next(colours for name, colours, *_ in read_3mf(target.read_bytes()) if name == "tray") == expected
