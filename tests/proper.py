"""Boards of hexagons for tests: 2-connected ones without holes, of any size, and which are congruent."""

from __future__ import annotations

from collections.abc import Iterable

from slidelab.boards import Cell


def comb(teeth: int, length: int) -> list[Cell]:
    """Two rows, and on them teeth two cells wide with one column between them; the last may be one longer."""
    width = 3 * teeth - 1
    cells = {(q, r) for r in range(2) for q in range(width)}
    cells |= {(3 * tooth + dq, 2 + r) for tooth in range(teeth) for dq in range(2) for r in range(length)}
    if len(cells) % 2 == 0:
        cells.add((width, 0))
    return sorted(cells, key=lambda cell: (cell[1], cell[0]))


def canonical(cells: Iterable[Cell]) -> frozenset[Cell]:
    """The same cells for boards that are congruent, and for no others: the least image."""
    forms = []
    image = list(cells)
    for _ in range(6):
        image = [(-r, q + r) for q, r in image]
        for form in (image, [(r, q) for q, r in image]):
            q0, r0 = min(q for q, _ in form), min(r for _, r in form)
            forms.append(sorted((q - q0, r - r0) for q, r in form))
    return frozenset(min(forms))
