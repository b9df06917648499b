"""How many ways there are to lay coloured gourds on a coloured board, exactly.

A placement is a matching of the board with a given number of edges of each class, a class being the two
colours at the ends of an edge. With the holes taken away the matching is perfect, so on a board drawn
without crossings a Pfaffian with one variable for each class lists all of them (see `kasteleyn`), and the
answer is one coefficient of a polynomial. It is found from values of the polynomial on a grid, modulo as
many primes as it takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from math import comb, lgamma, log, prod
from random import Random
from typing import TYPE_CHECKING, TypeVar

from slidelab.arguments import whole_number
from slidelab.boards import Board, Edge
from slidelab.boards.walks import DisjointSets, adjacency, connected_components
from slidelab.budget import ProgressCallback
from slidelab.errors import NotationError, TooLarge
from slidelab.place.kasteleyn import kasteleyn_orientation, rotation_system

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab._core import Pfaffian

    # How many nodes each variable has, their values, and their factors: as the core wants them.
    Grid = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]

__all__ = ["MOST_STEPS", "count_matchings", "count_placements"]

MOST_STEPS = 10**12
STEPS_TO_ORIENT = 5_000  # for each cell of the board, in multiplications

T = TypeVar("T")
Class = tuple[str, str]
Interval = tuple[int, int]


def count_placements(
    board: Board,
    cells: Sequence[str],
    gourds: Sequence[tuple[str, str]],
    *,
    progress: ProgressCallback | None = None,
) -> int:
    """Return in how many ways all gourds can lie on the board, each end on a cell of its colour.

    Gourds with the same two colours are alike. The board must be drawable without crossings. Which colours
    the holes have follows from the numbers of cells and of ends; for every choice of such cells one
    coefficient of a Pfaffian is computed (Kasteleyn, 1963), in time n^1.5 for n cells and for each point of
    a grid. With k colours there are up to k (k - 1) / 2 variables, and the grid is about as wide in each as
    there may be gourds of one class. `TooLarge` is raised beforehand if that makes more than 10^12 steps.

    Parameters
    ----------
    board : Board
        Hexagons, squares, or any planar graph.
    cells : sequence of str
        The colour of each cell, in the order of the board.
    gourds : sequence of pairs of str
        The colours at the two ends of each gourd.
    progress : callable, optional
        Called with a phase, how much is done, and the total.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> count_placements(board("hex F(2)"), "rrrbbbb", [("r", "b"), ("b", "r"), ("b", "b")])
    5
    """
    colours = _checked_colours(board, cells)
    budget = Counter(_checked_gourds(board, gourds))
    if 2 * budget.total() > board.size:
        raise NotationError(
            f"expected at most {board.size // 2} gourds, got {budget.total()} - on {board.name:.60}"
        )
    return _count(board, colours, budget, progress)


def count_matchings(board: Board, holes: int = 1, *, progress: ProgressCallback | None = None) -> int:
    """Return in how many ways pieces of two cells cover all of the board but so many holes.

    The board must be drawable without crossings. One Pfaffian for every choice of cells that stay holes
    (Kasteleyn, 1963), each in time n^1.5 for n cells.

    >>> from slidelab.boards import board
    >>> count_matchings(board("hex F(3)")), count_matchings(board("square R(8,8)"), holes=0)
    (2288, 12988816)
    """
    pieces, left = divmod(board.size - whole_number(holes, 0, "holes"), 2)
    if pieces < 0 or left:
        rotation_system(board)  # no answer for boards with crossings, not even this one
        return 0
    return _count(board, ("any",) * board.size, Counter({("any", "any"): pieces}), progress)


def _checked_colours(board: Board, cells: Sequence[str]) -> tuple[str, ...]:
    where = f"on {board.name:.60}"
    colours = _listed(cells, "colours", where)
    if len(colours) != board.size:
        raise NotationError(f"expected {board.size} colours, one for each cell, got {len(colours)} - {where}")
    for cell, colour in enumerate(colours):
        _check_colour(colour, f"at cell {cell} {where}")
    return colours


def _checked_gourds(board: Board, gourds: Sequence[tuple[str, str]]) -> Iterator[Class]:
    for number, gourd in enumerate(_listed(gourds, "gourds", f"on {board.name:.60}")):
        where = f"at gourd {number} on {board.name:.60}"
        try:
            first, second = gourd
        except (TypeError, ValueError):
            raise NotationError(f"expected two colours, got {gourd!r:.40} - {where}") from None
        _check_colour(first, where)
        _check_colour(second, where)
        yield _class(first, second)


def _listed(values: Iterable[T], what: str, where: str) -> tuple[T, ...]:
    try:
        return tuple(values)
    except TypeError:
        raise NotationError(f"expected a list of {what}, got {values!r:.40} - {where}") from None


def _check_colour(colour: object, where: str) -> None:
    if not isinstance(colour, str) or not colour:
        raise NotationError(f"expected a colour, got {colour!r:.40} - {where}")


def _class(first: str, second: str) -> Class:
    return (first, second) if first <= second else (second, first)


def _count(
    board: Board, colours: tuple[str, ...], budget: Counter[Class], progress: ProgressCallback | None
) -> int:
    rotation = rotation_system(board)
    budget = +budget
    ends = Counter(colour for kind, wanted in budget.items() for colour in kind for _ in range(wanted))
    present = Counter(colours)
    if ends - present:
        return 0
    edges: dict[Class, list[Edge]] = {kind: [] for kind in budget}
    for a, b in board.edges:
        edges.get(_class(colours[a], colours[b]), []).append((a, b))
    bounds = {kind: (0, _most(kind, edges[kind], colours)) for kind in budget}
    if any(wanted > bounds[kind][1] for kind, wanted in budget.items()):
        return 0
    marks = _marks(bounds, budget, ends)
    allowed = tuple(
        tuple(b for b in row if _class(colours[a], colours[b]) in budget) for a, row in enumerate(rotation)
    )
    return _Counting(board, colours, allowed, present - ends, marks, progress).total()


def _most(kind: Class, edges: Iterable[Edge], colours: Sequence[str]) -> int:
    """Return a bound for a matching among the edges of one class: part by part, the rarer end decides."""
    neighbours = adjacency(edges)
    most = 0
    for part in connected_components(neighbours, neighbours):
        first = sum(colours[cell] == kind[0] for cell in part)
        most += len(part) // 2 if kind[0] == kind[1] else min(first, len(part) - first)
    return most


@dataclass(frozen=True, slots=True)
class _Mark:
    """A class with a variable of its own: the least, the greatest and the wanted exponent."""

    kind: Class
    least: int
    greatest: int
    wanted: int

    @property
    def width(self) -> int:
        return self.greatest - self.least + 1


def _marks(
    bounds: dict[Class, Interval], budget: Mapping[Class, int], ends: Mapping[str, int]
) -> list[_Mark]:
    """Return the classes to be marked, so that their numbers settle those of all others.

    Each colour gives an equation: twice the gourds of this colour at both ends, and those at one end, make
    up all cells of the colour. A marked class needs as many nodes as it may have gourds once the classes
    marked before it have the numbers wanted; classes with the fewest are marked first.
    """
    marks = []
    free = set(bounds)
    _tighten(bounds, ends)
    while len(free) > (rank := _rank(free)):
        by_width = sorted(free, key=lambda kind: (bounds[kind][1] - bounds[kind][0], kind))
        kind = next(kind for kind in by_width if _rank(free - {kind}) == rank)
        if bounds[kind][0] < bounds[kind][1]:
            marks.append(_Mark(kind, *bounds[kind], budget[kind]))
        free.remove(kind)
        bounds[kind] = budget[kind], budget[kind]
        _tighten(bounds, ends)
    return marks


def _rank(kinds: Collection[Class]) -> int:
    """Return the rank of the equations: colours, less the parts of the graph of classes without odd cycle."""
    number = {colour: index for index, colour in enumerate({colour for kind in kinds for colour in kind})}
    sides = DisjointSets(2 * len(number))  # every colour twice, once for each side

    def is_odd(a: int) -> bool:
        return sides.find(2 * a) == sides.find(2 * a + 1)

    rank = 0
    for a, b in ((number[one], number[two]) for one, two in kinds):
        # An edge adds to the rank if it joins two parts that are not both odd, or makes its part odd.
        both_odd = is_odd(a) and is_odd(b)
        rank += sides.union(2 * a, 2 * b + 1) and not both_odd
        sides.union(2 * a + 1, 2 * b)
    return rank


def _tighten(bounds: dict[Class, Interval], ends: Mapping[str, int]) -> None:
    """Narrow the intervals to what the equation of each colour allows, until nothing changes."""
    terms = {
        colour: [(kind, kind.count(colour)) for kind in sorted(bounds) if colour in kind] for colour in ends
    }
    changed = True
    while changed:
        changed = False
        for colour, total in ends.items():
            low = sum(times * bounds[kind][0] for kind, times in terms[colour])
            high = sum(times * bounds[kind][1] for kind, times in terms[colour])
            for kind, times in terms[colour]:
                least, greatest = bounds[kind]
                narrow = (
                    max(least, -((high - times * greatest - total) // times)),
                    min(greatest, (total - low + times * least) // times),
                )
                if narrow != (least, greatest):
                    bounds[kind] = narrow
                    low += times * (narrow[0] - least)
                    high += times * (narrow[1] - greatest)
                    changed = True


@dataclass(slots=True)
class _Counting:
    """One count: all choices of cells that stay holes, and for each of them a Pfaffian."""

    board: Board
    colours: tuple[str, ...]
    rotation: tuple[tuple[int, ...], ...]
    holes: Counter[str]
    marks: list[_Mark]
    progress: ProgressCallback | None
    variables: dict[Class, int] = field(init=False)
    bits: float = field(init=False)
    choices: int = field(init=False)  # of cells that stay holes
    nodes: int = field(init=False)  # of the grid
    grids: dict[int, Grid] = field(init=False, default_factory=dict)
    planned: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.variables = {mark.kind: number for number, mark in enumerate(self.marks, 1)}
        self.bits = _matching_bits(map(len, self.rotation))
        present = Counter(self.colours)
        self.choices = prod(comb(present[colour], holes) for colour, holes in self.holes.items())
        self.nodes = prod(mark.width for mark in self.marks)

    def total(self) -> int:
        self._check_cost(0, 1)
        result = 0
        for done, holes in enumerate(self._hole_sets()):
            if self.progress is not None:
                self.progress("placements", done * self.nodes, self.choices * self.nodes)
            result += self._count_beside(holes, done)
        return result

    def _hole_sets(self) -> Iterator[tuple[int, ...]]:
        of_colour = {
            colour: [cell for cell, own in enumerate(self.colours) if own == colour] for colour in self.holes
        }
        return _choices([(of_colour[colour], holes) for colour, holes in sorted(self.holes.items())])

    def _count_beside(self, holes: tuple[int, ...], done: int) -> int:
        """Count the placements with exactly these holes."""
        from slidelab import _core

        arcs = kasteleyn_orientation(self.rotation, holes)
        if arcs is None:
            return 0
        try:
            pfaffian = _core.Pfaffian(self.board.size - len(holes), self._rows(arcs, holes))
            signed = self._signed_matchings(pfaffian)
        except _core.LimitReached as error:
            raise TooLarge(f"{error} - on {self.board.name:.60}") from None
        if signed == 0 or not self.marks:
            return abs(signed)
        primes = _primes_beyond(abs(signed))
        if not self.planned:
            self._check_cost(pfaffian.cost, len(primes))
            self.planned = True
        residues = []
        for number, prime in enumerate(primes):
            heard = self._heard(done, number, len(primes))
            residues.append(pfaffian.sum(prime, *self._grid(prime), heard))
        # All matchings have the same sign in the Pfaffian, so that of their sum is that of every coefficient.
        value = _chinese_remainder(residues, primes)
        return value if signed > 0 else -value % prod(primes)

    def _rows(self, arcs: Sequence[Edge], holes: tuple[int, ...]) -> NDArray[np.uint32]:
        import numpy as np

        place = [0] * self.board.size
        number = 0
        for cell in range(self.board.size):
            place[cell] = number
            number += cell not in holes
        own, variable = self.colours, self.variables
        rows = [(place[a], place[b], variable.get(_class(own[a], own[b]), 0)) for a, b in arcs]
        return np.array(rows, np.uint32).reshape(-1, 3)

    def _signed_matchings(self, pfaffian: Pfaffian) -> int:
        """Return the number of all perfect matchings, with the sign that they have in the Pfaffian."""
        import numpy as np

        ones = np.ones(len(self.marks) + 1, np.uint64)
        primes = _primes_beyond(2 ** int(self.bits + 3))  # one bit for the sign, one for rounding
        modulus = prod(primes)
        value = _chinese_remainder([pfaffian.sum(prime, ones, ones, ones) for prime in primes], primes)
        return value if 2 * value < modulus else value - modulus

    def _grid(self, prime: int) -> Grid:
        """Return nodes for the variables, the first of which is 1; their factors pick the coefficient."""
        import numpy as np

        if prime not in self.grids:
            counts, values, factors = [1], [1], [1]
            # Scattered nodes, no two alike: then hardly ever a pivot is zero at one node and not at another.
            scattered = Random(prime).sample(range(2, prime), sum(mark.width for mark in self.marks))
            for mark in self.marks:
                nodes = [scattered.pop() for _ in range(mark.width)]
                counts.append(mark.width)
                values += nodes
                factors += _coefficient_factors(nodes, mark.least, mark.wanted, prime)
            self.grids[prime] = (
                np.array(counts, np.uint64),
                np.array(values, np.uint64),
                np.array(factors, np.uint64),
            )
        return self.grids[prime]

    def _check_cost(self, cost: int, primes: int) -> None:
        steps = self.choices * (STEPS_TO_ORIENT * self.board.size + cost * primes * self.nodes)
        if steps > MOST_STEPS:
            raise TooLarge(
                f"counting these placements takes about {steps:.0e} steps, and the limit is "
                f"{MOST_STEPS:.0e} - on {self.board.name:.60}"
            )

    def _heard(self, done: int, number: int, primes: int) -> Callable[[str, int, int], None] | None:
        if self.progress is None:
            return None
        tell, nodes, total = self.progress, self.nodes, self.choices * self.nodes

        def heard(what: str, now: int, _: int) -> None:
            if what == "placements":
                tell(what, done * nodes + (number * nodes + now) // primes, total)

        return heard


def _choices(groups: Sequence[tuple[Sequence[int], int]]) -> Iterator[tuple[int, ...]]:
    """Iterate over all choices of so many cells from each group; none are kept, as there may be millions.

    >>> list(_choices([([1, 2, 3], 2), ([7], 1)]))
    [(1, 2, 7), (1, 3, 7), (2, 3, 7)]
    """
    if not groups:
        yield ()
        return
    cells, count = groups[0]
    for chosen in combinations(cells, count):
        for others in _choices(groups[1:]):
            yield chosen + others


def _matching_bits(degrees: Iterable[int]) -> float:
    """Return the binary logarithm of a bound for the number of perfect matchings, also of any subgraph.

    N. Alon and S. Friedland, "The maximum number of perfect matchings in graphs with a given degree
    sequence" (2008): no more than the product of (d!)^(1/2d) over all vertices, d being their degrees.
    """
    return sum(lgamma(degree + 1) / (2 * degree) for degree in degrees if degree) / log(2)


def _coefficient_factors(nodes: Sequence[int], least: int, wanted: int, prime: int) -> list[int]:
    """Return factors f with sum f p(t) over the nodes t = the coefficient of t^wanted in p, modulo the prime.

    For all p with exponents from `least` on, as many as there are nodes: Lagrange's interpolation.

    >>> nodes = [2, 3, 5]
    >>> factors = _coefficient_factors(nodes, 1, 2, 101)
    >>> sum(f * (7 * t + 8 * t**2 + 9 * t**3) for f, t in zip(factors, nodes)) % 101
    8
    """
    master = [1]  # the product of all t - node, the constant term first
    for node in nodes:
        master = [(up - node * same) % prime for up, same in zip([0, *master], [*master, 0], strict=True)]
    factors = []
    for node in nodes:
        quotient = [0] * len(master)  # master / (t - node), by Horner's rule
        for power in range(len(nodes), 0, -1):
            quotient[power - 1] = (master[power] + node * quotient[power]) % prime
        slope = 0
        for coefficient in reversed(quotient):
            slope = (slope * node + coefficient) % prime
        factors.append(quotient[wanted - least] * pow(slope * pow(node, least, prime), -1, prime) % prime)
    return factors


def _primes_beyond(bound: int) -> list[int]:
    """Return primes, from the greatest below 2^61 on, with a product greater than the bound."""
    primes = [_prime(0)]
    modulus = primes[0]
    while modulus <= bound:
        primes.append(_prime(len(primes)))
        modulus *= primes[-1]
    return primes


@cache
def _prime(number: int) -> int:
    candidate = _prime(number - 1) - 2 if number else 2**61 - 1
    while not _is_prime(candidate):
        candidate -= 2
    return candidate


def _is_prime(n: int) -> bool:
    """Whether an odd number from 41 to 2^64 is prime, by Miller and Rabin's test: twelve bases prove it."""
    twos = (n - 1 & 1 - n).bit_length() - 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(base, n - 1 >> twos, n)
        if x in (1, n - 1):
            continue
        if not any((x := x * x % n) == n - 1 for _ in range(twos - 1)):
            return False
    return True


def _chinese_remainder(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """Return the least number with these residues, the moduli being different primes.

    >>> _chinese_remainder([2, 3, 2], [3, 5, 7])
    23
    """
    value, modulus = 0, 1
    for residue, prime in zip(residues, moduli, strict=True):
        value += modulus * ((residue - value) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return value
