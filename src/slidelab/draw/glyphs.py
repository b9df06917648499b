"""Outlines of letters and digits, so that pictures need no font where they are viewed.

The outlines come from two subset TrueType files of Inter (SIL Open Font License, fonts/OFL.txt). The reader
supports what these files contain: simple glyphs of quadratic curves, and composite glyphs without scaling.
Charts drawn by matplotlib use the same files.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

__all__ = [
    "CAP_HEIGHT",
    "FONTS",
    "Curve",
    "Glyph",
    "Point",
    "glyph",
    "has_glyph",
    "text_curves",
    "text_width",
]

FONTS = Path(__file__).parent / "fonts"
"""Folder of the font files."""

CAP_HEIGHT = 0.727
"""Height of capitals and digits of Inter, in units of the font size."""

MAX_CACHED_GLYPHS = 1_000
"""Glyphs kept in memory: both weights of every character in the fonts."""

Point = tuple[float, float]
OutlinePoint = tuple[float, float, bool]  # x, y, whether the point is on the curve


class Curve(NamedTuple):
    """A closed outline: its start, then pairs of control point and end of a quadratic curve.

    A straight side has None as its control point. y grows downwards; the baseline is y = 0.
    """

    start: Point
    sides: tuple[tuple[Point | None, Point], ...]


class Glyph(NamedTuple):
    """One character, in units of the font size."""

    curves: tuple[Curve, ...]
    advance: float


class _Font:
    """The tables of a TrueType file that outlines need: head, hhea, maxp, loca, glyf, hmtx, cmap."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        tables = {}
        for index in range(self._read("H", 4)[0]):
            tag, _, offset, _ = self._read("4sIII", 12 + 16 * index)
            tables[tag.decode()] = offset
        self._glyf = tables["glyf"]
        self._hmtx = tables["hmtx"]
        (self.units_per_em,) = self._read("H", tables["head"] + 18)
        (is_long,) = self._read("h", tables["head"] + 50)
        (self._metric_count,) = self._read("H", tables["hhea"] + 34)
        count = self._read("H", tables["maxp"] + 4)[0] + 1
        offsets = self._read(f"{count}{'I' if is_long else 'H'}", tables["loca"])
        self._loca = offsets if is_long else tuple(2 * offset for offset in offsets)
        self.glyph_ids = self._read_cmap(tables["cmap"])

    def _read(self, form: str, offset: int) -> tuple[Any, ...]:
        return struct.unpack_from(f">{form}", self._data, offset)

    def _read_cmap(self, cmap: int) -> dict[int, int]:
        """Return the glyph id of each code point, from the subtable of format 4."""
        for index in range(self._read("H", cmap + 2)[0]):
            table = cmap + self._read("I", cmap + 8 + 8 * index)[0]
            if self._read("H", table)[0] == 4:
                break
        count = self._read("H", table + 6)[0] // 2
        ends = self._read(f"{count}H", table + 14)
        starts_offset = table + 16 + 2 * count
        starts = self._read(f"{count}H", starts_offset)
        deltas = self._read(f"{count}h", starts_offset + 2 * count)
        ranges_offset = starts_offset + 4 * count
        range_offsets = self._read(f"{count}H", ranges_offset)
        glyph_ids = {}
        for k, (first, last) in enumerate(zip(starts, ends, strict=True)):
            for code in range(first, min(last, 0xFFFE) + 1):
                glyph_id = code
                if range_offsets[k]:
                    (glyph_id,) = self._read(
                        "H", ranges_offset + 2 * k + range_offsets[k] + 2 * (code - first)
                    )
                if glyph_id:
                    glyph_ids[code] = (glyph_id + deltas[k]) & 0xFFFF
        return glyph_ids

    def advance(self, glyph_id: int) -> int:
        """Return the advance width in font units."""
        row = min(glyph_id, self._metric_count - 1)
        return int(self._read("H", self._hmtx + 4 * row)[0])

    def contours(self, glyph_id: int) -> list[list[OutlinePoint]]:
        """Return the points of each closed outline."""
        if self._loca[glyph_id] == self._loca[glyph_id + 1]:
            return []
        offset = self._glyf + self._loca[glyph_id]
        (count,) = self._read("h", offset)
        return self._simple(offset + 10, count) if count >= 0 else self._composite(offset + 10)

    def _simple(self, offset: int, count: int) -> list[list[OutlinePoint]]:
        data = self._data
        ends = self._read(f"{count}H", offset)
        offset += 2 * count
        offset += 2 + self._read("H", offset)[0]  # skip the hinting instructions
        flags: list[int] = []
        while len(flags) <= ends[-1]:
            flag, offset = data[offset], offset + 1
            flags.append(flag)
            if flag & 8:  # the flag is repeated
                flags += [flag] * data[offset]
                offset += 1
        xs, offset = self._coordinates(flags, offset, 2, 16)
        ys, offset = self._coordinates(flags, offset, 4, 32)
        points = [(float(x), float(y), bool(f & 1)) for x, y, f in zip(xs, ys, flags, strict=True)]
        firsts = [0, *(end + 1 for end in ends[:-1])]
        return [points[first : end + 1] for first, end in zip(firsts, ends, strict=True)]

    def _coordinates(
        self, flags: Sequence[int], offset: int, is_short: int, is_same: int
    ) -> tuple[list[int], int]:
        """Decode one coordinate of all points, stored as differences, and return the offset after it."""
        values, value = [], 0
        for flag in flags:
            if flag & is_short:
                value += self._data[offset] if flag & is_same else -self._data[offset]
                offset += 1
            elif not flag & is_same:
                value += self._read("h", offset)[0]
                offset += 2
            values.append(value)
        return values, offset

    def _composite(self, offset: int) -> list[list[OutlinePoint]]:
        """Return the outlines of an accented letter: other glyphs, each shifted."""
        outlines = []
        more = True
        while more:
            flags, component = self._read("HH", offset)
            dx, dy = self._read("hh" if flags & 1 else "bb", offset + 4)
            offset += 8 if flags & 1 else 6
            offset += 2 if flags & 8 else 4 if flags & 64 else 8 if flags & 128 else 0
            outlines += [[(x + dx, y + dy, on) for x, y, on in row] for row in self.contours(component)]
            more = bool(flags & 32)
        return outlines


