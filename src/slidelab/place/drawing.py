"""A placement as text: the colour of each covered cell, and lines between the two cells of each gourd."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from slidelab.boards import Board
from slidelab.boards.ascii import MAX_DRAWING_CHARACTERS, column_and_row, lay_out
from slidelab.place.question import EMPTY

__all__ = ["drawn_gourds", "short_names"]

Laid = list[tuple[tuple[int, int], tuple[str, str]]]


def drawn_gourds(board: Board, gourds: Laid) -> str:
    """Gourds as (cells, colours), drawn where they lie; below, what the letters mean.

    >>> from slidelab.boards import board
    >>> print(drawn_gourds(board("hex P(2,2)"), [((0, 2), ("red", "blue"))]))
    r   .
     \\
      b   .
    <BLANKLINE>
    b blue, r red
    """
    names = short_names(colour for _, colours in gourds for colour in colours)
    texts = [EMPTY] * board.size
    for cells, colours in gourds:
        for cell, colour in zip(cells, colours, strict=True):
            texts[cell] = names[colour]
    wide = max(map(len, texts))
    across = (wide + 4) // 2 if board.kind == "hex" else wide + 3
    places = [column_and_row(board.kind, cell) for cell in board.cells]
    area = (_extent(column for column, _ in places) * across) * _extent(row for _, row in places)
    if not places or area > MAX_DRAWING_CHARACTERS:
        picture = lay_out(board, texts)
    else:
        picture = _picture(places, texts, [cells for cells, _ in gourds], across)
    legend = ", ".join(f"{name} {colour}" for colour, name in names.items() if name != colour)
    return f"{picture}\n\n{legend}" if legend else picture


def short_names(colours: Iterable[str]) -> dict[str, str]:
    """The first letters of each colour, as many as tell them apart.

    >>> short_names(["red", "green", "blue"]), short_names(["x1", "x12"])
    ({'blue': 'b', 'green': 'g', 'red': 'r'}, {'x1': 'x1', 'x12': 'x12'})
    """
    known = sorted(set(colours))
    for length in count(1):
        names = {colour: colour[:length] for colour in known}
        if len(set(names.values())) == len(known):
            break
    return names


def _extent(numbers: Iterable[int]) -> int:
    known = list(numbers)
    return max(known) - min(known) + 1 if known else 0


def _picture(
    places: list[tuple[int, int]], texts: list[str], joined: list[tuple[int, int]], across: int
) -> str:
    """Rows two lines apart, so that there is room for lines between them."""
    left, top = min(column for column, _ in places), min(row for _, row in places)
    at = [((column - left) * across, 2 * (row - top)) for column, row in places]
    canvas = [
        [" "] * (max(x for x, _ in at) + max(map(len, texts))) for _ in range(max(y for _, y in at) + 1)
    ]
    for a, b in joined:
        upper, lower = sorted((at[a], at[b]), key=lambda place: place[::-1])
        _join(canvas, upper, lower, max(map(len, texts)))
    for (x, y), text in zip(at, texts, strict=True):
        canvas[y][x : x + len(text)] = text
    return "\n".join("".join(row).rstrip() for row in canvas)


def _join(canvas: list[list[str]], first: tuple[int, int], second: tuple[int, int], wide: int) -> None:
    """A line from the upper or left cell to the other; texts are written over its ends."""
    (x, y), (other_x, other_y) = first, second
    if y == other_y:
        canvas[y][x:other_x] = "-" * (other_x - x)
        return
    mark = "|" if x == other_x else "\\" if x < other_x else "/"
    canvas[y + 1][(x + other_x + wide - 1) // 2] = mark
