"""Which computation answers a question about a puzzle: the gain graph, the regions, a theorem, or none.

Every question about what can be reached (a verdict, a shuffle, an analysis, whether to solve) is
answered along one of three routes. They are tried in this order, and the choice is made here only:

1. **Gain graph.** All shapes of the puzzle and the group of their loops. It answers every question and
   proves what it says, for any rule, but takes time and memory that grow with the number of shapes.
2. **Regions.** Tiles that slide along edges, on a board of any size: the regions of the board
   (`slidelab.reach.regions`) give the orbits of the tiles and the group on each, in linear time.
3. **Theorem.** Other pieces, on boards of any size, where a theorem of the papers says that every
   configuration can be reached (`slidelab.reach.theorems`), or where the program itself proves what can be
   reached, by patching (`slidelab.reach.prover`).

The gain graph is passed over at once where it would take longer than about a second and another route
is known to answer (`find_route`). It is also given up when it turns out to exceed the budget while it is
built (`answer`). If the remaining route does not answer either, `answer` raises `TooLarge` with both
reasons: that the gain graph is too large, and that no theorem applies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Literal, TypeVar

from slidelab.boards import holes_in_board, is_connected, why_not_proper
from slidelab.budget import MAX_SHAPES, Budget
from slidelab.errors import TooLarge
from slidelab.gains import count_shapes
from slidelab.messages import quoted
from slidelab.puzzles import Puzzle
from slidelab.reach.prover.search import find_proof
from slidelab.reach.regions import region_groups
from slidelab.reach.theorems import gourds_theorem, predictions

__all__ = ["Route", "RouteName", "answer", "find_route"]

T = TypeVar("T")

RouteName = Literal["gain graph", "regions", "theorem"]

MAX_TILES = 400
"""Tiles up to which the gain graph decides: the group of more takes longer than a second."""

MAX_GRAPH_WORK = 3_000_000
"""Shapes times pieces up to which the gain graph decides: it is built in less than a second."""

MAX_GROUP_WORK = 30_000_000
"""Shapes times tiles up to which an analysis computes the group though a proof would answer: seconds."""

MIN_UNCOUNTED_CELLS = 100
"""Cells from which on pieces of two cells have too many shapes, unless a quick count says otherwise."""

MAX_COUNT_WORK = 100_000
"""Steps of `count_shapes` for that quick count: some tenths of a second."""

MAX_GROUP_TILES = 5_000
"""Tiles up to which a whole group is computed: of more, only what the regions say is quick."""

MAX_GROUP_REGIONS = 64
"""Regions, hence orbits of the group, up to which a whole group is computed."""


@dataclass(frozen=True, slots=True)
class Route:
    """The route by which a puzzle is answered, and why it is not the gain graph (empty if it is)."""

    name: RouteName
    reason: str = ""


def find_route(puzzle: Puzzle, budget: Budget | None = None, *, whole_group: bool = False) -> Route:
    """Return the first route to try for a puzzle, without building anything.

    Parameters
    ----------
    puzzle
    budget
        Whoever allows more shapes than the default has them counted, however long that takes.
    whole_group
        Whether families, groups and components are wanted rather than one decision. The gain graph is then
        worth more time: it is the only route that computes them.

    Examples
    --------
    >>> import slidelab as sl
    >>> find_route(sl.puzzle("square R(8,8)")).name, find_route(sl.puzzle("square R(8,8) tiles 5")).name
    ('gain graph', 'regions')
    >>> find_route(sl.puzzle("hex F(3) gourds")).name, find_route(sl.puzzle("hex F(9) gourds")).name
    ('gain graph', 'theorem')
    >>> find_route(sl.puzzle("square R(41,41) gourds"))
    Route(name='theorem', reason="'square R(41,41) gourds 1' has too many shapes to count")
    """
    reason = _slow_group(puzzle, budget) if whole_group else _slow_graph(puzzle, budget)
    return Route("gain graph") if reason is None else _without_graph(puzzle, reason)


def answer(
    puzzle: Puzzle,
    budget: Budget | None = None,
    *,
    by_graph: Callable[[], T],
    by_regions: Callable[[str], T],
    by_theorem: Callable[[str], T | None],
    whole_group: bool = False,
) -> T:
    """Return what the first route that answers says.

    Parameters
    ----------
    puzzle, budget, whole_group
        As for `find_route`.
    by_graph
        Answer with the gain graph; may raise `TooLarge`.
    by_regions, by_theorem
        Answer without it, given the reason why. `by_theorem` returns None if no theorem applies.

    Raises
    ------
    TooLarge
        If no route answers. The message says why the gain graph does not, and why no theorem does.

    Examples
    --------
    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> def shapes(puzzle: sl.Puzzle, budget: sl.Budget) -> str:
    ...     return answer(
    ...         puzzle,
    ...         budget,
    ...         by_graph=lambda: f"{gain_graph(puzzle, budget).shapes} shapes",
    ...         by_regions=lambda reason: reason,
    ...         by_theorem=lambda reason: reason,
    ...     )
    >>> shapes(sl.puzzle("square R(3,3)"), sl.Budget())
    '9 shapes'
    >>> shapes(sl.puzzle("square R(3,3)"), sl.Budget(max_shapes=5)).split(";")[0]
    'square R(3,3) tiles 1 has 9 shapes, and the limit is 5'
    """
    route, problem = find_route(puzzle, budget, whole_group=whole_group), None
    if route.name == "gain graph":
        try:
            return by_graph()
        except TooLarge as error:
            route, problem = _without_graph(puzzle, str(error)), error
    if route.name == "regions":
        return by_regions(route.reason)
    found = by_theorem(route.reason)
    if found is None:
        raise TooLarge(f"{route.reason}; {_why_no_theorem(puzzle)}") from problem
    return found


def _without_graph(puzzle: Puzzle, reason: str) -> Route:
    return Route("regions" if puzzle.rule.slides_along_edges else "theorem", reason)


def _slow_graph(puzzle: Puzzle, budget: Budget | None) -> str | None:
    """Return why one decision should not wait for the gain graph, or None if it may."""
    rule, board = puzzle.rule, puzzle.board
    if rule.slides_along_edges:
        return (
            "the regions of the board answer sooner than its gain graph" if _has_many_tiles(puzzle) else None
        )
    if rule.needs_companion:
        return _patched_sooner(puzzle, budget, MAX_GRAPH_WORK)
    if rule.cells != 2:
        return None
    if rule.corner == "pivot" and puzzle.hole_count == 1 and _has_many_shapes(puzzle, budget):
        name = gourds_theorem(puzzle)
        if name is not None:
            return f"{name} answers sooner than the gain graph"
    if budget is not None and budget.max_shapes > MAX_SHAPES:
        return None
    if board.size >= MIN_UNCOUNTED_CELLS and count_shapes(puzzle, MAX_COUNT_WORK, budget=budget) is None:
        return f"{quoted(puzzle.uncoloured.text)} has too many shapes to count"
    return None


def _patched_sooner(puzzle: Puzzle, budget: Budget | None, max_work: int) -> str | None:
    """Return why hexagonal tiles need not wait for their gain graph: a theorem or a proof answers sooner.

    With two holes there are few shapes that can move, so only the number of tiles counts.

    >>> import slidelab as sl
    >>> puzzles = map(sl.puzzle, ("hex P(5,5)", "hex P(9,9) hextiles 4", "hex convex(9,9,1,2) hextiles 4"))
    >>> [_patched_sooner(puzzle, None, MAX_GRAPH_WORK) for puzzle in puzzles]
    [None, 'Theorem 1.3 answers sooner than the gain graph', 'patching answers sooner than the gain graph']
    """
    tiles, holes = puzzle.piece_count, puzzle.hole_count
    if holes <= 2:
        few = tiles <= MAX_TILES
    else:
        few = comb(puzzle.board.size, holes) * tiles <= max_work
    if few or puzzle.board.kind != "hex":
        return None
    known = predictions(puzzle.uncoloured) if holes > 2 else ()
    name = next((each.name for each in known if each.quantity == "maximally connected" and each.value), None)
    if name is None and isinstance(find_proof(puzzle.uncoloured, budget), str):
        return None
    return f"{name or 'patching'} answers sooner than the gain graph"


def _has_many_tiles(puzzle: Puzzle) -> bool:
    shapes = comb(puzzle.board.size, puzzle.hole_count)
    return puzzle.piece_count > MAX_TILES or shapes * puzzle.piece_count > MAX_GRAPH_WORK


def _has_many_shapes(puzzle: Puzzle, budget: Budget | None) -> bool:
    if puzzle.board.size >= MIN_UNCOUNTED_CELLS:
        return True
    shapes = count_shapes(puzzle, budget=budget)
    return shapes is None or shapes * puzzle.piece_count > MAX_GRAPH_WORK


def _slow_group(puzzle: Puzzle, budget: Budget | None) -> str | None:
    """Return why the whole group is not computed, or None if it is (few shapes may hold many tiles)."""
    if puzzle.rule.needs_companion and puzzle.colours is None:
        return _patched_sooner(puzzle, budget, MAX_GROUP_WORK)
    if puzzle.colours is not None or not puzzle.rule.slides_along_edges or not is_connected(puzzle.board):
        return None
    if puzzle.piece_count > MAX_GROUP_TILES:
        return f"{puzzle.piece_count:,} tiles, and groups are computed for up to {MAX_GROUP_TILES:,}"
    found = len(region_groups(puzzle.board, puzzle.hole_count)) if _has_many_tiles(puzzle) else 0
    if found > MAX_GROUP_REGIONS:
        return f"{found:,} regions, and groups are computed for up to {MAX_GROUP_REGIONS}"
    return None


def _why_no_theorem(puzzle: Puzzle) -> str:
    """Return why no theorem says what can be reached, as half a sentence.

    >>> import slidelab as sl
    >>> _why_no_theorem(sl.puzzle("hex P(9,1) gourds"))
    'no theorem says what gourds can do there: cell 0 is a leaf: it touches cell 1 only'
    """
    board, holes = puzzle.board, puzzle.hole_count
    if puzzle.rule.needs_companion and board.kind == "hex":
        found = find_proof(puzzle.uncoloured)
        return f"patching finds no proof: {found}" if isinstance(found, str) else "no theorem says so"
    if puzzle.rule.corner != "pivot":
        return "no theorem helps"
    if holes != 1:
        return f"with {holes} holes no theorem says what gourds can do; an odd number of cells leaves one"
    if board.kind != "hex":
        return f"no theorem says what gourds can do on a {board.kind} board"
    if is_connected(board) and holes_in_board(board):
        return f"what gourds can do on such boards is not known, but conjectured: {why_not_proper(board)}"
    return f"no theorem says what gourds can do there: {why_not_proper(board)}"
