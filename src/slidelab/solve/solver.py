"""Solving: the shortest way from a start to a goal, or the best that time allows with a proved bound.

A puzzle whose configurations can all be listed is solved from the table of all distances. Larger ones
are solved by searches that a lower bound guides. See docs/design/solving.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from math import perm

from slidelab.budget import Budget
from slidelab.distance.bounds import TooManyStates
from slidelab.distance.metric import Metric
from slidelab.distance.table import distance_table
from slidelab.errors import GaveUp, NotationError, OutOfTime, TooLarge, Unsolvable
from slidelab.messages import big_number, byte_size
from slidelab.place import placements
from slidelab.puzzles import Configuration, ConfigurationLike, Puzzle, Solution
from slidelab.reach.route import find_route
from slidelab.reach.verdict import reason_unsolvable
from slidelab.solve.constructions import by_cycle, by_group, by_peeling, by_wilson, can_peel
from slidelab.solve.gourds.cycles import near_gourds
from slidelab.solve.huge.shortener import Interrupted
from slidelab.solve.huge.shortener import shorten as shortened
from slidelab.solve.patterns.databases import BUDGET
from slidelab.solve.patterns.heuristic import Guide, guide
from slidelab.solve.search.algorithms import Outcome, best_first, deepen, two_sided

__all__ = ["METHODS", "Stopped", "solve"]

METHODS = (
    "auto",
    "table",
    "ida",
    "astar",
    "weighted",
    "bidirectional",
    "anytime",
    "peel",
    "wilson",
    "cycle",
    "cycle-cubic",
    "group",
)

CONSTRUCTIVE = ("peel", "wilson", "cycle", "cycle-cubic", "group")
"""Methods that lead there on boards of any size; no bound proves anything about the length."""

EXPLAINED = ("wilson", "cycle", "cycle-cubic")
"""Those that tell what their moves do; it would be lost if the solution were made shorter."""

TINY_TABLE = 3_000_000
"""A table of so many bytes is made at once: a few milliseconds of work."""

SMALL_TABLE = 500_000_000
"""A table of so many bytes is made before any search with estimates: a second or two of work."""

MOST_PLACEMENTS = 2_000
"""That are tried where the nearest can't be reached."""

NEAR_NODES = 30_000
"""States for the first search from both ends: a few milliseconds, and near starts are solved."""

FIRST_TRY = 5.0
"""Seconds for iterative deepening before a larger table is made, if there is memory for it."""

LESS = 1_000_000
"""Bytes of pattern tables if there is little time to make them."""

LARGE_TABLES = 400_000_000
"""Bytes of pattern tables for a search that takes long, if there is time to make them."""

TIME_FOR_THEM = 60.0

MOST_PIECES = 35
"""Of more, no shortest solution is looked for unless the start is near, or a method is asked for."""

MOST_GOURDS = 10
"""The same for gourds, of which each has two ends to be brought home."""

MOST_FOR_NEAR = 400
"""Of more, a search from both ends takes too long to set up."""

SHORTEN_FOR = (1.0, 10.0)
"""Seconds for making a solution shorter if no time is given: a third of finding it, within these."""

SURE_TO_END = 20
"""Of more pieces, a search for a shortest solution may not end: some solution is found first."""

LATE = 0.15
"""Seconds between the last chance to stop and the answer."""

MOVES_A_SECOND = 100_000
"""Of pieces of several cells, that are read and written before and after they are made shorter."""

MOMENT = 0.5
"""Seconds beyond the time given for a solution where there is none yet."""

CORE_TIME, FEW_STATES = 10.0, 10_000_000
"""Seconds for solving the last few cells of a huge board exactly, and states for doing so without tables."""

FIRST_SOLUTION = ((5.0, 200_000), (20.0, 5_000_000))
"""Weights and states of the searches for any solution at all: mostly a matter of milliseconds."""

WEIGHTS = (3.0, 2.0, 1.5, 1.25, 1.1)
"""Of the searches that look for ever better ones."""

ENOUGH = 2_000_000_000
"""Bytes for a search that is to better a solution."""


class Stopped(KeyboardInterrupt):
    """Stopped by the user, with what was known then."""

    def __init__(self, best: Solution | None, lower_bound: int) -> None:
        super().__init__(best, lower_bound)
        self.best = best
        self.lower_bound = lower_bound


