"""Files that the page offers to save: pictures, films, pages, documents and parts to print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from slidelab.budget import Budget
from slidelab.draw.film.animation import animate
from slidelab.draw.film.player import player_html
from slidelab.draw.play.page import play_html
from slidelab.errors import PuzzleError, TooLarge
from slidelab.puzzles import Configuration, MoveList, Solution
from slidelab.puzzles.move_sources import read_moves
from slidelab.solve.next_move import hint_solution
from slidelab.studio.protocol import FileAnswer, to_json

__all__ = ["MEDIA_TYPES", "export", "read_line"]

MEDIA_TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "gif": "image/gif",
    "apng": "image/apng",
    "mp4": "video/mp4",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "stl": "model/stl",
    "3mf": "model/3mf",
}

MAX_FILM_MOVES = 400
"""Moves of the longest film; it takes half a minute and some ten megabytes."""

MAX_SOLID_CELLS = 400
"""Cells of the largest board that is made as parts for a printer."""

HTML_SECONDS = 1.0
"""Time for the table of hints in a page, which is left out if it takes longer."""


def export(
    start: Configuration,
    goal: Configuration,
    kind: str,
    budget: Budget,
    *,
    moves: Sequence[str] | None = None,
    theme: str = "light",
    play: bool = True,
) -> FileAnswer:
    """Return a file.

    Parameters
    ----------
    start, goal
        The position, and where it is to go.
    kind
        One of `MEDIA_TYPES`.
    budget
        Limits for a solution, where moves are needed and none are given.
    moves
        Moves from the start, for films and documents.
    theme
        Colours of pictures.
    play
        Whether a page can be played on, or shows the moves.

    Examples
    --------
    >>> import slidelab as sl
    >>> goal = sl.puzzle("square R(2,2)").goal
    >>> export(goal, goal, "svg", Budget()).content[:4]
    b'<svg'
    """
    return FileAnswer(_content(start, goal, kind, budget, moves, theme, play), MEDIA_TYPES[kind])


def _content(
    start: Configuration,
    goal: Configuration,
    kind: str,
    budget: Budget,
    moves: Sequence[str] | None,
    theme: str,
    play: bool,
) -> bytes:
    if kind in ("svg", "png", "pdf"):
        picture = start.draw(theme=theme)
        return picture.svg.encode() if kind == "svg" else picture.png() if kind == "png" else picture.pdf()
    if kind == "json":
        return to_json(_document(start, goal, moves))
    if kind in ("stl", "3mf"):
        return _solid(start, kind, budget)
    if kind == "html" and play:
        table = budget.share(seconds=HTML_SECONDS)
        return play_html(start.puzzle, start, goal, theme=theme, budget=table).encode()
    line = read_line(start, goal, moves, budget)
    if kind == "html":
        return player_html(line, theme=theme).encode()
    if line.length > MAX_FILM_MOVES:
        raise TooLarge(f"expected at most {MAX_FILM_MOVES} moves for a film, got {line.length:,}")
    with TemporaryDirectory(prefix="slidelab-") as folder:
        path = Path(folder) / f"film.{kind}"
        animate(line, path, theme=theme, progress=budget.check)
        return path.read_bytes()


def read_line(
    start: Configuration, goal: Configuration, moves: Sequence[str] | None, budget: Budget
) -> Solution:
    """Return moves as a solution: those that are given, wherever they lead, or the best that is found.

    >>> import slidelab as sl
    >>> start = sl.position("2x2 : 1 2 . 3")
    >>> read_line(start, start.puzzle.goal, ["1:0>2"], Budget()).goal.pieces_text
    '. 2 1 3'
    """
    if not moves:
        return hint_solution(start, goal, budget)
    played = MoveList.of(read_moves(start, list(moves)))
    return Solution(start, played.end(start), played)


def _document(start: Configuration, goal: Configuration, moves: Sequence[str] | None) -> dict[str, Any]:
    """Return a document that every command of slidelab reads."""
    form: dict[str, Any] = {
        "puzzle": start.puzzle.to_json(),
        "start": start.to_json(),
        "goal": goal.to_json(),
    }
    if moves:
        form["moves"] = [move.to_json() for move in read_moves(start, list(moves))]
        if MoveList.of(read_moves(start, list(moves))).end(start) != goal:
            del form["goal"]  # the document says where the moves lead
    return form


def _solid(start: Configuration, kind: str, budget: Budget) -> bytes:
    cells = start.puzzle.board.size
    if cells > MAX_SOLID_CELLS:
        raise TooLarge(f"expected a board of at most {MAX_SOLID_CELLS} cells to print, got {cells:,}")
    solid = start.puzzle.solid(progress=budget.check)
    with TemporaryDirectory(prefix="slidelab-") as folder:
        paths = solid.save(Path(folder) / f"puzzle.{kind}")
        if len(paths) > 1:
            raise PuzzleError(f"expected parts that fit on one bed, got {len(paths)} beds")
        return paths[0].read_bytes()
