"""Pieces of several cells that keep their form: bars of one width along their links.

A piece is everything within a radius of its links, and of the middle of triangles and blocks. So the room
between two pieces is the distance of their links less two radii, and the radius follows from how close a
moving link comes to another one. If that is too little, the piece sweeps over cells that the rule does not
require to be empty: a straight piece of three cells that turns about its end passes over the centre of one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidelab.boards import Board, board
from slidelab.draw.layout.geometry import Positions, closest_points
from slidelab.draw.picture.bodies import face_cycles, rigid_form
from slidelab.draw.picture.motions import Motion, Point, motion
from slidelab.errors import PuzzleError
from slidelab.messages import counted, quoted
from slidelab.rules import Cells, Rule, Step

if TYPE_CHECKING:
    from slidelab.puzzles import Puzzle

__all__ = ["Approach", "bar_radius", "bars_outline", "closest_approach"]

MIN_RADII = {"hex": 0.25, "square": math.sqrt(2) / 4, "king": 0.15}
"""Radius in cells that keeps a disc from slipping between two others on cells that it must not pass."""

APPROACH_STEPS = 120
"""Number of steps of a motion in which the closest approach is looked for."""

REACH = 1.1
"""Distance in cells from a moving piece within which others are looked at; there is always one closer."""

CIRCLE_SIDES = 72
"""Number of sides of a polygon that approximates a circle."""

FORM_TOLERANCE = 1e-6
"""Change of a distance in cells that is a rounding error."""

MotionKey = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Approach:
    """The least distance in cells between the links of a moving piece and of another, and the move."""

    distance: float
    kind: str


def bar_radius(puzzle: Puzzle, cell: float, clearance: float) -> tuple[tuple[Point, ...], float]:
    """Return the form of a piece in cells, and its radius in millimetres; raise `PuzzleError` if it has none.

    >>> import slidelab as sl
    >>> round(bar_radius(sl.puzzle("hex F(3) trimers-triangle"), 24.0, 0.4)[1], 2)
    8.58
    >>> bar_radius(sl.puzzle("hex F(3) trimers-straight 4"), 24.0, 0.4)
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: expected moves that leave room for other pieces, got a pivot that passes
    0.0 mm from the middle of one - of trimers-straight with 4 holes on 'hex F(3)'
    """
    where = f"{puzzle.rule.name} with {counted(puzzle.hole_count, 'hole')} on {quoted(puzzle.board.name)}"
    form = rigid_form(puzzle.board, puzzle.rule)
    if form is None:
        raise PuzzleError(
            f"expected pieces that keep their form to be printed, got some that bend or stretch - {where}"
        )
    found = closest_approach(puzzle)
    if found is None:
        raise PuzzleError(f"expected pieces that can move to be printed, got none that can - {where}")
    radius = (found.distance * cell - clearance) / 2
    if radius < MIN_RADII[puzzle.board.kind] * cell - clearance:
        raise PuzzleError(
            f"expected moves that leave room for other pieces, got a {found.kind} that passes "
            f"{found.distance * cell:.1f} mm from the middle of one - of {where}"
        )
    return form, radius


def closest_approach(puzzle: Puzzle) -> Approach | None:
    """Return how close pieces come to each other in the moves of a puzzle; None if nothing can move.

    The moves are those that are possible on its board with its holes, each looked at in the middle of a large
    board, where every other cell may be covered, and all links between these.
    """
    rule, large = puzzle.rule, _large_board(puzzle.board.kind)
    possible = {
        _key(puzzle.board, step)
        for cells in rule.placements(puzzle.board)
        for step in rule.steps(puzzle.board, cells)
        if len(step.holes) <= puzzle.hole_count
    }
    found: Approach | None = None
    for step in _middle_steps(large, rule):
        key = _key(large, step)
        if key in possible:
            possible.remove(key)  # it comes again for the other cells of the piece, shifted
            distance = _least_distance(large, rule, step)
            if found is None or distance < found.distance:
                found = Approach(distance, step.kind)
    return found


def _large_board(kind: str) -> Board:
    return board("hex F(7)" if kind == "hex" else f"{kind} R(13,13)")


def _middle_steps(large: Board, rule: Rule) -> Iterator[Step]:
    middle = large.size // 2
    for cells in rule.placements(large):
        if middle in cells:
            yield from rule.steps(large, cells)


def _key(on: Board, step: Step) -> MotionKey:
    """Return the cells of a move relative to the first one."""
    x, y = on.cells[step.before[0]]
    places = (on.cells[cell] for cell in (*step.before, *step.after))
    return tuple((a - x, b - y) for a, b in places)


def _least_distance(large: Board, rule: Rule, step: Step) -> float:
    """Return the least distance of the links of a moving piece from cells and links that may be covered.

    Two segments that do not cross are closest at an end of one of them.
    """
    import numpy as np

    path = motion(large, rule, step.before, step.after, step.holes)
    if not _keeps_form(path):
        return 0.0
    moving = np.array([path.at(k / APPROACH_STEPS) for k in range(APPROACH_STEPS + 1)])
    positions = np.array(large.positions)
    used = {*step.before, *step.holes}
    low, high = moving.min(axis=(0, 1)) - REACH, moving.max(axis=(0, 1)) + REACH
    is_near = ((positions > low) & (positions < high)).all(axis=1)
    covered = {cell for cell in np.flatnonzero(is_near).tolist() if cell not in used}
    others = positions[sorted(covered)]
    links = [(a, b) for a, b in large.edges if a in covered and b in covered]
    first, last = (positions[[link[k] for link in links]] for k in (0, 1))
    least = _distance(moving.reshape(-1, 1, 2), first, last)
    for a, b in rule.links:
        least = min(least, _distance(others, moving[:, a, None], moving[:, b, None]))
    return least


def _keeps_form(path: Motion) -> bool:
    """Return whether all distances between the cells of a piece are the same midway."""
    half = path.at(0.5)
    return all(
        abs(math.dist(half[a], half[b]) - math.dist(path.before[a], path.before[b])) < FORM_TOLERANCE
        for a in range(len(half))
        for b in range(a)
    )


def _distance(points: Positions, first: Positions, last: Positions) -> float:
    """Return the least distance of any of the points from any of the segments."""
    import numpy as np

    return float(np.linalg.norm(points - closest_points(points, first, last), axis=-1).min())


def bars_outline(centres: Sequence[Point], links: Sequence[tuple[int, int]], radius: float) -> Positions:
    """Return the outline of everything within a radius of the links and of what short cycles of them enclose.

    >>> bars_outline([(0.0, 0.0), (10.0, 0.0)], [(0, 1)], 2.0).max(axis=0).round(2).tolist()
    [12.0, 2.0]
    """
    import numpy as np
    from manifold3d import CrossSection, OpType

    disc = CrossSection.circle(radius, CIRCLE_SIDES)
    faces: list[Cells] = [*links, *face_cycles(links)]
    parts = [CrossSection.batch_hull([disc.translate(centres[cell]) for cell in cells]) for cells in faces]
    rows = CrossSection.batch_boolean(parts, OpType.Add).simplify(0.004).to_polygons()
    outline: Positions = np.array(max(rows, key=len), dtype=float)
    return outline