def solve(
    puzzle: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    cells: Sequence[str] | None = None,
    method: str = "auto",
    metric: Metric = "single",
    weight: float | None = None,
    tables: int | None = None,
    shorten: bool | None = None,
    budget: Budget | None = None,
) -> Solution:
    """A shortest solution; if time or memory does not allow one, the best found.

    `Solution.optimal` says whether it is a shortest, `lower_bound` how many moves every solution has, and
    `reason` why that method was chosen. `Unsolvable` with the reason if there is no solution, `GaveUp`
    with a lower bound if none was found within the limits.

    Parameters
    ----------
    cells : sequence of str, optional
        Instead of a goal, for coloured gourds: the colour of each cell, ``.`` for one that stays empty. The
        gourds are to lie on cells of their colours, in a placement near the start (`slidelab.place`).
    method : str
        `table`: all distances. `bidirectional`: breadth-first from both ends. `astar`, `ida`: A* and
        iterative deepening with pattern tables. `weighted`: A* that finds a solution at most `weight`
        times as long as a shortest. `anytime`: ever better solutions and bounds until they meet or time is
        up. For boards of any size: `peel` puts pieces in place one by one on a shrinking board, `wilson` does
        it the papers' way and tells why, `cycle` and `cycle-cubic` sort gourds along a closed way through all
        cells, `group` multiplies loops in the group, for any rule. `auto`: what suits the size of the puzzle.
    metric : str
        `single`, or `straight` to count a straight row of tiles pushed at once as one move (by table only).
    weight : float, optional
        How many times longer than a shortest a solution may be.
    tables : int, optional
        Bytes of pattern tables; by default what the disk holds for this puzzle, or 20 MB.
    shorten : bool, optional
        Make the solution of a method for huge boards shorter as long as time allows; by default so, except
        for `wilson`, `cycle` and `cycle-cubic`, whose explanations would be lost.

    >>> import slidelab as sl
    >>> solve(sl.puzzle("square R(3,3)"), "8 6 7 2 5 4 3 . 1").length
    31
    >>> s = solve(sl.puzzle("square R(4,4)"), "2 5 13 12 1 . 9 15 3 7 14 4 8 6 10 11")
    >>> s.length, s.optimal, s.method
    (54, True, 'ida')
    >>> solve(sl.puzzle("square R(3,3)"), "2 1 3 4 5 6 7 8 .")
    Traceback (most recent call last):
    slidelab.errors.Unsolvable: the tiles would need an odd permutation, and every loop here is even
    """
    if method == "auto" and weight is not None:
        method = "weighted"
    _check(method, metric, weight, tables)
    budget = budget or Budget()
    first = puzzle.configuration(start)
    if cells is not None:
        last = _placed(first, cells, goal, budget)
    else:
        last = puzzle.goal if goal is None else puzzle.configuration(goal)
    task = _Task(first, last, metric, tables, budget, shorten)
    try:
        if reason := task.why_not():
            if cells is None:
                raise Unsolvable(reason)
            task.last = last = _other_placement(task, cells, reason)
        if method == "table" or metric != "single":
            return task.only_table(metric)
    except OutOfTime:
        return task.answer()
    if first == last:
        return Solution(first, last, (), True, method)
    try:
        return _by_method(task, method, weight)
    except KeyboardInterrupt:
        raise Stopped(task.best, task.lower_bound) from None


def _placed(
    start: Configuration,
    cells: Sequence[str],
    goal: ConfigurationLike | None,
    budget: Budget,
) -> Configuration:
    """A goal in which the gourds lie on cells of their colours."""
    if goal is not None:
        raise NotationError("expected a goal or the colours of its cells, got both")
    placement = start.puzzle.place(cells, near=start, time=budget.time_left, progress=budget.progress)
    if not placement:
        raise Unsolvable(placement.reason)
    return placement.configuration


def _other_placement(task: _Task, cells: Sequence[str], reason: str) -> Configuration:
    """One that can be reached, where the nearest can't."""
    start = task.first
    gourds = [(labels[0], labels[1]) for labels in start.puzzle.colours or ()]
    number = 0
    for number, goal in enumerate(islice(placements(start.puzzle.board, cells, gourds), MOST_PLACEMENTS), 1):
        task.budget.check("placements", number, 0)
        if not reason_unsolvable(start, goal):
            return goal
    if number < MOST_PLACEMENTS:
        none = "the one placement" if number == 1 else f"none of the {number} placements"
        raise Unsolvable(f"{none} can{'not' if number == 1 else ''} be reached: {reason}")
    raise TooLarge(f"none of {MOST_PLACEMENTS:,} placements can be reached ({reason}); perhaps others can")


