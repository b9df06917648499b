"""Partition the pieces into patterns: those that interfere most share a pattern database.

The moves that two pieces need together beyond what each needs alone, averaged over all their placements,
tell how much a common database gains. The gain is largest for two pieces beside one hole: on the last moves
one of them must make room for the other. Three and more pieces interfere where no two of them do if they
lie close together, so distance counts, too. (On the 15-puzzle with patterns of 6 + 6 + 3 tiles, scores of
both kinds halve the number of expanded nodes compared with either alone.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.gains import GainGraph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Pattern", "best_partition", "different_partitions", "pair_scores", "sizes_within_limit"]

Pattern = tuple[int, ...]
"""Pieces that share a database, named by their slots at the goal."""

MAX_PATTERN_PIECES = 10
"""Pieces of the largest pattern that is considered."""

MAX_SCORE_WORK = 150_000_000
"""Steps for exact scores of pairs: a second or two."""

HOLE_SCORE = 1.0
"""Score of two pieces beside one hole where exact scores would take too long: about the exact average."""


SHARED_SCORE = 0.3
"""Factor for the score of two pieces that share a pattern of another partition."""


def sizes_within_limit(pieces: int, limit: int, needs: Callable[[int], int]) -> tuple[int, ...]:
    """Return the sizes of the fewest and largest patterns that fit the limit; none if not even pairs do.

    Parameters
    ----------
    pieces
        Number of pieces to partition.
    limit
        Bytes for all databases together.
    needs
        Bytes for the database of a pattern of a given size.

    Examples
    --------
    >>> from math import perm
    >>> [sizes_within_limit(15, limit, lambda k: perm(16, k) // 2) for limit in (10**6, 10**7, 10**8, 10**9)]
    [(5, 5, 5), (6, 6, 3), (7, 7, 1), (8, 7)]
    """
    for size in range(min(pieces, MAX_PATTERN_PIECES), 1, -1):
        sizes = [size] * (pieces // size) + [pieces % size] * (pieces % size > 0)
        if len(sizes) == 2:
            sizes = [pieces - pieces // 2, pieces // 2]
        if sum(needs(k) for k in sizes if k > 1) <= limit:
            return tuple(sizes)
    return ()


def pair_scores(
    graph: GainGraph, shape: int, alone: NDArray[np.uint16], budget: Budget
) -> NDArray[np.float64]:
    """Return, for each two slots of a shape, how much a common database of their pieces gains."""
    import numpy as np

    from slidelab import _core

    pieces, turns = graph.puzzle.piece_count, graph.puzzle.rule.turns
    pairs = list(combinations(range(pieces), 2))
    at = np.array([graph.placement_number(cells) for cells in graph.slots(shape)])
    apart = alone.reshape(pieces, -1, turns).min(axis=2)[:, at].astype(float)
    scores: NDArray[np.float64] = 1 / np.maximum(1, np.minimum(apart, apart.T)) ** 2
    np.fill_diagonal(scores, 0)
    if (2 * graph.edges + graph.shapes) * (pieces * turns) ** 2 * len(pairs) <= MAX_SCORE_WORK:
        moves = graph.move_table(budget)
        gains = _core.pair_excess(moves, shape, alone, pairs, budget.threads, budget.check).tolist()
    else:
        pairs = _pairs_beside_holes(graph, shape)
        gains = [HOLE_SCORE] * len(pairs)
    for (a, b), gain in zip(pairs, gains, strict=True):
        scores[a, b] += gain
        scores[b, a] += gain
    return scores


def _pairs_beside_holes(graph: GainGraph, shape: int) -> list[tuple[int, int]]:
    slots, neighbours = graph.slots(shape), graph.puzzle.board.neighbours
    pairs: list[tuple[int, int]] = []
    for hole in graph.holes(shape):
        beside = [slot for slot, cells in enumerate(slots) if not set(cells).isdisjoint(neighbours[hole])]
        pairs += combinations(beside, 2)
    return pairs


def best_partition(scores: NDArray[np.float64], sizes: Sequence[int]) -> tuple[Pattern, ...]:
    """Return patterns of these sizes with a high total score, found by hill climbing from 30 starts.

    >>> import numpy as np
    >>> scores = np.array([[0, 1, 5, 0], [1, 0, 0, 5], [5, 0, 0, 1], [0, 5, 1, 0]], dtype=float)
    >>> best_partition(scores, [2, 2])
    ((0, 2), (1, 3))
    """
    import numpy as np

    if not sizes:
        return ()
    pieces = len(scores)
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    best, best_total = labels, -1.0
    for trial in range(30 if pieces <= 40 else 8):
        # Consecutive slots from each slot on, then random partitions.
        start = np.roll(labels, trial) if trial < pieces else rng.permutation(labels)
        found = _climb(scores, start.copy(), len(sizes))
        total = float(sum(scores[np.ix_(found == k, found == k)].sum() for k in range(len(sizes))))
        if total > best_total + 1e-9:
            best, best_total = found, total
    patterns = sorted(tuple(np.flatnonzero(best == k).tolist()) for k in range(len(sizes)))
    of_size = {size: iter([pattern for pattern in patterns if len(pattern) == size]) for size in sizes}
    return tuple(next(of_size[size]) for size in sizes)


def different_partitions(
    scores: NDArray[np.float64], sizes: Sequence[int], count: int
) -> list[tuple[Pattern, ...]]:
    """Return several partitions with high scores; two pieces count less once they have shared a pattern.

    >>> import numpy as np
    >>> scores = np.array([[0, 4, 5, 0], [4, 0, 0, 5], [5, 0, 0, 4], [0, 5, 4, 0]], dtype=float)
    >>> different_partitions(scores, [2, 2], 3)
    [((0, 2), (1, 3)), ((0, 1), (2, 3)), ((0, 2), (1, 3))]
    """
    scores, found = scores.copy(), []
    for _ in range(count):
        partition = best_partition(scores, sizes)
        found.append(partition)
        for pattern in partition:
            for piece in pattern:
                scores[piece, list(pattern)] *= SHARED_SCORE
    return found


def _climb(scores: NDArray[np.float64], labels: NDArray[np.int64], patterns: int) -> NDArray[np.int64]:
    """Swap two pieces of different patterns as long as the total score grows."""
    import numpy as np

    numbers = np.arange(len(labels))
    while True:
        # The score of each piece with each pattern; a swap must not count the two with each other.
        with_pattern = np.stack([scores[:, labels == k].sum(axis=1) for k in range(patterns)], axis=1)
        own = with_pattern[numbers, labels]
        swapped = with_pattern[:, labels]
        gain = swapped + swapped.T - own[:, None] - own[None, :] - 2 * scores
        gain[labels[:, None] == labels[None, :]] = -1
        a, b = np.unravel_index(int(gain.argmax()), gain.shape)
        if gain[a, b] <= 1e-9:
            return labels
        labels[a], labels[b] = labels[b], labels[a]
