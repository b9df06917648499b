"""In which order to place the pieces: a core that is searched exactly, and groups around it.

Tiles follow an ear decomposition: without its last ears a board stays 2-connected, so everything that is
left can still be rearranged. For the other rules the core grows from a hole outwards until its group, with
the group of the whole puzzle, says that no arrangement gets lost; then placements are added one or two at a
time, and a search says each time whether that is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import comb, factorial

from slidelab.boards import is_two_connected
from slidelab.bounds.placing import Moves, Region
from slidelab.budget import Budget
from slidelab.reach.loop_groups import family_group
from slidelab.solve.huge.ears import core_for_tiles, nearness, order_for_tiles

__all__ = ["Limits", "Order", "order_towards"]

MAX_TRIED_GROUPS = 100
"""Groups of placements that are tried before an order is given up; each is a search of some milliseconds."""

MAX_CORES = 3
"""Cores that are tried: the largest that can be searched, and slightly smaller ones."""

MAX_CENTRES = 6
"""Cells from which a core is grown, the nearest to the holes of the goal first."""

MAX_GROUP = 4
"""Pieces placed at once where fewer do not go."""


@dataclass(frozen=True, slots=True)
class Limits:
    """States of a step and of the core that are searched: more give better bounds, and take longer."""

    step_states: int = 300_000
    core_states: int = 5_000_000


@dataclass(frozen=True, slots=True)
class Order:
    """A shape of the goal, and its placements in the order in which their pieces are placed.

    The pieces of a group are placed at once. Placements of the shape that are in no group are the core.
    """

    base: int
    groups: tuple[tuple[int, ...], ...]

    @property
    def placed(self) -> frozenset[int]:
        """All placements in groups."""
        return frozenset(placement for group in self.groups for placement in group)


def order_towards(moves: Moves, shape: int, limits: Limits, budget: Budget) -> Order | None:
    """Return an order that ends near the holes of a shape; None if none is found.

    Examples
    --------
    >>> import slidelab as sl
    >>> graph = sl.gain_graph("square R(3,3)")
    >>> order_towards(Moves(graph), 8, Limits(core_states=400), Budget())
    Order(base=8, groups=((6, 0, 3),))
    """
    graph = moves.graph
    if (moves.target[shape] < 0).all():
        return None
    whole = Region(moves, shape, ())
    group = family_group(graph.family(shape, budget), budget)
    if group.order * len(whole.members) <= limits.core_states:
        return Order(shape, ())
    board, rule = graph.puzzle.board, graph.puzzle.rule
    if rule.slides_along_edges and is_two_connected(board):
        return _order_of_tiles(moves, shape, limits, budget)
    return _order_by_trial(moves, shape, whole, limits, budget)


# Tiles


def _order_of_tiles(moves: Moves, shape: int, limits: Limits, budget: Budget) -> Order | None:
    graph = moves.graph
    board, holes = graph.puzzle.board, graph.puzzle.hole_count
    order = family_group(graph.family(shape, budget), budget).order
    odd = holes == 1 and order == factorial(graph.puzzle.piece_count)
    far = moves.shape_distances(shape)
    for centre in graph.holes(shape):
        size = holes + 2
        while comb(size + 2, holes) * factorial(size + 2 - holes) <= limits.core_states:
            size += 1
        near = nearness(board, centre)
        core = core_for_tiles(board, [centre], odd, size, min_size=holes + 2)
        found = order_for_tiles(board.neighbours, core, near)
        if found.rest:
            continue
        number = [graph.placement_number((cell,)) for cell in range(board.size)]
        ears = tuple(tuple(number[cell] for cell in ear) for ear in found.ears)
        outside = [placement for ear in ears for placement in ear]
        inside = moves.covered[:, outside].all(axis=1) & (far >= 0)
        base = min(inside.nonzero()[0].tolist(), key=lambda s: int(far[s]), default=None)
        if base is not None:
            return Order(base, tuple(merged(moves, base, ears, limits.step_states)))
    return None


def merged(
    moves: Moves, base: int, groups: Sequence[tuple[int, ...]], max_states: int
) -> Iterator[tuple[int, ...]]:
    """Yield groups joined with the next ones while the states of a step stay below a limit."""
    frozen: set[int] = set()
    waiting: tuple[int, ...] = ()
    region = Region(moves, base, frozen)
    for group in groups:
        if waiting and region.states(len(waiting) + len(group)) > max_states:
            yield waiting
            frozen.update(waiting)
            waiting, region = (), Region(moves, base, frozen)
        waiting += group
    if waiting:
        yield waiting


# Any rule


def _order_by_trial(moves: Moves, shape: int, whole: Region, limits: Limits, budget: Budget) -> Order | None:
    """Return an order found by growing a core, with a search for each step; it begins near a shape."""
    graph = moves.graph
    near = nearness(graph.puzzle.board, *graph.holes(shape))
    for centre in sorted(range(len(near)), key=near.__getitem__)[:MAX_CENTRES]:
        far = nearness(graph.puzzle.board, centre)
        base = min(whole.members.tolist(), key=lambda s: sum(far[h] ** 2 for h in graph.holes(s)))
        outwards = _compact_order(moves, base, far)
        for core in _cores(moves, base, outwards, limits, budget):
            groups: list[tuple[int, ...]] = []
            inner = core
            while inner.frozen:
                step = _next_group(inner, [p for p in outwards if p in inner.frozen], limits, budget)
                if step is None:
                    break
                group, inner = step
                groups.append(group)
            if not inner.frozen:
                return Order(base, tuple(merged(moves, base, groups[::-1], limits.step_states)))
    return None


def _compact_order(moves: Moves, base: int, near: Sequence[int]) -> list[int]:
    """Return the placements of a shape from its holes outwards, each where most cells touch those before."""
    graph, neighbours = moves.graph, moves.graph.puzzle.board.neighbours
    inside = set(graph.holes(base))
    left = set(moves.covered[base].nonzero()[0].tolist())
    order: list[int] = []

    def rank(placement: int) -> tuple[int, int, int]:
        cells = graph.placements[placement]
        touching = sum(other in inside for cell in cells for other in neighbours[cell])
        return -touching, sum(near[cell] for cell in cells), placement

    while left:
        nearest = min(left, key=rank)
        left.remove(nearest)
        inside.update(graph.placements[nearest])
        order.append(nearest)
    return order


def _cores(moves: Moves, base: int, outwards: Sequence[int], limits: Limits, budget: Budget) -> list[Region]:
    """Return a few cores that are small enough to be searched, those with the largest groups first."""
    fitting: list[tuple[int, int, Region]] = []
    for size in range(2, len(outwards) + 1):
        core = Region(moves, base, outwards[size:])
        order = core.group(budget).order
        if order * len(core.members) > limits.core_states:
            break
        fitting.append((order, size, core))
    fitting.sort(key=lambda found: found[:2], reverse=True)
    return [core for _, _, core in fitting[:MAX_CORES]]


def _next_group(
    inner: Region, frozen: Sequence[int], limits: Limits, budget: Budget
) -> tuple[tuple[int, ...], Region] | None:
    """Return the next placements around a part that is done, and the part with them.

    The pieces there can be placed so that the part does the rest if the group of the part with them is as
    large as that of the part, times the number of spots from which they can come. Pieces that cannot leave
    are taken when there are no others, so that they do not hinder groups with them.
    """
    import numpy as np

    order = inner.group(budget).order
    values = np.zeros(len(inner.members), dtype=np.int64)
    fixed: tuple[tuple[int, ...], Region] | None = None
    for group in islice(_candidates(inner, frozen), MAX_TRIED_GROUPS):
        region = Region(inner.moves, inner.base, inner.frozen.difference(group))
        if len(region.members) == len(inner.members) or region.states(len(group)) > limits.step_states:
            continue
        _, orbit = region.worst_cases(group, inner, values, budget)
        if orbit > 1 and orbit * order == region.group(budget).order:
            return group, region
        if orbit == 1 and fixed is None and region.group(budget).order == order:
            fixed = group, region
    return fixed


def _candidates(inner: Region, frozen: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield connected groups of placements that touch a part of the board, small and near ones first."""
    graph = inner.moves.graph
    neighbours = graph.puzzle.board.neighbours
    cells = {placement: graph.placements[placement] for placement in frozen}
    owner = {cell: placement for placement, its in cells.items() for cell in its}

    def touching(placement: int) -> set[int]:
        others = {owner.get(other, -1) for cell in cells[placement] for other in neighbours[cell]}
        return others - {placement}

    around = {placement: touching(placement) for placement in frozen}
    rank = {placement: number for number, placement in enumerate(frozen)}
    groups: list[tuple[int, ...]] = [(placement,) for placement in frozen if -1 in around[placement]]
    for _ in range(MAX_GROUP):
        yield from groups
        larger: set[tuple[int, ...]] = {
            tuple(sorted((*group, other), key=rank.__getitem__))
            for group in groups
            for placement in group
            for other in around[placement]
            if other != -1 and other not in group
        }
        groups = sorted(larger, key=lambda group: [rank[placement] for placement in group])
