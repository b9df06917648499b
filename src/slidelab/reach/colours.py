"""Coloured pieces: components are orbits of the group on arrangements of a multiset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial, prod
from typing import TYPE_CHECKING

from slidelab.boards.walks import reachable
from slidelab.errors import TooLarge
from slidelab.puzzles import Puzzle

if TYPE_CHECKING:
    from slidelab.reach.group import PermutationGroup

__all__ = [
    "ColouredComponents",
    "Word",
    "colour_words",
    "coloured_arrangements",
    "coloured_components",
    "point_colours",
]

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

    If the group contains all even permutations of every orbit of tiles, only the numbers of each
    colour on each orbit matter, and signs where no colour repeats. Otherwise the words of colours
    are searched, orbit by orbit.
    """
    if puzzle.rule.turns == 1 and all(group.is_giant(orbit) for orbit in group.moved_orbits):
        return _by_contents(puzzle, group, shapes)
    total = coloured_arrangements(puzzle)
    if total > MOST_WORDS:
        raise TooLarge(
            f"{puzzle.text} has {total:,} arrangements of colours a shape, and the limit is {MOST_WORDS:,}"
        )
    sizes = Counter(len(orbit) * shapes for orbit in _orbits(puzzle, group))
    return ColouredComponents(sum(sizes.values()), tuple(sorted(sizes.items(), reverse=True)))


def _by_contents(puzzle: Puzzle, group: PermutationGroup, shapes: int) -> ColouredComponents:
    """Count without arranging anything: deal the colours out to the orbits in every possible way.

    Let S be the signs that the group has on its k orbits, and Y those that can be had by swapping
    two equal colours. Arrangements with given contents fall into 2^(k - rank(S + Y)) orbits of
    equal size.
    """
    stock = Counter(labels[0] for labels in puzzle.colours or ())
    orbits = [orbit for orbit in group.orbits if len(orbit) > 1]
    signs = _sign_rows(group, orbits)
    sizes: Counter[int] = Counter()
    for contents in _deals([len(orbit) for orbit in group.orbits], stock):
        by_orbit = [c for c, orbit in zip(contents, group.orbits, strict=True) if len(orbit) > 1]
        swaps = [1 << i for i, content in enumerate(by_orbit) if max(content.values()) > 1]
        parts = 1 << (len(orbits) - _rank([*signs, *swaps]))
        ways = prod([factorial(c.total()) // prod([factorial(n) for n in c.values()]) for c in by_orbit])
        sizes[ways // parts * shapes] += parts
    return ColouredComponents(sum(sizes.values()), tuple(sorted(sizes.items(), reverse=True)))


def _deals(sizes: list[int], stock: Counter[str]) -> list[list[Counter[str]]]:
    """Every way to deal coloured pieces out to sets of these sizes."""
    deals: list[tuple[list[Counter[str]], Counter[str]]] = [([], stock)]
    for size in sizes:
        longer = []
        for dealt, left in deals:
            for content in _choices(sorted(left.items()), size):
                longer.append(([*dealt, content], left - content))
                if len(longer) > MOST_WORDS:
                    raise TooLarge(f"more than {MOST_WORDS:,} ways to deal the colours out to the orbits")
        deals = longer
    return [dealt for dealt, _ in deals]


def _choices(items: list[tuple[str, int]], size: int) -> Iterator[Counter[str]]:
    if not items:
        if size == 0:
            yield Counter()
        return
    (colour, number), rest = items[0], items[1:]
    if number + sum(n for _, n in rest) < size:
        return
    for taken in range(min(number, size) + 1):
        for other in _choices(rest, size - taken):
            yield Counter({colour: taken}) + other if taken else other


def _sign_rows(group: PermutationGroup, orbits: list[tuple[int, ...]]) -> list[int]:
    """For each generator a bit for every orbit that it permutes oddly."""
    from slidelab import _core

    rows = [0] * len(group.generators)
    for i, orbit in enumerate(orbits):
        action = group.action(orbit)
        for g, odd in enumerate(_core.odd(action).tolist()):
            rows[g] |= odd << i
    return sorted(set(rows))


def _rank(rows: list[int]) -> int:
    """The rank over the field of two elements.

    >>> _rank([0b011, 0b110, 0b101])
    2
    """
    pivots: list[int] = []
    for row in rows:
        for pivot in pivots:
            row = min(row, row ^ pivot)
        if row:
            pivots.append(row)
    return len(pivots)


def _orbits(puzzle: Puzzle, group: PermutationGroup) -> list[set[Word]]:
    moves = group.generators[group.enough_generators()].tolist()

    def successors(word: Word) -> Iterator[Word]:
        for move in moves:
            other = [0] * len(word)
            for point, to in enumerate(move):
                other[to] = word[point]
            yield tuple(other)

    seen: set[Word] = set()
    out = []
    for start in colour_words(puzzle):
        if start in seen:
            continue
        orbit = set(reachable(successors, [start]))
        seen |= orbit
        out.append(orbit)
    return out


def colour_words(puzzle: Puzzle) -> list[Word]:
    """Every arrangement of the coloured pieces in the slots of a shape, each once.

    >>> import slidelab as sl
    >>> colour_words(sl.puzzle("square R(2,2) : a a b ."))
    [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    """
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
