"""Breadth-first search of a whole component: the loop around the layers of the core."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from slidelab.budget import Budget, ProgressCallback
from slidelab.distance.bounds import check_memory
from slidelab.distance.checkpoint import Checkpoint, SearchKey
from slidelab.distance.component import Component, StateIndex
from slidelab.errors import PuzzleError
from slidelab.messages import big_number, byte_size, duration

__all__ = ["LayeredSearch", "Plan", "PlanCallback", "Search", "layer_progress"]

STATES_PER_SECOND = 250_000_000
"""Approximate throughput of one thread, for the time in a plan."""

SEARCH_SECONDS = 0.003
"""Approximate overhead of one search, for the time in a plan."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a computation is about to do: how many searches, and the size, memory and time of each."""

    searches: int
    states: int
    memory: int
    seconds: float

    def __str__(self) -> str:
        """Describe the plan in one line.

        >>> print(Plan(10, 6_945_523_200, 2_000_000_000, 27.0))
        10 searches over 6,945,523,200 configurations each, with 2.0 GB, about 4 minutes 30 seconds
        """
        count, each = ("one search", "") if self.searches == 1 else (f"{self.searches:,} searches", " each")
        return (
            f"{count} over {big_number(self.states)} configurations{each}, with {byte_size(self.memory)}, "
            f"about {duration(self.seconds * self.searches)}"
        )


PlanCallback = Callable[[Plan], object]
"""Called with the plan before anything is allocated; what it returns is ignored."""


def layer_progress(layers: Sequence[int], states: int, check: ProgressCallback) -> ProgressCallback:
    """Return a callback for the next layer, which is assumed to be as large as the last one."""
    number, last, found = len(layers), layers[-1], sum(layers)

    def callback(_: str, done: int, total: int) -> object:
        within = last * done // total if total else 0
        return check(f"layer {number}", min(states, found + within), states)

    return callback


class LayeredSearch(ABC):
    """What all exhaustive searches have in common: they find the layers of a component one by one."""

    component: Component
    budget: Budget
    needed_bytes: int
    states_per_second = STATES_PER_SECOND
    """Approximate throughput of one thread."""

    @property
    @abstractmethod
    def layers(self) -> list[int]:
        """The sizes of the layers so far."""

    @property
    def is_complete(self) -> bool:
        """Whether all configurations of the component are in the layers so far."""
        return sum(self.layers) >= self.component.states

    def plan(self, searches: int) -> Plan:
        """Return what so many searches in memory will take."""
        states = self.component.states
        seconds = states / (self.states_per_second * self.budget.threads) + SEARCH_SECONDS
        return Plan(searches, states, self.needed_bytes, seconds)

    @abstractmethod
    def open_folder(self, folder: str | Path, key: SearchKey) -> Checkpoint:
        """Return the folder in which this kind of search keeps its layers."""

    def check_folder(self, checkpoint: Checkpoint) -> None:
        """Raise `PuzzleError` if a folder holds another search, or has too little space for this one."""
        checkpoint.check()

    @abstractmethod
    def run(self, start: StateIndex, checkpoint: Checkpoint | None = None) -> list[int]:
        """Search from a state to the end; return the number of configurations at each distance."""

    @abstractmethod
    def farthest(self, limit: int) -> list[StateIndex]:
        """Return states of the last layer in the order of their indices."""

    def missing(self) -> PuzzleError:
        """Return the error for a search that ends before it has found all configurations."""
        found, states = sum(self.layers), self.component.states
        count = f"found {found:,} of {states:,} configurations of {self.component.puzzle.text}"
        return PuzzleError(f"{count}; please report this")


class Search(LayeredSearch):
    """A search in the memory of one process with two bits a state, or four with a table.

    It can be run from any state of a component, one after another.

    >>> import slidelab as sl
    >>> component = Component(sl.puzzle("square R(2,2)").goal)
    >>> Search(component).run(component.known_index(component.start))
    [1, 2, 2, 2, 2, 2, 1]
    """

    def __init__(
        self,
        component: Component,
        budget: Budget | None = None,
        *,
        table: bool = False,
    ) -> None:
        from slidelab import _core

        self.component = component
        self.budget = budget or Budget()
        component.check_memory(4 if table else 2)
        code, lines = component.code, component.lines()
        needed = _core.LayerSearch.bytes_needed(code, table, bool(lines), self.budget.threads)
        self.needed_bytes = needed + code.bytes
        check_memory(component, self.needed_bytes, self.budget.memory)
        self.core = _core.LayerSearch(code, table, lines)

    @property
    def layers(self) -> list[int]:
        """The sizes of the layers so far."""
        return self.core.layers

    @property
    def words(self) -> int:
        """Machine words in the array of one layer."""
        return self.component.code.words * self.component.family.shapes

    def open_folder(self, folder: str | Path, key: SearchKey) -> Checkpoint:
        """Return the folder in which this kind of search keeps its layers."""
        return Checkpoint(folder, key)

    def run(self, start: StateIndex, checkpoint: Checkpoint | None = None) -> list[int]:
        """Search from a state to the end; return the number of configurations at each distance."""
        if checkpoint is None or not checkpoint.restore(self):
            self.core.begin(start)
            if checkpoint:
                checkpoint.save(self)
        while not self.is_complete:
            self.advance()
            if checkpoint and not self.is_complete:
                checkpoint.save(self)
        return self.layers

    def farthest(self, limit: int) -> list[StateIndex]:
        """Return states of the last layer in the order of their indices."""
        return self.core.last_layer(limit, self.budget.check)

    def advance(self) -> None:
        """Search the next layer, which must exist."""
        callback = layer_progress(self.layers, self.component.states, self.budget.check)
        callback("layer", 0, 1)
        if not self.core.advance(self.budget.threads, callback):
            raise self.missing()
