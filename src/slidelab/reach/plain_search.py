"""Plain search over shapes and few labelled pieces, with which certificates are checked.

Nothing here uses groups, gain graphs or the C++ core: moves are played by the rule. Slow and short on
purpose, and independent of `slidelab.boards.walks` on purpose, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from slidelab.errors import TooLarge
from slidelab.puzzles import Puzzle
from slidelab.rules import Cells

__all__ = ["Pieces", "PointMap", "neighbours", "point_map", "search_pieces", "shape_of", "walk_shapes"]

Pieces = tuple[Cells, ...]
"""The cells of every piece, in its reading."""

Shape = frozenset[Cells]

PointMap = tuple[int, ...]
"""Entry x is the home point on which piece point x lies now. The points of piece k are k * turns + mark."""

MAX_SHAPES = 1_000_000
"""Shapes that a walk may visit: about a minute."""

MAX_STATES = 3_000_000
"""States that a search for a few pieces may visit: some minutes."""


def neighbours(puzzle: Puzzle, pieces: Pieces) -> Iterator[tuple[int, Cells]]:
    """Yield every move: the number of the piece (from 0) and its new cells.

    Examples
    --------
    >>> import slidelab as sl
    >>> list(neighbours(sl.puzzle("square R(2,2)"), ((0,), (1,), (2,))))
    [(1, (3,)), (2, (3,))]
    """
    board, rule = puzzle.board, puzzle.rule
    at = {cell: k for k, cells in enumerate(pieces) for cell in cells}
    holes = {cell for cell in range(board.size) if cell not in at}
    near = {at[cell] for hole in holes for cell in board.neighbours[hole] if cell in at}
    for k in sorted(near):
        afters = {step.after for step in rule.steps(board, pieces[k]) if holes.issuperset(step.holes)}
        for after in sorted(afters):
            yield k, after


def shape_of(puzzle: Puzzle, pieces: Pieces) -> Shape:
    """Return the placements of the pieces, forgetting which piece is which.

    Examples
    --------
    >>> import slidelab as sl
    >>> sorted(shape_of(sl.puzzle("hex F(2) gourds"), ((1, 0), (2, 5), (4, 3))))
    [(0, 1), (2, 5), (3, 4)]
    """
    return frozenset(min(puzzle.rule.readings(cells)) for cells in pieces)


def point_map(puzzle: Puzzle, home: Pieces, now: Pieces) -> PointMap | None:
    """Return on which point of `home` each piece point of `now` lies, or None if the shapes differ.

    Examples
    --------
    >>> import slidelab as sl
    >>> point_map(sl.puzzle("square R(2,2)"), ((0,), (1,), (2,)), ((1,), (0,), (2,)))
    (1, 0, 2)
    """
    readings, turns = puzzle.rule.readings, puzzle.rule.turns
    where = {cells: (k, turn) for k, placed in enumerate(home) for turn, cells in enumerate(readings(placed))}
    points: list[int] = []
    for cells in now:
        if cells not in where:
            return None
        k, turn = where[cells]
        points.extend(k * turns + (mark + turn) % turns for mark in range(turns))
    return tuple(points)


def _moved(puzzle: Puzzle, shape: Shape, before: Cells, after: Cells) -> Shape:
    """Return the shape after one piece has moved."""
    readings = puzzle.rule.readings
    return shape - {min(readings(before))} | {min(readings(after))}


def walk_shapes(puzzle: Puzzle, start: Pieces) -> Iterator[tuple[Pieces, Pieces]]:
    """Search breadth-first over shapes, carrying the pieces along.

    Yields
    ------
    tuple of Pieces
        For every move, the first arrangement found at the shape it leads to and the arrangement reached
        there now: the same twice where a shape is new, and the two ends of a loop where it is not.

    Raises
    ------
    TooLarge
        If there are more than `MAX_SHAPES` shapes.

    Examples
    --------
    >>> import slidelab as sl
    >>> walk = walk_shapes(sl.puzzle("square R(2,2)"), ((0,), (1,), (2,)))
    >>> sum(first is reached for first, reached in walk)
    4
    """
    begin = shape_of(puzzle, start)
    first = {begin: start}
    queue = [(begin, start)]
    yield start, start
    for shape, pieces in queue:
        for k, after in neighbours(puzzle, pieces):
            reached = (*pieces[:k], after, *pieces[k + 1 :])
            there = _moved(puzzle, shape, pieces[k], after)
            if there not in first:
                if len(first) >= MAX_SHAPES:
                    raise TooLarge(f"more than {MAX_SHAPES} shapes to check")
                first[there] = reached
                queue.append((there, reached))
            yield first[there], reached


def search_pieces(puzzle: Puzzle, start: Pieces, goal: Pieces, labelled: Sequence[int]) -> bool:
    """Return whether the labelled pieces (from 0) can get to the goal and its shape, all others being alike.

    Raises
    ------
    TooLarge
        If there are more than `MAX_STATES` states.

    Examples
    --------
    >>> import slidelab as sl
    >>> start, goal = ((0,), (1,), (2,)), ((1,), (0,), (2,))
    >>> [search_pieces(sl.puzzle("square R(2,2)"), start, goal, pieces) for pieces in ([0], [0, 1])]
    [True, False]
    """
    readings = puzzle.rule.readings
    end = shape_of(puzzle, goal), tuple(goal[k] for k in labelled)
    begin = shape_of(puzzle, start), tuple(start[k] for k in labelled)
    seen, queue = {begin}, [begin]
    for shape, known in queue:
        if (shape, known) == end:
            return True
        # The others need no names: they lie on what the labelled pieces leave of the shape.
        pieces = (*known, *(shape - {min(readings(cells)) for cells in known}))
        for k, after in neighbours(puzzle, pieces):
            now = (*known[:k], after, *known[k + 1 :]) if k < len(known) else known
            state = _moved(puzzle, shape, pieces[k], after), now
            if state not in seen:
                if len(seen) >= MAX_STATES:
                    raise TooLarge(f"more than {MAX_STATES} states to check")
                seen.add(state)
                queue.append(state)
    return False
