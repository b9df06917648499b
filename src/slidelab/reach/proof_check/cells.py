"""Sets of cells, as the checker sees them: neighbours, triangles, symmetries and tight corners.

Hexagons have axial coordinates (q, r), squares (x, y). All of this also exists in `slidelab.boards`; it is
written anew here on purpose.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from slidelab.reach.proof_check.refusal import items, need, numbers, part

__all__ = [
    "Cell",
    "holds_its_tile",
    "is_connected",
    "is_triangle_connected",
    "neighbours",
    "overlap_problem",
    "placed",
    "read_cells",
]

Cell = tuple[int, int]

STEPS = {
    "hex": ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)),
    "square": ((1, 0), (0, 1), (-1, 0), (0, -1)),
}
"""Steps to the neighbours of a cell, around it."""

MAX_CELLS = 1_000_000
"""Cells of the largest board that is checked."""


def read_cells(form: Any) -> frozenset[Cell]:
    """Return the cells of ``{"bounds": [q, q', r, r', s, s']}`` (s is q + r) or ``{"cells": [[q, r], ...]}``.

    >>> sorted(read_cells({"bounds": [0, 1, 0, 1, 0, 1]}))
    [(0, 0), (0, 1), (1, 0)]
    """
    if isinstance(form, dict) and "bounds" in form:
        q0, q1, r0, r1, s0, s1 = numbers(form["bounds"], 6)
        width, height = q1 - q0 + 1, r1 - r0 + 1
        need(width > 0 and height > 0, "the bounds of a board are in the wrong order")
        need(width * height <= 4 * MAX_CELLS, "the board has too many cells to check")
        return frozenset(
            (q, r) for r in range(r0, r1 + 1) for q in range(max(q0, s0 - r), min(q1, s1 - r) + 1)
        )
    listed = items(part(form, "cells"))
    need(len(listed) <= MAX_CELLS, "the board has too many cells to check")
    cells = [tuple(numbers(cell, 2)) for cell in listed]
    need(len(set(cells)) == len(cells), "a cell is listed twice")
    return frozenset((q, r) for q, r in cells)


def neighbours(kind: str, cell: Cell) -> Iterator[Cell]:
    """Yield the cells around a cell, in order."""
    for dx, dy in STEPS[kind]:
        yield cell[0] + dx, cell[1] + dy


def placed(cells: Iterable[Cell], turn: int, shift: Cell) -> frozenset[Cell]:
    """Return hexagons turned by `turn` (0 to 5: by sixths, clockwise; 6 to 11: then mirrored) and shifted."""
    found = set()
    for q, r in cells:
        for _ in range(turn % 6):
            q, r = -r, q + r
        if turn >= 6:
            q, r = r, q
        found.add((q + shift[0], r + shift[1]))
    return frozenset(found)


def is_connected(kind: str, cells: Collection[Cell]) -> bool:
    """Return whether every cell can be reached from every other."""
    inside = set(cells)
    queue = [next(iter(inside))]
    inside.discard(queue[0])
    for cell in queue:
        for near in neighbours(kind, cell):
            if near in inside:
                inside.discard(near)
                queue.append(near)
    return not inside


def is_triangle_connected(cells: frozenset[Cell]) -> bool:
    """Return whether triangles of touching hexagons, joined through common edges, cover the board.

    Exactly on such boards a pair of touching holes can walk everywhere: across a triangle it gets from one
    edge to another. A further hole walks along with it (the three holes of a triangle are any two and one
    more). So all shapes in which something can move are connected, whatever the number of holes.

    >>> is_triangle_connected(frozenset({(0, 0), (1, 0), (0, 1)})), is_triangle_connected(frozenset({(0, 0)}))
    (True, False)
    """
    everything = {
        (cell, up) for cell in _anchors(cells) for up in (True, False) if _is_triangle(cells, cell, up)
    }
    if not everything:
        return False
    queue = [min(everything)]
    seen, covered = {queue[0]}, set[Cell]()
    for (q, r), up in queue:
        covered.update(_corners((q, r), up))
        # An upright triangle shares its edges with three that point down, and the other way round.
        sides = ((q, r), (q - 1, r), (q, r - 1)) if up else ((q, r), (q + 1, r), (q, r + 1))
        for cell in sides:
            other = cell, not up
            if other in everything and other not in seen:
                seen.add(other)
                queue.append(other)
    return covered == cells and seen == everything


def _anchors(cells: Iterable[Cell]) -> set[Cell]:
    """Return the cells by which triangles are named: one that points down need not have its own anchor."""
    return {near for q, r in cells for near in ((q, r), (q - 1, r), (q, r - 1))}


def _corners(cell: Cell, up: bool) -> tuple[Cell, Cell, Cell]:
    q, r = cell
    return ((q, r), (q + 1, r), (q, r + 1)) if up else ((q + 1, r), (q, r + 1), (q + 1, r + 1))


def _is_triangle(cells: frozenset[Cell], cell: Cell, up: bool) -> bool:
    return all(corner in cells for corner in _corners(cell, up))


def overlap_problem(kind: str, rule: str, first: frozenset[Cell], second: frozenset[Cell], holes: int) -> str:
    """Return why two patches may not be joined, or an empty text if they may.

    All holes and one more tile must have room in the overlap, and with the holes there something must move in
    either patch: for hexagonal tiles an edge of the overlap lies in a triangle of each patch.
    """
    shared = first & second
    if len(shared) <= holes:
        return f"the overlap has {len(shared)} cells, and {holes + 1} are needed"
    if rule == "tiles":
        return ""
    for cell in shared:
        around = list(neighbours(kind, cell))
        for place, near in enumerate(around):
            apexes = (around[place - 1], around[(place + 1) % 6])
            if near in shared and any(a in first for a in apexes) and any(a in second for a in apexes):
                return ""
    return "no two touching cells of the overlap lie in a triangle of each patch"


def holds_its_tile(cells: Collection[Cell], cell: Cell) -> bool:
    """Return whether a tile never leaves a cell for good as long as there are two holes (Lemma 4.1).

    Tight corners have two neighbours, which touch. More generally, no edge at the cell lies in two triangles:
    there are no three consecutive neighbours. A tile that comes out leaves a hole there, and the edge between
    the two holes lies in one triangle only: nothing but this tile can move next.

    >>> board = {(0, 0), (1, 0), (0, 1), (1, 1)}
    >>> holds_its_tile(board, (0, 0)), holds_its_tile(board, (1, 0))
    (True, False)
    """
    here = [near in cells for near in neighbours("hex", cell)]
    return not any(here[k - 2] and here[k - 1] and here[k] for k in range(6))
