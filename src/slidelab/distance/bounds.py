"""Puzzles too large to search: what they would need, and what counting alone says of their distances."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from slidelab.errors import TooLarge
from slidelab.messages import big_number, byte_size

if TYPE_CHECKING:
    from slidelab.distance.component import Component
    from slidelab.puzzles import Puzzle

__all__ = ["TooManyStates", "least_depth", "refuse_beyond"]

MOST_WORK = 3_000_000


class TooManyStates(TooLarge):
    """A search needs more memory than allowed; `lower_bound` is a lower bound on God's number by counting."""

    def __init__(
        self, puzzle: Puzzle, states: int, needs: int, limit: int, component: Component | None = None
    ) -> None:
        super().__init__(puzzle, states, needs, limit)
        self.puzzle, self.states, self.needs, self.limit = puzzle, states, needs, limit
        self._component = component

    @cached_property
    def lower_bound(self) -> int | None:
        """A lower bound on God's number in single moves; counting takes up to some seconds."""
        component = self._component
        return None if component is None or component.metric != "single" else least_depth(component)

    def __reduce__(self) -> tuple[object, ...]:
        return TooManyStates, self.args, {"lower_bound": self.lower_bound}

    def __str__(self) -> str:
        known = f"; God's number is at least {self.lower_bound}, by counting" if self.lower_bound else ""
        return (
            f"{self.puzzle.text} needs {byte_size(self.needs)} for {big_number(self.states)} configurations, "
            f"and the limit is {byte_size(self.limit)}{known}"
        )


def refuse_beyond(component: Component, least: int, limit: int, enough: int = 0) -> None:
    """Raise `TooManyStates` if a search needs more bytes than the limit; `enough` is what to ask for then."""
    if least > limit:
        raise TooManyStates(component.puzzle, component.states, max(least, enough), limit, component)


def least_depth(component: Component, work: int = MOST_WORK) -> int | None:
    """A number of moves that some configuration is away at least; None if counting takes too long.

    Every configuration at distance d ends a walk of d moves that takes no move back at once. Such
    walks are counted on the shapes alone; as long as there are fewer of them than configurations,
    some configuration is still farther away.

    >>> import slidelab as sl
    >>> from slidelab.distance.component import Component
    >>> least_depth(Component(sl.puzzle("square R(3,3)").goal))
    20
    """
    arcs: list[tuple[int, int]] = []
    for source, target in component.edges[:, :2].tolist():
        arcs += [(source, target), (target, source)]
    base = component.family.base
    leaving: dict[int, list[int]] = {}
    for arc, (source, _) in enumerate(arcs):
        leaving.setdefault(source, []).append(arc)
    ending = [0] * len(arcs)  # walks that end with each arc
    for arc in leaving.get(base, ()):
        ending[arc] = 1
    reached, depth = 1, 0
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
