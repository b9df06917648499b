"""Additive pattern databases for any board and rule.

The pieces are partitioned into patterns. The database of a pattern holds the exact number of moves of its
own pieces to their goal placements, with all other pieces indistinguishable and their moves free. Each move
moves one piece, so the entries of disjoint patterns add up to an admissible heuristic (Korf and Felner).

Pieces are named by the slots in which they lie at the goal. So the databases of one shape serve all goals of
that shape and, through the symmetries of the board, of all shapes that are images of it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb, perm
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.gains import GainGraph
from slidelab.messages import byte_size
from slidelab.solve.patterns.partition import (
    Pattern,
    different_partitions,
    pair_scores,
    sizes_within_limit,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "DEFAULT_DATABASE_BYTES",
    "PatternDatabase",
    "PatternDatabases",
    "build_databases",
    "can_know_regions",
    "database_entries",
    "has_room_for_regions",
    "pattern_sizes",
    "single_distances",
    "sizes_text",
    "spot_numbers",
]

DEFAULT_DATABASE_BYTES = 20_000_000
"""Bytes of databases that are built unless a size is given: a second of work or less."""

MAX_SLOTS = 64
"""Slots of the core's bit masks."""

MAX_SINGLE_ENTRIES = 50_000_000
"""Entries of the distances of single pieces: 100 MB."""

MAX_EXACT_WORK = 300_000_000
"""Steps for exact distances of single pieces: about a second."""

BUILD_FACTOR = 5
"""Memory to build one database, relative to its final size: 4.4 for seven tiles of the 24-puzzle."""

EVEN_FACTOR = 8
"""Databases of even patterns are compared with larger, uneven ones if these take so many times their size."""

MIN_LARGER_GAIN = 1.05
"""Mean entry of larger databases, relative to smaller ones, from which on they are taken.

Larger ones are read more slowly. On the 15-puzzle 7 + 7 + 1 tiles have 1.5 times the mean of 5 + 5 + 5; on
the 24-puzzle 7 + 7 + 7 + 3 have 1.01 times that of 6 + 6 + 6 + 6, and a smaller maximum over symmetric
lookups."""

MAX_REGION_CELLS, MAX_REGION_PIECES = 26, 8
"""Cells of the largest board and pieces of the largest pattern whose databases can know the hole's region."""

MIN_REGION_CELLS = 20
"""Cells of the smallest board for which such databases are built.

They take twice the memory. On the 15-puzzle they save a third of the nodes but no time, on the 24-puzzle a
third of the nodes and a seventh of the time."""

GAIN_SAMPLE = 200_000
"""Bytes of a database that are read for its mean entry: an error well below one percent."""

MAX_LISTED_SIZES = 5
"""Patterns of a partition whose sizes are listed one by one."""

