"""How things show themselves in a notebook: as pictures, not too large."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from slidelab.boards import Board
from slidelab.draw.scene import beside
from slidelab.draw.svg import draw, orbit_cells
from slidelab.errors import PuzzleError
from slidelab.puzzles import Configuration, Puzzle

if TYPE_CHECKING:
    from slidelab.reach.analysis import Analysis
    from slidelab.solutions import Solution

__all__ = ["analysis_html", "shown", "solution_html"]

MOST_CELLS = 3_000
MOST_MOVES = 5_000
MOST_SHAPES = 20_000


def shown(thing: Board | Puzzle | Configuration) -> str | None:
    """The thing as SVG; None, which makes the notebook show the text, if it is too large for a picture.

    >>> import slidelab as sl
    >>> shown(sl.board("square R(100,100)")) is None
    True
    """
    board = (
        thing if isinstance(thing, Board) else (thing if isinstance(thing, Puzzle) else thing.puzzle).board
    )
    if board.size > MOST_CELLS:
        return None
    try:
        return draw(thing).svg
    except PuzzleError:  # pieces that can not be laid have no goal to be drawn
        return None


def solution_html(solution: Solution) -> str:
    """A player of the moves in a frame of its own; start and goal if there are too many moves or cells."""
    from slidelab.draw.player import player_html

    text = escape(repr(solution))
    cells = solution.puzzle.board.size
    if solution.length <= MOST_MOVES and cells <= MOST_CELLS:
        page = escape(player_html(solution), quote=True)
        return (
            f'<iframe srcdoc="{page}" title="{text}" sandbox="allow-scripts" '
            'style="width: 100%; max-width: 640px; height: 600px; border: 0"></iframe>'
        )
    if cells > MOST_CELLS:
        return f"<pre>{text}</pre>"
    both = beside([draw(solution.start, caption="start"), draw(solution.goal, caption="goal")], 2, 24.0)
    return f"{both.svg}<pre>{text}</pre>"


def analysis_html(analysis: Analysis) -> str:
    """The facts as a table beside the pieces, coloured by what the moves can mix."""
    from slidelab.reach.report import facts

    rows = "".join(
        f'<tr><th style="text-align: left">{escape(name)}</th>'
        f'<td style="text-align: left">{escape(value)}</td></tr>'
        for name, value in facts(analysis)
    )
    table = f"<table>{rows}</table>"
    picture = _orbits(analysis)
    if picture is None:
        return table
    return (
        '<div style="display: flex; flex-wrap: wrap; gap: 24px; align-items: flex-start">'
        f"<div>{picture}</div><div>{table}</div></div>"
    )


def _orbits(analysis: Analysis) -> str | None:
    """None where the group was not computed, or the goal can not be drawn."""
    puzzle = analysis.puzzle
    if analysis.too_large is not None or (analysis.shapes or 0) > MOST_SHAPES:
        return None
    try:
        return draw(puzzle.uncoloured, groups=orbit_cells(puzzle)).svg
    except PuzzleError:
        return None
