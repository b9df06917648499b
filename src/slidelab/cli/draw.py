"""The command `draw`: pictures, films, pages to play and printable puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from slidelab.cli import completers
from slidelab.cli.arguments import GoalArguments, read_input
from slidelab.cli.options import Json, Seed, ShowProgress, budget_from, flag, integer
from slidelab.cli.output import DONE, NO, print_answer, print_note, print_refusal
from slidelab.cli.pictures import OLD_NAMES, SHOWS, Request
from slidelab.errors import NotationError, Unsolvable
from slidelab.messages import counted, did_you_mean, quoted

if TYPE_CHECKING:
    from cyclopts.completion import CompletionContext

MAX_WIDTH_PIXELS = 20_000
"""Width of the largest PNG."""


def _shows(_: CompletionContext) -> Mapping[str, str]:
    """Return what shells offer for --show."""
    return {name: show.summary for name, show in SHOWS.items()}


def draw(
    question: GoalArguments,
    *,
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"],
            help="file to write: svg, png, pdf or tex (TikZ) for a picture; gif, apng, mp4 or html for a "
            "film; html with --play for a page to play on; stl or 3mf for a printable puzzle",
        ),
    ] = None,
    show: Annotated[
        str | None,
        Parameter(
            help="; ".join(f"{name}: {each.summary}" for name, each in SHOWS.items()),
            completer=_shows,
        ),
    ] = None,
    play: Annotated[bool, flag("write a page (.html) on which the puzzle can be played, with hints")] = False,
    seed: Seed = None,
    theme: Annotated[str, Parameter(help="light, dark or print", completer=completers.themes)] = "light",
    size: Annotated[
        float | None, Parameter(help="width of a cell in pixels (not for graphs and charts)")
    ] = None,
    width: Annotated[int | None, integer("width of a PNG in pixels")] = None,
    seconds: Annotated[float | None, Parameter(help="films: seconds per move")] = None,
    method: Annotated[
        str,
        Parameter(
            help="films and stories: how to solve, as in 'slidelab solve'", completer=completers.methods
        ),
    ] = "auto",
    time: Annotated[
        float | None,
        Parameter(
            help="films and stories: time limit for solving, in seconds; --play: for the table of hints"
        ),
    ] = None,
    image: Annotated[
        Path | None,
        Parameter(
            help="positions, moves, stories, films and --play: a PNG or JPEG that the solved pieces show"
        ),
    ] = None,
    labels: Annotated[
        bool | None, Parameter(help="numbers or letters on pieces (default: only without --image)")
    ] = None,
    limit: Annotated[
        int | None,
        integer("graphs: largest number of configurations (2000), or of shapes in a gain graph (400)"),
    ] = None,
    cell: Annotated[float | None, Parameter(help="printable: width of a cell in mm (24)")] = None,
    clearance: Annotated[
        float | None, Parameter(help="printable: clearance between pieces in mm (0.4)")
    ] = None,
    numbers: Annotated[str | None, Parameter(help="printable: raised (default), sunk or none")] = None,
    bed: Annotated[str | None, Parameter(help="printable: size of the print bed in mm (220x220)")] = None,
    progress: ShowProgress = True,
    json: Json = False,
) -> int:
    """Draw a puzzle, film a solution, or make a puzzle for a 3D printer.

    The suffix of the file decides which. Films show the solution in BOARD (a file or - with the output of
    'slidelab solve --json'), or a shortest solution from --start or --seed. With --play an .html file is a
    page on which the puzzle can be played, from --start or --seed if given.
    """
    from slidelab.draw.files import (
        ANIMATION_FORMATS,
        PICTURE_FORMATS,
        SOLID_FORMATS,
        check_target,
        file_format,
    )

    if output is None:
        raise NotationError("expected a file to write, such as -o puzzle.svg, got none")
    target = check_target(output, (*PICTURE_FORMATS, *ANIMATION_FORMATS, *SOLID_FORMATS))
    kind = file_format(target)
    show = OLD_NAMES.get(show, show) if show else show
    if show is not None and show not in SHOWS:
        raise NotationError(
            f"expected something to show ({', '.join(SHOWS)}), got {show!r:.40} - at --show"
            f"{did_you_mean(show, SHOWS)}"
        )
    if show is not None and kind not in PICTURE_FORMATS and not (show == "solid" and kind in SOLID_FORMATS):
        raise NotationError(f"expected --show with .svg, .png, .pdf or .tex, got .{kind}")
    if play and kind != "html":
        raise NotationError(f"expected --play with .html, got .{kind}")
    chosen, solid = SHOWS[show or "position"], kind in SOLID_FORMATS
    film = kind in ANIMATION_FORMATS and not play
    print_options = {"cell": cell, "clearance": clearance, "numbers": numbers, "bed": bed}
    _refuse_unused({"width": width}, kind == "png", "a .png")
    _refuse_unused({"seconds": seconds}, film, "a film (gif, apng, mp4, html)")
    _refuse_unused({"limit": limit}, chosen.takes_limit, "--show graph, layers or gain-graph")
    _refuse_unused(print_options, solid or show == "solid", "a printable puzzle (stl, 3mf, --show solid)")
    has_pieces = film or (chosen.has_pieces and not solid)
    where = "a film, --play, or --show position, moves or story"
    _refuse_unused({"image": image, "labels": labels}, has_pieces, where)
    _check_look(kind, chosen.is_chart, theme, size, width, seconds)
    photograph = None
    if image is not None:
        from slidelab.draw.picture.photo import Photograph

        photograph = Photograph.read(image)
    question = replace(question, board=read_input(question.board))
    request = Request(
        question=question,
        seed=seed,
        theme=theme,
        size=size,
        image=photograph,
        labels=labels,
        limit={} if limit is None else {"limit": limit},
        print_options=_given(print_options | {"bed": None if bed is None else _read_bed(bed)}),
        method=method,
        time=time,
        progress=None,
    )
    files, facts, notes = [str(target)], {}, []
    with budget_from(time, progress=progress) as budget:
        request = replace(request, progress=budget.progress)
        try:
            if solid:
                files = [str(path) for path in request.solid().save(target)]
            elif play:
                notes = request.save_page(target)
            elif film:
                facts = _save_film(request, target, seconds)
            elif (save := chosen.prepare(request)) is not None:
                save(target, width)
            else:
                name = request.board.name
                print_answer(
                    json, {"board": name, "closed_way": None}, f"{quoted(name)} has no Hamiltonian cycle"
                )
                return NO
        except Unsolvable as error:
            return print_refusal(error, json, puzzle=request.puzzle.to_json(), solvable=False)
    text = "\n".join(files)
    if facts:
        text += f": {counted(facts['length'], 'move')}{', shortest' * facts['optimal']}"
    print_answer(json, {"files": files, **facts}, text)
    for note in notes:
        print_note(note)
    return DONE


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _refuse_unused(options: Mapping[str, object], useful: bool, where: str) -> None:
    """Raise `NotationError` at an option that would have no effect."""
    for name in _given(options):
        if not useful:
            raise NotationError(f"expected --{name} with {where} only")


def _check_look(
    kind: str, is_chart: bool, theme: str, size: float | None, width: int | None, seconds: float | None
) -> None:
    """Check options before a search begins."""
    from slidelab.boards import board
    from slidelab.draw.chart import check_chart_name
    from slidelab.draw.files import ANIMATION_FORMATS
    from slidelab.draw.film.animation import check_packages
    from slidelab.draw.film.frames import timing
    from slidelab.draw.picture.board import cell_size
    from slidelab.draw.theme import get_theme

    get_theme(theme)
    cell_size(board("square R(1,1)"), size)
    timing(1, seconds)
    if width is not None and not 1 <= width <= MAX_WIDTH_PIXELS:
        raise NotationError(
            f"expected a width in pixels from 1 to {MAX_WIDTH_PIXELS}, got {width} - at --width"
        )
    if kind in ANIMATION_FORMATS:
        check_packages(kind)
    if is_chart:
        check_chart_name(f"chart.{kind}")


def _read_bed(text: str) -> tuple[float, float]:
    width, _, depth = text.lower().partition("x")
    try:
        return float(width), float(depth or width)
    except ValueError:
        raise NotationError(f"expected a print bed such as 220x220, got {text!r:.40} - at --bed") from None


def _save_film(request: Request, target: Path, seconds: float | None) -> dict[str, Any]:
    solution = request.solution()
    solution.animate(
        target,
        seconds=seconds,
        floor=request.document.cells,
        theme=request.theme,
        size=request.size,
        labels=request.labels,
        image=request.image,
        progress=request.progress,
    )
    return {"length": solution.length, "optimal": solution.optimal}