def _by_method(task: _Task, method: str, weight: float | None) -> Solution:
    if method == "auto":
        return task.auto()
    if method == "anytime":
        return task.anytime()
    if method in CONSTRUCTIVE:
        return task.constructed(method)
    first = task.first
    searches: dict[str, Callable[[Guide], Outcome]] = {
        "ida": lambda found: deepen(found, first, task.budget),
        "astar": lambda found: best_first(found, first, task.budget, memory=task.budget.memory),
        "weighted": lambda found: best_first(
            found, first, task.budget, weight=weight or 1.5, memory=task.budget.memory
        ),
        "bidirectional": lambda found: two_sided(found, first, task.budget, memory=task.budget.memory),
    }
    if method == "bidirectional":
        task.tables = 0
    return task.ended(searches[method](task.guide()))


def _check(method: str, metric: Metric, weight: float | None, tables: int | None) -> None:
    if method not in METHODS:
        raise NotationError(f"expected {', '.join(METHODS[:-1])} or {METHODS[-1]}, got {method!r:.40}")
    if weight is not None and not _is_number(weight, 1, 1000):
        raise NotationError(f"expected a weight from 1 to 1000, got {weight!r:.40}")
    if weight is not None and method != "weighted":
        raise NotationError(f"expected no weight with {method}, got {weight!r:.40}")
    if tables is not None and (not isinstance(tables, int) or not _is_number(tables, 0, (1 << 62) - 1)):
        raise NotationError(f"expected bytes of tables, got {tables!r:.40}")
    if metric != "single" and method not in ("auto", "table"):
        raise NotationError(f"expected single moves for {method}, got {metric!r:.40}")


