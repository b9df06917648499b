"""The estimate by which beam search ranks states: not a lower bound, but nearer to the truth than one.

A lower bound tells little about states half way: of two with the same sum of distances, the one in which a
few pieces are far from their goals needs many more moves than the one in which all are a little off. So the
cost of a piece grows faster than its distance. And neighbours that must pass each other are in each other's
way long before a pattern database of a few pieces notices it: on lattices, two neighbours cost as many moves
as their goals are out of order along the line through them. On squares and hexagons the costs of pieces and
of pairs near each other have weights that were fitted once on random boards of several sizes
(`lattice_weights`), and a small network adds what lies near each cell (`lattice_network`); they serve all
boards of the lattice. See docs/design/solving.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from slidelab.puzzles import Puzzle
from slidelab.solve.patterns.heuristic import Heuristic
from slidelab.solve.search.lattice_features import EXCESS, Feature, lattice_features
from slidelab.solve.search.lattice_network import Network, board_windows, load_networks
from slidelab.solve.search.lattice_weights import FAR_STEP, UNIT, extended, load_weights, weights_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab import _core

__all__ = ["Ranking", "core_ranking", "has_fitted_weights", "weighted_ranking"]

MAX_COST, MAX_PAIR_COST = 65535, 32767
"""Largest costs that the core holds, in parts of a move."""

MAX_DIRECTIONS = 8
"""Directions of neighbours on a lattice: six on hexagons, eight where diagonals count."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Weights of what beam search ranks states by.

    Attributes
    ----------
    excess : float
        Of what pattern databases add to the distances of single pieces; a factor of the fitted weight if
        there is one.
    power : float
        The cost of a piece is this power of its distance from its goal.
    order : float
        Of neighbours whose goals are out of order; only for numbered tiles on squares and hexagons.
    fitted : bool
        Whether the costs of pieces and pairs have fitted weights instead; see `has_fitted_weights`.
    network : float
        Of what a network adds for what lies near each cell, 1 as it was fitted; only with fitted weights.
    """

    excess: float = 1.0
    power: float = 1.0
    order: float = 0.0
    fitted: bool = False
    network: float = 0.0


def has_fitted_weights(puzzle: Puzzle) -> bool:
    """Return whether there are fitted weights for a puzzle: numbered tiles on squares or hexagons.

    >>> import slidelab as sl
    >>> [has_fitted_weights(sl.puzzle(text)) for text in ("square R(5,5)", "hex F(4)", "king R(4,4)")]
    [True, True, False]
    """
    return puzzle.rule.cells == 1 and puzzle.colours is None and puzzle.board.kind in load_weights()


@lru_cache(maxsize=16)
def core_ranking(heuristic: Heuristic, ranking: Ranking) -> _core.Ranking:
    """Return the costs of a ranking as the core takes them.

    >>> import slidelab as sl
    >>> from slidelab.solve.patterns.heuristic import heuristic_for
    >>> core_ranking(heuristic_for(sl.puzzle("square R(3,3)").goal), Ranking(order=0.5))
    <slidelab._core.Ranking object at ...>
    """
    import numpy as np

    from slidelab import _core

    if ranking.fitted:
        kind = heuristic.goal.puzzle.board.kind
        if ranking.network:
            network = load_networks()[kind].scaled(ranking.network)
            return weighted_ranking(heuristic, load_weights()[kind], ranking.excess, network)
        name = weights_name(kind, databases=heuristic.lookups > 0)
        return weighted_ranking(heuristic, load_weights()[name], ranking.excess)
    excess = round(UNIT * ranking.excess)
    distances = heuristic.single_distances.astype(float)
    costs = np.minimum(np.round(UNIT * distances**ranking.power), MAX_COST).astype(np.uint16)
    neighbours, out_of_order = _lattice_costs(heuristic) if ranking.order else _no_lattice(heuristic)
    pairs = np.minimum(np.round(UNIT * ranking.order * out_of_order), MAX_PAIR_COST).astype(np.int16)
    return _core.Ranking(excess, costs, neighbours, pairs.reshape(-1))


def weighted_ranking(
    heuristic: Heuristic,
    weights: Mapping[Feature, float],
    excess: float = 1.0,
    network: Network | None = None,
) -> _core.Ranking:
    """Return the costs of pieces and of pairs near each other as the weights of their features.

    `excess` is a factor of the weight of what pattern databases add. A network adds what lies near each cell.
    """
    import numpy as np

    from slidelab import _core

    graph, board = heuristic.graph, heuristic.goal.puzzle.board
    features = lattice_features(board)
    values = UNIT * np.array(extended(board.kind, weights, features.keys))
    cells = np.array([cells[0] for cells in graph.placements])
    goals = np.array([cells[0] for cells in graph.slots(heuristic.shape)])
    single = values[features.singles[goals][:, cells]] + UNIT * FAR_STEP * features.beyond[goals][:, cells]
    single -= single.min(axis=1, keepdims=True)  # ranks compare states that have the same pieces
    number = np.full(board.size + 1, -1)  # the last one for cells beyond the border
    number[cells] = np.arange(len(cells))
    neighbours = number[features.neighbours[cells]]
    pairs = values[features.pairs[:, goals][:, :, goals]]
    ranking = _core.Ranking(
        round(UNIT * excess * weights.get(EXCESS, 1.0)),
        np.minimum(np.round(single), MAX_COST).astype(np.uint16, order="C"),
        neighbours.astype(np.int32, order="C"),
        np.clip(np.round(pairs), -MAX_PAIR_COST, MAX_PAIR_COST).astype(np.int16).reshape(-1),
    )
    if network is not None:
        windows = board_windows(board)
        ranking.add_network(
            number[windows.near[cells]].astype(np.int32, order="C"),
            np.ascontiguousarray(windows.contents[goals][:, cells]),
            network.weights.reshape(-1),
            network.bias,
        )
    return ranking


def _no_lattice(heuristic: Heuristic) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    import numpy as np

    return np.empty((len(heuristic.graph.placements), 0), dtype=np.int32), np.empty((0, 0, 0))


def _lattice_costs(heuristic: Heuristic) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return the neighbours of each placement by direction, and the moves that two of them are out of order.

    For pieces on cells u and v = u + e with goals g and h that is max(0, 1 - (h - g) e / |e|²): nothing if h
    lies beyond g in the direction e as v lies beyond u, one if they are level, and more if they must change
    sides.
    """
    import numpy as np

    graph, puzzle = heuristic.graph, heuristic.goal.puzzle
    board = puzzle.board
    if puzzle.rule.cells > 1 or puzzle.colours is not None or board.kind == "graph":
        return _no_lattice(heuristic)
    at = np.array(board.positions)
    steps = {
        (a, b): tuple(np.round(at[b] - at[a], 3)) for a, near in enumerate(board.neighbours) for b in near
    }
    directions = sorted(set(steps.values()))
    if len(directions) > MAX_DIRECTIONS:
        return _no_lattice(heuristic)
    number = {cells[0]: placement for placement, cells in enumerate(graph.placements)}
    neighbours = np.full((len(number), len(directions)), -1, dtype=np.int32)
    for (a, b), step in steps.items():
        neighbours[number[a], directions.index(step)] = number[b]
    goals = at[[cells[0] for cells in graph.slots(heuristic.shape)]]
    apart = goals[None, :, :] - goals[:, None, :]
    along = np.array([apart @ np.array(e) / np.dot(e, e) for e in directions])
    return neighbours, np.maximum(0, 1 - along)
