"""Anytime beam search on the board itself, for rules whose shapes are too many to list.

Like `slidelab.solve.search.beam`, but a state is where every piece lies, so that no gain graph and no pattern
database is needed. See docs/design/gourds.md.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from itertools import count
from math import comb
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import OutOfTime, TooLarge
from slidelab.gains import Steps
from slidelab.puzzles import Configuration, MoveList, Solution
from slidelab.solve.assignment import numbered
from slidelab.solve.search.algorithms import Outcome
from slidelab.solve.search.beam import longest_beam, report
from slidelab.solve.task import Task

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BoardSearch", "board_beam", "improve_by_board_beams", "improve_by_windows"]

Ranking = tuple[float, float, float]
"""Power of the distance of a piece, weight of remote goals, weight of the excess of pairs."""

PAIR_STEPS_PER_SECOND = 250_000_000
"""Steps of two pieces that are made in a second on one core for the table of pairs, roughly."""

MAX_BEAM_STRETCH = 2
"""Length of what beams find, as a multiple of the lower bound, at most on compact boards."""

GOLDEN_RATIO = 0.618_033_988_749_895
"""Part of a window by which those of the next round begin later, so that the cuts are evenly spread."""


class BoardSearch:
    """Beam search towards one goal.

    Attributes
    ----------
    goal : Configuration
        Of numbered pieces.
    steps : Steps
    core : _core.BoardBeam
    has_pairs : bool
        Whether states can be ranked by pairs of pieces.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("hex F(3) gourds")
    >>> search = BoardSearch(p.goal)
    >>> search.lower_bound(p.shuffle(1)) <= p.solve(p.shuffle(1)).length
    True
    """

    def __init__(self, goal: Configuration, budget: Budget | None = None) -> None:
        import numpy as np

        from slidelab import _core

        budget = budget or Budget()
        if goal.puzzle.colours is not None:
            raise ValueError("expected numbered pieces")
        self.goal = goal
        self.steps = Steps(goal.puzzle, budget)
        rank = np.arange(goal.puzzle.board.size, dtype=np.int32)
        try:
            self.core = _core.BoardBeam(*self.steps.arrays(rank), self.steps.spots(goal), budget.check)
        except _core.LimitReached as error:
            raise TooLarge(f"{error} - on {goal.puzzle.text}") from None
        self.has_pairs = False

    def lower_bound(self, start: Configuration) -> int | None:
        """Return the sum of the distances of single pieces on an empty board; None if one has no path."""
        return self.core.lower_bound(self.steps.spots(start))

    @property
    def pair_steps(self) -> int:
        """Steps of two pieces on an empty board, over all pairs of pieces."""
        spots = len(self.steps.placements) * self.goal.puzzle.rule.turns
        each = 2 * len(self.steps.rows) / max(1, len(self.steps.placements))
        return int(comb(self.goal.puzzle.piece_count, 2) * spots**2 * each)

    def add_pairs(self, budget: Budget, seconds: float) -> bool:
        """Make the table of pairs if it takes no more time, and a quarter of the memory; whether it did.

        On a machine that is busy with other things it may take twice the time before it is given up.
        """
        rate = budget.threads * PAIR_STEPS_PER_SECOND
        if self.core.pair_bytes > budget.memory // 4 or self.pair_steps > seconds * rate:
            return False
        with suppress(OutOfTime):
            self.core.add_pairs(self.core.pair_bytes, budget.threads, budget.share(2 * seconds).check)
            self.has_pairs = True
        return self.has_pairs


def board_beam(
    search: BoardSearch,
    start: Configuration,
    budget: Budget | None = None,
    *,
    width: int,
    below: int,
    ranking: Ranking = (1.5, 1.0, 0.0),
    memory: int | None = None,
) -> Outcome:
    """Find a solution by beam search, layer by layer with the best states only.

    Parameters
    ----------
    search
        Of the goal.
    start, budget
    width
        States that are kept of each layer. If all are, the solution is a shortest.
    below
        Only solutions with fewer moves are looked for.
    ranking
        Weights by which states are ranked.
    memory
        Bytes for the beam; by default half of the budget's.

    Raises
    ------
    TooLarge
        If a beam of this width does not fit the memory.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("hex F(2) gourds")
    >>> start = p.configuration("1-0 2-5 6-4")
    >>> board_beam(BoardSearch(p.goal), start, width=100_000, below=100).solution.length
    7
    """
    from slidelab import _core

    budget = budget or Budget()
    try:
        rows, nodes, bound, finished = search.core.solve(
            search.steps.spots(start),
            width,
            below,
            ranking,
            budget.memory // 2 if memory is None else memory,
            budget.threads,
            budget.poll(f"beam of {width:,}"),
        )
    except _core.LimitReached as error:
        raise TooLarge(str(error)) from None
    if rows is None:
        return Outcome(None, nodes, bound, finished)
    moves = search.steps.moves(start, rows.tolist())
    optimal = bound == len(moves)
    solution = Solution(start, search.goal, moves, optimal, "beam", lower_bound=bound, nodes=nodes)
    return Outcome(solution, nodes, bound, finished)


def improve_by_board_beams(task: Task, budget: Budget) -> int:
    """Improve the solution of a task by wider and wider beams; return the width of the widest.

    Narrow beams try all rankings of the policy; wider ones take the ranking that did best in the widest of
    them. The last beam is as wide as the time left allows.
    """
    policy = task.policy
    first, last = numbered(task.start, task.goal, task.budget)
    search = BoardSearch(last, task.budget)
    is_numbered = task.puzzle.colours is None
    if is_numbered:
        task.lower_bound = max(task.lower_bound, search.lower_bound(first) or 0)
    left = budget.time_left
    search.add_pairs(budget, policy.beam_seconds if left is None else left * policy.pair_share)
    rankings = [each for each in policy.board_rankings if search.has_pairs or not each[2]]
    lengths = dict.fromkeys(rankings, 0)
    width, widest, nodes, spent = policy.first_beam_width, 0, 0, 0.0
    most = _max_width(task, search)
    while width <= most and not budget.expired and not task.is_settled:
        below = longest_beam(task)  # the same for all rankings, so that their lengths can be compared
        for ranking in rankings:
            before = time.monotonic()
            outcome = board_beam(search, first, budget, width=width, below=below, ranking=ranking)
            _learn(task, outcome, is_numbered=is_numbered)
            lengths[ranking] = outcome.solution.length if outcome.solution else below
            nodes, spent = nodes + outcome.nodes, spent + time.monotonic() - before
            if outcome.finished:
                return width
            report(task, budget)
        widest = width
        # On large boards narrow beams end without a solution, whatever the ranking.
        failed = min(lengths.values()) >= below
        width *= 4 if failed else 2
        if failed or width > policy.max_trial_beam_width:
            rankings = [min(rankings, key=lambda ranking: lengths[ranking])]
        if budget.time_left is not None and spent > 0:
            states = policy.beam_time_share * budget.time_left * nodes / spent
            possible = int(states / _expected_length(task))
            if possible < width * len(rankings):
                # Rather one beam as wide as the time allows than one that ends too early.
                rankings = [min(rankings, key=lambda ranking: lengths[ranking])]
                width = min(width, possible)
            if width < widest * policy.min_beam_growth:
                break
    return widest


def _learn(task: Task, outcome: Outcome, *, is_numbered: bool) -> None:
    """Keep what a beam found; with colours, bounds and shortest solutions are those of one assignment."""
    task.nodes += outcome.nodes
    if is_numbered:
        task.lower_bound = max(
            task.lower_bound, min(outcome.lower_bound, task.best_length or longest_beam(task))
        )
    if (solution := outcome.solution) is not None:
        bound = task.lower_bound
        optimal = is_numbered and solution.optimal
        task.keep(
            Solution(
                task.start, task.goal, solution.moves, optimal, "beam", lower_bound=bound, nodes=task.nodes
            )
        )


def _expected_length(task: Task) -> int:
    """Return how many layers a beam may have: a constructed solution is often several times as long."""
    longest = longest_beam(task)
    if task.best is not None and task.best.method == "beam":
        return longest
    return max(1, min(longest, MAX_BEAM_STRETCH * task.lower_bound))


def _max_width(task: Task, search: BoardSearch) -> int:
    """Return the width of the widest beam that fits the memory with the records of all its layers."""
    state, record = search.core.bytes()
    memory = min(task.budget.memory // 2, task.policy.max_beam_bytes)
    return int(memory // (state + record * longest_beam(task)))


def improve_by_windows(task: Task, budget: Budget) -> None:
    """Shorten the best solution of a task by beams from one of its states to a later one, until time is up.

    Rounds that gain nothing are followed by longer windows and wider beams.

    Raises
    ------
    OutOfTime
        If the deadline of the task passes before the first window.
    """
    from slidelab import _core

    policy, best = task.policy, task.best
    if best is None or best.length < 2:
        return
    first = Configuration(task.puzzle.uncoloured, task.start.pieces)
    search = BoardSearch(first, task.budget)
    core = search.core.windows(search.steps.spots(first), _spots_of_moves(search.steps, best))
    length, width = policy.first_window
    length, idle = min(length, len(core)), 0
    memory, poll = min(budget.memory // 2, policy.max_beam_bytes), budget.poll("windows")
    for number in count(1):
        before = len(core)
        offset = int(number * GOLDEN_RATIO * length) % length
        try:
            done = core.run(
                length, offset, width, number, policy.window_ranking, memory, budget.threads, poll
            )
        except _core.LimitReached:
            done = False
        if len(core) < before:
            moves = search.steps.moves(first, core.moves().tolist())
            optimal = task.puzzle.colours is None and len(moves) == task.lower_bound
            task.keep(replace(best, moves=moves, method="beam", passages=(), optimal=optimal))
            report(task, budget)
        if not done or budget.expired or task.is_settled:
            return
        idle = 0 if len(core) < before else idle + 1
        if idle == policy.idle_window_rounds:
            idle, width = 0, 2 * width
            length = int(policy.window_growth * length)
        length = min(length, len(core))


def _spots_of_moves(steps: Steps, solution: Solution) -> NDArray[np.int32]:
    """Return rows of piece and spot after the move."""
    import numpy as np

    cells, turns = 2 + steps.puzzle.rule.cells, steps.puzzle.rule.turns
    rows = MoveList.of(solution.moves).rows.tolist()
    located = [(row[0] - 1, *steps.locate(tuple(row[cells:]))) for row in rows]
    spots = [(piece, placement * turns + turn) for piece, placement, turn in located]
    return np.array(spots, dtype=np.int32).reshape(-1, 2)
