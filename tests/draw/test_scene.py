"""Pictures: SVG that is well-formed and refers to nothing, and PDF and PNG that look the same."""

from __future__ import annotations

import io
import math
import xml.etree.ElementTree as ET

import numpy as np
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import slidelab as sl
from slidelab.draw.files import check_target
from slidelab.draw.marks import Group, Mark, Path, fit_font_size, text_path
from slidelab.draw.picture import draw
from slidelab.draw.scene import Picture, grid
from slidelab.errors import NotationError, PuzzleError, TooLarge

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg):
    """The picture's tree, after checks that hold for every picture."""
    tree = ET.fromstring(svg)
    assert tree.tag == f"{SVG}svg"
    names = {element.get("id") for element in tree.iter() if element.get("id")}
    for element in tree.iter():
        assert element.tag.removeprefix(SVG) in {"svg", "g", "path", "title", "defs", "use"}
        for name, value in element.attrib.items():
            assert name != "href" or value.removeprefix("#") in names
            assert "url(" not in value
            assert "nan" not in value
            assert "inf" not in value
    assert "<!" not in svg
    return tree


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


THINGS = {
    "tiles": sl.puzzle("square R(4,4)").goal,
    "hextiles": sl.puzzle("hex P(3,4)").goal,
    "gourds": sl.puzzle("hex F(3) gourds").goal,
    "graph": sl.puzzle("theta(2,2,3)").goal,
    "colours": sl.puzzle("hex F(2) gourds", colours=[["red", "blue"], ["red", "red"], ["x", "y"]]).goal,
    "board": sl.board("hex T(4)"),
}


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
@pytest.mark.parametrize("name", THINGS)
def test_pdf_and_png_look_alike(name, theme):
    """resvg draws the SVG, pdfium the PDF: two programs, two files, one picture."""
    picture = draw(THINGS[name], theme=theme, caption="two files, one picture")
    drawn = pixels(picture.png(600))
    page = pypdfium2.PdfDocument(picture.pdf())[0]
    assert page.get_size() == pytest.approx((picture.width * 0.75, picture.height * 0.75), rel=1e-3)
    other = page.render(scale=600 / page.get_width()).to_numpy()[:, :, ::-1].astype(int)
    high = min(drawn.shape[0], other.shape[0])
    assert abs(drawn.shape[0] - other.shape[0]) <= 1
    wide = min(drawn.shape[1], other.shape[1])
    apart = np.abs(drawn[:high, :wide] - other[:high, :wide]).max(axis=2)
    assert (apart > 64).mean() < 0.01  # edges may differ by a shade
    assert apart.mean() < 4
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 5


def test_a_circle_is_round():
    picture = Picture(100, 100, [Mark(Path.circle((50, 50), 40), "#000000")], paper="#ffffff")
    dark = (pixels(picture.png(400)) < 128).all(axis=2)
    assert dark.sum() / dark.size == pytest.approx(math.pi * 0.4**2, rel=0.002)


@given(st.floats(-7, 7), st.floats(0.05, 6.2), st.floats(0.1, 50))
def test_arcs_stay_on_their_circle(first, angle, radius):
    path = Path.arc((3, -2), radius, first, first + angle)
    here = path.commands[0][1][0]
    for name, at in path.commands[1:]:
        assert name == "C"
        a, b, c = at
        for k in range(11):
            t = k / 10
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
            x = sum(w * p[0] for w, p in zip(weights, (here, a, b, c), strict=True))
            y = sum(w * p[1] for w, p in zip(weights, (here, a, b, c), strict=True))
            assert math.dist((x, y), (3, -2)) == pytest.approx(radius, rel=3e-4)
        here = c
    assert (
        math.dist(here, (3 + radius * math.cos(first + angle), -2 + radius * math.sin(first + angle))) < 1e-6
    )


