"""The board and its pieces as SVG for a page whose script moves the pieces.

The script positions the parts of a piece like `slidelab.draw.picture.pieces.place_parts`, along curves like
those of `slidelab.draw.picture.motions.Motion.at`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any

from slidelab.draw.marks import definitions_svg, format_number, shared_paths
from slidelab.draw.picture.board import cell_size, floor_colours, lay_out_configuration
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.motions import motion
from slidelab.draw.picture.photo import ImageSource, Photograph
from slidelab.draw.picture.pieces import Part, all_parts, place_parts
from slidelab.draw.theme import DARK, LIGHT, Theme, get_theme, luminance, mix
from slidelab.errors import TooLarge
from slidelab.puzzles import Configuration, Puzzle, is_number
from slidelab.rules import Cells

__all__ = ["BoardDrawing", "VERBS", "check_cells", "piece_names", "round_number", "verb_number"]

MAX_CELLS = 10_000
"""Number of cells of the largest board; more make the browser slow."""

MAX_THEMED_PIECES = 1_000
"""Number of pieces up to which a page has both a light and a dark theme, which takes a second drawing."""

MAX_CELL_SIZE = 104.0
"""Largest width of a cell in pixels on a large screen if no size is given."""

VERBS = {"slide": "slides", "turn": "turns", "pivot": "pivots", "sharp turn": "turns sharply"}
"""The verb for each kind of move; others "go"."""

Assembly = tuple[tuple[int, int, float, int], ...]

_COLOUR = re.compile(r'(?<==")#[0-9a-f]{6}(?=")')


def check_cells(puzzle: Puzzle, page: str) -> None:
    """Raise `TooLarge` if the board of a puzzle has too many cells for a page."""
    if puzzle.board.size > MAX_CELLS:
        raise TooLarge(
            f"expected a board of at most {MAX_CELLS:,} cells for {page}, got {puzzle.board.size:,}"
        )


@dataclass(frozen=True)
class BoardDrawing:
    """The drawing of a configuration, the style sheet with its colours, and the data for the script.

    Attributes
    ----------
    start
        The configuration, whose board has positions for drawing.
    canvas
        The drawing area.
    floor
        The colour of each cell of the board, or None.
    growth
        By how much the drawing may be enlarged on a large screen.
    labels
        Whether pieces have their number or letters; None if they have without photos.
    photos
        Parts of each piece that show a photograph, or None.
    """

    start: Configuration
    canvas: Canvas
    floor: Sequence[str] | None
    growth: float
    labels: bool | None = None
    photos: Sequence[Sequence[Part]] | None = None

    @classmethod
    def of(
        cls,
        start: Configuration,
        theme: str | Theme = "light",
        size: float | None = None,
        floor: Sequence[str] | None = None,
        *,
        labels: bool | None = None,
        image: ImageSource | Photograph | None = None,
        goal: Configuration | None = None,
    ) -> BoardDrawing:
        """Return the drawing of a configuration; the arguments are those of `slidelab.Puzzle.draw`.

        >>> import slidelab as sl
        >>> drawing = BoardDrawing.of(sl.puzzle("square R(2,2)").goal)
        >>> sorted(drawing.values)
        ['drawing', 'height', 'max_height', 'max_width', 'other', 'styles', 'theme', 'width']
        """
        laid_out = lay_out_configuration(start)
        board = laid_out.puzzle.board
        canvas = Canvas(board, get_theme(theme), cell_size(board, size))
        growth = 1.0 if size is not None else max(1.0, MAX_CELL_SIZE / canvas.size)
        photos = None
        if image is not None:
            shown = lay_out_configuration(start.puzzle.goal if goal is None else goal)
            photos = Photograph.read(image).parts(shown, canvas)
        return cls(laid_out, canvas, floor, growth, labels, photos)

    @cached_property
    def values(self) -> dict[str, str]:
        """The values of the placeholders for the drawing."""
        canvas, other = self.canvas, self._other_theme
        drawing, styles = self._themed_drawing()
        return {
            "theme": escape(canvas.theme.name),
            "other": other.name if other else "",
            "styles": styles,
            "width": format_number(canvas.width),
            "height": format_number(canvas.height),
            "max_width": format_number(canvas.width * self.growth),
            "max_height": format_number(canvas.height * self.growth),
            "drawing": drawing,
        }

    @property
    def data(self) -> dict[str, Any]:
        """The data for the script; lengths are in pixels."""
        canvas, puzzle = self.canvas, self.start.puzzle
        assemblies: dict[Assembly, int] = {}
        assembly_of = [assemblies.setdefault(_assembly(own), len(assemblies)) for own in self._parts]
        return {
            "unit": canvas.size,
            "cellsPerPiece": puzzle.rule.cells,
            "cells": [round_number(x) for cell in range(canvas.board.size) for x in canvas.centre(cell)],
            "names": piece_names(puzzle),
            "assemblies": list(assemblies),
            "assemblyOf": assembly_of,
            "verbs": [*VERBS.values(), "goes"],
        }

    def curve(self, before: Cells, after: Cells, holes: Cells) -> list[float]:
        """Return the curve of a motion, in pixels.

        It is empty if straight, or a midpoint, or centre and angle of a rotation, with the only cell that
        rotates if the others stay.
        """
        canvas = self.canvas
        path = motion(canvas.board, self.start.puzzle.rule, before, after, holes)
        if path.via is not None:
            return [round_number(x) for x in canvas.to_pixels(path.via)]
        if path.centre is None:
            return []
        rotation = [*(round_number(x, 3) for x in canvas.to_pixels(path.centre)), round(path.angle, 6)]
        return rotation if path.swings is None else [*rotation, path.swings]

    @cached_property
    def _parts(self) -> list[list[Part]]:
        return self._parts_in(self.canvas.theme)

    def _parts_in(self, theme: Theme) -> list[list[Part]]:
        puzzle, words = self.start.puzzle, self.floor or ()
        return all_parts(puzzle, theme, self.canvas.size, words=words, labels=self.labels, photos=self.photos)

    @cached_property
    def _other_theme(self) -> Theme | None:
        """The theme to which the page can switch."""
        if self.start.puzzle.piece_count > MAX_THEMED_PIECES:
            return None
        theme = self.canvas.theme
        return DARK if theme == LIGHT else LIGHT if theme == DARK else None

    def _themed_drawing(self) -> tuple[str, str]:
        """Return the SVG of board and pieces, and the style sheet with its colours.

        The light and the dark drawing differ in their colours only. So the page holds one drawing whose
        colours are variables, and two lists of their values. Other themes cannot be switched.
        """
        canvas, theme, other = self.canvas, self.canvas.theme, self._other_theme
        drawing = self._drawing(canvas, self._parts)
        if other is None:
            return drawing, _style(":root", theme, {})
        other_drawing = self._drawing(Canvas(canvas.board, other, canvas.size), self._parts_in(other))
        pairs = list(zip(_COLOUR.findall(drawing), _COLOUR.findall(other_drawing), strict=True))
        names = {pair: f"--c{k}" for k, pair in enumerate(dict.fromkeys(pairs))}
        next_pair = iter(pairs)
        drawing = _COLOUR.sub(lambda _: f"var({names[next(next_pair)]})", drawing)
        own_style = _style(":root", theme, {name: pair[0] for pair, name in names.items()})
        selector = f':root[data-theme="{other.name}"]'
        other_style = _style(selector, other, {name: pair[1] for pair, name in names.items()})
        return drawing, f"{own_style}\n{other_style}"

    def _drawing(self, canvas: Canvas, parts: Sequence[Sequence[Part]]) -> str:
        """Return the SVG of the board and of each piece, in a group at its first cell."""
        start = self.start
        board = [*canvas.tray(), *canvas.wells(floor_colours(start, self.floor, canvas.theme), {})]
        pieces = []
        names = piece_names(start.puzzle)
        for number, (name, own, cells) in enumerate(zip(names, parts, start.pieces, strict=True), 1):
            points = [canvas.centre(cell) for cell in cells]
            x, y = points[0]
            relative = [(px - x, py - y) for px, py in points]
            group = place_parts(own, relative, canvas.size, name, element_id=f"p{number}")
            pieces.append(replace(group, x=x, y=y))
        shared = shared_paths([*board, *pieces])
        return "\n".join(
            [
                definitions_svg([*board, *pieces], shared),
                '<g id="board">',
                *(item.svg(shared) for item in board),
                '</g>\n<g id="pieces">',
                *(piece.svg(shared).replace("<g", '<g class="piece"', 1) for piece in pieces),
                "</g>",
            ]
        )


def _style(selector: str, theme: Theme, more: dict[str, str]) -> str:
    colours = {
        "--paper": theme.paper,
        "--ink": theme.ink,
        "--quiet": mix(theme.ink, theme.paper, 0.32),
        "--faint": theme.faint,
        "--strong": theme.edge,
        "--accent": theme.accent,
        **more,
    }
    scheme = "dark" if luminance(theme.paper) < 0.2 else "light"
    return f"{selector}{{color-scheme:{scheme};{';'.join(f'{k}:{v}' for k, v in colours.items())}}}"


def piece_names(puzzle: Puzzle) -> list[str]:
    """Return names such as "tile 5" or, with colours, "red-blue gourd".

    >>> import slidelab as sl
    >>> piece_names(sl.puzzle("square R(2,2)", colours=["red", "red", "blue"]))
    ['blue tile', 'red tile', 'red tile']
    """
    piece = puzzle.rule.piece
    if puzzle.colours is None:
        return [f"{piece} {number + 1}" for number in range(puzzle.piece_count)]
    texts = ["-".join(dict.fromkeys(labels)) for labels in puzzle.colours]
    return [
        f"{piece} {text}" if all(map(is_number, labels)) else f"{text} {piece}"
        for text, labels in zip(texts, puzzle.colours, strict=True)
    ]


def verb_number(kind: str) -> int:
    """Return the number of the verb for a kind of move, in the list of the script.

    >>> verb_number("pivot"), verb_number("jump")
    (2, 4)
    """
    return list(VERBS).index(kind) if kind in VERBS else len(VERBS)


def round_number(value: float, decimals: int = 2) -> float | int:
    """Round a number for the data of a script; whole numbers have no decimal point.

    >>> round_number(2.001), round_number(2.017)
    (2, 2.02)
    """
    rounded = round(value, decimals)
    return int(rounded) if rounded == int(rounded) else rounded


def _assembly(parts: Sequence[Part]) -> Assembly:
    """Return of each part its cell, the cell it points to (-1 for none), its drop, and if it stretches."""
    return tuple(
        (part.cell, -1 if part.toward is None else part.toward, round_number(part.drop), int(part.stretches))
        for part in parts
    )
