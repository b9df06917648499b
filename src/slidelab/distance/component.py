"""The component of a configuration, numbered for the exhaustive search.

A configuration is a shape and an arrangement. The largest orbit of pieces on which the group is
all of Alt or Sym is numbered by the factorial system, sixty arrangements a machine word;
everything else is listed. See docs/design/distances.md.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from math import factorial
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.distance.bounds import refuse_beyond
from slidelab.distance.metric import check_metric, straight_lines
from slidelab.errors import PuzzleError, TooLarge
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.coloured_components import point_colours
from slidelab.reach.group import PermutationGroup, family_group

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Component", "Place", "pieces_of"]

# Shape, word and bit: where the search keeps a configuration.
Place = tuple[int, int, int]

FEWEST_MAIN = 5  # the last five pieces of the main orbit make up a word
MOST_LISTED = 1 << 24


class Component:
    """All configurations that can be reached from a start.

    >>> import slidelab as sl
    >>> c = Component(sl.puzzle("square R(3,3)").goal)
    >>> c.states
    181440
    >>> c.configuration(c.place(c.start)) == c.start
    True
    """

    def __init__(
        self,
        start: Configuration,
        metric: str = "single",
        *,
        table: bool = False,
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
        self.edge_numbers = self._own_edges()
        self.edges: NDArray[np.int64] = self.graph.edge_rows[self.edge_numbers]
        self._all_words = self._coloured and self._any_order()
        self._code: Any = None
        self._needs = 0
        if self._all_words or not self._coloured:
            least = -(-self.states // 60) * (32 if table else 16)  # two bits each, and two more for a table
            self._needs = self._about(least)
            refuse_beyond(self, least, self.budget.memory, self._needs)
        self._local = np.full(self.graph.shapes + 1, -1, dtype=np.int64)  # the last is for no shape, -1
        self._local[self.family.members] = np.arange(self.family.shapes)
        self._code = self._coding()

    def _about(self, least: int) -> int:
        """Enough bytes for a search whose arrays take `least`: lists, tables and buffers on top."""
        tables = 0
        if self._all_words:
            loops = len(self.edges) - self.family.shapes + 1
            tables = (8 * loops + 1) * self.states // self.family.shapes
        return least + least // 24 + min(least // 4, 4_000_000) + 25_000 * (os.cpu_count() or 1) + tables

    def _own_edges(self) -> NDArray[np.int64]:
        """Numbers of the graph's edges that lie in this family."""
        import numpy as np

        family_of = self.graph.family_of
        own: NDArray[np.int64] = np.flatnonzero(
            family_of[self.graph.edge_rows[:, 0]] == family_of[self.family.base]
        )
        return own

    @property
    def states(self) -> int:
        """How many configurations there are."""
        if self._all_words:
            return self._words_of_colours() * self.family.shapes
        if self._coloured:
            return int(self._code.x_count) * self.family.shapes
        return self.group.order * self.family.shapes

    def _words_of_colours(self) -> int:
        """In how many ways the colours of each orbit can stand in its slots."""
        colour = self._colour[self._arrangement].tolist()
        ways = 1
        for orbit in self.group.moved_orbits:
            ways *= factorial(len(orbit))
            for number in Counter(colour[point] for point in orbit).values():
                ways //= factorial(number)
        return ways

    # Numbering

    def _main_orbit(self) -> list[int]:
        """Slots of the orbit of pieces to be numbered by the factorial system; none if a list is better."""
        import numpy as np

        if self._coloured:
            return []
        turns = self.puzzle.rule.turns
        slots = self.family.generators[:, ::turns] // turns
        degree = self.puzzle.piece_count
        pieces = PermutationGroup(np.ascontiguousarray(slots), degree) if turns > 1 else self.group
        orbits = sorted((o for o in pieces.orbits if len(o) >= FEWEST_MAIN), key=len, reverse=True)
        for orbit in orbits:
            if 2 * pieces.on(orbit).order >= factorial(len(orbit)):
                return list(orbit)
        return list(orbits[0]) if orbits and self.group.order > MOST_LISTED else []

    def _any_order(self) -> bool:
        """Can the colours of every orbit come to stand in any order? So it is if the group holds all even
        permutations of each orbit, and each has two pieces alike."""
        if self.puzzle.rule.turns > 1:
            return False
        colour = self._colour[self._arrangement]
        return all(
            self.group.is_giant(orbit) and len({int(colour[p]) for p in orbit}) < len(orbit)
            for orbit in self.group.moved_orbits
        )

    def _coding(self) -> Any:
        import numpy as np

        from slidelab import _core

        turns = self.puzzle.rule.turns
        main = self._main_orbit()
        if self._coloured:
            labels = self._colour[self._arrangement]
        else:
            labels = np.arange(self.graph.degree, dtype=np.uint32)
            for slot in main:
                labels[slot * turns : (slot + 1) * turns] = range(turns)
        edges = self.edges[:, :5].copy()
        edges[:, :2] = self._local[edges[:, :2]]
        try:
            return _core.StateCode(
                self.family.shapes,
                np.ascontiguousarray(edges),
                turns,
                np.ascontiguousarray(labels, dtype=np.uint32),
                np.array(main, dtype=np.uint32),
                self._all_words,
                self.budget.memory,
                self.budget.check,
            )
        except _core.LimitReached as error:
            if self._needs:
                refuse_beyond(self, self._needs, self.budget.memory)
            raise TooLarge(f"{self.puzzle.text} is too large to search: {error}") from None

    @property
    def code(self) -> Any:
        """The core's numbering."""
        return self._code

    def lines(self) -> list[int]:
        """For straight pushes, which move goes on with which; empty if single moves count."""
        return straight_lines(self.graph, self.edges) if self.metric == "straight" else []

    # Configurations and places

    def _naming(self, arrangement: NDArray[np.uint16]) -> NDArray[np.uint32]:
        """For each piece point the slot point at which it starts, which is its name in the core."""
        import numpy as np

        names = np.empty(len(arrangement), dtype=np.uint32)
        names[arrangement] = np.arange(len(arrangement), dtype=np.uint32)
        return names

    def place(self, configuration: Configuration, start: Configuration | None = None) -> Place | None:
        """Where a configuration stands; None if it is not of this component.

        With another `start` of the same shape, pieces are renamed so that it becomes the start.
        """
        import numpy as np

        shape, arrangement = self.graph.place(configuration)
        if self.graph.family_of[shape] != self.graph.family_of[self.family.base]:
            return None
        labels = self._labels(start)
        found: Place | None = self._code.place(
            self.family.index(shape), np.ascontiguousarray(labels[arrangement])
        )
        return found

    def places(
        self, spots: NDArray[np.int32], start: Configuration | None = None, threads: int = 1
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """Return the shapes of this component (-1 for others) and the labelled arrangements of many rows.

        `spots` are those of `slidelab.gains.arrays.ConfigurationArrays.spots`, `start` as for `place`.
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

    def known_place(self, configuration: Configuration) -> Place:
        """Where a configuration that must be of this component stands."""
        place = self.place(configuration)
        if place is None:
            raise PuzzleError(f"{configuration.text} is not where it should be; please report this")
        return place

    def configuration(self, place: Place) -> Configuration:
        """The configuration at a place."""
        import numpy as np

        shape = int(self.family.members[place[0]])
        named = self._code.arrangement(place)
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
        """The configuration with its pieces renamed so that `first` becomes `then`, of the same shape."""
        import numpy as np

        _, old = self.graph.place(first)
        _, new = self.graph.place(then)
        names = np.empty_like(old)
        names[old] = new
        shape, arrangement = self.graph.place(configuration)
        return self.graph.configuration(shape, names[arrangement])

    def at_shape(self, shape: int) -> Configuration:
        """The start carried along the tree to another shape of the family."""
        carried = self.family.from_base(shape, self._arrangement)
        found = self.graph.configuration(shape, carried)
        return Configuration(self.puzzle, found.pieces) if self._coloured else found


def pieces_of(puzzle: Puzzle, word: Sequence[int]) -> NDArray[np.uint16]:
    """An arrangement whose pieces have these colours, slot point by slot point."""
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
