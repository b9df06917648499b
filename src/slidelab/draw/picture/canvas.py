"""Where things are on the paper: the board's cells in pixels, its tray, and what stands below it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from slidelab.boards import Board
from slidelab.boards.hexagons import ROW_HEIGHT
from slidelab.draw.glyphs import text_width
from slidelab.draw.picture.motions import Motion
from slidelab.draw.picture.pieces import cell_path
from slidelab.draw.scene import Group, Item, Mark, Path, Point, label, text_path
from slidelab.draw.theme import Theme, ink_on, mix

__all__ = ["Canvas", "Legend"]

RIM = 0.2
MARGIN = 0.16
LEGEND_SIZE = 15.0


@dataclass(frozen=True, slots=True)
class Legend:
    """Lines of text below a picture, each behind a spot of its colour (or none)."""

    rows: tuple[tuple[str | None, str], ...]

    def laid_out(self, theme: Theme, width: float, top: float) -> tuple[list[Item], float]:
        """The marks, side by side as far as they fit in the width, and how high they are."""
        items: list[Item] = []
        x, y, high = 0.0, top + LEGEND_SIZE * 0.9, LEGEND_SIZE * 1.75
        for colour, text in self.rows:
            size = min(LEGEND_SIZE, width * 0.98 / (text_width(text, False) + (1.2 if colour else 0.0)))
            wide = size * (text_width(text, False) + (2.6 if colour else 1.4))
            if x and (colour is None or x + wide - size > width):  # a line of text stands alone
                x, y = 0.0, y + high
            if colour:
                spot = Path.circle((x + 0.42 * size, y), 0.42 * size)
                items.append(Mark(spot, colour, theme.ink, 0.06 * size))
            at = x + (1.2 * size if colour else 0.0)
            letters = text_path(text, round(size, 2), False, "start")
            items.append(Group((Mark(letters, theme.ink),), at, y))
            x += wide
        return items, y - top + high * 0.45


class Canvas:
    """A board of cells `size` pixels wide, its top left corner where the margin ends."""

    def __init__(self, board: Board, theme: Theme, size: float) -> None:
        self.board, self.theme, self.size = board, theme, size
        reach = 0.44 if board.kind == "graph" else 0.5
        tall = reach / ROW_HEIGHT if board.kind == "hex" else reach
        rim = 0.0 if board.kind == "graph" else RIM
        xs, ys = [x for x, _ in board.positions], [y for _, y in board.positions]
        side, top = (reach + rim + MARGIN) * size, (tall + rim + MARGIN) * size
        self._left, self._top = side - min(xs) * size, top - min(ys) * size
        self.width = (max(xs) - min(xs)) * size + 2 * side
        self.height = (max(ys) - min(ys)) * size + 2 * top

    def at(self, point: Point) -> Point:
        """A point of the board in pixels."""
        return self._left + point[0] * self.size, self._top + point[1] * self.size

    def cell(self, number: int) -> Point:
        """The middle of a cell in pixels."""
        return self.at(self.board.positions[number])

    def tray(self) -> list[Item]:
        """The frame around all cells (of a graph: its edges), without the cells."""
        theme, size = self.theme, self.size
        if self.board.kind == "graph":
            edges = [Path.line([self.cell(a), self.cell(b)]).commands for a, b in self.board.edges]
            lines = Path(tuple(command for row in edges for command in row))
            return [Mark(lines, None, theme.faint, 0.13 * size)] if edges else []
        one = cell_path(self.board.kind, size, 0.0)
        commands = [one.scaled(1, *self.cell(cell)).commands for cell in range(self.board.size)]
        every = Path(tuple(command for row in commands for command in row))
        marks: list[Item] = []
        if theme.edge_width:
            marks.append(Mark(every, theme.edge, theme.edge, 2 * (RIM + theme.edge_width) * size))
        return [*marks, Mark(every, theme.tray, theme.tray, 2 * RIM * size)]

    def wells(
        self, colours: Mapping[int, str], texts: Mapping[int, str], titled: bool = True
    ) -> Iterable[Item]:
        """The cells themselves, empty; some of another colour, with a text in them."""
        theme, size, graph = self.theme, self.size, self.board.kind == "graph"
        path = cell_path(self.board.kind, size, 0.0 if graph else 0.02, 0.0 if graph else 0.09)
        ring = Path.circle((0, 0), 0.44 * size) if graph else None
        for cell in range(self.board.size):
            colour = colours.get(cell, theme.well)
            marks: list[Item] = [Mark(path, colour)]
            if theme.edge_width:
                marks = [Mark(path, colour, theme.faint, theme.edge_width * 0.5 * size)]
            elif ring is not None:
                marks.insert(0, Mark(ring, theme.faint))
            if text := texts.get(cell):
                ink = ink_on(colour) if cell in colours else mix(theme.ink, theme.well, 0.25)
                marks.append(label(text, 0.55 * size, 0.26 * size, ink))
            x, y = self.cell(cell)
            yield Group(tuple(marks), x, y, title=f"cell {cell}" if titled else "")

    def way(self, cells: Sequence[int], closed: bool = True) -> list[Item]:
        """A line through cells, in order."""
        points = [self.cell(cell) for cell in cells]
        path = Path.line(points, closed)
        size, theme = self.size, self.theme
        out: list[Item] = [Mark(path, None, theme.accent, 0.12 * size)]
        disc = Path.circle((0, 0), 0.23 * size)
        for cell, (x, y) in zip(cells, points, strict=True):
            number = label(str(cell), 0.32 * size, 0.19 * size, ink_on(theme.accent))
            out.append(Group((Mark(disc, theme.accent), number), x, y, title=f"cell {cell}"))
        return out

    def arrow(self, motion: Motion, cell: int) -> list[Item]:
        """An arrow along the way of one cell of a piece."""
        size, theme = self.size, self.theme
        # From the rim of the piece to just before the middle of the hole, where others may point as well.
        first, last = min(0.4, 0.32 / motion.length), 1 - min(0.3, 0.16 / motion.length)
        times = [first + (last - first) * k / 24 for k in range(25)]
        points = [self.at(motion.at(time)[cell]) for time in times]
        (ax, ay), (x, y) = points[-4], points[-1]
        way = math.atan2(y - ay, x - ax)
        long, half = 0.24 * size, 0.16 * size
        tip = (x + 0.06 * size * math.cos(way), y + 0.06 * size * math.sin(way))
        back = (tip[0] - long * math.cos(way), tip[1] - long * math.sin(way))
        corners = [(back[0] + s * half * math.sin(way), back[1] - s * half * math.cos(way)) for s in (1, -1)]
        head = Path.polygon([tip, *corners])
        shaft = Path.line([p for p in points if math.dist(p, tip) > long * 0.8] or points[:1])
        halo = 0.07 * size
        return [
            Mark(shaft, None, theme.paper, 0.11 * size + halo),
            Mark(head, theme.paper, theme.paper, halo),
            Mark(shaft, None, theme.accent, 0.11 * size),
            Mark(head, theme.accent, theme.accent, 0.02 * size),
        ]

    def rings(self, cells: Collection[int]) -> list[Item]:
        """A ring within each of these cells, above whatever lies there."""
        path = cell_path(self.board.kind, self.size, 0.08, 0.0 if self.board.kind == "graph" else 0.08)
        mark = Mark(path, None, self.theme.accent, 0.06 * self.size)
        return [Group((mark,), *self.cell(cell)) for cell in sorted(cells)]
