"""God's number from as few searches as possible, or bounds if not all of them can be made.

Moving a configuration changes its eccentricity by at most one, and renaming pieces or a symmetry of the board
not at all. So one search from a shape of eccentricity e bounds that of every shape at distance d from it, or
from an image of it, by e - d and e + d, where d is counted on the shapes alone. Search next where the bounds
leave most open, and God's number and the radius are often known after a small part of all searches [1]_.

References
----------
.. [1] F. Takes, W. Kosters, "Determining the diameter of small world networks", CIKM 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from slidelab.boards.walks import adjacency, distance_list
from slidelab.budget import Budget
from slidelab.distance.bounds import TooManyStates, depth_lower_bound
from slidelab.distance.component import Component
from slidelab.distance.distances import Distances, make_search, search_from
from slidelab.distance.gods_number import identity_at, shapes_by_family
from slidelab.distance.search import LayeredSearch
from slidelab.distance.starts import in_order, shape_orbits
from slidelab.errors import NotationError, OutOfTime, TooLarge
from slidelab.gains import GainGraph, gain_graph
from slidelab.puzzles import Puzzle

__all__ = ["EccentricityBounds", "bound_gods_number"]


@dataclass(frozen=True, slots=True, repr=False)
class EccentricityBounds:
    """What some searches prove about God's number and the radius.

    Attributes
    ----------
    puzzle : Puzzle
    at_least, at_most : int, int or None
        Bounds on God's number; there is no upper bound before a search is finished.
    radius_at_least, radius_at_most : int or None
        Bounds on the smallest eccentricity in the components that have God's number as their diameter; None
        if it is not known which these are.
    configurations : int
        The size of the component with the largest eccentricity found, or of the largest component.
    searches : int
        Number of searches that were made.
    kinds : int
        Number of searches that there would be without bounds: the orbits of shapes under symmetries.
    deepest : Distances or None
        The search that went deepest.
    stopped : str or None
        The limit that ended the searches, in words; None if they were all made.

    Examples
    --------
    >>> import slidelab as sl
    >>> found = bound_gods_number(sl.puzzle("hex T(4)", holes=4))
    >>> found
    <God's number of 'hex T(4) hextiles 4' = 35, by 24 of 40 searches>
    >>> found.exact, found.radius
    (True, 32)
    """

    puzzle: Puzzle
    at_least: int
    at_most: int | None
    radius_at_least: int | None
    radius_at_most: int | None
    configurations: int
    searches: int
    kinds: int
    deepest: Distances | None
    stopped: str | None = None

    @property
    def exact(self) -> bool:
        """Whether God's number is known."""
        return self.at_least == self.at_most

    @property
    def radius(self) -> int | None:
        """The radius, if it is known."""
        return self.radius_at_least if self.radius_at_least == self.radius_at_most else None

    def __repr__(self) -> str:
        sign = "=" if self.exact else ">="
        most = "" if self.exact or self.at_most is None else f" and <= {self.at_most}"
        counts = f"{self.searches} of {self.kinds} searches"
        return f"<God's number of {self.puzzle.text!r} {sign} {self.at_least}{most}, by {counts}>"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "puzzle": self.puzzle.to_json(),
            "gods_number": self.at_least if self.exact else None,
            "at_least": self.at_least,
            "at_most": self.at_most,
            "radius": self.radius,
            "configurations": self.configurations,
            "searches": self.searches,
            "kinds": self.kinds,
        }


def bound_gods_number(puzzle: Puzzle, *, budget: Budget | None = None) -> EccentricityBounds:
    """Find God's number and the radius by few searches that prove them, or bound them in the time given.

    Parameters
    ----------
    puzzle
        A puzzle whose pieces are all different.
    budget
        When time is up, or a component needs too much memory, bounds are returned.

    Examples
    --------
    >>> import slidelab as sl
    >>> found = bound_gods_number(sl.puzzle("square R(3,3)"))
    >>> found.at_least, found.at_most, found.searches
    (31, 31, 3)
    """
    if puzzle.colours is not None:
        raise NotationError(f"expected pieces that are all different, got {puzzle.text!r:.80}")
    budget = budget or Budget()
    graph = gain_graph(puzzle, budget)
    _, orbits = shape_orbits(graph, budget)
    families: list[_Family] = []
    complete, stopped = False, None
    try:
        for shapes, _ in shapes_by_family(graph, orbits):
            families.append(_Family(graph, orbits, shapes, budget))
        complete = True
        for family in families:
            family.search_for_diameter(max(each.lowest_diameter for each in families))
        widest = max((family.lowest_diameter for family in families), default=0)
        for family in families:
            if family.lowest_diameter == widest:
                family.search_for_radius()
    except TooManyStates as error:
        stopped = error.shortage
    except (OutOfTime, TooLarge) as error:
        stopped = str(error)
    return replace(_combined(puzzle, families, complete=complete), stopped=stopped)


