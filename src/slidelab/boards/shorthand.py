"""Everyday names of boards: ``15-puzzle``, ``fifteen``, ``15``, ``4x4``, ``hex 3x4``.

With an ``x`` the rows come first, as for matrices and in the literature: ``3x4`` has 3 rows of 4 cells and is
``square R(4,3)``. The families, which have a comma, take the columns first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isqrt

from slidelab.boards.limits import MAX_COORDINATE
from slidelab.errors import NotationError
from slidelab.messages import join_words, nearest, quoted

__all__ = ["SHEETS", "expand_shorthand", "is_shorthand", "read_size", "shorthand_candidates"]

SHEETS = {"hex": "P", "square": "R", "king": "R"}
"""For each kind of lattice, the family that a size such as 3x4 stands for."""

NUMBER_WORDS = {
    "three": 3,
    "eight": 8,
    "fifteen": 15,
    "twenty-four": 24,
    "thirty-five": 35,
    "forty-eight": 48,
    "sixty-three": 63,
    "eighty": 80,
    "ninety-nine": 99,
}
MAX_DIGITS = len(str(MAX_COORDINATE))

_SIZE = re.compile(rf"([0-9]{{1,{MAX_DIGITS}}}) ?[x×] ?([0-9]{{1,{MAX_DIGITS}}})")
_NUMBER = re.compile(rf"([0-9]{{1,{MAX_DIGITS}}})(?:[- ]?puzzle)?")
_WORD = re.compile("([a-z-]+?)(?:[- ]?puzzle)?")
_PIECE = re.compile(r"[0-9]+|[._]")


def expand_shorthand(tokens: Sequence[str], text: str) -> tuple[str, int] | None:
    """Return the text of the board that the first tokens abbreviate, and the number of these tokens.

    None if they are no shorthand.

    Parameters
    ----------
    tokens
        The parts of `text` between blanks.
    text
        Quoted in errors.

    Raises
    ------
    NotationError
        If a number of tiles does not fill a square board.

    Examples
    --------
    >>> expand_shorthand(["15-puzzle", "tiles", "2"], "15-puzzle tiles 2")
    ('square R(4,4)', 1)
    >>> expand_shorthand(["hex", "3", "x", "4"], "hex 3 x 4")
    ('hex P(4,3)', 4)
    >>> expand_shorthand(["11"], "11")
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected n tiles of an n-puzzle such as 8 or 15, where n + 1 is a square,
    got '11' - at token 1 of '11'; 11 tiles and a hole fit on 2x6 and 3x4
    """
    first = tokens[0].lower() if tokens else ""
    kind = first if first in SHEETS else "square"
    begin = int(first in SHEETS)
    for count in (3, 2, 1):
        words = " ".join(tokens[begin : begin + count]).lower()
        if len(tokens) < begin + count:
            continue
        if size := read_size(words):
            return f"{kind} {SHEETS[kind]}({size[1]},{size[0]})", begin + count
        if (tiles := _tiles(words)) is not None and kind == "square" and not begin:
            _check_bare(tokens, words, text)
            return f"square {_square(tiles, words, text)}", count
    return None


def is_shorthand(text: str) -> bool:
    """Return whether a text begins with a shorthand; a number is one if it stands alone before a colon.

    >>> is_shorthand("4x4 : 1 2 3"), is_shorthand("12"), is_shorthand("4x4.json"), is_shorthand("50 moves")
    (True, True, False, False)
    """
    tokens = text.partition(":")[0].split(maxsplit=4)[:4]
    try:
        found = expand_shorthand(tokens, text)
    except NotationError:
        return len(tokens) == 1
    return found is not None and (len(tokens) == 1 or found[1] > 1 or not tokens[0].isdigit())


def read_size(text: str) -> tuple[int, int] | None:
    """Return the two numbers of a size such as ``3x4``, None if it is none.

    >>> read_size("3x4"), read_size("3 x 4"), read_size("3,4")
    ((3, 4), (3, 4), None)
    """
    match = _SIZE.fullmatch(text.strip().lower())
    return (int(match[1]), int(match[2])) if match else None


def shorthand_candidates(token: str) -> list[str]:
    """Return shorthands that a misspelt token may stand for.

    >>> shorthand_candidates("fiften"), shorthand_candidates("15-puzle")
    (['fifteen'], ['15-puzzle'])
    """
    number = re.fullmatch(r"([0-9]{1,4})[-_ ]?([A-Za-z]+)", token)
    if number and nearest(number[2], ["puzzle"]):
        return [f"{number[1]}-puzzle"]
    return nearest(token, NUMBER_WORDS)


def _tiles(words: str) -> int | None:
    """Return the n of an n-puzzle in figures or in a word."""
    if match := _NUMBER.fullmatch(words):
        return int(match[1])
    match = _WORD.fullmatch(words)
    return NUMBER_WORDS.get(match[1]) if match else None


def _check_bare(tokens: Sequence[str], words: str, text: str) -> None:
    """Refuse a list of pieces, which also begins with a number."""
    if words.isdigit() and len(tokens) > 1 and _PIECE.fullmatch(tokens[1]):
        raise NotationError(
            f"expected a board and a colon before the pieces, as in '3x3 : 1 2 3 ...', got {quoted(text)}"
        )


def _square(tiles: int, words: str, text: str) -> str:
    side = isqrt(tiles + 1)
    if side > 1 and side * side == tiles + 1:
        return f"R({side},{side})"
    sizes = [
        f"{rows}x{(tiles + 1) // rows}"
        for rows in range(2, min(isqrt(tiles + 1), 1000) + 1)
        if not (tiles + 1) % rows
    ]
    fits = f"; {tiles} tiles and a hole fit on {join_words(sizes, 4)}" if sizes else ""
    raise NotationError(
        "expected n tiles of an n-puzzle such as 8 or 15, where n + 1 is a square, "
        f"got {quoted(words)} - at token 1 of {quoted(text)}{fits}"
    )
