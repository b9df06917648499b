"""A self-contained HTML page that plays a solution.

The page holds the board as SVG with all pieces at the start, and as data the centre of each cell and the
distinct *motions* of the solution: cells before, cells after, and the curve between them. Long solutions
repeat few motions, so a move is the number of its motion; the piece follows from the replay. The script in
``player.html`` positions the parts of a piece like `slidelab.draw.picture.pieces.place_parts`, along curves
like those of `slidelab.draw.picture.motions.Motion.at`.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from slidelab.draw.film.frames import timing
from slidelab.draw.marks import format_number, shared_paths, shared_paths_svg
from slidelab.draw.picture.board import cell_size, floor_colours, lay_out_configuration
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.motions import Motion, motion, track_moves
from slidelab.draw.picture.pieces import Part, all_parts, place_parts
from slidelab.draw.theme import DARK, LIGHT, Theme, get_theme, luminance, mix
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import counted
from slidelab.puzzles import Configuration, Move, Puzzle, Solution, is_number
from slidelab.rules import Cells

__all__ = ["MAX_CELLS", "MAX_MOVES", "player_html"]

MAX_MOVES = 200_000
"""Number of moves of the longest solution; its page has a few MB."""

MAX_CELLS = 10_000
"""Number of cells of the largest board; more make the browser slow."""

MAX_THEMED_PIECES = 1_000
"""Number of pieces up to which the page has both a light and a dark theme, which takes a second drawing."""

MAX_PASSAGES = 20_000
"""Number of explanations in a page; the deepest ones are left out above it."""

MAX_PASSAGE_LENGTH = 300
"""Characters of an explanation that the page shows."""

MAX_TITLE_LENGTH = 160
"""Characters of the title that the page shows."""

MOVE_SECONDS = 0.65
"""Seconds from one move to the next at normal speed if not given."""

MAX_CELL_SIZE = 104.0
"""Largest width of a cell in pixels on a large screen if no size is given."""

TEMPLATE = Path(__file__).parent / "player.html"

_VERBS = {"slide": "slides", "turn": "turns", "pivot": "pivots", "sharp turn": "turns sharply"}
_COLOUR = re.compile(r'(?<==")#[0-9a-f]{6}(?=")')


def player_html(
    solution: Solution,
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    title: str | None = None,
    seconds: float | None = None,
    floor: Sequence[str] | None = None,
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
    if solution.puzzle.board.size > MAX_CELLS:
        cells = solution.puzzle.board.size
        raise TooLarge(f"expected a board of at most {MAX_CELLS:,} cells for a player, got {cells:,}")
    timing(1, seconds)
    theme = get_theme(theme)
    start = lay_out_configuration(solution.start)
    board = start.puzzle.board
    canvas = Canvas(board, theme, cell_size(board, size))
    growth = 1.0 if size is not None else max(1.0, MAX_CELL_SIZE / canvas.size)
    other = _other_theme(theme) if start.puzzle.piece_count <= MAX_THEMED_PIECES else None
    parts = all_parts(start.puzzle, theme, canvas.size, words=floor or ())
    drawing, styles = _themed_drawing(start, canvas, parts, other, floor)
    return _fill_template(
        {
            "title": escape(_title(solution, title)),
            "summary": escape(_summary(solution)),
            "theme": escape(theme.name),
            "other": other.name if other else "",
            "styles": styles,
            "width": format_number(canvas.width),
            "height": format_number(canvas.height),
            "max_width": format_number(canvas.width * growth),
            "max_height": format_number(canvas.height * growth),
            "drawing": drawing,
            "moves": str(solution.length),
            "data": _script_safe(
                {**_data(solution, start, canvas, parts), "beat": 1000 * (seconds or MOVE_SECONDS)}
            ),
            "script": _script_digest(),
        }
    )


@lru_cache(maxsize=1)
def _template() -> str:
    return TEMPLATE.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _script_digest() -> str:
    """Return the digest by which the page's content security policy allows its one script."""
    script = _template().rpartition("<script>")[2].partition("</script>")[0]
    return b64encode(sha256(script.encode()).digest()).decode()


def _fill_template(values: dict[str, str]) -> str:
    """Replace all placeholders at once, so that inserted values are never searched for placeholders."""
    return re.sub(r"@@(\w+)@@", lambda match: values[match[1]], _template())


