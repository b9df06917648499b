"""What does a board, a puzzle or a configuration look like?

Builds on `slidelab.draw.marks` for outlines and on `slidelab.draw.layout` for boards that are graphs.
Start reading with `board.draw`; `canvas` maps cells to pixels, `pieces` and `motions` shape and move pieces.
"""

from __future__ import annotations

from slidelab.draw.picture.board import draw, orbit_cells, storyboard

__all__ = ["draw", "orbit_cells", "storyboard"]
