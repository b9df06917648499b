"""Which pieces share a pattern table: those that get in each other's way most.

What two pieces need together beyond what each needs alone, on average over all ways to lay them, tells
how much is gained by looking at both at once. It is most for two pieces beside one hole: on their last
moves one of them must make way for the other. But three and more pieces get in each other's way where
each two of them hardly do, if they lie close together: so nearness counts, too. (On the 15-puzzle with
6 + 6 + 3 tiles, groups chosen by both need less than half the nodes of groups chosen by either alone.)
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

__all__ = ["Group", "best_groups", "pair_scores", "sizes_within"]

# Slots of the goal's shape.
Group = tuple[int, ...]

LARGEST = 10  # pieces in a group
MOST_WORK = 150_000_000  # steps for exact scores of pairs: a second or two
BESIDE_A_HOLE = 1.0  # about what two pieces there gain, where exact numbers would take too long


def sizes_within(pieces: int, budget: int, needs: Callable[[int], int]) -> tuple[int, ...]:
    """The sizes of as few and as large groups as the budget allows; none if not even pairs fit.

    >>> from math import perm
    >>> [sizes_within(15, budget, lambda k: perm(16, k) // 2) for budget in (10**6, 10**7, 10**8, 10**9)]
    [(5, 5, 5), (6, 6, 3), (7, 7, 1), (8, 7)]
    """
    for size in range(min(pieces, LARGEST), 1, -1):
        sizes = [size] * (pieces // size) + [pieces % size] * (pieces % size > 0)
        if len(sizes) == 2:
            sizes = [pieces - pieces // 2, pieces // 2]
        if sum(needs(k) for k in sizes if k > 1) <= budget:
            return tuple(sizes)
    return ()


def pair_scores(
    graph: GainGraph,
    shape: int,
    alone: NDArray[np.uint16],
    budget: Budget,
) -> NDArray[np.float64]:
    """For each two slots of a shape, how much is gained by looking at their pieces together."""
    import numpy as np

    from slidelab import _core

    pieces, turns = graph.puzzle.piece_count, graph.puzzle.rule.turns
    pairs = list(combinations(range(pieces), 2))
    at = np.array([graph.placement_number(cells) for cells in graph.slots(shape)])
    apart = alone.reshape(pieces, -1, turns).min(axis=2)[:, at].astype(float)
    scores: NDArray[np.float64] = 1 / np.maximum(1, np.minimum(apart, apart.T)) ** 2
    np.fill_diagonal(scores, 0)
    if (2 * graph.edges + graph.shapes) * (pieces * turns) ** 2 * len(pairs) <= MOST_WORK:
        found = _core.together(graph.core, shape, alone, pairs, budget.threads, budget.check)
        for (a, b), gained in zip(pairs, found.tolist(), strict=True):
            scores[a, b] += gained
            scores[b, a] += gained
        return scores
    slots, around = graph.slots(shape), graph.puzzle.board.neighbours
    for hole in graph.holes(shape):
        beside = [slot for slot, cells in enumerate(slots) if not set(cells).isdisjoint(around[hole])]
        for a, b in combinations(beside, 2):
            scores[a, b] += BESIDE_A_HOLE
            scores[b, a] += BESIDE_A_HOLE
    return scores


def best_groups(scores: NDArray[np.float64], sizes: Sequence[int]) -> tuple[Group, ...]:
    """Groups of these sizes with the highest scores, as far as swapping two pieces finds them.

    >>> import numpy as np
    >>> apart = np.array([[0, 1, 5, 0], [1, 0, 0, 5], [5, 0, 0, 1], [0, 5, 1, 0]], dtype=float)
    >>> best_groups(apart, [2, 2])
    ((0, 2), (1, 3))
    """
    import numpy as np

    if not sizes:
        return ()
    pieces = len(scores)
    random = np.random.default_rng(0)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    best, best_total = labels, -1.0
    for trial in range(30 if pieces <= 40 else 8):
        # Along the line of slots, from some place on, or anyhow.
        found = np.roll(labels, trial) if trial < pieces else random.permutation(labels)
        found = _climb(scores, found.copy(), len(sizes))
        total = float(sum(scores[np.ix_(found == k, found == k)].sum() for k in range(len(sizes))))
        if total > best_total + 1e-9:
            best, best_total = found, total
    found_groups = sorted(tuple(np.flatnonzero(best == k).tolist()) for k in range(len(sizes)))
    of_size = {size: iter([group for group in found_groups if len(group) == size]) for size in sizes}
    return tuple(next(of_size[size]) for size in sizes)


def _climb(scores: NDArray[np.float64], labels: NDArray[np.int64], groups: int) -> NDArray[np.int64]:
    """Swap two pieces of different groups as long as something is gained."""
    import numpy as np

    places = np.arange(len(labels))
    while True:
        # What each piece scores with each group; a swap must not count the two with each other.
        with_group = np.stack([scores[:, labels == k].sum(axis=1) for k in range(groups)], axis=1)
        own = with_group[places, labels]
        gain = with_group[:, labels] + with_group[:, labels].T - own[:, None] - own[None, :] - 2 * scores
        gain[labels[:, None] == labels[None, :]] = -1
        a, b = np.unravel_index(int(gain.argmax()), gain.shape)
        if gain[a, b] <= 1e-9:
            return labels
        labels[a], labels[b] = labels[b], labels[a]