def _title(solution: Solution, title: str | None) -> str:
    if title is not None and not isinstance(title, str):
        raise NotationError(f"expected a text for the title, got {type(title).__name__}")
    text = solution.puzzle.uncoloured.text if title is None else title
    text = text.encode("utf-8", "replace").decode()  # lone surrogates cannot be written
    return text if len(text) <= MAX_TITLE_LENGTH else f"{text[: MAX_TITLE_LENGTH - 3]}..."


def _summary(solution: Solution) -> str:
    moves = counted(solution.length, "move")
    return f"{moves}, the fewest possible" if solution.optimal and solution.metric == "single" else moves


def _script_safe(data: dict[str, Any]) -> str:
    r"""Return JSON without characters that could end the script element.

    >>> _script_safe({"name": "</script>&"})
    '{"name":"\\u003c/script\\u003e\\u0026"}'
    """
    text = json.dumps(data, separators=(",", ":"))  # ASCII: line separators are escaped
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _other_theme(theme: Theme) -> Theme | None:
    """Return the theme to which the page can switch."""
    return DARK if theme == LIGHT else LIGHT if theme == DARK else None


def _themed_drawing(
    start: Configuration,
    canvas: Canvas,
    parts: Sequence[Sequence[Part]],
    other: Theme | None,
    floor: Sequence[str] | None,
) -> tuple[str, str]:
    """Return the SVG of board and pieces, and the style sheet with its colours.

    The light and the dark drawing differ in their colours only. So the page holds one drawing whose colours
    are variables, and two lists of their values. Other themes cannot be switched.
    """
    theme, drawing = canvas.theme, _drawing(start, canvas, parts, floor)
    if other is None:
        return drawing, _style(":root", theme, {})
    other_canvas = Canvas(canvas.board, other, canvas.size)
    other_parts = all_parts(start.puzzle, other, canvas.size, words=floor or ())
    other_drawing = _drawing(start, other_canvas, other_parts, floor)
    pairs = list(zip(_COLOUR.findall(drawing), _COLOUR.findall(other_drawing), strict=True))
    names = {pair: f"--c{k}" for k, pair in enumerate(dict.fromkeys(pairs))}
    next_pair = iter(pairs)
    drawing = _COLOUR.sub(lambda _: f"var({names[next(next_pair)]})", drawing)
    own_style = _style(":root", theme, {name: pair[0] for pair, name in names.items()})
    selector = f':root[data-theme="{other.name}"]'
    other_style = _style(selector, other, {name: pair[1] for pair, name in names.items()})
    return drawing, f"{own_style}\n{other_style}"


def _style(selector: str, theme: Theme, more: dict[str, str]) -> str:
    colours = {
        "--paper": theme.paper,
        "--ink": theme.ink,
        "--quiet": mix(theme.ink, theme.paper, 0.32),
        "--faint": theme.faint,
        "--strong": theme.edge,
        **more,
    }
    scheme = "dark" if luminance(theme.paper) < 0.2 else "light"
    return f"{selector}{{color-scheme:{scheme};{';'.join(f'{k}:{v}' for k, v in colours.items())}}}"


def _drawing(
    start: Configuration, canvas: Canvas, parts: Sequence[Sequence[Part]], floor: Sequence[str] | None
) -> str:
    """Return the SVG of the board and of each piece, in a group at its first cell."""
    board = [*canvas.tray(), *canvas.wells(floor_colours(start, floor, canvas.theme), {})]
    pieces = []
    names = _names(start.puzzle)
    for number, (name, own, cells) in enumerate(zip(names, parts, start.pieces, strict=True), 1):
        points = [canvas.centre(cell) for cell in cells]
        x, y = points[0]
        relative = [(px - x, py - y) for px, py in points]
        group = place_parts(own, relative, canvas.size, name, element_id=f"p{number}")
        pieces.append(replace(group, x=x, y=y))
    shared = shared_paths([*board, *pieces])
    return "\n".join(
        [
            shared_paths_svg(shared),
            '<g id="board">',
            *(item.svg(shared) for item in board),
            '</g>\n<g id="pieces">',
            *(piece.svg(shared).replace("<g", '<g class="piece"', 1) for piece in pieces),
            "</g>",
        ]
    )


