"""Vertices of graph pictures as dots or miniatures, the space they need, and labels.

Used by the pictures of both the puzzle graph and the gain graph.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from slidelab.boards import Board
from slidelab.draw.glyphs import CAP_HEIGHT, Point, text_width
from slidelab.draw.layout.geometry import Edge, Positions, count_crossings, min_distance
from slidelab.draw.layout.graph import MAX_COMPARED, lay_out_graph
from slidelab.draw.marks import Group, Item, Mark, Path, text_path
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.scene import Picture
from slidelab.draw.theme import Theme, mix
from slidelab.errors import NotationError

__all__ = ["Box", "Dots", "Miniatures", "force_layout", "pack", "place_vertices", "with_legend"]

MARGIN = 26.0
"""Empty space around a graph, in pixels."""

MAX_MINIATURES = 60
"""Number of vertices up to which they are drawn as small boards unless the user decides."""

MIN_CELL_SIZE = 4.0
"""Least size of a miniature's cells in pixels, if the user asks for miniatures."""

READABLE_CELL_SIZE = 6.0
"""Size of a miniature's cells in pixels below which dots are drawn unless the user asks for miniatures."""

MAX_VERTICES = 20_000
"""Number of vertices of the largest picture; its SVG has some 10 MB."""

MAX_WIDTH = 20_000
"""Largest width of a picture in pixels."""

HEIGHT_RATIO = 1.3
"""Height of a graph, relative to its width, above which the height determines the scale."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle, given by its centre, half its width and half its height."""

    x: float
    y: float
    half_width: float
    half_height: float

    def overlaps(self, other: Box) -> bool:
        """Return whether two boxes overlap.

        >>> Box(0, 0, 1, 1).overlaps(Box(1.5, 0, 1, 1)), Box(0, 0, 1, 1).overlaps(Box(0, 3, 1, 1))
        (True, False)
        """
        return (
            abs(self.x - other.x) < self.half_width + other.half_width
            and abs(self.y - other.y) < self.half_height + other.half_height
        )

    def crosses(self, a: Point, b: Point) -> bool:
        """Return whether the segment from a to b passes through the box.

        >>> Box(0, 0, 1, 1).crosses((-2, 0.5), (2, 0.5)), Box(0, 0, 1, 1).crosses((-2, 2), (2, 2))
        (True, False)
        """
        low, high = 0.0, 1.0
        for start, end, middle, half in (
            (a[0], b[0], self.x, self.half_width),
            (a[1], b[1], self.y, self.half_height),
        ):
            length = end - start
            if abs(length) < 1e-9:
                if abs(start - middle) >= half:
                    return False
                continue
            first, last = sorted(((middle - half - start) / length, (middle + half - start) / length))
            low, high = max(low, first), min(high, last)
        return low < high

    def outline(self, rounding: float = 0.0) -> Path:
        """Return the outline of the box around (0, 0)."""
        x, y = self.half_width, self.half_height
        return Path.polygon([(-x, -y), (x, -y), (x, y), (-x, y)], rounding)


