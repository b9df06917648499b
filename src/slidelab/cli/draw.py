"""Pictures, films and printable puzzles: `draw`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from slidelab.cli.app import DONE, NO, BoardText, Colours, Holes, Json, Rule, Seed, Start, app
from slidelab.cli.arguments import read_bare_board, read_question, read_source
from slidelab.cli.output import print_json, showing_progress
from slidelab.errors import NotationError, Unsolvable
from slidelab.messages import counted

if TYPE_CHECKING:
    from slidelab.budget import ProgressCallback
    from slidelab.draw.scene import Picture
    from slidelab.puzzles import Configuration, Document, Puzzle, Solution

SHOWS = {
    "position": "the pieces where they start, or in order",
    "board": "the cells and their numbers",
    "moves": "an arrow for every move that can be made",
    "story": "a solution move by move",
    "tight-corners": "cells that keep their tile for ever",
    "cut-cells": "cells that hold the board together",
    "closed-way": "a closed way through all cells",
    "orbits": "pieces coloured by what moves can mix",
    "graph": "the puzzle graph, laid out by force",
    "layers": "the puzzle graph by distance from the start",
    "gain-graph": "shapes, and what moves do to the pieces",
    "distances": "how many configurations are how far from the start",
    "eccentricities": "how far the farthest configuration is from each shape",
    "solid": "the printable puzzle as it will look",
}


MOST_SECONDS = 120.0  # for a closed way; 'slidelab boards --closed-way' takes any time
BOARDS = ("board", "tight-corners", "cut-cells", "closed-way")
CHARTS = ("distances", "eccentricities")
GRAPHS = ("graph", "layers", "gain-graph")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be drawn, and how."""

    document: Document
    start: Configuration | None
    look: dict[str, Any]
    limit: dict[str, Any]
    print_options: dict[str, Any]
    way: dict[str, Any]
    progress: ProgressCallback | None

    @property
    def puzzle(self) -> Puzzle:
        return self.document.puzzle

    @property
    def goal(self) -> Configuration | None:
        return self.document.goal

    @property
    def here(self) -> Configuration:
        return self.start or self.goal or self.puzzle.goal

    @property
    def floor(self) -> tuple[str, ...] | None:
        """The colours of the cells themselves, if the file says them."""
        return self.document.cells


