"""Solve many positions: on threads or on an executor, in order or as they are done.

Positions with the same goal share heuristic, pattern databases and distance table: the first of them prepares
these, while others of the same goal wait for it and those of other goals go on.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sized
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget, ProgressCallback, available_cores
from slidelab.distance.metric import Metric
from slidelab.errors import PuzzleError
from slidelab.puzzles import Configuration, ConfigurationLike, Puzzle, PuzzleLike, Solution, position, puzzle
from slidelab.solve.instances import BenchmarkInstance
from slidelab.solve.method import MethodName
from slidelab.solve.solver import solve

if TYPE_CHECKING:
    from threading import Event

__all__ = ["Solved", "solve_many"]

QUEUED_PER_THREAD = 4
"""Positions that are read ahead for each thread, so that none waits for the next and few are in memory."""


@dataclass(frozen=True, slots=True, repr=False)
class Solved:
    """The result for one of many positions: its solution, or what went wrong.

    True if there is a solution.
    """

    index: int
    """Number of the position in the order in which they were given, from 0."""
    start: Configuration | None
    """The start; None if it could not be read."""
    solution: Solution | None = None
    error: Exception | None = field(default=None, compare=False)
    """Why there is no solution: `Unsolvable`, `GaveUp`, `TooLarge`, `NotationError`, ..."""

    def __bool__(self) -> bool:
        return self.solution is not None

    def result(self) -> Solution:
        """Return the solution, or raise the error."""
        if self.solution is None:
            raise self.error or PuzzleError(f"no solution of position {self.index}")
        return self.solution

    def __repr__(self) -> str:
        what = self.solution if self.solution is not None else f"{type(self.error).__name__}: {self.error}"
        return f"<position {self.index}: {what!r}>" if self else f"<position {self.index}: {what}>"


@dataclass(frozen=True, slots=True)
class _Task:
    """One position, as it is sent to a thread or a process."""

    index: int
    start: Configuration
    goal: Configuration
    options: dict[str, Any]
    limits: dict[str, Any]

    def run(self, cancelled: Event | None = None) -> Solution:
        budget = Budget.of(**self.limits, cancelled=cancelled)
        return solve(self.start.puzzle, self.start, self.goal, budget=budget, **self.options)


class _Preparation:
    """Lets the first position of each goal run alone, so that what it prepares is made once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[Configuration, threading.Lock] = {}
        self._ready: set[Configuration] = set()

    def run(self, task: _Task, cancelled: Event) -> Solution:
        with self._lock:
            own = self._locks.setdefault(task.goal, threading.Lock())
        with own:
            if task.goal not in self._ready:
                try:
                    return task.run(cancelled)
                finally:
                    self._ready.add(task.goal)
        return task.run(cancelled)


