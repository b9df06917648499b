"""The puzzle graph itself: every configuration, an edge for every move. For small puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import TYPE_CHECKING

from slidelab.errors import TooLarge
from slidelab.gains import count_shapes, gain_graph
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.analysis import arrangements

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["configurations", "puzzle_graph"]


def configurations(puzzle: Puzzle) -> Iterator[Configuration]:
    """Every configuration of a numbered puzzle, shape by shape."""
    graph = gain_graph(puzzle)
    readings, turns = puzzle.rule.readings, puzzle.rule.turns
    for shape in range(graph.shapes):
        slots = graph.slots(shape)
        for order in permutations(slots):
            for turned in product(range(turns), repeat=len(slots)):
                yield Configuration(puzzle, tuple(readings(c)[t] for c, t in zip(order, turned, strict=True)))


def puzzle_graph(puzzle: Puzzle, limit: int = 100_000) -> nx.Graph[str]:
    """The puzzle graph as networkx: nodes are positions as text, edges carry the move as text.

    >>> import networkx as nx
    >>> import slidelab as sl
    >>> g = puzzle_graph(sl.puzzle("square R(2,2)"))
    >>> len(g), nx.number_connected_components(g)
    (24, 2)
    """
    import networkx as nx

    plain = puzzle.uncoloured
    shapes = count_shapes(plain)
    total = None if shapes is None else shapes * arrangements(plain)
    if total is None or total > limit:
        said = "too many" if total is None else f"{total:,}"
        raise TooLarge(f"{puzzle.text} has {said} configurations, and the limit is {limit:,}")
    graph: nx.Graph[str] = nx.Graph(puzzle=puzzle.text)
    for numbered in configurations(plain):
        here = Configuration(puzzle, numbered.pieces)
        graph.add_node(here.text)
        for move in here.moves:
            graph.add_edge(here.text, here.play(move).text, move=move.text)
    return graph
