"""God's number: the largest distance within a component, over all starts.

Renaming the pieces maps every start of one shape to every other, and a symmetry of the board maps a shape
to its images, so one search for each orbit of shapes finds the eccentricity of every configuration. Where
pieces have colours, renaming does not help: then every configuration is a start of its own, as long as
there are not too many.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from slidelab.budget import Budget
from slidelab.display import SvgDisplay, chart
from slidelab.distance.component import Component, StateIndex, pieces_of
from slidelab.distance.distances import (
    Distances,
    PlanOnce,
    distances,
    make_search,
    only_folder,
    search_from,
    search_plan,
)
from slidelab.distance.metric import Metric, check_metric
from slidelab.distance.search import LayeredSearch, Plan, PlanCallback, Search
from slidelab.distance.starts import in_order, shape_orbits
from slidelab.distance.symmetric import SymmetricSearch, symmetric_search
from slidelab.distance.world import World
from slidelab.errors import PuzzleError
from slidelab.gains import GainGraph, gain_graph
from slidelab.messages import big_number
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.coloured_components import colour_words, coloured_arrangements

__all__ = ["GodsNumber", "StartSearch", "gods_number", "identity_at", "shapes_by_family"]

MAX_COLOURED_STARTS = 20_000
"""Configurations of a coloured puzzle from each of which a search is made; more take minutes."""


@dataclass(frozen=True, slots=True)
class StartSearch:
    """One search: the number of shapes that it stands for, their family, and what it found."""

    orbit: int
    family: int
    distances: Distances

    @property
    def start(self) -> Configuration:
        """A configuration of one of these shapes."""
        return self.distances.start

    @property
    def depth(self) -> int:
        """The eccentricity of every configuration of these shapes."""
        return self.distances.depth


@dataclass(frozen=True, slots=True, repr=False)
class GodsNumber(SvgDisplay):
    """The largest distance within a component, with the searches that prove it.

    Attributes
    ----------
    puzzle : Puzzle
    searches : tuple of StartSearch
        One for each orbit of shapes that can move.
    symmetries : int
        Number of symmetries of the board that were used.
    exact : bool
        Whether the searches cover all starts; if not, `number` is a lower bound.
    metric : str
        ``"single"``, or ``"straight"`` if a row of tiles pushed at once counts as one move.
    one_component : bool
        False if other components were not searched, which only happens where pieces have colours.

    Examples
    --------
    >>> import slidelab as sl
    >>> g = sl.puzzle("square R(2,2)").gods_number()
    >>> g
    <God's number of 'square R(2,2) tiles 1' = 6>
    >>> int(g), g.radius, g.proof
    (6, 6, '1 search for all 4 shapes that can move under 8 symmetries of the board')
    """

    puzzle: Puzzle
    searches: tuple[StartSearch, ...]
    symmetries: int = 1
    exact: bool = True
    metric: Metric = "single"
    one_component: bool = True

    @property
    def number(self) -> int:
        """God's number; 0 if nothing can move."""
        return max((s.depth for s in self.searches), default=0)

    @property
    def deepest(self) -> StartSearch | None:
        """The first search that reaches God's number."""
        return max(self.searches, key=lambda s: s.depth, default=None)

    @property
    def radius(self) -> int | None:
        """The smallest eccentricity in the components that have God's number as their diameter.

        None if not all starts were searched.
        """
        if not self.exact:
            return None
        widest = {s.family for s in self.searches if s.depth == self.number}
        return min((s.depth for s in self.searches if s.family in widest), default=0)

    @property
    def at_most(self) -> int | None:
        """An upper bound: the number if it is exact, else twice that; None if components are missing."""
        if self.exact:
            return self.number
        return 2 * self.number if self.one_component else None

    @property
    def distribution(self) -> tuple[int, ...]:
        """Distances from a start of the largest eccentricity."""
        return self.deepest.distances.distribution if self.deepest else (1,)

    @property
    def hardest(self) -> tuple[Configuration, Configuration] | None:
        """Two configurations at the largest distance."""
        top = self.deepest
        return (top.start, top.distances.hardest[0]) if top else None

    @property
    def proof(self) -> str:
        """The number of searches, and why they are enough."""
        from slidelab.distance.report import proof_line

        return proof_line(self)

    @property
    def not_done(self) -> str:
        """Which searches would settle the number if it is not exact, and why they were not made."""
        if self.exact:
            return ""
        states = big_number(self.searches[0].distances.states)
        each = f"each of {states} configurations" if self.one_component else "every configuration"
        return f"a search from {each} would settle it; it is made for at most {MAX_COLOURED_STARTS:,}"

    chart = chart

    def __repr__(self) -> str:
        sign = "=" if self.exact else ">="
        return f"<God's number of {self.puzzle.text!r} {sign} {self.number}>"

    def __str__(self) -> str:
        from slidelab.distance.report import gods_number_text

        return gods_number_text(self)

    def __int__(self) -> int:
        return self.number

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "puzzle": self.puzzle.to_json(),
            "metric": self.metric,
            "gods_number": self.number,
            "radius": self.radius,
            "exact": self.exact,
            "at_most": self.at_most,
            "symmetries": self.symmetries,
            "searches": [
                {
                    "shape": _shape_json(s.start),
                    "orbit": s.orbit,
                    "depth": s.depth,
                    "states": s.distances.states,
                    "distribution": list(s.distances.distribution),
                }
                for s in self.searches
            ],
            "distribution": list(self.distribution),
            "hardest": [c.to_json() for c in self.hardest or ()],
            "proof": self.proof,
        }


