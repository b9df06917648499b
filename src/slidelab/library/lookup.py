"""Find the rows about a puzzle, also in the form of a rotated board or an isomorphic graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from slidelab.boards import Board, graph_automorphisms
from slidelab.boards.graphs import from_edges
from slidelab.boards.lattice import Cell, images
from slidelab.boards.structure import components
from slidelab.errors import TooLarge
from slidelab.library.files import find_table, tables
from slidelab.library.rows import Row, Table
from slidelab.puzzles import Puzzle, PuzzleLike, puzzle

__all__ = ["congruent", "isomorphic", "lookup", "same_puzzle"]

MAX_BOARD_CELLS = 64
"""Cells of the largest board that is looked up: the tables have none that is larger."""

REFINEMENTS = 3
"""Rounds in which the invariant of a graph looks further around each vertex."""

_COORDINATES = re.compile(r"-?\d+,-?\d+")


def lookup(
    source: PuzzleLike, rule: str | None = None, *, holes: int | None = None, topic: str | Table | None = None
) -> tuple[Row, ...]:
    """Return what the atlas knows about a puzzle, the tables in the order of their names.

    Boards need not be equal: mirror images and rotations are found, and where moves depend only on which
    cells touch, isomorphic graphs.

    Parameters
    ----------
    source
        A puzzle, or anything that `slidelab.puzzle` reads.
    rule, holes
        The rule and the number of holes, as in `slidelab.puzzle`.
    topic
        Look into the table about this topic only, or into one that `read_table` read.

    Examples
    --------
    >>> import slidelab as sl
    >>> [row["gods_number"] for row in lookup("graph 0-1 1-2 2-3 3-0")]
    [6, 6]
    >>> lookup("35-puzzle")
    ()
    """
    asked = puzzle(source, rule, holes)
    if asked.board.size > MAX_BOARD_CELLS:
        return ()
    if topic is None:
        searched: Iterable[Table] = tables().values()
    else:
        searched = [topic if isinstance(topic, Table) else find_table(topic)]
    text = asked.text
    return tuple(
        row for table in searched for row in table.rows if row.puzzle == text or _is_about(row, asked)
    )


def _is_about(row: Row, asked: Puzzle) -> bool:
    kind, cells = _outline(row.puzzle)
    if kind != f"{asked.rule.name} {asked.hole_count}" or asked.colours is not None:
        return False
    if cells is not None and cells != asked.board.size:
        return False
    return same_puzzle(_read(row.puzzle), asked)


@lru_cache(maxsize=1 << 16)
def _outline(text: str) -> tuple[str, int | None]:
    """Return rule and holes of the text of a puzzle, and its number of cells if they are listed.

    >>> _outline("hex 0,0 1,0 hextiles 1"), _outline("hex P(3,4) hextiles 2")
    (('hextiles 1', 2), ('hextiles 2', None))
    """
    name, rule, holes = text.partition(" : ")[0].rsplit(" ", 2)
    return f"{rule} {holes}", None if "(" in name else len(_COORDINATES.findall(name)) or None


@lru_cache(maxsize=1 << 12)
def _read(text: str) -> Puzzle:
    return puzzle(text)


def same_puzzle(one: Puzzle, other: Puzzle) -> bool:
    """Return whether two puzzles without colours are the same up to the form of the board.

    Examples
    --------
    >>> import slidelab as sl
    >>> same_puzzle(sl.puzzle("square R(2,2)"), sl.puzzle("cycle(4)"))
    True
    >>> same_puzzle(sl.puzzle("square R(2,2)"), sl.puzzle("cycle(4)", holes=2))
    False
    """
    if (one.rule, one.hole_count, one.colours) != (other.rule, other.hole_count, other.colours):
        return False
    if one.board == other.board:
        return True
    if one.rule.touching_alone:
        return isomorphic(one.board, other.board)
    return congruent(one.board, other.board)


def congruent(one: Board, other: Board) -> bool:
    """Return whether a symmetry of the lattice maps one board to the other.

    >>> from slidelab.boards import board
    >>> congruent(board("square R(1,2)"), board("square 5,1 6,1"))
    True
    """
    if one.kind != other.kind or one.size != other.size or not one.cells:
        return one == other
    return _normal_form(one) == _normal_form(other)


@lru_cache(maxsize=1 << 12)
def _normal_form(on: Board) -> tuple[Cell, ...]:
    """Return the least list of cells among the images of a board on a lattice."""
    forms = []
    for cells in zip(*(images(on.kind, x, y) for x, y in on.cells), strict=True):
        left, top = (min(column) for column in zip(*cells, strict=True))
        forms.append(tuple(sorted((x - left, y - top) for x, y in cells)))
    return min(forms)


def isomorphic(one: Board, other: Board) -> bool:
    """Return whether the graphs of two boards are isomorphic; False if that takes too long to find out.

    Two connected graphs are isomorphic if and only if some automorphism of both together maps the one to the
    other, and then so does one of any generators.

    >>> from slidelab.boards import board
    >>> isomorphic(board("square R(2,2)"), board("cycle(4)"))
    True
    >>> isomorphic(board("graph 0-1 2"), board("graph 0 1-2"))
    True
    """
    if _invariant(one) != _invariant(other):
        return False
    parts, others = _parts(one), _parts(other)
    for part in parts:
        match = next((each for each in others if _connected_isomorphic(part, each)), None)
        if match is None:
            return False
        others.remove(match)
    return True


_Graph = tuple[tuple[int, ...], ...]
"""The neighbours of each vertex 0, 1, ..."""


@lru_cache(maxsize=1 << 14)
def _invariant(on: Board) -> tuple[int, ...]:
    """Return numbers that isomorphic boards have in common: what is seen from each vertex, sorted."""
    seen = [len(row) for row in on.neighbours]
    for _ in range(REFINEMENTS):
        # Hashes of tuples of whole numbers are the same in every process.
        seen = [
            hash((own, *sorted(seen[k] for k in row))) for own, row in zip(seen, on.neighbours, strict=True)
        ]
    return tuple(sorted(seen))


def _parts(on: Board) -> list[_Graph]:
    """Return the connected components, largest first."""
    parts = []
    for cells in components(on):
        number = {cell: k for k, cell in enumerate(cells)}
        parts.append(tuple(tuple(number[other] for other in on.neighbours[cell]) for cell in cells))
    return sorted(parts, key=len, reverse=True)


def _connected_isomorphic(one: _Graph, other: _Graph) -> bool:
    size = len(one)
    if size != len(other) or sorted(map(len, one)) != sorted(map(len, other)):
        return False
    both = from_edges([*_edges(one, 0), *_edges(other, size)], 2 * size)
    try:
        found = graph_automorphisms(both)
    except TooLarge:
        return False
    return any(generator[0] >= size for generator in found.generators)


def _edges(graph: _Graph, first: int) -> Iterator[tuple[int, int]]:
    return ((first + a, first + b) for a, row in enumerate(graph) for b in row if a < b)