def test_groups_move_turn_and_stretch():
    mark = Mark(Path.polygon([(0, 0), (10, 0), (10, 4), (0, 4)]), "#000000")
    picture = Picture(100, 100, [Group((mark,), 50, 50, angle=90, scale_x=2)], paper="#ffffff")
    for drawn in (pixels(picture.png(100)), _pdf_pixels(picture, 100)):
        ys, xs = np.nonzero((drawn < 128).all(axis=2))
        assert (xs.min(), xs.max()) == pytest.approx((46, 49), abs=1)
        assert (ys.min(), ys.max()) == pytest.approx((50, 69), abs=1)


def _pdf_pixels(picture, width):
    page = pypdfium2.PdfDocument(picture.pdf())[0]
    return page.render(scale=width / page.get_width()).to_numpy()[:, :, ::-1].astype(int)


def test_rounded_corners_stay_inside():
    path = Path.polygon([(0, 0), (10, 0), (10, 10), (0, 10)], 3)
    assert all(0 <= x <= 10 and 0 <= y <= 10 for x, y in path.points)
    sharp = Path.polygon([(0, 0), (10, 0), (10, 10), (0, 10)], 99)
    assert all(0 <= x <= 10 and 0 <= y <= 10 for x, y in sharp.points)


@given(
    st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), min_size=1, max_size=12), st.floats(5, 50)
)
def test_letters_fit(text, wide):
    size = fit_font_size(text, wide, 10)
    xs = [x for x, _ in text_path(text, size).points] or [0]
    assert max(xs) - min(xs) <= wide * 1.25  # letters may lean out a little
    ends = [
        max((x for x, _ in text_path(text, size, True, anchor).points), default=0)
        for anchor in ("start", "end")
    ]
    assert ends[0] >= ends[1]


def test_titles_are_escaped():
    picture = Picture(10, 10, [Group((), title="<b>&")], title='</title><script>"')
    tree = parsed(picture.svg)
    assert tree.find(f"{SVG}title").text == '</title><script>"'
    assert tree.find(f"{SVG}g/{SVG}title").text == "<b>&"


def test_what_xml_forbids_is_replaced(tmp_path):
    picture = Picture(10, 10, [Group((), title="\ud800")], title="a\x0bb\ud800")
    assert parsed(picture.svg).find(f"{SVG}title").text == "a?b?"
    picture.save(tmp_path / "x.svg")
    picture.save(tmp_path / "x.pdf")


def test_side_by_side():
    one, two = Picture(10, 20, ()), Picture(30, 10, ())
    both = grid([one, two, one], 2, 5)
    assert (both.width, both.height) == (65, 45)


@settings(max_examples=20)
@given(st.integers(16, 300))
def test_png_is_as_wide_as_asked(width):
    assert pixels(draw("square R(2,2)").png(width)).shape[1] == width


@pytest.mark.parametrize("width", [0, -3, 1.5, True, "9"])
def test_bad_widths(width):
    with pytest.raises(NotationError, match="expected a width in pixels"):
        draw("square R(2,2)").png(width)


def test_too_many_pixels():
    with pytest.raises(TooLarge, match="100,000,000 pixels"):
        draw("square R(2,2)").png(20_000)


def test_saved_by_ending(tmp_path):
    picture = draw("square R(2,2)")
    for name, begins in (("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a.PDF", b"%PDF")):
        picture.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.bmp", "ends in .svg, .png or .pdf"),
        ("a", "ends in"),
        ("nowhere/a.svg", "a folder that exists"),
        ("x" * 300 + ".svg", "expected the name of a file"),
        ("a\0b.svg", "expected the name of a file"),
        ("folder.svg", "got the folder"),
    ],
)
def test_refusals_leave_nothing_behind(tmp_path, name, said):
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(PuzzleError, match=said):
        draw("square R(2,2)").save(f"{tmp_path}/{name}")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.svg"]


def test_one_ending_only():
    with pytest.raises(PuzzleError, match=r"ends in \.html, got"):
        check_target("x.svg", ("html",))
