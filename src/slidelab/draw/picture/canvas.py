"""The drawing area of a board: cells in pixels, tray, wells, highlights, and the legend below."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from slidelab.boards import Board
from slidelab.boards.hexagons import ROW_HEIGHT
from slidelab.draw.glyphs import text_width
from slidelab.draw.marks import Group, Item, Mark, Path, Point, common_font_size, label, text_path
from slidelab.draw.picture.bodies import KING_ROUNDING, cell_path
from slidelab.draw.picture.motions import Motion
from slidelab.draw.theme import Theme, mix, text_colour

__all__ = ["Canvas", "Legend"]

RIM = 0.2
"""Width of the tray's rim in cells."""

MARGIN = 0.16
"""Empty space around the tray in cells."""

LEGEND_SIZE = 15.0
"""Font size of legends in pixels."""

GRAPH_RADIUS = 0.44
"""Radius in cells of the ring around a vertex of a graph."""

PASSAGE = 0.12
"""Width in cells of the passage between two cells that touch at a corner only."""

ARROW_POINTS = 25
"""Number of points along a motion that an arrow is drawn through."""

ARROW_HEAD, ARROW_HALF_WIDTH, ARROW_SHAFT = 0.24, 0.16, 0.11
"""Length of an arrow's head, half its width, and width of its shaft, in cells."""

SMALL_ARROW = 0.75
"""Size of arrows where there is little room for them."""

ARROW_GAP = 0.1
"""Least distance in cells of the tip of an arrow from the centre of the hole."""


@dataclass(frozen=True, slots=True)
class Legend:
    """Texts below a picture, each with the colour of the disc before it, or None for no disc."""

    rows: tuple[tuple[str | None, str], ...]

    def lay_out(self, theme: Theme, width: float, top: float = 0.0) -> tuple[list[Item], float]:
        """Return the items, in as few lines as fit into the width, and their height."""
        items: list[Item] = []
        x, y, line_height = 0.0, top + LEGEND_SIZE * 0.9, LEGEND_SIZE * 1.75
        for colour, text in self.rows:
            size = min(LEGEND_SIZE, width * 0.98 / (text_width(text, False) + (1.2 if colour else 0.0)))
            entry_width = size * (text_width(text, False) + (2.6 if colour else 1.4))
            if x and (colour is None or x + entry_width - size > width):  # plain text has its own line
                x, y = 0.0, y + line_height
            if colour:
                disc = Path.circle((x + 0.42 * size, y), 0.42 * size)
                items.append(Mark(disc, colour, theme.ink, 0.06 * size))
            letters = text_path(text, round(size, 2), False, "start")
            items.append(Group((Mark(letters, theme.ink),), x + (1.2 * size if colour else 0.0), y))
            x += entry_width
        return items, y - top + line_height * 0.45


