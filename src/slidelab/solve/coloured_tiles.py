"""Which goal cell each of several tiles of one colour goes to, so that all of them can get there.

The regions of the board (`slidelab.reach.regions`) say which tiles exchange their places, and by which
permutations. Orbit by orbit, tiles of one colour are matched to goals of that colour: freely if all
permutations can be had, with two of them swapped if the permutation must be even, by a rotation on a polygon.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from slidelab.boards import components
from slidelab.boards.walks import distance_list
from slidelab.errors import Unsolvable
from slidelab.place.assignment import minimum_cost_assignment
from slidelab.puzzles import Configuration
from slidelab.reach.decision import decide, is_odd_rearrangement, rotations
from slidelab.reach.explanations import explain_decision
from slidelab.reach.frames import find_frames, tiles_in_frames
from slidelab.reach.regions import Orbit
from slidelab.rules import Cells

__all__ = ["MAX_MATCHED_PIECES", "match_tiles"]

MAX_MATCHED_PIECES = 400
"""Pieces for which each colour is matched optimally; the assignment of more takes seconds."""

Cost = Callable[[int, int], int]
"""The distance of a tile of the start from the goal cell of a tile of the goal."""


def match_tiles(start: Configuration, goal: Configuration) -> tuple[Cells, ...]:
    """Return the goal cell of each tile of the start, so that numbered tiles can be brought there.

    Parameters
    ----------
    start, goal
        Configurations of one coloured puzzle whose tiles slide along edges.

    Raises
    ------
    Unsolvable
        If the goal cannot be reached.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("cycle(6)", colours=["a", "b", "a", "b", "b"])
    >>> p.goal.pieces_text, match_tiles(p.configuration("b . a a b b"), p.goal)
    ('a a b b b .', ((0,), (1,), (4,), (2,), (3,)))
    """
    puzzle, board = start.puzzle, start.puzzle.board
    decision = decide(start, goal)
    if not decision.solvable:
        raise Unsolvable(explain_decision(start, goal, decision, decision.pieces))
    frames = find_frames(board, components(board), goal.holes)
    here, there = tiles_in_frames(start, frames), tiles_in_frames(goal, frames)
    kinds = {labels: number for number, labels in enumerate(sorted(set(puzzle.colours or ())))}
    looks = [-1, *(kinds[labels] for labels in puzzle.colours or ())]
    distances = lru_cache(maxsize=2 * MAX_MATCHED_PIECES)(
        lambda cell: distance_list(board.neighbours, [cell], unreached=board.size)
    )

    def cost(tile: int, other: int) -> int:
        return distances(start.pieces[tile - 1][0])[goal.pieces[other - 1][0]]

    matched = list(goal.pieces)
    for frame in frames:
        for orbit in frame.orbits:
            first = [here[cell] for cell in orbit.cells if here[cell]]
            last = [there[cell] for cell in orbit.cells if there[cell]]
            for tile, other in zip(_matched(orbit, first, last, looks, cost), last, strict=True):
                matched[tile - 1] = goal.pieces[other - 1]
    return tuple(matched)


def _matched(
    orbit: Orbit, first: list[int], last: list[int], looks: Sequence[int], cost: Cost
) -> Sequence[int]:
    """Return the tiles of `first` in the order in which they replace those of `last`."""
    if orbit.group in ("fixed", "line") or len(first) < 2:
        return first
    seen, wanted = [looks[tile] for tile in first], [looks[tile] for tile in last]
    if orbit.group == "cyclic":
        places = min(rotations(seen, wanted), key=lambda k: min(k, len(first) - k))
        return first[-places:] + first[:-places]
    if orbit.group == "theta0":
        loop = next(
            loop
            for loop in orbit.loops
            if all(wanted[to] == look for to, look in zip(loop, seen, strict=True))
        )
        tile_at = dict(zip(loop, first, strict=True))
        return [tile_at[index] for index in range(len(first))]
    found = _nearest(first, last, looks, cost)
    if orbit.group == "alternating" and is_odd_rearrangement(first, found):
        _swap_cheapest(found, last, looks, cost)
    return found


def _nearest(first: list[int], last: list[int], looks: Sequence[int], cost: Cost) -> list[int]:
    """Match tiles of each colour with the least total distance, or in order if there are many."""
    import numpy as np

    found = [0] * len(last)
    for look in {looks[tile] for tile in first}:
        tiles = [tile for tile in first if looks[tile] == look]
        slots = [slot for slot, tile in enumerate(last) if looks[tile] == look]
        columns = list(range(len(tiles)))
        if len(tiles) > 1 and len(first) <= MAX_MATCHED_PIECES:
            costs = [[cost(tile, last[slot]) for slot in slots] for tile in tiles]
            columns = minimum_cost_assignment(np.array(costs, dtype=np.int64))
        for tile, column in zip(tiles, columns, strict=True):
            found[slots[column]] = tile
    return found


def _swap_cheapest(found: list[int], last: list[int], looks: Sequence[int], cost: Cost) -> None:
    """Swap two tiles of one colour, so that the permutation becomes even, at the least cost."""
    slots_of: dict[int, list[int]] = {}
    for slot, tile in enumerate(found):
        slots_of.setdefault(looks[tile], []).append(slot)
    if len(found) <= MAX_MATCHED_PIECES:
        pairs = [(a, b) for slots in slots_of.values() for i, a in enumerate(slots) for b in slots[:i]]
    else:
        pairs = [(slots[0], slots[1]) for slots in slots_of.values() if len(slots) > 1][:1]

    def extra(pair: tuple[int, int]) -> int:
        a, b = pair
        now = cost(found[a], last[a]) + cost(found[b], last[b])
        return cost(found[b], last[a]) + cost(found[a], last[b]) - now

    a, b = min(pairs, key=extra)
    found[a], found[b] = found[b], found[a]
