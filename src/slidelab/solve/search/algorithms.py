"""The textbook searches of the core: IDA*, A* and bidirectional search, each within a budget."""

from __future__ import annotations

from dataclasses import dataclass

from slidelab.budget import Budget
from slidelab.puzzles import Configuration, Solution
from slidelab.solve.method import MethodName
from slidelab.solve.patterns.heuristic import Heuristic

__all__ = ["Outcome", "a_star", "bidirectional_search", "ida_star", "outcome_of"]

NO_NODE_LIMIT = (1 << 64) - 1
ANY_LENGTH = (1 << 32) - 1

DEFAULT_SEARCH_BYTES = 1_000_000_000
"""Bytes for the states of A* and bidirectional search, if the budget has as much."""

CoreOutcome = tuple[list[tuple[int, int, int]] | None, int, int, bool]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found: a solution or none, expanded nodes, and a lower bound on all solutions.

    `finished` is False if the search ended at a limit.
    """

    solution: Solution | None
    nodes: int
    lower_bound: int
    finished: bool

    def __repr__(self) -> str:
        length = f"{self.solution.length} moves" if self.solution else "no solution"
        limit = "" if self.finished else ", ended at a limit"
        return f"<outcome: {length}, lower bound {self.lower_bound}, {self.nodes:,} nodes{limit}>"


def outcome_of(
    heuristic: Heuristic,
    start: Configuration,
    found: CoreOutcome,
    method: MethodName,
    hundredths: int = 100,
    *,
    guaranteed: bool = True,
) -> Outcome:
    """Return what the core found; `guaranteed` if the weight limits the length of its solution."""
    steps, nodes, lower_bound, finished = found
    if steps is None:
        return Outcome(None, nodes, lower_bound, finished)
    moves = heuristic.graph.steps.moves(start, steps)
    # A solution at most w times as long as a shortest one is itself a lower bound.
    proved = -(-len(moves) * 100 // hundredths) if guaranteed else 0
    lower_bound = min(len(moves), max(lower_bound, proved))
    optimal = lower_bound == len(moves)
    solution = Solution(start, heuristic.goal, moves, optimal, method, lower_bound=lower_bound, nodes=nodes)
    return Outcome(solution, nodes, lower_bound, finished)


def ida_star(
    heuristic: Heuristic,
    start: Configuration,
    budget: Budget | None = None,
    *,
    lower_bound: int = 0,
    below: int | None = None,
    max_nodes: int = NO_NODE_LIMIT,
) -> Outcome:
    """Find a shortest solution by iterative-deepening A*.

    Parameters
    ----------
    heuristic
        Of the goal; of several partitions only the first is read.
    start
    budget
        The solution is the same for any number of threads.
    lower_bound
        Known lower bound: the first depth that is searched.
    below
        Only solutions with fewer moves are looked for.
    max_nodes
        Nodes that are expanded at most.

    References
    ----------
    .. [1] R. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial
       Intelligence 27 (1985).

    Examples
    --------
    >>> import slidelab as sl
    >>> from slidelab.solve.patterns.heuristic import heuristic_for
    >>> p = sl.puzzle("square R(3,3)")
    >>> ida_star(heuristic_for(p.goal), p.configuration("8 6 7 2 5 4 3 . 1")).solution.length
    31
    """
    shape, marks = heuristic.encode(start)
    budget = budget or Budget()
    found = heuristic.searches.ida_star(
        heuristic.of_first_partition.core,
        shape,
        marks,
        lower_bound,
        ANY_LENGTH if below is None else below,
        max_nodes,
        budget.threads,
        budget.poll(lambda bound: f"bound {bound}"),
    )
    return outcome_of(heuristic, start, found, "ida")


def a_star(
    heuristic: Heuristic,
    start: Configuration,
    budget: Budget | None = None,
    *,
    weight: float = 1.0,
    below: int | None = None,
    memory: int | None = None,
    max_nodes: int = NO_NODE_LIMIT,
) -> Outcome:
    """Find a solution by A*, or by weighted A*.

    Parameters
    ----------
    heuristic, start, budget, below
        As for `ida_star`.
    weight
        The solution has at most so many times the moves of a shortest one; 1 for a shortest.
    memory
        Bytes for the open and closed lists; by default `DEFAULT_SEARCH_BYTES`. At most half
        of the budget's: the moves of the puzzle and the heuristic need the rest.
    max_nodes
        Nodes that are expanded at most.

    References
    ----------
    .. [1] P. Hart, N. Nilsson, B. Raphael, "A formal basis for the heuristic determination of minimum cost
       paths", IEEE Transactions on Systems Science and Cybernetics 4 (1968).
    .. [2] I. Pohl, "Heuristic search viewed as path finding in a graph", Artificial Intelligence 1 (1970).

    Examples
    --------
    >>> import slidelab as sl
    >>> from slidelab.solve.patterns.heuristic import heuristic_for
    >>> p = sl.puzzle("square R(3,3)")
    >>> start = p.configuration("8 6 7 2 5 4 3 . 1")
    >>> a_star(heuristic_for(p.goal), start).solution.length
    31
    >>> weighted = a_star(heuristic_for(p.goal), start, weight=1.5)
    >>> weighted.solution.length <= 1.5 * 31, weighted.lower_bound <= 31
    (True, True)
    """
    shape, marks = heuristic.encode(start)
    hundredths = int(weight * 100 + 1e-9)  # rounded down, so that the guarantee holds
    budget = budget or Budget()
    limit = ANY_LENGTH if below is None else below
    found = heuristic.searches.a_star(
        heuristic.core,
        shape,
        marks,
        hundredths,
        limit,
        min(memory or DEFAULT_SEARCH_BYTES, budget.memory // 2),
        max_nodes,
        budget.poll("states "),
    )
    return outcome_of(heuristic, start, found, "astar" if hundredths == 100 else "weighted", hundredths)


def bidirectional_search(
    heuristic: Heuristic,
    start: Configuration,
    budget: Budget | None = None,
    *,
    memory: int | None = None,
    max_nodes: int = NO_NODE_LIMIT,
    both: bool = True,
) -> Outcome:
    """Find a shortest solution by breadth-first search from both ends, without pattern databases.

    Parameters
    ----------
    heuristic, start, budget, below
        As for `ida_star`.
    memory
        Bytes for the visited states; by default `DEFAULT_SEARCH_BYTES`. At most half
        of the budget's: the moves of the puzzle and the heuristic need the rest.
    max_nodes
        Nodes that are expanded at most.
    both
        False searches from the start alone, for comparison: far more nodes.

    Examples
    --------
    >>> import slidelab as sl
    >>> from slidelab.solve.patterns.heuristic import heuristic_for
    >>> p = sl.puzzle("square R(3,3)")
    >>> bidirectional_search(heuristic_for(p.goal), p.configuration("8 6 7 2 5 4 3 . 1"))
    <outcome: 31 moves, lower bound 31, ... nodes>
    """
    budget = budget or Budget()
    found = heuristic.searches.bidirectional(
        *heuristic.encode(start),
        *heuristic.encode(heuristic.goal),
        min(memory or DEFAULT_SEARCH_BYTES, budget.memory // 2),
        max_nodes,
        both,
        budget.poll("states "),
    )
    return outcome_of(heuristic, start, found, "bidirectional")
