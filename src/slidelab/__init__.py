"""slidelab: the laboratory for sliding puzzles.

>>> import slidelab as sl
>>> sl.puzzle("hex P(3,4)").pieces
10
"""

from __future__ import annotations

from slidelab.boards import Board, board
from slidelab.errors import Damaged, IllegalMove, NotationError, PuzzleError, TooLarge
from slidelab.notation import position, puzzle
from slidelab.puzzle import Configuration, Move, Puzzle
from slidelab.rules import RULES

__version__ = "0.1.0"

__all__ = [
    "RULES",
    "Board",
    "Configuration",
    "Damaged",
    "IllegalMove",
    "Move",
    "NotationError",
    "Puzzle",
    "PuzzleError",
    "TooLarge",
    "__version__",
    "board",
    "position",
    "puzzle",
]
