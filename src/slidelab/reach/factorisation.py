"""A required permutation as a product of the puzzle's generators, and the moves that carry it out.

The generators are the loops that the edges outside the tree of `RequiredPermutation.family` close. In the
15-puzzle these are the nine cycles of the slides, S(9,16) = (15 14 13 12 11 10 9) and so on: the hole goes
along the snake to place 16, over the edge to place 9, and back along the snake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.gains import Family, reduce_walk, reverse_walk
from slidelab.permutations import Permutation, cycles, inverse
from slidelab.puzzles import Configuration, MoveList
from slidelab.reach.group import PermutationGroup
from slidelab.reach.loop_groups import family_group
from slidelab.reach.numbering import Numbering, cell_numbers, product_text
from slidelab.reach.three_cycles import ConjugateProduct, Word, conjugate_product

if TYPE_CHECKING:
    from slidelab.puzzles import Puzzle
    from slidelab.reach.required_permutation import RequiredPermutation

__all__ = ["Factorisation", "Generator", "factorise", "generators"]

MAX_GENERATORS = 64
"""Loops up to which all are generators; of more, some of the shortest that generate the same group."""


@dataclass(frozen=True, slots=True)
class Generator:
    """A loop of holes, as a permutation of the points of a `RequiredPermutation`."""

    images: Permutation
    edge: tuple[int, int] | None
    """The two cells between which the only hole leaves the tree; None if there are several holes."""
    number: int
    length: int
    """Moves of the loop."""

    def name(self, numbers: Sequence[int]) -> str:
        """Return the name: ``S(9,16)`` for the edge between two places, otherwise ``g1``, ``g2``, ..."""
        if self.edge is None:
            return f"g{self.number}"
        low, high = sorted(numbers[cell] for cell in self.edge)
        return f"S({low},{high})"


@dataclass(frozen=True, slots=True)
class Factorisation:
    """A permutation as a product of generators, read from left to right.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("15-puzzle")
    >>> found = p.permutation("1 2 3 4 5 6 7 8 10 11 9 12 13 14 15 .").factor()
    >>> [found.generators[0].name(sl.cell_numbers(p.board, "snake")), len(found.generators)]
    ['S(1,8)', 9]
    >>> len(found.word) > 0 and found.start.play(*found.moves) == p.goal
    True
    """

    permutation: RequiredPermutation
    generators: tuple[Generator, ...]
    word: Word
    """Letters: k for the k-th generator from 1 on, -k for its inverse."""
    conjugates: ConjugateProduct | None
    """The same as a product of conjugates of 3-cycles; None if the group has none."""
    _family: Family = field(repr=False, compare=False)

    def __reduce__(self) -> tuple[object, ...]:
        values = (self.permutation, self.generators, self.word, self.conjugates, self._family)
        return Factorisation, values

    @property
    def start(self) -> Configuration:
        """The start of the moves."""
        return self.permutation.start

    @property
    def moves(self) -> MoveList:
        """The moves from the start to the goal: the holes to their place, the loops, and back."""
        return self.replay(self.word)

    def replay(self, word: Sequence[int]) -> MoveList:
        """Return the moves from the start to the goal that carry out a word.

        Parameters
        ----------
        word
            One whose product is the permutation, such as `word` or ``conjugates.word``.
        """
        family = self._family
        start, goal = (_numbered(c) for c in (self.start, self.permutation.goal))
        place = family.graph.place
        walk = reverse_walk(family.path(place(start)[0]))
        for letter in word:
            loop = _loop(family, self.generators[abs(letter) - 1].number - 1)
            walk += loop if letter > 0 else reverse_walk(loop)
        walk += family.path(place(goal)[0])
        return family.moves(start, reduce_walk(walk))

    def word_text(self, word: Sequence[int] | None = None, numbering: Numbering | None = None) -> str:
        """Return a word as text, with powers.

        Examples
        --------
        >>> import slidelab as sl
        >>> sl.puzzle("cycle(5)").permutation("3 4 1 2 .").factor().word_text()
        'S(0,4)^2'
        """
        numbers = cell_numbers(self.start.puzzle.board, numbering)
        letters = self.word if word is None else tuple(word)
        period = _period(letters)
        if 1 < period < len(letters):
            return f"({self.word_text(letters[:period], numbering)})^{len(letters) // period}"
        runs = [(letter, len(list(run))) for letter, run in groupby(letters)]
        return " ".join(_power(self.generators[abs(k) - 1].name(numbers), k, n) for k, n in runs) or "()"

    def to_json(self, numbering: Numbering | None = None) -> dict[str, Any]:
        """Return the JSON form: the generators by name, the words, and the moves."""
        board_numbers = cell_numbers(self.start.puzzle.board, numbering)
        numbers = self.permutation.numbers(numbering)
        names = [generator.name(board_numbers) for generator in self.generators]
        value: dict[str, Any] = {
            "generators": {
                name: [list(cycle) for cycle in _numbered_cycles(generator.images, numbers)]
                for name, generator in zip(names, self.generators, strict=True)
            },
            "word": _named_word(self.word, names),
            "moves": list(self.moves.texts()),
            "three_cycles": None,
        }
        if self.conjugates is not None:
            value["three_cycles"] = {
                "head": _named_word(self.conjugates.head, names),
                "factors": [
                    {
                        "cycle": [numbers[x] for x in factor.cycle],
                        "seed": [numbers[x] for x in factor.seed],
                        "seed_word": _named_word(factor.seed_word, names),
                        "conjugator": _named_word(factor.conjugator, names),
                    }
                    for factor in self.conjugates.factors
                ],
            }
        return value

    def cycles_text(self, generator: Generator, numbering: Numbering | None = None) -> str:
        """Return a generator in cycle notation.

        Examples
        --------
        >>> import slidelab as sl
        >>> found = sl.puzzle("15-puzzle").permutation("2 3 1 4 5 6 7 8 9 10 11 12 13 14 15 .").factor()
        >>> found.cycles_text(found.generators[-1], "snake")
        '(13 12 11)'
        """
        return product_text(_numbered_cycles(generator.images, self.permutation.numbers(numbering)))


def _period(word: Word) -> int:
    """Return the length of the shortest word of which a word is a power."""
    size = len(word)
    return next((n for n in range(1, size) if size % n == 0 and word[:n] * (size // n) == word), size)


def _power(name: str, letter: int, times: int) -> str:
    exponent = times if letter > 0 else -times
    return name if exponent == 1 else f"{name}^{exponent}"


def _named_word(word: Sequence[int], names: Sequence[str]) -> list[list[Any]]:
    """Return a word as pairs of a name and an exponent."""
    runs = [(letter, len(list(run))) for letter, run in groupby(word)]
    return [[names[abs(letter) - 1], times if letter > 0 else -times] for letter, times in runs]


def _numbered_cycles(images: Permutation, numbers: Sequence[int]) -> list[tuple[int, ...]]:
    """Return cycles in the numbers of the places, each from its largest on, as the slides write them."""
    out = []
    for cycle in cycles(images):
        named = [numbers[x] for x in cycle]
        first = named.index(max(named))
        out.append((*named[first:], *named[:first]))
    return out


def factorise(required: RequiredPermutation, budget: Budget | None = None) -> Factorisation | None:
    """Return a required permutation as a product of generators, or None if it is not in their group.

    Parameters, result and errors are those of `RequiredPermutation.factor`.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> factorise(p.permutation("2 1 3 4 5 6 7 8 .")) is None
    True
    """
    family = required.family(budget)
    group = family_group(family, budget)
    if required.images not in group:
        return None
    found = generators(required.start.puzzle, family, group)
    weights = [generator.length for generator in found]
    oriented = PermutationGroup([g.images for g in found], group.degree, turns=group.turns, budget=budget)
    letters = oriented.factor(required.images, weights=weights) or []
    try:
        conjugates = conjugate_product(oriented, required.images)
    except TooLarge:
        conjugates = None
    return Factorisation(required, found, tuple(letters), conjugates, family)


def generators(puzzle: Puzzle, family: Family, group: PermutationGroup) -> tuple[Generator, ...]:
    """Return generators of the group of a family, of thousands of loops only some of the shortest.

    A loop of one hole is walked as in the slides: over its edge to the place with the smaller number.

    Examples
    --------
    >>> import slidelab as sl
    >>> from slidelab.gains import Family
    >>> p = sl.puzzle("square R(3,3)")
    >>> family = Family(sl.gain_graph(p), 8, along_line=True)
    >>> [g.edge for g in generators(p, family, family_group(family))]
    [(0, 3), (1, 4), (5, 8), (4, 7)]
    """
    lengths = [len(family.loop(g)) for g in range(len(family.generators))]
    chosen = range(len(lengths)) if len(lengths) <= MAX_GENERATORS else group.enough_generators(lengths)
    found = []
    for number in sorted(chosen):
        images = tuple(family.generators[number].tolist())
        if _walked_backwards(family, number):
            images = inverse(images)
        found.append(Generator(images, _edge(puzzle, family, number), number + 1, lengths[number]))
    if found and found[0].edge is not None:
        rank = family.graph.rank
        found.sort(key=lambda g: sorted(int(rank[cell]) for cell in g.edge or ()))
    return tuple(found)


def _edge(puzzle: Puzzle, family: Family, generator: int) -> tuple[int, int] | None:
    """Return the cells of the only hole before and after the edge that closes a loop."""
    if puzzle.hole_count != 1 or puzzle.rule.cells != 1:
        return None
    source, target = family.graph.edge_rows[family.generator_edge[generator], :2].tolist()
    (first,), (last,) = family.graph.holes(source), family.graph.holes(target)
    return first, last


def _walked_backwards(family: Family, generator: int) -> bool:
    edge = _edge(family.graph.puzzle, family, generator)
    return edge is not None and bool(family.graph.rank[edge[0]] < family.graph.rank[edge[1]])


def _loop(family: Family, generator: int) -> list[tuple[int, bool]]:
    loop = family.loop(generator)
    return reverse_walk(loop) if _walked_backwards(family, generator) else loop


def _numbered(configuration: Configuration) -> Configuration:
    return Configuration(configuration.puzzle.uncoloured, configuration.pieces)
