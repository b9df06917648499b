"""All boards with a given number of hexagons."""

from __future__ import annotations

from collections.abc import Iterator

from slidelab.arguments import whole_number
from slidelab.boards.board import Board
from slidelab.boards.hexagons import hex_board
from slidelab.errors import TooLarge

__all__ = ["polyhexes"]

MAX_POLYHEX = 18
BATCH = 1000


def polyhexes(n: int) -> Iterator[Board]:
    """Iterate over all connected boards of `n` hexagons, one for each class of congruent boards.

    There are 1, 1, 3, 7, 22, 82, 333, 1448, ... of them (OEIS A000228). They come one by one and none is
    kept, so the first boards of 18 cells are there at once. The first cell of each board is (0, 0).

    Examples
    --------
    >>> len(list(polyhexes(4)))
    7
    """
    n = whole_number(n, 1, "number of hexagons")
    if n > MAX_POLYHEX:
        raise TooLarge(f"expected at most {MAX_POLYHEX} hexagons, got {n}")
    return _stream(n)


def _stream(n: int) -> Iterator[Board]:
    from slidelab._core import PolyhexStream

    stream = PolyhexStream(n)
    while batch := stream.next_batch(BATCH):
        yield from map(hex_board, batch)
