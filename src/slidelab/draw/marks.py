"""Elements of pictures, and their SVG.

A `Path` is an outline, a `Mark` a path with its colours, a `Photo` a piece of a photograph, a `Group` a list
of these with a common transform, which may be clipped to a path.
Text is converted to paths (see `glyphs`), so that a picture looks the same in SVG, PDF and PNG on every
machine.
"""

from __future__ import annotations

import math
import re
from base64 import b64encode
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
    "Lettering",
    "Mark",
    "Path",
    "Photo",
    "Point",
    "escape_xml",
    "format_number",
    "label",
    "text_path",
]

Command = tuple[str, tuple[Point, ...]]
SharedPaths = Mapping[str, str]  # from the path data to the id under which it is defined

MIN_SHARED_USES = 3
"""Number of uses from which on a path is defined once and referred to."""

MIN_SHARED_LENGTH = 60
"""Characters of path data up to which a reference would not be shorter."""

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def format_number(value: float, decimals: int = 2) -> str:
    """Format a coordinate without trailing zeros; the default resolves a hundredth of a pixel.

    >>> format_number(12.0), format_number(-0.001), format_number(3.14159)
    ('12', '0', '3.14')
    """
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def escape_xml(text: str) -> str:
    r"""Escape a text for XML, replacing characters that XML forbids.

    >>> escape_xml("a<b\x0b")
    'a&lt;b?'
    """
    return escape(valid_xml(text))


def valid_xml(text: str) -> str:
    """Replace control characters and lone surrogates, which XML forbids even escaped, by ``?``."""
    return _FORBIDDEN.sub("?", text)


@dataclass(frozen=True, slots=True)
class Lettering:
    """A line of text around a point, for formats that write letters as text."""

    text: str
    size: float
    bold: bool = True
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Path:
    """SVG path commands: M starts an outline, L, Q, C add straight, quadratic and cubic sides, Z closes it.

    >>> Path.polygon([(0, 0), (10, 0), (10, 10)]).svg
    'M0 0L10 0L10 10Z'
    """

    commands: tuple[Command, ...]
    lettering: Lettering | None = field(default=None, compare=False, repr=False)
    """The text whose outlines these are, at (0, 0)."""
    _svg: str | None = field(default=None, init=False, compare=False, repr=False)

    @classmethod
    def polygon(cls, points: Sequence[Point], rounding: float = 0.0) -> Path:
        """Return a closed polygon whose corners are rounded from `rounding` before each corner."""
        if not rounding:
            return cls((("M", (points[0],)), *(("L", (point,)) for point in points[1:]), ("Z", ())))
        commands: list[Command] = []
        for corner, before, after in zip(
            points, [points[-1], *points[:-1]], [*points[1:], points[0]], strict=True
        ):
            first, last = _towards(corner, before, rounding), _towards(corner, after, rounding)
            commands += [("L" if commands else "M", (first,)), ("Q", (corner, last))]
        return cls((*commands, ("Z", ())))

    @classmethod
    def line(cls, points: Sequence[Point], closed: bool = False) -> Path:
        """Return straight lines from point to point."""
        rest: list[Command] = [("L", (point,)) for point in points[1:]]
        return cls((("M", (points[0],)), *rest, *([("Z", ())] if closed else [])))

    @classmethod
    def circle(cls, centre: Point, radius: float) -> Path:
        """Return a full circle."""
        return cls((*cls.arc(centre, radius, 0.0, math.tau).commands, ("Z", ())))

    @classmethod
    def arc(cls, centre: Point, radius: float, first: float, last: float) -> Path:
        """Return an arc between two angles (radians, clockwise on screen).

        Each cubic curve spans at most a right angle and deviates by less than 0.03 % of the radius.
        """
        pieces = max(1, math.ceil(abs(last - first) / (math.pi / 2) - 1e-9))
        step = (last - first) / pieces
        pull = 4 / 3 * math.tan(step / 4) * radius

        def point_and_tangent(angle: float) -> tuple[Point, Point]:
            cos, sin = math.cos(angle), math.sin(angle)
            return (centre[0] + radius * cos, centre[1] + radius * sin), (-sin * pull, cos * pull)

        commands: list[Command] = [("M", (point_and_tangent(first)[0],))]
        for piece in range(pieces):
            (ax, ay), (adx, ady) = point_and_tangent(first + piece * step)
            (bx, by), (bdx, bdy) = point_and_tangent(first + (piece + 1) * step)
            commands.append(("C", ((ax + adx, ay + ady), (bx - bdx, by - bdy), (bx, by))))
        return cls(tuple(commands))

    @classmethod
    def union(cls, paths: Iterable[Path]) -> Path:
        """Return one path with the outlines of all."""
        return cls(tuple(command for path in paths for command in path.commands))

    def then(self, other: Path) -> Path:
        """Return this path joined by a straight side to the other one."""
        first, *rest = other.commands
        return Path((*self.commands, ("L", first[1]), *rest))

    def closed(self) -> Path:
        """Return the path with its end joined to its start."""
        return Path((*self.commands, ("Z", ())))

    def scaled(self, factor: float, x: float = 0.0, y: float = 0.0) -> Path:
        """Return the path scaled by a factor, then shifted."""
        return Path(
            tuple(
                (name, tuple((px * factor + x, py * factor + y) for px, py in points))
                for name, points in self.commands
            )
        )

    @property
    def points(self) -> list[Point]:
        """All points, including control points."""
        return [point for _, points in self.commands for point in points]

    def cubic_commands(self) -> Iterator[Command]:
        """Yield the commands with cubic instead of quadratic curves, for formats that lack these."""
        start = (0.0, 0.0)
        for name, points in self.commands:
            if name == "Q":
                (cx, cy), (x, y) = points
                first = (start[0] + (cx - start[0]) * 2 / 3, start[1] + (cy - start[1]) * 2 / 3)
                name, points = "C", (first, (x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3), (x, y))
            yield name, points
            if points:
                start = points[-1]

    @property
    def svg(self) -> str:
        """SVG path data, cached because many pieces share an outline."""
        if self._svg is None:
            texts = (
                name + " ".join(f"{format_number(x)} {format_number(y)}" for x, y in points)
                for name, points in self.commands
            )
            object.__setattr__(self, "_svg", "".join(texts))
        return self._svg or ""


