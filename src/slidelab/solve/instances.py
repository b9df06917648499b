"""Instance sets of the literature: starts, goals, and the best solutions that were published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, overload

from slidelab.errors import NotationError
from slidelab.messages import did_you_mean
from slidelab.puzzles import Configuration, Puzzle, puzzle

__all__ = ["INSTANCE_SETS", "BenchmarkInstance", "InstanceSet", "instances"]

FOLDER = Path(__file__).parent / "instance_sets"


@dataclass(frozen=True, slots=True)
class BenchmarkInstance:
    """One start of an instance set, with what is known about it.

    >>> import slidelab as sl
    >>> first = sl.instances("korf100")[0]
    >>> first.name, first.length, first.optimal, first.facts["nodes"]
    ('korf100 1', 57, True, 276361933)
    """

    name: str
    number: int
    """The number that the literature gives it."""
    start: Configuration
    goal: Configuration
    length: int
    """Moves of a shortest solution, or of the best published one."""
    optimal: bool
    """Whether no solution is shorter than `length`."""
    facts: Mapping[str, float] = field(default_factory=dict, hash=False)
    """What else was published, such as the number of nodes of a search."""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form; `slidelab.read_document` reads it."""
        return {
            "puzzle": self.start.puzzle.to_json(),
            "start": self.start.to_json(),
            "goal": self.goal.to_json(),
            "name": self.name,
            "length": self.length,
            "optimal": self.optimal,
            **self.facts,
        }


class _Published(NamedTuple):
    """What the files do not say: the puzzle, whether the hole comes first at the goal, and the source."""

    puzzle: str
    hole_first: bool
    optimal: bool
    summary: str
    source: str


INSTANCE_SETS = {
    "korf100": _Published(
        "square R(4,4)",
        True,
        True,
        "Korf's hundred 15-puzzles, with Manhattan distance and nodes of IDA* with it",
        "R. E. Korf, Depth-first iterative-deepening: an optimal admissible tree search, "
        "Artificial Intelligence 27 (1985)",
    ),
    "korf24": _Published(
        "square R(5,5)",
        True,
        True,
        "Korf and Felner's fifty 24-puzzles, with nodes of IDA* with their pattern databases",
        "R. E. Korf, A. Felner, Disjoint pattern database heuristics, Artificial Intelligence 134 (2002)",
    ),
    **{
        f"deepcubea{tiles}": _Published(
            f"square R({side},{side})",
            False,
            False,
            f"the first hundred {tiles}-puzzles of DeepCubeA's tests, with lengths and seconds",
            "F. Agostinelli, S. McAleer, A. Shmakov, P. Baldi, Solving the Rubik's cube with deep "
            "reinforcement learning and search, Nature Machine Intelligence 1 (2019)",
        )
        for tiles, side in ((24, 5), (35, 6), (48, 7))
    },
}
"""The instance sets in the package, by name."""


class InstanceSet(Sequence[BenchmarkInstance]):
    """An instance set: a sequence of instances, with its source.

    >>> import slidelab as sl
    >>> korf = sl.instances("korf100")
    >>> korf
    <instance set korf100: 100 instances of square R(4,4) tiles 1>
    >>> korf.goal.pieces_text
    '. 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15'
    >>> sum(instance.length for instance in korf) / len(korf)
    53.05
    >>> korf.source
    'R. E. Korf, Depth-first iterative-deepening: an optimal admissible tree search, Artificial ...'
    """

    __slots__ = ("_rows", "goal", "name", "optimal", "puzzle", "source", "summary")

    def __init__(self, name: str) -> None:
        found = INSTANCE_SETS[name]
        self.name = name
        self.summary, self.source, self.optimal = found.summary, found.source, found.optimal
        self.puzzle: Puzzle = puzzle(found.puzzle)
        tiles = list(range(1, self.puzzle.board.size))
        self.goal: Configuration = self.puzzle.configuration([0, *tiles] if found.hole_first else [*tiles, 0])
        self._rows = _read_rows(name)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> BenchmarkInstance: ...
    @overload
    def __getitem__(self, at: slice) -> list[BenchmarkInstance]: ...
    def __getitem__(self, at: int | slice) -> BenchmarkInstance | list[BenchmarkInstance]:
        if isinstance(at, slice):
            return [self._instance(row) for row in self._rows[at]]
        return self._instance(self._rows[at])

    def __iter__(self) -> Iterator[BenchmarkInstance]:
        return map(self._instance, self._rows)

    def numbered(self, number: int) -> BenchmarkInstance:
        """Return the instance with a number of the literature; Korf's begin with 1, others with 0.

        >>> import slidelab as sl
        >>> sl.instances("korf24").numbered(38).length
        96
        """
        for row in self._rows:
            if row["number"] == number:
                return self._instance(row)
        numbers = [int(row["number"]) for row in self._rows]
        raise NotationError(f"expected a number from {min(numbers)} to {max(numbers)}, got {number!r:.40}")

    def _instance(self, row: Mapping[str, Any]) -> BenchmarkInstance:
        known = {key: value for key, value in row.items() if key not in ("number", "tiles", "length")}
        start = self.puzzle.configuration(row["tiles"])
        name = f"{self.name} {row['number']}"
        return BenchmarkInstance(name, row["number"], start, self.goal, row["length"], self.optimal, known)

    def __repr__(self) -> str:
        return f"<instance set {self.name}: {len(self)} instances of {self.puzzle.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InstanceSet) and self.name == other.name

    def __hash__(self) -> int:
        return hash((InstanceSet, self.name))

    def __reduce__(self) -> tuple[type[InstanceSet], tuple[str]]:
        return InstanceSet, (self.name,)


@cache
def _read_rows(name: str) -> tuple[dict[str, Any], ...]:
    """Read the file of an instance set; tiles are a list, all else is a number."""
    import csv

    def value(text: str) -> list[int] | int | float:
        if " " in text:
            return [int(tile) for tile in text.split()]
        return float(text) if "." in text else int(text)

    with (FOLDER / f"{name}.csv").open(encoding="ascii", newline="") as file:
        return tuple({key: value(text) for key, text in row.items()} for row in csv.DictReader(file))


def instances(name: str) -> InstanceSet:
    """Return an instance set of the literature.

    Parameters
    ----------
    name
        One of `INSTANCE_SETS`: ``"korf100"`` (15-puzzles, shortest solutions known), ``"korf24"``
        (24-puzzles, shortest solutions known), ``"deepcubea24"``, ``"deepcubea35"``, ``"deepcubea48"`` (with
        the lengths of DeepCubeA's solutions, which are shortest or nearly so).

    Raises
    ------
    NotationError
        If there is no such set.

    Examples
    --------
    >>> import slidelab as sl
    >>> easy = min(sl.instances("korf100"), key=lambda instance: instance.length)
    >>> easy.name, easy.length, sl.puzzle("15-puzzle").solve(easy.start, easy.goal).length
    ('korf100 55', 41, 41)
    >>> sl.instances("korf")
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected an instance set (korf100, ...), got 'korf'; did you mean ...
    """
    if name not in INSTANCE_SETS:
        listed = ", ".join(INSTANCE_SETS)
        meant = did_you_mean(name, INSTANCE_SETS) if isinstance(name, str) else ""
        raise NotationError(f"expected an instance set ({listed}), got {name!r:.40}{meant}")
    return InstanceSet(name)