def _names(puzzle: Puzzle) -> list[str]:
    """Return names such as "tile 5" or, with colours, "red-blue gourd"."""
    piece = puzzle.rule.piece
    if puzzle.colours is None:
        return [f"{piece} {number + 1}" for number in range(puzzle.piece_count)]
    texts = ["-".join(dict.fromkeys(labels)) for labels in puzzle.colours]
    return [
        f"{piece} {text}" if all(map(is_number, labels)) else f"{text} {piece}"
        for text, labels in zip(texts, puzzle.colours, strict=True)
    ]


def _data(
    solution: Solution, start: Configuration, canvas: Canvas, parts: Sequence[Sequence[Part]]
) -> dict[str, Any]:
    """Return the data for the script; lengths are in pixels."""
    motions, moves = _motions(start, solution.moves, canvas)
    assemblies: dict[tuple[tuple[int, int, float], ...], int] = {}
    assembly_of = [assemblies.setdefault(_assembly(own), len(assemblies)) for own in parts]
    return {
        "unit": canvas.size,
        "cellsPerPiece": start.puzzle.rule.cells,
        "cells": [_round(x) for cell in range(canvas.board.size) for x in canvas.centre(cell)],
        "names": _names(start.puzzle),
        "start": [cell for cells in start.pieces for cell in cells],
        "assemblies": list(assemblies),
        "assemblyOf": assembly_of,
        "verbs": [*_VERBS.values(), "goes"],
        "motions": motions,
        "moves": moves,
        "passages": _passages(solution),
    }


def _passages(solution: Solution) -> list[list[Any]]:
    """Return the explanations of the moves, deeper ones later."""
    passages = [passage for passage in solution.passages if passage.first < passage.last]
    while len(passages) > MAX_PASSAGES:
        deepest = max(passage.depth for passage in passages)
        passages = [passage for passage in passages if passage.depth < deepest]
    passages.sort(key=lambda passage: (passage.depth, passage.first))
    return [[passage.first, passage.last, passage.text[:MAX_PASSAGE_LENGTH]] for passage in passages]


def _assembly(parts: Sequence[Part]) -> tuple[tuple[int, int, float], ...]:
    """Return for each part of a piece its cell, the cell it points to (-1 for none) and its drop."""
    return tuple((part.cell, -1 if part.toward is None else part.toward, _round(part.drop)) for part in parts)


def _round(value: float, decimals: int = 2) -> float | int:
    rounded = round(value, decimals)
    return int(rounded) if rounded == int(rounded) else rounded


def _motions(
    start: Configuration, moves: Sequence[Move], canvas: Canvas
) -> tuple[list[list[float]], list[int]]:
    """Return the distinct motions of the moves, and for each move the number of its motion."""
    numbers: dict[tuple[Cells, Cells, Cells], int] = {}
    motions: list[list[float]] = []
    number_of: list[int] = []
    for _, before, after, holes in track_moves(start, moves):
        number = numbers.setdefault((before, after, holes), len(motions))
        if number == len(motions):
            curve = _curve(motion(canvas.board, start.puzzle.rule, before, after, holes), canvas)
            motions.append([_verb(start.puzzle, before, after), *before, *after, *curve])
        number_of.append(number)
    return motions, number_of


def _verb(puzzle: Puzzle, before: Cells, after: Cells) -> int:
    """Return the number of the verb for a step; moves that were read from a text do not name their kind."""
    kinds = (step.kind for step in puzzle.rule.steps(puzzle.board, before) if step.after == after)
    kind = next(kinds, "")
    return list(_VERBS).index(kind) if kind in _VERBS else len(_VERBS)


def _curve(motion: Motion, canvas: Canvas) -> list[float]:
    """Return the curve of a motion: nothing, a midpoint, centre and angle, or these and the swinging cell."""
    if motion.via is not None:
        return [_round(x) for x in canvas.to_pixels(motion.via)]
    if motion.centre is None:
        return []
    rotation = [*(_round(x, 3) for x in canvas.to_pixels(motion.centre)), round(motion.angle, 6)]
    return rotation if motion.swings is None else [*rotation, motion.swings]
