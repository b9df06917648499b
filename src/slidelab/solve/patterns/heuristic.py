"""The admissible heuristic of a goal: pattern databases, looked up through the symmetries of the board."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, overload

from slidelab.arguments import parse_bytes, renamed
from slidelab.budget import Budget, CacheNeutral
from slidelab.errors import TooLarge
from slidelab.gains import GainGraph, gain_graph
from slidelab.messages import byte_size
from slidelab.puzzles import Configuration, ConfigurationLike
from slidelab.solve.patterns.databases import UNREACHABLE, PatternDatabases, spot_numbers
from slidelab.solve.patterns.store import databases_for
from slidelab.solve.patterns.symmetry import image_of, symmetries_of_rule

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab import _core
    from slidelab.gains.layout import Batch

    Lookup = tuple[NDArray[np.uint16], list[tuple[int, list[int]]]]

__all__ = ["Heuristic", "check_search_size", "core_searches", "heuristic_for"]

MAX_LOOKUPS = 8
"""Lookups of all partitions and symmetries: the core's limit; each costs a memory access a move."""

MAX_SEARCH_TABLE_BYTES = 2_000_000_000
"""Bytes for the placements and moves of all shapes that a search holds."""

ARC_BYTES = 40
"""Bytes that a move takes there, in both directions."""

MAX_WALKS = 100_000
"""States of the automaton that prunes walks which lead where shorter ones do."""

MAX_WALK_LENGTH = 14
"""Moves of the walks that it knows."""


