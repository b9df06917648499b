"""Glyphs, compared with those that fontTools reads from the same files."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from fontTools.pens.areaPen import AreaPen
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.ttLib import TTFont

from slidelab.draw.glyphs import CAP_HEIGHT, FONTS, Curve, glyph, text_curves, text_width

FILES = {True: "semibold.ttf", False: "regular.ttf"}


def signed_area(curves: Sequence[Curve]) -> float:
    """Return the area by Green's theorem: of the polygon, and of the bulge of each quadratic side."""
    total = 0.0
    for curve in curves:
        (x, y) = curve.start
        for control, (u, v) in curve.sides:
            total += x * v - u * y
            if control is not None:
                a, b = control
                cross = (a - x) * (v - y) - (b - y) * (u - x)
                total += cross * 2 / 3
            x, y = u, v
        total += x * curve.start[1] - curve.start[0] * y
    return total / 2


@pytest.mark.parametrize("bold", [True, False])
def test_every_glyph_matches_the_font(bold: bool) -> None:
    font = TTFont(FONTS / FILES[bold])
    glyphs, units = font.getGlyphSet(), font["head"].unitsPerEm
    names = font.getBestCmap()
    assert len(names) > 150
    for code, name in names.items():
        ours = glyph(chr(code), bold)
        assert ours.advance == pytest.approx(font["hmtx"][name][0] / units)
        bounds, inked = ControlBoundsPen(glyphs), AreaPen(glyphs)
        glyphs[name].draw(bounds)
        glyphs[name].draw(inked)
        points = [p for curve in ours.curves for side in curve.sides for p in side if p is not None]
        if bounds.bounds is None:
            assert not points
            continue
        left, low, right, high = (value / units for value in bounds.bounds)
        assert min(x for x, _ in points) == pytest.approx(left)
        assert max(x for x, _ in points) == pytest.approx(right)
        assert min(y for _, y in points) == pytest.approx(-high)
        assert max(y for _, y in points) == pytest.approx(-low)
        assert signed_area(ours.curves) == pytest.approx(-inked.value / units**2, abs=1e-9)


def test_missing_characters_are_boxes() -> None:
    assert glyph("\u4e2d").curves == glyph("\u05d0").curves != ()


def test_digits_have_the_height_of_capitals() -> None:
    for digit in "0123456789":
        ys = [y for curve in text_curves(digit) for _, (_, y) in curve.sides]
        assert max(ys) - min(ys) == pytest.approx(CAP_HEIGHT, abs=0.035)
        assert (max(ys) + min(ys)) / 2 == pytest.approx(0, abs=0.02)


def test_a_line_is_as_wide_as_its_characters() -> None:
    assert text_width("12 + 3") == pytest.approx(sum(glyph(c).advance for c in "12 + 3"))
    xs = [x for curve in text_curves("1000") for _, (x, _) in curve.sides]
    assert -text_width("1000") / 2 <= min(xs) < max(xs) <= text_width("1000") / 2