def _shape_json(start: Configuration) -> list[Any]:
    """Return the holes if pieces are single cells, the cells of the pieces otherwise."""
    if start.puzzle.rule.cells == 1:
        return list(start.holes)
    return [list(cells) for cells in sorted(start.shape)]


def gods_number(
    puzzle: Puzzle,
    *,
    metric: Metric = "single",
    checkpoint: str | Path | None = None,
    disk: str | Path | None = None,
    world: World | None = None,
    plan: PlanCallback | None = None,
    budget: Budget | None = None,
    use_symmetry: bool = True,
) -> GodsNumber:
    """Find the largest distance between configurations that can reach each other; see `Puzzle.gods_number`.

    With `use_symmetry`, searches from symmetric shapes keep one shape of each orbit where that is faster.

    >>> import slidelab as sl
    >>> g = gods_number(sl.puzzle("hex F(2)", holes=3))
    >>> g.number, g.radius, len(g.searches)
    (13, 12, 5)
    """
    budget = budget or Budget()
    check_metric(puzzle, metric)
    given = only_folder(checkpoint, disk)
    folder = None if given is None else Path(given)
    graph = gain_graph(puzzle, budget)
    if puzzle.colours is not None:
        return _of_colours(puzzle, graph, metric, checkpoint, disk, world, plan, budget)
    symmetry_count, orbits = shape_orbits(graph, budget)
    searches: list[StartSearch] = []
    for family, (shapes, sizes) in enumerate(shapes_by_family(graph, orbits)):
        component = Component(identity_at(graph, shapes[0]), metric, budget=budget)
        symmetric: dict[int, SymmetricSearch] = {}
        if use_symmetry and folder is None and world is None:
            symmetric = _symmetric_searches(component, shapes, budget)
        folders = [_start_folder(folder, len(searches) + k) for k in range(len(shapes))] if folder else []
        whole: LayeredSearch | None = None
        if len(symmetric) < len(shapes):
            whole = make_search(component, budget, folders=folders, on_disk=disk is not None, world=world)
        announce = PlanOnce(plan, partial(_plan, whole or symmetric[shapes[0]], len(shapes), world, folders))
        # Those that take memory of their own come first, before the other one has taken its memory.
        found: dict[int, StartSearch] = {}
        for shape in (*symmetric, *(s for s in shapes if s not in symmetric)):
            search = symmetric.pop(shape, whole)
            assert search is not None
            number = shapes.index(shape)
            store = folders[number] if folders else None
            found[shape] = StartSearch(sizes[number], family, _from_shape(search, shape, store, announce))
            del search
        searches += [found[shape] for shape in shapes]
    return GodsNumber(puzzle, tuple(searches), symmetry_count, True, metric)


def _symmetric_searches(
    component: Component, shapes: list[int], budget: Budget
) -> dict[int, SymmetricSearch]:
    """Return the searches from those shapes from which one of each orbit of shapes is enough, and pays."""
    found = {
        shape: symmetric_search(component, budget, component.at_shape(shape), limit=1) for shape in shapes
    }
    return {shape: search for shape, search in found.items() if search is not None}


def _plan(search: LayeredSearch, searches: int, world: World | None, folders: list[Path]) -> Plan:
    """Return what the searches take whose results are not in the folders."""
    done = sum((folder / "result.json").exists() for folder in folders)
    return search_plan(search, max(1, searches - done), world=world, in_folder=bool(folders))


