"""Small drawings of positions in text, in both directions.

A piece of one cell is its number or colour. The cells of a larger piece carry its number and a mark: ``*``
for the head of a piece of two cells, the letters ``a``, ``b``, ``c``, ... along a longer one. A hole is a
dot. Where there is no plane to draw in, as on graphs, each label comes after the number of its cell:
``0:1  1:2  2:.``
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING

from slidelab.boards.ascii import lay_out
from slidelab.errors import NotationError
from slidelab.messages import quoted
from slidelab.puzzles.labels import piece_labels
from slidelab.rules import Cells

if TYPE_CHECKING:
    from slidelab.puzzles.configuration import Configuration
    from slidelab.puzzles.definition import Puzzle

__all__ = ["drawn_labels", "drawn_pieces", "is_drawn", "text_drawing", "without_cell_numbers"]

_MARKED = re.compile(r"([0-9]{1,9})(\*|[a-z])?")
_NUMBERED = re.compile(r"([0-9]{1,9}):(.+)")


def text_drawing(configuration: Configuration) -> str:
    """Return a small drawing of the pieces in text; `slidelab.Puzzle.configuration` reads it back.

    >>> import slidelab as sl
    >>> print(text_drawing(sl.position("hex T(3) : 1 2 3 4 . .")))
      1
     2 3
    4 . .
    >>> print(text_drawing(sl.position("hex F(2) gourds : 0-1 2-3 4-6")))
      1*   1
    2*   2  3*
       .   3
    """
    return lay_out(configuration.puzzle.board, drawn_labels(configuration))


def drawn_labels(configuration: Configuration) -> list[str]:
    """Return what stands in each cell of a drawing, a dot in a hole.

    >>> import slidelab as sl
    >>> drawn_labels(sl.position("hex T(2) gourds : 2-0"))
    ['1', '.', '1*']
    """
    p = configuration.puzzle
    show = ["."] * p.board.size
    labels = piece_labels(p) if p.rule.cells == 1 else [str(k + 1) for k in range(p.piece_count)]
    for label, cells in zip(labels, configuration.pieces, strict=True):
        for index, cell in enumerate(cells):
            show[cell] = label + _mark(index, len(cells))
    return show


def _mark(index: int, cells: int) -> str:
    """Return the mark of a cell of a piece: none, a star at the head of two, a letter on longer pieces."""
    if cells > 2:
        return ascii_lowercase[index]
    return "*" if cells == 2 and index == 0 else ""


def without_cell_numbers(tokens: Sequence[str]) -> list[str]:
    """Return the labels of tokens such as ``0:1 1:2 2:.``, or the tokens as they are.

    >>> without_cell_numbers(["0:1", "1:2", "2:."]), without_cell_numbers(["1", "2", "."])
    (['1', '2', '.'], ['1', '2', '.'])
    """
    labels = []
    for cell, token in enumerate(tokens):
        match = _NUMBERED.fullmatch(token)
        if match is None or int(match[1]) != cell:
            return list(tokens)
        labels.append(match[2])
    return labels


def is_drawn(p: Puzzle, tokens: Sequence[str]) -> bool:
    """Return whether tokens are the cells of a drawing rather than pieces of several cells.

    >>> import slidelab as sl
    >>> p = sl.puzzle("hex F(2) gourds")
    >>> is_drawn(p, "1* 1 2* 2 3* . 3".split()), is_drawn(p, "0-1 2-3 4-6".split())
    (True, False)
    """
    marked = [_MARKED.fullmatch(token) for token in tokens if token != "."]
    return len(tokens) == p.board.size and all(marked) and any(match and match[2] for match in marked)


def drawn_pieces(p: Puzzle, tokens: Sequence[str]) -> tuple[Cells, ...]:
    """Return the cells of each piece of several cells from a drawing with one token a cell.

    >>> import slidelab as sl
    >>> drawn_pieces(sl.puzzle("hex F(2) gourds"), "1* 1 2* 2 3* . 3".split())
    ((0, 1), (2, 3), (4, 6))
    """
    size = p.rule.cells
    marks = {_mark(index, size): index for index in range(size)}
    pieces: list[list[int]] = [[-1] * size for _ in range(p.piece_count)]
    for cell, token in enumerate(tokens):
        match = _MARKED.fullmatch(token)
        if match is None:  # a hole
            continue
        number, index = int(match[1]), marks.get(match[2] or "")
        if not 1 <= number <= p.piece_count or index is None or pieces[number - 1][index] >= 0:
            raise NotationError(
                f"expected the {size} cells of each {p.rule.piece} from 1 to {p.piece_count}, marked "
                f"{' '.join('1' + mark for mark in marks)}, got {quoted(token)} - "
                f"at cell {cell} of {quoted(p.board.name)}"
            )
        pieces[number - 1][index] = cell
    for number, cells in enumerate(pieces, 1):
        if -1 in cells:
            raise NotationError(
                f"expected {size} cells of {p.rule.piece} {number}, got {size - cells.count(-1)} - "
                f"on {quoted(p.board.name)}"
            )
    return tuple(tuple(cells) for cells in pieces)