@app.command
def draw(
    board: BoardText,
    *,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="FILE.svg png pdf | gif apng mp4 html | stl 3mf")
    ] = None,
    show: Annotated[
        str | None,
        Parameter(help=f"svg, png, pdf: what to draw: {', '.join(SHOWS)} (default: the position)"),
    ] = None,
    rule: Rule = None,
    holes: Holes = None,
    colours: Colours = None,
    start: Start = None,
    goal: Annotated[
        str | None,
        Parameter(allow_leading_hyphen=True, help="where a film or a story ends (default: in order)"),
    ] = None,
    seed: Seed = None,
    theme: Annotated[str, Parameter(help="light, dark or print")] = "light",
    size: Annotated[
        float | None, Parameter(help="width of a cell in pixels (not for graphs and charts)")
    ] = None,
    width: Annotated[int | None, Parameter(help="width of a PNG in pixels")] = None,
    seconds: Annotated[float | None, Parameter(help="films: seconds a move")] = None,
    method: Annotated[
        str, Parameter(help="films and stories: how to solve, as in 'slidelab solve'")
    ] = "auto",
    time: Annotated[
        float | None, Parameter(help="films and stories: solve no longer than so many seconds")
    ] = None,
    limit: Annotated[
        int | None, Parameter(help="most configurations of a graph (2000), or shapes of a gain-graph (400)")
    ] = None,
    cell: Annotated[float | None, Parameter(help="stl, 3mf: width of a cell in mm (24)")] = None,
    clearance: Annotated[float | None, Parameter(help="stl, 3mf: play between pieces in mm (0.4)")] = None,
    numbers: Annotated[str | None, Parameter(help="stl, 3mf: raised (if not said), sunk or none")] = None,
    bed: Annotated[str | None, Parameter(help="stl, 3mf: print bed in mm (220x220)")] = None,
    json: Json = False,
) -> int:
    """Draw a puzzle, film a solution, or make a puzzle to be printed in 3D: the file's ending says which.

    Films (gif, apng, mp4, html) show the solution that BOARD holds (a file or - from 'slidelab solve
    --json'), or a shortest one from --start or --seed.
    """
    from slidelab.draw.files import ANIMATIONS, PICTURES, SOLIDS, check_target, ending

    if output is None:
        raise NotationError("expected a file to write, such as -o puzzle.svg, got none")
    target = check_target(output, (*PICTURES, *ANIMATIONS, *SOLIDS))
    kind = ending(target)
    if show is not None and show not in SHOWS:
        raise NotationError(f"expected something to show ({', '.join(SHOWS)}), got {show!r:.40} - at --show")
    if show is not None and kind not in PICTURES and not (show == "solid" and kind in SOLIDS):
        raise NotationError(f"expected --show with .svg, .png or .pdf, got .{kind}")
    films, solids, graphs = kind in ANIMATIONS, kind in SOLIDS or show == "solid", show in GRAPHS
    _refuse_idle({"--width": width}, kind == "png", "a .png")
    _refuse_idle({"--seconds": seconds}, films, "a film (gif, apng, mp4, html)")
    _refuse_idle({"--limit": limit}, graphs, "--show graph, layers or gain-graph")
    sizes = {"--cell": cell, "--clearance": clearance, "--numbers": numbers, "--bed": bed}
    _refuse_idle(sizes, solids, "a printable puzzle (stl, 3mf, --show solid)")
    _check_look(kind, show, theme, size, width, seconds)
    source = read_source(board)
    if show in BOARDS:
        picture = _board_picture(show, source, theme, size)
        if picture is None:
            return _say_no_closed_way(source, json)
        picture.save(target, width)
        return _say([str(target)], {}, json)
    document = read_question(source, rule, holes, colours, start, goal)
    puzzle, first = document.puzzle, document.start
    if seed is not None:
        if start is not None:
            raise NotationError("expected --start or --seed, got both")
        first = puzzle.shuffle(seed, document.goal)
    given = {
        "cell": cell,
        "clearance": clearance,
        "numbers": numbers,
        "bed": None if bed is None else _bed(bed),
    }
    options = {name: value for name, value in given.items() if value is not None}
    look = {"theme": theme, "size": size}
    with showing_progress() as progress:
        limits = {} if limit is None else {"limit": limit}
        way = {"method": method, "time": time}
        asked = _Asked(document, first, look, limits, options, way, progress)
        files, said = [str(target)], {}
        try:
            if kind in SOLIDS:
                files = _save_solid(asked, target)
            elif kind in ANIMATIONS:
                said = _save_film(asked, target, seconds)
            else:
                _save_picture(asked, show or "position", target, width)
        except Unsolvable as error:
            if not json:
                raise
            print_json({"puzzle": puzzle.to_json(), "solvable": False, "reason": str(error)})
            return NO
    return _say(files, said, json)


def _refuse_idle(given: dict[str, Any], useful: bool, where: str) -> None:
    """An option that would do nothing is most likely a mistake."""
    for name, value in given.items():
        if value is not None and not useful:
            raise NotationError(f"expected {name} with {where} only")


def _check_look(
    kind: str, show: str | None, theme: str, size: float | None, width: int | None, seconds: float | None
) -> None:
    """What can be known to be wrong before anything is searched for."""
    from slidelab.boards import board
    from slidelab.draw.chart import check_chart_name
    from slidelab.draw.files import ANIMATIONS
    from slidelab.draw.film.animation import check_packages, timing
    from slidelab.draw.picture.board import cell_size
    from slidelab.draw.theme import theme as theme_named

    theme_named(theme)
    cell_size(board("square R(1,1)"), size)
    timing(1, seconds)
    if width is not None and not 1 <= width <= 20_000:
        raise NotationError(f"expected a width in pixels from 1 to 20000, got {width} - at --width")
    if kind in ANIMATIONS:
        check_packages(kind)
    if show in CHARTS:
        check_chart_name(f"chart.{kind}")


def _say_no_closed_way(source: str, json: bool) -> int:
    name = read_bare_board(source).name
    if json:
        print_json({"board": name, "closed_way": None})
    else:
        print(f"there is no closed way through all cells of {name!r:.60}")
    return NO


def _say(files: list[str], said: dict[str, Any], json: bool) -> int:
    if json:
        print_json({"files": files, **said})
    else:
        moves = (
            f": {counted(said['length'], 'move')}{', shortest' if said['optimal'] else ''}" if said else ""
        )
        print("\n".join(files) + moves)
    return DONE


def _bed(text: str) -> tuple[float, float]:
    wide, _, deep = text.lower().partition("x")
    try:
        return float(wide), float(deep or wide)
    except ValueError:
        raise NotationError(f"expected a print bed such as 220x220, got {text!r:.40} - at --bed") from None


