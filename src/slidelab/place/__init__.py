"""Find and count placements of coloured gourds: each end on a cell of its colour.

Builds on `slidelab.boards` for matchings and on `slidelab.puzzles` for coloured configurations.
Start reading with `problem` (what is given), then `placement` (find one) and `counting` (count all).
"""

from slidelab.place.coloured_puzzle import ColouredPuzzle, nine_gourds
from slidelab.place.counting import count_matchings, count_placements
from slidelab.place.hard_instances import HardInstance, one_in_three
from slidelab.place.placement import Placement, place, placements
from slidelab.place.problem import PlacementProblem

__all__ = [
    "ColouredPuzzle",
    "HardInstance",
    "Placement",
    "PlacementProblem",
    "count_matchings",
    "count_placements",
    "nine_gourds",
    "one_in_three",
    "place",
    "placements",
]