def _towards(corner: Point, other: Point, distance: float) -> Point:
    share = min(0.5, distance / (math.dist(corner, other) or 1.0))
    return corner[0] + (other[0] - corner[0]) * share, corner[1] + (other[1] - corner[1]) * share


@lru_cache(maxsize=4096)
def text_path(text: str, size: float, bold: bool = True, anchor: str = "middle") -> Path:
    """Return a line of text as a path, centred vertically on (0, 0); `anchor` is the point that lies there.

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
    return Path(tuple(commands), Lettering(text, size, bold, anchor))


def fit_font_size(text: str, width: float, height: float, bold: bool = True) -> float:
    """Return the largest font size at which a text fits into a box.

    >>> fit_font_size("1000", 10.0, 10.0) < fit_font_size("1", 10.0, 10.0)
    True
    """
    return min(width / max(text_width(text, bold), 1e-9), height / CAP_HEIGHT)


@dataclass(frozen=True, slots=True)
class Mark:
    """A path with a fill, a stroke, or both."""

    path: Path
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0

    def svg(self, shared: SharedPaths = {}, transform: str = "") -> str:  # noqa: B006 - never written to
        """Return the SVG element; paths in `shared` are referred to by their id."""
        fill = f' fill="{self.fill}"' if self.fill else ' fill="none"'
        stroke = ""
        if self.stroke and self.width:
            stroke = f' stroke="{self.stroke}" stroke-width="{format_number(self.width)}"'
        transform = f' transform="{transform}"' if transform else ""
        name = shared.get(self.path.svg)
        element = f'use href="#{name}"' if name else f'path d="{self.path.svg}"'
        return f"<{element}{fill}{stroke}{transform}/>"


@dataclass(frozen=True, slots=True)
class Photo:
    """A JPEG of `columns` times `rows` pixels, drawn with its upper left corner at (`x`, `y`)."""

    jpeg: bytes = field(repr=False)
    columns: int
    rows: int
    x: float
    y: float
    width: float
    height: float

    @property
    def name(self) -> str:
        """The id under which the photo is defined, a digest."""
        size = f"{format_number(self.width, 3)} {format_number(self.height, 3)}"
        return f"i{sha256(self.jpeg + size.encode()).hexdigest()[:10]}"

    @property
    def definition(self) -> str:
        """The SVG element that defines the photo, with its corner at (0, 0)."""
        return (
            f'<image id="{self.name}" width="{format_number(self.width, 3)}" '
            f'height="{format_number(self.height, 3)}" preserveAspectRatio="none" '
            f'href="data:image/jpeg;base64,{b64encode(self.jpeg).decode()}"/>'
        )

    def svg(self, shared: SharedPaths = {}) -> str:  # noqa: B006 - never written to
        """Return the SVG element that refers to the photo."""
        x, y = format_number(self.x, 3), format_number(self.y, 3)
        return f'<use href="#{self.name}" x="{x}" y="{y}"/>'


@dataclass(frozen=True, slots=True)
class Group:
    """Marks with a common transform: stretched along x, rotated clockwise by `angle` degrees, then shifted.

    Nothing is drawn outside `clip`, a path in the coordinates of the marks. Browsers show `title` as a
    tooltip; `element_id` identifies the group for scripts.
    """

    items: tuple[Item, ...]
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
    scale_x: float = 1.0
    title: str = ""
    element_id: str = ""
    clip: Path | None = None
    lettering: Lettering | None = field(default=None, compare=False)
    """The text that the items spell, one letter each."""

    @property
    def transform(self) -> str:
        """The SVG transform; empty for the identity."""
        steps = []
        if self.x or self.y:
            steps.append(f"translate({format_number(self.x)} {format_number(self.y)})")
        if self.angle:
            steps.append(f"rotate({self.angle:.3f})")
        if self.scale_x != 1.0:
            steps.append(f"scale({self.scale_x:.4f} 1)")
        return " ".join(steps)

    def svg(self, shared: SharedPaths = {}) -> str:  # noqa: B006 - never written to
        """Return the SVG element with all items inside."""
        is_plain = not self.element_id and not self.title and self.clip is None
        if is_plain and len(self.items) == 1 and isinstance(self.items[0], Mark):
            return self.items[0].svg(shared, self.transform)
        element_id = f" id={quoteattr(self.element_id)}" if self.element_id else ""
        transform = f' transform="{steps}"' if (steps := self.transform) else ""
        clip = f' clip-path="url(#{_clip_name(self.clip)})"' if self.clip else ""
        title = f"<title>{escape_xml(self.title)}</title>" if self.title else ""
        inside = "".join(item.svg(shared) for item in self.items)
        return f"<g{element_id}{transform}{clip}>{title}{inside}</g>"


Item = Mark | Photo | Group


def common_font_size(texts: Iterable[str], width: float, height: float) -> float:
    """Return the largest font size at which each of the texts fits into a box.

    Digits count as zeros, so that the size depends only on the number of digits.

    >>> common_font_size(["1", "10"], 10.0, 10.0) == common_font_size(["88"], 10.0, 10.0)
    True
    """
    # A thousand numbers have three or four different widths.
    widest = {"0" * len(text) if text.isdigit() else text for text in texts} or {""}
    return round(min(fit_font_size(text, width, height) for text in widest), 2)


def label(text: str, size: float, ink: str) -> Item:
    """Draw a number or a few letters around (0, 0).

    Each digit is a path of its own, so that a thousand numbers share ten paths.

    >>> isinstance(label("7", 10.0, "#000000"), Mark)
    True
    """
    if len(text) == 1:
        return Mark(text_path(text, size), ink)
    items, x = [], -text_width(text) / 2 * size
    for letter in text:
        half = text_width(letter) / 2 * size
        items.append(Group((Mark(text_path(letter, size), ink),), x + half))
        x += 2 * half
    return Group(tuple(items), lettering=Lettering(text, size))


def shared_paths(items: Sequence[Item]) -> dict[str, str]:
    """Map path data that occur often to an id.

    The id is a digest of the path: in a page with several pictures, equal ids mean equal paths.
    """
    counts = Counter(_path_data(items))
    frequent = [
        path for path, count in counts.items() if count >= MIN_SHARED_USES and len(path) > MIN_SHARED_LENGTH
    ]
    return {path: f"o{sha256(path.encode()).hexdigest()[:10]}" for path in frequent}


def definitions_svg(items: Sequence[Item], shared: SharedPaths) -> str:
    """Return the SVG element that defines shared paths, clips and photos; empty if there are none."""
    lines = {name: f'<path id="{name}" d="{path}"/>' for path, name in shared.items()}
    for item in _all_items(items):
        if isinstance(item, Photo):
            lines.setdefault(item.name, item.definition)
        elif isinstance(item, Group) and item.clip is not None:
            name = _clip_name(item.clip)
            lines.setdefault(name, f'<clipPath id="{name}"><path d="{item.clip.svg}"/></clipPath>')
    return f"<defs>{''.join(lines.values())}</defs>" if lines else ""


def _clip_name(path: Path) -> str:
    return f"c{sha256(path.svg.encode()).hexdigest()[:10]}"


def _path_data(items: Sequence[Item]) -> Iterator[str]:
    return (item.path.svg for item in _all_items(items) if isinstance(item, Mark))


def _all_items(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        if isinstance(item, Group):
            yield from _all_items(item.items)
