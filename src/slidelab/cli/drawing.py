"""Pictures, films and printable puzzles: `draw`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from slidelab.cli.app import DONE, BoardText, Colours, Holes, Json, Rule, Seed, Start, app
from slidelab.cli.asking import read_question, read_source
from slidelab.cli.telling import many, print_json, showing_progress
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.draw.scene import Picture
    from slidelab.gains import Progress
    from slidelab.puzzles import Configuration, Puzzle
    from slidelab.solutions import Solution

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


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be drawn, and how."""

    source: str
    puzzle: Puzzle
    start: Configuration | None
    goal: Configuration | None
    theme: str
    size: float | None
    limit: int
    print_options: dict[str, Any]
    progress: Progress | None

    @property
    def here(self) -> Configuration:
        return self.start or self.goal or self.puzzle.goal


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
    size: Annotated[float | None, Parameter(help="width of a cell in pixels")] = None,
    width: Annotated[int | None, Parameter(help="width of a PNG in pixels")] = None,
    seconds: Annotated[float | None, Parameter(name="--seconds", help="films: seconds a move")] = None,
    limit: Annotated[int, Parameter(help="most configurations of a puzzle graph")] = 2000,
    cell: Annotated[float, Parameter(help="stl, 3mf: width of a cell in mm")] = 24.0,
    clearance: Annotated[float, Parameter(help="stl, 3mf: play between pieces in mm")] = 0.4,
    numbers: Annotated[str, Parameter(help="stl, 3mf: raised, sunk or none")] = "raised",
    bed: Annotated[str, Parameter(help="stl, 3mf: print bed in mm")] = "220x220",
    json: Json = False,
) -> int:
    """Draw a puzzle, film a solution, or make a puzzle to be printed in 3D: the file's ending says which.

    Films (gif, apng, mp4, html) show the solution that BOARD holds (a file or - from 'slidelab solve
    --json'), or a shortest one from --start or --seed.
    """
    from slidelab.draw.saving import ANIMATIONS, PICTURES, SOLIDS, check_target, ending

    if output is None:
        raise NotationError("expected a file to write, such as -o puzzle.svg, got none")
    target = check_target(output, (*PICTURES, *ANIMATIONS, *SOLIDS))
    kind = ending(target)
    if show is not None and show not in SHOWS:
        raise NotationError(f"expected something to show ({', '.join(SHOWS)}), got {show!r:.40} - at --show")
    if show is not None and kind not in PICTURES:
        raise NotationError(f"expected --show with .svg, .png or .pdf, got .{kind}")
    source = read_source(board)
    puzzle, first, last = read_question(source, rule, holes, colours, start, goal)
    if seed is not None:
        if start is not None:
            raise NotationError("expected --start or --seed, got both")
        first = puzzle.shuffle(seed, last)
    options = {"cell": cell, "clearance": clearance, "numbers": numbers, "bed": _bed(bed)}
    with showing_progress() as progress:
        asked = _Asked(source, puzzle, first, last, theme, size, limit, options, progress)
        files, said = [str(target)], {}
        if kind in SOLIDS:
            files = _save_solid(asked, target)
        elif kind in ANIMATIONS:
            said = _save_film(asked, target, seconds)
        else:
            _save_picture(asked, show or "position", target, width)
    if json:
        print_json({"files": files, **said})
    else:
        moves = f": {many(said['length'], 'move')}{', shortest' if said['optimal'] else ''}" if said else ""
        print("\n".join(files) + moves)
    return DONE


def _bed(text: str) -> tuple[float, float]:
    wide, _, deep = text.lower().partition("x")
    try:
        return float(wide), float(deep or wide)
    except ValueError:
        raise NotationError(f"expected a print bed such as 220x220, got {text!r:.40} - at --bed") from None


def _save_solid(asked: _Asked, target: Path) -> list[str]:
    from slidelab.draw.solid import solid

    made = solid(asked.puzzle, progress=asked.progress, **asked.print_options)
    return [str(path) for path in made.save(target)]


def _save_film(asked: _Asked, target: Path, seconds: float | None) -> dict[str, Any]:
    solution = _solution(asked)
    pace = {} if seconds is None else {"seconds": seconds}
    solution.animate(target, theme=asked.theme, size=asked.size, progress=asked.progress, **pace)
    return {"length": solution.length, "optimal": solution.optimal}


