"""The component of a configuration, with an index for each of its states.

A state is a shape and an arrangement. The largest orbit of pieces on which the group is all of Alt or Sym
is numbered by the factorial system, sixty arrangements a machine word; everything else is listed. See
docs/design/distances.md.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import factorial
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.distance.bounds import check_memory
from slidelab.distance.metric import Metric, check_metric, straight_lines
from slidelab.errors import PuzzleError, TooLarge
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.coloured_components import point_colours
from slidelab.reach.group import PermutationGroup
from slidelab.reach.loop_groups import family_group

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab._core import StateCode

__all__ = ["Component", "StateIndex", "pieces_of"]

StateIndex = tuple[int, int, int]
"""Shape, word and bit of a configuration in the arrays of a search."""

MIN_MAIN_PIECES = 5
"""Pieces of the smallest orbit that is numbered: a machine word holds the arrangements of the last five."""

MAX_LISTED_ARRANGEMENTS = 1 << 24
"""Arrangements that are listed rather than numbered, if no orbit has all of Alt or Sym: about a gigabyte."""

EDGES_PER_CHECK = 1_000_000
"""Edges that are copied between two looks at the clock: some ten milliseconds."""


class Component:
    """All configurations that can be reached from a start, each with an index.

    >>> import slidelab as sl
    >>> c = Component(sl.puzzle("square R(3,3)").goal)
    >>> c.states
    181440
    >>> c.configuration(c.known_index(c.start)) == c.start
    True
    """

    def __init__(
        self,
        start: Configuration,
        metric: Metric = "single",
        *,
        budget: Budget | None = None,
    ) -> None:
        import numpy as np

        self.start = start
        self.puzzle = start.puzzle
        self.metric = check_metric(start.puzzle, metric)
        self.budget = budget or Budget()
        self.graph = gain_graph(start.puzzle, self.budget)
        shape, arrangement = self.graph.place(start)
        self.family = self.graph.family(shape, self.budget)
        self.group = family_group(self.family, self.budget)
        self._coloured = start.puzzle.colours is not None
        self._colour = np.array(point_colours(start.puzzle), dtype=np.uint32)
        self._arrangement = arrangement
        self._names = self._naming(arrangement)
        self._all_words = self._coloured and self._any_order()
        self._needed_bytes = 0
        self._numbering: StateCode | None = None
        self._local = np.full(self.graph.shapes + 1, -1, dtype=np.int64)  # the last is for no shape, -1
        self._local[self.family.members] = np.arange(self.family.shapes)

    @cached_property
    def code(self) -> StateCode:
        """The numbering of the states, in one shard."""
        return self.make_code()

    @property
    def numbering(self) -> StateCode:
        """A numbering of the states, in whatever shards: all give them the same indices."""
        return self._numbering or self.code

    @cached_property
    def alternates(self) -> bool:
        """Whether shapes have two colours such that every move changes the colour."""
        import numpy as np

        from slidelab import _core

        if self.metric != "single":
            return False
        return _core.two_colourable(self.family.shapes, np.ascontiguousarray(self.edge_ends))

    @cached_property
    def main_slots(self) -> tuple[int, ...]:
        """The slots of the base whose pieces are numbered by the factorial system, none if all is listed."""
        return tuple(sorted(self._main_orbit()))

    @property
    def main_pieces(self) -> int:
        """The number of these slots."""
        return len(self.main_slots)

    @property
    def numbers_colours(self) -> bool:
        """Whether the arrangements are all words of colours, so that they are numbered without a list."""
        return self._all_words

    def fits(self, planes: float) -> bool:
        """Return whether so many bits a state fit into the memory, by an estimate before the search."""
        if self._coloured and not self._all_words:
            return True
        return self._estimate_bytes(int(-(-self.states // 60) * 8 * planes)) <= self.budget.memory

    def check_memory(self, planes: int, shards: int = 1) -> None:
        """Raise `TooManyStates` if so many bits a state exceed the memory; nothing is allocated for that.

        With several shards, only one of them counts.
        """
        if self._all_words or not self._coloured:
            arrays = -(-self.states // 60) * 8 * planes // shards
            self._needed_bytes = self._estimate_bytes(arrays)
            check_memory(self, arrays, self.budget.memory, self._needed_bytes)

    def _estimate_bytes(self, arrays: int) -> int:
        """Return the bytes of a search whose arrays take so many: lists, tables and buffers come on top."""
        tables = 0
        if self._all_words:
            loops = len(self.edge_numbers) - self.family.shapes + 1
            tables = (8 * loops + 1) * self.states // self.family.shapes
        return arrays + arrays // 24 + min(arrays // 4, 4_000_000) + 25_000 * (os.cpu_count() or 1) + tables

    @cached_property
    def edge_numbers(self) -> NDArray[np.int64]:
        """The numbers of the edges of the gain graph in this family."""
        import numpy as np

        rows, family_of = self.graph.read_edges(self.budget), self.graph.family_of
        own = family_of[self.family.base]
        parts = []
        for first in range(0, len(rows), EDGES_PER_CHECK):
            self.budget.check("edges", first, len(rows))
            sources = rows[first : first + EDGES_PER_CHECK, 0]
            parts.append(first + np.flatnonzero(family_of[sources] == own))
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)

    @cached_property
    def edges(self) -> NDArray[np.int64]:
        """The rows of these edges, as in `GainGraph.edge_rows`."""
        rows = self.graph.read_edges(self.budget)
        return rows if len(self.edge_numbers) == len(rows) else rows[self.edge_numbers]

    @property
    def edge_ends(self) -> NDArray[np.int64]:
        """The shapes that these edges join, by their indices in the family."""
        return self.local_shapes(self.edges[:, :2])

    def local_shapes(self, shapes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the indices of shapes of the gain graph in the family, -1 for those of other families."""
        found: NDArray[np.int64] = self._local[shapes]
        return found

    @property
    def states(self) -> int:
        """The number of configurations."""
        if self._all_words:
            return self._colour_words() * self.family.shapes
        if self._coloured:
            return self.numbering.x_count * self.family.shapes
        return self.group.order * self.family.shapes

    def _colour_words(self) -> int:
        """Return the number of ways to distribute the colours of each orbit over its slots."""
        colour = self._colour[self._arrangement].tolist()
        count = 1
        for orbit in self.group.moved_orbits:
            count *= factorial(len(orbit))
            for number in Counter(colour[point] for point in orbit).values():
                count //= factorial(number)
        return count

    # Numbering

    def _main_orbit(self) -> list[int]:
        """Return the slots of the orbit to be numbered by the factorial system, none if a list is better."""
        import numpy as np

        if self._coloured:
            return []
        turns = self.puzzle.rule.turns
        slots = self.family.generators[:, ::turns] // turns
        degree = self.puzzle.piece_count
        pieces = PermutationGroup(np.ascontiguousarray(slots), degree) if turns > 1 else self.group
        orbits = sorted((o for o in pieces.orbits if len(o) >= MIN_MAIN_PIECES), key=len, reverse=True)
        for orbit in orbits:
            if 2 * pieces.on(orbit).order >= factorial(len(orbit)):
                return list(orbit)
        return list(orbits[0]) if orbits and self.group.order > MAX_LISTED_ARRANGEMENTS else []

    def _any_order(self) -> bool:
        """Return whether the colours of every orbit can be permuted freely.

        That is so if the group contains all even permutations of each orbit, and each has two equal pieces.
        """
        if self.puzzle.rule.turns > 1:
            return False
        colour = self._colour[self._arrangement]
        return all(
            self.group.is_giant(orbit) and len({int(colour[p]) for p in orbit}) < len(orbit)
            for orbit in self.group.moved_orbits
        )

    def make_code(self, prefix: int = 0) -> StateCode:
        """Return the numbering of the states, divided into shards by the first `prefix` digits."""
        import numpy as np

        from slidelab import _core

        turns = self.puzzle.rule.turns
        main = self.main_slots
        if self._coloured:
            labels = self._colour[self._arrangement]
        else:
            labels = np.arange(self.graph.degree, dtype=np.uint32)
            for slot in main:
                labels[slot * turns : (slot + 1) * turns] = range(turns)
        edges = self.edges[:, :5].copy()
        edges[:, :2] = self._local[edges[:, :2]]
        try:
            self._numbering = _core.StateCode(
                self.family.shapes,
                np.ascontiguousarray(edges),
                turns,
                np.ascontiguousarray(labels, dtype=np.uint32),
                np.array(main, dtype=np.uint32),
                self._all_words,
                self.budget.memory,
                prefix,
                self.budget.check,
            )
        except _core.LimitReached as error:
            if self._needed_bytes:
                check_memory(self, self._needed_bytes, self.budget.memory)
            raise TooLarge(f"{self.puzzle.text} is too large to search: {error}") from None
        return self._numbering

    def lines(self) -> list[int]:
        """Return the arc that extends each push, empty if single moves count."""
        return straight_lines(self.graph, self.edges) if self.metric == "straight" else []

    # Configurations and indices

    def _naming(self, arrangement: NDArray[np.uint16]) -> NDArray[np.uint32]:
        """Return, for each piece point, the slot point at which it starts: its name in the core."""
        import numpy as np

        names = np.empty(len(arrangement), dtype=np.uint32)
        names[arrangement] = np.arange(len(arrangement), dtype=np.uint32)
        return names

    def index(self, configuration: Configuration, start: Configuration | None = None) -> StateIndex | None:
        """Return the index of a configuration; None if it is not in this component.

        With another `start` of the same shape, pieces are renamed so that it becomes the start.
        """
        import numpy as np

        shape, arrangement = self.graph.place(configuration)
        if self.graph.family_of[shape] != self.graph.family_of[self.family.base]:
            return None
        labels = self._labels(start)
        return self.numbering.place(self.family.index(shape), np.ascontiguousarray(labels[arrangement]))

    def named(self, configuration: Configuration) -> tuple[int, NDArray[np.uint32]]:
        """Return the shape of a configuration, by its index, and its arrangement as the core names pieces."""
        shape, arrangement = self.graph.place(configuration)
        return self.family.index(shape), self._labels(None)[arrangement]

    def places(
        self, spots: NDArray[np.int32], start: Configuration | None = None, threads: int = 1
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """Return the shapes of this component (-1 for others) and the labelled arrangements of many rows.

        `spots` are those of `slidelab.gains.arrays.ConfigurationArrays.spots`, `start` as for `index`.
        """
        shapes, arrangements = self.graph.places(spots, threads)
        return self._local[shapes], self._labels(start)[arrangements]

    def _labels(self, start: Configuration | None) -> NDArray[np.uint32]:
        """Return what the core calls each piece point: its colour, or the slot point at which it starts."""
        if self._coloured:
            return self._colour
        if start is None or start == self.start:
            return self._names
        base, first = self.graph.place(start)
        if base != self.family.base:
            raise PuzzleError("expected a start of the same shape")
        return self._naming(first)

    def known_index(self, configuration: Configuration) -> StateIndex:
        """Return the index of a configuration that must be in this component."""
        index = self.index(configuration)
        if index is None:
            raise PuzzleError(f"{configuration.text} is not in its own component; please report this")
        return index

    def configuration(self, index: StateIndex) -> Configuration:
        """Return the configuration at an index."""
        import numpy as np

        shape = int(self.family.members[index[0]])
        named = self.numbering.arrangement(index)
        arrangement = (
            pieces_of(self.puzzle, named.tolist())
            if self._coloured
            else self._arrangement[named.astype(np.int64)]
        )
        found = self.graph.configuration(shape, arrangement)
        return Configuration(self.puzzle, found.pieces) if self._coloured else found

    def renamed(
        self, configuration: Configuration, first: Configuration, then: Configuration
    ) -> Configuration:
        """Return the configuration with pieces renamed as from `first` to `then`, which have one shape."""
        import numpy as np

        _, old = self.graph.place(first)
        _, new = self.graph.place(then)
        names = np.empty_like(old)
        names[old] = new
        shape, arrangement = self.graph.place(configuration)
        return self.graph.configuration(shape, names[arrangement])

    def at_shape(self, shape: int) -> Configuration:
        """Return the start carried along the spanning tree to another shape of the family."""
        carried = self.family.from_base(shape, self._arrangement)
        found = self.graph.configuration(shape, carried)
        return Configuration(self.puzzle, found.pieces) if self._coloured else found


def pieces_of(puzzle: Puzzle, word: Sequence[int]) -> NDArray[np.uint16]:
    """Return an arrangement whose pieces have these colours, slot point by slot point."""
    import numpy as np

    turns = puzzle.rule.turns
    own = point_colours(puzzle)
    free: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for piece in range(puzzle.piece_count):
        for turn in range(turns):
            seen = tuple(own[piece * turns + (m + turn) % turns] for m in range(turns))
            free.setdefault(seen, []).append((piece, turn))
    out = np.empty(len(word), dtype=np.uint16)
    used: set[int] = set()
    for slot in range(puzzle.piece_count):
        marks = tuple(word[slot * turns : (slot + 1) * turns])
        piece, turn = next(pair for pair in free[marks] if pair[0] not in used)
        used.add(piece)
        for m in range(turns):
            out[slot * turns + m] = piece * turns + (m + turn) % turns
    return out
