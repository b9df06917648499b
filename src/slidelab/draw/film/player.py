"""A solution as one HTML page that plays it: no server, and nothing that is not in the file.

The page holds the board as SVG with all pieces where they start, and as data where each cell is and which
*way* each move takes. A way is a place before, a place after and the motion between them. A long solution
goes the same few ways again and again, so that a move is but the number of its way: which piece goes there
follows from where the pieces lie. The script in ``player.html`` moves the parts of a piece as
`slidelab.draw.picture.pieces.placed` does, along the ways of `slidelab.draw.picture.motions.Motion.at`.
"""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from slidelab.draw.files import check_target, write_bytes
from slidelab.draw.film.animation import timing
from slidelab.draw.picture.board import cell_size, floor_colours, prepared
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.motions import Motion, followed, motion
from slidelab.draw.picture.pieces import Part, looks, piece_parts, placed
from slidelab.draw.scene import number_text, outlines_svg, shared_outlines
from slidelab.draw.theme import DARK, LIGHT, Theme, lightness, mix
from slidelab.draw.theme import theme as theme_named
from slidelab.errors import NotationError, TooLarge
from slidelab.puzzles import Configuration, Move, Puzzle, Solution, is_number
from slidelab.rules import Cells

__all__ = ["MAX_CELLS", "MAX_MOVES", "player_html", "save_player"]

MAX_MOVES = 200_000
MAX_CELLS = 10_000
SWITCHED = 1_000
"""With more pieces than that there is but one theme: the picture of all their numbers is the work."""
MOST_PASSAGES = 20_000
BEAT = 0.65
"""Seconds from one move to the next."""
LARGEST_CELL = 104.0
"""How wide a cell may get on a large screen if nobody asked for a size."""
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
    """A page that plays the solution: play and pause, step, scrub, speed.

    Parameters
    ----------
    theme : str or Theme
        ``"light"``, ``"dark"`` or ``"print"``. A page that is light or dark has a button for the other.
    size : float, optional
        The width of a cell in pixels, where the window has room for it.
    title : str, optional
        What stands above the board; the puzzle's text if not given.
    seconds : float, optional
        From one move to the next at normal speed, at most a minute.
    floor : sequence of words, optional
        The colour of every cell of the board, ``.`` for none: where coloured pieces are to go.

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
    look = theme_named(theme)
    start = prepared(solution.start)
    board = start.puzzle.board
    canvas = Canvas(board, look, cell_size(board, size))
    grows = 1.0 if size is not None else max(1.0, LARGEST_CELL / canvas.size)
    other = _other(look) if start.puzzle.piece_count <= SWITCHED else None
    parts = _parts(start.puzzle, canvas, floor)
    drawing, styles = _in_both_lights(start, canvas, parts, other, floor)
    return _filled(
        {
            "title": escape(_title(solution, title)),
            "about": escape(_about(solution)),
            "theme": escape(look.name),
            "other": other.name if other else "",
            "styles": styles,
            "width": number_text(canvas.width),
            "height": number_text(canvas.height),
            "widest": number_text(canvas.width * grows),
            "highest": number_text(canvas.height * grows),
            "drawing": drawing,
            "moves": str(solution.length),
            "data": _script_safe({**_data(solution, start, canvas, parts), "beat": 1000 * (seconds or BEAT)}),
            "script": _digest(),
        }
    )


def save_player(
    solution: Solution,
    path: str | os.PathLike[str],
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    title: str | None = None,
    seconds: float | None = None,
    floor: Sequence[str] | None = None,
) -> None:
    """Write the page of `player_html`; the name must end in .html.

    >>> import slidelab as sl
    >>> save_player(sl.puzzle("square R(2,2)").solve("3 1 / . 2"), "solution.txt")
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: expected a file name that ends in .html, got 'solution.txt'
    """
    target = check_target(path, ("html",))
    write_bytes(
        target,
        player_html(solution, theme=theme, size=size, title=title, seconds=seconds, floor=floor).encode(),
    )


@lru_cache(maxsize=1)
def _template() -> str:
    return TEMPLATE.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _digest() -> str:
    """What the page's policy knows its one script by: no other is run."""
    script = _template().rpartition("<script>")[2].partition("</script>")[0]
    return b64encode(sha256(script.encode()).digest()).decode()


