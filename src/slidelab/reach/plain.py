"""Plain search on shapes and few labelled pieces: what certificates are checked with.

Nothing here knows groups, gain graphs or the C++ core; it plays moves by the rule and looks where
the pieces end up. Slow and short on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from slidelab.errors import TooLarge
from slidelab.puzzles import Puzzle
from slidelab.rules import Cells

__all__ = ["Pieces", "Places", "loops", "neighbours", "place_map", "search_pieces", "shape_of", "walk_shapes"]

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


def walk_shapes(puzzle: Puzzle, start: Pieces, most: int = 1_000_000) -> Iterator[tuple[Pieces, Pieces]]:
    """Breadth-first over shapes, carrying the pieces along.

    Yields (first arrangement found at a shape, arrangement reached there now) for every move: the
    same twice where a shape is new, and the two ends of a loop where it is not.
    """
    first = {shape_of(puzzle, start): start}
    queue = [start]
    yield start, start
    for pieces in queue:
        for k, after in neighbours(puzzle, pieces):
            reached = (*pieces[:k], after, *pieces[k + 1 :])
            shape = shape_of(puzzle, reached)
            if shape not in first:
                if len(first) >= most:
                    raise TooLarge(f"more than {most} shapes to check")
                first[shape] = reached
                queue.append(reached)
            yield first[shape], reached


def loops(puzzle: Puzzle, start: Pieces) -> Iterator[Places]:
    """What every loop of moves does to the pieces, seen at the start: these generate all that can happen."""
    for first, reached in walk_shapes(puzzle, start):
        if first is not reached:
            permutation = place_map(puzzle, first, reached)
            if permutation is not None and permutation != tuple(range(len(permutation))):
                yield permutation


def search_pieces(
    puzzle: Puzzle, start: Pieces, goal: Pieces, watched: Sequence[int], most: int = 3_000_000
) -> bool:
    """Can the watched pieces (from 0) get to their goal places and shape, if all others are alike?"""
    rule = puzzle.rule

    def state(pieces: Pieces) -> tuple[Shape, Pieces]:
        return shape_of(puzzle, pieces), tuple(pieces[k] for k in watched)

    def relabelled(pieces: Pieces) -> Pieces:
        # Others are alike: name them by where they lie, so that equal states have equal pieces.
        others = sorted(min(rule.readings(pieces[k])) for k in range(len(pieces)) if k not in keep)
        free = iter(others)
        return tuple(pieces[k] if k in keep else next(free) for k in range(len(pieces)))

    keep = set(watched)
    wanted = state(goal)
    begin = relabelled(start)
    seen, queue = {state(begin)}, [begin]
    for pieces in queue:
        if state(pieces) == wanted:
            return True
        for k, after in neighbours(puzzle, pieces):
            reached = (*pieces[:k], after, *pieces[k + 1 :])
            key = state(reached)
            if key not in seen:
                if len(seen) >= most:
                    raise TooLarge(f"more than {most} states to check")
                seen.add(key)
                queue.append(relabelled(reached))
    return wanted in seen
