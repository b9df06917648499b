"""A lower bound on God's number: two configurations between which the pieces have far to go.

A move takes one piece one step along, so between two configurations there are at least as many moves as the
sum, over all pieces, of the steps from place to place on the empty board. An assignment problem finds pieces
for which the sum is largest; the pair is then checked, and mended if it cannot be reached. For n x n squares
the sum grows as n^3. `slidelab.distance.bounds` bounds by counting, which is better on thin boards.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from slidelab.bounds.placing import Moves
from slidelab.budget import Budget
from slidelab.gains import gain_graph
from slidelab.place.assignment import minimum_cost_assignment
from slidelab.puzzles import Configuration, PuzzleLike
from slidelab.puzzles import puzzle as as_puzzle
from slidelab.reach.loop_groups import family_group
from slidelab.reach.verdict import reason_unsolvable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.gains import GainGraph

__all__ = ["FarPair", "far_pair", "piece_distances", "sum_of_distances"]

MAX_SHAPES = 12
"""Shapes of a family that are tried as the shape of the start; each is an assignment problem."""

MAX_MENDING_SWAPS = 40
"""Pairs of pieces whose exchange is tried, the cheapest first, if the goal cannot be reached."""


@dataclass(frozen=True, slots=True)
class FarPair:
    """Two configurations that can reach each other, and a number of moves that they are apart at least.

    Examples
    --------
    >>> pair = far_pair("square R(4,4)")
    >>> pair.number, pair.start.pieces_text
    (60, '14 8 11 10 9 15 13 12 2 6 . 5 1 7 4 3')
    """

    start: Configuration
    goal: Configuration
    number: int

    @property
    def reason(self) -> str:
        """How it is proved, in a few words."""
        return "by a pair of configurations far apart"

    def to_json(self) -> dict[str, Any]:
        """Return the certificate: both configurations."""
        return {
            "kind": "far pair",
            "puzzle": self.start.puzzle.to_json(),
            "at_least": self.number,
            "start": self.start.to_json(),
            "goal": self.goal.to_json(),
        }


def piece_distances(graph: GainGraph) -> NDArray[np.int64]:
    """Return the fewest steps of a piece from each spot to each other on the empty board, -1 if none.

    A spot is a placement times the turns of a piece, plus the turn.

    Examples
    --------
    >>> import slidelab as sl
    >>> piece_distances(sl.gain_graph("square R(2,2)"))[0].tolist()
    [0, 1, 1, 2]
    """
    import numpy as np

    turns, rows = graph.puzzle.rule.turns, np.asarray(graph.steps.rows)
    spots = len(graph.placements) * turns
    step = np.zeros((spots, spots), dtype=bool)
    for turn in range(turns):
        here, there = rows[:, 0] * turns + turn, rows[:, 1] * turns + (turn + rows[:, 2]) % turns
        step[here, there] = step[there, here] = True
    far = np.where(np.eye(spots, dtype=bool), 0, -1).astype(np.int64)
    weights, front, depth = step.astype(np.float32), np.eye(spots, dtype=bool), 0
    while front.any():
        depth += 1
        front = (front.astype(np.float32) @ weights > 0) & (far < 0)
        far[front] = depth
    return far


def sum_of_distances(start: Configuration, goal: Configuration, budget: Budget | None = None) -> int:
    """Return the sum of the steps of all pieces on the empty board: a lower bound on the distance.

    Examples
    --------
    >>> import slidelab as sl
    >>> sum_of_distances(sl.position("square R(2,2) : 3 1 . 2"), sl.puzzle("square R(2,2)").goal)
    3
    """
    graph = gain_graph(start.puzzle, budget)
    far = piece_distances(graph)
    here, there = graph.steps.spots(start), graph.steps.spots(goal)
    return int(far[here, there].sum())


def far_pair(source: PuzzleLike, *, budget: Budget | None = None) -> FarPair | None:
    """Return two configurations that are far apart, with a proved lower bound on their distance.

    Parameters
    ----------
    source
        A puzzle, or anything that `slidelab.puzzle` reads. Its colours do not matter.
    budget
        Memory and time.

    Returns
    -------
    FarPair or None
        None if nothing can move.

    Examples
    --------
    >>> [far_pair(f"square R({n},{n})").number for n in (3, 4, 5, 6)]
    [22, 60, 116, 209]
    """
    import numpy as np

    puzzle = as_puzzle(source).uncoloured
    budget = budget or Budget()
    graph = gain_graph(puzzle, budget)
    moves, far = Moves(graph), piece_distances(graph)
    best: FarPair | None = None
    for root, _ in graph.families()[:1]:
        family = graph.family(root, budget)
        goal = graph.configuration(root, np.arange(graph.degree, dtype=np.uint16))
        orbit = np.arange(graph.degree)
        for cells in family_group(family, budget).orbits:
            orbit[list(cells)] = cells[0]
        parity = _parities(moves, root)
        for shape in _spread_shapes(graph, moves, root):
            budget.check("far pair")
            carried = family.from_base(shape, np.arange(graph.degree, dtype=np.uint16))
            found = _farthest(graph, far, goal, shape, orbit, orbit[carried], budget)
            if found is None:
                continue
            number = int(far[graph.steps.spots(found), graph.steps.spots(goal)].sum())
            if parity is not None:  # bipartite shapes: every path between the two has this parity
                number += (number + int(parity[shape])) % 2
            if best is None or number > best.number:
                best = FarPair(found, goal, number)
    return best


def _parities(moves: Moves, root: int) -> NDArray[np.int64] | None:
    """Return the parity of the moves from a shape to each other, None if it is not always the same."""
    far = moves.shape_distances(root)
    here = (moves.target >= 0) & (far[:, None] >= 0)
    same = (far[:, None] + far[moves.target]) % 2 == 0
    return None if (here & same).any() else far % 2


def _spread_shapes(graph: GainGraph, moves: Moves, root: int) -> list[int]:
    """Return a few shapes of a family, at all distances from the root."""
    far = moves.shape_distances(root)
    members = sorted((far >= 0).nonzero()[0].tolist(), key=lambda s: (int(far[s]), s))
    step = max(1, len(members) // MAX_SHAPES)
    return members[::step][: MAX_SHAPES + 1]


def _farthest(
    graph: GainGraph,
    far: NDArray[np.int64],
    goal: Configuration,
    shape: int,
    orbit: NDArray[np.int64],
    orbit_at: NDArray[np.int64],
    budget: Budget,
) -> Configuration | None:
    """Return a configuration of a shape whose pieces are as far from the goal as an assignment makes them.

    A piece stays in its orbit: `orbit` has that of each piece point, `orbit_at` that of each slot point.
    """
    import numpy as np

    rule, turns = graph.puzzle.rule, graph.puzzle.rule.turns
    slots = graph.slots(shape)
    spots = [graph.placement_number(min(rule.readings(cells))) * turns for cells in slots]
    to = graph.steps.spots(goal)
    # The cost of a piece on a slot is that of its best turn there.
    pieces = np.arange(len(to))[:, None]
    by_turn = np.stack(
        [
            np.where(
                orbit[pieces * turns] == orbit_at[None, turn::turns],
                far[np.array(spots)[None, :] + turn, to[:, None]],
                -far.size,
            )
            for turn in range(turns)
        ]
    )
    gains, turn_of = by_turn.max(axis=0), by_turn.argmax(axis=0)
    chosen = minimum_cost_assignment(-gains)

    def configuration(slot_of: list[int]) -> Configuration:
        placed = [
            rule.readings(min(rule.readings(slots[slot])))[int(turn_of[piece, slot])]
            for piece, slot in enumerate(slot_of)
        ]
        return Configuration(graph.puzzle, tuple(placed))

    first = configuration(chosen)
    if not reason_unsolvable(first, goal, budget=budget):
        return first

    def loss(pair: tuple[int, int]) -> int:
        a, b = pair
        now, then = gains[a, chosen[a]] + gains[b, chosen[b]], gains[a, chosen[b]] + gains[b, chosen[a]]
        return int(now - then)

    swaps = sorted(combinations(range(len(chosen)), 2), key=loss)[:MAX_MENDING_SWAPS]
    for a, b in swaps:
        slot_of = list(chosen)
        slot_of[a], slot_of[b] = slot_of[b], slot_of[a]
        mended = configuration(slot_of)
        if not reason_unsolvable(mended, goal, budget=budget):
            return mended
    return None
