"""God's number: the largest distance within a component, over all starts.

Renaming the pieces turns every start of one shape into every other, and a symmetry of the board
turns a shape into its images, so one search for each orbit of shapes finds the eccentricity of
every configuration. Where pieces have colours, renaming does not help: then every configuration is a
start of its own, as long as there are not too many.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slidelab.boards import Symmetries, symmetries
from slidelab.boards.walks import DisjointSets
from slidelab.budget import Budget
from slidelab.display import SvgDisplay
from slidelab.distance.component import Component, Place, pieces_of
from slidelab.distance.distances import Distances, configuration_of, in_order, kept_in, search_from
from slidelab.distance.metric import check_metric
from slidelab.distance.search import Announce, Search
from slidelab.errors import PuzzleError, TooLarge
from slidelab.gains import GainGraph, gain_graph
from slidelab.permutations import Permutation
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.coloured_components import colour_words, coloured_arrangements

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["GodsNumber", "StartSearch", "gods_number", "shape_orbits"]

MOST_COLOURED_STARTS = 20_000
MOST_SYMMETRIES = 1_000


@dataclass(frozen=True, slots=True)
class StartSearch:
    """One search: how many shapes it stands for, which family they are of, and what it found."""

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
    """The largest distance within a component, with everything that proves it.

    Attributes
    ----------
    puzzle : Puzzle
    searches : tuple of StartSearch
        One for each orbit of shapes that can move.
    symmetries : int
        How many symmetries of the board were used.
    exact : bool
        Whether the searches cover all starts; if not, `number` is a lower bound.
    metric : str
    one_component : bool
        False if other components were left out, which only happens where pieces have colours.
    """

    puzzle: Puzzle
    searches: tuple[StartSearch, ...]
    symmetries: int = 1
    exact: bool = True
    metric: str = "single"
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
        """The number itself if it is exact, else twice that; None if other components may be wider."""
        if self.exact:
            return self.number
        return 2 * self.number if self.one_component else None

    @property
    def distribution(self) -> tuple[int, ...]:
        """Distances from a start of the largest eccentricity."""
        return self.deepest.distances.distribution if self.deepest else (1,)

    @property
    def hardest(self) -> tuple[Configuration, Configuration] | None:
        """Two configurations as far apart as any."""
        top = self.deepest
        return (top.start, top.distances.hardest[0]) if top else None

    @property
    def proof(self) -> str:
        """How many searches it took, and why they are enough."""
        from slidelab.distance.report import proof_line

        return proof_line(self)

    def chart(self, path: str | Path, *, theme: str = "light", log: bool = False) -> None:
        """Draw the distribution into an SVG, PNG or PDF file; `log` counts on a logarithmic scale."""
        from slidelab.draw.chart import check_chart_name, distribution_chart, save_figure

        check_chart_name(path)
        save_figure(distribution_chart(self, theme=theme, log=log), path)

    def __repr__(self) -> str:
        sign = "=" if self.exact else ">="
        return f"<God's number of {self.puzzle.text!r} {sign} {self.number}>"

    def __str__(self) -> str:
        from slidelab.distance.report import gods_number_text

        return gods_number_text(self)

    def __int__(self) -> int:
        return self.number

    def to_json(self) -> dict[str, Any]:
        """The design's JSON form."""
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
                    "shape": shape_json(s.start),
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


def shape_json(start: Configuration) -> list[Any]:
    """A shape: its holes if pieces are single cells, the cells of the pieces otherwise."""
    if start.puzzle.rule.cells == 1:
        return list(start.holes)
    return [list(cells) for cells in sorted(start.shape)]


def gods_number(
    puzzle: Puzzle,
    *,
    metric: str = "single",
    checkpoint: str | Path | None = None,
    plan: Announce | None = None,
    budget: Budget | None = None,
) -> GodsNumber:
    """The largest number of moves that any configuration needs to become any other it can become.

    >>> import slidelab as sl
    >>> g = gods_number(sl.puzzle("hex F(2)", holes=3))
    >>> g.number, g.radius, len(g.searches)
    (13, 12, 5)
    """
    budget = budget or Budget()
    check_metric(puzzle, metric)
    folder = None if checkpoint is None else Path(checkpoint)
    if puzzle.colours is not None:
        return _coloured(puzzle, metric, folder, plan, budget)
    graph = gain_graph(puzzle, budget)
    used, orbits = shape_orbits(graph)
    searches: list[StartSearch] = []
    for number, (shapes, sizes) in enumerate(_by_family(graph, orbits)):
        first = _in_shape(graph, shapes[0])
        component = Component(first, metric, budget=budget)
        search = Search(component, budget)
        if plan:
            plan(search.plan(len(shapes)))
        for shape, size in zip(shapes, sizes, strict=True):
            carried = component.at_shape(shape)
            place = component.known_place(carried)
            start = in_order(puzzle, carried.shape)
            with kept_in(_of_start(folder, len(searches)), start, metric) as kept:
                found = search_from(search, place, hardest=1, checkpoint=kept)
            hardest = tuple(component.renamed(c, carried, start) for c in found.hardest)
            searches.append(StartSearch(size, number, Distances(start, found.distribution, hardest, metric)))
    return GodsNumber(puzzle, tuple(searches), used, True, metric)