UNREACHABLE = 65535
"""Distance of a placement from which a piece cannot reach its goal."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternDatabase:
    """The moves that the pieces of a pattern need beyond what each needs alone, packed.

    An entry is a multiple of `step` and takes half a byte if `halves`; `cut` entries are too large for that
    and were rounded down. If there are as many bytes as placements nevertheless, each placement has two
    entries: for the hole in the largest region of the board that the pieces leave, and for it elsewhere.
    """

    data: NDArray[np.uint8]
    pieces: int
    halves: bool
    step: int
    cut: int

    def __repr__(self) -> str:
        return f"<pattern database of {self.pieces} pieces, {byte_size(len(self.data))}>"

    def mean_gain(self) -> float:
        """Return what the database adds to the heuristic on average, from a random sample of its entries."""
        import numpy as np

        sample = self.data[np.random.default_rng(0).integers(0, len(self.data), GAIN_SAMPLE)]
        values = np.concatenate([sample & 15, sample >> 4]) if self.halves else sample
        values = values[values != (15 if self.halves else 255)]
        return float(values.mean()) * self.step if len(values) else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class PatternDatabases:
    """The databases of one shape of a puzzle, one for each pattern of two pieces or more.

    There may be several partitions, each with all its databases: what one does not see another may. Each
    lists the numbers of its patterns.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> found = build_databases(gain_graph(sl.puzzle("square R(3,3)")), 8, 10_000)
    >>> found
    <pattern databases of square R(3,3) tiles 1: 4 + 4 pieces, 4 kB>
    >>> found.patterns, found.size
    (((0, 1, 2, 3), (4, 5, 6, 7)), 3024)
    """

    graph: GainGraph
    shape: int
    alone: NDArray[np.uint16]
    patterns: tuple[Pattern, ...]
    databases: tuple[PatternDatabase, ...]
    partitions: tuple[tuple[int, ...], ...]
    seconds: float = 0.0

    @property
    def size(self) -> int:
        """Bytes of all databases."""
        return sum(len(database.data) for database in self.databases)

    def mean_gain(self) -> float:
        """Return what the databases add to the distances of single pieces, on average over all placements."""
        return sum(database.mean_gain() for database in self.databases) / max(1, len(self.partitions))

    def __repr__(self) -> str:
        what = f"{self.sizes_text} pieces, {byte_size(self.size)}"
        return f"<pattern databases of {self.graph.puzzle.text}: {what}>"

    @property
    def sizes_text(self) -> str:
        """The sizes of the patterns, partition by partition."""
        return sizes_text(self.patterns, self.partitions)


def sizes_text(patterns: Sequence[Pattern], partitions: Sequence[Sequence[int]]) -> str:
    """Return the sizes of patterns, partition by partition.

    >>> sizes_text([(0, 1, 2), (3, 4), (0, 1), (2, 3, 4)], [(0, 1), (2, 3)])
    '3 + 2, 2 + 3'
    >>> sizes_text([(0, 1), (2, 3), (0, 2), (1, 3)], [(0, 1), (2, 3)])
    '2 partitions of 2 + 2'
    """
    texts = [_sum_text([len(patterns[number]) for number in partition]) for partition in partitions]
    if len(texts) > 1 and len(set(texts)) == 1:
        return f"{len(texts)} partitions of {texts[0]}"
    return ", ".join(texts) or "no"


def _sum_text(sizes: Sequence[int]) -> str:
    """Return sizes as a sum; equal ones that are many as a product.

    >>> _sum_text([5, 5, 5]), _sum_text([4] * 12 + [1])
    ('5 + 5 + 5', '12 x 4 + 1')
    """
    if len(sizes) <= MAX_LISTED_SIZES:
        return " + ".join(map(str, sizes))
    runs = [(size, len(list(run))) for size, run in groupby(sizes)]
    return " + ".join(str(size) if count == 1 else f"{count} x {size}" for size, count in runs)


def single_distances(graph: GainGraph, shape: int, budget: Budget | None = None) -> NDArray[np.uint16]:
    """Return the moves that a piece alone needs to each slot of a shape, from every spot.

    All other pieces are indistinguishable and move freely. For one hole on a board without cut vertices
    that is the distance in the graph [1]_; a hexagonal tile that needs two holes for each step, or a gourd
    that must end the right way round, may need more. For very large puzzles the board is taken to be empty,
    which gives a lower bound.

    Parameters
    ----------
    graph
    shape
        Number of the goal's shape.
    budget

    Returns
    -------
    array of shape (slots, spots)
        65535 where the slot cannot be reached.

    Raises
    ------
    TooLarge
        If the array would have more than `MAX_SINGLE_ENTRIES` entries.

    References
    ----------
    .. [1] R. Wong, W. Li, A. Chen, "Sliding graph puzzles", section 7.

    Examples
    --------
    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> single_distances(gain_graph(sl.puzzle("square R(2,2)")), 3)
    array([[1, 0, 2, 1],
           [0, 1, 1, 2],
           [1, 2, 0, 1]], dtype=uint16)
    """
    import numpy as np

    from slidelab import _core

    pieces, turns = graph.puzzle.piece_count, graph.puzzle.rule.turns
    spots = len(graph.placements) * turns
    if pieces * spots > MAX_SINGLE_ENTRIES:
        raise TooLarge(
            f"{graph.puzzle.text} has {pieces:,} pieces, too many to search for a shortest solution"
        )
    points = np.arange(pieces, dtype=np.uint16) * turns
    if (2 * graph.edges + graph.shapes) * pieces**2 * turns <= MAX_EXACT_WORK:
        budget = budget or Budget()
        return _core.single_distances(graph.move_table(budget), shape, points, budget.check)
    return _empty_board_distances(graph, shape, budget or Budget())


def _empty_board_distances(graph: GainGraph, shape: int, budget: Budget) -> NDArray[np.uint16]:
    """Return the same on an empty board: a lower bound, and quick however large the puzzle is."""
    import numpy as np

    turns = graph.puzzle.rule.turns
    spots = len(graph.placements) * turns
    neighbours: list[list[int]] = [[] for _ in range(spots)]
    _, _, steps, _ = graph.step_arrays()
    for before, after, turn in dict.fromkeys(map(tuple, steps[:, :3].tolist())):
        for own in range(turns):
            neighbours[before * turns + own].append(after * turns + (own + turn) % turns)
    rows = np.full((graph.puzzle.piece_count, spots), UNREACHABLE, dtype=np.uint16)
    for number, (row, cells) in enumerate(zip(rows, graph.slots(shape), strict=True)):
        budget.check("distances", number, len(rows))
        layer, distance = [graph.placement_number(cells) * turns], 0
        row[layer] = 0
        while layer:
            distance += 1
            reached = dict.fromkeys(other for spot in layer for other in neighbours[spot])
            layer = [spot for spot in reached if row[spot] == UNREACHABLE]
            row[layer] = distance
    return rows


def pattern_sizes(graph: GainGraph, database_bytes: int) -> tuple[int, ...]:
    """Return the sizes of the patterns that get a database within so many bytes.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> pattern_sizes(gain_graph(sl.puzzle("square R(4,4)")), 100_000_000)
    (7, 7)
    """
    return tuple(size for size in _sizes(graph, database_bytes) if size > 1)


def _sizes(graph: GainGraph, database_bytes: int, memory: int | None = None) -> tuple[int, ...]:
    """Return the sizes of all patterns, single pieces included; `memory` is for building them one by one."""
    if graph.puzzle.piece_count > MAX_SLOTS:
        return ()
    largest = database_bytes
    if memory is not None:
        database_bytes = min(database_bytes, memory // 2)
        largest = (memory - database_bytes) // BUILD_FACTOR

    def needs(size: int) -> int:
        one = _database_bytes(graph, size)
        return one if one <= largest else database_bytes + 1

    return sizes_within_limit(graph.puzzle.piece_count, database_bytes, needs)


def _database_bytes(graph: GainGraph, size: int) -> int:
    entries = database_entries(graph, size)
    # While it is built, each shape with marked slots of the pattern takes a few bytes.
    return max(entries // 2, graph.shapes * comb(graph.puzzle.piece_count, size) // 5)


def database_entries(graph: GainGraph, pieces: int) -> int:
    """Return the number of entries of a database of so many pieces: their placements, as the core ranks them.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> database_entries(gain_graph(sl.puzzle("square R(4,4)")), 2)
    240
    """
    rule, cells = graph.puzzle.rule, graph.puzzle.board.size
    if rule.cells == 1 and cells <= MAX_SLOTS:
        return perm(cells, pieces)
    return int((len(graph.placements) * rule.turns) ** pieces)


def build_databases(
    graph: GainGraph,
    shape: int,
    database_bytes: int = DEFAULT_DATABASE_BYTES,
    *,
    partitions: int = 1,
    budget: Budget | None = None,
) -> PatternDatabases:
    """Build the pattern databases of a shape within so many bytes.

    Parameters
    ----------
    graph
    shape
        Number of the goal's shape.
    database_bytes
        Bytes for all databases together; the patterns shrink until they fit.
    partitions
        Partitions of the pieces that get databases. More of them give searches more to compare, where larger
        patterns would take more memory.
    budget

    Raises
    ------
    TooLarge
        If the memory does not suffice to build them.
    OutOfTime
        If the deadline passes before they are finished.

    References
    ----------
    .. [1] R. Korf, A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134 (2002).
    """
    from slidelab import _core

    budget = budget or Budget()
    began = time.monotonic()
    moves = graph.move_table(budget)  # one for all steps, which find it as long as it is kept here
    alone = single_distances(graph, shape, budget)
    scores = None

    def build(sizes: tuple[int, ...]) -> PatternDatabases:
        found: list[tuple[Pattern, ...]] = []
        if scores is not None:
            found = different_partitions(scores, sizes, partitions)
        listed = [[pattern for pattern in partition if len(pattern) > 1] for partition in found]
        patterns = tuple(dict.fromkeys(pattern for partition in listed for pattern in partition))
        numbers = tuple(tuple(map(patterns.index, partition)) for partition in listed if partition)
        by_region = has_room_for_regions(graph, sizes, database_bytes // partitions)
        databases = tuple(
            [_build(graph, shape, alone, pattern, budget, by_region=by_region) for pattern in patterns]
        )
        return PatternDatabases(graph, shape, alone, patterns, databases, numbers, time.monotonic() - began)

    while True:
        sizes = _sizes(graph, database_bytes // partitions, budget.memory)
        if sizes and scores is None:
            scores = pair_scores(graph, shape, alone, budget)
        try:
            even = _even_sizes(graph, sizes)
            smaller = build(even) if even else None
            found = build(sizes)
        except _core.LimitReached as error:
            raise TooLarge(f"no pattern databases for {graph.puzzle.text}: {error}") from None
        if smaller is not None and found.mean_gain() < MIN_LARGER_GAIN * smaller.mean_gain():
            found = smaller
        excess = found.size - database_bytes
        if excess <= 0:
            del moves
            return found
        database_bytes = database_bytes - excess if excess < database_bytes else database_bytes // 2


def can_know_regions(graph: GainGraph, pieces: int) -> bool:
    """Return whether a database of so many pieces can tell in which region of the board the hole is.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> [can_know_regions(gain_graph(sl.puzzle(text)), 3) for text in ("square R(5,5)", "hex P(3,3)")]
    [True, False]
    """
    one_hole = graph.puzzle.rule.cells == 1 and graph.puzzle.hole_count == 1
    fits_board = MIN_REGION_CELLS <= graph.puzzle.board.size <= MAX_REGION_CELLS
    return one_hole and fits_board and pieces <= MAX_REGION_PIECES


def has_room_for_regions(graph: GainGraph, sizes: Sequence[int], database_bytes: int) -> bool:
    """Return whether so many bytes hold two entries for each placement, by the region of the hole.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> graph = gain_graph(sl.puzzle("square R(5,5)"))
    >>> [has_room_for_regions(graph, (6, 6, 6, 6), size) for size in (300_000_000, 600_000_000)]
    [False, True]
    """
    if not all(can_know_regions(graph, size) for size in sizes):
        return False
    return sum(database_entries(graph, size) for size in sizes if size > 1) <= database_bytes


def _even_sizes(graph: GainGraph, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return sizes of as many patterns, all about equal, if their databases are far smaller; else nothing."""
    if not sizes:
        return ()
    least, larger = divmod(sum(sizes), len(sizes))
    even = (least + 1,) * larger + (least,) * (len(sizes) - larger)

    def total(all_sizes: tuple[int, ...]) -> int:
        return sum(_database_bytes(graph, size) for size in all_sizes if size > 1)

    return even if EVEN_FACTOR * total(even) <= total(sizes) else ()


def _build(
    graph: GainGraph,
    shape: int,
    alone: NDArray[np.uint16],
    pattern: Pattern,
    budget: Budget,
    *,
    by_region: bool,
) -> PatternDatabase:
    import numpy as np

    from slidelab import _core

    slots = list(pattern)
    table = _core.build_pattern_database(
        graph.move_table(budget), shape, slots, budget.threads, budget.memory, by_region, budget.check
    )
    rows = np.ascontiguousarray(alone[slots][:, np.argsort(spot_numbers(graph))])
    data, halves, step, cut = _core.pack_pattern_database(
        table, rows, graph.puzzle.board.size, graph.puzzle.rule.cells == 1, budget.threads, budget.check
    )
    return PatternDatabase(data, len(pattern), halves, step, cut)


def spot_numbers(graph: GainGraph) -> NDArray[np.uint16]:
    """Return how databases number the spots: cells of tiles along the line of slots, others unchanged."""
    import numpy as np

    if graph.puzzle.rule.cells == 1:
        return graph.rank.astype(np.uint16)
    return np.arange(len(graph.placements) * graph.puzzle.rule.turns, dtype=np.uint16)
