"""Permutation groups, as the checker computes them: Schreier and Sims, without the C++ core."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import factorial

__all__ = ["Permutation", "contains_alternating", "group_order", "is_odd"]

Permutation = tuple[int, ...]


def is_odd(permutation: Sequence[int]) -> bool:
    """Return whether a permutation is odd.

    >>> is_odd((1, 0, 2)), is_odd((1, 2, 0))
    (True, False)
    """
    odd, seen = False, [False] * len(permutation)
    for start in range(len(permutation)):
        x, length = start, 0
        while not seen[x]:
            seen[x] = True
            x, length = permutation[x], length + 1
        odd ^= length > 0 and length % 2 == 0
    return odd


def contains_alternating(generators: Iterable[Permutation], degree: int) -> bool:
    """Return whether permutations generate all even ones (and perhaps more).

    >>> contains_alternating([(1, 2, 0, 3), (0, 2, 3, 1)], 4), contains_alternating([(1, 2, 3, 0)], 4)
    (True, False)
    """
    return degree < 3 or 2 * group_order(generators, degree) >= factorial(degree)


def group_order(generators: Iterable[Permutation], degree: int) -> int:
    """Return the order of the group that permutations generate.

    >>> group_order([(1, 2, 3, 4, 0), (1, 0, 2, 3, 4)], 5)
    120
    """
    levels = [_Level(point, degree) for point in range(degree)]
    for generator in generators:
        _add(levels, 0, generator)
    order = 1
    for level in levels:
        order *= len(level.carriers)
    return order


class _Level:
    """The stabilizer of all smaller points: its generators, and an element to each point of the orbit."""

    def __init__(self, point: int, degree: int) -> None:
        self.point = point
        self.generators: list[Permutation] = []
        self.carriers: dict[int, Permutation] = {point: tuple(range(degree))}


def _then(a: Permutation, b: Permutation) -> Permutation:
    return tuple([b[x] for x in a])


def _inverse(a: Permutation) -> Permutation:
    out = [0] * len(a)
    for x, y in enumerate(a):
        out[y] = x
    return tuple(out)


def _sift(levels: list[_Level], depth: int, element: Permutation) -> tuple[int, Permutation]:
    """Divide by carriers from a level on; return the level that lacks a carrier, and what is left."""
    for number in range(depth, len(levels)):
        level = levels[number]
        carrier = level.carriers.get(element[level.point])
        if carrier is None:
            return number, element
        element = _then(element, _inverse(carrier))
    return len(levels), element


def _add(levels: list[_Level], depth: int, element: Permutation) -> None:
    """Add an element of the stabilizer at `depth`, and all Schreier generators that follow from it."""
    pending = [(depth, element)]
    while pending:
        start, candidate = pending.pop()
        lacking, rest = _sift(levels, start, candidate)
        if lacking == len(levels):
            continue
        for number in range(start, lacking + 1):
            level = levels[number]
            level.generators.append(rest)
            # Every new product of a carrier and a generator either reaches a new point or fixes this one.
            queue = [(carrier, rest) for carrier in list(level.carriers.values())]
            while queue:
                carrier, generator = queue.pop()
                product = _then(carrier, generator)
                known = level.carriers.get(product[level.point])
                if known is None:
                    level.carriers[product[level.point]] = product
                    queue.extend((product, other) for other in level.generators)
                elif product != known:
                    pending.append((number + 1, _then(product, _inverse(known))))
