"""The puzzle of the paper: nine gourds on a flower, in three colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from slidelab.boards import board
from slidelab.place.question import EMPTY, GOURDS
from slidelab.puzzles import Configuration, Puzzle

__all__ = ["ColouredPuzzle", "nine_gourds"]

# Puzzle.shuffle(seed=9), kept as text: the start stays the same whatever becomes of the shuffle.
START = (
    "7-8=blue-blue 4-1=blue-green 11-10=blue-green 5-9=blue-red 16-17=blue-red 14-18=green-green "
    "2-6=green-red 12-13=green-red 0-3=red-red"
)


@dataclass(frozen=True, slots=True)
class ColouredPuzzle:
    """A puzzle of coloured gourds: where they lie, and the colour that each cell should get."""

    puzzle: Puzzle
    start: Configuration
    cells: tuple[str, ...]

    @property
    def gourds(self) -> tuple[tuple[str, str], ...]:
        """The colours of both ends of each gourd."""
        return tuple((first, second) for first, second in self.puzzle.colours or ())

    def to_json(self) -> dict[str, Any]:
        """What `slidelab place` and `slidelab solve` read."""
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
    """Nine gourds with green, red and blue ends on the flower F(3), each colour to gather in a third of it.

    The thirds are rhombi of six cells around the middle one, which stays empty.

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
    # Directions 120 degrees apart; each third lies between one of them and the next.
    directions = [(1, 0), (-1, 1), (0, -1)]
    for k, colour in enumerate(("green", "blue", "red")):
        (q, r), (next_q, next_r) = directions[k], directions[(k + 1) % 3]
        for i, j in ((i, j) for i in (1, 2) for j in (0, 1, 2)):
            cells[flower.cell_at[i * q + j * next_q, i * r + j * next_r]] = colour
    return ColouredPuzzle(puzzle, puzzle.configuration(START), tuple(cells))
