"""Puzzles of coloured gourds with a start and colours of cells as the goal; the one of the gourds paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from slidelab.boards import board
from slidelab.place.problem import EMPTY, GOURDS, ColourPair
from slidelab.puzzles import Configuration, Puzzle

__all__ = ["ColouredPuzzle", "nine_gourds"]

NINE_GOURDS_START = (
    "7-8=blue-blue 4-1=blue-green 11-10=blue-green 5-9=blue-red 16-17=blue-red 14-18=green-green "
    "2-6=green-red 12-13=green-red 0-3=red-red"
)
"""What `Puzzle.shuffle(seed=9)` gave, as text, so that the start does not change with the shuffle."""


@dataclass(frozen=True, slots=True)
class ColouredPuzzle:
    """A puzzle of coloured gourds.

    Attributes
    ----------
    puzzle : Puzzle
    start : Configuration
    cells : tuple of str
        The colour that each cell should get, ``.`` for a cell that should be empty.
    """

    puzzle: Puzzle
    start: Configuration
    cells: tuple[str, ...]

    @property
    def gourds(self) -> tuple[ColourPair, ...]:
        """The colours of both ends of each gourd."""
        return tuple((first, second) for first, second in self.puzzle.colours or ())

    def to_json(self) -> dict[str, Any]:
        """Return the puzzle as a JSON object that ``slidelab place`` and ``slidelab solve`` read."""
        puzzle = {
            "board": self.puzzle.board.name,
            "rule": self.puzzle.rule.name,
            "holes": self.puzzle.hole_count,
            "colours": [list(pair) for pair in self.gourds],
        }
        return {
            "puzzle": puzzle,
            "cells": list(self.cells),
            "start": self.start.to_json(),
        }


def nine_gourds() -> ColouredPuzzle:
    """Return the puzzle of the gourds paper: nine gourds on the flower F(3), in three colours.

    Each of the colours green, red and blue should fill a third of the board, a rhombus of six cells beside
    the middle one, which stays empty.

    Examples
    --------
    >>> from slidelab.boards.ascii import lay_out
    >>> nine = nine_gourds()
    >>> print(lay_out(nine.puzzle.board, [colour[0] for colour in nine.cells]))
      r r r
     b r r r
    b b . g g
     b b g g
      b g g
    """
    flower = board("hex F(3)")
    pairs = [("green", "red"), ("red", "blue"), ("blue", "green")]
    colours = [(colour, colour) for colour in ("green", "red", "blue")] + pairs * 2
    puzzle = Puzzle(flower, GOURDS, 1, tuple(colours))
    cells = [EMPTY] * flower.size
    # Directions 120 degrees apart; each third is between one of them and the next.
    directions = [(1, 0), (-1, 1), (0, -1)]
    for k, colour in enumerate(("green", "blue", "red")):
        (q, r), (next_q, next_r) = directions[k], directions[(k + 1) % 3]
        for i, j in ((i, j) for i in (1, 2) for j in (0, 1, 2)):
            cells[flower.cell_at[i * q + j * next_q, i * r + j * next_r]] = colour
    return ColouredPuzzle(puzzle, puzzle.configuration(NINE_GOURDS_START), tuple(cells))
