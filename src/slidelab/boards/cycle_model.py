"""Search for Hamiltonian cycles by constraint programming, with OR-Tools."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from slidelab.boards.cycle_search import cycle_edges
from slidelab.boards.model import Board
from slidelab.boards.structure import Face
from slidelab.budget import Budget
from slidelab.constraint_solver import run_solver
from slidelab.errors import OutOfTime, PuzzleError

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    Arc = tuple[int, int, cp_model.IntVar]

__all__ = ["solve_cycle"]


def solve_cycle(
    board: Board,
    faces: Sequence[Face] = (),
    paths: Sequence[Sequence[int]] = (),
    budget: Budget | None = None,
) -> tuple[int, ...] | None:
    """Return a Hamiltonian cycle, or None if there is none.

    If faces are given, the cycle encloses nothing but faces; if paths are given, it runs along one of them.
    `OutOfTime` is raised if the deadline comes first.
    """
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise PuzzleError(
            f"expected OR-Tools for a Hamiltonian cycle of {board.name[:80]!r}: pip install slidelab[place]"
        ) from None
    model = cp_model.CpModel()
    arcs = _arcs_around_faces(model, board, faces) if faces else _arcs_of_edges(model, board)
    if len({a for a, _, _ in arcs}) < board.size:
        return None
    model.add_circuit(arcs)
    if paths:
        chosen = [model.new_bool_var("") for _ in paths]
        literals = {(a, b): literal for a, b, literal in arcs}
        model.add_bool_or(chosen)
        for path, literal in zip(paths, chosen, strict=True):
            for arc in pairwise(path):
                model.add_implication(literal, literals[arc])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # so that equal boards get equal cycles
    if board.kind != "graph":
        solver.parameters.linearization_level = 0  # on lattices often ten times as fast, on dense graphs slow
    status = run_solver(solver, model, budget or Budget(), "cycle")
    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise OutOfTime(f"no Hamiltonian cycle of {board.name[:80]!r} found or ruled out in the time given")
    return _order_of_arcs({a: b for a, b, literal in arcs if solver.boolean_value(literal)})


def _arcs_of_edges(model: cp_model.CpModel, board: Board) -> list[Arc]:
    """Return a variable for each direction of each edge."""
    both = [*board.edges, *((b, a) for a, b in board.edges)]
    return [(a, b, model.new_bool_var("")) for a, b in both]


def _arcs_around_faces(model: cp_model.CpModel, board: Board, faces: Sequence[Face]) -> list[Arc]:
    """Return the variables for the arcs of a cycle that encloses faces only.

    An arc is on the cycle if the face on its left is inside and that on its right is not. By Pick's theorem
    the number of faces inside is known.
    """
    inside = [model.new_bool_var("") for _ in faces]
    model.add(sum(inside) * (len(faces[0]) - 2) == board.size - 2)
    left = {arc: literal for face, literal in zip(faces, inside, strict=True) for arc in cycle_edges(face)}
    arcs = {arc: model.new_bool_var("") if arc[::-1] in left else literal for arc, literal in left.items()}
    for (a, b), literal in arcs.items():
        if a < b and (b, a) in left:
            model.add(literal - arcs[b, a] == left[a, b] - left[b, a])
            model.add_at_most_one(literal, arcs[b, a])
    return [(a, b, literal) for (a, b), literal in arcs.items()]


def _order_of_arcs(following: dict[int, int]) -> tuple[int, ...]:
    """Return the cells from 0 on, towards the smaller neighbour of 0."""
    order = [0]
    while len(order) < len(following):
        order.append(following[order[-1]])
    return tuple(order if order[1] < order[-1] else [0, *order[:0:-1]])
