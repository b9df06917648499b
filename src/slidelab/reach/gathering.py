"""Moving holes about: moves of tiles that nobody tells apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from slidelab.boards import Board
from slidelab.boards.walks import connected_components, shortest_path
from slidelab.errors import PuzzleError

__all__ = ["gather", "paths"]

Step = tuple[int, int]

# Holes have no names, so a hole that goes along a path through other holes is the
# same as each of them going on to the next: one step of some tile for each step of the path.

MOST_LOOKING = 1_000_000


def gather(board: Board, occupied: Sequence[bool], wanted: Sequence[int]) -> list[Step]:
    """Moves (from, to) of tiles into neighbouring holes that bring the holes to the cells `wanted`.

    The cells that are not occupied are the holes; each connected part must have as many of them as
    are wanted there. Holes go to the nearest cells first; if there are very many, they go along
    one spanning tree, which is quicker to find and may take more moves.

    >>> from slidelab.boards import board
    >>> gather(board("path(4)"), [True, False, True, False], [0, 1])
    [(2, 3), (0, 1), (1, 2)]
    """
    full = list(occupied)
    return [step for path in paths(board, occupied, wanted) for step in _shift(path, full)]


def paths(board: Board, occupied: Sequence[bool], wanted: Sequence[int]) -> Iterator[list[int]]:
    """Paths from a cell where a hole is wanted to a hole that is not, to be shifted one after the other."""
    aims = set(wanted)
    if len(aims) != len(wanted) or len(occupied) != board.size or not aims <= set(range(board.size)):
        raise PuzzleError("expected different cells of the board as wanted holes")
    spare = {cell for cell in range(board.size) if not occupied[cell] and cell not in aims}
    missing = {cell for cell in aims if occupied[cell]}
    if len(spare) != len(missing):
        raise PuzzleError(f"expected {len(spare) - len(missing) + len(aims)} wanted holes, got {len(aims)}")
    if len(spare) * board.size <= MOST_LOOKING:
        return _nearest_paths(board, spare, missing)
    return _tree_paths(board, spare, missing)


def _shift(path: Sequence[int], full: list[bool]) -> Iterator[Step]:
    """Bring the hole at the end of the path to its beginning, past any holes between."""
    empty = len(path) - 1
    for place in range(len(path) - 2, -1, -1):
        if full[path[place]]:
            for step in range(place, empty):
                yield path[step], path[step + 1]
            empty = place
    full[path[0]], full[path[-1]] = False, True


def _nearest_paths(board: Board, spare: set[int], missing: set[int]) -> Iterator[list[int]]:
    """Always the shortest way from a cell where a hole is missing to one where it is not wanted."""
    while missing:
        path = shortest_path(board.neighbours, sorted(missing), spare.__contains__)
        if not path:
            raise PuzzleError("expected as many holes as are wanted in each part of the board")
        missing.discard(path[0])
        spare.discard(path[-1])
        yield path


def _tree_paths(board: Board, spare: set[int], missing: set[int]) -> Iterator[list[int]]:
    """On a spanning tree it is known how many holes have to pass each edge, so just follow them."""
    forest = connected_components(board.neighbours, range(board.size))
    above = {cell: parent for tree in forest for cell, parent in tree.items()}
    excess = [(cell in spare) - (cell in missing) for cell in range(board.size)]
    onward: list[list[list[int]]] = [[] for _ in range(board.size)]  # [to, how many holes], for each cell
    for cell in reversed(above):
        if above[cell] != cell:
            excess[above[cell]] += excess[cell]
            if excess[cell] > 0:
                onward[cell].append([above[cell], excess[cell]])
            elif excess[cell] < 0:
                onward[above[cell]].append([cell, -excess[cell]])
        elif excess[cell]:
            raise PuzzleError("expected as many holes as are wanted in each part of the board")
    for start in sorted(spare):
        path = [start]
        while path[-1] not in missing:
            edges = onward[path[-1]]
            path.append(edges[-1][0])
            edges[-1][1] -= 1
            if not edges[-1][1]:
                edges.pop()
        missing.discard(path[-1])
        yield path[::-1]
