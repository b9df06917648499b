"""The gain graph of a puzzle: shapes, the moves between them, and what each move does to the pieces.

Builds on boards, rules and puzzles; everything later asks its questions here. Start with `gain_graph`;
`Steps.moves` turns what the core found into moves.
"""

from slidelab.gains.family import Family, Walk, reduce_walk, reverse_walk
from slidelab.gains.graph import Gain, GainGraph, gain_graph
from slidelab.gains.shape_count import count_shapes
from slidelab.gains.slot_order import slot_order
from slidelab.gains.steps import Steps

__all__ = [
    "Family",
    "Gain",
    "GainGraph",
    "Steps",
    "Walk",
    "count_shapes",
    "gain_graph",
    "reduce_walk",
    "reverse_walk",
    "slot_order",
]
