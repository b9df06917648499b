"""Pictures: well-formed, self-contained SVG, and PDF and PNG that look the same."""

from __future__ import annotations

import io
import math
import xml.etree.ElementTree as ET
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

import slidelab as sl
from slidelab.draw.files import check_target
from slidelab.draw.marks import Group, Mark, Path, fit_font_size, text_path
from slidelab.draw.picture import draw
from slidelab.draw.scene import Picture, grid
from slidelab.errors import NotationError, PuzzleError, TooLarge

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ET.Element:
    """Return the tree of an SVG after checks that hold for every picture."""
    tree = ET.fromstring(svg)
    assert tree.tag == f"{SVG}svg"
    names = {element.get("id") for element in tree.iter() if element.get("id")}
    for element in tree.iter():
        tags = {"svg", "g", "path", "title", "defs", "use", "clipPath", "image"}
        assert element.tag.removeprefix(SVG) in tags
        for name, value in element.attrib.items():
            if element.tag == f"{SVG}image" and name == "href":
                assert value.startswith("data:image/jpeg;base64,")
                continue
            assert name != "href" or value.removeprefix("#") in names
            if name == "clip-path":
                assert value.removeprefix("url(#").removesuffix(")") in names
                continue
            assert "url(" not in value
            assert "nan" not in value
            assert "inf" not in value
    assert "<!" not in svg
    return tree


def pixels(png: bytes) -> NDArray[np.int64]:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


THINGS: dict[str, sl.Board | sl.Configuration] = {
    "tiles": sl.puzzle("square R(4,4)").goal,
    "hextiles": sl.puzzle("hex P(3,4)").goal,
    "gourds": sl.puzzle("hex F(3) gourds").goal,
    "graph": sl.puzzle("theta(2,2,3)").goal,
    "colours": sl.puzzle("hex F(2) gourds", colours=[["red", "blue"], ["red", "red"], ["x", "y"]]).goal,
    "board": sl.board("hex T(4)"),
}


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
@pytest.mark.parametrize("name", THINGS)
def test_pdf_and_png_look_alike(name: str, theme: str) -> None:
    """Compare the SVG rendered by resvg with the PDF rendered by pdfium."""
    picture = draw(THINGS[name], theme=theme, caption="two files, one picture")
    drawn = pixels(picture.png(600))
    page = pypdfium2.PdfDocument(picture.pdf())[0]
    assert page.get_size() == pytest.approx((picture.width * 0.75, picture.height * 0.75), rel=1e-3)
    other = _pdf_pixels(picture, 600)
    assert abs(drawn.shape[0] - other.shape[0]) <= 1
    height, width = (min(drawn.shape[k], other.shape[k]) for k in (0, 1))
    difference = np.abs(drawn[:height, :width] - other[:height, :width]).max(axis=2)
    assert (difference > 64).mean() < 0.01  # antialiased edges may differ
    assert difference.mean() < 4
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 5


def test_a_circle_is_round() -> None:
    picture = Picture(100, 100, [Mark(Path.circle((50, 50), 40), "#000000")], paper="#ffffff")
    dark = (pixels(picture.png(400)) < 128).all(axis=2)
    assert dark.sum() / dark.size == pytest.approx(math.pi * 0.4**2, rel=0.002)


@given(st.floats(-7, 7), st.floats(0.05, 6.2), st.floats(0.1, 50))
def test_arcs_stay_on_their_circle(first: float, angle: float, radius: float) -> None:
    path = Path.arc((3, -2), radius, first, first + angle)
    start = path.commands[0][1][0]
    for name, points in path.commands[1:]:
        assert name == "C"
        a, b, c = points
        for k in range(11):
            t = k / 10
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
            x = sum(w * p[0] for w, p in zip(weights, (start, a, b, c), strict=True))
            y = sum(w * p[1] for w, p in zip(weights, (start, a, b, c), strict=True))
            assert math.dist((x, y), (3, -2)) == pytest.approx(radius, rel=3e-4)
        start = c
    end = (3 + radius * math.cos(first + angle), -2 + radius * math.sin(first + angle))
    assert math.dist(start, end) < 1e-6