@lru_cache(maxsize=2)
def _font(bold: bool) -> _Font:
    return _Font(FONTS / ("semibold.ttf" if bold else "regular.ttf"))


@lru_cache(maxsize=MAX_CACHED_GLYPHS)
def glyph(character: str, bold: bool = True) -> Glyph:
    """Return the outlines of a character, or those of a box if the font lacks it.

    >>> one = glyph("1")
    >>> len(one.curves), 0.3 < one.advance < 0.6
    (1, True)
    """
    font = _font(bold)
    glyph_id = font.glyph_ids.get(ord(character), 0)
    scale = 1 / font.units_per_em
    curves = tuple(_curve(points, scale) for points in font.contours(glyph_id))
    return Glyph(curves, font.advance(glyph_id) * scale)


def has_glyph(character: str, bold: bool = True) -> bool:
    """Return whether the font has this character.

    >>> has_glyph("b"), has_glyph("\u7ea2")
    (True, False)
    """
    return ord(character) in _font(bold).glyph_ids


def _curve(points: Sequence[OutlinePoint], scale: float) -> Curve:
    """Convert a contour; TrueType omits the on-curve point midway between two control points."""
    full: list[OutlinePoint] = []
    for (ax, ay, a), (bx, by, b) in zip(points, [*points[1:], points[0]], strict=True):
        full.append((ax, ay, a))
        if not a and not b:
            full.append(((ax + bx) / 2, (ay + by) / 2, True))
    first = next(i for i, point in enumerate(full) if point[2])
    full = full[first:] + full[: first + 1]
    sides: list[tuple[Point | None, Point]] = []
    control: Point | None = None
    for x, y, on in full[1:]:
        point = (x * scale, -y * scale)
        if on:
            sides.append((control, point))
            control = None
        else:
            control = point
    return Curve((full[0][0] * scale, -full[0][1] * scale), tuple(sides))


@lru_cache(maxsize=4096)
def text_width(text: str, bold: bool = True) -> float:
    """Return the width of a line of text, in units of the font size.

    >>> text_width("15") > text_width("5")
    True
    """
    return sum(glyph(character, bold).advance for character in text)


def text_curves(text: str, size: float = 1.0, bold: bool = True) -> list[Curve]:
    """Return the outlines of a line of text, centred at (0, 0) horizontally and by the height of capitals.

    >>> curves = text_curves("8", 2.0)
    >>> ys = [y for curve in curves for _, (x, y) in curve.sides]
    >>> abs(min(ys) + max(ys)) < 0.1
    True
    """
    x, drop = -text_width(text, bold) / 2, CAP_HEIGHT / 2
    curves = []
    for character in text:
        letter = glyph(character, bold)

        def shift(point: Point, right: float = x) -> Point:
            return (point[0] + right) * size, (point[1] + drop) * size

        for start, sides in letter.curves:
            shifted = tuple((control and shift(control), shift(end)) for control, end in sides)
            curves.append(Curve(shift(start), shifted))
        x += letter.advance
    return curves
