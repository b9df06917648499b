"""Starts of searches: the configuration that is meant, and the shapes that are equivalent by symmetry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidelab.boards import Symmetries, symmetries
from slidelab.boards.walks import DisjointSets
from slidelab.budget import Budget
from slidelab.errors import NotationError, TooLarge
from slidelab.gains import GainGraph, gain_graph
from slidelab.gains.graph import SHAPES_PER_CHECK
from slidelab.permutations import Permutation
from slidelab.puzzles import Configuration, Puzzle

if TYPE_CHECKING:
    from slidelab.puzzles import ConfigurationLike
    from slidelab.rules import Cells

__all__ = ["in_order", "read_start", "shape_orbits"]

MAX_SYMMETRIES = 1_000
"""Symmetries that are checked one by one if not all of them respect the rule."""


def read_start(
    puzzle: Puzzle, start: ConfigurationLike | frozenset[Cells] | None, budget: Budget | None = None
) -> Configuration:
    """Return a configuration, or the pieces in order in a shape.

    By default that is the goal; if nothing can move there, the first shape of the largest family.
    """
    if isinstance(start, frozenset):
        return in_order(puzzle, start)
    if start is not None:
        return puzzle.configuration(start)
    if len(puzzle.goal.moves) or puzzle.colours is not None:
        return puzzle.goal
    graph = gain_graph(puzzle, budget)
    families = graph.families()
    return in_order(puzzle, frozenset(graph.slots(families[0][0]))) if families else puzzle.goal


def in_order(puzzle: Puzzle, shape: frozenset[Cells]) -> Configuration:
    """Return the configuration of a shape whose pieces are numbered by their cells."""
    try:
        return Configuration(puzzle, tuple(sorted(shape)))
    except TypeError:
        raise NotationError("expected the cells of each piece as a shape") from None


def shape_orbits(graph: GainGraph, budget: Budget | None = None) -> tuple[int, list[list[int]]]:
    """Return the number of symmetries of the board and the orbits of shapes under them.

    >>> import slidelab as sl
    >>> shape_orbits(gain_graph(sl.puzzle("square R(3,3)")))
    (8, [[0, 2, 6, 8], [1, 3, 5, 7], [4]])
    """
    try:
        found = symmetries(graph.puzzle.board)
    except TooLarge:
        return 1, [[shape] for shape in range(graph.shapes)]
    budget = budget or Budget()
    orbits = DisjointSets(graph.shapes)
    count, generators = _rule_symmetries(graph, found, budget)
    for generator in generators:
        for shape, image in enumerate(graph.image_shapes(generator, budget).tolist()):
            if shape % SHAPES_PER_CHECK == 0:
                budget.check("symmetries", shape, graph.shapes)
            orbits.union(shape, image)
    return count, orbits.sets()


def _rule_symmetries(graph: GainGraph, found: Symmetries, budget: Budget) -> tuple[int, list[Permutation]]:
    """Return the number of symmetries that map moves to moves, and generators of their group."""

    def keeps_rule(symmetry: Permutation) -> bool:
        budget.check("symmetries")
        return graph.keeps_rule(symmetry)

    kept = [generator for generator in found.generators if keeps_rule(generator)]
    if len(kept) == len(found.generators):
        return found.order, kept
    if found.order > MAX_SYMMETRIES:
        return 1, []
    kept = [element for element in found.elements() if keeps_rule(element)]
    return len(kept), kept
