"""Cover a board of hexagons of any form by patches that are proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import comb

from slidelab.boards.lattice import Cell, hexagons_around, images
from slidelab.reach.prover.builder import Builder, Piece, join_pieces
from slidelab.reach.prover.proof import Part, Step
from slidelab.reach.prover.regions import Bounds, Placement, bounds_of, peel_corners, triangle_classes

__all__ = ["cover"]

MAX_PATCH_CELLS = 40
"""Cells of a neighbourhood that is computed where no convex patch fits."""

MAX_PATCH_SHAPES = 50_000
"""Sets of holes in such a neighbourhood: some tenths of a second."""

MAX_JOIN_ROUNDS = 4
"""Rounds in which further patches are looked for that join those in hand."""


MAX_FAILED = 20
"""Cells whose neighbourhood is not proved, and that may still be covered by the neighbourhoods of others."""


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
    failed: list[Cell] = []
    for cell in sorted(cells - seeds.keys()):
        if cell not in covered:
            piece = _neighbourhood(cell, cells, builder)
            if piece is not None:
                pieces.append(piece)
                covered |= piece[1]
            elif len(failed) < MAX_FAILED:
                failed.append(cell)  # perhaps the neighbourhood of another cell covers it
            else:
                return f"no patch around the cell {cell[0]},{cell[1]} has a large enough group"
    for cell in failed:
        if cell not in covered:
            return f"no patch around the cell {cell[0]},{cell[1]} has a large enough group"
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
            part = _triangles_around(cell, cells, builder, radius)
            piece = builder.listed(part) if part is not None and _is_small(part, builder) else None
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
    """Return the smallest neighbourhood of a cell that is proved and has room for all holes.

    Wide neighbourhoods have too many shapes where the board is wide, but not in a narrow passage, which is
    crossed by a tile if it can be emptied. So the neighbourhood grows by distance as long as it is small, and
    then triangle by triangle.
    """
    tried: set[frozenset[Cell]] = set()
    for part in _growing(cell, cells, builder):
        if part not in tried:
            tried.add(part)
            if (piece := builder.listed(part)) is not None:
                return piece
    return None


def _growing(cell: Cell, cells: frozenset[Cell], builder: Builder) -> Iterator[frozenset[Cell]]:
    """Yield neighbourhoods of a cell that are small enough to be computed, the smallest first."""
    last = 0
    for radius in range(1, len(cells)):
        part = _triangles_around(cell, cells, builder, radius)
        if part is not None:
            if not _is_small(part, builder) or len(part) == last:
                break
            last = len(part)
            yield part
    along = _by_triangles(cell, cells)
    for count in range(last + 1, min(len(along), MAX_PATCH_CELLS) + 1):
        part = _usable(cell, along[:count], builder)
        if part is not None:
            if not _is_small(part, builder):
                return
            yield part


def _is_small(part: frozenset[Cell], builder: Builder) -> bool:
    return len(part) <= MAX_PATCH_CELLS and comb(len(part), builder.holes) <= MAX_PATCH_SHAPES


def _by_triangles(cell: Cell, cells: frozenset[Cell]) -> list[Cell]:
    """Return cells in the order in which a pair of holes gets to them, triangle by triangle from one on."""
    order: dict[Cell, None] = {cell: None}
    queue = [(cell, near) for near in hexagons_around(cell) if near in cells]
    seen = {frozenset(edge) for edge in queue}
    for a, b in queue:
        for apex in hexagons_around(a):
            if apex in cells and apex in hexagons_around(b):
                order.update(dict.fromkeys((a, b, apex)))
                for edge in ((a, apex), (b, apex)):
                    if frozenset(edge) not in seen:
                        seen.add(frozenset(edge))
                        queue.append(edge)
    return list(order)


def _triangles_around(
    cell: Cell, cells: frozenset[Cell], builder: Builder, radius: int
) -> frozenset[Cell] | None:
    """Return the joined triangles within a radius of a cell, without cells whose tiles are stuck."""
    ball = {cell}
    for _ in range(radius):
        ball |= {near for each in ball for near in hexagons_around(each) if near in cells}
        if len(ball) > 3 * MAX_PATCH_CELLS:
            break
    return _usable(cell, ball, builder)


def _usable(cell: Cell, around: Iterable[Cell], builder: Builder) -> frozenset[Cell] | None:
    """Return joined triangles among cells that contain a cell and have room for all holes and three tiles."""
    for part in triangle_classes(set(around)):
        if builder.holes == 2:
            part = peel_corners(part)[1]
        if cell in part and len(part) >= builder.holes + 3:
            return frozenset(part)
    return None
