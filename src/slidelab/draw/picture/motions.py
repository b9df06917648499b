"""How a piece gets from one place to the next: the way that a real one takes.

A move says only where a piece lies before and after. A rigid piece of two or more cells goes there by the one
shift or turn that takes its cells to the new ones: in line for a slide, round the cell between for a turn of
a gourd, round the end that stays for a pivot. A hexagonal tile can not go straight, since both corners
beside its way are in it: it goes along the sides of its fixed neighbour, through the second hole, and half
way its middle is over the corner where the three cells meet. Everything else goes straight.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from slidelab.boards import Board
from slidelab.draw.glyphs import Point
from slidelab.puzzles import Configuration, Move, MoveList
from slidelab.rules import Cells, Rule

__all__ = ["Motion", "Point", "eased", "followed", "motion", "motion_of", "walk"]


@dataclass(frozen=True, slots=True)
class Motion:
    """The way of the middles of a piece's cells from `before` to `after`.

    `via` is where a tile passes half way; `centre` and `angle` (in radians, clockwise in the drawing) are
    those of a turn. `swings` names a cell of a flexible piece that goes round another one.
    """

    before: tuple[Point, ...]
    after: tuple[Point, ...]
    via: Point | None = None
    centre: Point | None = None
    angle: float = 0.0
    swings: int | None = None

    def at(self, time: float) -> tuple[Point, ...]:
        """Where the cells of the piece are at a time from 0 to 1.

        >>> from slidelab.boards import board
        >>> from slidelab.rules import rule
        >>> pivot = motion(board("hex T(2)"), rule("gourds"), (0, 1), (0, 2))
        >>> [(round(x, 3), round(y, 3)) for x, y in pivot.at(0.5)]
        [(0.0, 0.0), (0.0, 1.0)]
        """
        if self.via is not None:
            (a,), (b,) = self.before, self.after
            here = _between(a, self.via, 2 * time) if time < 0.5 else _between(self.via, b, 2 * time - 1)
            return (here,)
        if self.centre is None:
            return tuple(_between(a, b, time) for a, b in zip(self.before, self.after, strict=True))
        if self.swings is not None:
            moved = list(self.before)
            moved[self.swings] = _turned(moved[self.swings], self.centre, self.angle * time)
            return tuple(moved)
        return tuple(_turned(point, self.centre, self.angle * time) for point in self.before)

    @property
    def length(self) -> float:
        """How far the cell that goes farthest goes."""
        if self.via is not None:
            return math.dist(self.before[0], self.via) + math.dist(self.via, self.after[0])
        if self.centre is not None:
            centre = self.centre
            goes = self.before if self.swings is None else [self.before[self.swings]]
            return abs(self.angle) * max(math.dist(point, centre) for point in goes)
        return max(math.dist(a, b) for a, b in zip(self.before, self.after, strict=True))


def eased(time: float) -> float:
    """The time with a soft start and a soft stop.

    >>> eased(0.0), eased(0.5), eased(1.0)
    (0.0, 0.5, 1.0)
    """
    return time * time * (3 - 2 * time)


def motion_of(move: Move, configuration: Configuration) -> Motion:
    """The way of a move that is made from this configuration."""
    puzzle = configuration.puzzle
    return motion(puzzle.board, puzzle.rule, move.before, move.after, configuration.holes)


def walk(start: Configuration, moves: Sequence[Move]) -> Iterator[tuple[int, Cells, Motion]]:
    """For each move which piece it takes (from 0), where to, in that piece's reading, and how.

    >>> import slidelab as sl
    >>> s = sl.puzzle("square R(2,2)").solve("3 1 / . 2")
    >>> [(piece, cells) for piece, cells, _ in walk(s.start, s.moves)]
    [(2, (2,)), (0, (0,)), (1, (1,))]
    """
    board, rule = start.puzzle.board, start.puzzle.rule
    for piece, before, after, holes in followed(start, moves):
        yield piece, after, motion(board, rule, before, after, holes)


def followed(start: Configuration, moves: Sequence[Move]) -> Iterator[tuple[int, Cells, Cells, Cells]]:
    """For each move the piece (from 0), its cells before and after, and the holes that matter for its way.

    Pieces of one colour may swap their numbers, and a piece of two like ends its ends, in what a move says.
    On the screen they do not: so go by the piece that lies there, and by the order in which it has its cells.
    """
    board, wide = start.puzzle.board, start.puzzle.rule.cells
    places = list(start.pieces)
    lies = {cell: piece for piece, cells in enumerate(places) for cell in cells}
    # Only hexagonal tiles go round a corner, and the hole beside their way says which.
    beside: dict[Cells, list[int]] | None = {} if start.puzzle.rule.name == "hextiles" else None
    for row in MoveList.of(moves).lists():
        before, after = row[2 : 2 + wide], row[2 + wide :]
        piece = lies[before[0]]
        here = places[piece]
        there = tuple(after[before.index(cell)] for cell in here)
        holes: Cells = ()
        if beside is not None:
            pair = (here[0], there[0])
            if pair not in beside:
                beside[pair] = [c for c in board.neighbours[pair[0]] if board.adjacent(c, pair[1])]
            holes = tuple(cell for cell in beside[pair] if cell not in lies)
        yield piece, here, there, holes
        for cell in here:
            del lies[cell]
        lies.update(dict.fromkeys(there, piece))
        places[piece] = there


def motion(board: Board, rule: Rule, before: Cells, after: Cells, holes: Collection[int] = ()) -> Motion:
    """The way of a piece of that rule; `holes` are the empty cells before the move.

    >>> from slidelab.boards import board
    >>> from slidelab.rules import rule
    >>> m = motion(board("hex T(2)"), rule("hextiles"), (0,), (1,), holes=(1, 2))
    >>> [(round(x, 3), round(y, 3)) for x, y in m.at(0.5)]
    [(0.0, 0.577)]
    """
    start = tuple(board.positions[cell] for cell in before)
    end = tuple(board.positions[cell] for cell in after)
    if rule.name == "hextiles" and board.kind == "hex":
        return Motion(start, end, via=_corner(board, before[0], after[0], holes))
    if len(before) == 1 or not board.cells:
        return Motion(start, end)
    rigid = _rigid(start, end)
    if all(math.dist(a, b) < 1e-9 for a, b in zip(rigid.at(1), end, strict=True)):
        return rigid
    still = [k for k, (a, b) in enumerate(zip(before, after, strict=True)) if a == b]
    if len(still) == len(before) - 1:
        (swings,) = set(range(len(before))) - set(still)
        centre = start[min(still, key=lambda k: abs(k - swings))]
        if math.isclose(math.dist(start[swings], centre), math.dist(end[swings], centre)):
            angle = _angle(start[swings], end[swings], centre)
            return Motion(start, end, centre=centre, angle=angle, swings=swings)
    return Motion(start, end)


def _corner(board: Board, first: int, second: int, holes: Collection[int]) -> Point | None:
    """Where the two cells meet the second hole; None if there is none, and the tile must be lifted."""
    common = [c for c in board.neighbours[first] if board.adjacent(c, second) and c in holes]
    if not common:
        return None
    three = [board.positions[cell] for cell in (first, second, common[0])]
    return sum(x for x, _ in three) / 3, sum(y for _, y in three) / 3


def _rigid(start: tuple[Point, ...], end: tuple[Point, ...]) -> Motion:
    """The shift or turn that takes the first and the last cell there, if any does.

    The middle between a point and its image lies on a line through the centre, at right angles to the way
    from the one to the other; how far off the centre is follows from the angle.
    """
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = start[0], start[-1], end[0], end[-1]
    angle = math.remainder(math.atan2(dy - cy, dx - cx) - math.atan2(by - ay, bx - ax), math.tau)
    if abs(angle) < 1e-9:
        return Motion(start, tuple((x + cx - ax, y + cy - ay) for x, y in start))
    far = 0.5 / math.tan(angle / 2)
    centre = ((ax + cx) / 2 - (cy - ay) * far, (ay + cy) / 2 + (cx - ax) * far)
    return Motion(start, end, centre=centre, angle=angle)


def _angle(start: Point, end: Point, centre: Point) -> float:
    first = math.atan2(start[1] - centre[1], start[0] - centre[0])
    return math.remainder(math.atan2(end[1] - centre[1], end[0] - centre[0]) - first, math.tau)


def _turned(point: Point, centre: Point, angle: float) -> Point:
    x, y = point[0] - centre[0], point[1] - centre[1]
    cos, sin = math.cos(angle), math.sin(angle)
    return centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
