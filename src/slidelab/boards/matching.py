"""Maximum matchings: as many pairs of touching cells as possible, no cell in two of them.

The cells of gourds are a matching, so a board has room for k gourds if and only if its maximum matching has k
pairs or more. The method is that of Edmonds: from an unmatched cell grow a tree of alternating paths, shrink
every odd cycle that closes (a blossom) to one cell, and when another unmatched cell is met, swap partners
along the path to it [1]_. Blossoms are kept by union-find, so one tree takes nearly linear time [2]_. Cells
are the vertices of any graph, given by the neighbours of each.

References
----------
.. [1] J. Edmonds, "Paths, trees, and flowers", Canadian Journal of Mathematics 17 (1965).
.. [2] H. N. Gabow, "An efficient implementation of Edmonds' algorithm for maximum matching on graphs",
   Journal of the ACM 23 (1976).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from slidelab.arguments import whole_number
from slidelab.boards.model import Board, Edge
from slidelab.boards.walks import adjacency
from slidelab.errors import NotationError

__all__ = ["Deficit", "covering_deficit", "edge_matching", "maximum_matching", "partners"]

Neighbours = Sequence[Sequence[int]]

UNMATCHED = -1
"""The partner of a cell that has none."""


def maximum_matching(board: Board, without: Iterable[int] = ()) -> tuple[Edge, ...]:
    """Return a maximum matching as sorted pairs of touching cells.

    If one cell (besides those of `without`) is left over, it is the last one that can be.

    Parameters
    ----------
    board
        Any board.
    without
        Cells that stay unmatched.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> maximum_matching(board("hex P(3,3)"))
    ((0, 1), (2, 4), (3, 6), (5, 7))
    >>> maximum_matching(board("graph 0-1 0-2 0-3"))
    ((0, 1),)
    """
    excluded = {whole_number(cell, 0, "cells of a board") for cell in without}
    if excluded and max(excluded) >= board.size:
        raise NotationError(f"expected cells below {board.size}, got {max(excluded)} - at cells of a board")
    partner = partners(board.neighbours, excluded)
    return tuple((cell, other) for cell, other in enumerate(partner) if cell < other)


def partners(neighbours: Neighbours, excluded: Collection[int] = ()) -> list[int]:
    """Return the partner of each cell in a maximum matching without the excluded cells.

    >>> partners([(1, 2), (0, 2), (0, 1, 3), (2, 4), (3,)])
    [1, 0, 3, 2, -1]
    """
    partner = greedy_partners(neighbours, excluded)
    settled = [False] * len(neighbours)
    for cell in excluded:
        settled[cell] = True
    for root in range(len(neighbours)):
        if partner[root] != UNMATCHED or settled[root]:
            continue
        tree = AlternatingTree(neighbours, partner, root, settled)
        if not tree.grow():
            tree.unmatch(max(tree.outer_cells))
            # No alternating path of another tree leads out of this one to an unmatched cell.
            for cell in tree.outer:
                settled[cell] = True
    return partner


def greedy_partners(neighbours: Neighbours, excluded: Collection[int] = ()) -> list[int]:
    """Match each cell in turn with its first free neighbour.

    >>> greedy_partners([(1,), (0, 2), (1, 3), (2,)], excluded=[0])
    [-1, 2, 1, -1]
    """
    partner = [UNMATCHED] * len(neighbours)
    taken = [False] * len(neighbours)
    for cell in excluded:
        taken[cell] = True
    for cell, row in enumerate(neighbours):
        other = UNMATCHED if taken[cell] else next((near for near in row if not taken[near]), UNMATCHED)
        if other != UNMATCHED:
            taken[cell] = taken[other] = True
            partner[cell], partner[other] = other, cell
    return partner


class AlternatingTree:
    """Alternating paths from one unmatched cell; `partner` is changed when they lead to another.

    Cells at even distance from the root are outer: each of them could be the unmatched one. `before` leads
    one step towards the root, from an inner cell, or from an outer one in a blossom. Settled cells are not
    entered.
    """

    def __init__(
        self, neighbours: Neighbours, partner: list[int], root: int, settled: Sequence[bool]
    ) -> None:
        self.neighbours, self.partner, self.settled = neighbours, partner, settled
        self.root = root
        self.outer = {root: True}
        self.before: dict[int, int] = {}
        self.base = {root: root}
        self.queue = [root]

    @property
    def outer_cells(self) -> list[int]:
        """The cells that could be unmatched."""
        return [cell for cell, is_outer in self.outer.items() if is_outer]

    def grow(self, needed: Sequence[bool] | None = None) -> bool:
        """Match the root, at the cost of a cell that is not needed if `needed` is given.

        If that is impossible, the tree is complete: what its outer cells touch is in it.
        """
        for cell in self.queue:
            if needed is not None and not needed[cell]:
                self.unmatch(cell)
                return True
            for other in self.neighbours[cell]:
                if self.settled[other]:
                    continue
                if other not in self.outer:
                    self.before[other] = cell
                    if self.partner[other] == UNMATCHED:
                        self._swap_along(other)
                        return True
                    self._add(other)
                elif self.outer[other] and self.find(cell) != self.find(other):
                    self._shrink(cell, other)
        return False

    def unmatch(self, cell: int) -> None:
        """Match the root by taking the partner of an outer cell."""
        if cell != self.root:
            other = self.partner[cell]
            self.partner[cell] = UNMATCHED
            self._swap_along(other)

    def find(self, cell: int) -> int:
        """Return the cell that represents the blossom of this one."""
        base = self.base
        while base[cell] != cell:
            base[cell] = cell = base[base[cell]]
        return cell

    def _add(self, inner: int) -> None:
        outer = self.partner[inner]
        self.outer[inner], self.outer[outer] = False, True
        self.base[inner], self.base[outer] = inner, outer
        self.queue.append(outer)

    def _swap_along(self, cell: int) -> None:
        """Match the cell with the one before it, its old partner with the one before that, up to the root."""
        partner, before = self.partner, self.before
        while cell != UNMATCHED:
            other = before[cell]
            following = partner[other]
            partner[cell], partner[other] = other, cell
            cell = following

    def _shrink(self, one: int, two: int) -> None:
        """Shrink the blossom of two outer cells that touch: the paths to them from where these meet."""
        meeting = self._meeting(one, two)
        self._fold(one, two, meeting)
        self._fold(two, one, meeting)

    def _meeting(self, one: int, two: int) -> int:
        """Return where the paths to the root meet first, climbing both in turn."""
        met: set[int] = set()
        here, there = self.find(one), self.find(two)
        while here not in met:
            met.add(here)
            up = self.partner[here]
            # Whichever has come to the root waits for the other one there.
            here, there = there, self.find(self.before[up]) if up != UNMATCHED else UNMATCHED
            if here == UNMATCHED:
                here, there = there, here
        return here

    def _fold(self, cell: int, across: int, meeting: int) -> None:
        """Join the cells from here to the meeting point to it; inner ones become outer, reached across."""
        while self.find(cell) != meeting:
            self.before[cell] = across
            across = self.partner[cell]
            if not self.outer[across]:
                self.outer[across] = True
                self.queue.append(across)
            for joined in (cell, across):
                if self.base[joined] == joined:
                    self.base[joined] = meeting
            cell = self.before[across]


def edge_matching(edges: Iterable[Edge]) -> list[Edge]:
    """Return as many of the edges as possible of which no two share a vertex.

    >>> edge_matching([(3, 7), (7, 8), (3, 8)])
    [(3, 7)]
    """
    given = list(edges)
    # Numbers of their own, so that a few edges of a large board are a small graph.
    number = {vertex: k for k, vertex in enumerate(dict.fromkeys(v for edge in given for v in edge))}
    rows = adjacency((number[a], number[b]) for a, b in given)
    partner = partners([rows[k] for k in range(len(number))])
    return [(a, b) for a, b in given if partner[number[a]] == number[b]]


@dataclass(frozen=True, slots=True)
class Deficit:
    """Why no matching covers some vertices: odd sets that touch only `partners` outside, one set too many."""

    odd_sets: tuple[tuple[int, ...], ...]
    partners: tuple[int, ...]


def covering_deficit(neighbours: Neighbours, required: Collection[int]) -> Deficit | None:
    """Return None if a matching covers all required vertices, else why there is none.

    >>> covering_deficit([(1,), (0, 2), (1,)], [0, 1])
    >>> covering_deficit([(1,), (0, 2), (1,)], [0, 2])
    Deficit(odd_sets=((0,), (2,)), partners=(1,))
    """
    count = len(neighbours)
    partner, settled, needed = greedy_partners(neighbours), [False] * count, [False] * count
    for vertex in required:
        needed[vertex] = True
    for root in range(count):
        if needed[root] and partner[root] == UNMATCHED:
            tree = AlternatingTree(neighbours, partner, root, settled)
            if not tree.grow(needed):
                return _deficit(tree)
    return None


def _deficit(tree: AlternatingTree) -> Deficit:
    blossoms: dict[int, list[int]] = {}
    for vertex in sorted(tree.outer_cells):
        blossoms.setdefault(tree.find(vertex), []).append(vertex)
    inner = sorted(vertex for vertex, is_outer in tree.outer.items() if not is_outer)
    return Deficit(tuple(map(tuple, blossoms.values())), tuple(inner))
