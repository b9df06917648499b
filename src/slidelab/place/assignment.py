"""Minimum-cost assignment by the Hungarian algorithm.

Written here because coloured gourds must be solvable without OR-Tools, an optional package, and neither numpy
nor networkx has it; the measurements are in docs/design/dependencies.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["minimum_cost_assignment"]


def minimum_cost_assignment(costs: NDArray[np.int64]) -> list[int]:
    """Return the column of each row in an assignment of minimum total cost, in cubic time.

    Parameters
    ----------
    costs
        A square matrix.

    Examples
    --------
    >>> import numpy as np
    >>> minimum_cost_assignment(np.array([[1, 2], [1, 9]]))
    [1, 0]
    """
    import numpy as np

    size = len(costs)
    infinity = np.iinfo(np.int64).max
    # Row and column number `size` stand for none: each row in turn starts from that column.
    row_price, column_price = np.zeros(size + 1, np.int64), np.zeros(size + 1, np.int64)
    owner = np.full(size + 1, size)
    for row in range(size):
        owner[size] = row
        column, done = size, np.zeros(size + 1, bool)
        slack = np.full(size, infinity)
        before = np.full(size, size)
        while owner[column] != size:
            done[column] = True
            here = owner[column]
            reduced = costs[here] - row_price[here] - column_price[:size]
            better = ~done[:size] & (reduced < slack)
            slack[better], before[better] = reduced[better], column
            following = int(np.argmin(np.where(done[:size], infinity, slack)))
            step = slack[following]
            row_price[owner[done]] += step
            column_price[done] -= step
            slack[~done[:size]] -= step
            column = following
        while column != size:
            owner[column] = owner[before[column]]
            column = int(before[column])
    columns = [0] * size
    for column in range(size):
        columns[int(owner[column])] = column
    return columns
