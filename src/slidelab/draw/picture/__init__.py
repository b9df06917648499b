"""What does a board, a puzzle or a configuration look like?

Builds on `slidelab.draw.marks` for outlines and on `slidelab.draw.layout` for boards that are graphs.
Start reading with `board.draw`; `canvas` maps cells to pixels, `pieces` and `motions` shape and move pieces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidelab.draw.picture.board import draw, orbit_cells, storyboard
from slidelab.late_imports import late_imports

if TYPE_CHECKING:
    from slidelab.draw.picture.structure import (
        dual_picture,
        ears_picture,
        splits_picture,
        triangulation_picture,
    )
else:  # which import the methods of solving
    __getattr__ = late_imports(
        "slidelab.draw.picture",
        {"structure": "dual_picture ears_picture splits_picture triangulation_picture"},
    )

__all__ = [
    "draw",
    "dual_picture",
    "ears_picture",
    "orbit_cells",
    "splits_picture",
    "storyboard",
    "triangulation_picture",
]
