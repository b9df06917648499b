"""Printed puzzles: closed surfaces, volumes, files that others can read, and refusals."""

from __future__ import annotations

import io
import math
import sys
import zipfile
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from xml.etree import ElementTree

import numpy as np
import pytest
import trimesh

import slidelab as sl
from draw.polygons import from_segments, inside, shoelace, sides
from slidelab.draw.print import model as solids
from slidelab.draw.print import solid
from slidelab.draw.print.beds import BedPosition
from slidelab.draw.print.files import three_mf
from slidelab.draw.theme import word_colours
from slidelab.errors import NotationError, PuzzleError, TooLarge

TEXTS = [
    "square R(4,4) tiles 1",
    "hex P(4,4) hextiles 2",
    "hex F(3) gourds 1",
    "hex F(2) tiles 1",
    "king R(3,3) tiles 1",
    "theta(2,2,3) tiles 1",
    "square R(3,3) gourds 1",
    "hex F(2) gourds-sharp 1",
]
NAMESPACE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def coloured():
    colours = [["red", "blue"], ["red", "red"], ["green", "blue"]]
    return sl.puzzle("hex F(2)", "gourds", colours=colours)


def checked(part):
    """The part as trimesh sees it, after equal corners were made one."""
    mesh = trimesh.Trimesh(part.vertices, part.triangles, process=True)
    assert mesh.is_watertight, part.name
    assert mesh.is_winding_consistent, part.name
    return mesh


@lru_cache
def printed(text, numbers="raised"):
    return solid(coloured() if text == "coloured" else sl.puzzle(text), numbers=numbers, goal_on_floor=True)


@pytest.mark.parametrize(
    ("text", "numbers"), [*((t, "raised") for t in [*TEXTS, "coloured"]), *((t, "sunk") for t in TEXTS[:4])]
)
def test_every_part_is_closed_and_has_its_volume(text, numbers):
    made = printed(text, numbers)
    assert len(made.pieces) == made.puzzle.piece_count
    for part in made.parts:
        mesh = checked(part)
        assert mesh.volume > 100
        assert mesh.volume == pytest.approx(part.volume, rel=1e-6)
        assert len(part.sources) == len(part.triangles)
        assert part.sources.max() < len(part.colours)


@pytest.mark.parametrize("text", TEXTS)
def test_volumes_are_area_times_height(text):
    height, floor = 6.0, 2.0
    made = solid(sl.puzzle(text), numbers="none", height=height, floor=floor)
    # Edges are broken by less than a millimetre, all around, above and below.
    full = shoelace(made.footprint.outline) * height
    edge = np.linalg.norm(made.footprint.outline - np.roll(made.footprint.outline, 1, axis=0), axis=1).sum()
    for piece in made.pieces:
        assert full - 0.5 * edge < piece.volume < full
        assert piece.bounds[0][2] == 0
        assert piece.bounds[1][2] == pytest.approx(height)
    # The tray is a block less its well: areas from the flat faces of the mesh itself.
    for tray in made.trays:
        area = flat_area(tray, floor)
        (_, _, low), (_, _, top) = tray.bounds
        assert (low, top) == (0, pytest.approx(floor + height - 1))
        block = flat_area(tray, 0) * top
        assert tray.volume == pytest.approx(block - area * (top - floor), rel=0.05)


def flat_area(part, z):
    """The area of the faces that lie at this height."""
    corners = part.vertices[part.triangles]
    level = (np.abs(corners[:, :, 2] - z) < 1e-6).all(axis=1)
    a, b, c = (corners[level, k, :2] for k in range(3))
    u, v = b - a, c - a
    return 0.5 * np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum()


@pytest.mark.parametrize("text", TEXTS)
def test_pieces_are_as_wide_as_their_plan(text):
    made = printed(text)
    outline = made.footprint.outline
    for piece in made.pieces:
        corners = piece.vertices[:, :2]
        out = ~inside(corners, *sides(outline)) & (from_segments(corners, *sides(outline)) > 1e-3)
        assert not out.any()
        size = outline.max(axis=0) - outline.min(axis=0)
        assert piece.size == pytest.approx(tuple(size), abs=1e-3)


def test_numbers_are_on_the_piece_and_tell_it_apart():
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


def test_six_and_nine_have_a_bar_where_they_can_be_mistaken():
    def lowest(made, number):
        part = made.pieces[number - 1]
        return part.vertices[part.triangles[part.sources == 1]][..., 1].min()

    nine, six = solid(sl.puzzle("square R(5,2) tiles 1")), solid(sl.puzzle("square R(7,1) tiles 1"))
    assert lowest(nine, 6) < lowest(nine, 8) - 1
    assert lowest(nine, 9) < lowest(nine, 8) - 1
    assert lowest(six, 6) == pytest.approx(lowest(six, 5), abs=0.3)


