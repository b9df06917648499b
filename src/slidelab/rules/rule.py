"""What a rule is: how one piece can lie on a board, and where it can go from there.

Every rule of the papers is local. A piece lies on a few cells, written in a fixed *reading* (a
gourd: head, then tail), and one move takes it to other cells, position by position, if certain
cells are holes. Nothing else on the board matters. So a rule is two lists, and everything that
slidelab computes (shapes, gain graph, group, distances) follows from them without another word
about hexagons or turning.

A piece that looks the same in several readings of the same cells has that many *turns*: a tile
one, a gourd two (either end may be the head), a triangle three.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from slidelab.boards import Board

__all__ = ["Cells", "Rule", "Step", "T", "cyclic_readings", "reversed_readings"]

Cells = tuple[int, ...]

# Readings turn any tuple that goes with a piece: its cells, or the labels on them.
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """One piece goes from `before` to `after`, position by position, if `holes` are empty."""

    before: Cells
    after: Cells
    holes: Cells
    kind: str


class Rule(Protocol):
    """One kind of piece and its moves; a new rule is one file that provides this."""

    def __hash__(self) -> int:
        """Rules are hashable: equal rules make equal puzzles."""

    @property
    def name(self) -> str:
        """The word that stands for the rule in texts."""

    @property
    def piece(self) -> str:
        """What a puzzler calls one piece: tile, gourd, trimer."""

    @property
    def cells(self) -> int:
        """How many cells a piece covers."""

    @property
    def turns(self) -> int:
        """In how many ways round a piece can lie on the same cells."""

    @property
    def fewest_holes(self) -> int:
        """The smallest number of holes for which the rule makes sense."""

    def refuses(self, board: Board) -> str | None:
        """Why the rule can't be played on this board, or None."""

    def readings(self, cells: tuple[T, ...]) -> tuple[tuple[T, ...], ...]:
        """All readings of the same placed piece, `turns` many, turned by 0, 1, ... places."""

    def fits(self, board: Board, cells: Cells) -> bool:
        """Can a piece lie on these cells, in this reading?"""

    def placements(self, board: Board) -> Iterator[Cells]:
        """Every way a piece can lie on the board, each once, in the least of its readings."""

    def steps(self, board: Board, cells: Cells) -> Iterator[Step]:
        """Every move of a piece that lies there, whatever lies elsewhere."""


def reversed_readings(cells: tuple[T, ...]) -> tuple[tuple[T, ...], ...]:
    """The two readings of a piece with two ends.

    >>> reversed_readings((4, 5))
    ((4, 5), (5, 4))
    """
    return cells, cells[::-1]


def cyclic_readings(cells: tuple[T, ...]) -> tuple[tuple[T, ...], ...]:
    """The readings of a piece that can be turned in place.

    >>> cyclic_readings((1, 2, 3))
    ((1, 2, 3), (2, 3, 1), (3, 1, 2))
    """
    return tuple(cells[i:] + cells[:i] for i in range(len(cells)))
