"""Permutations of 0, 1, ..., n-1, given by the sequence of their images."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Permutation", "cycles", "is_even"]

Permutation = tuple[int, ...]


def cycles(permutation: Sequence[int], *, fixed: bool = False) -> list[tuple[int, ...]]:
    """Return the cycles of length two and more, each from its smallest point on.

    Parameters
    ----------
    permutation
        The images of 0, 1, ...
    fixed
        Whether a fixed point counts as a cycle of length one.

    Examples
    --------
    >>> cycles((1, 2, 0, 3, 5, 4))
    [(0, 1, 2), (4, 5)]
    """
    seen = [False] * len(permutation)
    found = []
    for start in range(len(permutation)):
        cycle = []
        point = start
        while not seen[point]:
            seen[point] = True
            cycle.append(point)
            point = int(permutation[point])
        if len(cycle) > 1 or (cycle and fixed):
            found.append(tuple(cycle))
    return found


def is_even(permutation: Sequence[int]) -> bool:
    """Return whether a permutation is a product of an even number of transpositions.

    Examples
    --------
    >>> is_even((1, 2, 0)), is_even((1, 0, 2))
    (True, False)
    """
    return sum(len(cycle) - 1 for cycle in cycles(permutation)) % 2 == 0
