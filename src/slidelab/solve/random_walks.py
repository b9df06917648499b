"""Configurations at a proved distance from a goal, on the shortest solutions of random walks.

Where the layers of a search are too large, a random walk from the goal is solved. If a shortest solution has
at least as many moves as wanted, the configuration on it that is so many moves from its end is at exactly
that distance: any part of a shortest path is a shortest path. Walks begin as long as the distance and become
longer until they lead far enough. All limits count nodes, not seconds, so that a seed gives the same
configuration on every machine. Configurations are not drawn uniformly: those with many shortest paths behind
them are more likely.
"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from slidelab.budget import Budget
from slidelab.errors import NotReached, OutOfTime, TooLarge
from slidelab.gains.arrays import ConfigurationArrays
from slidelab.puzzles import Configuration, Solution
from slidelab.solve.gourds.cycles import near_gourds
from slidelab.solve.patterns.databases import DEFAULT_DATABASE_BYTES
from slidelab.solve.patterns.heuristic import Heuristic, heuristic_for
from slidelab.solve.search.algorithms import bidirectional_search, ida_star
from slidelab.solve.single_pieces import SinglePieces

__all__ = ["WalkLimits", "WalkSampler", "end_of"]

NEAR_NODES = 100_000
"""Nodes of a bidirectional search before IDA*: some hundredths of a second."""

MAX_NODES = 20_000_000
"""Nodes of one search, after which a walk is given up as too hard: some seconds."""

MAX_STATE_CELLS = 50_000_000
"""The same where states are kept, as bidirectional search does: states times cells."""

LENGTH_FACTOR = 1.25
"""How much longer the next walk is if one did not lead far enough."""

MAX_WALK_PER_PIECE = 100
"""Moves of the longest walk, times pieces: walks on the 15-puzzle have forgotten the goal by then."""

BOUND_STEPS = 8
"""Parts of a walk that goes on until a lower bound is reached, as parts of the bound."""


class WalkLimits(NamedTuple):
    """When to give up a draw."""

    near: int = 200
    """Walks that did not lead far enough."""
    hard: int = 20
    """Walks that were too hard to solve."""
    time_share: float = 1.0
    """Part of the time left, if there is a deadline."""


class WalkSampler:
    """Draws configurations at a proved distance from a goal.

    Raises
    ------
    TooLarge
        If no search for shortest solutions takes this puzzle.

    Examples
    --------
    >>> import slidelab as sl
    >>> sampler = WalkSampler(sl.puzzle("square R(3,3)").goal)
    >>> sampler.draw(20, random.Random(1)).length
    20
    """

    def __init__(self, goal: Configuration, *, budget: Budget | None = None) -> None:
        self.goal = goal
        self.budget = budget or Budget()
        self._arrays = ConfigurationArrays(goal.puzzle, self.budget)
        self._heuristic: Heuristic | None = None
        self._bound: Heuristic | SinglePieces
        try:
            self._heuristic = heuristic_for(goal, DEFAULT_DATABASE_BYTES, budget=self.budget)
            self._bound = self._heuristic
        except TooLarge as error:
            self._refusal = error
            self._bound = SinglePieces(goal, budget=self.budget)

        self.provable = 0
        """The largest lower bound of a search that came to its limit: more is too much for most walks."""

    def lower_bound(self, configuration: Configuration) -> int:
        """Return a lower bound on the distance of a configuration."""
        return self._bound.lower_bound(configuration) or 0

    def draw(self, distance: int, rng: random.Random, limits: WalkLimits | None = None) -> Solution:
        """Return a shortest solution with that many moves; its start is the configuration.

        Raises
        ------
        NotReached
            If none was found within the limits. Carries the farthest configuration.
        """
        near, hard, time_share = limits or WalkLimits()
        left = self.budget.time_left
        budget = self.budget if left is None else self.budget.share(left * time_share)
        most = max(distance, MAX_WALK_PER_PIECE * self.goal.puzzle.piece_count)
        length, farthest = distance, None
        with suppress(OutOfTime):
            while near and hard:
                budget.check(f"walks of {length:,} moves")
                # Once walks are as long as they may be, go on from the farthest configuration instead.
                origin, steps = self.goal, length
                if length >= most and farthest is not None:
                    origin, steps = farthest.start, rng.randint(1, 2 * distance)
                solution = self._solve(self._walk(origin, steps, rng), budget)
                if solution is None:
                    hard -= 1
                    length = max(distance, int(length / LENGTH_FACTOR))
                    continue
                if solution.length >= distance:
                    return end_of(solution, distance)
                if farthest is None or solution.length >= farthest.length:
                    farthest = solution
                near -= 1
                length = min(most, int(length * LENGTH_FACTOR) + 1)
        raise NotReached(distance, farthest)

    def draw_by_bound(self, bound: int, rng: random.Random) -> Configuration:
        """Return the end of a random walk whose lower bound is at least `bound`.

        Raises
        ------
        NotReached
            If no walk came as far.
        """
        here, steps = self.goal, max(1, bound // BOUND_STEPS)
        most = MAX_WALK_PER_PIECE * self.goal.puzzle.piece_count
        for _ in range(0, max(most, 4 * bound), steps):
            if self.lower_bound(here) >= bound:
                return here
            here = self._walk(here, steps, rng)
        raise NotReached(bound, None)

    def _walk(self, origin: Configuration, length: int, rng: random.Random) -> Configuration:
        first = self._arrays.encode([origin])
        walks = self._arrays.random_walks(first, length, seed=rng.getrandbits(63), record=False)
        return self._arrays.decode(walks.states)[0]

    def _solve(self, start: Configuration, budget: Budget) -> Solution | None:
        """Return a shortest solution, or None if the search comes to its limit."""
        goal, heuristic = self.goal, self._heuristic
        if start == goal:
            return Solution(goal, goal, (), True)
        if heuristic is None:
            return self._solve_gourds(start, budget)
        is_informed = bool(heuristic.databases.patterns)
        nodes = NEAR_NODES if is_informed else self._max_states
        outcome = bidirectional_search(heuristic, start, budget, max_nodes=nodes)
        if is_informed and outcome.solution is None and not budget.expired:
            known = outcome.lower_bound
            # On one thread the limit ends the search at the same node in every run.
            alone = replace(budget, threads=1)
            outcome = ida_star(heuristic, start, alone, lower_bound=known, max_nodes=MAX_NODES)
        if outcome.solution is None:
            budget.check("searches")
            self._note(outcome.lower_bound)
        return outcome.solution if outcome.solution and outcome.solution.optimal else None

    @property
    def _max_states(self) -> int:
        return MAX_STATE_CELLS // self.goal.puzzle.board.size

    def _note(self, bound: int) -> None:
        self.provable = max(self.provable, bound)

    def _solve_gourds(self, start: Configuration, budget: Budget) -> Solution | None:
        """Solve without a gain graph; so far only gourds with one hole are searched so."""
        puzzle = self.goal.puzzle
        if puzzle.rule.corner != "pivot" or puzzle.hole_count != 1 or puzzle.colours is not None:
            raise self._refusal
        moves, bound = near_gourds(start, self.goal, budget, self._max_states)
        self._note(bound)
        return None if moves is None else Solution(start, self.goal, moves, True, "bidirectional")


def end_of(solution: Solution, moves: int) -> Solution:
    """Return the last moves of a solution, a shortest one if the whole is.

    >>> import slidelab as sl
    >>> end_of(sl.puzzle("square R(2,2)").solve("3 1 / . 2"), 2)
    <solution in 2 moves, shortest: 1:1>0 2:3>1>
    """
    done = solution.length - moves
    start = solution.start.play(*solution.moves[:done])
    return Solution(start, solution.goal, solution.moves[done:], solution.optimal, solution.method)
