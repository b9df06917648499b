"""Hamiltonian cycles: closed walks from cell to touching cell that meet every cell of a board once.

On hexagons, every 2-connected board without holes has one, but for the star of 13 cells (Polishchuk, Arkin
and Mitchell, 2006; Gordon, Orlovich and Werner, 2008), and `hamiltonian_cycle` constructs it. On all other
boards the question is NP-complete, and `find_cycle` searches.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from slidelab.arguments import check_seconds
from slidelab.boards.board import Board, Cell, Edge
from slidelab.boards.hexagons import congruent_family
from slidelab.boards.lattice import hexagons_around, reading_order
from slidelab.boards.structure import components, cut_cells, holes_in_board, is_two_connected, two_colouring
from slidelab.boards.walks import distances, predecessors
from slidelab.errors import NotationError, PuzzleError, TooLarge

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    Arc = tuple[int, int, cp_model.IntVar]

__all__ = [
    "FoundCycle",
    "find_cycle",
    "hamiltonian_cycle",
    "is_hole_free_cycle",
    "is_proper",
    "why_not_proper",
]

Face = tuple[int, ...]

WINDOWS = (2, 3, 4)
GUESS_LIMIT = 100
WINDOW_LIMIT = 2_000
STRIDE = 100
SMALL_BOARD = 20
SMALL_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class FoundCycle:
    """A Hamiltonian cycle of a board.

    Attributes
    ----------
    cells : tuple of int
        All cells in cyclic order, from cell 0 towards the smaller one of its two neighbours on the cycle.
    hole_free : bool
        Whether no missing cell lies inside the cycle; always False on ``king`` and ``graph`` boards.
    """

    cells: tuple[int, ...]
    hole_free: bool


def is_proper(board: Board) -> bool:
    """Whether the board is proper as in the paper on gourds; `why_not_proper` says what is wrong if not.

    >>> from slidelab.boards import board
    >>> is_proper(board("hex F(2)")), is_proper(board("hex star"))
    (True, False)
    """
    return why_not_proper(board) is None


def why_not_proper(board: Board) -> str | None:
    """Return None if the board is proper, else a sentence that says why it is not.

    A board is proper if it consists of an odd number of hexagons, is 2-connected, has no hole and is not
    the star.

    >>> from slidelab.boards import board
    >>> why_not_proper(board("hex P(4,3)"))
    'expected an odd number of cells, so that gourds leave one empty, got 12'
    """
    if board.kind == "hex" and board.size % 2 == 0:
        return f"expected an odd number of cells, so that gourds leave one empty, got {board.size}"
    return _obstacle(board)


def _obstacle(board: Board) -> str | None:
    """Say why the theorem on hexagonal boards promises no Hamiltonian cycle; None if it does."""
    if board.kind != "hex":
        return f"expected a board of hexagons, got {board.name[:80]!r}"
    if board.size < 3:
        return f"expected at least three cells, got {board.size}"
    if broken := _bottleneck(board):
        return broken
    if holes_in_board(board):
        return f"the board has a hole next to cell {_cell_next_to_hole(board)}"
    if congruent_family(board) == ("star", ()):
        return "the board is the star, the only one of its kind without a Hamiltonian cycle"
    return None


def _bottleneck(board: Board) -> str | None:
    """Say why a board of three or more cells is not 2-connected; None if it is."""
    parts = components(board)
    if len(parts) > 1:
        return f"the board has {len(parts)} parts: no way leads from cell {parts[0][0]} to cell {parts[1][0]}"
    for cell, row in enumerate(board.neighbours):
        if len(row) == 1:
            return f"cell {cell} is a leaf: it touches cell {row[0]} only"
    for cell in cut_cells(board):
        return f"cell {cell} is a cut cell: no cycle and no gourd gets past it from one side to the other"
    return None


def _cell_next_to_hole(board: Board) -> int:
    """Return the first cell that touches a hole of a connected hexagonal board with holes.

    The missing cells that touch a connected board hang together if and only if they are in the same hole,
    or both outside. So there is no need to look at others, of which there may be many more.
    """
    rim = {cell for place in board.cells for cell in hexagons_around(place) if cell not in board.cell_at}
    first = min(rim, key=reading_order)
    outside = predecessors({cell: hexagons_around(cell) for cell in rim}, [first], rim.__contains__)
    return next(
        cell
        for cell, place in enumerate(board.cells)
        if not rim.difference(outside).isdisjoint(hexagons_around(place))
    )


def hamiltonian_cycle(board: Board) -> tuple[int, ...]:
    """Return all cells of a 2-connected hexagonal board without holes, not the star, in cyclic order.

    A cycle grows by one cell at a time, which hardly ever needs more than a look at two cells of the cycle
    that both touch a new one: 10,000 cells take a fraction of a second.

    >>> from slidelab.boards import board
    >>> hamiltonian_cycle(board("hex P(3,2)"))
    (0, 1, 2, 5, 4, 3)
    """
    reason = _obstacle(board)
    cells = None if reason else _grown_cycle(board) or _search(board, [])
    if cells is None:
        raise PuzzleError(f"no Hamiltonian cycle of {board.name[:80]!r} constructed: {reason}")
    return cells


# The construction. While two neighbours on the cycle both touch a new cell, that cell goes between them. When
# no such pair is left, the cycle is laid anew within a small window, so that it also meets one more cell
# there: on 2-connected boards without holes other than the star every cycle can be extended to one that meets
# all its cells and one more (Gordon, Orlovich and Werner). Edges are taken last in, first out, since then the
# cycle grows as a strip that leaves few cells behind.


def _grown_cycle(board: Board, deadline: float = math.inf) -> tuple[int, ...] | None:
    """Return a Hamiltonian cycle of a hexagonal board, or None if the construction does not get that far."""
    if board.kind != "hex":
        return None
    triangles = ((a, b, c) for a, b in board.edges for c in board.neighbours[a] if board.adjacent(b, c))
    start = next(triangles, None)
    if start is None:
        return None
    cycle = _GrowingCycle(board, start)
    while cycle.grow():
        if time.monotonic() > deadline or not cycle.reroute():
            return None
    return cycle.cells()


class _GrowingCycle:
    """A cycle on a board: for each cell the two cells next to it on the cycle, in any order, or none yet."""

    def __init__(self, board: Board, start: Sequence[int]) -> None:
        self.board = board
        self.links: list[list[int]] = [[] for _ in range(board.size)]
        self.missing = board.size - len(start)
        self.edges = list(_pairs(start))  # those that may have a new cell next to them
        self.border = [other for cell in start for other in board.neighbours[cell]]
        for a, b in self.edges:
            self._link(a, b)

    def _link(self, a: int, b: int) -> None:
        self.links[a].append(b)
        self.links[b].append(a)

    def cells(self) -> tuple[int, ...]:
        """Return the cells of the cycle in order."""
        order = [0, min(self.links[0])]
        while len(order) < self.board.size:
            first, second = self.links[order[-1]]
            order.append(second if first == order[-2] else first)
        return tuple(order)

    def grow(self) -> int:
        """Put new cells between two neighbours on the cycle while possible; return how many are missing."""
        neighbours, links = self.board.neighbours, self.links
        while self.edges:
            a, b = self.edges.pop()
            if b not in links[a]:
                continue
            for cell in neighbours[a]:
                if not links[cell] and b in neighbours[cell]:
                    self._insert(cell, a, b)
                    break
        return self.missing

    def _insert(self, cell: int, a: int, b: int) -> None:
        self.links[a].remove(b)
        self.links[b].remove(a)
        self._link(a, cell)
        self._link(cell, b)
        self.edges += [(a, cell), (cell, b)]
        self.border.extend(self.board.neighbours[cell])
        self.missing -= 1

    def reroute(self) -> bool:
        """Lay the cycle anew somewhere so that it meets one more cell; whether that was possible."""
        newest_first = dict.fromkeys(cell for cell in reversed(self.border) if not self.links[cell])
        self.border = list(newest_first)[::-1]
        return any(self._reroute_around(cell, radius) for radius in WINDOWS for cell in newest_first)

    def _reroute_around(self, cell: int, radius: int) -> bool:
        inside = self._window(cell, radius)
        inner = self._inner_paths(inside)
        # If new paths inside join the same ends as the old ones, it does not matter how the ends are joined
        # outside. So any guess will do at first, and saves long walks.
        outer = {_edge(a, b) for (_, a), (b, _) in zip(inner, inner[1:] + inner[:1], strict=True)}
        joined = {_edge(*path) for path in inner}
        orders = self._orders(inside, outer, GUESS_LIMIT)
        order = next((order for order in orders if _joined(order, outer) == joined), None)
        if order is None:
            outer = self._outer_paths(inside)
            order = next(self._orders(inside, outer, WINDOW_LIMIT), None)
        if order is not None:
            self._replace(inside, order, outer)
            self.border.extend(self.board.neighbours[cell])
            self.missing -= 1
        return order is not None

    def _orders(self, inside: set[int], outer: set[Edge], limit: int) -> Iterator[list[int]]:
        """Yield cycles through a window, with each path outside as one edge, up to a number of choices."""
        places = inside.union(*outer)
        edges = [(a, b) for a in inside for b in self.board.neighbours[a] if b in places]
        with suppress(TooLarge):
            yield from _cycles(sorted(places), edges, outer, limit)

    def _window(self, cell: int, radius: int) -> set[int]:
        """Return `cell` and the cells of the cycle at most `radius` steps away from it.

        A cell of the cycle between two of these is added, so that each path outside has two different ends.
        """
        near = distances(self.board.neighbours, [cell], radius)
        inside = {place for place in near if place == cell or self.links[place]}
        beside = {end for place in inside for end in self.links[place]}
        return inside.union(end for end in beside if inside.issuperset(self.links[end]))

    def _inner_paths(self, inside: set[int]) -> list[Edge]:
        """Return the ends, just outside a window, of the paths that the cycle consists of inside."""
        paths = []
        entries = [(end, cell) for cell in sorted(inside) for end in self.links[cell] if end not in inside]
        for start, entry in entries:
            previous, cell = start, entry
            while cell in inside:
                first, second = self.links[cell]
                previous, cell = cell, second if first == previous else first
            if start < cell:
                paths.append((start, cell))
        return paths

    def _outer_paths(self, inside: set[int]) -> set[Edge]:
        """Return the ends of the paths that the cycle consists of outside a window.

        Walks start at all ends at once and stop when one path is left, which may be long.
        """
        paths = set()
        walks = {(cell, end): (cell, end) for cell in inside for end in self.links[cell] if end not in inside}
        while len(walks) > 2:
            for start in list(walks):
                if start not in walks:
                    continue
                previous, cell = walks[start] = self._walk(*walks[start], inside)
                if cell in inside:
                    paths.add(_edge(start[1], previous))
                    del walks[start], walks[cell, previous]
        if walks:
            (_, first), (_, last) = walks
            paths.add(_edge(first, last))
        return paths

    def _walk(self, previous: int, cell: int, inside: set[int]) -> Edge:
        """Go on along the cycle until the window is reached, or for a while."""
        for _ in range(STRIDE):
            if cell in inside:
                break
            first, second = self.links[cell]
            previous, cell = cell, second if first == previous else first
        return previous, cell

    def _replace(self, inside: set[int], order: list[int], outer: set[Edge]) -> None:
        """Lay the cycle anew in the window; `order` shows each path outside as one edge."""
        for cell in inside:
            for other in self.links[cell]:
                if other not in inside:
                    self.links[other].remove(cell)
            self.links[cell] = []
        for a, b in _pairs(order):
            if _edge(a, b) not in outer:
                self._link(a, b)
                self.edges.append((a, b))


def _pairs(order: Sequence[int]) -> Iterator[Edge]:
    """Return the edges of a cycle."""
    return zip(order, [*order[1:], order[0]], strict=True)


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)


def _joined(order: list[int], outer: set[Edge]) -> set[Edge]:
    """Return which ends a cycle through a window joins inside."""
    ends = [(a, b) for a, b in _pairs(order) if _edge(a, b) in outer]
    return {_edge(b, a) for (_, b), (a, _) in zip(ends, ends[1:] + ends[:1], strict=True)}


# The search by hand, for windows and small boards. Each place needs two edges, and what follows from that is
# drawn at once: a place with two edges chosen loses all others, one with two edges left gets both, and an
# edge that would close a path too early is lost.


class _Partial:
    """A Hamiltonian cycle in the making: for each place the sets of edges chosen, and chosen or possible."""

    __slots__ = ("chosen", "count", "end", "possible", "unsettled")

    def __init__(self, chosen: list[int], possible: list[int], end: list[int], count: int) -> None:
        self.chosen = chosen
        self.possible = possible
        self.end = end  # for the ends of each path of chosen edges, the other end
        self.count = count
        self.unsettled = list(range(len(end)))

    def copy(self) -> _Partial:
        other = _Partial(self.chosen[:], self.possible[:], self.end[:], self.count)
        other.unsettled = []
        return other

    def choose(self, a: int, b: int) -> bool:
        """Take an edge into the cycle; False if it would close the cycle too early or branch."""
        end_a, end_b = self.end[a], self.end[b]
        size = len(self.end)
        if self.chosen[a].bit_count() == 2 or self.chosen[b].bit_count() == 2:
            return False
        if end_a == b and self.count < size - 1:
            return False
        self.chosen[a] |= 1 << b
        self.chosen[b] |= 1 << a
        self.end[end_a], self.end[end_b] = end_b, end_a
        self.count += 1
        self.unsettled += [a, b]
        if self.count < size - 1 and not self.chosen[end_a] >> end_b & 1:
            self.refuse(end_a, end_b)
        return True

    def refuse(self, a: int, b: int) -> None:
        """Give up an edge that is not chosen."""
        if self.possible[a] >> b & 1:
            self.possible[a] ^= 1 << b
            self.possible[b] ^= 1 << a
            self.unsettled += [a, b]

    def settle(self) -> bool:
        """Draw all conclusions; False if there is a contradiction."""
        while self.unsettled:
            place = self.unsettled.pop()
            possible, chosen = self.possible[place], self.chosen[place]
            if possible.bit_count() < 2:
                return False
            if chosen.bit_count() == 2:
                for other in _members(possible & ~chosen):
                    self.refuse(place, other)
            elif possible.bit_count() == 2 and not all(
                self.choose(place, other) for other in _members(possible & ~chosen)
            ):
                return False
        return True

    def open_edge(self) -> Edge:
        """Return a possible edge at a place that has few of them, at the end of a path if there is one."""
        open_edges = [possible & ~chosen for possible, chosen in zip(self.possible, self.chosen, strict=True)]
        places = [place for place, edges in enumerate(open_edges) if edges]
        place = min(places, key=lambda place: (not self.chosen[place], open_edges[place].bit_count()))
        return place, next(_members(open_edges[place]))

    def order(self) -> list[int]:
        """Return the places of a complete cycle in order."""
        order = [0, next(_members(self.chosen[0]))]
        while len(order) < len(self.end):
            order += _members(self.chosen[order[-1]] & ~(1 << order[-2]))
        return order


def _members(bits: int) -> Iterator[int]:
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def _cycles(
    places: Sequence[int], edges: Iterable[Edge], fixed: Iterable[Edge], limit: int
) -> Iterator[list[int]]:
    """Yield the Hamiltonian cycles on three or more places that use all fixed edges.

    After `limit` choices `TooLarge` is raised.
    """
    number = {place: index for index, place in enumerate(places)}
    possible = [0] * len(places)
    for a, b in chain(edges, fixed):
        possible[number[a]] |= 1 << number[b]
        possible[number[b]] |= 1 << number[a]
    start = _Partial([0] * len(places), possible, list(range(len(places))), 0)
    stack = [start] if all(start.choose(number[a], number[b]) for a, b in fixed) else []
    while stack:
        partial = stack.pop()
        if not partial.settle():
            continue
        if partial.count == len(places):
            yield [places[index] for index in partial.order()]
            continue
        limit -= 1
        if limit < 0:
            raise TooLarge("expected fewer choices in the search for a Hamiltonian cycle")
        a, b = partial.open_edge()
        other = partial.copy()
        other.refuse(a, b)
        partial.choose(a, b)
        stack += [other, partial]


def is_hole_free_cycle(board: Board, cells: Sequence[int]) -> bool:
    """Whether no missing cell lies inside a Hamiltonian cycle of a board of hexagons or squares.

    All cells lie on the cycle, so by Pick's theorem its area tells how many missing cells are inside:
    without any, the cycle encloses as many triangles of hexagon centres as it has cells, less two. On
    ``king`` and ``graph`` boards, where cycles may cross themselves, the answer is False.

    >>> from slidelab.boards import board
    >>> is_hole_free_cycle(board("hex P(3,2)"), [0, 1, 2, 5, 4, 3])
    True
    >>> is_hole_free_cycle(board("cycle(3)"), [0, 1, 2])
    False
    """
    if sorted(cells) != list(range(board.size)) or board.size < 3:
        raise NotationError(f"expected all {board.size} cells once, got {len(cells)} cells - at cycle")
    for a, b in _pairs(cells):
        if not board.adjacent(a, b):
            raise NotationError(f"expected touching cells, got {a} and {b} - at cycle")
    if board.kind in ("king", "graph"):
        return False
    corners = [board.cells[cell] for cell in cells]
    twice_area = sum(x * b - a * y for (x, y), (a, b) in zip(corners, corners[1:] + corners[:1], strict=True))
    return abs(twice_area) == board.size - 2


def find_cycle(board: Board, *, seconds: float | None = None) -> FoundCycle | None:
    """Return a Hamiltonian cycle of any board, one without missing cells inside if possible; None if none.

    Boards as for `hamiltonian_cycle` get theirs at once, small boards after a short search, others from
    OR-Tools (``pip install slidelab[place]``). If `seconds` are over before the answer is known, `TooLarge`
    is raised.

    >>> from slidelab.boards import board
    >>> find_cycle(board("square R(2,2)"))
    FoundCycle(cells=(0, 1, 3, 2), hole_free=True)
    >>> find_cycle(board("square R(3,3)")) is None
    True
    """
    check_seconds(seconds)
    if not is_two_connected(board) or _is_unbalanced(board):
        return None
    if (round_trip := _rectangle_cycle(board)) is not None:
        return FoundCycle(round_trip, is_hole_free_cycle(board, round_trip))
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    holes = board.kind != "graph" and holes_in_board(board) > 0
    grown = _grown_cycle(board, deadline if holes else math.inf)
    if grown is not None and is_hole_free_cycle(board, grown):
        return FoundCycle(grown, True)
    cells = _search(board, _faces(board), deadline) if holes and board.kind != "king" else None
    cells = cells or grown or _search(board, [], deadline)
    return None if cells is None else FoundCycle(cells, is_hole_free_cycle(board, cells))


def _rectangle_cycle(board: Board) -> tuple[int, ...] | None:
    """To and fro through the rows of a full rectangle, and back along its side; None for other boards.

    >>> from slidelab.boards import board
    >>> _rectangle_cycle(board("square R(3,2)"))
    (0, 1, 2, 5, 4, 3)
    """
    if board.kind not in ("square", "king"):
        return None
    (columns, rows) = zip(*board.cells, strict=True)
    left, top = min(columns), min(rows)
    wide, high = max(columns) - left + 1, max(rows) - top + 1
    if wide * high != board.size or min(wide, high) < 2 or wide * high % 2:
        return None
    long, lines = (wide, high) if high % 2 == 0 else (high, wide)
    ways = [range(1, long) if line % 2 == 0 else range(long - 1, 0, -1) for line in range(lines)]
    steps = [(along, line) for line, way in enumerate(ways) for along in way]
    steps = [(0, 0), *steps, *((0, line) for line in range(lines - 1, 0, -1))]
    if high % 2:  # columns instead of rows, and the other way round, so that cell 1 still follows cell 0
        steps = [(0, 0), *((line, along) for along, line in reversed(steps[1:]))]
    return tuple(board.cell_at[left + x, top + y] for x, y in steps)


def cycle_along(
    board: Board, paths: Sequence[Sequence[int]], *, seconds: float | None = None
) -> tuple[int, ...] | None:
    """Return a Hamiltonian cycle that runs along one of the paths, from cell to touching cell; None if none.

    Small boards are searched through, others by OR-Tools; `TooLarge` if `seconds` are over before the answer
    is known.

    >>> from slidelab.boards import board
    >>> cycle_along(board("hex P(3,2)"), [(0, 4), (5, 2, 1)])
    (0, 1, 2, 5, 4, 3)
    >>> cycle_along(board("hex P(3,2)"), [(0, 3, 1)]) is None
    True
    """
    check_seconds(seconds)
    paths = [path for path in paths if all(board.adjacent(a, b) for a, b in pairwise(path))]
    if not paths or not is_two_connected(board) or _is_unbalanced(board):
        return None
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    if board.size <= SMALL_BOARD:
        try:
            searches = (
                _cycles(range(board.size), board.edges, list(pairwise(p)), SMALL_LIMIT) for p in paths
            )
            found = next(chain.from_iterable(searches), None)
            return None if found is None else tuple(found)
        except TooLarge:
            pass
    return _search_large(board, [], deadline, paths)


def _is_unbalanced(board: Board) -> bool:
    """Whether the cells have two colours, and not equally often: a cycle would meet them in turn."""
    colours = two_colouring(board)
    return colours is not None and 2 * sum(colours) != board.size


def _faces(board: Board) -> list[Face]:
    """Return the triples of mutually touching hexagons or the full two by two squares, all in one sense."""
    shapes: tuple[tuple[Cell, ...], ...] = (((0, 0), (1, 0), (0, 1)), ((0, 0), (0, 1), (-1, 1)))
    if board.kind == "square":
        shapes = (((0, 0), (1, 0), (1, 1), (0, 1)),)
    corners = ([(x + dx, y + dy) for dx, dy in shape] for x, y in board.cells for shape in shapes)
    present = board.cell_at
    return [
        tuple(present[cell] for cell in face) for face in corners if all(cell in present for cell in face)
    ]


def _search(board: Board, faces: list[Face], deadline: float = math.inf) -> tuple[int, ...] | None:
    """Return a Hamiltonian cycle or None; if faces are given, a cycle that encloses nothing but faces."""
    if board.size <= SMALL_BOARD:
        try:
            return _search_small(board, faces)
        except TooLarge:
            pass
    return _search_large(board, faces, deadline)


def _search_small(board: Board, faces: list[Face]) -> tuple[int, ...] | None:
    edges = [edge for face in faces for edge in _pairs(face)] if faces else board.edges
    for order in _cycles(range(board.size), edges, (), SMALL_LIMIT):
        if not faces or is_hole_free_cycle(board, order):
            return tuple(order)
    return None


def _search_large(
    board: Board, faces: list[Face], deadline: float, paths: Sequence[Sequence[int]] = ()
) -> tuple[int, ...] | None:
    """By OR-Tools: a cycle that encloses nothing but faces, if given, and runs along a path, if given."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        message = (
            f"expected OR-Tools for a Hamiltonian cycle of {board.name[:80]!r}: pip install slidelab[place]"
        )
        raise PuzzleError(message) from None
    model = cp_model.CpModel()
    arcs = _arcs_around_faces(model, board, faces) if faces else _arcs_of_edges(model, board)
    if len({a for a, _, _ in arcs}) < board.size:
        return None
    model.add_circuit(arcs)
    if paths:
        chosen = [model.new_bool_var("") for _ in paths]
        literals = {(a, b): literal for a, b, literal in arcs}
        model.add_bool_or(chosen)
        for path, literal in zip(paths, chosen, strict=True):
            for arc in pairwise(path):
                model.add_implication(literal, literals[arc])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # so that equal boards get equal cycles
    if board.kind != "graph":
        solver.parameters.linearization_level = 0  # on lattices often ten times as fast, on dense graphs slow
    solver.parameters.max_time_in_seconds = max(0.0, deadline - time.monotonic())
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise TooLarge(f"no Hamiltonian cycle of {board.name[:80]!r} found or ruled out in the time given")
    return _order_of_arcs({a: b for a, b, literal in arcs if solver.boolean_value(literal)})


