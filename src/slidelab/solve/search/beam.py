"""Anytime beam search: wider and wider beams, each for a shorter solution, until time is up."""

from __future__ import annotations

import time
from contextlib import suppress
from math import comb

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.gains import GainGraph
from slidelab.puzzles import Configuration
from slidelab.solve.patterns.databases import DEFAULT_DATABASE_BYTES, database_entries, pattern_sizes
from slidelab.solve.patterns.heuristic import Heuristic
from slidelab.solve.patterns.symmetry import count_symmetries_of_shape
from slidelab.solve.policy import Policy
from slidelab.solve.search.algorithms import ANY_LENGTH, Outcome, outcome_of
from slidelab.solve.search.ranking import Ranking, core_ranking, has_fitted_weights
from slidelab.solve.task import Task

__all__ = [
    "beam_partitions",
    "beam_search",
    "find_by_beam",
    "improve_by_beams",
    "quick_databases",
    "rankings_of",
    "spare_rankings",
]

SETS_PER_SECOND = 500_000
"""Sets of cells for which databases of tiles with one hole are built in a second on one core, roughly."""

ENTRIES_PER_SECOND = 30_000_000
"""Entries of such databases beyond that."""

MIN_SECONDS = 1e-4
"""Least time that a beam counts for when its speed is measured."""

STEPS_PER_SECOND = 40_000_000
"""Shapes times entries of other databases that are built in that time."""


def beam_search(
    heuristic: Heuristic,
    start: Configuration,
    budget: Budget | None = None,
    *,
    width: int,
    below: int | None = None,
    ranking: Ranking | None = None,
    memory: int | None = None,
) -> Outcome:
    """Find a solution by beam search, layer by layer with the best states only.

    Parameters
    ----------
    heuristic, start, budget, below
        As for `ida_star`. Without `below` a narrow beam may go on until the budget ends.
    width
        States that are kept of each layer. If all are, the solution is a shortest.
    ranking
        How states are ranked; by default by the lower bound of the heuristic.
    memory
        Bytes for the beam; by default half of the budget's.

    Raises
    ------
    TooLarge
        If a beam of this width does not fit the memory.

    References
    ----------
    .. [1] R. Zhou, E. Hansen, "Beam-stack search: integrating backtracking with beam search", ICAPS 2005.
    .. [2] D. Furcy, S. Koenig, "Limited discrepancy beam search", IJCAI 2005.

    Examples
    --------
    >>> import slidelab as sl
    >>> from slidelab.solve.patterns.heuristic import heuristic_for
    >>> p = sl.puzzle("square R(3,3)")
    >>> start = p.configuration("8 6 7 2 5 4 3 . 1")
    >>> beam_search(heuristic_for(p.goal), start, width=100_000)
    <outcome: 31 moves, lower bound 31, ... nodes>
    >>> beam_search(heuristic_for(p.goal), start, width=20, below=100).solution.length >= 31
    True
    """
    from slidelab import _core

    budget = budget or Budget()
    shape, marks = heuristic.encode(start)
    try:
        found = heuristic.searches.beam_search(
            heuristic.core,
            shape,
            marks,
            width,
            ANY_LENGTH if below is None else below,
            core_ranking(heuristic, ranking or Ranking()),
            budget.memory // 2 if memory is None else memory,
            budget.threads,
            budget.poll(f"beam of {width:,}"),
        )
    except _core.LimitReached as error:
        raise TooLarge(str(error)) from None
    return outcome_of(heuristic, start, found, "beam", guaranteed=found[3])


def find_by_beam(task: Task, heuristic: Heuristic, budget: Budget) -> tuple[int, float]:
    """Find a better solution by the narrowest beam that ends with one.

    All rankings are tried before beams become wider. Return the width of the last beam, and how many states
    it searched in a second; zeros if there was none.
    """
    policy = task.policy
    rankings = (*rankings_of(heuristic, policy), *spare_rankings(heuristic, policy))
    width, tried, speed, most = policy.narrow_beam_width, 0, 0.0, max_width(task, heuristic)
    while width <= most:
        for ranking in rankings:
            if budget.expired or task.is_settled or _is_by_beam(task):
                return tried, speed
            before, below = time.monotonic(), longest_beam(task)
            outcome = beam_search(heuristic, task.start, budget, width=width, below=below, ranking=ranking)
            task.learn(outcome)
            tried, speed = width, outcome.nodes / max(time.monotonic() - before, MIN_SECONDS)
            report(task, budget)
        width *= policy.beam_growth
    return tried, speed


def improve_by_beams(task: Task, heuristic: Heuristic, budget: Budget) -> int:
    """Improve the solution of a task by wider and wider beams; return the width of the widest.

    Narrow beams try all rankings of the policy; wider ones take the one that did best in the widest of
    them. The last beam is as wide as the time left allows.
    """
    policy = task.policy
    rankings = rankings_of(heuristic, policy)
    lengths = dict.fromkeys(rankings, 0)
    width, widest, nodes, spent = policy.first_beam_width, 0, 0, 0.0
    most = max_width(task, heuristic)
    while width <= most and not budget.expired and not task.is_settled:
        below = longest_beam(task)  # the same for all rankings, so that their lengths can be compared
        for ranking in rankings:
            before = time.monotonic()
            outcome = beam_search(heuristic, task.start, budget, width=width, below=below, ranking=ranking)
            task.learn(outcome)
            lengths[ranking] = outcome.solution.length if outcome.solution else below
            # The speed of the last beam: narrow ones are slower, since threads wait for each other.
            nodes, spent = outcome.nodes, time.monotonic() - before
            if outcome.finished:
                task.lower_bound = max(task.lower_bound, min(outcome.lower_bound, longest_beam(task)))
                return width
            report(task, budget)
        widest = width
        width *= policy.beam_growth
        if width > policy.max_trial_beam_width:
            rankings = (min(lengths, key=lambda ranking: lengths[ranking]),)
        if budget.time_left is not None and spent > 0:
            states = policy.beam_time_share * budget.time_left * nodes / spent
            possible = int(states / longest_beam(task))
            if possible < width * len(rankings):
                # Rather one beam as wide as the time allows than one that ends too early.
                rankings = (min(lengths, key=lambda ranking: lengths[ranking]),)
                width = min(width, possible)
            fruitless = task.best is not None and not _is_by_beam(task) and spent > budget.time_left
            if width < widest * policy.min_beam_growth or fruitless:
                break  # shortening what was constructed gains more, then
    return widest


