"""Pieces as people write them: with commas, brackets, rows in lists, and other signs for a hole.

Whatever is written in the notation of `notation` means the same as without this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, groupby
from math import isqrt
from typing import Any

from slidelab.boards import Board
from slidelab.errors import NotationError
from slidelab.files import decode_list
from slidelab.messages import join_words, quoted
from slidelab.puzzles.labels import is_number

__all__ = ["flat_rows", "mark_holes", "split_tokens", "square_position"]

HOLES = (".", "0")
"""What always stands for a hole."""

OTHER_HOLES = ("-", "_", "x", "*", "blank", "empty", "hole")
"""What stands for a hole, in upper or lower case, if the number of holes says so."""

_SEPARATORS = str.maketrans(dict.fromkeys("/,;|[]'\"", " "))
_ROUND_BRACKETS = str.maketrans("()", "  ")
_LISTED_CELLS = re.compile(r"[\[(]\s*([0-9]{1,9}(?:\s*,\s*[0-9]{1,9})+)\s*[\])]")


def split_tokens(text: str, cells: int = 1) -> list[str]:
    """Split pieces at blanks, line breaks, slashes, commas, semicolons, bars and brackets.

    Parameters
    ----------
    text
        The pieces behind the colon.
    cells
        Number of cells of a piece. Of larger pieces the cells may be lists, too.

    Examples
    --------
    >>> split_tokens("[[1, 2], [3, 0]]"), split_tokens("1,2;3,.")
    (['1', '2', '3', '0'], ['1', '2', '3', '.'])
    >>> split_tokens("[[4, 5], [0, 1]]", 2), split_tokens("4-5=red-blue 1-0=red", 2)
    (['4-5', '0-1'], ['4-5=red-blue', '1-0=red'])
    """
    if cells > 1:
        text = _LISTED_CELLS.sub(lambda match: re.sub(r"\s*,\s*", "-", match[1]) + " ", text)
    if not re.search(r"\w\(", text):  # as in "F(3)": a board, not pieces
        text = text.translate(_ROUND_BRACKETS)
    return text.translate(_SEPARATORS).split()


def mark_holes(tokens: Sequence[str], holes: int) -> list[str]:
    """Return the labels of tiles with a dot for every hole, whatever sign stands for it.

    A dot and 0 are always holes. A sign such as ``x`` or ``_``, which may be a colour, is one only if all
    other labels are numbers, or if exactly this sign makes up the number of holes that is missing.

    >>> mark_holes("1 2 x 3".split(), 1), mark_holes("a x . b".split(), 1), mark_holes("a x b".split(), 1)
    (['1', '2', '.', '3'], ['a', 'x', '.', 'b'], ['a', '.', 'b'])
    """
    missing = holes - sum(token in HOLES for token in tokens)
    if missing <= 0:
        return list(tokens)
    found = [token.lower() for token in tokens if token.lower() in OTHER_HOLES]
    numbered = all(is_number(token) or token in HOLES or token.lower() in OTHER_HOLES for token in tokens)
    signs = [sign for sign in OTHER_HOLES if found.count(sign) == missing]
    if numbered and len(found) == missing:
        signs = found
    elif len(signs) != 1:
        return list(tokens)
    return ["." if token.lower() in signs else token for token in tokens]


def flat_rows(board: Board, value: Any) -> Any:
    """Return the entries of a list of rows, one for each row of the board; any other value as it is.

    >>> from slidelab.boards import board
    >>> flat_rows(board("square R(2,2)"), [[1, 2], [3, 0]])
    [1, 2, 3, 0]
    >>> flat_rows(board("square R(3,2)"), [[1, 2], [3, 4], [5, 0]])
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected rows of 3 and 3 entries, got 2, 2 and 2 - on 'square R(3,2)'
    """
    is_nested = isinstance(value, list | tuple) and all(isinstance(row, list | tuple) for row in value)
    if not is_nested or sum(map(len, value)) != board.size:
        return value
    if board.cells:
        rows = [len(list(cells)) for _, cells in groupby(board.cells, key=lambda cell: cell[1])]
        if rows != (given := [len(row) for row in value]):
            raise NotationError(
                f"expected rows of {join_words(rows)} entries, got {join_words(given)} - "
                f"on {quoted(board.name)}"
            )
    return list(chain.from_iterable(value))


def square_position(source: Any) -> Any:
    """Return the text of the position that a list of rows of numbers shows; any other source as it is.

    The rows have three or more entries: pairs of numbers are the edges of a graph. A list without rows is a
    square board.

    >>> square_position([[1, 2, 3], [4, 0, 5]])
    'square R(3,2) : 1 2 3 4 0 5'
    >>> square_position("[1, 2, 3, 0]"), square_position([[1, 2], [3, 0]])
    ('square R(2,2) : 1 2 3 0', [[1, 2], [3, 0]])
    """
    value = source
    if isinstance(source, str) and source.lstrip().startswith("["):
        value = decode_list(source)
    if not isinstance(value, list | tuple):
        return source
    rows = [row for row in value if isinstance(row, list | tuple)]
    if not rows:
        rows = [value[k : k + isqrt(len(value))] for k in range(0, len(value), isqrt(len(value)) or 1)]
    elif len(rows) < len(value) or len(rows[0]) < 3:
        return source
    entries = list(chain.from_iterable(rows))
    is_matrix = len({len(row) for row in rows}) == 1 and all(type(entry) is int for entry in entries)
    if len(entries) < 2 or not is_matrix or sorted(entries) != list(range(len(entries))):
        return source
    return f"square R({len(rows[0])},{len(rows)}) : {' '.join(map(str, entries))}"
