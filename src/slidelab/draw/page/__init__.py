"""What the self-contained pages share: the drawing of a board whose pieces move, its style and its scripts.

`template` puts a page together from HTML, style sheets and ES modules, `drawing` draws the board and its
pieces in a light and a dark theme. The player of solutions (`slidelab.draw.film`) and the page that can be
played (`slidelab.draw.play`) build on them.
"""

from slidelab.draw.page.drawing import BoardDrawing
from slidelab.draw.page.template import Template

__all__ = ["BoardDrawing", "Template"]
