"""Pieces and the well of their tray seen from above, in millimetres, with room to slide.

Two neighbouring cells are `cell` millimetres apart. Two pieces that pass each other keep the clearance
between them, and so do a piece and the wall. Square and hexagonal tiles fill their cells but for that. All
other pieces end in discs, and how large a disc can be follows from the moves: the middle of a moving end
comes as near as `nearest_approach` to the middle of a cell that another piece may lie on, and both discs and
the clearance must find room there. The well is whatever the pieces of the puzzle sweep in any move, grown by
the clearance; so the wall never bars a move, and no more is cut away than the moves need.

Coordinates are those of a print: y grows upwards, unlike that of drawings on a screen.
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
from slidelab.draw.picture.motions import Motion, Point, motion
from slidelab.draw.print.channels import WALL, channel_radius
from slidelab.errors import PuzzleError
from slidelab.messages import quoted
from slidelab.rules import rule as rule_named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.puzzles import Puzzle

__all__ = ["ROUND", "Plan", "area", "nearest_approach", "plan", "poses", "tray_room", "well"]

ROUND = 72  # sides of a polygon that stands for a circle
THINNEST_NECK = 1.6
TIMES = 24  # poses along a turn: between two of them no point is off its arc by a hundredth of a millimetre


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A piece seen from above: its first cell at (0, 0), its second, if it has one, at (`cell`, 0).

    Attributes
    ----------
    outline : array of (n, 2)
        The corners of its outline, anticlockwise.
    ends : int
        The number of its cells.
    radius : float
        How far it reaches from the middle of a cell at least: a number finds room within.
    """

    outline: NDArray[np.float64]
    ends: int
    radius: float
    cell: float

    @property
    def middles(self) -> tuple[Point, ...]:
        """Where the middles of its cells are."""
        return tuple((end * self.cell, 0.0) for end in range(self.ends))

    def at(self, points: Sequence[Point]) -> NDArray[np.float64]:
        """The outline of the piece that lies on these points of a board's drawing."""
        import numpy as np

        x, y, angle = self.pose(points)
        cos, sin = math.cos(angle), math.sin(angle)
        placed: NDArray[np.float64] = self.outline @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
        return placed

    def pose(self, points: Sequence[Point]) -> tuple[float, float, float]:
        """Where its first cell is then, and the angle of the piece in radians."""
        (x, y), (far_x, far_y) = points[0], points[-1]
        angle = math.atan2(y - far_y, far_x - x) if len(points) > 1 else 0.0
        return x * self.cell, -y * self.cell, angle


def plan(puzzle: Puzzle, cell: float, clearance: float) -> Plan:
    """The outline that the pieces of a puzzle share; `PuzzleError` if such pieces can not be printed.

    >>> import slidelab as sl
    >>> fifteen = plan(sl.puzzle("square R(4,4)"), 24.0, 0.4)
    >>> round(float(fifteen.outline[:, 0].max() - fifteen.outline[:, 0].min()), 6)
    23.6
    """
    where, kind, name = puzzle.board, puzzle.board.kind, puzzle.rule.name
    if (name, kind) in (("hextiles", "hex"), ("tiles", "square")):
        return _filling(kind, cell, clearance)
    if name == "tiles" and kind == "graph":
        return _disc(channel_radius(where, cell, clearance), cell)
    if name == "tiles":
        return _disc(nearest_approach(name, kind) * cell / 2 - clearance / 2, cell)
    if name in ("gourds", "gourds-sharp") and kind in ("hex", "square"):
        return _gourd(nearest_approach(name, kind) * cell / 2 - clearance / 2, cell)
    raise PuzzleError(
        "expected tiles on any board, hextiles on a hex board or gourds on a hex or square board to be "
        f"printed, got {name} - on {quoted(where.name)}"
    )


