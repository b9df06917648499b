"""Ear decompositions: a graph as cycles and paths that are put on one after the other."""

from __future__ import annotations

from slidelab.boards.model import Board

__all__ = ["cyclomatic_number", "ear_decomposition"]


def cyclomatic_number(board: Board) -> int:
    """Return how many edges must go until no cycle is left: edges - cells + connected parts.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> cyclomatic_number(board("square R(4,4)"))
    9
    """
    from slidelab.boards.structure import components

    return len(board.edges) - board.size + len(components(board))


def ear_decomposition(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return the ears of every block, as many as the cyclomatic number, in an order in which they fit.

    In each block with a cycle the first ear is a cycle, written with its first cell again at the end; each
    later one is a path whose ends, and nothing else, lie on earlier ears of the block. Edges on no cycle are
    in no ear. The board is 2-connected if every edge is in an ear and only the first ear is a cycle [1]_.

    References
    ----------
    .. [1] J. Schmidt, "A simple test on 2-vertex- and 2-edge-connectivity", Inf. Process. Lett. 113 (2013).

    Examples
    --------
    >>> from slidelab.boards import board
    >>> ear_decomposition(board("theta(1,2,2)"))
    ((0, 2, 3, 6, 1, 0), (0, 4, 5, 6))
    >>> ear_decomposition(board("path(3)"))
    ()
    """
    order, parent = _depth_first(board)
    place = {cell: number for number, cell in enumerate(order)}
    seen = [False] * board.size
    chains = []
    for cell in order:
        for other in board.neighbours[cell]:
            # An edge to a descendant that is not its child closes a chain: down the edge, up the tree.
            if place[other] < place[cell] or parent[other] == cell:
                continue
            seen[cell] = True
            chain = [cell]
            while not seen[other]:
                seen[other] = True
                chain.append(other)
                other = parent[other]
            chains.append((*chain, other))
    return tuple(chains)


def _depth_first(board: Board) -> tuple[list[int], list[int]]:
    """Return the cells in depth-first order, and the parent of each (-1 at the roots)."""
    parent, order = [-1] * board.size, []
    visited = [False] * board.size
    for root in range(board.size):
        if visited[root]:
            continue
        visited[root] = True
        order.append(root)
        stack = [(root, iter(board.neighbours[root]))]
        while stack:
            cell, rest = stack[-1]
            other = next((other for other in rest if not visited[other]), None)
            if other is None:
                stack.pop()
                continue
            visited[other], parent[other] = True, cell
            order.append(other)
            stack.append((other, iter(board.neighbours[other])))
    return order, parent