class Heuristic:
    """A lower bound on the moves to one goal, and the encoding of configurations that searches use.

    Parameters
    ----------
    goal
    databases
        Of the goal's shape, or of one that a symmetry maps it to.

    Raises
    ------
    TooLarge
        If the databases are for another goal, or a search would need too much memory.

    Examples
    --------
    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> from slidelab.solve.patterns.databases import build_databases
    >>> p = sl.puzzle("square R(3,3)")
    >>> heuristic = Heuristic(p.goal, build_databases(gain_graph(p), 8, 10_000))
    >>> heuristic
    <heuristic of square R(3,3) tiles 1: pattern databases of 4 + 4 pieces (4 kB)>
    >>> heuristic.lower_bound(p.goal), heuristic.lower_bound(p.configuration("8 6 7 2 5 4 3 . 1"))
    (0, 27)
    """

    def __init__(
        self, goal: Configuration, databases: PatternDatabases, neutral: CacheNeutral[Budget] | None = None
    ) -> None:
        from slidelab import _core

        neutral = neutral or CacheNeutral(Budget())

        self.goal = goal
        self.graph = databases.graph
        self.databases = databases
        puzzle, rule = goal.puzzle, goal.puzzle.rule
        self.shape, arrangement = self.graph.place(goal)
        turns = rule.turns
        at = [_piece_at(int(arrangement[slot * turns]), turns) for slot in range(puzzle.piece_count)]
        maps = list(self._symmetric_maps())
        base = self._single_distances(*maps[0])
        if puzzle.colours is None:
            # A piece is named by its slot at the goal, and turned as it lies there.
            self._name = {piece: (slot, turn) for slot, (piece, turn) in enumerate(at)}
            periods = [turns] * puzzle.piece_count
        else:
            kinds = {labels: number for number, labels in enumerate(dict.fromkeys(puzzle.colours))}
            periods = [len(set(rule.readings(labels))) for labels in kinds]
            self._name = {piece: (kinds[labels], 0) for piece, labels in enumerate(puzzle.colours)}
            base = self._by_colour(base, at, periods)
        self.single_distances = base
        check_search_size(self.graph, MAX_SEARCH_TABLE_BYTES)
        self._periods = periods
        self.searches = core_searches(self.graph, tuple(periods), neutral)
        lookups = [] if puzzle.colours is not None else self._lookups(maps)
        self.lookups = len(lookups)
        data = [(d.data, d.pieces, d.halves, d.step) for d in databases.databases]
        self.core = _core.Heuristic(
            base, puzzle.board.size, rule.cells == 1, data, lookups, neutral.value.check
        )

    @cached_property
    def of_first_partition(self) -> Heuristic:
        """The heuristic of the first partition alone: weaker, but read twice as fast as two.

        For IDA*: on the 24-puzzle a second partition saves a tenth of the nodes at half the speed.
        """
        if len(self.databases.partitions) <= 1:
            return self
        return Heuristic(self.goal, replace(self.databases, partitions=self.databases.partitions[:1]))

    def __reduce__(self) -> tuple[object, ...]:
        return Heuristic, (self.goal, self.databases)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heuristic) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Hashable, ...]:
        found = self.databases
        return self.goal, found.shape, found.patterns, found.partitions, found.size

    def __repr__(self) -> str:
        return f"<heuristic of {self.goal.puzzle.text}: {self.description}>"

    @property
    def description(self) -> str:
        """What the heuristic adds up, in words."""
        found = self.databases
        if not found.patterns:
            return "distances of single pieces"
        sizes = [len(found.patterns[number]) for number in found.partitions[0]]
        sizes += [1] * (self.goal.puzzle.piece_count - sum(sizes))
        listed = " + ".join(map(str, sizes)) if len(sizes) <= 4 else f"up to {max(sizes)}"
        count = len(found.partitions)
        several = f" in {count} partitions" if count > 1 else ""
        return f"pattern databases of {listed} pieces{several} ({byte_size(found.size)})"

    # Symmetries that map the goal's shape to the shape of the databases

    def _symmetric_maps(self) -> Iterator[tuple[NDArray[np.uint16], list[int]]]:
        """Yield for each symmetry the image of each spot for each piece, and the image of each slot."""
        import numpy as np

        graph, rule = self.graph, self.graph.puzzle.rule
        slots = graph.slots(self.shape)
        target = {cells: slot for slot, cells in enumerate(graph.slots(self.databases.shape))}
        turns = rule.turns
        found = False
        for symmetry in symmetries_of_rule(graph):
            images = [image_of(rule, symmetry, cells) for cells in slots]
            if any(cells not in target for cells, _ in images):
                continue
            spot_image = np.empty(len(graph.placements) * turns, dtype=np.int64)
            for number, cells in enumerate(graph.placements):
                image, turned = image_of(rule, symmetry, cells)
                for turn in range(turns):
                    to = graph.placement_number(image) * turns + (turn + turned) % turns
                    spot_image[number * turns + turn] = to
            rows = np.empty((len(images), len(spot_image)), dtype=np.uint16)
            for slot, (_, turned) in enumerate(images):
                rows[slot] = spot_image // turns * turns + (spot_image - turned) % turns
            found = True
            yield rows, [target[cells] for cells, _ in images]
        if not found:
            raise TooLarge("these pattern databases are for another goal")

    def _single_distances(self, image: NDArray[np.uint16], to: Sequence[int]) -> NDArray[np.uint16]:
        import numpy as np

        rows = [self.databases.alone[there][image[slot]] for slot, there in enumerate(to)]
        return np.array(rows, dtype=np.uint16).reshape(len(rows), -1)

    def _by_colour(
        self, alone: NDArray[np.uint16], at: Sequence[tuple[int, int]], periods: Sequence[int]
    ) -> NDArray[np.uint16]:
        """Return the distance to the nearest goal placement of each colour, turned in any equal way."""
        import numpy as np

        turns = self.goal.puzzle.rule.turns
        spots = alone.shape[1]
        base = np.full((len(periods), spots), UNREACHABLE, dtype=np.uint16)
        numbers = np.arange(spots)
        for slot, (piece, home) in enumerate(at):
            kind = self._name[piece][0]
            for k in range(0, turns, periods[kind]):
                shifted = numbers // turns * turns + (numbers + k - home) % turns
                base[kind] = np.minimum(base[kind], alone[slot][shifted])
        return base

    def _lookups(self, maps: Sequence[tuple[NDArray[np.uint16], list[int]]]) -> list[Lookup]:
        """Return the lookups that read different entries, up to `MAX_LOOKUPS`.

        First each partition as it is, then through the symmetries.
        """
        numbers = spot_numbers(self.graph)
        distinct: dict[frozenset[frozenset[int]], Lookup] = {}
        for image, to in maps:
            slot_of = {there: here for here, there in enumerate(to)}
            for partition in self.databases.partitions:
                patterns = [
                    (number, [slot_of[slot] for slot in self.databases.patterns[number]])
                    for number in partition
                ]
                key = frozenset(frozenset(slots) for _, slots in patterns)
                distinct.setdefault(key, (numbers[image].reshape(-1), patterns))
        return list(distinct.values())[:MAX_LOOKUPS]

    @overload
    def __call__(self, configurations: NDArray[Any]) -> NDArray[np.int32]: ...
    @overload
    def __call__(self, configurations: ConfigurationLike) -> int | None: ...
    def __call__(self, configurations: ConfigurationLike | NDArray[Any]) -> NDArray[np.int32] | int | None:
        """Return the lower bound of one configuration, or those of a batch.

        Parameters
        ----------
        configurations
            One configuration, or anything that `Puzzle.configuration` reads: the bound is a number, or None
            if it proves the goal unreachable. Or an array of rows as `Puzzle.arrays` lays them out, in any
            number of dimensions: the bounds are an array, with -1 for None.

        Examples
        --------
        >>> import slidelab as sl
        >>> p = sl.puzzle("square R(3,3)")
        >>> h = p.heuristic()
        >>> h("1 2 3 4 5 6 . 7 8")
        2
        >>> batch = p.arrays().encode(["1 2 3 4 5 6 . 7 8", "1 2 3 4 5 6 7 8 ."])
        >>> h(batch), int(h(batch[0]))
        (array([2, 0], dtype=int32), 2)
        """
        import numpy as np

        if not isinstance(configurations, np.ndarray):
            return self.lower_bound(self.goal.puzzle.configuration(configurations))
        shape = self.goal.puzzle.arrays().row_shape
        outer = configurations.shape[: max(configurations.ndim - len(shape), 0)]
        if configurations.shape[len(outer) :] != shape:
            return self.lower_bounds(configurations)  # which says what is wrong
        return self.lower_bounds(configurations.reshape(-1, *shape)).reshape(outer)

    # Configurations in the core's encoding

    def encode(self, configuration: Configuration) -> tuple[int, NDArray[np.uint16]]:
        """Return the shape of a configuration, and the core's mark of the piece in each slot."""
        import numpy as np

        turns = self.graph.puzzle.rule.turns
        shape, arrangement = self.graph.place(configuration)
        marks = []
        for slot in range(self.graph.puzzle.piece_count):
            piece, turn = _piece_at(int(arrangement[slot * turns]), turns)
            kind, home = self._name[piece]
            marks.append(self.searches.mark(kind, (turn - home) % turns))
        return shape, np.array(marks, dtype=np.uint16)

    def lower_bound(self, configuration: Configuration) -> int | None:
        """Return a lower bound on the moves to the goal, or None if it proves the goal unreachable."""
        bound = int(self._bounds(self.graph.steps.spots(configuration)[None, :], 1)[0])
        return None if bound < 0 else bound

    def lower_bounds(self, batch: Batch, *, threads: int | None = None) -> NDArray[np.int32]:
        """Return the lower bound of each configuration of a batch, -1 where it proves the goal unreachable.

        Parameters
        ----------
        batch
            Configurations as `Puzzle.arrays` lays them out.
        threads
            Threads to use.

        Examples
        --------
        >>> import slidelab as sl
        >>> p = sl.puzzle("square R(3,3)")
        >>> batch = p.arrays().encode(["1 2 3 4 5 6 7 8 .", "1 2 3 4 5 6 . 7 8"])
        >>> heuristic_for(p.goal).lower_bounds(batch)
        array([0, 2], dtype=int32)
        """
        budget = Budget.of(threads=threads)
        arrays = self.goal.puzzle.arrays(threads=budget.threads)
        return self._bounds(arrays.spots(batch), budget.threads)

    def _bounds(self, spots: NDArray[np.int32], threads: int) -> NDArray[np.int32]:
        """Return the lower bounds of rows with the spot of each piece."""
        import numpy as np

        turns = self.graph.puzzle.rule.turns
        kinds, homes = np.array([self._name[piece] for piece in range(spots.shape[1])], dtype=np.int32).T
        if turns > 1:
            periods = np.array(self._periods, dtype=np.int32)[kinds]
            spots = spots // turns * turns + (spots - homes) % turns % periods
        return self.core.bounds(kinds.astype(np.uint16), spots, threads)


