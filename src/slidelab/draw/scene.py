"""Pictures as lists of marks, and their SVG.

A `Path` is an outline, a `Mark` a path with its colours, a `Group` some marks that are moved and turned
together, a `Picture` all of it with a size. Letters are paths too (see `letters`), so that the same picture
looks the same everywhere: as SVG, as PDF, as pixels.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from xml.sax.saxutils import escape, quoteattr

from slidelab.draw.glyphs import CAP_HEIGHT, Point, text_curves, text_width

__all__ = [
    "Group",
    "Item",
    "Mark",
    "Path",
    "Picture",
    "Point",
    "beside",
    "fitting_size",
    "label",
    "number_text",
    "outlines_svg",
    "shared_outlines",
    "text_path",
    "writable",
    "xml_text",
]

Command = tuple[str, tuple[Point, ...]]
Shared = Mapping[str, str]

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def number_text(value: float, decimals: int = 2) -> str:
    """A coordinate, short: two decimals are a hundredth of a pixel.

    >>> number_text(12.0), number_text(-0.001), number_text(3.14159)
    ('12', '0', '3.14')
    """
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def xml_text(text: str) -> str:
    """A text as it may stand in XML: what has a meaning there is escaped, what may not be there is a ?.

    >>> xml_text("a<b\x0b")
    'a&lt;b?'
    """
    return escape(writable(text))


def writable(text: str) -> str:
    """A text without what may not stand in XML even escaped: control characters, halves of surrogates."""
    return _FORBIDDEN.sub("?", text)


@dataclass(frozen=True, slots=True)
class Path:
    """Outlines of straight sides (L), quadratic (Q) and cubic (C) curves, each begun by M and ended by Z.

    >>> Path.polygon([(0, 0), (10, 0), (10, 10)]).svg
    'M0 0L10 0L10 10Z'
    """

    commands: tuple[Command, ...]
    _svg: str | None = field(default=None, init=False, compare=False, repr=False)

    @classmethod
    def polygon(cls, points: Sequence[Point], rounding: float = 0.0) -> Path:
        """A closed polygon; its corners are cut off `rounding` before each corner, and curved."""
        if not rounding:
            return cls((("M", (points[0],)), *(("L", (point,)) for point in points[1:]), ("Z", ())))
        out: list[Command] = []
        around = list(points)
        for before, corner, after in zip(around[-1:] + around, around, around[1:] + around[:1], strict=False):
            first, last = _towards(corner, before, rounding), _towards(corner, after, rounding)
            out += [("L" if out else "M", (first,)), ("Q", (corner, last))]
        return cls((*out, ("Z", ())))

    @classmethod
    def line(cls, points: Sequence[Point], closed: bool = False) -> Path:
        """Straight lines from point to point."""
        rest: list[Command] = [("L", (point,)) for point in points[1:]]
        return cls((("M", (points[0],)), *rest, *([("Z", ())] if closed else [])))

    @classmethod
    def circle(cls, centre: Point, radius: float) -> Path:
        """A full circle."""
        return cls((*cls.arc(centre, radius, 0.0, math.tau).commands, ("Z", ())))

    @classmethod
    def arc(cls, centre: Point, radius: float, first: float, last: float) -> Path:
        """An arc of a circle between two angles (radians, clockwise in the drawing).

        Cubic curves of at most a right angle each miss the circle by less than 0.03 % of its radius.
        """
        pieces = max(1, math.ceil(abs(last - first) / (math.pi / 2) - 1e-9))
        step = (last - first) / pieces
        pull = 4 / 3 * math.tan(step / 4) * radius

        def on(angle: float) -> tuple[Point, Point]:
            cos, sin = math.cos(angle), math.sin(angle)
            return (centre[0] + radius * cos, centre[1] + radius * sin), (-sin * pull, cos * pull)

        commands: list[Command] = [("M", (on(first)[0],))]
        for piece in range(pieces):
            (ax, ay), (adx, ady) = on(first + piece * step)
            (bx, by), (bdx, bdy) = on(first + (piece + 1) * step)
            commands.append(("C", ((ax + adx, ay + ady), (bx - bdx, by - bdy), (bx, by))))
        return cls(tuple(commands))

    def then(self, other: Path) -> Path:
        """This path, and on to the start of the other one in a straight line, and along it."""
        first, *rest = other.commands
        return Path((*self.commands, ("L", first[1]), *rest))

    def closed(self) -> Path:
        """The same with its end joined to its start."""
        return Path((*self.commands, ("Z", ())))

    def scaled(self, factor: float, x: float = 0.0, y: float = 0.0) -> Path:
        """The same larger by a factor, then moved."""
        return Path(
            tuple(
                (name, tuple((px * factor + x, py * factor + y) for px, py in at))
                for name, at in self.commands
            )
        )

    def __add__(self, other: Path) -> Path:
        return Path(self.commands + other.commands)

    @property
    def points(self) -> list[Point]:
        """All points, also those that only pull a curve."""
        return [point for _, at in self.commands for point in at]

    @property
    def svg(self) -> str:
        """The path in SVG's own notation; made once, since the same outline is used for many pieces."""
        if self._svg is None:
            texts = (
                name + " ".join(f"{number_text(x)} {number_text(y)}" for x, y in at)
                for name, at in self.commands
            )
            object.__setattr__(self, "_svg", "".join(texts))
        return self._svg or ""


