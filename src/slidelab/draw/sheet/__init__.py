"""Pages of puzzles to be printed, with rising difficulty and the answers upside down at the foot.

Builds on `slidelab.solve.difficulty` for the puzzles and on `slidelab.draw.picture` for the boards. Start
reading with `sheet.puzzle_sheet`; `selection` finds the puzzles, `answers` writes the moves, `page` lays out.
Puzzles with coloured cells have graded sets instead (`graded`), which become a `booklet`.
"""

from __future__ import annotations

from slidelab.draw.sheet.booklet import Booklet, booklet
from slidelab.draw.sheet.graded import GradedSet, GradedStart, graded_set
from slidelab.draw.sheet.sheet import PuzzleSheet, puzzle_sheet

__all__ = ["Booklet", "GradedSet", "GradedStart", "PuzzleSheet", "booklet", "graded_set", "puzzle_sheet"]
