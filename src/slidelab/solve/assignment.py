"""Coloured pieces as numbered ones: assign the pieces of each colour to goal placements."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

from slidelab.boards.walks import distance_list
from slidelab.errors import TooLarge
from slidelab.place.assignment import minimum_cost_assignment
from slidelab.puzzles import Colours, Configuration
from slidelab.reach.verdict import reason_unsolvable
from slidelab.rules import Cells

__all__ = ["nearest_assignment", "numbered"]

MAX_MATCHED_PIECES = 400
"""Pieces for which each colour is matched optimally; the assignment of more takes seconds."""

MAX_SWAPS = 40
"""Pairs of pieces of one colour that are swapped in search of a goal that can be reached."""


def numbered(start: Configuration, goal: Configuration) -> tuple[Configuration, Configuration]:
    """Return start and goal with numbered pieces, matched by colour so that the goal can be reached."""
    puzzle = start.puzzle
    plain = puzzle.uncoloured
    pieces = goal.pieces
    if puzzle.colours is not None and puzzle.rule.cells > 1 and puzzle.piece_count <= MAX_MATCHED_PIECES:
        pieces = nearest_assignment(start, goal)
    first, last = Configuration(plain, start.pieces), Configuration(plain, pieces)
    if puzzle.colours is None or not reason_unsolvable(first, last):
        return first, last
    for a, b in islice(_equal_pairs(puzzle.colours), MAX_SWAPS):
        changed = list(last.pieces)
        changed[a], changed[b] = changed[b], changed[a]
        swapped = Configuration(plain, tuple(changed))
        if not reason_unsolvable(first, swapped):
            return first, swapped
    raise TooLarge(f"found no solvable assignment of the pieces of each colour in {puzzle.text[:80]}")


def nearest_assignment(start: Configuration, goal: Configuration) -> tuple[Cells, ...]:
    """Return the goal placements of the pieces, assigned by colour with the least total distance.

    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(6,1)", "gourds", 2, [["a", "a"], ["a", "a"]])
    >>> nearest_assignment(p.configuration("2-1 5-4"), p.configuration("1-0 3-4"))
    ((0, 1), (3, 4))
    """
    import numpy as np

    board, readings = start.puzzle.board, start.puzzle.rule.readings
    distances = cache(lambda cell: distance_list(board.neighbours, [cell], unreached=board.size))
    out = list(goal.pieces)
    classes: dict[tuple[str, ...], list[int]] = {}
    for number, labels in enumerate(start.puzzle.colours or ()):
        classes.setdefault(labels, []).append(number)
    for labels, members in classes.items():
        equal_turns = [turn for turn, turned in enumerate(readings(labels)) if turned == labels]

        def cost(here: Cells, there: Cells, turns: list[int] = equal_turns) -> tuple[int, Cells]:
            goals = [readings(there)[turn] for turn in turns]
            return min(
                (sum(distances(a)[b] for a, b in zip(here, cells, strict=True)), cells) for cells in goals
            )

        table = [[cost(start.pieces[k], goal.pieces[j]) for j in members] for k in members]
        costs = np.array([[moves for moves, _ in row] for row in table], dtype=np.int64)
        for k, column in enumerate(minimum_cost_assignment(costs)):
            out[members[k]] = table[k][column][1]
    return tuple(out)


def _equal_pairs(colours: Colours) -> Iterator[tuple[int, int]]:
    """Yield pairs of pieces of one colour; equal ones are adjacent."""
    for a, labels in enumerate(colours):
        for b in range(a + 1, len(colours)):
            if colours[b] != labels:
                break
            yield a, b
