"""The table of hints in a page: all distances to the goal modulo three, two bits each.

A state is numbered by its shape, then by the order of the classes of pieces along the sorted placements of
the shape, then by the turns of the pieces, so that the page can number it without anything from the core.
Orders are words in lexicographic order; the turn of a piece counts modulo its period. The residues themselves
come from `slidelab.distance.DistanceTable`.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, replace
from math import factorial, prod
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.distance.component import Component
from slidelab.distance.table import DistanceTable
from slidelab.draw.play.data import piece_classes
from slidelab.errors import TooLarge
from slidelab.messages import big_number
from slidelab.puzzles import Configuration, Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["HintTable", "hint_table"]

MAX_ENTRIES = 12_000_000
"""Entries of the largest table: 3 MB, or 4 MB of text in the page."""

MAX_SHAPE_PLACEMENTS = 300_000
"""Placements in all shapes of a puzzle with a table; their list takes about 1 MB in the page."""

CHUNK_ROWS = 1 << 18
"""Configurations that are looked up at a time, so that intermediate arrays stay small."""


@dataclass(frozen=True, slots=True)
class HintTable:
    """Distances modulo three, for the engine of a page.

    Attributes
    ----------
    shapes : list of list of int
        The sorted placements of each shape.
    words, codes : int
        Number of orders of the classes of pieces, and of turns of all pieces.
    residues : array of uint8
        For each state its distance modulo three, 3 if the goal cannot be reached.
    states : int
        Number of states from which the goal can be reached.
    """

    shapes: list[list[int]]
    words: int
    codes: int
    residues: NDArray[np.uint8]
    states: int

    @property
    def data(self) -> dict[str, Any]:
        """The table for JSON: four entries a byte, the first in the lowest bits, in base64."""
        import numpy as np

        padded = np.zeros(-(-len(self.residues) // 4) * 4, dtype=np.uint8)
        padded[: len(self.residues)] = self.residues
        quarters = padded.reshape(-1, 4)
        packed = quarters[:, 0] | quarters[:, 1] << 2 | quarters[:, 2] << 4 | quarters[:, 3] << 6
        return {
            "shapes": [placement for shape in self.shapes for placement in shape],
            "words": self.words,
            "codes": self.codes,
            "bytes": b64encode(packed.tobytes()).decode(),
        }


def hint_table(goal: Configuration, budget: Budget | None = None) -> HintTable:
    """Return the table of hints that lead to a goal.

    Parameters
    ----------
    goal
        The goal; its component is searched.
    budget
        Limits of the search.

    Raises
    ------
    TooLarge
        If the table would have more than 12 million entries, or does not fit into the memory.

    Examples
    --------
    >>> import slidelab as sl
    >>> table = hint_table(sl.puzzle("square R(2,2)").goal)
    >>> len(table.shapes), table.words, table.states, len(table.residues)
    (4, 6, 12, 24)
    """
    import numpy as np

    budget = budget or Budget()
    puzzle = goal.puzzle
    classes, periods = piece_classes(puzzle)
    members = [[piece for piece, own in enumerate(classes) if own == kind] for kind in range(len(periods))]
    words = factorial(puzzle.piece_count) // prod(factorial(len(own)) for own in members)
    codes = prod(periods[own] for own in classes)
    _check_entries(puzzle, words * codes)
    # Shapes are counted before they are listed, and the memory of the search before it is taken.
    most = max(1, MAX_SHAPE_PLACEMENTS // puzzle.piece_count)
    budget = replace(budget, max_shapes=min(budget.max_shapes, most))
    component = Component(goal, budget=budget)
    _check_entries(puzzle, words * codes * component.family.shapes)
    table = DistanceTable(goal, budget=budget)
    number = component.graph.steps.number
    shapes = [
        sorted(number[cells] for cells in component.graph.slots(int(shape)))
        for shape in component.family.members
    ]
    orders = _orders(members)
    residues = np.empty((len(shapes), len(orders), codes), dtype=np.uint8)
    rows = max(1, CHUNK_ROWS // codes)
    for k, shape in enumerate(shapes):
        for first in range(0, len(orders), rows):
            budget.check("hints", k * words + first, len(shapes) * words)
            part = orders[first : first + rows]
            spots = _spots(puzzle, np.array(shape, dtype=np.int32), part, classes, periods)
            residues[k, first : first + rows] = table.residues(spots, threads=budget.threads).reshape(
                len(part), codes
            )
    residues[residues > 2] = 3  # -1 for states that cannot reach the goal
    return HintTable(shapes, words, codes, residues.reshape(-1), sum(table.distribution))


def _check_entries(puzzle: Puzzle, entries: int) -> None:
    if entries > MAX_ENTRIES:
        raise TooLarge(
            f"expected at most {MAX_ENTRIES:,} entries in a table of hints, "
            f"got {big_number(entries)} or more - for {puzzle.text!r:.80}"
        )


def _orders(members: list[list[int]]) -> NDArray[np.int32]:
    """Return all orders of pieces that differ in their classes, as rows, in lexicographic order of classes.

    Pieces of one class are always in order.

    >>> _orders([[0, 2], [1]]).tolist()
    [[0, 2, 1], [0, 1, 2], [1, 0, 2]]
    """
    import numpy as np

    count = sum(map(len, members))
    lists = np.zeros((len(members), count), dtype=np.int32)
    for own, pieces in enumerate(members):
        lists[own, : len(pieces)] = pieces
    sizes = np.array([len(pieces) for pieces in members])
    orders = np.empty((1, 0), dtype=np.int32)
    used = np.zeros((1, len(members)), dtype=np.int64)
    for _ in range(count):
        rows, kinds = np.nonzero(used < sizes)
        orders = np.column_stack([orders[rows], lists[kinds, used[rows, kinds]]])
        used = used[rows]
        used[np.arange(len(rows)), kinds] += 1
    return orders.astype(np.int32)


def _spots(
    puzzle: Puzzle,
    shape: NDArray[np.int32],
    orders: NDArray[np.int32],
    classes: list[int],
    periods: list[int],
) -> NDArray[np.int32]:
    """Return the spots of the pieces in these orders along a shape, with all their turns in order."""
    import numpy as np

    turns, count = puzzle.rule.turns, len(classes)
    period_of = np.array([periods[own] for own in classes], dtype=np.int64)
    codes = int(period_of.prod())
    radix = period_of[orders]  # of the turn in each slot
    left = np.repeat(np.arange(codes)[None, :], len(orders), axis=0)
    turned = np.empty((len(orders), codes, count), dtype=np.int32)
    for slot in range(count - 1, -1, -1):
        turned[:, :, slot] = left % radix[:, slot, None]
        left //= radix[:, slot, None]
    spots = np.empty((len(orders), codes, count), dtype=np.int32)
    rows = np.arange(len(orders))[:, None]
    for slot in range(count):
        pieces = orders[:, slot, None]
        spots[rows, np.arange(codes)[None, :], pieces] = shape[slot] * turns + turned[:, :, slot]
    return spots.reshape(-1, count)
