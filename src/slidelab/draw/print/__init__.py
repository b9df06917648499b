"""How can a puzzle be printed in 3D? Tray and pieces as watertight solids, in STL, 3MF or as a rendering.

Builds on manifold3d for solids and on `slidelab.draw.picture` for outlines and motions of pieces.
Start reading with `construction.solid`; `pieces` finds the size of pieces, `mesh` makes the solids.
"""

from __future__ import annotations

from slidelab.draw.print.construction import solid
from slidelab.draw.print.model import Solid

__all__ = ["Solid", "solid"]
