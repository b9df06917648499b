"""What a board is made of: connected components, blocks, colourings, tight corners, holes.

All functions take time linear in the number of cells and edges, and none recurses: boards may be long.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from slidelab.arguments import whole_number
from slidelab.boards.graphs import graph_board
from slidelab.boards.hexagons import hex_board
from slidelab.boards.model import Board
from slidelab.boards.squares import square_board
from slidelab.boards.walks import component_lists, two_coloring
from slidelab.errors import NotationError, PuzzleError

__all__ = [
    "Face",
    "blocks",
    "components",
    "cut_cells",
    "faces",
    "holes_in_board",
    "is_bipartite",
    "is_connected",
    "is_cycle",
    "is_hole_free",
    "is_theta0",
    "is_two_connected",
    "sub_board",
    "theta_lengths",
    "tight_corners",
    "triangles",
    "trim",
    "two_colouring",
]

Face = tuple[int, ...]


def components(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return the connected components, each as sorted cells, in the order of their first cells.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> components(board("graph 0-2 1"))
    ((0, 2), (1,))
    """
    return tuple(tuple(sorted(part)) for part in component_lists(board.neighbours))


def is_connected(board: Board) -> bool:
    """Return whether the board has one connected component.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> is_connected(board("square 0,0 2,0"))
    False
    """
    return len(components(board)) == 1


