"""Films of solutions (GIF, APNG, MP4, HTML), and single moments of a move."""

from __future__ import annotations

import os
from collections.abc import Sequence

from slidelab.budget import ProgressCallback
from slidelab.draw.files import ANIMATION_FORMATS, check_target, file_format, write_bytes
from slidelab.draw.film.files import WRITERS
from slidelab.draw.film.frames import Film
from slidelab.draw.film.player import player_html
from slidelab.draw.picture.board import cell_size, lay_out_configuration
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.motions import track_motions
from slidelab.draw.picture.photo import ImageSource, Photograph
from slidelab.draw.picture.pieces import all_parts, place_parts
from slidelab.draw.scene import Picture
from slidelab.draw.theme import Theme, get_theme
from slidelab.errors import NotationError, PuzzleError
from slidelab.files import atomic_write
from slidelab.packages import require
from slidelab.puzzles import Configuration, Move, Solution

__all__ = ["animate", "check_packages", "moment"]


def moment(
    configuration: Configuration,
    move: Move | str,
    time: float,
    *,
    theme: str | Theme = "light",
    size: float | None = None,
) -> Picture:
    """Draw a configuration during a move.

    Parameters
    ----------
    configuration : Configuration
        The position before the move.
    move : Move or str
        The move.
    time : float
        From 0, before the move, to 1, after it.
    theme, size
        As in `slidelab.draw.picture.draw`.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import slidelab as sl
    >>> c = sl.position("square R(2,2) : 1 2 . 3")
    >>> moment(c, "3:3>2", 0.5).width > 100
    True
    """
    from slidelab.puzzles import read_move

    move = read_move(move)
    configuration.play(move)
    if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time <= 1:
        raise NotationError(f"expected a time from 0 to 1, got {time!r:.40}")
    start = lay_out_configuration(configuration)
    puzzle, theme = start.puzzle, get_theme(theme)
    canvas = Canvas(puzzle.board, theme, cell_size(puzzle.board, size))
    ((moving, _, motion),) = track_motions(start, [move])
    points_of = [[puzzle.board.positions[cell] for cell in cells] for cells in start.pieces]
    points_of[moving] = [*motion.at(time)]
    pieces = [
        place_parts(parts, [*map(canvas.to_pixels, points)], canvas.size)
        for parts, points in zip(all_parts(puzzle, theme, canvas.size), points_of, strict=True)
    ]
    pieces.append(pieces.pop(moving))  # drawn above the others
    items = [*canvas.tray(), *canvas.wells({}, {}), *pieces]
    return Picture(canvas.width, canvas.height, items, configuration.text, theme.paper)


def animate(
    solution: Solution,
    path: str | os.PathLike[str],
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    seconds: float | None = None,
    fps: int = 25,
    floor: Sequence[str] | None = None,
    labels: bool | None = None,
    image: ImageSource | Photograph | None = None,
    progress: ProgressCallback | None = None,
) -> None:
    """Write a solution as a film; the suffix of the path (.gif, .apng, .mp4 or .html) selects the format.

    Parameters, result and errors are those of `slidelab.Solution.animate`.

    Examples
    --------
    >>> import slidelab as sl
    >>> folder = getfixture("tmp_path")
    >>> animate(sl.puzzle("square R(2,2)").solve("3 1 / . 2"), folder / "three.gif", size=20)
    >>> (folder / "three.gif").read_bytes()[:6]
    b'GIF89a'
    """
    target = check_target(path, ANIMATION_FORMATS)
    kind = file_format(target)
    if kind == "html":
        page = player_html(
            solution, theme=theme, size=size, seconds=seconds, floor=floor, labels=labels, image=image
        )
        write_bytes(target, page.encode())
        return
    check_packages(kind)
    film = Film(
        solution,
        theme=theme,
        size=size,
        seconds=seconds,
        fps=fps,
        floor=floor,
        labels=labels,
        image=image,
        kind=kind,
    )
    try:
        with atomic_write(target) as file:
            WRITERS[kind](film, file, progress)
    except OSError as error:
        raise PuzzleError(f"could not write {str(target)[-200:]!r}: {error.strerror or error}") from None


def check_packages(kind: str) -> None:
    """Raise `PuzzleError` if a package is missing for this format."""
    for module in {"html": (), "mp4": ("PIL", "resvg_py", "av")}.get(kind, ("PIL", "resvg_py")):
        require(module, "films need", "video")