def _towards(corner: Point, other: Point, far: float) -> Point:
    share = min(0.5, far / (math.dist(corner, other) or 1.0))
    return corner[0] + (other[0] - corner[0]) * share, corner[1] + (other[1] - corner[1]) * share


@lru_cache(maxsize=4096)
def text_path(text: str, size: float, bold: bool = True, anchor: str = "middle") -> Path:
    """A line of text as a path, at (0, 0): its middle there, or its `start` or `end`; half a capital above.

    >>> len(text_path("15", 20.0).commands) > 10
    True
    """
    shift = {"middle": 0.0, "start": 0.5, "end": -0.5}[anchor] * text_width(text, bold) * size
    commands: list[Command] = []
    for start, sides in text_curves(text, size, bold):
        commands.append(("M", ((start[0] + shift, start[1]),)))
        for control, (x, y) in sides:
            if control is None:
                commands.append(("L", ((x + shift, y),)))
            else:
                commands.append(("Q", ((control[0] + shift, control[1]), (x + shift, y))))
        commands.append(("Z", ()))
    return Path(tuple(commands))


def fitting_size(text: str, wide: float, high: float, bold: bool = True) -> float:
    """The largest size of letters at which a text is no wider and no higher than that.

    >>> fitting_size("1000", 10.0, 10.0) < fitting_size("1", 10.0, 10.0)
    True
    """
    return min(wide / max(text_width(text, bold), 1e-9), high / CAP_HEIGHT)


@dataclass(frozen=True, slots=True)
class Mark:
    """A path, filled or drawn along or both."""

    path: Path
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0

    def svg(self, shared: Shared = {}, transform: str = "") -> str:  # noqa: B006 - never written to
        """As SVG; `shared` has the names of outlines that are written elsewhere."""
        fill = f' fill="{self.fill}"' if self.fill else ' fill="none"'
        stroke = ""
        if self.stroke and self.width:
            stroke = f' stroke="{self.stroke}" stroke-width="{number_text(self.width)}"'
        moved = f' transform="{transform}"' if transform else ""
        name = shared.get(self.path.svg)
        what = f'use href="#{name}"' if name else f'path d="{self.path.svg}"'
        return f"<{what}{fill}{stroke}{moved}/>"


@dataclass(frozen=True, slots=True)
class Group:
    """Marks that go together: turned by `turn` degrees (clockwise), stretched, then moved.

    `title` is what a browser shows when the pointer rests there; `key` names the group for scripts.
    """

    items: tuple[Item, ...]
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    stretch: float = 1.0
    title: str = ""
    key: str = ""

    @property
    def transform(self) -> str:
        """What SVG calls it; empty if nothing moves."""
        out = []
        if self.x or self.y:
            out.append(f"translate({number_text(self.x)} {number_text(self.y)})")
        if self.turn:
            out.append(f"rotate({self.turn:.3f})")
        if self.stretch != 1.0:
            out.append(f"scale({self.stretch:.4f} 1)")
        return " ".join(out)

    def svg(self, shared: Shared = {}) -> str:  # noqa: B006 - never written to
        """As SVG, what it holds inside."""
        if len(self.items) == 1 and isinstance(self.items[0], Mark) and not self.key and not self.title:
            return self.items[0].svg(shared, self.transform)
        key = f" id={quoteattr(self.key)}" if self.key else ""
        moved = f' transform="{self.transform}"' if self.transform else ""
        title = f"<title>{xml_text(self.title)}</title>" if self.title else ""
        inside = "".join(item.svg(shared) for item in self.items)
        return f"<g{key}{moved}>{title}{inside}</g>"


