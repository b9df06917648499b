"""slidelab: the laboratory for sliding puzzles.

>>> import slidelab as sl
>>> sl.puzzle("hex P(3,4)").piece_count
10

Names are loaded when they are first used, so that the command line answers at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slidelab.boards import Board, board
    from slidelab.budget import Budget
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.distance.table import DistanceTable
    from slidelab.errors import (
        Damaged,
        GaveUp,
        IllegalMove,
        NotationError,
        OutOfTime,
        PuzzleError,
        TooLarge,
        Unsolvable,
    )
    from slidelab.gains import GainGraph, gain_graph
    from slidelab.gains.arrays import ConfigurationArrays
    from slidelab.puzzles import Configuration, Move, Puzzle, Solution
    from slidelab.puzzles.documents import position, puzzle
    from slidelab.reach.analysis import Analysis
    from slidelab.reach.group import PermutationGroup
    from slidelab.reach.verdict import Verdict
    from slidelab.rules import RULES, Rule, Step, register_rule

__version__ = "0.1.0"

_WHERE = {
    "boards": ("Board", "board"),
    "distance.distances": ("Distances",),
    "distance.gods_number": ("GodsNumber",),
    "budget": ("Budget",),
    "distance.table": ("DistanceTable",),
    "errors": (
        "Damaged",
        "GaveUp",
        "IllegalMove",
        "NotationError",
        "OutOfTime",
        "PuzzleError",
        "TooLarge",
        "Unsolvable",
    ),
    "gains.arrays": ("ConfigurationArrays",),
    "gains": ("GainGraph", "gain_graph"),
    "puzzles": ("Configuration", "Move", "Puzzle", "Solution", "position", "puzzle"),
    "reach.analysis": ("Analysis",),
    "reach.group": ("PermutationGroup",),
    "reach.verdict": ("Verdict",),
    "rules": ("RULES", "Rule", "Step", "register_rule"),
}

__all__ = [
    "RULES",
    "Analysis",
    "Board",
    "Budget",
    "Configuration",
    "ConfigurationArrays",
    "Damaged",
    "DistanceTable",
    "Distances",
    "GainGraph",
    "GaveUp",
    "GodsNumber",
    "IllegalMove",
    "Move",
    "NotationError",
    "OutOfTime",
    "PermutationGroup",
    "Puzzle",
    "PuzzleError",
    "Rule",
    "Solution",
    "Step",
    "TooLarge",
    "Unsolvable",
    "Verdict",
    "__version__",
    "board",
    "gain_graph",
    "position",
    "puzzle",
    "register_rule",
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
