"""Coloured gourds: lay every gourd so that both its ends lie on cells of their colours.

Gourds with the same colours are alike, so the search chooses edges of the board, not gourds: as many edges
of each pair of colours as there are such gourds, and no two that share a cell. This is NP-complete
(Hamersma, van Kreveld, Uno and van der Zanden, "Gourds: a sliding-block puzzle with turning", theorem 1).
Counting and matchings come first, and often say why not; then CP-SAT, with one thread, fixed seeds and limits
in its own measure of work, so that the same question has the same answer every time.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from slidelab.arguments import check_seconds
from slidelab.boards import Board, Edge
from slidelab.boards.matching import edge_matching
from slidelab.budget import ProgressCallback
from slidelab.display import SvgDisplay
from slidelab.errors import PuzzleError, TooLarge, Unsolvable
from slidelab.messages import quoted
from slidelab.place.drawing import drawn_gourds
from slidelab.place.nearest import Chosen, Journeys
from slidelab.place.proofs import why_not
from slidelab.place.question import Pair, Question, pair_of
from slidelab.puzzles import Configuration

__all__ = ["Placement", "place", "placements"]

# Some searches take a thousand times longer than others on the same question, by bad luck alone: so each is
# given up after some work, in the solver's own measure, and the next tries another way, later with more work.
FIRST_WORK = 0.25
LINEARIZATIONS = (1, 2, 0)

# Work for a placement near another one, in the solver's own measure (a second or two): unlike a time by the
# clock it ends at the same answer on every machine.
NEAR_WORK = 0.4

# A placement near another one is chosen gourd by gourd up to so many pairs of a gourd and an edge.
MOST_CHOICES = 3_000

# The solver may stop so many seconds before its time.
MOST_EARLY = 0.5


@dataclass(frozen=True, slots=True)
class Placement(SvgDisplay):
    """Where each gourd lies, its head cell and its tail cell; or why there is no such placement.

    >>> from slidelab.boards import board
    >>> found = place(board("path(3)"), ["red", "blue", "."], [("blue", "red")])
    >>> found.gourds
    ((1, 0),)
    >>> found.configuration.text
    'path(3) gourds 1 : 1-0=blue-red'
    """

    feasible: bool
    gourds: tuple[Edge, ...]
    reason: str
    question: Question = field(repr=False)

    def __bool__(self) -> bool:
        return self.feasible

    def __str__(self) -> str:
        if not self.feasible:
            return self.reason
        return drawn_gourds(self.question.board, list(zip(self.gourds, self.question.gourds, strict=True)))

    @property
    def text(self) -> str:
        """The position in one line, which `slidelab.position` reads; the gourds alone if no cell is empty."""
        if self.question.board.size > 2 * len(self.gourds) > 0:
            return self.configuration.text
        both = zip(self.gourds, self.question.gourds, strict=True)
        return " ".join(f"{head}-{tail}={first}-{second}" for (head, tail), (first, second) in both)

    @property
    def configuration(self) -> Configuration:
        """The placement as a configuration of the coloured puzzle, where gourds alike have no names."""
        if not self.feasible:
            raise Unsolvable(self.reason)
        puzzle = self.question.puzzle
        laid: dict[tuple[str, ...], list[Edge]] = {}
        for labels, cells in zip(self.question.gourds, self.gourds, strict=True):
            pair = pair_of(labels)
            laid.setdefault(pair, []).append(cells if labels == pair else cells[::-1])
        return Configuration(puzzle, tuple(laid[labels].pop() for labels in puzzle.colours or ()))

    def to_json(self) -> dict[str, Any]:
        """The design's JSON form, with the reason."""
        return {
            "feasible": self.feasible,
            "gourds": [list(cells) for cells in self.gourds],
            "reason": self.reason,
        }


def place(
    board: Board,
    cells: Sequence[str],
    gourds: Sequence[tuple[str, str]],
    *,
    near: Configuration | None = None,
    seconds: float | None = None,
    progress: ProgressCallback | None = None,
) -> Placement:
    """Lay all gourds on the board, each end on a cell of its colour.

    Parameters
    ----------
    board : Board
    cells : sequence of str
        The colour of each cell; ``.`` for a cell that stays empty.
    gourds : sequence of (str, str)
        The colours of both ends of each gourd.
    near : Configuration, optional
        The same gourds as they lie now: prefer a placement to which they have a short way.
    seconds : float, optional
        `TooLarge` if that is not enough.
    progress : callable, optional
        Called with a phase, how much is done, and 0 (nobody knows how much there is).

    Examples
    --------
    >>> from slidelab.boards import board
    >>> place(board("cycle(4)"), ["red", "red", "blue", "blue"], [("red", "blue")] * 2).gourds
    ((0, 3), (1, 2))
    >>> print(place(board("path(4)"), ["red", "red", "blue", "blue"], [("red", "blue")] * 2).reason)
    2 blue-red gourds, but blue and red cells touch only in 1 place
    """
    check_seconds(seconds)
    clock = _Clock(seconds, progress)
    question = Question(board, tuple(cells), tuple(gourds))
    journeys = Journeys(question, near) if near is not None else None
    if reason := why_not(question):
        return Placement(False, (), reason, question)
    chosen = _first(question, clock)
    if chosen is None:
        return Placement(False, (), "a search through all cases found no placement", question)
    if journeys is None:
        return Placement(True, _laid(question, chosen), "found by search", question)
    chosen = _nearest(question, chosen, journeys, clock)
    return Placement(True, _laid(question, chosen, journeys), "found by search, near the position", question)


