"""What do the puzzle graph and the gain graph of a puzzle look like?

Builds on `slidelab.draw.layout` for vertex positions and on `slidelab.draw.picture` for miniature boards.
Start reading with `puzzle_graph` and `gain_graph`; `nodes` holds what both share.
"""

from __future__ import annotations

from slidelab.draw.graph.gain_graph import gain_graph_picture
from slidelab.draw.graph.puzzle_graph import puzzle_graph_picture

__all__ = ["gain_graph_picture", "puzzle_graph_picture"]