def _piece_at(point: int, turns: int) -> tuple[int, int]:
    """Return the piece and its turn, from the piece point on the first point of a slot."""
    return point // turns, -(point % turns) % turns


@lru_cache(maxsize=4)
def core_searches(
    graph: GainGraph, periods: tuple[int, ...], neutral: CacheNeutral[Budget]
) -> _core.Searcher:
    """Return the core's searches on the moves of a puzzle, with the walks that they prune."""
    from slidelab import _core

    moves = graph.move_table(neutral.value)
    return _core.Searcher(moves, list(periods), MAX_WALKS, MAX_WALK_LENGTH, neutral.value.check)


_heuristic = lru_cache(maxsize=4)(Heuristic)


@renamed(database_bytes="tables")
def heuristic_for(
    goal: Configuration,
    tables: int | str | None = None,
    *,
    partitions: int = 1,
    budget: Budget | None = None,
) -> Heuristic:
    """Return the heuristic of a goal; the last few are cached.

    Parameters
    ----------
    goal
    tables
        Size of the pattern databases in bytes, or a text such as ``"100M"``; by default the largest on disk,
        or 20 MB. 0 for none.
    partitions
        Partitions of the pieces if databases are built now.
    budget

    References
    ----------
    .. [1] R. Korf, A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134 (2002).

    Examples
    --------
    >>> import slidelab as sl
    >>> heuristic_for(sl.puzzle("square R(4,4)").goal).lookups
    2
    """
    budget = budget or Budget()
    graph = gain_graph(goal.puzzle, budget)
    check_search_size(graph, budget.working_memory // 4)
    shape, _ = graph.place(goal)
    database_bytes = None if tables is None else parse_bytes(tables, "tables", 0)
    if goal.puzzle.colours is not None:
        database_bytes = 0  # databases are for pieces that differ
    moves = graph.move_table(budget)  # kept while the databases are made and until the searcher keeps it
    databases = databases_for(graph, shape, database_bytes, partitions=partitions, budget=budget)
    found = _heuristic(goal, databases, CacheNeutral(budget))
    del moves
    return found


def check_search_size(graph: GainGraph, limit: int) -> None:
    """Raise `TooLarge` if the moves of a puzzle take more than so many bytes in a search."""
    size = 2 * graph.shapes * graph.puzzle.piece_count + ARC_BYTES * graph.edges
    if size > limit:
        needs = f"the moves of {graph.puzzle.text} take {byte_size(size)}"
        raise TooLarge(f"{needs}, and a search may take {byte_size(limit)} for them")
