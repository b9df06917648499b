"""Footprints of printed pieces and of the well of their tray, in millimetres, with clearance.

Neighbouring cells are `cell` millimetres apart. Pieces that pass each other, or a wall, keep the clearance.
Square and hexagonal tiles fill their cells otherwise. All other pieces end in discs, whose size follows from
the moves: the centre of a moving disc comes as close as `min_approach` to the centre of a cell that another
piece may cover, and both discs and the clearance must fit there. Other pieces that keep their form are bars
as wide as their discs (see `bars`). The well is the union of what the pieces sweep in all moves, grown by the
clearance: the wall blocks no move, and no more is cut away than necessary.

y grows upwards, unlike in drawings on screen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from slidelab.boards import board
from slidelab.boards.structure import components
from slidelab.draw.layout.geometry import Positions
from slidelab.draw.picture.motions import Motion, Point, motion
from slidelab.draw.print.bars import bar_radius, bars_outline
from slidelab.draw.print.channels import MIN_WALL, channel_radius
from slidelab.errors import PuzzleError
from slidelab.messages import quoted
from slidelab.rules import Cells, Rule

if TYPE_CHECKING:
    from slidelab.puzzles import Puzzle

__all__ = ["Footprint", "min_approach", "piece_footprint", "tray_sizes", "well_outline"]

CIRCLE_SIDES = 72
"""Number of sides of a polygon that approximates a circle."""

MIN_NECK = 1.6
"""Thinnest neck of a gourd in millimetres; thinner ones break."""

ROTATION_STEPS = 24
"""Number of steps of a rotation; no point deviates from its arc by a hundredth of a millimetre."""

APPROACH_STEPS = 240
"""Number of steps of a motion in which the closest approach is looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    """A piece seen from above, its first cell at (0, 0), its second, if any, to the right of it.

    Attributes
    ----------
    outline : array of (n, 2)
        Corners of the outline, anticlockwise.
    centres : tuple of points
        Centres of the cells.
    radius : float
        Radius of the circle around the centre of a cell that the piece covers.
    cell : float
        Distance of neighbouring cells.
    """

    outline: Positions
    centres: tuple[Point, ...]
    radius: float
    cell: float

    @property
    def cell_count(self) -> int:
        """Number of cells of the piece."""
        return len(self.centres)

    def outline_at(self, points: Sequence[Point]) -> Positions:
        """Return the outline of the piece with its cells at these points of a board's drawing."""
        import numpy as np

        x, y, angle = self.pose(points)
        cos, sin = math.cos(angle), math.sin(angle)
        outline: Positions = self.outline @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
        return outline

    def pose(self, points: Sequence[Point]) -> tuple[float, float, float]:
        """Return the position of the first cell and the angle of the piece in radians."""
        (x, y), (next_x, next_y) = points[0], points[min(1, len(points) - 1)]
        angle = math.atan2(y - next_y, next_x - x) if len(points) > 1 else 0.0
        return x * self.cell, -y * self.cell, angle


def piece_footprint(puzzle: Puzzle, cell: float, clearance: float) -> Footprint:
    """Return the footprint of the pieces of a puzzle; raise `PuzzleError` if they cannot be printed.

    >>> import slidelab as sl
    >>> fifteen = piece_footprint(sl.puzzle("square R(4,4)"), 24.0, 0.4)
    >>> round(float(fifteen.outline[:, 0].max() - fifteen.outline[:, 0].min()), 6)
    23.6
    """
    kind, rule = puzzle.board.kind, puzzle.rule
    if (rule.needs_companion and kind == "hex") or (rule.slides_along_edges and kind == "square"):
        return _polygon(kind, cell, clearance)
    if rule.slides_along_edges and kind == "graph":
        return _disc(channel_radius(puzzle.board, cell, clearance), cell)
    if rule.slides_along_edges:
        return _disc(min_approach(rule, kind) * cell / 2 - clearance / 2, cell)
    if rule.corner is not None and kind in ("hex", "square"):
        return _gourd(min_approach(rule, kind) * cell / 2 - clearance / 2, cell)
    if rule.cells > 1 and kind != "graph":
        form, radius = bar_radius(puzzle, cell, clearance)
        outline = bars_outline([(x * cell, -y * cell) for x, y in form], rule.links, radius)
        return Footprint(outline, tuple((x * cell, -y * cell) for x, y in form), radius, cell)
    raise PuzzleError(
        "expected tiles on any board, hextiles on a hex board or pieces of several cells on a board of "
        f"squares or hexagons to be printed, got {rule.name} - on {quoted(puzzle.board.name)}"
    )


