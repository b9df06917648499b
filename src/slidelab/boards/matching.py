"""Maximum matchings: as many pairs of touching cells as possible, no cell in two of them.

Where gourds lie is a matching, so a board has room for k gourds just if its maximum matching has k pairs
or more. The method is that of Edmonds (1965): from a cell without partner grow a tree of alternating
paths, shrink every odd cycle that closes (a blossom) to one cell, and when another cell without partner
is met, swap partners along the way there. Shrunk cells are kept by union and find (Gabow 1976), so one
tree takes nearly linear time. Cells are the vertices of any graph, given by the neighbours of each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from slidelab.arguments import whole_number
from slidelab.boards.board import Board, Edge
from slidelab.errors import NotationError

__all__ = ["ALONE", "Neighbours", "Tree", "first_pairs", "maximum_matching", "paired"]

Neighbours = Sequence[Sequence[int]]

ALONE = -1
"""The partner of a cell that has none."""


def maximum_matching(board: Board, without: Iterable[int] = ()) -> tuple[Edge, ...]:
    """Return as many pairs of touching cells as there can be, sorted; cells of `without` stay out of it.

    If one cell (besides those of `without`) is left over, it is the last one that can be.

    >>> from slidelab.boards import board
    >>> maximum_matching(board("hex P(3,3)"))
    ((0, 1), (2, 4), (3, 6), (5, 7))
    >>> maximum_matching(board("graph 0-1 0-2 0-3"))
    ((0, 1),)
    """
    barred = {whole_number(cell, 0, "cells of a board") for cell in without}
    if barred and max(barred) >= board.size:
        raise NotationError(f"expected cells below {board.size}, got {max(barred)} - at cells of a board")
    partner = paired(board.neighbours, barred)
    return tuple((cell, other) for cell, other in enumerate(partner) if cell < other)


def paired(neighbours: Neighbours, barred: Collection[int] = ()) -> list[int]:
    """Return the partner of each cell in a maximum matching that leaves out the barred cells.

    >>> paired([(1, 2), (0, 2), (0, 1, 3), (2, 4), (3,)])
    [1, 0, 3, 2, -1]
    """
    partner = first_pairs(neighbours, barred)
    settled = [False] * len(neighbours)
    for cell in barred:
        settled[cell] = True
    for root in range(len(neighbours)):
        if partner[root] != ALONE or settled[root]:
            continue
        tree = Tree(neighbours, partner, root, settled)
        if not tree.grow():
            tree.leave(max(tree.outer_cells))
            # No alternating path of another tree gets out of this one to a cell without partner.
            for cell in tree.outer:
                settled[cell] = True
    return partner


def first_pairs(neighbours: Neighbours, barred: Collection[int] = ()) -> list[int]:
    """Each cell in turn with its first free neighbour: a good start.

    >>> first_pairs([(1,), (0, 2), (1, 3), (2,)], barred=[0])
    [-1, 2, 1, -1]
    """
    partner = [ALONE] * len(neighbours)
    taken = [False] * len(neighbours)
    for cell in barred:
        taken[cell] = True
    for cell, row in enumerate(neighbours):
        other = ALONE if taken[cell] else next((near for near in row if not taken[near]), ALONE)
        if other != ALONE:
            taken[cell] = taken[other] = True
            partner[cell], partner[other] = other, cell
    return partner


class Tree:
    """Alternating paths from one cell without partner; `partner` is changed when they lead somewhere.

    Cells at even distance from the root are outer: each of them could be the one without partner.
    `before` leads one step towards the root, from an inner cell, or from an outer one in a blossom.
    Settled cells are passed by.
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
        """Those that could be without partner."""
        return [cell for cell, is_outer in self.outer.items() if is_outer]

    def grow(self, needed: Sequence[bool] | None = None) -> bool:
        """Find the root a partner, at the cost of a cell that is not needed if `needed` is given.

        If there is none, the tree is complete: what its outer cells touch is in it.
        """
        for cell in self.queue:
            if needed is not None and not needed[cell]:
                self.leave(cell)
                return True
            for other in self.neighbours[cell]:
                if self.settled[other]:
                    continue
                if other not in self.outer:
                    self.before[other] = cell
                    if self.partner[other] == ALONE:
                        self._swap_along(other)
                        return True
                    self._add(other)
                elif self.outer[other] and self.find(cell) != self.find(other):
                    self._shrink(cell, other)
        return False

    def leave(self, cell: int) -> None:
        """Give the root a partner by taking that of an outer cell."""
        if cell != self.root:
            other = self.partner[cell]
            self.partner[cell] = ALONE
            self._swap_along(other)

    def find(self, cell: int) -> int:
        """The cell that stands for the blossom of this one."""
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
        """Pair the cell with the one before it, its old partner with the one before that, up to the root."""
        partner, before = self.partner, self.before
        while cell != ALONE:
            other = before[cell]
            following = partner[other]
            partner[cell], partner[other] = other, cell
            cell = following

    def _shrink(self, one: int, two: int) -> None:
        """Two outer cells touch: the ways from their meeting point to them are a blossom."""
        meeting = self._meeting(one, two)
        self._fold(one, two, meeting)
        self._fold(two, one, meeting)

    def _meeting(self, one: int, two: int) -> int:
        """Where the ways to the root meet first, found by climbing both in turn."""
        met: set[int] = set()
        here, there = self.find(one), self.find(two)
        while here not in met:
            met.add(here)
            up = self.partner[here]
            # Who has come to the root waits for the other one there.
            here, there = there, self.find(self.before[up]) if up != ALONE else ALONE
            if here == ALONE:
                here, there = there, here
        return here

    def _fold(self, cell: int, across: int, meeting: int) -> None:
        """The cells from here down to the meeting point join it; inner ones become outer, reached across."""
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
