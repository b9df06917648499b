"""A puzzle that can be played in a notebook, and whose game Python sees.

`widget` has the widget, made with anywidget; ``widget.js`` puts the modules of `slidelab.draw.play` into a
notebook. Nothing here is imported before `Puzzle.widget` is called.
"""

from slidelab.draw.widget.widget import PuzzleWidget

__all__ = ["PuzzleWidget"]
