"""What a puzzle is: its configurations, moves and solutions, and the text and JSON of all of them.

Builds on boards and rules. Start with `puzzle.py` and `configuration.py`; `documents.py` reads sources.
"""

from slidelab.puzzles.configuration import Configuration, ConfigurationLike
from slidelab.puzzles.documents import (
    PuzzleLike,
    given_cells,
    given_positions,
    given_solution,
    position,
    puzzle,
    read_listed,
)
from slidelab.puzzles.labels import Colours, is_number, is_word, least_reading
from slidelab.puzzles.movelist import MoveList, row_lists
from slidelab.puzzles.moves import Move, MoveLike, Moves, continues, read_move
from slidelab.puzzles.player import Player
from slidelab.puzzles.puzzle import Puzzle
from slidelab.puzzles.solution import Passage, Solution

__all__ = [
    "Colours",
    "Configuration",
    "ConfigurationLike",
    "Move",
    "MoveLike",
    "MoveList",
    "Moves",
    "Passage",
    "Player",
    "Puzzle",
    "PuzzleLike",
    "Solution",
    "continues",
    "given_cells",
    "given_positions",
    "given_solution",
    "is_number",
    "is_word",
    "least_reading",
    "position",
    "puzzle",
    "read_listed",
    "read_move",
    "row_lists",
]