def _filled(values: dict[str, str]) -> str:
    """The template with its places filled, all at once: what is put in is never looked through."""
    return re.sub(r"@@(\w+)@@", lambda place: values[place[1]], _template())


def _title(solution: Solution, title: str | None) -> str:
    if title is not None and not isinstance(title, str):
        raise NotationError(f"expected a text for the title, got {type(title).__name__}")
    text = solution.puzzle.uncoloured.text if title is None else title
    text = text.encode("utf-8", "replace").decode()  # half of a pair of surrogates can't be written
    return text if len(text) <= 160 else f"{text[:157]}..."


def _about(solution: Solution) -> str:
    moves = f"{solution.length:,} move{'s'[: solution.length != 1]}"
    return f"{moves}, the fewest possible" if solution.optimal and solution.metric == "single" else moves


def _script_safe(data: dict[str, Any]) -> str:
    """JSON that can stand in a script element: nothing in it ends the element, or a line.

    >>> _script_safe({"name": "</script>&"})
    '{"name":"\\\\u003c/script\\\\u003e\\\\u0026"}'
    """
    text = json.dumps(data, separators=(",", ":"))  # ASCII: U+2028 and its like are written as \\u2028
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _other(look: Theme) -> Theme | None:
    """The theme to which the page can switch."""
    return DARK if look == LIGHT else LIGHT if look == DARK else None


def _in_both_lights(
    start: Configuration,
    canvas: Canvas,
    parts: Sequence[Sequence[Part]],
    other: Theme | None,
    floor: Sequence[str] | None,
) -> tuple[str, str]:
    """The SVG of board and pieces, and the style sheet with its colours.

    The light and the dark picture differ in their colours alone. So the page holds one picture, its colours
    variables, and two lists of what these stand for. Any other theme stays alone.
    """
    look, drawing = canvas.theme, _drawing(start, canvas, parts, floor)
    if other is None:
        return drawing, _style(":root", look, {})
    sheet = Canvas(canvas.board, other, canvas.size)
    twin = _drawing(start, sheet, _parts(start.puzzle, sheet, floor), floor)
    pairs = list(zip(_COLOUR.findall(drawing), _COLOUR.findall(twin), strict=True))
    names = {pair: f"--c{k}" for k, pair in enumerate(dict.fromkeys(pairs))}
    following = iter(pairs)
    drawing = _COLOUR.sub(lambda _: f"var({names[next(following)]})", drawing)
    own = _style(":root", look, {name: pair[0] for pair, name in names.items()})
    others = _style(
        f':root[data-theme="{other.name}"]', other, {name: pair[1] for pair, name in names.items()}
    )
    return drawing, f"{own}\n{others}"


def _style(where: str, look: Theme, more: dict[str, str]) -> str:
    colours = {
        "--paper": look.paper,
        "--ink": look.ink,
        "--quiet": mix(look.ink, look.paper, 0.32),
        "--faint": look.faint,
        "--strong": look.edge,
        **more,
    }
    scheme = "dark" if lightness(look.paper) < 0.2 else "light"
    return f"{where}{{color-scheme:{scheme};{';'.join(f'{k}:{v}' for k, v in colours.items())}}}"


def _drawing(
    start: Configuration, canvas: Canvas, parts: Sequence[Sequence[Part]], floor: Sequence[str] | None
) -> str:
    """The board, and each piece in a group at the place of its first cell."""
    board = [*canvas.tray(), *canvas.wells(floor_colours(start, floor, canvas.theme), {})]
    pieces = []
    names = _names(start.puzzle)
    for number, (name, own, cells) in enumerate(zip(names, parts, start.pieces, strict=True), 1):
        points = [canvas.cell(cell) for cell in cells]
        x, y = points[0]
        around = [(px - x, py - y) for px, py in points]
        pieces.append(replace(placed(own, around, canvas.size, name, key=f"p{number}"), x=x, y=y))
    shared = shared_outlines([*board, *pieces])
    return "\n".join(
        [
            outlines_svg(shared),
            '<g id="board">',
            *(item.svg(shared) for item in board),
            '</g>\n<g id="pieces">',
            *(piece.svg(shared).replace("<g", '<g class="piece"', 1) for piece in pieces),
            "</g>",
        ]
    )


