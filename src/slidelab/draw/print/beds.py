"""Parts laid out on the beds of a printer: none overlaps another, none hangs over the edge.

Parts are taken as rectangles, the largest first, and each goes into the corner of free room that it fills
best. Free room is kept as all the largest empty rectangles, which may overlap (Jylänki's maximal rectangles).
What lies on a bed is moved to its middle, where beds are warm and flat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slidelab.errors import PuzzleError

__all__ = ["GAP", "Place", "Size", "fits", "lay_on_beds"]

GAP = 3.0
"""Millimetres between two parts on a bed."""

Size = tuple[float, float]
_Room = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part goes: its least x and y on the bed, and whether it is turned by a quarter before that."""

    part: int
    x: float
    y: float
    turned: bool = False


def fits(size: Size, bed: Size) -> bool:
    """Whether a part finds room on an empty bed, turned by a quarter if need be.

    >>> fits((300, 100), (200, 310)), fits((300, 100), (200, 290))
    (True, False)
    """
    return any(wide <= bed[0] and high <= bed[1] for wide, high in (size, size[::-1]))


def lay_on_beds(sizes: Sequence[Size], bed: Size, gap: float = GAP) -> list[list[Place]]:
    """For each bed that is needed where the parts on it go.

    >>> [[(p.part, p.x, p.y) for p in row] for row in lay_on_beds([(60, 60), (30, 30)], (100, 100))]
    [[(0, 3.5, 20.0), (1, 66.5, 20.0)]]
    >>> len(lay_on_beds([(60, 60)] * 3, (100, 100)))
    3
    """
    order = sorted(range(len(sizes)), key=lambda part: (-min(sizes[part]), -max(sizes[part]), part))
    # Every part takes its gap along on two sides, and the bed has one more on two sides.
    empty = (0.0, 0.0, bed[0] + gap, bed[1] + gap)
    free: list[list[_Room]] = []
    beds: list[list[Place]] = []
    for part in order:
        wide, high = sizes[part]
        turned = wide > bed[0] or high > bed[1]
        if turned:
            wide, high = high, wide
        if wide > bed[0] or high > bed[1]:
            raise PuzzleError(
                f"expected a part that fits on the bed, got {wide:.1f} x {high:.1f} mm - "
                f"on a bed of {bed[0]:g} x {bed[1]:g} mm"
            )
        number = next(
            (k for k, rooms in enumerate(free) if _corner(rooms, wide + gap, high + gap)), len(beds)
        )
        if number == len(beds):
            beds.append([])
            free.append([empty])
        x, y = _corner(free[number], wide + gap, high + gap) or (0.0, 0.0)
        free[number] = _without(free[number], (x, y, x + wide + gap, y + high + gap))
        beds[number].append(Place(part, x, y, turned))
    return [_centred(row, sizes, bed) for row in beds]


def _corner(rooms: Sequence[_Room], wide: float, high: float) -> Size | None:
    """The corner of the room in which least is left beside the part; None if it fits nowhere."""
    best = min(
        (
            (min(right - left - wide, top - bottom - high), bottom, left)
            for left, bottom, right, top in rooms
            if right - left >= wide - 1e-9 and top - bottom >= high - 1e-9
        ),
        default=None,
    )
    return best and (best[2], best[1])


def _without(rooms: Sequence[_Room], taken: _Room) -> list[_Room]:
    """The largest empty rectangles that remain when one is taken."""
    left, bottom, right, top = taken
    out: list[_Room] = []
    for room in rooms:
        a, b, c, d = room
        if left >= c or right <= a or bottom >= d or top <= b:
            out.append(room)
            continue
        pieces = ((a, b, left, d), (right, b, c, d), (a, b, c, bottom), (a, top, c, d))
        out += [each for each in pieces if each[2] - each[0] > 1e-9 and each[3] - each[1] > 1e-9]
    distinct = sorted(set(out))
    return [room for room in distinct if not any(_inside(room, other) for other in distinct if other != room)]


def _inside(room: _Room, other: _Room) -> bool:
    return other[0] <= room[0] and other[1] <= room[1] and other[2] >= room[2] and other[3] >= room[3]


def _centred(row: Sequence[Place], sizes: Sequence[Size], bed: Size) -> list[Place]:
    used = [sizes[place.part][::-1] if place.turned else sizes[place.part] for place in row]
    right = max(place.x + wide for place, (wide, _) in zip(row, used, strict=True))
    top = max(place.y + high for place, (_, high) in zip(row, used, strict=True))
    dx, dy = (bed[0] - right) / 2, (bed[1] - top) / 2
    return [Place(place.part, place.x + dx, place.y + dy, place.turned) for place in row]