def _save_solid(asked: _Asked, target: Path) -> list[str]:
    from slidelab.draw.print import solid

    made = solid(asked.puzzle, progress=asked.progress, **asked.print_options)
    return [str(path) for path in made.save(target)]


def _save_film(asked: _Asked, target: Path, seconds: float | None) -> dict[str, Any]:
    solution = _solution(asked)
    solution.animate(target, seconds=seconds, progress=asked.progress, floor=asked.floor, **asked.look)
    return {"length": solution.length, "optimal": solution.optimal}


def _solution(asked: _Asked) -> Solution:
    """The one that was given, or a shortest one from the start."""
    found = asked.document.solution()
    if found is not None and asked.start == found.start:
        return found
    if asked.start is None:
        raise NotationError(
            f"expected --start or --seed to say where {asked.puzzle.text!r:.80} starts, "
            "or a file with a solution"
        )
    painted = None if asked.goal is not None else asked.floor
    return asked.puzzle.solve(asked.start, asked.goal, cells=painted, progress=asked.progress, **asked.way)


def _save_picture(asked: _Asked, show: str, target: Path, width: int | None) -> None:
    if show in CHARTS:
        _save_chart(asked, show, target, width)
    elif show == "solid":
        _save_render(asked, target, width)
    else:
        _PICTURES[show](asked).save(target, width)


def _save_chart(asked: _Asked, show: str, target: Path, width: int | None) -> None:
    from slidelab.draw import chart as charts

    theme = asked.look["theme"]
    if show == "distances":
        found = asked.puzzle.distances(asked.start, progress=asked.progress)
        figure = charts.distribution_chart(found, theme=theme)
    else:
        figure = charts.eccentricities_chart(asked.puzzle.gods_number(progress=asked.progress), theme=theme)
    charts.save_figure(figure, target, width)


def _save_render(asked: _Asked, target: Path, width: int | None) -> None:
    from slidelab.draw.files import check_target, write_bytes
    from slidelab.draw.print import solid

    check_target(target, ("png",))
    made = solid(asked.puzzle, progress=asked.progress, **asked.print_options)
    here, wide = asked.start or asked.goal, 1200 if width is None else width
    write_bytes(target, made.render(here, width=wide, theme=asked.look["theme"]))


def _board_picture(show: str, source: str, theme: str, size: float | None) -> Picture | None:
    """The board alone, and what is to be seen on it; None if that is a closed way and there is none."""
    from slidelab import boards
    from slidelab.budget import Budget
    from slidelab.draw.picture import draw

    board = read_bare_board(source)
    more: dict[str, Any] = {}
    if show == "closed-way":
        with showing_progress():
            found = boards.find_cycle(board, budget=Budget.of(time=MOST_SECONDS))
        if found is None:
            return None
        more["way"] = found.cells
    elif show != "board":
        cells = boards.tight_corners(board) if show == "tight-corners" else boards.cut_cells(board)
        said = show.replace("-", " ")
        more = {"groups": {said: cells}} if cells else {"caption": f"no {said}"}
    return draw(board, theme=theme, size=size, **more)


def _position(asked: _Asked) -> Picture:
    from slidelab.draw.picture import draw

    return draw(asked.here, floor=asked.floor, **asked.look)


def _moves(asked: _Asked) -> Picture:
    from slidelab.draw.picture import draw

    caption = "" if len(asked.here.moves) else "no move can be made"
    return draw(asked.here, moves=asked.here.moves, caption=caption, **asked.look)


def _story(asked: _Asked) -> Picture:
    from slidelab.draw.picture import storyboard

    return storyboard(_solution(asked), floor=asked.floor, **asked.look)


def _orbits(asked: _Asked) -> Picture:
    from slidelab.draw.picture import draw, orbit_cells

    puzzle = asked.puzzle.uncoloured
    return draw(puzzle, groups=orbit_cells(puzzle), **asked.look)


def _graph(layout: str) -> Callable[[_Asked], Picture]:
    def picture(asked: _Asked) -> Picture:
        from slidelab.draw.graph import puzzle_graph_picture

        return puzzle_graph_picture(asked.here, layout=layout, theme=asked.look["theme"], **asked.limit)

    return picture


def _gain_graph(asked: _Asked) -> Picture:
    from slidelab.draw.graph import gain_graph_picture

    return gain_graph_picture(asked.puzzle, theme=asked.look["theme"], **asked.limit)


_PICTURES: dict[str, Callable[[_Asked], Picture]] = {
    "position": _position,
    "moves": _moves,
    "story": _story,
    "orbits": _orbits,
    "graph": _graph("force"),
    "layers": _graph("layers"),
    "gain-graph": _gain_graph,
}
