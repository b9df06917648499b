"""Arrange parts on the beds of a printer without overlap.

Parts are rectangles, the largest first; each goes into the corner of free space that it fills best. Free
space is kept as all maximal empty rectangles, which may overlap [1]_. The parts on a bed are then centred,
where beds are warm and flat.

References
----------
.. [1] J. Jylänki, "A thousand ways to pack the bin", 2010 (maximal rectangles, best short side fit).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slidelab.errors import PuzzleError

__all__ = ["GAP", "BedPosition", "Size", "fits", "pack_beds"]

GAP = 3.0
"""Distance between two parts on a bed in millimetres."""

TOLERANCE = 1e-9
"""Rounding errors of lengths in millimetres that do not matter."""

Size = tuple[float, float]
_Rectangle = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(frozen=True, slots=True)
class BedPosition:
    """Position of a part on a bed: its least x and y, and whether it is rotated by a quarter turn before."""

    part: int
    x: float
    y: float
    rotated: bool = False


def fits(size: Size, bed: Size) -> bool:
    """Return whether a part fits on an empty bed, rotated by a quarter turn if necessary.

    >>> fits((300, 100), (200, 310)), fits((300, 100), (200, 290))
    (True, False)
    """
    return any(width <= bed[0] and depth <= bed[1] for width, depth in (size, size[::-1]))


def pack_beds(sizes: Sequence[Size], bed: Size, gap: float = GAP) -> list[list[BedPosition]]:
    """Return the positions of the parts on each bed that is needed.

    >>> [[(p.part, p.x, p.y) for p in row] for row in pack_beds([(60, 60), (30, 30)], (100, 100))]
    [[(0, 3.5, 20.0), (1, 66.5, 20.0)]]
    >>> len(pack_beds([(60, 60)] * 3, (100, 100)))
    3
    """
    order = sorted(range(len(sizes)), key=lambda part: (-min(sizes[part]), -max(sizes[part]), part))
    # Every part includes the gap on two sides, and so does the bed.
    empty = (0.0, 0.0, bed[0] + gap, bed[1] + gap)
    free: list[list[_Rectangle]] = []
    beds: list[list[BedPosition]] = []
    for part in order:
        width, depth = sizes[part]
        rotated = width > bed[0] or depth > bed[1]
        if rotated:
            width, depth = depth, width
        if width > bed[0] or depth > bed[1]:
            raise PuzzleError(
                f"expected a part that fits on the bed, got {width:.1f} x {depth:.1f} mm - "
                f"on a bed of {bed[0]:g} x {bed[1]:g} mm"
            )
        size = (width + gap, depth + gap)
        number = next((k for k, spaces in enumerate(free) if _best_corner(spaces, size)), len(beds))
        if number == len(beds):
            beds.append([])
            free.append([empty])
        x, y = _best_corner(free[number], size) or (0.0, 0.0)
        free[number] = _subtract(free[number], (x, y, x + size[0], y + size[1]))
        beds[number].append(BedPosition(part, x, y, rotated))
    return [_centre(row, sizes, bed) for row in beds]


def _best_corner(spaces: Sequence[_Rectangle], size: Size) -> Size | None:
    """Return the corner of the free rectangle that leaves the least space beside the part, or None."""
    width, depth = size
    best = min(
        (
            (min(right - left - width, top - bottom - depth), bottom, left)
            for left, bottom, right, top in spaces
            if right - left >= width - TOLERANCE and top - bottom >= depth - TOLERANCE
        ),
        default=None,
    )
    return best and (best[2], best[1])


def _subtract(spaces: Sequence[_Rectangle], taken: _Rectangle) -> list[_Rectangle]:
    """Return the maximal empty rectangles that remain when one is taken."""
    left, bottom, right, top = taken
    remaining: list[_Rectangle] = []
    for space in spaces:
        a, b, c, d = space
        if left >= c or right <= a or bottom >= d or top <= b:
            remaining.append(space)
            continue
        pieces = ((a, b, left, d), (right, b, c, d), (a, b, c, bottom), (a, top, c, d))
        remaining += [
            each for each in pieces if each[2] - each[0] > TOLERANCE and each[3] - each[1] > TOLERANCE
        ]
    distinct = sorted(set(remaining))
    return [
        space
        for space in distinct
        if not any(_contains(other, space) for other in distinct if other != space)
    ]


def _contains(outer: _Rectangle, inner: _Rectangle) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]


def _centre(row: Sequence[BedPosition], sizes: Sequence[Size], bed: Size) -> list[BedPosition]:
    used = [sizes[each.part][::-1] if each.rotated else sizes[each.part] for each in row]
    right = max(each.x + width for each, (width, _) in zip(row, used, strict=True))
    top = max(each.y + depth for each, (_, depth) in zip(row, used, strict=True))
    dx, dy = (bed[0] - right) / 2, (bed[1] - top) / 2
    return [BedPosition(each.part, each.x + dx, each.y + dy, each.rotated) for each in row]
