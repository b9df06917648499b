"""A placement as text: the colour of each covered cell, and lines between the two cells of each gourd."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from slidelab.boards import Board, Cell, Edge
from slidelab.boards.ascii import MAX_DRAWING_CHARACTERS, column_and_row, lay_out
from slidelab.boards.lattice import bounding_box
from slidelab.place.problem import EMPTY, ColourPair

__all__ = ["draw_gourds", "short_names"]


def draw_gourds(board: Board, gourds: Sequence[tuple[Edge, ColourPair]]) -> str:
    r"""Return a drawing of gourds, given as cells and colours; below it, what the letters stand for.

    >>> from slidelab.boards import board
    >>> print(draw_gourds(board("hex P(2,2)"), [((0, 2), ("red", "blue"))]))
    r   .
     \
      b   .
    <BLANKLINE>
    b blue, r red
    """
    names = short_names(colour for _, colours in gourds for colour in colours)
    texts = [EMPTY] * board.size
    for cells, colours in gourds:
        for cell, colour in zip(cells, colours, strict=True):
            texts[cell] = names[colour]
    text_width = max(map(len, texts))
    step = (text_width + 4) // 2 if board.kind == "hex" else text_width + 3
    places = [column_and_row(board.kind, cell) for cell in board.cells]
    left, top, width, height = bounding_box(places) if places else (0, 0, 0, 0)
    if not 0 < width * step * height <= MAX_DRAWING_CHARACTERS:
        drawing = lay_out(board, texts)
    else:
        # Rows are two lines apart, so that there is room for lines between them.
        at = [((column - left) * step, 2 * (row - top)) for column, row in places]
        drawing = _drawing(at, texts, [cells for cells, _ in gourds], text_width)
    legend = ", ".join(f"{name} {colour}" for colour, name in names.items() if name != colour)
    return f"{drawing}\n\n{legend}" if legend else drawing


def short_names(colours: Iterable[str]) -> dict[str, str]:
    """Return the first letters of each colour, as many as make them different.

    >>> short_names(["red", "green", "blue"]), short_names(["x1", "x12"])
    ({'blue': 'b', 'green': 'g', 'red': 'r'}, {'x1': 'x1', 'x12': 'x12'})
    """
    known = sorted(set(colours))
    for length in count(1):
        names = {colour: colour[:length] for colour in known}
        if len(set(names.values())) == len(known):
            break
    return names


def _drawing(at: list[Cell], texts: list[str], joined: list[Edge], text_width: int) -> str:
    width, height = max(x for x, _ in at) + text_width, max(y for _, y in at) + 1
    canvas = [[" "] * width for _ in range(height)]
    for a, b in joined:
        upper, lower = sorted((at[a], at[b]), key=lambda place: place[::-1])
        _join(canvas, upper, lower, text_width)
    for (x, y), text in zip(at, texts, strict=True):
        canvas[y][x : x + len(text)] = text
    return "\n".join("".join(row).rstrip() for row in canvas)


def _join(canvas: list[list[str]], first: Cell, second: Cell, text_width: int) -> None:
    """Draw a line from the upper or left cell to the other; texts are written over its ends."""
    (x, y), (other_x, other_y) = first, second
    if y == other_y:
        canvas[y][x:other_x] = "-" * (other_x - x)
        return
    mark = "|" if x == other_x else "\\" if x < other_x else "/"
    canvas[y + 1][(x + other_x + text_width - 1) // 2] = mark
