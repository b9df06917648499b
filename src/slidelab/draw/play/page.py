"""The page on which a puzzle can be played, as one HTML file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.draw.page.drawing import BoardDrawing, check_cells
from slidelab.draw.page.template import SHARED, Template, page_title, script_safe
from slidelab.draw.picture.photo import ImageSource, Photograph
from slidelab.draw.play.data import list_steps, piece_classes, puzzle_data
from slidelab.draw.theme import Theme
from slidelab.errors import NotationError, OutOfTime, TooLarge
from slidelab.gains.steps import Steps
from slidelab.puzzles import Configuration, ConfigurationLike, Puzzle

if TYPE_CHECKING:
    from slidelab.draw.sheet.graded import GradedStart

__all__ = ["FOLDER", "MODULES", "PlayPage", "STYLES", "play_data", "play_html"]

DOT_DISTANCE, SMALL_DOT_DISTANCE = 0.37, 0.29
"""Cells from the centre of a piece to the dot of a move: near the edge of tiles, and of smaller discs."""

MAX_SEARCH_SPOTS = 65_535
"""Spots of a puzzle with a search for hints: a spot is a character of the key of a state."""

MAX_SEARCH_BOUNDS = 4_000_000
"""Numbers in the search's table of lower bounds, one for each class of pieces and spot; 8 MB in the page."""

VERDICT_SECONDS = 10.0
"""Time for deciding whether the start can be solved; without an answer the page says less, no more."""

VERDICT_SHAPES = 200_000
"""Shapes of a puzzle whose start is decided by its gain graph; listing them takes about a second."""

FOLDER = Path(__file__).parent
"""The folder of the page and of the modules that play a puzzle."""

STYLES = (SHARED / "base.css", FOLDER / "board.css", FOLDER / "play.css")
MODULES = (
    *(SHARED / name for name in ("motions.js", "pieces.js", "controls.js")),
    *(
        FOLDER / f"{name}.js"
        for name in ("engine", "table", "search", "clock", "view", "input", "playing", "panel")
    ),
)
"""The modules that play a puzzle, those that are imported first."""

