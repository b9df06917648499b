"""One element of a group for each colouring of its points that it can bring about.

Small groups are listed, and the colourings that were met are kept. Of large groups the colourings are listed
instead, one after the other, and each is tried: almost all can be brought about, and none is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import factorial, prod
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.reach.group import PermutationGroup

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["colouring_elements"]

MAX_LISTED_ELEMENTS = 200_000
"""Order of the largest group whose elements are all made; their colourings take some dozen megabytes."""

MAX_COLOURINGS = 10**9
"""Colourings that are tried: some hours."""

MAX_NODES = 1_000_000
"""Nodes of the search for an element with a colouring."""

CHECKED_EVERY = 256
"""Colourings between two looks at the clock."""


def colouring_elements(
    group: PermutationGroup, colours: Sequence[int], budget: Budget
) -> Iterator[NDArray[np.uint16]]:
    """Yield elements that take the colours of the points to all colourings in their orbit, each once.

    Raises
    ------
    TooLarge
        If there are too many colourings, or it is not clear whether one can be brought about.

    Examples
    --------
    >>> cyclic = PermutationGroup([(1, 2, 3, 0)])
    >>> [row.tolist() for row in colouring_elements(cyclic, (0, 1, 0, 1), Budget())]
    [[0, 1, 2, 3], [1, 2, 3, 0]]
    """
    import numpy as np

    here = np.array(colours, dtype=np.uint32)
    if group.order <= MAX_LISTED_ELEMENTS:
        seen = set()
        for first in range(0, group.order, CHECKED_EVERY):
            budget.check("colourings", first, group.order)
            for element in group.core.elements(first, min(CHECKED_EVERY, group.order - first)):
                there = np.empty_like(here)
                there[element] = here
                if (key := there.tobytes()) not in seen:
                    seen.add(key)
                    yield element
        return
    orbits = group.moved_orbits
    total = prod(_count([colours[x] for x in orbit]) for orbit in orbits)
    if total > MAX_COLOURINGS:
        raise TooLarge(f"{total:,} colourings would have to be tried, and the limit is {MAX_COLOURINGS:,}")
    arrangements = [[colours[x] for x in orbit] for orbit in orbits]
    for number, chosen in enumerate(_all_orders(arrangements)):
        if number % CHECKED_EVERY == 0:
            budget.check("colourings", number, total)
        there = here.copy()
        for orbit, row in zip(orbits, chosen, strict=True):
            there[list(orbit)] = row
        found, certain = group.core.recolour(here, there, MAX_NODES, budget.check)
        if found is not None:
            yield np.array(found, dtype=np.uint16)
        elif not certain:
            raise TooLarge("it would take too long to see which colourings can be reached")


def _count(colours: Sequence[int]) -> int:
    """Return the number of different orders of colours."""
    return factorial(len(colours)) // prod(factorial(colours.count(colour)) for colour in set(colours))


def _all_orders(rows: Sequence[Sequence[int]]) -> Iterator[list[list[int]]]:
    """Yield every choice of an order of each row; unlike `itertools.product`, nothing is listed before."""
    if not rows:
        yield []
        return
    for first in _orders(rows[0]):
        for others in _all_orders(rows[1:]):
            yield [first, *others]


def _orders(colours: Sequence[int]) -> Iterator[list[int]]:
    """Yield the different orders of some colours, in lexicographic order.

    >>> list(_orders([1, 0, 1]))
    [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    row = sorted(colours)
    while True:
        yield list(row)
        # The next permutation: the last ascent goes up by as little as possible.
        i = len(row) - 2
        while i >= 0 and row[i] >= row[i + 1]:
            i -= 1
        if i < 0:
            return
        j = len(row) - 1
        while row[j] <= row[i]:
            j -= 1
        row[i], row[j] = row[j], row[i]
        row[i + 1 :] = reversed(row[i + 1 :])
