"""The puzzle graph: every configuration, and an edge for every move. For small puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from math import factorial
from typing import TYPE_CHECKING

from slidelab.errors import TooLarge
from slidelab.gains import count_shapes, gain_graph
from slidelab.packages import require
from slidelab.puzzles import Configuration, Puzzle

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["configurations", "count_arrangements", "puzzle_graph"]


def count_arrangements(puzzle: Puzzle) -> int:
    """Return the number of ways to put numbered pieces into the slots of one shape.

    Examples
    --------
    >>> import slidelab as sl
    >>> count_arrangements(sl.puzzle("square R(2,2)")), count_arrangements(sl.puzzle("hex F(2) gourds"))
    (6, 48)
    """
    readings: int = puzzle.rule.turns**puzzle.piece_count
    return factorial(puzzle.piece_count) * readings


def configurations(puzzle: Puzzle) -> Iterator[Configuration]:
    """Yield every configuration of a puzzle with numbered pieces, shape by shape.

    Examples
    --------
    >>> import slidelab as sl
    >>> sum(1 for _ in configurations(sl.puzzle("square R(2,2)")))
    24
    """
    graph = gain_graph(puzzle)
    readings, turns = puzzle.rule.readings, puzzle.rule.turns
    for shape in range(graph.shapes):
        slots = graph.slots(shape)
        for order in permutations(slots):
            for turned in product(range(turns), repeat=len(slots)):
                yield Configuration(puzzle, tuple(readings(c)[t] for c, t in zip(order, turned, strict=True)))


def puzzle_graph(puzzle: Puzzle, limit: int = 100_000) -> nx.Graph[str]:
    """Return the puzzle graph for networkx: nodes are positions as text, edges carry the move as text.

    Parameters
    ----------
    puzzle
    limit
        Largest number of configurations.

    Raises
    ------
    TooLarge
        If there are more configurations.

    Examples
    --------
    >>> import networkx as nx
    >>> import slidelab as sl
    >>> g = puzzle_graph(sl.puzzle("square R(2,2)"))
    >>> len(g), nx.number_connected_components(g)
    (24, 2)
    """
    require("networkx", "puzzle graphs need", "graph")
    import networkx as nx

    numbered = puzzle.uncoloured
    shapes = count_shapes(numbered)
    total = None if shapes is None else shapes * count_arrangements(numbered)
    if total is None or total > limit:
        count = "too many" if total is None else f"{total:,}"
        raise TooLarge(f"{puzzle.text} has {count} configurations, and the limit is {limit:,}")
    graph: nx.Graph[str] = nx.Graph(puzzle=puzzle.text)
    for configuration in configurations(numbered):
        here = Configuration(puzzle, configuration.pieces)
        graph.add_node(here.text)
        for move in here.moves:
            graph.add_edge(here.text, here.play(move).text, move=move.text)
    return graph
