"""slidelab: the laboratory for sliding puzzles.

>>> import slidelab as sl
>>> sl.puzzle("hex P(3,4)").pieces
10

Names are loaded when they are first used, so that the command line answers at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slidelab.boards import Board, board
    from slidelab.errors import Damaged, IllegalMove, NotationError, PuzzleError, TooLarge
    from slidelab.gains import GainGraph, Limits, gain_graph
    from slidelab.notation import position, puzzle
    from slidelab.puzzles import Configuration, Move, Puzzle
    from slidelab.reach.analysis import Analysis
    from slidelab.reach.group import PermutationGroup
    from slidelab.reach.verdict import Verdict
    from slidelab.rules import RULES

__version__ = "0.1.0"

_WHERE = {
    "boards": ("Board", "board"),
    "errors": ("Damaged", "IllegalMove", "NotationError", "PuzzleError", "TooLarge"),
    "gains": ("GainGraph", "Limits", "gain_graph"),
    "notation": ("position", "puzzle"),
    "puzzles": ("Configuration", "Move", "Puzzle"),
    "reach.analysis": ("Analysis",),
    "reach.group": ("PermutationGroup",),
    "reach.verdict": ("Verdict",),
    "rules": ("RULES",),
}

__all__ = [
    "RULES",
    "Analysis",
    "Board",
    "Configuration",
    "Damaged",
    "GainGraph",
    "IllegalMove",
    "Limits",
    "Move",
    "NotationError",
    "PermutationGroup",
    "Puzzle",
    "PuzzleError",
    "TooLarge",
    "Verdict",
    "__version__",
    "board",
    "gain_graph",
    "position",
    "puzzle",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for room, names in _WHERE.items():
        if name in names:
            value = getattr(import_module(f"slidelab.{room}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'slidelab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
