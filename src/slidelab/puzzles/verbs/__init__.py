"""The methods of `Puzzle`, `Configuration` and `Solution` whose answers come from later rooms.

One module for each kind of answer. A function imports the room that answers when it is called, spells out
every option, and builds the `Budget` that the rooms pass on.
"""

from slidelab.puzzles.verbs.metrics import distance, distances, gods_number
from slidelab.puzzles.verbs.pictures import animate, draw, page, solid
from slidelab.puzzles.verbs.reachability import analyze, arrays, graph, group, places, shuffle, solvable
from slidelab.puzzles.verbs.solutions import heuristic, hint, place, shorten, solve

__all__ = [
    "analyze",
    "animate",
    "arrays",
    "distance",
    "distances",
    "draw",
    "gods_number",
    "graph",
    "group",
    "heuristic",
    "hint",
    "page",
    "place",
    "places",
    "shorten",
    "shuffle",
    "solid",
    "solvable",
    "solve",
]
