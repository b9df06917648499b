"""What is asked of a placement: colours of cells, gourds by their classes, and the edges they fit on.

Gourds with the same two colours are alike, whichever way round: only the number of each class matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from slidelab.boards import Board, Edge
from slidelab.errors import NotationError
from slidelab.messages import quoted
from slidelab.puzzles import Puzzle, is_number, is_word, least_reading
from slidelab.rules import RULES

__all__ = ["EMPTY", "GOURDS", "Pair", "Question"]

EMPTY = "."  # the colour of a cell that stays empty
GOURDS = RULES["gourds"]

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Question:
    """A coloured board and coloured gourds, checked.

    >>> from slidelab.boards import board
    >>> q = Question(board("path(3)"), ("red", "blue", "red"), (("red", "blue"),))
    >>> q.edges
    {('blue', 'red'): [(0, 1), (1, 2)]}
    """

    board: Board
    cells: tuple[str, ...]
    gourds: tuple[Pair, ...]
    budget: dict[Pair, int] = field(init=False)
    edges: dict[Pair, list[Edge]] = field(init=False)

    def __post_init__(self) -> None:
        self._check_cells()
        for number, labels in enumerate(self.gourds, 1):
            _check_gourd(number, labels)
        object.__setattr__(self, "gourds", tuple((first, second) for first, second in self.gourds))
        object.__setattr__(self, "budget", dict(sorted(Counter(map(pair_of, self.gourds)).items())))
        object.__setattr__(self, "edges", self._usable_edges())

    def _check_cells(self) -> None:
        where = f"on {quoted(self.board.name)}"
        if len(self.cells) != self.board.size:
            raise NotationError(
                f"expected {self.board.size} colours, one a cell, got {len(self.cells)} - {where}"
            )
        for cell, colour in enumerate(self.cells):
            if not isinstance(colour, str) or (colour != EMPTY and not _is_colour(colour)):
                raise NotationError(
                    f"expected a word as a colour, or . for a cell that stays empty, "
                    f"got {quoted(str(colour))} - at cell {cell} {where}"
                )

    def _usable_edges(self) -> dict[Pair, list[Edge]]:
        """For each class of gourds where on the board one of them fits."""
        out: dict[Pair, list[Edge]] = {pair: [] for pair in self.budget}
        for a, b in self.board.edges:
            pair = pair_of((self.cells[a], self.cells[b]))
            if pair in out:
                out[pair].append((a, b))
        return out

    @property
    def ends(self) -> Counter[str]:
        """How many ends of gourds have each colour."""
        return Counter(colour for labels in self.gourds for colour in labels)

    @property
    def required(self) -> list[int]:
        """Cells that can't stay empty: there are as many ends of their colour as cells."""
        ends, have = self.ends, Counter(self.cells)
        return [cell for cell, colour in enumerate(self.cells) if ends[colour] == have[colour]]

    @property
    def parts(self) -> list[list[Pair]]:
        """Classes that share colours, directly or through others; those of two parts share no cells.

        >>> from slidelab.boards import board
        >>> Question(board("path(2)"), ("a", "b"), (("a", "b"), ("b", "c"), ("d", "d"))).parts
        [[('a', 'b'), ('b', 'c')], [('d', 'd')]]
        """
        joined = {colour: colour for pair in self.budget for colour in pair}

        def leader(colour: str) -> str:
            while joined[colour] != colour:
                joined[colour] = colour = joined[joined[colour]]
            return colour

        for first, second in self.budget:
            joined[leader(first)] = leader(second)
        out: dict[str, list[Pair]] = {}
        for pair in self.budget:
            out.setdefault(leader(pair[0]), []).append(pair)
        return list(out.values())

    @property
    def puzzle(self) -> Puzzle:
        """The coloured puzzle; it needs a hole and a gourd."""
        return Puzzle(self.board, GOURDS, self.board.size - 2 * len(self.gourds), self.gourds)

    def ways(self, pair: Pair, edge: Edge) -> list[Edge]:
        """The edge as head and tail of a gourd of this class: both ways round if its ends are alike."""
        turned = (edge[1], edge[0])
        return [way for way in (edge, turned) if (self.cells[way[0]], self.cells[way[1]]) == pair]


def pair_of(labels: Sequence[str]) -> Pair:
    """The class of a gourd: its colours in the order that a coloured puzzle has them.

    >>> pair_of(("red", "blue"))
    ('blue', 'red')
    """
    first, second = least_reading(GOURDS, tuple(labels))
    return first, second


def _is_colour(label: str) -> bool:
    return is_word(label) or is_number(label)


def _check_gourd(number: int, labels: Sequence[str]) -> None:
    if isinstance(labels, str) or len(labels) != 2:
        got = labels if isinstance(labels, str) else "-".join(map(str, labels))
        raise NotationError(
            f"expected two colours such as red-blue, got {quoted(str(got))} - at gourd {number}"
        )
    for label in labels:
        if not isinstance(label, str) or not _is_colour(label):
            raise NotationError(f"expected a word as a colour, got {quoted(str(label))} - at gourd {number}")
