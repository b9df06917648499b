"""Coloured pieces: components are orbits of the group on arrangements of a multiset."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import factorial, prod
from typing import TYPE_CHECKING

from slidelab.errors import TooLarge
from slidelab.puzzle import Puzzle

if TYPE_CHECKING:
    from slidelab.reach.group import PermutationGroup

__all__ = ["ColouredComponents", "Word", "coloured_arrangements", "coloured_components"]

# The colour at each point of a shape's slots.
Word = tuple[int, ...]

MOST_WORDS = 400_000


@dataclass(frozen=True, slots=True)
class ColouredComponents:
    """How many components there are, and (size, number of that size), largest first."""

    count: int
    sizes: tuple[tuple[int, int], ...]


def coloured_arrangements(puzzle: Puzzle) -> int:
    """The number of different ways to put the coloured pieces into the slots of one shape.

    >>> import slidelab as sl
    >>> coloured_arrangements(sl.puzzle("square R(2,2) : a a b ."))
    3
    """
    colours = puzzle.colours or ()
    alike = prod(factorial(number) for number in Counter(colours).values())
    readings = puzzle.rule.readings
    turned = prod([len(set(readings(labels))) for labels in colours])
    return factorial(len(colours)) // alike * turned


def coloured_components(puzzle: Puzzle, group: PermutationGroup, shapes: int) -> ColouredComponents:
    """Components over one family.

    If the group contains all even permutations of a transitive set of tiles, one equal pair of
    colours makes everything reachable. Otherwise the words of colours are searched, orbit by orbit.
    """
    total = coloured_arrangements(puzzle)
    alike = max(Counter(puzzle.colours or ()).values(), default=1) > 1
    if puzzle.rule.turns == 1 and group.is_transitive and group.is_giant(range(group.degree)) and alike:
        return ColouredComponents(1, ((total * shapes, 1),))
    if total > MOST_WORDS:
        raise TooLarge(
            f"{puzzle.text} has {total:,} arrangements of colours a shape, and the limit is {MOST_WORDS:,}"
        )
    sizes = Counter(len(orbit) * shapes for orbit in _orbits(puzzle, group))
    return ColouredComponents(sum(sizes.values()), tuple(sorted(sizes.items(), reverse=True)))


def _orbits(puzzle: Puzzle, group: PermutationGroup) -> list[set[Word]]:
    moves = group.generators.tolist()
    seen: set[Word] = set()
    out = []
    for start in _words(puzzle):
        if start in seen:
            continue
        orbit, queue = {start}, [start]
        for word in queue:
            for move in moves:
                other = [0] * len(word)
                for point, to in enumerate(move):
                    other[to] = word[point]
                if (key := tuple(other)) not in orbit:
                    orbit.add(key)
                    queue.append(key)
        seen |= orbit
        out.append(orbit)
    return out


def _words(puzzle: Puzzle) -> list[Word]:
    """Every arrangement of the coloured pieces, each once."""
    colours = puzzle.colours or ()
    number = {label: i for i, label in enumerate(sorted({label for labels in colours for label in labels}))}
    kinds = Counter(tuple(number[label] for label in labels) for labels in colours)
    words: list[list[int]] = [[]]
    left = [Counter(kinds)]
    for _ in range(len(colours)):
        longer, fewer = [], []
        for word, rest in zip(words, left, strict=True):
            for kind in rest:
                for turned in sorted(set(puzzle.rule.readings(kind))):
                    longer.append([*word, *turned])
                    less = rest.copy()
                    less[kind] -= 1
                    fewer.append(+less)
        words, left = longer, fewer
    return [tuple(word) for word in words]


def point_colours(puzzle: Puzzle) -> tuple[int, ...]:
    """The colour number of every piece point (a gourd has two), in the order of the pieces."""
    colours = puzzle.colours or ()
    number = {label: i for i, label in enumerate(sorted({label for labels in colours for label in labels}))}
    return tuple(number[label] for labels in colours for label in labels)
