"""Plans that planners print, as solutions."""

from __future__ import annotations

import os
from pathlib import Path

from slidelab.errors import NotationError
from slidelab.files import read_text
from slidelab.puzzles import Configuration, ConfigurationLike, Solution, position
from slidelab.puzzles.move_sources import is_plan_text, read_moves

__all__ = ["read_plan"]


def read_plan(
    start: ConfigurationLike, plan: str | os.PathLike[str], goal: ConfigurationLike | None = None
) -> Solution:
    r"""Read and replay the plan of a planner for a task that `pddl` or `sas_plus` described.

    Parameters
    ----------
    start
        The start of the task: a configuration, or anything that `slidelab.position` reads.
    plan
        The text of the plan, or a file with it: lines such as ``(slide tile3 c2 c5)``, as Fast Downward and
        most planners write them, or ``slide(tile3, c2, c5)``. Comments begin with a semicolon.
    goal
        The goal of the task; by default that of the puzzle.

    Raises
    ------
    NotationError
        If this is no plan.
    IllegalMove
        If the rule forbids one of its moves.
    PuzzleError
        If it leads elsewhere.

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.read_plan("square R(2,2) : 1 2 . 3", "(slide tile3 c3 c2)\n; cost = 1 (unit cost)")
    <solution in 1 move: 3:3>2>
    """
    first = start if isinstance(start, Configuration) else position(start)  # type: ignore[arg-type]
    last = first.puzzle.goal if goal is None else first.puzzle.configuration(goal)
    is_text = isinstance(plan, str) and (is_plan_text(plan) or not plan.strip())
    text = str(plan) if is_text else read_text(Path(plan), "a plan such as '(slide tile3 c2 c5)'")
    if text.strip() and not is_plan_text(text):
        raise NotationError(f"expected a plan such as '(slide tile3 c2 c5)', got {text[:40]!r}")
    return Solution(first, last, read_moves(first, [text]), method="plan")