TEMPLATE = Template(
    FOLDER / "play.html",
    STYLES,
    (*MODULES, FOLDER / "booklet.js", FOLDER / "play.js"),
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
    starts: Sequence[GradedStart] | None = None,
    budget: Budget | None = None,
    report: Callable[[str], None] | None = None,
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
    starts : sequence of GradedStart, optional
        A graded set (`slidelab.draw.sheet.graded`): the page goes from one start to the next, counts moves
        against the fewest possible, and keeps in the browser what is solved. Used instead of `start`.
    budget : Budget, optional
        Limits for the table.
    report : callable, optional
        Called with a line that says why the page has no table of hints, unless `hints` is false.

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
    page = PlayPage.of(
        puzzle,
        start,
        goal,
        theme=theme,
        size=size,
        title=title,
        floor=floor,
        labels=labels,
        image=image,
        hints=hints,
        budget=budget,
        report=report,
        starts=starts,
    )
    return TEMPLATE.fill({**page.values, "data": script_safe(page.data)})


@dataclass(frozen=True, slots=True)
class PlayPage:
    """All that a page knows about the puzzle that is played on it.

    Attributes
    ----------
    start : Configuration
        Where the game begins.
    goal : Configuration or None
        The goal; None if pieces must match the colours of the cells.
    values : dict
        The values of the placeholders of ``play.html``, and the style sheet with the colours.
    data : dict
        What the scripts read.
    """

    start: Configuration
    goal: Configuration | None
    values: dict[str, str]
    data: dict[str, Any]

    @classmethod
    def of(
        cls,
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
        report: Callable[[str], None] | None = None,
        starts: Sequence[GradedStart] | None = None,
    ) -> PlayPage:
        """Return the page of a puzzle; the arguments are those of `play_html`."""
        if not isinstance(puzzle, Puzzle):
            raise NotationError(f"expected a puzzle to play, got {type(puzzle).__name__}")
        check_cells(puzzle, "a page")
        steps = list_steps(puzzle)
        end = _goal(puzzle, goal, floor)
        if starts:
            start, hints = starts[0].start, False
        here = (end or puzzle.goal) if start is None else puzzle.configuration(start)
        drawing = BoardDrawing.of(here, theme, size, floor, labels=labels, image=image, goal=end)
        values = drawing.values  # checks the floor before the search
        title = page_title(title, puzzle.uncoloured.text)
        budget = budget or Budget()
        table, refusal = _hints(end, hints, budget)
        searches = table is None and _can_search(puzzle, len(steps.placements))
        if refusal and report is not None:
            report(f"no table of hints: {refusal}; {_WHERE_FROM[searches]}")
        data = {
            **play_data(drawing, steps, here, end, floor),
            "hints": table,
            "searches": searches,
            **(_verdict(here, end, budget) if searches else {}),
            **({"starts": [_start_data(steps, each) for each in starts]} if starts else {}),
        }
        return cls(here, end, {**values, "title": escape(title)}, data)


def play_data(
    drawing: BoardDrawing,
    steps: Steps,
    start: Configuration,
    goal: Configuration | None,
    floor: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return what the scripts of a page need to draw and play a puzzle; the arguments are of `puzzle_data`.

    >>> import slidelab as sl
    >>> goal = sl.puzzle("square R(2,2)").goal
    >>> data = play_data(BoardDrawing.of(goal), list_steps(goal.puzzle), goal, goal)
    >>> data["arrows"], data["dot"], data["names"]
    (True, 0.37, ['tile 1', 'tile 2', 'tile 3'])
    """
    puzzle = start.puzzle
    return {
        **drawing.data,
        "puzzle": puzzle_data(drawing, steps, start, goal, floor),
        "arrows": puzzle.board.kind in ("square", "king") and puzzle.rule.cells == puzzle.hole_count == 1,
        "dot": SMALL_DOT_DISTANCE if _is_small(puzzle) else DOT_DISTANCE,
    }


def _start_data(steps: Steps, start: GradedStart) -> dict[str, Any]:
    """Return a start of a graded set: its pieces, its level, and a shortest solution."""
    return {
        "spots": steps.spots(start.start).tolist(),
        "level": start.level,
        "solutions": start.solutions,
        "moves": [move.text for move in start.solution.moves],
    }


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


_WHERE_FROM = {True: "hints come from a search in the page", False: "the page has no hints"}


def _hints(
    goal: Configuration | None, wanted: bool | None, budget: Budget
) -> tuple[dict[str, object] | None, str]:
    """Return the table of hints, or None and why there is none; no reason is needed if none is wanted."""
    from slidelab.draw.play.hints import hint_table

    if wanted is False:
        return None, ""
    if goal is None:
        return None, "every position that matches the colours of the cells is a goal"
    try:
        return hint_table(goal, budget).data, ""
    except (TooLarge, OutOfTime) as error:
        if wanted:
            raise
        return None, str(error) or "out of time"


def _can_search(puzzle: Puzzle, placements: int) -> bool:
    """Return whether the puzzle is small enough for a search in the page."""
    spots = placements * puzzle.rule.turns
    return spots <= MAX_SEARCH_SPOTS and len(piece_classes(puzzle)[1]) * spots <= MAX_SEARCH_BOUNDS


def _verdict(start: Configuration, goal: Configuration | None, budget: Budget) -> dict[str, Any]:
    """Return whether the start is solvable and why not; None if that is not known.

    >>> import slidelab as sl
    >>> goal = sl.puzzle("square R(2,2)").goal
    >>> _verdict(goal, goal, Budget()), _verdict(goal, None, Budget())
    ({'isSolvable': True, 'obstacle': None}, {'isSolvable': None, 'obstacle': None})
    """
    from slidelab.reach.verdict import reason_unsolvable

    if goal is None:
        return {"isSolvable": None, "obstacle": None}
    limits = replace(budget.share(seconds=VERDICT_SECONDS), max_shapes=min(budget.max_shapes, VERDICT_SHAPES))
    try:
        obstacle = reason_unsolvable(start, goal, budget=limits)
    except (TooLarge, OutOfTime):
        return {"isSolvable": None, "obstacle": None}
    return {"isSolvable": obstacle is None, "obstacle": obstacle}
