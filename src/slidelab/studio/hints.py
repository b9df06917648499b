"""Hints while the page waits: the next move of the best solution that is found in a second."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from slidelab.budget import Budget
from slidelab.distance.table import distance_table
from slidelab.errors import TooLarge, Unsolvable
from slidelab.puzzles import Configuration, Move, Solution
from slidelab.puzzles.arrows import DIRECTION_WORDS, arrow_between
from slidelab.puzzles.words import describe_move
from slidelab.solve.next_move import hint_solution

__all__ = ["KnownSolutions", "hint_answer", "move_words", "quick_table_distance"]

MAX_LINE_MOVES = 500
"""Moves of the solution behind a hint that are sent, so that who follows it need not ask again."""

HINT_SHARE = 0.4
"""Part of the time of a quick request for the search; a solution is also constructed, and played."""

QUICK_TABLE_BYTES = 4_000_000
"""Bytes of a distance table that is computed while the page waits: some 15 million configurations."""


class KnownSolutions:
    """Solutions found before, so that who follows hints reaches the goal.

    >>> import slidelab as sl
    >>> solution = sl.puzzle("square R(2,2)").solve("3 1 . 2")
    >>> known = KnownSolutions(100)
    >>> known.keep(solution)
    >>> known.find(solution.start.play(solution.moves[0]), solution.goal)[1]
    1
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._found: OrderedDict[tuple[Configuration, Configuration], tuple[Solution, int]] = OrderedDict()

    def find(self, here: Configuration, goal: Configuration) -> tuple[Solution, int] | None:
        """Return a solution through a configuration, and the number of its moves before that."""
        return self._found.get((here, goal))

    def keep(self, solution: Solution) -> None:
        """Remember a solution; a configuration that it passes twice goes on from the last time."""
        here = solution.start
        for number, move in enumerate(islice(solution.moves, MAX_LINE_MOVES)):
            self._found[here, solution.goal] = solution, number
            here = here.play(move)
        while len(self._found) > self.most:
            self._found.popitem(last=False)


_known = KnownSolutions(2_000)


def hint_answer(start: Configuration, goal: Configuration, budget: Budget) -> dict[str, Any]:
    """Return the next move, in words and with its cells, and what is known about the distance.

    >>> import slidelab as sl
    >>> loyd = sl.position("15-puzzle : 1 2 3 4 5 6 7 8 9 10 11 12 13 . 14 15")
    >>> answer = hint_answer(loyd, loyd.puzzle.goal, Budget.of(time=10))
    >>> answer["move"], answer["words"], answer["distance"]
    ('14:14>13', 'slide 14 left', 2)
    """
    if start == goal:
        return _answer(None, start, (), 0, 0, 0)
    found = _known.find(start, goal)
    if found is None:
        part = replace(budget.part(HINT_SHARE), cancelled=None, progress=None)
        try:
            solution = hint_solution(start, goal, part)
        except Unsolvable as error:
            return {**_answer(None, start, (), None, None, None), "solvable": False, "reason": str(error)}
        _known.keep(solution)
        found = solution, 0
    solution, passed = found
    left = solution.length - passed
    distance = left if solution.optimal else None
    bound = left if solution.optimal else max(1, (solution.lower_bound or 1) - passed)
    line = list(islice(solution.moves, passed, passed + MAX_LINE_MOVES))
    return _answer(line[0], start, line, distance, bound, left)


def _answer(
    move: Move | None,
    here: Configuration,
    line: Sequence[Move],
    distance: int | None,
    bound: int | None,
    known: int | None,
) -> dict[str, Any]:
    words, direction = ("", None) if move is None else move_words(here, move)
    return {
        "move": None if move is None else move.text,
        "words": words,
        "direction": direction,
        "step": None if move is None else move.to_json(),
        "distance": distance,
        "bound": bound,
        "known": known,
        "line": [each.text for each in line],
        "solvable": True,
        "reason": "",
    }


def move_words(here: Configuration, move: Move) -> tuple[str, str | None]:
    """Return a move in words, and the arrow of its direction apart.

    >>> import slidelab as sl
    >>> move_words(sl.position("2x2 : 1 2 . 3"), sl.read_move("3:3>2"))
    ('slide 3 left', '←')
    """
    words = describe_move(here.puzzle, move)
    arrows = {arrow_between(here.puzzle.board, a, b) for a, b in zip(move.before, move.after, strict=True)}
    for sign in DIRECTION_WORDS:
        words = words.replace(f" {sign}", "")
    return words, arrows.pop() if len(arrows) == 1 else None


def quick_table_distance(start: Configuration, goal: Configuration, budget: Budget) -> int | None:
    """Return the exact distance if a small table tells it; None if it would take a large one.

    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> quick_table_distance(p.configuration("8 6 7 2 5 4 3 . 1"), p.goal, Budget.of(time=10))
    31
    """
    part = replace(budget.part(HINT_SHARE).share(memory=QUICK_TABLE_BYTES), progress=None)
    try:
        return distance_table(goal, budget=part).distance(start, goal)
    except TooLarge:
        return None
