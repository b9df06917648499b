"""A connected family of shapes, seen from one of them: spanning tree, potentials and loops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.messages import counted
from slidelab.puzzles import Configuration, MoveList

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.gains.graph import GainGraph

__all__ = ["Family", "Walk", "reduce_walk", "reverse_walk"]

Walk: TypeAlias = Sequence[tuple[int, bool]]
"""Edges of a gain graph, each with whether it is walked from its target to its source."""


class Family:
    """One connected family of shapes with a spanning tree from its base shape.

    The tree is breadth-first. With `along_line` it takes edges whose gain is the identity before all others:
    then the hole of the 15-puzzle follows a snake, and the nine loops are the nine cycles of the slides.

    The gain along the tree from the base to a shape is the potential of that shape. Every edge outside
    the tree closes a loop at the base: out along the tree, over the edge, and back along the tree. The
    gains of these loops generate the group of the family.

    Attributes
    ----------
    graph, base
        The gain graph, and the number of the base shape.
    members
        The shapes, parents before their children, the base first.
    parent, parent_edge
        For each member the index of its parent in `members`, and twice the edge from there (plus one if it
        is walked backwards; -1 at the base).
    potentials
        For each member a row: where the tree takes each slot point of the base.
    generators, generator_edge
        The gains of the loops, each once and without the identity, and the edges that close them.

    Examples
    --------
    >>> import slidelab as sl
    >>> family = sl.gain_graph("square R(2,2)").family(3)
    >>> family
    <family of 4 shapes of square R(2,2) tiles 1 from shape 3: 1 generator>
    >>> family.loop(0)
    [(2, True), (0, True), (1, False), (3, False)]
    """

    def __init__(
        self, graph: GainGraph, base: int, budget: Budget | None = None, *, along_line: bool = False
    ) -> None:
        from slidelab import _core

        budget = budget or Budget()
        self.graph = graph
        self.base = base
        self.along_line = along_line
        try:
            parts = graph.core.span(base, budget.working_memory // 4, budget.check, along_line)
        except _core.LimitReached as error:
            raise TooLarge(f"{graph.puzzle.text} is too large: {error}") from None
        self.members: NDArray[np.uint32] = parts[0]
        self.parent: NDArray[np.uint32] = parts[1]
        self.parent_edge: NDArray[np.int64] = parts[2]
        self.potentials: NDArray[np.uint16] = parts[3]
        self.generators: NDArray[np.uint16] = parts[4]
        self.generator_edge: NDArray[np.uint32] = parts[5]
        self.nbytes = sum(part.nbytes for part in parts)

    def __repr__(self) -> str:
        whole = f"family of {self.shapes:,} shapes of {self.graph.puzzle.text}"
        return f"<{whole} from shape {self.base}: {counted(len(self.generators), 'generator')}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Family):
            return NotImplemented
        return (self.graph, self.base, self.along_line) == (other.graph, other.base, other.along_line)

    def __hash__(self) -> int:
        return hash((self.graph, self.base))

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), along_line=self.along_line), (self.graph, self.base)

    @property
    def shapes(self) -> int:
        """The number of shapes."""
        return len(self.members)

    @cached_property
    def _index(self) -> dict[int, int]:
        return {int(member): number for number, member in enumerate(self.members)}

    def index(self, shape: int) -> int:
        """Return the index of a shape in `members`."""
        return self._index[shape]

    def to_base(self, shape: int, arrangement: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Return the arrangement at the base that the tree takes to this arrangement at a shape."""
        carried: NDArray[np.uint16] = arrangement[self.potentials[self.index(shape)]]
        return carried

    def from_base(self, shape: int, arrangement: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Return the arrangement at a shape to which the tree takes this arrangement at the base."""
        import numpy as np

        carried = np.empty_like(arrangement)
        carried[self.potentials[self.index(shape)]] = arrangement
        return carried

    def path(self, shape: int) -> list[tuple[int, bool]]:
        """Return the path in the tree from the base to a shape."""
        steps, at = [], self.index(shape)
        while self.parent_edge[at] >= 0:
            edge = int(self.parent_edge[at])
            steps.append((edge // 2, bool(edge & 1)))
            at = int(self.parent[at])
        return steps[::-1]

    def loop(self, generator: int) -> list[tuple[int, bool]]:
        """Return the closed walk at the base whose gain is a generator: out, over its edge, and back."""
        edge = int(self.generator_edge[generator])
        source, target = (int(x) for x in self.graph.edge_rows[edge][:2])
        return [*self.path(source), (edge, False), *reverse_walk(self.path(target))]

    def moves(self, start: Configuration, walk: Walk) -> MoveList:
        """Return the moves of a walk, as played from `start`.

        Examples
        --------
        >>> import slidelab as sl
        >>> graph = sl.gain_graph("square R(2,2)")
        >>> family = graph.family(3)
        >>> family.moves(graph.puzzle.goal, family.loop(0))
        <4 moves: 2:1>3 1:0>1 3:2>0 2:3>2>
        """
        turns, steps = self.graph.puzzle.rule.turns, self.graph.steps
        rows = []
        for edge, reverse in walk:
            first, last, turn = steps.rows[self.graph.edge_rows[edge, 5], :3].tolist()
            rows.append((last, first, -turn % turns) if reverse else (first, last, turn))
        return steps.moves(start, rows)


def reverse_walk(walk: Walk) -> list[tuple[int, bool]]:
    """Return the same walk from its end to its beginning.

    Examples
    --------
    >>> reverse_walk([(4, False), (7, True)])
    [(7, False), (4, True)]
    """
    return [(edge, not reverse) for edge, reverse in reversed(walk)]


def reduce_walk(walk: Walk) -> list[tuple[int, bool]]:
    """Return the same walk without edges that are taken back at once.

    Examples
    --------
    >>> reduce_walk([(4, False), (7, True), (7, False), (5, True)])
    [(4, False), (5, True)]
    """
    reduced: list[tuple[int, bool]] = []
    for edge, reverse in walk:
        if reduced and reduced[-1] == (edge, not reverse):
            reduced.pop()
        else:
            reduced.append((edge, reverse))
    return reduced