Item = Mark | Group


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """Everything that is to be seen, in a frame of `width` by `height`.

    It shows itself in a notebook, and `save` writes it as SVG, PNG or PDF.

    >>> p = Picture(20, 10, [Mark(Path.circle((5, 5), 4), "#4477aa")], title="a disc", paper="#ffffff")
    >>> p.svg.startswith("<svg xmlns=") and "<title>a disc</title>" in p.svg
    True
    """

    width: float
    height: float
    items: Sequence[Item] = field(repr=False, hash=False)
    title: str = ""
    paper: str | None = None

    @property
    def svg(self) -> str:
        """The picture as a text in SVG that refers to nothing outside."""
        wide, high = number_text(self.width), number_text(self.height)
        shared = shared_outlines(self.items)
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" '
                f'height="{high}" role="img" stroke-linecap="round" stroke-linejoin="round">',
                f"<title>{xml_text(self.title or 'a sliding puzzle')}</title>",
                *([f'<path d="M0 0H{wide}V{high}H0Z" fill="{self.paper}"/>'] if self.paper else []),
                *([outlines_svg(shared)] if shared else []),
                *(item.svg(shared) for item in self.items),
                "</svg>\n",
            ]
        )

    def png(self, width: int | None = None) -> bytes:
        """The picture as PNG, that many pixels wide (twice its own width if not said)."""
        from slidelab.draw.png import png

        return png(self, width)

    def pdf(self) -> bytes:
        """The picture as a PDF of one page, sharp at every size."""
        from slidelab.draw.pdf import pdf

        return pdf(self)

    def save(self, path: str | os.PathLike[str], width: int | None = None) -> None:
        """Write the picture; the name's ending (.svg, .png or .pdf) says how."""
        from slidelab.draw.files import save_picture

        save_picture(self, path, width)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        title = self.title if len(self.title) < 40 else f"{self.title[:28]}..."
        return f"<picture of {title!r}, {self.width:.0f} x {self.height:.0f}>"


def label(text: str, wide: float, high: float, ink: str) -> Item:
    """A number or a few letters around (0, 0), as large as fits in that width and height.

    Numbers of equally many digits are equally large, and each digit is an outline of its own, so that a
    thousand numbers share ten outlines.

    >>> isinstance(label("7", 10.0, 10.0, "#000000"), Mark)
    True
    """
    size = round(fitting_size("0" * len(text) if text.isdigit() else text, wide, high), 2)
    if len(text) == 1:
        return Mark(text_path(text, size), ink)
    items, x = [], -text_width(text) / 2 * size
    for letter in text:
        half = text_width(letter) / 2 * size
        items.append(Group((Mark(text_path(letter, size), ink),), x + half))
        x += 2 * half
    return Group(tuple(items))


def shared_outlines(items: Sequence[Item]) -> dict[str, str]:
    """Outlines that occur often, by name. The name follows from the outline: in a page with many pictures the
    same name always means the same outline.
    """
    counts = Counter(_outlines(items))
    often = [path for path, count in counts.items() if count > 2 and len(path) > 60]
    return {path: f"o{sha256(path.encode()).hexdigest()[:10]}" for path in often}


def outlines_svg(shared: Shared) -> str:
    """The shared outlines, to be written before what uses them."""
    paths = "".join(f'<path id="{name}" d="{path}"/>' for path, name in shared.items())
    return f"<defs>{paths}</defs>"


def _outlines(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Mark):
            yield item.path.svg
        else:
            yield from _outlines(item.items)


def beside(pictures: Iterable[Picture], columns: int, gap: float) -> Picture:
    """Pictures in rows of so many, each in the middle of its place, on the paper of the first.

    >>> one = Picture(10, 10, ())
    >>> beside([one, one, one], 2, 4.0).width
    24.0
    """
    listed = list(pictures)
    wide, high = max(p.width for p in listed), max(p.height for p in listed)
    columns = min(columns, len(listed))
    rows = -(-len(listed) // columns)
    items = []
    for number, picture in enumerate(listed):
        row, column = divmod(number, columns)
        x = column * (wide + gap) + (wide - picture.width) / 2
        y = row * (high + gap) + (high - picture.height) / 2
        inside = list(picture.items)
        if picture.paper and picture.paper != listed[0].paper:
            corners = [
                (0.0, 0.0),
                (picture.width, 0.0),
                (picture.width, picture.height),
                (0.0, picture.height),
            ]
            inside.insert(0, Mark(Path.polygon(corners), picture.paper))
        items.append(Group(tuple(inside), x, y))
    width, height = columns * wide + (columns - 1) * gap, rows * high + (rows - 1) * gap
    return Picture(width, height, items, listed[0].title, listed[0].paper)