def _is_number(value: object, least: float, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


@dataclass
class _Task:
    first: Configuration
    last: Configuration
    metric: Metric
    tables: int | None
    budget: Budget
    shorten: bool | None = None
    lower_bound: int = 1
    best: Solution | None = None
    nodes: int = 0

    def why_not(self) -> str:
        """Why there is no solution; nothing if there is one, or if only looking for one can tell."""
        puzzle = self.first.puzzle
        try:
            return reason_unsolvable(self.first, self.last, budget=self.budget) or ""
        except TooLarge:
            if puzzle.rule.corner == "pivot" and puzzle.hole_count == 1:
                return ""  # a closed way through all cells may be found, and then there is one
            raise

    def guide(self) -> Guide:
        """With pattern tables; without, if there is no time or memory to make them."""
        found = None
        wanted = BUDGET if self.tables is None else self.tables
        for tables in dict.fromkeys((self.tables, min(wanted, LESS), 0)):
            left = self.budget.time_left
            part = self.budget if left is None else self.budget.share(left / 2)
            try:
                found = self.made(tables, part)
                break
            except OutOfTime:
                continue
            except TooLarge:
                if tables == 0:
                    raise
        if found is None:  # there is no time at all: distances of single pieces, if they take but a moment
            try:
                found = self.made(0, self.budget.extend(1.0))
            except OutOfTime:
                raise self.gave_up() from None
        self.lower_bound = max(self.lower_bound, found.bound(self.first) or 0)
        return found

    def made(self, tables: int | None, budget: Budget) -> Guide:
        return guide(self.last, tables, budget=budget)

    def gave_up(self) -> GaveUp:
        puzzle = self.first.puzzle
        texts = (self.first.text, puzzle.text, f"a puzzle of {puzzle.board.size:,} cells")
        return GaveUp(next(text for text in texts if len(text) < 200), self.lower_bound)

    def learn(self, outcome: Outcome) -> None:
        """Both bounds, from one more search."""
        self.nodes += outcome.nodes
        self.lower_bound = max(self.lower_bound, outcome.lower_bound)
        better = outcome.solution
        if better is not None and (self.best is None or better.length < self.best.length):
            self.best = better
        if self.best is not None:
            self.lower_bound = min(self.lower_bound, self.best.length)

    def ended(self, outcome: Outcome, reason: str = "") -> Solution:
        self.learn(outcome)
        if self.best is None and outcome.finished:
            raise Unsolvable("all that can be reached was searched")
        return self.answer(reason)

    def answer(self, reason: str = "", method: str = "") -> Solution:
        if self.best is None:
            raise self.gave_up()
        return replace(
            self.best,
            optimal=self.lower_bound == self.best.length,
            lower_bound=self.lower_bound,
            nodes=self.nodes,
            reason=reason or self.best.reason,
            method=method or self.best.method,
        )

    def by_table(self, memory: int) -> Solution:
        table = distance_table(self.last, self.metric, budget=self.budget.share(memory=memory))
        solution = table.solve(self.first, self.last)
        if solution is None:
            raise TooLarge(f"{self.first.text} is not in the table of its goal; please report this")
        states = sum(table.distribution)
        return replace(solution, reason=f"all {states:,} configurations can be listed")

    def only_table(self, metric: Metric) -> Solution:
        try:
            return self.by_table(self.budget.memory)
        except TooManyStates as error:
            if metric == "single":
                raise
            raise TooLarge(f"{error}; straight pushes can only be counted by a table") from None

    # What suits the size of the puzzle

    def auto(self) -> Solution:
        needs, many = self.budget.memory + 1, "there are too many configurations for a table"
        puzzle = self.first.puzzle
        most = MOST_GOURDS if puzzle.rule.corner == "pivot" else MOST_PIECES
        # No search for a shortest solution would end.
        if puzzle.piece_count > most or find_route(puzzle, self.budget).name == "theorem":
            return self.near() or self.constructed("auto")
        for small in (TINY_TABLE, SMALL_TABLE):
            try:
                return self.by_table(min(self.budget.memory, small))
            except TooManyStates as error:
                needs = error.needed_bytes
                many = (
                    f"a table of all {big_number(error.states)} configurations would take {byte_size(needs)}"
                )
            except TooLarge:
                pass
            except OutOfTime:
                break
            if small == TINY_TABLE and (near := self.near()):
                return near
        if self.budget.deadline or self.first.puzzle.piece_count > SURE_TO_END:
            self.some_way()
        found = self.guide()
        if self.best is None:
            self.any_solution(found, self.budget)
        if self.best is None:
            return self.constructed("auto")
        if self.budget.deadline:
            self.better_ones(found)
        reason = f"{many}; {_said(found)} guide the search"
        fits = needs <= self.budget.memory and not self.tables
        left = self.budget.time_left
        first_try = self.budget.share(FIRST_TRY if left is None else min(FIRST_TRY, left / 2))
        outcome = deepen(found, self.first, first_try, lower_bound=self.lower_bound, below=self.best_length)
        self.learn(outcome)
        if outcome.finished:
            return self.answer(reason, "ida")
        if fits and (self.budget.time_left is None or self.budget.time_left > FIRST_TRY):
            try:
                solution = self.by_table(self.budget.memory)
                return replace(solution, reason=f"{solution.reason}, and iterative deepening took too long")
            except OutOfTime:
                return self.answer(reason, "anytime")
        time_enough = self.budget.time_left is None or self.budget.time_left > TIME_FOR_THEM
        if self.tables is None and time_enough and found.patterns.size < LARGE_TABLES // 4:
            self.tables = LARGE_TABLES
            found = self.guide()
            reason = f"{many}; {_said(found)} guide the search"
        return self.anytime(found, reason)

    @property
    def best_length(self) -> int | None:
        return self.best.length if self.best else None

    # Boards of any size

    def near(self) -> Solution | None:
        """If start and goal are only a few moves apart, a search from both ends finds that in no time."""
        puzzle = self.first.puzzle
        if puzzle.rule.corner == "pivot" and puzzle.hole_count == 1 and puzzle.colours is None:
            return self.near_gourds()
        if puzzle.piece_count > MOST_FOR_NEAR:
            return None
        try:
            bare = self.made(0, self.budget)
        except (OutOfTime, TooLarge):
            return None
        self.learn(two_sided(bare, self.first, self.budget, most_nodes=NEAR_NODES))
        return self.answer("the start is near the goal") if self.best else None

    def near_gourds(self) -> Solution | None:
        """The same for gourds, which need no gain graph for it."""
        try:
            moves, self.lower_bound = near_gourds(self.first, self.last, self.budget, NEAR_NODES)
        except OutOfTime:
            return None
        if moves is None:
            return None
        reason = "the start is near the goal"
        return Solution(self.first, self.last, moves, True, "bidirectional", reason=reason)

    def some_way(self) -> None:
        """A solution that takes no time to find, so that there is something to tell when time is up."""
        if can_peel(self.first.puzzle):
            try:
                found = self._constructed("peel")
            except (TooLarge, NotationError, OutOfTime):
                return
            left = self.budget.time_left
            seconds = 1.0 if left is None else min(1.0, left / 4)
            self.best = shortened(found, self.budget.share(seconds=seconds))

    def constructed(self, method: str) -> Solution:
        """By a method that leads there whatever the size, and then made shorter."""
        began = time.monotonic()
        rule = self.first.puzzle.rule
        names = [method] if method != "auto" else ["peel"]
        # Thin boards of hexagons have no place to peel towards, and of other pieces peeling knows nothing.
        if method == "auto" or (method == "peel" and rule.needs_companion):
            names = ["peel", "group"] if can_peel(self.first.puzzle) else ["group"]
            if rule.corner == "pivot" and self.first.puzzle.hole_count == 1:
                names = ["peel", "cycle", "group"]
        refused: TooLarge | NotationError | None = None
        for name in names:
            try:
                self.best = self._constructed(name)
                break
            except (TooLarge, NotationError) as error:
                refused = error if refused is None or isinstance(error, TooLarge) else refused
            except OutOfTime:
                self.best = self.last_resort(method)
                break
        if self.best is None:
            raise refused or self.gave_up()
        if self.best.lower_bound is None and self.lower_bound > 1:
            self.best = replace(self.best, lower_bound=self.lower_bound)
        if method == "auto":
            pieces = f"{self.first.puzzle.piece_count:,} {self.first.puzzle.rule.piece}s"
            self.best = replace(self.best, reason=f"no search for a shortest ends with {pieces}")
        if self.shorten or (self.shorten is None and method not in EXPLAINED):
            took = time.monotonic() - began
            seconds = min(max(took / 3, SHORTEN_FOR[0]), SHORTEN_FOR[1])
            late = LATE + (self.best.length / MOVES_A_SECOND if rule.cells > 1 else 0.0)
            left = seconds if self.budget.time_left is None else max(0.0, self.budget.time_left - late)
            try:
                self.best = shortened(self.best, self.budget.share(seconds=left))
            except Interrupted as stopped:
                self.best = stopped.best
                raise
        return self.best

    def last_resort(self, method: str) -> Solution:
        """When time is up while gourds are peeled: sorting them is a matter of moments on most boards."""
        if method == "auto" and self.first.puzzle.rule.corner == "pivot":
            with suppress(OutOfTime, NotationError):
                return by_cycle(self.first, self.last, self.budget.extend(MOMENT))
        raise self.gave_up()

    def _constructed(self, method: str) -> Solution:
        first, last = self.first, self.last
        if method == "group":
            return by_group(first, last, self.budget)
        if method == "wilson":
            return by_wilson(first, last, self.budget)
        if method in ("cycle", "cycle-cubic"):
            return by_cycle(first, last, self.budget, cubic=method == "cycle-cubic")
        return by_peeling(first, last, self._core_solved, self.budget)

    def _core_solved(self, start: Configuration, goal: Configuration) -> Solution:
        left = CORE_TIME if self.budget.time_left is None else min(CORE_TIME, max(1.0, self.budget.time_left))
        puzzle = start.puzzle
        method = "bidirectional" if perm(puzzle.board.size, puzzle.piece_count) <= FEW_STATES else "auto"
        return solve(puzzle, start, goal, method=method, budget=Budget.of(time=left))

    def any_solution(self, found: Guide, budget: Budget) -> None:
        """One that need not be good, so that there is something to tell when time is up."""
        memory = self.budget.memory
        for weight, states in FIRST_SOLUTION:
            self.learn(best_first(found, self.first, budget, weight=weight, memory=memory, most_nodes=states))
            if self.best or budget.expired:
                break

    def better_ones(self, found: Guide) -> None:
        """As long as they take no more than moments."""
        for weight in WEIGHTS:
            if self.best is None or self.budget.expired or self.best_length == self.lower_bound:
                return
            below, states = self.best_length, FIRST_SOLUTION[0][1]
            self.learn(
                best_first(found, self.first, self.budget, weight=weight, below=below, most_nodes=states)
            )

    def anytime(self, found: Guide | None = None, reason: str = "") -> Solution:
        """Ever better solutions by weighted searches, then ever better bounds by iterative deepening."""
        found = found or self.guide()
        if self.best is None:
            self.any_solution(found, self.budget)
        for weight in WEIGHTS:
            if self.budget.expired or self.best_length == self.lower_bound:
                break
            part = (
                self.budget if self.budget.time_left is None else self.budget.share(self.budget.time_left / 3)
            )
            memory = min(self.budget.memory, ENOUGH)
            outcome = best_first(
                found, self.first, part, weight=weight, below=self.best_length, memory=memory
            )
            self.learn(outcome)
            if not outcome.finished:
                break  # smaller weights take more
        if not self.budget.expired and self.best_length != self.lower_bound:
            below = self.best_length
            self.learn(deepen(found, self.first, self.budget, lower_bound=self.lower_bound, below=below))
        return self.answer(reason, "anytime")


def _said(found: Guide) -> str:
    """The tables in words."""
    groups = [len(group) for group in found.patterns.groups]
    if not groups:
        return "distances of single pieces"
    if single := found.goal.puzzle.piece_count - sum(groups):
        groups += [1] * single
    sizes = " + ".join(map(str, groups)) if len(groups) <= 4 else f"up to {max(groups)}"
    return f"pattern tables of {sizes} pieces ({byte_size(found.patterns.size)})"
