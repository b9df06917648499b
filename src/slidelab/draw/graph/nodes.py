"""What pictures of graphs have in common: dots and miniatures for vertices, room for them, labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidelab.boards import Board
from slidelab.draw.glyphs import CAP_HEIGHT, text_width
from slidelab.draw.layout.planar import crossings, nearest
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.scene import Group, Item, Mark, Path, text_path
from slidelab.draw.theme import Theme, mix
from slidelab.errors import NotationError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.float64]

__all__ = [
    "MARGIN",
    "MINIATURES",
    "MOST",
    "Box",
    "Dots",
    "Miniatures",
    "apart",
    "fitted",
    "haloed",
    "limited",
    "line_colour",
    "packed",
    "picture_width",
    "roomy",
    "spaced",
    "text_box",
]

Point = tuple[float, float]
MARGIN = 26.0
MINIATURES = 60
"""Up to so many vertices are drawn as small pictures of what they stand for."""
SMALLEST = 4.0
"""Cells of miniatures have so many pixels at least,"""
READABLE = 6.0
"""but cells of fewer than that say nothing: dots are better."""
MOST = 20_000
"""So many vertices are drawn at most."""
WIDEST = 20_000


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle: its middle, half its width and half its height."""

    x: float
    y: float
    wide: float
    high: float

    def meets(self, other: Box) -> bool:
        """Do the two overlap?

        >>> Box(0, 0, 1, 1).meets(Box(1.5, 0, 1, 1)), Box(0, 0, 1, 1).meets(Box(0, 3, 1, 1))
        (True, False)
        """
        return (
            abs(self.x - other.x) < self.wide + other.wide and abs(self.y - other.y) < self.high + other.high
        )

    def crossed(self, a: Point, b: Point) -> bool:
        """Does the line from a to b pass through the box?

        >>> Box(0, 0, 1, 1).crossed((-2, 0.5), (2, 0.5)), Box(0, 0, 1, 1).crossed((-2, 2), (2, 2))
        (True, False)
        """
        low, high = 0.0, 1.0
        for start, end, middle, half in (
            (a[0], b[0], self.x, self.wide),
            (a[1], b[1], self.y, self.high),
        ):
            way = end - start
            if abs(way) < 1e-9:
                if abs(start - middle) >= half:
                    return False
                continue
            first, last = sorted(((middle - half - start) / way, (middle + half - start) / way))
            low, high = max(low, first), min(high, last)
        return low < high


class Dots:
    """Vertices as dots."""

    enough = 0.68
    """If no two are nearer than this part of an edge, more room makes them no larger."""

    def __init__(self, look: Theme) -> None:
        self._look = look
        self.radius = 4.0

    def fit(self, near: float) -> None:
        """Take the size for no two vertices nearer than `near`."""
        self.radius = max(0.8, min(9.0, 0.44 * near))

    def box(self, at: Point) -> Box:
        """The room that a vertex takes."""
        return Box(*at, self.radius, self.radius)

    def drawn(self, colour: str, at: Point, title: str) -> Item:
        """The vertex in a colour."""
        thin = max(0.4, 0.14 * self.radius)
        mark = Mark(Path.circle((0, 0), self.radius), colour, mix(self._look.ink, colour, 0.55), thin)
        return Group((mark,), *at, title=title)

    def ring(self, at: Point, colour: str) -> Item:
        """A ring round a vertex."""
        wide = max(1.8, 0.5 * self.radius)
        return Mark(Path.circle(at, self.radius + 0.9 * wide), None, colour, wide)

    @property
    def line(self) -> float:
        """How wide lines between vertices are."""
        return max(0.6, min(1.6, 0.3 * self.radius))

    @property
    def reach(self) -> Point:
        """How far a vertex and its ring reach to the side, and up."""
        far = self.radius + max(3.6, self.radius)
        return far, far


