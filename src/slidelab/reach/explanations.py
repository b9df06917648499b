"""Sentences that say why a goal can or cannot be reached."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from slidelab.boards import Board, blocks
from slidelab.boards.walks import shortest_path
from slidelab.messages import join_words
from slidelab.puzzles import Configuration
from slidelab.reach.question import Question, is_identity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.reach.decision import Decision

__all__ = [
    "THETA0",
    "cells_apart",
    "cyclic_order",
    "explain_decision",
    "explain_solution",
    "locked",
    "odd_permutation",
    "wrong_colours",
]

MAX_CYCLE_NAMES = 60
"""Pieces that a sentence on a cyclic order names."""

THETA0 = "the exceptional theta graph allows only 120 of the 720 permutations of its six tiles"

REGION_REASONS = {
    "": "the tiles of each region can be brought to their places",
    "colours": "the coloured tiles can be brought to their places",
    "symmetric": "every arrangement of the tiles can be reached",
    "alternating": "the tiles need an even permutation, and every even one can be made",
    "cyclic": "the tiles keep their cyclic order",
    "line": "the tiles keep their order",
}
"""Why tiles can get to the goal, by the group of the orbit that has them all."""


def locked(start: Configuration, goal: Configuration) -> str | None:
    """Return the sentence for a start or goal in which nothing can move, or None if both can move.

    Examples
    --------
    >>> import slidelab as sl
    >>> start = sl.position("hex T(3) : 1 2 . 3 4 .")
    >>> locked(start, start.puzzle.configuration(". 1 2 . 3 4"))
    'nothing can move at the goal: every tile is locked'
    """
    for configuration, where in ((start, "at the start"), (goal, "at the goal")):
        if not len(configuration.moves):
            return f"nothing can move {where}: every {start.puzzle.rule.piece} is locked"
    return None


def cells_apart(board: Board, here: int, there: int) -> str:
    """Return the end of the sentence for a tile that can never get from one cell to another.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> cells_apart(board("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3"), 0, 4)
    'can never get from cell 0 to cell 4: every path leads through cell 2'
    """
    cuts = _cuts_between(board, here, there)
    if cuts is None:
        return f"can never get from cell {here} to cell {there}: no path joins them"
    because = f": every path leads through cell {cuts[0]}" if cuts else ""
    return f"can never get from cell {here} to cell {there}{because}"


def _cuts_between(board: Board, here: int, there: int) -> list[int] | None:
    """Return the cut vertices on every path between two cells, sorted; None if there is no path.

    >>> from slidelab.boards import board
    >>> _cuts_between(board("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3"), 0, 4)
    [2, 3]
    """
    path = shortest_path(board.neighbours, [here], there.__eq__)
    if not path:
        return None
    blocks_of: dict[int, set[int]] = {cell: set() for cell in path}
    for number, block in enumerate(blocks(board)):
        for cell in block:
            if cell in blocks_of:
                blocks_of[cell].add(number)
    # Every path passes a cell just if this one enters and leaves it by different blocks.
    through = [blocks_of[a] & blocks_of[b] for a, b in pairwise(path)]
    return sorted(cell for cell, a, b in zip(path[1:], through, through[1:], strict=False) if a != b)


def odd_permutation(noun: str, names: Sequence[object], *, everyone: bool, on: str = "pieces") -> str:
    """Return the sentence for pieces that would be permuted oddly while every loop permutes them evenly.

    Parameters
    ----------
    noun
        What a piece is called.
    names
        The pieces.
    everyone
        Whether these are all pieces.
    on
        Whether the sign is that of the permutation of ``pieces``, of their ``ends``, or of ``both`` together.

    Examples
    --------
    >>> odd_permutation("tile", [1, 2, 4], everyone=False)
    'tiles 1, 2 and 4 would need an odd permutation, and every loop moves them evenly'
    """
    who = f"the {noun}s" if everyone else f"{noun}s {join_words(names)}"
    if on == "ends":
        some = who if everyone else f"the {who}"
        return f"an odd number of {some} would have to be turned round, and every loop turns evenly many"
    if on == "both":
        return f"order and turning of {who} would change with different parity, and no loop does that"
    if everyone:
        return f"{who} would need an odd permutation, and every loop here is even"
    return f"{who} would need an odd permutation, and every loop moves them evenly"


def cyclic_order(noun: str, names: Sequence[str]) -> str:
    """Return the sentence for pieces that keep their cyclic order, read from the smallest name on.

    Examples
    --------
    >>> cyclic_order("tile", ["10", "2", "3"])
    'tiles 2 3 10 always keep this cyclic order, and the goal has another'
    """
    first = names.index(min(names, key=lambda name: (len(name), name)))
    order = [*names[first:], *names[:first]]
    if len(order) > MAX_CYCLE_NAMES:
        order[MAX_CYCLE_NAMES:] = ["..."]
    return f"{noun}s {' '.join(order)} always keep this cyclic order, and the goal has another"


def wrong_colours(noun: str, cells: Sequence[int]) -> str:
    """Return the sentence for an orbit of pieces for which the goal needs other colours.

    Examples
    --------
    >>> wrong_colours("tile", [4])
    'the tiles at cell 4 stay among themselves, and the goal has other colours there'
    """
    where = f"{'cell' if len(cells) == 1 else 'cells'} {join_words(cells)}"
    return f"the {noun}s at {where} stay among themselves, and the goal has other colours there"


def explain_solution(question: Question, element: NDArray[np.uint16]) -> str:
    """Return why the goal can be reached by an element of the group.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(2,3) tiles 2")
    >>> question = Question(sl.gain_graph(p), p.configuration("2 1 3 4 . ."), p.goal)
    >>> explain_solution(question, question.solution())
    'every arrangement of the tiles can be reached'
    """
    group, noun = question.group, question.puzzle.rule.piece
    if question.puzzle.colours is not None:
        return f"the coloured {noun}s can be brought to their places"
    if question.turns == 1 and group.is_transitive and group.is_giant(range(group.degree)):
        if group.is_even:
            return f"the {noun}s need an even permutation, and every even one can be made"
        return f"every arrangement of the {noun}s can be reached"
    if "wr Sym" in group.name and "," not in group.name and group.is_transitive:
        return f"every arrangement of the {noun}s can be reached, either way round"
    if is_identity(element):
        return f"only the holes have to move: the {noun}s come along in the right order"
    return "a loop of moves makes just the permutation that is needed"


def explain_decision(
    start: Configuration, goal: Configuration, decision: Decision, pieces: Sequence[int]
) -> str:
    """Return why tiles can or cannot get to the goal, as the regions of the board decide.

    Parameters
    ----------
    start, goal, decision
    pieces
        The tiles to name, from 1.

    Examples
    --------
    >>> import slidelab as sl
    >>> from slidelab.reach.decision import decide
    >>> p = sl.puzzle("cycle(5)")
    >>> start = p.configuration("1 2 4 3 .")
    >>> found = decide(start, p.goal)
    >>> explain_decision(start, p.goal, found, found.pieces)
    'tiles 1 2 4 3 always keep this cyclic order, and the goal has another'
    """
    puzzle, colours = start.puzzle, start.puzzle.colours
    names = [str(k) if colours is None else colours[k - 1][0] for k in pieces]
    match decision.obstacle:
        case "":
            group = "colours" if colours is not None else decision.group
            return f"{REGION_REASONS.get(group, REGION_REASONS[''])} ({decision.theorem})"
        case "holes":
            return locked(start, goal) or "the holes can never get where the goal has them"
        case "place":
            here, there = start.pieces[pieces[0] - 1][0], goal.pieces[pieces[0] - 1][0]
            return f"tile {names[0]} {cells_apart(puzzle.board, here, there)}"
        case "order":
            pair = f"tiles {names[0]} and {names[1]}"
            return f"{pair} would have to pass each other, and there is no room for that"
        case "parity":
            everyone = len(pieces) == puzzle.piece_count and colours is None
            return odd_permutation("tile", names, everyone=everyone)
        case "cycle":
            return cyclic_order("tile", names)
        case "theta0":
            return f"tiles {join_words(names)} cannot all get to their places together: {THETA0}"
        case "colours":
            return wrong_colours("tile", sorted(start.pieces[k - 1][0] for k in pieces))
