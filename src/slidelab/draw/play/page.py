"""The page on which a puzzle can be played, as one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from slidelab.budget import Budget
from slidelab.draw.page.drawing import BoardDrawing, check_cells
from slidelab.draw.page.template import SHARED, Template, page_title, script_safe
from slidelab.draw.picture.photo import ImageSource, Photograph
from slidelab.draw.play.data import list_steps, puzzle_data
from slidelab.draw.theme import Theme
from slidelab.errors import NotationError, OutOfTime, TooLarge
from slidelab.puzzles import Configuration, ConfigurationLike, Puzzle

__all__ = ["play_html"]

DOT_DISTANCE, SMALL_DOT_DISTANCE = 0.37, 0.29
"""Cells from the centre of a piece to the dot of a move: near the edge of tiles, and of smaller discs."""

_FOLDER = Path(__file__).parent
TEMPLATE = Template(
    _FOLDER / "play.html",
    (SHARED / "base.css", _FOLDER / "play.css"),
    (
        *(SHARED / name for name in ("motions.js", "pieces.js", "controls.js")),
        *(
            _FOLDER / name
            for name in ("engine.js", "table.js", "search.js", "view.js", "input.js", "play.js")
        ),
    ),
    {"solved": "false", "gliding": "false"},
)


def play_html(
    puzzle: Puzzle,
    start: ConfigurationLike | None = None,
    goal: ConfigurationLike | None = None,
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    title: str | None = None,
    floor: Sequence[str] | None = None,
    labels: bool | None = None,
    image: ImageSource | Photograph | None = None,
    hints: bool | None = None,
    budget: Budget | None = None,
) -> str:
    """Return an HTML page on which a puzzle can be played, with mouse, touch or keyboard.

    Parameters
    ----------
    puzzle : Puzzle
        The puzzle.
    start : configuration, optional
        Where the game begins; by default at the goal, and the page shuffles by walking.
    goal : configuration, optional
        `Puzzle.goal` by default. If only `floor` is given, coloured pieces must match the colours of the
        cells.
    theme : str or Theme
        ``"light"``, ``"dark"`` or ``"print"``; light and dark pages have a button to switch.
    size : float, optional
        Width of a cell in pixels, if the window has room for it.
    title : str, optional
        Heading of the page; by default the text of the puzzle.
    floor : sequence of str, optional
        The colour of each cell of the board, ``.`` for none: where coloured pieces belong.
    labels : bool, optional
        Whether pieces have their number or letters; by default if there is no image.
    image : path or bytes, optional
        A PNG or JPEG that the pieces show together at the goal.
    hints : bool, optional
        Whether the page has a table of all distances, so that its hints are moves of shortest solutions. By
        default it has one if that takes at most 12 million entries; other pages search for a solution.
    budget : Budget, optional
        Limits for the table.

    Returns
    -------
    str

    Raises
    ------
    TooLarge
        If the board has more than 10,000 cells, or if `hints` is true and the table would be too large.

    Examples
    --------
    >>> import slidelab as sl
    >>> page = play_html(sl.puzzle("square R(2,2)"), "3 1 / . 2", title="Three tiles")
    >>> "<h1>Three tiles</h1>" in page, page.count('class="piece"')
    (True, 3)
    """
    if not isinstance(puzzle, Puzzle):
        raise NotationError(f"expected a puzzle to play, got {type(puzzle).__name__}")
    check_cells(puzzle, "a page")
    steps = list_steps(puzzle)
    end = _goal(puzzle, goal, floor)
    here = (end or puzzle.goal) if start is None else puzzle.configuration(start)
    drawing = BoardDrawing.of(here, theme, size, floor, labels=labels, image=image, goal=end)
    values = drawing.values  # checks the floor before the search
    title = page_title(title, puzzle.uncoloured.text)
    data = {
        **drawing.data,
        "puzzle": puzzle_data(drawing, steps, here, end, floor),
        "arrows": puzzle.board.kind in ("square", "king") and puzzle.rule.cells == puzzle.hole_count == 1,
        "dot": SMALL_DOT_DISTANCE if _is_small(puzzle) else DOT_DISTANCE,
        "hints": _hints(end, hints, budget or Budget()),
    }
    return TEMPLATE.fill({**values, "title": escape(title), "data": script_safe(data)})


def _is_small(puzzle: Puzzle) -> bool:
    """Return whether pieces are discs much smaller than their cells."""
    return puzzle.rule.cells > 1 or puzzle.board.kind == "graph"


def _goal(
    puzzle: Puzzle, goal: ConfigurationLike | None, floor: Sequence[str] | None
) -> Configuration | None:
    """Return the goal, or None if coloured pieces must match the floor."""
    if goal is not None:
        return puzzle.configuration(goal)
    return None if floor is not None and puzzle.colours is not None else puzzle.goal


def _hints(goal: Configuration | None, wanted: bool | None, budget: Budget) -> dict[str, object] | None:
    """Return the table of hints, or None if there is to be none."""
    from slidelab.draw.play.hints import hint_table

    if goal is None or wanted is False:
        return None
    try:
        return hint_table(goal, budget).data
    except (TooLarge, OutOfTime):
        if wanted:
            raise
        return None
