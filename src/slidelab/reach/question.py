"""Whether a goal can be reached from a start: the question as it is put to the gain graph and its group."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.gains import Family, GainGraph, reduce_walk, reverse_walk
from slidelab.puzzles import Configuration, MoveList
from slidelab.reach.coloured_components import point_colours
from slidelab.reach.group import PermutationGroup
from slidelab.reach.loop_groups import family_group
from slidelab.rules import Cells

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Question", "is_identity"]

MAX_RECOLOUR_NODES = 5_000_000
"""Nodes of the search for an element that brings colours to their goals: some seconds."""


def is_identity(permutation: Sequence[int] | NDArray[np.uint16]) -> bool:
    """Return whether a permutation moves no point.

    Examples
    --------
    >>> is_identity((0, 1, 2)), is_identity((1, 0, 2))
    (True, False)
    """
    return all(x == y for x, y in enumerate(permutation))


class Question:
    """A start and a goal on a gain graph, with the family of the start and its group.

    Shapes are numbered as in the graph, arrangements are those of `GainGraph.place`, and permutations act on
    the slot points of the start's shape.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> question = Question(sl.gain_graph(p), p.configuration("1 2 3 4 5 6 8 7 ."), p.goal)
    >>> question.same_family, question.solution()
    (True, None)
    """

    def __init__(
        self, graph: GainGraph, start: Configuration, goal: Configuration, budget: Budget | None = None
    ) -> None:
        self.puzzle, self.graph, self.budget = start.puzzle, graph, budget
        self.start, self.goal = start, goal
        self.turns = self.puzzle.rule.turns
        numbered = self.puzzle.uncoloured
        self.numbered_start = Configuration(numbered, start.pieces)
        self.start_shape, self.arrangement = graph.place(self.numbered_start)
        self.goal_shape, self.goal_arrangement = graph.place(Configuration(numbered, goal.pieces))

    @property
    def same_family(self) -> bool:
        """Whether moves lead from the shape of the start to that of the goal."""
        return bool(self.graph.family_of[self.start_shape] == self.graph.family_of[self.goal_shape])

    @cached_property
    def family(self) -> Family:
        """The family of shapes, seen from the start."""
        return self.graph.family(self.start_shape, self.budget)

    @cached_property
    def group(self) -> PermutationGroup:
        """The group of the loops at the start's shape."""
        return family_group(self.family, self.budget)

    @cached_property
    def goal_at_start(self) -> NDArray[np.uint16]:
        """The arrangement at the start's shape that the spanning tree takes to the goal."""
        return self.family.to_base(self.goal_shape, self.goal_arrangement)

    @cached_property
    def needed(self) -> NDArray[np.uint16]:
        """The permutation that numbered pieces need."""
        import numpy as np

        where = np.argsort(self.goal_at_start).astype(np.uint16)
        return np.ascontiguousarray(where[self.arrangement])

    @cached_property
    def colours(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """The colours on the slot points at the start, and those that the goal needs there.

        The group keeps the ends of a gourd together, so the colours on the points say all.
        """
        import numpy as np

        colour = np.array(point_colours(self.puzzle), dtype=np.uint32)
        return (
            np.ascontiguousarray(colour[self.arrangement]),
            np.ascontiguousarray(colour[self.goal_at_start]),
        )

    def solution(self) -> NDArray[np.uint16] | None:
        """Return an element of the group that brings the pieces to their goals, or None if there is none.

        Raises
        ------
        TooLarge
            If there are too many ways to match pieces of the same colours.
        """
        import numpy as np

        if not self.same_family:
            return None
        if self.puzzle.colours is None:
            return self.needed if self.group.core.contains(self.needed) else None
        found, certain = self.recolour(*self.colours, MAX_RECOLOUR_NODES)
        if found is None and not certain:
            raise TooLarge(f"too many ways to match the colours of {self.puzzle.text}")
        return None if found is None else np.array(found, dtype=np.uint16)

    def recolour(
        self, here: NDArray[np.uint32], there: NDArray[np.uint32], max_nodes: int
    ) -> tuple[list[int] | None, bool]:
        """Return an element of the group that takes one colouring to another, and whether that is certain."""
        check = None if self.budget is None else self.budget.check
        return self.group.core.recolour(here, there, max_nodes, check)

    def piece(self, point: int) -> int:
        """Return the piece (from 1) on a slot point at the start."""
        return int(self.arrangement[point]) // self.turns + 1

    def named_goal(self, element: Sequence[int] | NDArray[np.uint16]) -> tuple[Cells, ...]:
        """Return the goal with the pieces numbered as an element of the group brings them there."""
        import numpy as np

        if self.puzzle.colours is None:
            return self.goal.pieces
        moved = np.empty_like(self.arrangement)
        moved[np.array(element)] = self.arrangement
        return self.graph.configuration(self.goal_shape, self.family.from_base(self.goal_shape, moved)).pieces

    def walk(self, element: NDArray[np.uint16]) -> list[tuple[int, bool]]:
        """Return loops whose product is an element of the group, and then the path to the goal's shape."""
        walk: list[tuple[int, bool]] = []
        if not is_identity(element):
            weights = [len(self.family.loop(g)) for g in range(len(self.group.generators))]
            for letter in self.group.factor(element.tolist(), weights=weights) or ():
                loop = self.family.loop(abs(letter) - 1)
                walk.extend(loop if letter > 0 else reverse_walk(loop))
        walk.extend(self.family.path(self.goal_shape))
        return reduce_walk(walk)

    def moves(self, walk: Sequence[tuple[int, bool]]) -> MoveList:
        """Return the moves of a walk from the start."""
        return self.family.moves(self.numbered_start, walk)
