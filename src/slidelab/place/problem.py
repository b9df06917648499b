"""A placement problem: colours of cells, colours of gourds, and the edges on which each class of gourds fits.

Gourds with the same two colours, in either order, are alike and form a class: only their number matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from slidelab.boards import Board, Edge
from slidelab.boards.walks import adjacency, connected_components
from slidelab.errors import NotationError
from slidelab.messages import quoted
from slidelab.puzzles import Puzzle, is_number, is_word, least_reading
from slidelab.rules import RULES

__all__ = ["EMPTY", "GOURDS", "ColourPair", "PlacementProblem", "colour_pair"]

EMPTY = "."
"""The colour of a cell that stays empty."""

GOURDS = RULES["gourds"]

T = TypeVar("T")
ColourPair = tuple[str, str]


@dataclass(frozen=True, slots=True, repr=False)
class PlacementProblem:
    """A coloured board and coloured gourds, checked.

    Attributes
    ----------
    board : Board
    cells : tuple of str
        The colour of each cell, ``.`` for a cell that stays empty.
    gourds : tuple of (str, str)
        The colours of both ends of each gourd.
    counts : dict
        The number of gourds in each class.
    edges : dict
        The edges of the board on which a gourd of each class fits.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> problem = PlacementProblem(board("path(3)"), ("red", "blue", "red"), (("red", "blue"),))
    >>> problem
    <placement of 1 gourds on 'path(3)'>
    >>> problem.edges
    {('blue', 'red'): [(0, 1), (1, 2)]}
    """

    board: Board
    cells: tuple[str, ...]
    gourds: tuple[ColourPair, ...]
    counts: dict[ColourPair, int] = field(init=False, compare=False)
    edges: dict[ColourPair, list[Edge]] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        where = f"on {quoted(self.board.name)}"
        cells = self.cells
        if len(cells) != self.board.size:
            raise NotationError(
                f"expected {self.board.size} colours, one for each cell, got {len(cells)} - {where}"
            )
        for cell, colour in enumerate(cells):
            if colour != EMPTY:
                _check_colour(colour, f"at cell {cell} {where}", ", or . for a cell that stays empty")
        gourds = tuple(
            _checked_gourd(labels, f"at gourd {number} {where}")
            for number, labels in enumerate(self.gourds, 1)
        )
        counts = dict(sorted(Counter(map(colour_pair, gourds)).items()))
        edges: dict[ColourPair, list[Edge]] = {pair: [] for pair in counts}
        for a, b in self.board.edges:
            if (pair := colour_pair((cells[a], cells[b]))) in edges:
                edges[pair].append((a, b))
        for name, value in (("gourds", gourds), ("counts", counts), ("edges", edges)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, board: Board, cells: Iterable[str], gourds: Iterable[ColourPair]) -> PlacementProblem:
        """Return the problem with these colours of cells and of gourds, as a user gives them."""
        where = f"on {quoted(board.name)}"
        return cls(board, _as_tuple(cells, "colours", where), _as_tuple(gourds, "gourds", where))

    def __repr__(self) -> str:
        return f"<placement of {len(self.gourds)} gourds on {quoted(self.board.name)}>"

    @property
    def ends(self) -> Counter[str]:
        """How many ends of gourds have each colour."""
        return Counter(colour for labels in self.gourds for colour in labels)

    @property
    def required(self) -> list[int]:
        """Cells that cannot stay empty: there are as many ends of their colour as cells."""
        ends, present = self.ends, Counter(self.cells)
        return [cell for cell, colour in enumerate(self.cells) if ends[colour] == present[colour]]

    @property
    def parts(self) -> list[list[ColourPair]]:
        """Classes that share colours, directly or through others; those of two parts share no cells.

        Examples
        --------
        >>> from slidelab.boards import board
        >>> PlacementProblem(board("path(2)"), ("a", "b"), (("a", "b"), ("b", "c"), ("d", "d"))).parts
        [[('a', 'b'), ('b', 'c')], [('d', 'd')]]
        """
        colours = adjacency(self.counts)
        return [
            [pair for pair in self.counts if pair[0] in part]
            for part in connected_components(colours, colours)
        ]

    @property
    def puzzle(self) -> Puzzle:
        """The coloured puzzle; it needs a hole and a gourd."""
        return Puzzle(self.board, GOURDS, self.board.size - 2 * len(self.gourds), self.gourds)

    def orientations(self, pair: ColourPair, edge: Edge) -> list[Edge]:
        """Return the edge as head and tail of a gourd of a class: in both orders if its ends are alike."""
        both = (edge, (edge[1], edge[0]))
        return [(head, tail) for head, tail in both if (self.cells[head], self.cells[tail]) == pair]


@lru_cache(maxsize=4096)
def colour_pair(labels: ColourPair) -> ColourPair:
    """Return the class of a gourd: its colours in the order in which a coloured puzzle has them.

    >>> colour_pair(("red", "blue"))
    ('blue', 'red')
    """
    first, second = least_reading(GOURDS, labels)
    return first, second


def _as_tuple(values: Iterable[T], what: str, where: str) -> tuple[T, ...]:
    try:
        return tuple(values)
    except TypeError:
        raise NotationError(f"expected a list of {what}, got {values!r:.40} - {where}") from None


def _check_colour(colour: object, where: str, more: str = "") -> None:
    if not isinstance(colour, str) or not (is_word(colour) or is_number(colour)):
        raise NotationError(f"expected a word as a colour{more}, got {quoted(str(colour))} - {where}")


def _checked_gourd(labels: object, where: str) -> ColourPair:
    if isinstance(labels, str) or not isinstance(labels, Sequence) or len(labels) != 2:
        got = "-".join(map(str, labels)) if isinstance(labels, list | tuple) else str(labels)
        raise NotationError(f"expected two colours such as red-blue, got {quoted(got)} - {where}")
    for label in labels:
        _check_colour(label, where)
    return labels[0], labels[1]
