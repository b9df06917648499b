"""Signs of permutations on sets of points, and linear algebra over the field of two elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["even_relation", "rank", "sign_bits"]


def sign_bits(permutations: NDArray[np.uint16], sets: Sequence[Sequence[int]]) -> list[int]:
    """Return for each permutation (a row) a number with a bit for every set that it permutes oddly.

    Parameters
    ----------
    permutations
        One permutation in each row.
    sets
        Disjoint sets of points that every permutation maps to themselves.

    Examples
    --------
    >>> import numpy as np
    >>> sign_bits(np.array([[1, 0, 3, 2], [1, 0, 2, 3]], dtype=np.uint16), [(0, 1), (2, 3)])
    [3, 1]
    """
    import numpy as np

    from slidelab import _core

    bits = [0] * len(permutations)
    for number, points in enumerate(sets):
        index = np.zeros(permutations.shape[1], dtype=np.uint16)
        index[list(points)] = np.arange(len(points), dtype=np.uint16)
        action = np.ascontiguousarray(index[permutations[:, list(points)]])
        for row, odd in enumerate(_core.parity(action).tolist()):
            bits[row] |= odd << number
    return bits


def rank(rows: Sequence[int]) -> int:
    """Return the rank of rows of bits.

    Examples
    --------
    >>> rank([0b011, 0b110, 0b101])
    2
    """
    pivots: list[int] = []
    for row in rows:
        for pivot in pivots:
            row = min(row, row ^ pivot)
        if row:
            pivots.append(row)
    return len(pivots)


def even_relation(rows: Sequence[int], vector: int) -> list[int] | None:
    """Return a set of bits in which all rows have even weight and `vector` odd, or None if there is none.

    Examples
    --------
    >>> even_relation([0b011, 0b110], 0b001)
    [0, 1, 2]
    """
    pivots: dict[int, int] = {}
    for row in rows:
        for bit, pivot in pivots.items():
            if row >> bit & 1:
                row ^= pivot
        if row:
            bit = row.bit_length() - 1
            for other in pivots:
                if pivots[other] >> bit & 1:
                    pivots[other] ^= row
            pivots[bit] = row
    for bit, pivot in pivots.items():
        if vector >> bit & 1:
            vector ^= pivot
    if not vector:
        return None
    # One free bit of what is left, and the pivots whose rows contain it, give the relation.
    free = vector.bit_length() - 1
    return sorted([free, *(bit for bit, pivot in pivots.items() if pivot >> free & 1)])
