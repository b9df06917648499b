"""Printable puzzles: closed surfaces, volumes, files that other programs read, and errors."""

from __future__ import annotations

import io
import math
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO
from xml.etree import ElementTree

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray

import slidelab as sl
from draw.polygons import inside, polygon_area, segment_distances, sides
from rules.test_foreign_rule import Blocks
from slidelab.draw import files
from slidelab.draw.print import Solid, construction, solid
from slidelab.draw.print.beds import BedPosition
from slidelab.draw.print.files import three_mf
from slidelab.draw.print.model import Part
from slidelab.draw.theme import word_colours
from slidelab.errors import NotationError, PuzzleError, TooLarge
from slidelab.files import atomic_write

TEXTS = [
    "square R(4,4) tiles 1",
    "hex P(4,4) hextiles 2",
    "hex F(3) gourds 1",
    "hex F(2) tiles 1",
    "king R(3,3) tiles 1",
    "theta(2,2,3) tiles 1",
    "square R(3,3) gourds 1",
    "hex F(2) gourds-sharp 1",
    "hex F(3) trimers-triangle 1",
    "hex F(3) trimers-straight 1",
    "square R(4,4) trimers-straight 1",
]
NAMESPACE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def coloured() -> sl.Puzzle:
    colours = [["red", "blue"], ["red", "red"], ["green", "blue"]]
    return sl.puzzle("hex F(2)", "gourds", colours=colours)


def checked(part: Part) -> Any:
    """Return the part as read by trimesh, after it merged equal vertices."""
    mesh = trimesh.Trimesh(part.vertices, part.triangles, process=True)
    assert mesh.is_watertight, part.name
    assert mesh.is_winding_consistent, part.name
    return mesh


@lru_cache
def printed(text: str, numbers: Any = "raised") -> Solid:
    return solid(coloured() if text == "coloured" else sl.puzzle(text), numbers=numbers, goal_on_floor=True)


@pytest.mark.parametrize(
    ("text", "numbers"), [*((t, "raised") for t in [*TEXTS, "coloured"]), *((t, "sunk") for t in TEXTS[:4])]
)
def test_every_part_is_closed_and_has_its_volume(text: str, numbers: str) -> None:
    made = printed(text, numbers)
    assert len(made.pieces) == made.puzzle.piece_count
    for part in made.parts:
        mesh = checked(part)
        assert mesh.volume > 100
        assert mesh.volume == pytest.approx(part.volume, rel=1e-6)
        assert len(part.sources) == len(part.triangles)
        assert part.sources.max() < len(part.colours)


@pytest.mark.parametrize("text", TEXTS)
def test_volumes_are_area_times_height(text: str) -> None:
    height, floor = 6.0, 2.0
    made = solid(sl.puzzle(text), numbers="none", height=height, floor=floor)
    # Edges are chamfered by less than a millimetre, above and below.
    full = polygon_area(made.footprint.outline) * height
    edge = np.linalg.norm(made.footprint.outline - np.roll(made.footprint.outline, 1, axis=0), axis=1).sum()
    for piece in made.pieces:
        assert full - 0.5 * edge < piece.volume < full
        assert piece.bounds[0][2] == 0
        assert piece.bounds[1][2] == pytest.approx(height)
    # The tray is a block minus its well: areas from the flat faces of the mesh.
    for tray in made.trays:
        area = flat_area(tray, floor)
        (_, _, low), (_, _, top) = tray.bounds
        assert low == 0
        assert top == pytest.approx(floor + height - 1)
        block = flat_area(tray, 0) * top
        assert tray.volume == pytest.approx(block - area * (top - floor), rel=0.05)


def flat_area(part: Part, z: float) -> float:
    """Return the area of the faces at a height."""
    corners = part.vertices[part.triangles]
    is_level = (np.abs(corners[:, :, 2] - z) < 1e-6).all(axis=1)
    a, b, c = (corners[is_level, k, :2] for k in range(3))
    u, v = b - a, c - a
    return 0.5 * float(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum())


