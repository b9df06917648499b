"""Pages of puzzles to be printed, with rising difficulty and the answers upside down at the foot.

Builds on `slidelab.solve.difficulty` for the puzzles and on `slidelab.draw.picture` for the boards. Start
reading with `sheet.puzzle_sheet`; `selection` finds the puzzles, `answers` writes the moves, `page` lays out.
"""

from __future__ import annotations

from slidelab.draw.sheet.sheet import PuzzleSheet, puzzle_sheet

__all__ = ["PuzzleSheet", "puzzle_sheet"]
