"""How can a puzzle be printed in 3D? Tray and pieces as watertight solids, in STL, 3MF or as a rendering.

Builds on manifold3d for solids and on `slidelab.draw.picture` for outlines and motions of pieces.
Start reading with `model.solid`; `pieces` finds how large pieces may be, `channels` and `mesh` cut the tray.
"""

from __future__ import annotations

from slidelab.draw.print.model import Solid, solid

__all__ = ["Solid", "solid"]
