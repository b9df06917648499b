"""How far everything is from one start: the distribution of distances and the hardest configurations."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.display import SvgDisplay
from slidelab.distance.checkpoint import Checkpoint, SearchName
from slidelab.distance.component import Component, Place
from slidelab.distance.search import Announce, Search
from slidelab.errors import NotationError
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration, Puzzle

if TYPE_CHECKING:
    from slidelab.puzzles import ConfigurationLike

__all__ = ["Distances", "configuration_of", "distances", "in_order", "kept_in", "search_from", "search_name"]

MOST_HARDEST = 1000
MOST_LISTED = 1_000_000


@dataclass(frozen=True, slots=True, repr=False)
class Distances(SvgDisplay):
    """How many configurations are at each distance from a start, and those farthest away.

    Attributes
    ----------
    start : Configuration
    distribution : tuple of int
        Entry d is the number of configurations whose shortest solution has d moves.
    hardest : tuple of Configuration
        Those at the largest distance, all of them or the first thousand.
    metric : str
        `single`, or `straight` if a row of tiles pushed at once counts as one move.
    """

    start: Configuration
    distribution: tuple[int, ...]
    hardest: tuple[Configuration, ...]
    metric: str = "single"

    @property
    def states(self) -> int:
        """How many configurations can be reached."""
        return sum(self.distribution)

    @property
    def depth(self) -> int:
        """The largest distance."""
        return len(self.distribution) - 1

    @property
    def mean(self) -> float:
        """The mean distance."""
        return sum(d * n for d, n in enumerate(self.distribution)) / self.states

    def chart(self, path: str | Path, *, theme: str = "light", log: bool = False) -> None:
        """Draw the distribution into an SVG, PNG or PDF file; `log` counts on a logarithmic scale."""
        from slidelab.draw.chart import check_chart_name, distribution_chart, save_figure

        check_chart_name(path)
        save_figure(distribution_chart(self, theme=theme, log=log), path)

    def __repr__(self) -> str:
        return f"<distances from {self.start.text!r}: {self.states:,} configurations, depth {self.depth}>"

    def __str__(self) -> str:
        from slidelab.distance.report import distances_text

        return distances_text(self)

    def to_json(self) -> dict[str, Any]:
        """The design's JSON form."""
        return {
            "puzzle": self.start.puzzle.to_json(),
            "start": self.start.to_json(),
            "metric": self.metric,
            "states": self.states,
            "depth": self.depth,
            "distribution": list(self.distribution),
            "hardest": [c.to_json() for c in self.hardest],
        }


def distances(
    puzzle: Puzzle,
    start: ConfigurationLike | frozenset[Any] | None = None,
    *,
    metric: str = "single",
    hardest: int = MOST_HARDEST,
    checkpoint: str | Path | None = None,
    plan: Announce | None = None,
    budget: Budget | None = None,
) -> Distances:
    """Search everything that can be reached from a configuration, or from a shape with its pieces in order.

    Which piece lies where in the start does not matter for the numbers, unless pieces have colours.

    >>> import slidelab as sl
    >>> d = distances(sl.puzzle("square R(3,3)"))
    >>> d.states, d.depth, d.distribution[:6]
    (181440, 31, (1, 2, 4, 8, 16, 20))
    >>> [c.pieces_text for c in d.hardest]
    ['6 4 7 8 5 . 3 2 1', '8 6 7 2 5 4 3 . 1']
    """
    budget = budget or Budget()
    if isinstance(hardest, bool) or not isinstance(hardest, int) or not 0 <= hardest <= MOST_LISTED:
        raise NotationError(f"expected from 0 to {MOST_LISTED} hardest configurations, got {hardest!r:.40}")
    begin = configuration_of(puzzle, start)
    component = Component(begin, metric, budget=budget)
    place = component.known_place(begin)
    search = Search(component, budget)
    if plan:
        plan(search.plan(1))
    with kept_in(checkpoint, begin, metric) as kept:
        return search_from(search, place, hardest=hardest, checkpoint=kept)


def kept_in(
    folder: str | Path | None, start: Configuration, metric: str
) -> AbstractContextManager[Checkpoint | None]:
    """The checkpoint of one search, if there is to be one."""
    if folder is None:
        return nullcontext()
    return Checkpoint(folder, search_name(start, metric))


def search_name(start: Configuration, metric: str) -> SearchName:
    """What makes a search this one and no other."""
    return {"puzzle": start.puzzle.to_json(), "start": start.text, "metric": metric}


def search_from(
    search: Search,
    place: Place,
    *,
    hardest: int = MOST_HARDEST,
    checkpoint: Checkpoint | None = None,
) -> Distances:
    """Run one search, or take its result from the checkpoint if it is already there."""
    component = search.component
    start = component.configuration(place)
    stored = checkpoint.result() if checkpoint else None
    if stored is not None and len(stored["hardest"]) >= min(hardest, stored["distribution"][-1]):
        distribution = stored["distribution"]
        places = [(int(s), int(w), int(b)) for s, w, b in stored["hardest"][:hardest]]
    else:
        distribution = search.run(place, checkpoint)
        places = search.core.last_layer(hardest)
        if checkpoint:
            checkpoint.finish({"distribution": distribution, "hardest": places})
    farthest = tuple(component.configuration(p) for p in places)
    return Distances(start, tuple(distribution), farthest, component.metric)


def configuration_of(puzzle: Puzzle, start: ConfigurationLike | frozenset[Any] | None) -> Configuration:
    """A start from a configuration or a shape; by default the goal, or the first shape that can move."""
    if isinstance(start, frozenset):
        return in_order(puzzle, start)
    if start is not None:
        return puzzle.configuration(start)
    return _first_that_moves(puzzle)


def in_order(puzzle: Puzzle, shape: frozenset[Any]) -> Configuration:
    """The configuration of a shape whose pieces are numbered by their cells."""
    try:
        return Configuration(puzzle, tuple(sorted(shape)))
    except TypeError:
        raise NotationError("expected the cells of each piece as a shape") from None


def _first_that_moves(puzzle: Puzzle) -> Configuration:
    """The goal, unless nothing moves there; then the first shape of the largest family, pieces in order."""
    goal = puzzle.goal
    if len(goal.moves) or puzzle.colours is not None:
        return goal
    families = gain_graph(puzzle).families()
    return in_order(puzzle, frozenset(gain_graph(puzzle).slots(families[0][0]))) if families else goal
