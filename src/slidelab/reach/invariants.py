"""What hexagonal tiles keep on boards of any size, as the paper of Karpman and Roldan argues.

Three arguments refuse a goal without any group and name what a reader of the paper expects: on a strip of two
rows no tile passes another (Theorem 1.1), with two holes a tile leaves a tight corner only to return (Lemma
4.1), and with two holes order and direction change together (Theorem 1.5). Their certificates are checked by
`slidelab.reach.invariant_checks`, which shares no code with this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from slidelab.boards import Board, congruent_families, tight_corners
from slidelab.boards.lattice import HEXAGON_DIRECTIONS
from slidelab.permutations import is_even
from slidelab.puzzles import Configuration, Puzzle
from slidelab.rules import Rule

__all__ = ["find_invariant", "pieces_along", "strip_order", "strip_theorem"]


def find_invariant(start: Configuration, goal: Configuration) -> tuple[str, dict[str, Any]] | None:
    """Return a sentence and a certificate if hexagonal tiles keep something that the goal has not, else None.

    Parameters
    ----------
    start, goal
        Configurations of one puzzle.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("hex P(2,5)")
    >>> reason, certificate = find_invariant(p.configuration("2 1 3 4 5 6 7 8 . ."), p.goal)
    >>> reason
    'tile 2 stays above tile 1, or left of it in the same row, and the goal has it right of it (Theorem 1.1)'
    >>> certificate["kind"], certificate["pieces"]
    ('order', [2, 1])
    """
    puzzle = start.puzzle
    if not puzzle.rule.needs_companion or puzzle.colours is not None or puzzle.board.kind != "hex":
        return None
    if not len(start.moves) or not len(goal.moves):
        return None  # locked, which is the simpler reason
    found = _passed_tile(start, goal)
    if found is None and puzzle.hole_count == 2:
        found = _corner_tile(start, goal) or _augmented_parity(start, goal)
    return found


# Theorem 1.1: no tile passes another on a strip


def strip_order(puzzle: Puzzle) -> tuple[int, ...] | None:
    """Return the cells in an order along which no tile can pass another, or None if none is found.

    It exists on strips of triangles, on which each cell touches the next and the next but one: a tile that
    moves by two passes a cell that must be empty. These are two rows of cells, and the order is that of
    Theorem 1.1, by row and column.

    Examples
    --------
    >>> import slidelab as sl
    >>> strip_order(sl.puzzle("hex P(2,3)")), strip_order(sl.puzzle("hex P(3,3)"))
    ((0, 1, 2, 3, 4, 5), None)
    """
    return _strip_order(puzzle.board, puzzle.rule)


@lru_cache(maxsize=16)
def _strip_order(board: Board, rule: Rule) -> tuple[int, ...] | None:
    if len(board.edges) != 2 * board.size - 3:  # those between the next and the next but one
        return None
    ends = [cell for cell in range(board.size) if len(board.neighbours[cell]) <= 2]
    for first in ends:
        for second in board.neighbours[first]:
            order = _grown(board, first, second)
            if order is not None and _keeps_order(board, rule, order):
                return order
    return None


def _grown(board: Board, first: int, second: int) -> tuple[int, ...] | None:
    """Return all cells from an end on: always the one that touches the earliest cell with a cell missing."""
    order, place = [first, second], {first: 0, second: 1}
    begin = 0
    while len(order) < board.size:
        while begin < len(order) and all(cell in place for cell in board.neighbours[order[begin]]):
            begin += 1
        if begin == len(order):
            return None
        missing = [cell for cell in board.neighbours[order[begin]] if cell not in place]
        if len(missing) > 2:
            return None
        following = max(missing, key=lambda cell: sum(other in place for other in board.neighbours[cell]))
        place[following] = len(order)
        order.append(following)
    return tuple(order)


def _keeps_order(board: Board, rule: Rule, order: Sequence[int]) -> bool:
    place = {cell: k for k, cell in enumerate(order)}
    if any(abs(place[a] - place[b]) > 2 for a, b in board.edges):
        return False
    for cell in range(board.size):
        for step in rule.steps(board, (cell,)):
            low, high = sorted((place[cell], place[step.after[0]]))
            if not set(order[low + 1 : high]) <= set(step.holes):
                return False
    return True


def _passed_tile(start: Configuration, goal: Configuration) -> tuple[str, dict[str, Any]] | None:
    order = strip_order(start.puzzle)
    if order is None:
        return None
    here, there = pieces_along(start, order), pieces_along(goal, order)
    if here == there:
        return None
    k = next(k for k, (a, b) in enumerate(zip(here, there, strict=True)) if a != b)
    first, second = here[k], there[k]  # the goal has the second where the start has the first
    stays = _relation(goal, order, first, second)
    source = strip_theorem(start.puzzle.board)
    return f"{stays} ({source})", {"kind": "order", "cells": list(order), "pieces": [first, second]}


def strip_theorem(board: Board) -> str:
    """Return how the theorem about a strip is called: the paper has it for P(2,m)."""
    two_rows = any(family == "P" and 2 in numbers for family, numbers in congruent_families(board))
    return "Theorem 1.1" if two_rows else "as in Theorem 1.1"


def pieces_along(configuration: Configuration, order: Sequence[int]) -> list[int]:
    """Return the numbers of the tiles in the order of their cells.

    >>> import slidelab as sl
    >>> pieces_along(sl.puzzle("hex P(2,3)").configuration("2 . 1 . 4 3"), range(6))
    [2, 1, 4, 3]
    """
    tile_at = {cell: k for k, (cell,) in enumerate(configuration.pieces, 1)}
    return [tile_at[cell] for cell in order if cell in tile_at]


def _relation(goal: Configuration, order: Sequence[int], first: int, second: int) -> str:
    """Return the sentence that one tile stays on its side of another, but for the goal."""
    board = goal.puzzle.board
    rows = [board.cells[cell][1] for cell in order]  # of two cells each, as the paper draws them?
    if list(order) == sorted(order) and max(rows.count(row) for row in rows) <= 2:
        where = f"above tile {second}, or left of it in the same row"
        here, there = (board.cells[goal.pieces[tile - 1][0]][1] for tile in (first, second))
        other = "right of it" if here == there else "below it"
        return f"tile {first} stays {where}, and the goal has it {other}"
    (x, y), (u, v) = (board.positions[order[0]], board.positions[order[-1]])
    side, other = ("left", "right") if u > x else ("right", "left")
    if abs(v - y) > abs(u - x):
        side, other = ("above", "below") if v > y else ("below", "above")
        return f"tile {first} stays {side} tile {second} along the strip, and the goal has it {other}"
    return f"tile {first} stays {side} of tile {second} along the strip, and the goal has it {other} of it"


# Lemma 4.1: a tile in a tight corner


def _corner_tile(start: Configuration, goal: Configuration) -> tuple[str, dict[str, Any]] | None:
    board = start.puzzle.board
    for corner in tight_corners(board):
        here, there = _bound_to(start, corner), _bound_to(goal, corner)
        if here and there and here != there:
            certificate = {"kind": "corner", "cell": corner, "pieces": [here]}
            if start.pieces[here - 1] == (corner,):
                reason = f"tile {here} sits in the tight corner at cell {corner} and leaves it only to return"
            else:
                reason = f"tile {here} belongs to the tight corner at cell {corner}, beside which it lies"
            return f"{reason} (Lemma 4.1)", certificate
    return None


def _bound_to(configuration: Configuration, corner: int) -> int:
    """Return the tile in a tight corner, or the one that has stepped out of it; 0 if that cannot be said."""
    tile_at = {cell: k for k, (cell,) in enumerate(configuration.pieces, 1)}
    if corner in tile_at:
        return tile_at[corner]
    beside = [tile_at[cell] for cell in configuration.puzzle.board.neighbours[corner] if cell in tile_at]
    return beside[0] if len(beside) == 1 else 0


# Theorem 1.5: the augmented parity


def _augmented_parity(start: Configuration, goal: Configuration) -> tuple[str, dict[str, Any]] | None:
    if _parity(start) == _parity(goal):
        return None
    reason = "the tiles would need an odd permutation, and with two holes every loop is even (Theorem 1.5)"
    return reason, {"kind": "augmented"}


def _parity(configuration: Configuration) -> int:
    """Return the parity of all cells, holes numbered, plus that of the direction from hole to hole.

    Each slide swaps a tile with a hole and turns the line between the holes by 60 degrees: both change. If
    the holes are numbered the other way round, both change, too.
    """
    board = configuration.puzzle.board  # directions follow each other by 60 degrees
    first, second = configuration.holes
    images = [cell for (cell,) in configuration.pieces] + [first, second]
    (q, r), (x, y) = board.cells[first], board.cells[second]
    return (not is_even(images)) ^ (HEXAGON_DIRECTIONS.index((x - q, y - r)) % 2)