@lru_cache(maxsize=8)
def blocks(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return the blocks (2-connected components) as sorted tuples of cells, sorted.

    A bridge is a block of two cells, an isolated cell a block of one. Two blocks share at most one cell,
    a cut cell. A block is complete when no cell below has a neighbour discovered earlier than the cell
    above [1]_.

    References
    ----------
    .. [1] J. Hopcroft, R. Tarjan, "Algorithm 447: efficient algorithms for graph manipulation",
       Communications of the ACM 16 (1973).

    Examples
    --------
    >>> from slidelab.boards import board
    >>> blocks(board("graph 0-1 1-2 2-0 2-3 4"))
    ((0, 1, 2), (2, 3), (4,))
    """
    discovery = [-1] * board.size
    found: list[tuple[int, ...]] = []
    clock = 0
    for root in range(board.size):
        if discovery[root] < 0:
            if not board.neighbours[root]:
                found.append((root,))
            clock = _blocks_from(board, root, discovery, clock, found)
    return tuple(sorted(found))


def _blocks_from(
    board: Board, root: int, discovery: list[int], clock: int, found: list[tuple[int, ...]]
) -> int:
    """Add the blocks of the component of `root` to `found`, and return the next time of discovery."""
    discovery[root] = clock
    low = {root: clock}
    waiting: list[int] = [root]  # cells whose blocks are not complete
    stack = [(root, -1, iter(board.neighbours[root]))]
    while stack:
        cell, parent, rest = stack[-1]
        other = next(rest, None)
        if other is None:
            stack.pop()
            if parent >= 0:
                low[parent] = min(low[parent], low[cell])
                if low[cell] >= discovery[parent]:
                    found.append(_complete_block(waiting, cell, parent))
        elif discovery[other] < 0:
            clock += 1
            discovery[other] = low[other] = clock
            waiting.append(other)
            stack.append((other, cell, iter(board.neighbours[other])))
        else:
            low[cell] = min(low[cell], discovery[other])
    return clock + 1


def _complete_block(waiting: list[int], cell: int, parent: int) -> tuple[int, ...]:
    block = [parent]
    while block[-1] != cell:
        block.append(waiting.pop())
    return tuple(sorted(block))


def cut_cells(board: Board) -> tuple[int, ...]:
    """Return the cells whose removal leaves more components: those in two or more blocks.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> cut_cells(board("path(4)"))
    (1, 2)
    """
    count = [0] * board.size
    for block in blocks(board):
        for cell in block:
            count[cell] += 1
    return tuple(cell for cell in range(board.size) if count[cell] > 1)


def is_two_connected(board: Board) -> bool:
    """Return whether the board has at least three cells, is connected and has no cut cell.

    Wilson calls a graph non-separable also if it is one vertex or one edge; here these are not
    2-connected, since they have no cycle.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> is_two_connected(board("cycle(3)")), is_two_connected(board("path(2)"))
    (True, False)
    """
    return board.size >= 3 and len(blocks(board)) == 1


def two_colouring(board: Board) -> tuple[int, ...] | None:
    """Return a colour 0 or 1 for each cell such that touching cells differ, or None if there is none.

    The first cell of each component has colour 0.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> two_colouring(board("square R(2,2)"))
    (0, 1, 1, 0)
    """
    color = two_coloring(board.neighbours, range(board.size))
    return None if color is None else tuple(color[cell] for cell in range(board.size))


def is_bipartite(board: Board) -> bool:
    """Return whether the cells have a colouring with two colours, as on a chess board.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> is_bipartite(board("square R(4,4)")), is_bipartite(board("hex T(2)"))
    (True, False)
    """
    return two_colouring(board) is not None


def is_cycle(board: Board) -> bool:
    """Return whether the board is a cycle: connected, and every cell has exactly two neighbours.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> is_cycle(board("square R(2,2)"))
    True
    """
    return all(len(row) == 2 for row in board.neighbours) and is_connected(board)


def theta_lengths(board: Board) -> tuple[int, int, int] | None:
    """Return the sorted numbers of interior vertices if the board is a theta graph, else None.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> theta_lengths(board("square R(3,2)"))
    (0, 2, 2)
    """
    ends = [cell for cell, row in enumerate(board.neighbours) if len(row) != 2]
    if len(ends) != 2 or any(len(board.neighbours[end]) != 3 for end in ends):
        return None
    lengths = sorted(_path_length(board, ends[0], first) for first in board.neighbours[ends[0]])
    # If a path comes back to its start, or a component has no end, not all cells were counted.
    if sum(lengths) + 2 != board.size:
        return None
    return lengths[0], lengths[1], lengths[2]


def _path_length(board: Board, start: int, first: int) -> int:
    """Count the cells with two neighbours from `first` on, away from `start`; 0 if the path comes back."""
    previous, cell, length = start, first, 0
    while len(board.neighbours[cell]) == 2:
        a, b = board.neighbours[cell]
        previous, cell, length = cell, b if a == previous else a, length + 1
    return 0 if cell == start else length


def is_theta0(board: Board) -> bool:
    """Return whether the board is isomorphic to theta(1,2,2), the exception in Wilson's theorem.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> is_theta0(board("graph 0-1 1-2 2-3 3-4 4-5 5-0 0-6 6-3"))
    True
    """
    return theta_lengths(board) == (1, 2, 2)


def tight_corners(board: Board) -> tuple[int, ...]:
    """Return the cells with exactly two neighbours that touch each other.

    With two holes, a hexagonal tile that starts in such a corner can only move around the triangle of the
    corner and its two neighbours, and is back in the corner whenever the holes leave.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> tight_corners(board("hex P(3,4)"))
    (0, 11)
    """
    pairs = ((cell, row) for cell, row in enumerate(board.neighbours) if len(row) == 2)
    return tuple(cell for cell, (a, b) in pairs if board.adjacent(a, b))


def trim(board: Board) -> Board:
    """Return the board without its tight corners. New ones that arise are not removed.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> trim(board("hex T(5)"))
    board('hex Ttr(5)')
    """
    corners = set(tight_corners(board))
    if len(corners) == board.size:
        raise PuzzleError(f"expected a board with other cells than tight corners, got {board.name!r}")
    return sub_board(board, (cell for cell in range(board.size) if cell not in corners))


def sub_board(board: Board, cells: Iterable[int]) -> Board:
    """Return the board of some of the cells, which keep coordinates and positions, but not their numbers.

    Parameters
    ----------
    board
        Any board.
    cells
        Numbers of the cells to keep.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> sub_board(board("square R(3,3)"), [0, 1, 3, 4])
    board('square R(2,2)')
    """
    kept = sorted({whole_number(cell, 0, "cells of a board") for cell in cells})
    if kept and kept[-1] >= board.size:
        raise NotationError(f"expected cells below {board.size}, got {kept[-1]} - at cells of a board")
    if board.kind == "hex":
        return hex_board(board.cells[cell] for cell in kept)
    if board.kind != "graph":
        return square_board((board.cells[cell] for cell in kept), king=board.kind == "king")
    number = {cell: index for index, cell in enumerate(kept)}
    edges = [(number[a], number[b]) for a, b in board.edges if a in number and b in number]
    return graph_board(len(kept), edges, [board.positions[cell] for cell in kept])


# The number of holes follows from Euler's formula: with an edge for each pair of touching cells and a face
# for each clique or square without a gap, cells - edges + faces = components - holes. No flood fill is
# needed, however far apart the cells are.


def triangles(board: Board) -> tuple[tuple[int, int, int], ...]:
    """Return all triples of mutually touching cells.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> triangles(board("hex P(2,2)"))
    ((0, 1, 2), (1, 2, 3))
    """
    return tuple(
        (a, b, c) for a, b in board.edges for c in board.neighbours[b] if c > b and board.adjacent(a, c)
    )


def holes_in_board(board: Board) -> int:
    r"""Return the number of bounded regions of missing cells of a board of hexagons or squares.

    Missing hexagons are connected if they touch. On ``square`` boards cells touch along sides, so missing
    squares are connected also at corners; on ``king`` boards it is the reverse.

    Raises
    ------
    PuzzleError
        If the board is a graph, which has no geometry.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> holes_in_board(board("###\n#.#\n###"))
    1
    >>> holes_in_board(board("hex F(3)"))
    0
    """
    if board.kind == "graph":
        raise PuzzleError(f"expected a board of hexagons or squares, got {board.name[:80]!r}")
    if board.kind == "king":
        euler = _euler_of_closed_squares(board)
    else:
        euler = board.size - len(board.edges) + len(faces(board))
    return len(components(board)) - euler


def faces(board: Board) -> list[Face]:
    """Return the triples of mutually touching hexagons or the full two by two squares, all in one sense.

    >>> from slidelab.boards import board
    >>> faces(board("hex P(2,2)"))
    [(0, 1, 2), (1, 3, 2)]
    """
    number = board.cell_at.get
    found: list[Face] = []
    for cell, (x, y) in enumerate(board.cells):
        below = number((x, y + 1), -1)
        if below < 0:
            continue
        right = number((x + 1, y), -1)
        if board.kind == "square":
            across = number((x + 1, y + 1), -1)
            if right >= 0 and across >= 0:
                found.append((cell, right, across, below))
            continue
        if right >= 0:
            found.append((cell, right, below))
        left = number((x - 1, y + 1), -1)
        if left >= 0:
            found.append((cell, below, left))
    return found


def _euler_of_closed_squares(board: Board) -> int:
    corners = {(x + dx, y + dy) for x, y in board.cells for dx in (0, 1) for dy in (0, 1)}
    upright = {(x + dx, y) for x, y in board.cells for dx in (0, 1)}
    level = {(x, y + dy) for x, y in board.cells for dy in (0, 1)}
    return len(corners) - len(upright) - len(level) + board.size


def is_hole_free(board: Board) -> bool:
    """Return whether no missing cell is enclosed by cells of the board.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> is_hole_free(board("hex star"))
    True
    """
    return holes_in_board(board) == 0
