"""How does a solution move? Films (GIF, APNG, MP4) and a page that plays it (HTML).

Builds on `slidelab.draw.picture` for boards, pieces and the motions of pieces.
Start reading with `animation.animate`; `files` encodes frames, `player` writes the page.
"""

from __future__ import annotations

from slidelab.draw.film.animation import animate, moment
from slidelab.draw.film.player import player_html

__all__ = ["animate", "moment", "player_html"]
