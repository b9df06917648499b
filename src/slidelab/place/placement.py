"""Coloured gourds: place every gourd so that both its ends are on cells of their colours.

This is NP-complete (Hamersma, van Kreveld, Uno and van der Zanden, "Gourds: a sliding-block puzzle with
turning", theorem 1). Counting and matchings come first, and often prove that there is no placement; then
`search`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from slidelab.boards import Board, Edge
from slidelab.boards.matching import edge_matching
from slidelab.budget import Budget
from slidelab.display import SvgDisplay
from slidelab.errors import NotationError, OutOfTime, Unsolvable
from slidelab.messages import quoted
from slidelab.place.ascii import draw_gourds
from slidelab.place.problem import ColourPair, PlacementProblem, colour_pair
from slidelab.place.proofs import infeasibility_proof
from slidelab.place.search import PlacementSearch
from slidelab.place.travel import ChosenEdges, TravelCosts
from slidelab.puzzles import Configuration

__all__ = ["Placement", "place", "placements"]

MAX_SINGLE_CHOICES = 3_000
"""Pairs of a gourd and an edge up to which a placement near a position is chosen gourd by gourd."""


@dataclass(frozen=True, slots=True)
class Placement(SvgDisplay):
    """Where each gourd is, or why there is no placement.

    Attributes
    ----------
    feasible : bool
        Whether there is a placement; also the truth value of the object.
    gourds : tuple of (int, int)
        The head cell and the tail cell of each gourd, in the order of the problem; empty if there is none.
    reason : str
        How the placement was found, or why there is none.
    problem : PlacementProblem
        What was to be placed.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> found = place(board("path(3)"), ["red", "blue", "."], [("blue", "red")])
    >>> found
    Placement(feasible=True, gourds=((1, 0),), reason='found by search')
    >>> found.configuration.text
    'path(3) gourds 1 : 1-0=blue-red'
    """

    feasible: bool
    gourds: tuple[Edge, ...]
    reason: str
    problem: PlacementProblem = field(repr=False)

    def __bool__(self) -> bool:
        return self.feasible

    def __str__(self) -> str:
        if not self.feasible:
            return self.reason
        return draw_gourds(self.problem.board, list(zip(self.gourds, self.problem.gourds, strict=True)))

    @property
    def text(self) -> str:
        """The position in one line, which `slidelab.position` reads; the gourds alone if no cell is empty."""
        if self.problem.board.size > 2 * len(self.gourds) > 0:
            return self.configuration.text
        both = zip(self.gourds, self.problem.gourds, strict=True)
        return " ".join(f"{head}-{tail}={first}-{second}" for (head, tail), (first, second) in both)

    @property
    def configuration(self) -> Configuration:
        """The placement as a configuration of the coloured puzzle, in which gourds of a class are alike.

        A puzzle has at least one hole: if gourds cover the whole board, `text`, `gourds` and `to_json` have
        the placement, and this raises `NotationError`.
        """
        if not self.feasible:
            raise Unsolvable(self.reason)
        board = self.problem.board
        if 2 * len(self.gourds) == board.size:
            raise NotationError(
                f"expected an empty cell, as every puzzle has one, got gourds on all {board.size} cells - "
                f"on {quoted(board.name)}"
            )
        puzzle = self.problem.puzzle
        placed: dict[tuple[str, ...], list[Edge]] = {}
        for labels, cells in zip(self.problem.gourds, self.gourds, strict=True):
            pair = colour_pair(labels)
            placed.setdefault(pair, []).append(cells if labels == pair else cells[::-1])
        return Configuration(puzzle, tuple(placed[labels].pop() for labels in puzzle.colours or ()))

    def to_json(self) -> dict[str, Any]:
        """Return the placement as a JSON object, with the reason.

        One that leaves a cell empty has its puzzle, so that `slidelab.position` reads it.
        """
        value: dict[str, Any] = {
            "feasible": self.feasible,
            "gourds": [list(cells) for cells in self.gourds],
            "reason": self.reason,
        }
        if self.problem.board.size > 2 * len(self.gourds) > 0:
            colours = [list(labels) for labels in self.problem.gourds]  # in the order of the gourds
            value["puzzle"] = {**self.problem.puzzle.to_json(), "colours": colours}
        return value


def place(
    board: Board,
    cells: Sequence[str],
    gourds: Sequence[ColourPair],
    *,
    near: Configuration | None = None,
    budget: Budget | None = None,
) -> Placement:
    """Place all gourds on the board, each end on a cell of its colour.

    Parameters
    ----------
    board
        Any board.
    cells
        The colour of each cell; ``.`` for a cell that stays empty.
    gourds
        The colours of both ends of each gourd.
    near
        A configuration of the same gourds: prefer a placement that is near to it.
    budget
        Time and memory that the search may use.

    Raises
    ------
    NotationError
        If colours or gourds do not fit the board.
    OutOfTime
        If the deadline comes before the answer.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> place(board("cycle(4)"), ["red", "red", "blue", "blue"], [("red", "blue")] * 2).gourds
    ((0, 3), (1, 2))
    >>> print(place(board("path(4)"), ["red", "red", "blue", "blue"], [("red", "blue")] * 2).reason)
    2 blue-red gourds, but blue and red cells touch only in 1 place
    """
    budget = budget or Budget()
    problem = PlacementProblem.of(board, cells, gourds)
    travel = TravelCosts(problem, near) if near is not None else None
    if reason := infeasibility_proof(problem):
        return Placement(False, (), reason, problem)
    chosen = _any_placement(problem, budget)
    if chosen is None:
        return Placement(False, (), "a search through all cases found no placement", problem)
    if travel is None:
        return Placement(True, _oriented(problem, chosen), "found by search", problem)
    chosen = _nearest_placement(problem, chosen, travel, budget)
    return Placement(True, _oriented(problem, chosen, travel), "found by search, near the position", problem)


def placements(
    board: Board, cells: Sequence[str], gourds: Sequence[ColourPair], *, budget: Budget | None = None
) -> Iterator[Configuration]:
    """Yield all placements, for small boards; gourds of a class are alike.

    Parameters
    ----------
    board, cells, gourds
        As for `place`.
    budget
        Its deadline ends the enumeration with `OutOfTime`.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> red_and_blue = placements(board("path(3)"), ["red", "blue", "red"], [("red", "blue")])
    >>> [placed.pieces_text for placed in red_and_blue]
    ['1-2=blue-red', '1-0=blue-red']
    """
    problem = PlacementProblem.of(board, cells, gourds)
    for chosen in _all(problem, budget or Budget()):
        yield Placement(True, _oriented(problem, chosen), "one of all", problem).configuration


@dataclass(frozen=True, slots=True)
class _Partial:
    """All cells before `cell` are decided: joined to a partner, or empty."""

    cell: int
    partner: dict[int, int]
    left: Counter[ColourPair]
    empty: int


def _all(problem: PlacementProblem, budget: Budget) -> Iterator[ChosenEdges]:
    """Yield all choices, cell by cell: it stays empty, or is joined to a later neighbour."""
    size = problem.board.size
    stack = [iter([_Partial(0, {}, Counter(problem.counts), size - 2 * len(problem.gourds))])]
    while stack:
        here = next(stack[-1], None)
        if budget.expired:
            raise OutOfTime
        if here is None:
            stack.pop()
        elif (cell := _next_cell(here, size)) < size:
            stack.append(_longer(problem, here, cell))
        else:
            chosen: ChosenEdges = {pair: [] for pair in problem.counts}
            for a, b in here.partner.items():
                if a < b:
                    chosen[colour_pair((problem.cells[a], problem.cells[b]))].append((a, b))
            yield chosen


def _next_cell(here: _Partial, size: int) -> int:
    return next((cell for cell in range(here.cell, size) if cell not in here.partner), size)


def _longer(problem: PlacementProblem, here: _Partial, cell: int) -> Iterator[_Partial]:
    """Yield all ways to go on with a cell."""
    if here.empty:
        yield _Partial(cell + 1, here.partner, here.left, here.empty - 1)
    for other in problem.board.neighbours[cell]:
        pair = colour_pair((problem.cells[cell], problem.cells[other]))
        if other > cell and other not in here.partner and here.left[pair]:
            joined = {**here.partner, cell: other, other: cell}
            yield _Partial(cell + 1, joined, here.left - Counter([pair]), here.empty)


def _any_placement(problem: PlacementProblem, budget: Budget) -> ChosenEdges | None:
    """Return any placement, part by part; a class that shares its colours with no other is a matching."""
    chosen: ChosenEdges = {}
    found: ChosenEdges | None
    for part in sorted(problem.parts, key=len):
        if len(part) == 1:
            matching = edge_matching(problem.edges[part[0]])
            found = {part[0]: matching[: problem.counts[part[0]]]}
            if len(matching) < problem.counts[part[0]]:
                return None
        elif (found := PlacementSearch(problem, part, budget).first()) is None:
            return None
        chosen |= found
    return chosen


def _nearest_placement(
    problem: PlacementProblem, first: ChosenEdges, travel: TravelCosts, budget: Budget
) -> ChosenEdges:
    """Return the best of three: the first, edges by their nearest gourds, gourd by gourd if there are few."""
    best = first
    choices = sum(number * len(problem.edges[pair]) for pair, number in problem.counts.items())
    for single in (False, True)[: 1 + (choices <= MAX_SINGLE_CHOICES)]:
        found = PlacementSearch(problem, list(problem.counts), budget).nearest(best, travel, single=single)
        best = min(best, found, key=travel.total)
    return best


def _oriented(
    problem: PlacementProblem, chosen: ChosenEdges, travel: TravelCosts | None = None
) -> tuple[Edge, ...]:
    """Return the head and tail cell of each gourd, in the order in which the gourds are listed."""
    free: dict[ColourPair, Iterator[Edge]] = {}
    for pair, edges in chosen.items():
        if travel:
            free[pair] = iter(travel.assigned(pair, edges))
        else:
            free[pair] = iter([problem.orientations(pair, edge)[0] for edge in edges])
    placed: list[Edge] = []
    for labels in problem.gourds:
        head, tail = next(free[colour_pair(labels)])
        placed.append((head, tail) if labels == colour_pair(labels) else (tail, head))
    return tuple(placed)