def _solution(asked: _Asked) -> Solution:
    """The one that was given, or a shortest one from the start."""
    from slidelab.notation import given_solution

    found = given_solution(asked.puzzle, asked.source)
    if found is not None and asked.start in (None, found.start):
        return found
    if asked.start is None:
        raise NotationError(
            f"expected --start or --seed to say where {asked.puzzle.text!r:.80} starts, "
            "or a file with a solution"
        )
    return asked.puzzle.solve(asked.start, asked.goal, progress=asked.progress)


def _save_picture(asked: _Asked, show: str, target: Path, width: int | None) -> None:
    if show in ("distances", "eccentricities"):
        _save_chart(asked, show, target)
    elif show == "solid":
        _save_render(asked, target, width)
    else:
        _PICTURES[show](asked).save(target, width)


def _save_chart(asked: _Asked, show: str, target: Path) -> None:
    from slidelab.draw import charts

    if show == "distances":
        found = asked.puzzle.distances(asked.start, progress=asked.progress)
        figure = charts.distribution_chart(found, theme=asked.theme)
    else:
        figure = charts.eccentricities_chart(
            asked.puzzle.gods_number(progress=asked.progress), theme=asked.theme
        )
    charts.save_figure(figure, target)


def _save_render(asked: _Asked, target: Path, width: int | None) -> None:
    from slidelab.draw.saving import check_target, write_bytes
    from slidelab.draw.solid import solid

    check_target(target, ("png",))
    made = solid(asked.puzzle, progress=asked.progress, **asked.print_options)
    write_bytes(target, made.render(asked.start or asked.goal, width=width or 1200, theme=asked.theme))


def _position(asked: _Asked) -> Picture:
    from slidelab.draw.svg import draw
    from slidelab.notation import given_cells

    floor = given_cells(asked.source)
    return draw(asked.here, theme=asked.theme, size=asked.size, floor=floor)


def _moves(asked: _Asked) -> Picture:
    from slidelab.draw.svg import draw

    return draw(asked.here, theme=asked.theme, size=asked.size, moves=asked.here.moves)


def _story(asked: _Asked) -> Picture:
    from slidelab.draw.svg import storyboard

    return storyboard(_solution(asked), theme=asked.theme, size=asked.size or 40.0)


def _board(asked: _Asked, groups: dict[str, Any] | None = None, caption: str = "") -> Picture:
    from slidelab.draw.svg import draw

    return draw(asked.puzzle.board, theme=asked.theme, size=asked.size, groups=groups, caption=caption)


def _marked(name: str) -> Callable[[_Asked], Picture]:
    """The board with the cells that a function of the boards' room finds."""

    def picture(asked: _Asked) -> Picture:
        from slidelab import boards

        found = getattr(boards, name)(asked.puzzle.board)
        said = name.replace("_", " ")
        return _board(asked, {said: found}) if found else _board(asked, caption=f"no {said}")

    return picture


def _closed_way(asked: _Asked) -> Picture:
    from slidelab.boards import find_cycle
    from slidelab.draw.svg import draw
    from slidelab.errors import Unsolvable

    found = find_cycle(asked.puzzle.board)
    if found is None:
        raise Unsolvable(f"there is no closed way through all cells of {asked.puzzle.board.name!r:.60}")
    return draw(asked.puzzle.board, theme=asked.theme, size=asked.size, way=found.cells)


def _orbits(asked: _Asked) -> Picture:
    from slidelab.draw.svg import draw, orbit_cells

    puzzle = asked.puzzle.uncoloured
    return draw(puzzle, theme=asked.theme, size=asked.size, groups=orbit_cells(puzzle))


def _graph(layout: str) -> Callable[[_Asked], Picture]:
    def picture(asked: _Asked) -> Picture:
        from slidelab.draw.graphs import puzzle_graph_picture

        return puzzle_graph_picture(asked.here, layout=layout, theme=asked.theme, limit=asked.limit)

    return picture


def _gain_graph(asked: _Asked) -> Picture:
    from slidelab.draw.graphs import gain_graph_picture

    return gain_graph_picture(asked.puzzle, theme=asked.theme)


_PICTURES: dict[str, Callable[[_Asked], Picture]] = {
    "position": _position,
    "board": _board,
    "moves": _moves,
    "story": _story,
    "tight-corners": _marked("tight_corners"),
    "cut-cells": _marked("cut_cells"),
    "closed-way": _closed_way,
    "orbits": _orbits,
    "graph": _graph("force"),
    "layers": _graph("layers"),
    "gain-graph": _gain_graph,
}
