"""What a puzzle is: its configurations, moves and solutions, and the text and JSON of all of them.

Builds on boards and rules. Start with `definition.py` and `configuration.py`; `documents.py` reads sources.
"""

from slidelab.puzzles.configuration import Configuration, ConfigurationLike
from slidelab.puzzles.definition import Puzzle
from slidelab.puzzles.documents import Document, PuzzleLike, position, puzzle, read_document
from slidelab.puzzles.labels import Colours, is_number, is_word, least_reading
from slidelab.puzzles.move_sources import MovesLike
from slidelab.puzzles.movelist import MoveList, row_lists
from slidelab.puzzles.moves import Move, MoveLike, Moves, continues, read_move
from slidelab.puzzles.passage import Passage
from slidelab.puzzles.player import Player
from slidelab.puzzles.solution import Solution
from slidelab.puzzles.words import describe_move, draw_move

__all__ = [
    "Colours",
    "Configuration",
    "ConfigurationLike",
    "Document",
    "Move",
    "MoveLike",
    "MovesLike",
    "MoveList",
    "Moves",
    "Passage",
    "Player",
    "Puzzle",
    "PuzzleLike",
    "Solution",
    "continues",
    "describe_move",
    "draw_move",
    "is_number",
    "is_word",
    "least_reading",
    "position",
    "puzzle",
    "read_document",
    "read_move",
    "row_lists",
]
