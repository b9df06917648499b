"""One question to `solve`: what is asked, what may be used, and what is known so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from slidelab.budget import Budget
from slidelab.distance.metric import Metric
from slidelab.distance.table import distance_table
from slidelab.errors import GaveUp, OutOfTime, TooLarge, Unsolvable
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration, Puzzle, Solution
from slidelab.solve.method import MethodName
from slidelab.solve.patterns.databases import DEFAULT_DATABASE_BYTES
from slidelab.solve.patterns.heuristic import Heuristic, check_search_size, heuristic_for
from slidelab.solve.policy import Policy
from slidelab.solve.search.algorithms import Outcome

__all__ = ["Task"]

MAX_NAMED_CHARACTERS = 200
"""Characters of the text by which a message names a puzzle."""


@dataclass
class Task:
    """A start, a goal and limits; and the best solution and lower bound so far, which only improve."""

    start: Configuration
    goal: Configuration
    exact: Callable[[Configuration, Configuration], Solution]
    """Solves the last few cells of a huge board."""
    budget: Budget = field(default_factory=Budget)
    metric: Metric = "single"
    weight: float = 1.0
    database_bytes: int | None = None
    """Bytes of pattern databases; by default what is on disk, or `DEFAULT_DATABASE_BYTES`."""
    shorten: bool | None = None
    """Whether to shorten a constructed solution; by default unless its moves are explained."""
    policy: Policy = field(default_factory=Policy)
    on_improvement: Callable[[Solution, int], object] | None = None
    """Called with the best solution and the lower bound whenever a better solution is found."""

    doubt: TooLarge | None = None
    """Why it is not known whether there is a solution; None if there is one."""
    best: Solution | None = None
    lower_bound: int = 1
    nodes: int = 0

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle of start and goal."""
        return self.start.puzzle

    @property
    def best_length(self) -> int | None:
        """Moves of the best solution."""
        return self.best.length if self.best else None

    @property
    def is_settled(self) -> bool:
        """Whether the best solution is known to be a shortest."""
        return self.best_length == self.lower_bound

    def keep(self, solution: Solution) -> None:
        """Keep a solution if it is the best, and its lower bound."""
        improves = self.best is None or solution.length < self.best.length
        if self.best is None or improves:
            self.best = solution
        self.lower_bound = min(max(self.lower_bound, solution.lower_bound or 0), self.best.length)
        if improves and self.on_improvement is not None:
            self.on_improvement(self.best, self.lower_bound)

    def learn(self, outcome: Outcome) -> None:
        """Keep what a search found and proved."""
        self.nodes += outcome.nodes
        self.lower_bound = max(self.lower_bound, outcome.lower_bound)
        if (solution := outcome.solution or self.best) is not None:
            self.keep(solution)

    def finish(self, outcome: Outcome) -> Solution:
        """Return the answer after the only search of a method."""
        self.learn(outcome)
        if self.best is None and outcome.finished:
            raise Unsolvable("all reachable configurations were searched")
        return self.answer()

    def answer(self, reason: str = "", method: MethodName | None = None) -> Solution:
        """Return the best solution with what is known about it; raise `GaveUp` if there is none."""
        if self.best is None:
            raise self.gave_up()
        return replace(
            self.best,
            optimal=self.is_settled,
            lower_bound=self.lower_bound,
            nodes=self.nodes,
            reason=reason or self.best.reason,
            method=method or self.best.method,
        )

    def gave_up(self) -> GaveUp:
        """Return the error for a task without a solution."""
        texts = (self.start.text, self.puzzle.text, f"a puzzle of {self.puzzle.board.size:,} cells")
        return GaveUp(next(text for text in texts if len(text) < MAX_NAMED_CHARACTERS), self.lower_bound)

    def by_table(self, memory: int) -> Solution:
        """Solve by a distance table of at most so many bytes."""
        table = distance_table(self.goal, self.metric, budget=self.budget.share(memory=memory))
        solution = table.solve(self.start, self.goal)
        if solution is None:
            raise TooLarge(f"{self.start.text} is not in the table of its goal; please report this")
        return replace(solution, reason=f"all {sum(table.distribution):,} configurations can be listed")

    def heuristic(self, database_bytes: int | None = None, partitions: int = 1) -> Heuristic:
        """Return the heuristic of the goal, with smaller pattern databases if time or memory is short.

        `database_bytes` overrides that of the task.
        """
        wanted = self.database_bytes if database_bytes is None else database_bytes
        least = min(DEFAULT_DATABASE_BYTES if wanted is None else wanted, self.policy.quick_database_bytes)
        for size in dict.fromkeys((wanted, least, 0)):
            left = self.budget.time_left
            budget = self.budget if left is None else self.budget.share(left / 2)
            try:
                return self._learned(heuristic_for(self.goal, size, partitions=partitions, budget=budget))
            except OutOfTime:
                continue
            except TooLarge:
                if size == 0:
                    raise
        try:
            check_search_size(gain_graph(self.puzzle, self.budget), self.policy.max_grace_bytes)
            budget = self.budget.extend(self.policy.heuristic_grace_seconds)
            return self._learned(heuristic_for(self.goal, 0, budget=budget))
        except (OutOfTime, TooLarge):
            raise self.gave_up() from None

    def _learned(self, heuristic: Heuristic) -> Heuristic:
        self.lower_bound = max(self.lower_bound, heuristic.lower_bound(self.start) or 0)
        return heuristic
