"""Outlines of pieces, composed of shapes that are positioned by the cells of the piece.

A piece of one cell is one shape. A chain has a disc at each cell and a neck between linked cells. A neck
consists of two halves, one per cell, so that each cell can have its own colour and the same few shapes are
shifted and rotated in every motion. The outline of a gourd is the one of the paper: two discs joined by arcs
about the cells that touch both. Its discs are as large as a turn or a pivot between neighbours allows: the
ends of two gourds come as close as sqrt(3) - 1 cells.

Cells that are linked in a cycle, as in a triangle or a block, are one body without a hole. If the piece keeps
its form, that body is a single path, divided among the cells: each colours what is closest to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from slidelab.boards import Board
from slidelab.boards.hexagons import ROW_HEIGHT
from slidelab.draw.marks import Path, Point
from slidelab.rules import Rule

__all__ = ["Shape", "cell_path", "label_box", "piece_shapes", "rigid_form"]

GOURD_RADIUS = (math.sqrt(3) - 1) / 2
"""Radius of the ends of a gourd in cells, without clearance."""

CLEARANCE = 0.012
"""Gap in cells that keeps two touching discs apart in a drawing."""

SQUARE_RADIUS = 0.4
"""Radius in cells of the discs of long pieces on boards other than hexagons."""

GRAPH_RADIUS = 0.36
"""Radius in cells of a tile on a graph."""

TILE_INSET, TILE_ROUNDING = 0.035, 0.11
"""Distance in cells of a tile from the border of its cell; how far from its corners it is rounded."""

KING_ROUNDING = 0.24
"""Rounding of tiles that also move across corners, which shows the passages between the cells."""

FORM_TOLERANCE = 1e-6
"""Distance in cells below which two placements of a piece have the same form."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A part of a piece in the coordinates of one of its cells.

    Attributes
    ----------
    path : Path
        The outline, around cell number `at` of the piece.
    cell : int
        The cell whose colour the shape has.
    at : int
        The cell at which it is drawn.
    toward : int, optional
        Another cell, to which it is rotated to point.
    stretches : bool
        Whether it is stretched if these two cells are not one unit apart.
    clip : Path, optional
        The region outside which it is not drawn.
    """

    path: Path
    cell: int = 0
    at: int = 0
    toward: int | None = None
    stretches: bool = True
    clip: Path | None = None


def piece_shapes(board: Board, rule: Rule, scale: float) -> list[Shape]:
    """Return the shapes of a piece from back to front; `scale` is the size of a cell in pixels.

    >>> from slidelab.boards import board
    >>> from slidelab.rules import rule
    >>> [(s.at, s.toward) for s in piece_shapes(board("hex F(2)"), rule("gourds"), 40.0)]
    [(0, None), (1, None), (0, 1), (1, 0)]
    """
    if rule.cells == 1:
        return [Shape(tile_path(board.kind, rule.needs_companion, scale))]
    radius = end_radius(board.kind)
    if len(rule.links) >= rule.cells and (form := rigid_form(board, rule)) is not None:
        body = body_path(form, rule.links, radius).scaled(scale)
        regions = (nearest_region(form, cell).scaled(scale) for cell in range(rule.cells - 1))
        parts = [Shape(body, cell, 0, 1, False, region) for cell, region in enumerate(regions)]
        return [Shape(body, rule.cells - 1, 0, 1, False), *parts]
    is_chain = len(rule.links) < rule.cells
    neck = _neck(board.kind, radius, scale, is_chain)
    discs = [Shape(disc_path(radius, scale), cell, cell) for cell in range(rule.cells)]
    ends = [(a, b) for link in rule.links for a, b in (link, link[::-1])]
    if is_chain:
        return [*discs, *(Shape(neck, a, a, b) for a, b in ends)]
    # Necks overlap: they are a body of one colour below the discs.
    return [*(Shape(neck, rule.cells - 1, a, b) for a, b in ends), *discs]


def end_radius(kind: str) -> float:
    """Return the radius of the discs of pieces of several cells, in cells."""
    return GOURD_RADIUS - CLEARANCE if kind == "hex" else SQUARE_RADIUS


@lru_cache(maxsize=32)
def rigid_form(board: Board, rule: Rule) -> tuple[Point, ...] | None:
    """Return where the cells of a piece are, or None if that differs between placements.

    The first cell is at (0, 0) and the second to the right of it.

    >>> from slidelab.boards import board
    >>> from slidelab.rules import rule
    >>> [(round(x, 3), round(y, 3)) for x, y in rigid_form(board("hex F(2)"), rule("trimers-triangle"))]
    [(0.0, 0.0), (1.0, 0.0), (0.5, -0.866)]
    >>> rigid_form(board("hex F(2)"), rule("trimers")) is None
    True
    """
    form: tuple[Point, ...] | None = None
    for placement in rule.placements(board):
        for cells in rule.readings(placement):
            found = _at_origin([board.positions[cell] for cell in cells])
            if form is None:
                form = found
            elif any(math.dist(a, b) > FORM_TOLERANCE for a, b in zip(form, found, strict=True)):
                return None
    return form


def _at_origin(points: Sequence[Point]) -> tuple[Point, ...]:
    """Shift the first point to (0, 0), and rotate the second to the right of it."""
    (x, y), *_ = points
    moved = [(px - x, py - y) for px, py in points]
    length = math.hypot(*moved[1]) if len(moved) > 1 else 0.0
    if not length:
        return tuple(moved)
    cos, sin = moved[1][0] / length, moved[1][1] / length
    return tuple((px * cos + py * sin, py * cos - px * sin) for px, py in moved)


def body_path(form: Sequence[Point], links: Sequence[tuple[int, int]], radius: float) -> Path:
    """Return discs, bars as wide as the discs along the links, and all that short cycles of links enclose.

    All outlines have the same orientation, so that together they fill their union.
    """
    paths = [disc_path(radius, 1.0).scaled(1.0, x, y) for x, y in form]
    for a, b in links:
        (ax, ay), (bx, by) = form[a], form[b]
        share = radius / (math.dist(form[a], form[b]) or 1.0)
        dx, dy = (bx - ax) * share, (by - ay) * share
        corners = [(ax + dy, ay - dx), (bx + dy, by - dx), (bx - dy, by + dx), (ax - dy, ay + dx)]
        paths.append(Path.polygon(clockwise(corners)))
    for cycle in face_cycles(links):
        paths.append(Path.polygon(clockwise([form[cell] for cell in cycle])))
    return Path.union(paths)


def face_cycles(links: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the cycles of three or four links, in whose middle there is no room for another cell.

    >>> face_cycles([(0, 1), (1, 2), (0, 2)]), face_cycles([(0, 1), (1, 2), (2, 3), (0, 3)])
    ([(0, 1, 2)], [(0, 1, 2, 3)])
    """
    linked = {frozenset(link) for link in links}
    cells = sorted({cell for link in links for cell in link})

    def is_cycle(*order: int) -> bool:
        return all(frozenset(pair) in linked for pair in zip(order, (*order[1:], order[0]), strict=True))

    cycles: list[tuple[int, ...]] = [three for three in combinations(cells, 3) if is_cycle(*three)]
    for a, b, c, d in combinations(cells, 4):
        cycles += [order for order in ((a, b, c, d), (a, b, d, c), (a, c, b, d)) if is_cycle(*order)]
    return cycles


