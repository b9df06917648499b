"""The sizes of a search over shards, from shapes, edges and orbits: no state is numbered for them.

What a search holds and sends depends on few numbers: words of a shape, shapes of each plane, and how many
arcs take a piece from which slot to which. They are found for puzzles that no machine could search.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import factorial, perm
from typing import TYPE_CHECKING

from slidelab.distance.component import Component
from slidelab.errors import TooLarge
from slidelab.messages import big_number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Run", "ShardOutline", "cross", "outline"]

Run = tuple[int, int]
"""Slots of the numbered pieces between which an arc moves one of them; equal ones if it passes no other."""

TAIL_SLOTS = 5
"""Last slots, whose arrangements are the bits of a word."""

WORD_STATES = 60
"""Arrangements of one sign of the pieces in these slots."""

MAX_DIGITS = 8
MAX_SHARD_WORDS = (1 << 32) - 1
"""Limits of the core: digits that number a shard, shards, and words of a shape in one of them."""

THIN_WORDS = 128
"""A layer is thin if fewer than one word in this many has a new state."""

MIN_LIST_ENTRIES = 64
"""Entries of the list of new words that a process has at least."""

STRETCH_WORDS = 3024
"""Words that a thread computes at a time."""

EDGES_AT_ONCE = 1 << 18
"""Edges whose slots are looked up together: some megabytes."""


@dataclass(frozen=True, slots=True)
class ShardOutline:
    """The sizes of a component that is searched in shards.

    Attributes
    ----------
    states : int
        Configurations.
    pieces : int
        Pieces whose order is numbered by the factorial system; 0 if arrangements are listed.
    labels : int
        Ways in which everything else can be arranged.
    alternates : bool
        Whether shapes have two colours such that every move changes the colour: one plane of bits.
    plane_shapes : pair of int
        Shapes of each plane.
    runs : pair of dict
        For each plane, how many arcs into its shapes move a piece from which slot to which.
    first_slots : pair of dict
        For each plane, how many shapes have an arc that reaches to which slot at the left, and none further.
    table_bytes : int
        Bytes of the tables of a search, less those that grow with the words of a shard.
    """

    states: int
    pieces: int
    labels: int
    alternates: bool
    plane_shapes: tuple[int, int]
    runs: tuple[dict[Run, int], dict[Run, int]]
    first_slots: tuple[dict[int, int], dict[int, int]]
    table_bytes: int

    @property
    def planes(self) -> int:
        """Bits for each configuration, but for those of a word that stand for nothing."""
        return 1 if self.alternates else 2

    @property
    def edges(self) -> int:
        """Edges between shapes."""
        return sum(map(sum, (runs.values() for runs in self._every_run))) // 2

    @property
    def _every_run(self) -> tuple[dict[Run, int], ...]:
        """Runs of all arcs; with two planes, each of them has all."""
        return self.runs if self.alternates else self.runs[:1]

    @property
    def max_digits(self) -> int:
        """Digits that may number shards."""
        return _max_digits(self.pieces)

    @property
    def min_digits(self) -> int:
        """Digits that must number shards, so that their words have 32-bit numbers."""
        for digits in range(self.max_digits + 1):
            if self.words(digits) <= MAX_SHARD_WORDS:
                return digits
        states, words = big_number(self.states), big_number(self.words(self.max_digits))
        raise TooLarge(
            f"{states} configurations are more than shards can number: expected at most {MAX_SHARD_WORDS:,} "
            f"words of a shape in a shard, got {words}"
        )

    def shards(self, digits: int) -> int:
        """Return the number of shards with so many leading digits."""
        return perm(self.pieces, digits)

    def row(self, digits: int) -> int:
        """Return the words for all orders of the numbered pieces in a shard, 0 if there are none."""
        return _row(self.pieces, digits) if self.pieces else 0

    def words(self, digits: int) -> int:
        """Return the words of one shape in one shard."""
        return self.labels * self.row(digits) if self.pieces else -(-self.labels // WORD_STATES)

    @property
    def all_words(self) -> int:
        """Words of one plane over all shapes and shards."""
        return self.words(0) * (sum(self.plane_shapes) // self.planes)

    @property
    def plane_bytes(self) -> int:
        """Bytes of both planes over all shards."""
        return 8 * self.words(0) * sum(self.plane_shapes)

    def crossing(self, plane: int, digits: int) -> dict[Run, int]:
        """Return the arcs into a plane that lead from shard to shard."""
        return {run: count for run, count in self.runs[plane].items() if _crosses(run, digits)}

    def crossing_arcs(self, plane: int, digits: int) -> int:
        """Return the number of arcs into a plane that lead from shard to shard."""
        return sum(self.crossing(plane, digits).values())

    def crossing_edges(self, digits: int) -> int:
        """Return the number of edges that lead from shard to shard."""
        arcs = [sum(n for run, n in runs.items() if _crosses(run, digits)) for runs in self._every_run]
        return sum(arcs) // 2

    def crossing_shapes(self, plane: int, digits: int) -> int:
        """Return the number of shapes of a plane that arcs from other shards reach."""
        return sum(count for slot, count in self.first_slots[plane].items() if slot < digits)

    def search_bytes(self, digits: int, own: int, threads: int) -> tuple[int, int, int]:
        """Return the bytes of planes, of what arrives, and of lists for a process with so many shards."""
        words = self.words(digits)
        plane_words = own * words * sum(self.plane_shapes)
        arrivals = own * words * max(self.crossing_arcs(plane, digits) for plane in range(2))
        entries = max(plane_words // 2 // THIN_WORDS, min(plane_words, MIN_LIST_ENTRIES))
        entries = (2 if self.alternates else 1) * entries + 1
        return 8 * plane_words, 8 * arrivals, 2 * 16 * entries + 8 * threads * min(words, STRETCH_WORDS)

    def code_bytes(self, digits: int) -> int:
        """Return the bytes of all tables with so many leading digits."""
        return self.table_bytes + self.row(digits) // 48


def _max_digits(pieces: int) -> int:
    most = max(0, min(MAX_DIGITS, pieces - TAIL_SLOTS - 1))
    return max(k for k in range(most + 1) if perm(pieces, k) <= MAX_SHARD_WORDS)


def _max_pieces() -> int:
    """Return how many pieces can be numbered."""
    pieces = TAIL_SLOTS
    while _row(pieces + 1, _max_digits(pieces + 1)) <= MAX_SHARD_WORDS:
        pieces += 1
    return pieces


def _row(pieces: int, digits: int) -> int:
    return factorial(pieces - digits) // (2 * WORD_STATES)


def _crosses(run: Run, digits: int) -> bool:
    return run[0] != run[1] and min(run) < digits


def cross(
    pieces: int, digits: int, run: Run, shards: NDArray[np.int64], block: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where blocks go along an arc that crosses: shards, and first digits after the prefix.

    >>> import numpy as np
    >>> cross(11, 1, (0, 4), np.array([3]), np.array([5]))
    (array([6]), array([3]))
    """
    import numpy as np

    digit: list[NDArray[np.int64]] = [block]
    left = shards
    for k in reversed(range(digits)):
        left, last = np.divmod(left, pieces - k)
        digit.insert(0, last)
    start, end = (min(slot, digits) for slot in run)
    pairs = range(start, end) if start < end else range(start - 1, end - 1, -1)
    for k in pairs:
        a, b = digit[k], digit[k + 1]
        digit[k], digit[k + 1] = np.where(a <= b, b + 1, b), np.where(a <= b, a, a - 1)
    to = np.zeros_like(shards)
    for k in range(digits):
        to = to * (pieces - k) + digit[k]
    return to, digit[digits]


