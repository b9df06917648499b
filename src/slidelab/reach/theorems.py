"""What the theorems of the papers predict about a puzzle, to be checked or, on huge boards, to be trusted.

Every function here looks only at the board and the numbers (but Lemma 4.3 is about the components of the
trimmed board, which are computed while it is small). `predictions` collects all that apply; an analysis puts
them beside what was computed. Errata of the papers are in docs/design/errata.md.

References
----------
.. [W] R. M. Wilson, "Graph puzzles, homotopy, and the alternating group", J. Combin. Theory B 16 (1974).
.. [KMS] D. Kornhauser, G. Miller, P. Spirakis, "Coordinating pebble motion on graphs", FOCS (1984).
.. [BK] F. Brunck, M. Kwan, "Books, hallways and social butterflies: a note on sliding block puzzles" (2023).
.. [SGP] C. C. Wong, L. Li, R. Chen, "Sliding graph puzzles".
.. [HEX] R. Karpman, E. Roldan, "Parity property of hexagonal sliding puzzles".
.. [G] J. Hamersma, M. van Kreveld, Y. Uno, T. van der Zanden, "Gourds: a sliding-block puzzle with turning".
.. [TH] J. Hamersma, "An examination of the solvability of a sliding puzzle on a hexagonal grid" (thesis).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import comb, factorial, prod

from slidelab.boards import (
    Board,
    components,
    congruent_families,
    is_bipartite,
    is_connected,
    is_cycle,
    is_hole_free,
    is_proper,
    is_theta0,
    is_two_connected,
    sub_board,
    triangles,
    trim,
    two_colouring,
)
from slidelab.budget import Budget
from slidelab.errors import PuzzleError
from slidelab.permutations import is_even
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.families import count_components
from slidelab.reach.group_names import product_name
from slidelab.reach.invariants import pieces_along, strip_order, strip_theorem
from slidelab.reach.regions import region_groups
from slidelab.rules import Cells, rule

__all__ = [
    "GroupPrediction",
    "Prediction",
    "connection_prediction",
    "cycle_predictions",
    "deciding_theorem",
    "gourds_theorem",
    "predictions",
    "tile_group",
    "tile_regions",
]

Value = int | bool | str

CYCLE_SECONDS = 5.0
"""Time to look for Hamiltonian cycles on a board with holes."""

MAX_TRIMMED_CELLS = 200
"""Cells of a board whose trimmed board is analyzed for Lemma 4.3: a second or two."""

MAX_CONNECTION_CELLS, MAX_CONNECTION_PARTS = 60, 12
"""Cells and parts of a disconnected board for which every number of holes is tried."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a theorem says about one quantity of a puzzle."""

    name: str
    """The theorem, as the papers number it."""
    quantity: str
    """components, group, weak parity, strong parity, maximally connected or connection number."""
    value: Value


@dataclass(frozen=True, slots=True)
class GroupPrediction:
    """The group that a theorem gives for tiles on a connected board, and whether it is even."""

    name: str
    order: int
    even: bool


def predictions(puzzle: Puzzle) -> Iterator[Prediction]:
    """Yield all predictions of the papers for a puzzle with numbered pieces.

    Examples
    --------
    >>> import slidelab as sl
    >>> for p in predictions(sl.puzzle("theta(1,2,2)")):
    ...     print(p.name, "|", p.quantity, "|", p.value)
    Wilson (theta0) | group | PGL(2,5)
    Wilson (theta0) | components | 6
    Wilson (theta0) | weak parity | False
    Wilson (theta0) | maximally connected | False
    Kornhauser, Miller, Spirakis | connection number | 2
    """
    if puzzle.rule.slides_along_edges:
        yield from _tiles(puzzle)
    elif puzzle.rule.needs_companion and puzzle.board.kind == "hex":
        yield from _hextiles(puzzle)
    elif puzzle.rule.corner is not None:
        yield from _gourds(puzzle)
    number = connection_prediction(puzzle)
    if number:
        yield number


# Tiles: Wilson, and Kornhauser, Miller and Spirakis