@lru_cache(maxsize=64)
def nearest_approach(name: str, kind: str) -> float:
    """How near a moving end comes to the middle of a cell that another piece may lie on, in cells.

    All moves of a piece in the middle of a board that is large enough for it are looked at.

    >>> [round(nearest_approach("gourds", kind), 3) for kind in ("hex", "square")]
    [0.732, 0.874]
    >>> round(nearest_approach("tiles", "king"), 3)
    0.707
    """
    import numpy as np

    rule = rule_named(name)
    around = board("hex F(5)" if kind == "hex" else f"{kind} R(9,9)")
    middle = around.size // 2
    positions = np.array(around.positions)
    best = math.inf
    for cells in rule.placements(around):
        if middle not in cells:
            continue
        for step in rule.steps(around, cells):
            way = motion(around, rule, step.before, step.after, step.holes)
            ends = np.array([way.at(k / 240) for k in range(241)]).reshape(-1, 1, 2)
            free = np.ones(around.size, bool)
            free[[*step.before, *step.holes]] = False
            best = min(best, float(np.linalg.norm(ends - positions[free], axis=2).min()))
    return best


def _filling(kind: str, cell: float, clearance: float) -> Plan:
    """A square or hexagon that fills its cell but for half the clearance on each side."""
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
    return Plan(np.concatenate(corners), 1, inradius, cell)


def _disc(radius: float, cell: float) -> Plan:
    return Plan(_arc((0, 0), radius, 0, math.tau, ROUND)[:-1], 1, radius, cell)


def _gourd(radius: float, cell: float) -> Plan:
    """Two discs and a concave neck, as in the paper on gourds.

    The neck is bounded by two arcs around the two cells that touch both ends (on squares: around where such
    cells would be), which meet the discs without a corner. The first and the middle corner of the outline are
    those in the middle of the neck.
    """
    import numpy as np

    high, bow = math.sqrt(3) / 2 * cell, cell - radius
    if 2 * (high - bow) < THINNEST_NECK:
        raise PuzzleError(
            f"expected larger cells or less clearance, got a neck of {max(0.0, 2 * (high - bow)):.1f} mm, "
            f"thinner than {THINNEST_NECK} mm - at cells of {cell:g} mm"
        )
    third, big, small = math.pi / 3, ROUND * 2 // 3, ROUND // 12
    below, above = (cell / 2, -high), (cell / 2, high)
    arcs = [
        _arc(below, bow, math.pi / 2, third, small)[:-1],
        _arc((cell, 0), radius, -2 * third, 2 * third, big),
        _arc(above, bow, -third, -2 * third, 2 * small)[1:-1],
        _arc((0, 0), radius, third, 5 * third, big),
        _arc(below, bow, 2 * third, math.pi / 2, small)[1:-1],
    ]
    return Plan(np.concatenate(arcs), 2, radius, cell)


def _arc(centre: Point, radius: float, first: float, last: float, steps: int) -> NDArray[np.float64]:
    import numpy as np

    angles = np.linspace(first, last, steps + 1)
    return np.stack([centre[0] + radius * np.cos(angles), centre[1] + radius * np.sin(angles)], axis=1)


def poses(way: Motion) -> list[tuple[Point, ...]]:
    """Where the cells of a piece are from time to time, often enough to tell all that it sweeps."""
    steps = TIMES if way.centre is not None else 2 if way.via is not None else 1
    return [way.at(k / steps) for k in range(steps + 1)]


def well(puzzle: Puzzle, shape: Plan, clearance: float) -> Any:
    """What is cut out of the tray, as a `manifold3d.CrossSection`: all that pieces sweep, and the clearance.

    Corners of the wall that point inwards are rounded a little, except between channels. What would be left
    standing between the pieces of a lattice is cut away, unless it fills the place of a cell.
    """
    from manifold3d import CrossSection, JoinType, OpType

    swept = CrossSection.batch_boolean(list(_sweeps(puzzle, shape)), OpType.Add)
    is_graph = puzzle.board.kind == "graph"
    rounding = 0.0 if is_graph else 0.04 * shape.cell  # walls between channels stay as long as they can be
    grown = swept.offset(clearance + rounding, JoinType.Round, 2.0, ROUND)
    cut = grown.offset(-rounding, JoinType.Round, 2.0, ROUND).simplify(0.004)
    least = WALL**2 if is_graph else 0.1 * shape.cell**2
    return CrossSection([row for row in cut.to_polygons() if area(row) > 0 or area(row) < -least])


