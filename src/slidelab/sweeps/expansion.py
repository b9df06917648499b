"""Texts that stand for many boards: families with ranges, all graphs or polyhexes of a size."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

from slidelab.arguments import whole_number
from slidelab.boards import Board, connected_graphs, is_two_connected, polyhexes
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import integer_text, quoted

__all__ = ["STREAMS", "count_puzzles", "expand"]

MAX_RANGE = 1000
"""Numbers in one range such as 3..6."""

_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_STREAM = re.compile(r"(connected|two-connected|polyhexes|two-connected polyhexes)\s*\(\s*(\d+)\s*\)(.*)")


def _two_connected_polyhexes(n: int) -> Iterator[Board]:
    return (board for board in polyhexes(n) if is_two_connected(board))


STREAMS: dict[str, Callable[[int], Iterator[Board]]] = {
    "connected": connected_graphs,
    "two-connected": lambda n: connected_graphs(n, two_connected=True),
    "polyhexes": polyhexes,
    "two-connected polyhexes": _two_connected_polyhexes,
}
"""Names of all boards of a size, up to isomorphism or congruence."""


def expand(text: str) -> Iterator[str]:
    """Iterate over the puzzles that a text stands for, as texts; one that stands for itself is returned.

    Every number in parentheses may be a range such as ``3..6``, the last varies fastest. ``connected(5)``,
    ``two-connected(7)``, ``polyhexes(6)`` and ``two-connected polyhexes(7)`` are all graphs or hexagonal
    boards of a size; a rule and a number of holes may follow.

    Examples
    --------
    >>> list(expand("hex P(3..4,3..4)"))
    ['hex P(3,3)', 'hex P(3,4)', 'hex P(4,3)', 'hex P(4,4)']
    >>> list(expand("two-connected(4)"))
    ['cycle(4)', 'graph 0-1 0-3 1-2 1-3 2-3', 'complete(4)']
    >>> sum(1 for _ in expand("polyhexes(3..5) gourds"))
    32
    """
    for each in _each_number(text):
        yield from _stream(each)


COUNTS = {
    "connected": (1, 1, 2, 6, 21, 112, 853, 11_117, 261_080, 11_716_571, 1_006_700_565),
    "two-connected": (0, 0, 1, 3, 10, 56, 468, 7_123, 194_066, 9_743_542, 900_969_091),
    "polyhexes": (1, 1, 3, 7, 22, 82, 333, 1_448, 6_572, 30_490, 143_552, 683_101, 3_274_826, 15_796_897),
}
"""How many boards of 1, 2, 3, ... cells there are: OEIS A001349, A002218 and A000228."""


def count_puzzles(text: str) -> int | None:
    """Return how many puzzles a text stands for, None if that is not known without listing them.

    Raises
    ------
    NotationError
        If boards of that size are not enumerated.

    Examples
    --------
    >>> [count_puzzles(text) for text in ("hex P(3..6,3..6)", "two-connected(3..7)", "polyhexes(18)")]
    [16, 538, None]
    """
    total = 0
    for each in _each_number(text):
        found = _STREAM.fullmatch(each.strip())
        if found is None:
            total += 1
            continue
        counts, number = COUNTS.get(found[1], ()), int(found[2])
        _boards(found[1], number)
        if not 1 <= number <= len(counts):
            return None
        total += counts[number - 1]
    return total


def _each_number(text: str) -> Iterator[str]:
    """Yield the texts with a number in place of each range."""
    ranges = [_numbers(found) for found in _RANGE.finditer(text)]
    parts = _RANGE.split(text)[::3]
    for chosen in product(*ranges):
        numbers = [*map(str, chosen), ""]
        yield "".join(part + number for part, number in zip(parts, numbers, strict=True))


def _numbers(found: re.Match[str]) -> range:
    first, last = (whole_number(int(number[:9]), 0, "number of a range") for number in found.groups())
    if not first <= last < first + MAX_RANGE:
        raise NotationError(f"expected a range such as 3..6, got {quoted(found[0])}")
    return range(first, last + 1)


def _stream(text: str) -> Iterator[str]:
    found = _STREAM.fullmatch(text.strip())
    if found is None:
        yield text
        return
    name, number, rest = found.groups()
    for board in _boards(name, int(number)):
        yield f"{board.name}{rest}"


def _boards(name: str, number: int) -> Iterator[Board]:
    """Return all boards of a size; none is made yet."""
    try:
        return STREAMS[name](number)
    except TooLarge as error:
        raise NotationError(f"{error} - at '{name}({integer_text(number)})'") from None
