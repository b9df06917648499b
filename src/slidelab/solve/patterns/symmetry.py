"""Symmetries of a board that keep the rule, and the shapes that they map to each other."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from slidelab.boards import symmetries
from slidelab.errors import TooLarge
from slidelab.gains import GainGraph
from slidelab.rules import Cells, Rule

__all__ = ["Symmetry", "canonical_shape", "count_symmetries_of_shape", "image_of", "symmetries_of_rule"]

Symmetry = tuple[int, ...]
"""The image of each cell."""

MAX_SYMMETRIES = 200
"""Symmetries that are considered; some graphs have very many."""

MAX_CELLS = 400
"""Cells of the largest board whose symmetries are computed: some milliseconds."""


@lru_cache(maxsize=4)
def symmetries_of_rule(graph: GainGraph) -> list[Symmetry]:
    """Return the symmetries of the board that keep the rule, the identity first."""
    board, rule = graph.puzzle.board, graph.puzzle.rule
    identity = tuple(range(board.size))
    if board.size > MAX_CELLS:
        return [identity]
    try:
        group = symmetries(board)
        elements = list(islice(group.elements(), MAX_SYMMETRIES))
    except TooLarge:
        return [identity]
    if rule.slides_along_edges or all(graph.keeps_rule(g) for g in group.generators):
        return elements
    return [identity, *(g for g in elements[1:] if graph.keeps_rule(g))]


def image_of(rule: Rule, symmetry: Symmetry, cells: Cells) -> tuple[Cells, int]:
    """Return the image of a placement, and by how much it turns a piece there."""
    image = tuple(symmetry[cell] for cell in cells)
    least = min(rule.readings(image))
    return least, rule.readings(least).index(image)


def count_symmetries_of_shape(graph: GainGraph, shape: int) -> int:
    """Return how many symmetries map a shape to itself, the identity included.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> [count_symmetries_of_shape(gain_graph(sl.puzzle("square R(3,3)")), shape) for shape in (4, 7, 8)]
    [8, 2, 2]
    """
    rule, slots = graph.puzzle.rule, set(graph.slots(shape))
    return sum(
        all(image_of(rule, symmetry, cells)[0] in slots for cells in slots)
        for symmetry in symmetries_of_rule(graph)
    )


def canonical_shape(graph: GainGraph, shape: int) -> int:
    """Return the largest number among the images of a shape.

    >>> import slidelab as sl
    >>> from slidelab.gains import gain_graph
    >>> [canonical_shape(gain_graph(sl.puzzle("square R(3,3)")), shape) for shape in range(9)]
    [8, 7, 8, 7, 4, 7, 8, 7, 8]
    """
    import numpy as np

    rule = graph.puzzle.rule
    if rule.cells == 1:
        holes = graph.holes(shape)
        key = max(sorted(symmetry[cell] for cell in holes) for symmetry in symmetries_of_rule(graph))
    else:
        slots = graph.slots(shape)
        largest = max(
            sorted(image_of(rule, symmetry, cells)[0] for cells in slots)
            for symmetry in symmetries_of_rule(graph)
        )
        by_slot = sorted(largest, key=lambda cells: min(int(graph.rank[cell]) for cell in cells))
        key = [graph.placement_number(cells) for cells in by_slot]
    return int(graph.core.find(np.array(key, dtype=np.uint16)))
