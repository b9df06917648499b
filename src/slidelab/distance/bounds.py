"""Puzzles that are too large to search: the memory they need, and a lower bound by counting walks."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from slidelab.distance.known import known_text
from slidelab.errors import TooLarge
from slidelab.messages import big_number, byte_size

if TYPE_CHECKING:
    from slidelab.distance.component import Component
    from slidelab.puzzles import Puzzle

__all__ = ["TooManyStates", "check_memory", "depth_lower_bound"]

MAX_COUNTING_WORK = 3_000_000
"""Arcs visited while walks are counted; that takes a second or two."""


class TooManyStates(TooLarge):
    """A search needs more memory than the limit.

    Attributes
    ----------
    puzzle : Puzzle
    states : int
        Number of configurations that would be searched.
    needed_bytes, max_bytes : int
        The memory of the search, and the limit.
    metric : str
        What counts as a move.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        states: int,
        needed_bytes: int,
        max_bytes: int,
        component: Component | None = None,
    ) -> None:
        super().__init__(puzzle, states, needed_bytes, max_bytes)
        self.puzzle, self.states = puzzle, states
        self.needed_bytes, self.max_bytes = needed_bytes, max_bytes
        self.metric = "single" if component is None else component.metric
        self._component = component

    @cached_property
    def lower_bound(self) -> int | None:
        """A lower bound on God's number in single moves; counted on demand, in a second or two."""
        component = self._component
        return None if component is None or component.metric != "single" else depth_lower_bound(component)

    def __reduce__(self) -> tuple[object, ...]:
        return TooManyStates, self.args, {"lower_bound": self.lower_bound, "metric": self.metric}

    @property
    def shortage(self) -> str:
        """The memory that the search needs, and the limit, in words."""
        return (
            f"{self.puzzle.text} needs {byte_size(self.needed_bytes)} for {big_number(self.states)} "
            f"configurations, and the limit is {byte_size(self.max_bytes)}"
        )

    def __str__(self) -> str:
        bound = f"; God's number is at least {self.lower_bound:,}, by counting" if self.lower_bound else ""
        return f"{self.shortage}{bound}{known_text(self.puzzle, self.metric)}"


def check_memory(component: Component, needed: int, limit: int, enough: int = 0) -> None:
    """Raise `TooManyStates` if a search needs more bytes than the limit; `enough` is what it reports then."""
    if needed > limit:
        raise TooManyStates(component.puzzle, component.states, max(needed, enough), limit, component)


def depth_lower_bound(component: Component) -> int | None:
    """Return a number of moves that some configuration needs at least; None if counting takes too long.

    Every configuration at distance d is the end of a walk of d moves none of which takes the previous one
    back. Such walks are counted on the shapes alone; as long as there are fewer of them than
    configurations, some configuration is still farther away.

    >>> import slidelab as sl
    >>> from slidelab.distance.component import Component
    >>> depth_lower_bound(Component(sl.puzzle("square R(3,3)").goal))
    20
    """
    if component.graph.edges > MAX_COUNTING_WORK:
        return None
    # Arc 2k + 1 is arc 2k backwards; `ending` counts the walks that end with each arc.
    arcs = [arc for a, b in component.edges[:, :2].tolist() for arc in ((a, b), (b, a))]
    ending = [int(source == component.family.base) for source, _ in arcs]
    reached, depth, work = 1, 0, MAX_COUNTING_WORK
    while reached < component.states:
        reached += sum(ending)
        depth += 1
        work -= len(arcs) + 1
        if work < 0 or not any(ending):
            return None
        arriving: dict[int, int] = {}
        for arc, (_, target) in enumerate(arcs):
            arriving[target] = arriving.get(target, 0) + ending[arc]
        ending = [arriving.get(source, 0) - ending[arc ^ 1] for arc, (source, _) in enumerate(arcs)]
    return depth