def _arcs_of_edges(model: cp_model.CpModel, board: Board) -> list[Arc]:
    """Return a choice for each direction of each edge."""
    both = [*board.edges, *((b, a) for a, b in board.edges)]
    return [(a, b, model.new_bool_var("")) for a, b in both]


def _arcs_around_faces(model: cp_model.CpModel, board: Board, faces: list[Face]) -> list[Arc]:
    """Return the choices for the arcs of a cycle that encloses faces only.

    An arc is on the cycle if the face on its left is inside and that on its right is not. By Pick's theorem
    the number of faces inside is known.
    """
    inside = [model.new_bool_var("") for _ in faces]
    model.add(sum(inside) * (len(faces[0]) - 2) == board.size - 2)
    left = {arc: literal for face, literal in zip(faces, inside, strict=True) for arc in _pairs(face)}
    arcs = {arc: model.new_bool_var("") if arc[::-1] in left else literal for arc, literal in left.items()}
    for (a, b), literal in arcs.items():
        if a < b and (b, a) in left:
            model.add(literal - arcs[b, a] == left[a, b] - left[b, a])
            model.add_at_most_one(literal, arcs[b, a])
    return [(a, b, literal) for (a, b), literal in arcs.items()]


def _order_of_arcs(following: dict[int, int]) -> tuple[int, ...]:
    """Return the cells from 0 on, towards the smaller neighbour of 0."""
    order = [0]
    while len(order) < len(following):
        order.append(following[order[-1]])
    return tuple(order if order[1] < order[-1] else [0, *order[:0:-1]])
