"""Motions of pieces between the cells before and after a move, as physical pieces would take them.

A piece of several cells moves by the one translation or rotation that carries its old cells to the new ones:
a slide is straight, a gourd turns about the cell in between and pivots about the end that stays. A hexagonal
tile fills its cell and cannot move straight: it follows the sides of its fixed neighbour through the second
hole, and midway its centre is on the corner where the three cells meet. All other motions are straight.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from slidelab.boards import Board
from slidelab.draw.glyphs import Point
from slidelab.puzzles import Configuration, Move, MoveList
from slidelab.rules import Cells, Rule

__all__ = ["Motion", "Point", "ease", "motion", "move_motion", "track_motions", "track_moves"]

TOLERANCE = 1e-9
"""Distance in cells below which two points are equal."""


@dataclass(frozen=True, slots=True)
class Motion:
    """The path of the centres of a piece's cells, from `before` to `after`.

    Attributes
    ----------
    via : point, optional
        Where the centre of a single cell passes midway.
    centre, angle
        Centre and angle (radians, clockwise on screen) of a rotation.
    swings : int, optional
        The only cell of a flexible piece that rotates; the others stay.
    """

    before: tuple[Point, ...]
    after: tuple[Point, ...]
    via: Point | None = None
    centre: Point | None = None
    angle: float = 0.0
    swings: int | None = None

    def at(self, time: float) -> tuple[Point, ...]:
        """Return the centres of the cells at a time from 0 to 1.

        >>> from slidelab.boards import board
        >>> from slidelab.rules import rule
        >>> pivot = motion(board("hex T(2)"), rule("gourds"), (0, 1), (0, 2))
        >>> [(round(x, 3), round(y, 3)) for x, y in pivot.at(0.5)]
        [(0.0, 0.0), (0.0, 1.0)]
        """
        if self.via is not None:
            (a,), (b,) = self.before, self.after
            if time < 0.5:
                return (_interpolate(a, self.via, 2 * time),)
            return (_interpolate(self.via, b, 2 * time - 1),)
        if self.centre is None:
            return tuple(_interpolate(a, b, time) for a, b in zip(self.before, self.after, strict=True))
        angle = self.angle * time
        return tuple(
            _rotate(point, self.centre, angle) if self.swings in (None, k) else point
            for k, point in enumerate(self.before)
        )

    @property
    def length(self) -> float:
        """Length of the path of the cell that moves farthest."""
        if self.via is not None:
            return math.dist(self.before[0], self.via) + math.dist(self.via, self.after[0])
        if self.centre is not None:
            centre = self.centre
            moving = self.before if self.swings is None else [self.before[self.swings]]
            return abs(self.angle) * max(math.dist(point, centre) for point in moving)
        return max(math.dist(a, b) for a, b in zip(self.before, self.after, strict=True))


def ease(time: float) -> float:
    """Map a time from 0 to 1 so that a motion starts and stops softly (smoothstep).

    >>> ease(0.0), ease(0.5), ease(1.0)
    (0.0, 0.5, 1.0)
    """
    return time * time * (3 - 2 * time)


def move_motion(move: Move, configuration: Configuration) -> Motion:
    """Return the motion of a move from a configuration."""
    puzzle = configuration.puzzle
    return motion(puzzle.board, puzzle.rule, move.before, move.after, configuration.holes)


def track_motions(start: Configuration, moves: Sequence[Move]) -> Iterator[tuple[int, Cells, Motion]]:
    """Yield for each move the piece (from 0), its new cells in that piece's reading, and the motion.

    >>> import slidelab as sl
    >>> s = sl.puzzle("square R(2,2)").solve("3 1 / . 2")
    >>> [(piece, cells) for piece, cells, _ in track_motions(s.start, s.moves)]
    [(2, (2,)), (0, (0,)), (1, (1,))]
    """
    board, rule = start.puzzle.board, start.puzzle.rule
    for piece, before, after, holes in track_moves(start, moves):
        yield piece, after, motion(board, rule, before, after, holes)


def track_moves(start: Configuration, moves: Sequence[Move]) -> Iterator[tuple[int, Cells, Cells, Cells]]:
    """Yield for each move the piece (from 0), its cells before and after, and the holes that its motion uses.

    In the text of a move, pieces of one colour may exchange numbers, and a piece with equal ends its ends. On
    screen they keep their identity: a piece is found by its cells and keeps its own reading.
    """
    board, rule = start.puzzle.board, start.puzzle.rule
    placements = list(start.pieces)
    piece_on = {cell: piece for piece, cells in enumerate(placements) for cell in cells}
    common: dict[Cells, list[int]] = {}  # neighbours of both cells, of which one must be a hole
    for row in MoveList.of(moves).lists():
        old, new = row[2 : 2 + rule.cells], row[2 + rule.cells :]
        piece = piece_on[old[0]]
        before = placements[piece]
        after = tuple(new[old.index(cell)] for cell in before)
        holes: Cells = ()
        if rule.needs_companion:
            pair = (before[0], after[0])
            if pair not in common:
                common[pair] = _common_neighbours(board, *pair)
            holes = tuple(cell for cell in common[pair] if cell not in piece_on)
        yield piece, before, after, holes
        for cell in before:
            del piece_on[cell]
        piece_on.update(dict.fromkeys(after, piece))
        placements[piece] = after


def motion(board: Board, rule: Rule, before: Cells, after: Cells, holes: Collection[int] = ()) -> Motion:
    """Return the motion of a piece; `holes` are the empty cells before the move.

    >>> from slidelab.boards import board
    >>> from slidelab.rules import rule
    >>> m = motion(board("hex T(2)"), rule("hextiles"), (0,), (1,), holes=(1, 2))
    >>> [(round(x, 3), round(y, 3)) for x, y in m.at(0.5)]
    [(0.0, 0.577)]
    """
    start = tuple(board.positions[cell] for cell in before)
    end = tuple(board.positions[cell] for cell in after)
    if rule.needs_companion and board.kind == "hex":
        return Motion(start, end, via=_corner(board, before[0], after[0], holes))
    if len(before) == 1 or not board.cells:
        return Motion(start, end)
    rigid = _rigid_motion(start, end)
    if all(math.dist(a, b) < TOLERANCE for a, b in zip(rigid.at(1), end, strict=True)):
        return rigid
    fixed = [k for k, (a, b) in enumerate(zip(before, after, strict=True)) if a == b]
    if len(fixed) == len(before) - 1:
        (swings,) = set(range(len(before))) - set(fixed)
        centre = start[min(fixed, key=lambda k: abs(k - swings))]
        if math.isclose(math.dist(start[swings], centre), math.dist(end[swings], centre)):
            angle = _angle(start[swings], end[swings], centre)
            return Motion(start, end, centre=centre, angle=angle, swings=swings)
    return Motion(start, end)


def _corner(board: Board, first: int, second: int, holes: Collection[int]) -> Point | None:
    """Return where the two cells meet the second hole, or None without one (the tile must be lifted)."""
    companion = next((cell for cell in _common_neighbours(board, first, second) if cell in holes), None)
    if companion is None:
        return None
    corners = [board.positions[cell] for cell in (first, second, companion)]
    return sum(x for x, _ in corners) / 3, sum(y for _, y in corners) / 3


def _common_neighbours(board: Board, first: int, second: int) -> list[int]:
    return [cell for cell in board.neighbours[first] if board.adjacent(cell, second)]


def _rigid_motion(start: tuple[Point, ...], end: tuple[Point, ...]) -> Motion:
    """Return the translation or rotation that carries the first and the last cell to their new positions.

    The centre of rotation is on the perpendicular bisector of a point and its image, at a distance that
    follows from the angle.
    """
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = start[0], start[-1], end[0], end[-1]
    angle = math.remainder(math.atan2(dy - cy, dx - cx) - math.atan2(by - ay, bx - ax), math.tau)
    if abs(angle) < TOLERANCE:
        return Motion(start, tuple((x + cx - ax, y + cy - ay) for x, y in start))
    offset = 0.5 / math.tan(angle / 2)
    centre = ((ax + cx) / 2 - (cy - ay) * offset, (ay + cy) / 2 + (cx - ax) * offset)
    return Motion(start, end, centre=centre, angle=angle)


def _angle(start: Point, end: Point, centre: Point) -> float:
    first = math.atan2(start[1] - centre[1], start[0] - centre[0])
    return math.remainder(math.atan2(end[1] - centre[1], end[0] - centre[0]) - first, math.tau)


def _rotate(point: Point, centre: Point, angle: float) -> Point:
    x, y = point[0] - centre[0], point[1] - centre[1]
    cos, sin = math.cos(angle), math.sin(angle)
    return centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos


def _interpolate(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
