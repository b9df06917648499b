"""What workers do as jobs: solve, think on as an engine, and search whole components."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from slidelab.budget import Budget
from slidelab.distance.distances import distances
from slidelab.distance.table import DistanceTable, distance_table
from slidelab.errors import OutOfTime, TooLarge, Unsolvable
from slidelab.puzzles import Configuration, Solution
from slidelab.reach.verdict import reason_unsolvable
from slidelab.solve.methods import parse_method
from slidelab.solve.solver import solve
from slidelab.studio.forms import JobOptions
from slidelab.studio.hints import move_words

__all__ = ["Report", "distances_job", "engine_job", "solution_answer", "solve_job"]

Report = Callable[[str, Any], None]
"""Called with the name of an event and its data."""

MAX_MOVES_SENT = 100_000
"""Moves of a solution that are sent as texts; the rest of a longer one is left out."""

MAX_FULL_MOVES = 5_000
"""Moves of the longest solution that is sent in full: with moves as JSON, in words, and with distances."""

MAX_BEST_MOVES = 2_000
"""Moves of a solution that are sent with an improvement, which a better one will follow."""

TABLE_SHARE = 0.5
"""Part of the time of an engine that goes into a table of all distances."""


def solve_job(
    start: Configuration, goal: Configuration, options: JobOptions, budget: Budget, report: Report
) -> dict[str, Any]:
    """Solve a puzzle; every better solution is an event ``best``.

    >>> import slidelab as sl
    >>> start, events = sl.position("3x3 : 8 6 7 2 5 4 3 . 1"), []
    >>> answer = solve_job(start, start.puzzle.goal, JobOptions(), Budget(), lambda *e: events.append(e))
    >>> answer["length"], answer["optimal"], answer["words"][0]
    (31, True, 'slide 5 down')
    """
    solution = solve(
        start.puzzle,
        start,
        goal,
        method=parse_method(options.method),
        weight=options.weight,
        budget=budget,
        on_improvement=_improvements(report),
    )
    return solution_answer(solution)


def _improvements(report: Report) -> Callable[[Solution, int], None]:
    """Return a callback that reports solutions, each if it is shorter than all before."""
    shortest: int | None = None

    def improved(solution: Solution, bound: int) -> None:
        nonlocal shortest
        if shortest is None or solution.length < shortest:
            shortest = solution.length
            report("best", best_event(solution, bound))

    return improved


def best_event(solution: Solution, bound: int) -> dict[str, Any]:
    """Return the data of an event ``best``."""
    texts = [move.text for move in islice(solution.moves, MAX_BEST_MOVES)]
    return {
        "length": solution.length,
        "bound": max(bound, solution.lower_bound or 0),
        "moves": texts,
        "complete": len(texts) == solution.length,
    }


def solution_answer(solution: Solution) -> dict[str, Any]:
    """Return a solution in its JSON form, with moves as texts and in words.

    >>> import slidelab as sl
    >>> answer = solution_answer(sl.puzzle("square R(2,2)").solve("3 1 . 2"))
    >>> answer["texts"], answer["words"], answer["distances_left"]
    (['3:0>2', '1:1>0', '2:3>1'], ['slide 3 down', 'slide 1 left', 'slide 2 up'], [3, 2, 1, 0])
    """
    length = solution.length
    full = length <= MAX_FULL_MOVES
    form = solution.to_json() if full else solution.summary_json()
    texts = [move.text for move in islice(solution.moves, MAX_MOVES_SENT)]
    left = list(range(length, -1, -1)) if solution.optimal and full else None
    return {
        **form,
        "complete": full,
        "texts": texts,
        "words": [move_words(solution.start, move)[0] for move in solution.moves] if full else None,
        "distances_left": left,
    }


@dataclass(frozen=True, slots=True)
class Thought:
    """What an engine knows about a position."""

    best: list[str]
    distance: int | None
    bound: int
    known: int
    line: list[str]

    def to_json(self) -> dict[str, Any]:
        """Return the data of an event."""
        return {
            "best": self.best,
            "distance": self.distance,
            "bound": self.bound,
            "known": self.known,
            "length": self.known,
            "moves": self.line,
        }


def engine_job(start: Configuration, goal: Configuration, budget: Budget, report: Report) -> dict[str, Any]:
    """Find the distance and the best moves, and report what is known on the way.

    Where a table of all distances fits, these are all best moves; else the first move of the best solution.

    >>> import slidelab as sl
    >>> start = sl.position("2x2 : . 3 2 1")
    >>> answer = engine_job(start, start.puzzle.goal, Budget(), lambda *_: None)
    >>> answer["best"], answer["distance"]
    (['2:2>0', '3:1>0'], 6)
    """
    if start == goal:
        return Thought([], 0, 0, 0, []).to_json()
    if reason := _reason(start, goal, budget):
        raise Unsolvable(reason)
    thought: Thought | None = None

    def improved(solution: Solution, bound: int) -> None:
        nonlocal thought
        found = _thought(solution, bound)
        if thought is None or (found.known, -found.bound) < (thought.known, -thought.bound):
            thought = found
            report("best", found.to_json())

    try:
        return _by_table(start, goal, distance_table(goal, budget=budget.part(TABLE_SHARE))).to_json()
    except (TooLarge, OutOfTime):
        pass
    solution = solve(start.puzzle, start, goal, budget=budget, on_improvement=improved)
    return _thought(solution, solution.lower_bound or 0).to_json()


def _reason(start: Configuration, goal: Configuration, budget: Budget) -> str | None:
    try:
        return reason_unsolvable(start, goal, budget=budget)
    except TooLarge:
        return None


def _thought(solution: Solution, bound: int) -> Thought:
    line = [move.text for move in islice(solution.moves, MAX_BEST_MOVES)]
    bound = max(bound, solution.lower_bound or 0)
    distance = solution.length if solution.optimal or bound == solution.length else None
    return Thought(line[:1], distance, bound, solution.length, line)


def _by_table(start: Configuration, goal: Configuration, table: DistanceTable) -> Thought:
    solution = table.solve(start, goal)
    if solution is None:
        raise Unsolvable("the goal cannot be reached")
    nearer = solution.length - 1
    best = [move.text for move in start.moves if table.distance(start.play(move), goal) == nearer]
    line = [move.text for move in solution.moves]
    return Thought(best, solution.length, solution.length, solution.length, line)


def distances_job(start: Configuration, goal: Configuration, budget: Budget) -> dict[str, Any]:
    """Return the number of positions at each distance from the goal, and where the position is among them.

    >>> import slidelab as sl
    >>> start = sl.position("2x2 : . 3 2 1")
    >>> distances_job(start, start.puzzle.goal, Budget())
    {'distribution': [1, 2, 2, 2, 2, 2, 1], 'depth': 6, 'states': 12, 'here': 6, 'mean': 3.0}
    """
    here: int | None
    try:
        table = distance_table(goal, budget=budget)
        distribution, here = table.distribution, table.distance(start, goal)
    except TooLarge:  # a table takes more memory than counting
        distribution, here = distances(start.puzzle, goal, budget=budget).distribution, None
    states = sum(distribution)
    return {
        "distribution": list(distribution),
        "depth": len(distribution) - 1,
        "states": states,
        "here": here,
        "mean": sum(d * count for d, count in enumerate(distribution)) / states,
    }
