"""Cover a board of hexagons of any form by patches that are proved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from slidelab.boards.lattice import Cell, hexagons_around, images
from slidelab.reach.prover.builder import Builder, Piece, join_pieces
from slidelab.reach.prover.proof import Part, Step
from slidelab.reach.prover.regions import Bounds, Placement, bounds_of, peel_corners, triangle_classes

__all__ = ["cover"]

MAX_RADIUS = 3
"""Radius of the neighbourhoods that are computed where no convex patch fits: at most 37 cells."""

MAX_JOIN_ROUNDS = 4
"""Rounds in which further patches are looked for that join those in hand."""


def cover(cells: frozenset[Cell], builder: Builder) -> Part | str:
    """Add steps that prove a triangle-connected board; return the last in its place, or why there is none.

    The board is convex, and halved; or it is covered by convex patches that are grown as far as they fit;
    what no convex patch covers is covered by small neighbourhoods, which are computed.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> builder = Builder(3)
    >>> builder.steps[cover(frozenset(board("hex P(3,5)").cells), builder).step].size
    15
    >>> cover(frozenset(board("hex P(2,5)").cells), builder)
    'no patch around the cell 0,0 has a large enough group'
    """
    region = bounds_of(cells)
    if region.size == len(cells) and (piece := builder.convex(region)) is not None:
        return piece[0]
    pieces: list[Piece] = []
    covered: set[Cell] = set()
    seeds = {cell: seeds for cell in sorted(cells) if (seeds := list(_seeds_at(cell, cells, builder)))}
    for cell in sorted(cells - seeds.keys()):
        if cell not in covered:
            piece = _neighbourhood(cell, cells, builder)
            if piece is None:
                return f"no patch around the cell {cell[0]},{cell[1]} has a large enough group"
            pieces.append(piece)
            covered |= piece[1]
    for cell, placed in seeds.items():
        if cell not in covered:
            best = max(placed, key=lambda seed: sum(each not in covered for each in seed))
            piece = builder.convex(_grown(best, cells, covered, builder))
            if piece is None:
                return f"no patch around the cell {cell[0]},{cell[1]} has a large enough group"
            pieces.append(piece)
            covered |= piece[1]
    return _joined(cells, pieces, builder)


def _joined(cells: frozenset[Cell], pieces: list[Piece], builder: Builder) -> Part | str:
    """Add the step that joins all pieces, with further patches where their overlaps are too small."""
    for radius in range(MAX_JOIN_ROUNDS):
        pairs, sets = join_pieces(pieces, builder.holes)
        if len(pairs) == len(pieces) - 1:
            if len(pieces) == 1:
                return pieces[0][0]
            listed = tuple(sorted(cells))
            parts = tuple(piece[0] for piece in pieces)
            step = Step("patching", listed, builder.holes, builder.claim, parts, tuple(pairs))
            return Part(builder.add(step), Placement(0, (0, 0)))
        if radius == 0:
            continue
        # Cells of different sets of joined pieces that touch: a neighbourhood there may join them.
        owner: dict[Cell, int] = {}
        for number, (_, inside) in enumerate(pieces):
            for cell in inside:
                owner.setdefault(cell, sets.find(number))
        border = sorted(
            cell
            for cell in cells
            if any(owner.get(near, owner[cell]) != owner[cell] for near in hexagons_around(cell))
        )
        for cell in border:
            piece = builder.listed(part) if (part := _ball(cell, cells, builder, radius)) else None
            if piece is not None:
                pieces.append(piece)
    return "the patches that were found do not overlap enough"


def _seeds_at(cell: Cell, cells: frozenset[Cell], builder: Builder) -> Iterator[Bounds]:
    """Yield the places on the board of the smallest convex patches that contain a cell."""
    if builder.budget is not None:
        builder.budget.check("cover")
    for seed in _seeds(builder.holes == 2):
        for q, r in seed:
            placed = seed.shifted(cell[0] - q, cell[1] - r)
            if all(each in cells for each in placed):
                yield placed


@lru_cache(maxsize=2)
def _seeds(two_holes: bool) -> tuple[Bounds, ...]:
    """Return the smallest convex board that can be proved, Ptr(3,4) or P(3,3) less a corner, in all turns."""
    seed = Bounds(0, 2, 0, 3, 1, 4) if two_holes else Bounds(0, 2, 0, 2, 1, 4)
    turned = (bounds_of(images("hex", q, r)[turn] for q, r in seed) for turn in range(12))
    return tuple(dict.fromkeys(each.shifted(-each.q0, -each.r0) for each in turned))


def _grown(region: Bounds, cells: frozenset[Cell], covered: set[Cell], builder: Builder) -> Bounds:
    """Return a convex region enlarged line by line while it stays on the board, by most new cells first."""
    while True:
        best: tuple[tuple[int, int], Bounds] | None = None
        for larger in _enlarged(region):
            # Two lines at once may be needed where one would make a tight corner.
            for candidate in (larger, *_enlarged(larger)):
                wider = candidate.tightened()
                if not builder.accepts(wider) or wider.size <= region.size:
                    continue
                added = _added(region, wider)
                if all(cell in cells for cell in added):
                    gain = sum(cell not in covered for cell in added), len(added)
                    if best is None or gain > best[0]:
                        best = gain, wider
                    break
        if best is None:
            return region
        region = best[1]


def _enlarged(region: Bounds) -> Iterator[Bounds]:
    """Yield the region with each of its six bounds moved out by one."""
    values = [region.q0, region.q1, region.r0, region.r1, region.s0, region.s1]
    for side in range(6):
        moved = list(values)
        moved[side] += -1 if side % 2 == 0 else 1
        yield Bounds(*moved)


def _added(region: Bounds, wider: Bounds) -> set[Cell]:
    """Return the cells of a wider region that are not in a region."""
    found: set[Cell] = set()
    lows, highs = (region.q0, region.r0, region.s0), (region.q1, region.r1, region.s1)
    for direction, (low, high) in enumerate(zip(lows, highs, strict=True)):
        found.update(wider.cut(direction, None, low - 1))
        found.update(wider.cut(direction, high + 1, None))
    return found


def _neighbourhood(cell: Cell, cells: frozenset[Cell], builder: Builder) -> Piece | None:
    """Return the smallest neighbourhood of a cell that is proved and has room for all holes."""
    for radius in range(1, MAX_RADIUS + 1):
        part = _ball(cell, cells, builder, radius)
        if part is not None and (piece := builder.listed(part)) is not None:
            return piece
    return None


def _ball(cell: Cell, cells: frozenset[Cell], builder: Builder, radius: int) -> frozenset[Cell] | None:
    """Return the triangle-connected part within a radius of a cell, without tight corners if they hinder."""
    ball = {cell}
    for _ in range(radius):
        ball |= {near for each in ball for near in hexagons_around(each) if near in cells}
    for part in triangle_classes(ball):
        if builder.holes == 2:
            part = peel_corners(part)[1]
        if cell in part and len(part) >= builder.holes + 3:
            return frozenset(part)
    return None
