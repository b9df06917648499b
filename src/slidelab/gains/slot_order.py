"""The line through a board along which the slots of every shape are numbered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from slidelab.boards import Board

__all__ = ["slot_order"]


def slot_order(board: Board) -> tuple[int, ...]:
    """Return the cells of a board along a line on which most moves stay short.

    A tile that moves from one cell to another passes the tiles between them on the line: the fewer those
    are, the shorter the gain, and if there are none the gain is the identity. Candidates are snakes along
    the rows and columns of the board (ending at its last cell, where the default goal has its hole) and a
    depth-first walk through the graph. The one that passes the fewest cells over all edges wins, and among
    equals the one with the most edges along the line.

    Parameters
    ----------
    board

    Returns
    -------
    tuple of int
        Every cell once.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> slot_order(board("square R(3,3)"))
    (0, 1, 2, 5, 4, 3, 6, 7, 8)
    """
    candidates = [*_snakes(board), tuple(range(board.size)), _depth_first(board)]
    return min(candidates, key=lambda order: _cost(board, order))


def _cost(board: Board, order: Sequence[int]) -> tuple[int, int]:
    """Return the total length of the edges along the line, and minus the number of those of length one."""
    rank = {cell: number for number, cell in enumerate(order)}
    lengths = [abs(rank[a] - rank[b]) for a, b in board.edges]
    return sum(lengths), -lengths.count(1)


def _snakes(board: Board) -> Iterator[tuple[int, ...]]:
    """Yield the cells row by row in alternating directions, for the rows in each direction of the lattice."""
    if not board.cells:
        return
    directions: list[Callable[[int, int], tuple[int, int]]] = [lambda x, y: (y, x), lambda x, y: (x, y)]
    if board.kind == "hex":
        directions.append(lambda q, r: (q + r, r))
    for direction in directions:
        rows: dict[int, list[tuple[int, int]]] = {}
        for cell, (x, y) in enumerate(board.cells):
            row, column = direction(x, y)
            rows.setdefault(row, []).append((column, cell))
        order: list[int] = []
        for number, row in enumerate(sorted(rows, reverse=True)):
            order.extend(cell for _, cell in sorted(rows[row], reverse=number % 2 == 0))
        yield tuple(reversed(order))


def _depth_first(board: Board) -> tuple[int, ...]:
    """Return the cells in depth-first order, visiting neighbours with few unseen neighbours first."""
    unseen = [len(around) for around in board.neighbours]
    seen = [False] * board.size
    order: list[int] = []
    for start in sorted(range(board.size), key=lambda cell: (unseen[cell], cell)):
        if seen[start]:
            continue
        stack = [start]
        while stack:
            cell = stack[-1]
            if not seen[cell]:
                seen[cell] = True
                order.append(cell)
                for other in board.neighbours[cell]:
                    unseen[other] -= 1
            options = [other for other in board.neighbours[cell] if not seen[other]]
            if options:
                stack.append(min(options, key=lambda other: (unseen[other], other)))
            else:
                stack.pop()
    return tuple(reversed(order))
