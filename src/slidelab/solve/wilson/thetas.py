"""Theta graphs and their words: Wong, Li and Chen, Lemma 4.8, section 4.3 and Proposition 4.10.

A theta graph has two ends and three paths between them. The letters of a word are loops of the hole from its
home cell, and so permutations of the cells of the tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from slidelab.solve.wilson.walks import Cells, Walk, join_numbers, reverse

__all__ = [
    "Theta",
    "Word",
    "best_renaming",
    "effort",
    "inverse",
    "product_of",
    "spelled",
    "sylow_action",
    "theta0_words",
    "three_cycle_word",
    "word_of",
    "word_text",
]

Word = tuple[tuple[str, int], ...]  # letters with their powers


@dataclass(frozen=True, slots=True)
class Theta:
    """A theta graph: two ends, and the inner cells of the three paths from x to y. c1 is the home."""

    x: int
    y: int
    a: Cells
    b: Cells
    c: Cells

    @property
    def cells(self) -> Cells:
        """All cells: the ends, then the paths."""
        return (self.x, self.y, *self.a, *self.b, *self.c)

    @property
    def is_theta0(self) -> bool:
        """Whether it is the exceptional graph theta(1,2,2)."""
        return sorted(map(len, (self.a, self.b, self.c))) == [1, 2, 2]

    @property
    def is_bipartite(self) -> bool:
        """Whether all cycles are even."""
        return len({len(path) % 2 for path in (self.a, self.b, self.c)}) == 1

    def place(self, name: str) -> int:
        """Return the cell with a name of the paper: x, y, a1, b2, ..."""
        if name in "xy":
            return self.x if name == "x" else self.y
        return {"a": self.a, "b": self.b, "c": self.c}[name[0]][int(name[1:]) - 1]

    def renamings(self) -> Iterator[Theta]:
        """Yield the same graph under all renamings with a home for the hole."""
        for a, b, c in permutations((self.a, self.b, self.c)):
            if c:
                yield Theta(self.x, self.y, a, b, c)
                yield Theta(self.y, self.x, a[::-1], b[::-1], c[::-1])

    def letters(self) -> dict[str, list[int]]:
        """Return loops of the hole: p1, p2 round a and b, by x and by y; p3 round b and c; p4 round a and c.

        As permutations of cells, p1 = (a1 .. am y bn .. b1), p2 = (bn .. b1 x a1 .. am),
        p3 = (x b1 .. bn y cj .. c2) and p4 = (x a1 .. am y cj .. c2).
        """
        x, y, a, b, c = self.x, self.y, self.a, self.b, self.c
        return {
            "p1": [x, *b, y, *a[::-1], x, c[0]],
            "p2": [*c[1:], y, *a[::-1], x, *b, y, *c[::-1]],
            "p3": [*c[1:], y, *b[::-1], x, c[0]],
            "p4": [*c[1:], y, *a[::-1], x, c[0]],
        }

    def describe(self) -> str:
        """Return the graph in words."""
        paths = ", ".join(
            f"{name} = {join_numbers(path) or 'edge'}"
            for name, path in zip("abc", (self.a, self.b, self.c), strict=True)
        )
        return f"theta graph from x = {self.x} to y = {self.y} with {paths}"


def three_cycle_word(m: int, n: int, j: int) -> tuple[Word, tuple[str, str, str]] | None:
    """Return a 3-cycle on a theta graph with m <= n and j inner cells on its paths, if the paper has one.

    The words are those of Wong, Li and Chen, Lemma 4.8 (from Wilson) and, for paths with 2, 2 and 2 or 4
    inner cells, section 4.3 with the sign of one power changed.

    >>> three_cycle_word(0, 2, 2)
    ((('p2', 1), ('p1', -1)), ('x', 'y', 'b1'))
    """
    if m == 0 < n:
        return word_of("p2 p1^-1"), ("x", "y", "b1")
    if m == n == 1:
        return word_of("p1 p2"), ("y", "x", "a1")
    if m == 1 and n > 2:
        return word_of("p1^2 p2^-2 p1^-1 p2^3 p1^-2 p2^-2 p1^2 p2 p1^-3 p2^2"), ("x", "a1", "y")
    if (m, n) == (2, 3):
        return word_of("p2 p1^-1 p2^-2 p1^-1 p2^-2 p1^-1 p2^-1 p1"), ("x", "a2", "a1")
    if m == 2 and n > 4:
        word = "p2^-1 p1^-2 p2^-1 p1^-1 p2^2 p1 p2^2 p1^-3 p2^-1 p1^-1 p2^2 p1 p2 p1"
        return word_of(word), ("x", "a2", "a1")
    if (m, n, j) == (2, 2, 2):
        return word_of("p4^-2 p1 p4^2 p3^-1"), ("x", "b1", "b2")
    if (m, n, j) == (2, 2, 4):
        return word_of("p4^-3 p1^-1 p3 p4^2 p3^2"), ("x", "b2", "b1")
    if n >= m >= 3:
        first = f"p2^-1 p1^{m} p2^-1 p1^{1 - m} p2^-2 p1 p2^-1 p1 p2^2 p1^{m - 1} p2^-1 p1^{2 - m}"
        return word_of(first), ("x", f"b{m - 1}", "a1")
    return None


def word_of(text: str) -> Word:
    """Parse a word.

    >>> word_of("p2 p1^-1")
    (('p2', 1), ('p1', -1))
    """
    parts = (letter.partition("^") for letter in text.split())
    return tuple((letter, int(power or 1)) for letter, _, power in parts)


def word_text(word: Word) -> str:
    """Format a word.

    >>> word_text((("p2", 1), ("p1", -1)))
    'p2 p1^-1'
    """
    return " ".join(letter if power == 1 else f"{letter}^{power}" for letter, power in word)


def inverse(word: Word) -> Word:
    """Return the inverse of a word."""
    return tuple((letter, -power) for letter, power in reversed(word))


def product_of(*words: Word) -> Word:
    """Return the product of words, with powers of the same letter combined.

    >>> product_of(word_of("p1 p2"), word_of("p2^-1 p3"))
    (('p1', 1), ('p3', 1))
    """
    found: list[tuple[str, int]] = []
    for word in words:
        for letter, power in word:
            if found and found[-1][0] == letter:
                power += found.pop()[1]
            if power:
                found.append((letter, power))
    return tuple(found)


def spelled(loops: Mapping[str, list[int]], hole: int, word: Word, max_moves: int = 10_000) -> list[int]:
    """Return the moves of a word in letters that are loops of the hole."""
    found = Walk(hole, max_moves)
    for letter, power in word:
        loop = loops[letter] if power > 0 else reverse(hole, loops[letter])
        for _ in range(abs(power)):
            found.add(loop)
    return found.cells[1:]


def best_renaming(theta: Theta) -> Theta:
    """Return the renaming with the shortest known 3-cycle and, if there is one, transposition."""
    return min((each for each in theta.renamings() if _known(each)), key=effort)


def _known(theta: Theta) -> bool:
    m, n, j = len(theta.a), len(theta.b), len(theta.c)
    return three_cycle_word(m, n, j) is not None


def effort(theta: Theta) -> int:
    """Return about how many moves the known 3-cycle takes, times how many make a transposition."""
    m, n, j = len(theta.a), len(theta.b), len(theta.c)
    found = three_cycle_word(m, n, j)
    loops = theta.letters()
    moves = sum(abs(power) * len(loops[letter]) for letter, power in found[0]) if found else 0
    turns = [tiles for tiles in (m + n + 1, n + j + 1, m + j + 1) if tiles % 2 == 0]
    return moves * max(1, min(turns) // 2 if turns else 1)


# The theta graph (1,2,2), theta0: six tiles, but only the 120 permutations of a group isomorphic to S5.

SYLOW = ("12345", "12354", "12453", "12534", "12435", "12543")  # the subgroups of order 5 of S5


def sylow_action(g: Mapping[str, str]) -> tuple[int, ...]:
    """Return where conjugation by g takes each of the six subgroups of order 5 of S5 (Proposition 4.10).

    >>> sylow_action({"1": "2", "2": "5", "5": "4", "4": "3", "3": "1"})
    (1, 2, 3, 4, 0, 5)
    """
    powers = {}
    for number, five in enumerate(SYLOW):
        for step in (1, 2, 3, 4):
            powers["".join(five[step * k % 5] for k in range(5))] = number
    found = []
    for five in SYLOW:
        image = "".join(g.get(point, point) for point in five)
        turn = image.index("1")
        found.append(powers[image[turn:] + image[:turn]])
    return tuple(found)


@cache
def theta0_words() -> dict[tuple[int, ...], tuple[tuple[str, Word], ...]]:
    """Return the factors in S5 of each of the 120 permutations of six cells of theta0, and their words.

    The points 1 to 6 of Proposition 4.10 are a1 a2 y b2 b1 x in our names. The factors, as few as possible,
    are transpositions of neighbours in the cycle (1 2 5 4 3). Each is (3 4), conjugated by a power of that
    cycle. The cycle is p1, and (3 4) is p4^2 p3^-1 p4 p3^-1.

    >>> len(theta0_words())
    120
    >>> theta0_words()[4, 2, 1, 5, 0, 3]
    (('(3 4)', (('p4', 2), ('p3', -1), ('p4', 1), ('p3', -1))),)
    """
    cycle, swap = "12543", word_of("p4^2 p3^-1 p4 p3^-1")
    factors: list[tuple[dict[str, str], tuple[str, Word]]] = []
    for power in (0, 1, 2, -2, -1):
        pair = [cycle[(cycle.index(point) + power) % 5] for point in "34"]
        turn: Word = (("p1", power),) if power else ()
        word = product_of(inverse(turn), swap, turn)
        factors.append((dict(zip(pair, pair[::-1], strict=True)), (f"({' '.join(sorted(pair))})", word)))
    one = {point: point for point in "12345"}
    found: dict[tuple[int, ...], tuple[tuple[str, Word], ...]] = {sylow_action(one): ()}
    queue = [one]
    for element in queue:
        before = found[sylow_action(element)]
        for exchange, factor in factors:
            longer = {point: exchange.get(there, there) for point, there in element.items()}
            action = sylow_action(longer)
            if action not in found:
                found[action] = (*before, factor)
                queue.append(longer)
    return found