@lru_cache(maxsize=64)
def min_approach(rule: Rule, kind: str) -> float:
    """Return the least distance in cells between a moving disc and a cell that another piece may cover.

    All moves of a piece in the middle of a large board of that kind are examined.

    >>> from slidelab.rules import rule
    >>> [round(min_approach(rule("gourds"), kind), 3) for kind in ("hex", "square")]
    [0.732, 0.874]
    >>> round(min_approach(rule("tiles"), "king"), 3)
    0.707
    """
    import numpy as np

    large = board("hex F(5)" if kind == "hex" else f"{kind} R(9,9)")
    middle = large.size // 2
    positions = np.array(large.positions)
    least = math.inf
    for cells in rule.placements(large):
        if middle not in cells:
            continue
        for step in rule.steps(large, cells):
            path = motion(large, rule, step.before, step.after, step.holes)
            times = [k / APPROACH_STEPS for k in range(APPROACH_STEPS + 1)]
            discs = np.array([path.at(time) for time in times]).reshape(-1, 1, 2)
            is_covered = np.ones(large.size, bool)
            is_covered[[*step.before, *step.holes]] = False
            least = min(least, float(np.linalg.norm(discs - positions[is_covered], axis=2).min()))
    return least


def _polygon(kind: str, cell: float, clearance: float) -> Footprint:
    """Return a square or hexagon that fills its cell except for half the clearance on each side."""
    import numpy as np

    sides = 6 if kind == "hex" else 4
    inradius = (cell - clearance) / 2
    rounding = 0.07 * cell
    centre = (inradius - rounding) / math.cos(math.pi / sides)
    corners = []
    for side in range(sides):
        angle = (side + 0.5) * math.tau / sides
        arc = _arc((0, 0), rounding, angle - math.pi / sides, angle + math.pi / sides, 8)
        corners.append(arc + (centre * math.cos(angle), centre * math.sin(angle)))
    return Footprint(np.concatenate(corners), ((0.0, 0.0),), inradius, cell)


def _disc(radius: float, cell: float) -> Footprint:
    return Footprint(_arc((0, 0), radius, 0, math.tau, CIRCLE_SIDES)[:-1], ((0.0, 0.0),), radius, cell)


def _gourd(radius: float, cell: float) -> Footprint:
    """Return two discs and a concave neck, as in the gourds paper.

    The neck is bounded by arcs about the two cells that touch both ends (on squares: about where such cells
    would be), tangent to the discs.
    """
    import numpy as np

    height, arc_radius = math.sqrt(3) / 2 * cell, cell - radius
    neck = 2 * (height - arc_radius)
    if neck < MIN_NECK:
        raise PuzzleError(
            f"expected larger cells or less clearance, got a neck of {max(0.0, neck):.1f} mm, "
            f"thinner than {MIN_NECK} mm - at cells of {cell:g} mm"
        )
    third, large, small = math.pi / 3, CIRCLE_SIDES * 2 // 3, CIRCLE_SIDES // 12
    below, above = (cell / 2, -height), (cell / 2, height)
    arcs = [
        _arc(below, arc_radius, math.pi / 2, third, small)[:-1],
        _arc((cell, 0), radius, -2 * third, 2 * third, large),
        _arc(above, arc_radius, -third, -2 * third, 2 * small)[1:-1],
        _arc((0, 0), radius, third, 5 * third, large),
        _arc(below, arc_radius, 2 * third, math.pi / 2, small)[1:-1],
    ]
    return Footprint(np.concatenate(arcs), ((0.0, 0.0), (cell, 0.0)), radius, cell)


def _arc(centre: Point, radius: float, first: float, last: float, steps: int) -> Positions:
    import numpy as np

    angles = np.linspace(first, last, steps + 1)
    return np.stack([centre[0] + radius * np.cos(angles), centre[1] + radius * np.sin(angles)], axis=1)


def sample_motion(path: Motion) -> list[tuple[Point, ...]]:
    """Return the centres of a piece's cells at times close enough to find all that the piece sweeps."""
    steps = ROTATION_STEPS if path.centre is not None else 2 if path.via is not None else 1
    return [path.at(k / steps) for k in range(steps + 1)]


def well_outline(puzzle: Puzzle, footprint: Footprint, clearance: float) -> Any:
    """Return what is cut out of the tray, as a `manifold3d.CrossSection`.

    Corners of the wall that point inwards are rounded a little, except between channels. Islands that would
    be left between the pieces of a lattice are cut away, unless they fill a cell.
    """
    from manifold3d import CrossSection, JoinType, OpType

    swept = CrossSection.batch_boolean(list(_swept_regions(puzzle, footprint)), OpType.Add)
    is_graph = puzzle.board.kind == "graph"
    rounding = 0.0 if is_graph else 0.04 * footprint.cell  # walls between channels stay as long as possible
    grown = swept.offset(clearance + rounding, JoinType.Round, 2.0, CIRCLE_SIDES)
    well = grown.offset(-rounding, JoinType.Round, 2.0, CIRCLE_SIDES).simplify(0.004)
    min_island = MIN_WALL**2 if is_graph else 0.1 * footprint.cell**2
    areas = [(row, polygon_area(row)) for row in well.to_polygons()]
    return CrossSection([row for row, area in areas if area > 0 or area < -min_island])


