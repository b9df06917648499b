"""Moves that bring the holes of a board to given cells, ignoring which tile is which.

Holes have no names, so a hole that follows a path through other holes is the same as each of them going on
to the next: one step of some tile for each step of the path.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from slidelab.boards import Board
from slidelab.boards.walks import connected_components, shortest_path
from slidelab.errors import PuzzleError

__all__ = ["hole_moves", "hole_paths"]

Step = tuple[int, int]

MAX_BFS_WORK = 1_000_000
"""Surplus holes times cells above which paths follow a spanning tree instead of one search for each hole."""


def hole_moves(board: Board, occupied: Sequence[bool], goal_holes: Sequence[int]) -> list[Step]:
    """Return moves of tiles into neighbouring holes that bring the holes to `goal_holes`.

    Holes go to the nearest cells first. If there are very many, they go along one spanning tree, which is
    found sooner and may take more moves.

    Parameters
    ----------
    board
    occupied
        Whether each cell holds a tile.
    goal_holes
        Different cells, as many in each connected part of the board as there are holes in it.

    Returns
    -------
    list of (int, int)
        The cell before and the cell after each move.

    Raises
    ------
    PuzzleError
        If the holes cannot get to these cells.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> hole_moves(board("path(4)"), [True, False, True, False], [0, 1])
    [(2, 3), (0, 1), (1, 2)]
    """
    full = list(occupied)
    return [step for path in hole_paths(board, occupied, goal_holes) for step in _shift(path, full)]


def hole_paths(board: Board, occupied: Sequence[bool], goal_holes: Sequence[int]) -> Iterator[list[int]]:
    """Return paths from cells that still need a hole to surplus holes, to be shifted one after the other.

    Parameters and errors are those of `hole_moves`.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> list(hole_paths(board("path(4)"), [True, False, True, False], [0, 1]))
    [[0, 1, 2, 3]]
    """
    goals = set(goal_holes)
    if len(goals) != len(goal_holes) or len(occupied) != board.size or not goals <= set(range(board.size)):
        raise PuzzleError("expected different cells of the board as holes of the goal")
    surplus = {cell for cell in range(board.size) if not occupied[cell] and cell not in goals}
    missing = {cell for cell in goals if occupied[cell]}
    if len(surplus) != len(missing):
        raise PuzzleError(f"expected {len(surplus) - len(missing) + len(goals)} holes, got {len(goals)}")
    if len(surplus) * board.size <= MAX_BFS_WORK:
        return _nearest_paths(board, surplus, missing)
    return _tree_paths(board, surplus, missing)


def _shift(path: Sequence[int], full: list[bool]) -> Iterator[Step]:
    """Yield the moves that bring the hole at the end of a path to its beginning, past holes between."""
    empty = len(path) - 1
    for at in range(len(path) - 2, -1, -1):
        if full[path[at]]:
            for step in range(at, empty):
                yield path[step], path[step + 1]
            empty = at
    full[path[0]], full[path[-1]] = False, True


def _nearest_paths(board: Board, surplus: set[int], missing: set[int]) -> Iterator[list[int]]:
    """Yield, for each missing hole in turn, a shortest path from it to a surplus hole."""
    while missing:
        path = shortest_path(board.neighbours, sorted(missing), surplus.__contains__)
        if not path:
            raise PuzzleError("expected as many holes in each part of the board as there are now")
        missing.discard(path[0])
        surplus.discard(path[-1])
        yield path


def _tree_paths(board: Board, surplus: set[int], missing: set[int]) -> Iterator[list[int]]:
    """Yield paths in a spanning forest, on which the number of holes that pass each edge is known."""
    forest = connected_components(board.neighbours, range(board.size))
    parent = {cell: above for tree in forest for cell, above in tree.items()}
    excess = [(cell in surplus) - (cell in missing) for cell in range(board.size)]
    flow: list[list[list[int]]] = [[] for _ in range(board.size)]  # [neighbour, holes that go there]
    for cell in reversed(parent):
        if parent[cell] != cell:
            excess[parent[cell]] += excess[cell]
            if excess[cell] > 0:
                flow[cell].append([parent[cell], excess[cell]])
            elif excess[cell] < 0:
                flow[parent[cell]].append([cell, -excess[cell]])
        elif excess[cell]:
            raise PuzzleError("expected as many holes in each part of the board as there are now")
    for start in sorted(surplus):
        path = [start]
        while path[-1] not in missing:
            edges = flow[path[-1]]
            path.append(edges[-1][0])
            edges[-1][1] -= 1
            if not edges[-1][1]:
                edges.pop()
        missing.discard(path[-1])
        yield path[::-1]
