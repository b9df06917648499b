"""Boards as drawings in plain text, one character a cell.

Every line is a row; ``#`` or ``o`` is a cell, ``.`` or a space is none. Hexagons stand two characters apart,
and rows that touch are shifted by one character.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.boards.lattice import DIRECTIONS, Cell, bounding_box
from slidelab.boards.limits import check_size
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.boards.model import Board

__all__ = [
    "MAX_DRAWING_CHARACTERS",
    "column_and_row",
    "drawing_of",
    "is_drawing",
    "lay_out",
    "parse_drawing",
]

MAX_DRAWING_CHARACTERS = 1_000_000
"""Largest drawing that is made, in characters; for boards of few cells that are far apart."""


def column_and_row(kind: str, cell: Cell) -> Cell:
    """Return where a cell stands in a drawing: hexagons are two characters apart, rows shifted."""
    return (2 * cell[0] + cell[1], cell[1]) if kind == "hex" else cell


def drawing_of(board: Board) -> str:
    """Return the kind and a drawing of a board, or the name of a graph or of a board too large to draw.

    >>> from slidelab.boards import board
    >>> print(drawing_of(board("square 0,0 2,0 0,1 1,1 2,1")))
    square
    #.#
    ###
    """
    places = [column_and_row(board.kind, cell) for cell in board.cells]
    left, top, width, height = bounding_box(places) if places else (0, 0, 0, 0)
    if not 0 < width * height <= MAX_DRAWING_CHARACTERS:
        return board.name
    # Hexagons stand two characters apart, so blanks already show the gaps; squares need a visible one.
    gap = " " if board.kind == "hex" else "."
    rows = [[gap] * width for _ in range(height)]
    for column, row in places:
        rows[row - top][column - left] = "#"
    return "\n".join([board.kind, *("".join(row).rstrip() or "." for row in rows)])


def lay_out(board: Board, texts: Sequence[str]) -> str:
    """Return a drawing with a text in place of each cell, or a list for graphs and boards too large.

    >>> from slidelab.boards import board
    >>> print(lay_out(board("hex T(3)"), "abcdef"))
      a
     b c
    d e f
    """
    text_width = max(map(len, texts))
    step = text_width + 1 if board.kind != "hex" else (text_width + 2) // 2
    places = [column_and_row(board.kind, cell) for cell in board.cells]
    left, top, width, height = bounding_box(places) if places else (0, 0, 0, 0)
    if not 0 < width * height * step <= MAX_DRAWING_CHARACTERS:
        return "  ".join(f"{cell}:{text}" for cell, text in enumerate(texts))
    lines = dict.fromkeys(range(top, top + height), "")
    for (column, row), text in zip(places, texts, strict=True):
        lines[row] = lines[row].ljust((column - left) * step) + text.rjust(text_width)
    return "\n".join(line.rstrip() for line in lines.values())


def is_drawing(lines: Sequence[str]) -> bool:
    """Return whether a text of these lines is a drawing, with or without the kind in its first line."""
    if lines[0].strip().lower() in DIRECTIONS:
        return len(lines) > 1
    return set(lines[0]) <= set("#o. ")


def parse_drawing(lines: Sequence[str]) -> tuple[str, list[Cell]]:
    """Return the kind of a drawn board and its cells, with the origin somewhere.

    The first hexagon in reading order gets the coordinates (0, 0); squares start at column 0 and row 0.

    >>> parse_drawing(["hex", " # #", "# #"])
    ('hex', [(0, 0), (1, 0), (-1, 1), (0, 1)])
    """
    named = lines[0].strip().lower() in DIRECTIONS
    kind = lines[0].strip().lower() if named else "square"
    places: list[Cell] = []
    for row, line in enumerate(lines[1:] if named else lines):
        for column, character in enumerate(line):
            if character in "#o":
                places.append((column, row))
            elif character not in " .":
                raise NotationError(
                    f"expected '#' or 'o' (a cell), '.' or ' ' (none), got {character!r} - "
                    f"at line {row + 1 + named}, column {column + 1} of the drawing"
                )
        check_size(len(places), 0, "the drawing")
    if not places:
        raise NotationError("expected at least one cell '#', got none - at the drawing")
    if kind == "hex":
        return kind, _drawn_hexagons(places, first_line=1 + named)
    left, top, _, _ = bounding_box(places)
    return kind, [(column - left, row - top) for column, row in places]


def _drawn_hexagons(places: Sequence[Cell], first_line: int) -> list[Cell]:
    first_column, first_row = places[0]
    cells = []
    for column, row in places:
        q, odd = divmod((column - first_column) - (row - first_row), 2)
        if odd:
            raise NotationError(
                "expected hexagons two characters apart, rows shifted by one, got another - "
                f"at line {row + first_line}, column {column + 1} of the drawing"
            )
        cells.append((q, row - first_row))
    return cells
