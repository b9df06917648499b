"""Components of puzzles with coloured pieces: orbits of the group on arrangements of a multiset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import factorial, prod
from typing import TYPE_CHECKING

from slidelab.boards.walks import reachable
from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.messages import counted
from slidelab.puzzles import Puzzle
from slidelab.reach.signs import rank, sign_bits

if TYPE_CHECKING:
    from slidelab.reach.group import PermutationGroup

__all__ = [
    "ColouredComponents",
    "ColourWord",
    "colour_words",
    "coloured_arrangements",
    "coloured_components",
    "point_colours",
    "word_orbits",
]

ColourWord = tuple[int, ...]
"""The number of the colour on each point of the slots of a shape."""

MAX_COLOUR_WORDS = 400_000
"""Arrangements of colours (or distributions of colours over orbits) that are listed: some seconds."""

WORDS_PER_CHECK = 1_000
"""Arrangements or distributions between two looks at the clock: some milliseconds."""

MAX_LISTED_COLOURS = 10_000_000
"""Colours in all distributions that are listed: about a gigabyte."""


@dataclass(frozen=True, slots=True)
class ColouredComponents:
    """The number of components, and pairs of a size and the number of components of that size."""

    count: int
    sizes: tuple[tuple[int, int], ...]
    """The largest size first."""


def coloured_arrangements(puzzle: Puzzle) -> int:
    """Return the number of different ways to put the coloured pieces into the slots of one shape.

    Examples
    --------
    >>> import slidelab as sl
    >>> coloured_arrangements(sl.puzzle("square R(2,2) : a a b ."))
    3
    """
    colours = puzzle.colours or ()
    alike = prod(factorial(number) for number in Counter(colours).values())
    readings = puzzle.rule.readings
    turned = prod([len(set(readings(labels))) for labels in colours])
    return factorial(len(colours)) // alike * turned


def coloured_components(
    puzzle: Puzzle, group: PermutationGroup, shapes: int, budget: Budget | None = None
) -> ColouredComponents:
    """Return the components over one family of shapes.

    If the group contains all even permutations of every orbit of tiles, only the number of pieces of each
    colour on each orbit matters, and signs where no colour repeats. Otherwise the orbits of the group on
    arrangements of colours are searched.

    Parameters
    ----------
    puzzle
        A puzzle with colours.
    group
        The group of the family.
    shapes
        The number of shapes of the family.
    budget
        Only its deadline counts.

    Raises
    ------
    TooLarge
        If there are more than `MAX_COLOUR_WORDS` arrangements of colours to search.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(2,2) : a a b .")
    >>> coloured_components(p, p.analyze().group, 4)
    ColouredComponents(count=1, sizes=((12, 1),))
    """
    budget = budget or Budget()
    if puzzle.rule.turns == 1 and all(group.is_giant(orbit) for orbit in group.moved_orbits):
        sizes = _sizes_by_distribution(puzzle, group, shapes, budget)
    else:
        total = coloured_arrangements(puzzle)
        if total > MAX_COLOUR_WORDS:
            arrangements = f"{total:,} arrangements of colours in each shape"
            raise TooLarge(f"{puzzle.text} has {arrangements}, and the limit is {MAX_COLOUR_WORDS:,}")
        sizes = Counter(len(orbit) * shapes for orbit in word_orbits(puzzle, group, budget))
    return ColouredComponents(sizes.total(), tuple(sorted(sizes.items(), reverse=True)))


def _sizes_by_distribution(
    puzzle: Puzzle, group: PermutationGroup, shapes: int, budget: Budget
) -> Counter[int]:
    """Count components by size, over all distributions of the colours over the orbits.

    Let S be the signs that the group has on its k orbits, and Y those that swaps of two equal colours have.
    The arrangements with a given distribution fall into 2^(k - rank(S + Y)) orbits of equal size.
    """
    stock = Counter(labels[0] for labels in puzzle.colours or ())
    orbits = list(group.moved_orbits)
    signs = set(sign_bits(group.generators, orbits))
    sizes: Counter[int] = Counter()
    distributions = _distributions([len(orbit) for orbit in group.orbits], stock, budget)
    for number, contents in enumerate(distributions):
        if number % WORDS_PER_CHECK == 0:
            budget.check("colours", number, len(distributions))
        by_orbit = [c for c, orbit in zip(contents, group.orbits, strict=True) if len(orbit) > 1]
        swaps = [1 << i for i, content in enumerate(by_orbit) if max(content.values()) > 1]
        parts = 1 << (len(orbits) - rank([*signs, *swaps]))
        ways = prod([factorial(c.total()) // prod([factorial(n) for n in c.values()]) for c in by_orbit])
        sizes[ways // parts * shapes] += parts
    return sizes


def _distributions(sizes: list[int], stock: Counter[str], budget: Budget) -> list[list[Counter[str]]]:
    """Return every way to distribute coloured pieces over sets of these sizes."""
    found: list[tuple[list[Counter[str]], Counter[str]]] = [([], stock)]
    for size in sizes:
        longer: list[tuple[list[Counter[str]], Counter[str]]] = []
        for dealt, left in found:
            for content in _selections(sorted(left.items()), size):
                if len(longer) % WORDS_PER_CHECK == 0:
                    budget.check("colours", len(longer))
                longer.append(([*dealt, content], left - content))
                if len(longer) > MAX_COLOUR_WORDS or len(longer) * len(stock) > MAX_LISTED_COLOURS:
                    raise TooLarge(
                        f"more than {len(longer) - 1:,} ways to distribute {counted(len(stock), 'colour')} "
                        "over the orbits"
                    )
        found = longer
    return [dealt for dealt, _ in found]


def _selections(items: list[tuple[str, int]], size: int) -> Iterator[Counter[str]]:
    """Yield every selection of that many pieces, given the number of pieces of each colour.

    >>> [dict(selection) for selection in _selections([("a", 1), ("b", 2)], 2)]
    [{'b': 2}, {'a': 1, 'b': 1}]
    """
    later = list(accumulate((number for _, number in reversed(items)), initial=0))[::-1]
    if later[0] < size:
        return
    # The numbers taken of the first colours; those of the later ones are always as small as possible.
    taken: list[int] = []
    left = size
    while True:
        for depth in range(len(taken), len(items)):
            taken.append(max(0, left - later[depth + 1]))
            left -= taken[-1]
        yield Counter({colour: number for (colour, _), number in zip(items, taken, strict=True) if number})
        while taken and (left == 0 or taken[-1] == items[len(taken) - 1][1]):
            left += taken.pop()
        if not taken:
            return
        taken[-1] += 1
        left -= 1


def word_orbits(puzzle: Puzzle, group: PermutationGroup, budget: Budget) -> list[set[ColourWord]]:
    """Return the orbits of the group on arrangements of colours."""
    generators = group.generators[group.enough_generators()].tolist()

    def images(word: ColourWord) -> Iterator[ColourWord]:
        for generator in generators:
            image = [0] * len(word)
            for point, to in enumerate(generator):
                image[to] = word[point]
            yield tuple(image)

    seen: set[ColourWord] = set()
    orbits: list[set[ColourWord]] = []
    for start in colour_words(puzzle):
        if start not in seen:
            orbit: set[ColourWord] = set()
            for word in reachable(images, [start]):
                if len(orbit) % WORDS_PER_CHECK == 0:
                    budget.check("colours", len(seen))
                orbit.add(word)
            seen |= orbit
            orbits.append(orbit)
    return orbits


def colour_words(puzzle: Puzzle) -> list[ColourWord]:
    """Return every arrangement of the coloured pieces in the slots of a shape, each once.

    Examples
    --------
    >>> import slidelab as sl
    >>> colour_words(sl.puzzle("square R(2,2) : a a b ."))
    [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    """
    number = _colour_numbers(puzzle)
    kinds = Counter(tuple(number[label] for label in labels) for labels in puzzle.colours or ())
    words: list[tuple[ColourWord, Counter[ColourWord]]] = [((), kinds)]
    for _ in range(kinds.total()):
        longer = []
        for word, left in words:
            for kind in left:
                fewer = left - Counter([kind])
                for turned in sorted(set(puzzle.rule.readings(kind))):
                    longer.append(((*word, *turned), fewer))
        words = longer
    return [word for word, _ in words]


def point_colours(puzzle: Puzzle) -> tuple[int, ...]:
    """Return the number of the colour of every piece point (a gourd has two), in the order of the pieces.

    Examples
    --------
    >>> import slidelab as sl
    >>> point_colours(sl.puzzle("square R(2,2) : a a b ."))
    (0, 0, 1)
    """
    number = _colour_numbers(puzzle)
    return tuple(number[label] for labels in puzzle.colours or () for label in labels)


def _colour_numbers(puzzle: Puzzle) -> dict[str, int]:
    labels = {label for labels in puzzle.colours or () for label in labels}
    return {label: number for number, label in enumerate(sorted(labels))}
