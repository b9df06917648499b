"""All boards of one size that are covered by triangles joined through common edges, and their groups."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from slidelab.boards import hex_board
from slidelab.boards.lattice import Cell, hexagons_around, images
from slidelab.gains import GainGraph
from slidelab.puzzles import Puzzle
from slidelab.reach.families import count_components
from slidelab.rules import rule

__all__ = [
    "Cells",
    "boards",
    "components",
    "copies",
    "families",
    "is_joined",
    "normal",
    "overlapping",
    "puzzle",
    "shares_edge",
]

Cells = frozenset[Cell]


def puzzle(cells: Cells, holes: int) -> Puzzle:
    return Puzzle(hex_board(cells), rule("hextiles"), holes)


def normal(cells: Cells) -> Cells:
    """The first of all turned and shifted copies."""
    return min(copies(cells), key=sorted)


def copies(cells: Cells) -> list[Cells]:
    """All turned copies, each shifted to the corner of the first quadrant."""
    found = []
    for turn in range(12):
        turned = [images("hex", q, r)[turn] for q, r in cells]
        left, top = min(q for q, _ in turned), min(r for _, r in turned)
        found.append(frozenset((q - left, r - top) for q, r in turned))
    return list(dict.fromkeys(found))


def triangles(cells: Cells) -> set[Cells]:
    """All triangles of touching cells, found in the plainest way."""
    found = set()
    for a in cells:
        near = [b for b in hexagons_around(a) if b in cells]
        found |= {frozenset((a, b, c)) for b in near for c in near if c in hexagons_around(b)}
    return found


def is_joined(cells: Cells) -> bool:
    """Whether triangles joined through common edges cover the board."""
    left = triangles(cells)
    if not left or frozenset[Cell]().union(*left) != cells:
        return False
    queue = [left.pop()]
    for triangle in queue:
        joined = {other for other in left if len(other & triangle) == 2}
        left -= joined
        queue += joined
    return not left


@cache
def boards(size: int) -> tuple[Cells, ...]:
    """All such boards of one size, one of each class of congruent ones."""
    if size == 3:
        return (frozenset({(0, 0), (1, 0), (0, 1)}),)
    found = set()
    for smaller in boards(size - 1):
        for cell in {near for each in smaller for near in hexagons_around(each)} - smaller:
            if is_joined(larger := smaller | {cell}):
                found.add(normal(larger))
    return tuple(sorted(found, key=sorted))


@cache
def _components(cells: Cells, holes: int) -> int:
    return count_components(puzzle(cells, holes))


def components(cells: Cells, holes: int) -> int:
    """The number of components that can move, from the gain graph."""
    return _components(normal(cells), holes)


def families(cells: Cells, holes: int) -> int:
    """The number of connected sets of shapes that can move."""
    return len(GainGraph(puzzle(cells, holes)).families())


def shares_edge(first: Cells, second: Cells) -> bool:
    """Whether two touching common cells lie in a triangle of each."""
    edges = [
        {frozenset((a, b)) for each in triangles(cells) for a in each for b in each if a != b}
        for cells in (first, second)
    ]
    return bool(edges[0] & edges[1])


def overlapping(first: Cells, second: Cells, least: int) -> Iterator[Cells]:
    """Yield all placements of `second` with at least so many cells of `first`, neither inside the other."""
    for copy in copies(second):
        for dq, dr in product(range(-6, 7), repeat=2):
            moved = frozenset((q + dq, r + dr) for q, r in copy)
            if len(moved & first) >= least and not (moved <= first or first <= moved):
                yield moved