def test_coloured_pieces_have_the_colours_of_their_words():
    puzzle = coloured()
    words = word_colours(["blue", "green", "red"])
    for part, (head, tail) in zip(printed("coloured").pieces, puzzle.colours, strict=True):
        assert (part.colour, part.colours[2]) == (words[head], words[tail])
        assert part.name.endswith(f" {head}-{tail}")


def test_a_board_in_two_parts_has_two_trays():
    made = solid(sl.puzzle("square 0,0 1,0 5,0 6,0 tiles 1"))
    assert [part.name for part in made.trays] == ["tray 1", "tray 2"]
    for part in made.parts:
        checked(part)


def read_3mf(data):
    """Objects as (name, colour, corners in place, triangles), read from the XML."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert package.namelist() == ["[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model"]
        root = ElementTree.fromstring(package.read("3D/3dmodel.model"))
    assert root.get("unit") == "millimeter"
    bases = [base.get("displaycolor") for base in root.iter(f"{NAMESPACE}base")]
    places = {item.get("objectid"): item.get("transform") for item in root.iter(f"{NAMESPACE}item")}
    for each in root.iter(f"{NAMESPACE}object"):
        turn = np.array(places.pop(each.get("id")).split(), float).reshape(4, 3)
        corners = [[float(v.get(k)) for k in "xyz"] for v in each.iter(f"{NAMESPACE}vertex")]
        triangles = [[int(t.get(f"v{k}")) for k in (1, 2, 3)] for t in each.iter(f"{NAMESPACE}triangle")]
        paints = {bases[int(t.get("p1", each.get("pindex")))] for t in each.iter(f"{NAMESPACE}triangle")}
        place_parts = np.array(corners) @ turn[:3] + turn[3]
        yield each.get("name"), paints, place_parts, np.array(triangles)
    assert not places


@pytest.mark.parametrize("text", ["hex P(4,4) hextiles 2", "coloured"])
def test_3mf_holds_the_parts(text, tmp_path):
    made = printed(text)
    (path,) = made.save(tmp_path / "puzzle.3mf")
    found = list(read_3mf(path.read_bytes()))
    assert [name for name, *_ in found] == [made.parts[place.part].name for place in made.beds[0]]
    for (_, paints, corners, triangles), place in zip(found, made.beds[0], strict=True):
        part = made.parts[place.part]
        mesh = trimesh.Trimesh(corners, triangles)
        assert mesh.is_watertight
        assert mesh.volume == pytest.approx(part.volume, rel=1e-5)
        assert paints == {part.colours[k].upper() + "FF" for k in set(part.sources)}
        assert corners.min(axis=0) == pytest.approx([place.x, place.y, 0], abs=1e-3)
        assert (corners.max(axis=0)[:2] <= np.array(made.bed) + 1e-6).all()


def test_names_in_3mf_are_what_xml_allows():
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


def test_the_same_puzzle_gives_the_same_bytes(tmp_path):
    for ending in ("stl", "3mf"):
        first, again = (
            solid(sl.puzzle("hex T(2) gourds 1")).save(tmp_path / f"{name}.{ending}")[0] for name in "ab"
        )
        assert first.read_bytes() == again.read_bytes()


def test_3mf_opens_in_another_reader(tmp_path):
    made = solid(sl.puzzle("hex T(2) hextiles 2"))
    (path,) = made.save(tmp_path / "puzzle.3mf")
    scene = trimesh.load(path)
    assert sum(mesh.volume for mesh in scene.dump()) == pytest.approx(
        sum(part.volume for part in made.parts), rel=1e-5
    )


@pytest.mark.parametrize("text", ["hex F(3) gourds 1", "theta(2,2,3) tiles 1"])
def test_stl_holds_the_parts(text, tmp_path):
    made = printed(text)
    (path,) = made.save(tmp_path / "puzzle.stl")
    mesh = trimesh.load(path)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume == pytest.approx(sum(part.volume for part in made.parts), rel=1e-4)
    assert len(mesh.faces) == sum(len(part.triangles) for part in made.parts)
    assert (mesh.bounds[0] >= [-1e-3, -1e-3, -1e-3]).all()


@lru_cache
def on_two_beds():
    return solid(sl.puzzle("square R(4,4)"), bed=(110, 110))


def test_several_beds_give_several_files(tmp_path):
    made = on_two_beds()
    assert len(made.beds) == 2
    paths = made.save(tmp_path / "x.stl")
    assert [path.name for path in paths] == ["x-1.stl", "x-2.stl"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x-1.stl", "x-2.stl"]
    total = sum(trimesh.load(path).volume for path in paths)
    assert total == pytest.approx(sum(part.volume for part in made.parts), rel=1e-4)


class Full(io.BytesIO):
    """A file on a disk without room: that is told when what was written is to reach the disk."""

    def flush(self):
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("bad", [1, 2])
@pytest.mark.parametrize("older", [(), (1,), (2,), (1, 2)])
def test_files_are_written_all_or_none(bad, older, tmp_path, monkeypatch):
    made = on_two_beds()
    whole = solids.atomic_write

    @contextmanager
    def fails_once(path):
        with whole(path) as file:
            yield Full() if path.name == f"x-{bad}.stl" else file

    before = {f"x-{k}.stl": f"older {k}".encode() for k in older}
    for name, data in before.items():
        (tmp_path / name).write_bytes(data)
    with monkeypatch.context() as patch:
        patch.setattr(solids, "atomic_write", fails_once)
        with pytest.raises(PuzzleError) as refused:
            made.save(tmp_path / "x.stl")
    assert str(refused.value).endswith(f"x-{bad}.stl': No space left on device")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    made.save(tmp_path / "x.stl")
    assert all(len(path.read_bytes()) > 1000 for path in tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 2


def test_wrong_names_of_files_are_refused(tmp_path):
    made = on_two_beds()
    for name in ("x.obj", "x", "no/where.stl"):
        with pytest.raises(PuzzleError, match="expected a"):
            made.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_the_largest_cells_that_fit_are_named():
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
def test_trays_that_are_too_large_are_refused_before_they_are_made(text, monkeypatch):
    puzzle = sl.puzzle(text)
    large = solid(puzzle, bed=(900, 900), numbers="none").trays[0].size
    monkeypatch.setattr(solids, "well_outline", None)
    with pytest.raises(PuzzleError) as refused:
        solid(puzzle, bed=(150, 150))
    told = str(refused.value).split(" got ")[1].split(" mm - ")[0]
    assert [float(length) for length in told.split(" x ")] == pytest.approx(large, abs=0.1)


def test_a_tray_may_fill_the_bed():
    made = solid(sl.puzzle("square R(4,4)"), bed=(104.4, 104.4))
    assert made.trays[0].size == pytest.approx((104.4, 104.4), abs=1e-3)


def test_trays_of_gourds_for_which_no_bed_is_large_enough_are_refused_at_once(monkeypatch):
    monkeypatch.setattr(solids, "well_outline", None)
    with pytest.raises(PuzzleError, match="too many for this bed"):
        solid(sl.puzzle("hex F(20) gourds 1"), bed=(100, 100))


@pytest.mark.parametrize(
    "text", ["square 0,0 999999999,0", "square 0,-999999999 0,999999999", "hex 0,0 999,0 1,0 hextiles 2"]
)
def test_cells_far_apart_are_refused(text):
    with pytest.raises(TooLarge) as refused:
        solid(sl.puzzle(text))
    assert str(refused.value).startswith("expected cells at most 10000 mm apart to print, got ")
    assert "\n" not in str(refused.value)


def test_far_away_is_the_same_as_here():
    here, there = (
        solid(sl.puzzle(f"square {x},{x} {x + 1},{x} {x},{x + 1} tiles 1")) for x in (0, 999_999_990)
    )
    for one, other in zip(here.parts, there.parts, strict=True):
        assert np.array(one.bounds) == pytest.approx(np.array(other.bounds))
        assert one.volume == pytest.approx(other.volume)
    assert here.render(width=100) == there.render(width=100)


def test_a_tray_may_be_turned():
    made = solid(sl.puzzle("square R(6,2)"), bed=(80, 200))
    (place,) = [place for bed in made.beds for place in bed if place.part == 0]
    assert place.rotated


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
def test_wrong_lengths_give_one_line(options, message):
    with pytest.raises(PuzzleError) as refused:
        solid(sl.puzzle("square R(3,3)"), **options)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    "text",
    ["hex F(3) trimers 1", "square R(3,3) hextiles 2", "king R(3,3) gourds 1", "theta(1,2,2) gourds 1"],
)
def test_pieces_that_can_not_be_printed_are_refused(text):
    puzzle = sl.puzzle(text)
    with pytest.raises(PuzzleError) as refused:
        solid(puzzle)
    assert str(refused.value).startswith("expected tiles on any board")
    assert str(refused.value).endswith(f"got {puzzle.rule.name} - on {puzzle.board.name!r}")


def test_large_boards_and_thin_necks_are_refused():
    with pytest.raises(TooLarge, match="expected at most 2000 cells to print, got 2025 - on"):
        solid(sl.puzzle("square R(45,45)"))
    with pytest.raises(PuzzleError, match="expected larger cells or less clearance, got a neck of 1"):
        solid(sl.puzzle("hex F(2) gourds-sharp 1"), cell=10, clearance=2)


def test_without_manifold3d_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "manifold3d", None)
    with pytest.raises(PuzzleError, match=r"manifold3d: pip install 'slidelab\[print\]'"):
        solid(sl.puzzle("square R(2,2)"))


def test_progress_is_told():
    told = []
    solid(sl.puzzle("square R(2,2)"), progress=lambda *row: told.append(row))
    assert told == [("tray", 0, 1), ("tray", 1, 1), ("pieces", 1, 3), ("pieces", 2, 3), ("pieces", 3, 3)]


def test_an_unknown_theme_is_refused():
    with pytest.raises(NotationError, match="expected a theme"):
        solid(sl.puzzle("square R(2,2)")).render(theme="neon")
