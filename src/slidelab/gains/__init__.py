"""The gain graph of a puzzle: shapes, the moves between them, and what each move does to the pieces.

Builds on boards, rules and puzzles; everything later asks its questions here. Start with `gain_graph`.
"""

from slidelab.gains.graph import (
    Family,
    Gain,
    GainGraph,
    Steps,
    backwards,
    count_shapes,
    gain_graph,
    slot_order,
)

__all__ = [
    "Family",
    "Gain",
    "GainGraph",
    "Steps",
    "backwards",
    "count_shapes",
    "gain_graph",
    "slot_order",
]
