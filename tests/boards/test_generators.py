"""All boards of n hexagons against an enumeration independent of the core, and random boards."""

from __future__ import annotations

import time
from itertools import islice

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proper import canonical
from slidelab.boards import (
    Board,
    congruent_family,
    is_connected,
    is_hole_free,
    is_proper,
    is_two_connected,
    polyhexes,
    random_hexagons,
)
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


thinness = st.one_of(st.sampled_from([0, 0.5, 0.95, 1]), st.floats(0, 1))


@given(st.integers(3, 200), st.integers(0, 10**9), thinness)
@example(13, 0, 0.0)  # of 13 cells, the star is not proper
def test_boards_have_no_hole_and_no_cut_cell(cells: int, seed: int, thin: float) -> None:
    board = random_hexagons(cells, seed, thin=thin)
    assert board.kind == "hex"
    assert board.size == cells
    assert is_two_connected(board)
    assert is_hole_free(board)
    assert is_proper(board) == (cells % 2 == 1 and congruent_family(board) != ("star", ()))
    assert board == random_hexagons(cells, seed, thin=thin)


def test_seeds_give_different_boards() -> None:
    assert len({random_hexagons(30, seed).cells for seed in range(50)}) == 50
    assert len({random_hexagons(30).cells for _ in range(50)}) > 1


def test_the_smallest_boards() -> None:
    assert congruent_family(random_hexagons(3)) == ("T", (2,))
    assert {congruent_family(random_hexagons(4, seed)) for seed in range(5)} == {("P", (2, 2))}


def test_thin_boards_are_thin() -> None:
    """A cell that touches two others when it is added brings two edges; a thick board comes near three."""
    edges = [len(random_hexagons(1001, 1, thin=thin).edges) for thin in (0, 0.5, 0.95, 1)]
    assert edges == sorted(edges, reverse=True)
    assert edges[0] > 2.7 * 1001
    assert edges[-1] == 2 * 1001 - 3


@pytest.mark.parametrize("thin", [0, 1])
def test_large_boards_take_little_time(thin: float) -> None:
    began = time.process_time()
    assert random_hexagons(10_001, 1, thin=thin).size == 10_001
    assert time.process_time() - began < 5


@pytest.mark.parametrize("cells", [2, 0, -5, 9.0, "9", True, None])
def test_sizes_that_are_none(cells: object) -> None:
    with pytest.raises(NotationError, match=r"expected a whole number of at least 3, .* random board"):
        random_hexagons(cells)  # type: ignore[arg-type]


@pytest.mark.parametrize("thin", [-0.1, 1.1, float("nan"), "1", None, float("inf")])
def test_thinness_that_is_none(thin: object) -> None:
    with pytest.raises(NotationError, match=r"expected a number from 0 to 1, got .* - at thin"):
        random_hexagons(9, thin=thin)  # type: ignore[arg-type]


def test_too_many_random_cells() -> None:
    with pytest.raises(TooLarge, match="expected at most 100000 cells, got 1000000"):
        random_hexagons(10**6)