@pytest.mark.parametrize("text", TEXTS)
def test_pieces_match_their_footprint(text: str) -> None:
    made = printed(text)
    outline = made.footprint.outline
    for piece in made.pieces:
        corners = piece.vertices[:, :2]
        is_far = segment_distances(corners, *sides(outline)) > 1e-3
        assert not (~inside(corners, *sides(outline)) & is_far).any()
        size = outline.max(axis=0) - outline.min(axis=0)
        assert piece.size == pytest.approx(tuple(size), abs=1e-3)


def test_numbers_are_on_the_head_and_distinct() -> None:
    raised, sunk, none = (printed("hex F(3) gourds 1", n) for n in ("raised", "sunk", "none"))
    for up, down, bare in zip(raised.pieces, sunk.pieces, none.pieces, strict=True):
        number = up.volume - bare.volume
        assert 3 < number < 100
        assert bare.volume - down.volume == pytest.approx(number, rel=0.02)
        assert up.bounds[1][2] == pytest.approx(bare.bounds[1][2] + 0.6)
        assert down.bounds == bare.bounds
        # The number is on the head, a dot on the tail.
        for part in (up, down):
            head, tail = (part.vertices[part.triangles[part.sources == k]][..., 0] for k in (1, 3))
            assert head.max() < 12 < tail.min()
        assert set(bare.sources) == {0, 2}
    assert len({round(part.volume, 3) for part in raised.pieces}) == len(raised.pieces)


def test_ambiguous_numbers_are_underlined() -> None:
    def lowest(made: Solid, number: int) -> Any:
        part = made.pieces[number - 1]
        return part.vertices[part.triangles[part.sources == 1]][..., 1].min()

    nine, six = solid(sl.puzzle("square R(5,2) tiles 1")), solid(sl.puzzle("square R(7,1) tiles 1"))
    assert lowest(nine, 6) < lowest(nine, 8) - 1
    assert lowest(nine, 9) < lowest(nine, 8) - 1
    assert lowest(six, 6) == pytest.approx(lowest(six, 5), abs=0.3)


def test_coloured_pieces_have_the_colours_of_their_words() -> None:
    puzzle = coloured()
    assert puzzle.colours is not None
    words = word_colours(["blue", "green", "red"])
    for part, (head, tail) in zip(printed("coloured").pieces, puzzle.colours, strict=True):
        assert (part.colour, part.colours[2]) == (words[head], words[tail])
        assert part.name.endswith(f" {head}-{tail}")


def test_a_board_of_two_components_has_two_trays() -> None:
    made = solid(sl.puzzle("square 0,0 1,0 5,0 6,0 tiles 1"))
    assert [part.name for part in made.trays] == ["tray 1", "tray 2"]
    for part in made.parts:
        checked(part)