def tray_room(puzzle: Puzzle, shape: Plan, clearance: float) -> tuple[list[Point], bool]:
    """Width and depth of the well for each part of the board, and whether they are exact or the least.

    Only positions are looked at. Tiles go straight from cell to cell, so nothing they sweep is outside the
    box around their places; the ends of a gourd that turns may swing out of it. And the wells of two parts of
    a board may be one.

    >>> import slidelab as sl
    >>> fifteen = sl.puzzle("square R(4,4)")
    >>> [(round(x, 1), round(y, 1)) for x, y in tray_room(fifteen, plan(fifteen, 24.0, 0.4), 0.4)[0]]
    [(96.4, 96.4)]
    """
    where, radius = puzzle.board, shape.radius
    (left, low), (right, high) = (-radius, -radius), (radius, radius)
    if shape.ends == 1:
        (left, low), (right, high) = shape.outline.min(axis=0).tolist(), shape.outline.max(axis=0).tolist()
    out = []
    for cells in (parts := components(where)):
        xs, ys = zip(*(where.positions[cell] for cell in cells), strict=True)
        if len(cells) >= shape.ends:  # no piece ever lies in a part that is smaller
            wide, deep = (max(xs) - min(xs)) * shape.cell, (max(ys) - min(ys)) * shape.cell
            out.append((wide + right - left + 2 * clearance, deep + high - low + 2 * clearance))
    return out, shape.ends == 1 and len(parts) == 1


def area(corners: NDArray[np.float64]) -> float:
    """The area of a polygon, negative if its corners come clockwise.

    >>> import numpy as np
    >>> area(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]))
    2.0
    """
    import numpy as np

    x, y = corners[:, 0], corners[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def _sweeps(puzzle: Puzzle, shape: Plan) -> Iterator[Any]:
    """What the moves of each placement sweep; on a lattice the same few regions, shifted."""
    from manifold3d import CrossSection, OpType

    where, cell = puzzle.board, shape.cell
    known: dict[Any, Any] = {}
    for cells in puzzle.rule.placements(where):
        x, y = where.positions[cells[0]]
        ways = {}
        for way in _ways(puzzle, cells):
            points = (*way.at(0), *way.at(0.5), *way.at(1))  # enough to tell it from other ways
            ways[tuple((round(a - x, 3), round(b - y, 3)) for a, b in points)] = way
        for key, way in ways.items():
            if key not in known:
                known[key] = _swept(way, shape).translate((-x * cell, y * cell))
        every = tuple(ways)
        if every not in known:
            known[every] = CrossSection.batch_boolean([known[key] for key in every], OpType.Add)
        yield known[every].translate((x * cell, -y * cell))


def _ways(puzzle: Puzzle, cells: tuple[int, ...]) -> Iterator[Motion]:
    """Resting in a place and the ways out of it, one of each pair that differ only in direction."""
    where, rule = puzzle.board, puzzle.rule
    points = tuple(where.positions[cell] for cell in cells)
    yield Motion(points, points)
    for step in rule.steps(where, cells):
        if min(rule.readings(step.after)) > cells:
            yield motion(where, rule, step.before, step.after, step.holes)


def _swept(way: Motion, shape: Plan) -> Any:
    """All that a piece covers on its way.

    A convex piece that goes straight sweeps the hull of where it starts and ends. Of a gourd each disc goes a
    small step straight at a time, and the neck is taken as it lies at each of them.
    """
    from manifold3d import CrossSection, OpType

    rows = poses(way)
    covered = [CrossSection([shape.at(points)]) for points in rows]
    moving = shape if shape.ends == 1 else _disc(shape.radius, shape.cell)
    for end in range(shape.ends):
        outlines = [CrossSection([moving.at([points[end]])]) for points in rows]
        covered += [CrossSection.batch_hull(list(pair)) for pair in pairwise(outlines)]
    return CrossSection.batch_boolean(covered, OpType.Add).simplify(0.002)