def clockwise(corners: Sequence[Point]) -> list[Point]:
    """Return the corners of a polygon in clockwise order on screen, where y grows downwards.

    >>> clockwise([(0, 0), (0, 1), (1, 0)])
    [(1, 0), (0, 1), (0, 0)]
    """
    following = [*corners[1:], corners[0]]
    area = sum(ax * by - ay * bx for (ax, ay), (bx, by) in zip(corners, following, strict=True))
    return list(corners) if area >= 0 else list(reversed(corners))


def nearest_region(form: Sequence[Point], cell: int) -> Path:
    """Return the region, within reach of a piece, that is closer to one of its cells than to the others."""
    return Path.polygon(nearest_corners(form, cell))


def nearest_corners(form: Sequence[Point], cell: int) -> list[Point]:
    """Return the corners of that region, clockwise.

    >>> nearest_corners([(0.0, 0.0), (1.0, 0.0)], 1)
    [(0.5, -2.0), (3.0, -2.0), (3.0, 2.0), (0.5, 2.0)]
    """
    x, y = form[cell]
    reach = 1 + max(math.dist(form[cell], point) for point in form)
    corners = [(x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)]
    for number, other in enumerate(form):
        if number != cell:
            corners = _closer_half(corners, form[cell], other)
    return corners


