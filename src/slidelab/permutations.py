"""Permutations of 0, 1, ..., n-1, given by the sequence of their images."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Permutation", "cycles", "inverse", "is_even", "three_cycles"]

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


def inverse(permutation: Sequence[int]) -> Permutation:
    """Return the inverse permutation.

    Examples
    --------
    >>> inverse((1, 2, 0))
    (2, 0, 1)
    """
    images = [0] * len(permutation)
    for point, image in enumerate(permutation):
        images[image] = point
    return tuple(images)


def three_cycles(permutation: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return cycles of length three whose product, read from left to right, is an even permutation.

    A cycle (a b c d) is the product (a b)(a c)(a d). Neighbouring transpositions (a b)(a c) of a cycle make
    (a b c). Where a cycle of even length ends and the next begins, (a b)(c d) is (a b c)(a d c).

    References
    ----------
    .. [1] Wong, Li, Chen, "Sliding graph puzzles", proposition 2.8.

    Examples
    --------
    >>> three_cycles((1, 2, 3, 4, 0))
    [(0, 1, 2), (0, 3, 4)]
    >>> three_cycles((1, 0, 3, 2))
    [(0, 1, 2), (0, 3, 2)]
    """
    if not is_even(permutation):
        raise ValueError("expected an even permutation, got an odd one")
    by_parity = sorted(cycles(permutation), key=lambda cycle: len(cycle) % 2 == 0)
    swaps = [(cycle[0], other) for cycle in by_parity for other in cycle[1:]]
    found = []
    for (a, b), (c, d) in zip(swaps[::2], swaps[1::2], strict=True):
        found += [(a, b, d)] if a == c else [(a, b, c), (a, d, c)]
    return found
