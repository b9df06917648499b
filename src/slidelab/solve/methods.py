"""The methods of `solve`: what each accepts, guarantees and explains, and how it is run.

A new method is one entry here; the command line, the documentation and `solve` follow from it.
"""

from __future__ import annotations

from collections.abc import Mapping

from slidelab.distance.bounds import TooManyStates
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import did_you_mean
from slidelab.puzzles import Solution
from slidelab.solve.acceptance import any_puzzle, for_cubic, for_cycle, for_peel, for_wilson
from slidelab.solve.auto import solve_automatically
from slidelab.solve.constructions import construct
from slidelab.solve.method import Guarantee, Method, MethodName
from slidelab.solve.search.algorithms import a_star, bidirectional_search, ida_star
from slidelab.solve.search.anytime import anytime, find_any
from slidelab.solve.search.beam import improve_by_beams
from slidelab.solve.task import Task

__all__ = ["METHODS", "parse_method"]


def _table(task: Task) -> Solution:
    try:
        return task.by_table(task.budget.memory)
    except TooManyStates as error:
        if task.metric == "single":
            raise
        raise TooLarge(f"{error}; straight pushes can only be counted by a table") from None


def _ida(task: Task) -> Solution:
    return task.finish(ida_star(task.heuristic(), task.start, task.budget))


def _a_star(task: Task) -> Solution:
    budget = task.budget
    return task.finish(a_star(task.heuristic(), task.start, budget, weight=task.weight, memory=budget.memory))


def _bidirectional(task: Task) -> Solution:
    budget = task.budget
    return task.finish(bidirectional_search(task.heuristic(0), task.start, budget, memory=budget.memory))


def _anytime(task: Task) -> Solution:
    return anytime(task, task.heuristic())


def _beam(task: Task) -> Solution:
    heuristic = task.heuristic()
    if task.best is None:
        find_any(task, heuristic)
    seconds = task.policy.beam_seconds if task.budget.deadline is None else None
    improve_by_beams(task, heuristic, task.budget.share(seconds))
    return task.answer()


def _peel(task: Task) -> Solution:
    # Thin boards of hexagons have no small core to peel towards.
    names: list[MethodName] = ["peel", "group"] if task.puzzle.rule.needs_companion else ["peel"]
    return construct(task, names)


def _wilson(task: Task) -> Solution:
    return construct(task, ["wilson"], explain=True)


def _cycle(task: Task) -> Solution:
    return construct(task, ["cycle"], explain=True)


def _cubic(task: Task) -> Solution:
    return construct(task, ["cycle-cubic"], explain=True)


def _group(task: Task) -> Solution:
    return construct(task, ["group"])


_REGISTRY = (
    Method("auto", any_puzzle, solve_automatically, Guarantee.OPTIMAL),
    Method("table", any_puzzle, _table, Guarantee.OPTIMAL),
    Method("ida", any_puzzle, _ida, Guarantee.OPTIMAL),
    Method("astar", any_puzzle, _a_star, Guarantee.OPTIMAL),
    Method("weighted", any_puzzle, _a_star, Guarantee.WEIGHTED),
    Method("bidirectional", any_puzzle, _bidirectional, Guarantee.OPTIMAL),
    Method("anytime", any_puzzle, _anytime, Guarantee.OPTIMAL),
    Method("beam", any_puzzle, _beam),
    Method("peel", for_peel, _peel),
    Method("wilson", for_wilson, _wilson, explains=True),
    Method("cycle", for_cycle, _cycle, explains=True),
    Method("cycle-cubic", for_cubic, _cubic, explains=True),
    Method("group", any_puzzle, _group),
)

METHODS: Mapping[str, Method] = {method.name: method for method in _REGISTRY}
"""All methods by name."""


def parse_method(text: str) -> MethodName:
    """Return the name of a method; raise `NotationError` if there is none of that name."""
    if text not in METHODS:
        *names, last = METHODS
        raise NotationError(
            f"expected {', '.join(names)} or {last}, got {text!r:.40}{did_you_mean(text, METHODS)}"
        )
    return METHODS[text].name
