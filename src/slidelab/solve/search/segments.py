"""Improve a solution by beams between two of its states, in both directions, one beam on each core.

A beam from the start shares its width among thousands of states, and what it decides in the first layers is
never looked at again. A beam between two states of a solution gives all its width to that segment. Moves can
be undone, so a segment is also searched from its end to its beginning, where the states along it rank
differently: that improves the first half of a solution as well as the second. First, and whenever beams
become wider, the whole solution is searched anew, in both directions and by each ranking. See
docs/design/solving.md.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from math import inf
from random import Random
from threading import Event, Lock

from slidelab.budget import Budget
from slidelab.errors import OutOfTime
from slidelab.puzzles import Configuration, Move, Solution
from slidelab.solve.patterns.heuristic import Heuristic, heuristic_for
from slidelab.solve.policy import Policy
from slidelab.solve.search.beam import beam_search, max_width, rankings_of, report
from slidelab.solve.search.ranking import Ranking, has_fitted_weights
from slidelab.solve.task import Task

__all__ = ["Path", "guided_rankings", "improve_by_segments", "segment_rankings"]

POLL_SECONDS = 0.05
"""How often the calling thread looks at the clock and at what the others have found."""


class Path:
    """The states and moves of a solution, whose segments several threads replace by shorter ones.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> path = Path(p.solve("1 2 3 4 5 . 7 8 6"))
    >>> len(path), path.states[0].text
    (1, 'square R(3,3) tiles 1 : 1 2 3 4 5 . 7 8 6')
    """

    def __init__(self, solution: Solution) -> None:
        self.lock = Lock()
        self.states, self.moves = _without_loops(solution.start, solution.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def replace(self, segment: Solution) -> bool:
        """Replace what lies between start and goal of a segment, unless it is shorter; whether it was done.

        The path may have been changed since the segment was chosen: it is left alone if it no longer passes
        both states, in this order.
        """
        with self.lock:
            numbers = {state: number for number, state in enumerate(self.states)}
            first, last = numbers.get(segment.start), numbers.get(segment.goal)
            if first is None or last is None or last - first < segment.length:
                return False
            moves = (*self.moves[:first], *segment.moves, *self.moves[last:])
            self.states, self.moves = _without_loops(self.states[0], moves)
            return True


def _without_loops(start: Configuration, moves: Iterable[Move]) -> tuple[list[Configuration], list[Move]]:
    """Return the states of a path and its moves, without those between two visits of the same state."""
    states, kept, numbers = [start], list[Move](), {start: 0}
    for move in moves:
        state = states[-1].play(move)
        if (number := numbers.get(state)) is not None:
            for dropped in states[number + 1 :]:
                del numbers[dropped]
            del states[number + 1 :], kept[number:]
        else:
            numbers[state] = len(states)
            states.append(state)
            kept.append(move)
    return states, kept


def improve_by_segments(task: Task, heuristic: Heuristic, budget: Budget, speed: float = 0.0) -> int:
    """Improve the solution of a task by beams between its states until time is up.

    The threads of the budget work on segments of their own. After many beams in a row that gained nothing
    they become twice as wide. Return the width of the widest.

    Parameters
    ----------
    task
        With a solution.
    heuristic
        Of its goal. Its pattern databases, if there are any, guide some of the beams that end there.
    budget
        With a deadline.
    speed
        States that a beam on one core searches in a second, if that is known: with little time, beams are
        narrower.
    """
    if task.best is None:
        return 0
    search = _SegmentSearch(task, heuristic, budget, speed)
    with ThreadPoolExecutor(budget.threads) as pool:
        workers = {pool.submit(search.run, Random(number)) for number in range(budget.threads)}
        try:
            while not budget.expired and not task.is_settled:
                done, _ = wait(workers, POLL_SECONDS, FIRST_COMPLETED)
                search.keep_best()
                report(task, budget)
                if done:
                    break
        finally:
            search.stop.set()
    for worker in workers:
        worker.result()
    search.keep_best()
    return search.width


def segment_rankings(heuristic: Heuristic, policy: Policy) -> tuple[Ranking, ...]:
    """Return the rankings of beams between two states, which have no pattern databases.

    >>> import slidelab as sl
    >>> goal = sl.puzzle("square R(6,6)").goal
    >>> [ranking.network for ranking in segment_rankings(heuristic_for(goal, 0), Policy())]
    [1.0, 0.85, 1.15, 0.7, 1.3]
    """
    if not has_fitted_weights(heuristic.goal.puzzle):
        return rankings_of(heuristic, policy)
    return tuple(Ranking(0.0, fitted=True, network=weight) for weight in policy.network_weights)


def guided_rankings(heuristic: Heuristic, policy: Policy) -> tuple[Ranking, ...]:
    """Return the rankings of beams to the goal of a heuristic that has pattern databases.

    >>> import slidelab as sl
    >>> goal = sl.puzzle("square R(4,4)").goal
    >>> [ranking.excess for ranking in guided_rankings(heuristic_for(goal), Policy())]
    [1.0, 2.0]
    """
    if not heuristic.lookups:
        return ()
    if not has_fitted_weights(heuristic.goal.puzzle):
        return rankings_of(heuristic, policy)
    return tuple(Ranking(excess, fitted=True, network=1.0) for excess in policy.fitted_excess)


class _SegmentSearch:
    """What the threads that improve one solution share."""

    def __init__(self, task: Task, heuristic: Heuristic, budget: Budget, speed: float) -> None:
        if task.best is None:
            raise ValueError("expected a task with a solution")
        self.task, self.heuristic = task, heuristic
        self.stop = Event()
        share = budget.memory // budget.threads
        self.budget = replace(budget, threads=1, memory=share, progress=None, cancelled=self.stop)
        self.max_width = max_width(task, heuristic) // budget.threads
        self.path = Path(task.best)
        self.width = self._first_width(speed)
        self.few_shapes = heuristic.graph.shapes <= task.policy.max_segment_shapes
        self.plain = heuristic_for(task.goal, 0, budget=budget)
        self.rankings = segment_rankings(self.plain, task.policy)
        self.guided = guided_rankings(heuristic, task.policy)
        self.whole = self._whole()
        self.whole_until = self._whole_until()
        self.reverse: Heuristic | None = None  # of the start
        self.idle = self.nodes = 0

    def run(self, rng: Random) -> None:
        """Search until time is up, also if it is up before a beam begins."""
        with suppress(OutOfTime):
            self._work(rng)

    def _work(self, rng: Random) -> None:
        """Search the whole solution anew by each ranking, then one segment after the other, until stopped."""
        while not self.budget.expired:
            with self.path.lock:
                states = self.path.states
                whole = self.whole.pop(0) if self.whole and time.monotonic() < self.whole_until else None
            length = len(states) - 1
            if length < 2:
                return
            if whole is not None:
                self._improve(states[0], states[-1], length, *whole)
                continue
            first, last = self._segment(rng, length)
            backward = rng.random() < 0.5 if self.few_shapes else first == 0
            to_goal = last == length and not backward
            guided = to_goal and rng.randrange(len(self.rankings + self.guided)) < len(self.guided)
            ranking = rng.choice(self.guided if guided else self.rankings)
            self._improve(states[first], states[last], last - first, ranking, backward, guided)

    def _segment(self, rng: Random, length: int) -> tuple[int, int]:
        """Choose the numbers of the first and the last state of a segment."""
        if not self.few_shapes:
            # The distances to another shape take longer than a beam: only the start and the goal.
            middle = rng.randrange(1, length)
            return (0, middle) if rng.random() < 0.5 else (middle, length)
        size = max(2, round(length * rng.uniform(self.task.policy.min_segment, 1.0)))
        # Segments that would begin before the start or end after the goal are cut off there.
        first = rng.randrange(-(size // 2), length - size // 2)
        return max(0, min(first, length - 2)), max(2, min(first + size, length))

    def _improve(
        self,
        first: Configuration,
        last: Configuration,
        length: int,
        ranking: Ranking,
        backward: bool,
        guided: bool,
    ) -> None:
        """Search a segment of the path anew, and put what is found in its place unless it is longer."""
        start, goal = (last, first) if backward else (first, last)
        heuristic = self.heuristic if guided else self._plain(goal)
        outcome = beam_search(
            heuristic, start, self.budget, width=self.width, below=length + 1, ranking=ranking
        )
        segment = outcome.solution
        if segment is not None and backward:
            moves = tuple(move.reversed for move in reversed(segment.moves))
            segment = replace(segment, start=first, goal=last, moves=moves)
        improved = segment is not None and self.path.replace(segment) and segment.length < length
        with self.path.lock:
            self.nodes += outcome.nodes
            self.idle = 0 if improved else self.idle + 1
            if self.idle >= self.task.policy.idle_segments:
                self.idle, self.width = 0, min(2 * self.width, self.max_width)
                self.whole, self.whole_until = self._whole(), self._whole_until()

    def _first_width(self, speed: float) -> int:
        """Choose the width of the beams so that one for the whole solution takes a part of the time."""
        policy, left = self.task.policy, self.budget.time_left
        width = policy.segment_width
        if left is not None and speed > 0:
            possible = int(policy.segment_time_share * left * speed / max(1, len(self.path)))
            width = min(width, max(policy.min_segment_width, possible))
        return max(1, min(width, self.max_width))

    def _whole_until(self) -> float:
        """Return until when the whole solution is searched anew; then it is time for segments."""
        left = self.budget.time_left
        return time.monotonic() + (self.task.policy.whole_share * left if left is not None else inf)

    def _whole(self) -> list[tuple[Ranking, bool, bool]]:
        """Return how the whole solution is searched anew: rankings, whether backwards and with databases."""
        both = [(ranking, backward, False) for ranking in self.rankings for backward in (False, True)]
        return both + [(ranking, False, True) for ranking in self.guided]

    def _plain(self, goal: Configuration) -> Heuristic:
        """Return a heuristic without databases for a goal; those of start and goal of the task are kept."""
        if goal == self.task.goal:
            return self.plain
        if goal != self.task.start:
            return heuristic_for(goal, 0, budget=self.budget)
        with self.path.lock:
            if self.reverse is None:
                self.reverse = heuristic_for(goal, 0, budget=self.budget)
            return self.reverse

    def keep_best(self) -> None:
        """Keep the path as the solution of the task if it has become shorter."""
        task, best = self.task, self.task.best
        with self.path.lock:
            moves, nodes, self.nodes = tuple(self.path.moves), self.nodes, 0
        task.nodes += nodes
        if best is not None and len(moves) < best.length:
            task.keep(Solution(task.start, task.goal, moves, method="beam", lower_bound=best.lower_bound))