def _tiles(puzzle: Puzzle) -> Iterator[Prediction]:
    board, holes = puzzle.board, puzzle.hole_count
    name = _tile_theorem(board, holes)
    if is_connected(board):
        group = tile_group(board, holes)
        yield Prediction(name, "group", group.name)
    total, even = _tile_components(board, holes)
    yield Prediction(name, "components", total)
    yield Prediction(name, "weak parity", even)
    yield Prediction(name, "maximally connected", total == 1)


def _tile_theorem(board: Board, holes: int) -> str:
    if holes > 1:
        return "Kornhauser, Miller, Spirakis"
    if not is_connected(board):
        return "Theorem 5.1 (disconnected)"
    if is_theta0(board):
        return "Wilson (theta0)"
    if is_cycle(board):
        return "Theorem 5.1 (polygon)"
    return "Wilson (Theorem 4.7)" if is_two_connected(board) else "Theorem 5.1 (separable)"


def _tile_components(board: Board, holes: int) -> tuple[int, bool]:
    """Return the number of components that can move, and whether all groups are even.

    Holes never change their connected part of the board, so every distribution of the holes over the parts
    is a family of shapes, and its group is the direct product over the parts.
    """
    parts = [board] if is_connected(board) else [sub_board(board, part) for part in components(board)]
    # (holes dealt, whether anything moves) -> how often each (order, even) occurs.
    dealt: dict[tuple[int, bool], Counter[tuple[int, bool]]] = {(0, False): Counter({(1, True): 1})}
    later = board.size
    for part in parts:
        later -= part.size
        after: dict[tuple[int, bool], Counter[tuple[int, bool]]] = {}
        fewest = min(count for count, _ in dealt)
        for own in range(
            max(0, holes - later - max(count for count, _ in dealt)), min(part.size, holes - fewest) + 1
        ):
            moves = 0 < own < part.size
            group = tile_group(part, own) if moves else GroupPrediction("trivial", 1, True)
            for (count, moving), groups in dealt.items():
                if count + own > holes or count + own + later < holes:
                    continue
                merged = after.setdefault((count + own, moving or moves), Counter())
                for (order, even), times in groups.items():
                    merged[order * group.order, even and group.even] += times
        dealt = after
    groups = dealt.get((holes, True), Counter())
    everything = factorial(board.size - holes)
    return sum(everything // order * times for (order, _), times in groups.items()), all(
        even for _, even in groups
    )


def tile_group(board: Board, holes: int) -> GroupPrediction:
    """Return the group of tiles on a connected board: the direct product over its regions.

    One hole: Wilson's theorem for each block (Theorem 5.1 of [SGP]_). More holes: all permutations of the
    tiles of each region ([KMS]_ and [BK]_, see `slidelab.reach.regions`), or all rotations if the board is a
    cycle.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> tile_group(board("square R(4,4)"), 1).name, tile_group(board("square R(4,4)"), 2).name
    ('Alt(15)', 'Sym(14)')
    """
    groups = [_region_group(name, tiles) for name, tiles in region_groups(board, holes)]
    return GroupPrediction(
        product_name([group.name for group in groups]),
        prod(group.order for group in groups),
        all(g.even for g in groups),
    )


