"""Check that a rule keeps what a certificate says, move by move, on boards of any size.

No search: each kind is a statement about single moves, which is tested for every move of the rule on the
board. Shares no code with `slidelab.reach.invariants`, which makes the certificates.

- ``order``: along these cells no tile passes another, since the cells between must be empty; at the goal the
  first of two tiles comes after the second.
- ``corner``: with two holes a move into or out of this cell needs just the two cells beside it, so that after
  a tile has stepped out, only this tile can move; the goal has it elsewhere.
- ``augmented``: with two holes each move swaps one tile with a hole and turns the line between the holes by
  60 degrees, so the parity of the permutation of all cells and that of the direction change together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from slidelab.puzzles import Configuration
from slidelab.rules import Step

__all__ = ["keeps_augmented_parity", "keeps_corner", "keeps_order"]


def _steps(configuration: Configuration) -> Iterator[Step]:
    """Yield every move of the rule, whatever the other pieces do."""
    board, rule = configuration.puzzle.board, configuration.puzzle.rule
    for cell in range(board.size):
        yield from rule.steps(board, (cell,))


def _is_single(start: Configuration) -> bool:
    """Return whether pieces are numbered and cover one cell each."""
    return start.puzzle.rule.cells == 1 and start.puzzle.colours is None


def keeps_order(start: Configuration, goal: Configuration, certificate: Mapping[str, Any]) -> bool:
    """Return whether tiles keep their order along a line of cells, and the goal has another."""
    cells, (first, second) = list(certificate["cells"]), certificate["pieces"]
    size, count = start.puzzle.board.size, len(start.pieces)
    if not _is_single(start) or any(type(cell) is not int for cell in (*cells, first, second)):
        return False
    if sorted(cells) != list(range(size)) or not (0 < first <= count and 0 < second <= count):
        return False
    number = {cell: k for k, cell in enumerate(cells)}
    for step in _steps(start):
        a, b = number[step.before[0]], number[step.after[0]]
        for k in range(min(a, b) + 1, max(a, b)):
            if cells[k] not in step.holes:
                return False
    before = [number[start.pieces[k - 1][0]] for k in (first, second)]
    after = [number[goal.pieces[k - 1][0]] for k in (first, second)]
    return before[0] < before[1] and after[0] > after[1]


def keeps_corner(start: Configuration, goal: Configuration, certificate: Mapping[str, Any]) -> bool:
    """Return whether a tile stays in or at a tight corner, and the goal has it elsewhere."""
    corner, (piece,) = certificate["cell"], certificate["pieces"]
    board = start.puzzle.board
    if type(corner) is not int or type(piece) is not int or not _is_single(start):
        return False
    if not (0 <= corner < board.size and 0 < piece <= len(start.pieces)) or start.puzzle.hole_count != 2:
        return False
    beside = set(board.neighbours[corner])
    if len(beside) != 2:
        return False
    for step in _steps(start):
        needed = set(step.holes)
        if len(needed) != 2:
            return False
        if step.before[0] == corner and needed != beside:
            return False
        if corner in needed and (
            step.before[0] not in beside or needed != {corner, *beside} - {step.before[0]}
        ):
            return False

    def is_bound(configuration: Configuration) -> bool:
        """Return whether the piece is in the corner, or beside it with both holes around it."""
        (cell,) = configuration.pieces[piece - 1]
        return cell == corner or (cell in beside and set(configuration.holes) == {corner, *beside} - {cell})

    return is_bound(start) and not is_bound(goal)


def keeps_augmented_parity(start: Configuration, goal: Configuration, certificate: Mapping[str, Any]) -> bool:
    """Return whether order and direction of the holes change together, and the goal breaks that."""
    board = start.puzzle.board
    if not _is_single(start) or board.kind != "hex" or start.puzzle.hole_count != 2:
        return False

    def turn(a: int, b: int) -> int:
        """Return the direction from one cell to one that it touches, in sixths of a turn."""
        (q, r), (x, y) = board.cells[a], board.cells[b]
        return {(1, 0): 0, (0, 1): 1, (-1, 1): 2, (-1, 0): 3, (0, -1): 4, (1, -1): 5}[x - q, y - r]

    for step in _steps(start):
        (before,), (after,) = step.before, step.after
        others = [hole for hole in step.holes if hole != after]
        if len(others) != 1 or (turn(others[0], before) - turn(others[0], after)) % 6 not in (1, 5):
            return False

    def parity(configuration: Configuration) -> int:
        numbered = [cells[0] for cells in configuration.pieces] + list(configuration.holes)
        swaps = 0
        for k in range(len(numbered)):
            while numbered[k] != k:
                j = numbered[k]
                numbered[k], numbered[j] = numbered[j], j
                swaps += 1
        return (swaps + turn(*configuration.holes)) % 2

    found = parity(start), parity(goal)
    return found[0] != found[1]
