"""Symmetries of a start: which shapes stand for all of them in a search.

A symmetry of the board that keeps the start's shape, with new names of the pieces that bring the start back
to itself, maps configurations to configurations at the same distance. So one shape of each orbit is enough.
Arcs between the shapes that are kept are searched as ever. Of any others, one of each orbit is *leaving*:
what it leads to is renamed into a shape that is kept.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidelab.boards import symmetries
from slidelab.distance.component import Component, StateIndex
from slidelab.errors import TooLarge
from slidelab.permutations import Permutation
from slidelab.puzzles import Configuration

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Points = NDArray[np.uint32]

__all__ = ["KeptShapes", "StartSymmetries", "keep_shapes", "start_symmetries"]

MAX_SYMMETRIES = 1_000
"""Symmetries of the board that are looked at one by one."""

MAX_SHAPES = 100_000
"""Shapes of the largest family that is divided into orbits: some seconds."""

MAX_PASSES = 20
"""Rounds in which the shapes that are kept are exchanged for others of their orbits."""


class StartSymmetries:
    """The symmetries of the board that keep the shape of a configuration, with the pieces' new names.

    The identity comes first. Symmetries that take pieces out of the main orbit are left out.

    Attributes
    ----------
    component : Component
    shape : int
        The shape of the configuration, as a member of the family.
    elements : list of permutations
        Images of the cells.
    names : list of arrays
        For each element, the new name of each piece point; pieces are named as in `Component`.
    images : list of arrays
        For each element, the image of each shape of the family.
    """

    def __init__(self, component: Component, start: Configuration) -> None:
        import numpy as np

        self.component = component
        self.shape, arrangement = component.named(start)
        self.elements: list[Permutation] = []
        self.names: list[Points] = []
        self.images: list[NDArray[np.int64]] = []
        turns = component.puzzle.rule.turns
        main = set(component.main_slots)
        for element in _keeping(component, self.shape):
            points = self._points(element, self.shape, self.shape)
            names = np.empty(len(points), dtype=np.uint32)
            names[arrangement] = arrangement[points]
            if {int(name) // turns for name in names[[slot * turns for slot in main]]} != main:
                continue
            flips = {int(names[slot * turns]) % turns for slot in main}
            if turns > 2 and len(flips) > 1:
                continue
            images = component.graph.image_shapes(element, component.budget)[component.family.members]
            self.elements.append(element)
            self.names.append(names)
            self.images.append(component.local_shapes(images))

    def __len__(self) -> int:
        return len(self.elements)

    def points(self, element: int, shape: int) -> Points:
        """Return the image of each slot point of a shape of the family under an element."""
        return self._points(self.elements[element], shape, int(self.images[element][shape]))

    def _points(self, symmetry: Permutation, shape: int, image: int) -> Points:
        import numpy as np

        component = self.component
        graph, rule = component.graph, component.puzzle.rule
        members, turns = component.family.members, rule.turns
        slot_of = {int(p): slot for slot, p in enumerate(graph.core.slots(int(members[image])))}
        out = np.empty(graph.degree, dtype=np.uint32)
        for slot, cells in enumerate(graph.slots(int(members[shape]))):
            for turn, reading in enumerate(rule.readings(cells)):
                placement, turned = graph.steps.locate(tuple(symmetry[cell] for cell in reading))
                out[slot * turns + turn] = slot_of[placement] * turns + turned
        return out

    def orbit(self, states: list[StateIndex], limit: int | None = None) -> list[StateIndex]:
        """Return the images of some states under all elements, in order; about `limit` are enough.

        >>> import slidelab as sl
        >>> component = Component(sl.puzzle("square R(3,3)").goal)
        >>> found = StartSymmetries(component, component.start)
        >>> state = component.known_index(sl.position("square R(3,3) : 1 2 3 4 5 6 7 . 8"))
        >>> [component.configuration(image).pieces_text for image in found.orbit([state])]
        ['1 2 3 4 5 . 7 8 6', '1 2 3 4 5 6 7 . 8']
        """
        import numpy as np

        code = self.component.numbering
        out: set[StateIndex] = set()
        for state in states:
            if limit is not None and len(out) >= limit:
                break
            arrangement = code.arrangement(state)
            for k, names in enumerate(self.names):
                moved = np.empty_like(arrangement)
                moved[self.points(k, state[0])] = names[arrangement]
                image = code.place(int(self.images[k][state[0]]), moved)
                if image is None:
                    raise AssertionError("a symmetry of the start leads out of its component")
                out.add(image)
        return sorted(out)[:limit]


def start_symmetries(component: Component, start: Configuration) -> StartSymmetries | None:
    """Return the symmetries of a start; None if there are none but the identity, or a search cannot use them.

    >>> import slidelab as sl
    >>> component = Component(sl.puzzle("square R(3,3)").goal)
    >>> len(start_symmetries(component, component.start))
    2
    """
    if (
        component.metric != "single"
        or component.puzzle.colours is not None
        or component.family.shapes > MAX_SHAPES
        or not component.main_pieces
    ):
        return None
    found = StartSymmetries(component, start)
    return found if len(found) > 1 else None


def _keeping(component: Component, shape: int) -> list[Permutation]:
    """Return the symmetries of the board that keep a shape and the rule, the identity first."""
    graph = component.graph
    try:
        found = symmetries(component.puzzle.board)
    except TooLarge:
        return []
    if found.order > MAX_SYMMETRIES:
        return []
    covered = {frozenset(cells) for cells in graph.slots(int(component.family.members[shape]))}
    out = []
    for number, element in enumerate(found.elements()):
        component.budget.check("symmetries", number, found.order)
        if {frozenset(element[cell] for cell in cells) for cells in covered} == covered and (
            number == 0 or graph.keeps_rule(element)
        ):
            out.append(element)
    return out


@dataclass(frozen=True, slots=True)
class KeptShapes:
    """One shape of each orbit, and what becomes of the arcs that leave these shapes.

    Attributes
    ----------
    shapes, weights : list of int
        The shapes that are kept, and the sizes of their orbits.
    renamings : list of tuple
        Shape, image and element of each renaming that is needed.
    leaving : list of tuple
        Arcs out of these shapes, each with the renaming of the shape that it leads to.
    closing : list of int
        Renamings of a shape that is kept to itself.
    """

    shapes: list[int]
    weights: list[int]
    renamings: list[tuple[int, int, int]]
    leaving: list[tuple[int, int]]
    closing: list[int]

    @property
    def arriving(self) -> int:
        """The number of shapes into which something is renamed from outside."""
        return len({self.renamings[number][1] for _, number in self.leaving})


def keep_shapes(found: StartSymmetries) -> KeptShapes:
    """Choose one shape of each orbit, so that few arcs leave them.

    From a corner of a square board, none does: the shapes on one side of the diagonal are kept.

    >>> import slidelab as sl
    >>> component = Component(sl.puzzle("square R(3,3)").goal)
    >>> kept = keep_shapes(start_symmetries(component, component.start))
    >>> len(kept.shapes), sum(kept.weights), len(kept.leaving), len(kept.closing)
    (6, 9, 0, 3)
    """
    component = found.component
    count = component.family.shapes
    arcs: list[list[tuple[int, int]]] = [[] for _ in range(count)]  # out of each shape: target, arc
    for edge, (source, target) in enumerate(component.edge_ends.tolist()):
        arcs[source].append((target, 2 * edge))
        arcs[target].append((source, 2 * edge + 1))
    images = [image.tolist() for image in found.images]
    orbit_of, orbits = _orbits(images, count)
    kept = _choose(arcs, orbit_of, orbits, found.shape, found)
    numbers: dict[tuple[int, int, int], int] = {}

    def renaming(shape: int, element: int) -> int:
        return numbers.setdefault((shape, images[element][shape], element), len(numbers))

    leaving: list[tuple[int, int]] = []
    closing: list[int] = []
    for shape in kept:
        keeping = [k for k, image in enumerate(images) if image[shape] == shape]
        closing += [renaming(shape, k) for k in keeping if k]
        done = set()
        # Of neighbours that symmetries of this shape map to one another, one is enough: a kept one first.
        for target in sorted({t for t, _ in arcs[shape]}, key=lambda t: (kept[orbit_of[t]] != t, t)):
            if target in done:
                continue
            done |= {images[k][target] for k in keeping}
            goal = kept[orbit_of[target]]
            if goal != target:
                element = next(k for k, image in enumerate(images) if image[target] == goal)
                number = renaming(target, element)
                leaving += [(arc, number) for t, arc in arcs[shape] if t == target]
    return KeptShapes(kept, [len(orbit) for orbit in orbits], list(numbers), leaving, closing)


def _orbits(images: list[list[int]], count: int) -> tuple[list[int], list[list[int]]]:
    """Return the orbit of each shape, and the members of each orbit."""
    orbit_of, orbits = [-1] * count, list[list[int]]()
    for shape in range(count):
        if orbit_of[shape] < 0:
            members = sorted({image[shape] for image in images})
            for member in members:
                orbit_of[member] = len(orbits)
            orbits.append(members)
    return orbit_of, orbits


def _choose(
    arcs: list[list[tuple[int, int]]],
    orbit_of: list[int],
    orbits: list[list[int]],
    start: int,
    found: StartSymmetries,
) -> list[int]:
    """Return a shape of each orbit: grown from the start by most neighbours, then exchanged one by one."""
    kept = [-1] * len(orbits)

    def neighbours(shape: int) -> int:
        return sum(kept[orbit_of[target]] == target for target, _ in arcs[shape])

    open_shapes = [(0, start)]
    while open_shapes:
        count, shape = heapq.heappop(open_shapes)
        if kept[orbit_of[shape]] >= 0:
            continue
        if (now := -neighbours(shape)) < count:
            heapq.heappush(open_shapes, (now, shape))
            continue
        kept[orbit_of[shape]] = shape
        for target, _ in arcs[shape]:
            if kept[orbit_of[target]] < 0:
                heapq.heappush(open_shapes, (-neighbours(target), target))
    for number in range(MAX_PASSES):
        found.component.budget.check("symmetries", number, MAX_PASSES)
        changed = False
        for orbit, members in enumerate(orbits):
            if len(members) == 1:
                continue
            best = max(members, key=neighbours)
            if neighbours(best) > neighbours(kept[orbit]):
                kept[orbit] = best
                changed = True
        if not changed:
            break
    return kept
