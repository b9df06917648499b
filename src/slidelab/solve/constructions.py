"""Solutions that are built, not searched for: by peeling, by the papers' own algorithms, in the group."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING

from slidelab.boards.walks import distance_list
from slidelab.budget import Budget
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import quoted
from slidelab.place.assignment import minimum_cost_assignment
from slidelab.puzzles import Colours, Configuration, Passage, Puzzle, Solution
from slidelab.reach.frames import pieces_by_cell
from slidelab.reach.verdict import group_moves
from slidelab.rules import Cells
from slidelab.solve.gourds.cycles import least_gourd_moves, sort_gourds
from slidelab.solve.gourds.peeler import peel_gourds
from slidelab.solve.huge.parts import Part, by_parts, moves_of_pairs, pairs_of
from slidelab.solve.huge.peeler import Exact, least_moves, peel
from slidelab.solve.wilson.solver import solve_block

if TYPE_CHECKING:
    from slidelab.solve.huge.parts import Pairs

__all__ = ["by_cycle", "by_group", "by_peeling", "by_wilson", "nearest_names"]

MOST_NAMED = 400
"""Pieces of which each is sent to the nearest place of its colour; of more, that takes too long to see."""

MOST_CUBIC = 800
"""Gourds for the cubic method: five hundred million moves."""

MOST_SWAPS = 40
"""Pairs of pieces of one colour that are swapped in search of a goal that can be reached."""


def by_peeling(start: Configuration, goal: Configuration, exact: Exact, budget: Budget) -> Solution:
    """Pieces put in their places one by one; `exact` solves what is left at the end."""
    rule = start.puzzle.rule
    first, last = numbered(start, goal)
    if rule.corner == "pivot" and start.puzzle.hole_count == 1:
        bound = least_gourd_moves(first, last) if start.puzzle.colours is None else None
        return Solution(start, goal, peel_gourds(first, last, budget), method="peel", lower_bound=bound)
    if not can_peel(start.puzzle):
        raise NotationError(
            f"expected tiles, hextiles or gourds with one hole for peel, got {quoted(start.puzzle.text)}; "
            "group takes every rule"
        )
    moves, bound = peel(first, last, exact, budget), least_moves(start, goal)
    return Solution(start, goal, moves, len(moves) == bound, method="peel", lower_bound=bound)


def can_peel(puzzle: Puzzle) -> bool:
    """Return whether `by_peeling` knows the rule of a puzzle."""
    rule = puzzle.rule
    return (
        rule.slides_along_edges or rule.needs_companion or (rule.corner == "pivot" and puzzle.hole_count == 1)
    )


def by_wilson(start: Configuration, goal: Configuration, budget: Budget) -> Solution:
    """Ears, exchanges of two and three tiles, and conjugation, all explained; block by block."""
    puzzle = start.puzzle
    if not puzzle.rule.slides_along_edges or puzzle.hole_count != 1:
        raise NotationError(f"expected tiles with one hole for wilson, got {puzzle.text[:80]}")
    first, last = numbered(start, goal)
    solver = partial(_block, lambda moves: budget.check("moves", moves, 0))
    pairs, passages = by_parts(puzzle.board, pieces_by_cell(first), pieces_by_cell(last), solver)
    moves = moves_of_pairs(first, pairs)
    bound = least_moves(start, goal)
    return Solution(start, goal, moves, method="wilson", lower_bound=bound, passages=tuple(passages))


def _block(heard: Callable[[int], None], part: Part) -> tuple[Pairs, list[Passage]]:
    """One block, with the cell numbers of the whole board so that the explanation names them."""
    size = max(part.names) + 1
    rows: list[list[int]] = [[] for _ in range(size)]
    lies, wants = [0] * size, [0] * size
    for cell, name in enumerate(part.names):
        rows[name] = [part.names[other] for other in part.board.neighbours[cell]]
        lies[name], wants[name] = part.lies[cell], part.wants[cell]
    walk, told = solve_block(rows, lies, wants, heard=heard)
    place = {name: cell for cell, name in enumerate(part.names)}
    hole = part.lies.index(0)
    moves = []
    for name in walk:
        moves.append((place[name], hole))
        hole = place[name]
    return pairs_of(moves), told


def by_cycle(start: Configuration, goal: Configuration, budget: Budget, *, cubic: bool = False) -> Solution:
    """Gourds along a closed way through all cells, sorted as in the gourds paper: explained."""
    puzzle = start.puzzle
    method = "cycle-cubic" if cubic else "cycle"
    if puzzle.rule.corner != "pivot" or puzzle.hole_count != 1:
        raise NotationError(f"expected gourds with one hole for {method}, got {quoted(puzzle.text)}")
    count = puzzle.piece_count
    if cubic and count > MOST_CUBIC:
        raise TooLarge(
            f"cycle-cubic would take about {count**3:,} moves for {count:,} gourds; "
            f"cycle takes about {2 * count**2:,}"
        )
    first, last = numbered(start, goal)
    moves, passages = sort_gourds(first, last, budget, cubic=cubic)
    bound = least_gourd_moves(first, last) if puzzle.colours is None else None
    return Solution(start, goal, moves, method=method, passages=tuple(passages), lower_bound=bound)


def by_group(start: Configuration, goal: Configuration, budget: Budget) -> Solution:
    """A product of loops, found in the chain of stabilisers of the group with short words for its steps."""
    moves = group_moves(start, goal, budget=budget)
    return Solution(start, goal, moves, method="group", lower_bound=least_moves(start, goal))


def numbered(start: Configuration, goal: Configuration) -> tuple[Configuration, Configuration]:
    """The same with every piece numbered: those of one colour matched so that the goal can be reached."""
    puzzle = start.puzzle
    plain = puzzle.uncoloured
    pieces = goal.pieces
    if puzzle.colours is not None and puzzle.rule.cells > 1 and puzzle.piece_count <= MOST_NAMED:
        pieces = nearest_names(start, goal)
    first, last = Configuration(plain, start.pieces), Configuration(plain, pieces)
    if puzzle.colours is None or plain.solvable(first, last):
        return first, last
    for a, b in islice(_alike(puzzle.colours), MOST_SWAPS):
        changed = list(last.pieces)
        changed[a], changed[b] = changed[b], changed[a]
        swapped = Configuration(plain, tuple(changed))
        if plain.solvable(first, swapped):
            return first, swapped
    raise TooLarge(f"found no way to tell pieces of one colour of {puzzle.text[:80]} apart")


def nearest_names(start: Configuration, goal: Configuration) -> tuple[Cells, ...]:
    """The cells of the goal given to pieces of their colours so that all together have the shortest way.

    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(6,1)", "gourds", 2, [["a", "a"], ["a", "a"]])
    >>> nearest_names(p.configuration("2-1 5-4"), p.configuration("1-0 3-4"))
    ((0, 1), (3, 4))
    """
    import numpy as np

    board, readings = start.puzzle.board, start.puzzle.rule.readings
    far = cache(lambda cell: distance_list(board.neighbours, [cell], unreached=board.size))
    out = list(goal.pieces)
    classes: dict[tuple[str, ...], list[int]] = {}
    for number, labels in enumerate(start.puzzle.colours or ()):
        classes.setdefault(labels, []).append(number)
    for labels, members in classes.items():
        same = [turn for turn, turned in enumerate(readings(labels)) if turned == labels]

        def way(here: Cells, there: Cells, same: list[int] = same) -> tuple[int, Cells]:
            lying = [readings(there)[turn] for turn in same]
            return min((sum(far(a)[b] for a, b in zip(here, cells, strict=True)), cells) for cells in lying)

        ways = [[way(start.pieces[k], goal.pieces[j]) for j in members] for k in members]
        costs = np.array([[cost for cost, _ in row] for row in ways], dtype=np.int64)
        for k, column in enumerate(minimum_cost_assignment(costs)):
            out[members[k]] = ways[k][column][1]
    return tuple(out)


def _alike(colours: Colours) -> Iterator[tuple[int, int]]:
    """Pairs of pieces of one colour; equal ones stand together."""
    for a, labels in enumerate(colours):
        for b in range(a + 1, len(colours)):
            if colours[b] != labels:
                break
            yield a, b
