"""The puzzles of a page: random configurations with rising distances from the goal, and their solutions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from slidelab.budget import Budget
from slidelab.errors import NotationError, NotReached, OutOfTime
from slidelab.messages import quoted
from slidelab.puzzles import Configuration, Puzzle, Solution
from slidelab.solve.difficulty import LEVEL_LIMITS, LEVELS, Instance, Instances, generators, level_distance
from slidelab.solve.solver import solve

__all__ = ["rising_distances", "rising_solutions"]


def rising_distances(first: int, last: int, count: int) -> list[int]:
    """Return so many distances from the first to the last, as evenly spaced as whole numbers can be.

    >>> rising_distances(7, 22, 6), rising_distances(1, 3, 6), rising_distances(5, 9, 1)
    ([7, 10, 13, 16, 19, 22], [1, 1, 2, 2, 3, 3], [9])
    """
    if count == 1:
        return [last]
    return [first + (2 * (last - first) * k + count - 1) // (2 * (count - 1)) for k in range(count)]


def rising_solutions(
    puzzle: Puzzle,
    count: int,
    seed: int | None = None,
    goal: Configuration | None = None,
    *,
    moves: Sequence[int] | None = None,
    budget: Budget | None = None,
) -> list[Solution]:
    """Return shortest solutions of random configurations, with rising numbers of moves.

    Parameters
    ----------
    puzzle
    count
        How many; different ones if there are as many.
    seed
        The first configuration has this seed, the next one the next.
    goal
        By default `Puzzle.goal`.
    moves
        Number of moves of the first and of the last; by default those of the difficulties easy and hard, or
        as many as can be proved.
    budget

    Examples
    --------
    >>> import slidelab as sl
    >>> [s.length for s in rising_solutions(sl.puzzle("square R(3,3)"), 4, seed=1)]
    [7, 12, 17, 22]
    """
    instances = Instances(puzzle, goal, budget=budget)
    rngs = generators(seed, count)
    if moves is not None:
        first, last = moves[0], moves[-1]
    else:
        first, hard = level_distance(instances, "easy"), level_distance(instances, "hard")
        last = _provable_distance(instances, hard, rngs[-1])
        first = first if last == hard else max(1, round(last * LEVELS["easy"]))
    distances = rising_distances(first, last, count)
    solutions: list[Solution] = []
    for distance in dict.fromkeys(distances):
        chosen = [rng for rng, wanted in zip(rngs, distances, strict=True) if wanted == distance]
        solutions += [_solution(instances, instance) for instance in instances.at(distance, chosen)]
    if not all(solution.length for solution in solutions):
        raise NotationError(f"expected a puzzle in which something can move, got {quoted(puzzle.text)}")
    return solutions


def _provable_distance(instances: Instances, distance: int, rng: random.Random) -> int:
    """Return the largest distance up to `distance` at which a configuration was found within some seconds."""
    while distance > 1:
        try:
            next(instances.at(distance, [copy(rng)], LEVEL_LIMITS))
        except NotReached as error:
            if instances.budget.expired:
                raise
            # If walks led too near, the farthest of them will do; if they were too hard, go nearer.
            farthest, provable = error.lower_bound, instances.walks.provable
            distance = farthest if farthest > provable // 2 else min(max(1, provable), distance * 3 // 4)
        else:
            break
    return distance


def _solution(instances: Instances, instance: Instance) -> Solution:
    goal, solution = instances.goal, instance.solution
    if solution is None:
        solution = solve(goal.puzzle, instance.configuration, goal, budget=instances.budget)
    if solution.length > instance.distance:
        moves = f"{instance.distance} moves is known to exist"
        raise OutOfTime(f"no shortest solution of {instance.text} was found in time, though one of {moves}")
    return replace(solution, optimal=True)
