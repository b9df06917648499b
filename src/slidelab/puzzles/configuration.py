"""Configurations: where each piece of a puzzle lies."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slidelab.boards import Board
from slidelab.display import SvgDisplay
from slidelab.errors import NotationError
from slidelab.messages import integer_text, quoted
from slidelab.puzzles import verbs
from slidelab.puzzles.drawings import text_drawing
from slidelab.puzzles.move_sources import MovesLike, play_source
from slidelab.puzzles.moves import Moves
from slidelab.puzzles.notation import configuration_json, kind_text, pieces_text
from slidelab.puzzles.player import Player
from slidelab.rules import Cells, Rule

if TYPE_CHECKING:
    from slidelab.puzzles.definition import Puzzle

__all__ = ["Configuration", "ConfigurationLike"]


@dataclass(frozen=True, slots=True, repr=False)
class Configuration(SvgDisplay):
    """Where each piece lies: entry k-1 of `pieces` holds the cells of piece k, in its reading.

    >>> import slidelab as sl
    >>> c = sl.position("square R(2,2) : 1 2 . 3")
    >>> [move.text for move in c.moves]
    ['1:0>2', '3:3>2']
    >>> c.play("3:3>2").text
    'square R(2,2) tiles 1 : 1 2 3 .'
    """

    puzzle: Puzzle
    pieces: tuple[Cells, ...]

    def __post_init__(self) -> None:
        self._check()
        if self.puzzle.colours is not None:
            object.__setattr__(self, "pieces", _least_naming(self.puzzle, self.pieces))

    @classmethod
    def trusted(cls, puzzle: Puzzle, pieces: tuple[Cells, ...]) -> Configuration:
        """Return a configuration without checking it; equal pieces must be named in the least way."""
        made = object.__new__(cls)
        object.__setattr__(made, "puzzle", puzzle)
        object.__setattr__(made, "pieces", pieces)
        return made

    def _check(self) -> None:
        puzzle, rule = self.puzzle, self.puzzle.rule
        board = quoted(puzzle.board.name)
        if len(self.pieces) != puzzle.piece_count:
            raise NotationError(
                f"expected {puzzle.piece_count} {rule.piece}s, got {len(self.pieces)} - on {board}"
            )
        owner: dict[int, int] = {}
        for number, cells in enumerate(self.pieces, 1):
            for cell in cells:
                if not 0 <= cell < puzzle.board.size:
                    raise NotationError(
                        f"expected cells 0 to {puzzle.board.size - 1}, got {integer_text(cell)} - "
                        f"at {rule.piece} {number} on {board}"
                    )
                if owner.setdefault(cell, number) != number:
                    raise NotationError(
                        f"expected one {rule.piece} a cell, got {rule.piece}s {owner[cell]} and {number} - "
                        f"at cell {cell} of {board}"
                    )
            if len(cells) != rule.cells or not rule.fits(puzzle.board, cells):
                raise NotationError(
                    f"expected {rule.cells} cells on which a piece of {rule.name} can lie, "
                    f"got {quoted('-'.join(map(str, cells)))} - at {rule.piece} {number} on {board}"
                    f"{_misfit(puzzle.board, rule, cells)}"
                )

    @property
    def holes(self) -> Cells:
        """The empty cells, in order."""
        covered = {cell for cells in self.pieces for cell in cells}
        return tuple(cell for cell in range(self.puzzle.board.size) if cell not in covered)

    @property
    def shape(self) -> frozenset[Cells]:
        """The placements of the pieces, forgetting which piece is which."""
        readings = self.puzzle.rule.readings
        return frozenset(min(readings(cells)) for cells in self.pieces)

    @property
    def moves(self) -> Moves:
        """The legal moves: iterate over them, count them, or test whether one is `in` them."""
        return Moves(self)

    def play(self, *moves: MovesLike) -> Configuration:
        """Return the configuration after these moves.

        Parameters
        ----------
        *moves
            Moves, their texts or JSON; texts of many moves such as ``Solution.text``; arrows, after the
            number of the tile if there are several holes; the number of a piece that has only one legal
            move; whole solutions; or lists of these.

        Raises
        ------
        IllegalMove
            If the rule forbids one of the moves.
        NotationError
            If something else is given.

        Examples
        --------
        >>> import slidelab as sl
        >>> c = sl.position("square R(3,3) : 1 2 3 4 5 6 . 7 8")
        >>> c.play("←←") == c.play(7, 8) == c.play("7:7>6 8:8>7") == c.play(c.puzzle.solve(c))
        True
        """
        player = Player(self)
        for source in moves:
            play_source(player, source)
        return player.configuration

    @property
    def text(self) -> str:
        """Board, rule, holes and pieces in one line; `slidelab.position` reads it back."""
        return f"{kind_text(self.puzzle)} : {pieces_text(self)}"

    @property
    def pieces_text(self) -> str:
        """The pieces alone, as they stand behind the colon; `Puzzle.configuration` reads it back.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").goal.pieces_text
        '1 2 3 .'
        """
        return pieces_text(self)

    def __repr__(self) -> str:
        return f"position({self.text!r})"

    def __str__(self) -> str:
        return text_drawing(self)

    def to_json(self, *, puzzle: bool = False) -> dict[str, Any]:
        """Return the JSON form; `Puzzle.configuration` reads it back.

        Parameters
        ----------
        puzzle
            Whether the form has the puzzle, too, so that `slidelab.position` reads it back.

        Examples
        --------
        >>> import slidelab as sl
        >>> sl.position(sl.position("square R(2,2) : 3 1 . 2").to_json(puzzle=True)).pieces_text
        '3 1 . 2'
        """
        form = configuration_json(self)
        return {"puzzle": self.puzzle.to_json(), **form} if puzzle else form

    # Answered by later rooms.
    draw = verbs.draw
    places = verbs.places


ConfigurationLike = (
    Configuration
    | str
    | bytes
    | os.PathLike[str]
    | Mapping[str, Any]
    | Sequence[int | str]
    | Sequence[Sequence[int]]
)
"""A configuration, its text, its JSON form, a list of its pieces, or a file with one of these."""


def _least_naming(puzzle: Puzzle, pieces: tuple[Cells, ...]) -> tuple[Cells, ...]:
    """Renumber pieces of one colour, which are interchangeable: the least reading, lowest cells first."""
    colours = puzzle.colours or ()
    readings = puzzle.rule.readings
    classes: dict[tuple[str, ...], list[int]] = {}
    for k, labels in enumerate(colours):
        classes.setdefault(labels, []).append(k)
    out = list(pieces)
    for labels, members in classes.items():
        same = [r for r, turned in enumerate(readings(labels)) if turned == labels]
        least = sorted(min(readings(pieces[k])[r] for r in same) for k in members)
        for k, cells in zip(members, least, strict=True):
            out[k] = cells
    return tuple(out)


def _misfit(board: Board, rule: Rule, cells: Cells) -> str:
    """Say what is wrong with the cells of one piece, if two of them show it."""
    pairs = [(cells[a], cells[b]) for a, b in rule.links] if len(cells) == rule.cells else []
    for a, b in pairs:
        if a == b:
            return f": cell {a} is named twice"
        if not board.adjacent(a, b):
            return f": cells {a} and {b} do not touch"
    return ""