def _closer_half(corners: Sequence[Point], one: Point, other: Point) -> list[Point]:
    """Return the part of a convex polygon that is closer to one point than to another, with its order."""
    middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)

    def excess(point: Point) -> float:
        """Return a number that is positive where the other point is closer."""
        (x, y), (dx, dy) = point, (other[0] - one[0], other[1] - one[1])
        return (x - middle[0]) * dx + (y - middle[1]) * dy

    kept: list[Point] = []
    for corner, following in zip(corners, [*corners[1:], corners[0]], strict=True):
        here, there = excess(corner), excess(following)
        if here <= 0:
            kept.append(corner)
        if here * there < 0:
            share = here / (here - there)
            (ax, ay), (bx, by) = corner, following
            kept.append((ax + (bx - ax) * share, ay + (by - ay) * share))
    return kept


@lru_cache(maxsize=256)
def cell_path(kind: str, scale: float, inset: float, rounding: float = 0.0) -> Path:
    """Return the outline of a cell around (0, 0); `inset` and `rounding` are in cells, `scale` in pixels.

    >>> cell_path("square", 10.0, 0.1).svg
    'M-4 -4L4 -4L4 4L-4 4Z'
    """
    return _unit_cell(kind, inset, rounding).scaled(scale)


def _unit_cell(kind: str, inset: float, rounding: float) -> Path:
    if kind == "graph":
        return Path.circle((0, 0), GRAPH_RADIUS + 0.04 - inset)
    if kind == "hex":
        radius = (0.5 - inset) / ROW_HEIGHT
        angles = [math.pi / 6 + k * math.pi / 3 for k in range(6)]
        return Path.polygon([(radius * math.cos(a), radius * math.sin(a)) for a in angles], rounding)
    half = 0.5 - inset
    return Path.polygon([(-half, -half), (half, -half), (half, half), (-half, half)], rounding)


@lru_cache(maxsize=64)
def _neck(kind: str, radius: float, scale: float, is_chain: bool) -> Path:
    """Return half the neck from a disc at (0, 0) to one at (1, 0), slightly longer so that no gap shows.

    On hexagons and squares it is bounded by arcs about the cells that touch both ends, tangent to the discs.
    On graphs cells may be farther apart and the neck is stretched, so there it is a plain bar; between cells
    that are linked in a cycle it is a bar as wide as the discs.
    """
    arc_radius = 1 - radius
    if kind not in ("hex", "square") or not is_chain:
        half = ROW_HEIGHT - arc_radius if is_chain else radius
        return Path.polygon([(0.0, -half), (0.51, -half), (0.51, half), (0.0, half)]).scaled(scale)
    first, last = math.atan2(ROW_HEIGHT, -0.5), math.pi / 2 - 0.02
    above = Path.arc((0.5, -ROW_HEIGHT), arc_radius, first, last)
    below = Path.arc((0.5, ROW_HEIGHT), arc_radius, -last, -first)
    return above.then(below).closed().scaled(scale)


@lru_cache(maxsize=64)
def disc_path(radius: float, scale: float) -> Path:
    """Return a disc around (0, 0); `radius` is in cells, `scale` in pixels."""
    return Path.circle((0, 0), radius * scale)


@lru_cache(maxsize=64)
def tile_path(kind: str, needs_companion: bool, scale: float) -> Path:
    """Return the outline of a piece of one cell."""
    if kind == "graph":
        return disc_path(GRAPH_RADIUS, scale)
    if kind == "hex" and not needs_companion:  # a disc can pass between two others, a hexagon cannot
        return disc_path(ROW_HEIGHT / 2 - CLEARANCE, scale)
    return cell_path(kind, scale, TILE_INSET, KING_ROUNDING if kind == "king" else TILE_ROUNDING)


def label_box(kind: str, rule: Rule) -> tuple[float, float]:
    """Return the width and height in cells that the text on a cell of a piece may have."""
    if rule.cells > 1:
        radius = end_radius(kind)
        return 1.5 * radius, 0.78 * radius
    if kind == "graph":
        return 0.52, 0.29
    if kind == "hex":
        return (0.68, 0.36) if rule.needs_companion else (0.6, 0.33)
    return 0.72, 0.38