class Miniatures:
    """Vertices as small pictures of a board, each on a card with a rim of some colour."""

    enough = math.inf

    def __init__(self, board: Board, look: Theme, largest: float = 26.0) -> None:
        self._board, self._look, self._largest = board, look, largest
        self.canvas = Canvas(board, look, 18.0)
        full = Canvas(board, look, 1.0)
        self._widest = math.hypot(full.width, full.height)

    def fit(self, near: float) -> None:
        """Take the size for no two vertices nearer than `near`."""
        cell = max(SMALLEST, min(self._largest, 0.86 * near / self._widest, 116.0 / self._widest))
        self.canvas = Canvas(self._board, self._look, cell)

    def needed(self, parts: list[Places]) -> float:
        """How wide a picture must be so that the smallest miniatures at these places do not overlap."""
        import numpy as np

        every = np.concatenate(parts)
        spread = np.ptp(every, axis=0)
        card = self._widest * SMALLEST
        unit = card / 0.86 / max(nearest(every), 1e-9) if len(every) > 1 else 0.0
        across = unit * max(float(spread[0]), float(spread[1]) / 1.3, 1.0)
        return float(math.ceil(min(WIDEST, across + card + 2 * MARGIN + 12.0)))

    def box(self, at: Point) -> Box:
        """The room that a vertex takes."""
        return Box(*at, self.canvas.width / 2 + 2.0, self.canvas.height / 2 + 2.0)

    def drawn(self, colour: str, at: Point, title: str, inside: Sequence[Item]) -> Item:
        """The vertex: what is inside, drawn on the canvas, on a card with a rim of the colour."""
        card = Mark(self._card(0.0), self._look.paper, colour, 3.2 if self.canvas.size > 9 else 2.4)
        board = Group(tuple(inside), -self.canvas.width / 2, -self.canvas.height / 2)
        return Group((card, board), *at, title=title)

    def _card(self, out: float) -> Path:
        x, y = self.canvas.width / 2 + out, self.canvas.height / 2 + out
        return Path.polygon([(-x, -y), (x, -y), (x, y), (-x, y)], 6.0)

    def ring(self, at: Point, colour: str) -> Item:
        """A frame round a vertex."""
        return Group((Mark(self._card(3.6), None, colour, 3.0),), *at)

    @property
    def line(self) -> float:
        """How wide lines between vertices are."""
        return 2.2

    @property
    def reach(self) -> Point:
        """How far a vertex and its frame reach to the side, and up."""
        return self.canvas.width / 2 + 5.0, self.canvas.height / 2 + 5.0


def roomy(
    parts: list[Places], look: Theme, wide: float, small: Miniatures | None, insist: bool
) -> tuple[Dots | Miniatures, list[Places], float, float]:
    """Vertices that have room, their places in pixels, and the picture's width and height.

    Where there is no room for miniatures of that kind vertices are dots, or if somebody insists on
    miniatures, the picture becomes as wide as they need.
    """
    if not parts:
        return Dots(look), [], wide, MARGIN
    if small is not None:
        wide = max(wide, small.needed(parts)) if insist else wide
        spots, bottom = fitted(parts, small, wide)
        if insist or small.canvas.size >= READABLE:
            return small, spots, wide, bottom
    dots = Dots(look)
    spots, bottom = fitted(parts, dots, wide)
    return dots, spots, wide, bottom


def fitted(parts: list[Places], vertices: Dots | Miniatures, wide: float) -> tuple[list[Places], float]:
    """The places in pixels in a picture of that width, with an even margin, and its height.

    The room that vertices take depends on the scale, and the scale on that room: a few rounds settle it.
    """
    import numpy as np

    every = np.concatenate(parts)
    low, spread = every.min(axis=0), np.ptp(every, axis=0)
    near = min(nearest(every), vertices.enough)
    inside = wide - 2 * MARGIN
    for _ in range(4):
        unit = inside / max(float(spread[0]), float(spread[1]) / 1.3, 1.0)
        vertices.fit(near * unit)
        # Never less than nothing, which would turn the picture round.
        inside = max(1.0, wide - 2 * (MARGIN + vertices.reach[0]))
    left, top = (wide - float(spread[0]) * unit) / 2, MARGIN + vertices.reach[1]
    return [(each - low) * unit + (left, top) for each in parts], float(spread[1]) * unit + 2 * top