def _is_by_beam(task: Task) -> bool:
    return task.best is not None and task.best.method == "beam"


def rankings_of(heuristic: Heuristic, policy: Policy) -> tuple[Ranking, ...]:
    """Return the rankings that beams try, the best in general first.

    >>> import slidelab as sl
    >>> from slidelab.solve.patterns.heuristic import heuristic_for
    >>> rankings_of(heuristic_for(sl.puzzle("square R(5,5)").goal, 0), Policy())
    (Ranking(excess=0.0, power=1.0, order=0.0, fitted=True, network=1.0),)
    """
    formulas = tuple(Ranking(*weights) for weights in policy.beam_rankings)
    if not has_fitted_weights(heuristic.goal.puzzle):
        return formulas
    if not heuristic.lookups:
        return (Ranking(0.0, fitted=True, network=1.0),)
    fitted = tuple(Ranking(excess, fitted=True) for excess in policy.fitted_excess)
    return (Ranking(policy.network_excess, fitted=True, network=1.0), *fitted, *formulas[:1])


def spare_rankings(heuristic: Heuristic, policy: Policy) -> tuple[Ranking, ...]:
    """Return the rankings that narrow beams try if all others end without a solution.

    >>> import slidelab as sl
    >>> from slidelab.solve.patterns.heuristic import heuristic_for
    >>> spare_rankings(heuristic_for(sl.puzzle("square R(5,5)").goal, 0), Policy())
    (Ranking(excess=0.0, power=1.0, order=0.0, fitted=True, network=0.0),)
    """
    if heuristic.lookups or not has_fitted_weights(heuristic.goal.puzzle):
        return ()
    return (Ranking(0.0, fitted=True),)


def report(task: Task, budget: Budget) -> None:
    """Report the length of the best solution, the lower bound and the gap between them."""
    if (length := task.best_length) is not None:
        gap = 100 * (length - task.lower_bound) / max(1, task.lower_bound)
        budget.report(f"{length} moves, lower bound {task.lower_bound}, gap {gap:.0f} %")


def longest_beam(task: Task) -> int:
    """Return the length below which a beam looks for solutions: that of the best, or a generous guess."""
    return task.best_length or task.policy.beam_length_factor * (task.lower_bound + task.puzzle.board.size)


def max_width(task: Task, heuristic: Heuristic) -> int:
    """Return the width of the widest beam that fits the memory with the records of all its layers."""
    state, record = heuristic.searches.beam_bytes(heuristic.core)
    memory = min(task.budget.memory // 2, task.policy.max_beam_bytes)
    return int(memory // (state + record * longest_beam(task)))


def beam_partitions(graph: GainGraph, shape: int, policy: Policy) -> int:
    """Return how many partitions of the pieces get databases for beams; symmetric lookups make more of them.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> [beam_partitions(gain_graph(sl.puzzle(f"square R({n},{n})")), n * n - 1, Policy()) for n in (5, 6)]
    [2, 4]
    """
    pieces = graph.puzzle.piece_count
    lookups = next((lookups for most, lookups in policy.beam_lookups if pieces <= most), 1)
    return -(-lookups // count_symmetries_of_shape(graph, shape))


def quick_databases(graph: GainGraph, budget: Budget, seconds: float, partitions: int = 1) -> tuple[int, int]:
    """Return the bytes and partitions of pattern databases that are built in so many seconds.

    Patterns of three pieces in fewer partitions come before pairs in more.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> graph, budget = gain_graph(sl.puzzle("square R(7,7)")), Budget.of(threads=1)
    >>> [quick_databases(graph, budget, seconds, 4) for seconds in (0.1, 2, 30)]
    [(1250000, 1), (40000000, 2), (80000000, 4)]
    """
    for number in (partitions, partitions // 2, 1):
        size = _quick_bytes(graph, seconds * budget.threads, number)
        if number <= 1 or max(pattern_sizes(graph, size // number), default=0) > 2:
            break
    return size, max(1, number)


def _quick_bytes(graph: GainGraph, seconds: float, partitions: int) -> int:
    """Return how large databases can be that one core builds in so many seconds."""
    one_hole = graph.puzzle.rule.cells == 1 and graph.puzzle.hole_count == 1
    size = DEFAULT_DATABASE_BYTES * partitions
    while size > 1000:
        needed = 0.0
        with suppress(TooLarge):
            for pieces in pattern_sizes(graph, size // max(1, partitions)):
                entries = database_entries(graph, pieces)
                if one_hole:
                    needed += comb(graph.puzzle.board.size, pieces) / SETS_PER_SECOND
                    needed += entries / ENTRIES_PER_SECOND
                else:
                    needed += graph.shapes * entries / STEPS_PER_SECOND
        if partitions * needed <= seconds:
            return size
        size //= 4
    return 0