def tray_sizes(puzzle: Puzzle, footprint: Footprint, clearance: float) -> tuple[list[Point], bool]:
    """Return width and depth of the well of each component of the board, and whether they are exact.

    Only the positions of cells are used. Tiles move straight from cell to cell, so they stay inside the box
    around their cells; a turning gourd may leave it, and the wells of two components may merge, so the sizes
    are then lower bounds.

    >>> import slidelab as sl
    >>> fifteen = sl.puzzle("square R(4,4)")
    >>> footprint = piece_footprint(fifteen, 24.0, 0.4)
    >>> [(round(x, 1), round(y, 1)) for x, y in tray_sizes(fifteen, footprint, 0.4)[0]]
    [(96.4, 96.4)]
    """
    radius = footprint.radius
    (left, bottom), (right, top) = (-radius, -radius), (radius, radius)
    if footprint.cell_count == 1:
        left, bottom = footprint.outline.min(axis=0).tolist()
        right, top = footprint.outline.max(axis=0).tolist()
    sizes = []
    parts = components(puzzle.board)
    for cells in parts:
        xs, ys = zip(*(puzzle.board.positions[cell] for cell in cells), strict=True)
        if len(cells) >= footprint.cell_count:  # smaller components never hold a piece
            width, depth = (max(xs) - min(xs)) * footprint.cell, (max(ys) - min(ys)) * footprint.cell
            sizes.append((width + right - left + 2 * clearance, depth + top - bottom + 2 * clearance))
    return sizes, footprint.cell_count == 1 and len(parts) == 1


def polygon_area(corners: Positions) -> float:
    """Return the area of a polygon, negative if its corners are in clockwise order.

    >>> import numpy as np
    >>> polygon_area(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]))
    2.0
    """
    import numpy as np

    x, y = corners[:, 0], corners[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def _swept_regions(puzzle: Puzzle, footprint: Footprint) -> Iterator[Any]:
    """Yield what the moves from each placement sweep; on a lattice the same few regions, shifted."""
    from manifold3d import CrossSection, OpType

    positions, cell = puzzle.board.positions, footprint.cell
    known: dict[Any, Any] = {}
    for cells in puzzle.rule.placements(puzzle.board):
        x, y = positions[cells[0]]
        motions = {}
        for path in _motions_from(puzzle, cells):
            points = (*path.at(0), *path.at(0.5), *path.at(1))  # enough to distinguish motions
            motions[tuple((round(a - x, 3), round(b - y, 3)) for a, b in points)] = path
        for key, path in motions.items():
            if key not in known:
                known[key] = _sweep(path, footprint).translate((-x * cell, y * cell))
        keys = tuple(motions)
        if keys not in known:
            known[keys] = CrossSection.batch_boolean([known[key] for key in keys], OpType.Add)
        yield known[keys].translate((x * cell, -y * cell))


def _motions_from(puzzle: Puzzle, cells: Cells) -> Iterator[Motion]:
    """Yield a motion at rest, and the motions to later placements (earlier ones are their inverses)."""
    points = tuple(puzzle.board.positions[cell] for cell in cells)
    yield Motion(points, points)
    for step in puzzle.rule.steps(puzzle.board, cells):
        if len(step.holes) <= puzzle.hole_count and min(puzzle.rule.readings(step.after)) > cells:
            yield motion(puzzle.board, puzzle.rule, step.before, step.after, step.holes)


def _sweep(path: Motion, footprint: Footprint) -> Any:
    """Return all that a piece covers during a motion.

    A convex piece that moves straight sweeps the hull of its start and end. Of a gourd each disc moves in
    small straight steps, and the neck is taken as it is at each of them.
    """
    from manifold3d import CrossSection, OpType

    samples = sample_motion(path)
    covered = [CrossSection([footprint.outline_at(points)]) for points in samples]
    convex = footprint if footprint.cell_count == 1 else _disc(footprint.radius, footprint.cell)
    for k in range(footprint.cell_count):
        outlines = [CrossSection([convex.outline_at([points[k]])]) for points in samples]
        covered += [CrossSection.batch_hull(list(pair)) for pair in pairwise(outlines)]
    return CrossSection.batch_boolean(covered, OpType.Add).simplify(0.002)
