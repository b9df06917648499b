"""What a method of `solve` is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from slidelab.puzzles import Puzzle, Solution
    from slidelab.solve.task import Task

__all__ = ["Guarantee", "Method", "MethodName"]

MethodName = Literal[
    "auto",
    "table",
    "ida",
    "astar",
    "weighted",
    "bidirectional",
    "anytime",
    "peel",
    "wilson",
    "cycle",
    "cycle-cubic",
    "group",
]


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
    summary: str
    """What it does, as a noun phrase: for help texts and for the reason of a solution."""
    accepts: Callable[[Puzzle], str | None]
    """Return None, or why it does not take this puzzle."""
    run: Callable[[Task], Solution]
    guarantee: Guarantee = Guarantee.NONE
    explains: bool = False
    """Whether `Solution.passages` says what the moves do; shortening the solution would lose that."""

    def __repr__(self) -> str:
        return f"<method {self.name}: {self.summary}>"
