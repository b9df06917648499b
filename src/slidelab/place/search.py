"""Search for a placement by constraint programming, with CP-SAT of OR-Tools.

Gourds of one class are alike, so the search chooses edges of the board, not gourds: as many edges of each
class as there are such gourds, and no two that share a cell. One thread, fixed seeds and limits in the
solver's own measure of work give the same answer to the same problem every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, count
from typing import TYPE_CHECKING, Any

from slidelab.boards import Edge, triangles
from slidelab.budget import Budget
from slidelab.constraint_solver import run_solver
from slidelab.errors import OutOfTime, PuzzleError
from slidelab.messages import quoted
from slidelab.place.problem import ColourPair, PlacementProblem
from slidelab.place.travel import ChosenEdges, TravelCosts

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

__all__ = ["PlacementSearch"]

FIRST_WORK = 0.25
"""Work of the first search, in the solver's deterministic time (about seconds).

Some searches take a thousand times longer than others on the same problem, by bad luck alone: so each is
given up after some work, and the next has another seed and linearization level, after a round twice the work.
"""

LINEARIZATION_LEVELS = (1, 2, 0)
"""Levels that searches take in turn; which one is best depends on the problem."""

NEAR_WORK = 0.4
"""Work for a placement near a position, in the solver's deterministic time: a second or two.

Unlike a time by the clock it gives the same answer on every machine.
"""

EARLY_SECONDS = 0.5
"""How long before the deadline the solver may stop."""


class PlacementSearch:
    """The model: one Boolean for each edge of the board on which a gourd of the given classes fits."""

    def __init__(self, problem: PlacementProblem, pairs: Sequence[ColourPair], budget: Budget) -> None:
        self._cp = _import_solver()
        self._problem = problem
        self._pairs = pairs
        self._budget = budget
        self._model: cp_model.CpModel = self._cp.CpModel()
        self._chosen: dict[Edge, cp_model.IntVar] = {}
        self._add_edges()
        self._add_cells()
        self._add_triangles()

    def first(self) -> ChosenEdges | None:
        """Return any placement, None if there is none; raise `OutOfTime` at the deadline."""
        for attempt in count():
            if self._budget.expired:
                break
            solver = self._solver()
            solver.parameters.random_seed = attempt + 1
            level = LINEARIZATION_LEVELS[attempt % len(LINEARIZATION_LEVELS)]
            solver.parameters.linearization_level = level
            work = FIRST_WORK * 2 ** (attempt // len(LINEARIZATION_LEVELS))
            solver.parameters.max_deterministic_time = work
            status = self._run(solver)
            if status in (self._cp.OPTIMAL, self._cp.FEASIBLE):
                return self._read(solver)
            if status == self._cp.INFEASIBLE:
                return None
            if self._is_late():
                break
        raise OutOfTime(
            f"no placement of {len(self._problem.gourds)} gourds on {quoted(self._problem.board.name)} "
            "found in the time given, nor a proof that there is none"
        )

    def _is_late(self) -> bool:
        left = self._budget.time_left
        return left is not None and left < EARLY_SECONDS

    def nearest(self, known: ChosenEdges, travel: TravelCosts, *, single: bool) -> ChosenEdges:
        """Return a placement with little travel, or the known one if there is no time to find another."""
        self._model.minimize(sum(self._cost_of_class(pair, travel, single) for pair in self._pairs))
        hinted = {edge for edges in known.values() for edge in edges}
        for edge, variable in self._chosen.items():
            self._model.add_hint(variable, edge in hinted)
        solver = self._solver()
        solver.parameters.max_deterministic_time = NEAR_WORK
        found = self._run(solver) in (self._cp.OPTIMAL, self._cp.FEASIBLE)
        return self._read(solver) if found else known

    def _cost_of_class(self, pair: ColourPair, travel: TravelCosts, single: bool) -> Any:
        """Return the distance of the chosen edges from their nearest gourds.

        If `single`, each edge has a gourd of its own: exact, but with a variable for each gourd and edge.
        """
        edges = self._problem.edges[pair]
        costs = travel.matrix(pair, edges)
        if not single or len(costs) == 1:
            least = costs.min(axis=0).tolist()
            return sum(cost * self._chosen[edge] for cost, edge in zip(least, edges, strict=True))
        goes = [[self._model.new_bool_var("") for _ in edges] for _ in costs]
        for row in goes:
            self._model.add_exactly_one(row)
        for edge, column in zip(edges, zip(*goes, strict=True), strict=True):
            self._model.add(sum(column) == self._chosen[edge])
        return sum(cost * goes[k][j] for k, row in enumerate(costs.tolist()) for j, cost in enumerate(row))

    def _add_edges(self) -> None:
        for pair in self._pairs:
            edges = self._problem.edges[pair]
            for edge in edges:
                self._chosen[edge] = self._model.new_bool_var("")
            self._model.add(sum(self._chosen[edge] for edge in edges) == self._problem.counts[pair])

    def _add_cells(self) -> None:
        colours = {colour for pair in self._pairs for colour in pair}
        at: dict[int, list[cp_model.IntVar]] = {
            cell: [] for cell, colour in enumerate(self._problem.cells) if colour in colours
        }
        for edge, variable in self._chosen.items():
            for cell in edge:
                at[cell].append(variable)
        required = set(self._problem.required)
        for cell, variables in at.items():
            if cell in required:
                self._model.add_exactly_one(variables)
            else:
                self._model.add_at_most_one(variables)

    def _add_triangles(self) -> None:
        """Add that of three mutually touching cells at most one pair is chosen: redundant, but faster."""
        for triangle in triangles(self._problem.board):
            sides = [self._chosen[side] for side in combinations(triangle, 2) if side in self._chosen]
            if len(sides) > 1:
                self._model.add_at_most_one(sides)

    def _solver(self) -> cp_model.CpSolver:
        solver: cp_model.CpSolver = self._cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        solver.parameters.max_memory_in_mb = max(1, self._budget.memory // 1_000_000)
        return solver

    def _run(self, solver: cp_model.CpSolver) -> Any:
        return run_solver(solver, self._model, self._budget, "search")

    def _read(self, solver: cp_model.CpSolver) -> ChosenEdges:
        return {
            pair: [edge for edge in self._problem.edges[pair] if solver.boolean_value(self._chosen[edge])]
            for pair in self._pairs
        }


def _import_solver() -> Any:
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise PuzzleError(
            "expected the package ortools, which places gourds, got none - pip install 'slidelab[place]'"
        ) from None
    return cp_model