class Dots:
    """Vertices drawn as dots."""

    max_spacing = 0.68
    """Distance between vertices, in edge lengths, from which on dots do not grow."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.radius = 4.0

    def fit(self, spacing: float) -> None:
        """Set the size for vertices that are `spacing` pixels apart."""
        self.radius = max(0.8, min(9.0, 0.44 * spacing))

    def box(self, point: Point) -> Box:
        """Return the box that a vertex occupies."""
        return Box(*point, self.radius, self.radius)

    def draw(self, colour: str, point: Point, title: str) -> Item:
        """Draw a vertex."""
        edge = max(0.4, 0.14 * self.radius)
        mark = Mark(Path.circle((0, 0), self.radius), colour, mix(self._theme.ink, colour, 0.55), edge)
        return Group((mark,), *point, title=title)

    def ring(self, point: Point, colour: str) -> Item:
        """Draw a ring around a vertex."""
        width = max(1.8, 0.5 * self.radius)
        return Mark(Path.circle(point, self.radius + 0.9 * width), None, colour, width)

    @property
    def line_width(self) -> float:
        """Width of edges in pixels."""
        return max(0.6, min(1.6, 0.3 * self.radius))

    @property
    def extent(self) -> Point:
        """Distance from the centre of a vertex to the outside of its ring, horizontally and vertically."""
        radius = self.radius + max(3.6, self.radius)
        return radius, radius


class Miniatures:
    """Vertices drawn as small boards, each on a card with a coloured rim."""

    max_spacing = math.inf
    line_width = 2.2

    def __init__(self, board: Board, theme: Theme, max_cell_size: float = 26.0) -> None:
        self._board, self._theme, self._max_cell_size = board, theme, max_cell_size
        self.canvas = Canvas(board, theme, 18.0)
        unit = Canvas(board, theme, 1.0)
        self._diagonal = math.hypot(unit.width, unit.height)

    def fit(self, spacing: float) -> None:
        """Set the size for vertices that are `spacing` pixels apart."""
        size = min(self._max_cell_size, 0.86 * spacing / self._diagonal, 116.0 / self._diagonal)
        self.canvas = Canvas(self._board, self._theme, max(MIN_CELL_SIZE, size))

    def needed_width(self, parts: list[Positions]) -> float:
        """Return the width of a picture in which the smallest miniatures do not overlap."""
        import numpy as np

        positions = np.concatenate(parts)
        card = self._diagonal * MIN_CELL_SIZE
        unit = card / 0.86 / max(min_distance(positions), 1e-9) if len(positions) > 1 else 0.0
        width = unit * _extent(positions)
        return float(math.ceil(min(MAX_WIDTH, width + card + 2 * MARGIN + 12.0)))

    def box(self, point: Point, grow: float = 2.0) -> Box:
        """Return the box that a vertex occupies."""
        return Box(*point, self.canvas.width / 2 + grow, self.canvas.height / 2 + grow)

    def draw(self, colour: str, point: Point, title: str, inside: Sequence[Item]) -> Item:
        """Draw a vertex: a card with a rim of the colour, and `inside`, which was drawn on the canvas."""
        rim = 3.2 if self.canvas.size > 9 else 2.4
        card = Mark(self.box((0, 0), 0.0).outline(6.0), self._theme.paper, colour, rim)
        board = Group(tuple(inside), -self.canvas.width / 2, -self.canvas.height / 2)
        return Group((card, board), *point, title=title)

    def ring(self, point: Point, colour: str) -> Item:
        """Draw a frame around a vertex."""
        return Group((Mark(self.box((0, 0), 3.6).outline(6.0), None, colour, 3.0),), *point)

    @property
    def extent(self) -> Point:
        """Distance from the centre of a vertex to the outside of its frame, horizontally and vertically."""
        return self.canvas.width / 2 + 5.0, self.canvas.height / 2 + 5.0


def _extent(positions: Positions) -> float:
    """Return the extent of a drawing that determines its scale in a picture of given width."""
    import numpy as np

    width, height = np.ptp(positions, axis=0)
    return max(float(width), float(height) / HEIGHT_RATIO, 1.0)


def place_vertices(
    parts: list[Positions], theme: Theme, width: float, miniatures: Miniatures | None, required: bool
) -> tuple[Dots | Miniatures, list[Positions], float, float]:
    """Choose how vertices are drawn; return that, their positions in pixels, and the picture's size.

    If there is no room for readable miniatures, vertices are dots; if miniatures are required, the picture
    becomes as wide as they need.
    """
    if not parts:
        return Dots(theme), [], width, MARGIN
    if miniatures is not None:
        width = max(width, miniatures.needed_width(parts)) if required else width
        pixels, height = _fit_to_width(parts, miniatures, width)
        if required or miniatures.canvas.size >= READABLE_CELL_SIZE:
            return miniatures, pixels, width, height
    dots = Dots(theme)
    pixels, height = _fit_to_width(parts, dots, width)
    return dots, pixels, width, height


def _fit_to_width(
    parts: list[Positions], vertices: Dots | Miniatures, width: float
) -> tuple[list[Positions], float]:
    """Return the positions in pixels in a picture of that width, and its height.

    The size of vertices depends on the scale, and the scale on their size: a few rounds settle it.
    """
    import numpy as np

    positions = np.concatenate(parts)
    low, spread = positions.min(axis=0), np.ptp(positions, axis=0)
    spacing = min(min_distance(positions), vertices.max_spacing)
    inside = width - 2 * MARGIN
    for _ in range(4):
        unit = inside / _extent(positions)
        vertices.fit(spacing * unit)
        inside = max(
            1.0, width - 2 * (MARGIN + vertices.extent[0])
        )  # a negative scale would flip the picture
    left, top = (width - float(spread[0]) * unit) / 2, MARGIN + vertices.extent[1]
    return [(part - low) * unit + (left, top) for part in parts], float(spread[1]) * unit + 2 * top


def with_legend(
    size: tuple[float, float],
    items: list[Item],
    legend: tuple[list[Item], float],
    title: str,
    theme: Theme,
) -> Picture:
    """Return the picture of a graph with a legend (its items and their height) below."""
    width, height = size
    texts, legend_height = legend
    below = Group(tuple(texts), MARGIN, height)
    return Picture(
        width, round(height + legend_height + MARGIN - 8.0, 1), [*items, below], title, theme.paper
    )


def force_layout(size: int, edges: Sequence[Edge]) -> Positions:
    """Return positions for the vertices of a graph with some space around each."""
    import numpy as np

    positions = np.array(lay_out_graph(size, edges))
    return spread_out(positions, edges, 0.8 if size <= MAX_COMPARED else 0.36)


def spread_out(positions: Positions, edges: Sequence[Edge], max_spacing: float) -> Positions:
    """Push vertices apart as far as their number allows, unless the drawing has no crossings.

    >>> import numpy as np
    >>> crossed = np.array([[0.0, 0.0], [2.0, 2.0], [0.0, 2.0], [2.0, 0.0], [1.9, 0.1]])
    >>> min_distance(spread_out(crossed, [(0, 1), (2, 3)], 0.5)) >= 0.5
    True
    """
    import numpy as np

    if len(positions) < 3 or (len(positions) <= 100 and count_crossings(positions, edges) == 0):
        return positions
    width, height = np.ptp(positions, axis=0)
    even_spacing = math.sqrt(0.7 * float(width * height) / len(positions))
    return push_apart(positions, min(max_spacing, 0.75 * even_spacing))


def push_apart(positions: Positions, spacing: float, rounds: int = 20) -> Positions:
    """Push points that are closer than `spacing` apart.

    The close pairs are found once for several pushes, because that takes all pairs.

    >>> import numpy as np
    >>> min_distance(push_apart(np.zeros((5, 2)), 1.0)) >= 1.0
    True
    """
    import numpy as np

    current = positions.copy()
    for _ in range(rounds):
        dx, dy = (np.subtract.outer(axis, axis) for axis in current.T)
        squares = dx * dx + dy * dy
        squares[np.tril_indices(len(current))] = np.inf
        if float(squares.min(initial=np.inf)) >= spacing * spacing:
            break
        first, second = np.nonzero(squares < (1.5 * spacing) ** 2)
        angle = first * 2.4 + second  # coinciding points are separated in varying directions
        fallback = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        for _ in range(6):
            between = current[first] - current[second]
            distance = np.linalg.norm(between, axis=1)
            unit = np.where(distance[:, None] > 1e-6, between / np.maximum(distance, 1e-6)[:, None], fallback)
            push = unit * np.where(distance < spacing, 1.05 * spacing - distance, 0.0)[:, None] / 2
            np.add.at(current, first, push)
            np.add.at(current, second, -push)
    return current


def pack(parts: list[Positions], gap: float = 1.6) -> list[Positions]:
    """Arrange drawings side by side in rows, the whole wider than high.

    >>> import numpy as np
    >>> square = np.array([[0.0, 0.0], [1.0, 1.0]])
    >>> [each.min(axis=0).tolist() for each in pack([square] * 3, gap=1.0)]
    [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]
    """
    import numpy as np

    if len(parts) <= 1:
        return parts
    boxes = [np.ptp(part, axis=0) + gap for part in parts]
    area = sum(float(width * height) for width, height in boxes)
    row_width = max(math.sqrt(area * 2.1), *(float(width) for width, _ in boxes))
    x = y = row_height = 0.0
    packed = []
    for part, (width, height) in zip(parts, boxes, strict=True):
        if x and x + width > row_width * 1.001:
            x, y, row_height = 0.0, y + row_height, 0.0
        packed.append(part - part.min(axis=0) + (x, y))
        x, row_height = x + float(width), max(row_height, float(height))
    return packed


def check_width(size: float | None, default: float) -> float:
    """Return the width of a picture that the user asked for, or the default."""
    if size is None:
        return default
    if isinstance(size, bool) or not isinstance(size, int | float) or not 100 <= size <= MAX_WIDTH:
        raise NotationError(f"expected a size of 100 to {MAX_WIDTH} pixels for a picture, got {size!r:.40}")
    return float(size)


def check_limit(limit: int) -> int:
    """Return the limit on vertices that the user gave, or raise `NotationError`.

    >>> check_limit(0)
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a positive whole number as limit, got 0
    >>> check_limit(50_000)
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a limit of at most 20,000, got 50,000
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise NotationError(f"expected a positive whole number as limit, got {limit!r:.40}")
    if limit > MAX_VERTICES:
        raise NotationError(f"expected a limit of at most {MAX_VERTICES:,}, got {f'{limit:,}':.40}")
    return limit


def line_colour(theme: Theme) -> str:
    """Return the colour of edges, which stands back behind the vertices."""
    return mix(theme.faint, theme.ink, 0.15) if theme.name == "dark" else mix(theme.well, theme.ink, 0.12)


def text_box(text: str, size: float, point: Point, bold: bool = True) -> Box:
    """Return the box of a line of text centred at a point."""
    return Box(*point, text_width(text, bold) * size / 2 + 2.5, CAP_HEIGHT * size / 2 + 3.0)


def label_on_paper(text: str, size: float, point: Point, ink: str, paper: str) -> Item:
    """Draw a line of text on a patch of paper that hides the lines behind it."""
    patch = Mark(text_box(text, size, point).outline(4.0), paper)
    return Group((patch, Mark(text_path(text, size), ink)), *point)
