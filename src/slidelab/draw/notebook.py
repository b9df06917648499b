"""SVG and HTML of objects in notebooks, for the mixins of `slidelab.display`."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from slidelab.boards import Board
from slidelab.draw.picture import draw, orbit_cells
from slidelab.draw.scene import Picture, grid
from slidelab.errors import PuzzleError
from slidelab.puzzles import Configuration, Puzzle

if TYPE_CHECKING:
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.place.placement import Placement
    from slidelab.puzzles import Solution
    from slidelab.reach.analysis import Analysis
    from slidelab.reach.verdict import Verdict

__all__ = ["html", "svg"]

MAX_CELLS = 3_000
"""Number of cells of the largest board that is drawn in a notebook; its SVG has some 2 MB."""

MAX_MOVES = 5_000
"""Number of moves of the longest solution that gets a player in a notebook."""

MAX_SHAPES = 20_000
"""Number of shapes up to which the group is computed for the picture of an analysis."""


def svg(thing: object) -> str | None:
    """Return the SVG picture of an object, or None if it is too large or cannot be drawn.

    >>> import slidelab as sl
    >>> svg(sl.board("square R(100,100)")) is None
    True
    """
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.draw.graph import gain_graph_picture
    from slidelab.gains import GainGraph
    from slidelab.place.placement import Placement

    try:
        match thing:
            case Board() | Puzzle() | Configuration():
                return draw(thing).svg if _board(thing).size <= MAX_CELLS else None
            case GainGraph():
                return gain_graph_picture(thing).svg
            case Placement():
                return _placement_picture(thing).svg if thing.problem.board.size <= MAX_CELLS else None
            case Distances() | GodsNumber():
                return _distances_svg(thing)
    except PuzzleError:  # too many shapes, no goal to draw, or a package is missing
        return None
    raise TypeError(f"expected an object with a picture, got {type(thing).__name__}")


def html(thing: object) -> str:
    """Return the HTML that shows a solution, a verdict or an analysis."""
    from slidelab.puzzles import Solution
    from slidelab.reach.analysis import Analysis
    from slidelab.reach.verdict import Verdict

    match thing:
        case Solution():
            return _solution_html(thing)
        case Verdict():
            return _verdict_html(thing)
        case Analysis():
            return _analysis_html(thing)
    raise TypeError(f"expected an object with an HTML form, got {type(thing).__name__}")


def _board(thing: Board | Puzzle | Configuration) -> Board:
    if isinstance(thing, Board):
        return thing
    return thing.board if isinstance(thing, Puzzle) else thing.puzzle.board


def _placement_picture(placement: Placement) -> Picture:
    """Draw the gourds on the cells of their colours or, without a placement, the coloured cells and why."""
    problem = placement.problem
    if not placement.feasible:
        return draw(problem.board, floor=problem.cells, caption=placement.reason)
    try:
        return draw(placement.configuration, floor=problem.cells)
    except PuzzleError:  # without an empty cell or without gourds there is no puzzle
        return draw(problem.board, floor=problem.cells, caption=placement.text)


def _distances_svg(found: Distances | GodsNumber) -> str | None:
    """Return the chart of the distribution, or None if nothing can move."""
    from slidelab.draw.chart import distribution_chart
    from slidelab.draw.chart.files import figure_bytes

    if len(found.distribution) == 1:
        return None
    return figure_bytes(distribution_chart(found), "svg").decode()


def _solution_html(solution: Solution) -> str:
    """Return a player in a frame, or start and goal if there are too many moves, or the text."""
    from slidelab.draw.film import player_html

    text = escape(repr(solution))
    cells = solution.puzzle.board.size
    if cells > MAX_CELLS:
        return f"<pre>{text}</pre>"
    if solution.length <= MAX_MOVES:
        page = escape(player_html(solution), quote=True)
        return (
            f'<iframe srcdoc="{page}" title="{text}" sandbox="allow-scripts" '
            'style="width: 100%; max-width: 640px; height: 600px; border: 0"></iframe>'
        )
    pictures = [draw(solution.start, caption="start"), draw(solution.goal, caption="goal")]
    return f"{grid(pictures, 2, 24.0).svg}<pre>{text}</pre>"


def _verdict_html(verdict: Verdict) -> str:
    """Return start and goal side by side, with rings around the pieces of the certificate, and the reason."""
    text = escape(str(verdict))
    if verdict.start.puzzle.board.size > MAX_CELLS // 2:
        return f"<pre>{text}</pre>"
    kind, pieces = verdict.certificate.get("kind"), verdict.certificate.get("pieces", ())
    marked = [] if verdict or kind not in ("pieces", "corner", "order") else list(pieces)
    pictures = []
    for caption, configuration in (("start", verdict.start), ("goal", verdict.goal)):
        rings = [cell for number in marked for cell in configuration.pieces[number - 1]]
        pictures.append(draw(configuration, caption=caption, rings=rings))
    return f"{grid(pictures, 2, 24.0).svg}<p>{text}</p>"


def _analysis_html(analysis: Analysis) -> str:
    """Return the facts as a table next to the pieces, coloured by orbit."""
    from slidelab.reach.report import facts

    rows = "".join(
        f'<tr><th style="text-align: left">{escape(name)}</th>'
        f'<td style="text-align: left">{escape(value)}</td></tr>'
        for name, value in facts(analysis)
    )
    table = f"<table>{rows}</table>"
    if analysis.too_large is not None or (analysis.shapes or 0) > MAX_SHAPES:
        return table
    try:
        picture = draw(analysis.puzzle.uncoloured, groups=orbit_cells(analysis.puzzle)).svg
    except PuzzleError:  # there is no goal to draw
        return table
    return (
        '<div style="display: flex; flex-wrap: wrap; gap: 24px; align-items: flex-start">'
        f"<div>{picture}</div><div>{table}</div></div>"
    )