def placements(
    board: Board, cells: Sequence[str], gourds: Sequence[tuple[str, str]]
) -> Iterator[Configuration]:
    """All placements one by one, gourds alike not told apart; for small boards.

    >>> from slidelab.boards import board
    >>> red_and_blue = placements(board("path(3)"), ["red", "blue", "red"], [("red", "blue")])
    >>> [placed.pieces_text for placed in red_and_blue]
    ['1-2=blue-red', '1-0=blue-red']
    """
    question = Question(board, tuple(cells), tuple(gourds))
    for chosen in _all(question, 0, {}, Counter(question.budget), board.size - 2 * len(question.gourds)):
        yield Placement(True, _laid(question, chosen), "one of all", question).configuration


def _all(
    question: Question, cell: int, taken: dict[int, int], left: Counter[Pair], empty: int
) -> Iterator[Chosen]:
    """Cell by cell: it stays empty, or is joined to a later neighbour."""
    size = question.board.size
    while cell < size and cell in taken:
        cell += 1
    if cell == size:
        chosen: Chosen = {pair: [] for pair in question.budget}
        for a, b in taken.items():
            if a < b:
                chosen[pair_of((question.cells[a], question.cells[b]))].append((a, b))
        yield chosen
        return
    if empty:
        yield from _all(question, cell + 1, taken, left, empty - 1)
    for other in question.board.neighbours[cell]:
        pair = pair_of((question.cells[cell], question.cells[other]))
        if other > cell and other not in taken and left[pair]:
            with_it = {**taken, cell: other, other: cell}
            yield from _all(question, cell + 1, with_it, left - Counter([pair]), empty)


def _first(question: Question, clock: _Clock) -> Chosen | None:
    """Any placement, part by part; a class that shares its colours with no other is a plain matching."""
    chosen: Chosen = {}
    found: Chosen | None
    for part in sorted(question.parts, key=len):
        if len(part) == 1:
            fit = edge_matching(question.edges[part[0]])
            found = {part[0]: fit[: question.budget[part[0]]]}
            if len(fit) < question.budget[part[0]]:
                return None
        elif (found := _Search(question, part, clock).first()) is None:
            return None
        chosen |= found
    return chosen


def _nearest(question: Question, first: Chosen, journeys: Journeys, clock: _Clock) -> Chosen:
    """The best of three: edges by their nearest gourds, then gourd by gourd if they are not too many."""
    best = first
    choices = sum(number * len(question.edges[pair]) for pair, number in question.budget.items())
    for single in (False, True)[: 1 + (choices <= MOST_CHOICES)]:
        found = _Search(question, list(question.budget), clock).nearest(best, journeys, single=single)
        best = min(best, found, key=journeys.total)
    return best


def _laid(question: Question, chosen: Chosen, journeys: Journeys | None = None) -> tuple[Edge, ...]:
    """Give the chosen edges to the gourds, in the order in which these were listed."""
    free: dict[Pair, Iterator[Edge]] = {}
    for pair, edges in chosen.items():
        if journeys:
            free[pair] = iter(journeys.assigned(pair, edges))
        else:
            free[pair] = iter([question.ways(pair, edge)[0] for edge in edges])
    out: list[Edge] = []
    for labels in question.gourds:
        head, tail = next(free[pair_of(labels)])
        out.append((head, tail) if labels == pair_of(labels) else (tail, head))
    return tuple(out)


