"""Hamiltonian cycles: closed walks from cell to touching cell that visit every cell of a board once.

On hexagons, every 2-connected board without holes has one, except the star of 13 cells (Polishchuk, Arkin and
Mitchell 2006; Gordon, Orlovich and Werner 2008), and `hamiltonian_cycle` constructs it. On all other boards
the question is NP-complete, and `find_cycle` searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from slidelab.boards.cycle_growth import grow_cycle
from slidelab.boards.cycle_model import solve_cycle
from slidelab.boards.cycle_search import cycle_edges, search_cycles
from slidelab.boards.lattice import bounding_box
from slidelab.boards.model import Board
from slidelab.boards.proper import why_no_cycle
from slidelab.boards.structure import Face, faces, holes_in_board, is_two_connected, two_colouring
from slidelab.budget import Budget
from slidelab.errors import NotationError, PuzzleError, TooLarge

__all__ = ["FoundCycle", "cycle_along", "find_cycle", "hamiltonian_cycle", "is_hole_free_cycle"]

SMALL_BOARD_CELLS = 20
"""Largest board that is searched by backtracking before OR-Tools is needed."""

SMALL_BOARD_CHOICES = 20_000
"""Choices of the backtracking search on such a board, about a second."""


@dataclass(frozen=True, slots=True)
class FoundCycle:
    """A Hamiltonian cycle of a board.

    Attributes
    ----------
    cells : tuple of int
        All cells in cyclic order, from cell 0 towards the smaller one of its two neighbours on the cycle.
    hole_free : bool
        Whether no missing cell lies inside the cycle; always False on ``king`` and ``graph`` boards.
    """

    cells: tuple[int, ...]
    hole_free: bool


def hamiltonian_cycle(board: Board) -> tuple[int, ...]:
    """Return a Hamiltonian cycle of a 2-connected hexagonal board without holes that is not the star.

    A cycle grows by one cell at a time, which hardly ever needs more than a look at two cells of the cycle
    that both touch a new one: 10,000 cells take a fraction of a second.

    Returns
    -------
    tuple of int
        All cells in cyclic order.

    Raises
    ------
    PuzzleError
        If the theorem does not apply to the board; the message says why.

    References
    ----------
    .. [1] V. Gordon, Y. Orlovich, F. Werner, "Hamiltonian properties of triangular grid graphs", Discrete
       Mathematics 308 (2008).

    Examples
    --------
    >>> from slidelab.boards import board
    >>> hamiltonian_cycle(board("hex P(3,2)"))
    (0, 1, 2, 5, 4, 3)
    """
    reason = why_no_cycle(board)
    cells = None if reason else grow_cycle(board) or _search(board, [])
    if cells is None:
        raise PuzzleError(f"no Hamiltonian cycle of {board.name[:80]!r} constructed: {reason}")
    return cells


def find_cycle(board: Board, *, budget: Budget | None = None) -> FoundCycle | None:
    """Return a Hamiltonian cycle of any board, one without missing cells inside if possible; None if none.

    Boards as for `hamiltonian_cycle` get theirs at once, small boards after a short search, others from
    OR-Tools (``pip install slidelab[place]``).

    Parameters
    ----------
    board
        Any board.
    budget
        Its deadline limits the search; default no limit.

    Raises
    ------
    OutOfTime
        If the deadline comes before the answer.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> find_cycle(board("square R(2,2)"))
    FoundCycle(cells=(0, 1, 3, 2), hole_free=True)
    >>> find_cycle(board("square R(3,3)")) is None
    True
    """
    if not is_two_connected(board) or _is_unbalanced(board):
        return None
    if (cells := _rectangle_cycle(board)) is not None:
        return FoundCycle(cells, is_hole_free_cycle(board, cells))
    holes = board.kind != "graph" and holes_in_board(board) > 0
    grown = grow_cycle(board, budget if holes else None)
    if grown is not None and is_hole_free_cycle(board, grown):
        return FoundCycle(grown, True)
    cells = _search(board, faces(board), budget) if holes and board.kind != "king" else None
    cells = cells or grown or _search(board, [], budget)
    return None if cells is None else FoundCycle(cells, is_hole_free_cycle(board, cells))


def cycle_along(
    board: Board, paths: Sequence[Sequence[int]], *, budget: Budget | None = None
) -> tuple[int, ...] | None:
    """Return a Hamiltonian cycle that runs along one of the paths, None if there is none.

    Parameters
    ----------
    board
        Any board. Small boards are searched exhaustively, others by OR-Tools.
    paths
        Sequences of cells; those in which a cell does not touch the next one are ignored.
    budget
        As for `find_cycle`.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> cycle_along(board("hex P(3,2)"), [(0, 4), (5, 2, 1)])
    (0, 1, 2, 5, 4, 3)
    >>> cycle_along(board("hex P(3,2)"), [(0, 3, 1)]) is None
    True
    """
    paths = [path for path in paths if all(board.adjacent(a, b) for a, b in pairwise(path))]
    if not paths or not is_two_connected(board) or _is_unbalanced(board):
        return None
    if board.size <= SMALL_BOARD_CELLS:
        try:
            searches = (
                search_cycles(range(board.size), board.edges, list(pairwise(path)), SMALL_BOARD_CHOICES)
                for path in paths
            )
            found = next(chain.from_iterable(searches), None)
            return None if found is None else tuple(found)
        except TooLarge:
            pass
    return solve_cycle(board, paths=paths, budget=budget)


def is_hole_free_cycle(board: Board, cells: Sequence[int]) -> bool:
    """Return whether no missing cell lies inside a Hamiltonian cycle of a board of hexagons or squares.

    All cells lie on the cycle, so by Pick's theorem its area tells how many missing cells are inside:
    without any, the cycle encloses as many triangles of hexagon centres as it has cells, less two. On
    ``king`` and ``graph`` boards, where cycles may cross themselves, the answer is False.

    Parameters
    ----------
    board
        Any board.
    cells
        All cells in cyclic order.

    Raises
    ------
    NotationError
        If the cells are not a Hamiltonian cycle.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> is_hole_free_cycle(board("hex P(3,2)"), [0, 1, 2, 5, 4, 3])
    True
    >>> is_hole_free_cycle(board("cycle(3)"), [0, 1, 2])
    False
    """
    if sorted(cells) != list(range(board.size)) or board.size < 3:
        raise NotationError(f"expected all {board.size} cells once, got {len(cells)} cells - at cycle")
    for a, b in cycle_edges(cells):
        if not board.adjacent(a, b):
            raise NotationError(f"expected touching cells, got {a} and {b} - at cycle")
    if board.kind in ("king", "graph"):
        return False
    corners = [board.cells[cell] for cell in cells]
    twice_area = sum(x * b - a * y for (x, y), (a, b) in zip(corners, corners[1:] + corners[:1], strict=True))
    return abs(twice_area) == board.size - 2


def _rectangle_cycle(board: Board) -> tuple[int, ...] | None:
    """Return a cycle through the rows of a full rectangle and back along its side; None for other boards.

    >>> from slidelab.boards import board
    >>> _rectangle_cycle(board("square R(3,2)"))
    (0, 1, 2, 5, 4, 3)
    """
    if board.kind not in ("square", "king"):
        return None
    left, top, width, height = bounding_box(board.cells)
    if width * height != board.size or min(width, height) < 2 or board.size % 2:
        return None
    length, lines = (width, height) if height % 2 == 0 else (height, width)
    runs = [range(1, length) if line % 2 == 0 else range(length - 1, 0, -1) for line in range(lines)]
    steps = [(along, line) for line, run in enumerate(runs) for along in run]
    steps = [(0, 0), *steps, *((0, line) for line in range(lines - 1, 0, -1))]
    if height % 2:  # columns instead of rows, in the opposite direction, so that cell 1 still follows cell 0
        steps = [(0, 0), *((line, along) for along, line in reversed(steps[1:]))]
    return tuple(board.cell_at[left + x, top + y] for x, y in steps)


def _is_unbalanced(board: Board) -> bool:
    """Return whether a two-colouring has unequal classes: a cycle would alternate between them."""
    colours = two_colouring(board)
    return colours is not None and 2 * sum(colours) != board.size


def _search(board: Board, around: list[Face], budget: Budget | None = None) -> tuple[int, ...] | None:
    """Return a Hamiltonian cycle or None; if faces are given, a cycle around nothing but faces."""
    if board.size <= SMALL_BOARD_CELLS:
        try:
            return _search_small(board, around)
        except TooLarge:
            pass
    return solve_cycle(board, around, budget=budget)


def _search_small(board: Board, around: list[Face]) -> tuple[int, ...] | None:
    edges = [edge for face in around for edge in cycle_edges(face)] if around else board.edges
    for cycle in search_cycles(range(board.size), edges, (), SMALL_BOARD_CHOICES):
        if not around or is_hole_free_cycle(board, cycle):
            return tuple(cycle)
    return None
