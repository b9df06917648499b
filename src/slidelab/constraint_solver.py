"""Run CP-SAT of OR-Tools such that Ctrl-C, deadlines and progress work as everywhere else."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

__all__ = ["run_solver"]

REPORT_SECONDS = 0.1
"""Time between two reports of progress."""

STOP_SECONDS = 0.05
"""Time after which a solver that has not stopped is told so again."""


def run_solver(solver: cp_model.CpSolver, model: cp_model.CpModel, budget: Budget, phase: str) -> Any:
    """Run a solver in a thread and return its status; report progress and obey signals meanwhile.

    Parameters
    ----------
    solver
        The solver. Its limit of time becomes what is left of the budget.
    model
        The model to solve.
    budget
        Deadline and callback for progress.
    phase
        Name of the work in reports of progress.
    """
    from concurrent.futures import ThreadPoolExecutor, wait

    if (left := budget.time_left) is not None:
        solver.parameters.max_time_in_seconds = left
    # By default the solver takes Ctrl-C for itself, and leaves the default action behind: the next Ctrl-C, or
    # a signal that a test sends, would end the process.
    solver.parameters.catch_sigint_signal = False
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(solver.solve, model)
        try:
            for number in count(1):
                budget.report(phase, number)
                if wait([result], REPORT_SECONDS).done:
                    break
                if budget.expired:
                    solver.stop_search()
        finally:
            while not wait([result], STOP_SECONDS).done:  # it may not have begun when it is told to stop
                solver.stop_search()
        return result.result()
