"""How large a board may be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from slidelab.errors import TooLarge

__all__ = ["MAX_CELLS", "MAX_COORDINATE", "MAX_EDGES", "at_most_cells", "check_size"]

MAX_CELLS = 100_000
"""Largest number of cells of a board; all algorithms on boards stay within seconds at this size."""

MAX_EDGES = 1_000_000
"""Largest number of edges of a board: enough for a complete graph on 1,400 vertices."""

MAX_COORDINATE = 999_999_999
"""Largest absolute value of a coordinate, and largest number of a vertex: nine digits."""


_max_cells: ContextVar[int] = ContextVar("max_cells", default=MAX_CELLS)


@contextmanager
def at_most_cells(cells: int) -> Iterator[None]:
    """Refuse larger boards before they are built, as a server does that reads boards of strangers.

    >>> from slidelab.boards import board
    >>> with at_most_cells(100):
    ...     board("square R(11,10)")
    Traceback (most recent call last):
    ...
    slidelab.errors.TooLarge: expected at most 100 cells, got 110 - at 'square R(11,10)'
    """
    before = _max_cells.set(min(cells, MAX_CELLS))
    try:
        yield
    finally:
        _max_cells.reset(before)


def check_size(cells: int, edges: int, name: str) -> None:
    """Raise `TooLarge` if a board of this many cells and edges may not be built.

    >>> check_size(10**9, 0, "cycle(1000000000)")
    Traceback (most recent call last):
    ...
    slidelab.errors.TooLarge: expected at most 100000 cells, got 1000000000 - at 'cycle(1000000000)'
    """
    if cells > (most := _max_cells.get()):
        raise TooLarge(f"expected at most {most} cells, got {cells} - at {name!r}")
    if edges > MAX_EDGES:
        raise TooLarge(f"expected at most {MAX_EDGES} edges, got {edges} - at {name!r}")
