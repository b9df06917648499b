"""The methods of `Puzzle`, `Configuration` and `Solution` whose answers come from later rooms.

One module for each kind of answer. A function imports the room that answers when it is called, spells out
every option, and builds the `Budget` that the rooms pass on.
"""

from slidelab.puzzles.verbs.complexes import topology
from slidelab.puzzles.verbs.metrics import distance, distances, goal_distances, gods_number, plan
from slidelab.puzzles.verbs.pictures import animate, draw, page, solid, widget
from slidelab.puzzles.verbs.reachability import (
    analyze,
    arrays,
    component,
    graph,
    group,
    permutation,
    places,
    shuffle,
    solvable,
)
from slidelab.puzzles.verbs.solutions import heuristic, hint, place, shorten, solve

__all__ = [
    "analyze",
    "animate",
    "arrays",
    "component",
    "distance",
    "distances",
    "goal_distances",
    "draw",
    "gods_number",
    "graph",
    "group",
    "heuristic",
    "hint",
    "page",
    "permutation",
    "place",
    "places",
    "plan",
    "shorten",
    "shuffle",
    "solid",
    "solvable",
    "solve",
    "topology",
    "widget",
]
