"""Certificates of what linear conditions imply, and cells that regions have in common for all sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

from slidelab.boards.lattice import Cell
from slidelab.reach.prover.linear import Linear, contradiction, satisfied
from slidelab.reach.prover.statements import Region

__all__ = ["Sizes", "Trees", "find_overlap"]

MAX_TRIED_PARTS = 2
"""Parts through which a tree of cases is tried to go at a node, the most promising first."""

Sizes = Mapping[str, int]
"""The value of each size, and perhaps of the coordinates q and r."""


class Trees:
    """Certificates: multipliers for what linear conditions imply, and trees of cases."""

    @staticmethod
    def implies(conditions: Sequence[Linear], form: Linear) -> list[int] | None:
        """Return multipliers that show that whole numbers with these conditions make `form` non-negative."""
        return contradiction([*conditions, -form - 1])

    @staticmethod
    def covered(
        conditions: Sequence[Linear], parts: Sequence[Sequence[Linear]], samples: Sequence[Sizes]
    ) -> dict[str, Any] | None:
        """Return a tree that shows that all points with these conditions lie in one of the parts.

        A node either has multipliers (``sum``) for a contradiction, or goes through a part: one of its
        conditions fails (``part`` and ``cases``).
        """
        return _covered(list(conditions), parts, samples, frozenset())


def _covered(
    conditions: list[Linear],
    parts: Sequence[Sequence[Linear]],
    samples: Sequence[Sizes],
    used: frozenset[int],
) -> dict[str, Any] | None:
    here = [point for point in samples if satisfied(conditions, point)]
    if not here and (found := contradiction(conditions)) is not None:
        return {"sum": found}
    free = [number for number in range(len(parts)) if number not in used]
    if here:
        free = [number for number in free if any(satisfied(parts[number], point) for point in here)]
    ranked = sorted(free, key=lambda number: (_open_cases(conditions, parts[number], here), number))
    for number in ranked[:MAX_TRIED_PARTS]:
        cases = []
        for form in parts[number]:
            below = _covered([*conditions, -form - 1], parts, here, used | {number})
            if below is None:
                break
            cases.append(below)
        else:
            return {"part": number, "cases": cases}
    return None


def _open_cases(conditions: Sequence[Linear], part: Sequence[Linear], here: Sequence[Sizes]) -> int:
    """Return in how many ways a point may fail to lie in a part, by samples if there are any."""
    if here:
        return sum(any(form.at(point) < 0 for point in here) for form in part)
    return sum(contradiction([*conditions, -form - 1]) is None for form in part)


def find_overlap(
    conditions: Sequence[Linear],
    first: Region,
    second: Region,
    points: Sequence[Sizes],
    holes: int,
    triangle: bool,
) -> tuple[tuple[Linear, Linear], tuple[Cell, ...], list[list[list[int]]]] | None:
    """Return enough cells that two regions have in common for all sizes, if need be with a triangle."""
    both = [*first.conditions(), *second.conditions()]
    shared = [first.cells(point) & second.cells(point) for point in points]
    offsets = sorted(
        product(range(-2, 3), range(-2, 3)), key=lambda v: max(abs(v[0]), abs(v[1]), abs(v[0] + v[1]))
    )
    for anchor in _anchors(first, second):
        usable = [
            offset
            for offset in offsets
            if all(
                (anchor[0].at(point) + offset[0], anchor[1].at(point) + offset[1]) in cells
                for point, cells in zip(points, shared, strict=True)
            )
        ]
        chosen = _enough(usable, holes, triangle)
        if chosen is None:
            continue
        inside: list[list[list[int]]] = []
        for dq, dr in chosen:
            put = {"q": anchor[0] + dq, "r": anchor[1] + dr}
            proofs = [Trees.implies(conditions, form.put(put)) for form in both]
            if any(proof is None for proof in proofs):
                break
            inside.append([proof for proof in proofs if proof is not None])
        else:
            return anchor, chosen, inside
    return None


def _enough(offsets: Sequence[Cell], holes: int, triangle: bool) -> tuple[Cell, ...] | None:
    """Return one more cell than there are holes, if need be with a triangle among them."""
    if len(offsets) <= holes:
        return None
    if not triangle:
        return tuple(offsets[: holes + 1])
    have = set(offsets)
    for q, r in offsets:
        for corners in (((q, r), (q + 1, r), (q, r + 1)), ((q, r), (q + 1, r), (q + 1, r - 1))):
            if have.issuperset(corners):
                rest = [offset for offset in offsets if offset not in corners]
                return (*corners, *rest[: max(0, holes + 1 - 3)])
    return None


def _anchors(first: Region, second: Region) -> Iterator[tuple[Linear, Linear]]:
    """Yield the points where two bounding lines of either region meet."""
    seen = set()
    lines = [(place // 2, bound) for region in (first, second) for place, bound in enumerate(region.bounds)]
    for (i, a), (j, b) in combinations(lines, 2):
        if a is None or b is None or i == j:
            continue
        if (i, j) in ((1, 0), (2, 0), (2, 1)):
            i, j, a, b = j, i, b, a
        point = {(0, 1): (a, b), (0, 2): (a, b - a), (1, 2): (b - a, a)}[i, j]
        if point not in seen:
            seen.add(point)
            yield point
