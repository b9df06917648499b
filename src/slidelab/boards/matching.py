"""Maximum matchings: as many pairs of touching cells as possible, no cell in two of them.

Where gourds lie is a matching, so a board has room for k gourds just if its maximum matching has k pairs
or more. The method is that of Edmonds (1965): from a cell without partner grow a tree of alternating
paths, shrink every odd cycle that closes (a blossom) to one cell, and when another cell without partner
is met, swap partners along the way there. Shrunk cells are kept by union and find (Gabow 1976), so one
tree takes nearly linear time.
"""

from __future__ import annotations

from collections.abc import Iterable

from slidelab.boards.board import Board, Edge, whole_number
from slidelab.errors import NotationError

__all__ = ["maximum_matching"]

_ALONE = -1


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
    partner = _greedy(board, barred)
    settled = [cell in barred for cell in range(board.size)]
    for cell in range(board.size):
        if partner[cell] == _ALONE and not settled[cell]:
            _Tree(board, partner, settled, cell).grow()
    return tuple((cell, other) for cell, other in enumerate(partner) if cell < other)


def _greedy(board: Board, barred: set[int]) -> list[int]:
    """Each cell with its first free neighbour: a good start."""
    partner = [_ALONE] * board.size
    for a, b in board.edges:
        if partner[a] == partner[b] == _ALONE and not barred & {a, b}:
            partner[a], partner[b] = b, a
    return partner


class _Tree:
    """Alternating paths from one cell without partner.

    Cells at even distance from the root are outer: each of them could be the one without partner.
    `before` leads one step towards the root, from an inner cell, or from an outer one in a blossom.
    """

    def __init__(self, board: Board, partner: list[int], settled: list[bool], root: int) -> None:
        self.neighbours, self.partner, self.settled = board.neighbours, partner, settled
        self.root = root
        self.outer = {root: True}
        self.before: dict[int, int] = {}
        self.base = {root: root}
        self.queue = [root]

    def grow(self) -> None:
        """Find the root a partner, or else leave alone the last cell that can be in its place."""
        for cell in self.queue:
            for other in self.neighbours[cell]:
                if self.settled[other]:
                    continue
                if other not in self.outer:
                    self.before[other] = cell
                    if self.partner[other] == _ALONE:
                        self._swap_along(other)
                        return
                    self._add(other)
                elif self.outer[other] and self._find(cell) != self._find(other):
                    self._shrink(cell, other)
        self._give_up()

    def _add(self, inner: int) -> None:
        outer = self.partner[inner]
        self.outer[inner], self.outer[outer] = False, True
        self.base[inner], self.base[outer] = inner, outer
        self.queue.append(outer)

    def _give_up(self) -> None:
        last = max(cell for cell, is_outer in self.outer.items() if is_outer)
        if last != self.root:
            other = self.partner[last]
            self.partner[last] = _ALONE
            self._swap_along(other)
        # No alternating path of another tree gets out of this one to a cell without partner.
        for cell in self.outer:
            self.settled[cell] = True

    def _swap_along(self, cell: int) -> None:
        """Pair the cell with the one before it, its old partner with the one before that, up to the root."""
        partner, before = self.partner, self.before
        while cell != _ALONE:
            other = before[cell]
            following = partner[other]
            partner[cell], partner[other] = other, cell
            cell = following

    def _find(self, cell: int) -> int:
        """The cell that stands for the blossom of this one."""
        base = self.base
        while base[cell] != cell:
            base[cell] = cell = base[base[cell]]
        return cell

    def _shrink(self, one: int, two: int) -> None:
        """Two outer cells touch: the ways from their meeting point to them are a blossom."""
        meeting = self._meeting(one, two)
        self._fold(one, two, meeting)
        self._fold(two, one, meeting)

    def _meeting(self, one: int, two: int) -> int:
        """Where the ways to the root meet first, found by climbing both in turn."""
        met: set[int] = set()
        here, there = self._find(one), self._find(two)
        while here not in met:
            met.add(here)
            up = self.partner[here]
            # Who has come to the root waits for the other one there.
            here, there = there, self._find(self.before[up]) if up != _ALONE else _ALONE
            if here == _ALONE:
                here, there = there, here
        return here

    def _fold(self, cell: int, across: int, meeting: int) -> None:
        """The cells from here down to the meeting point join it; inner ones become outer, reached across."""
        while self._find(cell) != meeting:
            self.before[cell] = across
            across = self.partner[cell]
            if not self.outer[across]:
                self.outer[across] = True
                self.queue.append(across)
            for joined in (cell, across):
                if self.base[joined] == joined:
                    self.base[joined] = meeting
            cell = self.before[across]
