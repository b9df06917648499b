"""The groups of the loops of a puzzle: what closed walks over shapes do to the pieces."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from slidelab.budget import Budget
from slidelab.gains import Family, gain_graph
from slidelab.puzzles import Configuration
from slidelab.reach.group import PermutationGroup

__all__ = ["family_group", "group_at"]

_GROUPS: WeakKeyDictionary[Family, PermutationGroup] = WeakKeyDictionary()


def family_group(family: Family, budget: Budget | None = None) -> PermutationGroup:
    """Return the group of the loops at the base of a family; it is kept as long as the family.

    Examples
    --------
    >>> import slidelab as sl
    >>> family_group(sl.gain_graph("square R(4,4)").family(15)).name
    'Alt(15)'
    """
    found = _GROUPS.get(family)
    if found is None:
        turns = family.graph.puzzle.rule.turns
        found = PermutationGroup(family.generators, family.graph.degree, turns=turns, budget=budget)
        _GROUPS[family] = found
    return found


def group_at(configuration: Configuration, budget: Budget | None = None) -> PermutationGroup:
    """Return the group of the loops at a configuration, acting on its pieces.

    Each element takes every piece to the place of another. Points are the pieces, from 0; a gourd has two
    points, its head and its tail.

    Raises
    ------
    TooLarge
        If the gain graph or the group exceeds the budget.

    Examples
    --------
    >>> import slidelab as sl
    >>> group_at(sl.puzzle("theta(1,2,2)").goal)
    <PGL(2,5) of order 120 on 6 points>
    """
    import numpy as np

    graph = gain_graph(configuration.puzzle, budget)
    shape, arrangement = graph.place(configuration)
    family = graph.family(shape, budget)
    # Slots are numbered along a line through the board; points are named by the pieces in the slots.
    slot_of = np.argsort(arrangement)
    named = arrangement[family.generators[:, slot_of]]
    return PermutationGroup(named, graph.degree, turns=configuration.puzzle.rule.turns, budget=budget)