def _labels_and_tables(component: Component) -> tuple[int, int]:
    """Return the arrangements of what is not numbered, and the bytes of tables whatever the shards."""
    pieces = component.main_pieces
    if pieces or (component.puzzle.colours is not None and not component.numbers_colours):
        digits = _max_digits(pieces)
        if pieces and _row(pieces, digits) > MAX_SHARD_WORDS:
            text, states = component.puzzle.text, big_number(component.states)
            raise TooLarge(
                f"{text} has {states} configurations, more than shards can number: expected at most "
                f"{_max_pieces()} pieces that change places, got {pieces}"
            )
        code = component.make_code(digits)  # many small shards: their tables take little memory
        return code.x_count, code.bytes - code.row // 48
    labels = component.states // component.family.shapes
    loops = len(component.edges) - component.family.shapes + 1
    return labels, (8 * loops + 1) * labels


def _colours(component: Component) -> NDArray[np.uint8] | None:
    """Return a colour for each shape such that every edge changes it; None if there are none."""
    import numpy as np

    if not component.alternates:
        return None
    colour = np.zeros(component.family.shapes, dtype=np.uint8)
    for member, parent in enumerate(component.family.parent.tolist()):
        if member:
            colour[member] = colour[parent] ^ 1
    return colour


def _edge_slots(component: Component) -> NDArray[np.int64]:
    """Return the slots between which each edge moves a piece, counted among those of numbered pieces."""
    import numpy as np

    edges, ends, turns = component.edges, component.edge_ends, component.puzzle.rule.turns
    slots = np.zeros((len(edges), 2), dtype=np.int64)
    main = np.array(component.main_slots, dtype=np.int64)
    if not len(main):
        return slots
    at_shape = np.sort(component.family.potentials[:, main * turns] // turns, axis=1)
    for first in range(0, len(edges), EDGES_AT_ONCE):
        component.budget.check("edges", first, len(edges))
        part = slice(first, first + EDGES_AT_ONCE)
        moves = np.ones(len(ends[part]), dtype=bool)
        for side in range(2):
            rows, slot = at_shape[ends[part, side]], edges[part, 2 + side][:, None]
            slots[part, side] = (rows < slot).sum(axis=1)
            moves &= (rows == slot).any(axis=1)
        slots[part][~moves] = 0
    return slots


def outline(component: Component) -> ShardOutline:
    """Return the sizes of a search of a component.

    Raises
    ------
    TooLarge
        If the puzzle has too many shapes, or too many arrangements that have to be listed.

    Examples
    --------
    >>> import slidelab as sl
    >>> o = outline(Component(sl.puzzle("15-puzzle").goal))
    >>> o.states, o.planes, [(o.shards(k), o.crossing_edges(k)) for k in range(4)]
    (10461394944000, 1, [(1, 0), (15, 1), (210, 2), (2730, 3)])
    """
    main = component.main_pieces
    labels, table_bytes = _labels_and_tables(component)
    colours = _colours(component)
    ends, slots = component.edge_ends, _edge_slots(component)
    runs, first_slots, shapes = [], [], []
    for plane in range(2):
        into: Counter[Run] = Counter()
        leftmost: dict[int, int] = {}
        for side in range(2):  # arcs along the edges, then against them
            target = ends[:, 1 - side]
            own = slice(None) if colours is None else colours[target] == plane
            pairs = slots[own][:, ::-1] if side else slots[own]
            into.update((int(a), int(b)) for a, b in pairs.tolist())
            for shape, (a, b) in zip(target[own].tolist(), pairs.tolist(), strict=True):
                if a != b:
                    leftmost[shape] = min(leftmost.get(shape, main), a, b)
        runs.append(dict(into))
        first_slots.append(dict(Counter(leftmost.values())))
        shapes.append(component.family.shapes if colours is None else int((colours == plane).sum()))
    return ShardOutline(
        states=component.states,
        pieces=main,
        labels=labels,
        alternates=colours is not None,
        plane_shapes=(shapes[0], shapes[1]),
        runs=(runs[0], runs[1]),
        first_slots=(first_slots[0], first_slots[1]),
        table_bytes=table_bytes,
    )
