"""Plain search on shapes and few labelled pieces: what certificates are checked with.

Nothing here knows groups, gain graphs or the C++ core; it plays moves by the rule and looks where
the pieces end up. Slow and short on purpose, and independent of `slidelab.boards.walks` on purpose, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from slidelab.errors import TooLarge
from slidelab.puzzles import Puzzle
from slidelab.rules import Cells

__all__ = ["Pieces", "Places", "neighbours", "place_map", "search_pieces", "shape_of", "walk_shapes"]

Pieces = tuple[Cells, ...]
Shape = frozenset[Cells]
# Entry x: the home place at which piece point x lies now. Points of piece k are k * turns + mark.
Places = tuple[int, ...]


def neighbours(puzzle: Puzzle, pieces: Pieces) -> Iterator[tuple[int, Cells]]:
    """Every move: the number of the piece (from 0) and its new cells."""
    board, rule = puzzle.board, puzzle.rule
    at = {cell: k for k, cells in enumerate(pieces) for cell in cells}
    holes = {cell for cell in range(board.size) if cell not in at}
    near = {at[cell] for hole in holes for cell in board.neighbours[hole] if cell in at}
    for k in sorted(near):
        afters = {step.after for step in rule.steps(board, pieces[k]) if holes.issuperset(step.holes)}
        for after in sorted(afters):
            yield k, after


def shape_of(puzzle: Puzzle, pieces: Pieces) -> Shape:
    """Where pieces lie, forgetting which."""
    return frozenset(min(puzzle.rule.readings(cells)) for cells in pieces)


def place_map(puzzle: Puzzle, home: Pieces, now: Pieces) -> Places | None:
    """Where each piece point of `now` lies among the places of `home`; None if the shapes differ."""
    readings, turns = puzzle.rule.readings, puzzle.rule.turns
    where = {cells: (k, turn) for k, placed in enumerate(home) for turn, cells in enumerate(readings(placed))}
    out: list[int] = []
    for cells in now:
        if cells not in where:
            return None
        k, turn = where[cells]
        out.extend(k * turns + (mark + turn) % turns for mark in range(turns))
    return tuple(out)


def _moved(puzzle: Puzzle, shape: Shape, before: Cells, after: Cells) -> Shape:
    """The shape after one piece went elsewhere."""
    readings = puzzle.rule.readings
    return shape - {min(readings(before))} | {min(readings(after))}


def walk_shapes(puzzle: Puzzle, start: Pieces, most: int = 1_000_000) -> Iterator[tuple[Pieces, Pieces]]:
    """Breadth-first over shapes, carrying the pieces along.

    Yields (first arrangement found at a shape, arrangement reached there now) for every move: the
    same twice where a shape is new, and the two ends of a loop where it is not.
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
                if len(first) >= most:
                    raise TooLarge(f"more than {most} shapes to check")
                first[there] = reached
                queue.append((there, reached))
            yield first[there], reached


def search_pieces(
    puzzle: Puzzle, start: Pieces, goal: Pieces, watched: Sequence[int], most: int = 3_000_000
) -> bool:
    """Can the watched pieces (from 0) get to their goal places and shape, if all others are alike?"""
    readings = puzzle.rule.readings
    wanted = shape_of(puzzle, goal), tuple(goal[k] for k in watched)
    begin = shape_of(puzzle, start), tuple(start[k] for k in watched)
    seen, queue = {begin}, [begin]
    for shape, known in queue:
        if (shape, known) == wanted:
            return True
        # The others need no names: they lie on what the watched pieces leave of the shape.
        pieces = (*known, *(shape - {min(readings(cells)) for cells in known}))
        for k, after in neighbours(puzzle, pieces):
            now = (*known[:k], after, *known[k + 1 :]) if k < len(known) else known
            state = _moved(puzzle, shape, pieces[k], after), now
            if state not in seen:
                if len(seen) >= most:
                    raise TooLarge(f"more than {most} states to check")
                seen.add(state)
                queue.append(state)
    return False