def _parts(puzzle: Puzzle, canvas: Canvas, floor: Sequence[str] | None) -> list[list[Part]]:
    listed = looks(puzzle, canvas.theme, words=floor or ())
    return [piece_parts(puzzle, look, canvas.theme, canvas.size) for look in listed]


def _names(puzzle: Puzzle) -> list[str]:
    """What the pieces are called: "tile 5", or by colours "red tile" and "red-blue gourd"."""
    piece = puzzle.rule.piece
    if puzzle.colours is None:
        return [f"{piece} {number + 1}" for number in range(puzzle.piece_count)]
    out = []
    for labels in puzzle.colours:
        text = "-".join(dict.fromkeys(labels))
        out.append(f"{piece} {text}" if all(map(is_number, labels)) else f"{text} {piece}")
    return out


def _data(
    solution: Solution, start: Configuration, canvas: Canvas, parts: Sequence[Sequence[Part]]
) -> dict[str, Any]:
    """All that the script needs, in pixels and short."""
    ways, moves = _ways(start, solution.moves, canvas)
    patterns: dict[tuple[tuple[int, int, float], ...], int] = {}
    wears = [patterns.setdefault(_pattern(own), len(patterns)) for own in parts]
    return {
        "unit": canvas.size,
        "width": start.puzzle.rule.cells,
        "cells": [_short(at) for cell in range(canvas.board.size) for at in canvas.cell(cell)],
        "names": _names(start.puzzle),
        "start": [cell for cells in start.pieces for cell in cells],
        "parts": list(patterns),
        "wears": wears,
        "verbs": [*_VERBS.values(), "goes"],
        "ways": ways,
        "moves": moves,
        "passages": _passages(solution),
    }


def _passages(solution: Solution) -> list[list[Any]]:
    """What the moves are for, part by part, deeper parts later; not all depths if there are very many."""
    found = [passage for passage in solution.passages if passage.first < passage.last]
    while len(found) > MOST_PASSAGES:
        deepest = max(passage.depth for passage in found)
        found = [passage for passage in found if passage.depth < deepest]
    return [[p.first, p.last, p.text[:300]] for p in sorted(found, key=lambda p: (p.depth, p.first))]


def _pattern(parts: Sequence[Part]) -> tuple[tuple[int, int, float], ...]:
    """Where the parts of a piece go: at which cell, toward which (-1: none), how far below."""
    return tuple((part.at, -1 if part.toward is None else part.toward, _short(part.drop)) for part in parts)


def _short(value: float, decimals: int = 2) -> float | int:
    rounded = round(value, decimals)
    return int(rounded) if rounded == int(rounded) else rounded


def _ways(start: Configuration, moves: Sequence[Move], canvas: Canvas) -> tuple[list[list[float]], list[int]]:
    """The ways that the moves take, each once, and for each move the number of its way."""
    board, rule = canvas.board, start.puzzle.rule
    numbers: dict[tuple[Cells, Cells, Cells], int] = {}
    ways: list[list[float]] = []
    listed: list[int] = []
    for _, before, after, holes in followed(start, moves):
        number = numbers.get((before, after, holes))
        if number is None:
            number = numbers[before, after, holes] = len(ways)
            way = motion(board, rule, before, after, holes)
            ways.append([_verb(start.puzzle, before, after), *before, *after, *_bend(way, canvas)])
        listed.append(number)
    return ways, listed


def _verb(puzzle: Puzzle, before: Cells, after: Cells) -> int:
    """What the piece does, by the rule: a move that was read from a text does not say."""
    kinds = (step.kind for step in puzzle.rule.steps(puzzle.board, before) if step.after == after)
    kind = next(kinds, "")
    return list(_VERBS).index(kind) if kind in _VERBS else len(_VERBS)


def _bend(way: Motion, canvas: Canvas) -> list[float]:
    """What makes a way other than straight; the script knows the kind by how many numbers there are."""
    if way.via is not None:
        return [_short(at) for at in canvas.at(way.via)]
    if way.centre is None:
        return []
    turn = [*(_short(at, 3) for at in canvas.at(way.centre)), round(way.angle, 6)]
    return turn if way.swings is None else [*turn, way.swings]
