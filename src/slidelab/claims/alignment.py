"""Aligning gourds with a Hamiltonian cycle, which gourd is which being of no concern.

A board of 2n + 1 cells with n gourds is then a matching that leaves out the hole. If a cell a touches the
hole, the gourd on a and b can always be pulled into the hole: it comes to lie on a and the hole, and b is the
new hole (a slide, a turn or a pivot). The thesis aligns all gourds in at most n (n + 1) / 2 such pulls
(Theorem 1) and asks whether a linear number is enough.

It is, on every board with a Hamiltonian cycle; see docs/design/gourds.md for the proof of `linear_alignment`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from slidelab.boards import Board

__all__ = [
    "Matching",
    "aligned",
    "farthest_from_aligned",
    "farthest_from_one",
    "hole_of",
    "linear_alignment",
    "matchings",
    "play",
    "pull",
    "strip",
    "thesis_alignment",
]

Matching = tuple[int, ...]
"""The partner of each cell; the hole is its own."""


def matchings(board: Board) -> Iterator[Matching]:
    """Yield all ways to lay gourds that leave one cell empty.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> len(list(matchings(board("hex F(2)"))))
    20
    """
    size, near = board.size, board.neighbours

    def lay(partner: dict[int, int], has_hole: bool) -> Iterator[Matching]:
        cell = next((c for c in range(size) if c not in partner), None)
        if cell is None:
            yield tuple(partner[c] for c in range(size))
            return
        if not has_hole:
            yield from lay({**partner, cell: cell}, True)
        for other in near[cell]:
            if other not in partner:
                yield from lay({**partner, cell: other, other: cell}, has_hole)

    return (m for m in lay({}, False) if any(a == b for a, b in enumerate(m)))


def hole_of(matching: Matching) -> int:
    """Return the empty cell."""
    return next(a for a, b in enumerate(matching) if a == b)


def pull(matching: Matching, cell: int) -> Matching:
    """Return the matching after the gourd on a cell beside the hole was pulled into it."""
    hole, left = hole_of(matching), matching[cell]
    after = list(matching)
    after[hole], after[cell], after[left] = cell, hole, left
    return tuple(after)


def play(board: Board, matching: Matching, pulls: Sequence[int]) -> Matching:
    """Return where pulls lead; each must be of a cell that touches the hole and is not empty.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> play(board("hex T(2)"), (0, 2, 1), [1, 1])
    (0, 2, 1)
    """
    for cell in pulls:
        if cell not in board.neighbours[hole_of(matching)]:
            raise ValueError(f"cell {cell} does not touch the hole")
        matching = pull(matching, cell)
    return matching


def aligned(cycle: Sequence[int], start: int) -> Matching:
    """Return the matching along a cycle of odd length whose hole is at a place of the cycle.

    Examples
    --------
    >>> aligned([0, 1, 2, 3, 4], 0)
    (0, 2, 1, 4, 3)
    """
    turned = [*cycle[start:], *cycle[:start]]
    partner = {turned[0]: turned[0]}
    for k in range(1, len(turned), 2):
        partner[turned[k]], partner[turned[k + 1]] = turned[k + 1], turned[k]
    return tuple(partner[cell] for cell in range(len(cycle)))


def thesis_alignment(cycle: Sequence[int], matching: Matching) -> list[int]:
    """Return the pulls of Theorem 1 of the thesis: always of the cell that follows the hole on the cycle."""
    following = dict(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    links = {frozenset(pair) for pair in following.items()}
    pulls: list[int] = []
    while not all(a == b or frozenset((a, b)) in links for a, b in enumerate(matching)):
        pulls.append(following[hole_of(matching)])
        matching = pull(matching, pulls[-1])
    return pulls


def linear_alignment(cycle: Sequence[int], matching: Matching) -> list[int]:
    """Return at most 3.5 n pulls that align a matching with a Hamiltonian cycle and bring the hole back.

    Number the cells 0, 1, ..., 2n along the cycle from the hole. Matching and aligned matching differ by
    alternating cycles; let the least cell of one of them be 2j + 1. With the hole on 2j and everything from
    there on as it was, k + 1 pulls around an alternating cycle of 2k cells align its gourds and bring the
    hole back to 2j. So go from j = 0 up: align the cycle that begins at 2j + 1, if there is one, and pull the
    gourd on 2j + 1 and 2j + 2, which now lies along the cycle. At the last one, go back by the same pulls.

    Examples
    --------
    >>> linear_alignment([0, 1, 2, 4, 3], (0, 4, 3, 2, 1))  # gourds on 1-4 and 2-3
    [1, 3, 1]
    """
    size, hole = len(cycle), hole_of(matching)
    start = list(cycle).index(hole)
    order = [*cycle[start:], *cycle[:start]]
    goal = aligned(cycle, start)
    number = {cell: k for k, cell in enumerate(order)}
    loops: dict[int, list[int]] = {}
    seen: set[int] = set()
    for k in range(1, size, 2):
        first = order[k]
        if first in seen or matching[first] == goal[first]:
            continue
        loop, cell = [], first
        while cell not in seen:  # an edge of the matching, then one of the goal
            seen.update((cell, matching[cell]))
            loop.append(cell)
            cell = goal[matching[cell]]
        loops[number[first]] = loop
    pulls: list[int] = []
    if not loops:
        return pulls
    last = max(loops)
    for k in range(1, last + 1, 2):
        if k in loops:
            pulls += [*loops[k], order[k]]
        if k < last:
            pulls.append(order[k])
    # Backwards: the hole is on order[last - 1]; the gourd before it returns to where it was.
    pulls += [order[k] for k in range(last - 2, 0, -2)]
    return pulls


def farthest_from_aligned(board: Board, cycle: Sequence[int]) -> int:
    """Return the most pulls that a matching is away from all that lie along the cycle.

    Examples
    --------
    >>> from slidelab.boards import board, hamiltonian_cycle
    >>> flower = board("hex F(2)")
    >>> farthest_from_aligned(flower, hamiltonian_cycle(flower))
    2
    """
    return _depth(board, [aligned(cycle, k) for k in range(len(cycle))])


def farthest_from_one(board: Board, cycle: Sequence[int]) -> int:
    """Return the most pulls that a matching is away from one that lies along the cycle, over all of these.

    Examples
    --------
    >>> [farthest_from_one(*strip(n)) for n in range(1, 7)]
    [1, 3, 4, 6, 7, 9]
    """
    return max(_depth(board, [aligned(cycle, k)]) for k in range(len(cycle)))


def _depth(board: Board, sources: Sequence[Matching]) -> int:
    """Return the largest distance from the nearest of some matchings, by breadth-first search."""
    queue = list(sources)
    far = dict.fromkeys(queue, 0)
    for matching in queue:
        for cell in board.neighbours[hole_of(matching)]:
            reached = pull(matching, cell)
            if reached not in far:
                far[reached] = far[matching] + 1
                queue.append(reached)
    return max(far.values())


def strip(gourds: int) -> tuple[Board, list[int]]:
    """Return two rows with room for so many gourds and a hole, and the cycle around them.

    The upper row has one cell more than the lower one.
    """
    from slidelab.boards import hex_board

    upper = [(q, 0) for q in range(gourds + 1)]
    lower = [(q, 1) for q in range(gourds)]
    board = hex_board([*upper, *lower])
    return board, [board.cell_at[cell] for cell in [*upper, *reversed(lower)]]