def _of_start(folder: Path | None, number: int) -> Path | None:
    return None if folder is None else folder / f"start-{number:03d}"


def _in_shape(graph: GainGraph, shape: int) -> Configuration:
    import numpy as np

    return graph.configuration(shape, np.arange(graph.degree, dtype=np.uint16))


def _by_family(graph: GainGraph, orbits: list[list[int]]) -> Iterator[tuple[list[int], list[int]]]:
    """One family of each kind, largest first: a shape of every orbit, and the sizes of the orbits.

    Symmetries may carry whole families into one another; then one of them stands for all.
    """
    order = {root: place for place, (root, _) in enumerate(graph.families())}
    seen: set[int] = set()
    meets = [{int(graph.family_of[shape]) for shape in members} for members in orbits]
    for root in order:
        if root in seen:
            continue
        here = [k for k, roots in enumerate(meets) if root in roots]
        for k in here:
            seen |= meets[k]
        firsts = [next(s for s in orbits[k] if graph.family_of[s] == root) for k in here]
        yield firsts, [len(orbits[k]) for k in here]


def shape_orbits(graph: GainGraph) -> tuple[int, list[list[int]]]:
    """Shapes that symmetries of the board carry into one another, and how many symmetries there are.

    >>> import slidelab as sl
    >>> shape_orbits(gain_graph(sl.puzzle("square R(3,3)")))
    (8, [[0, 2, 6, 8], [1, 3, 5, 7], [4]])
    """

    board = graph.puzzle.board
    try:
        found = symmetries(board)
    except TooLarge:
        return 1, [[shape] for shape in range(graph.shapes)]
    orbits = DisjointSets(graph.shapes)
    used, kept = _that_keep_rule(graph, found)
    for generator in kept:
        orbits.merge(graph.image_shapes(generator).tolist())
    return used, orbits.sets()


def _that_keep_rule(graph: GainGraph, found: Symmetries) -> tuple[int, list[Permutation]]:
    """How many symmetries carry moves into moves, and enough of them to generate all."""
    kept = [generator for generator in found.generators if graph.keeps_rule(generator)]
    if len(kept) == len(found.generators):
        return found.order, kept
    if found.order > MOST_SYMMETRIES:
        return 1, []
    kept = [element for element in found.elements() if graph.keeps_rule(element)]
    return len(kept), kept


def _coloured(
    puzzle: Puzzle,
    metric: str,
    folder: Path | None,
    plan: Announce | None,
    budget: Budget,
) -> GodsNumber:
    """Every configuration is a start, if they are few enough; else the goal alone, and a range."""
    graph = gain_graph(puzzle, budget)
    families = graph.families()
    ways = coloured_arrangements(puzzle)
    every = ways * sum(shapes for _, shapes in families)
    if every > MOST_COLOURED_STARTS:
        component = Component(configuration_of(puzzle, None), metric, budget=budget)
        search = Search(component, budget)
        if plan:
            plan(search.plan(1))
        place = component.known_place(component.start)
        with kept_in(_of_start(folder, 0), component.start, metric) as kept:
            found = search_from(search, place, hardest=1, checkpoint=kept)
        alone = component.states == ways * component.family.shapes and len(families) == 1
        return GodsNumber(puzzle, (StartSearch(1, 0, found),), 1, False, metric, one_component=alone)
    starts: list[StartSearch] = []
    for number, component in enumerate(_coloured_components(graph, puzzle, metric, budget)):
        search = Search(component, budget)
        kinds: dict[int, tuple[Place, int]] = {}  # for each depth the first start, and how many there are
        for place in _all_places(search, component.known_place(component.start)):
            depth = len(search.run(place)) - 1
            first, count = kinds.get(depth, (place, 0))
            kinds[depth] = (first, count + 1)
            tried = sum(s.orbit for s in starts) + sum(n for _, n in kinds.values())
            budget.check("starts", tried, every)
        for _, (place, count) in sorted(kinds.items()):
            starts.append(StartSearch(count, number, search_from(search, place, hardest=1)))
    return GodsNumber(puzzle, tuple(starts), 1, True, metric)


def _coloured_components(
    graph: GainGraph, puzzle: Puzzle, metric: str, budget: Budget
) -> Iterator[Component]:
    """Each component of a coloured puzzle once, seen from a shape of its family."""
    for root, _ in graph.families():
        seen: set[Configuration] = set()
        for word in colour_words(puzzle):
            laid = graph.configuration(root, pieces_of(puzzle, word))
            start = Configuration(puzzle, laid.pieces)
            if start in seen:
                continue
            component = Component(start, metric, budget=budget)
            yield component
            search = Search(component, replace(budget, threads=1))
            for place in _all_places(search, component.known_place(start)):
                if place[0] == 0:
                    seen.add(component.configuration(place))


def _all_places(search: Search, first: Place) -> list[Place]:
    core, places = search.core, [first]
    core.begin(first)
    while len(places) < search.component.states:
        if not core.advance(1):
            raise PuzzleError(f"{search.component.puzzle.text} ended early; please report this")
        places += core.last_layer(search.component.states)
    return places
