"""Where do the vertices of a graph go on paper?

Builds on numpy, and on networkx for planar embeddings; knows boards but no puzzles.
Start reading with `graph`, which compares drawings of `planar` and `stress`; `layers` draws by distance.
"""

from __future__ import annotations

from slidelab.draw.layout.board import lay_out_board
from slidelab.draw.layout.graph import lay_out_graph
from slidelab.draw.layout.layers import layered_layout

__all__ = ["lay_out_board", "lay_out_graph", "layered_layout"]
