"""Smith normal forms of the small matrices that are left of a boundary when all units are eliminated."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from slidelab.budget import Budget

__all__ = ["invariant_factors"]


def invariant_factors(
    columns: Iterable[Iterable[tuple[int, int]]], budget: Budget | None = None
) -> list[int]:
    """Return the invariant factors of an integer matrix, each dividing the next.

    Parameters
    ----------
    columns
        For each column its entries as pairs of a row and a value, each row at most once.
    budget
        Only its deadline counts.

    Examples
    --------
    >>> invariant_factors([[(0, 2), (1, 4)], [(0, 4), (1, 2)]])
    [2, 6]
    """
    budget = budget or Budget()
    left = [found for column in columns if (found := {row: value for row, value in column if value})]
    diagonal: list[int] = []
    while left:
        budget.check("Smith normal form", len(diagonal), len(diagonal) + len(left))
        _, row, pivot = min(
            (abs(value), row, k) for k, column in enumerate(left) for row, value in column.items()
        )
        column = left[pivot]
        if _clear_row(left, row, pivot) and _clear_column(left, row, pivot):
            diagonal.append(abs(column[row]))
            del left[pivot]
        left = [column for column in left if column]
    return _divisibility_chain(diagonal)


def _clear_row(left: list[dict[int, int]], row: int, pivot: int) -> bool:
    """Subtract the pivot column from all others that have the row; whether no remainder stays."""
    value, done = left[pivot][row], True
    for k, column in enumerate(left):
        if k != pivot and row in column:
            times = column[row] // value
            for r, v in left[pivot].items():
                changed = column.get(r, 0) - times * v
                if changed:
                    column[r] = changed
                else:
                    column.pop(r, None)
            done = done and row not in column
    return done


def _clear_column(left: list[dict[int, int]], row: int, pivot: int) -> bool:
    """Subtract the pivot row, which has no other entry, from all other rows; whether no remainder stays."""
    column = left[pivot]
    value = column[row]
    rest = {r: v % value for r, v in column.items() if r != row and v % value}
    left[pivot] = {row: value, **rest}
    return not rest


def _divisibility_chain(diagonal: list[int]) -> list[int]:
    """Return the invariant factors of a diagonal matrix.

    >>> _divisibility_chain([4, 6])
    [2, 12]
    """
    factors = list(diagonal)
    for i in range(len(factors)):
        for j in range(i + 1, len(factors)):
            common = gcd(factors[i], factors[j])
            factors[i], factors[j] = common, factors[i] // common * factors[j]
    return factors
