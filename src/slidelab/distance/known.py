"""God's numbers from the literature, for puzzles that are too large to search here.

What is printed from this table is never mixed with what was computed. The tests compute every entry that is
small enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from slidelab.boards import Board
from slidelab.boards.lattice import Cell, images
from slidelab.distance.metric import Metric
from slidelab.puzzles import Puzzle, PuzzleLike, puzzle

__all__ = ["KNOWN", "KnownResult", "known_results", "known_text"]

MAX_KNOWN_CELLS = 25
"""Cells of the largest board that is looked up; the table has none that is larger."""

BRUENGGER = "Bruengger, Marzetta, Fukuda, Nievergelt 1999"
TARAKANOV = "Tarakanov 2023"
OEIS = "OEIS A151944"
SLIDELAB = "an earlier search with slidelab"
CORNER = "hole in a corner"


@dataclass(frozen=True, slots=True)
class KnownResult:
    """A God's number that somebody published.

    Attributes
    ----------
    puzzle : str
        Text of the puzzle, of which the mirror images and rotations have the same number.
    number : int
        The largest distance.
    sources : tuple of str
        Who found it.
    metric : str
        ``"single"``, or ``"straight"`` if a row of tiles pushed at once counts as one move.
    starts : str
        ``"all"``, or the starts from which distances were measured, such as ``"hole in a corner"``; empty if
        the source does not say.
    """

    puzzle: str
    number: int
    sources: tuple[str, ...]
    metric: Metric = "single"
    starts: str = "all"

    @property
    def text(self) -> str:
        """The number and its sources, in words."""
        pushes = " straight pushes" if self.metric == "straight" else ""
        starts = f" from a start with the {self.starts}" if self.starts not in ("", "all") else ""
        return f"known: {self.number}{pushes}{starts} ({'; '.join(self.sources)}), not computed here"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "gods_number": self.number,
            "metric": self.metric,
            "starts": self.starts or None,
            "sources": list(self.sources),
            "computed": False,
        }


def _rectangles() -> list[KnownResult]:
    """Return the rows of A151944: 2 x n, and the others by rows and columns."""
    two_by = (1, 6, 21, 36, 55, 80, 108, 140)
    numbers = {(n, 2): number for n, number in enumerate(two_by, 1)} | {(3, 3): 31, (4, 3): 53, (5, 3): 84}
    also = {(8, 2): (OEIS, TARAKANOV), (5, 3): (OEIS, TARAKANOV)}
    return [
        KnownResult(f"square R({n},{m}) tiles 1", number, also.get((n, m), (OEIS,)), starts=CORNER)
        for (n, m), number in numbers.items()
    ]


KNOWN: tuple[KnownResult, ...] = (
    *_rectangles(),
    KnownResult("square R(4,4) tiles 1", 80, (BRUENGGER, TARAKANOV)),
    KnownResult("square R(4,4) tiles 1", 43, (TARAKANOV,), "straight"),
    KnownResult("square R(7,2) tiles 1", 52, (TARAKANOV,), "straight", ""),
    KnownResult("square R(8,2) tiles 1", 57, (TARAKANOV,), "straight", ""),
    KnownResult("square R(5,3) tiles 1", 44, (TARAKANOV,), "straight", ""),
    *(
        KnownResult(f"hex {name} hextiles {holes}", number, (SLIDELAB,))
        for name, holes, number in (
            *(("F(2)", 2, 16), ("F(2)", 3, 13), ("F(2)", 4, 8), ("T(3)", 2, 3), ("T(3)", 3, 4)),
            *(("T(3)", 4, 6), ("T(4)", 2, 17), ("T(4)", 3, 58), ("P(3,3)", 3, 52), ("Ptr(3,4)", 2, 79)),
            *(("P(3,4)", 2, 81), ("T(5)", 2, 73), ("Ttr(5)", 2, 71), ("P(3,5)", 2, 103)),
            *(("Ptr(3,5)", 2, 102), ("Ptr(4,4)", 2, 84)),
        )
    ),
)
"""Everything that is known, by puzzle."""


def known_results(source: PuzzleLike) -> tuple[KnownResult, ...]:
    """Return the God's numbers from the literature for a puzzle, or for its mirror images and rotations.

    Parameters
    ----------
    source
        A puzzle, or anything that `slidelab.puzzle` reads.

    Returns
    -------
    tuple of KnownResult
        One for each metric that is known; empty if nothing is.

    Examples
    --------
    >>> import slidelab as sl
    >>> [(known.number, known.metric) for known in sl.known_results("15-puzzle")]
    [(80, 'single'), (43, 'straight')]
    >>> sl.known_results("2x8") == sl.known_results("8x2")
    True
    >>> sl.known_results("24-puzzle")
    ()
    """
    asked = puzzle(source)
    if asked.colours is not None or asked.board.size > MAX_KNOWN_CELLS or not asked.board.cells:
        return ()
    return tuple(known for known in KNOWN if _key(known.puzzle) == _puzzle_key(asked))


def known_text(asked: Puzzle, metric: str = "single") -> str:
    """Return the end of a message about what is known, or nothing.

    >>> import slidelab as sl
    >>> known_text(sl.puzzle("2x8"))
    '; known: 140 from a start with the hole in a corner (OEIS A151944; Tarakanov 2023), not computed here'
    """
    return "".join(f"; {known.text}" for known in known_results(asked) if known.metric == metric)


_Key = tuple[str, int, str, tuple[Cell, ...]]


@cache
def _key(text: str) -> _Key:
    return _puzzle_key(puzzle(text))


def _puzzle_key(asked: Puzzle) -> _Key:
    """Return what a puzzle has in common with its images, and with no other."""
    return asked.rule.name, asked.hole_count, asked.board.kind, _normal_form(asked.board)


@cache
def _normal_form(on: Board) -> tuple[Cell, ...]:
    """Return the least list of cells among the images of a board on a lattice.

    >>> from slidelab.boards import board
    >>> _normal_form(board("square R(1,2)")) == _normal_form(board("square 5,1 6,1"))
    True
    """
    forms = []
    for cells in zip(*(images(on.kind, x, y) for x, y in on.cells), strict=True):
        left, top = (min(column) for column in zip(*cells, strict=True))
        forms.append(tuple(sorted((x - left, y - top) for x, y in cells)))
    return min(forms)
