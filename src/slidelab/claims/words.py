"""Permutations as the papers write them: cycles of names, and words in named permutations.

Written apart from `slidelab.permutations`: points have names here, and products are read in either order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

__all__ = [
    "Permutation",
    "compose",
    "cycle",
    "generated",
    "parse_cycles",
    "power",
    "reverse_word",
    "word_value",
]

Permutation = dict[str, str]
"""The image of each point that is moved."""


def cycle(*points: object) -> Permutation:
    """Return one cycle.

    Examples
    --------
    >>> cycle("a", "b", "c")
    {'a': 'b', 'b': 'c', 'c': 'a'}
    """
    names = [str(point) for point in points]
    return {a: b for a, b in pairwise((*names, names[0])) if a != b}


def parse_cycles(text: str) -> list[Permutation]:
    """Return the cycles of a text such as ``(1 2)(3 4)``, one by one."""
    return [cycle(*part.replace(",", " ").split()) for part in text.strip("() ").split(")(")]


def compose(*factors: Permutation) -> Permutation:
    """Return the product, read from left to right.

    Examples
    --------
    >>> compose(cycle(1, 2), cycle(1, 3)) == cycle(1, 2, 3)
    True
    """
    found = {}
    for point in set().union(*factors):
        end = point
        for factor in factors:
            end = factor.get(end, end)
        if end != point:
            found[point] = end
    return found


def power(permutation: Permutation, exponent: int) -> Permutation:
    """Return a power, also with a negative exponent."""
    if exponent < 0:
        permutation = {b: a for a, b in permutation.items()}
    return compose({}, *[permutation] * abs(exponent))


def word_value(word: str, letters: Mapping[str, Permutation]) -> Permutation:
    """Return the product of a word such as ``p1^2 p2^-1``, read from left to right."""
    factors = [each.partition("^") for each in word.split()]
    return compose({}, *(power(letters[name], int(exponent or 1)) for name, _, exponent in factors))


def reverse_word(word: str) -> str:
    """Return the word that read from right to left is the given one."""
    return " ".join(reversed(word.split()))


def generated(generators: Iterable[Permutation]) -> int:
    """Return the order of the group that permutations generate.

    Examples
    --------
    >>> generated([cycle("a", "b", "c"), cycle("a", "b")])
    6
    """
    from slidelab.reach.group import PermutationGroup

    rows = list(generators)
    points = sorted(set().union(*rows))
    number = {point: k for k, point in enumerate(points)}
    images = [[number[row.get(point, point)] for point in points] for row in rows]
    return PermutationGroup(images).order if points else 1
