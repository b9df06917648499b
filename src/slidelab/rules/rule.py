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

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, TypeVar

from slidelab.boards import Board

__all__ = ["Cells", "Corner", "Rule", "Step"]

Cells = tuple[int, ...]
"""The cells of one piece in its reading, or any other list of cells."""

Corner: TypeAlias = Literal["pivot", "sharp turn"]
"""The two moves of a gourd into a hole that touches both its ends."""

# Readings turn any tuple that goes with a piece: its cells, or the labels on them.
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """A move that a rule allows: from `before` to `after`, position by position, if `holes` are empty."""

    before: Cells
    after: Cells
    holes: Cells
    kind: str


class Rule(ABC):
    """One kind of piece and its moves. A new rule is a subclass that `slidelab.register_rule` makes known.

    A subclass says `name`, `piece` and `cells`, and has `placements` and `steps`; all else has defaults.
    The attributes that follow `fewest_holes` say what theorems and pictures ask about a rule: a rule that
    does not claim them is solved by the methods that work for every rule.

    Rules are equal if they have the same type, name and attributes of their own.
    """

    __slots__ = ()

    name: str
    """The word that stands for the rule in texts."""

    piece: str
    """The noun for one piece: tile, gourd, trimer."""

    cells: int
    """Number of cells that a piece covers."""

    turns: int = 1
    """Number of readings of a piece that lies on given cells."""

    fewest_holes: int = 1
    """Smallest number of holes for which the rule makes sense."""

    slides_along_edges: bool = False
    """Whether a piece covers one cell and moves along any edge into a hole, and nothing else matters."""

    needs_companion: bool = False
    """Whether a piece covers one cell and moves into a hole only if a second hole touches both cells."""

    corner: Corner | None = None
    """How a gourd moves into a hole that touches both its ends; None for all other pieces."""

    touching_alone: bool = False
    """Whether moves depend only on which cells touch, so that isomorphic boards give the same puzzle."""

    rigid: bool = False
    """Whether a piece of several cells keeps its form when it moves."""

    @property
    def links(self) -> tuple[tuple[int, int], ...]:
        """Positions in the reading whose cells are joined in a drawing; by default a chain."""
        return tuple((k, k + 1) for k in range(self.cells - 1))

    def refuses(self, board: Board) -> str | None:
        """Return why the rule cannot be played on a board, or None if it can."""
        return None

    def readings(self, cells: tuple[T, ...]) -> tuple[tuple[T, ...], ...]:
        """Return all readings of a piece, turned by 0, 1, ... places.

        By default the reading of a piece with two turns is reversed, that of others rotated.
        """
        if self.turns == 1:
            return (cells,)
        if self.turns == 2:
            return cells, cells[::-1]
        places = range(0, len(cells), max(1, len(cells) // self.turns))
        return tuple(cells[k:] + cells[:k] for k in places)

    def fits(self, board: Board, cells: Cells) -> bool:
        """Return whether a piece can lie on these cells, in this reading."""
        return cells in _all_readings(self, board)

    @abstractmethod
    def placements(self, board: Board) -> Iterator[Cells]:
        """Yield every placement of a piece once, in the least of its readings."""

    @abstractmethod
    def steps(self, board: Board, cells: Cells) -> Iterator[Step]:
        """Yield every move of a piece on these cells, whatever lies elsewhere."""

    def swept_polygons(self, board: Board) -> tuple[tuple[Cells, ...], ...] | None:
        """Return the closed walks of one piece that it can contract by moving continuously.

        Each is a list of placements, a step from each to the next and from the last to the first. None, the
        default, if it is not known how the pieces move continuously on this board. Only the topology of hard
        pieces depends on this.
        """
        return None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rule) or type(self) is not type(other):
            return NotImplemented
        own, others = (getattr(rule, "__dict__", None) for rule in (self, other))
        return self.name == other.name and own == others

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<rule {self.name}>"


@lru_cache(maxsize=8)
def _all_readings(rule: Rule, board: Board) -> frozenset[Cells]:
    return frozenset(reading for cells in rule.placements(board) for reading in rule.readings(cells))
