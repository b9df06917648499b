"""Coloured pieces as numbered ones: assign the pieces of each colour to goal placements."""

from __future__ import annotations

from functools import cache

from slidelab.boards.walks import distance_list
from slidelab.budget import Budget
from slidelab.place.assignment import minimum_cost_assignment
from slidelab.puzzles import Configuration
from slidelab.reach.verdict import match_pieces, reason_unsolvable
from slidelab.rules import Cells
from slidelab.solve.coloured_tiles import MAX_MATCHED_PIECES, match_tiles

__all__ = ["nearest_assignment", "numbered"]


def numbered(
    start: Configuration, goal: Configuration, budget: Budget | None = None
) -> tuple[Configuration, Configuration]:
    """Return start and goal with numbered pieces, matched by colour so that the goal can be reached.

    The match is decided by the group of the puzzle, not tried: there is one if the coloured goal can be
    reached. Among those there are, pieces go to goals that are near where that is quick to find.

    Raises
    ------
    Unsolvable
        If the goal cannot be reached.
    TooLarge
        If the group is too large to be computed and no theorem helps.
    """
    puzzle = start.puzzle
    plain = puzzle.uncoloured
    first = Configuration(plain, start.pieces)
    if puzzle.colours is None:
        return first, Configuration(plain, goal.pieces)
    if puzzle.rule.slides_along_edges:
        return first, Configuration(plain, match_tiles(start, goal))
    pieces = nearest_assignment(start, goal) if puzzle.piece_count <= MAX_MATCHED_PIECES else goal.pieces
    nearest = Configuration(plain, pieces)
    if not reason_unsolvable(first, nearest, budget=budget):
        return first, nearest
    return first, Configuration(plain, match_pieces(start, goal, budget=budget))


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
