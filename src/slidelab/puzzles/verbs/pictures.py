"""Methods answered by `slidelab.draw`: pictures, films, pages to play and printable parts."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from slidelab.budget import Budget, ProgressCallback, progress_errors_unchanged
from slidelab.packages import require

if TYPE_CHECKING:
    from slidelab.draw.picture.photo import ImageSource, Photograph
    from slidelab.draw.print import Solid
    from slidelab.draw.scene import Picture
    from slidelab.draw.theme import Theme
    from slidelab.draw.widget import PuzzleWidget
    from slidelab.puzzles.configuration import Configuration, ConfigurationLike
    from slidelab.puzzles.definition import Puzzle
    from slidelab.puzzles.moves import Move
    from slidelab.puzzles.solution import Solution

__all__ = ["animate", "draw", "page", "solid", "widget"]


def draw(
    self: Puzzle | Configuration,
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    cells: bool | None = None,
    groups: Mapping[str, Collection[int]] | None = None,
    rings: Collection[int] = (),
    floor: Sequence[str] | None = None,
    cycle: Sequence[int] = (),
    moves: Iterable[Move | str] = (),
    caption: str = "",
    labels: bool | None = None,
    image: ImageSource | Photograph | None = None,
    goal: ConfigurationLike | None = None,
) -> Picture:
    """Draw the configuration, or the goal of a puzzle, as a picture.

    Parameters
    ----------
    theme
        ``"light"``, ``"dark"``, ``"print"`` or a theme of your own.
    size
        Width of a cell in pixels; by default 64, or less for a large board.
    cells
        Whether empty cells have their number.
    groups
        Cells by name: they, or the pieces on them, get a colour, and the names a legend.
    rings
        Cells marked with a ring.
    floor
        The colour of every cell of the board itself, ``.`` for none: where coloured pieces are to go.
    cycle
        Cells of a cycle, drawn as a closed line.
    moves
        Moves for which an arrow is drawn.
    caption
        Lines below the picture.
    labels
        Whether pieces have their number or letters; by default if there is no image.
    image
        A PNG or JPEG file (or its bytes). Each piece shows the part of it that it covers at the goal.
    goal
        The configuration that shows the image; by default `Puzzle.goal`.

    Returns
    -------
    Picture
        Shown by notebooks; `Picture.save` writes it as SVG, PNG or PDF.

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.puzzle("square R(4,4)").goal.draw(theme="dark")
    <picture of 'square R(4,4) tiles 1 : 1 2 ...', 302 x 302>
    """
    from slidelab.draw.picture import draw

    return draw(
        self,
        theme=theme,
        size=size,
        cells=cells,
        groups=groups,
        rings=rings,
        floor=floor,
        cycle=cycle,
        moves=moves,
        caption=caption,
        labels=labels,
        image=image,
        goal=goal,
    )


@progress_errors_unchanged
def page(
    self: Puzzle,
    path: str | os.PathLike[str],
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
    time: float | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> None:
    """Write a page (.html) on which the puzzle can be played, with mouse, touch or keyboard.

    It is one file that needs no server and no network, with undo, shuffle and hints.

    Parameters
    ----------
    path
        The file.
    start
        Where the game begins; by default at the goal, and the page shuffles by walking.
    goal
        `Puzzle.goal` by default. If only `floor` is given, coloured pieces must match the colours of the
        cells.
    theme, size, floor, labels, image
        As for `Puzzle.draw`.
    title
        Heading of the page; by default the text of the puzzle.
    hints
        Whether the page has a table of all distances, so that its hints are moves of shortest solutions. By
        default it has one if that takes at most 12 million entries; other pages search for a solution.
    time, memory, threads, progress
        Limits for the table and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    TooLarge
        If the board has more than 10,000 cells, or if `hints` is true and the table would be too large.
    PuzzleError
        If the file cannot be written.

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.puzzle("square R(3,3)").page(getfixture("tmp_path") / "eight.html", title="Eight tiles")
    """
    from slidelab.draw.files import check_target, write_bytes
    from slidelab.draw.play import play_html

    target, budget = check_target(path, ("html",)), Budget.of(time, memory, threads, progress=progress)
    html = play_html(
        self,
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
    )
    write_bytes(target, html.encode())


@progress_errors_unchanged
def widget(
    self: Puzzle,
    start: ConfigurationLike | None = None,
    goal: ConfigurationLike | None = None,
    *,
    theme: str | Theme = "auto",
    size: float | None = None,
    title: str | None = None,
    floor: Sequence[str] | None = None,
    labels: bool | None = None,
    image: ImageSource | Photograph | None = None,
    hints: bool | None = None,
    solve_seconds: float = 20.0,
    time: float | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> PuzzleWidget:
    """Return a widget for notebooks on which the puzzle can be played, and whose game Python sees.

    Playing needs no kernel once the widget is shown; only its button "Solve" asks Python.

    Parameters
    ----------
    start, goal, size, title, floor, labels, image, hints
        As for `Puzzle.page`.
    theme
        ``"auto"`` follows the notebook; otherwise as for `Puzzle.draw`.
    solve_seconds
        Seconds that a solution may take when somebody asks for one in the notebook.
    time, memory, threads, progress
        Limits for the table of hints and a callback for progress, as in `slidelab.Budget.of`.

    Returns
    -------
    PuzzleWidget
        With traits `position`, `moves`, `solution` and `solved`.

    Raises
    ------
    TooLarge
        If the board has more than 10,000 cells, or if `hints` is true and the table would be too large.
    PuzzleError
        If the package anywidget is missing.

    Examples
    --------
    >>> import slidelab as sl
    >>> w = sl.puzzle("8-puzzle").widget("1 2 3 4 5 6 7 . 8")
    >>> w.observe(lambda change: print("now", change.new.pieces_text), "position")
    >>> w.moves = "←"                                  # or by a click on the board
    now 1 2 3 4 5 6 7 8 .
    """
    require("anywidget", "widgets need", "widget")
    from slidelab.draw.play import PlayPage
    from slidelab.draw.widget import PuzzleWidget

    shown = PlayPage.of(
        self,
        start,
        goal,
        theme="light" if theme == "auto" else theme,
        size=size,
        title=title,
        floor=floor,
        labels=labels,
        image=image,
        hints=hints,
        budget=Budget.of(time, memory, threads, progress=progress),
    )
    return PuzzleWidget(shown, theme=theme, floor=floor, solve_seconds=solve_seconds)


@progress_errors_unchanged
def solid(
    self: Puzzle,
    *,
    cell: float = 24.0,
    clearance: float = 0.4,
    height: float = 6.0,
    floor: float = 2.0,
    rim: float = 4.0,
    numbers: Literal["raised", "sunk", "none"] = "raised",
    goal_on_floor: bool = False,
    cells: Sequence[str] | None = None,
    bed: Sequence[float] = (220.0, 220.0),
    progress: ProgressCallback | None = None,
) -> Solid:
    """Make tray and pieces for a 3D printer. All lengths are in millimetres.

    Parameters
    ----------
    cell
        Distance between the middles of two neighbouring cells.
    clearance
        Space between pieces that pass each other, and between a piece and the wall.
    height, floor, rim
        Thickness of the pieces, of the floor of the tray, and of its rim.
    numbers
        ``"raised"``, ``"sunk"`` or ``"none"``.
    goal_on_floor
        Whether the goal is cut into the floor.
    cells
        The colour of every cell, ``.`` for none: where coloured pieces are to go. Shown as patches with
        letters on the floor.
    bed
        Width and depth of the bed of the printer.
    progress
        Callback for progress, as in `slidelab.Budget.of`.

    Returns
    -------
    Solid
        `Solid.save` writes it as STL or 3MF.

    Raises
    ------
    PuzzleError
        If such pieces cannot be printed, or if the tray does not fit on the bed.

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.puzzle("square R(2,2)").solid(clearance=0.5)
    <solid square R(2,2) tiles 1: 4 parts on 1 bed>
    """
    from slidelab.draw.print import solid

    return solid(
        self,
        cell=cell,
        clearance=clearance,
        height=height,
        floor=floor,
        rim=rim,
        numbers=numbers,
        goal_on_floor=goal_on_floor,
        cells=cells,
        bed=bed,
        progress=progress,
    )


@progress_errors_unchanged
def animate(
    self: Solution,
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
    """Write the moves as a film (.gif, .apng, .mp4) or as a page that plays them (.html).

    Parameters
    ----------
    path
        The file; its ending says what is written.
    theme, floor, labels, image
        As for `Configuration.draw`; the goal of the solution shows the image.
    size
        Width of a cell in pixels; by default one for which the film has about 480 (GIF), 560 (APNG) or 760
        (MP4) pixels.
    seconds
        Duration of a move; by default a third of a second, or less for a long solution.
    fps
        Frames a second of a film.
    progress
        Callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    PuzzleError
        If the file cannot be written, or if a package for this kind of film is missing.

    Examples
    --------
    >>> import slidelab as sl
    >>> film = getfixture("tmp_path") / "three.gif"
    >>> sl.puzzle("square R(2,2)").solve("3 1 / . 2").animate(film)
    """
    from slidelab.draw.film import animate

    animate(
        self,
        path,
        theme=theme,
        size=size,
        seconds=seconds,
        fps=fps,
        floor=floor,
        labels=labels,
        image=image,
        progress=progress,
    )
