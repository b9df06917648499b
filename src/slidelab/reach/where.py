"""Where one piece can get to, whatever the others do."""

from __future__ import annotations

from slidelab.errors import NotationError
from slidelab.gains import Family, gain_graph
from slidelab.puzzles import Configuration
from slidelab.reach.group import PermutationGroup, family_group
from slidelab.rules import Cells

__all__ = ["places", "places_of_slot"]


def places(configuration: Configuration, piece: int) -> tuple[Cells, ...]:
    """All cells that a piece (from 1) can come to lie on, in its reading.

    The group says into which slots of one shape the piece can come, the tree of the family where
    these slots are in every other shape.

    >>> import slidelab as sl
    >>> places(sl.puzzle("hex P(3,3)").goal, 1)
    ((0,), (1,), (3,))
    >>> len(places(sl.puzzle("square R(3,3)").goal, 1))
    9
    """
    if not 1 <= piece <= len(configuration.pieces):
        raise NotationError(f"expected a piece from 1 to {len(configuration.pieces)}, got {piece}")
    graph = gain_graph(configuration.puzzle)
    shape, arrangement = graph.place(configuration)
    family = graph.family(shape)
    turns = configuration.puzzle.rule.turns
    point = arrangement.tolist().index((piece - 1) * turns)
    return places_of_slot(family, family_group(family), point)


def places_of_slot(family: Family, group: PermutationGroup, point: int) -> tuple[Cells, ...]:
    """The same for the piece whose first mark lies at a slot point of the base shape."""
    graph = family.graph
    readings, turns = graph.puzzle.rule.readings, graph.puzzle.rule.turns
    orbit = list(group.orbit(point))
    found: set[tuple[int, int]] = set()
    for place, shape in enumerate(family.members.tolist()):
        slots = graph.core.slots(shape)
        for at in family.potentials[place, orbit].tolist():
            found.add((slots[at // turns], at % turns))
    return tuple(sorted(readings(graph.placements[number])[mark] for number, mark in found))
