"""Letters as outlines, so that a picture needs no font where it is shown.

The outlines are those of Inter (SIL Open Font License, see fonts/OFL.txt), a part of which lies beside this
file as TrueType. Only what such a font holds is read: simple glyphs of quadratic curves, and glyphs composed
of others. Charts drawn by matplotlib use the same two files.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["CAP_HEIGHT", "Curve", "Glyph", "FONTS", "Point", "glyph", "is_known", "text_curves", "text_width"]

FONTS = Path(__file__).parent / "fonts"
CAP_HEIGHT = 0.727
"""Height of capitals and digits, in units of the letters' size."""

Point = tuple[float, float]


class Curve(NamedTuple):
    """A closed outline: its start, then pairs of control point and end of a quadratic curve.

    A straight side has None for its control point. y grows downwards; the baseline is y = 0.
    """

    start: Point
    sides: tuple[tuple[Point | None, Point], ...]


class Glyph(NamedTuple):
    """One letter, in units of the letters' size."""

    curves: tuple[Curve, ...]
    advance: float


class _Font:
    """A TrueType file, as far as outlines need it."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        tables = {}
        for index in range(struct.unpack_from(">H", self._data, 4)[0]):
            tag, _, offset, _ = struct.unpack_from(">4sIII", self._data, 12 + 16 * index)
            tables[tag.decode()] = offset
        self._glyf = tables["glyf"]
        self._hmtx = tables["hmtx"]
        self.units = struct.unpack_from(">H", self._data, tables["head"] + 18)[0]
        long = struct.unpack_from(">h", self._data, tables["head"] + 50)[0]
        self._metrics = struct.unpack_from(">H", self._data, tables["hhea"] + 34)[0]
        count = struct.unpack_from(">H", self._data, tables["maxp"] + 4)[0] + 1
        places = struct.unpack_from(f">{count}{'I' if long else 'H'}", self._data, tables["loca"])
        self._loca = places if long else tuple(2 * place for place in places)
        self.numbers = self._characters(tables["cmap"])

    def _characters(self, cmap: int) -> dict[int, int]:
        """The glyph of each character: segments of format 4."""
        data = self._data
        for index in range(struct.unpack_from(">H", data, cmap + 2)[0]):
            at = cmap + struct.unpack_from(">I", data, cmap + 8 + 8 * index)[0]
            if struct.unpack_from(">H", data, at)[0] == 4:
                break
        segments = struct.unpack_from(">H", data, at + 6)[0] // 2
        ends = struct.unpack_from(f">{segments}H", data, at + 14)
        rest = at + 16 + 2 * segments
        starts = struct.unpack_from(f">{segments}H", data, rest)
        deltas = struct.unpack_from(f">{segments}h", data, rest + 2 * segments)
        offsets = struct.unpack_from(f">{segments}H", data, rest + 4 * segments)
        out = {}
        for k, (first, last) in enumerate(zip(starts, ends, strict=True)):
            for code in range(first, min(last, 0xFFFE) + 1):
                number = code
                if offsets[k]:
                    place = rest + 4 * segments + 2 * k + offsets[k] + 2 * (code - first)
                    number = struct.unpack_from(">H", data, place)[0]
                if number:
                    out[code] = (number + deltas[k]) & 0xFFFF
        return out

    def advance(self, number: int) -> int:
        row = min(number, self._metrics - 1)
        return int(struct.unpack_from(">H", self._data, self._hmtx + 4 * row)[0])

    def contours(self, number: int) -> list[list[tuple[float, float, bool]]]:
        """Points (x, y, lies on the curve) of each closed outline."""
        if self._loca[number] == self._loca[number + 1]:
            return []
        at = self._glyf + self._loca[number]
        count = struct.unpack_from(">h", self._data, at)[0]
        return self._simple(at + 10, count) if count >= 0 else self._composed(at + 10)

    def _simple(self, at: int, count: int) -> list[list[tuple[float, float, bool]]]:
        data = self._data
        ends = struct.unpack_from(f">{count}H", data, at)
        at += 2 * count
        at += 2 + struct.unpack_from(">H", data, at)[0]
        flags: list[int] = []
        while len(flags) <= ends[-1]:
            flag, at = data[at], at + 1
            flags.append(flag)
            if flag & 8:
                flags += [flag] * data[at]
                at += 1
        xs, at = self._run(flags, at, 2, 16)
        ys, at = self._run(flags, at, 4, 32)
        points = [(float(x), float(y), bool(f & 1)) for x, y, f in zip(xs, ys, flags, strict=True)]
        firsts = [0, *(end + 1 for end in ends[:-1])]
        return [points[first : end + 1] for first, end in zip(firsts, ends, strict=True)]

    def _run(self, flags: list[int], at: int, is_short: int, same: int) -> tuple[list[int], int]:
        """One coordinate of all points: each is told by its difference from the one before."""
        out, value = [], 0
        for flag in flags:
            if flag & is_short:
                value += self._data[at] if flag & same else -self._data[at]
                at += 1
            elif not flag & same:
                value += struct.unpack_from(">h", self._data, at)[0]
                at += 2
            out.append(value)
        return out, at

    def _composed(self, at: int) -> list[list[tuple[float, float, bool]]]:
        """Accented letters: parts of other glyphs, each moved."""
        out = []
        more = True
        while more:
            flags, part = struct.unpack_from(">HH", self._data, at)
            dx, dy = struct.unpack_from(">hh" if flags & 1 else ">bb", self._data, at + 4)
            at += 8 if flags & 1 else 6
            at += 2 if flags & 8 else 4 if flags & 64 else 8 if flags & 128 else 0
            out += [[(x + dx, y + dy, on) for x, y, on in row] for row in self.contours(part)]
            more = bool(flags & 32)
        return out


@lru_cache(maxsize=2)
def _font(bold: bool) -> _Font:
    return _Font(FONTS / ("semibold.ttf" if bold else "regular.ttf"))


@lru_cache(maxsize=1000)
def glyph(character: str, bold: bool = True) -> Glyph:
    """The outlines of one letter; of a box if the font has none.

    >>> one = glyph("1")
    >>> len(one.curves), 0.3 < one.advance < 0.6
    (1, True)
    """
    font = _font(bold)
    number = font.numbers.get(ord(character), 0)
    scale = 1 / font.units
    curves = tuple(_curve(points, scale) for points in font.contours(number))
    return Glyph(curves, font.advance(number) * scale)


def is_known(character: str, bold: bool = True) -> bool:
    """Whether the font has this letter.

    >>> is_known("b"), is_known("\u7ea2")
    (True, False)
    """
    return ord(character) in _font(bold).numbers


def _curve(points: list[tuple[float, float, bool]], scale: float) -> Curve:
    """Between two control points lies a point of the curve that the file leaves out: their middle."""
    full: list[tuple[float, float, bool]] = []
    for (ax, ay, a), (bx, by, b) in zip(points, points[1:] + points[:1], strict=True):
        full.append((ax, ay, a))
        if not a and not b:
            full.append(((ax + bx) / 2, (ay + by) / 2, True))
    first = next(i for i, point in enumerate(full) if point[2])
    full = full[first:] + full[: first + 1]
    sides: list[tuple[Point | None, Point]] = []
    control: Point | None = None
    for x, y, on in full[1:]:
        here = (x * scale, -y * scale)
        if on:
            sides.append((control, here))
            control = None
        else:
            control = here
    return Curve((full[0][0] * scale, -full[0][1] * scale), tuple(sides))


def text_width(text: str, bold: bool = True) -> float:
    """The width of a line of text, in units of the letters' size.

    >>> text_width("15") > text_width("5")
    True
    """
    return sum(glyph(character, bold).advance for character in text)


def text_curves(text: str, size: float = 1.0, bold: bool = True) -> list[Curve]:
    """The outlines of a line of text, its middle at (0, 0): half way along, and half as high as a capital.

    >>> curves = text_curves("8", 2.0)
    >>> ys = [y for curve in curves for _, (x, y) in curve.sides]
    >>> abs(min(ys) + max(ys)) < 0.1
    True
    """
    x, drop = -text_width(text, bold) / 2, CAP_HEIGHT / 2
    out = []
    for character in text:
        letter = glyph(character, bold)

        def moved(point: Point, right: float = x) -> Point:
            return (point[0] + right) * size, (point[1] + drop) * size

        for start, sides in letter.curves:
            turned = tuple((control and moved(control), moved(end)) for control, end in sides)
            out.append(Curve(moved(start), turned))
        x += letter.advance
    return out