def _from_shape(search: LayeredSearch, shape: int, folder: Path | None, announce: PlanOnce) -> Distances:
    """Search from the configuration of a shape whose pieces are in order."""
    component = search.component
    carried = component.at_shape(shape)
    start = in_order(component.puzzle, carried.shape)
    index = component.known_index(carried)
    found = search_from(search, index, hardest=1, folder=folder, key_start=start, announce=announce)
    hardest = tuple(component.renamed(c, carried, start) for c in found.hardest)
    return replace(found, start=start, hardest=hardest)


def _start_folder(folder: str | Path, number: int) -> Path:
    return Path(folder) / f"start-{number:03d}"


def identity_at(graph: GainGraph, shape: int) -> Configuration:
    """Return the configuration of a shape whose pieces are in the order of its slots."""
    import numpy as np

    return graph.configuration(shape, np.arange(graph.degree, dtype=np.uint16))


def shapes_by_family(graph: GainGraph, orbits: list[list[int]]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield, for one family of each kind, largest first, a shape of every orbit and the sizes of the orbits.

    Symmetries may map whole families to one another; then one of them stands for all.
    """
    seen: set[int] = set()
    families_of = [{int(graph.family_of[shape]) for shape in orbit} for orbit in orbits]
    for root, _ in graph.families():
        if root in seen:
            continue
        own = [k for k, roots in enumerate(families_of) if root in roots]
        for k in own:
            seen |= families_of[k]
        firsts = [next(s for s in orbits[k] if graph.family_of[s] == root) for k in own]
        yield firsts, [len(orbits[k]) for k in own]


def _of_colours(
    puzzle: Puzzle,
    graph: GainGraph,
    metric: Metric,
    checkpoint: str | Path | None,
    disk: str | Path | None,
    world: World | None,
    plan: PlanCallback | None,
    budget: Budget,
) -> GodsNumber:
    """Search from every configuration if there are few; else from the goal alone, which gives a range."""
    families = graph.families()
    arrangements = coloured_arrangements(puzzle)
    total = arrangements * sum(shapes for _, shapes in families)
    if total > MAX_COLOURED_STARTS:
        found = distances(
            puzzle,
            metric=metric,
            hardest=1,
            checkpoint=None if checkpoint is None else _start_folder(checkpoint, 0),
            disk=None if disk is None else _start_folder(disk, 0),
            world=world,
            plan=plan,
            budget=budget,
        )
        alone = len(families) == 1 and found.states == arrangements * families[0][1]
        return GodsNumber(puzzle, (StartSearch(1, 0, found),), 1, False, metric, one_component=alone)
    starts: list[StartSearch] = []
    for number, component in enumerate(_coloured_components(puzzle, graph, metric, budget)):
        search = Search(component, budget)
        by_depth: dict[int, list[StateIndex]] = {}
        for index in _all_states(search):
            by_depth.setdefault(len(search.run(index)) - 1, []).append(index)
            done = sum(s.orbit for s in starts) + sum(map(len, by_depth.values()))
            budget.check("starts", done, total)
        for _, indices in sorted(by_depth.items()):
            starts.append(StartSearch(len(indices), number, search_from(search, indices[0], hardest=1)))
    return GodsNumber(puzzle, tuple(starts), 1, True, metric)


def _coloured_components(
    puzzle: Puzzle, graph: GainGraph, metric: Metric, budget: Budget
) -> Iterator[Component]:
    """Yield each component of a coloured puzzle once, started at a shape of its family."""
    for root, _ in graph.families():
        seen: set[Configuration] = set()
        for word in colour_words(puzzle):
            pieces = graph.configuration(root, pieces_of(puzzle, word)).pieces
            start = Configuration(puzzle, pieces)
            if start in seen:
                continue
            component = Component(start, metric, budget=budget)
            yield component
            states = _all_states(Search(component, replace(budget, threads=1)))
            seen |= {component.configuration(index) for index in states if index[0] == 0}


def _all_states(search: Search) -> list[StateIndex]:
    """Return all states of the component, by distance from its start."""
    component, core = search.component, search.core
    states = [component.known_index(component.start)]
    core.begin(states[0])
    while len(states) < component.states:
        if not core.advance(1, search.budget.check):
            raise PuzzleError(f"{component.puzzle.text} ended early; please report this")
        states += core.last_layer(component.states, search.budget.check)
    return states
