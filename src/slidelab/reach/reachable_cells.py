"""The cells on which one piece can come to lie, whatever the others do."""

from __future__ import annotations

from slidelab.errors import NotationError
from slidelab.gains import Family, gain_graph
from slidelab.puzzles import Configuration
from slidelab.reach.group import PermutationGroup
from slidelab.reach.loop_groups import family_group
from slidelab.rules import Cells

__all__ = ["orbit_cells", "reachable_cells"]


def reachable_cells(configuration: Configuration, piece: int) -> tuple[Cells, ...]:
    """Return all cells on which a piece can come to lie, in its reading.

    The orbit of the piece under the group says into which slots of one shape it can come, the spanning tree
    of the family where these slots are in every other shape.

    Parameters, result and errors are those of `slidelab.Configuration.reachable_cells`.

    Examples
    --------
    >>> import slidelab as sl
    >>> reachable_cells(sl.puzzle("hex P(3,3)").goal, 1)
    ((0,), (1,), (3,))
    >>> len(reachable_cells(sl.puzzle("square R(3,3)").goal, 1))
    9
    """
    if not 1 <= piece <= len(configuration.pieces):
        raise NotationError(f"expected a piece from 1 to {len(configuration.pieces)}, got {piece}")
    graph = gain_graph(configuration.puzzle)
    shape, arrangement = graph.place(configuration)
    family = graph.family(shape)
    turns = configuration.puzzle.rule.turns
    point = arrangement.tolist().index((piece - 1) * turns)
    return orbit_cells(family, family_group(family), point)


def orbit_cells(family: Family, group: PermutationGroup, point: int) -> tuple[Cells, ...]:
    """Return the cells that the piece reaches whose first mark lies on a slot point of the base shape.

    Examples
    --------
    >>> import slidelab as sl
    >>> family = sl.gain_graph("path(3)").family(2)
    >>> orbit_cells(family, family_group(family), 0)
    ((0,), (1,))
    """
    graph = family.graph
    readings, turns = graph.puzzle.rule.readings, graph.puzzle.rule.turns
    orbit = list(group.orbit(point))
    found: set[tuple[int, int]] = set()
    for index, shape in enumerate(family.members.tolist()):
        slots = graph.core.slots(shape)
        for at in family.potentials[index, orbit].tolist():
            found.add((slots[at // turns], at % turns))
    return tuple(sorted(readings(graph.placements[number])[mark] for number, mark in found))