class Canvas:
    """The drawing area of a board whose cells are `size` pixels wide."""

    def __init__(self, board: Board, theme: Theme, size: float) -> None:
        self.board, self.theme, self.size = board, theme, size
        half_width = GRAPH_RADIUS if board.kind == "graph" else 0.5
        half_height = half_width / ROW_HEIGHT if board.kind == "hex" else half_width
        rim = 0.0 if board.kind == "graph" else RIM
        xs, ys = [x for x, _ in board.positions], [y for _, y in board.positions]
        side, top = (half_width + rim + MARGIN) * size, (half_height + rim + MARGIN) * size
        self._left, self._top = side - min(xs) * size, top - min(ys) * size
        self.width = (max(xs) - min(xs)) * size + 2 * side
        self.height = (max(ys) - min(ys)) * size + 2 * top

    def to_pixels(self, point: Point) -> Point:
        """Convert a point from board coordinates to pixels."""
        return self._left + point[0] * self.size, self._top + point[1] * self.size

    @property
    def cells_box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of the box around all cells, in pixels."""
        border = (MARGIN + (0.0 if self.board.kind == "graph" else RIM)) * self.size
        return border, border, self.width - 2 * border, self.height - 2 * border

    def centre(self, cell: int) -> Point:
        """Return the centre of a cell in pixels."""
        return self.to_pixels(self.board.positions[cell])

    def tray(self) -> list[Item]:
        """Draw the frame around all cells, or the edges of a graph."""
        theme, size = self.theme, self.size
        if self.board.kind == "graph":
            edges = [Path.line([self.centre(a), self.centre(b)]) for a, b in self.board.edges]
            return [Mark(Path.union(edges), None, theme.faint, 0.13 * size)] if edges else []
        cell_outline = cell_path(self.board.kind, size, 0.0)
        outlines = Path.union(cell_outline.scaled(1, *self.centre(cell)) for cell in range(self.board.size))
        items: list[Item] = []
        if theme.edge_width:
            items.append(Mark(outlines, theme.edge, theme.edge, 2 * (RIM + theme.edge_width) * size))
        items.append(Mark(outlines, theme.tray, theme.tray, 2 * RIM * size))
        return [*items, *self._diagonal_passages()]

    def _diagonal_passages(self) -> list[Item]:
        """Draw a passage for each diagonal; the wells, drawn later, leave only its middle visible."""
        positions = self.board.positions
        diagonals = [
            Path.line([self.centre(a), self.centre(b)])
            for a, b in (self.board.edges if self.board.kind == "king" else ())
            if positions[a][0] != positions[b][0] and positions[a][1] != positions[b][1]
        ]
        return [Mark(Path.union(diagonals), None, self.theme.well, PASSAGE * self.size)] if diagonals else []

    def wells(
        self, colours: Mapping[int, str], texts: Mapping[int, str], titled: bool = True
    ) -> Iterable[Item]:
        """Draw the empty cells, some with a colour of their own or a text."""
        theme, size, graph = self.theme, self.size, self.board.kind == "graph"
        rounding = {"graph": 0.0, "king": KING_ROUNDING}.get(self.board.kind, 0.09)
        path = cell_path(self.board.kind, size, 0.0 if graph else 0.02, rounding)
        ring = Path.circle((0, 0), GRAPH_RADIUS * size) if graph else None
        font_size = common_font_size(texts.values(), 0.55 * size, 0.26 * size)
        for cell in range(self.board.size):
            colour = colours.get(cell, theme.well)
            items: list[Item] = [Mark(path, colour)]
            if theme.edge_width:
                items = [Mark(path, colour, theme.faint, theme.edge_width * 0.5 * size)]
            elif ring is not None:
                items.insert(0, Mark(ring, theme.faint))
            if text := texts.get(cell):
                ink = text_colour(colour) if cell in colours else mix(theme.ink, theme.well, 0.25)
                items.append(label(text, font_size, ink))
            x, y = self.centre(cell)
            yield Group(tuple(items), x, y, title=f"cell {cell}" if titled else "")

    def cycle(self, cells: Sequence[int]) -> list[Item]:
        """Draw a closed line through cells, in order, with their numbers."""
        points = [self.centre(cell) for cell in cells]
        size, theme = self.size, self.theme
        items: list[Item] = [Mark(Path.line(points, closed=True), None, theme.accent, 0.12 * size)]
        disc = Path.circle((0, 0), 0.23 * size)
        font_size = common_font_size(map(str, cells), 0.32 * size, 0.19 * size)
        for cell, (x, y) in zip(cells, points, strict=True):
            number = label(str(cell), font_size, text_colour(theme.accent))
            items.append(Group((Mark(disc, theme.accent), number), x, y, title=f"cell {cell}"))
        return items

    def arrows(self, motions: Sequence[tuple[Motion, int]]) -> list[Item]:
        """Draw an arrow for each motion, along the path of one cell of the piece.

        Arrows that end in the same hole stop before its centre, far enough from each other.
        """
        ends: dict[Point, list[float]] = {}  # directions of the arrows that end at a point
        for motion, cell in motions:
            (ax, ay), (x, y) = motion.at(0.9)[cell], motion.at(1.0)[cell]
            ends.setdefault(_rounded((x, y)), []).append(math.atan2(y - ay, x - ax))
        halos: list[Item] = []
        arrows: list[Item] = []
        for motion, cell in motions:
            gap = _tip_distance(ends[_rounded(motion.at(1.0)[cell])])
            # Where there are many arrows, or the motion has a corner and short sides, they are smaller.
            is_small = gap > 2 * ARROW_GAP or motion.via is not None
            scale = SMALL_ARROW if is_small else 1.0
            below, above = self._arrow(motion, cell, max(ARROW_GAP, gap * scale), scale * self.size)
            halos += below
            arrows += above
        return halos + arrows  # no halo cuts another arrow: those of one piece look like a fork

    def _arrow(self, motion: Motion, cell: int, gap: float, unit: float) -> tuple[list[Item], list[Item]]:
        """Return the halo and the marks of an arrow from the rim of the piece to `gap` before the end."""
        theme = self.theme
        first, last = min(0.4, 0.32 / motion.length), 1 - min(0.4, gap / motion.length)
        times = [first + (last - first) * k / (ARROW_POINTS - 1) for k in range(ARROW_POINTS)]
        points = [self.to_pixels(motion.at(time)[cell]) for time in times]
        (ax, ay), tip = points[-4], points[-1]
        angle = math.atan2(tip[1] - ay, tip[0] - ax)
        cos, sin = math.cos(angle), math.sin(angle)
        length, half, width = ARROW_HEAD * unit, ARROW_HALF_WIDTH * unit, ARROW_SHAFT * unit
        back = (tip[0] - length * cos, tip[1] - length * sin)
        head = Path.polygon([tip, *((back[0] + s * half * sin, back[1] - s * half * cos) for s in (1, -1))])
        shaft = Path.line([p for p in points if math.dist(p, tip) > length * 0.8] or points[:1])
        halo = 0.07 * unit
        return [Mark(shaft, None, theme.paper, width + halo), Mark(head, theme.paper, theme.paper, halo)], [
            Mark(shaft, None, theme.accent, width),
            Mark(head, theme.accent, theme.accent, 0.02 * unit),
        ]

    def rings(self, cells: Collection[int]) -> list[Item]:
        """Draw a ring inside each of these cells."""
        path = cell_path(self.board.kind, self.size, 0.08, 0.0 if self.board.kind == "graph" else 0.08)
        mark = Mark(path, None, self.theme.accent, 0.06 * self.size)
        return [Group((mark,), *self.centre(cell)) for cell in sorted(cells)]


def _rounded(point: Point) -> Point:
    return round(point[0], 6), round(point[1], 6)


def _tip_distance(directions: Sequence[float]) -> float:
    """Return how far from their common end arrows with these directions stop, in cells.

    Two heads side by side touch where the half angle between them has the tangent of their half width over
    the distance of their back. They stay a third of that farther away.

    >>> _tip_distance([0.0]), round(_tip_distance([k * math.pi / 4 for k in range(8)]), 2)
    (0.1, 0.27)
    """
    ordered = sorted(directions)
    turned = [*ordered[1:], ordered[0] + math.tau]
    apart = [b - a for a, b in zip(ordered, turned, strict=True) if b - a > 1e-6]
    half_angle = min([*apart, math.pi]) / 2
    return max(ARROW_GAP, 1.33 * ARROW_HALF_WIDTH / math.tan(half_angle) - ARROW_HEAD)