def test_groups_shift_rotate_and_stretch() -> None:
    mark = Mark(Path.polygon([(0, 0), (10, 0), (10, 4), (0, 4)]), "#000000")
    picture = Picture(100, 100, [Group((mark,), 50, 50, angle=90, scale_x=2)], paper="#ffffff")
    for drawn in (pixels(picture.png(100)), _pdf_pixels(picture, 100)):
        ys, xs = np.nonzero((drawn < 128).all(axis=2))
        assert (xs.min(), xs.max()) == pytest.approx((46, 49), abs=1)
        assert (ys.min(), ys.max()) == pytest.approx((50, 69), abs=1)


def _pdf_pixels(picture: Picture, width: int) -> NDArray[np.int64]:
    page = pypdfium2.PdfDocument(picture.pdf())[0]
    image: NDArray[np.uint8] = page.render(scale=width / page.get_width()).to_numpy()[:, :, ::-1]
    return image.astype(np.int64)


def test_rounded_corners_stay_inside() -> None:
    path = Path.polygon([(0, 0), (10, 0), (10, 10), (0, 10)], 3)
    assert all(0 <= x <= 10 and 0 <= y <= 10 for x, y in path.points)
    sharp = Path.polygon([(0, 0), (10, 0), (10, 10), (0, 10)], 99)
    assert all(0 <= x <= 10 and 0 <= y <= 10 for x, y in sharp.points)


@given(
    st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), min_size=1, max_size=12), st.floats(5, 50)
)
def test_text_fits(text: str, width: float) -> None:
    size = fit_font_size(text, width, 10)
    xs = [x for x, _ in text_path(text, size).points] or [0]
    assert max(xs) - min(xs) <= width * 1.25  # glyphs may extend beyond their advance
    ends = [
        max((x for x, _ in text_path(text, size, True, anchor).points), default=0)
        for anchor in ("start", "end")
    ]
    assert ends[0] >= ends[1]


def test_titles_are_escaped() -> None:
    picture = Picture(10, 10, [Group((), title="<b>&")], title='</title><script>"')
    tree = parsed(picture.svg)
    assert tree.findtext(f"{SVG}title") == '</title><script>"'
    assert tree.findtext(f"{SVG}g/{SVG}title") == "<b>&"


def test_characters_that_xml_forbids_are_replaced(tmp_path: FilePath) -> None:
    picture = Picture(10, 10, [Group((), title="\ud800")], title="a\x0bb\ud800")
    assert parsed(picture.svg).findtext(f"{SVG}title") == "a?b?"
    picture.save(tmp_path / "x.svg")
    picture.save(tmp_path / "x.pdf")


def test_grids() -> None:
    one, two = Picture(10, 20, ()), Picture(30, 10, ())
    together = grid([one, two, one], 2, 5)
    assert (together.width, together.height) == (65, 45)


@settings(max_examples=20)
@given(st.integers(16, 300))
def test_png_has_the_given_width(width: int) -> None:
    assert pixels(draw("square R(2,2)").png(width)).shape[1] == width


@pytest.mark.parametrize("width", [0, -3, 1.5, True, "9"])
def test_bad_widths(width: Any) -> None:
    with pytest.raises(NotationError, match="expected a width in pixels"):
        draw("square R(2,2)").png(width)


def test_too_many_pixels() -> None:
    with pytest.raises(TooLarge, match="100,000,000 pixels"):
        draw("square R(2,2)").png(20_000)


def test_the_suffix_selects_the_format(tmp_path: FilePath) -> None:
    picture = draw("square R(2,2)")
    for name, start in (("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a.PDF", b"%PDF")):
        picture.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.bmp", "ends in .svg, .png, .pdf or .tex"),
        ("a", "ends in"),
        ("nowhere/a.svg", "a folder that exists"),
        ("x" * 300 + ".svg", "expected the name of a file"),
        ("a\0b.svg", "expected the name of a file"),
        ("folder.svg", "got the folder"),
    ],
)
def test_errors_leave_no_files(tmp_path: FilePath, name: str, message: str) -> None:
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(PuzzleError, match=message):
        draw("square R(2,2)").save(f"{tmp_path}/{name}")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.svg"]


def test_a_single_format() -> None:
    with pytest.raises(PuzzleError, match=r"ends in \.html, got"):
        check_target("x.svg", ("html",))
