"""What a method of `solve` is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from slidelab.puzzles import Puzzle, Solution
    from slidelab.solve.task import Task

__all__ = ["SUMMARIES", "Guarantee", "Method", "MethodName", "list_methods"]

MethodName = Literal[
    "auto",
    "table",
    "ida",
    "astar",
    "weighted",
    "bidirectional",
    "anytime",
    "beam",
    "peel",
    "wilson",
    "cycle",
    "cycle-cubic",
    "group",
]

SUMMARIES: dict[MethodName, str] = {
    "auto": "the method that suits the size of the puzzle",
    "table": "a table of all distances",
    "ida": "IDA* with pattern databases",
    "astar": "A* with pattern databases",
    "weighted": "weighted A*, at most `weight` times as long as a shortest solution",
    "bidirectional": "bidirectional search",
    "anytime": "better and better solutions and lower bounds until they meet",
    "beam": "beam search, wider and wider",
    "peel": "placing pieces one by one on a shrinking board of any size",
    "wilson": "the constructive proof of Wilson's theorem, explained: tiles with one hole",
    "cycle": "sorting gourds along a Hamiltonian cycle, explained",
    "cycle-cubic": "sorting gourds along a Hamiltonian cycle one by one, explained",
    "group": "a product of loops in the permutation group, for any rule",
}
"""What each method does, as a noun phrase; here, so that a help text does not import the methods."""


def list_methods(separator: str = "; ") -> str:
    """Return all methods with their summaries, for help texts.

    >>> list_methods().split("; ")[:2]
    ['auto: the method that suits the size of the puzzle', 'table: a table of all distances']
    """
    return separator.join(f"{name}: {summary}" for name, summary in SUMMARIES.items())


class Guarantee(Enum):
    """What a method guarantees about the length of its solution, unless it is stopped at a limit."""

    OPTIMAL = "a shortest solution"
    WEIGHTED = "at most `weight` times as long as a shortest solution"
    NONE = "a solution"


@dataclass(frozen=True, slots=True, repr=False)
class Method:
    """One way to solve a puzzle.

    >>> from slidelab.solve.methods import METHODS
    >>> METHODS["ida"]
    <method ida: IDA* with pattern databases>
    >>> METHODS["ida"].guarantee
    <Guarantee.OPTIMAL: 'a shortest solution'>
    """

    name: MethodName
    accepts: Callable[[Puzzle], str | None]
    """Return None, or why it does not take this puzzle."""
    run: Callable[[Task], Solution]
    guarantee: Guarantee = Guarantee.NONE
    explains: bool = False
    """Whether `Solution.passages` says what the moves do; shortening the solution would lose that."""

    @property
    def summary(self) -> str:
        """What the method does, as a noun phrase."""
        return SUMMARIES[self.name]

    def __repr__(self) -> str:
        return f"<method {self.name}: {self.summary}>"
