"""Small boards whose group is computed: the leaves of a proof, with loops as their certificate."""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial

from slidelab.boards.hexagons import hex_board
from slidelab.boards.lattice import Cell
from slidelab.boards.model import Board
from slidelab.budget import Budget
from slidelab.gains import Family, GainGraph
from slidelab.puzzles import Puzzle
from slidelab.reach.group import PermutationGroup
from slidelab.reach.proof_check.concrete import ALL, EVEN
from slidelab.reach.prover.proof import Step
from slidelab.rules import rule

__all__ = ["Loops", "compute_loops", "computed_step"]

Loops = tuple[tuple[Cell, ...], tuple[tuple[tuple[Cell, Cell], ...], ...], PermutationGroup]
"""The holes of a shape, loops at it that generate its group, and the group."""


def computed_step(
    cells: Iterable[Cell], holes: int, board: object = None, budget: Budget | None = None
) -> Step | None:
    """Return the step that proves a small board by computation; None if its group is none that is patched.

    Parameters
    ----------
    cells
        The hexagons of a triangle-connected board.
    holes
    board
        The bounds of the region, if it is convex.
    budget
        Time and memory that may be used.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> computed_step(board("hex Ptr(3,4)").cells, 2).group, computed_step(board("hex F(2)").cells, 2)
    ('Alt(8)', None)
    """
    from slidelab.reach.prover.regions import Bounds

    listed = tuple(sorted(cells))
    if len(listed) <= holes:
        return None
    base, loops, group = compute_loops(hex_board(listed), "hextiles", holes, budget)
    tiles = len(listed) - holes
    if group.order == factorial(tiles) and (holes > 2 or tiles == 1):
        claim = ALL if holes > 2 else EVEN
    elif holes == 2 and 2 * group.order == factorial(tiles):
        claim = EVEN
    else:
        return None
    shape = board if isinstance(board, Bounds) else listed
    return Step("computed", shape, holes, claim, base=base, loops=loops, group=group.name)


def compute_loops(board: Board, rule_name: str, holes: int, budget: Budget | None = None) -> Loops:
    """Return a shape that can move, loops at it that generate its group, and the group.

    >>> from slidelab.boards import board
    >>> holes, loops, group = compute_loops(board("square R(2,2)"), "tiles", 1)
    >>> holes, [len(loop) for loop in loops], group.name
    (((0, 0),), [4], 'C(3)')
    """
    budget = budget or Budget()
    puzzle = Puzzle(board, rule(rule_name), holes)
    graph = GainGraph(puzzle, budget)
    root = graph.families()[0][0]
    family = Family(graph, root, budget)
    group = PermutationGroup(family.generators, graph.degree, budget=budget)
    lengths = [len(family.loop(number)) for number in range(len(family.generators))]
    chosen = _few_generators(group, lengths)
    start = graph.configuration(root, range(graph.degree))
    cells = board.cells
    loops = tuple(
        tuple(
            (cells[move.before[0]], cells[move.after[0]]) for move in family.moves(start, family.loop(number))
        )
        for number in chosen
    )
    return tuple(cells[hole] for hole in graph.holes(root)), loops, group


def _few_generators(group: PermutationGroup, lengths: list[int]) -> list[int]:
    """Return the numbers of a few short loops that generate the whole group: each enlarges what is there."""
    chosen: list[int] = []
    some = PermutationGroup(group.generators[:0], group.degree)
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if some.order == group.order:
            break
        if group.generators[number].tolist() not in some:
            chosen.append(number)
            some = PermutationGroup(group.generators[chosen], group.degree)
    return chosen
