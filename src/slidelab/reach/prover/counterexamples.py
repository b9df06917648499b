"""Small boards that contradict a statement about a family."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb, factorial, prod

from slidelab.boards.hexagons import hex_board
from slidelab.boards.model import Board
from slidelab.boards.squares import square_board
from slidelab.budget import Budget
from slidelab.messages import counted
from slidelab.puzzles import Puzzle
from slidelab.reach.families import count_components
from slidelab.reach.proof_check.formulas import parse_polynomial
from slidelab.reach.prover.linear import Linear
from slidelab.reach.prover.statements import Statement, smallest_sizes
from slidelab.rules import rule

__all__ = ["find_counterexample"]

MAX_TESTED_CELLS = 22
"""Cells of the boards that are computed to see whether a statement is false."""

MAX_TESTED_SETS = 3_000
"""Sets of holes of these boards, of gourds the sets on a path of as many cells: some milliseconds."""


def find_counterexample(statement: Statement, budget: Budget | None = None) -> str | None:
    """Return what a small board has instead of what a statement says, or None if small boards agree.

    Examples
    --------
    >>> from slidelab.reach.prover.statements import parse_statement
    >>> find_counterexample(parse_statement("hex P(m,n) 2 for m,n >= 3: 4*comb(m*n-2,2) components"))
    'P(3,3) has 1,008 components, not 84'
    """
    for point in smallest_sizes(statement):
        cells = statement.family.cells(point)
        holes = point[statement.holes] if isinstance(statement.holes, str) else statement.holes
        board = hex_board(cells) if statement.family.kind == "hex" else square_board(cells)
        test = _test_connection if statement.claim.startswith("connection number") else _test_components
        problem = test(statement, board, holes, point, budget)
        if problem:
            member = statement.family.put({name: Linear.of({"": v}) for name, v in point.items()})
            number = f" with {counted(holes, 'hole')}" if isinstance(statement.holes, str) else ""
            return f"{member}{number} has {problem}"
    return None


def _count(statement: Statement, board: Board, holes: int, budget: Budget | None) -> int | None:
    """Return the number of components that can move; None if there is no such puzzle, or it is large."""
    pieces = rule(statement.rule)
    count, rest = divmod(board.size - holes, pieces.cells)
    if holes < pieces.fewest_holes or count < 1 or rest:
        return None
    if (
        board.size > MAX_TESTED_CELLS
        or comb(board.size - (pieces.cells - 1) * count, count) > MAX_TESTED_SETS
    ):
        return None
    return count_components(Puzzle(board, pieces, holes), budget)


def _test_connection(
    statement: Statement, board: Board, _: int, __: Mapping[str, int], budget: Budget | None
) -> str:
    """Return why a number is not the least number of holes with one component, or an empty text."""
    claimed = int(statement.claim.rpartition(" ")[2]) if len(statement.claim) < 24 else board.size
    if statement.rule == "gourds":
        return ""
    fewer = _count(statement, board, claimed - 1, budget)
    if fewer == 1:
        return f"one component with {counted(claimed - 1, 'hole')} already"
    found = _count(statement, board, claimed, budget)
    return "" if found in (None, 1) else f"{counted(found or 0, 'component')} with {counted(claimed, 'hole')}"


def _test_components(
    statement: Statement, board: Board, holes: int, point: Mapping[str, int], budget: Budget | None
) -> str:
    """Return the number of components if another one is claimed, or an empty text."""
    claim, gourds = statement.claim, statement.rule == "gourds"
    if claim == "weak parity" or (claim == "strong parity" and gourds):
        return ""
    found = _count(statement, board, holes, budget)
    if found is None:
        return ""
    if claim == "one component":
        return "" if found == 1 else counted(found, "component")
    if claim in ("two components", "strong parity"):
        alone = found == 1 and board.size - holes < 2  # one tile has no odd permutation
        return "" if found == 2 or alone else counted(found, "component")
    expected, text = _formula_value(claim.rpartition(" ")[0], point)
    return "" if expected == found else f"{counted(found, 'component')}, not {text}"


def _formula_value(formula: str, point: Mapping[str, int]) -> tuple[int | None, str]:
    """Return the value of a formula for given sizes, and how to write it; None if it is no count.

    >>> _formula_value("(2m-h)!", {"m": 3, "h": 2}), _formula_value("m/2", {"m": 3})
    ((24, '24'), (None, '3/2'))
    """
    polynomial = parse_polynomial(formula.strip().removesuffix("!"), list(point))
    value = sum(
        (c * prod(point[name] ** power for name, power in monomial) for monomial, c in polynomial.items()),
        Fraction(0),
    )
    mark = "!" if formula.strip().endswith("!") else ""
    if value.denominator != 1 or value < 0 or (mark and value > MAX_TESTED_CELLS):
        return None, f"{value}{mark}" if value >= 0 else f"({value}){mark}"
    number = factorial(value.numerator) if mark else value.numerator
    return number, f"{number:,}"
