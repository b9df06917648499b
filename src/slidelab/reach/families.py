"""Families of shapes and the components over each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.gains import GainGraph
from slidelab.messages import counted
from slidelab.permutations import cycles
from slidelab.puzzles import Puzzle
from slidelab.reach.coloured_components import ColouredComponents, coloured_components
from slidelab.reach.group import PermutationGroup
from slidelab.reach.loop_groups import family_group
from slidelab.reach.puzzle_graph import count_arrangements
from slidelab.rules import Cells

__all__ = ["FamilyReport", "base_shape", "count_components", "family_report"]

MAX_JSON_GENERATORS = 64
"""Generators up to which all are in the JSON form; of more, some that generate the same group."""

MAX_JSON_POINTS = 200
"""Points of a group up to which such generators are looked for: a fraction of a second."""


@dataclass(frozen=True, slots=True)
class FamilyReport:
    """A connected family of shapes, whose components are all isomorphic."""

    base: Cells
    """The holes of the shape at which the group is taken."""
    slots: tuple[Cells, ...]
    """The cells of the slots of that shape."""
    shapes: int
    group: PermutationGroup = field(compare=False)
    components: int
    size: int
    """Configurations in each component; in the largest if colours make them differ."""
    colours: ColouredComponents | None = None

    def __repr__(self) -> str:
        components = counted(self.components, "component")
        return f"<family of {counted(self.shapes, 'shape')}: {self.group.name}, {components}>"

    def point_cells(self) -> tuple[int, ...]:
        """Return the cell of every point of the group: a tile's cell, a gourd's two ends."""
        turns = self.group.turns
        marks = (0, -1) if turns == 2 else tuple(range(turns))
        return tuple(cells[mark] for cells in self.slots for mark in marks)

    def _generators(self, cells: Cells) -> list[list[list[int]]] | None:
        """Return generators of the group as cycles of cells; None if the group has very many points."""
        group = self.group
        chosen: Sequence[int] = range(len(group.generators))
        if len(chosen) > MAX_JSON_GENERATORS:
            if group.degree > MAX_JSON_POINTS:
                return None
            chosen = sorted(group.enough_generators())
        rows = [group.generators[number].tolist() for number in chosen]
        return [[[cells[x] for x in cycle] for cycle in cycles(row)] for row in rows]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form of a family in an analysis."""
        cells = self.point_cells()
        group = {
            "name": self.group.name,
            "order": self.group.order,
            "degree": self.group.degree,
            "orbits": [sorted(cells[point] for point in orbit) for orbit in self.group.orbits],
            "generators": self._generators(cells),
        }
        value: dict[str, Any] = {
            "shapes": self.shapes,
            "components": self.components,
            "size": self.size,
            "group": group,
            "base": list(self.base),
        }
        if self.colours is not None:
            value["sizes"] = [[size, count] for size, count in self.colours.sizes]
        return value


def family_report(graph: GainGraph, puzzle: Puzzle, root: int, budget: Budget) -> FamilyReport:
    """Return the group and the components of the family of shapes that contains `root`."""
    base = base_shape(graph, root)
    family = graph.family(base, budget)
    group = family_group(family, budget)
    if puzzle.colours is None:
        count, size, coloured = count_arrangements(puzzle) // group.order, group.order * family.shapes, None
    else:
        coloured = coloured_components(puzzle, group, family.shapes, budget)
        count, size = coloured.count, coloured.sizes[0][0]
    return FamilyReport(graph.holes(base), graph.slots(base), family.shapes, group, count, size, coloured)


def base_shape(graph: GainGraph, root: int) -> int:
    """Return the goal's shape if it belongs to the family, otherwise its first shape."""
    try:
        goal, _ = graph.place(graph.puzzle.goal)
    except TooLarge:  # no goal was found in time
        return root
    return goal if graph.family_of[goal] == root else root


def count_components(puzzle: Puzzle, budget: Budget | None = None) -> int:
    """Compute the number of components that can move.

    Raises
    ------
    TooLarge
        If the gain graph is too large.

    Examples
    --------
    >>> import slidelab as sl
    >>> count_components(sl.puzzle("hex F(2)"))
    24
    """
    budget = budget or Budget()
    graph = GainGraph(puzzle, budget)
    return sum(family_report(graph, puzzle, root, budget).components for root, _ in graph.families())
