"""Pattern tables: lower bounds that add up, for any board and rule.

The pieces are split into groups that lie together at the goal. For each group a table holds the
exact distance of its pieces to their places, with all other pieces alike and moving for nothing.
Each move moves one piece, so the entries of disjoint groups add up to a lower bound.

Which piece is which does not matter here: pieces are named by the slots in which they lie at the goal.
So the tables of one shape serve all goals of that shape, and, through a symmetry of the board, those of
all shapes that look like it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import comb, perm
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.gains import GainGraph
from slidelab.solve.patterns.partition import Group, best_groups, pair_scores, sizes_within

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BUDGET", "Patterns", "Table", "distances_alone", "group_sizes", "make_patterns", "table_numbers"]

BUDGET = 20_000_000
"""Bytes of tables that are made without being asked for: a second of work or less."""

MOST_SLOTS = 64  # the core's masks of slots
MOST_ALONE = 50_000_000  # entries of the distances of single pieces
SMALL_WORK = 300_000_000  # steps for exact distances of single pieces


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What the pieces of a group need beyond what each needs alone: one entry a byte, or two."""

    data: NDArray[np.uint8]
    pieces: int
    halves: bool
    step: int
    cut: int


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """The tables of one shape of a puzzle.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> p = make_patterns(gain_graph(sl.puzzle("square R(3,3)")), 8, 10_000)
    >>> p.groups, p.size
    (((0, 1, 2, 3), (4, 5, 6, 7)), 3024)
    """

    graph: GainGraph
    shape: int
    alone: NDArray[np.uint16]
    groups: tuple[Group, ...]
    tables: tuple[Table, ...]
    seconds: float = 0.0

    @property
    def size(self) -> int:
        """Bytes of all tables."""
        return sum(len(table.data) for table in self.tables)


def distances_alone(graph: GainGraph, shape: int, budget: Budget | None = None) -> NDArray[np.uint16]:
    """For each slot of a shape and each spot, the moves that a piece needs from there to the slot, alone.

    All other pieces are alike and move for nothing. For one hole on a board without cut cells that is the
    distance in the graph (Wong, Li and Chen, section 7); a hexagonal tile that needs two holes for each
    step, or a gourd that must come to lie the right way round, may need more. For very large puzzles the
    board is taken to be empty, which is never more. 65535 where there is no way.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> distances_alone(gain_graph(sl.puzzle("square R(2,2)")), 3)
    array([[1, 0, 2, 1],
           [0, 1, 1, 2],
           [1, 2, 0, 1]], dtype=uint16)
    """
    import numpy as np

    from slidelab import _core

    pieces, turns = graph.puzzle.piece_count, graph.puzzle.rule.turns
    spots = len(graph.placements) * turns
    if pieces * spots > MOST_ALONE:
        raise TooLarge(f"{graph.puzzle.text} has {pieces:,} pieces, too many to search for a shortest way")
    points = np.arange(pieces, dtype=np.uint16) * turns
    if (2 * graph.edges + graph.shapes) * pieces**2 * turns <= SMALL_WORK:
        return _core.single_distances(graph.core, shape, points, (budget or Budget()).check)
    return _on_an_empty_board(graph, shape)


def _on_an_empty_board(graph: GainGraph, shape: int) -> NDArray[np.uint16]:
    """The same if no other piece were there: never more, and quick however large the puzzle is."""
    import numpy as np

    turns = graph.puzzle.rule.turns
    spots = len(graph.placements) * turns
    around: list[list[int]] = [[] for _ in range(spots)]
    _, _, steps, _ = graph.step_arrays()
    for before, after, turn in dict.fromkeys(map(tuple, steps[:, :3].tolist())):
        for own in range(turns):
            around[before * turns + own].append(after * turns + (own + turn) % turns)
    rows = np.full((graph.puzzle.piece_count, spots), 65535, dtype=np.uint16)
    for row, cells in zip(rows, graph.slots(shape), strict=True):
        layer, distance = [graph.placement_number(cells) * turns], 0
        row[layer] = 0
        while layer:
            distance += 1
            reached = dict.fromkeys(other for spot in layer for other in around[spot])
            layer = [spot for spot in reached if row[spot] == 65535]
            row[layer] = distance
    return rows


def group_sizes(graph: GainGraph, table_bytes: int) -> tuple[int, ...]:
    """The sizes of groups that get a table within so many bytes.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> group_sizes(gain_graph(sl.puzzle("square R(4,4)")), 100_000_000)
    (7, 7)
    """
    return tuple(size for size in _sizes(graph, table_bytes) if size > 1)


def _sizes(graph: GainGraph, table_bytes: int) -> tuple[int, ...]:
    """The sizes of groups whose tables, two entries a byte, fit the budget, and can be made."""
    puzzle = graph.puzzle
    rule, cells = puzzle.rule, puzzle.board.size
    if puzzle.piece_count > MOST_SLOTS:
        return ()

    def needs(size: int) -> int:
        if rule.cells == 1 and cells <= MOST_SLOTS:
            entries = perm(cells, size)
        else:
            entries = (len(graph.placements) * rule.turns) ** size
        # Regions are found among shapes with the slots of the group marked: a few bytes each, for a while.
        return max(entries // 2, graph.shapes * comb(puzzle.piece_count, size) // 5)

    return sizes_within(puzzle.piece_count, table_bytes, needs)


def make_patterns(
    graph: GainGraph,
    shape: int,
    table_bytes: int = BUDGET,
    *,
    budget: Budget | None = None,
) -> Patterns:
    """The tables of a shape, within so many bytes; groups shrink until they fit."""
    from slidelab import _core

    budget = budget or Budget()
    began = time.monotonic()
    alone = distances_alone(graph, shape, budget)
    scores = None
    while True:
        sizes = _sizes(graph, min(table_bytes, budget.memory // 6))  # made in more than is kept
        if sizes and scores is None:
            scores = pair_scores(graph, shape, alone, budget)
        groups = () if scores is None else best_groups(scores, sizes)
        goal = (graph, shape, alone)
        try:
            tables = tuple([_table(goal, group, budget) for group in groups if len(group) > 1])
        except _core.LimitReached as error:
            raise TooLarge(f"no pattern tables for {graph.puzzle.text}: {error}") from None
        if (size := sum(len(table.data) for table in tables)) <= table_bytes:
            break
        table_bytes = min(table_bytes, 2 * table_bytes - size) if size < 2 * table_bytes else table_bytes // 2
    kept = tuple(group for group in groups if len(group) > 1)
    return Patterns(graph, shape, alone, kept, tables, time.monotonic() - began)


def _table(
    patterns: tuple[GainGraph, int, NDArray[np.uint16]],
    group: Group,
    budget: Budget,
) -> Table:
    import numpy as np

    from slidelab import _core

    graph, shape, alone = patterns
    single = graph.puzzle.rule.cells == 1
    made = _core.pattern_table(graph.core, shape, list(group), budget.threads, budget.memory, budget.check)
    rows = np.ascontiguousarray(alone[list(group)][:, np.argsort(table_numbers(graph))])
    data, halves, step, cut = _core.pack_pattern(
        made, rows, graph.puzzle.board.size, single, budget.threads, budget.check
    )
    return Table(data, len(group), halves, step, cut)


def table_numbers(graph: GainGraph) -> NDArray[np.uint16]:
    """How tables number the spots: tiles' cells along the line of slots, others as they are."""
    import numpy as np

    if graph.puzzle.rule.cells == 1:
        return graph.rank.astype(np.uint16)
    return np.arange(len(graph.placements) * graph.puzzle.rule.turns, dtype=np.uint16)
