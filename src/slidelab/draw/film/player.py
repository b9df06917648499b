"""A self-contained HTML page that plays a solution.

The page holds the board as SVG with all pieces at the start, and as data the centre of each cell and the
distinct *motions* of the solution: cells before, cells after, and the curve between them. Long solutions
repeat few motions, so a move is the number of its motion; the piece follows from the replay.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from slidelab.draw.film.frames import timing
from slidelab.draw.page.drawing import BoardDrawing, check_cells, verb_number
from slidelab.draw.page.template import SHARED, Template, page_title, script_safe
from slidelab.draw.picture.motions import track_moves
from slidelab.draw.picture.photo import ImageSource, Photograph
from slidelab.draw.theme import Theme
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import counted
from slidelab.puzzles import Move, Puzzle, Solution
from slidelab.rules import Cells

__all__ = ["MAX_MOVES", "player_html"]

MAX_MOVES = 200_000
"""Number of moves of the longest solution; its page has a few MB."""

MAX_PASSAGES = 20_000
"""Number of explanations in a page; the deepest ones are left out above it."""

MAX_PASSAGE_LENGTH = 300
"""Characters of an explanation that the page shows."""

MOVE_SECONDS = 0.65
"""Seconds from one move to the next at normal speed if not given."""

_FOLDER = Path(__file__).parent
TEMPLATE = Template(
    _FOLDER / "player.html",
    (SHARED / "base.css", _FOLDER / "player.css"),
    (SHARED / "motions.js", SHARED / "pieces.js", SHARED / "controls.js", _FOLDER / "player.js"),
    {"move": "0", "playing": "false", "gliding": "false"},
)


def player_html(
    solution: Solution,
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    title: str | None = None,
    seconds: float | None = None,
    floor: Sequence[str] | None = None,
    labels: bool | None = None,
    image: ImageSource | Photograph | None = None,
) -> str:
    """Return an HTML page that plays a solution, with buttons for play, step, seek and speed.

    Parameters
    ----------
    solution : Solution
        The moves to play.
    theme : str or Theme
        ``"light"``, ``"dark"`` or ``"print"``; light and dark pages have a button to switch.
    size : float, optional
        Width of a cell in pixels, if the window has room for it.
    title : str, optional
        Heading of the page; by default the text of the puzzle.
    seconds : float, optional
        Time from one move to the next at normal speed, at most a minute.
    floor : sequence of str, optional
        The colour of each cell of the board, ``.`` for none: where coloured pieces belong.
    labels : bool, optional
        Whether pieces have their number or letters; by default if there is no image.
    image : path or bytes, optional
        A PNG or JPEG that the pieces show together at the end.

    Returns
    -------
    str

    Raises
    ------
    TooLarge
        If there are more than 200,000 moves or 10,000 cells.

    Examples
    --------
    >>> import slidelab as sl
    >>> page = player_html(sl.puzzle("square R(2,2)").solve("3 1 / . 2"), title="Three tiles")
    >>> "<h1>Three tiles</h1>" in page, page.count('class="piece"')
    (True, 3)
    """
    if not isinstance(solution, Solution):
        raise NotationError(f"expected a solution to play, got {type(solution).__name__}")
    if solution.length > MAX_MOVES:
        raise TooLarge(f"expected at most {MAX_MOVES:,} moves for a player, got {solution.length:,}")
    check_cells(solution.puzzle, "a player")
    timing(1, seconds)
    drawing = BoardDrawing.of(
        solution.start, theme, size, floor, labels=labels, image=image, goal=solution.goal
    )
    motions, moves = _motions(solution.moves, drawing)
    data = {
        **drawing.data,
        "start": [cell for cells in solution.start.pieces for cell in cells],
        "motions": motions,
        "moves": moves,
        "passages": _passages(solution),
        "beat": 1000 * (seconds or MOVE_SECONDS),
    }
    return TEMPLATE.fill(
        {
            **drawing.values,
            "title": escape(page_title(title, solution.puzzle.uncoloured.text)),
            "summary": escape(_summary(solution)),
            "moves": str(solution.length),
            "data": script_safe(data),
        }
    )


def _summary(solution: Solution) -> str:
    moves = counted(solution.length, "move")
    return f"{moves}, the fewest possible" if solution.optimal and solution.metric == "single" else moves


def _passages(solution: Solution) -> list[list[Any]]:
    """Return the explanations of the moves, deeper ones later."""
    passages = [passage for passage in solution.passages if passage.first < passage.last]
    while len(passages) > MAX_PASSAGES:
        deepest = max(passage.depth for passage in passages)
        passages = [passage for passage in passages if passage.depth < deepest]
    passages.sort(key=lambda passage: (passage.depth, passage.first))
    return [[passage.first, passage.last, passage.text[:MAX_PASSAGE_LENGTH]] for passage in passages]


def _motions(moves: Sequence[Move], drawing: BoardDrawing) -> tuple[list[list[float]], list[int]]:
    """Return the distinct motions of the moves, and for each move the number of its motion."""
    start = drawing.start
    numbers: dict[tuple[Cells, Cells, Cells], int] = {}
    motions: list[list[float]] = []
    number_of: list[int] = []
    for _, before, after, holes in track_moves(start, moves):
        number = numbers.setdefault((before, after, holes), len(motions))
        if number == len(motions):
            verb = verb_number(_kind(start.puzzle, before, after))
            motions.append([verb, *before, *after, *drawing.curve(before, after, holes)])
        number_of.append(number)
    return motions, number_of


def _kind(puzzle: Puzzle, before: Cells, after: Cells) -> str:
    """Return the kind of a step; moves that were read from a text do not name it."""
    return next((s.kind for s in puzzle.rule.steps(puzzle.board, before) if s.after == after), "")
