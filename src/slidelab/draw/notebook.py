"""How things show themselves in a notebook: as pictures, not too large."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from slidelab.boards import Board
from slidelab.draw.picture.board import draw, orbit_cells
from slidelab.draw.scene import beside
from slidelab.errors import PuzzleError
from slidelab.puzzles import Configuration, Puzzle

if TYPE_CHECKING:
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.gains import GainGraph
    from slidelab.place import Placement
    from slidelab.puzzles import Solution
    from slidelab.reach.analysis import Analysis
    from slidelab.reach.verdict import Verdict

__all__ = ["html", "svg"]

MOST_CELLS = 3_000
MOST_MOVES = 5_000
MOST_SHAPES = 20_000


def svg(thing: object) -> str | None:
    """Return the SVG picture of an object, or None if it is too large or cannot be drawn.

    >>> import slidelab as sl
    >>> svg(sl.board("square R(100,100)")) is None
    True
    """
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.gains import GainGraph
    from slidelab.place import Placement

    if isinstance(thing, Board | Puzzle | Configuration):
        return _picture(thing)
    if isinstance(thing, GainGraph):
        return _gain_graph_svg(thing)
    if isinstance(thing, Placement):
        return _placement_svg(thing)
    if isinstance(thing, Distances | GodsNumber):
        return _distances_svg(thing)
    raise TypeError(f"expected an object with a picture, got {type(thing).__name__}")


def html(thing: object) -> str:
    """Return the HTML that shows a solution, a verdict or an analysis."""
    from slidelab.puzzles import Solution
    from slidelab.reach.analysis import Analysis
    from slidelab.reach.verdict import Verdict

    if isinstance(thing, Solution):
        return _solution_html(thing)
    if isinstance(thing, Verdict):
        return _verdict_html(thing)
    if isinstance(thing, Analysis):
        return _analysis_html(thing)
    raise TypeError(f"expected an object with an HTML form, got {type(thing).__name__}")


def _picture(thing: Board | Puzzle | Configuration, **options: Any) -> str | None:
    """The thing as SVG; None, which makes the notebook show the text, if it is too large for a picture."""
    board = (
        thing if isinstance(thing, Board) else (thing if isinstance(thing, Puzzle) else thing.puzzle).board
    )
    if board.size > MOST_CELLS:
        return None
    try:
        return draw(thing, **options).svg
    except PuzzleError:  # pieces that can not be laid have no goal to be drawn
        return None


def _placement_svg(placement: Placement) -> str | None:
    """The gourds on the cells of their colours; if there is no placement, the coloured cells and why."""
    problem = placement.problem
    if not placement.feasible:
        return _picture(problem.board, floor=problem.cells, caption=placement.reason)
    try:
        return _picture(placement.configuration, floor=problem.cells)
    except PuzzleError:  # a board without an empty cell, or without gourds, is no puzzle
        return _picture(problem.board, floor=problem.cells, caption=placement.text)


def _gain_graph_svg(graph: GainGraph) -> str | None:
    """The picture of a gain graph; None if it has too many shapes."""
    from slidelab.draw.graph.gain_graph import gain_graph_picture

    try:
        return gain_graph_picture(graph).svg
    except PuzzleError:
        return None


def _distances_svg(found: Distances | GodsNumber) -> str | None:
    """The chart of the distribution; None without matplotlib, or if nothing can move."""
    from slidelab.draw.chart.figures import distribution_chart
    from slidelab.draw.chart.files import figure_bytes

    if len(found.distribution) == 1:
        return None
    try:
        return figure_bytes(distribution_chart(found), "svg").decode()
    except PuzzleError:
        return None


def _solution_html(solution: Solution) -> str:
    """A player of the moves in a frame of its own; start and goal if there are too many moves or cells."""
    from slidelab.draw.film.player import player_html

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


def _verdict_html(verdict: Verdict) -> str:
    """Start and goal side by side, the pieces that stand in the way ringed, and the reason."""
    text = escape(str(verdict))
    puzzle = verdict.start.puzzle
    if puzzle.board.size > MOST_CELLS // 2:
        return f"<pre>{text}</pre>"
    kind, pieces = verdict.certificate.get("kind"), verdict.certificate.get("pieces", ())
    named = [] if verdict or kind != "pieces" else list(pieces)
    pictures = []
    for caption, here in (("start", verdict.start), ("goal", verdict.goal)):
        rings = [cell for number in named for cell in here.pieces[number - 1]]
        pictures.append(draw(here, caption=caption, rings=rings))
    return f"{beside(pictures, 2, 24.0).svg}<p>{text}</p>"


def _analysis_html(analysis: Analysis) -> str:
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