class _Family:
    """One family of shapes, and bounds on the eccentricities of its kinds: its shapes up to symmetry.

    The kinds have a graph of their own: two are joined if a move joins shapes of theirs. A path in it from
    one kind to another is the image of a path of shapes from any shape of the one to some shape of the other.
    """

    def __init__(self, graph: GainGraph, orbits: list[list[int]], shapes: list[int], budget: Budget) -> None:
        import numpy as np

        self.graph, self.shapes, self.budget = graph, shapes, budget
        self.component = Component(identity_at(graph, shapes[0]), budget=budget)
        kind_of = np.full(graph.shapes, -1, dtype=np.int64)
        orbit_of = {shape: orbit for orbit in orbits for shape in orbit}
        for kind, shape in enumerate(shapes):
            kind_of[orbit_of[shape]] = kind
        pairs = np.unique(kind_of[self.component.edges[:, :2]], axis=0).tolist()
        neighbours = adjacency((a, b) for a, b in pairs if a != b)
        self.rows = [sorted(set(neighbours.get(kind, ()))) for kind in range(len(shapes))]
        self.lower = [0] * len(shapes)
        self.upper: list[int | None] = [None] * len(shapes)
        self.found: dict[int, Distances] = {}
        self._search: LayeredSearch | None = None

    @property
    def lowest_diameter(self) -> int:
        return max(self.lower)

    @property
    def highest_diameter(self) -> int | None:
        return None if None in self.upper else max(bound for bound in self.upper if bound is not None)

    @property
    def deepest(self) -> Distances | None:
        return max(self.found.values(), key=lambda found: found.depth, default=None)

    def search_for_diameter(self, enough: int) -> None:
        """Search until the largest eccentricity is known, or known to be less than `enough`."""
        while (most := self.highest_diameter) is None or (most > self.lowest_diameter and most >= enough):
            central = len(self.found) % 2 == 0
            self._search_from(self._lowest() if central else self._highest())

    def search_for_radius(self) -> None:
        """Search until the smallest eccentricity is known, and one search has the largest as its depth."""
        while min(self.lower) < min(bound for bound in self.upper if bound is not None):
            self._search_from(self._lowest())
        while all(found.depth < self.lowest_diameter for found in self.found.values()):
            self._search_from(self._highest())

    def _open(self) -> list[int]:
        """Return the kinds that have not been searched."""
        return [kind for kind in range(len(self.shapes)) if kind not in self.found]

    def _lowest(self) -> int:
        """Return the open kind whose eccentricity may be least, the one with most neighbours first."""
        return min(self._open(), key=lambda kind: (self.lower[kind], -len(self.rows[kind])))

    def _highest(self) -> int:
        """Return the open kind whose eccentricity may be largest."""
        return max(self._open(), key=lambda kind: (self.upper[kind] or 0, self.lower[kind]))

    def _search_from(self, kind: int) -> None:
        if self._search is None:
            self._search = make_search(self.component, self.budget)
        carried = self.component.at_shape(self.shapes[kind])
        start = in_order(self.graph.puzzle, carried.shape)
        found = search_from(self._search, self.component.known_index(carried), hardest=1)
        hardest = tuple(self.component.renamed(c, carried, start) for c in found.hardest)
        self.found[kind] = Distances(start, found.distribution, hardest)
        for other, steps in enumerate(distance_list(self.rows, [kind])):
            bound = self.upper[other]
            self.lower[other] = max(self.lower[other], found.depth - steps)
            self.upper[other] = found.depth + steps if bound is None else min(bound, found.depth + steps)


def _combined(puzzle: Puzzle, families: Sequence[_Family], *, complete: bool) -> EccentricityBounds:
    """Return the bounds over all families."""
    if complete and not families:
        return EccentricityBounds(puzzle, 0, 0, 0, 0, 1, 0, 0, None)
    counted = [depth_lower_bound(f.component) or 0 for f in families if not f.found]
    at_least = max([*(f.lowest_diameter for f in families), *counted, 0])
    highest = [f.highest_diameter for f in families]
    at_most = (
        max(bound for bound in highest if bound is not None) if complete and None not in highest else None
    )
    # The radius is about the families with the largest diameter: those that may have it bound it from below,
    # those that have it for sure from above.
    possible = [f for f, most in zip(families, highest, strict=True) if most is None or most >= at_least]
    lowest = min((min(f.lower) for f in possible), default=None)
    widest = [f for f in families if f.lowest_diameter == at_least == at_most]
    uppers = [bound for f in widest for bound in f.upper if bound is not None]
    deepest = max((f.deepest for f in families if f.deepest), key=lambda d: d.depth, default=None)
    return EccentricityBounds(
        puzzle,
        at_least,
        at_most,
        lowest,
        min(uppers, default=None),
        deepest.states if deepest else max((f.component.states for f in families), default=1),
        sum(len(f.found) for f in families),
        sum(len(f.shapes) for f in families),
        deepest,
    )
