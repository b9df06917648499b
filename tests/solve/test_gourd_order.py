"""Which cells of a board of gourds can be closed, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.boards import (
    Board,
    Edge,
    hex_board,
    is_proper,
    polyhexes,
    random_hexagons,
    star,
    sub_board,
)
from slidelab.solve.gourds.order import ClosingOrder
from solve.gourd_positions import THIN, board_named

# Which cells can be closed


def closable(board: Board) -> list[Edge]:
    """By the definition: what remains is a proper board."""
    return [
        pair
        for pair in board.edges
        if board.size > 3 and is_proper(sub_board(board, [c for c in range(board.size) if c not in pair]))
    ]


def allowed(board: Board) -> list[Edge]:
    closing = ClosingOrder(board, lambda _: 0.0)
    return [pair for pair in board.edges if closing.can_close(pair)]


@pytest.mark.parametrize("cells", [3, 5, 7, 9])
def test_cells_that_can_be_closed_on_every_small_board(cells: int) -> None:
    boards = [board for board in polyhexes(cells) if is_proper(board)]
    assert boards
    for board in boards:
        assert allowed(board) == closable(board)


@settings(max_examples=25, deadline=None)
@given(st.integers(5, 30), st.integers(0, 10**6), st.sampled_from(THIN))
def test_cells_that_can_be_closed_on_random_boards(gourds: int, seed: int, thin: float) -> None:
    board = random_hexagons(2 * gourds + 1, seed, thin=thin)
    if is_proper(board):
        assert allowed(board) == closable(board)


def test_the_star_is_not_left_over() -> None:
    """The only board without hole and cut cell on which gourds can't go everywhere."""
    tips = star().cells
    near = {(q + dq, r + dr) for q, r in tips for dq in (-2, -1, 0, 1, 2) for dr in (-2, -1, 0, 1, 2)}
    met = 0
    for one, two in combinations(sorted(near - set(tips)), 2):
        board = hex_board([*tips, one, two])
        if is_proper(board):
            assert allowed(board) == closable(board)
            met += board.adjacent(board.cell_at[one], board.cell_at[two])
    assert met == 12


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 40), st.integers(0, 10**6), st.sampled_from(THIN))
def test_open_cells_stay_a_proper_board(gourds: int, seed: int, thin: float) -> None:
    board = random_hexagons(2 * gourds + 1, seed, thin=thin)
    if not is_proper(board):
        return
    closing = ClosingOrder(board, lambda _: 0.0)
    left = board.size
    while (pair := closing.next()) is not None:
        left -= 2
        assert closing.left == left
        assert not closing.is_open(pair)
        assert board.adjacent(*pair)
        rest = sub_board(board, [board.cell_at[cell] for cell in closing.open])
        assert is_proper(rest)
    assert left == 3 or not closable(rest if left < board.size else board)  # nothing was forgotten


def order(board: Board, bonus: Callable[[Edge], float] = lambda _: 0.0) -> list[Edge]:
    closing = ClosingOrder(board, bonus)
    out = []
    while (pair := closing.next()) is not None:
        out.append(pair)
    return out


@pytest.mark.parametrize("text", ["hex F(5)", "hex P(7,9)", "random 201 0.5", "comb 6 5"])
def test_the_order_is_always_the_same(text: str) -> None:
    board = board_named(text)
    assert order(board) == order(board) == order(board_named(text))


def test_far_cells_come_first_and_a_bonus_counts() -> None:
    board = sl.board("hex F(6)")
    first = order(board)
    closing = ClosingOrder(board, lambda _: 0.0)
    far = [closing.far(pair) for pair in first]
    assert far[0] == max(map(closing.far, filter(closing.can_close, board.edges)))
    assert sum(far[:20]) > 1.7 * sum(far[-20:])
    wanted = next(pair for pair in board.edges if closing.can_close(pair) and pair != first[0])
    assert order(board, lambda pair: 9.0 * (pair == wanted))[0] == wanted


def test_a_bonus_that_is_lost_does_not_count() -> None:
    board = sl.board("hex F(4)")
    plain = order(board)
    has = {plain[5]}
    closing = ClosingOrder(board, lambda pair: 9.0 * (pair in has))
    has.clear()
    assert closing.next() == plain[0]
