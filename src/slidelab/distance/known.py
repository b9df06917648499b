"""God's numbers that the atlas knows, for puzzles that are too large or too slow to search.

What is quoted is never mixed with what was computed. The rows are those of `slidelab.library` that have a
God's number or an upper bound on it: results of the literature, and of earlier searches with the command
that repeats them. The tests compute every entry that is small enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from slidelab.distance.metric import Metric
from slidelab.library import Row, lookup
from slidelab.messages import range_text
from slidelab.puzzles import Puzzle, PuzzleLike, puzzle

__all__ = ["KnownResult", "check_agreement", "known_number", "known_results", "known_text"]


@dataclass(frozen=True, slots=True)
class KnownResult:
    """A God's number that somebody published, or that was computed before.

    Attributes
    ----------
    puzzle : str
        Text of the puzzle; mirror images, rotations and isomorphic graphs have the same number.
    number : int
        The largest distance, or a lower bound.
    sources : tuple of str
        Who found it, or when slidelab did.
    metric : str
        ``"single"``, or ``"straight"`` if a row of tiles pushed at once counts as one move.
    starts : str
        ``"all"``, or the starts from which distances were measured, such as ``"hole in a corner"``; empty if
        the source does not say.
    at_most : int or None
        An upper bound; equal to `number` if that is exact, None if no bound is known.
    radius : int or None
        The smallest eccentricity, if it is known.
    command : str or None
        The command that computes it again.
    topic : str
        The table of the atlas that has it.
    """

    puzzle: str
    number: int
    sources: tuple[str, ...]
    metric: Metric = "single"
    starts: str = "all"
    at_most: int | None = None
    radius: int | None = None
    command: str | None = None
    topic: str = ""

    @classmethod
    def of_row(cls, row: Row) -> KnownResult:
        """Return what a row of the atlas says about God's number."""
        exact: int | None = row["gods_number"]
        return cls(
            row.puzzle,
            row["at_least"] if exact is None else exact,
            (row.origin,) if row.computed else tuple(row.source.split("; ")),
            row["metric"] or "single",
            "all" if row["starts"] is None else row["starts"],
            row["at_most"] if exact is None else exact,
            row["radius"],
            row.command if row.computed else None,
            row.topic,
        )

    @property
    def exact(self) -> bool:
        """Whether the number is God's number and no mere bound."""
        return self.number == self.at_most

    @property
    def text(self) -> str:
        """The number and its sources, in words."""
        pushes = " straight pushes" if self.metric == "straight" else ""
        starts = f" from a start with the {self.starts}" if self.starts not in ("", "all") else ""
        number = range_text(self.number, self.at_most)
        again = f": {self.command}" if self.command else ""
        return f"known: {number}{pushes}{starts} ({'; '.join(self.sources)}{again}), not computed here"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        value: dict[str, Any] = {
            "gods_number": self.number if self.exact else None,
            "metric": self.metric,
            "starts": self.starts or None,
            "sources": list(self.sources),
            "computed": False,
        }
        if not self.exact:
            value |= {"at_least": self.number, "at_most": self.at_most}
        if self.command is not None:
            value |= {"radius": self.radius, "command": self.command}
        return value


def known_results(source: PuzzleLike) -> tuple[KnownResult, ...]:
    """Return the God's numbers that the atlas knows of a puzzle, also in the form of an isomorphic board.

    Parameters
    ----------
    source
        A puzzle, or anything that `slidelab.puzzle` reads.

    Returns
    -------
    tuple of KnownResult
        The best for each metric that is known; empty if nothing is.

    Examples
    --------
    >>> import slidelab as sl
    >>> [(known.number, known.metric) for known in sl.known_results("15-puzzle")]
    [(80, 'single'), (43, 'straight')]
    >>> sl.known_results("2x8") == sl.known_results("8x2")
    True
    >>> [known.text for known in sl.known_results("24-puzzle")]
    ['known: 152 to 205 from a start with the hole in a corner (OEIS A090031; ...), not computed here']
    >>> sl.known_results("35-puzzle")
    ()
    """
    return _known(puzzle(source))


@lru_cache(maxsize=64)
def _known(asked: Puzzle) -> tuple[KnownResult, ...]:
    found: dict[str, KnownResult] = {}
    for row in lookup(asked):
        if row["gods_number"] is not None or row["at_most"] is not None:
            known = KnownResult.of_row(row)
            other = found.get(known.metric)
            if other is None or _rank(known) > _rank(other):
                found[known.metric] = known
    return tuple(found[metric] for metric in sorted(found))


def _rank(known: KnownResult) -> tuple[bool, bool, bool]:
    """Return what makes one result better than another: exact, about all starts, and repeatable."""
    return known.exact, known.starts == "all", known.command is not None


def known_number(asked: Puzzle, metric: str = "single") -> KnownResult | None:
    """Return what is known about all starts of a puzzle, if that is God's number itself.

    >>> import slidelab as sl
    >>> known_number(sl.puzzle("hex T(5)")).number
    73
    """
    exact = (known for known in known_results(asked) if known.exact and known.starts == "all")
    return next((known for known in exact if known.metric == metric), None)


def check_agreement(asked: Puzzle, metric: str, number: int) -> None:
    """Raise `ArithmeticError` if a computed God's number is not the one that is known."""
    known = known_number(asked, metric)
    if known is not None and known.number != number:
        raise ArithmeticError(f"{asked.text}: God's number {number} was computed, but {known.text}")


def known_text(asked: Puzzle, metric: str = "single") -> str:
    """Return the end of a message about what is known, or nothing.

    >>> import slidelab as sl
    >>> known_text(sl.puzzle("2x8"))
    '; known: 140 from a start with the hole in a corner (OEIS A151944; Tarakanov 2023), not computed here'
    """
    return "".join(f"; {known.text}" for known in known_results(asked) if known.metric == metric)
