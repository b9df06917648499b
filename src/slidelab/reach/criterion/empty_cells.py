"""Which cells of a board can be the empty one: one maximum matching and one alternating search.

A *shape* is a matching of all cells but one. From the unmatched cell, alternating paths of even length lead
to all other cells that can be unmatched [1]_. If these are all cells, the paths give a certificate: the board
grows from one cell by *odd ears*, paths of an odd number of steps whose ends, and nothing else, are on the
board so far [2]_. Otherwise there is a *barrier*: without its cells, the board falls into odd parts, one more
than the barrier has cells, and perhaps even parts. Cells of the barrier and of even parts are never empty.

References
----------
.. [1] L. Lovász, M. D. Plummer, "Matching theory" (1986), section 3.2 (Gallai, Edmonds).
.. [2] L. Lovász, "A note on factor-critical graphs", Studia Sci. Math. Hungar. 7 (1972).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from slidelab.boards import Board, Edge
from slidelab.boards.matching import UNMATCHED, AlternatingTree, partners

__all__ = ["EmptyCells", "Neighbours", "empty_cells", "fill", "pairs"]

Neighbours = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class EmptyCells:
    """Which cells are never empty, and why.

    Attributes
    ----------
    never : tuple of int
        The cells that no shape leaves empty; all cells if there is no shape.
    ears : tuple of tuple of int
        If `never` is empty, odd ears, each written from end to end. Their first end is where the board begins
        to grow.
    barrier : tuple of int
        If `never` is not empty, the cells of a barrier.
    partner : list of int
        The partner of each cell in a maximum matching, -1 if it has none.
    before : dict of int to int
        From a cell x that can be empty, an alternating path leads to the unmatched cell: x, the partner y of
        x, `before[y]`, its partner, and so on.
    """

    never: tuple[int, ...]
    ears: tuple[tuple[int, ...], ...]
    barrier: tuple[int, ...]
    partner: list[int] = field(repr=False)
    before: dict[int, int] = field(repr=False)

    def path(self, cell: int) -> list[int]:
        """Return the alternating path from a cell that can be empty to the unmatched cell."""
        found = [cell]
        while self.partner[found[-1]] != UNMATCHED:
            other = self.partner[found[-1]]
            found += [other, self.before[other]]
        return found


def empty_cells(board: Board, neighbours: Neighbours | None = None) -> EmptyCells:
    """Return which cells of a board with an odd number of cells are never empty, with a certificate.

    Parameters
    ----------
    board
        A connected board.
    neighbours
        The neighbours of each cell in another order, to get another matching and other ears.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> len(empty_cells(board("hex star")).never), empty_cells(board("hex T(2)")).ears
    (6, ((2, 0, 1, 2),))
    """
    rows = board.neighbours if neighbours is None else neighbours
    partner = partners(rows)
    settled = [False] * len(rows)
    outer: set[int] = set()
    barrier: list[int] = []
    before: dict[int, int] = {}
    roots = [cell for cell, other in enumerate(partner) if other == UNMATCHED]
    for root in roots:
        tree = AlternatingTree(rows, partner, root, settled)
        tree.grow()  # in vain, since the matching is a maximum: the tree is complete
        for cell, is_outer in tree.outer.items():
            settled[cell] = True
            if is_outer:
                outer.add(cell)
            else:
                barrier.append(cell)
        before.update(tree.before)
    if len(roots) != 1:
        return EmptyCells(tuple(range(len(rows))), (), tuple(sorted(barrier)), partner, before)
    never = tuple(cell for cell in range(len(rows)) if cell not in outer)
    ears = () if never else _ears(rows, partner, before, roots[0])
    return EmptyCells(never, ears, tuple(sorted(barrier)), partner, before)


def _ears(
    neighbours: Neighbours, partner: list[int], before: dict[int, int], root: int
) -> tuple[tuple[int, ...], ...]:
    """Return odd ears by which a board grows from the unmatched cell.

    The cells so far are matched among themselves, but for the unmatched one. So from a new cell that touches
    them the alternating path comes back to them after an even number of steps.
    """
    grown = [root]
    inside = [False] * len(neighbours)
    inside[root] = True
    ears = []
    for cell in grown:
        for new in neighbours[cell]:
            ear = [cell]
            while not inside[new]:
                ear += [new, partner[new]]
                new = before[partner[new]]
            if len(ear) > 1:
                for joined in ear[1:]:
                    inside[joined] = True
                grown += ear[1:]
                ears.append((*ear, new))
    return tuple(ears)


def fill(neighbours: Neighbours, partner: Sequence[int], without: Iterable[int]) -> list[int] | None:
    """Return the partners in a matching of all cells but some, None if there is none.

    Parameters
    ----------
    neighbours
    partner
        A matching to begin with. The more of it can stay, the sooner the answer.
    without
        The cells that stay unmatched.

    Examples
    --------
    >>> fill([(1, 2), (0, 2), (0, 1, 3), (2, 4), (3,)], [1, 0, 3, 2, -1], [2])
    [1, 0, -1, 4, 3]
    """
    found = list(partner)
    removed = [False] * len(found)
    for cell in without:
        removed[cell] = True
        if found[cell] != UNMATCHED:
            found[found[cell]] = found[cell] = UNMATCHED
    for root, other in enumerate(found):
        loose = other == UNMATCHED and not removed[root] and found[root] == UNMATCHED
        if loose and not AlternatingTree(neighbours, found, root, removed).grow():
            return None
    return found


def pairs(partner: Sequence[int]) -> tuple[Edge, ...]:
    """Return the pairs of a matching, sorted.

    >>> pairs([1, 0, -1])
    ((0, 1),)
    """
    return tuple((cell, other) for cell, other in enumerate(partner) if cell < other)
