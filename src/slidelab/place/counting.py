"""Count the placements of coloured gourds on a coloured board, exactly.

A placement is a matching of the board with a given number of edges of each class, a class being the two
colours at the ends of an edge. With the holes taken away the matching is perfect, so on a planar board a
Pfaffian with one variable for each class lists all of them (see `kasteleyn`), and the answer is one
coefficient of a polynomial. It is found from values of the polynomial on a grid, modulo as many primes as
needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from math import comb, lgamma, log, prod
from random import Random
from typing import TYPE_CHECKING

from slidelab.arguments import whole_number
from slidelab.boards import Board, Edge
from slidelab.boards.walks import DisjointSets, adjacency, connected_components
from slidelab.budget import Budget
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import big_number, quoted
from slidelab.place.kasteleyn import Rotation, kasteleyn_orientation, rotation_system
from slidelab.place.modular import chinese_remainder, coefficient_factors, primes_beyond
from slidelab.place.problem import ColourPair, PlacementProblem, colour_pair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab._core import Pfaffian

    # The number of nodes of each variable, their values, and their factors, as the core takes them.
    Grid = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]

__all__ = ["MAX_COUNTING_STEPS", "count_matchings", "count_placements"]

MAX_COUNTING_STEPS = 10**12
"""Multiplications beyond which placements are not counted: about an hour."""

ORIENTATION_STEPS = 5_000
"""Cost of an orientation for each cell of the board, in multiplications."""

Interval = tuple[int, int]


def count_placements(
    board: Board, cells: Sequence[str], gourds: Sequence[ColourPair], *, budget: Budget | None = None
) -> int:
    """Return the number of placements of all gourds on the board, each end on a cell of its colour.

    Gourds with the same two colours are alike. Which colours the holes have follows from the numbers of cells
    and of ends; for every choice of such cells one coefficient of a Pfaffian is computed [1]_, in time n^1.5
    for n cells and for each point of a grid. With k colours there are up to k (k - 1) / 2 variables, and the
    width of the grid in each is about the number of gourds of one class.

    Parameters
    ----------
    board
        Hexagons, squares, or any planar graph.
    cells
        The colour of each cell, in the order of the board.
    gourds
        The colours at the two ends of each gourd.
    budget
        Its deadline limits the computation.

    Raises
    ------
    TooLarge
        Beforehand, if the computation takes more than 10^12 steps.
    OutOfTime
        If the deadline comes before the answer.

    References
    ----------
    .. [1] P. W. Kasteleyn, "Dimer statistics and phase transitions", Journal of Mathematical Physics 4
       (1963).

    Examples
    --------
    >>> from slidelab.boards import board
    >>> count_placements(board("hex F(2)"), "rrrbbbb", [("r", "b"), ("b", "r"), ("b", "b")])
    5
    """
    problem = PlacementProblem.of(board, cells, gourds)
    if 2 * len(problem.gourds) > board.size:
        raise NotationError(
            f"expected at most {board.size // 2} gourds, got {len(problem.gourds)} - on {quoted(board.name)}"
        )
    return _count(problem, budget)


def count_matchings(board: Board, holes: int = 1, *, budget: Budget | None = None) -> int:
    """Return the number of matchings of a planar board that leave out a given number of cells.

    One Pfaffian for every choice of the cells left out, each in time n^1.5 for n cells.

    Parameters
    ----------
    board
        Hexagons, squares, or any planar graph.
    holes
        The number of cells left out.
    budget
        Its deadline limits the computation.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> count_matchings(board("hex F(3)")), count_matchings(board("square R(8,8)"), holes=0)
    (2288, 12988816)
    """
    pairs, left = divmod(board.size - whole_number(holes, 0, "holes"), 2)
    if pairs < 0 or left:
        rotation_system(board)  # an error for boards that are not planar, also in this case
        return 0
    return _count(PlacementProblem(board, ("any",) * board.size, (("any", "any"),) * pairs), budget)


def _count(problem: PlacementProblem, budget: Budget | None) -> int:
    rotation = rotation_system(problem.board)
    ends, present = problem.ends, Counter(problem.cells)
    if ends - present:
        return 0
    bounds = {pair: (0, _max_matching(pair, edges, problem.cells)) for pair, edges in problem.edges.items()}
    if any(number > bounds[pair][1] for pair, number in problem.counts.items()):
        return 0
    return _PfaffianCount(
        problem, rotation, present - ends, _marks(bounds, problem.counts, ends), budget
    ).total()


def _max_matching(pair: ColourPair, edges: Iterable[Edge], cells: Sequence[str]) -> int:
    """Return an upper bound for a matching among the edges of one class: the rarer end of each component."""
    neighbours = adjacency(edges)
    bound = 0
    for part in connected_components(neighbours, neighbours):
        first = sum(cells[cell] == pair[0] for cell in part)
        bound += len(part) // 2 if pair[0] == pair[1] else min(first, len(part) - first)
    return bound


@dataclass(frozen=True, slots=True)
class _Mark:
    """A class with a variable of its own: its least and greatest exponent, and the one to be counted."""

    pair: ColourPair
    low: int
    high: int
    exponent: int

    @property
    def width(self) -> int:
        return self.high - self.low + 1


def _marks(
    bounds: dict[ColourPair, Interval], counts: Mapping[ColourPair, int], ends: Mapping[str, int]
) -> list[_Mark]:
    """Return classes to be marked whose numbers determine those of all others.

    Each colour gives an equation: twice the gourds of this colour at both ends, and those at one end, make
    up all cells of the colour. A marked class needs as many nodes as it may have gourds once the classes
    marked before it have their numbers; classes with the fewest are marked first.
    """
    marks = []
    free = set(bounds)
    _tighten(bounds, ends)
    while len(free) > (rank := _rank(free)):
        by_width = sorted(free, key=lambda pair: (bounds[pair][1] - bounds[pair][0], pair))
        pair = next(pair for pair in by_width if _rank(free - {pair}) == rank)
        if bounds[pair][0] < bounds[pair][1]:
            marks.append(_Mark(pair, *bounds[pair], counts[pair]))
        free.remove(pair)
        bounds[pair] = counts[pair], counts[pair]
        _tighten(bounds, ends)
    return marks


def _rank(pairs: Collection[ColourPair]) -> int:
    """Return the rank of the equations: colours, less the bipartite components of the graph of classes."""
    number = {colour: index for index, colour in enumerate({colour for pair in pairs for colour in pair})}
    sides = DisjointSets(2 * len(number))  # every colour twice, once for each side

    def is_odd(a: int) -> bool:
        return sides.find(2 * a) == sides.find(2 * a + 1)

    rank = 0
    for a, b in ((number[one], number[two]) for one, two in pairs):
        # An edge adds to the rank if it joins two parts that are not both odd, or makes its part odd.
        both_odd = is_odd(a) and is_odd(b)
        rank += sides.union(2 * a, 2 * b + 1) and not both_odd
        sides.union(2 * a + 1, 2 * b)
    return rank


def _tighten(bounds: dict[ColourPair, Interval], ends: Mapping[str, int]) -> None:
    """Narrow the intervals to what the equation of each colour allows, until nothing changes."""
    terms = {
        colour: [(pair, pair.count(colour)) for pair in sorted(bounds) if colour in pair] for colour in ends
    }
    changed = True
    while changed:
        changed = False
        for colour, total in ends.items():
            low = sum(times * bounds[pair][0] for pair, times in terms[colour])
            high = sum(times * bounds[pair][1] for pair, times in terms[colour])
            for pair, times in terms[colour]:
                least, greatest = bounds[pair]
                narrow = (
                    max(least, -((high - times * greatest - total) // times)),
                    min(greatest, (total - low + times * least) // times),
                )
                if narrow != (least, greatest):
                    bounds[pair] = narrow
                    low += times * (narrow[0] - least)
                    high += times * (narrow[1] - greatest)
                    changed = True


@dataclass(slots=True)
class _PfaffianCount:
    """One count: all choices of cells that stay holes, and for each of them a Pfaffian."""

    problem: PlacementProblem
    rotation: Rotation
    holes: Counter[str]
    marks: list[_Mark]
    budget: Budget | None
    variables: dict[Edge, int] = field(init=False)  # of the directed edges that are allowed; 0 is none
    bits: float = field(init=False)
    choices: int = field(init=False)  # of cells that stay holes
    nodes: int = field(init=False)  # of the grid
    grids: dict[int, Grid] = field(init=False, default_factory=dict)
    planned: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        cells, marked = self.problem.cells, {mark.pair: number for number, mark in enumerate(self.marks, 1)}
        pairs = {
            (a, b): colour_pair((cells[a], cells[b])) for a, row in enumerate(self.rotation) for b in row
        }
        self.variables = {
            edge: marked.get(pair, 0) for edge, pair in pairs.items() if pair in self.problem.counts
        }
        self.rotation = tuple(
            tuple(b for b in row if (a, b) in self.variables) for a, row in enumerate(self.rotation)
        )
        self.bits = _matching_bits(map(len, self.rotation))
        present = Counter(cells)
        self.choices = prod(comb(present[colour], holes) for colour, holes in self.holes.items())
        self.nodes = prod(mark.width for mark in self.marks)

    def total(self) -> int:
        self._check_cost(0, 1)
        result = 0
        for done, holes in enumerate(self._hole_sets()):
            if self.budget is not None:
                self.budget.check("placements", done * self.nodes, self.choices * self.nodes)
            result += self._count_beside(holes, done)
        return result

    def _hole_sets(self) -> Iterator[tuple[int, ...]]:
        of_colour = {
            colour: [cell for cell, own in enumerate(self.problem.cells) if own == colour]
            for colour in self.holes
        }
        return _choices([(of_colour[colour], holes) for colour, holes in sorted(self.holes.items())])

    def _count_beside(self, holes: tuple[int, ...], done: int) -> int:
        """Count the placements with exactly these holes."""
        from slidelab import _core

        arcs = kasteleyn_orientation(self.rotation, holes)
        if arcs is None:
            return 0
        board = self.problem.board
        try:
            pfaffian = _core.Pfaffian(board.size - len(holes), self._rows(arcs, holes))
            signed = self._signed_matchings(pfaffian)
        except _core.LimitReached as error:
            raise TooLarge(f"{error} - on {quoted(board.name)}") from None
        if signed == 0 or not self.marks:
            return abs(signed)
        primes = primes_beyond(abs(signed))
        if not self.planned:
            self._check_cost(pfaffian.cost, len(primes))
            self.planned = True
        residues = []
        for number, prime in enumerate(primes):
            callback = self._callback(done, number, len(primes))
            residues.append(pfaffian.sum(prime, *self._grid(prime), callback))
        # All matchings have the same sign in the Pfaffian, so that of their sum is that of every coefficient.
        value = chinese_remainder(residues, primes)
        return value if signed > 0 else -value % prod(primes)

    def _rows(self, arcs: Sequence[Edge], holes: tuple[int, ...]) -> NDArray[np.uint32]:
        """Return the directed edges with their variables, the cells numbered without the holes."""
        import numpy as np

        index, number = [], 0
        for cell in range(self.problem.board.size):
            index.append(number)
            number += cell not in holes
        rows = [(index[a], index[b], self.variables[a, b]) for a, b in arcs]
        return np.array(rows, np.uint32).reshape(-1, 3)

    def _signed_matchings(self, pfaffian: Pfaffian) -> int:
        """Return the number of all perfect matchings, with the sign that they have in the Pfaffian."""
        import numpy as np

        ones = np.ones(len(self.marks) + 1, np.uint64)
        primes = primes_beyond(2 ** int(self.bits + 3))  # one bit for the sign, one for rounding
        modulus = prod(primes)
        value = chinese_remainder([pfaffian.sum(prime, ones, ones, ones) for prime in primes], primes)
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
                factors += coefficient_factors(nodes, mark.low, mark.exponent, prime)
            self.grids[prime] = (
                np.array(counts, np.uint64),
                np.array(values, np.uint64),
                np.array(factors, np.uint64),
            )
        return self.grids[prime]

    def _check_cost(self, cost: int, primes: int) -> None:
        board = self.problem.board
        steps = self.choices * (ORIENTATION_STEPS * board.size + cost * primes * self.nodes)
        if steps > MAX_COUNTING_STEPS:
            raise TooLarge(
                f"counting these placements takes about {big_number(steps)} steps, and the limit is "
                f"{MAX_COUNTING_STEPS:.0e} - on {quoted(board.name)}"
            )

    def _callback(self, done: int, number: int, primes: int) -> Callable[[str, int, int], None] | None:
        """Return a callback for the core that reports the progress of the whole count."""
        if self.budget is None:
            return None
        budget, nodes, total = self.budget, self.nodes, self.choices * self.nodes

        def callback(phase: str, now: int, _: int) -> None:
            if phase == "placements":
                budget.check(phase, done * nodes + (number * nodes + now) // primes, total)

        return callback


def _choices(sets: Sequence[tuple[Sequence[int], int]]) -> Iterator[tuple[int, ...]]:
    """Iterate over all choices of a number of cells from each set; none are kept, as there may be millions.

    >>> list(_choices([([1, 2, 3], 2), ([7], 1)]))
    [(1, 2, 7), (1, 3, 7), (2, 3, 7)]
    """
    chosen: list[tuple[int, ...]] = []
    stack: list[Iterator[tuple[int, ...]]] = [iter([()])] if not sets else [combinations(*sets[0])]
    while stack:
        own = next(stack[-1], None)
        del chosen[len(stack) - 1 :]
        if own is None:
            stack.pop()
            continue
        chosen.append(own)
        if len(stack) < len(sets):
            stack.append(combinations(*sets[len(stack)]))
        else:
            yield tuple(chain.from_iterable(chosen))


def _matching_bits(degrees: Iterable[int]) -> float:
    """Return the binary logarithm of a bound for the number of perfect matchings, also of any subgraph.

    N. Alon and S. Friedland, "The maximum number of perfect matchings in graphs with a given degree
    sequence" (2008): no more than the product of (d!)^(1/2d) over all vertices, d being their degrees.
    """
    return sum(lgamma(degree + 1) / (2 * degree) for degree in degrees if degree) / log(2)