def solve_many(
    starts: Iterable[ConfigurationLike | BenchmarkInstance],
    goal: ConfigurationLike | None = None,
    *,
    puzzle: PuzzleLike | None = None,
    ordered: bool = True,
    executor: Executor | None = None,
    method: MethodName = "auto",
    metric: Metric = "single",
    weight: float | None = None,
    tables: int | str | None = None,
    shorten: bool | None = None,
    time: float | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Iterator[Solved]:
    """Solve many positions, of one puzzle or of several, and yield a result for each.

    Positions with the same goal share heuristics and databases. An error about one position is its result and
    does not touch the others.

    Parameters
    ----------
    starts
        The positions, which may be an endless iterator: configurations, whole lines, anything that
        `slidelab.position` reads, or instances of `slidelab.instances`, which bring their own goal. With
        `puzzle`, anything that `Puzzle.configuration` reads.
    goal
        The goal of all of them; by default the goal of each puzzle.
    puzzle
        The puzzle of all of them, if they are not whole positions.
    ordered
        Whether results come in the order of the positions; if not, as they are done.
    executor
        Where to solve: any `concurrent.futures.Executor`, such as a `ProcessPoolExecutor`, whose processes
        each prepare databases once (or map those stored by ``slidelab pdb build``). By default threads.
    method, metric, weight, tables, shorten
        As for `Puzzle.solve`.
    time
        Seconds for each position.
    memory, max_shapes
        Limits for each position, as in `slidelab.Budget.of`.
    threads
        Positions that are solved at once, each by one thread; by default as many as there are cores.
    progress
        Called with the number of positions that are done.

    Yields
    ------
    Solved
        Number, start, and solution or error.

    Examples
    --------
    >>> import slidelab as sl
    >>> starts = ["3x3 : 8 6 7 2 5 4 3 . 1", "3x3 : 2 1 3 4 5 6 7 8 .", "2x2 : 3 1 . 2", "2x2 : 3 3 . 2"]
    >>> for each in sl.solve_many(starts):
    ...     print(each.index, each.solution.length if each else each.error)
    0 31
    1 the tiles would need an odd permutation, and every loop here is even
    2 3
    3 expected tiles 1 to 3 once each, got '3' again - at cell 1 of 'square R(2,2)'
    >>> easy = [i for i in sl.instances("korf100") if i.length < 43]
    >>> [each.solution.length for each in sl.solve_many(easy, tables="1M")] == [i.length for i in easy]
    True
    """
    Budget.of(time, memory, threads, max_shapes, progress)  # refuse bad values before the first position
    kind = None if puzzle is None else _puzzle(puzzle)
    count = available_cores() if threads is None else threads
    limits = {"time": time, "memory": memory, "threads": 1, "max_shapes": max_shapes}
    options = {"method": method, "metric": metric, "weight": weight, "tables": tables, "shorten": shorten}
    tasks = _read_tasks(starts, goal, kind, options, limits)
    total = len(starts) if isinstance(starts, Sized) else 0
    return _results(tasks, _Runner(executor, count), ordered, QUEUED_PER_THREAD * count, progress, total)


_puzzle = puzzle  # the argument of `solve_many` has the same name


def _read_tasks(
    starts: Iterable[ConfigurationLike | BenchmarkInstance],
    goal: ConfigurationLike | None,
    kind: Puzzle | None,
    options: dict[str, Any],
    limits: dict[str, Any],
) -> Iterator[_Task | Solved]:
    """Yield a task for each position, or the result if it cannot be read."""
    for index, source in enumerate(starts):
        start = None
        try:
            last = goal
            if isinstance(source, BenchmarkInstance):
                start, last = source.start, source.goal if goal is None else goal
            else:
                start = position(source) if kind is None else kind.configuration(source)  # type: ignore[arg-type]
            own = start.puzzle
            end = own.goal if last is None else own.configuration(last)
        except PuzzleError as error:
            yield Solved(index, start, error=error)
        else:
            yield _Task(index, start, end, options, limits)


class _Runner:
    """Where tasks run: an executor that was given, or threads of our own."""

    def __init__(self, executor: Executor | None, threads: int) -> None:
        self._executor = executor or ThreadPoolExecutor(threads, "solve_many")
        self._is_own = executor is None
        self._preparation = _Preparation()
        self.cancelled = threading.Event()

    def submit(self, task: _Task) -> Future[Solution]:
        if isinstance(self._executor, ThreadPoolExecutor):
            return self._executor.submit(self._preparation.run, task, self.cancelled)
        return self._executor.submit(task.run)  # processes have caches of their own

    def close(self) -> None:
        """End what still runs, if anything does."""
        self.cancelled.set()
        if self._is_own:
            self._executor.shutdown(cancel_futures=True)


def _results(
    tasks: Iterator[_Task | Solved],
    runner: _Runner,
    ordered: bool,
    most: int,
    progress: ProgressCallback | None,
    total: int,
) -> Iterator[Solved]:
    """Yield the results of tasks, of which at most so many are under way."""
    running: dict[Future[Solution], _Task] = {}
    queue: deque[Future[Solution] | Solved] = deque()
    done = 0
    try:
        while True:
            while len(queue) < most and (task := next(tasks, None)) is not None:
                if isinstance(task, Solved):
                    queue.append(task)
                else:
                    queue.append(future := runner.submit(task))
                    running[future] = task
            if not queue:
                return
            for found in _finished(queue, ordered):
                done += 1
                result = found if isinstance(found, Solved) else _solved(running.pop(found), found)
                if progress is not None:
                    progress("positions", done, total)
                yield result
    finally:
        for future in running:
            future.cancel()
        runner.close()


def _finished(queue: deque[Future[Solution] | Solved], ordered: bool) -> list[Future[Solution] | Solved]:
    """Take what comes next from a queue, and wait for it: the first, or all that are done."""
    if ordered:
        return [queue.popleft()]
    futures = [each for each in queue if isinstance(each, Future)]
    if len(futures) == len(queue):
        wait(futures, return_when=FIRST_COMPLETED)
    found = [each for each in queue if isinstance(each, Solved) or each.done()]
    rest = [each for each in queue if each not in found]
    queue.clear()
    queue.extend(rest)
    return found


def _solved(task: _Task, future: Future[Solution]) -> Solved:
    """Return the result of a task, whatever it raised; wait for it."""
    try:
        return Solved(task.index, task.start, future.result())
    except Exception as error:
        return Solved(task.index, task.start, error=error)