def read_3mf(data: bytes) -> Iterator[tuple[str, set[str], NDArray[np.float64], NDArray[np.int64]]]:
    """Yield the name, colours, positioned vertices and triangles of each object."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert package.namelist() == ["[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model"]
        root = ElementTree.fromstring(package.read("3D/3dmodel.model"))
    assert root.get("unit") == "millimeter"
    bases = [base.get("displaycolor", "") for base in root.iter(f"{NAMESPACE}base")]
    transforms = {item.get("objectid"): item.get("transform", "") for item in root.iter(f"{NAMESPACE}item")}
    for each in root.iter(f"{NAMESPACE}object"):
        transform = np.array(transforms.pop(each.get("id")).split(), float).reshape(4, 3)
        vertices = [[float(v.get(k, "")) for k in "xyz"] for v in each.iter(f"{NAMESPACE}vertex")]
        faces = [*each.iter(f"{NAMESPACE}triangle")]
        triangles = [[int(face.get(f"v{k}", "")) for k in (1, 2, 3)] for face in faces]
        colours = {bases[int(face.get("p1", each.get("pindex", "")))] for face in faces}
        positioned = np.array(vertices) @ transform[:3] + transform[3]
        yield each.get("name", ""), colours, positioned, np.array(triangles)
    assert not transforms


@pytest.mark.parametrize("text", ["hex P(4,4) hextiles 2", "coloured"])
def test_3mf_holds_the_parts(text: str, tmp_path: Path) -> None:
    made = printed(text)
    (path,) = made.save(tmp_path / "puzzle.3mf")
    found = list(read_3mf(path.read_bytes()))
    assert [name for name, *_ in found] == [made.parts[position.part].name for position in made.beds[0]]
    for (_, colours, corners, triangles), position in zip(found, made.beds[0], strict=True):
        part = made.parts[position.part]
        mesh = trimesh.Trimesh(corners, triangles)
        assert mesh.is_watertight
        assert mesh.volume == pytest.approx(part.volume, rel=1e-5)
        assert colours == {part.colours[k].upper() + "FF" for k in set(part.sources)}
        assert corners.min(axis=0) == pytest.approx([position.x, position.y, 0], abs=1e-3)
        assert (corners.max(axis=0)[:2] <= np.array(made.bed) + 1e-6).all()


def test_names_in_3mf_are_valid_xml() -> None:
    made = printed("hex F(2) tiles 1")
    named = {
        "a & b <c>": "a & b <c>",
        "bell \a, half \ud83d, none \0": "bell ?, half ?, none ?",
        "\ufffe \x7f \U0001f600": "? \x7f \U0001f600",
    }
    parts = [replace(part, name=name) for part, name in zip(made.pieces, named, strict=False)]
    bed = [BedPosition(k, 40.0 * k, 0.0) for k in range(len(parts))]
    data = three_mf(parts, bed, "<\x1b&>")
    assert [name for name, *_ in read_3mf(data)] == list(named.values())
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        root = ElementTree.fromstring(package.read("3D/3dmodel.model"))
    assert root.findtext(f"{NAMESPACE}metadata") == "<?&>"


def test_the_same_puzzle_gives_the_same_bytes(tmp_path: Path) -> None:
    for suffix in ("stl", "3mf"):
        first, again = (
            solid(sl.puzzle("hex T(2) gourds 1")).save(tmp_path / f"{name}.{suffix}")[0] for name in "ab"
        )
        assert first.read_bytes() == again.read_bytes()


def test_3mf_opens_in_another_reader(tmp_path: Path) -> None:
    made = solid(sl.puzzle("hex T(2) hextiles 2"))
    (path,) = made.save(tmp_path / "puzzle.3mf")
    scene: Any = trimesh.load(path)
    assert sum(mesh.volume for mesh in scene.dump()) == pytest.approx(
        sum(part.volume for part in made.parts), rel=1e-5
    )


@pytest.mark.parametrize("text", ["hex F(3) gourds 1", "theta(2,2,3) tiles 1"])
def test_stl_holds_the_parts(text: str, tmp_path: Path) -> None:
    made = printed(text)
    (path,) = made.save(tmp_path / "puzzle.stl")
    mesh: Any = trimesh.load(path)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume == pytest.approx(sum(part.volume for part in made.parts), rel=1e-4)
    assert len(mesh.faces) == sum(len(part.triangles) for part in made.parts)
    assert (mesh.bounds[0] >= [-1e-3, -1e-3, -1e-3]).all()


@lru_cache
def on_two_beds() -> Solid:
    return solid(sl.puzzle("square R(4,4)"), bed=(110, 110))


def test_several_beds_give_several_files(tmp_path: Path) -> None:
    made = on_two_beds()
    assert len(made.beds) == 2
    paths = made.save(tmp_path / "x.stl")
    assert [path.name for path in paths] == ["x-1.stl", "x-2.stl"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x-1.stl", "x-2.stl"]
    meshes: list[Any] = [trimesh.load(path) for path in paths]
    total = sum(mesh.volume for mesh in meshes)
    assert total == pytest.approx(sum(part.volume for part in made.parts), rel=1e-4)


class Full(io.BytesIO):
    """A file on a full disk: flushing fails."""

    def flush(self) -> None:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("bad", [1, 2])
@pytest.mark.parametrize("older", [(), (1,), (2,), (1, 2)])
def test_files_are_written_all_or_none(
    bad: int, older: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = on_two_beds()

    @contextmanager
    def fails_once(path: Path) -> Iterator[BinaryIO]:
        with atomic_write(path) as file:
            yield Full() if path.name == f"x-{bad}.stl" else file

    before = {f"x-{k}.stl": f"older {k}".encode() for k in older}
    for name, data in before.items():
        (tmp_path / name).write_bytes(data)
    with monkeypatch.context() as patch:
        patch.setattr(files, "atomic_write", fails_once)
        with pytest.raises(PuzzleError) as refused:
            made.save(tmp_path / "x.stl")
    assert str(refused.value).endswith(f"x-{bad}.stl': No space left on device")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    made.save(tmp_path / "x.stl")
    assert all(len(path.read_bytes()) > 1000 for path in tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 2


def test_bad_file_names(tmp_path: Path) -> None:
    made = on_two_beds()
    for name in ("x.obj", "x", "no/where.stl"):
        with pytest.raises(PuzzleError, match="expected a"):
            made.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_errors_name_the_largest_cells_that_fit() -> None:
    puzzle = sl.puzzle("hex F(4) gourds 1")
    with pytest.raises(PuzzleError) as refused:
        solid(puzzle, bed=(150, 150))
    message = str(refused.value)
    assert message.startswith("expected a tray that fits on the bed of 150 x 150 mm, got ")
    best = float(message.split(": ")[1].split(" mm")[0])
    assert len(solid(puzzle, bed=(150, 150), cell=best, numbers="none").trays) == 1
    with pytest.raises(PuzzleError, match="expected a tray that fits"):
        solid(puzzle, bed=(150, 150), cell=best + 0.3)
    with pytest.raises(PuzzleError, match="too many for this bed"):
        solid(sl.puzzle("square R(40,40)"), bed=(100, 100))


@pytest.mark.parametrize(
    "text", ["square R(9,9)", "hex P(9,9)", "hex F(5) tiles 1", "king R(9,9)", "cycle(40)"]
)
def test_large_trays_are_refused_before_they_are_made(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = sl.puzzle(text)
    large = solid(puzzle, bed=(900, 900), numbers="none").trays[0].size
    monkeypatch.setattr(construction, "well_outline", None)
    with pytest.raises(PuzzleError) as refused:
        solid(puzzle, bed=(150, 150))
    size = str(refused.value).split(" got ")[1].split(" mm - ")[0]
    assert [float(length) for length in size.split(" x ")] == pytest.approx(large, abs=0.1)


def test_a_tray_may_fill_the_bed() -> None:
    made = solid(sl.puzzle("square R(4,4)"), bed=(104.4, 104.4))
    assert made.trays[0].size == pytest.approx((104.4, 104.4), abs=1e-3)


def test_trays_of_gourds_that_never_fit_are_refused_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(construction, "well_outline", None)
    with pytest.raises(PuzzleError, match="too many for this bed"):
        solid(sl.puzzle("hex F(20) gourds 1"), bed=(100, 100))


@pytest.mark.parametrize(
    "text", ["square 0,0 999999999,0", "square 0,-999999999 0,999999999", "hex 0,0 999,0 1,0 hextiles 2"]
)
def test_cells_far_apart_are_refused(text: str) -> None:
    with pytest.raises(TooLarge) as refused:
        solid(sl.puzzle(text))
    assert str(refused.value).startswith("expected cells at most 10000 mm apart to print, got ")
    assert "\n" not in str(refused.value)


def test_translated_boards_give_the_same_parts() -> None:
    near, far = (
        solid(sl.puzzle(f"square {x},{x} {x + 1},{x} {x},{x + 1} tiles 1")) for x in (0, 999_999_990)
    )
    for one, other in zip(near.parts, far.parts, strict=True):
        assert np.array(one.bounds) == pytest.approx(np.array(other.bounds))
        assert one.volume == pytest.approx(other.volume)
    assert near.render(width=100) == far.render(width=100)


def test_trays_may_be_rotated() -> None:
    made = solid(sl.puzzle("square R(6,2)"), bed=(80, 200))
    (position,) = [position for bed in made.beds for position in bed if position.part == 0]
    assert position.rotated


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cell": math.nan}, "expected a length from 5 to 200 mm, got nan - at cell"),
        ({"cell": "24"}, "expected a length from 5 to 200 mm, got '24' - at cell"),
        ({"cell": True}, "expected a length from 5 to 200 mm, got True - at cell"),
        ({"clearance": -0.1}, "expected a length from 0.05 to 4.8 mm, got -0.1 - at clearance"),
        ({"clearance": 5}, "expected a length from 0.05 to 4.8 mm, got 5 - at clearance"),
        ({"height": math.inf}, "expected a length from 2 to 100 mm, got inf - at height"),
        ({"floor": 0}, "expected a length from 0.6 to 50 mm, got 0 - at floor"),
        ({"rim": None}, "expected a length from 1.2 to 100 mm, got None - at rim"),
        ({"bed": (200,)}, "expected two lengths in mm, got (200,) - at bed"),
        ({"bed": "ab"}, "expected two lengths in mm, got 'ab' - at bed"),
        ({"bed": (200, math.nan)}, "expected a length from 20 to 10000 mm, got nan - at bed"),
        ({"numbers": "big"}, "expected numbers to be raised, sunk or none, got 'big'"),
    ],
)
def test_bad_lengths(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PuzzleError) as refused:
        solid(sl.puzzle("square R(3,3)"), **options)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    "text",
    ["hex F(3) trimers 1", "square R(3,3) hextiles 2", "king R(3,3) gourds 1", "theta(1,2,2) gourds 1"],
)
def test_other_rules_cannot_be_printed(text: str) -> None:
    puzzle = sl.puzzle(text)
    with pytest.raises(PuzzleError) as refused:
        solid(puzzle)
    expected = ("expected tiles on any board", "expected pieces that keep their form to be printed")
    assert str(refused.value).startswith(expected)
    assert puzzle.rule.name in str(refused.value)
    assert str(refused.value).endswith(f" on {puzzle.board.name!r}")


def test_large_boards_and_thin_necks_are_refused() -> None:
    with pytest.raises(TooLarge, match="expected at most 2000 cells to print, got 2025 - on"):
        solid(sl.puzzle("square R(45,45)"))
    with pytest.raises(PuzzleError, match="expected larger cells or less clearance, got a neck of 1"):
        solid(sl.puzzle("hex F(2) gourds-sharp 1"), cell=10, clearance=2)


def test_without_manifold3d(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "manifold3d", None)
    with pytest.raises(PuzzleError, match=r"manifold3d: pip install 'slidelab\[print\]'"):
        solid(sl.puzzle("square R(2,2)"))


def test_progress() -> None:
    reports = []
    solid(sl.puzzle("square R(2,2)"), progress=lambda *report: reports.append(report))
    assert reports == [("tray", 0, 1), ("tray", 1, 1), ("pieces", 1, 3), ("pieces", 2, 3), ("pieces", 3, 3)]


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(NotationError, match="expected a theme"):
        solid(sl.puzzle("square R(2,2)")).render(theme="neon")


@pytest.mark.parametrize(
    "text", ["hex F(3) trimers-triangle 1", "square R(5,4) blocks 4", "square R(4,4) trimers-straight 1"]
)
def test_each_triangle_has_the_colour_of_the_closest_cell(known_rules: None, text: str) -> None:
    sl.register_rule(Blocks())
    made = solid(sl.puzzle(text), numbers="none")
    centres = np.array(made.footprint.centres)
    for part in made.pieces:
        checked(part)
        middles = part.vertices[part.triangles].mean(axis=1)[:, :2]
        distances = np.linalg.norm(middles[:, None] - centres, axis=2)
        own = distances[np.arange(len(middles)), part.sources // 2]
        assert (own <= distances.min(axis=1) + 0.2).all()
        assert set(part.sources.tolist()) == set(range(0, 2 * len(centres), 2))
        # Each cell has its share of the top.
        areas = [flat_area(replace(part, triangles=part.triangles[part.sources == 2 * k]), part.bounds[1][2])
                 for k in range(len(centres))]  # fmt: skip
        assert min(areas) > 0.5 * max(areas) > 0
