"""Anytime search: better and better solutions by beams or weighted A*, then better lower bounds by IDA*."""

from __future__ import annotations

from slidelab.puzzles import Solution
from slidelab.solve.patterns.heuristic import Heuristic
from slidelab.solve.search.algorithms import a_star, ida_star
from slidelab.solve.search.beam import improve_by_beams
from slidelab.solve.task import Task

__all__ = ["anytime", "find_any", "improve_quickly"]


def find_any(task: Task, heuristic: Heuristic) -> None:
    """Find some solution by weighted A* with large weights."""
    for weight, max_nodes in task.policy.first_solution_searches:
        memory = task.budget.memory
        task.learn(
            a_star(heuristic, task.start, task.budget, weight=weight, memory=memory, max_nodes=max_nodes)
        )
        if task.best or task.budget.expired:
            return


def improve_quickly(task: Task, heuristic: Heuristic) -> None:
    """Improve the solution by weighted A* with smaller weights and few nodes."""
    _, max_nodes = task.policy.first_solution_searches[0]
    for weight in task.policy.improving_weights:
        if task.budget.expired or task.is_settled:
            return
        below = task.best_length
        task.learn(
            a_star(heuristic, task.start, task.budget, weight=weight, below=below, max_nodes=max_nodes)
        )


def anytime(task: Task, heuristic: Heuristic, reason: str = "", *, beams: bool = True) -> Solution:
    """Return the best solution found until it is proved to be a shortest or time is up.

    `beams` is False if beam search has done what it can, so that all time is left for the lower bound.

    References
    ----------
    .. [1] E. Hansen, R. Zhou, "Anytime heuristic search", Journal of Artificial Intelligence Research 28
       (2007).
    """
    if task.best is None:
        find_any(task, heuristic)
    memory = min(task.budget.memory, task.policy.max_improving_bytes)
    if task.policy.beam and beams:
        left = task.budget.time_left
        seconds = task.policy.beam_seconds if left is None else left * task.policy.beam_share
        improve_by_beams(task, heuristic, task.budget.share(seconds))
    for weight in () if task.policy.beam else task.policy.improving_weights:
        if task.budget.expired or task.is_settled:
            break
        left, below = task.budget.time_left, task.best_length
        budget = task.budget if left is None else task.budget.share(left / 3)
        outcome = a_star(heuristic, task.start, budget, weight=weight, below=below, memory=memory)
        task.learn(outcome)
        if not outcome.finished:
            break  # smaller weights take more
    if not task.budget.expired and not task.is_settled:
        below = task.best_length
        task.learn(ida_star(heuristic, task.start, task.budget, lower_bound=task.lower_bound, below=below))
    return task.answer(reason, "anytime")