def _region_group(name: str, tiles: int) -> GroupPrediction:
    if name == "cyclic":
        return _cyclic(tiles)
    if name == "theta0":
        return GroupPrediction("PGL(2,5)", 120, False)
    if name == "alternating":
        return GroupPrediction(f"Alt({tiles})", factorial(tiles) // 2, True)
    return _symmetric(tiles)


def _cyclic(n: int) -> GroupPrediction:
    return GroupPrediction(f"C({n})", n, n % 2 == 1) if n > 1 else GroupPrediction("trivial", 1, True)


def _symmetric(n: int) -> GroupPrediction:
    if n <= 2:
        return _cyclic(n)
    return GroupPrediction(f"Sym({n})", factorial(n), False)


def tile_regions(board: Board, holes: int) -> list[int]:
    """Return the number of tiles of each region of a connected board, the largest first.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> h_shape = board("graph 0-1 0-2 0-3 3-4 4-5 4-6")
    >>> tile_regions(h_shape, 2), tile_regions(h_shape, 4)
    ([2, 2], [3])
    """
    return sorted((tiles for _, tiles in region_groups(board, holes)), reverse=True)


# Hexagonal tiles: Karpman and Roldan


def _hextiles(puzzle: Puzzle) -> Iterator[Prediction]:
    board, holes = puzzle.board, puzzle.hole_count
    if holes == 2:
        yield Prediction("Corollary 1.6", "weak parity", True)
    for family, numbers in congruent_families(board):
        yield from _family_theorems(board, holes, family, tuple(sorted(numbers)))


def _family_theorems(board: Board, holes: int, family: str, n: tuple[int, ...]) -> Iterator[Prediction]:
    parallelogram = family == "P" and n[0] >= 3
    if family == "P" and n[0] == 2:
        yield Prediction("Theorem 1.1", "components", factorial(board.size - holes))
    if parallelogram and holes >= 3:
        yield Prediction("Theorem 1.3", "maximally connected", True)
    if holes >= 3 and ((family == "T" and n[0] >= 5) or (family == "F" and n[0] >= 3)):
        yield Prediction("Corollary 1.4", "maximally connected", True)
    if holes != 2:
        return
    if parallelogram:
        yield Prediction("Theorem 1.5", "weak parity", True)
    trimmed = family == "Ptr" and n[0] >= 3 and n[1] >= 4
    if trimmed or (family == "Ttr" and n[0] >= 5) or (family == "F" and n[0] >= 3):
        yield Prediction("Theorem 1.8", "strong parity", True)
    if parallelogram and n[1] >= 4:
        yield Prediction("Theorem 1.9", "components", 4 * comb(board.size - 2, 2))
    if family == "T" and n[0] >= 5:
        yield Prediction("Theorem 1.9", "components", 12 * comb(board.size - 2, 3))
    if parallelogram or (family == "T" and n[0] >= 4):
        inner = _components_of_trimmed(board)
        if inner is not None:
            corners, factor = (2, 2) if parallelogram else (3, 6)
            yield Prediction("Lemma 4.3", "components", factor * inner * comb(board.size - 2, corners))


def _components_of_trimmed(board: Board) -> int | None:
    """Return the number c of Lemma 4.3 [HEX]_, computed while the trimmed board is small."""
    if board.size > MAX_TRIMMED_CELLS:
        return None
    return count_components(Puzzle(trim(board), rule("hextiles"), 2))


# Gourds


def _gourds(puzzle: Puzzle) -> Iterator[Prediction]:
    board, pieces = puzzle.board, puzzle.piece_count
    if puzzle.hole_count != 1 or not is_connected(board):
        return
    if board.kind == "square":
        yield Prediction("Gourds, section 1 (squares)", "maximally connected", False)
        return
    if board.kind != "hex":
        return
    sharp = puzzle.rule.corner == "sharp turn"
    if board.size == 3 and is_two_connected(board):
        yield Prediction("Gourds, Observation 1", "components", 2 if sharp else 1)
    if sharp:
        return
    if not is_two_connected(board):
        if pieces >= 2:
            yield Prediction("Thesis, section 7.1 (1-connected)", "maximally connected", False)
        return
    if not is_hole_free(board):
        return
    if ("star", ()) in congruent_families(board):
        yield Prediction("Gourds, section 2 (star)", "maximally connected", False)
        return
    yield Prediction("Gourds, Theorem 9", "group", f"C2 wr Sym({pieces})")
    yield Prediction("Gourds, Theorem 9", "maximally connected", True)


def gourds_theorem(puzzle: Puzzle) -> str | None:
    """Return the theorem by which all configurations of gourds are connected, or None if none says so.

    The conjecture on boards with holes (`slidelab.reach.criterion`) is no theorem, and does not count.

    Examples
    --------
    >>> import slidelab as sl
    >>> gourds_theorem(sl.puzzle("hex F(3) gourds")), gourds_theorem(sl.puzzle("hex star gourds"))
    ('Gourds, Theorem 9', None)
    """
    if puzzle.rule.corner != "pivot" or puzzle.hole_count != 1 or puzzle.board.kind != "hex":
        return None
    return "Gourds, Theorem 9" if is_proper(puzzle.board) else _cycle_theorem(puzzle.board)


def cycle_predictions(puzzle: Puzzle) -> Iterator[Prediction]:
    """Yield what section 7.2 of the thesis predicts of gourds on a board with holes.

    Besides `predictions`, since the search for a Hamiltonian cycle can take `CYCLE_SECONDS`.

    Examples
    --------
    >>> import slidelab as sl
    >>> ringed = sl.puzzle("hex 0,0 1,0 2,0 3,0 4,0 0,1 2,1 3,1 4,1 0,2 1,2 2,2 3,2 4,2 -1,3", "gourds")
    >>> for p in cycle_predictions(ringed):
    ...     print(p.name, "|", p.quantity, "|", p.value)
    """
    name = gourds_theorem(puzzle)
    if name in (AROUND_NO_HOLE, WITH_STATION):
        yield Prediction(name, "group", f"C2 wr Sym({puzzle.piece_count})")
        yield Prediction(name, "maximally connected", True)


AROUND_NO_HOLE = "Thesis, section 7.2 (a Hamiltonian cycle around no hole)"
WITH_STATION = "Thesis, section 7.2 (a Hamiltonian cycle with a swapping station)"


@lru_cache(maxsize=8)
def _cycle_theorem(board: Board) -> str | None:
    """Return which part of section 7.2 applies: a Hamiltonian cycle around no hole, or with a station."""
    from slidelab.boards import cycle_along, find_cycle, is_hole_free_cycle
    from slidelab.boards.cycle_growth import grow_cycle

    if board.size % 2 == 0 or is_hole_free(board):
        return None
    stations = set(_swapping_stations(board))
    budget = Budget.of(time=CYCLE_SECONDS)
    try:
        grown = grow_cycle(board, budget)  # which is quick, and finds most cycles
        if grown is not None and is_hole_free_cycle(board, grown):
            return AROUND_NO_HOLE
        if grown is not None and _has_station(grown, stations):
            return WITH_STATION
        found = find_cycle(board, budget=budget)
        if found is None:
            return None
        if found.hole_free:
            return AROUND_NO_HOLE
        if _has_station(found.cells, stations):
            return WITH_STATION
        return None if cycle_along(board, sorted(stations), budget=budget) is None else WITH_STATION
    except PuzzleError:  # nothing was found in time, or the solver is not installed
        return None


def _has_station(cycle: Cells, stations: set[Cells]) -> bool:
    """Return whether a Hamiltonian cycle runs along one of the paths, in either direction."""
    around = cycle + cycle[:4]
    passed = (around[k : k + 5] for k in range(len(cycle)))
    return any(path in stations or path[::-1] in stations for path in passed)


def _swapping_stations(board: Board) -> list[Cells]:
    """Return all paths a b c d e where a, c and e touch each other; there two gourds can be swapped."""
    near = board.neighbours
    return [
        (a, b, c, d, e)
        for triangle in triangles(board)
        for a, c, e in permutations(triangle)
        if a < e  # and not the same path backwards
        for b in near[a]
        for d in near[e]
        if b in near[c] and d in near[c] and len({a, b, c, d, e}) == 5
    ]


# Theorems that decide between a start and a goal


def deciding_theorem(start: Configuration, goal: Configuration) -> tuple[str, bool] | None:
    """Return the name of a theorem that decides and whether it says yes, or None if none decides.

    Tiles, two or more holes: yes on a 2-connected board that is no cycle [KMS]_. Tiles, one hole: on a
    bipartite board a move swaps the hole with a tile on the other colour, so the sign of the permutation of
    all cells and the colour of the hole change together: no, if they disagree. If they agree, or the board is
    not bipartite, yes if it is 2-connected, no cycle, not theta0 [W]_. Hexagonal tiles: yes between any two
    configurations that can move, where the puzzle is maximally connected (Theorem 1.3 and Corollary 1.4 of
    [HEX]_), and on strips of two rows if the tiles have the same order (Theorem 1.1). Gourds, coloured or
    not: yes with one hole on a proper board (Theorem 9 of [G]_).

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> deciding_theorem(p.configuration("2 1 3 4 5 6 7 8 ."), p.goal)
    ('the checkerboard argument', False)
    """
    puzzle = start.puzzle
    board = puzzle.board
    if puzzle.rule.corner == "pivot":
        name = gourds_theorem(puzzle)
        return None if name is None else (name, True)
    order = strip_order(puzzle) if puzzle.rule.needs_companion and board.kind == "hex" else None
    if order is not None:
        looks: Sequence[object] = puzzle.colours or range(puzzle.piece_count)
        here, there = ([looks[k - 1] for k in pieces_along(each, order)] for each in (start, goal))
        return (strip_theorem(board), True) if start.moves and goal.moves and here == there else None
    if puzzle.rule.needs_companion and puzzle.hole_count > 2:
        moving = start.moves and goal.moves
        names = (
            p.name for p in predictions(puzzle.uncoloured) if p.quantity == "maximally connected" and p.value
        )
        return (name, True) if moving and (name := next(names, None)) else None
    if not puzzle.rule.slides_along_edges or puzzle.colours is not None:
        return None
    rich = is_two_connected(board) and not is_cycle(board)
    if puzzle.hole_count > 1:
        return ("Kornhauser, Miller, Spirakis", True) if rich else None
    colour = two_colouring(board)
    if colour is not None:
        image = list(range(board.size))
        for (a,), (b,) in zip((*start.pieces, start.holes), (*goal.pieces, goal.holes), strict=True):
            image[a] = b
        if is_even(image) != (colour[start.holes[0]] == colour[goal.holes[0]]):
            return "the checkerboard argument", False
    return ("Wilson (Theorem 4.7)", True) if rich and not is_theta0(board) else None


# The connection number


def connection_prediction(puzzle: Puzzle) -> Prediction | None:
    """Return the smallest number of holes with one component, or None where no theorem gives it.

    Examples
    --------
    >>> import slidelab as sl
    >>> connection_prediction(sl.puzzle("hex P(5,5)"))
    Prediction(name='Theorem 1.7', quantity='connection number', value=3)
    """
    board = puzzle.board
    if puzzle.rule.slides_along_edges:
        number = _tile_connection(board)
        name = "Kornhauser, Miller, Spirakis"
        return None if number is None else Prediction(name, "connection number", number)
    if not puzzle.rule.needs_companion:
        return None
    for family, numbers in congruent_families(board):
        smaller = min(numbers, default=0)
        if (family in "PF" and smaller >= 3) or (family == "T" and smaller >= 5):
            return Prediction("Theorem 1.7", "connection number", 3)
        if family == "P" and smaller == 2:
            return Prediction("Theorem 1.1", "connection number", board.size - 1)
    return None


def _tile_connection(board: Board) -> int | None:
    """Return the connection number of tiles, by bisection: on a connected board one more hole never hurts."""
    if not is_connected(board):
        if len(components(board)) > MAX_CONNECTION_PARTS or board.size > MAX_CONNECTION_CELLS:
            return None
        return next((h for h in range(1, board.size) if _tile_components(board, h)[0] == 1), None)
    low, high = 1, board.size - 1
    while low < high:
        middle = (low + high) // 2
        if _all_tiles_mix(board, middle):
            high = middle
        else:
            low = middle + 1
    return low if board.size > 1 else None


def _all_tiles_mix(board: Board, holes: int) -> bool:
    """Return whether the group is the symmetric group, without computing its order."""
    tiles = board.size - holes
    if tiles <= 1:
        return True
    if is_cycle(board):
        return tiles == 2
    if holes > 1:
        return tile_regions(board, holes) == [tiles]
    return is_two_connected(board) and not is_theta0(board) and not is_bipartite(board)