class _Clock:
    """When to stop, and whom to tell meanwhile."""

    def __init__(self, seconds: float | None, progress: ProgressCallback | None) -> None:
        self.seconds = seconds
        self.progress = progress
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """Seconds left, None if there is no end to it."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())


class _Search:
    """The model: one Boolean for each edge of the board on which a gourd of some classes fits."""

    def __init__(self, question: Question, pairs: Sequence[Pair], clock: _Clock) -> None:
        self._cp = _solver_package()
        self._question = question
        self._pairs = pairs
        self._clock = clock
        self._model = self._cp.CpModel()
        self._chosen: dict[Edge, Any] = {}
        self._add_edges()
        self._add_cells()
        self._add_triangles()

    def first(self) -> Chosen | None:
        """Any placement, None if there is none, `TooLarge` if time is up."""
        for attempt in count():
            solver = self._solver()
            solver.parameters.random_seed = attempt + 1
            solver.parameters.linearization_level = LINEARIZATIONS[attempt % len(LINEARIZATIONS)]
            work = FIRST_WORK * 2 ** (attempt // len(LINEARIZATIONS))
            solver.parameters.max_deterministic_time = work
            status = solver.solve(self._model)
            if status in (self._cp.OPTIMAL, self._cp.FEASIBLE):
                return self._read(solver)
            if status == self._cp.INFEASIBLE:
                return None
            if self._clock.left is not None and self._clock.left < MOST_EARLY:
                break
            if solver.response_proto.deterministic_time < work:
                raise KeyboardInterrupt  # nothing else stops the solver, which keeps the signal to itself
        raise TooLarge(
            f"found no placement of {len(self._question.gourds)} gourds on "
            f"{quoted(self._question.board.name)} in {self._clock.seconds:g} seconds, "
            "nor a proof that there is none"
        )

    def nearest(self, known: Chosen, journeys: Journeys, *, single: bool) -> Chosen:
        """A placement with a short way to it, or the known one if there was no time to find another."""
        cost = sum(self._cost_of_class(pair, journeys, single) for pair in self._pairs)
        self._model.minimize(cost)
        hinted = {edge for edges in known.values() for edge in edges}
        for edge, variable in self._chosen.items():
            self._model.add_hint(variable, edge in hinted)
        solver = self._solver()
        solver.parameters.max_deterministic_time = NEAR_WORK
        found = solver.solve(self._model) in (self._cp.OPTIMAL, self._cp.FEASIBLE)
        return self._read(solver) if found else known

    def _cost_of_class(self, pair: Pair, journeys: Journeys, single: bool) -> Any:
        """Each chosen edge from the nearest gourd; or from a gourd of its own, which is right but larger."""
        edges = self._question.edges[pair]
        costs = journeys.costs(pair, edges)
        if not single or len(costs) == 1:
            least = costs.min(axis=0).tolist()
            return sum(cost * self._chosen[edge] for cost, edge in zip(least, edges, strict=True))
        goes = [[self._model.new_bool_var("") for _ in edges] for _ in costs]
        for row in goes:
            self._model.add_exactly_one(row)
        for edge, column in zip(edges, zip(*goes, strict=True), strict=True):
            self._model.add(sum(column) == self._chosen[edge])
        return sum(cost * goes[k][j] for k, row in enumerate(costs.tolist()) for j, cost in enumerate(row))

    def _add_edges(self) -> None:
        for pair in self._pairs:
            edges = self._question.edges[pair]
            for edge in edges:
                self._chosen[edge] = self._model.new_bool_var("")
            self._model.add(sum(self._chosen[edge] for edge in edges) == self._question.budget[pair])

    def _add_cells(self) -> None:
        colours = {colour for pair in self._pairs for colour in pair}
        at: dict[int, list[Any]] = {
            k: [] for k, colour in enumerate(self._question.cells) if colour in colours
        }
        for edge, variable in self._chosen.items():
            for cell in edge:
                at[cell].append(variable)
        required = set(self._question.required)
        for cell, variables in at.items():
            if cell in required:
                self._model.add_exactly_one(variables)
            else:
                self._model.add_at_most_one(variables)

    def _add_triangles(self) -> None:
        """Of three cells that touch each other one pair at most is joined: clear, but it helps the search."""
        neighbours = self._question.board.neighbours
        for a, b in self._question.board.edges:
            for c in neighbours[b]:
                if c > b and c in neighbours[a]:
                    sides = [self._chosen[side] for side in ((a, b), (b, c), (a, c)) if side in self._chosen]
                    if len(sides) > 1:
                        self._model.add_at_most_one(sides)

    def _solver(self) -> Any:
        solver = self._cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        if self._clock.left is not None:
            solver.parameters.max_time_in_seconds = self._clock.left
        if self._clock.progress:
            solver.parameters.log_search_progress = True
            solver.parameters.log_to_stdout = False
            solver.log_callback = _Beat(self._clock.progress)
        return solver

    def _read(self, solver: Any) -> Chosen:
        value = solver.boolean_value
        return {
            pair: [edge for edge in self._question.edges[pair] if value(self._chosen[edge])]
            for pair in self._pairs
        }


class _Beat:
    """The solver tells how it goes in lines of text: each is a sign of life."""

    def __init__(self, progress: ProgressCallback) -> None:
        self._progress = progress
        self._lines = 0

    def __call__(self, _: str) -> None:
        self._lines += 1
        self._progress("search", self._lines, 0)


def _solver_package() -> Any:
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise PuzzleError(
            "expected the package ortools, which places gourds, got none - pip install 'slidelab[place]'"
        ) from None
    return cp_model
