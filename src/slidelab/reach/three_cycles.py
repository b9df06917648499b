"""Elements of a group as products of conjugates of one 3-cycle for each orbit.

With products read from left to right, the conjugate of (x y z) by w, that is w^-1 (x y z) w, is the cycle of
the images of x, y and z under w. So it takes one 3-cycle on an orbit, and for each 3-cycle that is needed an
element that takes its points there: this is how section 3 of Wong, Li and Chen solves the 15-puzzle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

from slidelab.errors import TooLarge
from slidelab.permutations import Permutation, cycles, inverse, is_even, three_cycles
from slidelab.reach.group import PermutationGroup

__all__ = ["Conjugate", "ConjugateProduct", "Triple", "Word", "conjugate_product", "invert_word"]

Word = tuple[int, ...]
"""Letters: ``g + 1`` for generator g and ``-(g + 1)`` for its inverse, read from left to right."""

Triple = tuple[int, int, int]

MAX_SEED_WORDS = 20_000
"""Words that are tried for a power that is a 3-cycle: a fraction of a second."""

MAX_TRIPLE_STEPS = 4_000_000
"""Ordered triples times letters of the largest search for conjugators: some seconds."""


@dataclass(frozen=True, slots=True)
class Conjugate:
    """A 3-cycle as ``conjugator^-1 seed conjugator``."""

    cycle: Triple
    seed: Triple
    seed_word: Word
    conjugator: Word

    @property
    def word(self) -> Word:
        """The whole word."""
        return (*invert_word(self.conjugator), *self.seed_word, *self.conjugator)


@dataclass(frozen=True, slots=True)
class ConjugateProduct:
    """A permutation as a word with the right signs, then conjugates of 3-cycles."""

    head: Word
    """A word that makes the rest even on every orbit; empty if the permutation is."""
    factors: tuple[Conjugate, ...]

    @property
    def word(self) -> Word:
        """The whole word."""
        return (*self.head, *(letter for factor in self.factors for letter in factor.word))


def invert_word(word: Sequence[int]) -> Word:
    """Return the word of the inverse element.

    Examples
    --------
    >>> invert_word((1, -2))
    (2, -1)
    """
    return tuple(-letter for letter in reversed(word))


def conjugate_product(group: PermutationGroup, permutation: Sequence[int]) -> ConjugateProduct | None:
    """Return an element of a group as a product of conjugates of 3-cycles.

    Returns
    -------
    ConjugateProduct or None
        None if the permutation is not in the group, or the group does not contain the alternating group of
        an orbit on which the permutation acts.

    Raises
    ------
    TooLarge
        If an orbit has too many triples.

    Examples
    --------
    >>> g = PermutationGroup([(1, 2, 3, 4, 0), (1, 2, 0, 3, 4)])
    >>> found = conjugate_product(g, (0, 1, 3, 4, 2))
    >>> found.factors
    (Conjugate(cycle=(2, 3, 4), seed=(0, 1, 2), seed_word=(2,), conjugator=(1, 1)),)
    >>> g.product(found.word)
    (0, 1, 3, 4, 2)
    """
    if permutation not in group:
        return None
    moved = [orbit for orbit in group.moved_orbits if any(permutation[x] != x for x in orbit)]
    if not all(_signs(permutation, moved)):
        moved = list(group.moved_orbits)  # a word with the right signs may move them all
    if not all(len(orbit) >= 3 and group.is_giant(orbit) for orbit in moved):
        return None
    head = _sign_word(group, permutation, moved)
    undone = group.product(invert_word(head))
    rest = tuple(permutation[undone[x]] for x in range(group.degree))
    factors: list[Conjugate] = []
    for orbit in moved:
        inside = set(orbit)
        part = tuple(rest[x] if x in inside else x for x in range(group.degree))
        factors += _conjugates(group, orbit, three_cycles(part))
    return ConjugateProduct(head, tuple(factors))


def _letters(group: PermutationGroup) -> list[tuple[int, Permutation]]:
    """Return the generators and their inverses, by their letters."""
    out = []
    for number, row in enumerate(group.generators.tolist(), 1):
        out += [(number, tuple(row)), (-number, inverse(row))]
    return out


def _signs(images: Sequence[int], orbits: Sequence[tuple[int, ...]]) -> tuple[bool, ...]:
    """Return for each orbit whether the permutation is even there."""
    return tuple(is_even([orbit.index(images[x]) for x in orbit]) for orbit in orbits)


def _sign_word(
    group: PermutationGroup, permutation: Sequence[int], orbits: Sequence[tuple[int, ...]]
) -> Word:
    """Return a shortest word with the signs of an element of the group on these orbits."""
    goal, first = _signs(permutation, orbits), (True,) * len(orbits)
    steps = [(letter, _signs(images, orbits)) for letter, images in _letters(group) if letter > 0]
    words: dict[tuple[bool, ...], Word] = {first: ()}
    queue = deque([first])
    while goal not in words:
        here = queue.popleft()
        for letter, change in steps:
            there = tuple(a == b for a, b in zip(here, change, strict=True))
            if there not in words:
                words[there] = (*words[here], letter)
                queue.append(there)
    return words[goal]


def _conjugates(group: PermutationGroup, orbit: tuple[int, ...], wanted: Sequence[Triple]) -> list[Conjugate]:
    if not wanted:
        return []
    seed, seed_word = _seed(group, orbit)
    words = _triple_words(group, orbit, seed, wanted)
    found = []
    for cycle in wanted:
        forwards, backwards = (
            [words[turned] for turned in _rotations(each) if turned in words] for each in (cycle, cycle[::-1])
        )
        word = min([*forwards, *backwards], key=len)
        if word in forwards:
            found.append(Conjugate(cycle, seed, seed_word, word))
        else:
            found.append(Conjugate(cycle, seed[::-1], invert_word(seed_word), word))
    return found


def _rotations(cycle: Triple) -> list[Triple]:
    a, b, c = cycle
    return [(a, b, c), (b, c, a), (c, a, b)]


def _seed(group: PermutationGroup, orbit: tuple[int, ...]) -> tuple[Triple, Word]:
    """Return a 3-cycle on an orbit and a word for it: a power of a short word, if one is found."""
    identity = tuple(range(group.degree))
    letters = _letters(group)
    seen = {identity}
    queue: deque[tuple[Permutation, Word]] = deque([(identity, ())])
    while queue and len(seen) < MAX_SEED_WORDS:
        here, word = queue.popleft()
        for letter, images in letters:
            there = tuple([images[x] for x in here])
            if there in seen:
                continue
            seen.add(there)
            longer = (*word, letter)
            found = _three_cycle_power(there)
            if found is not None and found[0][0] in orbit:
                return found[0], longer * found[1]
            queue.append((there, longer))
    a, b, c = orbit[:3]
    wanted = list(identity)
    wanted[a], wanted[b], wanted[c] = b, c, a
    return (a, b, c), tuple(group.factor(wanted) or ())


def _three_cycle_power(images: Permutation) -> tuple[Triple, int] | None:
    """Return the 3-cycle that a power is, and the exponent, or None."""
    lengths = [len(cycle) for cycle in cycles(images)]
    if sum(length % 3 == 0 for length in lengths) != 1:
        return None
    exponent = lcm(*(length for length in lengths if length % 3))
    (long,) = (cycle for cycle in cycles(images) if len(cycle) % 3 == 0)
    if len(long) != 3:
        return None
    a, b, c = long
    return ((a, b, c), exponent) if exponent % 3 == 1 else ((a, c, b), exponent)


def _triple_words(
    group: PermutationGroup, orbit: tuple[int, ...], seed: Triple, wanted: Sequence[Triple]
) -> dict[Triple, Word]:
    """Return shortest words that take the seed to each of the wanted cycles, by breadth-first search."""
    letters = _letters(group)
    if len(orbit) ** 3 * len(letters) > MAX_TRIPLE_STEPS:
        raise TooLarge(f"3-cycles on {len(orbit)} points would need too large a search")
    # A cycle or its inverse: on three or four points the two are not conjugate.
    missing = [{*_rotations(cycle), *_rotations(cycle[::-1])} for cycle in wanted]
    words: dict[Triple, Word] = {seed: ()}
    queue = deque([seed])
    missing = [each for each in missing if seed not in each]
    while missing:
        a, b, c = here = queue.popleft()
        for letter, images in letters:
            there = (images[a], images[b], images[c])
            if there not in words:
                words[there] = (*words[here], letter)
                queue.append(there)
                missing = [each for each in missing if there not in each]
    return words
