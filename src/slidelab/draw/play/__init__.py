"""Pages that can be played: one HTML file with the puzzle, its rules and hints.

`page` writes them; `data` and `hints` have what the page knows about a puzzle. The scripts are ES modules:
``engine.js`` has the rules and the history of a game, without any drawing; ``table.js`` and ``search.js``
find hints; ``view.js`` draws; ``input.js`` reads mouse, touch and keyboard; ``playing.js`` connects them;
``panel.js`` has the buttons around a board, and ``play.js`` is the page. The studio and the widget use the
same modules.
"""

from slidelab.draw.play.page import PlayPage, play_data, play_html

__all__ = ["PlayPage", "play_data", "play_html"]
