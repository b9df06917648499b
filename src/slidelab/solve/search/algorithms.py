"""What searches of the core find, each with the clock that stops it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.puzzles import Configuration, Solution

if TYPE_CHECKING:
    from slidelab.solve.patterns.heuristic import Guide

__all__ = ["Outcome", "best_first", "deepen", "two_sided"]

NEVER = (1 << 64) - 1
ANY_LENGTH = (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found: a solution or none, and how many moves every solution has at least."""

    solution: Solution | None
    nodes: int
    lower_bound: int
    finished: bool


def _outcome(
    guide: Guide, start: Configuration, found: tuple[Any, ...], method: str, hundredths: int = 100
) -> Outcome:
    steps, nodes, lower_bound, finished = found
    if steps is None:
        return Outcome(None, nodes, lower_bound, finished)
    moves = guide.moves(start, steps)
    # A solution at most w times too long is itself a bound.
    lower_bound = min(len(moves), max(lower_bound, -(-len(moves) * 100 // hundredths)))
    optimal = lower_bound == len(moves)
    solution = Solution(start, guide.goal, moves, optimal, method, lower_bound=lower_bound, nodes=nodes)
    return Outcome(solution, nodes, lower_bound, finished)


def deepen(
    guide: Guide,
    start: Configuration,
    budget: Budget | None = None,
    *,
    lower_bound: int = 0,
    below: int | None = None,
) -> Outcome:
    """Iterative deepening (IDA*): a shortest solution, if it is shorter than `below`.

    >>> import slidelab as sl
    >>> from slidelab.solve.patterns.heuristic import guide
    >>> p = sl.puzzle("square R(3,3)")
    >>> deepen(guide(p.goal), p.configuration("8 6 7 2 5 4 3 . 1")).solution.length
    31
    """
    shape, marks = guide.situation(start)
    tick = (budget or Budget()).poll(lambda bound: f"bound {bound}")
    found = guide.searches.deepen(
        guide.estimate, shape, marks, lower_bound, ANY_LENGTH if below is None else below, NEVER, tick
    )
    return _outcome(guide, start, found, "ida")


def best_first(
    guide: Guide,
    start: Configuration,
    budget: Budget | None = None,
    *,
    weight: float = 1.0,
    below: int | None = None,
    memory: int = 1_000_000_000,
    most_nodes: int = NEVER,
) -> Outcome:
    """A*, or weighted A*: the solution has at most `weight` times as many moves as a shortest one.

    >>> import slidelab as sl
    >>> from slidelab.solve.patterns.heuristic import guide
    >>> p = sl.puzzle("square R(3,3)")
    >>> start = p.configuration("8 6 7 2 5 4 3 . 1")
    >>> best_first(guide(p.goal), start).solution.length
    31
    >>> near = best_first(guide(p.goal), start, weight=1.5)
    >>> near.solution.length <= 1.5 * 31, near.lower_bound <= 31
    (True, True)
    """
    shape, marks = guide.situation(start)
    hundredths = int(weight * 100 + 1e-9)  # rounded down: the promise is kept
    tick = (budget or Budget()).poll(lambda _: "states ")
    found = guide.searches.best_first(
        guide.estimate,
        shape,
        marks,
        hundredths,
        ANY_LENGTH if below is None else below,
        memory,
        most_nodes,
        tick,
    )
    return _outcome(guide, start, found, "astar" if hundredths == 100 else "weighted", hundredths)


def two_sided(
    guide: Guide,
    start: Configuration,
    budget: Budget | None = None,
    *,
    memory: int = 1_000_000_000,
    most_nodes: int = NEVER,
    both: bool = True,
) -> Outcome:
    """Breadth-first search from both ends: a shortest solution, without any tables.

    With `both` false from the start alone, which takes far longer: for comparison.

    >>> import slidelab as sl
    >>> from slidelab.solve.patterns.heuristic import guide
    >>> p = sl.puzzle("square R(3,3)")
    >>> two_sided(guide(p.goal), p.configuration("8 6 7 2 5 4 3 . 1")).solution.length
    31
    """
    tick = (budget or Budget()).poll(lambda _: "states ")
    found = guide.searches.two_sided(
        *guide.situation(start), *guide.situation(guide.goal), memory, most_nodes, both, tick
    )
    return _outcome(guide, start, found, "bidirectional")