def apart(places: Places, least: float, rounds: int = 20) -> Places:
    """The same with places that are too near pushed apart.

    Which are near is looked up once for several pushes: that look goes through all pairs.

    >>> import numpy as np
    >>> nearest(apart(np.zeros((5, 2)), 1.0)) >= 1.0
    True
    """
    import numpy as np

    here = places.copy()
    for _ in range(rounds):
        dx, dy = (np.subtract.outer(axis, axis) for axis in here.T)
        squares = dx * dx + dy * dy
        squares[np.tril_indices(len(here))] = np.inf
        if float(squares.min(initial=np.inf)) >= least * least:
            break
        first, second = np.nonzero(squares < (1.5 * least) ** 2)
        angle = first * 2.4 + second  # where two fall together any way will do, but not the same for all
        any_way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        for _ in range(6):
            between = here[first] - here[second]
            far = np.linalg.norm(between, axis=1)
            ways = np.where(far[:, None] > 1e-6, between / np.maximum(far, 1e-6)[:, None], any_way)
            push = ways * np.where(far < least, 1.05 * least - far, 0.0)[:, None] / 2
            np.add.at(here, first, push)
            np.add.at(here, second, -push)
    return here


def spaced(places: Places, edges: Sequence[tuple[int, int]], most: float) -> Places:
    """The same with more even room: as far apart as their number allows, `most` at most.

    Drawings without crossings stay as they are.

    >>> import numpy as np
    >>> crossed = np.array([[0.0, 0.0], [2.0, 2.0], [0.0, 2.0], [2.0, 0.0], [1.9, 0.1]])
    >>> nearest(spaced(crossed, [(0, 1), (2, 3)], 0.5)) >= 0.5
    True
    """
    import numpy as np

    if len(places) < 3 or (len(places) <= 100 and crossings(places, edges) == 0):
        return places
    wide, high = np.ptp(places, axis=0)
    even = math.sqrt(0.7 * float(wide * high) / len(places))
    return apart(places, min(most, 0.75 * even))


def packed(parts: list[Places], gap: float = 1.6) -> list[Places]:
    """Drawings side by side in rows, the whole wider than high.

    >>> import numpy as np
    >>> square = np.array([[0.0, 0.0], [1.0, 1.0]])
    >>> [each.min(axis=0).tolist() for each in packed([square] * 3, gap=1.0)]
    [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]
    """
    import numpy as np

    if len(parts) == 1:
        return parts
    boxes = [np.ptp(each, axis=0) + gap for each in parts]
    area = sum(float(wide * high) for wide, high in boxes)
    row = max(math.sqrt(area * 2.1), *(float(wide) for wide, _ in boxes))
    x = y = tall = 0.0
    out = []
    for each, (wide, high) in zip(parts, boxes, strict=True):
        if x and x + wide > row * 1.001:
            x, y, tall = 0.0, y + tall, 0.0
        out.append(each - each.min(axis=0) + (x, y))
        x, tall = x + float(wide), max(tall, float(high))
    return out


def picture_width(size: float | None, default: float) -> float:
    """The width that was asked for, or the default."""
    if size is None:
        return default
    if isinstance(size, bool) or not isinstance(size, int | float) or not 100 <= size <= WIDEST:
        raise NotationError(f"expected a size of 100 to {WIDEST} pixels for a picture, got {size!r:.40}")
    return float(size)


def limited(limit: int) -> int:
    """The limit, if it is one and not more than any picture can show.

    >>> limited(0)
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a positive whole number as limit, got 0
    >>> limited(50_000)
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a limit of at most 20,000, got 50,000
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise NotationError(f"expected a positive whole number as limit, got {limit!r:.40}")
    if limit > MOST:
        raise NotationError(f"expected a limit of at most {MOST:,}, got {f'{limit:,}':.40}")
    return limit


def line_colour(look: Theme) -> str:
    """The colour of lines between vertices: quiet, but seen."""
    return mix(look.faint, look.ink, 0.15) if look.name == "dark" else mix(look.well, look.ink, 0.12)


def text_box(text: str, size: float, at: Point, bold: bool = True) -> Box:
    """The room that a line of text takes, its middle there."""
    return Box(*at, text_width(text, bold) * size / 2 + 2.5, CAP_HEIGHT * size / 2 + 3.0)


def haloed(text: str, size: float, at: Point, ink: str, paper: str) -> Item:
    """A line of text on a patch of paper, so that lines behind it do not disturb."""
    box = text_box(text, size, (0.0, 0.0))
    corners = [(-box.wide, -box.high), (box.wide, -box.high), (box.wide, box.high), (-box.wide, box.high)]
    patch = Mark(Path.polygon(corners, 4.0), paper)
    return Group((patch, Mark(text_path(text, size), ink)), *at)
