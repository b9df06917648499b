"""All boards of n hexagons against a plain enumeration that shares nothing with the core."""

from itertools import islice

import pytest

from proper import canonical
from slidelab.boards import Board, is_connected, polyhexes
from slidelab.errors import NotationError, TooLarge

Cells = frozenset[tuple[int, int]]
STEPS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
A000228 = [1, 1, 3, 7, 22, 82, 333, 1448]


def grown(n: int) -> set[Cells]:
    """Add every possible cell to every set, starting from one cell, and keep one of each congruent kind."""
    sets = {canonical([(0, 0)])}
    for _ in range(n - 1):
        sets = {
            canonical([*cells, (q + dq, r + dr)])
            for cells in sets
            for q, r in cells
            for dq, dr in STEPS
            if (q + dq, r + dr) not in cells
        }
    return sets


@pytest.mark.parametrize("n", range(1, 7))
def test_the_plain_enumeration_itself(n: int) -> None:
    assert len(grown(n)) == A000228[n - 1]


@pytest.mark.parametrize("n", range(1, 7))
def test_the_same_boards(n: int) -> None:
    pytest.importorskip("slidelab._core")
    boards = list(polyhexes(n))
    forms = [canonical(b.cells) for b in boards]
    assert len(forms) == len(set(forms))
    assert set(forms) == grown(n)
    assert all(b.cells[0] == (0, 0) and is_connected(b) and b.kind == "hex" for b in boards)


def test_counts() -> None:
    pytest.importorskip("slidelab._core")
    assert [sum(1 for _ in polyhexes(n)) for n in range(1, 9)] == A000228


def test_large_boards_come_at_once() -> None:
    pytest.importorskip("slidelab._core")
    first: list[Board] = list(islice(polyhexes(18), 5))
    assert [b.size for b in first] == [18] * 5
    assert len(set(first)) == 5


@pytest.mark.parametrize("n", [0, -1, True, 2.5, "3"])
def test_bad_numbers(n: object) -> None:
    with pytest.raises(NotationError):
        polyhexes(n)  # type: ignore[arg-type]


def test_too_many() -> None:
    with pytest.raises(TooLarge, match="at most 18"):
        polyhexes(19)
