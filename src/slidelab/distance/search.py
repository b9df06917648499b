"""Layer by layer through a whole component: the loop around the core's search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from slidelab.budget import Budget, ProgressCallback
from slidelab.distance.bounds import refuse_beyond
from slidelab.distance.checkpoint import Checkpoint
from slidelab.distance.component import Component, Place
from slidelab.errors import PuzzleError
from slidelab.messages import byte_size, duration

__all__ = ["Announce", "Plan", "Search"]

STATES_A_SECOND = 250_000_000  # of one thread, roughly: only for estimates


@dataclass(frozen=True, slots=True)
class Plan:
    """What is about to be done: how many searches, over how many configurations, in what memory and time."""

    searches: int
    states: int
    memory: int
    seconds: float

    def __str__(self) -> str:
        """
        >>> print(Plan(10, 6_945_523_200, 2_000_000_000, 27.0))
        10 searches over 6,945,523,200 configurations each, with 2.0 GB, about 4 minutes 30 seconds
        """
        from slidelab.messages import big_number

        many = "one search" if self.searches == 1 else f"{self.searches:,} searches"
        each = "" if self.searches == 1 else " each"
        time = duration(self.seconds * self.searches)
        work = f"{many} over {big_number(self.states)} configurations{each}"
        return f"{work}, with {byte_size(self.memory)}, about {time}"


# Told of the plan before anything is allocated.
Announce = Callable[[Plan], None]


class Search:
    """One exhaustive search, from any place of a component; may be begun again from another.

    >>> import slidelab as sl
    >>> component = Component(sl.puzzle("square R(2,2)").goal)
    >>> search = Search(component)
    >>> search.run(component.place(component.start))
    [1, 2, 2, 2, 2, 2, 1]
    """

    def __init__(self, component: Component, budget: Budget | None = None, *, table: bool = False) -> None:
        from slidelab import _core

        self.component = component
        self.budget = budget or Budget()
        lines = component.lines()
        self.need: int = (
            _core.LayerSearch.bytes_needed(component.code, table, bool(lines), self.budget.threads)
            + component.code.bytes
        )
        refuse_beyond(component, self.need, self.budget.memory)
        self.core: Any = _core.LayerSearch(component.code, table, lines)

    @property
    def layers(self) -> list[int]:
        """The sizes of the layers so far."""
        return list(self.core.layers)

    @property
    def words(self) -> int:
        """Words of the array of one layer."""
        return int(self.component.code.words) * self.component.family.shapes

    def plan(self, searches: int) -> Plan:
        """What so many searches will take; nothing has been allocated yet."""
        seconds = self.component.states / (STATES_A_SECOND * self.budget.threads) + 0.0005
        return Plan(searches, self.component.states, self.need, seconds)

    def run(self, start: Place, checkpoint: Checkpoint | None = None) -> list[int]:
        """Search from a place to the end; returns how many configurations there are at each distance."""
        if checkpoint is None or not checkpoint.restore(self):
            self.core.begin(start)
            if checkpoint:
                checkpoint.save(self)
        found, states = sum(self.layers), self.component.states
        while found < states:
            layers = self.layers
            tick = _layer_tick(self.budget, len(layers), found, layers[-1], states)
            tick("layer", 0, 1)
            new = self.core.advance(self.budget.threads, tick)
            if not new:
                said = f"found {found:,} of {states:,} configurations of {self.component.puzzle.text}"
                raise PuzzleError(f"{said}; please report this")
            found += new
            if checkpoint and found < states:
                checkpoint.save(self)
        return self.layers


def _layer_tick(budget: Budget, layer: int, found: int, last: int, states: int) -> ProgressCallback:
    """Progress within a layer, which is taken to be about as large as the last one."""

    def tick(_: str, done: int, total: int) -> None:
        within = last * done // total if total else 0
        budget.check(f"layer {layer}", min(states, found + within), states)

    return tick
